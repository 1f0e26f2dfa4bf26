// Predictions: what an analysis says about a published figure, in the figure's own unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"

namespace hwest {

enum class Quantity : uint8_t {
  kLatency,     // latency of one inference
  kThroughput,  // batch over the interval between results; engines side by side add up
  kDecode,      // sequences over the latency of one step: the next token waits for this one
};

struct MetricInfo {
  absl::string_view name;
  Quantity quantity;
  double per_s;  // of latencies: units in one second
};
const MetricInfo* FindMetric(absl::string_view name);  // null when it is not predicted

// What a prediction needs of an analysis.
struct Timing {
  double latency_s = 0;
  double latency_low_s = 0;
  double latency_high_s = 0;
  double interval_s = 0;
  double interval_low_s = 0;
  double interval_high_s = 0;
  int64_t batch = 1;
  std::optional<double> roofline_s;  // see baseline.h
  std::optional<double> flops_s;
  std::optional<double> evidence_share;                 // as of Plan
  std::optional<bool> fits;                             // into the memories of the target; none = not known
  std::vector<std::pair<std::string, double>> time_in;  // share of the groups' time by class of operators, most first
};

// Errors: NotFound when the analysis does not know all of the time.
absl::StatusOr<Timing> TimingOf(const Analysis& analysis);

struct Prediction {
  double value = 0;
  double low = 0;
  double high = 0;
  std::optional<double> roofline;  // the baselines, in the same unit
  std::optional<double> flops;
  std::optional<double> evidence_share;                 // of the first engine, as the next two
  std::optional<bool> fits;                             // into the memories of the target; none = not known
  std::vector<std::pair<std::string, double>> time_in;  // share of the time by class of operators, most first
};

// `engines` has one row per engine; a latency has one.
Prediction PredictionOf(const MetricInfo& metric, absl::Span<const Timing> engines);

}  // namespace hwest
