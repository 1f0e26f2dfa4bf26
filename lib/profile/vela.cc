// Vela's estimate of each operator: NAME_per-layer.csv, or the same table as --verbose-performance prints it. Cycles
// become times by the clock in Vela's summary, which is printed behind the table and stands in NAME_summary_*.csv.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr char kOperator[] = "NNG Operator", kCycles[] = "Op Cycles", kVelaName[] = "Name";
constexpr char kClockColumn[] = "core_clock", kPrintedClock[] = "Accelerator clock";
constexpr double kHzPerMhz = 1e6;

// What a row of dashes under a head line makes columns of.
std::vector<std::pair<size_t, size_t>> SpansOf(absl::string_view dashes) {
  std::vector<std::pair<size_t, size_t>> spans;
  for (size_t begin = 0; (begin = dashes.find('-', begin)) != absl::string_view::npos;) {
    const size_t end = std::min(dashes.find(' ', begin), dashes.size());
    spans.emplace_back(begin, end - begin);
    begin = end;
  }
  if (!spans.empty()) spans.back().second = absl::string_view::npos;  // the last column is as wide as its cells
  return spans;
}

bool IsRule(absl::string_view line) {
  return absl::StartsWith(line, "--") && line.find_first_not_of("- ") == absl::string_view::npos;
}

// Of the softmax of NAME the parts are called NAME_softmax_0, .. up to the last one, which has the name of its result.
void NameSoftmaxParts(std::vector<ProfileEntry>* entries) {
  constexpr char kPart[] = "_softmax_";
  const std::string* result = nullptr;
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    if (!absl::StrContains(entry->name, kPart)) {
      result = &entry->name;
    } else if (result != nullptr) {
      entry->name = *result;
    }
  }
}

struct VelaTable {
  size_t name, op, cycles;

  // None for a line that is no head line.
  static std::optional<VelaTable> Of(const std::vector<std::string>& titles) {
    const auto name = CellNamed(titles, kVelaName), op = CellNamed(titles, kOperator),
               cycles = CellNamed(titles, kCycles);
    if (!name.has_value() || !op.has_value() || !cycles.has_value()) return std::nullopt;
    return VelaTable{*name, *op, *cycles};
  }
};

// The lines of a text as cells, whether it is CSV or a printed table.
std::vector<std::vector<std::string>> VelaRows(absl::string_view text) {
  const std::vector<std::string> lines = PlainLines(text);
  std::vector<std::pair<size_t, size_t>> spans;  // of the printed table that a line is in
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < lines.size(); ++i) {
    const absl::string_view line = lines[i];
    if (IsRule(line)) continue;
    if (i + 1 < lines.size() && IsRule(lines[i + 1])) spans = SpansOf(lines[i + 1]);
    if (line.empty()) spans.clear();
    if (spans.empty()) {
      rows.push_back(CsvCells(line));
      continue;
    }
    std::vector<std::string>& row = rows.emplace_back();
    for (const auto& [begin, width] : spans) {
      const absl::string_view rest = begin < line.size() ? line.substr(begin) : absl::string_view();
      row.emplace_back(absl::StripAsciiWhitespace(rest.substr(0, width)));
    }
  }
  return rows;
}

// Of a summary, printed or as CSV.
std::optional<double> ClockHz(const std::vector<std::vector<std::string>>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::vector<absl::string_view> words = WordsIn(rows[i][0]);
    if (absl::StartsWith(rows[i][0], kPrintedClock) && words.size() == 4 && words[3] == "MHz") {
      const std::optional<double> mhz = TimeIn(words[2]);
      if (mhz.value_or(0) > 0) return *mhz * kHzPerMhz;
    }
    const std::optional<size_t> at = CellNamed(rows[i], kClockColumn);
    if (!at.has_value() || i + 1 >= rows.size() || rows[i + 1].size() <= *at) continue;
    const std::optional<double> hz = TimeIn(rows[i + 1][*at]);
    if (hz.value_or(0) > 0) return hz;
  }
  return std::nullopt;
}

}  // namespace

bool IsVelaTable(absl::string_view text) {
  return absl::StrContains(text, kOperator) && absl::StrContains(text, kCycles);
}

absl::StatusOr<Profile> ReadVelaLayers(absl::string_view text, absl::string_view name) {
  const std::vector<std::vector<std::string>> rows = VelaRows(text);
  const std::optional<double> clock_hz = ClockHz(rows);
  if (!clock_hz.has_value()) {
    return ImportError(name, "counts cycles and does not say at which clock",
                       "put Vela's summary behind it: cat NAME_per-layer.csv NAME_summary_*.csv > profile.csv");
  }
  Profile profile{.program = "vela"};
  std::optional<VelaTable> table;
  for (const std::vector<std::string>& row : rows) {
    if (const auto head = VelaTable::Of(row); head.has_value()) {
      table = head;
      continue;
    }
    if (CellNamed(row, kClockColumn).has_value()) table.reset();  // of the summary
    if (!table.has_value() || row.size() <= std::max({table->name, table->op, table->cycles})) continue;
    const std::optional<double> cycles = TimeIn(row[table->cycles]);
    if (!cycles.has_value() || row[table->name].empty()) continue;
    profile.entries.push_back({.name = row[table->name], .op = row[table->op], .time_s = *cycles / *clock_hz});
  }
  NameSoftmaxParts(&profile.entries);
  return profile;
}

}  // namespace hwest
