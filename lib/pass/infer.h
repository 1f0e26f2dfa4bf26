// Infer finds type, shape and known contents of every value in one sweep over the nodes. It repeats bodies that run
// more than once until the result holds in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/bind.h"

namespace hwest {

class OpRules;
class Follower;

struct InferStats {
  int64_t looks = 0;  // visits of nodes; more than nodes where bodies were looked at again
};

struct InferOptions {
  const Follower* follower = nullptr;  // constants that hold the exported sizes are followed, see pass/follower.h
  const OpRules* rules = nullptr;      // of custom operators
  InferStats* stats = nullptr;         // filled when given
};

// Infer never fails: a value a rule cannot type stays unknown and names the node that blocks it. Declared types fill
// what inference leaves open; where both are known and differ the inferred one wins and is reported.
Facts Infer(const Graph& graph, const BoundInputs& bound, DimPool& dims, std::vector<Diagnostic>& diagnostics,
            const InferOptions& options = {});

// True when the value's element type and every dim are known (for tensors; other kinds: the kind is known).
bool IsTyped(const ValueFact& fact);

}  // namespace hwest
