// One function per format. Each writes the kinds of document that its row in the table of formats lists.
#pragma once

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "report/document.h"
#include "report/report.h"

namespace hwest {

// Chooses the writer by options.format. Errors: kUsage for a picture of anything but a graph.
absl::Status WriteDocument(const Document& document, const ReportOptions& options, Sink sink);

absl::Status WriteJson(const Document& document, const ReportOptions& options, Sink sink);
// CSV: one table, the one that options.level names or the document's main one. RFC 4180, LF line ends; an apostrophe
// precedes text that a spreadsheet would take for a formula.
absl::Status WriteCsv(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteMarkdown(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteText(const Document& document, const ReportOptions& options, Sink sink);
// Pictures: dot, svg, png, pdf by options.format. Errors: kOutputUnwritable where Graphviz, which renders all but dot,
// is not installed; kInternal when it cannot render the format.
absl::Status WritePicture(const Document& document, const ReportOptions& options, Sink sink);

// One self-contained file for a browser. Errors: kOutputUnwritable if the build had no Node.js to make the page.
absl::Status WriteHtml(const Document& document, const ReportOptions& options, Sink sink);
// The same page about several analyses, the first one shown first. With `comparison`, JSON as src/comparison.ts of the
// page reads it, the first two stand side by side.
absl::Status WriteHtmlPage(absl::Span<const Document* const> documents, absl::string_view title,
                           absl::string_view comparison, Sink sink);

// The text of documents about an analysis.
std::string AnalysisText(const View& view, const ReportOptions& options);
std::string ShapesText(const View& view, const ReportOptions& options);
absl::Status WriteGraphText(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteOnnxText(const Document& document, const ReportOptions& options, Sink sink);
std::string ExplainText(const View& view, NodeId node, const Document& document, const ReportOptions& options);

// Indices of the rows to show: all in table order, or with options.top (`default_top` if not set; 0 = all) those with
// the most time, or the most MACs where rows have no time, most expensive first.
std::vector<size_t> RowsShown(const CellTable& table, const ReportOptions& options, int64_t default_top);
// As above over costs, one per row.
std::vector<size_t> CostliestRows(const std::vector<double>& costs, int64_t top);

// A table of the document as aligned text.
std::string TableText(const CellTable& table, const ReportOptions& options);

// The document's table for options.level. Errors: kUsage when it has none.
absl::StatusOr<const CellTable*> LevelTable(const Document& document, const ReportOptions& options);

std::string CsvField(absl::string_view text);      // quoted and defused as needed
std::string MarkdownCell(absl::string_view text);  // escaped: pipes, line breaks, HTML, emphasis

// Cost by context length, as a section of text; "" when not asked for.
std::string GenerationText(const View& view, const ReportOptions& options);

// Measured beside predicted times, as a section of text; "" when not asked for.
std::string MeasuredText(const View& view, const ReportOptions& options);

// The changes that would help, as a section of text; "" when not asked for.
std::string RewrittenText(const View& view, const ReportOptions& options);
std::string WhatIfText(const View& view, const ReportOptions& options);

}  // namespace hwest
