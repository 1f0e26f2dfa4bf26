// Convolutions with what is folded into them or applied to their output.
#include "target/patterns.h"

namespace hwest {
namespace {

constexpr absl::string_view kConvSeen = "RKNN-Toolkit2 2.5.0 layer tables";
constexpr absl::string_view kConvSource = "TensorRT fusion catalog; RKNN operator list 2.3.2; ONNX Runtime optimizer";

// clang-format off
constexpr PatternRow kConvPatterns[] = {
    {.name = "conv_add_act", .family = "conv_add_act", .picks = "conv_add_act", .key = "Add",
     .expression = "@act(Add[same_shape](@conv, r))",
     .words = "convolution, residual sum and activation", .source = kConvSource},
    {.name = "conv_add_silu", .family = "conv_add_act", .picks = "conv_add_act conv_silu", .key = "Sigmoid",
     .expression = "@silu(Add[same_shape](@conv, r))",
     .words = "convolution, residual sum and SiLU", .source = kConvSource},
    {.name = "conv_add_hardswish", .family = "conv_add_act", .picks = "conv_add_act conv_hardswish", .key = "Add",
     .expression = "(HardSwish(Add[same_shape](@conv, r)) | @hardswish(Add[same_shape](@conv, r)))",
     .words = "convolution, residual sum and HardSwish", .source = kConvSource},
    {.name = "conv_add_relu6", .family = "conv_add_act", .picks = "conv_add_act relu6", .key = "Clip Min",
     .expression = "@relu6(Add[same_shape](@conv, r))",
     .words = "convolution, residual sum and ReLU6", .source = kConvSource},
    {.name = "conv_act_add", .family = "conv_act_add", .picks = "conv_act_add", .key = "Add",
     .expression = "Add[same_shape](@act(@conv), r)",
     .words = "convolution, activation and residual sum", .source = "OpenVINO CPU post-operations of Convolution"},
    {.name = "conv_silu_add", .family = "conv_act_add", .picks = "conv_act_add conv_silu", .key = "Sigmoid",
     .expression = "Add[same_shape](@silu(@conv), r)",
     .words = "convolution, SiLU and residual sum", .source = "OpenVINO CPU post-operations of Convolution"},
    {.name = "conv_relu_add", .family = "conv_act_add", .picks = "conv_relu_add", .key = "Relu",
     .expression = "Add[same_shape](Relu(@wide_conv), r)",
     .words = "convolution, Relu and residual sum", .source = kConvSeen},
    {.name = "conv_pool", .family = "conv_pool", .picks = "conv_pool", .key = "MaxPool",
     .expression = "MaxPool[two_by_two]((@act(@conv) | @conv))",
     .words = "convolution, activation and 2x2 pooling", .source = "TIDL mergePoolingLayer; TensorRT fusion catalog"},
    {.name = "dw_pw", .family = "dw_pw", .picks = "dw_pw", .key = "Conv",
     .expression = "(@act(@pointwise((@act(@depthwise) | @depthwise))) | @pointwise((@act(@depthwise) | @depthwise)))",
     .words = "depthwise and 1x1 convolution with their activations",
     .source = "TensorRT fusion catalog; OpenVINO CPU post-operations of Convolution"},
    {.name = "conv_silu", .family = "conv_silu", .picks = "conv_silu", .key = "Sigmoid",
     .expression = "@silu(@conv)",
     .words = "convolution and SiLU", .source = kConvSource},
    {.name = "conv_hardswish", .family = "conv_hardswish", .picks = "conv_hardswish",
     .key = "HardSwish HardSigmoid Clip Min",
     .expression = "(HardSwish(@conv) | @hardswish(@conv))",
     .words = "convolution and HardSwish", .source = kConvSource},
    {.name = "conv_act", .family = "conv_act", .picks = "conv_act",
     .expression = "@act(@conv)",
     .words = "convolution and activation", .source = kConvSource},
    {.name = "conv_hardsigmoid", .family = "conv_act", .picks = "conv_act hardsigmoid", .key = "Clip Min",
     .expression = "@hardsigmoid(@conv)",
     .words = "convolution and HardSigmoid", .source = kConvSource},
    {.name = "conv_relu6", .family = "conv_act", .picks = "conv_act relu6", .key = "Clip Min",
     .expression = "@relu6(@conv)",
     .words = "convolution and ReLU6", .source = kConvSource},
    {.name = "conv_mish", .family = "conv_act", .picks = "conv_act mish", .key = "Softplus Log",
     .expression = "@mish(@conv)",
     .words = "convolution and Mish", .source = kConvSource},
    {.name = "conv_gelu_erf", .family = "conv_act", .picks = "conv_act gelu_erf", .key = "Erf",
     .expression = "@erf_half(@conv)",
     .words = "convolution and GELU", .source = kConvSource},
    {.name = "conv_positions_gelu", .family = "conv_act", .picks = "conv_act gelu_erf positions_act", .key = "Erf",
     .expression = "@erf_half(Transpose[keeps_order](~@view @conv))",
     .words = "convolution and GELU of its positions in a row", .source = kConvSeen},
    {.name = "conv_gelu_tanh", .family = "conv_act", .picks = "conv_act gelu_tanh", .key = "Tanh",
     .expression = "@tanh_half(@conv)",
     .words = "convolution and GELU by tanh", .source = kConvSource},
    {.name = "conv_add", .family = "conv_add", .picks = "conv_add", .key = "Add",
     .expression = "Add[same_shape](@conv, r)",
     .words = "convolution and residual sum", .source = kConvSource},
    {.name = "wide_conv_add_relu", .family = "conv_add_act", .picks = "wide_conv_add_relu", .key = "Add",
     .expression = "Relu(Add[same_shape](@wide_conv, r))",
     .words = "convolution of several channels at once, residual sum and Relu", .source = kConvSeen,
     .later_first = true},
    {.name = "wide_conv_add", .family = "conv_add", .picks = "wide_conv_add", .key = "Add",
     .expression = "Add[same_shape](@wide_conv, r)",
     .words = "convolution of several channels at once, and residual sum", .source = kConvSeen, .later_first = true},
    {.name = "conv_mul", .family = "conv_mul", .picks = "conv_mul", .key = "Mul",
     .expression = "(Mul[same_shape](@wide_conv, r) | Mul[same_shape](~@view @biased, r) | "
                   "Mul[same_shape](~@view @gemm, r))",
     .words = "convolution or matrix product, multiplied with another value", .source = kConvSeen},
    {.name = "conv_bn", .family = "", .picks = "conv_bn",
     .expression = "@conv",
     .words = "convolution and the normalisation that goes into its weights",
     .source = "ONNX Runtime ConvBNFusion, ConvMulFusion, ConvAddFusion"},
    {.name = "pad_conv", .family = "", .picks = "pad_conv", .key = "Pad",
     .expression = "@kernel",
     .words = "convolution and the zeros around its input",
     .source = "TensorRT fusion catalog; TIDL mergePadLayer; ONNX Runtime PadFusion"},
    {.name = "pad_pool", .family = "", .picks = "pad_pool", .key = "Pad",
     .expression = "core:AveragePool(Pad[zero_pad](_))",
     .words = "average pooling and the zeros around its input", .source = "ONNX Runtime PadFusion"},
    {.name = "se_block", .family = "se_block", .picks = "se_block",
     .key = "Sigmoid HardSigmoid",
     .expression = "Mul(x, ~@view (Sigmoid|HardSigmoid)(~@view @dense(~@view (@act(@squeezed) | @silu(@squeezed)))))",
     .words = "squeeze and excitation: pooled channels through two layers scale the image", .source = "Hu et al. 2018"},
};
// clang-format on

}  // namespace

absl::Span<const PatternRow> ConvPatterns() { return kConvPatterns; }

}  // namespace hwest
