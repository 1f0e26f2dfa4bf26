// The traits of each kind of unit, apart from how lib/cost times its work: code tests a trait, never a kind.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"

namespace hwest {

// The class of a unit for measurements and runtimes.
enum class DeviceClass : uint8_t { kCpu, kGpu, kNpu };

// The value of a parameter for units of a kind whose file states none: an engineering prior, the middle of what
// published kernels reach on machines of the kind.
struct ParamDefault {
  absl::string_view param;
  double value = 0;
};

// The share of a unit's on-chip memory that activations may take where its file states no onchip_share: some of a
// scratchpad is taken by weights in flight and double buffers; weights of the layers between producer and consumer
// stream through a cache and evict about as much again.
inline constexpr double kScratchpadShare = 0.75;
inline constexpr double kCacheShare = 0.5;

struct KindTraits {
  UnitKind kind = UnitKind::kUnset;
  absl::string_view name;    // in target.proto
  absl::string_view report;  // in reports and the interfaces
  DeviceClass device = DeviceClass::kNpu;
  bool is_cpu = false;          // runs what no toolchain takes, and holds a model's inputs and outputs
  bool streams = false;         // groups run at the same time, each passing on a row as soon as it is ready
  bool copies_ahead = false;    // its own engines copy the next inputs while its kernels run
  bool fusing_may_lose = true;  // a fused group can take longer than its parts
  bool has_array = false;       // its tiles are an array of multipliers: `k` rows by `n` columns
  absl::Span<const ParamDefault> defaults = {};
};

// In one target; planning represents a set of units as the bits of a word.
inline constexpr uint32_t kMostPlaceableUnits = 40;

const KindTraits& KindTraitsOf(UnitKind kind);
inline const KindTraits& KindTraitsOf(const Unit& unit) { return KindTraitsOf(unit.kind); }
inline bool IsCpu(const Unit& unit) { return KindTraitsOf(unit).is_cpu; }
inline bool IsStreaming(const Unit& unit) { return KindTraitsOf(unit).streams; }

}  // namespace hwest
