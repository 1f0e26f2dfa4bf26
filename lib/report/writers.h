// What the writers of formats share. Each writer stands in the file of its format, and formats.cc chooses among them.
#pragma once

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "report/document.h"
#include "report/report.h"

namespace hwest {

// Chooses the writer by options.format. Errors: kUsage for a picture of something that is no graph.
absl::Status WriteDocument(const Document& document, const ReportOptions& options, Sink sink);

// As WriteHtml, about several analyses, the first one shown first. With `comparison`, JSON as src/comparison.ts of the
// page reads it, the first two stand side by side.
absl::Status WriteHtmlPage(absl::Span<const Document* const> documents, absl::string_view title,
                           absl::string_view comparison, Sink sink);

// Text of documents about an analysis.
std::string AnalysisText(const View& view, const ReportOptions& options);
std::string ShapesText(const View& view, const ReportOptions& options);
absl::Status WriteGraphText(const Document& document, const ReportOptions& options, Sink sink);
std::string ExplainText(const View& view, NodeId node, const Document& document, const ReportOptions& options);

// Indices of the rows to show: all in table order, or with options.top (`default_top` when none; 0 = all) the ones that
// take most time, or most MACs where rows have no time, most expensive first.
std::vector<size_t> RowsShown(const CellTable& table, const ReportOptions& options, int64_t default_top);
// As above over costs, one per row.
std::vector<size_t> CostliestRows(const std::vector<double>& costs, int64_t top);

// A table of the document as aligned text.
std::string TableText(const CellTable& table, const ReportOptions& options);

// The document's table for options.level. Errors: kUsage when it has none.
absl::StatusOr<const CellTable*> LevelTable(const Document& document, const ReportOptions& options);

std::string CsvField(absl::string_view text);      // quoted and defused as needed
std::string MarkdownCell(absl::string_view text);  // escaped: pipes, line breaks, HTML, emphasis

// What the length of the context costs, as a section of text; "" when not asked for.
std::string GenerationText(const View& view, const ReportOptions& options);

// Measured beside predicted times, as a section of text; "" when not asked for.
std::string MeasuredText(const View& view, const ReportOptions& options);

// The changes that would help, as a section of text; "" when not asked for.
std::string RewrittenText(const View& view, const ReportOptions& options);
std::string WhatIfText(const View& view, const ReportOptions& options);
std::string CuresText(const View& view, const ReportOptions& options);  // these alone

}  // namespace hwest
