// Groups: what one toolchain runs as one kernel. An overlay never changes the graph; it is sets of NodeIds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "hwest/id.h"

namespace hwest {

struct PatternRow;  // lib/target/patterns.h

// Group is a set of nodes that run as one kernel. An unfused node is a group of one, with its op name as the pattern.
// Views in the middle of a match are members; other views, shape arithmetic and constants are in no group.
struct Group {
  using Nodes = absl::InlinedVector<NodeId, 4>;
  using Values = absl::InlinedVector<ValueId, 4>;

  absl::string_view pattern;                 // of the strings of `fusion` or of the graph
  std::shared_ptr<const PatternRow> fusion;  // the row that made it, alive with its file of patterns; null = none did
  Nodes nodes;                               // ascending
  NodeId root;                               // the node whose output the group is for
  Values inputs;                             // values read from outside, constants included, ascending, no duplicates
  Values outputs;                            // values used outside or graph outputs, ascending
};

// Access is a value that a group reads from outside or writes for others: the root of its bytes, views looked through.
struct Access {
  ValueId value;
  std::optional<int64_t> bytes;  // as deployed at the precision of the group; none = not known
};
using Accesses = absl::InlinedVector<Access, 1>;

struct Overlay {
  std::string toolchain;
  IdMap<GroupId, Group> groups;     // topological: in order of the first node whose output leaves the group
  IdMap<NodeId, GroupId> group_of;  // none for nodes in no group
};
// By unit; units of one toolchain share an overlay.
using Overlays = IdMap<UnitId, std::shared_ptr<const Overlay>>;

}  // namespace hwest
