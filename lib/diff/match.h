// Which node of one model is which of another: by what they do and where they stand, by names only where that leaves a
// choice.
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

// MatchNodes pairs nodes in steps, each of which takes only pairs that nothing else competes with: equal in all they
// compute from (what is before an edit) and in all that is computed from them (what is behind it), then with attributes
// and types left aside, then by names, then next to pairs that are found, then in the order in which the rest stands.
// Last, a node that stands between the same neighbours is the same with another operator. MatchNodes(b, a) is the same
// the other way round. Linear but for sorting, and for what stands in another order: at most kMostEdits steps through
// it.
NodeMatch MatchNodes(const DiffSide& a, const DiffSide& b);

}  // namespace hwest
