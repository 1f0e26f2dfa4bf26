#include "fit/interval_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hwest {
namespace {

constexpr double kCoverage = 0.8;
constexpr double kNormal = 1.2816;  // half width of what covers that much of a normal distribution
// What the pools of fifteen families and more miss that are in the target files (Hexagon at three precisions, Hailo-8
// and Hailo-10H: 0.27 to 0.43), and how many families' worth it counts where few were seen, which may resemble each
// other.
constexpr double kUsualWidth = 0.33;
constexpr double kUsualFamilies = 4;
// Growth (unseen / seen)^2 that are tried, and what a pool says nothing against: without much unseen work, or in few
// families, the misses alone would leave it to chance.
constexpr double kGrowths[] = {0, 0.5, 1, 2, 4, 8, 16};
constexpr double kUsualGrowth = 2;
// A growth has to explain the misses better than the usual one by this share.
constexpr double kLeastGain = 0.02;

struct Scored {
  double score = 0;
  double weight = 0;
};

// Misses with what they weigh: rows of one family resemble each other, so a family's weight grows with the root of
// their number.
struct Sample {
  explicit Sample(const std::vector<LeftOutMiss>& of) : misses(of) {
    std::map<std::string, double> rows;
    for (const LeftOutMiss& miss : misses) rows[miss.family] += 1;
    for (const LeftOutMiss& miss : misses) weights.push_back(1 / std::sqrt(rows.at(miss.family)));
    double sum = 0, squares = 0;
    for (const auto& [family, count] : rows) {
      sum += std::sqrt(count);
      squares += count;
    }
    families = squares > 0 ? sum * sum / squares : 0;
  }

  const std::vector<LeftOutMiss>& misses;
  std::vector<double> weights;
  double families = 0;  // of equal weight that would say as much
};

// One more row than those seen has to fit in.
double LevelFor(size_t rows) {
  return std::min(1.0, kCoverage * (1 + 1 / static_cast<double>(std::max<size_t>(rows, 1))));
}

// Student's distribution over the normal one, at their 80 % (Abramowitz and Stegun 26.7.5): how much further another
// family may be off when the spread is known from so many.
double StudentOverNormal(double families) {
  const double z = kNormal, n = families;
  const double cube = z * z * z;
  const double first = (cube + z) / 4;
  const double second = (5 * cube * z * z + 16 * cube + 3 * z) / 96;
  return (z + first / n + second / (n * n)) / z;
}

double QuantileOf(std::vector<Scored> scored, double level) {
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
  double all = 0, below = 0;
  for (const Scored& row : scored) all += row.weight;
  for (const Scored& row : scored) {
    below += row.weight;
    if (below >= level * all) return row.score;
  }
  return scored.empty() ? 0 : scored.back().score;
}

double WideningOf(double growth, double share) { return std::sqrt(1 + growth * share); }

double BaseFor(const Sample& sample, double growth) {
  std::vector<Scored> scored;
  for (size_t i = 0; i < sample.misses.size(); ++i) {
    const LeftOutMiss& miss = sample.misses[i];
    scored.push_back({miss.ln_error / WideningOf(growth, miss.unseen), sample.weights[i]});
  }
  return QuantileOf(std::move(scored), LevelFor(sample.misses.size()));
}

// What quantile regression makes small.
double LossOf(const Sample& sample, double growth) {
  const double base = BaseFor(sample, growth), level = LevelFor(sample.misses.size());
  double loss = 0;
  for (size_t i = 0; i < sample.misses.size(); ++i) {
    const double over = sample.misses[i].ln_error - base * WideningOf(growth, sample.misses[i].unseen);
    loss += sample.weights[i] * (over > 0 ? level * over : (level - 1) * over);
  }
  return loss;
}

// The width for a family not among those seen: variances join as those of a normal distribution whose own has a prior
// (scaled inverse chi-squared) do.
double WidthFrom(double seen, double families) {
  const double all = families + kUsualFamilies;
  const double joined = (families * seen * seen + kUsualFamilies * kUsualWidth * kUsualWidth) / all;
  return std::sqrt(joined) * StudentOverNormal(all);
}

IntervalLaw LawOf(const Sample& sample, double growth) {
  if (sample.misses.empty()) return {};
  const double base = WidthFrom(BaseFor(sample, growth), sample.families);
  return {.seen = base, .unseen = base * std::sqrt(growth)};
}

}  // namespace

double IntervalLaw::HalfWidth(double share) const { return std::sqrt(seen * seen + share * unseen * unseen); }

IntervalLaw FitIntervalLaw(const std::vector<LeftOutMiss>& misses) {
  const Sample sample(misses);
  double best = kUsualGrowth, least = LossOf(sample, kUsualGrowth) * (1 - kLeastGain);
  for (const double growth : kGrowths) {
    const double loss = LossOf(sample, growth);
    if (loss < least) best = growth;
    least = std::min(least, loss);
  }
  return LawOf(sample, best);
}

IntervalLaw ScaledTo(const std::vector<LeftOutMiss>& misses, const IntervalLaw& like) {
  const double growth = like.seen > 0 ? like.unseen * like.unseen / (like.seen * like.seen) : 0;
  return LawOf(Sample(misses), growth);
}

}  // namespace hwest
