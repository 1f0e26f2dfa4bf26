// Rules were read from fvcore 0.1.5 (jit handles), the FlopCounterMode of PyTorch 2.15.0 (formulas of aten
// operators), THOP 0.1.1 (hooks registered for module classes) and onnx-tool 1.0.1 (profile of each node class).
#include "pass/convention_rules.h"

namespace hwest {
namespace {

constexpr Convention kF = Convention::kFvcore;
constexpr Convention kT = Convention::kTorch;
constexpr Convention kH = Convention::kThop;
constexpr Convention kO = Convention::kOnnxTool;

constexpr char kMacIsOne[] = "one multiply-accumulate counts 1, bias not counted";
constexpr char kMacIsTwo[] = "one multiply-accumulate counts 2, bias not counted";
constexpr char kNoHook[] = "called as a function or without weights: no module to hook";
constexpr char kTheirWeight[] = "its own weight for each element of this operator";

// clang-format off
constexpr ConventionRule kRules[] = {
    {kF, "Conv ConvTranspose Gemm MatMul Einsum", When::kAlways, {Basis::kMacs, 1}, {}, kMacIsOne},
    {kF, "BatchNormalization", When::kAlways, {Basis::kInput, 2}, {},
     "2 an element with scale and shift; not folded into a convolution before it"},
    {kF, "LayerNormalization GroupNormalization InstanceNormalization", When::kAlways, {Basis::kInput, 5}, {},
     "5 an element with scale and shift"},
    {kF, "GlobalAveragePool", When::kAlways, {Basis::kInput, 1}, {}, "1 an input element"},
    {kF, "GridSample", When::kAlways, {Basis::kOutput, 4}, {}, "4 an output element, taken as bilinear"},
    {kF, "Resize Upsample", When::kNearest, {Basis::kOutput, 1}, {}, "1 an output element of nearest upsampling"},
    {kF, "Resize Upsample", When::kLinear, {Basis::kOutput, 4}, {}, "4 an output element of bilinear upsampling"},
    {kF, "Attention", When::kAlways, {}, {}, "scaled_dot_product_attention has no handle"},
    {kF, "LSTM GRU RNN", When::kAlways, {}, {}, "recurrent layers have no handle"},
    {kF, "", When::kAlways, {}, {}, "no handle: not counted"},

    {kT, "Conv ConvTranspose Gemm MatMul Einsum", When::kAlways, {Basis::kMacs, 2}, {}, kMacIsTwo},
    {kT, "Attention", When::kAlways, {Basis::kMacs, 2}, {}, "both products dense, a causal mask changes nothing"},
    {kT, "LSTM GRU RNN", When::kAlways, {}, {}, "runs as one library call, for which no formula is registered"},
    {kT, "", When::kAlways, {}, {}, "no formula registered: not counted"},

    {kH, "Conv", When::kModule, {Basis::kMacs, 1}, {}, kMacIsOne},
    {kH, "ConvTranspose", When::kModule, {Basis::kOutputsByWeight, 1}, {},
     "counted over output positions, as a convolution"},
    {kH, "Gemm MatMul", When::kWeights, {Basis::kMacs, 1}, {}, kMacIsOne},
    {kH, "BatchNormalization LayerNormalization InstanceNormalization", When::kModule, {Basis::kInput, 4}, {},
     "4 an element with scale and shift"},
    {kH, "Softmax", When::kModule, {Basis::kInput, 3}, {Basis::kRows, -1}, "3 an element less 1 a row"},
    {kH, "PRelu", When::kModule, {Basis::kInput, 1}, {}, "1 an element"},
    {kH, "AveragePool", When::kModule, {Basis::kOutput, 1}, {}, "1 an output element, whatever the window"},
    {kH, "GlobalAveragePool", When::kModule, {Basis::kInput, 1}, {Basis::kOutput, 1},
     "1 an input element and 1 an output element"},
    {kH, "Resize Upsample", When::kModuleNearest, {Basis::kOutput, 1}, {}, "1 an output element"},
    {kH, "Resize Upsample", When::kModuleLinear3, {Basis::kOutput, 5}, {}, "5 an output element of linear upsampling"},
    {kH, "Resize Upsample", When::kModuleLinear4, {Basis::kOutput, 11}, {},
     "11 an output element of bilinear upsampling"},
    {kH, "Resize Upsample", When::kModuleCubic, {Basis::kOutput, 259}, {},
     "259 an output element of bicubic upsampling"},
    {kH, "LSTM GRU RNN", When::kModule, {Basis::kGates, 1}, {},
     "products of every gate, one an activation, bias and blending"},
    {kH, "Conv ConvTranspose Gemm MatMul BatchNormalization LayerNormalization InstanceNormalization Softmax PRelu "
         "AveragePool GlobalAveragePool Resize Upsample LSTM GRU RNN",
     When::kAlways, {}, {}, kNoHook},
    {kH, "Relu LeakyRelu MaxPool GlobalMaxPool Dropout Pad", When::kAlways, {}, {}, "hooked, and counted as 0"},
    {kH, "", When::kAlways, {}, {}, "no hook for a module of this kind: not counted"},

    {kO, "Conv QLinearConv", When::kAlways, {Basis::kMacs, 1}, {Basis::kBias, 1},
     "one multiply-accumulate counts 1, and 1 a biased output element"},
    {kO, "ConvTranspose", When::kAlways, {Basis::kOutputsByFilter, 1}, {Basis::kBias, 1},
     "output elements times a filter, and 1 a biased output element"},
    {kO, "Gemm", When::kAlways, {Basis::kMacs, 1}, {Basis::kBias, 1},
     "one multiply-accumulate counts 1, and 1 a biased output element"},
    {kO, "MatMul MatMulInteger QLinearMatMul ConvInteger Einsum", When::kAlways, {Basis::kMacs, 1}, {},
     "one multiply-accumulate counts 1"},
    {kO, "MaxPool AveragePool", When::kAlways, {Basis::kTaps, 1}, {}, "1 a window element"},
    {kO, "GlobalAveragePool", When::kAlways, {Basis::kInput, 1}, {Basis::kOutput, 4},
     "1 an input element and 4 an output element"},
    {kO, "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd", When::kAlways, {Basis::kInput, 1}, {},
     "1 an input element"},
    {kO, "ReduceL2", When::kAlways, {Basis::kInput, 25}, {}, kTheirWeight},
    {kO, "LayerNormalization", When::kAlways, {Basis::kInput, 7}, {Basis::kRows, 29},
     "7 an element and 29 for each mean and deviation"},
    {kO, "Resize Upsample", When::kLinear, {Basis::kOutput, 4}, {}, "4 an output element"},
    {kO, "Resize Upsample", When::kCubic, {Basis::kOutput, 8}, {}, "8 an output element"},
    {kO, "LRN", When::kAlways, {Basis::kOutput, 37}, {Basis::kWindow, 1}, "37 an element and 1 for each neighbour"},
    {kO, "LSTM", When::kAlways, {Basis::kRecurrentWeights, 1}, {Basis::kHidden, 180},
     "all weights once a step, and 180 a hidden element"},
    {kO, "GRU", When::kAlways, {Basis::kRecurrentWeights, 1}, {Basis::kHidden, 110},
     "all weights once a step, and 110 a hidden element"},
    {kO, "Add Sub Mul Min Max Sum Mod", When::kAlways, {Basis::kOutputs1, 1}, {}, "1 an output element and operand"},
    {kO, "Abs Neg Sign Relu Ceil Floor Round Equal Less LessOrEqual Greater GreaterOrEqual Not And Or Xor CumSum",
     When::kAlways, {Basis::kOutput, 1}, {}, "1 an output element"},
    {kO, "Clip PRelu LeakyRelu QuantizeLinear DequantizeLinear", When::kAlways, {Basis::kOutput, 2}, {}, kTheirWeight},
    {kO, "Div Reciprocal HardSigmoid", When::kAlways, {Basis::kOutput, 4}, {}, kTheirWeight},
    {kO, "HardSwish", When::kAlways, {Basis::kOutput, 5}, {}, kTheirWeight},
    {kO, "InstanceNormalization", When::kAlways, {Basis::kOutput, 14}, {}, kTheirWeight},
    {kO, "Sqrt", When::kAlways, {Basis::kOutput, 24}, {}, kTheirWeight},
    {kO, "BatchNormalization", When::kAlways, {Basis::kOutput, 31}, {}, kTheirWeight},
    {kO, "Exp Pow Sigmoid", When::kAlways, {Basis::kOutput, 32}, {}, kTheirWeight},
    {kO, "LpNormalization", When::kAlways, {Basis::kOutput, 33}, {}, kTheirWeight},
    {kO, "Gelu", When::kAlways, {Basis::kOutput, 34}, {}, kTheirWeight},
    {kO, "Elu", When::kAlways, {Basis::kOutput, 35}, {}, kTheirWeight},
    {kO, "Softmax", When::kAlways, {Basis::kOutput, 36}, {}, kTheirWeight},
    {kO, "Sin Cos", When::kAlways, {Basis::kOutput, 39}, {}, kTheirWeight},
    {kO, "Log", When::kAlways, {Basis::kOutput, 43}, {}, kTheirWeight},
    {kO, "Atan", When::kAlways, {Basis::kOutput, 64}, {}, kTheirWeight},
    {kO, "Tanh Softplus", When::kAlways, {Basis::kOutput, 76}, {}, kTheirWeight},
    {kO, "LogSoftmax", When::kAlways, {Basis::kOutput, 80}, {}, kTheirWeight},
    {kO, "", When::kAlways, {}, {}, "no profile for this operator: counted as 0"},
};
// clang-format on

}  // namespace

absl::Span<const ConventionRule> ConventionRules() { return kRules; }

}  // namespace hwest
