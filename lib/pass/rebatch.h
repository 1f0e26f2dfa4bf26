// Re-batching: a static export has its batch written into the operands of Reshape, Expand, Resize and Slice nodes, and
// into constants that were expanded to it. Inference at another batch follows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/bind.h"
#include "pass/follower.h"

namespace hwest {

class OpRules;

// Rebatch compares a node's operands with what they were at the exported batch. An axis carries the batch when its size
// has grown by the ratio of both batches.
class Rebatch final : public Follower {
 public:
  // `before` are the facts at the exported batch `from`; both must outlive this.
  Rebatch(const Graph& graph, const Facts& before, int64_t from, int64_t to)
      : graph_(graph), before_(before), from_(from), to_(to) {}

  std::optional<Followed> Follow(NodeId node, const Facts& now) const override;
  // Those widened come from constants that the exporter expanded: they are as they were on an axis where another one, of
  // the same size before, carries the batch.
  bool Widen(NodeId node, Facts* now) const override;

 private:
  std::optional<int64_t> Scaled(int64_t size) const;
  bool Carries(ValueId value, int axis, const Facts& now) const;
  std::optional<std::vector<int64_t>> OldShape(ValueId value) const;
  std::optional<size_t> OnlyBatchedAxis(ValueId value, const Facts& now) const;
  std::optional<size_t> BatchedAxis(ValueId data, const Facts& now, const std::vector<int64_t>& target) const;
  std::optional<Followed> FollowTarget(NodeId node, size_t input, const Facts& now) const;
  std::optional<Followed> FollowSizes(NodeId node, size_t input, const Facts& now) const;
  std::optional<Followed> FollowEnds(NodeId node, size_t input, const Facts& now) const;
  bool HasBatchedPeer(NodeId node, ValueId value, int axis_from_end, const Facts& now) const;
  bool OnlyOtherSizes(ValueId value, const Facts& now) const;
  bool RepeatsAlong(ValueId value, size_t axis) const;

  const Graph& graph_;
  const Facts& before_;
  const int64_t from_;
  const int64_t to_;
};

// InferBound is Infer for inputs bound by `request`, at whatever batch it asks for; `dims` is the pool they were bound in.
// A batch of 1 that a static export cannot take leaves `bound` as exported. Errors: kBindConflict when the file cannot
// work on that many images, naming the first node that works at the exported batch only, where it is one.
absl::StatusOr<Facts> InferBound(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims,
                                 std::vector<Diagnostic>& diagnostics, const OpRules* rules = nullptr);

struct BatchDecision {
  int64_t images = 1;   // of one run
  std::string missing;  // why the file has no batch; empty when it has one
};

// DecideBatch says how many images the run is for that `facts` and `diagnostics` describe. Where neither the name of the
// dim nor --batch on a static export has stated, it infers once more, at twice the size: a batch is what some output
// follows and what the work follows in proportion.
BatchDecision DecideBatch(const Graph& graph, const BindRequest& request, const BoundInputs& bound, const Facts& facts,
                          const DimPool& dims, const std::vector<Diagnostic>& diagnostics, const OpRules* rules = nullptr);

}  // namespace hwest
