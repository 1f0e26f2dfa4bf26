#include "measured/operators.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "measured/csv_table.h"
#include "measured/text_file.h"

namespace hwest {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr double kLeastMicroseconds = 1e-3, kMostMicroseconds = 1e12;
constexpr int64_t kLargestSize = 1'000'000'000;
constexpr size_t kMostAxes = 8;

// clang-format off
// The more particular row first.
constexpr ProfilerOverhead kOverheads[] = {
    {.runtime = "rknn-toolkit2/rknnrt 1.5.0", .low_us = 57, .high_us = 57,
     .from = "stated for per-layer debugging of runtime 1.5.0"},
    {.runtime = "rknnrt 1.6/2.0 perf_detail", .low_us = 77, .high_us = 82,
     .from = "perf_detail logs of YOLO networks: what is left of an operator measured at three sizes at size 0"},
    {.runtime = "rknn-toolkit2", .low_us = 20, .high_us = 36,
     .from = "stated for per-layer debugging of toolkit 2.3, whose shortest layers take as long"},
    {.runtime = "TensorRT", .low_us = 2, .high_us = 7, .from = "stated for layer profiles of trtexec"},
};

struct OperatorColumn {
  absl::string_view name;
  bool is_needed;
  std::string MeasuredOperator::* field;  // null for those that are read further
};
constexpr OperatorColumn kOperatorColumns[] = {
    {"hwest_target", true, &MeasuredOperator::target},
    {"device", false, &MeasuredOperator::device},
    {"unit", true, &MeasuredOperator::unit},
    {"runtime", false, &MeasuredOperator::runtime},
    {"precision", true, &MeasuredOperator::precision},
    {"source", false, &MeasuredOperator::source},
    {"model_file", false, &MeasuredOperator::model},
    {"layer_name", false, &MeasuredOperator::layer},
    {"op_type", false, &MeasuredOperator::type},
    {"onnx_ops", true, &MeasuredOperator::ops},
    {"input_shapes", true, nullptr},
    {"weight_shape", false, nullptr},
    {"output_shape", true, nullptr},
    {"attributes", false, nullptr},
    {"time_us", true, nullptr},
    {"overhead_us", false, nullptr},
};
// clang-format on

class Columns {
 public:
  static absl::StatusOr<Columns> Of(const CsvTable& table) {
    Columns columns;
    std::vector<absl::string_view> missing;
    for (const OperatorColumn& column : kOperatorColumns) {
      const auto found = std::find(table.header.begin(), table.header.end(), column.name);
      const bool there = found != table.header.end();
      columns.at_.push_back(there ? std::optional<size_t>(found - table.header.begin()) : std::nullopt);
      if (!there && column.is_needed) missing.push_back(column.name);
    }
    if (missing.empty()) return columns;
    return CsvError(table.name, 1, absl::StrCat("no columns ", absl::StrJoin(missing, ", ")),
                    "--per-op reads a table of operators with their shapes; name the columns in the first line");
  }

  void FillTexts(const CsvRecord& record, MeasuredOperator* row) const {
    for (size_t c = 0; c < std::size(kOperatorColumns); ++c) {
      const auto field = kOperatorColumns[c].field;
      if (field != nullptr && at_[c].has_value()) row->*field = record.fields[*at_[c]];
    }
  }

  absl::string_view Text(const CsvRecord& record, absl::string_view name) const {
    for (size_t c = 0; c < std::size(kOperatorColumns); ++c) {
      if (kOperatorColumns[c].name == name && at_[c].has_value()) return record.fields[*at_[c]];
    }
    return "";
  }

