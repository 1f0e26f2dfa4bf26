// Searches of a space: every point, or simulated annealing within a budget of points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "explore/evaluate.h"
#include "explore/space.h"

namespace hwest {

enum class SearchBy : uint8_t { kEveryPoint, kAnneal };

// What a search may ask. Points are evaluated once each; those it returns are in the order of the space.
struct SearchCalls {
  absl::FunctionRef<ExplorePoint(const GridPoint&)> evaluate;  // with constraints and score
  absl::FunctionRef<bool()> goes_on;                           // asked before each
};

std::vector<ExplorePoint> SearchGrid(const Space& space, const SearchCalls& calls);

// SearchAnneal walks from several starts, one step along one axis at a time, and ends each walk at a point that no step
// betters. Points that break a constraint are worse than all that keep them, by how far they break it; it draws numbers
// from a fixed seed. With a budget for the whole space it is SearchGrid.
std::vector<ExplorePoint> SearchAnneal(const Space& space, size_t budget, const SearchCalls& calls);

// The best of the points: the least score of those that keep the constraints, the first of equals; null = none does.
const ExplorePoint* BestOf(const std::vector<ExplorePoint>& points);

}  // namespace hwest
