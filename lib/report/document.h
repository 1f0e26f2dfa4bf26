// Document: the named parts of a report as JSON values, in the order of the contract. JSON prints all of them, CSV and
// Markdown print the tables.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/report.h"
#include "report/view.h"

namespace hwest {

using Json = nlohmann::ordered_json;

// Rows are made one at a time, so that a large model's report is never held as JSON in memory. Every row is an object
// with exactly the keys of `columns`.
struct JsonTable {
  std::vector<std::string> columns;
  size_t size = 0;
  std::function<Json(size_t)> row;
};

struct Part {
  std::string key;
  std::variant<Json, JsonTable> content;
};

struct Document {
  ReportKind kind = ReportKind::kAnalysis;
  std::vector<Part> parts;          // after schema, kind and tool
  const View* view = nullptr;       // of documents about an analysis
  NodeId node;                      // of kExplain
  std::vector<std::string> tables;  // keys that CSV, Markdown and plain text show, main table first
};

Document AnalysisDocument(const View& view);
Document ShapesDocument(const View& view);
Document SupportDocument(const View& view);
// A row per toolchain: how much of what it demands is typed. For the formats that show tables.
Document SupportStatsDocument(const View& view);
Document ExplainDocument(const View& view, NodeId node);

// The parts that every document about an analysis begins with: request and diagnostics.
Document HeadOf(ReportKind kind, const View& view);

// Rows of the contract.
Json JsonOf(const Count& count);
Json JsonOf(const std::optional<double>& number);
Json JsonOf(const std::optional<int64_t>& number);
Json JsonOf(const std::optional<std::string>& text);
Json JsonOf(const Diagnostic& diagnostic);
Json ConventionJson(const std::optional<ConventionView>& view);  // null when none was asked for
Json UnitJson(const View& view, UnitId unit);  // its name, null when none
Json NodeJson(const View& view, size_t index);
Json GroupJson(const View& view, size_t index);

// The table called `key`; null when the document has none of that name.
const JsonTable* TableOf(const Document& document, absl::string_view key);
// A cell for people: numbers as they are, lists joined with "; ", objects as "key=value", null as `unknown`.
std::string CellText(const Json& cell, absl::string_view unknown);
// One line of JSON without blanks at its end; bytes that are no UTF-8 become U+FFFD, controls are escaped.
std::string DumpJson(const Json& json);

}  // namespace hwest
