// ST Edge AI Core: the table of nodes that `stedgeai validate` prints after a run on the board.
#include <optional>

#include "absl/strings/match.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kNodeMs = 1e-3;
constexpr char kNodeIds[] = "c_id", kDuration[] = "dur (ms)";
constexpr size_t kTypeWord = 2;

// "0  2  Conv2D (0x103)  1.012  26.4%  26.4%  [ 80,968 ]  ai_node_0"
std::optional<ProfileEntry> NodeIn(absl::string_view line) {
  const std::vector<absl::string_view> words = WordsIn(line);
  if (words.size() < kTypeWord + 3 || !TimeIn(words[0]).has_value() || !TimeIn(words[1]).has_value()) {
    return std::nullopt;
  }
  const bool has_code = words[kTypeWord + 1][0] == '(';
  const std::optional<double> ms = TimeIn(words[kTypeWord + (has_code ? 2 : 1)]);
  if (!ms.has_value()) return std::nullopt;
  return ProfileEntry{.name = std::string(words.back()), .op = std::string(words[kTypeWord]), .time_s = *ms * kNodeMs};
}

}  // namespace

bool IsStEdgeAiTable(absl::string_view text) {
  return absl::StrContains(text, kNodeIds) && absl::StrContains(text, kDuration);
}

absl::StatusOr<Profile> ReadStEdgeAiNodes(absl::string_view text, absl::string_view) {
  Profile profile{.program = "stedgeai"};
  bool in_table = false;
  for (const std::string& line : PlainLines(text)) {
    if (absl::StrContains(line, kNodeIds)) in_table = absl::StrContains(line, kDuration);
    std::optional<ProfileEntry> node = in_table ? NodeIn(line) : std::nullopt;
    if (node.has_value()) profile.entries.push_back(*std::move(node));
  }
  return profile;
}

}  // namespace hwest
