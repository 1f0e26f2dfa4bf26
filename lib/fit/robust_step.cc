#include "fit/robust_step.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr int kMostRounds = 200;
constexpr double kLeastMove = 1e-7;  // of an unknown, at which the search ends

constexpr double kTail = 5;  // scales

// RobustLoss(r) - RobustLoss(0) is about CurvatureAt(r) r^2 / 2, and its derivative is CurvatureAt(r) r.
double CurvatureAt(double residual, double scale) {
  const double z = residual / scale;
  const double root = std::sqrt(1 + z * z);
  return 1 / (scale * scale * root * (1 + 2 * (root - 1) / (kTail * kTail)));
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

// x with L L' x = right.
std::vector<double> Solve(const std::vector<double>& lower, std::vector<double> right) {
  const size_t n = right.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) right[i] -= lower[i * n + k] * right[k];
    right[i] /= lower[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) right[i] -= lower[k * n + i] * right[k];
    right[i] /= lower[i * n + i];
  }
  return right;
}

// p' H p / 2 + g' p, of which the lower triangle of H is filled.
struct Bowl {
  explicit Bowl(size_t n) : slope(n, 0), curvature(n * n, 0) {}

  double At(size_t i, size_t j) const { return curvature[std::max(i, j) * slope.size() + std::min(i, j)]; }

  std::vector<double> slope;
  std::vector<double> curvature;
};

enum class Side : int8_t { kFree, kLower, kUpper };

// The least point of a bowl in a box around 0, by an active set: a bound that is met on the way is kept to, and left
// where the bowl falls away from it.
class BoxSearch {
 public:
  BoxSearch(const Bowl& bowl, std::vector<double> lower, std::vector<double> upper)
      : bowl_(bowl), lower_(std::move(lower)), upper_(std::move(upper)), slope_(bowl.slope), x_(slope_.size(), 0) {
    sides_.assign(x_.size(), Side::kFree);
    for (size_t j = 0; j < x_.size(); ++j) {
      if (slope_[j] > 0 && lower_[j] >= 0) sides_[j] = Side::kLower;
      if (slope_[j] < 0 && upper_[j] <= 0) sides_[j] = Side::kUpper;
    }
  }

  // False when the bowl has no least point.
  bool Run() {
    // Each release makes the bowl's value smaller, but for rounding.
    for (size_t released = 0; released <= 2 * x_.size(); ++released) {
      bool met = true;
      while (met) {
        if (!MoveFree(&met)) return false;
      }
      if (!Release()) break;
    }
    return true;
  }

  const std::vector<double>& x() const { return x_; }

 private:
  // Towards the least point over the free unknowns, up to the first bound.
  bool MoveFree(bool* met) {
    *met = false;
    std::vector<size_t> free;
    for (size_t j = 0; j < x_.size(); ++j) {
      if (sides_[j] == Side::kFree) free.push_back(j);
    }
    const size_t n = free.size();
    std::vector<double> matrix(n * n), move(n);
    for (size_t a = 0; a < n; ++a) {
      move[a] = -slope_[free[a]];
      for (size_t b = 0; b <= a; ++b) matrix[a * n + b] = bowl_.At(free[a], free[b]);
    }
    if (!Cholesky(&matrix, n)) return false;
    move = Solve(matrix, std::move(move));
    double share = 1;
    size_t first = 0;
    for (size_t a = 0; a < n; ++a) {
      const double room = move[a] < 0 ? lower_[free[a]] - x_[free[a]] : upper_[free[a]] - x_[free[a]];
      if (std::fabs(move[a]) * share <= std::fabs(room)) continue;
      share = std::fabs(room / move[a]);
      first = a;
      *met = true;
    }
    for (size_t a = 0; a < n; ++a) x_[free[a]] += share * move[a];
    if (*met) {
      const size_t j = free[first];
      sides_[j] = move[first] < 0 ? Side::kLower : Side::kUpper;
      x_[j] = move[first] < 0 ? lower_[j] : upper_[j];
    }
    for (size_t i = 0; i < x_.size(); ++i) {
      slope_[i] = bowl_.slope[i];
      for (size_t j = 0; j < x_.size(); ++j) slope_[i] += bowl_.At(i, j) * x_[j];
    }
    return true;
  }

