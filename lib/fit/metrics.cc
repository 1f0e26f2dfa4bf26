#include "fit/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/portable_math.h"

namespace hwest {
namespace {

// Means over the same times in another order, or over more of them, differ by this much.
constexpr double kRounding = 1e-12;

// Ranks from 1; values that are equal but for rounding share their mean rank.
std::vector<double> RanksOf(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    const double tied = values[order[first]] * (1 + kRounding);
    while (last < order.size() && values[order[last]] <= tied) ++last;
    for (size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + 1 + last) / 2;
  }
  return ranks;
}

double MeanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double ErrorOf(const Outcome& outcome) {
  return portable::Exp(std::fabs(portable::Log(outcome.predicted / outcome.measured))) - 1;
}

std::vector<double> ErrorsOf(absl::Span<const Outcome> outcomes) {
  std::vector<double> errors;
  for (const Outcome& outcome : outcomes) errors.push_back(ErrorOf(outcome));
  return errors;
}

std::optional<double> Quantile(std::vector<double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

std::optional<double> Median(std::vector<double> values) { return Quantile(std::move(values), 0.5); }

std::optional<double> Bias(absl::Span<const Outcome> outcomes) {
  if (outcomes.empty()) return std::nullopt;
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += portable::Log(outcome.predicted / outcome.measured);
  return portable::Exp(sum / static_cast<double>(outcomes.size())) - 1;
}

std::optional<double> RankCorrelation(absl::Span<const Outcome> outcomes) {
  if (outcomes.size() < 3) return std::nullopt;
  std::vector<double> predicted, measured;
  for (const Outcome& outcome : outcomes) {
    predicted.push_back(outcome.predicted);
    measured.push_back(outcome.measured);
  }
  const std::vector<double> x = RanksOf(predicted), y = RanksOf(measured);
  const double mean = MeanOf(x);  // that of y, too
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

double GeometricMean(absl::Span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += portable::Log(value);
  return portable::Exp(sum / static_cast<double>(values.size()));
}

}  // namespace hwest
