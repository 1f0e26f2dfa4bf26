// Support: whether a unit's toolchain runs a node, and if not, which stated limit is violated.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/bounded_cache.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest {

using UnitPrecisions = IdMap<UnitId, std::optional<UnitPrecision>>;

// What the support of one model depends on. Overlays are those of an OverlayCache beside the SupportCache.
struct SupportKey {
  std::string toolchain;
  bool is_cpu = false;
  Num precision = Num::kUnset;
  std::shared_ptr<const Overlay> overlay;

  bool operator==(const SupportKey&) const = default;
};
using SupportCache = BoundedCache<SupportKey, SharedMap<NodeId, Support>>;

// CheckSupport fills one row per unit and node. An op the toolchain does not state is "not stated": no on an
// accelerator, yes on a CPU or where runs_everything is set. A fusion that the toolchain states covers ops it does not
// state one by one: such nodes are noted and run only inside that group (Support::only_in_group). A limit that is only
// advice, or that asks for contents not known here, leaves the node noted. `overlays` and `precisions` may be empty.
// Applies request.deny and request.assume. Errors: kTargetUnknown for a unit, kUsage for a node or operator in them
// that does not exist. Rows of built-in toolchains are taken from `known` and kept there, if it is not null.
absl::StatusOr<SupportTable> CheckSupport(const ModelView& model, const Target& target, const Overlays& overlays,
                                          const AnalysisRequest& request, const UnitPrecisions& precisions = {},
                                          SupportCache* known = nullptr);

}  // namespace hwest
