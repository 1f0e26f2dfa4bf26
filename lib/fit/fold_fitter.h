// The fitter of a validation that leaves rows out: one fit to all rows, from which the folds begin.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "fit/fit_study.h"
#include "fit/folds.h"

namespace hwest {

// Targets are `options.rows.target` alone, or every built-in one. Errors: kModelMissing when there is no folder of
// models; those of the optimiser.
absl::StatusOr<Fitter> MakeFitter(const std::vector<Measurement>& rows, const FitStudyOptions& options);

}  // namespace hwest
