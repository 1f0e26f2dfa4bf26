// Activations that exporters write out, and element-wise nodes in general.
#include "target/patterns.h"

namespace hwest {
namespace {

constexpr absl::string_view kPointwiseSource = "OpenVINO common passes; ONNX Runtime optimizer; QNN EP fusions";

// clang-format off
constexpr PatternRow kPointwisePatterns[] = {
    {.name = "gelu_erf", .family = "gelu_erf", .picks = "gelu_erf", .key = "Erf",
     .expression = "@erf_half(_)",
     .words = "GELU, written out", .source = "Hendrycks & Gimpel 2016; ONNX Runtime GeluFusion"},
    {.name = "gelu_tanh", .family = "gelu_tanh", .picks = "gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(_)",
     .words = "GELU by tanh, written out", .source = "Hendrycks & Gimpel 2016; ONNX Runtime FastGeluFusion"},
    {.name = "hardswish", .family = "hardswish", .picks = "hardswish",
     .key = "HardSwish HardSigmoid Clip Min",
     .expression = "@hardswish(_)",
     .words = "HardSwish, written out", .source = kPointwiseSource},
    {.name = "mish", .family = "mish", .picks = "mish", .key = "Softplus Log",
     .expression = "@mish(_)",
     .words = "Mish, written out", .source = kPointwiseSource},
    {.name = "silu", .family = "silu", .picks = "silu", .key = "Sigmoid",
     .expression = "@silu(_)",
     .words = "SiLU, written out", .source = kPointwiseSource},
    {.name = "hardsigmoid", .family = "hardsigmoid", .picks = "hardsigmoid", .key = "Clip Min",
     .expression = "@hardsigmoid(_)",
     .words = "HardSigmoid, written out", .source = kPointwiseSource},
    {.name = "relu6", .family = "relu6", .picks = "relu6", .key = "Clip Min",
     .expression = "@relu6(_)",
     .words = "ReLU6, written out", .source = kPointwiseSource},
    {.name = "rsqrt", .family = "rsqrt", .picks = "rsqrt", .key = "Sqrt",
     .expression = "(Reciprocal(Sqrt(_)) | Div(1, Sqrt(_)))",
     .words = "reciprocal of a root, written out", .source = "TensorFlow Lite operator RSQRT"},
    {.name = "argmax_cast", .family = "argmax_cast", .picks = "argmax_cast", .key = "ArgMax",
     .expression = "Cast(ArgMax(_))",
     .words = "index of the largest element, in another integer type", .source = "TensorFlow Lite operator ARG_MAX"},
    {.name = "softmax", .family = "softmax", .picks = "softmax", .key = "Exp",
     .expression = "Div(e:Exp((Sub(s, ReduceMax(s)) | _)), ReduceSum[trailing](e))",
     .words = "softmax, written out", .source = kPointwiseSource},
    {.name = "bn_act", .family = "bn_act", .picks = "bn_act", .key = "BatchNormalization",
     .expression = "(@act(@normalise) | HardSwish(@normalise))",
     .words = "normalisation and activation", .source = "TensorRT fusion catalog, scale and activation"},
    {.name = "scale_shift_act", .family = "bn_act", .picks = "bn_act scale_shift", .key = "Mul Div",
     .expression = "@act(@scale_shift)",
     .words = "scale and offset of each channel, and activation",
     .source = "TensorRT fusion catalog, scale and activation"},
    {.name = "scale_shift", .family = "scale_shift", .picks = "scale_shift", .key = "Mul Div",
     .expression = "@scale_shift",
     .words = "scale and offset of each channel", .source = "RKNN-Toolkit2 2.5.0 layer tables, BatchNormalization"},
    {.name = "add_act", .family = "add_act", .picks = "add_act", .key = "Add",
     .expression = "@act(Add(_, _))",
     .words = "sum and activation", .source = "RKNN operator list 2.3.2; TIDL mergeReluLayer"},

    {.name = "elementwise_chain", .family = "elementwise_chain", .picks = "elementwise_chain",
     .expression = "connected element-wise nodes of one output shape, used outside only at the end",
     .words = "element-wise nodes of one shape",
     .source = "TensorRT fusion catalog, pointwise fusion", .kind = RowKind::kChain},
    {.name = "qdq", .family = "", .picks = "qdq",
     .expression = "DequantizeLinear into its only reader, QuantizeLinear into the kernel before it",
     .words = "quantisation beside the kernel that does it",
     .source = "TensorRT fusion catalog, Q/DQ; TIDL mergeQDQLayers; ONNX Runtime QDQSelectorActionTransformer",
     .kind = RowKind::kQdq},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> PointwisePatterns() { return kPointwisePatterns; }

}  // namespace hwest
