// What a decoder's graph is made of, whichever exporter wrote it: products with weights, cores (attention over a cache,
// or an update of a state) and the order of layers. It asks for sizes of contractions and roles of operands, never for
// names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "hwest/analysis.h"

namespace hwest {

// One node that multiplies activations with matrices of the file.
struct Product {
  NodeId node;
  int64_t used = 0;                 // elements of weights that one token uses
  int64_t stored = 0;               // elements that the file holds
  int64_t rows = 0;                 // of activations
  int64_t n = 0, k = 0;             // of the largest one
  int64_t width = 0;                // between two products of one node: of an expert
  int64_t experts = 0, active = 0;  // 0 = dense
  ValueId input;                    // activations
  int core = -1;                    // of which it makes the inputs, or takes the result; -1 = none
  bool is_head = false;             // makes logits
};

// Nodes between products that look back at what earlier tokens left.
struct Core {
  std::vector<NodeId> seeds;    // products of two activations, and nodes that read a state; ascending
  std::vector<int> before;      // products that make its operands
  std::vector<int> after;       // products that take its result
  std::vector<int> inside;      // products that only it depends on, before those
  std::vector<ValueId> inputs;  // of the graph that it reads, floating point ones
};

// A table of the file that rows are picked from.
struct RowTable {
  NodeId node;
  ValueId table;
  int64_t rows = 0, width = 0;
};

struct DecoderStructure {
  std::vector<Product> products;
  std::vector<Core> cores;  // in the order of layers
  std::vector<RowTable> tables;
  std::vector<NodeId> nodes;  // that run, of the branch with a cache where the graph has branches
  absl::flat_hash_map<NodeId, int> core_of;
  absl::flat_hash_map<NodeId, int> level;  // cores before a node; a core's own nodes count it
  absl::flat_hash_set<NodeId> of_head;     // what makes logits and what follows it
  int64_t tokens = 1;                      // of a step, where every size that the file leaves open is 1
};

// FindStructure looks at an analysis without a target.
DecoderStructure FindStructure(const Analysis& analysis);

// A size with every open one at 1; none = not known.
std::optional<int64_t> SizeAtOne(const Analysis& analysis, Dim dim);
// The constant of the file behind `value`, through nodes that are folded; none where it is computed from activations.
ConstantId StoredConstant(const Graph& graph, ValueId value);

}  // namespace hwest
