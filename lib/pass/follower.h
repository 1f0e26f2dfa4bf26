// Followers: constants of a file hold its own sizes; inference at others asks a follower what they would be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

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
  // Contents of the operand that decides the node's shape, as they would be; none when the node has no such operand or
  // nothing in it changes.
  virtual std::optional<Followed> Follow(NodeId node, const Facts& now) const = 0;
  // For a node that refused its operands: gives the other size to those that lack it. False when there is none.
  virtual bool Widen(NodeId node, Facts* now) const = 0;
};

// Sizes of a tensor; none unless every dim is constant.
std::optional<std::vector<int64_t>> ConstantSizes(const Type& type);
// Integers of a shape operand; none unless all are constant.
std::optional<std::vector<int64_t>> ConstantIntegers(const Known& known);

}  // namespace hwest
