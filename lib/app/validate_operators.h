// Validation by operator; see fit/operators.h.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fit/operators.h"
#include "hwest/report.h"
#include "hwest/watch.h"

namespace hwest::app {

struct ValidateOperatorsRequest {
  std::vector<std::string> measurements;  // CSV files
  std::string models;                     // folder of networks that rows are layers of; empty = each row stands alone
  std::string target = {};                // predicts every row on this one; empty = by the rows
  Watch watch = {};                       // counts "operators"
};

// Errors: as ReadOperators; kTargetUnknown; kInterrupted.
absl::StatusOr<OperatorValidation> ValidateOperators(const ValidateOperatorsRequest& request);

// Formats: text, markdown, json, csv (the points).
absl::Status WriteOperators(const OperatorValidation& result, const ValidateOperatorsRequest& request,
                            const ReportOptions& options, Sink sink);

}  // namespace hwest::app
