#include "fuse/patterns.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_split.h"

namespace hwest {
namespace {

constexpr Fragment kVocabulary[] = {
    {"act",
     "(Relu|Clip|LeakyRelu|PRelu|Sigmoid|Tanh|HardSigmoid|Elu|Selu|Celu|Softplus|Softsign|ThresholdedRelu|Gelu|Mish|"
     "com.microsoft::Gelu|com.microsoft::FastGelu|com.microsoft::QuickGelu)"},
    {"view", "(Reshape|Squeeze|Unsqueeze|Flatten)"},

    // Convolution with what folds into its weights and pads: BatchNormalization, also written as Mul and Add of
    // per-channel constants.
    {"kernel", "core:(Conv|ConvTranspose)(Pad[zero_pad]?{pad_conv}(data), w, b?)"},
    {"scaled", "Add[per_channel]?{conv_bn}(Mul[per_channel]?{conv_bn}(@kernel, _[const]), _[const])"},
    {"conv", "BatchNormalization[inference]?{conv_bn}(@scaled, _[const], _[const], _[const], _[const])"},
    {"normalise", "~@view BatchNormalization[inference](_, _[const], _[const], _[const], _[const])"},
    {"gemm", "(Gemm|MatMul|com.microsoft::MatMulNBits)(lhs, rhs)"},
    {"biased", "Add(MatMul(lhs, rhs), _[bias])"},

    {"sixth", "(Div(%, 6) | Mul(%, 0.16666667))"},
    {"hardsigmoid", "@sixth(Clip[zero_six](Add(3, %)))"},
    {"silu", "(Mul(Sigmoid(g), g:%) | Mul(Sigmoid(Mul(1.702, g)), g:%))"},
    {"mish", "Mul(Tanh(Softplus(g)), g:%)"},
    {"hardswish",
     "(Mul(HardSigmoid[sixth](g), g:%) | @sixth(Mul(Clip[zero_six](Add(3, g)), g:%)) | Mul(@hardsigmoid(g), g:%))"},
    {"erf", "Add(1, Erf((Div(g, 1.41421356) | Mul(0.70710678, g))))"},
    {"erf_half", "(Mul(Mul(0.5, g:%), @erf) | Mul(0.5, Mul(@erf, g:%)) | Mul(Mul(0.5, @erf), g:%))"},
    {"tanh", "Add(1, Tanh(Mul(0.79788456, Add(Mul(0.044715, (Pow(g, 3) | Mul(g, Mul(g, g)))), g))))"},
    {"tanh_half", "(Mul(Mul(0.5, g:%), @tanh) | Mul(0.5, Mul(@tanh, g:%)) | Mul(Mul(0.5, @tanh), g:%))"},

    // Normalisation over the last axes. Some exporters write the difference to the mean twice.
    {"centred", "(d | Sub(n, mu))"},
    {"variance", "ReduceMean[trailing]((Pow(@centred, 2) | Mul(e:@centred, e)))"},
    {"deviation", "Sqrt(Add(@variance, _[scalar]))"},
    {"normalised",
     "(Div(d:Sub(n, mu:ReduceMean[trailing](n)), @deviation)"
     " | Mul(d:Sub(n, mu:ReduceMean[trailing](n)), (Reciprocal(@deviation) | Div(1, @deviation))))"},
    {"rms", "Sqrt(Add(ReduceMean[trailing]((Pow(n, 2) | Mul(n, n))), _[scalar]))"},
    {"rms_normalised", "(Div(n, @rms) | Mul(n, (Reciprocal(@rms) | Div(1, @rms))))"},

    // Attention. The factor may be on the scores, on the queries and keys, or on both; repeated keys and values
    // (grouped queries) are written as Expand.
    {"queries", "~@view ~Expand (Mul|Div)?(~@view ~Expand q, _[scale])"},
    {"keys", "~@view ~Expand (Mul|Div)?(~@view ~Expand ~Transpose k, _[scale])"},
    {"scores", "(Mul|Div)?(~@view MatMul(@queries, @keys), _[scale])"},
    {"masked", "(Where(_, @scores, _) | Where(_, _, @scores) | Add?(@scores, _))"},
    {"softmax", "Softmax[last_axis](~@view ~Cast Add?(~@view Add?(~@view @masked, _), _))"},
    {"weights", "(Where(IsNaN(p:@softmax), 0, p) | @softmax)"},
};

constexpr absl::string_view kConvSource = "TensorRT fusion catalog; RKNN operator list 2.3.2; ONNX Runtime optimizer";
constexpr absl::string_view kGemmSource = "TensorRT fusion catalog; ONNX Runtime GemmActivationFusion, BiasGeluFusion";
constexpr absl::string_view kNormSource = "ONNX Runtime LayerNormFusion, SimplifiedLayerNormFusion";
constexpr absl::string_view kActSource = "OpenVINO common passes; ONNX Runtime optimizer; QNN EP fusions";

constexpr PatternRow kPatterns[] = {
    {.name = "attention", .family = "attention", .picks = "attention", .key = "Softmax",
     .expression = "(MatMul(~@view ~Expand ~Cast @weights, ~@view ~Expand v)"
                   " | MatMul(~@view ~Expand v, Transpose[last_two](~Cast @weights)))",
     .source = "Vaswani et al. 2017; TensorRT fusion catalog; RKNN exSDPAttention"},

    {.name = "conv_add_act", .family = "conv_add_act", .picks = "conv_add_act", .key = "Add",
     .expression = "@act(Add[same_shape](@conv, r))", .source = kConvSource},
    {.name = "conv_add_silu", .family = "conv_add_act", .picks = "conv_add_act conv_silu", .key = "Sigmoid",
     .expression = "@silu(Add[same_shape](@conv, r))", .source = kConvSource},
    {.name = "conv_add_hardswish", .family = "conv_add_act", .picks = "conv_add_act conv_hardswish", .key = "Add",
     .expression = "(HardSwish(Add[same_shape](@conv, r)) | @hardswish(Add[same_shape](@conv, r)))",
     .source = kConvSource},
    {.name = "conv_silu", .family = "conv_silu", .picks = "conv_silu", .key = "Sigmoid",
     .expression = "@silu(@conv)", .source = kConvSource},
    {.name = "conv_hardswish", .family = "conv_hardswish", .picks = "conv_hardswish",
     .expression = "(HardSwish(@conv) | @hardswish(@conv))", .source = kConvSource},
    {.name = "conv_act", .family = "conv_act", .picks = "conv_act",
     .expression = "@act(@conv)", .source = kConvSource},
    {.name = "conv_hardsigmoid", .family = "conv_act", .picks = "conv_act hardsigmoid", .key = "Clip",
     .expression = "@hardsigmoid(@conv)", .source = kConvSource},
    {.name = "conv_mish", .family = "conv_act", .picks = "conv_act mish", .key = "Softplus",
     .expression = "@mish(@conv)", .source = kConvSource},
    {.name = "conv_gelu_erf", .family = "conv_act", .picks = "conv_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(@conv)", .source = kConvSource},
    {.name = "conv_gelu_tanh", .family = "conv_act", .picks = "conv_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(@conv)", .source = kConvSource},
    {.name = "conv_add", .family = "conv_add", .picks = "conv_add", .key = "Add",
     .expression = "Add[same_shape](@conv, r)", .source = kConvSource},
    {.name = "conv_bn", .family = "", .picks = "conv_bn",
     .expression = "@conv", .source = "ONNX Runtime ConvBNFusion, ConvMulFusion, ConvAddFusion"},
    {.name = "pad_conv", .family = "", .picks = "pad_conv", .key = "Pad",
     .expression = "@kernel", .source = "TensorRT fusion catalog; TIDL mergePadLayer; ONNX Runtime PadFusion"},

    {.name = "matmul_bias_act", .family = "matmul_bias_act", .picks = "matmul_bias_act", .key = "MatMul",
     .expression = "@act(~@view @biased)", .source = kGemmSource},
    {.name = "matmul_bias_silu", .family = "matmul_bias_act", .picks = "matmul_bias_act silu", .key = "MatMul",
     .expression = "@silu(~@view @biased)", .source = kGemmSource},
    {.name = "matmul_bias_hardswish", .family = "matmul_bias_act", .picks = "matmul_bias_act hardswish",
     .key = "MatMul",
     .expression = "(HardSwish(~@view @biased) | @hardswish(~@view @biased))", .source = kGemmSource},
    {.name = "matmul_bias_gelu_erf", .family = "matmul_bias_act", .picks = "matmul_bias_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(~@view @biased)", .source = kGemmSource},
    {.name = "matmul_bias_gelu_tanh", .family = "matmul_bias_act", .picks = "matmul_bias_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(~@view @biased)", .source = kGemmSource},
    {.name = "gemm_act", .family = "gemm_act", .picks = "gemm_act",
     .expression = "@act(~@view @gemm)", .source = kGemmSource},
    {.name = "gemm_silu", .family = "gemm_act", .picks = "gemm_act silu", .key = "Sigmoid",
     .expression = "@silu(~@view @gemm)", .source = kGemmSource},
    {.name = "gemm_hardswish", .family = "gemm_act", .picks = "gemm_act hardswish",
     .expression = "(HardSwish(~@view @gemm) | @hardswish(~@view @gemm))", .source = kGemmSource},
    {.name = "gemm_gelu_erf", .family = "gemm_act", .picks = "gemm_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(~@view @gemm)", .source = kGemmSource},
    {.name = "gemm_gelu_tanh", .family = "gemm_act", .picks = "gemm_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(~@view @gemm)", .source = kGemmSource},
    {.name = "matmul_bias", .family = "matmul_bias", .picks = "matmul_bias", .key = "MatMul",
     .expression = "@biased", .source = "ONNX Runtime MatMulAddFusion; RKNN exMatMul"},

    {.name = "skip_layer_norm", .family = "skip_layer_norm", .picks = "skip_layer_norm", .key = "Add",
     .expression =
         "(LayerNormalization|SimplifiedLayerNormalization|RMSNormalization)(s*:Add[same_shape](n, r), _[const])",
     .source = "ONNX Runtime SkipLayerNormFusion"},
    {.name = "layer_norm", .family = "layer_norm", .picks = "layer_norm", .key = "Sqrt",
     .expression = "Add?(Mul?(@normalised, _[const]), _[const])", .source = kNormSource},
    {.name = "rms_norm", .family = "rms_norm", .picks = "rms_norm", .key = "Sqrt",
     .expression = "Mul?(~Cast @rms_normalised, _[const])", .source = kNormSource},

    {.name = "gelu_erf", .family = "gelu_erf", .picks = "gelu_erf", .key = "Erf",
     .expression = "@erf_half(_)", .source = "Hendrycks & Gimpel 2016; ONNX Runtime GeluFusion"},
    {.name = "gelu_tanh", .family = "gelu_tanh", .picks = "gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(_)", .source = "Hendrycks & Gimpel 2016; ONNX Runtime FastGeluFusion"},
    {.name = "hardswish", .family = "hardswish", .picks = "hardswish",
     .expression = "@hardswish(_)", .source = kActSource},
    {.name = "mish", .family = "mish", .picks = "mish", .key = "Softplus",
     .expression = "@mish(_)", .source = kActSource},
    {.name = "silu", .family = "silu", .picks = "silu", .key = "Sigmoid",
     .expression = "@silu(_)", .source = kActSource},
    {.name = "hardsigmoid", .family = "hardsigmoid", .picks = "hardsigmoid", .key = "Clip",
     .expression = "@hardsigmoid(_)", .source = kActSource},
    {.name = "bn_act", .family = "bn_act", .picks = "bn_act", .key = "BatchNormalization",
     .expression = "(@act(@normalise) | HardSwish(@normalise))",
     .source = "TensorRT fusion catalog, scale and activation"},
    {.name = "add_act", .family = "add_act", .picks = "add_act", .key = "Add",
     .expression = "@act(Add(_, _))", .source = "RKNN operator list 2.3.2; TIDL mergeReluLayer"},

    {.name = "elementwise_chain", .family = "elementwise_chain", .picks = "elementwise_chain",
     .expression = "connected element-wise nodes of one output shape, used outside only at the end",
     .source = "TensorRT fusion catalog, pointwise fusion", .kind = RowKind::kChain},
    {.name = "qdq", .family = "", .picks = "qdq",
     .expression = "DequantizeLinear into its only reader, QuantizeLinear into the kernel before it",
     .source = "TensorRT fusion catalog, Q/DQ; TIDL mergeQDQLayers; ONNX Runtime QDQSelectorActionTransformer",
     .kind = RowKind::kQdq},
};

}  // namespace

absl::Span<const PatternRow> AllPatterns() { return kPatterns; }

absl::Span<const Fragment> PatternVocabulary() { return kVocabulary; }

std::vector<absl::string_view> GuardsOf(const PatternRow& row) {
  std::vector<absl::string_view> names;
  if (row.kind != RowKind::kExpression) return names;
  const auto pattern = ParsePattern(row.expression, kVocabulary);
  if (!pattern.ok()) return names;
  for (const Expr& expr : pattern->exprs) {
    for (const Guard* guard : expr.guards) {
      if (std::find(names.begin(), names.end(), guard->name) == names.end()) names.push_back(guard->name);
    }
  }
  return names;
}

bool IsFusionName(absl::string_view name) {
  for (const PatternRow& row : kPatterns) {
    const std::vector<absl::string_view> picks = absl::StrSplit(row.picks, ' ');
    if (std::find(picks.begin(), picks.end(), name) != picks.end()) return true;
  }
  return false;
}

}  // namespace hwest
