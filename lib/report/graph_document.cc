// The document of `graph`: the selected nodes, and their total cost.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/graph_selection.h"

namespace hwest {
namespace {

const Columns& NodeColumns() { return ColumnsOf(static_cast<const GraphNodeRow*>(nullptr)); }

CellTable NodeTable(const View& view, const std::vector<NodeId>& nodes) {
  return {NodeColumns(), nodes.size(),
          [&view, nodes](size_t i) { return CellsOf(view.graph_node(view, nodes[i]), view); }};
}

// JSON has every column whatever the user chose.
CellTable OnlyColumns(CellTable table, const std::vector<size_t>& columns) {
  CellTable narrow{{}, table.size, {}};
  for (const size_t i : columns) narrow.columns.push_back(table.columns[i]);
  narrow.row = [row = std::move(table.row), columns](size_t i) {
    const Cells all = row(i);
    Cells some;
    for (const size_t c : columns) some.push_back(all[c]);
    return some;
  };
  return narrow;
}

}  // namespace

absl::StatusOr<Document> GraphDocument(const ReportOptions& options, View* view) {
  HWEST_ASSIGN_OR_RETURN(std::vector<NodeId> nodes, SelectNodes(*view, options.graph));
  HWEST_ASSIGN_OR_RETURN(const std::vector<size_t> columns, ColumnsNamed(NodeColumns(), options.graph.columns));
  if (nodes.empty()) {
    const std::string condition = SelectionText(options.graph);
    view->diagnostics.push_back(
        {.code = Code::kEmptySelection,
         .message = condition.empty() ? "the model has no nodes" : absl::StrCat("no node fits ", condition)});
    if (view->notes != nullptr) view->notes->push_back(view->diagnostics.back());
  }
  Document document = HeadOf(ReportKind::kGraph, *view);
  CellTable table = NodeTable(*view, nodes);
  const bool is_narrow =
      !options.graph.columns.empty() && (options.format == Format::kCsv || options.format == Format::kMarkdown);
  document.parts.push_back({"model", ModelCell(*view)});
  document.parts.push_back({"nodes", is_narrow ? OnlyColumns(std::move(table), columns) : std::move(table)});
  document.parts.push_back(PartOfRow("totals", view->totals_of(nodes)));
  document.tables = {"nodes"};
  document.nodes = std::move(nodes);
  return document;
}

}  // namespace hwest
