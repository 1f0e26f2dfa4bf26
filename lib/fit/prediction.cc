#include "fit/prediction.h"

#include <algorithm>

#include "cost/model_view.h"
#include "fit/baseline.h"
#include "hwest/reading.h"
#include "plan/evidence.h"
#include "plan/memory_needs.h"

namespace hwest {
namespace {

constexpr MetricInfo kMetrics[] = {
    {"latency_ms", Quantity::kLatency, 1e3},
    {"ttft_ms", Quantity::kLatency, 1e3},
    {"throughput_fps", Quantity::kThroughput, 1},
    {"decode_tokens_per_s", Quantity::kDecode, 1},
};

using Seconds = std::optional<double>;

// The figure that `seconds` per inference stand for.
Seconds FigureOf(const MetricInfo& metric, const Timing& timing, Seconds seconds) {
  if (!seconds.has_value() || *seconds <= 0) return std::nullopt;
  if (metric.quantity == Quantity::kLatency) return *seconds * metric.per_s;
  return static_cast<double>(timing.batch) / *seconds;
}

Seconds Sum(Seconds a, Seconds b) { return a.has_value() && b.has_value() ? Seconds(*a + *b) : std::nullopt; }

Prediction OneEngine(const MetricInfo& metric, const Timing& timing) {
  const bool streams = metric.quantity == Quantity::kThroughput;
  const double seconds = streams ? timing.interval_s : timing.latency_s;
  const Seconds fast = FigureOf(metric, timing, streams ? timing.interval_low_s : timing.latency_low_s);
  const Seconds slow = FigureOf(metric, timing, streams ? timing.interval_high_s : timing.latency_high_s);
  const bool is_rate = metric.quantity != Quantity::kLatency;
  return {.value = FigureOf(metric, timing, seconds).value_or(0),
          .low = (is_rate ? slow : fast).value_or(0),
          .high = (is_rate ? fast : slow).value_or(0),
          .roofline = FigureOf(metric, timing, timing.roofline_s),
          .flops = FigureOf(metric, timing, timing.flops_s),
          .evidence_share = timing.evidence_share,
          .fits = timing.fits,
          .time_in = timing.time_in};
}

std::vector<std::pair<std::string, double>> TimeInOf(const Analysis& analysis) {
  const ModelView model{GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
  std::vector<std::pair<std::string, double>> shares;
  double all_s = 0;
  for (size_t unit = 0; unit < analysis.target->units.size(); ++unit) {
    for (const auto& [operator_class, seconds] : TimeByClassOf(model, *analysis.plan, UnitId(unit))) {
      shares.emplace_back(operator_class, seconds);
      all_s += seconds;
    }
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (auto& [operator_class, share] : shares) share = all_s > 0 ? share / all_s : 0;
  return shares;
}

}  // namespace

const MetricInfo* FindMetric(absl::string_view name) {
  for (const MetricInfo& metric : kMetrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

absl::StatusOr<Timing> TimingOf(const Analysis& analysis) {
  if (!analysis.plan.has_value() || !analysis.coverage.time_share.has_value()) {
    return absl::NotFoundError("analysis incomplete: a part of the model has no unit or no time");
  }
  const Plan& plan = *analysis.plan;
  if (!(plan.latency_s > 0) || !(plan.interval_s > 0)) return absl::NotFoundError("the model takes no time");
  const Baselines baselines = BaselinesOf(analysis);
  return Timing{.latency_s = plan.latency_s,
                .latency_low_s = plan.latency_low_s,
                .latency_high_s = plan.latency_high_s,
                .interval_s = plan.interval_s,
                .interval_low_s = plan.interval_low_s,
                .interval_high_s = plan.interval_high_s,
                .batch = analysis.batch,
                .roofline_s = baselines.roofline_s,
                .flops_s = baselines.flops_s,
                .evidence_share = plan.evidence_share,
                .fits = FitsIn(analysis.memory_needs),
                .time_in = TimeInOf(analysis)};
}

Prediction PredictionOf(const MetricInfo& metric, absl::Span<const Timing> engines) {
  Prediction total = OneEngine(metric, engines.front());
  for (const Timing& timing : engines.subspan(1)) {
    const Prediction more = OneEngine(metric, timing);
    total.value += more.value;
    total.low += more.low;
    total.high += more.high;
    total.roofline = Sum(total.roofline, more.roofline);
    total.flops = Sum(total.flops, more.flops);
  }
  return total;
}

}  // namespace hwest
