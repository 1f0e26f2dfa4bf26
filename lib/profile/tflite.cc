// benchmark_model of TensorFlow Lite with --enable_op_profiling=true: its table in run order.
#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kMillisecond = 1e-3;
constexpr char kTypeCell[] = "[node type]", kAverageCell[] = "[avg ms]", kNameCell[] = "[Name]";

std::vector<absl::string_view> TabbedCells(absl::string_view line) {
  std::vector<absl::string_view> cells;
  for (const absl::string_view cell : absl::StrSplit(line, '\t', absl::SkipWhitespace())) {
    cells.push_back(absl::StripAsciiWhitespace(cell));
  }
  return cells;
}

// "[a/b;c]:3" as "a/b".
std::string TensorNameOf(absl::string_view cell) {
  cell = cell.substr(0, cell.rfind("]:"));
  absl::ConsumePrefix(&cell, "[");
  absl::ConsumeSuffix(&cell, "]");
  return std::string(cell.substr(0, cell.find(';')));
}

}  // namespace

bool IsTfliteTable(absl::string_view text) {
  return absl::StrContains(text, kTypeCell) && absl::StrContains(text, kAverageCell);
}

// The log has a table of the initialisation and one of the runs, each in run order and once more by time.
absl::StatusOr<Profile> ReadTfliteNodes(absl::string_view text, absl::string_view) {
  Profile profile{.program = "tflite"};
  std::optional<size_t> time_at, name_at;
  bool in_order = false;
  for (const std::string& line : PlainLines(text)) {
    if (absl::StartsWith(line, "===")) in_order = absl::StrContains(line, "Run Order");
    const std::vector<absl::string_view> cells = TabbedCells(line);
    if (!in_order || cells.size() < 4) continue;
    if (cells[0] == kTypeCell) {
      profile.entries.clear();
      time_at = CellNamed(cells, kAverageCell);
      name_at = CellNamed(cells, kNameCell);
      continue;
    }
    if (!time_at.has_value() || !name_at.has_value() || cells.size() <= std::max(*time_at, *name_at)) continue;
    const std::optional<double> ms = TimeIn(cells[*time_at]);
    if (!ms.has_value()) continue;
    profile.entries.push_back(
        {.name = TensorNameOf(cells[*name_at]), .op = std::string(cells[0]), .time_s = *ms * kMillisecond});
  }
  return profile;
}

}  // namespace hwest
