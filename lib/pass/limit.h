// Limits: whether a node keeps one of the typed conditions a toolchain states, and if not, what was found instead.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/target.h"
#include "pass/size_questions.h"

namespace hwest {

// LimitContext borrows. Without `dims` only sizes that are constants are known. `precision` is what the unit computes
// in; unset = not decided, which satisfies every limit on it.
struct LimitContext {
  const Graph& graph;
  const Facts& facts;
  const IdMap<NodeId, NodeClass>& classes;
  DimPool* dims = nullptr;
  Num precision = Num::kUnset;
  const IdMap<NodeId, Num>* precisions = nullptr;  // of single nodes, in place of `precision` where set; may be null
  SizeQuestions* asked = nullptr;                  // receives limits that may follow sizes; may be null
  NodeId core;                                     // of the fusion whose limits are asked; none = the node itself
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

// Whether a limit, or a condition of one, asks for the precision.
bool AsksPrecision(const std::vector<Limit>& limits);
template <class Row>  // Pick, SupportRow
bool AsksPrecision(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return AsksPrecision(row.limits); });
}

LimitCheck CheckLimit(const LimitContext& context, NodeId node, const Limit& limit);

// AllHold is false when some limit is violated or unread.
bool AllHold(const LimitContext& context, NodeId node, const std::vector<Limit>& limits);

// LimitWords says what a limit measures and where it counts, in words: "kernel size", "rank of input 0",
// "stride, with kernel size at least 8".
std::string LimitWords(const Limit& limit);

}  // namespace hwest
