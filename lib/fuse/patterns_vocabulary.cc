// Fragments that the expressions of the table share.
#include "fuse/patterns.h"

namespace hwest {
namespace {

constexpr Fragment kVocabulary[] = {
    {"act",
     "(Relu|Clip|LeakyRelu|PRelu|Sigmoid|Tanh|HardSigmoid|Elu|Selu|Celu|Softplus|Softsign|ThresholdedRelu|Gelu|Mish|"
     "Swish|com.microsoft::Gelu|com.microsoft::FastGelu|com.microsoft::QuickGelu)"},
    {"view", "(Reshape|Squeeze|Unsqueeze|Flatten)"},

    // Convolution with what folds into its weights and pads: BatchNormalization, also written as Mul and Add of
    // per-channel constants.
    {"folded", "BatchNormalization[inference]?{conv_bn}(%, _[const], _[const], _[const], _[const])"},
    {"kernel", "core:(Conv|ConvTranspose)(Pad[zero_pad]?{pad_conv}(data), w, b?)"},
    {"scaled", "Add[per_channel]?{conv_bn}(Mul[per_channel]?{conv_bn}(@kernel, _[const]), _[const])"},
    {"conv", "@folded(@scaled)"},
    {"depthwise", "@folded(Conv[depthwise](data, w, b?))"},
    {"pointwise", "@folded(core:Conv[pointwise](%, _, _?))"},
    {"normalise", "~@view BatchNormalization[inference](_, _[const], _[const], _[const], _[const])"},
    {"gemm", "@folded(~@view (core:(Gemm|MatMul|com.microsoft::MatMulNBits)(lhs, rhs)))"},
    {"biased", "@folded(~@view Add(core:(MatMul|Gemm)(lhs, rhs), _[bias]))"},
    {"dense", "(Conv|Gemm|MatMul)(%, _)"},
    {"squeezed", "@dense(~@view (GlobalAveragePool|ReduceMean)(x))"},

    {"sixth", "(Div(%, 6) | Mul(%, 0.16666667))"},
    {"hardsigmoid", "@sixth(Clip[zero_six](Add(3, %)))"},
    {"relu6", "(Min(6, Max(0, %)) | Min(6, Relu(%)) | Clip[zero_six](Relu(%)) | Max(0, Min(6, %)))"},
    {"silu", "(Mul(Sigmoid(g), g:%) | Mul(Sigmoid(Mul(1.702, g)), g:%))"},
    {"mish", "Mul(Tanh(Softplus(g)), g:%)"},
    {"hardswish",
     "(Mul(HardSigmoid[sixth](g), g:%) | @sixth(Mul(Clip[zero_six](Add(3, g)), g:%)) | Mul(@hardsigmoid(g), g:%))"},
    {"erf", "Add(1, Erf((Div(g, 1.41421356) | Mul(0.70710678, g))))"},
    {"erf_half", "(Mul(Mul(0.5, g:%), @erf) | Mul(0.5, Mul(@erf, g:%)) | Mul(Mul(0.5, @erf), g:%))"},
    {"tanh", "Add(1, Tanh(Mul(0.79788456, Add(Mul(0.044715, (Pow(g, 3) | Mul(g, Mul(g, g)))), g))))"},
    {"tanh_half", "(Mul(Mul(0.5, g:%), @tanh) | Mul(0.5, Mul(@tanh, g:%)) | Mul(Mul(0.5, @tanh), g:%))"},
    {"part", "(Split(_) | Split.1(_) | Slice(_))"},

    // Normalisation over the last axes of the argument, which has to be named n. Some exporters write the difference to
    // the mean twice.
    {"centred", "(d | Sub(n, mu))"},
    {"variance", "ReduceMean[trailing]((Pow(@centred, 2) | Mul(e:@centred, e)))"},
    {"deviation", "Sqrt(Add(@variance, _[scalar]))"},
    {"normalised",
     "(Div(d:Sub(%, mu:ReduceMean[trailing](n)), @deviation)"
     " | Mul(d:Sub(%, mu:ReduceMean[trailing](n)), (Reciprocal(@deviation) | Div(1, @deviation))))"},
    {"rms", "Sqrt(Add(ReduceMean[trailing]((Pow(n, 2) | Mul(n, n))), _[scalar]))"},
    {"rms_normalised", "(Div(%, @rms) | Mul(%, (Reciprocal(@rms) | Div(1, @rms))))"},
    {"l2", "(ReduceL2(n) | Sqrt(Add?(ReduceSum((Pow(n, 2) | Mul(n, n))), _[scalar])))"},

    // Attention. The factor may be on the scores, on the queries and keys, or on both; repeated keys and values
    // (grouped queries) are written as Expand. The kernel reads heads where they lie, so their Transpose is part of it.
    {"queries", "~@view ~Expand ~Transpose (Mul|Div)?(~@view ~Expand ~Transpose q, _[scale])"},
    {"keys", "~@view ~Expand ~Transpose (Mul|Div)?(~@view ~Expand ~Transpose k, _[scale])"},
    {"scores", "(Mul|Div)?(~@view (MatMul|Einsum)(@queries, @keys), _[scale])"},
    {"masked", "(Where(_, @scores, _) | Where(_, _, @scores) | Add?(@scores, _))"},
    {"softmax", "Softmax[last_axis](~@view ~Cast Add?(~@view Add?(~@view @masked, _), _))"},
    {"weights", "(Where(IsNaN(p:@softmax), 0, p) | @softmax)"},
    {"attended", "~@view ~Expand ~Cast @weights"},
    {"mixed", "~@view ~Expand ~Transpose v"},
    {"half", "(Slice(_) | Split(_) | Split.1(_))"},

    {"cell", "Slice[strided](Slice[strided]?(x))"},
};

}  // namespace

absl::Span<const Fragment> PatternVocabulary() { return kVocabulary; }

}  // namespace hwest