  // Leaves the bound that the bowl falls away from most steeply; false when there is none.
  bool Release() {
    double steepest = 1e-9;
    size_t at = x_.size();
    for (size_t j = 0; j < x_.size(); ++j) {
      const double inwards = sides_[j] == Side::kLower ? -slope_[j] : sides_[j] == Side::kUpper ? slope_[j] : 0;
      if (inwards <= steepest) continue;
      steepest = inwards;
      at = j;
    }
    if (at == x_.size()) return false;
    sides_[at] = Side::kFree;
    return true;
  }

  const Bowl& bowl_;
  const std::vector<double> lower_, upper_;
  std::vector<double> slope_;  // at x
  std::vector<double> x_;
  std::vector<Side> sides_;
};

// Entries of a row that are not 0: a model's time hangs on few of the unknowns.
struct SparseRow {
  std::vector<uint32_t> columns;
  std::vector<double> values;
};

std::vector<SparseRow> SparseRowsOf(const RobustStep& step) {
  std::vector<SparseRow> rows(step.rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (uint32_t j = 0; j < step.spreads.size(); ++j) {
      if (step.rows[i][j] == 0) continue;
      rows[i].columns.push_back(j);
      rows[i].values.push_back(step.rows[i][j]);
    }
  }
  return rows;
}

// Touches the loss at d and lies nowhere below it: the loss of a residual grows ever more slowly with its square.
Bowl BowlAt(const RobustStep& step, const std::vector<SparseRow>& rows, const std::vector<double>& residuals,
            const std::vector<double>& d) {
  const size_t n = d.size();
  Bowl bowl(n);
  for (size_t j = 0; j < n; ++j) {
    bowl.slope[j] = (step.offset[j] + d[j] / step.spreads[j]) / step.spreads[j];
    bowl.curvature[j * n + j] = 1 / (step.spreads[j] * step.spreads[j]);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const double weight = step.weights[i] * CurvatureAt(residuals[i], step.scale);
    const auto& [columns, values] = rows[i];
    for (size_t a = 0; a < columns.size(); ++a) {
      const double weighted = weight * values[a];
      bowl.slope[columns[a]] += weighted * residuals[i];
      for (size_t b = 0; b <= a; ++b) bowl.curvature[columns[a] * n + columns[b]] += weighted * values[b];
    }
  }
  return bowl;
}

}  // namespace

double RobustLoss(double residual, double scale) {
  const double z = residual / scale;
  return kTail * kTail / 2 * portable::Log1p(2 * (std::sqrt(1 + z * z) - 1) / (kTail * kTail));
}

absl::StatusOr<std::vector<double>> SolveStep(const RobustStep& step) {
  const size_t n = step.spreads.size();
  const std::vector<SparseRow> rows = SparseRowsOf(step);
  std::vector<double> d(n, 0), residuals = step.residuals;
  double moved = kLeastMove;
  for (int round = 0; round < kMostRounds && moved >= kLeastMove; ++round) {
    const Bowl bowl = BowlAt(step, rows, residuals, d);
    std::vector<double> lower = step.lower, upper = step.upper;
    for (size_t j = 0; j < n; ++j) {
      lower[j] = std::min(0.0, lower[j] - d[j]);
      upper[j] = std::max(0.0, upper[j] - d[j]);
    }
    BoxSearch search(bowl, std::move(lower), std::move(upper));
    if (!search.Run()) return absl::InternalError("a step of the fit has no least loss");
    moved = 0;
    for (size_t j = 0; j < n; ++j) {
      d[j] = std::clamp(d[j] + search.x()[j], step.lower[j], step.upper[j]);
      moved = std::max(moved, std::fabs(search.x()[j]));
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      residuals[i] = step.residuals[i];
      for (size_t a = 0; a < rows[i].columns.size(); ++a) residuals[i] += rows[i].values[a] * d[rows[i].columns[a]];
    }
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
