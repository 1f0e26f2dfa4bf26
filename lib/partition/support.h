// Support: whether a unit's toolchain runs a node, and if not, which stated limit it violates.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "base/bounded_cache.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/analysis.h"
#include "hwest/support.h"
#include "hwest/target.h"
#include "pass/size_questions.h"

namespace hwest {

using UnitPrecisions = IdMap<UnitId, std::optional<UnitPrecision>>;

// What the support of one model depends on. Overlays belong to an OverlayCache beside the SupportCache.
struct SupportKey {
  std::string toolchain;
  bool is_cpu = false;
  Num precision = Num::kUnset;
  std::shared_ptr<const Overlay> overlay;

  bool operator==(const SupportKey&) const = default;
};
using SupportCache = BoundedCache<SupportKey, SharedMap<NodeId, Support>>;

// How the verdict on a node is known, of the toolchain that gave it; none where nothing is stated.
std::optional<EvidenceKind> EvidenceOf(const Graph& graph, NodeId node, const Toolchain* toolchain,
                                       const Support& support);

// Says what decided, e.g. "rank of input 0: 5, needs at most 4 (list: tidl-ops)".
std::string SupportText(const Support& support, std::optional<EvidenceKind> evidence);

// CheckSupport fills one row per unit and node. An op that the toolchain does not state is "not stated": no on an
// accelerator, yes on a CPU or with runs_everything. A stated fusion covers ops that are not stated singly: such nodes
// are noted and run only inside that group (Support::only_in_group). A limit that is only advice, or that needs
// contents unknown here, leaves the node noted. `overlays` and `precisions` may be empty. Applies request.deny and
// request.assume; errors: kTargetUnknown for a unit, kUsage for a node or operator in them that does not exist. Unless
// null, `known` provides and keeps the rows of built-in toolchains.
absl::StatusOr<SupportTable> CheckSupport(const ModelView& model, const Target& target, const Overlays& overlays,
                                          const AnalysisRequest& request, const UnitPrecisions& precisions = {},
                                          SupportCache* known = nullptr);

// CheckUnit is CheckSupport on one unit, leaving out what a request denies and assumes. `overlay` and `precisions`,
// which are those of single nodes, may be null, as may `asked`, which receives what was asked of sizes.
SharedMap<NodeId, Support> CheckUnit(const ModelView& model, const Target& target, const Unit& unit,
                                     const Overlay* overlay, Num precision, const IdMap<NodeId, Num>* precisions,
                                     SizeQuestions* asked = nullptr);

// How it is known what a row of a toolchain file says.
EvidenceKind EvidenceOf(Trust trust);

}  // namespace hwest
