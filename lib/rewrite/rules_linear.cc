// Products, convolutions, poolings and reductions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

// com.microsoft.FusedConv as Conv, Add and the activation. An attribute that only the fused operator has is no Conv's.
std::string PartsOfFusedConv(const Site& site) {
  const NodeId node = site.root();
  const std::string conv = absl::StrCat("Conv(root.0, root.1, root.2; ", ConvAttributes(site, node), ")");
  const Attribute* numbers = site.graph().FindAttribute(node, "activation_params");
  return Activated(site.TextOf(node, "activation", ""), numbers == nullptr ? std::vector<float>() : numbers->floats,
                   absl::StrCat("Add?(", conv, ", root.3)"));
}

// com.microsoft.FusedGemm as Gemm and the activation.
std::string PartsOfFusedGemm(const Site& site) {
  const NodeId node = site.root();
  std::vector<float> numbers;
  for (const absl::string_view name : {"activation_alpha", "activation_beta"}) {
    if (site.HasAttribute(node, name)) numbers.push_back(static_cast<float>(site.FloatOf(node, name, 0)));
  }
  const std::string gemm =
      absl::StrCat("Gemm(root.0, root.1, root.2; alpha=", FloatText(site.FloatOf(node, "alpha", 1)),
                   ", beta=", FloatText(site.FloatOf(node, "beta", 1)), ", transA=", site.IntOf(node, "transA", 0),
                   ", transB=", site.IntOf(node, "transB", 0), ")");
  return Activated(site.TextOf(node, "activation", ""), numbers, gemm);
}

// An operand of com.microsoft.FusedMatMul as MatMul takes it: first the axes between the outer ones go in front where
// `trans_batch` says so, then the last two change places.
std::string Turned(const Site& site, size_t input, absl::string_view trans, absl::string_view trans_batch) {
  const NodeId node = site.root();
  const int rank = site.RankOf(site.InputOf(node, input));
  if (rank < 2) return "";
  std::vector<int> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  if (site.IntOf(node, trans_batch, 0) != 0) std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (site.IntOf(node, trans, 0) != 0) std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  const std::string name = absl::StrCat("root.", input);
  if (std::is_sorted(perm.begin(), perm.end())) return name;
  return absl::StrCat("Transpose(", name, "; perm=[", absl::StrJoin(perm, ", "), "])");
}

std::string PartsOfTurnedMatMul(const Site& site) {
  const std::string a = Turned(site, 0, "transA", "transBatchA"), b = Turned(site, 1, "transB", "transBatchB");
  if (a.empty() || b.empty() || (a == "root.0" && b == "root.1")) return "";
  return absl::StrCat("Mul(MatMul(", a, ", ", b, "), ", FloatText(site.FloatOf(site.root(), "alpha", 1)), ")");
}

