// Validations by operator: tables of pools and points.
#include "fit/operators.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "fit/metrics.h"
#include "plan/operator_class.h"
#include "report/columns.h"
#include "report/document.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kFurthestInText = 10;
constexpr double kMicroseconds = 1e6;

constexpr absl::string_view kOperatorLegend =
    "factor = predicted / measured; error = exp|ln factor| - 1; measured without what its profiler adds to a layer\n";

std::string ClassName(const OperatorPool& pool) {
  if (pool.operator_class.empty()) return "all";
  return absl::StrCat(OperatorClassText(absl::StrCat(pool.operator_class, ".")), pool.size.empty() ? "" : " ",
                      pool.size);
}

// Why a point takes the time it is predicted: what bounds it, and its parts.
std::string PartsText(const Estimate& estimate) {
  return absl::StrFormat("%s: compute %.1f, memory %.1f, launch %.1f us", BoundName(estimate.bound),
                         estimate.compute_s * kMicroseconds, estimate.memory_s * kMicroseconds,
                         estimate.overhead_s * kMicroseconds);
}

std::string WorstText(const OperatorPoint& point) {
  return absl::StrFormat("row %d %.2f %s %s", point.measured.row, point.factor(), point.measured.ops,
                         point.measured.shapes);
}

std::vector<std::string> PoolKeys() {
  return {"target",       "unit", "precision", "class",     "size",         "n",           "median_factor",
          "median_error", "p10",  "p90",       "worst_row", "worst_factor", "worst_bound", "worst_shapes"};
}

Cells PoolCells(const OperatorPool& pool, const std::vector<OperatorPoint>& points) {
  const OperatorPoint& worst = points[pool.worst];
  return {pool.target,
          pool.unit,
          pool.precision,
          pool.operator_class,
          pool.size,
          pool.n,
          pool.median_factor,
          pool.median_error,
          pool.p10,
          pool.p90,
          worst.measured.row,
          worst.factor(),
          BoundName(worst.estimate.bound),
          worst.measured.shapes};
}

std::vector<std::string> PointKeys() {
  return {"row",    "target",     "unit",      "precision", "class",       "size",        "ops",
          "shapes", "attributes", "source",    "layer",     "measured_us", "overhead_us", "predicted_us",
          "factor", "compute_us", "memory_us", "launch_us", "bound",       "in_network"};
}

std::string OperatorAttributes(const MeasuredOperator& row) {
  return absl::StrJoin(row.attributes, " ", absl::PairFormatter("="));
}

Cells PointCellsOf(const OperatorPoint& point) {
  const MeasuredOperator& m = point.measured;
  const Estimate& e = point.estimate;
  return {m.row,
          m.target,
          point.unit,
          point.precision,
          point.operator_class,
          point.size,
          m.ops,
          m.shapes,
          OperatorAttributes(m),
          m.source,
          m.layer,
          m.seconds * kMicroseconds,
          m.overhead_s * kMicroseconds,
          e.time_s * kMicroseconds,
          point.factor(),
          e.compute_s * kMicroseconds,
          e.memory_s * kMicroseconds,
          e.overhead_s * kMicroseconds,
          BoundName(e.bound),
          point.in_network};
}

CellTable PoolTable(const std::vector<OperatorPool>& pools, const std::vector<OperatorPoint>& points) {
  std::vector<Cells> rows;
  for (const OperatorPool& pool : pools) rows.push_back(PoolCells(pool, points));
  return TableOfCells(PoolKeys(), std::move(rows));
}

std::vector<size_t> Furthest(const std::vector<OperatorPoint>& points, int64_t count) {
  std::vector<double> errors;
  for (const OperatorPoint& point : points) errors.push_back(ErrorOf({point.estimate.time_s, point.measured.seconds}));
  return CostliestRows(errors, count);
}

CellTable PointTable(const OperatorValidation& validation, const ReportOptions& options) {
  std::vector<Cells> rows;
  if (options.format == Format::kCsv && options.top.has_value()) {
    for (const size_t i : Furthest(validation.points, *options.top)) {
      rows.push_back(PointCellsOf(validation.points[i]));
    }
  } else {
    for (const OperatorPoint& point : validation.points) rows.push_back(PointCellsOf(point));
  }
  return TableOfCells(PointKeys(), std::move(rows));
}

