#include "fit/prediction.h"

#include "support/catch.h"

namespace hwest::test {
namespace {

// 4 ms, between 2 and 8; a result of 2 images every 1 ms, at worst every 3 ms.
Timing Pipelined() {
  return {.latency_s = 0.004,
          .latency_low_s = 0.002,
          .latency_high_s = 0.008,
          .interval_s = 0.001,
          .interval_low_s = 0.0005,
          .interval_high_s = 0.003,
          .batch = 2,
          .roofline_s = 0.0005,
          .flops_s = std::nullopt};
}

struct MetricCase {
  const char* metric;
  double value, low, high, roofline;
};

TEST_CASE("a figure in its own unit, with its interval and baselines") {
  const auto c = GENERATE(values<MetricCase>({
      {"latency_ms", 4, 2, 8, 0.5},
      {"ttft_ms", 4, 2, 8, 0.5},
      {"throughput_fps", 2000, 2000.0 / 3, 4000, 4000},
      {"decode_tokens_per_s", 500, 250, 1000, 4000},
  }));
  const MetricInfo* metric = FindMetric(c.metric);
  REQUIRE(metric != nullptr);
  const Prediction prediction = PredictionOf(*metric, {Pipelined()});
  CHECK(prediction.value == Approx(c.value));
  CHECK(prediction.low == Approx(c.low));
  CHECK(prediction.high == Approx(c.high));
  CHECK(prediction.roofline.value() == Approx(c.roofline));
  CHECK_FALSE(prediction.flops.has_value());
}

TEST_CASE("engines side by side add their rates") {
  Timing slow = Pipelined();
  slow.interval_s = 0.004;
  slow.interval_low_s = 0.002;
  slow.interval_high_s = 0.008;
  slow.roofline_s = std::nullopt;
  const Prediction prediction = PredictionOf(*FindMetric("throughput_fps"), {Pipelined(), slow});
  CHECK(prediction.value == Approx(2500));
  CHECK(prediction.low == Approx(2000.0 / 3 + 250));
  CHECK(prediction.high == Approx(5000));
  CHECK_FALSE(prediction.roofline.has_value());
}

TEST_CASE("other metrics are not predicted") { CHECK(FindMetric("accuracy") == nullptr); }

TEST_CASE("an analysis without a plan has no time") {
  CHECK(TimingOf(Analysis()).status().code() == absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace hwest::test
