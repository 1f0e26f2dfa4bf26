#include "fit/metrics.h"

#include <cmath>

#include "fit/prediction.h"
#include "measured/measurements.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

TEST_CASE("twice too slow and twice too fast are one error") {
  CHECK(ErrorOf({2, 1}) == Approx(1));
  CHECK(ErrorOf({1, 2}) == Approx(1));
  CHECK(ErrorOf({3, 3}) == 0);
}

TEST_CASE("quantiles are interpolated between neighbours") {
  CHECK_FALSE(Median({}).has_value());
  CHECK(Median({7}) == 7);
  CHECK(Median({9, 1}) == 5);
  CHECK(Median({3, 1, 2}) == 2);
  CHECK(*Quantile({5, 4, 3, 2, 1}, 0.9) == Approx(4.6));
  CHECK(Quantile({5, 4, 3, 2, 1}, 1) == 5);
}

TEST_CASE("bias is the geometric mean of the ratios") {
  CHECK_FALSE(Bias({}).has_value());
  CHECK(*Bias({{2, 1}, {1, 2}}) == Approx(0).margin(1e-12));
  CHECK(*Bias({{4, 1}, {1, 1}}) == Approx(1));
  CHECK(*Bias({{1, 4}}) == Approx(-0.75));
}

TEST_CASE("rank correlation") {
  CHECK_FALSE(RankCorrelation({{1, 1}, {2, 2}}).has_value());
  CHECK_FALSE(RankCorrelation({{1, 5}, {2, 5}, {3, 5}}).has_value());
  CHECK(*RankCorrelation({{1, 10}, {2, 1000}, {9, 1001}}) == Approx(1));
  CHECK(*RankCorrelation({{1, 3}, {2, 2}, {3, 1}}) == Approx(-1));
  // Ranks 1 2 3 4 against 1 2.5 2.5 4: 4.5 / sqrt(5 * 4.5).
  CHECK(*RankCorrelation({{1, 1}, {2, 5}, {3, 5}, {4, 9}}) == Approx(4.5 / std::sqrt(22.5)));
}

// One mean over one time, one over ten times the same: no order between them.
TEST_CASE("values that differ by rounding are ties") {
  const double once = 0.1, often = GeometricMean(std::vector<double>(10, 0.1));
  REQUIRE(often != once);
  const double apart = 4.5 / std::sqrt(22.5);
  CHECK(*RankCorrelation({{1, 0.01}, {2, once}, {3, often}, {4, 9}}) == Approx(apart));
  CHECK(*RankCorrelation({{1, 0.01}, {2, often}, {3, once}, {4, 9}}) == Approx(apart));
}

TEST_CASE("geometric mean") { CHECK(GeometricMean(std::vector<double>{1, 4, 16}) == Approx(4)); }

TEST_CASE("the column of metrics names each that a prediction can be held against") {
  for (const MeasurementColumn& column : AllMeasurementColumns()) {
    if (column.name != "metric") continue;
    for (const char* name : {"latency_ms", "throughput_fps", "ttft_ms", "decode_tokens_per_s"}) {
      CHECK(FindMetric(name) != nullptr);
      CHECK_THAT(std::string(column.meaning), Catch::Contains(name));
    }
  }
}

}  // namespace
}  // namespace hwest::test
