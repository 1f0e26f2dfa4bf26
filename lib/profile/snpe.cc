// snpe-diagview of a log with detailed profiling: "3: /stem/Conv : 23 us : CPU" below a headline.
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "profile/cycle_times.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

// Of newer releases, which name layers, and of older ones, which number them.
constexpr char kPerLayer[] = "Per-Layer Execution Times:", kLayers[] = "Layer Times:";
constexpr char kStatistics[] = "Total Inference Time:", kAccelerator[] = "Accelerator Time";
constexpr size_t kFewestCells = 3;  // number, time, unit

bool IsHeadline(absl::string_view line) { return line == kPerLayer || line == kLayers; }

void AddLayer(const std::vector<absl::string_view>& cells, CycleTimes* times) {
  const std::vector<absl::string_view> words = WordsIn(cells[cells.size() - 2]);
  const std::optional<double> time = words.size() == 2 ? TimeIn(words[0]) : std::nullopt;
  const absl::string_view number = absl::StripAsciiWhitespace(cells[0]);
  if (!time.has_value() || !TimeIn(number).has_value()) return;
  // Colons may be in a name, as in "conv1:0".
  const std::string joined = absl::StrJoin(cells.begin() + 1, cells.end() - 2, ":");
  const absl::string_view named = absl::StripAsciiWhitespace(joined);
  const std::string layer(named.empty() ? number : named);
  if (words[1] == "us") times->AddMicroseconds(layer, *time);
  if (words[1] == "cycles") times->AddCycles(layer, *time);
}

}  // namespace

bool IsSnpeTable(absl::string_view text) {
  return absl::StrContains(text, kStatistics) &&
         (absl::StrContains(text, kPerLayer) || absl::StrContains(text, kLayers));
}

absl::StatusOr<Profile> ReadSnpeLayers(absl::string_view text, absl::string_view name) {
  CycleTimes times;
  bool in_table = false;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<absl::string_view> cells = absl::StrSplit(line, ':');
    const absl::string_view plain = absl::StripAsciiWhitespace(line);
    if (IsHeadline(plain)) in_table = true;
    if (in_table && cells.size() >= kFewestCells) AddLayer(cells, &times);
    if (in_table || cells.size() != 2 || absl::StripAsciiWhitespace(cells[0]) != kAccelerator) continue;
    const std::vector<absl::string_view> words = WordsIn(cells[1]);
    const std::optional<double> whole = words.size() == 2 && words[1] == "us" ? TimeIn(words[0]) : std::nullopt;
    if (whole.has_value()) times.AddWhole(*whole);
  }
  return times.Times("snpe", name, "give the whole of what snpe-diagview prints");
}

}  // namespace hwest