// clang-format off
constexpr RewriteRule kLinearRules[] = {
    {.name = "mean_to_global_pool", .key = "ReduceMean", .match = "r:ReduceMean(x)",
     .holds = "floats reduces_space int_is(r, keepdims, 1, 1)", .make = "GlobalAveragePool(x)",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical, .undoes = "global_pool_to_mean",
     .words = "the mean over an image becomes GlobalAveragePool", .reason = kOnnxSpecification},
    {.name = "flat_mean_to_global_pool", .key = "ReduceMean", .match = "r:ReduceMean(x)",
     .holds = "floats reduces_space int_is(r, keepdims, 1, 0)",
     .make = "Reshape(GlobalAveragePool(x), $sizes(root))", .exactness = Exactness::kRounding,
     .undoes = "global_pool_to_mean",
     .words = "the mean over an image without its axes becomes GlobalAveragePool and Reshape",
     .reason = kOnnxSpecification},
    {.name = "global_pool_to_mean", .key = "GlobalAveragePool", .match = "GlobalAveragePool(x)", .holds = "floats",
     .make = "ReduceMean(x; axes=$spatial_axes(x), keepdims=1)", .exactness = Exactness::kRounding,
     .undoes = "mean_to_global_pool", .words = "GlobalAveragePool becomes ReduceMean", .reason = kOnnxSpecification},
    {.name = "global_pool_to_pool", .key = "GlobalAveragePool", .match = "GlobalAveragePool(x)", .holds = "floats",
     .make = "AveragePool(x; kernel_shape=$spatial_sizes(x))", .exactness = Exactness::kRounding,
     .undoes = "pool_to_global_pool", .words = "GlobalAveragePool becomes AveragePool over all",
     .reason = kOnnxSpecification},
    {.name = "pool_to_global_pool", .key = "AveragePool", .match = "AveragePool(x)", .holds = "floats pools_all",
     .make = "GlobalAveragePool(x)", .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .undoes = "global_pool_to_pool", .words = "AveragePool over the whole image becomes GlobalAveragePool",
     .reason = kOnnxSpecification},
    {.name = "mean_to_matmul", .key = "ReduceMean GlobalAveragePool", .match = "r:(ReduceMean|GlobalAveragePool)(x)",
     .holds = "floats", .make = "Reshape(MatMul(Reshape(x, $mean_rows(r)), $mean_column(r)), $sizes(root))",
     .exactness = Exactness::kRounding, .words = "a mean over the last axes becomes a product with a column",
     .reason = "arithmetic; what TIDL's import does with means"},
    {.name = "global_max_to_reduce", .key = "GlobalMaxPool", .match = "GlobalMaxPool(x)", .holds = "floats",
     .make = "ReduceMax(x; axes=$spatial_axes(x), keepdims=1)", .undoes = "reduce_max_to_global",
     .words = "GlobalMaxPool becomes ReduceMax", .reason = kOnnxSpecification},
    {.name = "reduce_max_to_global", .key = "ReduceMax", .match = "r:ReduceMax(x)",
     .holds = "floats reduces_space int_is(r, keepdims, 1, 1)", .make = "GlobalMaxPool(x)",
     .undoes = "global_max_to_reduce", .words = "the largest of an image becomes GlobalMaxPool",
     .reason = kOnnxSpecification},
    {.name = "large_average_pool_split", .key = "AveragePool", .match = "r:AveragePool(x)",
     .holds = "floats int_is(r, ceil_mode, 0, 0)",
     .make = "AveragePool(AveragePool(x; kernel_shape=$half_window(0), strides=$half_window(0)); "
             "kernel_shape=$half_window(1), strides=$half_window(1))",
     .exactness = Exactness::kRounding, .words = "a large AveragePool becomes two smaller ones",
     .reason = "the mean of means over equal parts is the mean"},
    {.name = "sum_to_mean", .key = "ReduceSum", .match = "r:ReduceSum(x)", .holds = "floats",
     .make = "Mul(ReduceMean(x; axes=$axes(r), keepdims=$int(r, keepdims, 1)), $count(r))",
     .exactness = Exactness::kRounding, .undoes = "mean_to_sum",
     .words = "ReduceSum becomes ReduceMean times the count", .reason = kOnnxSpecification},
    {.name = "mean_to_sum", .key = "ReduceMean", .match = "r:ReduceMean(x)", .holds = "floats",
     .make = "Div(ReduceSum(x; axes=$axes(r), keepdims=$int(r, keepdims, 1)), $count(r))",
     .exactness = Exactness::kRounding, .undoes = "sum_to_mean",
     .words = "ReduceMean becomes ReduceSum over the count", .reason = kOnnxSpecification},
    {.name = "l2_to_sum", .key = "ReduceL2", .match = "r:ReduceL2(x)", .holds = "floats",
     .make = "Sqrt(ReduceSum(Mul(x, x); axes=$axes(r), keepdims=$int(r, keepdims, 1)))",
     .exactness = Exactness::kRounding, .words = "ReduceL2 is written out", .reason = kOnnxSpecification},
    {.name = "sum_square_to_sum", .key = "ReduceSumSquare", .match = "r:ReduceSumSquare(x)", .holds = "floats",
     .make = "ReduceSum(Mul(x, x); axes=$axes(r), keepdims=$int(r, keepdims, 1))",
     .exactness = Exactness::kRounding, .words = "ReduceSumSquare is written out", .reason = kOnnxSpecification},

    {.name = "gemm_to_matmul", .key = "Gemm", .match = "r:Gemm(a, b, c?)",
     .holds = "floats int_is(r, transA, 0, 0) int_is(r, transB, 0, 0) float_is(r, alpha, 1, 1) float_is(r, beta, 1, 1)",
     .make = "Add?(MatMul(a, b), c)", .exactness = Exactness::kRounding, .undoes = "matmul_add_to_gemm",
     .words = "Gemm becomes MatMul and Add", .reason = kOnnxSpecification},
    {.name = "transposed_gemm_to_matmul", .key = "Gemm", .match = "r:Gemm(a, b, c?)",
     .holds = "floats int_is(r, transA, 0, 0) int_is(r, transB, 0, 1) float_is(r, alpha, 1, 1) float_is(r, beta, 1, 1)",
     .make = "Add?(MatMul(a, Transpose(b; perm=[1, 0])), c)", .exactness = Exactness::kRounding,
     .undoes = "matmul_add_to_gemm", .words = "Gemm of transposed weights becomes MatMul and Add",
     .reason = kOnnxSpecification},
    {.name = "matmul_add_to_gemm", .key = "MatMul", .match = "Add(MatMul(a, b), c[bias])",
     .holds = "floats rank(a, 2) rank(b, 2)", .make = "Gemm(a, b, c)", .exactness = Exactness::kRounding,
     .use = RuleUse::kCanonical, .undoes = "gemm_to_matmul", .words = "MatMul and Add of a bias become Gemm",
     .reason = kOnnxSpecification},
    {.name = "batched_matmul_add_to_gemm", .key = "MatMul", .match = "Add(MatMul(a, b[const]), c[bias])",
     .holds = "floats rank(a, 3, 6) rank(b, 2)", .make = "Reshape(Gemm(Reshape(a, $matrix(a)), b, c), $sizes(root))",
     .exactness = Exactness::kRounding, .words = "MatMul and Add of a bias on leading axes become Gemm of a matrix",
     .reason = kOnnxSpecification},
    {.name = "matmul_to_matrix", .key = "MatMul", .match = "MatMul(a, b[const])",
     .holds = "floats rank(a, 3, 6) rank(b, 2)", .make = "Reshape(MatMul(Reshape(a, $matrix(a)), b), $sizes(root))",
     .exactness = Exactness::kRounding, .words = "MatMul with constant weights becomes one of matrices",
     .reason = kOnnxSpecification},
    {.name = "gemm_to_conv", .key = "Gemm", .match = "r:Gemm(a, b[const], c?)",
     .holds = "floats int_is(r, transA, 0, 0) int_is(r, transB, 0, 1) float_is(r, alpha, 1, 1) "
              "float_is(r, beta, 1, 1) vector(c)",
     .make = "Reshape(Conv(Reshape(a, $with_ones(a, 2)), $ones_behind(b, 2), c; kernel_shape=[1, 1]), $sizes(root))",
     .otherwise = "Reshape(Conv(Reshape(a, $with_ones(a, 2)), Unsqueeze(b; axes=[2, 3]), c; kernel_shape=[1, 1]), "
                  "$sizes(root))",
     .exactness = Exactness::kRounding, .words = "Gemm becomes a 1x1 convolution", .reason = kOnnxSpecification},
    {.name = "image_norm_into_conv", .key = "Conv", .match = "r:Conv(@image_norm, w[const], b?)", .holds = "floats",
     .make = "Conv(x, $image_weights, $image_bias; *r)", .exactness = Exactness::kRounding,
     .use = RuleUse::kCanonical,
     .words = "factors and summands of an image's channels go into the convolution behind them",
     .reason = "a convolution is linear; where it adds zeros around the image, only factors go in"},
    {.name = "image_norm_to_conv", .key = "Add Sub Mul Div", .match = "@image_norm_both", .holds = "floats",
     .make = "Conv(x, $affine_weights, $affine_bias; kernel_shape=[1, 1])", .exactness = Exactness::kRounding,
     .words = "factors and summands of an image's channels become a 1x1 convolution", .reason = "arithmetic"},
    {.name = "image_factor_to_conv", .key = "Add Sub Mul Div", .match = "@image_norm_one", .holds = "floats",
     .make = "Conv(x, $affine_weights, $affine_bias; kernel_shape=[1, 1])", .exactness = Exactness::kRounding,
     .words = "factors, or summands, of an image's channels become a 1x1 convolution", .reason = "arithmetic"},
    {.name = "conv1d_to_conv2d", .key = "Conv", .match = "r:Conv(x, w[const], b?)",
     .holds = "floats rank(w, 3) rank(x, 3) explicit_pads(r)",
     .make = "Squeeze(Conv(Unsqueeze(x; axes=[2]), $one_at(w, 2), b; *r, kernel_shape=$kernel_with_front(w), "
             "strides=$with_front(r, strides, 1, 1), dilations=$with_front(r, dilations, 1, 1), "
             "pads=$pads_with_front(r)); axes=[2])",
     .otherwise = "Squeeze(Conv(Unsqueeze(x; axes=[2]), Unsqueeze(w; axes=[2]), b; *r, "
                  "kernel_shape=$kernel_with_front(w), strides=$with_front(r, strides, 1, 1), "
                  "dilations=$with_front(r, dilations, 1, 1), pads=$pads_with_front(r)); axes=[2])",
     .words = "a convolution of one axis becomes one of two", .reason = kOnnxSpecification},
    {.name = "patches_to_channels", .key = "Conv", .match = "r:Conv(x, w[const], b?)", .holds = "floats patches(r)",
     .make = "Conv(SpaceToDepth(x; blocksize=$side(w)), $patch_weights(w), b; kernel_shape=[1, 1])",
     .otherwise = "Conv(SpaceToDepth(x; blocksize=$side(w)), Reshape(Transpose(w; perm=[0, 2, 3, 1]), "
                  "$patch_sizes(w)), "
                  "b; kernel_shape=[1, 1])",
     .exactness = Exactness::kRounding,
     .words = "a convolution of windows side by side becomes SpaceToDepth and a 1x1 convolution",
     .reason = "each window is one pixel of more channels"},
    {.name = "pool_padding_counted", .key = "AveragePool", .match = "r:AveragePool(x)",
     .holds = "floats opset(7) explicit_pads(r) int_is(r, ceil_mode, 0, 0) int_is(r, count_include_pad, 0, 0) "
              "lacks(r, dilations)",
     .make = "Mul(AveragePool(x; *r, count_include_pad=1), $pool_correction)", .exactness = Exactness::kRounding,
     .words = "AveragePool that leaves padding out becomes one that counts it, and a factor for each place",
     .reason = "arithmetic"},
    {.name = "matmul_to_three_axes", .key = "MatMul", .match = "MatMul(a, b)",
     .holds = "floats rank(a, 4, 8) rank(b, 4, 8) same_batch(a, b)",
     .make = "Reshape(MatMul(Reshape(a, $three_axes(a)), Reshape(b, $three_axes(b))), $sizes(root))",
     .words = "MatMul with several leading axes becomes one with one", .reason = kOnnxSpecification},
    {.name = "einsum_to_matmul", .key = "Einsum", .match = "Einsum(a, b)", .holds = "floats",
     .make = "Transpose(MatMul(Transpose(a; perm=$einsum(0)), Transpose(b; perm=$einsum(1))); perm=$einsum(2))",
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .words = "an Einsum that is a matrix product becomes MatMul, between Transposes", .reason = kOnnxSpecification},
    {.name = "fused_conv_to_conv", .key = "com.microsoft::FusedConv", .match = "com.microsoft::FusedConv(x, w)",
     .holds = "floats", .make = "", .compose = PartsOfFusedConv, .exactness = Exactness::kRounding,
     .words = "com.microsoft.FusedConv becomes Conv, Add and the activation", .reason = kContribOperators},
    {.name = "fused_matmul_to_matmul", .key = "com.microsoft::FusedMatMul",
     .match = "r:com.microsoft::FusedMatMul(a, b)",
     .holds = "floats int_is(r, transA, 0, 0) int_is(r, transB, 0, 0) int_is(r, transBatchA, 0, 0) "
              "int_is(r, transBatchB, 0, 0)",
     .make = "Mul(MatMul(a, b), $scalar(r, alpha, 1))", .exactness = Exactness::kRounding,
     .words = "com.microsoft.FusedMatMul becomes MatMul and Mul", .reason = kContribOperators},
    {.name = "fused_matmul_from_parts", .key = "MatMul", .match = "Mul(MatMul(a, b), f[const, scalar])",
     .holds = "floats rank(a, 2, 8) rank(b, 2, 8) broadcasts(f, root, root)",
     .make = "com.microsoft::FusedMatMul(a, b; alpha=$number(f))", .exactness = Exactness::kRounding,
     .use = RuleUse::kByName, .undoes = "fused_matmul_to_matmul",
     .words = "MatMul and a factor become com.microsoft.FusedMatMul",
     .reason = kContribOperators},
    {.name = "transposed_fused_matmul", .key = "com.microsoft::FusedMatMul",
     .match = "com.microsoft::FusedMatMul(a, b)", .holds = "floats", .make = "", .compose = PartsOfTurnedMatMul,
     .exactness = Exactness::kRounding,
     .words = "com.microsoft.FusedMatMul of transposed matrices becomes Transpose, MatMul and Mul",
     .reason = kContribOperators},
    {.name = "fused_gemm_to_gemm", .key = "com.microsoft::FusedGemm", .match = "com.microsoft::FusedGemm(a, b)",
     .holds = "floats", .make = "", .compose = PartsOfFusedGemm, .exactness = Exactness::kRounding,
     .words = "com.microsoft.FusedGemm becomes Gemm and the activation", .reason = kContribOperators},
};
// clang-format on

}  // namespace

