// The JSON format: one member per line, one table row per line.
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kFlushBytes = 64 * 1024;

absl::Status WriteTable(const JsonTable& table, Sink sink) {
  if (table.size == 0) return sink("[]");
  std::string text = "[\n";
  for (size_t i = 0; i < table.size; ++i) {
    absl::StrAppend(&text, "    ", DumpJson(table.row(i)), i + 1 < table.size ? ",\n" : "\n");
    if (text.size() < kFlushBytes) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  absl::StrAppend(&text, "  ]");
  return sink(text);
}

}  // namespace

std::string DumpJson(const Json& json) {
  return EscapeControlAsJson(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

absl::Status WriteJson(const Document& document, const ReportOptions&, Sink sink) {
  HWEST_RETURN_IF_ERROR(
      sink(absl::StrCat("{\n  \"schema\": \"onnx-hwest/1\",\n  \"kind\": \"", ReportKindName(document.kind),
                        "\",\n  \"tool\": {\"version\":\"", HWEST_VERSION, "\"}")));
  for (const Part& part : document.parts) {
    HWEST_RETURN_IF_ERROR(sink(absl::StrCat(",\n  ", DumpJson(part.key), ": ")));
    if (const auto* table = std::get_if<JsonTable>(&part.content)) {
      HWEST_RETURN_IF_ERROR(WriteTable(*table, sink));
    } else {
      HWEST_RETURN_IF_ERROR(sink(DumpJson(std::get<Json>(part.content))));
    }
  }
  return sink("\n}\n");
}

}  // namespace hwest
