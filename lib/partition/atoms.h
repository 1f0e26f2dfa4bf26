// Atoms: the smallest sets of nodes that placement assigns to a unit, in the fixed order of execution.
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
  std::vector<Atom> atoms;          // topological: depth first, or see WidthFirst
  IdMap<NodeId, uint32_t> atom_of;  // kNone for nodes that are not kernels
};

// BuildAtoms joins nodes that share a runnable group on any unit, and atoms that depend on each other both ways. It
// splits an atom that no accelerator runs whole into the groups of the accelerator that runs most of it; nodes in no
// group yet, or that would make a cycle, become single.
Atoms BuildAtoms(const ModelView& model, const Target& target, const Usable& usable);

// A group as it runs on a unit: one of its overlay's, or a node whose overlay group is incomplete here.
struct GroupRef {
  GroupId overlay_group;  // none for a single node
  NodeId node;            // set when it is a single node
};

// AddGroupsOn appends the groups in which `atom` runs on unit `unit`, in execution order.
void AddGroupsOn(const ModelView& model, const Usable& usable, const Atoms& atoms, uint32_t atom, size_t unit,
                 std::vector<GroupRef>* refs);

}  // namespace hwest
