// PlacementFrame: what a placement problem takes from the model, the overlays and which unit may run what. No figure of
// a target is in it, so targets with the same toolchains share one.
#pragma once

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "base/bounded_cache.h"
#include "partition/flow.h"

namespace hwest {

struct PlacementFrame {
  Atoms atoms;
  Flow flow;
  std::vector<GroupRef> groups;       // by atom, then unit; none where infeasible
  std::vector<uint32_t> first_group;  // by atom * num_units + unit, one past the end included
  std::vector<uint64_t> cuts;         // see CutsOf
};

// All that a frame of one model depends on, by unit.
struct FrameKey {
  std::vector<std::shared_ptr<const Overlay>> overlays;
  std::vector<uint8_t> is_cpu;
  std::vector<IdMap<NodeId, Ability>> use;
  std::vector<IdMap<NodeId, Copies>> copies;
  std::optional<std::vector<std::string>> width_first;

  bool operator==(const FrameKey& other) const;
};
using FrameCache = BoundedCache<FrameKey, PlacementFrame>;

// FrameOf makes the frame of `usable`, or takes it from `known` and keeps it there, if that is not null.
std::shared_ptr<const PlacementFrame> FrameOf(const ModelView& model, const Target& target, const Overlays& overlays,
                                              const Usable& usable, FrameCache* known);

}  // namespace hwest
