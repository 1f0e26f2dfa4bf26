#include "explore/search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr uint64_t kSeed = 20140209;  // any number
// Of the budget for one walk; several starts find what a single walk would miss.
constexpr size_t kWalks = 8;
// In ln of the score: a step to twice the score is taken in one of three cases at first, hardly ever at the end.
constexpr double kHot = 0.7, kCold = 0.01;
// A constraint that is broken counts more than any score.
constexpr double kPenalty = 1e3;

class Annealer {
 public:
  Annealer(const Space& space, size_t budget, const SearchCalls& calls)
      // NOLINTNEXTLINE(bugprone-random-generator-seed): the same request finds the same points
      : space_(space), budget_(budget), calls_(calls), random_(kSeed) {}

  std::vector<ExplorePoint> Run() && {
    const size_t each = std::max<size_t>(budget_ / kWalks, space_.axes().size() * 2);
    for (size_t walk = 0; GoesOn(); ++walk) Walk(walk == 0 ? Middle() : Anywhere(), each);
    std::vector<ExplorePoint> points;
    for (auto& [index, point] : seen_) points.push_back(std::move(point));
    return points;
  }

 private:
  bool GoesOn() const { return seen_.size() < budget_ && calls_.goes_on(); }

  // Distributions of the standard library differ between its versions, so numbers are taken by hand.
  size_t Below(size_t count) { return static_cast<size_t>(random_() % count); }
  double Share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  GridPoint Middle() const {
    GridPoint point;
    for (const Space::Axis& axis : space_.axes()) point.push_back(static_cast<uint32_t>(axis.values.size() / 2));
    return point;
  }
  GridPoint Anywhere() { return space_.At(Below(space_.size())); }

  // None = the budget is used up.
  std::optional<double> CostOf(const GridPoint& point) {
    const size_t index = space_.IndexOf(point);
    auto at = seen_.find(index);
    if (at == seen_.end()) {
      if (!GoesOn()) return std::nullopt;
      at = seen_.emplace(index, calls_.evaluate(point)).first;
    }
    const ExplorePoint& row = at->second;
    if (!row.score.has_value()) return std::numeric_limits<double>::infinity();
    return portable::Log(*row.score) + (row.keeps ? 0 : kPenalty + row.broken_by);
  }

  GridPoint Step(const GridPoint& from) {
    GridPoint to = from;
    std::vector<size_t> free;
    for (size_t i = 0; i < from.size(); ++i) {
      if (space_.axes()[i].values.size() > 1) free.push_back(i);
    }
    const size_t axis = free[Below(free.size())];
    const auto last = static_cast<uint32_t>(space_.axes()[axis].values.size() - 1);
    const bool is_up = from[axis] == 0 || (from[axis] < last && Below(2) == 0);
    to[axis] = is_up ? from[axis] + 1 : from[axis] - 1;
    return to;
  }

  void Walk(GridPoint at, size_t steps) {
    std::optional<double> cost = CostOf(at);
    const double cooling = portable::Pow(kCold / kHot, 1.0 / static_cast<double>(steps));
    double heat = kHot;
    for (size_t i = 0; i < steps && cost.has_value(); ++i, heat *= cooling) {
      const GridPoint next = Step(at);
      const std::optional<double> next_cost = CostOf(next);
      if (!next_cost.has_value()) return;
      if (*next_cost > *cost && !(Share() < portable::Exp((*cost - *next_cost) / heat))) continue;
      at = next;
      cost = next_cost;
    }
    if (cost.has_value()) Descend(std::move(at), *cost);
  }

  // Steps along each axis, to any of its values, as long as one is better.
  void Descend(GridPoint at, double cost) {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t axis = 0; axis < at.size(); ++axis) {
        for (uint32_t value = 0; value < space_.axes()[axis].values.size(); ++value) {
          GridPoint next = at;
          next[axis] = value;
          const std::optional<double> next_cost = CostOf(next);
          if (!next_cost.has_value()) return;
          if (!(*next_cost < cost)) continue;
          at = std::move(next);
          cost = *next_cost;
          moved = true;
        }
      }
    }
  }

  const Space& space_;
  const size_t budget_;
  const SearchCalls& calls_;
  std::mt19937_64 random_;
  std::map<size_t, ExplorePoint> seen_;  // by place in the space
};

}  // namespace

std::vector<ExplorePoint> SearchGrid(const Space& space, const SearchCalls& calls) {
  std::vector<ExplorePoint> points;
  for (size_t i = 0; i < space.size() && calls.goes_on(); ++i) points.push_back(calls.evaluate(space.At(i)));
  return points;
}

std::vector<ExplorePoint> SearchAnneal(const Space& space, size_t budget, const SearchCalls& calls) {
  if (budget >= space.size()) return SearchGrid(space, calls);
  return Annealer(space, budget, calls).Run();
}

const ExplorePoint* BestOf(const std::vector<ExplorePoint>& points) {
  const ExplorePoint* best = nullptr;
  for (const ExplorePoint& point : points) {
    if (!point.keeps || !point.score.has_value()) continue;
    if (best == nullptr || *point.score < *best->score) best = &point;
  }
  return best;
}

}  // namespace hwest
