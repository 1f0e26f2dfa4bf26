// Documents about validations: the tables of the contract, and the choice of the format.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "report/validation_parts.h"
#include "report/writers.h"
#include "study/metrics.h"

namespace hwest {
namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json BatchJson(const Measurement& measured) {
  return measured.images.has_value() ? Json(*measured.images) : TextOrNull(measured.batch);
}

Json RequestJson(const ValidationRequest& request) {
  return Json{{"model", nullptr},
              {"target", TextOrNull(request.target)},
              {"mode", nullptr},
              {"precision", nullptr},
              {"objective", nullptr},
              {"batch", nullptr},
              {"dims", Json::object()},
              {"measurements", request.measurements},
              {"models", request.models},
              {"leave_out", request.leave_out}};
}

void AddSummary(const Summary& summary, const char* spearman_key, const std::optional<double>& spearman, Json* row) {
  (*row)["median"] = JsonOf(summary.median);
  (*row)["p90"] = JsonOf(summary.p90);
  (*row)["bias"] = JsonOf(summary.bias);
  (*row)[spearman_key] = JsonOf(spearman);
  (*row)["coverage80"] = JsonOf(summary.coverage80);
  (*row)["noise"] = JsonOf(summary.noise);
  (*row)["roofline_median"] = JsonOf(summary.roofline_median);
  (*row)["flops_median"] = JsonOf(summary.flops_median);
}

Json RowJson(const ValidationRow& row) {
  Json json{{"target", row.target},
            {"device", row.device},
            {"unit", row.unit},
            {"runtime", row.runtime},
            {"mode", TextOrNull(row.mode)},
            {"precision", row.precision},
            {"metric", row.metric},
            {"n", row.summary.n},
            {"families", row.summary.families},
            {"fitted", row.fitted}};
  AddSummary(row.summary, "spearman", row.spearman, &json);
  return json;
}

Json PointJson(const Point& point) {
  const Measurement& m = point.measured;
  return Json{{"row", m.row},
              {"target", point.query.target->name},
              {"model", m.model},
              {"family", m.family},
              {"bind", m.bind},
              {"batch", BatchJson(m)},
              {"match", m.closeness == Closeness::kExact ? "exact" : "near"},
              {"device", m.device},
              {"unit", m.unit},
              {"runtime", m.runtime},
              {"mode", TextOrNull(m.mode)},
              {"precision", m.precision},
              {"metric", m.metric},
              {"source", TextOrNull(m.source)},
              {"source_version", TextOrNull(m.source_version)},
              {"measured", m.value},
              {"predicted", point.prediction.value},
              {"low", point.prediction.low},
              {"high", point.prediction.high},
              {"fold", TextOrNull(point.fold)}};
}

JsonTable PointsTable(const Validation& validation, std::vector<size_t> order) {
  const size_t size = order.size();
  return JsonTable{{"row",       "target", "model",  "family",         "bind",     "batch",     "match",
                    "device",    "unit",   "runtime", "mode",          "precision", "metric",   "source",
                    "source_version", "measured", "predicted", "low", "high", "fold"},
                   size,
                   [&validation, order = std::move(order)](size_t i) { return PointJson(validation.points[order[i]]); }};
}

std::vector<size_t> PointOrder(const Validation& validation, const ReportOptions& options) {
  if (options.format == Format::kCsv && options.top.has_value()) return FurthestOff(validation.points, *options.top);
  std::vector<size_t> order(validation.points.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

Document DocumentOf(const Validation& validation, const ValidationRequest& request, const ReportOptions& options) {
  const std::vector<std::string> summary = {"median", "p90",  "bias", "", "coverage80", "noise",
                                            "roofline_median", "flops_median"};
  const auto columns = [&](std::vector<std::string> first, const char* spearman) {
    for (const std::string& name : summary) first.push_back(name.empty() ? spearman : name);
    return first;
  };
  Document document;
  document.kind = ReportKind::kValidation;
  document.parts.push_back({"request", RequestJson(request)});
  document.parts.push_back({"diagnostics", JsonTable{{}, 0, {}}});
  document.parts.push_back(
      {"rows", JsonTable{columns({"target", "device", "unit", "runtime", "mode", "precision", "metric", "n", "families",
                                  "fitted"},
                                 "spearman"),
                         validation.rows.size(), [&](size_t i) { return RowJson(validation.rows[i]); }}});
  document.parts.push_back({"points", PointsTable(validation, PointOrder(validation, options))});
  document.parts.push_back(
      {"skipped", JsonTable{{"reason", "count"}, validation.skipped.size(), [&](size_t i) {
                              return Json{{"reason", validation.skipped[i].reason},
                                          {"count", validation.skipped[i].count}};
                            }}});
  document.parts.push_back(
      {"pools",
       JsonTable{columns({"family", "unit", "runtime", "precision", "metric", "devices", "n", "families", "fitted"},
                         "least_spearman"),
                 validation.pools.size(), [&](size_t i) { return PoolJson(validation.pools[i]); }}});
  document.parts.push_back(
      {"unknown_devices", JsonTable{{"device", "count"}, validation.unknown_devices.size(), [&](size_t i) {
                                      const DeviceRows& row = validation.unknown_devices[i];
                                      return Json{{"device", row.device}, {"count", row.count}};
                                    }}});
  document.tables = {"points", "rows", "pools", "skipped", "unknown_devices"};
  return document;
}

}  // namespace

Json PoolJson(const Pool& pool) {
  Json json{{"family", TextOrNull(pool.family)},
            {"unit", pool.unit},
            {"runtime", TextOrNull(pool.runtime)},
            {"precision", TextOrNull(pool.precision)},
            {"metric", pool.metric},
            {"devices", pool.devices},
            {"n", pool.summary.n},
            {"families", pool.summary.families},
            {"fitted", pool.fitted}};
  AddSummary(pool.summary, "least_spearman", pool.least_spearman, &json);
  return json;
}

std::vector<size_t> FurthestOff(const std::vector<Point>& points, int64_t count) {
  std::vector<double> errors;
  for (const Point& point : points) errors.push_back(ErrorOf({point.prediction.value, point.measured.value}));
  return DearestRows(errors, count);
}

absl::Status WriteValidation(const Validation& validation, const ValidationRequest& request,
                             const ReportOptions& options, Sink sink) {
  switch (options.format) {
    case Format::kText:
      return sink(ValidationText(validation, request, options));
    case Format::kMarkdown:
      return sink(ValidationMarkdown(validation, request, options));
    case Format::kSvg:
      return sink(ValidationPlot(validation));
    case Format::kJson:
    case Format::kCsv:
      return WriteDocument(DocumentOf(validation, request, options), options, sink);
    default:
      break;
  }
  return MakeError(Code::kUsage, absl::StrCat("format ", InfoOf(options.format).name, " cannot show a validation"),
                   "use text, markdown, json, csv or svg");
}

}  // namespace hwest
