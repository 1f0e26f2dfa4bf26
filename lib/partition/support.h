// Support: whether a unit's toolchain runs a node, and if not, which stated limit is violated.
#pragma once

#include "absl/status/statusor.h"
#include "cost/model_view.h"
#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest {



// CheckSupport fills one row per unit and node. An op the toolchain does not state is "not stated": no on an
// accelerator, yes on a CPU or where runs_everything is set. A fusion that the toolchain states covers ops it does not
// state one by one: such nodes are noted and run only inside that group (Support::only_in_group). `overlays` may be
// empty. Applies request.deny and request.assume. Errors: kTargetUnknown for a unit, kUsage
// for a node or operator in them that does not exist.
absl::StatusOr<SupportTable> CheckSupport(const ModelView& model, const Target& target,
                                          const Overlays& overlays, const AnalysisRequest& request);

// CheckLimit evaluates one limit; verdict kYes or kNo with found and allowed filled in.
Support CheckLimit(const ModelView& model, NodeId node, const Limit& limit);

}  // namespace hwest
