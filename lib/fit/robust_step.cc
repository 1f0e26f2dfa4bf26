#include "fit/robust_step.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr int kMaxEvaluations = 400;
constexpr double kTolerance = 1e-9;  // relative, of the loss

constexpr double kTail = 5;  // scales

// RobustLoss(r) - RobustLoss(0) is about CurvatureAt(r) r^2 / 2, and its derivative is CurvatureAt(r) r.
double CurvatureAt(double residual, double scale) {
  const double z = residual / scale;
  const double root = std::sqrt(1 + z * z);
  return 1 / (scale * scale * root * (1 + 2 * (root - 1) / (kTail * kTail)));
}

double Loss(unsigned n, const double* d, double* gradient, void* data) {
  const RobustStep& step = *static_cast<const RobustStep*>(data);
  double loss = 0;
  for (unsigned j = 0; j < n; ++j) {
    const double away = step.offset[j] + d[j] / step.spreads[j];
    loss += away * away / 2;
    if (gradient != nullptr) gradient[j] = away / step.spreads[j];
  }
  for (size_t i = 0; i < step.residuals.size(); ++i) {
    const double* row = step.rows[i];
    double residual = step.residuals[i];
    for (unsigned j = 0; j < n; ++j) residual += row[j] * d[j];
    loss += step.weights[i] * RobustLoss(residual, step.scale);
    if (gradient == nullptr) continue;
    const double slope = step.weights[i] * CurvatureAt(residual, step.scale) * residual;
    for (unsigned j = 0; j < n; ++j) gradient[j] += slope * row[j];
  }
  return loss;
}

// Lower triangle L with L L' = matrix, in place; false when it is not positive definite.
bool Cholesky(std::vector<double>* matrix, size_t n) {
  std::vector<double>& m = *matrix;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= m[i * n + k] * m[j * n + k];
      if (i == j && !(sum > 0)) return false;
      m[i * n + j] = i == j ? std::sqrt(sum) : sum / m[j * n + j];
    }
  }
  return true;
}

// Square root of entry (at, at) of the inverse of L L'.
double InverseRoot(const std::vector<double>& lower, size_t n, size_t at) {
  std::vector<double> solved(n, 0);
  double sum = 0;
  for (size_t i = at; i < n; ++i) {
    double value = i == at ? 1 : 0;
    for (size_t k = at; k < i; ++k) value -= lower[i * n + k] * solved[k];
    solved[i] = value / lower[i * n + i];
    sum += solved[i] * solved[i];
  }
  return std::sqrt(sum);
}

}  // namespace

double RobustLoss(double residual, double scale) {
  const double z = residual / scale;
  return kTail * kTail / 2 * portable::Log1p(2 * (std::sqrt(1 + z * z) - 1) / (kTail * kTail));
}

absl::StatusOr<std::vector<double>> SolveStep(const RobustStep& step) {
  const auto n = static_cast<unsigned>(step.spreads.size());
  std::vector<double> d(n, 0);
  if (n == 0) return d;
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> problem(nlopt_create(NLOPT_LD_SLSQP, n), nlopt_destroy);
  nlopt_set_min_objective(problem.get(), Loss, const_cast<RobustStep*>(&step));
  nlopt_set_lower_bounds(problem.get(), step.lower.data());
  nlopt_set_upper_bounds(problem.get(), step.upper.data());
  nlopt_set_ftol_rel(problem.get(), kTolerance);
  nlopt_set_maxeval(problem.get(), kMaxEvaluations);
  double loss = 0;
  const nlopt_result result = nlopt_optimize(problem.get(), d.data(), &loss);
  // NLopt's ROUNDOFF_LIMITED is no error: the best point found is kept.
  if (result < 0 && result != NLOPT_ROUNDOFF_LIMITED) {
    return absl::InternalError(absl::StrCat("the optimiser gave up: ", nlopt_result_to_string(result)));
  }
  return d;
}

std::vector<double> SpreadsOf(const RobustStep& step) {
  const size_t n = step.spreads.size();
  std::vector<double> curvature(n * n, 0);
  for (size_t j = 0; j < n; ++j) curvature[j * n + j] = 1 / (step.spreads[j] * step.spreads[j]);
  for (size_t i = 0; i < step.residuals.size(); ++i) {
    const double weight = step.weights[i] * CurvatureAt(step.residuals[i], step.scale);
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k <= j; ++k) curvature[j * n + k] += weight * step.rows[i][j] * step.rows[i][k];
    }
  }
  if (!Cholesky(&curvature, n)) return step.spreads;
  std::vector<double> spreads;
  for (size_t j = 0; j < n; ++j) spreads.push_back(InverseRoot(curvature, n, j));
  return spreads;
}

}  // namespace hwest
