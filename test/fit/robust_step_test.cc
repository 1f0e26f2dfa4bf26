#include "fit/robust_step.h"

#include <cmath>

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
