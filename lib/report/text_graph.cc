// The text of `graph`: a line per node, and their total.
#include <algorithm>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/graph_selection.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

// How the figures of a column are shown that text leaves out unless it is asked for.
Shown ShownFor(absl::string_view key) {
  return absl::EndsWith(key, "_bytes") ? Shown::kBytes : key == "utilisation" ? Shown::kShare : Shown::kPlain;
}

// The declared column for this key, else one that shows the cell as it is.
TextColumn ColumnFor(const CellTable& table, const std::string& key) {
  size_t index = 0;
  while (table.columns[index].key != key) ++index;
  for (const TextColumn& column : TextColumnsOf(static_cast<const GraphNodeRow*>(nullptr))) {
    if (column.column == index) return column;
  }
  const char* null = table.columns[index].has_none ? "" : "-";
  const Shown shown = ShownFor(key);
  const bool is_word = shown == Shown::kPlain;
  return {.title = key, .column = index, .shown = shown, .null = null, .is_word = is_word, .is_shortened = is_word};
}

// The usual columns without those that are empty for every node, such as all plan columns without a target.
TextColumns UsualColumns(const CellTable& table) {
  std::vector<bool> says(table.columns.size(), table.size == 0);
  for (size_t i = 0; i < table.size; ++i) {
    const Cells row = table.row(i);
    for (size_t c = 0; c < row.size(); ++c) {
      const bool is_bare = row[c].is_empty() || (row[c].object() != nullptr && row[c].object()->empty());
      says[c] = says[c] || !is_bare;
    }
  }
  TextColumns columns;
  for (const TextColumn& column : TextColumnsOf(static_cast<const GraphNodeRow*>(nullptr))) {
    if (says[column.column]) columns.push_back(column);
  }
  return columns;
}

std::string TotalsLine(const View& view, const Document& document, const ReportOptions& options) {
  const GraphTotals totals = view.totals_of(document.nodes);
  const auto* bytes = std::get_if<int64_t>(&totals.bytes);
  const std::string moved =
      bytes != nullptr ? FormatBytes(static_cast<double>(*bytes)) : absl::StrCat(CountText(totals.bytes), " bytes");
  std::vector<std::string> parts = {WithUnit(totals.macs, "MACs"), WithUnit(totals.flops, "FLOP"),
                                    absl::StrCat(moved, " moved in the types of the file")};
  if (totals.time_s)
    parts.push_back(AtLeast(FormatSeconds(*totals.time_s), *totals.time_s, totals.untimed.value_or(0) > 0));
  if (totals.dram_bytes) parts.push_back(absl::StrCat("DRAM ", BytesText(totals.dram_bytes)));
  if (totals.onchip_bytes.value_or(0) > 0) parts.push_back(absl::StrCat("on chip ", BytesText(totals.onchip_bytes)));
  if (totals.uncounted > 0) parts.push_back(absl::StrCat(totals.uncounted, " of them not counted"));
  const std::string condition = SelectionText(options.graph);
  const std::string nodes =
      absl::StrCat(totals.nodes, " of ", view.nodes.size(), view.nodes.size() == 1 ? " node" : " nodes",
                   condition.empty() ? "" : absl::StrCat(" (", condition, ")"));
  return absl::StrCat(nodes, ": ", absl::StrJoin(parts, ", "));
}

}  // namespace

absl::Status WriteGraphText(const Document& document, const ReportOptions& options, Sink sink) {
  const View& view = *document.view;
  const CellTable& table = *TableOf(document, "nodes");
  TextColumns columns;
  for (const std::string& key : options.graph.columns) columns.push_back(ColumnFor(table, key));
  if (columns.empty()) columns = UsualColumns(table);
  std::vector<size_t> rows(table.size);
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::string text = absl::StrCat(HeaderText(view, options), "\n", RowsText(table, columns, rows, {}, options));
  if (document.nodes.empty()) absl::StrAppend(&text, "  no node fits\n");
  absl::StrAppend(&text, "\n", Wrapped(EscapeControl(TotalsLine(view, document, options)), "  ", "  ", options));
  return sink(text);
}

}  // namespace hwest
