// Finds the nodes that a profiler's kernel name stands for.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"

namespace hwest {

// KernelNames knows the nodes of a graph by name, and by the names of their outputs. A name that several nodes have
// stands for none of them.
class KernelNames {
 public:
  explicit KernelNames(const Graph& graph);

  // Ascending; empty = no node of the graph.
  std::vector<NodeId> NodesOf(absl::string_view kernel) const;

  // The first and the last node of what TensorRT hands to another compiler as a whole: "{ForeignNode[FIRST...LAST]}".
  std::optional<std::pair<NodeId, NodeId>> RangeOf(absl::string_view kernel) const;

 private:
  NodeId Find(absl::string_view name) const;     // none when no node, or several, are called so
  NodeId Resolve(absl::string_view name) const;  // as Find, in the spellings of runtimes

  absl::flat_hash_map<absl::string_view, NodeId> nodes_, outputs_;
};

}  // namespace hwest
