// What the kinds of machine share: rates, fallbacks, and the row each kind adds to the table in cost.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

// Values of the parameters in hwest/target.h for units whose file states none. They are engineering priors: the middle
// of what published kernels reach on machines of the kind.
struct KindDefaults {
  double dram_efficiency = 0;
  double compute_efficiency = 0;
  double depthwise_efficiency = 0;
  double pointwise_efficiency = 0;
  double overlap = 0;
};

struct Machine {
  const Target& target;
  const Unit& unit;
  const KindDefaults& defaults;
  Precision precision;
  std::string class_name;  // of the precision, as PrecisionName
  double clock_hz = 0;  // that it holds: clock_scale applied
  double engines = 1;   // cores of all instances

  // ParamAt the machine's precision.
  double param(absl::string_view name, double fallback) const;
  double compute_efficiency() const { return param("compute_efficiency", defaults.compute_efficiency); }
  double depthwise_efficiency() const { return param("depthwise_efficiency", defaults.depthwise_efficiency); }
};

// The parameter `name.class_name` of the unit, else, for one half precision class, that of the other, else `name`.
double ParamAt(const Unit& unit, absl::string_view name, absl::string_view class_name, double fallback);

// Bytes per second of the unit's shared memory as it is held, dram_scale applied; 0 when none is stated.
double SharedBytesPerS(const Target& target, const Unit& unit, absl::string_view class_name);

// The row of `work` whose activation type is nearest: exact, wider, narrower. Null = none is stated.
const Rate* NearestRate(const Unit& unit, WorkKind work, Precision precision);

// Seconds of one contraction at `rate` per cycle and engine.
using ContractionSeconds = double (*)(const Machine& machine, const ContractionSize& size, double rate_per_cycle);

// Element-wise work fused behind a contraction: extra passes of the same lanes, or an output stage that results pass on
// their way out of the array, where a table look-up takes no longer than any other operation.
enum class Epilogue : uint8_t { kExtraPasses, kOutputStage };

// kBarrier: the cores of a kernel synchronise at its end, so Amdahl's law applies.
enum class Cores : uint8_t { kIndependent, kBarrier };

// Whether the weights of a product cross once, or again for every set of rows that the scratchpad holds.
enum class WeightLoads : uint8_t { kOnce, kPerSetOfRows };

// How the kind takes its time; what else differs between kinds stands in target/kinds.h.
struct KindRow {
  UnitKind kind;
  KindDefaults defaults;
  ContractionSeconds seconds;
  Epilogue epilogue = Epilogue::kExtraPasses;
  Cores cores = Cores::kIndependent;
  WeightLoads weights = WeightLoads::kOnce;
};

// One row per cost-model source file.
extern const KindRow kSimtGpuRow;
extern const KindRow kSystolicRow;
extern const KindRow kVectorDspRow;
extern const KindRow kSimdCpuRow;
extern const KindRow kDataflowRow;

// Rate per cycle and engine that multiply-accumulates on vector lanes reach: the DEPTHWISE row times its efficiency,
// else half the POINTWISE rate (a multiply and an add). 0 when neither is stated.
double VectorMacsPerCycle(const Machine& machine);
// MACs on vector lanes, spread over the engines by output channel and row; infinity without such a rate.
double VectorSeconds(const Machine& machine, const ContractionSize& size);

// Operations per cycle and engine of element-wise work at the activations' type: the stated row; else the row of the
// next wider type, else the next narrower; else vector lanes of vector_bytes. 0 when none is stated.
double PointwisePerCycle(const Machine& machine);
double TranscendentalPerCycle(const Machine& machine);
// Bytes per cycle and engine that the unit itself moves from one place or layout to another: the MOVE row, else vector
// lanes where the file states move_efficiency; times that share. 0 = moving costs no more than its memory traffic.
double MovedBytesPerCycle(const Machine& machine);

// ceil(a / b) for positive sizes.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Input channels of the contraction.
inline int64_t Channels(const ContractionSize& size) {
  return size.kernel_elements > 0 ? CeilDiv(size.k, size.kernel_elements) : size.k;
}

// A product with shared weights has no batch of its own: its rows are all rows.
ContractionSize Folded(const ContractionSize& size);

// The unit's tiles for its activation type, for a half precision one without any those of the other; tiles without a type
// hold for all.
std::vector<Tile> TilesOf(const Machine& machine);

}  // namespace hwest
