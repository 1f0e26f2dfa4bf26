// TIDL on a board with debug_level 1: for each run of a subgraph a table of its layers, in cycles of the C7x, and what
// the host measured around it:
//   Network Cycles 6294273
//    Layer,   Layer Cycles,kernelOnlyCycles, coreLoopCycles,LayerSetupCycles, ..
//        1,          81811,           48850,          49277,            7779, ..
//   Sub Graph Stats 154.000000 6301.000000 42.000000
// Layers are numbers, which *.layer_info.txt of the artifacts names: "1 0 /stem/Conv".
#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "profile/cycle_times.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr char kLayer[] = "Layer", kLayerCycles[] = "Layer Cycles", kKernelCycles[] = "kernelOnlyCycles";
constexpr char kRunStats[] = "Sub Graph Stats";  // microseconds: copy in, the accelerator, copy out
constexpr size_t kStatsWords = 6, kAcceleratorWord = 4, kInfoWords = 3;

bool IsWhole(absl::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), absl::ascii_isdigit);
}

std::vector<absl::string_view> TidlCells(absl::string_view line) {
  std::vector<absl::string_view> cells = absl::StrSplit(line, ',');
  for (absl::string_view& cell : cells) cell = absl::StripAsciiWhitespace(cell);
  return cells;
}

bool IsTidlHeader(const std::vector<absl::string_view>& cells) {
  return cells.size() > 2 && cells[0] == kLayer && cells[1] == kLayerCycles && cells[2] == kKernelCycles;
}

// Names of layers by number; none of a number that two subgraphs have.
class LayerNames {
 public:
  void Read(const std::vector<absl::string_view>& words) {
    if (words.size() != kInfoWords || !IsWhole(words[0]) || !IsWhole(words[1]) || TimeIn(words[2]).has_value()) return;
    const auto [at, is_new] = names_.try_emplace(std::string(words[0]), words[2]);
    if (!is_new && at->second != words[2]) has_doubled_ = true;
  }
  bool has_doubled() const { return has_doubled_; }
  std::string Of(absl::string_view number) const {
    const auto found = names_.find(std::string(number));
    return found == names_.end() ? std::string(number) : found->second;
  }

 private:
  std::map<std::string, std::string> names_;
  bool has_doubled_ = false;
};

}  // namespace

bool IsTidlTrace(absl::string_view text) {
  return absl::StrContains(text, kLayerCycles) && absl::StrContains(text, kKernelCycles);
}

absl::StatusOr<Profile> ReadTidlLayers(absl::string_view text, absl::string_view name) {
  const std::vector<std::string> lines = PlainLines(text);
  LayerNames names;
  for (const std::string& line : lines) names.Read(WordsIn(line));
  if (names.has_doubled()) {
    return ImportError(name, "names the layers of several subgraphs, whose numbers are the same",
                       "give the trace and the layer_info.txt of one subgraph");
  }
  CycleTimes times;
  bool in_table = false;
  for (const std::string& line : lines) {
    const std::vector<absl::string_view> cells = TidlCells(line);
    if (IsTidlHeader(cells)) {
      in_table = true;
      continue;
    }
    in_table = in_table && cells.size() > 2 && IsWhole(cells[0]);
    const std::optional<double> cycles = in_table ? TimeIn(cells[1]) : std::nullopt;
    if (cycles.has_value()) times.AddCycles(names.Of(cells[0]), *cycles);
    const std::vector<absl::string_view> words = WordsIn(line);
    if (words.size() < kStatsWords || !absl::StartsWith(line, kRunStats)) continue;
    if (const std::optional<double> whole = TimeIn(words[kAcceleratorWord])) times.AddWhole(*whole);
  }
  return times.Times("tidl", name, "keep the lines `Sub Graph Stats`, which debug_level = 1 prints for every run");
}

}  // namespace hwest
