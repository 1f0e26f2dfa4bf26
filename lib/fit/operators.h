// Validation by operator: how far predictions of single kernels are from measurements.
//
//   HWEST_ASSIGN_OR_RETURN(const auto rows, ReadOperators("ops.csv"));
//   HWEST_ASSIGN_OR_RETURN(const OperatorValidation found, ValidateOperators(rows, {.models = "models"}));
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fit/match.h"
#include "hwest/estimate.h"
#include "hwest/validation.h"
#include "measured/operators.h"

namespace hwest {

// One measured kernel and what was predicted for it.
struct OperatorPoint {
  MeasuredOperator measured;  // of a group of a network that several rows are of: the first, with their sum
  std::string unit, precision;
  std::string operator_class, size;  // as OperatorClassOf: "conv_1x1" and "m"
  bool in_network = false;           // predicted as a group of its network, not as a kernel alone
  Estimate estimate;

  double factor() const { return estimate.time_s / measured.seconds; }
};

// Points of one kind. Factors are predicted over measured, errors exp|ln factor| - 1.
struct OperatorPool {
  std::string target, unit;
  std::string precision, operator_class, size;  // empty = all
  size_t n = 0;
  double median_factor = 1, median_error = 0, p10 = 1, p90 = 1;
  size_t worst = 0;  // index of the point that is furthest off
};

struct OperatorValidation {
  std::vector<OperatorPoint> points;  // by row
  std::vector<OperatorPool> devices;  // contractions that last and others by target and unit, see kLastingSeconds
  std::vector<OperatorPool> pools;    // by target, unit, precision, class and size
  std::vector<SkippedRows> skipped;   // most first
};

// Contractions of at least this time are told from shorter ones, which launches decide.
inline constexpr double kLastingSeconds = 20e-6;

struct OperatorOptions {
  std::string models;                    // folder of networks whose layers rows are of; empty = there is none
  std::shared_ptr<const Target> target;  // predicts every row; null = the target that the row names
  Targets targets;                       // to choose from; empty = every built-in one
  std::function<void(size_t done, size_t total)> progress;  // after each row. May be empty
  std::function<bool()> stop;                               // asked before each row; true = do no more. May be empty
};

// Every row becomes a point, a part of one, or is counted in `skipped`. A kernel alone finds its activations where a
// network would leave them: on the chip as far as they fit there; its weights come from the shared memory.
absl::StatusOr<OperatorValidation> ValidateOperators(const std::vector<MeasuredOperator>& rows,
                                                     const OperatorOptions& options);

}  // namespace hwest
