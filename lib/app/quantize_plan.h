// Which format pays for which layer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "app/model.h"
#include "hwest/quantize.h"
#include "hwest/rewrite.h"
#include "hwest/watch.h"

namespace hwest::app {

struct QuantizePlanRequest {
  RequestDraft draft;                // with a target
  std::vector<std::string> formats;  // empty = the usual ones that the target has
  std::string sensitivity;           // text of a file, see ParseSensitivity
  std::string sensitivity_source;    // its name, for errors; empty = there is no such file
  std::optional<double> budget;      // of loss
  Watch watch;
};

// Errors: those of Analyze; kUsage without a target, for a sensitivity that cannot be read or names what the model
// lacks, and for a budget without one.
absl::StatusOr<QuantizePlan> PlanFormats(const LoadedModel& model, const QuantizePlanRequest& request);

// The model with the plan's Q/DQ; `ranges` is the text of the file `source`, see ParseRanges. Errors: those of
// ApplyPlan; FailedPrecondition when the model cannot be read again.
absl::StatusOr<Rewritten> ApplyFormats(const LoadedModel& model, const QuantizePlan& plan, const std::string& ranges,
                                       const std::string& source);

}  // namespace hwest::app
