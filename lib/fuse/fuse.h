// Fusion: which nodes one toolchain runs as one kernel.
//
//   FuseOptions options{.toolchain = ToolchainOf(target, unit)};
//   HWEST_ASSIGN_OR_RETURN(Overlay overlay, Fuse(graph, facts, classes, options));
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/group.h"
#include "hwest/target.h"

namespace hwest {

struct FuseOptions {
  const Toolchain* toolchain = nullptr;  // null = nothing fuses
};

// Fuse puts every node that is not of class shape, constant or view into exactly one group; views inside a match are
// members. `facts` and `classes` are of this graph. The result depends on nothing but the arguments. Errors:
// kTargetInvalid when the toolchain picks a fusion that does not exist.
absl::StatusOr<Overlay> Fuse(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                             const FuseOptions& options);

// Miss is a pattern that nearly matched around a node.
struct Miss {
  std::string pattern;
  NodeId node;         // where it failed
  std::string guard;   // what failed, e.g. "single use", "inference"
  std::string found;   // "second use at Concat_12"
  std::string needed;
  std::string edit;    // smallest change of the model that makes it match
};

// ExplainMisses lists the picked patterns that had matched `node` and at least one other before they failed, in table
// order. Errors: as Fuse.
absl::StatusOr<std::vector<Miss>> ExplainMisses(const Graph& graph, const Facts& facts,
                                                const IdMap<NodeId, NodeClass>& classes, const FuseOptions& options,
                                                NodeId node);

}  // namespace hwest
