#include "app/quantize_plan.h"

#include <utility>

#include "app/rewrite.h"
#include "app/watching.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "study/quantize_apply.h"
#include "study/quantize_plan.h"

namespace hwest::app {

absl::StatusOr<QuantizePlan> PlanFormats(const LoadedModel& model, const QuantizePlanRequest& request) {
  hwest::QuantizePlanRequest asked;
  HWEST_ASSIGN_OR_RETURN(asked.analysis, RequestFor(request.draft, *model.graph));
  if (asked.analysis.loaded == nullptr && asked.analysis.target.empty()) {
    return MakeError(Code::kUsage, "no target was named", "formats are chosen for a target: add --target NAME",
                     {"--target"});
  }
  if (!asked.analysis.precision_of.empty()) {
    return MakeError(Code::kUsage, "quantize-plan chooses the formats of layers itself",
                     "leave out --precision-of, or use it with `analyze`", {"--precision-of"});
  }
  if (!request.sensitivity_source.empty()) {
    HWEST_ASSIGN_OR_RETURN(asked.sensitivity,
                           ParseSensitivity(request.sensitivity, request.sensitivity_source, "int8"));
  }
  asked.formats = request.formats;
  asked.budget = request.budget;
  asked.progress = StepsOf(request.watch);
  asked.stop = request.watch.stop;
  HWEST_ASSIGN_OR_RETURN(QuantizePlan plan, PlanQuantization(model.graph, model.source, asked));
  if (!plan.chosen.has_value()) return plan;
  const absl::StatusOr<EditedModel> opened = OpenForEdits(model);
  if (opened.ok()) plan.applied_s = LatencyApplied(plan, *opened);
  return plan;
}

absl::StatusOr<Rewritten> ApplyFormats(const LoadedModel& model, const QuantizePlan& plan, const std::string& ranges,
                                       const std::string& source) {
  HWEST_ASSIGN_OR_RETURN(const TensorRanges parsed, ParseRanges(ranges, source));
  HWEST_ASSIGN_OR_RETURN(const EditedModel opened, OpenForEdits(model));
  return ApplyPlan(plan, opened, parsed);
}

}  // namespace hwest::app
