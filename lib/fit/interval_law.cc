#include "fit/interval_law.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hwest {
namespace {

constexpr double kCoverage = 0.8;
constexpr double kHighestLevel = 0.85;
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

// Rows of one family resemble each other: the weight of a family grows with the root of their number.
std::vector<double> WeightsOf(const std::vector<LeftOutMiss>& misses, size_t* families) {
  std::map<std::string, double> rows;
  for (const LeftOutMiss& miss : misses) rows[miss.family] += 1;
  *families = rows.size();
  std::vector<double> weights;
  for (const LeftOutMiss& miss : misses) weights.push_back(1 / std::sqrt(rows.at(miss.family)));
  return weights;
}

// One more family than those seen has to fit in, so their share is taken that much higher; few families would ask for an
// interval that fits everything and says nothing.
double LevelFor(size_t families) {
  return std::min(kHighestLevel, kCoverage * (1 + 1 / static_cast<double>(std::max<size_t>(families, 1))));
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

double Widening(double growth, double share) { return std::sqrt(1 + growth * share); }

double BaseFor(const std::vector<LeftOutMiss>& misses, const std::vector<double>& weights, double growth, double level) {
  std::vector<Scored> scored;
  for (size_t i = 0; i < misses.size(); ++i) {
    scored.push_back({misses[i].ln_error / Widening(growth, misses[i].unseen), weights[i]});
  }
  return QuantileOf(std::move(scored), level);
}

// What quantile regression makes small.
double LossOf(const std::vector<LeftOutMiss>& misses, const std::vector<double>& weights, double base, double growth,
              double level) {
  double loss = 0;
  for (size_t i = 0; i < misses.size(); ++i) {
    const double over = misses[i].ln_error - base * Widening(growth, misses[i].unseen);
    loss += weights[i] * (over > 0 ? level * over : (level - 1) * over);
  }
  return loss;
}

IntervalLaw LawOf(double base, double growth) { return {.seen = base, .unseen = base * std::sqrt(growth)}; }

}  // namespace

double IntervalLaw::HalfWidth(double share) const { return std::sqrt(seen * seen + share * unseen * unseen); }

IntervalLaw FitIntervalLaw(const std::vector<LeftOutMiss>& misses) {
  size_t families = 0;
  const std::vector<double> weights = WeightsOf(misses, &families);
  const double level = LevelFor(families);
  const auto loss_at = [&](double growth) {
    return LossOf(misses, weights, BaseFor(misses, weights, growth, level), growth, level);
  };
  double best = kUsualGrowth, least = loss_at(kUsualGrowth) * (1 - kLeastGain);
  for (const double growth : kGrowths) {
    const double loss = loss_at(growth);
    if (loss < least) best = growth;
    least = std::min(least, loss);
  }
  return LawOf(BaseFor(misses, weights, best, level), best);
}

IntervalLaw ScaledTo(const std::vector<LeftOutMiss>& misses, const IntervalLaw& like) {
  size_t families = 0;
  const std::vector<double> weights = WeightsOf(misses, &families);
  const double growth = like.seen > 0 ? like.unseen * like.unseen / (like.seen * like.seen) : 0;
  return LawOf(BaseFor(misses, weights, growth, LevelFor(families)), growth);
}

}  // namespace hwest
