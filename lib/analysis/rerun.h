// Rerun: many analyses of one model that differ only in the target's side of the request; inference runs once.
#pragma once

#include "analysis/stages.h"

namespace hwest {

class Rerun {
 public:
  // Runs the stages that need no target, for the inputs as `request` binds them. Errors: as Analyze.
  static absl::StatusOr<Rerun> Start(std::shared_ptr<const Graph> graph, const AnalysisRequest& request);

  // Plan fills the target's tables for `request`, whose `bind`, `op_rules` and `flops_as` are those of Start. The
  // result lives until the next call. Errors: as Analyze.
  absl::StatusOr<const Analysis*> Plan(const AnalysisRequest& request);

 private:
  Workspace workspace_;
};

}  // namespace hwest
