// Plain text of tables that declare text columns.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

// A cell that is no number: a text, a formula instead of a count, or a list of texts or ids.
std::string WordsOf(const TextColumn& column, const std::string& prefix, const Cell& cell) {
  if (cell.list() == nullptr) return absl::StrCat(prefix, CellText(cell, column.null));
  return absl::StrJoin(*cell.list(), ", ", [&](std::string* out, const Cell& element) {
    absl::StrAppend(out, prefix, CellText(element, column.null));
  });
}

std::string CellOf(const TextColumn& column, const std::string& prefix, const Cell& cell, const TextScale& scale,
                   const ReportOptions& options) {
  if (column.shown == Shown::kBar) {
    const double seconds = cell.is_number() ? cell.figure() : 0;
    return Bar(scale.total_s > 0 ? seconds / scale.total_s : 0, scale.bar_width, options.glyphs);
  }
  if (cell.is_null()) return column.null;
  if (!cell.is_number()) return WordsOf(column, prefix, cell);
  if (column.shown == Shown::kPlain) return absl::StrCat(prefix, CellText(cell, column.null));
  if (column.shown != Shown::kShareOfTotal) return FigureShown(cell.figure(), column.shown);
  return scale.total_s > 0 ? Percent(cell.figure() / scale.total_s) : column.null;
}

Column HeadOf(const TextColumn& column) {
  const bool is_bar = column.shown == Shown::kBar;
  return {.title = column.title,
          .align = column.is_word || is_bar ? Align::kLeft : Align::kRight,
          .squeeze = column.is_shortened ? Squeeze::kShorten : Squeeze::kKeep,
          .style = is_bar          ? Style::kAccent
                   : column.is_dim ? Style::kDim
                                   : Style::kPlain};
}

}  // namespace

std::string FigureShown(double figure, Shown shown) {
  switch (shown) {
    case Shown::kCount: return FormatCount(figure);
    case Shown::kSeconds: return FormatSeconds(figure);
    case Shown::kBytes: return FormatBytes(figure);
    case Shown::kJoules: return FormatJoules(figure);
    case Shown::kWatts: return absl::StrFormat("%.4g W", figure);
    case Shown::kPerSecond: return absl::StrCat(RateText(figure), "/s");
    case Shown::kShare: return Percent(figure);
    default: return absl::StrFormat("%.4g", figure);
  }
}

std::string RowsText(const CellTable& table, const TextColumns& columns, const std::vector<size_t>& rows,
                     const TextScale& scale, const ReportOptions& options) {
  std::vector<Column> heads;
  for (const TextColumn& column : columns) heads.push_back(HeadOf(column));
  TextTable text(std::move(heads));
  for (const size_t i : rows) {
    const Cells row = table.row(i);
    std::vector<std::string> cells;
    for (const TextColumn& column : columns) {
      const std::string& prefix = table.columns[column.column].id_prefix;
      cells.push_back(CellOf(column, prefix, row[column.column], scale, options));
    }
    text.Add(std::move(cells));
  }
  return text.Print(options);
}

}  // namespace hwest
