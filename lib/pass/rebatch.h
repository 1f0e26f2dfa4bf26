// Re-batching: a static export has its batch written into the operands of Reshape, Expand, Resize and Slice nodes, and
// into constants that were expanded to it. Inference at another batch follows them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/follower.h"

namespace hwest {

// Rebatch compares a node's operands with what they were at the exported batch. An axis carries the batch when its size
// has grown by the ratio of both batches.
class Rebatch final : public Follower {
 public:
  // `before` are the facts at the exported batch `from`, `sizes` what their other sizes changed. All must outlive this.
  Rebatch(const Graph& graph, const Facts& before, const SizeChanges& sizes, int64_t from, int64_t to)
      : graph_(graph), before_(before), sizes_(sizes), from_(from), to_(to) {}

  void Prepare(NodeId node, Facts* now) const override;
  std::optional<Followed> Follow(NodeId node, const Facts& now) const override;
  // Those widened come from constants that the exporter expanded: they are as they were on an axis where another one,
  // of the same size before, carries the batch.
  bool Widen(NodeId node, Facts* now) const override;

 private:
  std::optional<int64_t> Scaled(int64_t size) const;
  bool Carries(ValueId value, int axis, const Facts& now) const;
  std::optional<std::vector<int64_t>> OldShape(ValueId value) const;
  std::optional<size_t> OnlyBatchedAxis(ValueId value, const Facts& now) const;
  std::optional<size_t> BatchedAxis(ValueId data, const Facts& now, const std::vector<int64_t>& target) const;
  Known Written(NodeId node, size_t input, const Facts& now) const;
  bool Holds(ValueId data, const Known& target, const Facts& now) const;
  Known FollowTarget(NodeId node, const Known& operand, const Facts& now) const;
  Known FollowSizes(NodeId node, const Known& operand, const Facts& now) const;
  Known FollowEnds(NodeId node, size_t input, const Known& operand, const Facts& now) const;
  bool HasBatchedPeer(NodeId node, ValueId value, int axis_from_end, const Facts& now) const;
  bool RepeatsAlong(ValueId value, size_t axis) const;

  const Graph& graph_;
  const Facts& before_;
  const SizeChanges& sizes_;
  const int64_t from_;
  const int64_t to_;
};

}  // namespace hwest
