// Horizontal fusion: products and convolutions of one value by constant weights, whose weights lie side by side in one
// kernel. The projections of queries, keys and values are the usual case, the first layers of parallel branches
// another.
#pragma once

#include <memory>
#include <vector>

#include "fuse/guards.h"
#include "fuse/patterns.h"
#include "hwest/group.h"

namespace hwest {

// MergeSiblings makes one group of those that begin with one of the operators of `row.key`, read the same value and
// nothing else but constants, and consist of the same operators with the same attributes; windows have one size. None
// of them can lead to another, since all but the value is constant, so what comes before the first of them comes before
// all. The merged group is `row`'s; the others lose their nodes.
void MergeSiblings(const GuardContext& context, const std::shared_ptr<const PatternRow>& row,
                   IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of);

}  // namespace hwest
