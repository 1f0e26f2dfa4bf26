#include "fit/robust_step.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/catch.h"

namespace hwest::test {
namespace {

// Residuals r + d of one unknown with a prior at 0.
RobustStep OneUnknown(std::vector<double> residuals, double spread, double bound) {
  static const double kOne = 1;
  RobustStep step;
  step.weights.assign(residuals.size(), 1);
  step.rows.assign(residuals.size(), &kOne);
  step.residuals = std::move(residuals);
  step.offset = {0};
  step.spreads = {spread};
  step.lower = {-bound};
  step.upper = {bound};
  return step;
}

double Solved(const RobustStep& step) {
  const auto d = SolveStep(step);
  REQUIRE(d.ok());
  REQUIRE(d->size() == 1);
  return (*d)[0];
}

TEST_CASE("small residuals average like squares, large ones like distances") {
  CHECK(Solved(OneUnknown({0.01, 0.02, 0.03}, 100, 1)) == Approx(-0.02).margin(1e-4));
  CHECK(Solved(OneUnknown({0, 0, 0, 0, 50}, 100, 60)) == Approx(0).margin(0.05));
}

TEST_CASE("gross misses pull less than moderate ones") {
  const double moderate = Solved(OneUnknown({0, 0, 0, 0, 0, 0.4, 0.4, 0.4, 0.4}, 100, 1));
  const double gross = Solved(OneUnknown({0, 0, 0, 0, 0, 3, 3, 3, 3}, 100, 1));
  CHECK(moderate < -0.05);
  CHECK(gross > -0.03);
  CHECK(gross < 0);
}

TEST_CASE("a step stays in its box") {
  CHECK(Solved(OneUnknown({5, 5}, 100, 0.25)) == Approx(-0.25));
  CHECK(Solved(OneUnknown({-5, -5}, 100, 0.25)) == Approx(0.25));
}

TEST_CASE("a prior weighs as one residual of its spread") {
  // Curvature 1 / 0.1^2 of each side: the prior and the residual meet halfway.
  CHECK(Solved(OneUnknown({0.002}, 0.1, 1)) == Approx(-0.001).epsilon(0.01));
}

TEST_CASE("no point of the box has less loss than the one found") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    constexpr size_t kUnknowns = 6, kResiduals = 30;
    std::vector<double> rows(kUnknowns * kResiduals);
    for (double& entry : rows) entry = normal(random) * (random() % 3 == 0 ? 0 : 1);
    RobustStep step;
    for (size_t i = 0; i < kResiduals; ++i) {
      step.residuals.push_back(0.2 * normal(random));
      step.weights.push_back(1 + static_cast<double>(i % 3));
      step.rows.push_back(rows.data() + i * kUnknowns);
    }
    for (size_t j = 0; j < kUnknowns; ++j) {
      step.offset.push_back(normal(random));
      step.spreads.push_back(0.5);
      step.lower.push_back(j % 2 == 0 ? 0 : -0.05);
      step.upper.push_back(j % 3 == 0 ? 0.03 : 0.8);
    }
    const auto loss_at = [&](const std::vector<double>& d) {
      double loss = 0;
      for (size_t j = 0; j < kUnknowns; ++j) loss += std::pow(step.offset[j] + d[j] / step.spreads[j], 2) / 2;
      for (size_t i = 0; i < kResiduals; ++i) {
        double residual = step.residuals[i];
        for (size_t j = 0; j < kUnknowns; ++j) residual += step.rows[i][j] * d[j];
        loss += step.weights[i] * RobustLoss(residual, step.scale);
      }
      return loss;
    };
    const auto found = SolveStep(step);
    REQUIRE(found.ok());
    const double least = loss_at(*found);
    for (int other = 0; other < 200; ++other) {
      std::vector<double> d = *found;
      for (size_t j = 0; j < kUnknowns; ++j) {
        d[j] = std::clamp(d[j] + 0.02 * normal(random), step.lower[j], step.upper[j]);
      }
      CHECK(loss_at(d) >= least - 1e-9);
    }
  }
}

TEST_CASE("spreads are those of the curvature") {
  CHECK(SpreadsOf(OneUnknown({}, 0.5, 1))[0] == Approx(0.5));
  CHECK(SpreadsOf(OneUnknown({0, 0, 0, 0}, 1e3, 1))[0] == Approx(0.1 / 2));
}

TEST_CASE("nothing to find is no error") {
  const auto d = SolveStep({});
  REQUIRE(d.ok());
  CHECK(d->empty());
}

}  // namespace
}  // namespace hwest::test
