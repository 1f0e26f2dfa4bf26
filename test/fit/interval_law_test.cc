#include "fit/interval_law.h"

#include <optional>
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
  const auto c = GENERATE(values<Case>({{0.2, 0.2}, {0.2, 0.4}, {0.3, 0.9}}));
  const std::vector<LeftOutMiss> misses = Misses(40, c.seen, c.unseen);
  const IntervalLaw law = FitIntervalLaw(misses);
  CAPTURE(law.seen, law.unseen);
  // Growths are tried in steps, so both shares are met about equally.
  CHECK(Covered(misses, law) == Approx(0.82).margin(0.01));
  CHECK(Covered(misses, law, 0) == Approx(0.82).margin(0.07));
  CHECK(Covered(misses, law, 1) == Approx(0.82).margin(0.07));
}

TEST_CASE("few families widen an interval, and no more than to 85 %") {
  const std::vector<LeftOutMiss> few = Misses(3, 0.2, 0.4), many = Misses(60, 0.2, 0.4);
  CHECK(FitIntervalLaw(few).seen > FitIntervalLaw(many).seen);
  CHECK(Covered(few, FitIntervalLaw(few)) == Approx(0.85).margin(0.01));
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