Document OperatorsDocument(const OperatorValidation& validation, const ValidationRequest& request,
                           const ReportOptions& options) {
  Document document;
  document.kind = ReportKind::kOperators;
  document.parts.push_back(
      {"request",
       Cell{{"measurements", request.measurements}, {"models", request.models}, {"target", request.target}}});
  document.parts.push_back({"diagnostics", CellTable{}});
  document.parts.push_back({"devices", PoolTable(validation.devices, validation.points)});
  document.parts.push_back({"pools", PoolTable(validation.pools, validation.points)});
  document.parts.push_back({"points", PointTable(validation, options)});
  document.parts.push_back({"skipped", TableOfRows(validation.skipped)});
  document.tables = {"points", "devices", "pools", "skipped"};
  if (options.format == Format::kMarkdown) document.tables = {"devices", "pools", "skipped"};
  return document;
}

std::string PoolsTextOf(const std::vector<OperatorPool>& pools, const std::vector<OperatorPoint>& points,
                        const ReportOptions& options) {
  TextTable table({{.title = "operators", .squeeze = Squeeze::kShorten},
                   {.title = "n", .align = Align::kRight},
                   {.title = "factor", .align = Align::kRight},
                   {.title = "p10", .align = Align::kRight},
                   {.title = "p90", .align = Align::kRight},
                   {.title = "error", .align = Align::kRight},
                   {.title = "furthest off", .squeeze = Squeeze::kShorten}});
  std::string heading;
  for (const OperatorPool& pool : pools) {
    const std::string own =
        absl::StrCat(pool.target, " ", pool.unit, pool.precision.empty() ? "" : " ", pool.precision);
    if (own != heading) table.Add({own});
    heading = own;
    table.Add({absl::StrCat("  ", ClassName(pool)), absl::StrCat(pool.n), absl::StrFormat("%.2f", pool.median_factor),
               absl::StrFormat("%.2f", pool.p10), absl::StrFormat("%.2f", pool.p90), Percent(pool.median_error),
               EscapeControl(WorstText(points[pool.worst]))});
  }
  return table.Print(options);
}

std::string FurthestText(const OperatorValidation& validation, const ReportOptions& options) {
  TextTable table({{.title = "row", .align = Align::kRight},
                   {.title = "target"},
                   {.title = "operator", .squeeze = Squeeze::kShorten},
                   {.title = "measured us", .align = Align::kRight},
                   {.title = "predicted us", .align = Align::kRight},
                   {.title = "because", .squeeze = Squeeze::kShorten}});
  for (const size_t i : Furthest(validation.points, options.top.value_or(kFurthestInText))) {
    const OperatorPoint& point = validation.points[i];
    table.Add({absl::StrCat(point.measured.row), point.measured.target,
               EscapeControl(absl::StrCat(point.precision, " ", point.measured.ops, " ", point.measured.shapes)),
               absl::StrFormat("%.1f", point.measured.seconds * kMicroseconds),
               absl::StrFormat("%.1f", point.estimate.time_s * kMicroseconds), PartsText(point.estimate)});
  }
  return table.Print(options);
}

std::string SkippedTextOf(const OperatorValidation& validation, const ReportOptions& options) {
  TextTable table({{.title = "rows", .align = Align::kRight}, {.title = "skipped because", .squeeze = Squeeze::kWrap}});
  for (const SkippedRows& row : validation.skipped) table.Add({absl::StrCat(row.count), EscapeControl(row.reason)});
  return table.Print(options);
}

std::string OperatorsText(const OperatorValidation& validation, const ReportOptions& options) {
  size_t skipped = 0;
  for (const SkippedRows& row : validation.skipped) skipped += row.count;
  std::string text = absl::StrCat(validation.points.size(), " operators predicted, ", skipped, " rows skipped\n");
  if (!validation.points.empty()) {
    absl::StrAppend(&text, "\n", PoolsTextOf(validation.devices, validation.points, options), "\n",
                    PoolsTextOf(validation.pools, validation.points, options), "\n", kOperatorLegend,
                    "\nFurthest off\n", FurthestText(validation, options));
  }
  if (!validation.skipped.empty()) absl::StrAppend(&text, "\n", SkippedTextOf(validation, options));
  return text;
}

}  // namespace

absl::Status WriteOperatorValidation(const OperatorValidation& validation, const ValidationRequest& request,
                                     const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kOperators, options.format));
  if (options.format == Format::kText) return sink(OperatorsText(validation, options));
  return WriteDocument(OperatorsDocument(validation, request, options), options, sink);
}

}  // namespace hwest
