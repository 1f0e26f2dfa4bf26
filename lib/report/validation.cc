// Documents about validations: the tables of the contract, and the choice of the format.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "fit/metrics.h"
#include "report/validation_parts.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

Cell RequestCell(const ValidationRequest& request) {
  return Cell{{"model", nullptr},         {"target", NonEmpty(request.target)},
              {"mode", nullptr},          {"precision", nullptr},
              {"objective", nullptr},     {"batch", nullptr},
              {"dims", Cell::OfObject()}, {"measurements", request.measurements},
              {"models", request.models}, {"leave_out", request.leave_out}};
}

CellTable PointsTable(const Validation& validation, std::vector<size_t> order) {
  const size_t size = order.size();
  return CellTable{ColumnsOf(static_cast<const Point*>(nullptr)), size,
                   [&validation, order = std::move(order)](size_t i) { return CellsOf(validation.points[order[i]]); }};
}

std::vector<size_t> PointOrder(const Validation& validation, const ReportOptions& options) {
  if (options.format == Format::kCsv && options.top.has_value()) return FurthestOff(validation.points, *options.top);
  std::vector<size_t> order(validation.points.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

Document DocumentOf(const Validation& validation, const ValidationRequest& request, const ReportOptions& options) {
  Document document;
  document.kind = ReportKind::kValidation;
  document.parts.push_back({"request", RequestCell(request)});
  document.parts.push_back({"diagnostics", CellTable{}});
  document.parts.push_back({"rows", TableOfRows(validation.rows)});
  document.parts.push_back({"points", PointsTable(validation, PointOrder(validation, options))});
  document.parts.push_back({"skipped", TableOfRows(validation.skipped)});
  document.parts.push_back({"pools", TableOfRows(validation.pools)});
  document.parts.push_back({"evidence", TableOfRows(validation.evidence)});
  document.parts.push_back({"trust", TableOfRows(validation.trust)});
  document.parts.push_back({"unknown_devices", TableOfRows(validation.unknown_devices)});
  document.tables = {"points", "rows", "pools", "evidence", "trust", "skipped", "unknown_devices"};
  return document;
}

}  // namespace

std::vector<size_t> FurthestOff(const std::vector<Point>& points, int64_t count) {
  std::vector<double> errors;
  for (const Point& point : points) errors.push_back(ErrorOf({point.prediction.value, point.measured.value}));
  return CostliestRows(errors, count);
}

absl::Status WriteValidation(const Validation& validation, const ValidationRequest& request,
                             const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kValidation, options.format));
  switch (options.format) {
    case Format::kText: return sink(ValidationText(validation, request, options));
    case Format::kMarkdown: return sink(ValidationMarkdown(validation, request, options));
    case Format::kSvg: return sink(ValidationPlot(validation).Svg());
    default: return WriteDocument(DocumentOf(validation, request, options), options, sink);
  }
}

}  // namespace hwest
