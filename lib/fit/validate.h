// Validation: how far predictions are from measurements.
//
//   HWEST_ASSIGN_OR_RETURN(const auto rows, ReadMeasurements("measured.csv"));
//   ValidateOptions options;
//   options.predict.models = "models";
//   HWEST_ASSIGN_OR_RETURN(const Validation validation, Validate(rows, options));
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "fit/folds.h"
#include "fit/predict.h"
#include "fit/summary.h"

namespace hwest {

struct ValidateOptions {
  PredictOptions predict;
  std::shared_ptr<const Target> target;  // predicts every row on this one; null = by the targets' measured_as
  Targets targets;                       // to choose from; empty = every built-in one
  LeaveOut leave_out = LeaveOut::kNone;
  Fitter fitter;  // needed unless leave_out is kNone
};

// Errors: kModelMissing when there is no folder of models.
absl::Status CheckModels(const PredictOptions& options);

// Every row becomes a point or is counted in `skipped`. Errors: kModelMissing when there is no folder of models; kUsage
// when leaving out needs a fitter that is not there; those of the fitter.
absl::StatusOr<Validation> Validate(const std::vector<Measurement>& rows, const ValidateOptions& options);

}  // namespace hwest
