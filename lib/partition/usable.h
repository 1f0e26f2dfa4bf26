// Usable: which nodes each unit may run in one placement, given support, pins and the choice of units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/group.h"
#include "partition/support.h"

namespace hwest {

enum class Ability : uint8_t { kNo, kYes, kOnlyInGroup };

// UnitChoice is one participating unit. It runs only what no unit with a lower turn can.
struct UnitChoice {
  UnitId unit;
  int turn = 0;

  bool is_fallback() const { return turn > 0; }
  bool operator==(const UnitChoice&) const = default;
};

// Usable borrows the overlays. Units are indices into `units`, and `use`, `overlays` and `copies` have the same order.
struct Usable {
  std::vector<UnitChoice> units;
  std::vector<IdMap<NodeId, Ability>> use;
  std::vector<const Overlay*> overlays;
  std::vector<IdMap<NodeId, Copies>> copies;            // empty where the unit's toolchain states none
  std::optional<std::vector<std::string>> width_first;  // see Partition: the operators that come last

  // Whether every kernel node of `group`, from the overlay of unit `unit`, may run there.
  bool Runs(size_t unit, const Group& group, const IdMap<NodeId, NodeClass>& classes) const;
};

// Pinned units by node, none where the request pins nothing. Errors: kTargetUnknown and kUsage for names that do not
// exist, kUsage for a unit that takes no nodes or does not support this one.
absl::StatusOr<IdMap<NodeId, UnitId>> ResolvePins(const ModelView& model, const Target& target,
                                                  const SupportTable& support, const AnalysisRequest& request);

Usable MakeUsable(const ModelView& model, const SupportTable& support, const IdMap<NodeId, UnitId>& pins,
                  const Overlays& overlays, const std::vector<UnitChoice>& units);

}  // namespace hwest
