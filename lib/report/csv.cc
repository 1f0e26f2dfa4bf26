// The CSV format.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::string FieldOf(const Cell& cell) { return cell.is_number() ? DumpJson(cell) : CsvField(CellText(cell, "")); }

}  // namespace

std::string CsvField(absl::string_view text) {
  const bool is_formula = !text.empty() && absl::string_view("=+-@\t\r").find(text[0]) != absl::string_view::npos;
  const std::string field = absl::StrCat(is_formula ? "'" : "", EscapeControl(text));
  if (field.find_first_of(",\"") == std::string::npos) return field;
  return absl::StrCat("\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
}

absl::Status WriteCsv(const Document& document, const ReportOptions& options, Sink sink) {
  HWEST_ASSIGN_OR_RETURN(const CellTable* table, LevelTable(document, options));
  const auto key = [](std::string* to, const ColumnInfo& column) { *to += column.key; };
  std::string text = absl::StrCat(absl::StrJoin(table->columns, ",", key), "\n");
  for (const size_t i : RowsShown(*table, options, 0)) {
    std::vector<std::string> fields;
    for (const Cell& cell : table->row(i)) fields.push_back(FieldOf(cell));
    absl::StrAppend(&text, absl::StrJoin(fields, ","), "\n");
    if (text.size() < 65536) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  return sink(text);
}

}  // namespace hwest
