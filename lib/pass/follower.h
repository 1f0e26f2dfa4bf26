// Followers: a file's constants hold its own sizes; a follower says what they would be at other sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

class Follower {
 public:
  struct Followed {
    size_t input = 0;
    Known contents;
  };

  virtual ~Follower() = default;
  // Before the node's rule: gives operands the sizes that they have in the file that is followed, where these are not
  // the file's own.
  virtual void Prepare(NodeId node, Facts* now) const = 0;
  // Contents of the operand that decides the node's shape, as they would be; none when the node has no such operand or
  // nothing in it changes.
  virtual std::optional<Followed> Follow(NodeId node, const Facts& now) const = 0;
  // For a node that refused its operands: gives the other size to those that lack it. False when there is none.
  virtual bool Widen(NodeId node, Facts* now) const = 0;
};

// What an export at other sizes has where the file has its own.
struct SizeChanges {
  struct Axis {
    ValueId value;
    int axis = 0;
    int64_t before = 0, now = 0;
  };
  absl::flat_hash_map<NodeId, Follower::Followed> operands;  // of nodes: the one that decides the shape
  absl::flat_hash_map<NodeId, std::vector<Axis>> widened;    // operands of nodes with one entry for each position
};

// Sizes of a tensor; none unless every dim is constant.
std::optional<std::vector<int64_t>> ConstantSizes(const Type& type);
// Integers of a shape operand; none unless all are constant.
std::optional<std::vector<int64_t>> ConstantIntegers(const Known& known);

}  // namespace hwest
