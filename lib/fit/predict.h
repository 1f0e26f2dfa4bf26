// Predicting many measurements at once.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fit/analyse_rows.h"
#include "fit/prediction.h"

namespace hwest {

// One prediction per row asked for, in their order. Errors of a row: NotFound, whose message says why it is skipped.
std::vector<absl::StatusOr<Prediction>> Predict(absl::Span<const Question> questions, const PredictOptions& options);

}  // namespace hwest
