// Nodes that read the same value: one may repeat what another computes, or several may merge into one node.
#pragma once

#include <cstdint>
#include <vector>

#include "fuse/guards.h"
#include "hwest/work.h"

namespace hwest {

// An earlier node of the same body that computes what `node` does, of the same operands; none when there is none, and
// for nodes with MACs, with several outputs, or that draw numbers.
NodeId FindCopy(const GuardContext& context, const WorkMap& work, NodeId node);

// Slices of one value along `axis`, in their order there, that together take each of its elements once; empty when
// `node` is not the earliest of such.
struct Slices {
  std::vector<NodeId> nodes;
  int64_t axis = 0;
};
Slices FindSlices(const GuardContext& context, NodeId node);

}  // namespace hwest
