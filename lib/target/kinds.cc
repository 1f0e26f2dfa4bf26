#include "target/kinds.h"

#include <iterator>

#include "base/enumerators.h"
#include "target/names.h"

namespace hwest {
namespace {

// In the order of UnitKind. Kernels of a GPU are independent: a fused group costs no more than its parts. Scratchpads,
// pipelines and the caches of a CPU may lose by fusing.
// clang-format off
constexpr KindTraits kKinds[] = {
    {.kind = UnitKind::kUnset, .name = "KIND_UNSET", .report = "unset"},
    {.kind = UnitKind::kSimtGpu, .name = "SIMT_GPU", .report = "simt_gpu", .device = DeviceClass::kGpu,
     .copies_ahead = true, .fusing_may_lose = false},
    {.kind = UnitKind::kSystolic, .name = "SYSTOLIC", .report = "systolic"},
    {.kind = UnitKind::kDataflow, .name = "DATAFLOW", .report = "dataflow", .streams = true},
    {.kind = UnitKind::kVectorDsp, .name = "VECTOR_DSP", .report = "vector_dsp"},
    {.kind = UnitKind::kSimdCpu, .name = "SIMD_CPU", .report = "simd_cpu", .device = DeviceClass::kCpu, .is_cpu = true},
};
// clang-format on

constexpr bool AreInOrder() {
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    if (static_cast<size_t>(kKinds[i].kind) != i) return false;
  }
  return std::size(kKinds) == kNumEnumerators<UnitKind>;
}
static_assert(AreInOrder());

// The least credible share: with less than a thousandth a machine would be useless.
constexpr double kShare = 1e-3;
constexpr ParamRow kParams[] = {
    {"dram_efficiency", "", kShare, 1, "share of the shared memory's bytes_per_s that one large stream reaches"},
    {"compute_efficiency", "", kShare, 1, "share of the dense CONTRACTION rate that large, well shaped work reaches"},
    {"depthwise_efficiency", "", kShare, 1, "share of the DEPTHWISE rate that depthwise convolutions reach"},
    {"pointwise_efficiency", "", kShare, 1, "share of the POINTWISE rate that element-wise work reaches"},
    {"transcendental_efficiency", "", kShare, 4, "share of the TRANSCENDENTAL rate; absent = pointwise_efficiency"},
    {"activation_efficiency", "", kShare, 1,
     "share of the rate of products with weights that products of two activations reach; absent = all of it"},
    {"move_efficiency", "", 1e-4, 1,
     "share of the MOVE rate (else of vector_bytes per cycle) that layout changes reach; absent = all of a stated "
     "rate, "
     "and moving is memory traffic alone without one"},
    {"copy_efficiency", "", kShare, 1,
     "the same for moves that keep the order of elements (Concat, Pad, Slice, Split); absent = move_efficiency"},
    {"row_bytes", "", 0, 4096,
     "bytes of the vectors that each row of a transpose fills anew; absent = rows follow each other without a gap"},
    {"window_efficiency", "", 1e-5, 1,
     "share of the POINTWISE rate that averages over sliding windows of more than 16 elements reach; absent = "
     "pointwise_efficiency"},
    {"search_efficiency", "", 1e-5, 1,
     "share of the POINTWISE rate that comparisons of all elements of an axis (ArgMax, ReduceMax) reach; absent = "
     "pointwise_efficiency"},
    {"image_efficiency", "", 1e-5, 1,
     "elements (in floating point: positions) of images of up to four channels that a constant is applied to, as a "
     "share "
     "of the POINTWISE rate; absent = no time beside that of the operations"},
    {"channel_efficiency", "", 1e-5, 1,
     "elements that a constant of their channel is applied to in a kernel of its own, as a share of the POINTWISE "
     "rate; "
     "absent = no time beside that of the operations"},
    {"kept_weight_bytes", "", 0, 1e9,
     "weights that a cache between the scratchpad and the shared memory keeps from one inference to the next; absent = "
     "none"},
    {"convert_efficiency", "", 1e-4, 1,
     "elements converted between integers and floating point around groups without integer kernels, as a share of the "
     "POINTWISE rate; absent = no conversion stands alone"},
    {"launch_scale", "", 1e-3, 100, "factor on launch_s; absent = 1"},
    {"launch_overlap", "", 0, 1,
     "share of their launches that kernels which wait for none of each other have in common; absent = none"},
    {"step_kernels", "", 0, 100,
     "launches of each step of a recurrent layer that the toolchain unrolls; absent = its loop is one kernel"},
    {"clock_scale", "", 0.1, 2, "the clock that the device holds during inference as a factor on clock_hz; absent = 1"},
    {"dram_scale", "", 0.1, 2, "the same for the shared memory's bytes_per_s; absent = 1"},
    {"overlap", "", 0, 1, "share of the shorter of compute and memory time that hides behind the longer"},
    {"onchip_share", "", 0, 1, "share of the on-chip memory that activations may stay in between layers"},
    {"tensor_alignment_bytes", "", 1, 65536, "of the addresses of activations in its memories; absent = 64"},
    {"interval_ln", "", 0.01, 5, "half width of the prediction interval in ln, of a unit that was measured"},
    {"interval_ln_unmeasured", "", 0.01, 5, "the same of a unit whose figures come from others of its family"},
    {"interval_ln_unseen", "", 0, 5,
     "what work outside `evidence` adds: the half width is the root of interval_ln^2 + share * interval_ln_unseen^2"},
    {"waves_half", "SIMT_GPU", 0, 1e3, "waves of thread blocks at which half of compute_efficiency is reached"},
    {"channels_half", "SYSTOLIC VECTOR_DSP", 0, 4096, "input channels at which half of compute_efficiency is reached"},
    {"fastest_core", "SIMD_CPU", 1, 8,
     "speed of the fastest core over that of the others, whose clock and rates the unit states"},
    {"parallel_efficiency", "SIMD_CPU", 0.05, 1, "share of the cores' summed rate that all cores together reach"},
    {"weight_share", "DATAFLOW", 0.05, 1, "bytes kept of each weight byte: part of the layers takes narrower weights"},
    {"context_layers", "DATAFLOW", 1, 1e5, "layers that fit on the chip at once"},
    {"context_share", "DATAFLOW", 0.01, 1, "share of the chip that one of several contexts fills at least"},
    {"crowding", "DATAFLOW", 0, 1, "share of its time that a network saves on a chip that it hardly fills"},
    {"fill_share", "DATAFLOW", 0, 1, "share of the rows on the way that the first result waits for"},
    {"frame_s", "DATAFLOW", 0, 0.1, "seconds for each image and context that no layer hides"},
};

}  // namespace

absl::Span<const ParamRow> AllParams() { return kParams; }

const KindTraits& KindTraitsOf(UnitKind kind) {
  const auto index = static_cast<size_t>(kind);
  return kKinds[index < std::size(kKinds) ? index : 0];
}

absl::string_view UnitKindName(UnitKind kind) { return KindTraitsOf(kind).report; }

}  // namespace hwest
