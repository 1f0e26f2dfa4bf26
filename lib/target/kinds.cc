#include "target/kinds.h"

#include <iterator>
#include <limits>

#include "base/enumerators.h"
#include "target/names.h"

namespace hwest {
namespace {

// clang-format off
constexpr ParamDefault kSimtDefaults[] = {
    {"dram_efficiency", 0.85}, {"compute_efficiency", 0.75}, {"depthwise_efficiency", 0.4},
    {"pointwise_efficiency", 0.6}, {"overlap", 0.9}, {"waves_half", 0.5}};
constexpr ParamDefault kSystolicDefaults[] = {
    {"dram_efficiency", 0.7}, {"compute_efficiency", 0.7}, {"depthwise_efficiency", 0.5},
    {"pointwise_efficiency", 0.5}, {"overlap", 0.8}, {"channels_half", 8}};
constexpr ParamDefault kDataflowDefaults[] = {
    {"dram_efficiency", 0.8}, {"compute_efficiency", 0.6}, {"depthwise_efficiency", 0.5},
    {"pointwise_efficiency", 0.5}, {"overlap", 1}};
constexpr ParamDefault kVectorDefaults[] = {
    {"dram_efficiency", 0.5}, {"compute_efficiency", 0.5}, {"depthwise_efficiency", 0.4},
    {"pointwise_efficiency", 0.4}, {"overlap", 0.5}, {"channels_half", 16}};
constexpr ParamDefault kSimdDefaults[] = {
    {"dram_efficiency", 0.6}, {"compute_efficiency", 0.7}, {"depthwise_efficiency", 0.5},
    {"pointwise_efficiency", 0.4}, {"overlap", 0.5}};
// clang-format on

// In the order of UnitKind. Kernels of a GPU are independent: a fused group costs no more than its parts. Scratchpads,
// pipelines and the caches of a CPU may lose by fusing.
// clang-format off
constexpr KindTraits kKinds[] = {
    {.kind = UnitKind::kUnset, .name = "KIND_UNSET", .report = "unset"},
    {.kind = UnitKind::kSimtGpu, .name = "SIMT_GPU", .report = "simt_gpu", .device = DeviceClass::kGpu,
     .copies_ahead = true, .fusing_may_lose = false, .defaults = kSimtDefaults},
    {.kind = UnitKind::kSystolic, .name = "SYSTOLIC", .report = "systolic", .has_array = true,
     .defaults = kSystolicDefaults},
    {.kind = UnitKind::kDataflow, .name = "DATAFLOW", .report = "dataflow", .streams = true,
     .defaults = kDataflowDefaults},
    {.kind = UnitKind::kVectorDsp, .name = "VECTOR_DSP", .report = "vector_dsp", .defaults = kVectorDefaults},
    {.kind = UnitKind::kSimdCpu, .name = "SIMD_CPU", .report = "simd_cpu", .device = DeviceClass::kCpu, .is_cpu = true,
     .defaults = kSimdDefaults},
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
constexpr double kNoBound = std::numeric_limits<double>::infinity();
// clang-format off
constexpr ParamRow kParams[] = {
    {.name = "dram_efficiency", .min = kShare, .max = 1, .decides = true,
     .meaning = "share of the shared memory's bytes_per_s that one large stream reaches"},
    {.name = "compute_efficiency", .min = kShare, .max = 1, .decides = true,
     .meaning = "share of the dense CONTRACTION rate that large, well shaped work reaches"},
    {.name = "depthwise_efficiency", .min = kShare, .max = 1,
     .meaning = "share of the DEPTHWISE rate that depthwise convolutions reach"},
    {.name = "pointwise_efficiency", .min = kShare, .max = 1,
     .meaning = "share of the POINTWISE rate that element-wise work reaches"},
    {.name = "transcendental_efficiency", .min = kShare, .max = 4, .absent_as = "pointwise_efficiency",
     .meaning = "share of the TRANSCENDENTAL rate"},
    {.name = "activation_efficiency", .min = kShare, .max = 1, .absent = 1,
     .meaning = "share of the rate of products with weights that products of two activations reach"},
    {.name = "move_efficiency", .min = 1e-4, .max = 1,
     .absent_means = "all of a stated rate; without one, moving is memory traffic alone",
     .meaning = "share of the MOVE rate (else of vector_bytes per cycle) that layout changes reach"},
    {.name = "copy_efficiency", .min = kShare, .max = 1, .absent_as = "move_efficiency",
     .meaning = "the same for moves that keep the order of elements (Concat, Pad, Slice, Split)"},
    {.name = "row_bytes", .min = 0, .max = 4096, .absent_means = "rows follow each other without a gap",
     .meaning = "bytes of the vectors that each row of a transpose fills anew"},
    {.name = "split_positions", .min = 0, .max = 1024, .absent_means = "heads are moved like other transposes",
     .meaning = "positions of a table, and multiples of them, from which heads of whole blocks of channels are read in "
                "place, as all parts of such blocks are that are taken one by one"},
    {.name = "window_efficiency", .min = 1e-5, .max = 1, .absent_means = "pointwise_efficiency",
     .meaning = "share of the POINTWISE rate that averages over sliding windows of more than 16 elements reach"},
    {.name = "pool_efficiency", .min = 1e-5, .max = 1, .absent_means = "its operations run like others",
     .meaning = "elements that pooling reads, whatever its window, as a share of the POINTWISE rate (averages over "
                "wide windows at their own, where that takes longer)"},
    {.name = "lookup_efficiency", .kinds = "SYSTOLIC", .min = 1e-5, .max = 1,
     .absent_means = "as any other operation there",
     .meaning = "results that look up a table (Sigmoid, SiLU) on their way out of the array, in whole columns of it, "
                "as a share of the POINTWISE rate"},
    {.name = "port_bytes", .kinds = "SYSTOLIC", .min = 0, .max = 1024,
     .absent_means = "as many as the shared memory gives",
     .meaning = "bytes a cycle that one core moves to and from the shared memory"},
    {.name = "window_packing", .kinds = "SYSTOLIC", .min = 0, .max = 1, .absent = 1,
     .meaning = "1: positions of a window share a step of the array where their channels are few; 0.5: unless the "
                "window goes on by two; 0: each takes one"},
    {.name = "halving_copies", .kinds = "SYSTOLIC", .min = 0, .max = 4,
     .meaning = "copies of what windows read that go on by two, in whole blocks of channels, before the array does"},
    {.name = "least_steps", .kinds = "SYSTOLIC", .min = 0, .max = 100,
     .absent_means = "element-wise work on results takes its time beside the products",
     .meaning = "steps of the array that each block of results takes at least: in that time they leave it, biases and "
                "Relu included"},
    {.name = "activation_steps", .kinds = "SYSTOLIC", .min = 0, .max = 100,
     .meaning = "further steps of a block of results that SiLU, GELU and the like are computed of on the way"},
    {.name = "search_efficiency", .min = 1e-5, .max = 1, .absent_means = "pointwise_efficiency",
     .meaning = "share of the POINTWISE rate that comparisons of all elements of an axis (ArgMax, ReduceMax) reach"},
    {.name = "statistic_efficiency", .min = 1e-5, .max = 1, .absent_means = "no time beside that of the operations",
     .meaning = "elements scaled by sums or extremes over an axis of theirs (normalisations, Softmax), as a share of "
                "the POINTWISE rate"},
    {.name = "image_efficiency", .min = 1e-5, .max = 1, .absent_means = "no time beside that of the operations",
     .meaning = "elements (in floating point: positions) of images of up to four channels that a constant is applied "
                "to, and of rows of up to four numbers (boxes), as a share of the POINTWISE rate"},
    {.name = "channel_efficiency", .min = 1e-5, .max = 1, .absent_means = "no time beside that of the operations",
     .meaning = "elements that a constant of their channel is applied to in a kernel of its own, as a share of the "
                "POINTWISE rate"},
    {.name = "kept_weight_bytes", .min = 0, .max = 1e9,
     .meaning = "weights that a cache between the scratchpad and the shared memory keeps from one inference to the "
                "next"},
    {.name = "tile_chain", .min = 0, .max = 1000,
     .absent_means = "a value that does not fit crosses the shared memory",
     .meaning = "values in a row that pass through the scratchpad from a kernel to the next one in tiles, where they "
                "do not fit whole"},
    {.name = "channel_block", .min = 1, .max = 1024, .absent = 1,
     .meaning = "channels of an image that lie in one block of the scratchpad, the last of which is filled up"},
    {.name = "weight_input_block", .min = 1, .max = 1024, .absent = 1,
     .meaning = "input channels of weights that lie in one block of memory, the last of which is filled up"},
    {.name = "weight_output_block", .min = 1, .max = 1024, .absent = 1, .meaning = "the same of output channels"},
    {.name = "convert_efficiency", .min = 1e-4, .max = 1, .absent_means = "no conversion stands alone",
     .meaning = "elements converted between integers and floating point around groups without integer kernels, as a "
                "share of the POINTWISE rate"},
    {.name = "launch_scale", .min = 1e-3, .max = 100, .absent = 1, .meaning = "factor on launch_s"},
    {.name = "launch_overlap", .min = 0, .max = 1,
     .meaning = "share of their launches that kernels which wait for none of each other have in common"},
    {.name = "launch_gap", .min = 0, .max = 1, .absent = 1,
     .meaning = "share of launch_s between a kernel and the next one, where the host launches ahead of what runs"},
    {.name = "step_kernels", .min = 0, .max = 100, .absent_means = "its loop is one kernel",
     .meaning = "launches of each step of a recurrent layer that the toolchain unrolls"},
    {.name = "format_scale", .min = 0.1, .max = 10, .absent = 1,
     .meaning = "factor on the clock in one number format, where a device's ratio of formats is not its family's"},
    {.name = "clock_scale", .min = 0.1, .max = 2, .absent = 1,
     .meaning = "the clock that the device holds during inference as a factor on clock_hz"},
    {.name = "full_clock", .min = 0.1, .max = 1, .absent = 1,
     .meaning = "share of that clock which the device's power holds while all multipliers are in use; with fewer it is "
                "higher"},
    {.name = "dram_scale", .min = 0.1, .max = 2, .absent = 1,
     .meaning = "the same for the shared memory's bytes_per_s"},
    {.name = "overlap", .min = 0, .max = 1,
     .meaning = "share of the shorter of compute and memory time that hides behind the longer"},
    {.name = "onchip_share", .min = 0, .max = 1, .absent_means = "0.75 of a scratchpad, 0.5 of a cache",
     .meaning = "share of the on-chip memory that activations may stay in between layers"},
    {.name = "tile_buffers", .min = 1, .max = 2, .absent = 2,
     .meaning = "tiles of each operand of a contraction in the on-chip memory: 2 = one loads while another is used"},
    {.name = "tensor_alignment_bytes", .min = 1, .max = 65536, .absent = 64,
     .meaning = "of the addresses of activations in its memories"},
    {.name = "interval_ln", .min = 0.01, .max = 5, .absent_means = "a factor of 2",
     .meaning = "half width of the prediction interval in ln, of a unit that was measured"},
    {.name = "interval_ln_unmeasured", .min = 0.01, .max = 5, .absent_means = "a factor of 2",
     .meaning = "the same of a unit whose figures come from others of its family"},
    {.name = "interval_ln_unseen", .min = 0, .max = 5,
     .meaning = "what work outside `evidence` adds: the half width is the root of interval_ln^2 + share * "
                "interval_ln_unseen^2"},
    {.name = "waves_half", .kinds = "SIMT_GPU", .min = 0, .max = 1e3,
     .meaning = "waves of thread blocks at which half of compute_efficiency is reached"},
    {.name = "block_cycles", .kinds = "SIMT_GPU", .min = 0, .max = 1e5,
     .meaning = "cycles of a thread block beside its products: its start, first loads, the way out of its results"},
    {.name = "most_slices", .kinds = "SIMT_GPU", .min = 1, .max = 16, .absent = 16,
     .meaning = "parts of the inner size of a product that thread blocks of their own take, at most"},
    {.name = "window_slices", .kinds = "SIMT_GPU", .min = 1, .max = 16, .absent = 16,
     .meaning = "the same of the channels and taps of a convolution"},
    {.name = "step_cycles", .kinds = "SIMT_GPU", .min = 0, .max = 1e4,
     .meaning = "least cycles of a thread block for each 64 bytes along k: operands of the next step arrive"},
    {.name = "core_bytes", .kinds = "SIMT_GPU", .min = 0, .max = 1024,
     .absent_means = "as much as all cores read at once",
     .meaning = "bytes per cycle that one core reads from the last-level cache"},
    {.name = "softmax_overlap", .kinds = "SIMT_GPU", .min = 0, .max = 1,
     .meaning = "share of the shorter of the products of an attention kernel and the work between them that hides "
                "behind the longer"},
    {.name = "channel_bytes", .kinds = "SIMT_GPU", .min = 0, .max = 64, .absent_means = "any number of channels",
     .meaning = "bytes of the input channels that matrix units take at once, the last of which are filled up"},
    {.name = "channels_half", .kinds = "SYSTOLIC VECTOR_DSP", .min = 0, .max = 4096,
     .meaning = "input channels at which half of compute_efficiency is reached"},
    {.name = "fastest_core", .kinds = "SIMD_CPU", .min = 1, .max = 8, .absent = 1,
     .meaning = "speed of the fastest core over that of the others, whose clock and rates the unit states"},
    {.name = "pool_share", .kinds = "SIMD_CPU", .min = 0.05, .max = 16, .absent = 1,
     .meaning = "rate of all cores of the chip, each given an equal part of a kernel, over that of those the unit "
                "states; of runtimes with a thread on each core"},
    {.name = "calling_core", .kinds = "SIMD_CPU", .min = 0.05, .max = 8, .absent = 1,
     .meaning = "speed of the core that is left for what such a runtime does on one core, over that of those the unit "
                "states"},
    {.name = "parallel_efficiency", .kinds = "SIMD_CPU", .min = 0.05, .max = 1, .absent = 0.95,
     .meaning = "share of the cores' summed rate that all cores together reach"},
    {.name = "weight_share", .kinds = "DATAFLOW", .min = 0.05, .max = 1, .absent = 1,
     .meaning = "bytes kept of each weight byte: part of the layers takes narrower weights"},
    {.name = "context_layers", .kinds = "DATAFLOW", .min = 1, .max = 1e5, .absent = kNoBound,
     .absent_means = "as many as there are", .meaning = "layers that fit on the chip at once"},
    {.name = "context_share", .kinds = "DATAFLOW", .min = 0.01, .max = 1, .absent = 1,
     .meaning = "share of the chip that one of several contexts fills at least"},
    {.name = "packing_margin", .kinds = "DATAFLOW", .min = 0, .max = 0.5,
     .meaning = "by what share a compiler may fit more or less on the chip than is estimated: near an edge, intervals "
                "hold both numbers of contexts"},
    {.name = "context_use", .kinds = "DATAFLOW", .min = 0.01, .max = 1, .absent = 1,
     .meaning = "share of the chip that the layers of one of several contexts may take"},
    {.name = "context_fill", .kinds = "DATAFLOW", .min = 0.01, .max = 1, .absent = 1,
     .meaning = "share of context_layers that one of several contexts is begun with: parting its layers takes more"},
    {.name = "context_bytes", .kinds = "DATAFLOW", .min = 0.01, .max = 1, .absent = 1,
     .meaning = "share of the scratchpad that one of several contexts is begun with"},
    {.name = "parting_layers", .kinds = "DATAFLOW", .min = 0, .max = 100,
     .meaning = "layers that dealing rows out and gathering them takes where a layer is parted for its work"},
    {.name = "element_layers", .kinds = "DATAFLOW", .min = 0, .max = 100, .absent = 0.5,
     .meaning = "layers that an element operation or a layout takes"},
    {.name = "statistics_layers", .kinds = "DATAFLOW", .min = 0, .max = 100, .absent = 1,
     .meaning = "layers that taking sums or extremes and applying them takes (normalisations, Softmax)"},
    {.name = "product_layers", .kinds = "DATAFLOW", .min = 0, .max = 100, .absent = 1,
     .meaning = "layers that a product of two activations takes"},
    {.name = "head_layers", .kinds = "DATAFLOW", .min = 0, .max = 100, .absent = 0.2,
     .meaning = "layers that each head of it adds"},
    {.name = "blocks", .kinds = "DATAFLOW", .min = 1, .max = 1e6, .absent = kNoBound,
     .absent_means = "as many as layers ask for",
     .meaning = "blocks of multipliers that layers are given; weights lie spread beside them"},
    {.name = "layer_blocks", .kinds = "DATAFLOW", .min = 1, .max = 1e4, .absent = 1,
     .meaning = "of them that one layer drives at most; a depthwise one, statistics and products of activations one"},
    {.name = "stream_bytes", .kinds = "DATAFLOW", .min = 0, .max = 1e6, .absent_means = "any number",
     .meaning = "bytes per cycle that a layer hands on to the next"},
    {.name = "fill_share", .kinds = "DATAFLOW", .min = 0, .max = 1, .absent = 1,
     .meaning = "share of the rows on the way that the first result waits for"},
    {.name = "frame_s", .kinds = "DATAFLOW", .min = 0, .max = 0.1,
     .meaning = "seconds for each image and context that no layer hides"},
};
// clang-format on

}  // namespace

absl::Span<const ParamRow> AllParams() { return kParams; }

const KindTraits& KindTraitsOf(UnitKind kind) {
  const auto index = static_cast<size_t>(kind);
  return kKinds[index < std::size(kKinds) ? index : 0];
}

absl::string_view UnitKindName(UnitKind kind) { return KindTraitsOf(kind).report; }

}  // namespace hwest
