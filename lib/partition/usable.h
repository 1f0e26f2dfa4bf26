// Usable: which nodes each unit may run in one placement, after support, pins and the choice of units.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/group.h"
#include "partition/support.h"

namespace hwest {

enum class Ability : uint8_t { kNo, kYes, kOnlyInGroup };

// UnitChoice is one unit that takes part. `fallback` units run only what no other unit of the choice can.
struct UnitChoice {
  UnitId unit;
  bool fallback = false;
};

// Usable borrows the overlays. A unit is named by its index in `units`, which `use` and `overlays` follow.
struct Usable {
  std::vector<UnitChoice> units;
  std::vector<IdMap<NodeId, Ability>> use;
  std::vector<const Overlay*> overlays;

  // Every kernel node of `group` (of the overlay of unit `unit`) may run there.
  bool Runs(size_t unit, const Group& group, const IdMap<NodeId, NodeClass>& classes) const;
};

// Pinned units by node, none where the request pins nothing. Errors: kTargetUnknown and kUsage for names that do not
// exist, kUsage for a unit that cannot be placed on and for one that does not support the node.
absl::StatusOr<IdMap<NodeId, UnitId>> ResolvePins(const ModelView& model, const Target& target,
                                                  const SupportTable& support, const AnalysisRequest& request);

Usable MakeUsable(const ModelView& model, const SupportTable& support, const IdMap<NodeId, UnitId>& pins,
                  const Overlays& overlays, const std::vector<UnitChoice>& units);

}  // namespace hwest
