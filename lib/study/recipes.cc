#include "study/recipes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace hwest {
namespace {

constexpr size_t kFollowed = 3;   // sets at once
constexpr size_t kMostOfOne = 2;  // settings of one kind that are tried beside others
constexpr size_t kMostSettings = 4;
constexpr double kMostLoss = 0.25;  // of the latency: what costs more alone pays beside nothing
constexpr double kAlike = 1e-9;

struct Found {
  std::vector<size_t> set;
  double latency_s = 0;
};

// Of each kind the fastest alone, fastest first; neither what costs much alone nor what changes nothing.
std::vector<size_t> Promising(const std::vector<RecipePart>& settings, double base_s, AccuracyRisk most) {
  std::vector<size_t> order, kept;
  for (size_t i = 0; i < settings.size(); ++i) {
    const double change_s = settings[i].latency_s - base_s;
    const bool is_idle = std::abs(change_s) <= kAlike * base_s || change_s > kMostLoss * base_s;
    if (settings[i].risk <= most && !is_idle) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return settings[a].latency_s < settings[b].latency_s; });
  std::map<std::string, size_t> of_one;
  for (const size_t i : order) {
    if (++of_one[settings[i].of] <= kMostOfOne) kept.push_back(i);
  }
  return kept;
}

bool Sets(const std::vector<RecipePart>& settings, const std::vector<size_t>& set, const std::string& of) {
  return std::any_of(set.begin(), set.end(), [&](size_t i) { return settings[i].of == of; });
}

void KeepBest(std::vector<Found>* sets) {
  std::stable_sort(sets->begin(), sets->end(),
                   [](const Found& a, const Found& b) { return a.latency_s < b.latency_s; });
  if (sets->size() > kFollowed) sets->resize(kFollowed);
}

// Leaves out what hardly helps beside the others, the least helpful first.
Found WithoutIdle(Found found, double base_s, const LatencyOfSet& latency_of) {
  while (found.set.size() > 1) {
    Found least;
    for (size_t i = 0; i < found.set.size(); ++i) {
      Found fewer{found.set, 0};
      fewer.set.erase(fewer.set.begin() + static_cast<std::ptrdiff_t>(i));
      const std::optional<double> latency_s = latency_of(fewer.set);
      if (!latency_s.has_value()) continue;
      fewer.latency_s = *latency_s;
      if (least.set.empty() || fewer.latency_s < least.latency_s) least = std::move(fewer);
    }
    if (least.set.empty() || least.latency_s - found.latency_s >= kLeastSaving * base_s) break;
    found = std::move(least);
  }
  return found;
}

}  // namespace

std::vector<size_t> BestSet(const std::vector<RecipePart>& settings, double base_s, AccuracyRisk most,
                            const LatencyOfSet& latency_of) {
  const std::vector<size_t> promising = Promising(settings, base_s, most);
  Found best{{}, base_s}, single{{}, base_s};
  std::vector<Found> followed;
  for (const size_t i : promising) followed.push_back({{i}, settings[i].latency_s});
  KeepBest(&followed);
  if (!followed.empty() && followed[0].latency_s < best.latency_s) best = single = followed[0];
  std::set<std::vector<size_t>> tried;
  for (size_t size = 2; size <= kMostSettings && !followed.empty(); ++size) {
    std::vector<Found> larger;
    for (const Found& from : followed) {
      for (const size_t i : promising) {
        if (Sets(settings, from.set, settings[i].of)) continue;
        Found next{from.set, 0};
        next.set.insert(std::upper_bound(next.set.begin(), next.set.end(), i), i);
        if (!tried.insert(next.set).second) continue;
        const std::optional<double> latency_s = latency_of(next.set);
        if (!latency_s.has_value()) continue;
        next.latency_s = *latency_s;
        larger.push_back(std::move(next));
      }
    }
    KeepBest(&larger);
    if (!larger.empty() && larger[0].latency_s < best.latency_s) best = larger[0];
    followed = std::move(larger);
  }
  best = WithoutIdle(std::move(best), base_s, latency_of);
  return best.latency_s <= single.latency_s ? best.set : single.set;
}

}  // namespace hwest
