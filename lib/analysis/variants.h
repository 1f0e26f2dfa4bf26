// Variants: one model on targets that differ from one in figures alone. What depends on the model and the toolchains
// (types, counts, fusions, support) is found once; a variant costs its plan.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/model_cache.h"
#include "analysis/stages.h"

namespace hwest {

// PlanOnVariant fills the workspace's plan as the stage "plan" would on `target`, which has the units, memories and
// toolchains of the workspace's. `overlays` and `support` are those that the stages before it left. Errors: as
// MakePlan.
absl::Status PlanOnVariant(std::shared_ptr<const Target> target, const Overlays& overlays, const SupportTable& support,
                           Workspace& workspace);

// NoteDefaults says which parameters that a target leaves to defaults decide its latency: each is bumped and the model
// planned once more. Nothing where every unit at work states what decides its times, or where finds_best is false.
absl::Status NoteDefaults(Workspace& workspace, const Overlays& overlays, const SupportTable& support);

class Variants {
 public:
  // `request` hands in the target that the others vary (AnalysisRequest::loaded), with or without its mode applied.
  // Errors: as Analyze.
  static absl::StatusOr<std::unique_ptr<Variants>> Make(std::shared_ptr<const Graph> graph,
                                                        const AnalysisRequest& request);

  // The target with its mode in place.
  const Target& base() const { return *base_; }
  // The plan on `target`, valid until the next call. Errors: as PlaceAndPlan.
  absl::StatusOr<const Plan*> PlanOn(std::shared_ptr<const Target> target);
  ModelView model() const { return ViewOf(workspace_); }
  int64_t batch() const { return workspace_.analysis.batch; }
  const Analysis& analysis() const { return workspace_.analysis; }

 private:
  Variants() = default;

  ModelCache cache_;
  TargetTables tables_;
  Workspace workspace_;
  std::shared_ptr<const Target> base_;
  Overlays overlays_;
  SupportTable support_;
};

}  // namespace hwest
