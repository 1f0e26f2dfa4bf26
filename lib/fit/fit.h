// Fitting: the values of free facts that make the times of plans agree best with measured ones.
//
// The loss is that of ln(predicted / measured), robust past about ten per cent; priors are Gaussian in ln, bounds hold
// always. Every step linearises ln of the times numerically and takes the least loss of the linear model inside bounds
// and a trust region. Results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "fit/fit_plan.h"
#include "fit/free_facts.h"
#include "hwest/target.h"

namespace hwest {

struct FitProblem {
  struct Placed {
    FitPlan plan;
    uint32_t machine = 0;  // index of the target it runs on
  };
  struct Point {
    uint32_t plan = 0;
    double ln_seconds = 0;  // measured
    double weight = 1;
  };

  std::vector<Target> machines;  // modes applied
  std::vector<Placed> plans;
  std::vector<Point> points;
  std::vector<FreeFact> free;
};

// Where a fit stands: ln of the free values, and ln of the plans' seconds there with their derivatives.
struct FitState {
  std::vector<double> ln_values;   // by free fact
  std::vector<double> ln_seconds;  // by plan
  std::vector<double> slopes;      // plans x free facts
};

struct FitOptions {
  size_t threads = 2;
  double tolerance = 1e-4;  // relative gain of a step at which the search ends
};

// Prepared once per problem; fits of parts of the points share the plans and, as a start, each other's state.
class FitEngine {
 public:
  FitEngine(FitProblem problem, FitOptions options);

  const FitProblem& problem() const { return problem_; }
  // Where the free facts start, linearised.
  FitState Start() const;
  // Fits to the points whose `used` is not 0. `steps` bounds the number of linearisations after that of `from`.
  absl::StatusOr<FitState> Fit(const FitState& from, absl::Span<const uint8_t> used, int steps) const;
  // Standard deviation of ln of each free value.
  std::vector<double> Spreads(const FitState& state, absl::Span<const uint8_t> used) const;

 private:
  std::vector<double> LnSeconds(const std::vector<double>& ln_values) const;
  void Linearise(FitState* state) const;
  double LossOf(const FitState& state, absl::Span<const uint8_t> used) const;
  void EachTask(const std::vector<double>& ln_values, size_t tasks,
                const std::function<void(size_t task, std::vector<Target>& machines)>& visit) const;

  // The plans on one machine whose units have a free fact.
  struct Column {
    uint32_t machine = 0;
    uint32_t free = 0;
    std::vector<uint32_t> plans;
  };

  FitProblem problem_;
  FitOptions options_;
  std::vector<std::vector<uint32_t>> plans_on_;  // by machine
  std::vector<Column> columns_;
};

}  // namespace hwest
