#include "fit/interval_law.h"

#include <cmath>

#include "support/catch.h"

namespace hwest::test {
namespace {

// Errors spread evenly up to `most` at each of two shares of unseen work, in `families` families of ten rows.
std::vector<LeftOutMiss> Misses(int families, double seen_most, double unseen_most) {
  std::vector<LeftOutMiss> misses;
  for (int family = 0; family < families; ++family) {
    for (int row = 0; row < 10; ++row) {
      const double at = (row + 0.5) / 10;
      misses.push_back({std::to_string(family), at * seen_most, 0});
      misses.push_back({std::to_string(family), at * unseen_most, 1});
    }
  }
  return misses;
}

double Covered(const std::vector<LeftOutMiss>& misses, const IntervalLaw& law, double unseen) {
  double inside = 0, all = 0;
  for (const LeftOutMiss& miss : misses) {
    if (miss.unseen != unseen) continue;
    all += 1;
    inside += miss.ln_error <= law.HalfWidth(miss.unseen) ? 1 : 0;
  }
  return inside / all;
}

TEST_CASE("an interval widens as much as misses do where work was not seen") {
  struct Case {
    double seen, unseen;
  };
  const auto c = GENERATE(values<Case>({{0.2, 0.2}, {0.2, 0.4}, {0.3, 0.9}}));
  const std::vector<LeftOutMiss> misses = Misses(40, c.seen, c.unseen);
  const IntervalLaw law = FitIntervalLaw(misses);
  CAPTURE(law.seen, law.unseen);
  CHECK(Covered(misses, law, 0) == Approx(0.8).margin(0.06));
  CHECK(Covered(misses, law, 1) == Approx(0.8).margin(0.06));
}

TEST_CASE("few families widen an interval, and no more than to 85 %") {
  const std::vector<LeftOutMiss> few = Misses(3, 0.2, 0.4), many = Misses(60, 0.2, 0.4);
  CHECK(FitIntervalLaw(few).seen > FitIntervalLaw(many).seen);
  CHECK(Covered(few, FitIntervalLaw(few), 0) <= 0.9);
}

TEST_CASE("a family of many rows does not decide alone") {
  std::vector<LeftOutMiss> misses = Misses(20, 0.2, 0.2);
  for (int row = 0; row < 2000; ++row) misses.push_back({"large", 1, 0});
  CHECK(FitIntervalLaw(misses).seen < 1);
}

TEST_CASE("errors with more causes keep the growth") {
  const IntervalLaw law = FitIntervalLaw(Misses(40, 0.2, 0.4));
  const IntervalLaw others = ScaledTo(Misses(40, 0.4, 0.8), law);
  CHECK(others.seen == Approx(2 * law.seen));
  CHECK(others.unseen == Approx(2 * law.unseen));
}

TEST_CASE("nothing missed, nothing measured") {
  CHECK(FitIntervalLaw({}).HalfWidth(1) == 0);
  CHECK(FitIntervalLaw(Misses(5, 0, 0)).HalfWidth(1) == 0);
}

}  // namespace
}  // namespace hwest::test
