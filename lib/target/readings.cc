#include "target/readings.h"

#include <iterator>

namespace hwest {
namespace {

constexpr absl::string_view kFolding =
    "ONNX Runtime graph optimizations; TensorRT fusion catalog; OpenVINO common passes";
constexpr absl::string_view kSpelling =
    "OpenVINO common passes; ONNX Runtime optimizer; QNN EP fusions; TIDL import passes";

constexpr absl::string_view kOfRuntime =
    "an operator of ONNX Runtime's own; compilers are given the file that it was made of";
constexpr absl::string_view kRefusesRuntime =
    "assumed: compilers refuse such a file as a whole (TensorRT issue 1515, ONNX Runtime issues 10509 and 10905), and "
    "RKNN-Toolkit2 asks for a plain one; a note says where a list lacks the operator";

// Read as the plain operators from which ONNX Runtime made it.
constexpr ReadingRow OfRuntime(absl::string_view name, absl::string_view key, absl::string_view expression,
                               absl::string_view means, absl::string_view fusion = "") {
  return {.match = {.name = name, .key = key, .expression = expression, .words = kOfRuntime, .source = kRefusesRuntime},
          .means = means,
          .fusion = fusion,
          .kind = ReadingKind::kTaken};
}

// clang-format off
constexpr ReadingRow kReadings[] = {
    // Nodes that do nothing.
    {.match = {.name = "nan_guard", .key = "IsNaN",
               .expression = "Where(IsNaN(p), 0, p:Softmax(_))",
               .words = "a softmax of finite scores has no NaN to replace",
               .source = "assumed: exporters write it around every attention (onnxscript pull request 2479), and a "
                         "compiler that left it there would take no transformer; a note says where its list lacks it"},
     .means = "p"},
    {.match = {.name = "where_true", .key = "Where",
               .expression = "Where[keeps_shape](_[all_one], x, _)",
               .words = "the condition is true everywhere",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "where_false", .key = "Where",
               .expression = "Where[keeps_shape](_[all_zero], _, x)",
               .words = "the condition is false everywhere",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "cast_back", .key = "Cast",
               .expression = "Cast[restores](Cast(x))",
               .words = "the type goes there and back",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "transpose_back", .key = "Transpose",
               .expression = "Transpose[cancels](Transpose(x))",
               .words = "the axes go there and back",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "transpose_of_ones", .key = "Transpose",
               .expression = "Transpose[moves_ones](x)",
               .words = "only axes of size 1 change places, so no element moves",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "takes_all", .key = "Slice",
               .expression = "Slice[takes_all](x)",
               .words = "it takes every element",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "pads_nothing", .key = "Pad",
               .expression = "Pad[adds_nothing](x)",
               .words = "it adds no element",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "joins_one", .key = "Concat",
               .expression = "Concat[one_input](x)",
               .words = "there is one part only",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "neutral_factor", .key = "",
               .expression = "(Mul|Div)[keeps_shape](x, _[all_one])",
               .words = "the factor is 1",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "neutral_summand", .key = "",
               .expression = "(Add|Sub)[keeps_shape](x, _[all_zero])",
               .words = "the summand is 0",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "power_of_one", .key = "Pow",
               .expression = "Pow[keeps_shape](x, _[all_one])",
               .words = "the exponent is 1",
               .source = kFolding},
     .means = "x"},

    {.match = {.name = "repeats_once", .key = "Tile",
               .expression = "Tile[keeps_elements](x)",
               .words = "it repeats once along every axis",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "resizes_nothing", .key = "Resize",
               .expression = "Resize[keeps_size](x)",
               .words = "the size stays",
               .source = kFolding},
     .means = "x"},
    {.match = {.name = "softplus_guard", .key = "Softplus",
               .expression = "Where(Greater(x, 20), x, s:Softplus(x))",
               .words = "above 20 softplus is its argument in every digit",
               .source = "PyTorch Softplus, threshold 20; exporters of torch.export write it out"},
     .means = "s"},
    {.match = {.name = "relu_again", .key = "Relu",
               .expression = "Relu(x:Relu(_))",
               .words = "nothing is below zero any more",
               .source = kFolding},
     .means = "x"},

    {.match = {.name = "blocks", .key = "ReorderInput ReorderOutput",
               .expression = "(com.microsoft.nchwc::ReorderInput|com.microsoft.nchwc::ReorderOutput)(x)",
               .words = "channels in blocks are a matter of one machine; the network has none",
               .source = "ONNX Runtime NchwcTransformer, which does the same to a plain file as it loads it"},
     .means = "x"},

    // Two nodes that are one.
    {.match = {.name = "cast_chain", .key = "Cast",
               .expression = "Cast[through_wider](Cast(x))",
               .words = "the type between holds every value",
               .source = "ONNX Runtime CastChainElimination; OpenVINO EliminateConvert"},
     .means = "Cast(x)"},
    {.match = {.name = "transpose_chain", .key = "Transpose",
               .expression = "Transpose[of_transpose](Transpose(x))",
               .words = "two orders of the axes are one",
               .source = "TensorRT fusion catalog, Shuffle + Shuffle; ONNX Runtime TransposeOptimizer"},
     .means = "Transpose(x)", .attribute = "perm"},
    {.match = {.name = "product_and_bias", .key = "MatMul",
               .expression = "Add(MatMul[matrices](a, w), b[bias])",
               .words = "a product of two matrices and a bias",
               .source = "ONNX Runtime MatMulAddFusion"},
     .means = "Gemm(a, w, b)"},
    {.match = {.name = "square", .key = "Pow",
               .expression = "Pow[keeps_shape](x, _[all_two])",
               .words = "the square is a product",
               .source = "OpenVINO common passes; ONNX Runtime graph optimizations"},
     .means = "Mul(x, x)"},

    {.match = {.name = "square_root", .key = "Pow",
               .expression = "Pow[keeps_shape](x, _[all_half])",
               .words = "the power of one half is the square root",
               .source = "TensorFlow Grappler ConvertPow; ONNX operator specification"},
     .means = "Sqrt(x)"},

    {.match = {.name = "larger_than_zero", .key = "Max",
               .expression = "Max[keeps_shape](0, x)",
               .words = "the larger of a number and 0",
               .source = "ONNX operator specification, Relu as a function"},
     .means = "Relu(x)"},
    {.match = {.name = "tile_of_ones", .key = "Tile",
               .expression = "Tile[of_ones](x, r)",
               .words = "only axes of size 1 are repeated",
               .source = "ONNX operator specification, Expand and Tile"},
     .means = "Expand(x, r)"},
    {.match = {.name = "turned_softmax", .key = "Softmax",
               .expression = "Transpose[turns_back](Softmax[last_axis](Transpose(x)))",
               .words = "a softmax over the axis that transposes put last and back",
               .source = "ONNX Runtime TransposeOptimizer, which moves transposes through Softmax"},
     .means = "Softmax(x)", .attribute = "axis", .opset = 13},

    // Padding that the next operator can add itself.
    {.match = {.name = "pad_conv", .key = "Pad",
               .expression = "Conv[states_pads](Pad[zero_pad](x), w, b?)",
               .words = "the convolution adds the zeros around its input itself",
               .source = kFolding},
     .means = "Conv(x, w, b)", .attribute = "pads"},
    {.match = {.name = "pad_average", .key = "Pad",
               .expression = "AveragePool[counts_pads](Pad[zero_pad](x))",
               .words = "the pooling adds the zeros around its input itself",
               .source = kFolding},
     .means = "AveragePool(x)", .attribute = "pads"},
    {.match = {.name = "pad_max", .key = "Pad",
               .expression = "MaxPool[states_pads](Pad[lowest_pad](x))",
               .words = "what is added around the input is never the largest",
               .source = kFolding},
     .means = "MaxPool(x)", .attribute = "pads"},
    {.match = {.name = "pad_max_relu", .key = "Pad",
               .expression = "MaxPool[states_pads](Pad[zero_pad](x:Relu(_)))",
               .words = "zeros beside numbers that are never below zero",
               .source = kFolding},
     .means = "MaxPool(x)", .attribute = "pads"},

    // Pooling of the whole image.
    {.match = {.name = "mean_image", .key = "ReduceMean",
               .expression = "ReduceMean[over_image](x)",
               .words = "the mean over the spatial axes",
               .source = kFolding},
     .means = "GlobalAveragePool(x)"},
    {.match = {.name = "mean_rows", .key = "ReduceMean",
               .expression = "ReduceMean[rest_of_image](ReduceMean(x))",
               .words = "the mean over one spatial axis, then over the other",
               .source = kFolding},
     .means = "GlobalAveragePool(x)"},
    {.match = {.name = "average_image", .key = "AveragePool",
               .expression = "AveragePool[whole_image](x)",
               .words = "one window as large as the image",
               .source = kFolding},
     .means = "GlobalAveragePool(x)"},
    {.match = {.name = "max_image", .key = "MaxPool",
               .expression = "MaxPool[whole_image](x)",
               .words = "one window as large as the image",
               .source = kFolding},
     .means = "GlobalMaxPool(x)"},
    {.match = {.name = "largest_of_image", .key = "ReduceMax",
               .expression = "ReduceMax[over_image](x)",
               .words = "the largest over the spatial axes",
               .source = kFolding},
     .means = "GlobalMaxPool(x)"},

    {.match = {.name = "slices", .key = "Slice",
               .expression = "slices of one value along an axis, side by side, that take all of it",
               .words = "slices of one value that take all of it",
               .source = "ONNX Runtime GatherSliceToSplitFusion; TIDL mergeConsecutiveSliceLayers"},
     .means = "Split", .kind = ReadingKind::kSlices},
    {.match = {.name = "copy", .key = "",
               .expression = "a node that computes what an earlier one computed of the same operands, without MACs",
               .words = "an earlier node computes the same",
               .source = "ONNX Runtime EliminateCommonSubexpression; OpenVINO SharedOpOptimization"},
     .means = "Identity", .kind = ReadingKind::kCopy},

    // Operators that some compilers lack in the form written.
    {.match = {.name = "constant_divisor", .key = "Div",
               .expression = "Div[by_constant](x, c)",
               .words = "the divisor is constant",
               .source = "TensorFlow Grappler constant folding; OpenVINO ConvertDivide; TIDL convertVariableDivToBN"},
     .means = "Mul(x, c)", .kind = ReadingKind::kTaken},
    {.match = {.name = "constant_subtrahend", .key = "Sub",
               .expression = "Sub[by_constant](x, c)",
               .words = "what is subtracted is constant",
               .source = "OpenVINO ConvertSubtract; TIDL convertVariableSubToAddWithNeg"},
     .means = "Add(x, c)", .kind = ReadingKind::kTaken},
    {.match = {.name = "pointwise_deconv", .key = "ConvTranspose",
               .expression = "ConvTranspose[of_pixels](x, w, b?)",
               .words = "each pixel makes one pixel",
               .source = "TIDL optimizeDeConvLayers (by its name); ONNX operator specification"},
     .means = "Conv(x, w, b)", .kind = ReadingKind::kTaken},

    OfRuntime("fused_conv", "com.microsoft::FusedConv", "com.microsoft::FusedConv(x, w)", "Conv(x, w)"),
    OfRuntime("fused_gemm", "com.microsoft::FusedGemm", "com.microsoft::FusedGemm(a, b)", "Gemm(a, b)"),
    OfRuntime("fused_matmul", "com.microsoft::FusedMatMul", "com.microsoft::FusedMatMul(a, b)", "MatMul(a, b)"),
    OfRuntime("runtime_gelu", "com.microsoft::Gelu", "com.microsoft::Gelu(x)", "Gelu(x)", "gelu_erf"),
    OfRuntime("bias_gelu", "com.microsoft::BiasGelu", "com.microsoft::BiasGelu(x, b)", "Gelu(x)", "gelu_erf"),
    OfRuntime("fast_gelu", "com.microsoft::FastGelu", "com.microsoft::FastGelu(x)", "Gelu(x)", "gelu_tanh"),
    OfRuntime("quick_gelu", "com.microsoft::QuickGelu", "com.microsoft::QuickGelu(x)", "Sigmoid(x)"),
    OfRuntime("skip_layer_norm", "com.microsoft::SkipLayerNormalization",
              "com.microsoft::SkipLayerNormalization(x, s)", "LayerNormalization(x)", "layer_norm"),
    OfRuntime("blocked_conv", "com.microsoft.nchwc::Conv", "com.microsoft.nchwc::Conv(x, w)", "Conv(x, w)"),
    OfRuntime("blocked_max_pool", "com.microsoft.nchwc::MaxPool", "com.microsoft.nchwc::MaxPool(x)", "MaxPool(x)"),
    OfRuntime("blocked_average_pool", "com.microsoft.nchwc::AveragePool", "com.microsoft.nchwc::AveragePool(x)",
              "AveragePool(x)"),
    OfRuntime("blocked_image_mean", "com.microsoft.nchwc::GlobalAveragePool",
              "com.microsoft.nchwc::GlobalAveragePool(x)", "GlobalAveragePool(x)"),
    OfRuntime("blocked_image_max", "com.microsoft.nchwc::GlobalMaxPool", "com.microsoft.nchwc::GlobalMaxPool(x)",
              "GlobalMaxPool(x)"),
    OfRuntime("blocked_upsample", "com.microsoft.nchwc::Upsample", "com.microsoft.nchwc::Upsample(x)", "Resize(x)"),

    // Operators written out. The fusion patterns find them; a toolchain that takes the operator makes the fusion.
    {.match = {.name = "mish_spelled", .words = "Mish, written out", .source = kSpelling}, .means = "Mish",
     .fusion = "mish", .kind = ReadingKind::kSpelled},
    {.match = {.name = "hardswish_spelled", .words = "HardSwish, written out", .source = kSpelling},
     .means = "HardSwish", .fusion = "hardswish", .kind = ReadingKind::kSpelled},
    {.match = {.name = "hardsigmoid_spelled", .words = "HardSigmoid, written out", .source = kSpelling},
     .means = "HardSigmoid", .fusion = "hardsigmoid", .kind = ReadingKind::kSpelled},
    {.match = {.name = "gelu_spelled", .words = "GELU, written out", .source = kSpelling}, .means = "Gelu",
     .fusion = "gelu_erf", .kind = ReadingKind::kSpelled},
    {.match = {.name = "gelu_tanh_spelled", .words = "GELU by tanh, written out", .source = kSpelling}, .means = "Gelu",
     .fusion = "gelu_tanh", .kind = ReadingKind::kSpelled},
    {.match = {.name = "swish_spelled", .words = "SiLU, written out", .source = kSpelling}, .means = "Swish",
     .fusion = "silu", .kind = ReadingKind::kSpelled},
    {.match = {.name = "softmax_spelled", .words = "softmax, written out", .source = kSpelling}, .means = "Softmax",
     .fusion = "softmax", .kind = ReadingKind::kSpelled},
    {.match = {.name = "layer_norm_spelled", .words = "layer normalisation, written out", .source = kSpelling},
     .means = "LayerNormalization", .fusion = "layer_norm", .kind = ReadingKind::kSpelled},
    {.match = {.name = "rms_norm_spelled", .words = "RMS normalisation, written out", .source = kSpelling},
     .means = "RMSNormalization", .fusion = "rms_norm", .kind = ReadingKind::kSpelled},
    {.match = {.name = "instance_norm_spelled", .words = "normalisation of images, written out", .source = kSpelling},
     .means = "InstanceNormalization", .fusion = "instance_norm", .kind = ReadingKind::kSpelled},
    {.match = {.name = "group_norm_spelled", .words = "normalisation of groups of channels, written out",
               .source = kSpelling},
     .means = "GroupNormalization", .fusion = "group_norm", .kind = ReadingKind::kSpelled},
};
// clang-format on

// The first run of rows of that kind.
constexpr absl::Span<const ReadingRow> StretchOf(ReadingKind kind) {
  size_t first = 0, last = 0;
  while (kReadings[first].kind != kind) ++first;
  for (last = first; last < std::size(kReadings) && kReadings[last].kind == kind;) ++last;
  return {kReadings + first, last - first};
}

constexpr absl::Span<const ReadingRow> kTakenRows = StretchOf(ReadingKind::kTaken);
constexpr absl::Span<const ReadingRow> kSpelledRows = StretchOf(ReadingKind::kSpelled);

// Each of these kinds has all its rows in one run.
constexpr bool AreStretches() {
  size_t taken = 0, spelled = 0;
  for (const ReadingRow& row : kReadings) {
    taken += row.kind == ReadingKind::kTaken ? 1 : 0;
    spelled += row.kind == ReadingKind::kSpelled ? 1 : 0;
  }
  return taken == kTakenRows.size() && spelled == kSpelledRows.size();
}
static_assert(AreStretches());

}  // namespace

absl::Span<const ReadingRow> AllReadings() { return kReadings; }
absl::Span<const ReadingRow> TakenReadings() { return kTakenRows; }

bool Makes(const Toolchain& toolchain, absl::string_view fusion) {
  if (PickOf(toolchain, fusion) != nullptr) return true;
  for (const ReadingRow& row : kSpelledRows) {
    if (row.fusion != fusion) continue;
    const SupportRow* support = SupportOf(toolchain, "", row.means);
    return support != nullptr && support->supported && support->only_in.empty() &&
           KeepOf(toolchain, row.match.name) == nullptr;
  }
  return false;
}

bool MeansOperator(const ReadingRow& row) {
  if (row.kind == ReadingKind::kSlices || row.kind == ReadingKind::kSpelled) return true;
  return row.means.find('(') != absl::string_view::npos;
}

const ReadingRow* FindReading(absl::string_view name) {
  for (const ReadingRow& row : AllReadings()) {
    if (row.match.name == name) return &row;
  }
  return nullptr;
}

}  // namespace hwest