std::string Activated(absl::string_view activation, const std::vector<float>& numbers, absl::string_view input) {
  struct Row {
    absl::string_view op;
    std::vector<absl::string_view> attributes;  // the numbers in order
  };
  // clang-format off
  static const auto& rows = *new std::vector<Row>{{"Relu", {}},         {"Sigmoid", {}},          {"Tanh", {}},
                                                  {"LeakyRelu", {"alpha"}}, {"HardSigmoid", {"alpha", "beta"}},
                                                  {"Clip", {"min", "max"}}, {"HardSwish", {}}};
  // clang-format on
  for (const Row& row : rows) {
    if (row.op != activation || numbers.size() < row.attributes.size()) continue;
    std::vector<std::string> attributes;
    for (size_t i = 0; i < row.attributes.size(); ++i) {
      const bool is_bound = std::fabs(numbers[i]) < std::numeric_limits<float>::max();
      if (is_bound) attributes.push_back(absl::StrCat(row.attributes[i], "=", FloatText(numbers[i])));
      if (!is_bound && row.op != "Clip") return "";
    }
    return absl::StrCat(row.op, "(", input, attributes.empty() ? "" : "; ", absl::StrJoin(attributes, ", "), ")");
  }
  return "";
}

std::string ConvAttributes(const Site& site, NodeId node) {
  std::vector<std::string> attributes = {absl::StrCat("group=", site.IntOf(node, "group", 1)),
                                         absl::StrCat("auto_pad=\"", site.TextOf(node, "auto_pad", "NOTSET"), "\"")};
  for (const absl::string_view name : {"kernel_shape", "strides", "pads", "dilations"}) {
    const auto ints = site.IntsOf(node, name, 99);
    if (ints.has_value()) attributes.push_back(absl::StrCat(name, "=[", absl::StrJoin(*ints, ", "), "]"));
  }
  return absl::StrJoin(attributes, ", ");
}

absl::Span<const RewriteRule> LinearRewrites() { return kLinearRules; }

}  // namespace hwest
