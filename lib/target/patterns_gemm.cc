// Matrix products with what is folded into them or applied to their output.
#include "target/patterns.h"

namespace hwest {
namespace {

constexpr absl::string_view kGemmSeen = "RKNN-Toolkit2 2.5.0 layer tables";
constexpr absl::string_view kSource = "TensorRT fusion catalog; ONNX Runtime GemmActivationFusion, BiasGeluFusion";

// clang-format off
constexpr PatternRow kGemmPatterns[] = {
    {.name = "horizontal", .family = "horizontal", .picks = "horizontal", .key = "Conv Gemm MatMul",
     .expression = "products of one value by constant weights, and what follows each, of the same operators",
     .words = "products of one value side by side, as the projections of an attention layer",
     .source = "NVIDIA developer forum 238187, TensorRT's answer", .kind = RowKind::kHorizontal},
    {.name = "glu", .family = "glu", .picks = "glu", .key = "Sigmoid Erf Tanh",
     .expression = "Mul((@silu(_) | @erf_half(_) | @tanh_half(_) | Sigmoid(@part)), _)",
     .words = "gated linear unit: one half through an activation times the other",
     .source = "Shazeer 2020; RKNN exGlu; OpenVINO GLUFusion"},
    {.name = "matmul_bias_act", .family = "matmul_bias_act", .picks = "matmul_bias_act", .key = "Add",
     .expression = "@act(~@view @biased)",
     .words = "matrix product, bias and activation", .source = kSource},
    {.name = "matmul_bias_silu", .family = "matmul_bias_act", .picks = "matmul_bias_act silu", .key = "Sigmoid",
     .expression = "@silu(~@view @biased)",
     .words = "matrix product, bias and SiLU", .source = kSource},
    {.name = "matmul_bias_hardswish", .family = "matmul_bias_act", .picks = "matmul_bias_act hardswish",
     .key = "HardSwish HardSigmoid Clip Min",
     .expression = "(HardSwish(~@view @biased) | @hardswish(~@view @biased))",
     .words = "matrix product, bias and HardSwish", .source = kSource},
    {.name = "matmul_bias_relu6", .family = "matmul_bias_act", .picks = "matmul_bias_act relu6", .key = "Clip Min",
     .expression = "@relu6(~@view @biased)",
     .words = "matrix product, bias and ReLU6", .source = kSource},
    {.name = "matmul_bias_gelu_erf", .family = "matmul_bias_act", .picks = "matmul_bias_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(~@view @biased)",
     .words = "matrix product, bias and GELU", .source = kSource},
    {.name = "matmul_bias_gelu_tanh", .family = "matmul_bias_act", .picks = "matmul_bias_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(~@view @biased)",
     .words = "matrix product, bias and GELU by tanh", .source = kSource},
    {.name = "gemm_act", .family = "gemm_act", .picks = "gemm_act",
     .expression = "@act(~@view @gemm)",
     .words = "matrix product and activation", .source = kSource},
    {.name = "gemm_silu", .family = "gemm_act", .picks = "gemm_act silu", .key = "Sigmoid",
     .expression = "@silu(~@view @gemm)",
     .words = "matrix product and SiLU", .source = kSource},
    {.name = "gemm_hardswish", .family = "gemm_act", .picks = "gemm_act hardswish",
     .key = "HardSwish HardSigmoid Clip Min",
     .expression = "(HardSwish(~@view @gemm) | @hardswish(~@view @gemm))",
     .words = "matrix product and HardSwish", .source = kSource},
    {.name = "gemm_relu6", .family = "gemm_act", .picks = "gemm_act relu6", .key = "Clip Min",
     .expression = "@relu6(~@view @gemm)",
     .words = "matrix product and ReLU6", .source = kSource},
    {.name = "gemm_gelu_erf", .family = "gemm_act", .picks = "gemm_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(~@view @gemm)",
     .words = "matrix product and GELU", .source = kSource},
    {.name = "gemm_gelu_tanh", .family = "gemm_act", .picks = "gemm_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(~@view @gemm)",
     .words = "matrix product and GELU by tanh", .source = kSource},
    {.name = "matmul_bias_add", .family = "matmul_bias_add", .picks = "matmul_bias_add", .key = "Add",
     .expression = "(Add[same_shape](~@view @biased, _) | Add[same_shape](~@view @gemm, _))",
     .words = "matrix product, bias and residual sum", .source = "OpenVINO CPU post-operations of MatMul"},
    {.name = "matmul_bias_mish", .family = "matmul_bias_act", .picks = "matmul_bias_act mish", .key = "Softplus Log",
     .expression = "@mish(~@view @biased)",
     .words = "matrix product, bias and Mish", .source = kGemmSeen},
    {.name = "gemm_mish", .family = "gemm_act", .picks = "gemm_act mish", .key = "Softplus Log",
     .expression = "@mish(~@view @gemm)",
     .words = "matrix product and Mish", .source = kGemmSeen},
    {.name = "matmul_heads", .family = "matmul_heads", .picks = "matmul_heads", .key = "Split",
     .expression = "Split(~@view Transpose[of_heads](~@view @biased))",
     .words = "matrix product and bias, split into queries, keys and values", .source = kGemmSeen},
    {.name = "matmul_split", .family = "product_split", .picks = "product_split", .key = "Split",
     .expression = "(Split(Reshape?(@biased)) | Split(Reshape?(@gemm)))",
     .words = "matrix product whose result is split: one product for each part", .source = kGemmSeen},
    {.name = "matmul_placed", .family = "matmul_bias", .picks = "matmul_placed", .key = "Transpose",
     .expression = "(Transpose[heads_placed](~@view @biased) | Transpose[heads_placed](~@view @gemm))",
     .words = "matrix product and bias, whose heads are put in front", .source = kGemmSeen},
    {.name = "matmul_positions", .family = "matmul_bias", .picks = "matmul_bias matmul_positions", .key = "Transpose",
     .expression = "Mul[per_channel]?{conv_bn}(Transpose[keeps_order](~@view (@biased | @gemm)), _[const])",
     .words = "matrix product and bias, of positions that become an image", .source = kGemmSeen},
    {.name = "matmul_positions_add", .family = "matmul_bias_add", .picks = "matmul_bias_add matmul_positions",
     .key = "Transpose",
     .expression = "Add[same_shape](Mul[per_channel]?{conv_bn}(Transpose[keeps_order](~@view (@biased | @gemm)), "
                   "_[const]), _)",
     .words = "matrix product and bias, of positions that become an image, and residual sum", .source = kGemmSeen},
    {.name = "matmul_bias", .family = "matmul_bias", .picks = "matmul_bias", .key = "Add",
     .expression = "@biased",
     .words = "matrix product and bias", .source = "ONNX Runtime MatMulAddFusion; RKNN exMatMul"},
    {.name = "matmul_scale", .family = "", .picks = "matmul_scale", .key = "Mul",
     .expression = "@biased",
     .words = "matrix product, bias and the factors that go into its weights", .source = kGemmSeen},
    {.name = "matmul_factor", .family = "", .picks = "matmul_scale", .key = "Mul Div",
     .expression = "(Mul|Div)(~@view (core:MatMul(lhs, rhs)), _[const, scalar])",
     .words = "matrix product and a factor of the result", .source = kGemmSeen},
    {.name = "gemm_bn", .family = "", .picks = "conv_bn", .key = "BatchNormalization",
     .expression = "@gemm",
     .words = "matrix product and the normalisation that goes into its weights",
     .source = "ONNX Runtime MatmulBNFusion; TIDL mergeBNLayer"},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> GemmPatterns() { return kGemmPatterns; }

}  // namespace hwest
