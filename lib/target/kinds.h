// What differs between the kinds of unit, apart from how lib/cost times their work: readers ask the row, never for a
// kind.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// What measurements and runtimes call a unit.
enum class DeviceClass : uint8_t { kCpu, kGpu, kNpu };

struct KindTraits {
  UnitKind kind = UnitKind::kUnset;
  absl::string_view name;    // in target.proto
  absl::string_view report;  // in reports and the interfaces
  DeviceClass device = DeviceClass::kNpu;
  bool is_cpu = false;          // runs what no toolchain takes, and holds a model's inputs and outputs
  bool streams = false;         // groups run at the same time, each row passed on as soon as it is there
  bool copies_ahead = false;    // engines of its own copy the next inputs while its kernels run
  bool fusing_may_lose = true;  // a fused group can take longer than its parts
};

// Of one target; a set of them is the bits of a word where plans are made.
inline constexpr uint32_t kMostPlaceableUnits = 40;

const KindTraits& KindTraitsOf(UnitKind kind);
inline const KindTraits& KindTraitsOf(const Unit& unit) { return KindTraitsOf(unit.kind); }
inline bool IsCpu(const Unit& unit) { return KindTraitsOf(unit).is_cpu; }
inline bool IsStreaming(const Unit& unit) { return KindTraitsOf(unit).streams; }

}  // namespace hwest
