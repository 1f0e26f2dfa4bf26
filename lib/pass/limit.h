// Limits: whether a node keeps one of the typed conditions a toolchain states, and if not, what was found instead.
#pragma once

#include <string>
#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/target.h"

namespace hwest {

// LimitContext borrows. Without `dims` only sizes that are constants are known. `precision` is what the unit computes
// in; unset = not decided, which satisfies every limit on it.
struct LimitContext {
  const Graph& graph;
  const Facts& facts;
  const IdMap<NodeId, NodeClass>& classes;
  DimPool* dims = nullptr;
  Num precision = Num::kUnset;
};

enum class LimitOutcome : uint8_t {
  kHolds,  // or does not apply
  kViolated,
  kUnread,  // asks for contents that are not known before run time or were not read
};

// found and allowed are for people and empty when the limit holds: "9", "at most 7".
struct LimitCheck {
  LimitOutcome outcome = LimitOutcome::kHolds;
  std::string found;
  std::string allowed;
};

LimitCheck CheckLimit(const LimitContext& context, NodeId node, const Limit& limit);

// AllHold is false when some limit is violated or unread.
bool AllHold(const LimitContext& context, NodeId node, const std::vector<Limit>& limits);

// LimitWords says what a limit measures and where it counts, in words: "kernel size", "rank of input 0",
// "stride, with kernel size at least 8".
std::string LimitWords(const Limit& limit);

}  // namespace hwest
