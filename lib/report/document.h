// Document: the named parts of a report, in the documented order. JSON prints all of them, CSV and Markdown the tables.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "report/cell.h"
#include "report/columns.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

// Makes rows one at a time, so that memory never holds a large model's whole report. Each has a cell for every column.
struct CellTable {
  Columns columns;
  size_t size = 0;
  std::function<Cells(size_t)> row;
};

// `rows` and the getters' context must outlive the table.
template <class Rows, class... Context>
CellTable TableOfRows(const Rows& rows, const Context&... context) {
  using Row = std::decay_t<decltype(rows[0])>;
  return {ColumnsOf(static_cast<const Row*>(nullptr)), rows.size(),
          [&rows, &context...](size_t i) { return CellsOf(rows[i], context...); }};
}
// A table of existing rows.
CellTable TableOfCells(const std::vector<std::string>& keys, std::vector<Cells> rows);

// The indices of the named columns, or of all without names. Errors: kUsage for a name that is no column.
absl::StatusOr<std::vector<size_t>> ColumnsNamed(const Columns& columns, const std::vector<std::string>& names);

// An object, or one row of a table as an object with its columns.
struct Part {
  std::string key;
  std::variant<Cell, CellTable> content;
  Columns columns = {};
};
Cell ObjectOf(const Columns& columns, Cells cells);
template <class Row, class... Context>
Part PartOfRow(std::string key, const Row& row, const Context&... context) {
  const Columns& columns = ColumnsOf(&row);
  return {std::move(key), ObjectOf(columns, CellsOf(row, context...)), columns};
}

struct Document {
  ReportKind kind = ReportKind::kAnalysis;
  std::vector<Part> parts;          // after schema, kind and tool
  const View* view = nullptr;       // of documents about an analysis
  NodeId node;                      // of kExplain
  std::vector<NodeId> nodes;        // of kGraph: those that are shown
  std::vector<std::string> tables;  // keys that CSV, Markdown and plain text show, main table first
};

Document AnalysisDocument(const View& view);
Document ShapesDocument(const View& view);
Document SupportDocument(const View& view);
Document CuresDocument(const View& view);
// A row per toolchain: how many of its limits are typed. For formats that show tables.
Document SupportStatsDocument(const View& view);
// The nodes that options.graph selects; adds a note to `view` if there are none. Errors: kUsage, as WriteReport.
absl::StatusOr<Document> GraphDocument(const ReportOptions& options, View* view);
Document ExplainDocument(const View& view, const std::vector<NodeId>& nodes);  // see FindNodes

// The first parts of every document about an analysis: request and diagnostics.
Document HeadOf(ReportKind kind, const View& view);

// The member `summary` of an analysis report, without another tool's convention.
Cell SummaryCellOf(const Analysis& analysis);

// The model of any document about one.
Cell ModelCell(const View& view);

// What rewriting gains; null when not asked for.
Cell RewrittenCell(const Rewritten* rewritten, absl::string_view command);

// What a profile measured, with its kernels; null when the request had none.
Cell MeasuredCell(const View& view);

// The table called `key`; null when the document has none.
const CellTable* TableOf(const Document& document, absl::string_view key);
// A cell for people: numbers as they are, lists joined with ";", objects as "key=value;key=1,2", null as `unknown`.
std::string CellText(const Cell& cell, absl::string_view unknown);
// Appends the result of DumpJson.
void AppendJson(const Cell& cell, std::string* to);
// One line of JSON without trailing blanks; bytes that are not UTF-8 become U+FFFD, controls are escaped.
std::string DumpJson(const Cell& cell);

}  // namespace hwest
