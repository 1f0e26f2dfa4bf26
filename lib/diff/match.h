// Matches the nodes of two models: by what they compute and where they stand, by names only where that leaves a choice.
#pragma once

#include <cstdint>
#include <vector>

#include "diff/side.h"

namespace hwest {

inline constexpr int64_t kMostEdits = 2000;

struct NodeMatch {
  std::vector<int64_t> b_of_a;  // by id; -1 = none
  std::vector<int64_t> a_of_b;
};

// MatchNodes pairs nodes in steps; each step takes only pairs without a competitor: first nodes equal in everything
// they are computed from (before an edit) and everything computed from them (after it), then the same ignoring
// attributes and types, then by names, then next to found pairs, then in the order of the rest. Last, it pairs nodes of
// different operators between the same neighbours. MatchNodes(b, a) gives the same pairs reversed. Takes linear time,
// except for sorting and for reordered nodes: at most kMostEdits steps through those.
NodeMatch MatchNodes(const DiffSide& a, const DiffSide& b);

}  // namespace hwest
