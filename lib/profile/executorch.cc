// ExecuTorch's Inspector: its data frame as CSV or TSV (save_data_to_tsv), or the table that it prints.
#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr char kBlock[] = "event_block_name", kEvent[] = "event_name";
constexpr char kMedian[] = "p50", kAverage[] = "avg";
// Around the operators: what loads, prepares and runs a method, and each call with what dispatches it.
constexpr absl::string_view kAround[] = {"Method::", "Program::", "DELEGATE_CALL", "OPERATOR_CALL"};

struct Scale {
  absl::string_view unit;
  double seconds;
};
constexpr Scale kScales[] = {{"(s)", 1}, {"(ms)", 1e-3}, {"(us)", 1e-6}, {"(ns)", 1e-9}};

std::vector<std::string> CellsOf(absl::string_view line) {
  const absl::string_view bars = "\xe2\x94\x82";
  std::vector<std::string> cells;
  const auto add = [&cells](absl::string_view cell) { cells.emplace_back(absl::StripAsciiWhitespace(cell)); };
  if (absl::StrContains(line, bars)) {
    absl::ConsumePrefix(&line, bars);
    absl::ConsumeSuffix(&line, bars);
    for (const absl::string_view cell : absl::StrSplit(line, bars)) add(cell);
    return cells;
  }
  const char between = absl::StrContains(line, '\t') ? '\t' : ',';
  for (const absl::string_view cell : absl::StrSplit(line, between)) add(cell);
  return cells;
}

struct Columns {
  size_t event = 0, time = 0;
  double seconds = 0;
};

// "p50 (ms)"; of a frame that states no unit, milliseconds, which is what the Inspector makes of times.
std::optional<Columns> ColumnsOf(const std::vector<std::string>& cells) {
  Columns columns{.seconds = 0};
  bool has_event = false;
  for (size_t i = 0; i < cells.size(); ++i) {
    const absl::string_view cell = cells[i];
    if (cell == kEvent) {
      columns.event = i;
      has_event = true;
    }
    const bool is_median = absl::StartsWith(cell, kMedian);
    if (!is_median && !(absl::StartsWith(cell, kAverage) && columns.seconds == 0)) continue;
    columns.time = i;
    columns.seconds = 1e-3;
    for (const Scale& scale : kScales) {
      if (absl::EndsWith(cell, scale.unit)) columns.seconds = scale.seconds;
    }
  }
  return has_event && columns.seconds > 0 ? std::optional(columns) : std::nullopt;
}

bool IsAround(absl::string_view event) {
  for (const absl::string_view start : kAround) {
    if (absl::StartsWith(event, start)) return true;
  }
  return event.empty();
}

}  // namespace

bool IsExecuTorchTable(absl::string_view text) {
  return absl::StrContains(text, kBlock) && absl::StrContains(text, kEvent);
}

absl::StatusOr<Profile> ReadExecuTorchEvents(absl::string_view text, absl::string_view) {
  Profile profile{.program = "executorch"};
  std::optional<Columns> columns;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<std::string> cells = CellsOf(line);
    if (absl::StrContains(line, kBlock)) {
      columns = ColumnsOf(cells);
      continue;
    }
    if (!columns.has_value() || cells.size() <= std::max(columns->event, columns->time)) continue;
    const std::optional<double> time = TimeIn(cells[columns->time]);
    if (!time.has_value() || IsAround(cells[columns->event])) continue;
    profile.entries.push_back({.name = cells[columns->event], .op = "", .time_s = *time * columns->seconds});
  }
  return profile;
}

}  // namespace hwest
