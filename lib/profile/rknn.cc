// The layer table of RKNN-Toolkit2 and its runtime: eval_perf with perf_debug, or RKNN_QUERY_PERF_DETAIL.
#include <optional>

#include "absl/strings/match.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr char kOpColumn[] = "OpType", kTimeColumn[] = "Time(us)", kTargetColumn[] = "Target";

bool IsRknnHeader(const std::vector<absl::string_view>& words) {
  return !words.empty() && words[0] == "ID" && CellNamed(words, kOpColumn).has_value() &&
         CellNamed(words, kTargetColumn).has_value();
}

// "Conv:/stem/Conv" as "/stem/Conv".
absl::string_view NodeNameOf(absl::string_view full_name, absl::string_view op) {
  const size_t colon = full_name.find(':');
  const bool is_op = colon != absl::string_view::npos && absl::StartsWith(op, full_name.substr(0, colon));
  return is_op ? full_name.substr(colon + 1) : full_name;
}

}  // namespace

bool IsRknnTable(absl::string_view text) {
  return absl::StrContains(text, kOpColumn) && absl::StrContains(text, "Network Layer Information Table");
}

// Cells before the time are never empty ("\" stands for none), those behind it may be; the name is the last one.
absl::StatusOr<Profile> ReadRknnLayers(absl::string_view text, absl::string_view name) {
  Profile profile{.program = "rknn"};
  std::optional<size_t> op_at, time_at;
  bool has_header = false;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<absl::string_view> words = WordsIn(line);
    if (IsRknnHeader(words)) {
      has_header = true;
      op_at = CellNamed(words, kOpColumn);
      time_at = CellNamed(words, kTimeColumn);
      if (time_at.has_value()) profile.entries.clear();  // the last table with times is that of the run
      continue;
    }
    if (!time_at.has_value() || words.size() <= *time_at + 1 || !TimeIn(words[0]).has_value()) continue;
    const std::optional<double> time_us = TimeIn(words[*time_at]);
    if (!time_us.has_value()) continue;
    const absl::string_view op = words[*op_at];
    profile.entries.push_back(
        {.name = std::string(NodeNameOf(words.back(), op)), .op = std::string(op), .time_s = *time_us * kMicrosecond});
  }
  if (has_header && profile.entries.empty()) {
    return ImportError(name, "is the table of a build, which holds no times",
                       "run eval_perf on the board, with perf_debug=True in init_runtime");
  }
  return profile;
}

}  // namespace hwest
