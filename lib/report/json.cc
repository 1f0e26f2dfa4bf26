// The JSON format: one member per line, one table row per line.
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/writers.h"

namespace hwest {
namespace {

using Json = nlohmann::json;

constexpr size_t kFlushBytes = 64 * 1024;

// The text as nlohmann escapes it, with the control characters that it leaves also escaped.
std::string Escaped(const std::string& text) {
  return EscapeControlAsJson(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool IsPlain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

// Whether eight characters are all plain: a byte's high bit marks one that is not, or that follows one that is not.
bool ArePlain(uint64_t eight) {
  constexpr uint64_t kEach = 0x0101010101010101, kHigh = 0x8080808080808080;
  const uint64_t quote = eight ^ kEach * '"', backslash = eight ^ kEach * '\\';
  const uint64_t marks = ((eight - kEach * ' ') & ~eight) | ((quote - kEach) & ~quote) |
                         ((backslash - kEach) & ~backslash) | eight | (eight + kEach);
  return (marks & kHigh) == 0;
}

bool IsPlainText(absl::string_view text) {
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof(uint64_t))) {
    uint64_t eight;
    std::memcpy(&eight, text.data(), sizeof(eight));
    if (!ArePlain(eight)) return false;
  }
  return absl::c_all_of(text, IsPlain);
}

void AppendText(std::string* to, const std::string& text) {
  if (!IsPlainText(text)) return absl::StrAppend(to, Escaped(text));
  *to += '"';
  *to += text;
  *to += '"';
}

// The shortest digits that read back as the number, as nlohmann lays them out; null for what JSON has no number for.
void AppendReal(std::string* to, double real) { *to += std::isfinite(real) ? Json(real).dump() : "null"; }

void AppendNumber(std::string* to, int64_t number) {
  std::array<char, 24> buffer;
  to->append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

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
    *to += before;
    AppendText(to, key);
    *to += ':';
    AppendTo(to, value);
    before = ",";
  }
  *to += object.empty() ? "{}" : "}";
}

void AppendTo(std::string* to, const Cell& cell) {
  if (const auto* truth = cell.truth()) return absl::StrAppend(to, *truth ? "true" : "false");
  if (const auto* number = cell.number()) return AppendNumber(to, *number);
  if (const auto* real = cell.real()) return AppendReal(to, *real);
  if (const auto* text = cell.text()) return AppendText(to, *text);
  if (const auto* list = cell.list()) return AppendList(to, *list);
  if (const auto* object = cell.object()) return AppendObject(to, *object);
  to->append("null");
}

// The text before each cell of a row: `{"key":` and `,"key":`.
std::vector<std::string> LabelsOf(const Columns& columns) {
  std::vector<std::string> labels;
  for (const ColumnInfo& column : columns) {
    std::string label = labels.empty() ? "{" : ",";
    AppendText(&label, column.key);
    labels.push_back(label + ":");
  }
  return labels;
}

void AppendRow(std::string* to, const std::vector<std::string>& labels, const Cells& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    *to += labels[i];
    AppendTo(to, cells[i]);
  }
  *to += '}';
}

absl::Status WriteTable(const CellTable& table, Sink sink) {
  if (table.size == 0) return sink("[]");
  const std::vector<std::string> labels = LabelsOf(table.columns);
  std::string text = "[\n";
  for (size_t i = 0; i < table.size; ++i) {
    text += "    ";
    AppendRow(&text, labels, table.row(i));
    text += i + 1 < table.size ? ",\n" : "\n";
    if (text.size() < kFlushBytes) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  absl::StrAppend(&text, "  ]");
  return sink(text);
}

}  // namespace

void AppendJson(const Cell& cell, std::string* to) { AppendTo(to, cell); }

std::string DumpJson(const Cell& cell) {
  std::string text;
  AppendTo(&text, cell);
  return text;
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
