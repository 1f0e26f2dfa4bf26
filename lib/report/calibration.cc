// Documents about calibrations: what was fitted, and how that changes predictions for models that the fit did not see.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "fit/calibrate.h"
#include "fit/fit_study.h"
#include "report/document.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

Cell RequestCell(const CalibrationRequest& request) {
  return Cell{{"model", nullptr},         {"target", request.target},
              {"mode", nullptr},          {"precision", nullptr},
              {"objective", nullptr},     {"batch", nullptr},
              {"dims", Cell::OfObject()}, {"measurements", request.measurements},
              {"models", request.models}, {"output", request.output}};
}

Document DocumentOf(const Calibration& calibration, const CalibrationRequest& request) {
  Document document;
  document.kind = ReportKind::kCalibration;
  document.parts.push_back({"request", RequestCell(request)});
  document.parts.push_back({"diagnostics", CellTable{}});
  document.parts.push_back({"fits", TableOfRows(calibration.facts)});
  document.parts.push_back({"evidence", TableOfRows(calibration.evidence)});
  document.parts.push_back({"before", TableOfRows(calibration.before)});
  document.parts.push_back({"after", TableOfRows(calibration.after)});
  document.parts.push_back({"skipped", TableOfRows(calibration.skipped)});
  document.tables = {"fits", "evidence", "before", "after", "skipped"};
  return document;
}

std::string ShareText(const std::optional<double>& share) {
  return share.has_value() ? absl::StrFormat("%.1f %%", *share * 100) : "-";
}

std::string FitsText(const Calibration& calibration, const ReportOptions& options) {
  TextTable table({{.title = "target", .squeeze = Squeeze::kShorten},
                   {.title = "figure", .squeeze = Squeeze::kShorten},
                   {.title = "prior", .align = Align::kRight},
                   {.title = "fitted", .align = Align::kRight},
                   {.title = "spread", .align = Align::kRight},
                   {.title = "rows", .align = Align::kRight}});
  for (const CalibratedFact& fact : calibration.facts) {
    table.Add({fact.target.empty() ? absl::StrCat("all of ", fact.fit.shared_by) : fact.target, fact.path,
               absl::StrFormat("%.4g", fact.prior), absl::StrFormat("%.4g", fact.fit.value),
               absl::StrFormat("%.0f %%", fact.fit.spread * 100), absl::StrCat(fact.fit.count)});
  }
  return table.Print(options);
}

std::string RankText(const Pool& pool) {
  return pool.least_spearman.has_value() ? absl::StrFormat("%.3f", *pool.least_spearman) : "-";
}

// Both tables have the same rows: predictions of the same points.
std::string PoolsText(const Calibration& calibration, const ReportOptions& options) {
  TextTable table({{.title = "kind of machine", .squeeze = Squeeze::kShorten},
                   {.title = "n", .align = Align::kRight},
                   {.title = "median", .align = Align::kRight},
                   {.title = "after", .align = Align::kRight},
                   {.title = "p90", .align = Align::kRight},
                   {.title = "after", .align = Align::kRight},
                   {.title = "rank", .align = Align::kRight},
                   {.title = "after", .align = Align::kRight},
                   {.title = "noise", .align = Align::kRight}});
  for (size_t i = 0; i < calibration.before.size() && i < calibration.after.size(); ++i) {
    const Pool& before = calibration.before[i];
    const Pool& after = calibration.after[i];
    std::vector<std::string> words;
    for (const std::string& word : {before.family, before.unit, before.runtime, before.precision, before.metric}) {
      if (!word.empty()) words.push_back(word);
    }
    table.Add({absl::StrJoin(words, " "), absl::StrCat(before.summary.n), ShareText(before.summary.median),
               ShareText(after.summary.median), ShareText(before.summary.p90), ShareText(after.summary.p90),
               RankText(before), RankText(after), ShareText(before.summary.noise)});
  }
  return table.Print(options);
}

std::string NothingText() {
  return absl::StrCat("Nothing was fitted: that takes rows of at least ", kFewestFittedModels, " models, or ",
                      kFewestFittedRows,
                      " rows of a device,\nwhich tell more than the figures in force. The file repeats "
                      "those.\n");
}

std::string CalibrationText(const Calibration& calibration, const CalibrationRequest& request,
                            const ReportOptions& options) {
  std::string text = absl::StrCat(calibration.name, calibration.facts.empty() ? " not changed by " : " fitted to ",
                                  request.measurements, "; written to ", request.output, "\n\n",
                                  calibration.facts.empty() ? NothingText() : FitsText(calibration, options),
                                  "\nErrors with the figures in force before, and after by fits without the model's "
                                  "own family\n",
                                  PoolsText(calibration, options),
                                  "\nerror = exp|ln(predicted / measured)| - 1; rank = least Spearman's correlation of "
                                  "a device with ten models;\nspread = standard deviation of ln; interval_ln = half "
                                  "width of the 80 % interval in ln\n");
  for (const SkippedRows& row : calibration.skipped) {
    absl::StrAppend(&text, row.count, " rows left out: ", row.reason, "\n");
  }
  return text;
}

}  // namespace

absl::Status WriteCalibration(const Calibration& calibration, const CalibrationRequest& request,
                              const ReportOptions& options, Sink sink) {
  if (options.format == Format::kText) return sink(CalibrationText(calibration, request, options));
  return WriteDocument(DocumentOf(calibration, request), options, sink);
}

}  // namespace hwest
