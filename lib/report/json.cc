// The JSON format: one member per line, one table row per line.
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/writers.h"

namespace hwest {
namespace {

using Json = nlohmann::json;

constexpr size_t kFlushBytes = 64 * 1024;

// What nlohmann writes of a scalar: the shortest digits of a number, the escapes of a text.
std::string Scalar(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void AppendTo(std::string* to, const Cell& cell);

void AppendList(std::string* to, const Cell::List& list) {
  const char* before = "[";
  for (const Cell& element : list) {
    *to += before;
    AppendTo(to, element);
    before = ",";
  }
  *to += list.empty() ? "[]" : "]";
}

void AppendObject(std::string* to, const Cell::Object& object) {
  const char* before = "{";
  for (const auto& [key, value] : object) {
    absl::StrAppend(to, before, Scalar(key), ":");
    AppendTo(to, value);
    before = ",";
  }
  *to += object.empty() ? "{}" : "}";
}

void AppendTo(std::string* to, const Cell& cell) {
  if (const auto* truth = cell.truth()) return absl::StrAppend(to, *truth ? "true" : "false");
  if (const auto* number = cell.number()) return absl::StrAppend(to, *number);
  if (const auto* real = cell.real()) return absl::StrAppend(to, Scalar(*real));
  if (const auto* text = cell.text()) return absl::StrAppend(to, Scalar(*text));
  if (const auto* list = cell.list()) return AppendList(to, *list);
  if (const auto* object = cell.object()) return AppendObject(to, *object);
  absl::StrAppend(to, "null");
}

std::string RowText(const CellTable& table, size_t row) {
  const Cells cells = table.row(row);
  std::string text;
  const char* before = "{";
  for (size_t i = 0; i < cells.size(); ++i) {
    absl::StrAppend(&text, before, Scalar(table.columns[i].key), ":");
    AppendTo(&text, cells[i]);
    before = ",";
  }
  return EscapeControlAsJson(absl::StrCat(text, "}"));
}

absl::Status WriteTable(const CellTable& table, Sink sink) {
  if (table.size == 0) return sink("[]");
  std::string text = "[\n";
  for (size_t i = 0; i < table.size; ++i) {
    absl::StrAppend(&text, "    ", RowText(table, i), i + 1 < table.size ? ",\n" : "\n");
    if (text.size() < kFlushBytes) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  absl::StrAppend(&text, "  ]");
  return sink(text);
}

}  // namespace

std::string DumpJson(const Cell& cell) {
  std::string text;
  AppendTo(&text, cell);
  return EscapeControlAsJson(std::move(text));
}

absl::Status WriteJson(const Document& document, const ReportOptions&, Sink sink) {
  HWEST_RETURN_IF_ERROR(
      sink(absl::StrCat("{\n  \"schema\": \"onnx-hwest/1\",\n  \"kind\": \"", ReportKindName(document.kind),
                        "\",\n  \"tool\": {\"version\":\"", HWEST_VERSION, "\"}")));
  for (const Part& part : document.parts) {
    HWEST_RETURN_IF_ERROR(sink(absl::StrCat(",\n  ", DumpJson(part.key), ": ")));
    if (const auto* table = std::get_if<CellTable>(&part.content)) {
      HWEST_RETURN_IF_ERROR(WriteTable(*table, sink));
    } else {
      HWEST_RETURN_IF_ERROR(sink(DumpJson(std::get<Cell>(part.content))));
    }
  }
  return sink("\n}\n");
}

}  // namespace hwest
