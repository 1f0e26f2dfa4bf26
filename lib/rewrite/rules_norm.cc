// Normalisations, as one operator and written out.
#include "rewrite/rules.h"

namespace hwest {
namespace {

// clang-format off
constexpr RewriteRule kNormRules[] = {
    {.name = "layer_norm_from_parts", .key = "ReduceMean", .match = "@ln_scaled",
     .holds = "floats spans(s, mu) spans(b, mu) same_axes(mu)",
     .make = "LayerNormalization(n, s, b; axis=$first_axis(mu), epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "layer_norm_to_parts",
     .words = "layer normalisation written out becomes LayerNormalization", .reason = kOnnxFunction},
    {.name = "layer_norm_from_core", .key = "ReduceMean", .match = "@ln", .holds = "floats same_axes(mu)",
     .make = "LayerNormalization(n, $filled(1, n, mu); axis=$first_axis(mu), epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .use = RuleUse::kForTarget, .undoes = "layer_norm_to_parts",
     .words = "layer normalisation without scale, written out, becomes LayerNormalization", .reason = kOnnxFunction},
    {.name = "layer_norm_to_parts", .key = "LayerNormalization", .match = "r:LayerNormalization(x, s, b?)",
     .holds = "floats alone",
     .make = "d = Sub(x, ReduceMean(x; axes=$trailing_axes(r), keepdims=1)); "
             "v = ReduceMean(Mul(d, d); axes=$trailing_axes(r), keepdims=1); "
             "Add?(Mul(Div(d, Sqrt(Add(v, $scalar(r, epsilon, 1e-05)))), s), b)",
     .exactness = Exactness::kRounding, .undoes = "layer_norm_from_parts",
     .words = "LayerNormalization is written out", .reason = kOnnxFunction},
    {.name = "rms_norm_from_parts", .key = "ReduceMean", .match = "@rms_scaled_ln",
     .holds = "floats spans(s, mu) int_is(mu, keepdims, 1, 1)",
     .make = "RMSNormalization(n, s; axis=$first_axis(mu), epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "rms_norm_to_parts",
     .words = "RMS normalisation written out becomes RMSNormalization", .reason = kOnnxFunction},
    {.name = "rms_norm_to_parts", .key = "RMSNormalization", .match = "r:RMSNormalization(x, s)", .holds = "floats",
     .make = "v = ReduceMean(Mul(x, x); axes=$trailing_axes(r), keepdims=1); "
             "Mul(Div(x, Sqrt(Add(v, $scalar(r, epsilon, 1e-05)))), s)",
     .exactness = Exactness::kRounding, .undoes = "rms_norm_from_parts",
     .words = "RMSNormalization is written out", .reason = kOnnxFunction},
    {.name = "simplified_norm_to_parts", .key = "SimplifiedLayerNormalization",
     .match = "r:(SimplifiedLayerNormalization|com.microsoft::SimplifiedLayerNormalization)(x, s)",
     .holds = "floats alone",
     .make = "v = ReduceMean(Mul(x, x); axes=$trailing_axes(r), keepdims=1); "
             "Mul(Div(x, Sqrt(Add(v, $scalar(r, epsilon, 1e-05)))), s)",
     .exactness = Exactness::kRounding, .words = "SimplifiedLayerNormalization is written out",
     .reason = kContribOperators},
    {.name = "skip_layer_norm_to_parts", .key = "com.microsoft::SkipLayerNormalization",
     .match = "r:com.microsoft::SkipLayerNormalization(x, s, g, b?, c?)", .holds = "floats",
     .make = "h = Add?(Add(x, s), c); "
             "LayerNormalization(h, g, b; axis=-1, epsilon=$float(r, epsilon, 1e-12)), _, _, h",
     .exactness = Exactness::kRounding,
     .words = "com.microsoft.SkipLayerNormalization becomes Add and LayerNormalization",
     .reason = kContribOperators},
    {.name = "skip_rms_norm_to_parts", .key = "com.microsoft::SkipSimplifiedLayerNormalization",
     .match = "r:com.microsoft::SkipSimplifiedLayerNormalization(x, s, g, c?)", .holds = "floats",
     .make = "h = Add?(Add(x, s), c); v = ReduceMean(Mul(h, h); axes=[-1], keepdims=1); "
             "Mul(Div(h, Sqrt(Add(v, $scalar(r, epsilon, 1e-12)))), g), _, _, h",
     .exactness = Exactness::kRounding, .words = "com.microsoft.SkipSimplifiedLayerNormalization is written out",
     .reason = kContribOperators},
    {.name = "group_norm_to_instance_norm", .key = "GroupNormalization", .match = "r:GroupNormalization(x, s, b)",
     .holds = "floats opset(21)",
     .make = "n = InstanceNormalization(Reshape(x, $groups(num_groups)), $filled_by(1, num_groups), "
             "$filled_by(0, num_groups); epsilon=$float(r, epsilon, 1e-05)); "
             "Add(Mul(Reshape(n, $sizes(root)), $as_channels(s)), $as_channels(b))",
     .exactness = Exactness::kRounding,
     .words = "GroupNormalization becomes InstanceNormalization of groups, scale and offset", .reason = kOnnxFunction},
    {.name = "instance_norm_to_parts", .key = "InstanceNormalization", .match = "r:InstanceNormalization(x, s, b)",
     .holds = "floats",
     .make = "d = Sub(x, ReduceMean(x; axes=$spatial_axes(x), keepdims=1)); "
             "v = ReduceMean(Mul(d, d); axes=$spatial_axes(x), keepdims=1); "
             "Add(Mul(Div(d, Sqrt(Add(v, $scalar(r, epsilon, 1e-05)))), $as_channels(s)), $as_channels(b))",
     .exactness = Exactness::kRounding, .words = "InstanceNormalization is written out", .reason = kOnnxFunction},
    {.name = "instance_norm_from_parts", .key = "ReduceMean", .match = "Add(Mul(@core_norm(_), s[const]), b[const])",
     .holds = "floats reduces_space(mu) same_axes(mu) channels(s, n) channels(b, n)",
     .make = "InstanceNormalization(n, $channel_vector(s), $channel_vector(b); epsilon=$number(eps))",
     .otherwise = "InstanceNormalization(n, Reshape(s, $ints(-1)), Reshape(b, $ints(-1)); epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "instance_norm_to_parts",
     .words = "normalisation of each channel of an image, written out, becomes InstanceNormalization",
     .reason = kOnnxFunction},
    {.name = "instance_norm_from_core", .key = "ReduceMean", .match = "@core_norm(_)",
     .holds = "floats reduces_space(mu) same_axes(mu)",
     .make = "InstanceNormalization(n, $filled_channels(1, n), $filled_channels(0, n); epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .undoes = "instance_norm_to_parts",
     .words = "normalisation of each channel without scale, written out, becomes InstanceNormalization",
     .reason = kOnnxFunction},
    {.name = "group_norm_from_instance_norm", .key = "InstanceNormalization",
     .match = "Add(Mul(Reshape(i:InstanceNormalization(n:Reshape(x), u[const], v[const])), s[const]), b[const])",
     .holds = "floats opset(21) all(u, 1) all(v, 0) channels(s, x) channels(b, x) grouped(n, x)",
     .make = "GroupNormalization(x, $channel_vector(s), $channel_vector(b); num_groups=$groups_of(n), "
             "epsilon=$float(i, epsilon, 1e-05))",
     .otherwise = "GroupNormalization(x, Reshape(s, $ints(-1)), Reshape(b, $ints(-1)); num_groups=$groups_of(n), "
                  "epsilon=$float(i, epsilon, 1e-05))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "group_norm_to_instance_norm",
     .words = "InstanceNormalization of groups of channels, scale and offset become GroupNormalization",
     .reason = kOnnxFunction},
    {.name = "group_norm_from_parts", .key = "ReduceMean",
     .match = "Add(Mul(Reshape(@core_norm(Reshape(x))), s[const]), b[const])",
     .holds = "floats opset(21) reduces_space(mu) same_axes(mu) channels(s, x) channels(b, x) grouped(n, x)",
     .make = "GroupNormalization(x, $channel_vector(s), $channel_vector(b); num_groups=$groups_of(n), "
             "epsilon=$number(eps))",
     .otherwise = "GroupNormalization(x, Reshape(s, $ints(-1)), Reshape(b, $ints(-1)); num_groups=$groups_of(n), "
                  "epsilon=$number(eps))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "group_norm_to_parts",
     .words = "normalisation of groups of channels, written out, becomes GroupNormalization", .reason = kOnnxFunction},
    {.name = "group_norm_to_parts", .key = "GroupNormalization", .match = "r:GroupNormalization(x, s, b)",
     .holds = "floats opset(21)",
     .make = "n = Reshape(x, $groups(num_groups)); d = Sub(n, ReduceMean(n; axes=[2], keepdims=1)); "
             "v = ReduceMean(Mul(d, d); axes=[2], keepdims=1); "
             "Add(Mul(Reshape(Div(d, Sqrt(Add(v, $scalar(r, epsilon, 1e-05)))), $sizes(root)), $as_channels(s)), "
             "$as_channels(b))",
     .exactness = Exactness::kRounding, .undoes = "group_norm_from_parts",
     .words = "GroupNormalization is written out", .reason = kOnnxFunction},
    {.name = "skip_layer_norm_from_parts", .key = "LayerNormalization",
     .match = "r:LayerNormalization(Add[same_shape](x, y), s, b?)",
     .holds = "floats alone rank(x, 3) int_is(r, axis, -1, -1)",
     .make = "com.microsoft::SkipLayerNormalization(x, y, s, b; epsilon=$float(r, epsilon, 1e-05))",
     .exactness = Exactness::kRounding, .use = RuleUse::kByName, .undoes = "skip_layer_norm_to_parts",
     .words = "Add and LayerNormalization become com.microsoft.SkipLayerNormalization", .reason = kContribOperators},
    {.name = "batch_norm_into_conv", .key = "BatchNormalization",
     .match = "BatchNormalization[inference](c:Conv(x, w[const], b?), _[const], _[const], _[const], _[const])",
     .holds = "floats alone", .make = "Conv(x, $folded_weights(w), $folded_bias(b); *c)",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .words = "BatchNormalization goes into the weights of the convolution before it",
     .reason = "Jacob et al. 2018, section 3.2"},
    {.name = "batch_norm_to_mul_add", .key = "BatchNormalization",
     .match = "BatchNormalization[inference](x, _[const], _[const], _[const], _[const])", .holds = "floats alone",
     .make = "Add(Mul(x, $factors), $shifts)", .exactness = Exactness::kRounding,
     .words = "BatchNormalization becomes one factor and one summand per channel", .reason = kOnnxFunction},
    {.name = "l2_norm_to_parts", .key = "LpNormalization", .match = "r:LpNormalization(x)",
     .holds = "floats int_is(r, p, 2, 2) int_is(r, axis, -1, -1)",
     .make = "Div(x, Sqrt(ReduceSum(Mul(x, x); axes=[-1], keepdims=1)))", .exactness = Exactness::kRounding,
     .words = "LpNormalization is written out", .reason = kOnnxFunction},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> NormRewrites() { return kNormRules; }

}  // namespace hwest
