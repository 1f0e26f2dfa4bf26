#include "measured/measurements.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "measured/csv_table.h"

namespace hwest {
namespace {

struct ColumnRow {
  MeasurementColumn info;
  std::string Measurement::* field;  // null for those that are read further
};

constexpr absl::string_view kYes = "yes", kNo = "no";

// clang-format off
constexpr ColumnRow kColumns[] = {
    {{"model", "or --model", "file name in --models, without .onnx"}, &Measurement::model},
    {{"device", "or --device", "device as published, which `measured_as` of a target names"}, &Measurement::device},
    {{"unit", "or --unit", "CPU, GPU, NPU, or a unit of the target"}, &Measurement::unit},
    {{"runtime", "or --runtime", "runtime as published, e.g. TensorRT or onnxruntime"}, &Measurement::runtime},
    {{"precision", "or --precision", "as published (float, w8a8, ...) or a word of --precision"},
     &Measurement::precision},
    {{"metric", kYes, "what value is: latency_ms, throughput_fps, ttft_ms or decode_tokens_per_s"},
     &Measurement::metric},
    {{"value", kYes, "the figure, above 0"}, nullptr},
    {{"family", kNo, "models that --leave-out family leaves out together; missing = the model alone"},
     &Measurement::family},
    {{"bind", kNo, "sizes of symbolic dims, name=value;name=value"}, &Measurement::bind},
    {{"batch", kNo, "images per inference, or offline: any number, taken as 64; missing = as exported"},
     &Measurement::batch},
    {{"match", kNo, "exact: the same computation (missing); near: a detail differs, listed but not counted"}, nullptr},
    {{"mode", kNo, "power mode as published; missing = the target's default"}, &Measurement::mode},
    {{"source", kNo, "who published it"}, &Measurement::source},
    {{"source_version", kNo, "its release; two of one thing tell how much the source itself varies"},
     &Measurement::source_version},
    {{"trust", kNo,
        "A: to fit to (missing); B+: with a known overhead, two thirds of its weight; B or another word: to check "
        "with, a third"},
     &Measurement::trust},
    {{"note", kNo,
      "what else the source says; with powersave=1 in it a row of ncnn is of the small cores, and skipped"},
     &Measurement::note},
};
// clang-format on

bool IsNeeded(const ColumnRow& column) { return column.info.needed != kNo; }

// Position of each of kColumns in the file.
struct Layout {
  std::vector<std::optional<size_t>> at;

