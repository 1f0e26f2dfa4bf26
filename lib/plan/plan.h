// The plan: where every group runs, when, and what the model costs as a whole.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "base/bounded_cache.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/analysis.h"
#include "partition/support.h"

namespace hwest {

struct GroupKey;  // plan/run_group.h
struct GroupTable;
struct FrameKey;  // plan/frame.h
struct PlacementFrame;

// PlanInput borrows. `overlays`, `precisions` and `support` have one row per unit of `target` (mode applied).
// `runs[body]` is how often a body runs per inference: 1 for the main graph, the assumed trip count for a loop body,
// 0 for the branches of an If that are not the most expensive. Empty = 1 everywhere.
struct PlanInput {
  ModelView model;
  const IdMap<GraphId, int64_t>& runs;
  const Target& target;
  const Overlays& overlays;
  const IdMap<UnitId, std::optional<UnitPrecision>>& precisions;
  const SupportTable& support;
  const AnalysisRequest& request;
  int64_t batch = 1;        // independent inputs of one run
  bool finds_best = false;  // beside a plan of the toolchain's, see Plan::best_latency_s
  // Of the same model at the same sizes; may be null.
  BoundedCache<GroupKey, GroupTable>* known_groups = nullptr;
  BoundedCache<FrameKey, PlacementFrame>* known_frames = nullptr;
};

// PlaceAndPlan places every kernel node, orders the groups and adds everything up, as the toolchain of the target's
// accelerator does (see plan/policy.h) or, where that is left to the costs, so that the result is never worse than the
// plan of any one unit with the CPU, but for a discrete host that is held back (see partition/host.h). Who is not first
// in turn runs what the others cannot, and where limits of toolchains leave no such plan, as little more as possible.
// With request.power_cap_w it is the fastest whose energy over latency keeps the cap; with request.overlap it is timed
// once more with independent branches side by side. Errors: kTargetUnknown and kUsage for units and nodes of the
// request that do not exist; kUsage for a pin that the unit does not support, for limits that no placement keeps and
// for a cap below the least power that one reaches.
//
// `largest` is the same model with data-dependent sizes at their largest value; null = it has none. The plan's peak
// memory and the upper end of its size range are those of the same placement at these sizes.
absl::StatusOr<Plan> PlaceAndPlan(const PlanInput& input, const PlanInput* largest = nullptr);

}  // namespace hwest
