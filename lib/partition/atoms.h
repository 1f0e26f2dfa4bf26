// Atoms: the smallest sets of nodes that placement decides on, in the fixed order of execution.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "partition/usable.h"

namespace hwest {

struct Atom {
  using Nodes = absl::InlinedVector<NodeId, 2>;
  using Feasible = absl::InlinedVector<uint8_t, 8>;
  Nodes nodes;        // kernel nodes, ascending
  Feasible feasible;  // by unit of Usable
};

struct Atoms {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<Atom> atoms;          // depth-first topological order
  IdMap<NodeId, uint32_t> atom_of;  // kNone for nodes that are no kernels
};

// BuildAtoms joins what any unit's runnable groups hold together. Atoms that depend on each other both ways are joined
// too. One that no accelerator runs whole is split into the groups of the accelerator that runs most of it; what is
// in no group yet, or would make a cycle, is split into nodes.
Atoms BuildAtoms(const ModelView& model, const Target& target, const Usable& usable);

// A group as it runs on a unit: one of its overlay's, or a node whose overlay group is not whole here.
struct GroupRef {
  GroupId overlay_group;  // none for a single node
  NodeId node;            // set when it is a single node
};

// AddGroupsOn appends the groups that `atom` runs as on unit `unit`, in execution order.
void AddGroupsOn(const ModelView& model, const Usable& usable, const Atoms& atoms, uint32_t atom, size_t unit,
                 std::vector<GroupRef>* refs);

}  // namespace hwest