  std::string Text(const CsvRecord& record, absl::string_view column) const {
    for (size_t c = 0; c < std::size(kColumns); ++c) {
      if (kColumns[c].info.name == column && at[c].has_value()) return record.fields[*at[c]];
    }
    return "";
  }
};

// A row of what the caller knows.
Measurement RowOf(const MeasurementDefaults& defaults) {
  Measurement row;
  for (const auto& [part, model] : defaults.models) {
    if (part.empty()) row.model = model;
  }
  row.device = defaults.device;
  row.unit = defaults.unit;
  row.runtime = defaults.runtime;
  row.precision = defaults.precision;
  row.mode = defaults.mode;
  return row;
}

absl::StatusOr<Layout> FindColumns(const CsvTable& table, const Measurement& known) {
  Layout layout;
  std::vector<absl::string_view> missing;
  for (const ColumnRow& column : kColumns) {
    const auto found = std::find(table.header.begin(), table.header.end(), column.info.name);
    const bool there = found != table.header.end();
    layout.at.push_back(there ? std::optional<size_t>(found - table.header.begin()) : std::nullopt);
    if (there || !IsNeeded(column)) continue;
    if (column.field == nullptr || (known.*column.field).empty()) missing.push_back(column.info.name);
  }
  if (missing.empty()) return layout;
  return CsvError(table.name, 1,
                  absl::StrCat(missing.size() == 1 ? "no column " : "no columns ", absl::StrJoin(missing, ", ")),
                  "name them in the first line; `onnx-hwest describe measurements` lists all");
}

absl::Status ReadBind(const CsvTable& table, const CsvRecord& record, Measurement* row) {
  for (const absl::string_view part : absl::StrSplit(row->bind, ';', absl::SkipEmpty())) {
    auto size = ParseSize(part);
    if (!size.has_value()) {
      return CsvError(table.name, record.line, absl::StrCat("bind cannot be '", row->bind, "'"),
                      "write name=value;name=value with whole numbers");
    }
    row->dims.push_back(*std::move(size));
  }
  return absl::OkStatus();
}

absl::Status ReadBatch(const CsvTable& table, const CsvRecord& record, Measurement* row) {
  if (row->batch.empty() || row->batch == "offline") return absl::OkStatus();
  int64_t images;
  if (!absl::SimpleAtoi(row->batch, &images) || images < 1) {
    return CsvError(table.name, record.line, absl::StrCat("batch cannot be '", row->batch, "'"),
                    "write a whole number of at least 1, or offline");
  }
  row->images = images;
  return absl::OkStatus();
}

absl::Status ReadCloseness(const CsvTable& table, const CsvRecord& record, const std::string& text, Measurement* row) {
  if (text.empty() || text == "exact") return absl::OkStatus();
  if (text != "near") {
    return CsvError(table.name, record.line, absl::StrCat("match cannot be '", text, "'"), "write exact or near");
  }
  row->closeness = Closeness::kNear;
  return absl::OkStatus();
}

absl::Status ReadValue(const CsvTable& table, const CsvRecord& record, const std::string& text, Measurement* row) {
  if (absl::SimpleAtod(text, &row->value) && std::isfinite(row->value) && row->value > 0) return absl::OkStatus();
  return CsvError(table.name, record.line, absl::StrCat("value cannot be '", text, "'"),
                  "write a number above 0, or leave the row out");
}

absl::StatusOr<Measurement> ReadRow(const CsvTable& table, const Layout& layout, const CsvRecord& record,
                                    const Measurement& known) {
  Measurement row = known;
  for (size_t c = 0; c < std::size(kColumns); ++c) {
    if (kColumns[c].field != nullptr && layout.at[c].has_value()) row.*kColumns[c].field = record.fields[*layout.at[c]];
  }
  if (row.model.empty()) return CsvError(table.name, record.line, "no model", "name the file without .onnx");
  if (row.family.empty()) row.family = row.model;
  HWEST_RETURN_IF_ERROR(ReadBind(table, record, &row));
  HWEST_RETURN_IF_ERROR(ReadBatch(table, record, &row));
  HWEST_RETURN_IF_ERROR(ReadCloseness(table, record, layout.Text(record, "match"), &row));
  HWEST_RETURN_IF_ERROR(ReadValue(table, record, layout.Text(record, "value"), &row));
  return row;
}

}  // namespace

double TrustWeight(const Measurement& row) {
  if (row.trust.empty() || row.trust == "A") return 1;
  return row.trust == "B+" ? 2.0 / 3 : 1.0 / 3;
}

std::vector<MeasurementColumn> AllMeasurementColumns() {
  std::vector<MeasurementColumn> columns;
  for (const ColumnRow& row : kColumns) columns.push_back(row.info);
  return columns;
}

absl::StatusOr<std::vector<Measurement>> ParseMeasurements(absl::string_view text, absl::string_view name,
                                                           const MeasurementDefaults& defaults) {
  HWEST_ASSIGN_OR_RETURN(const CsvTable table, ParseCsv(text, name));
  const Measurement known = RowOf(defaults);
  HWEST_ASSIGN_OR_RETURN(const Layout layout, FindColumns(table, known));
  std::vector<Measurement> rows;
  for (const CsvRecord& record : table.records) {
    HWEST_ASSIGN_OR_RETURN(Measurement row, ReadRow(table, layout, record, known));
    row.row = rows.size() + 1;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace hwest