 private:
  std::vector<std::optional<size_t>> at_;
};

// Empty = a part is no shape.
std::vector<MeasuredOperator::Shape> ParseShapes(absl::string_view text) {
  std::vector<MeasuredOperator::Shape> shapes;
  for (const absl::string_view part : absl::StrSplit(text, ';', absl::SkipWhitespace())) {
    shapes.push_back(SizesIn(absl::StripAsciiWhitespace(part)));
    if (shapes.back().empty()) return {};
  }
  return shapes;
}

// Attributes are NAME=VALUE with blanks between; other words are passed over.
void AddAttributes(absl::string_view text, MeasuredOperator* row) {
  for (const absl::string_view part : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
    if (!sides.second.empty()) row->attributes.emplace_back(sides.first, sides.second);
  }
}

// Sizes of inputs that the source names and does not write as a shape, "q=4x8x64x128 kv_heads=2", are attributes.
void ReadShapes(const Columns& columns, const CsvRecord& record, MeasuredOperator* row) {
  const absl::string_view inputs = columns.Text(record, "input_shapes");
  const absl::string_view weight = columns.Text(record, "weight_shape");
  const absl::string_view outputs = columns.Text(record, "output_shape");
  row->inputs = ParseShapes(inputs);
  row->weight = SizesIn(weight);
  row->outputs = ParseShapes(outputs);
  AddAttributes(columns.Text(record, "attributes"), row);
  if (row->inputs.empty()) AddAttributes(inputs, row);
  row->shapes = std::string(inputs);
  if (!weight.empty()) absl::StrAppend(&row->shapes, " * ", weight);
  if (!outputs.empty()) absl::StrAppend(&row->shapes, " > ", outputs);
}

// Of the time without the profiler's part, the least that is still told from it.
struct Overhead {
  double taken_us = 0, least_us = 0;
};

Overhead OverheadIn(const Columns& columns, const CsvRecord& record, const MeasuredOperator& row) {
  double stated = 0;
  if (absl::SimpleAtod(columns.Text(record, "overhead_us"), &stated) && std::isfinite(stated) && stated >= 0) {
    return {stated, stated};
  }
  const ProfilerOverhead* known = OverheadOf(row.runtime, row.source);
  if (known == nullptr) return {};
  return {(known->low_us + known->high_us) / 2, known->high_us};
}

std::string ReadTime(const Columns& columns, const CsvRecord& record, MeasuredOperator* row) {
  double time_us = 0;
  if (!absl::SimpleAtod(columns.Text(record, "time_us"), &time_us) || !std::isfinite(time_us)) return "no time";
  if (time_us < kLeastMicroseconds) return "took no time";
  if (time_us > kMostMicroseconds) return "no time";
  const Overhead overhead = OverheadIn(columns, record, *row);
  if (time_us <= overhead.least_us) return "no longer than what the profiler adds to a layer";
  row->overhead_s = overhead.taken_us * kMicrosecond;
  row->seconds = (time_us - overhead.taken_us) * kMicrosecond;
  return "";
}

MeasuredOperator ReadOperatorRow(const Columns& columns, const CsvRecord& record) {
  MeasuredOperator row;
  columns.FillTexts(record, &row);
  ReadShapes(columns, record, &row);
  // What stands behind the format in brackets says how it is known.
  row.precision = std::string(absl::StripAsciiWhitespace(row.precision.substr(0, row.precision.find('('))));
  row.unread = row.target.empty() ? "no target stands for the device" : ReadTime(columns, record, &row);
  return row;
}

}  // namespace

absl::string_view MeasuredOperator::Attribute(absl::string_view name) const {
  for (const auto& [key, value] : attributes) {
    if (key == name) return value;
  }
  return "";
}

const ProfilerOverhead* OverheadOf(absl::string_view runtime, absl::string_view source) {
  for (const ProfilerOverhead& row : kOverheads) {
    if (absl::StartsWith(runtime, row.runtime) && absl::StrContains(source, row.source)) return &row;
  }
  return nullptr;
}

MeasuredOperator::Shape SizesIn(absl::string_view text) {
  MeasuredOperator::Shape shape;
  for (const absl::string_view part : absl::StrSplit(text, 'x')) {
    int64_t size = 0;
    if (!absl::SimpleAtoi(part, &size) || size < 0 || size > kLargestSize || shape.size() == kMostAxes) return {};
    shape.push_back(size);
  }
  return shape;
}

absl::StatusOr<std::vector<MeasuredOperator>> ParseOperators(absl::string_view text, absl::string_view name) {
  HWEST_ASSIGN_OR_RETURN(const CsvTable table, ParseCsv(text, name));
  HWEST_ASSIGN_OR_RETURN(const Columns columns, Columns::Of(table));
  std::vector<MeasuredOperator> rows;
  for (const CsvRecord& record : table.records) {
    rows.push_back(ReadOperatorRow(columns, record));
    rows.back().row = rows.size();
  }
  return rows;
}

absl::StatusOr<std::vector<MeasuredOperator>> ReadOperators(const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadMeasuredText(path));
  return ParseOperators(text, path);
}

}  // namespace hwest
