// The map of a memory plan: addresses upwards, groups from left to right.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "chart/axis.h"
#include "report/chart.h"
#include "report/memory_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr size_t kMostBoxes = 4000;
constexpr size_t kMapRows = 16;
constexpr size_t kLetters = 26;

std::vector<Lifetime> RowsIn(const MemoryReport& report, const std::string& memory) {
  std::vector<Lifetime> rows;
  for (const Lifetime& row : report.analysis->plan->lifetimes) {
    const bool is_there = report.analysis->target->memories[row.memory].name == memory;
    if (is_there && row.bytes.value_or(0) > 0) rows.push_back(row);
  }
  return rows;
}

std::string TipOf(const View& view, const Lifetime& row) {
  return absl::StrCat(view.values[row.value.index()].name, ": ", FormatBytes(static_cast<double>(*row.bytes)), " at ",
                      row.offset, ", g", row.first.index(), " to g", row.last.index());
}

std::string StepText(double step) { return absl::StrCat("g", static_cast<int64_t>(step)); }

void DrawArena(const MemoryReport& report, const View& view, const MemoryUse& use, Drawing* drawing) {
  const std::vector<Lifetime> rows = RowsIn(report, use.name);
  const auto groups = static_cast<double>(std::max<size_t>(1, report.analysis->plan->groups.size()));
  const auto bytes = static_cast<double>(use.activations_bytes);
  drawing->Text(Drawing::kMargin, drawing->y + 14,
                absl::StrCat(use.name, ": ", FormatBytes(bytes), " of activations, ",
                             FormatBytes(static_cast<double>(use.least_bytes)), " alive at once"),
                {.is_bold = true});
  const Plot plot = TimePlot(drawing->y + 30, 320);
  const Axis x = Axis::Linear(groups, plot.Across(), 10), y = Axis::Linear(bytes, plot.Up(), 6);
  DrawAxisBelow(plot, x, StepText, "group", drawing);
  DrawAxisAtLeft(plot, y, FormatBytes, "", drawing);
  for (size_t i = 0; i < rows.size() && i < kMostBoxes; ++i) {
    const Lifetime& row = rows[i];
    const Tint tint = TintAt(row.place.index());
    const auto first = static_cast<double>(row.first.index()), end = static_cast<double>(row.last.index()) + 1;
    const double left = x.At(first), width = x.At(end) - left;
    const double top = y.At(static_cast<double>(row.offset + *row.bytes));
    const double height = y.At(static_cast<double>(row.offset)) - top;
    drawing->Box(left, top, width, height, tint.fill, height > 2 && width > 2 ? tint.line : "", TipOf(view, row));
    if (height > 12) drawing->Label(left, top + height / 2 + 3, width, view.values[row.value.index()].name);
  }
  drawing->y = plot.bottom() + 40;
  if (rows.size() <= kMostBoxes) return;
  drawing->Text(plot.left, drawing->y, absl::StrCat(kMostBoxes, " of ", rows.size(), " boxes are drawn"));
  drawing->y += 18;
}

// A letter for each of the largest, and a dot for others.
std::vector<char> LettersOf(const std::vector<Lifetime>& rows) {
  std::vector<size_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return *rows[a].bytes > *rows[b].bytes; });
  std::vector<char> letters(rows.size(), '+');
  for (size_t i = 0; i < order.size() && i < kLetters; ++i) letters[order[i]] = static_cast<char>('A' + i);
  return letters;
}

std::string GridText(const std::vector<Lifetime>& rows, const std::vector<char>& letters, size_t groups, int64_t bytes,
                     size_t width) {
  const size_t columns = std::max<size_t>(1, std::min(groups, width));
  std::vector<std::string> grid(kMapRows, std::string(columns, ' '));
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t line = 0; line < kMapRows; ++line) {
      const int64_t from = bytes * static_cast<int64_t>(line) / static_cast<int64_t>(kMapRows);
      const int64_t middle = from + bytes / static_cast<int64_t>(kMapRows) / 2;
      if (middle < rows[i].offset || middle >= rows[i].offset + *rows[i].bytes) continue;
      for (size_t column = 0; column < columns; ++column) {
        const size_t group = column * groups / columns;
        if (rows[i].first.index() <= group && group <= rows[i].last.index()) grid[line][column] = letters[i];
      }
    }
  }
  std::string text;
  for (size_t line = kMapRows; line-- > 0;) absl::StrAppend(&text, "  |", grid[line], "|\n");
  return text;
}

}  // namespace

Drawing MemoryMap(const MemoryReport& report, const View& view) {
  Drawing drawing(kTimeWidth, absl::StrCat("Memory of ", view.request.model, " on ", view.request.target.value_or("")),
                  {absl::StrCat(FormatBytes(static_cast<double>(report.peak_bytes)), " of activations at the peak, ",
                                FormatBytes(static_cast<double>(report.lower_bound_bytes)), " alive at once")});
  for (const MemoryUse& use : report.memories) {
    if (use.activations_bytes > 0) DrawArena(report, view, use, &drawing);
  }
  return drawing;
}

std::string MemoryMapText(const MemoryReport& report, const View& view, size_t width) {
  std::string text;
  const size_t groups = report.analysis->plan->groups.size();
  for (const MemoryUse& use : report.memories) {
    if (use.activations_bytes == 0) continue;
    const std::vector<Lifetime> rows = RowsIn(report, use.name);
    const std::vector<char> letters = LettersOf(rows);
    absl::StrAppend(&text, text.empty() ? "" : "\n", "Map of ", use.name, ": ",
                    FormatBytes(static_cast<double>(use.activations_bytes)), " upwards, g0 to g", groups - 1,
                    " from left to right\n", GridText(rows, letters, groups, use.activations_bytes, width - 4));
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      const auto at = std::find(letters.begin(), letters.end(), letter);
      if (at == letters.end()) break;
      const Lifetime& row = rows[static_cast<size_t>(at - letters.begin())];
      absl::StrAppend(&text, "  ", std::string(1, letter), " ", Shorten(EscapeControl(TipOf(view, row)), width - 4),
                      "\n");
    }
  }
  return text;
}

}  // namespace hwest
