#include "fit/interval_law.h"

#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "support/catch.h"

namespace hwest::test {
namespace {

// Errors spread evenly up to a most at either share of unseen work, in families of a hundred rows at each.
std::vector<LeftOutMiss> Misses(int families, double seen_most, double unseen_most) {
  std::vector<LeftOutMiss> misses;
  for (int family = 0; family < families; ++family) {
    for (int row = 0; row < 100; ++row) {
      const double at = (row + 0.5) / 100;
      misses.push_back({std::to_string(family), at * seen_most, 0});
      misses.push_back({std::to_string(family), at * unseen_most, 1});
    }
  }
  return misses;
}

// Of the misses at that share of unseen work; at any without one.
double Covered(const std::vector<LeftOutMiss>& misses, const IntervalLaw& law, std::optional<double> unseen = {}) {
  double inside = 0, all = 0;
  for (const LeftOutMiss& miss : misses) {
    if (unseen.has_value() && miss.unseen != *unseen) continue;
    all += 1;
    inside += miss.ln_error <= law.HalfWidth(miss.unseen) ? 1 : 0;
  }
  return inside / all;
}

TEST_CASE("an interval widens as much as misses do where work was not seen") {
  struct Case {
    double seen, unseen;
  };
  const auto c = GENERATE(values<Case>({{0.4, 0.4}, {0.4, 0.8}, {0.5, 1.5}}));
  const std::vector<LeftOutMiss> misses = Misses(40, c.seen, c.unseen);
  const IntervalLaw law = FitIntervalLaw(misses);
  CAPTURE(law.seen, law.unseen);
  // Growths are tried in steps, so both shares are met about equally.
  CHECK(Covered(misses, law) == Approx(0.81).margin(0.08));
  CHECK(Covered(misses, law, 0) == Approx(0.81).margin(0.08));
  CHECK(Covered(misses, law, 1) == Approx(0.81).margin(0.08));
}

// Families each off by an amount of their own, rows of a family alike.
std::vector<LeftOutMiss> NormalMisses(int families, std::mt19937* random) {
  std::normal_distribution<double> off(0, 0.26);
  std::vector<LeftOutMiss> misses;
  for (int family = 0; family < families; ++family) {
    const double error = std::fabs(off(*random));
    for (int row = 0; row < 12; ++row) misses.push_back({std::to_string(family), error, 0});
  }
  return misses;
}

TEST_CASE("eight in ten further families fit in, however few were seen") {
  const int families = GENERATE(1, 2, 3, 5, 20, 60);
  CAPTURE(families);
  std::mt19937 random(1);
  int inside = 0, all = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const IntervalLaw law = FitIntervalLaw(NormalMisses(families, &random));
    inside += NormalMisses(1, &random).front().ln_error <= law.seen ? 1 : 0;
    all += 1;
  }
  CHECK(static_cast<double>(inside) / all == Approx(0.8).margin(0.08));
}

TEST_CASE("a family of many rows does not decide alone") {
  std::vector<LeftOutMiss> misses = Misses(20, 0.2, 0.2);
  for (int row = 0; row < 2000; ++row) misses.push_back({"large", 1, 0});
  CHECK(FitIntervalLaw(misses).seen < 1);
}

TEST_CASE("errors with more causes keep the growth") {
  const IntervalLaw law = FitIntervalLaw(Misses(40, 0.2, 0.4));
  const IntervalLaw others = ScaledTo(Misses(40, 0.4, 0.8), law);
  CHECK(others.seen > 1.5 * law.seen);
  CHECK(others.unseen / others.seen == Approx(law.unseen / law.seen));
}

TEST_CASE("nothing measured has no width, nothing missed in five families one") {
  CHECK(FitIntervalLaw({}).HalfWidth(1) == 0);
  CHECK(FitIntervalLaw(Misses(5, 0, 0)).HalfWidth(0) > 0.1);
}

}  // namespace
}  // namespace hwest::test
