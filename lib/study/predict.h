// Predicting many measurements at once: every distinct analysis runs once, models are loaded once, threads share the
// work. What comes out does not depend on the threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "study/match.h"
#include "study/measurements.h"
#include "study/prediction.h"

namespace hwest {

struct PredictOptions {
  std::string models;  // folder
  size_t threads = 2;
  // Called after each analysis, from any thread but one at a time. May be empty.
  std::function<void(size_t done, size_t total)> progress;
};

struct Question {
  const Measurement* row = nullptr;
  Query query;
};

// One prediction per row asked for, in their order. Errors of a row: NotFound, whose message says why it is skipped.
std::vector<absl::StatusOr<Prediction>> Predict(absl::Span<const Question> questions, const PredictOptions& options);

}  // namespace hwest
