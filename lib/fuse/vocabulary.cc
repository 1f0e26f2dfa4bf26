// Fragments that the expressions of the table share.
#include "fuse/patterns.h"

namespace hwest {
namespace {

constexpr Fragment kVocabulary[] = {
    {"act",
     "(Relu|Clip|LeakyRelu|PRelu|Sigmoid|Tanh|HardSigmoid|Elu|Selu|Celu|Softplus|Softsign|ThresholdedRelu|Gelu|Mish|"
     "Swish|com.microsoft::Gelu|com.microsoft::FastGelu|com.microsoft::QuickGelu)"},
    {"view", "(Reshape|Squeeze|Unsqueeze|Flatten)"},

    // Convolution with what folds into its weights and pads: BatchNormalization, also written as a product
    // and a sum with per-channel constants.
    {"folded", "BatchNormalization[inference]?{conv_bn}(%, _[const], _[const], _[const], _[const])"},
    {"kernel", "core:(Conv|ConvTranspose)(Pad[zero_pad]?{pad_conv}(data), w, b?)"},
    {"scaled", "(Add|Sub)[per_channel]?{conv_bn}((Mul|Div)[per_channel]?{conv_bn}(%, _[const]), _[const])"},
    {"conv", "@folded(@scaled(@kernel))"},
    {"wide_conv", "@folded(@scaled(core:Conv[wide](Pad[zero_pad]?{pad_conv}(data), w, b?)))"},
    {"concat_conv", "@folded(@scaled(core:Conv(Concat(_), w, b?)))"},
    {"shuffled", "Reshape(Transpose[swaps_channels](Reshape(x)))"},
    {"shuffle_conv", "@folded(@scaled(core:Conv[pointwise]((half*:Split.1(@shuffled) | @shuffled), w, b?)))"},
    {"bent", "(Relu(%) | LeakyRelu(%) | PRelu(%, _[const]))"},
    {"same_conv", "(@folded(@scaled(Conv[dense](x, _, _?))) | BatchNormalization[inference](x, 1, 0, 0, 1) | x)"},
    {"conv_pair",
     "@folded(Add?(Add?(Add?(Add?(Add[same_shape, no_products](@folded(@scaled(core:Conv[dense](x, _, _?))), "
     "@same_conv), "
     "@same_conv), @same_conv), @same_conv), @same_conv))"},
    {"depthwise", "@folded(Conv[depthwise](data, w, b?))"},
    {"pointwise", "@folded(core:Conv[pointwise](%, _, _?))"},
    {"normalise", "~@view BatchNormalization[inference](_, _[const], _[const], _[const], _[const])"},
    {"scale_shift",
     "((Add|Sub)[per_channel](core:(Mul|Div)[per_channel](x[unweighted], _[const]), _[const])"
     " | (Add|Sub)(core:(Mul|Div)(x, _[bias]), _[bias]))"},
    {"gemm", "@folded(~@view (core:(Gemm|MatMul|com.microsoft::MatMulNBits)(lhs, rhs)))"},
    {"biased",
     "@folded(~@view Mul?{matmul_scale}(Add(core:(MatMul|Gemm)(lhs, rhs), _[bias]), (_[bias] | _[const, scalar])))"},
    {"scaled_gemm", "(@biased | Mul?{matmul_scale}(~@view @gemm, _[bias]))"},
    {"dense", "(Conv|Gemm|MatMul)(%, _)"},
    {"squeezed", "@dense(~@view (GlobalAveragePool|ReduceMean)(x))"},

    // A number as a factor or as a divisor, limits of 0 and 6 within a clip or one after the other.
    {"half_of", "(Mul|Div)[halves](%, _[const])"},
    {"sixth", "(Mul|Div)[sixths](%, _[const])"},
    {"above_zero", "(Relu|Max)[above_zero](%, _?)"},
    {"to_six", "(Clip[zero_six](Relu?(%)) | Min(6, @above_zero(%)) | @above_zero(Min(6, %)))"},
    {"to_one", "(Clip[zero_one](%) | Min(1, @above_zero(%)))"},
    {"hardsigmoid", "(@sixth(@to_six(Add(3, %))) | @to_one(Add(0.5, @sixth(%))))"},
    {"relu6", "(Min(6, @above_zero(%)) | Clip[zero_six](Relu(%)) | @above_zero(Min(6, %)))"},
    {"silu", "(Mul(Sigmoid(g), g:%) | Mul(Sigmoid(Mul(1.702, g)), g:%))"},
    {"softplus", "(Softplus(%) | Log(Add(1, Exp(%))))"},
    {"mish", "Mul(Tanh(@softplus(g)), g:%)"},
    {"hardswish",
     "(Mul((HardSigmoid[sixth](g) | @hardsigmoid(g)), g:%) | @sixth(Mul(@to_six(Add(3, g)), g:%))"
     " | Mul(@to_six(Add(3, g)), @sixth(g:%)))"},
    {"erf_root", "Erf((Div(g, 1.41421356) | Mul(0.70710678, g)))"},
    {"erf", "Add(1, @erf_root)"},
    {"erf_half",
     "(Mul((@half_of(@erf) | Add(0.5, @half_of(@erf_root))), g:%) | Mul(@half_of(g:%), @erf)"
     " | @half_of(Mul(@erf, g:%)))"},
    // 0.044715 of the square and of the cube of g, and the factor 0.79788456 = sqrt(2 / pi) on the sum or inside of it.
    {"square_term", "(Mul(0.044715, (Mul(g, g) | Pow(g, 2))) | Mul(g, Mul(0.044715, g)))"},
    {"cube_term", "(Mul(0.044715, (Pow(g, 3) | Mul(g, Mul(g, g)))) | Mul(g, @square_term))"},
    {"tanh_argument",
     "(Mul(0.79788456, (Add(@cube_term, g) | Mul(g, Add(1, @square_term))))"
     " | Mul(Mul(0.79788456, g), Add(1, @square_term))"
     " | Mul(g, Add(0.79788456, Mul(0.0356774, (Mul(g, g) | Pow(g, 2))))))"},
    {"tanh", "Add(1, Tanh(@tanh_argument))"},
    {"tanh_half", "(Mul(@half_of(@tanh), g:%) | Mul(@half_of(g:%), @tanh) | @half_of(Mul(@tanh, g:%)))"},
    {"part", "(Split(_) | Split.1(_) | Slice(_))"},

    // Normalisation over the last axes of the argument, which has to be named n. Some exporters write the difference to
    // the mean twice, some the variance as the difference of two means, and some multiply the scale with the reciprocal
    // of the deviation first.
    {"rsqrt", "(Reciprocal(Sqrt(%)) | Div(1, Sqrt(%)) | Pow(%, -0.5))"},
    {"squared", "(Mul(%, %) | Pow(%, 2))"},
    {"mean", "mu:ReduceMean[trailing](n)"},
    {"centred", "(d | Sub(n, mu))"},
    {"variance",
     "(ReduceMean[trailing]((Pow(@centred, 2) | Mul(e:@centred, e)))"
     " | Sub(ReduceMean[trailing](@squared(n)), @squared(mu)))"},
    {"normalised",
     "(Div(d:Sub(%, @mean), Sqrt(Add(@variance, _[scalar])))"
     " | Mul(d:Sub(%, @mean), @rsqrt(Add(@variance, _[scalar]))))"},
    // The same over an image: a mean over it reads as a pooling.
    {"image_variance", "GlobalAveragePool((Pow(@centred, 2) | Mul(e:@centred, e)))"},
    {"image_normalised",
     "(Div(d:Sub(%, mu:GlobalAveragePool(n)), Sqrt(Add(@image_variance, _[scalar])))"
     " | Mul(d:Sub(%, mu:GlobalAveragePool(n)), @rsqrt(Add(@image_variance, _[scalar]))))"},
    {"spread",
     "(ReduceMean[trailing]((Pow(Sub(n, @mean), 2) | Mul(e:Sub(n, @mean), e)))"
     " | Sub(ReduceMean[trailing](@squared(n)), (Mul(@mean, mu) | Pow(@mean, 2))))"},
    {"scale", "f:Mul(@rsqrt(Add(@spread, _[scalar])), _[const])"},
    {"scaled_and_shifted",
     "(Add(Mul(%, @scale), (Sub(_[const], Mul(@mean, f)) | Add(Mul(Neg(@mean), f), _[const])))"
     " | Add(Mul(d:Sub(%, @mean), Mul(@rsqrt(Add(@variance, _[scalar])), _[const])), _[const])"
     " | Add(Div(Mul(d:Sub(%, @mean), _[const]), Sqrt(Add(@variance, _[scalar]))), _[const]))"},
    {"rms_sum", "Add(ReduceMean[trailing](@squared(n)), _[scalar])"},
    {"rms_normalised", "(Div(%, Sqrt(@rms_sum)) | Mul(%, @rsqrt(@rms_sum)))"},
    {"rms_scaled", "(Mul?(~Cast @rms_normalised(%), _[const]) | Mul(%, Mul(@rsqrt(@rms_sum), _[const])))"},
    {"l2", "(ReduceL2(n) | Sqrt((Add|Max|Clip)?(ReduceSum(@squared(n)), _[scalar])))"},

    // Attention. The factor may be on the scores, on the queries and keys, or on both; repeated keys and values
    // (grouped queries) are written as Expand. The kernel reads heads where they lie, so their Transpose is part of it.
    {"queries", "~@view ~Expand ~Transpose (Mul|Div)?(~@view ~Expand ~Transpose q, _[scale])"},
    {"keys", "~@view ~Expand ~Transpose (Mul|Div)?(~@view ~Expand ~Transpose k, _[scale])"},
    {"scores", "(Mul|Div)?(~@view (MatMul|Einsum)(@queries, @keys), _[scale])"},
    {"masked", "(Where(_, %, _) | Where(_, _, %) | Add?(%, _))"},
    {"softmax", "Softmax[last_axis](~@view ~Cast Add?(~@view Add?(~@view @masked(%), _), _))"},
    {"weights", "(Where(IsNaN(p:@softmax(%)), 0, p) | @softmax(%))"},
    {"attended", "~@view ~Expand ~Cast @weights(%)"},
    {"mixed", "~@view ~Expand ~Transpose v"},
    // The same where the products that make queries, keys and values put their heads in front.
    {"placed", "Transpose[otherwise_placed]?(Transpose[otherwise_placed]?(%))"},
    {"repeated", "(~@view Expand(~@view %) | %)"},
    {"placed_queries", "@placed((Mul|Div)?(@placed(q), _[scale]))"},
    {"placed_keys", "@placed((Mul|Div)?(@placed(@repeated(@placed(k))), _[scale]))"},
    {"placed_scores", "(Mul|Div)?(~@view (MatMul|Einsum)(@placed_queries, @placed_keys), _[scalar])"},
    // Masks are added: none of the kernels takes conditions.
    {"placed_weights",
     "~@view ~Expand ~Cast Softmax[last_axis](~@view ~Cast Add?(~@view Add?(~@view Add?(%, _), _), _))"},
    {"half", "(Slice(_) | Split(_) | Split.1(_))"},

    {"cell", "Slice[strided](Slice[strided]?(x))"},
};

}  // namespace

absl::Span<const Fragment> PatternVocabulary() { return kVocabulary; }

}  // namespace hwest
