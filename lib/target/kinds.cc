#include "target/kinds.h"

#include <iterator>

namespace hwest {
namespace {

// In the order of UnitKind. Kernels of a GPU stand alone: a fused group costs no more than its parts. Scratchpads,
// pipelines and the caches of a CPU may lose.
constexpr KindTraits kKinds[] = {
    {.kind = UnitKind::kUnset, .name = "KIND_UNSET", .report = "unset"},
    {.kind = UnitKind::kSimtGpu, .name = "SIMT_GPU", .report = "simt_gpu", .device = DeviceClass::kGpu,
     .copies_ahead = true, .fusing_may_lose = false},
    {.kind = UnitKind::kSystolic, .name = "SYSTOLIC", .report = "systolic"},
    {.kind = UnitKind::kDataflow, .name = "DATAFLOW", .report = "dataflow", .streams = true},
    {.kind = UnitKind::kVectorDsp, .name = "VECTOR_DSP", .report = "vector_dsp"},
    {.kind = UnitKind::kSimdCpu, .name = "SIMD_CPU", .report = "simd_cpu", .device = DeviceClass::kCpu, .is_cpu = true},
};

}  // namespace

const KindTraits& KindTraitsOf(UnitKind kind) {
  const auto index = static_cast<size_t>(kind);
  return kKinds[index < std::size(kKinds) ? index : 0];
}

absl::string_view UnitKindName(UnitKind kind) { return KindTraitsOf(kind).report; }

}  // namespace hwest
