// One step of a fit: the least loss of a linear model with Gaussian priors, inside a box.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"

namespace hwest {

// Residuals r + J d, each at its weight in a loss that is square near 0, linear past `scale` and logarithmic past five
// of it: what misses that much takes a path of its own through the toolchain and says little about rates. J has one row
// per residual. Priors add ((x + d - prior) / spread)^2 / 2 per unknown.
struct RobustStep {
  std::vector<double> residuals;
  std::vector<double> weights;
  std::vector<const double*> rows;  // of J, each with as many columns as unknowns
  double scale = 0.1;
  std::vector<double> offset;  // x - prior, in spreads
  std::vector<double> spreads;
  std::vector<double> lower;  // of d; <= 0
  std::vector<double> upper;  // >= 0
};

// t^2 / 2 ln(1 + 2 (sqrt(1 + (residual / scale)^2) - 1) / t^2) with t = 5.
double RobustLoss(double residual, double scale);

// The d of least loss, by bowls that lie above it one after the other. Errors: Internal when a figure is no number.
absl::StatusOr<std::vector<double>> SolveStep(const RobustStep& step);

// Standard deviations of the unknowns from the curvature of the loss at d = 0.
std::vector<double> SpreadsOf(const RobustStep& step);

}  // namespace hwest
