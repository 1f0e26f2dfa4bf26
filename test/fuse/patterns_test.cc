// One matching and one near-miss fixture per row of the pattern table.
#include "fuse/patterns.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "fuse/fuse_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

// Operands every fixture can use: images x, r; rows a; queries q, keys k, values v.
constexpr const char* kInputs =
    "float[1,2,4,4] x, float[1,2,4,4] r, float[3,4] a, float[3,4] e, float[4] free, float[2] g2, "
    "float[1,2,3,4] q, float[1,2,3,4] k, float[1,2,3,4] v, float[1,1,3,3] m, bool[1,1,3,3] mb, "
    "float[1,16,2] tokens, float[1,4,4,2] rowed";
constexpr const char* kWeights =
    "float[2,2,1,1] w = {1,1,1,1}, float[2] b = {1,1}, float[2] none = {0,0}, float[2] g = {1,1}, float[2] mean = "
    "{1,1}, "
    "float[2] var = {1,1}, float[2,1,1] ch = {2,3}, float[4,4] w4 = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, "
    "float[4] b4 = {1,1,1,1}, float[3,4] b34 = {1,1,1,1,1,1,1,1,1,1,1,1}, float zero = {0}, float half = {0.5}, "
    "float one = {1}, float two = {2}, float three = {3}, float six = {6}, float sixth = {0.16666667}, "
    "float root2 = {1.4142135}, float inv_root2 = {0.70710678}, float cube = {0.044715}, float tanh_c = {0.7978846}, "
    "float quick = {1.702}, float eps = {0.00001}, float eighth = {0.125}, float[1] one_c = {0.35355338}, "
    "float low = {-3.0e38}, int64[8] pads = {0,0,1,1,0,0,1,1}, int64[8] deep_pads = {0,1,0,0,0,1,0,0}, "
    "int64[1] axis = {-1}, int64[1] first = {0}, int64[1] second = {1}, int64[1] far = {9}, int64[1] by2 = {2}, "
    "int64[1] rows = {2}, float[2,1,1,1] wd = {1,1}, float[1] six_c = {6}, float[2,2] w2 = {1,1,1,1}, "
    "int64[5] grouped = {1,1,2,4,4}, int64[4] image = {1,2,4,4}, int64[6] blocks = {1,2,2,2,2,2}, "
    "int64[4] grouped_rows = {1,1,2,16}, int64[4] heads = {1,2,8,2}, "
    "int64[4] deep = {1,8,2,2}, int64[3] groups = {1,2,16}, int64[3] flat = {1,16,2}, int64[4] expanded = {1,2,3,4}, "
    "int64[6] cut = {1,2,2,2,2,2}, float[2,6] w6 = {1,1,1,1,1,1,1,1,1,1,1,1}, float[6] b6 = {1,1,1,1,1,1}, "
    "int64[5] three_heads = {1,16,3,1,2}, int64[2] uneven = {1,3}, int64[5] shuffled = {1,2,2,4,4}, "
    "int64[4] wide = {1,4,4,4}, int64[4] rows_of = {1,4,4,2}, "
    "int64[3] fewer = {1,4,2}, float[2,4,1,1] w24 = {1,1,1,1,1,1,1,1}, int64[4] one_head = {1,16,1,2}, "
    "int64[5] repeats = {1,2,2,3,4}, int64[4] heads_of = {1,4,3,4}, int64[4] doubled = {1,2,6,4}, "
    "int64[4] swapped = {1,2,4,3}, int64[4] windows = {2,2,1,8}, float[2,1,1,1] w21 = {1,1}, float[1,2,3,3] w3 = "
    "{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}";

constexpr const char* kConv = "c = Conv(x, w, b) ";
constexpr const char* kConvBn = "n = Conv(x, w) c = BatchNormalization(n, g, b, mean, var) ";
constexpr const char* kErf = "d = Div(t, root2) f = Erf(d) h = Add(f, one) i = Mul(t, h) y = Mul(i, half) ";
constexpr const char* kTanh =
    "p = Pow(t, three) s = Mul(p, cube) u = Add(t, s) z = Mul(tanh_c, u) f = Tanh(z) h = Add(f, one) "
    "i = Mul(t, half) y = Mul(i, h) ";
constexpr const char* kPatches =
    "a0 = Slice(x, first, far, rows, by2) a1 = Slice(x, second, far, rows, by2) "
    "p0 = Slice(a0, first, far, axis, by2) p1 = Slice(a1, first, far, axis, by2) "
    "p2 = Slice(a0, second, far, axis, by2) p3 = Slice(a1, second, far, axis, by2) ";
constexpr const char* kHardSwish = "d = Add(t, three) f = Clip(d, zero, six) i = Mul(t, f) y = Div(i, six) ";

// The shared snippets start from `t`; In starts them from another value.
std::string In(absl::string_view text, absl::string_view value) {
  return absl::StrReplaceAll(text, {{"(t, ", absl::StrCat("(", value, ", ")}, {"(t)", absl::StrCat("(", value, ")")}});
}

struct Case {
  std::string row;
  std::string body;
  std::string want;        // Rows(), joined by "; "
  std::string more_picks;  // beside those of the row
};

std::string Fused(const Case& c, const std::string& outputs) {
  std::string picks = c.more_picks;
  for (const PatternRow& row : AllPatterns()) {
    if (row.name == c.row) absl::StrAppend(&picks, " ", row.picks);
  }
  const Analysed model = Analyse({kInputs, outputs, kWeights, c.body, 17});
  return absl::StrJoin(Rows(model, FuseWith(model, Picking(picks))), "; ");
}

std::vector<Case> Matching() {
  const std::string conv = kConv, bn = kConvBn;
  const std::string biased = "o = MatMul(a, w4) t = Add(b4, o) ", gemm = "t = Gemm(a, w4, b4) ";
  const std::string softmax = "s = Softmax<axis = -1>(l) ";
  const std::string mish = "d = Softplus(t) f = Tanh(d) y = Mul(f, t)";
  const std::string relu6 = "i = Relu(t) y = Min(i, six)",
                    norm =
                        "mu = ReduceMean<axes = [-1]>(t) d = Sub(t, mu) "
                        "p = Pow(d, two) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) ";
  // clang-format off
  return {
      {"conv_relu6", conv + In(relu6, "c"), "conv_act: Conv Relu Min", ""},
      {"conv_add_relu6", conv + "t = Add(c, r) " + relu6, "conv_add_act: Conv Add Relu Min", ""},
      {"horizontal", "n = Conv(x, w, b) o = Conv(x, w) y = Add(n, o)", "horizontal: Conv Conv; Add: Add", ""},
      {"horizontal", "n = MatMul(a, w4) d = MatMul(a, w4) o = Add(d, b4) i = Add(n, b4) y = Sub(i, o)",
       "horizontal: MatMul MatMul Add Add; Sub: Sub", "matmul_bias"},
      {"concat_in_place", "n = Relu(x) o = Relu(r) y = Concat<axis = 1>(n, o)",
       "Relu: Relu; Relu: Relu; concat_in_place: Concat", ""},
      {"concat_in_place", "n = Relu(x) o = Relu(r) d = Exp(n) c = Concat<axis = 1>(n, o) y = Concat<axis = 1>(c, d)",
       "Relu: Relu; Relu: Relu; Exp: Exp; concat_in_place: Concat; concat_in_place: Concat", ""},
      {"concat_nested", "n = Relu(x) o = Relu(r) c = Concat<axis = 1>(n, o) d = Exp(c) y = Concat<axis = 1>(n, o, d)",
       "Relu: Relu; Relu: Relu; concat_in_place: Concat; Exp: Exp; concat_in_place: Concat", ""},
      {"conv_act_add", conv + "d = Relu(c) y = Add(r, d)", "conv_act_add: Conv Relu Add", ""},
      {"conv_positions_gelu", conv + "p = Reshape(c, groups) t = Transpose<perm = [0, 2, 1]>(p) " + kErf,
       "conv_act: Conv Reshape Transpose Div Erf Add Mul Mul", ""},
      {"conv_relu_add", conv + "d = Relu(c) y = Add(r, d)", "conv_act_add: Conv Relu Add", ""},
      {"conv_relu_add", conv + "d = PRelu(c, ch) y = Add(r, d)", "conv_act_add: Conv PRelu Add", ""},
      {"conv_mul", conv + "d = LeakyRelu(c) y = Mul(r, d)", "conv_mul: Conv LeakyRelu Mul", ""},
      {"conv_add", conv + "o = Conv(x, w) y = Add(c, o)", "Conv: Conv; conv_add: Conv Add", ""},
      {"conv_add", conv + "o = Conv(x, w) y = Add(o, c)", "Conv: Conv; conv_add: Conv Add", ""},
      {"wide_conv_add", conv + "y = Add(r, c)", "conv_add: Conv Add", ""},
      {"wide_conv_add", bn + "y = Add(r, c)", "conv_add: Conv BatchNormalization Add", "conv_bn"},
      {"wide_conv_add_relu", conv + "o = Add(r, c) y = Relu(o)", "conv_add_act: Conv Add Relu", ""},
      // The branch of fewer kernels ends last, wherever it stands in the file.
      {"wide_conv_add", "o = Conv(x, w) d = Relu(x) c = Conv(d, w, b) y = Add(o, c)",
       "Relu: Relu; Conv: Conv; conv_add: Conv Add", ""},
      {"conv_pair", conv + "o = Conv(x, w) y = Add(o, c)", "conv_add: Conv Conv Add", ""},
      {"conv_pair", conv + "o = Conv(x, w) d = Add(o, c) p = Conv(x, w) y = Add(p, d)",
       "conv_add: Conv Conv Add Conv Add", ""},
      {"conv_pair", conv + "o = Conv(x, w) d = Add(o, c) n = BatchNormalization(x, b, none, none, b) y = Add(n, d)",
       "conv_add: Conv Conv Add BatchNormalization Add", ""},
      {"conv_pair", conv + "y = Add(x, c)", "conv_add: Conv Add", ""},
      {"conv_pair_gelu_erf", conv + "o = Conv(x, w) t = Add(o, c) " + kErf,
       "conv_add_act: Conv Conv Add Div Erf Add Mul Mul", ""},
      {"conv_pair_act", conv + "o = Conv(x, w) d = Add(o, c) y = Relu(d)", "conv_add_act: Conv Conv Add Relu", ""},
      {"conv_pair_silu", conv + "o = Conv(x, w) d = Add(o, c) s = Sigmoid(d) y = Mul(d, s)",
       "conv_add_act: Conv Conv Add Sigmoid Mul", ""},
      {"concat_conv", "n = Concat<axis = 1>(x, r) y = Conv(n, w24, b)", "Conv: Concat Conv", ""},
      {"concat_conv_relu", "n = Concat<axis = 1>(x, r) c = Conv(n, w24, b) y = Relu(c)", "conv_act: Concat Conv Relu",
       ""},
      {"wide_conv_positions_add", conv + "t = Transpose<perm = [0, 2, 3, 1]>(c) y = Add(t, rowed)",
       "conv_add: Conv Transpose Add", ""},
      {"conv_split", conv + "n, o = Split<axis = 1>(c) y = Concat<axis = 1>(o, n)",
       "product_split: Conv Split; Concat: Concat", ""},
      {"conv_split_act", conv + "n, o = Split<axis = 1>(c) d = Relu(o) y = Concat<axis = 1>(d, n)",
       "product_split: Conv Split Relu; Concat: Concat", ""},
      {"matmul_split", "o = MatMul(tokens, w6) t = Add(b6, o) d, i, j = Split<axis = 2>(t) "
       "y = Concat<axis = 1>(d, i, j)",
       "product_split: MatMul Add Split; Concat: Concat", ""},
      {"matmul_split", "o = MatMul(tokens, w6) p = Reshape(o, three_heads) d, i, j = Split<axis = 2>(p) "
       "y = Concat<axis = 1>(d, i, j)",
       "product_split: MatMul Reshape Split; Concat: Concat", ""},
      {"matmul_placed", "o = MatMul(tokens, w2) t = Add(b, o) p = Reshape(t, one_head) "
       "s = Transpose<perm = [0, 2, 1, 3]>(p) l = Reshape(x, grouped_rows) y = MatMul(l, s)",
       "matmul_bias: MatMul Add Reshape Transpose; MatMul: MatMul", ""},
      {"matmul_packed", "o = MatMul(tokens, w6) t = Add(b6, o) p = Reshape(t, three_heads) "
       "s = Transpose<perm = [2, 0, 3, 1, 4]>(p) d = Gather(s, first) i = Gather(s, second) y = Add(d, i)",
       "matmul_bias: MatMul Add Reshape Transpose; Gather: Gather; Gather: Gather; Add: Add", ""},
      {"matmul_factor", "o = MatMul(a, w4) y = Mul(o, eighth)", "MatMul: MatMul Mul", ""},
      {"matmul_factor", "o = MatMul(q, m) y = Div(o, six)", "MatMul: MatMul Div", ""},
      {"matmul_mask", "l = Reshape(k, swapped) o = MatMul(q, l) y = Add(m, o)", "MatMul: MatMul Add", ""},
      {"matmul_mask", "l = Reshape(k, swapped) o = MatMul(q, l) t = Mul(o, eighth) y = Add(t, m)",
       "MatMul: MatMul Mul Add", "matmul_scale"},
      {"shuffle_conv", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "y = Conv(o, w, b)",
       "shuffle_conv: Reshape Transpose Reshape Conv", ""},
      {"shuffle_split", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "n, i = Split<axis = 1, num_outputs = 2>(o) f = Exp(i) y = Concat<axis = 1>(n, f)",
       "shuffle_conv: Reshape Transpose Reshape Split; Exp: Exp; Concat: Concat", ""},
      // What the split hands to others, too, leaves the kernel.
      {"shuffle_conv_act", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "n, i = Split<axis = 1, num_outputs = 2>(o) c = Conv(i, w21) f = Relu(c) y = Concat<axis = 1>(n, f)",
       "shuffle_conv: Reshape Transpose Reshape Split Conv Relu; Concat: Concat", ""},
      {"attention_of_placed",
       "n = Abs(k) kt = Transpose<perm = [0, 1, 3, 2]>(n) d = MatMul(q, kt) l = Mul(d, eighth) " + softmax +
       "y = MatMul(s, v)",
       "Abs: Abs; attention: Transpose MatMul Mul Softmax MatMul", ""},
      {"attention_of_placed",
       "n = Abs(k) kt = Transpose<perm = [0, 1, 3, 2]>(n) d = MatMul(q, kt) l = Add(d, m) " + softmax +
       "y = MatMul(s, v)",
       "Abs: Abs; attention: Transpose MatMul Add Softmax MatMul", ""},
      // Keys of a cache are transposed apart.
      {"attention_of_placed",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) l = Mul(d, eighth) " + softmax + "y = MatMul(s, v)",
       "Transpose: Transpose; attention: MatMul Mul Softmax MatMul", ""},
      {"attention_of_placed",
       "f = Concat<axis = 2>(k, v) h = Reshape(f, doubled) kt = Transpose<perm = [0, 1, 3, 2]>(h) d = MatMul(q, kt) "
       "l = Mul(d, eighth) " + softmax + "y = MatMul(s, h)",
       "Concat: Concat; Transpose: Transpose; attention: MatMul Mul Softmax MatMul", ""},
      {"attention_of_placed",
       "n = Abs(k) u = Unsqueeze(n, rows) f = Expand(u, repeats) h = Reshape(f, heads_of) "
       "kt = Transpose<perm = [0, 1, 3, 2]>(h) "
       "i = Concat<axis = 1>(q, q) l = MatMul(i, kt) " + softmax + "j = Concat<axis = 1>(v, v) y = MatMul(s, j)",
       "Abs: Abs; Concat: Concat; Concat: Concat; attention: Unsqueeze Expand Reshape Transpose MatMul Softmax MatMul",
       ""},
      // The values come from a product, which puts their heads in front.
      {"attention_of_placed",
       "n = Abs(tokens) p = Reshape(n, one_head) qt = Transpose<perm = [0, 2, 1, 3]>(p) "
       "kt = Transpose<perm = [0, 2, 3, 1]>(p) l = MatMul(qt, kt) " + softmax + "o = MatMul(tokens, w2) "
       "u = Reshape(o, one_head) vt = Transpose<perm = [0, 2, 1, 3]>(u) d = MatMul(s, vt) "
       "f = Transpose<perm = [0, 2, 1, 3]>(d) "
       "i = Reshape(f, flat) y = MatMul(i, w2)",
       "Abs: Abs; MatMul: MatMul; Transpose: Transpose; "
       "attention: Transpose Transpose MatMul Softmax MatMul Transpose; MatMul: MatMul", ""},
      {"scale_shift", "n = Div(x, ch) y = Sub(n, ch)", "scale_shift: Div Sub", ""},
      {"conv_mul", conv + "y = Mul(r, c)", "conv_mul: Conv Mul", ""},
      {"conv_mul", biased + "y = Mul(t, e)", "conv_mul: MatMul Add Mul", ""},
      {"conv_mul", gemm + "y = Mul(t, e)", "conv_mul: Gemm Mul", ""},
      {"conv_silu_add", conv + "s = Sigmoid(c) d = Mul(c, s) y = Add(r, d)", "conv_act_add: Conv Sigmoid Mul Add", ""},
      {"conv_pool", conv + "d = Relu(c) y = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(d)",
       "conv_pool: Conv Relu MaxPool", ""},
      {"conv_pool", conv + "y = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(c)", "conv_pool: Conv MaxPool", ""},
      {"pad_pool", "p = Pad(x, pads) y = AveragePool<kernel_shape = [2, 2]>(p)", "AveragePool: Pad AveragePool", ""},
      {"dw_pw", "c = Conv<group = 2>(x, wd) d = Relu(c) y = Conv(d, w)", "dw_pw: Conv Relu Conv", ""},
      {"dw_pw", "c = Conv<group = 2>(x, wd) n = BatchNormalization(c, g, b, mean, var) d = Relu(n) e0 = Conv(d, w) "
       "y = Clip(e0, zero, six)",
       "dw_pw: Conv BatchNormalization Relu Conv Clip", "conv_bn"},
      {"se_block", "p = GlobalAveragePool(x) c = Conv(p, w, b) d = Relu(c) f = Conv(d, w) s = Sigmoid(f) y = Mul(x, s)",
       "se_block: GlobalAveragePool Conv Relu Conv Sigmoid Mul", ""},
      {"se_block",
       "p = GlobalAveragePool(x) o = Flatten(p) c = Gemm(o, w2) q0 = Sigmoid(c) d = Mul(c, q0) f = Gemm(d, w2) "
       "s = Sigmoid(f) u = Unsqueeze(s, rows) u2 = Unsqueeze(u, axis) y = Mul(u2, x)",
       "se_block: GlobalAveragePool Flatten Gemm Sigmoid Mul Gemm Sigmoid Unsqueeze Unsqueeze Mul", ""},
      {"gemm_bn", "n = MatMul(a, w4) y = BatchNormalization(n, b4, b4, b4, b4)", "MatMul: MatMul BatchNormalization",
       ""},
      {"matmul_bias_relu6", biased + relu6, "matmul_bias_act: MatMul Add Relu Min", ""},
      {"gemm_relu6", gemm + "i = Max(zero, t) y = Min(i, six)", "gemm_act: Gemm Max Min", ""},
      {"matmul_bias_add", biased + "y = Add(t, e)", "matmul_bias_add: MatMul Add Add", ""},
      {"matmul_bias_mish", biased + mish, "matmul_bias_act: MatMul Add Softplus Tanh Mul", ""},
      {"gemm_mish", gemm + mish, "gemm_act: Gemm Softplus Tanh Mul", ""},
      {"matmul_scale", biased + "y = Mul(t, b4)", "MatMul: MatMul Add Mul", ""},
      {"matmul_scale", biased + "y = Mul(eighth, t)", "MatMul: MatMul Add Mul", ""},
      {"matmul_positions_add",
       "o = MatMul(rowed, w2) t = Add(b, o) s = Transpose<perm = [0, 3, 1, 2]>(t) n = Mul(ch, s) u = Add(n, r) "
       "y = Conv(u, w)",
       "matmul_bias_add: MatMul Add Transpose Mul Add; Conv: Conv", "conv_bn"},
      {"matmul_heads", "o = MatMul(tokens, w6) t = Add(b6, o) p = Reshape(t, three_heads) "
       "s = Transpose<perm = [2, 0, 3, 1, 4]>(p) d, i, j = Split<axis = 0>(s) y = Concat<axis = 1>(d, i, j)",
       "matmul_heads: MatMul Add Reshape Transpose Split; Concat: Concat", ""},
      {"matmul_positions", "o = MatMul(tokens, w2) t = Add(b, o) s = Transpose<perm = [0, 2, 1]>(t) "
       "p = Reshape(s, image) y = Conv(p, w)",
       "matmul_bias: MatMul Add Transpose; Conv: Conv", ""},
      {"rsqrt", "n = Sqrt(a) y = Reciprocal(n)", "rsqrt: Sqrt Reciprocal", ""},
      {"argmax_cast", "n = ArgMax<axis = 1>(a) o = Cast<to = 1>(n) y = Relu(o)",
       "argmax_cast: ArgMax Cast; Relu: Relu", ""},
      {"scale_shift", "n = Mul(x, ch) y = Add(ch, n)", "scale_shift: Mul Add", ""},
      {"scale_shift", "n = Mul(b4, a) y = Add(n, b4)", "scale_shift: Mul Add", ""},
      {"scale_shift_act", "n = Mul(x, ch) o = Add(ch, n) y = Relu(o)", "bn_act: Mul Add Relu", ""},
      {"glu", "o, u = Split<axis = -1>(a) s = Sigmoid(o) t = Mul(o, s) y = Mul(t, u)",
       "Split: Split; glu: Sigmoid Mul Mul",
       ""},
      {"glu", "o, u = Split<axis = -1>(a) s = Sigmoid(u) y = Mul(o, s)", "glu: Split Sigmoid Mul", ""},
      {"skip_layer_norm_chain", "t = Add(a, e) " + norm + "i = Div(d, h) j = Mul(i, b4) k0 = Add(j, b4) "
       "y = Concat<axis = 0>(k0, t)",
       "skip_layer_norm: Add ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add; Concat: Concat", ""},
      {"skip_rms_norm_chain",
       "t = Add(a, e) p = Pow(t, two) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) i = Div(t, h) "
       "y = Mul(b4, i)",
       "skip_layer_norm: Add Pow ReduceMean Add Sqrt Div Mul", ""},
      {"instance_norm", "n = InstanceNormalization(x, g, b) o = Mul(n, ch) y = Add(o, ch)",
       "instance_norm: InstanceNormalization Mul Add", ""},
      {"instance_norm", "mu = ReduceMean<axes = [2, 3]>(x) d = Sub(x, mu) p = Pow(d, two) "
       "s = ReduceMean<axes = [2, 3]>(p) f = Add(s, eps) h = Sqrt(f) i = Div(d, h) o = Mul(i, ch) y = Add(o, ch)",
       "instance_norm: ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add", ""},
      {"group_norm", "o = Reshape(x, groups) n = InstanceNormalization(o, g, b) i = Reshape(n, image) j = Mul(i, ch) "
       "y = Add(j, ch)",
       "group_norm: Reshape InstanceNormalization Reshape Mul Add", ""},
      {"l2_norm", "n = ReduceL2<axes = [-1], keepdims = 1>(a) o = Clip(n, eps) y = Div(a, o)",
       "l2_norm: ReduceL2 Clip Div", ""},
      {"l2_norm", "n = ReduceL2<axes = [-1], keepdims = 1>(q) o = Expand(n, expanded) y = Div(q, o)",
       "l2_norm: ReduceL2 Expand Div", ""},
      {"l2_norm",
          "p = Mul(a, a) n = ReduceSum<keepdims = 1>(p, axis) m0 = Max(n, eps) o = Sqrt(m0) u = Reciprocal(o) y = "
          "Mul(a, u)",
       "l2_norm: Mul ReduceSum Max Sqrt Reciprocal Mul", ""},
      {"l2_norm", "p = Mul(a, a) n = ReduceSum<keepdims = 1>(p, axis) o = Sqrt(n) y = Div(a, o)",
       "l2_norm: Mul ReduceSum Sqrt Div", ""},
      {"relu6", In(relu6, "a"), "relu6: Relu Min", ""},
      {"relu6", "i = Max(a, zero) y = Min(six_c, i)", "relu6: Max Min", ""},
      {"softmax_scale", "s = Mul(q, eighth) y = Softmax<axis = -1>(s)", "softmax_scale: Mul Softmax", ""},
      {"softmax_mask", "s = Add(m, m) y = Softmax<axis = -1>(s)", "softmax_mask: Add Softmax", ""},
      {"softmax_turned", "s = Softmax<axis = -1>(q) y = Transpose<perm = [0, 1, 3, 2]>(s)",
       "Softmax: Softmax Transpose", ""},
      {"rope", "u, o = Split<axis = -1>(q) n = Neg(o) h = Concat<axis = -1>(n, u) s = Mul(q, k) t = Mul(h, v) y = "
               "Add(s, t)",
       "rope: Split Neg Concat Mul Mul Add", ""},
      {"rope", "u = Slice(q, first, rows, axis) o = Slice(q, rows, far, axis) n = Neg(o) h = Concat<axis = -1>(n, u) "
       "s = Mul(q, k) t = Mul(h, v) y = Add(t, s)",
       "rope: Slice Slice Neg Concat Mul Mul Add", ""},
      {"rope_halves", "u, o = Split<axis = -1>(q) c, s = Split<axis = -1>(k) d = Mul(u, c) f = Mul(o, s) h = Sub(d, f) "
       "i = Mul(o, c) j = Mul(u, s) l = Add(i, j) y = Concat<axis = -1>(h, l)",
       "Split: Split; rope: Split Mul Mul Sub Mul Mul Add Concat", ""},
      {"channel_shuffle", "o = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(o) y = Reshape(t, image)",
       "channel_shuffle: Reshape Transpose Reshape", ""},
      {"channel_shuffle", "o = Reshape(x, grouped_rows) t = Transpose<perm = [0, 2, 1, 3]>(o) y = Reshape(t, image)",
       "channel_shuffle: Reshape Transpose Reshape", ""},
      {"space_to_depth", "o = Reshape(x, blocks) t = Transpose<perm = [0, 1, 3, 5, 2, 4]>(o) y = Reshape(t, deep)",
       "space_to_depth: Reshape Transpose Reshape", ""},
      {"concat_shuffle",
       "c = Concat<axis = 1>(x, r) d = Reshape(c, shuffled) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) "
       "y = Reshape(t, wide)",
       "channel_shuffle: Concat Reshape Transpose Reshape", ""},
      {"roll", "n, o = Split<axis = 2>(x, uneven) y = Concat<axis = 2>(o, n)", "roll: Split Concat", ""},
      {"subsample",
       "a0 = Reshape(tokens, rows_of) p0 = Slice(a0, first, far, second, by2) p1 = Slice(p0, first, far, rows, by2) "
       "y = Reshape(p1, fewer)",
       "subsample: Reshape Slice Slice Reshape", ""},
      {"subsample", "a0 = Reshape(tokens, rows_of) p0 = Slice(a0, first, far, second, by2) y = Reshape(p0, fewer)",
       "subsample: Reshape Slice Reshape", ""},
      {"window_partition", "o = Reshape(x, cut) t = Transpose<perm = [0, 1, 3, 2, 4, 5]>(o) y = Reshape(t, image)",
       "window_partition: Reshape Transpose Reshape", ""},
      {"patch_merge", std::string(kPatches) + "y = Concat<axis = 1>(p0, p1, p2, p3)",
       "patch_merge: Slice Slice Slice Slice Slice Slice Concat", ""},
      {"image_region",
       kConv + std::string("t = Transpose<perm = [0, 2, 3, 1]>(c) s = MatMul(t, w2) o = Add(s, t) "
                           "u = Transpose<perm = [0, 3, 1, 2]>(o) y = Conv(u, w, b)"),
       "Conv: Conv; image_region: Transpose; MatMul: MatMul; Add: Add; image_region: Transpose; Conv: Conv", ""},
      {"image_positions", kConv + std::string("u = Reshape(c, groups) t = Transpose<perm = [0, 2, 1]>(u) y = Relu(t)"),
       "Conv: Conv; image_positions: Transpose; Relu: Relu", ""},
      {"image_positions", "t = Transpose<perm = [0, 3, 1, 2]>(x) s = Relu(t) y = Transpose<perm = [0, 2, 3, 1]>(s)",
       "image_positions: Transpose; Relu: Relu; image_positions: Transpose", ""},
      {"image_positions", "t = Transpose<perm = [0, 3, 1, 2]>(x) y = GlobalAveragePool(t)",
       "image_positions: Transpose; GlobalAveragePool: GlobalAveragePool", ""},
      {"image_positions", kConv + std::string("t = Transpose<perm = [0, 2, 3, 1]>(c) y = Relu(t)"),
       "Conv: Conv; image_positions: Transpose; Relu: Relu", ""},
      {"image_positions",
       "s = Reshape(x, flat) t = Transpose<perm = [0, 2, 1]>(s) u = Reshape(t, image) y = Conv(u, w, b)",
       "image_positions: Transpose; Conv: Conv", ""},
      {"image_positions", "d = SpaceToDepth<blocksize = 2>(x) s = Relu(d) y = Transpose<perm = [0, 2, 3, 1]>(s)",
       "SpaceToDepth: SpaceToDepth; Relu: Relu; image_positions: Transpose", ""},
      // A scale of channels in front of what it scales, between the positions and the next image.
      {"image_positions", "t = Transpose<perm = [0, 3, 1, 2]>(x) s = Mul(half, t) y = Conv(s, w, b)",
       "image_positions: Transpose; Mul: Mul; Conv: Conv", ""},
      {"transpose_chain", "o = Transpose(a) u = Unsqueeze(o, first) y = Transpose<perm = [0, 2, 1]>(u)",
       "transpose_chain: Transpose Unsqueeze Transpose", ""},
      {"transpose_split", "o = MatMul(tokens, w6) p = Reshape(o, three_heads) "
       "s = Transpose<perm = [2, 0, 3, 1, 4]>(p) d, i, j = Split<axis = 0>(s) y = Concat<axis = 1>(d, i, j)",
       "MatMul: MatMul; transpose_split: Transpose Split; Concat: Concat", ""},
      {"attention",
       "qt = Transpose<perm = [0, 2, 1, 3]>(q) kt = Transpose<perm = [0, 2, 3, 1]>(k) vt = Transpose<perm = [0, 2, 1, "
       "3]>(v) "
       "l = MatMul(qt, kt) " + softmax + "o = MatMul(s, vt) y = Transpose<perm = [0, 2, 1, 3]>(o)",
       "attention: Transpose Transpose Transpose MatMul Softmax MatMul Transpose", ""},
      {"attention", "l = Einsum<equation = \"bhqd,bhkd->bhqk\">(q, k) " + softmax +
       "y = Einsum<equation = \"bhqk,bhkd->bhqd\">(s, v)",
       "attention: Einsum Softmax Einsum", ""},

      {"conv_bn", bn + "y = Identity(c)", "Conv: Conv BatchNormalization", ""},
      {"conv_bn", "n = Conv(x, w) o = Mul(n, ch) c = Add(ch, o) y = Identity(c)", "Conv: Conv Mul Add", ""},
      {"conv_bn", "n = Conv(x, w) o = Div(n, ch) c = Sub(o, ch) y = Identity(c)", "Conv: Conv Div Sub", ""},
      {"pad_conv", "p = Pad(x, pads) y = Conv(p, w)", "Conv: Pad Conv", ""},
      {"conv_act", conv + "y = Relu(c)", "conv_act: Conv Relu", ""},
      {"conv_act", conv + "y = LeakyRelu(c)", "conv_act: Conv LeakyRelu", ""},
      {"conv_act", "c = ConvTranspose(x, w) y = Clip(c, zero, six)", "conv_act: ConvTranspose Clip", ""},
      {"conv_act", bn + "y = Sigmoid(c)", "conv_act: Conv BatchNormalization Sigmoid", "conv_bn"},
      {"conv_act", "p = Pad(x, pads) c = Conv(p, w) y = Relu(c)", "conv_act: Pad Conv Relu", "pad_conv"},
      {"conv_act", conv + "i = Identity(c) j = Dropout(i) y = Relu(j)", "conv_act: Conv Identity Dropout Relu", ""},
      {"conv_silu", conv + "s = Sigmoid(c) y = Mul(c, s)", "conv_silu: Conv Sigmoid Mul", ""},
      {"conv_silu", bn + "s = Sigmoid(c) y = Mul(s, c)", "conv_silu: Conv BatchNormalization Sigmoid Mul", "conv_bn"},
      {"conv_hardswish", conv + "y = HardSwish(c)", "conv_hardswish: Conv HardSwish", ""},
      {"conv_hardswish", conv + In(kHardSwish, "c"), "conv_hardswish: Conv Add Clip Mul Div", ""},
      {"conv_hardswish", conv + "h = HardSigmoid<alpha = 0.16666667, beta = 0.5>(c) y = Mul(c, h)",
       "conv_hardswish: Conv HardSigmoid Mul", ""},
      {"conv_hardsigmoid", conv + "d = Add(three, c) f = Clip(d, zero, six) y = Mul(f, sixth)",
       "conv_act: Conv Add Clip Mul", ""},
      {"conv_mish", conv + "d = Softplus(c) f = Tanh(d) y = Mul(c, f)", "conv_act: Conv Softplus Tanh Mul", ""},
      {"conv_gelu_erf", conv + In(kErf, "c"), "conv_act: Conv Div Erf Add Mul Mul", ""},
      {"conv_gelu_tanh", conv + In(kTanh, "c"), "conv_act: Conv Pow Mul Add Mul Tanh Add Mul Mul", ""},
      {"conv_add", conv + "y = Add(r, c)", "conv_add: Conv Add", ""},
      {"conv_add", bn + "y = Add(c, r)", "conv_add: Conv BatchNormalization Add", "conv_bn"},
      {"conv_add_act", conv + "d = Add(c, r) y = Relu(d)", "conv_add_act: Conv Add Relu", ""},
      {"conv_add_silu", conv + "d = Add(c, r) s = Sigmoid(d) y = Mul(d, s)", "conv_add_act: Conv Add Sigmoid Mul", ""},
      {"conv_add_hardswish", conv + "d = Add(c, r) y = HardSwish(d)", "conv_add_act: Conv Add HardSwish", ""},
      {"matmul_bias", biased + "y = Identity(t)", "matmul_bias: MatMul Add", ""},
      {"matmul_bias_act", biased + "y = Relu(t)", "matmul_bias_act: MatMul Add Relu", ""},
      {"matmul_bias_silu", biased + "s = Sigmoid(t) y = Mul(t, s)", "matmul_bias_act: MatMul Add Sigmoid Mul", ""},
      {"matmul_bias_hardswish", biased + "y = HardSwish(t)", "matmul_bias_act: MatMul Add HardSwish", ""},
      {"matmul_bias_gelu_erf", biased + kErf, "matmul_bias_act: MatMul Add Div Erf Add Mul Mul", ""},
      {"matmul_bias_gelu_tanh", biased + kTanh, "matmul_bias_act: MatMul Add Pow Mul Add Mul Tanh Add Mul Mul", ""},
      {"gemm_act", gemm + "y = Relu(t)", "gemm_act: Gemm Relu", ""},
      {"gemm_act", gemm + "o = Unsqueeze(t, first) y = Relu(o)", "gemm_act: Gemm Unsqueeze Relu", ""},
      {"gemm_silu", gemm + "s = Sigmoid(t) y = Mul(t, s)", "gemm_act: Gemm Sigmoid Mul", ""},
      {"gemm_hardswish", gemm + "y = HardSwish(t)", "gemm_act: Gemm HardSwish", ""},
      {"gemm_gelu_erf", gemm + kErf, "gemm_act: Gemm Div Erf Add Mul Mul", ""},
      {"gemm_gelu_tanh", gemm + kTanh, "gemm_act: Gemm Pow Mul Add Mul Tanh Add Mul Mul", ""},
      {"gelu_erf", In(kErf, "a"), "gelu_erf: Div Erf Add Mul Mul", ""},
      {"gelu_erf", "d = Mul(inv_root2, a) f = Erf(d) h = Add(one, f) i = Mul(a, half) y = Mul(i, h)",
       "gelu_erf: Mul Erf Add Mul Mul", ""},
      {"gelu_erf", "d = Div(a, root2) f = Erf(d) h = Add(f, one) i = Mul(half, h) y = Mul(a, i)",
       "gelu_erf: Div Erf Add Mul Mul", ""},
      {"gelu_tanh", In(kTanh, "a"), "gelu_tanh: Pow Mul Add Mul Tanh Add Mul Mul", ""},
      {"hardswish", In(kHardSwish, "a"), "hardswish: Add Clip Mul Div", ""},
      {"hardswish", "d = Add(a, three) f = Clip(d, zero, six) i = Div(f, six) y = Mul(i, a)",
       "hardswish: Add Clip Div Mul", ""},
      {"hardsigmoid", "d = Add(a, three) f = Clip(d, zero, six) y = Div(f, six)", "hardsigmoid: Add Clip Div", ""},
      {"hardsigmoid", "d = Mul(a, sixth) f = Add(d, half) y = Clip(f, zero, one)", "hardsigmoid: Mul Add Clip", ""},
      {"hardsigmoid", "d = Add(a, three) f = Max(d, zero) g0 = Min(f, six) y = Div(g0, six)",
       "hardsigmoid: Add Max Min Div", ""},
      {"softmax", "d = ReduceMax<axes = [-1]>(a) f = Sub(a, d) g0 = Exp(f) h = ReduceSum(g0, axis) y = Div(g0, h)",
       "softmax: ReduceMax Sub Exp ReduceSum Div", ""},
      {"softmax", "g0 = Exp(a) h = ReduceSum(g0, axis) y = Div(g0, h)", "softmax: Exp ReduceSum Div", ""},
      {"mish", "d = Softplus(a) f = Tanh(d) y = Mul(f, a)", "mish: Softplus Tanh Mul", ""},
      {"mish", "d0 = Exp(a) d1 = Add(d0, one) d = Log(d1) f = Tanh(d) y = Mul(f, a)", "mish: Exp Add Log Tanh Mul", ""},
      {"silu", "s = Sigmoid(a) y = Mul(a, s)", "silu: Sigmoid Mul", ""},
      {"silu", "i = Mul(a, quick) s = Sigmoid(i) y = Mul(a, s)", "silu: Mul Sigmoid Mul", ""},
      {"bn_act", "n = BatchNormalization(x, g, b, mean, var) y = Relu(n)", "bn_act: BatchNormalization Relu", ""},
      {"bn_act", "n = BatchNormalization(x, g, b, mean, var) o = Flatten(n) y = HardSwish(o)",
       "bn_act: BatchNormalization Flatten HardSwish", ""},
      {"add_act", "n = Add(x, r) y = Relu(n)", "add_act: Add Relu", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [-1]>(a) d = Sub(a, mu) p = Pow(d, two) s = ReduceMean<axes = [1]>(p) f = Add(s, eps) "
       "h = Sqrt(f) i = Div(d, h) j = Mul(i, b4) y = Add(j, b4)",
       "layer_norm: ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [-1]>(a) d = Sub(a, mu) d2 = Sub(a, mu) p = Mul(d2, d2) s = ReduceMean<axes = [-1]>(p) "
       "f = Add(s, eps) h = Sqrt(f) y = Div(d, h)",
       "layer_norm: ReduceMean Sub Sub Mul ReduceMean Add Sqrt Div", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [-1]>(a) d = Sub(a, mu) p = Mul(d, d) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) "
       "h = Sqrt(f) i = Reciprocal(h) j = Mul(i, b4) k0 = Mul(a, j) k1 = Mul(mu, j) k2 = Sub(b4, k1) y = Add(k0, k2)",
       "layer_norm: ReduceMean Sub Mul ReduceMean Add Sqrt Reciprocal Mul Mul Mul Sub Add", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [-1]>(a) p = Mul(a, a) s = ReduceMean<axes = [-1]>(p) m2 = Mul(mu, mu) d = Sub(s, m2) "
       "f = Add(d, eps) h = Sqrt(f) i = Reciprocal(h) j = Mul(i, b4) k0 = Mul(a, j) k3 = Neg(mu) k1 = Mul(k3, j) "
       "k2 = Add(k1, b4) y = Add(k0, k2)",
       "layer_norm: ReduceMean Mul ReduceMean Mul Sub Add Sqrt Reciprocal Mul Mul Neg Mul Add Add", ""},
      {"rms_norm",
       "p = Mul(a, a) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) i = Reciprocal(h) j = Mul(i, b4) "
       "y = Mul(a, j)",
       "rms_norm: Mul ReduceMean Add Sqrt Reciprocal Mul Mul", ""},
      {"gelu_erf", "d = Div(a, root2) f = Erf(d) h = Div(f, two) i = Add(h, half) y = Mul(a, i)",
       "gelu_erf: Div Erf Div Add Mul", ""},
      {"gelu_tanh",
       "p = Mul(a, cube) s = Mul(p, a) u = Add(one, s) w0 = Mul(a, tanh_c) z = Mul(w0, u) f = Tanh(z) h = Add(f, one) "
       "i = Mul(h, half) y = Mul(a, i)",
       "gelu_tanh: Mul Mul Add Mul Mul Tanh Add Mul Mul", ""},
      {"rms_norm",
       "p = Pow(a, two) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) i = Reciprocal(h) j = Mul(a, i) "
       "y = Mul(b4, j)",
       "rms_norm: Pow ReduceMean Add Sqrt Reciprocal Mul Mul", ""},
      {"skip_layer_norm", "s = Add(a, e) y = LayerNormalization(s, b4, b4)", "skip_layer_norm: Add LayerNormalization",
       ""},
      {"skip_layer_norm", "s = Add(a, e) n = LayerNormalization(s, b4) y = Concat<axis = 0>(n, s)",
       "skip_layer_norm: Add LayerNormalization; Concat: Concat", ""},
      {"attention",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) u = Div(d, root2) l = Add(u, m) " + softmax +
           "y = MatMul(s, v)",
       "attention: Transpose MatMul Div Add Softmax MatMul", ""},
      {"attention",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) q1 = Mul(q, one_c) k1 = Mul(kt, one_c) d = MatMul(q1, k1) "
       "l = Add(d, m) " + softmax + "j = IsNaN(s) h = Where(j, zero, s) y = MatMul(h, v)",
       "attention: Transpose Mul Mul MatMul Add Softmax IsNaN Where MatMul", ""},
      {"attention",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) l = Where(mb, d, low) " + softmax +
           "h = Dropout(s) y = MatMul(h, v)",
       "attention: Transpose MatMul Where Softmax Dropout MatMul", ""},
      {"attention_of_channels",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) l = Mul(d, eighth) " + softmax +
           "st = Transpose<perm = [0, 1, 3, 2]>(s) vt = Transpose<perm = [0, 1, 3, 2]>(v) y = MatMul(vt, st)",
       "attention: Transpose MatMul Mul Softmax Transpose Transpose MatMul", ""},
      {"elementwise_chain", "n = Mul(a, e) o = Exp(n) y = Sub(o, b4)", "elementwise_chain: Mul Exp Sub", ""},
      {"elementwise_chain", "n = Abs(a) o = Exp(n) p = Neg(n) y = Add(o, p)", "elementwise_chain: Abs Exp Neg Add", ""},
  };
  // clang-format on
}

std::vector<Case> NearMisses() {
  const std::string conv = kConv, two_uses = "y = Concat<axis = 1>(o, c)";
  const std::string biased = "o = MatMul(a, w4) t = Add(o, b4) ", gemm = "t = Gemm(a, w4, b4) ";
  const std::string gelu_of_other = "d = Div(e, root2) f = Erf(d) h = Add(f, one) i = Mul(t, h) y = Mul(i, half)";
  const std::string not_mish = "d = Softplus(t) f = Tanh(d) y = Mul(f, a)";
  const std::string not_gelu =
      "p = Pow(t, two) s = Mul(p, cube) u = Add(t, s) z = Mul(u, tanh_c) f = Tanh(z) "
      "h = Add(f, one) i = Mul(t, half) y = Mul(i, h)";
  const std::string not_hardswish = "d = Add(t, three) f = Clip(d, zero, three) i = Mul(t, f) y = Div(i, six)";
  const std::string relu3 = "i = Relu(t) y = Min(i, three)";
  // clang-format off
  return {
      {"conv_relu6", conv + In(relu3, "c"), "conv_act: Conv Relu; Min: Min", ""},
      {"conv_add_relu6", conv + "t = Add(c, r) " + relu3, "conv_add_act: Conv Add Relu; Min: Min", ""},
      {"conv_act_add", conv + "d = Relu(c) y = Add(ch, d)", "Conv: Conv; Relu: Relu; Add: Add", ""},
      {"conv_silu_add", conv + "s = Sigmoid(c) d = Mul(c, s) y = Add(ch, d)",
       "conv_silu: Conv Sigmoid Mul; Add: Add", ""},
      {"conv_pool", conv + "y = MaxPool<kernel_shape = [3, 3], strides = [2, 2]>(c)", "Conv: Conv; MaxPool: MaxPool",
       ""},
      {"pad_pool", "p = Pad(x, deep_pads) y = AveragePool<kernel_shape = [2, 2]>(p)",
       "Pad: Pad; AveragePool: AveragePool",
       ""},
      {"dw_pw", "c = Conv(x, w) d = Relu(c) y = Conv(d, w)", "Conv: Conv; Relu: Relu; Conv: Conv", ""},
      {"dw_pw", "c = Conv<group = 2>(x, wd) d = Relu(c) y = Conv<group = 2>(d, wd)",
       "Conv: Conv; Relu: Relu; Conv: Conv",
       ""},
      {"se_block", "p = GlobalAveragePool(r) c = Conv(p, w, b) d = Relu(c) f = Conv(d, w) s = Sigmoid(f) y = Mul(x, s)",
       "GlobalAveragePool: GlobalAveragePool; Conv: Conv; Relu: Relu; Conv: Conv; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"gemm_bn", "n = MatMul(a, w4) y = BatchNormalization(n, free, b4, b4, b4)",
       "MatMul: MatMul; BatchNormalization: BatchNormalization", ""},
      {"matmul_bias_relu6", biased + relu3, "matmul_bias_act: MatMul Add Relu; Min: Min", ""},
      {"gemm_relu6", gemm + relu3, "gemm_act: Gemm Relu; Min: Min", ""},
      {"matmul_bias_add", biased + "y = Add(t, free)", "MatMul: MatMul; Add: Add; Add: Add", ""},
      {"glu", "o, u = Split<axis = -1>(a) s = Sigmoid(a) y = Mul(e, s)", "Sigmoid: Sigmoid; Mul: Mul", ""},
      {"skip_layer_norm_chain",
       "t = Add(a, b4) mu = ReduceMean<axes = [-1]>(t) d = Sub(t, mu) p = Pow(d, two) s = ReduceMean<axes = [-1]>(p) "
       "f = Add(s, eps) h = Sqrt(f) y = Div(d, h)",
       "Add: Add; layer_norm: ReduceMean Sub Pow ReduceMean Add Sqrt Div", ""},
      {"skip_rms_norm_chain",
       "t = Add(a, b4) p = Pow(t, two) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) "
       "i = Div(t, h) y = Mul(b4, i)",
       "Add: Add; rms_norm: Pow ReduceMean Add Sqrt Div Mul", "rms_norm"},
      {"instance_norm", "n = InstanceNormalization(x, g, b) y = Mul(n, r)",
       "InstanceNormalization: InstanceNormalization; Mul: Mul", ""},
      {"group_norm", "n = InstanceNormalization(x, g, b) i = Reshape(n, groups) y = Relu(i)",
       "InstanceNormalization: InstanceNormalization; Relu: Relu", ""},
      {"l2_norm", "n = ReduceL2<axes = [-1], keepdims = 1>(e) y = Div(a, n)", "ReduceL2: ReduceL2; Div: Div", ""},
      {"relu6", In(relu3, "a"), "Relu: Relu; Min: Min", ""},
      {"softmax_scale", "s = Mul(q, b4) y = Softmax<axis = -1>(s)", "Mul: Mul; Softmax: Softmax", ""},
      {"softmax_mask", "s = Mul(m, m) y = Softmax<axis = -1>(s)", "Mul: Mul; Softmax: Softmax", ""},
      {"softmax_turned", "s = Softmax<axis = -1>(q) y = Transpose<perm = [0, 2, 1, 3]>(s)",
       "Softmax: Softmax; Transpose: Transpose", ""},
      {"rope", "u, o = Split<axis = -1>(q) n = Neg(u) h = Concat<axis = -1>(n, o) s = Mul(q, k) t = Mul(h, v) y = "
               "Add(s, t)",
       "Split: Split; Neg: Neg; Concat: Concat; Mul: Mul; Mul: Mul; Add: Add", ""},
      {"rope_halves", "u, o = Split<axis = -1>(q) c, s = Split<axis = -1>(k) d = Mul(u, c) f = Mul(o, s) h = Sub(d, f) "
       "i = Mul(o, c) j = Mul(o, s) l = Add(i, j) y = Concat<axis = -1>(h, l)",
       "Split: Split; Split: Split; Mul: Mul; Mul: Mul; Sub: Sub; Mul: Mul; Mul: Mul; Add: Add; Concat: Concat", ""},
      {"channel_shuffle", "o = Reshape(x, grouped) t = Transpose<perm = [0, 1, 3, 2, 4]>(o) y = Reshape(t, image)",
       "Transpose: Transpose", ""},
      {"channel_shuffle", "o = Reshape(x, heads) t = Transpose<perm = [0, 2, 1, 3]>(o) y = Reshape(t, image)",
       "Transpose: Transpose", ""},
      {"space_to_depth", "o = Reshape(x, blocks) t = Transpose<perm = [0, 1, 2, 5, 3, 4]>(o) y = Reshape(t, deep)",
       "Transpose: Transpose", ""},
      {"window_partition", "o = Reshape(x, cut) t = Transpose<perm = [0, 1, 3, 5, 2, 4]>(o) y = Reshape(t, image)",
       "Transpose: Transpose", ""},
      {"patch_merge", std::string(kPatches) + "y = Concat<axis = 1>(p0, p1, p2, r)",
       "Slice: Slice; Slice: Slice; Slice: Slice; Slice: Slice; Slice: Slice; Concat: Concat", ""},
      {"horizontal", "n = Conv(x, w, b) o = Conv(n, w, b) y = Add(n, o)", "Conv: Conv; Conv: Conv; Add: Add", ""},
      {"horizontal", "n = Conv(x, w, b) d = Conv(x, w, b) o = Relu(d) y = Add(n, o)",
       "Conv: Conv; conv_act: Conv Relu; Add: Add", "conv_act"},
      {"horizontal", "n = Conv<strides = [2, 2]>(x, w, b) o = Conv(x, w, b) y = Concat<axis = 0>(n, o)",
       "Conv: Conv; Conv: Conv; Concat: Concat", ""},
      {"horizontal", "n = MatMul(q, m) o = MatMul(q, m) y = Add(n, o)", "MatMul: MatMul; MatMul: MatMul; Add: Add", ""},
      {"horizontal", "n = Conv<group = 2>(x, wd) o = Conv<group = 2>(x, wd) y = Add(n, o)",
       "Conv: Conv; Conv: Conv; Add: Add", ""},
      {"concat_in_place", "n = Relu(x) y = Concat<axis = 1>(n, r)", "Relu: Relu; Concat: Concat", ""},
      {"concat_in_place", "n = Relu(x) y = Concat<axis = 1>(n, n)", "Relu: Relu; Concat: Concat", ""},
      {"concat_in_place", "n = Relu(x) o = Relu(r) c = Concat<axis = 1>(n, o) d = Exp(c) y = Concat<axis = 1>(n, d)",
       "Relu: Relu; Relu: Relu; Concat: Concat; Exp: Exp; Concat: Concat", ""},
      {"concat_nested", "n = Relu(x) o = Relu(r) c = Concat<axis = 1>(n, o) d = Exp(c) y = Concat<axis = 1>(o, n, d)",
       "Relu: Relu; Relu: Relu; Concat: Concat; Exp: Exp; Concat: Concat", ""},
      {"image_region", kConv + std::string("t = Transpose<perm = [0, 2, 3, 1]>(c) y = Relu(t)"),
       "Conv: Conv; Transpose: Transpose; Relu: Relu", ""},
      {"image_region", "s = Relu(rowed) t = Transpose<perm = [0, 3, 1, 2]>(s) y = Conv(t, w, b)",
       "Relu: Relu; Transpose: Transpose; Conv: Conv", ""},
      {"image_positions",
       kConv + std::string("t = Transpose<perm = [0, 2, 3, 1]>(c) y = MaxPool<kernel_shape = [2, 2]>(t)"),
       "Conv: Conv; Transpose: Transpose; MaxPool: MaxPool", ""},
      {"image_positions", "u = Reshape(x, groups) t = Transpose<perm = [0, 2, 1]>(u) y = Relu(t)",
       "Transpose: Transpose; Relu: Relu", ""},
      {"image_positions", kConv + std::string("u = Reshape(c, flat) t = Transpose<perm = [0, 2, 1]>(u) y = Relu(t)"),
       "Conv: Conv; Transpose: Transpose; Relu: Relu", ""},
      {"transpose_split", "o = MatMul(tokens, w6) p = Reshape(o, three_heads) "
       "s = Transpose<perm = [2, 0, 3, 1, 4]>(p) z = Relu(s) d, i, j = Split<axis = 0>(z) "
       "y = Concat<axis = 1>(d, i, j)",
       "MatMul: MatMul; Transpose: Transpose; Relu: Relu; Split: Split; Concat: Concat", ""},
      {"transpose_chain", "o = Transpose(a) u = Relu(o) y = Transpose(u)",
       "Transpose: Transpose; Relu: Relu; Transpose: Transpose", ""},

      {"conv_bn", "n = Conv(x, w) y = BatchNormalization(n, g2, b, mean, var)",
       "Conv: Conv; BatchNormalization: BatchNormalization", ""},
      {"pad_conv", "p = Pad(x, deep_pads) n = Slice(p, first, axis) y = Conv(p, w)",
       "Pad: Pad; Conv: Conv", ""},
      {"conv_act", conv + "o = Relu(c) " + two_uses, "Conv: Conv; Relu: Relu; Concat: Concat", ""},
      {"conv_silu", conv + "s = Sigmoid(r) y = Mul(c, s)", "Conv: Conv; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"conv_hardswish", conv + "h = HardSigmoid(c) y = Mul(c, h)", "Conv: Conv; HardSigmoid: HardSigmoid; Mul: Mul",
       ""},
      {"conv_hardsigmoid", conv + "d = Add(two, c) f = Clip(d, zero, six) y = Mul(f, sixth)",
       "Conv: Conv; Add: Add; Clip: Clip; Mul: Mul", ""},
      {"conv_mish", conv + "d = Softplus(c) f = Tanh(r) y = Mul(c, f)",
       "Conv: Conv; Tanh: Tanh; Mul: Mul", ""},
      {"conv_gelu_erf", conv + "d = Div(c, two) f = Erf(d) h = Add(f, one) i = Mul(c, h) y = Mul(i, half)",
       "Conv: Conv; Div: Div; Erf: Erf; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"conv_gelu_tanh", conv + In(not_gelu, "c"),
       "Conv: Conv; Pow: Pow; Mul: Mul; Add: Add; Mul: Mul; Tanh: Tanh; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"conv_add", conv + "y = Add(c, ch)", "Conv: Conv; Add: Add", ""},
      {"conv_positions_gelu", conv + "t = Transpose<perm = [0, 2, 1, 3]>(c) " + kErf,
       "Conv: Conv; Transpose: Transpose; gelu_erf: Div Erf Add Mul Mul", ""},
      {"conv_relu_add", conv + "d = Exp(c) y = Add(r, d)", "Conv: Conv; Exp: Exp; Add: Add", ""},
      {"conv_mul", conv + "d = Exp(c) y = Mul(r, d)", "Conv: Conv; Exp: Exp; Mul: Mul", ""},
      {"wide_conv_add", "c = Conv<group = 2>(x, wd) y = Add(r, c)", "Conv: Conv; Add: Add", ""},
      {"wide_conv_add_relu", conv + "o = Add(r, c) y = Clip(o, zero)", "Conv: Conv; Add: Add; Clip: Clip", ""},
      {"concat_conv", "n = Concat<axis = 1>(x, r) c = Conv(n, w24, b) y = Concat<axis = 1>(n, c)",
       "Concat: Concat; Conv: Conv; Concat: Concat", ""},
      {"concat_conv_relu", "n = Concat<axis = 1>(x, r) c = Conv(n, w24, b) y = Exp(c)", "Conv: Concat Conv; Exp: Exp",
       ""},
      {"wide_conv_positions_add", "c = Conv<group = 2>(x, wd) t = Transpose<perm = [0, 2, 3, 1]>(c) y = Add(t, rowed)",
       "Conv: Conv; Transpose: Transpose; Add: Add", ""},
      {"conv_split", conv + "d = Relu(c) n, o = Split<axis = 1>(d) y = Concat<axis = 1>(o, n)",
       "Conv: Conv; Relu: Relu; Split: Split; Concat: Concat", ""},
      {"conv_split_act", conv + "n, o = Split<axis = 1>(c) d = Relu(n) y = Concat<axis = 1>(d, o)",
       "product_split: Conv Split; Relu: Relu; Concat: Concat", ""},
      {"matmul_split", "o = MatMul(tokens, w6) t = Abs(o) d, i, j = Split<axis = 2>(t) y = Concat<axis = 1>(d, i, j)",
       "MatMul: MatMul; Abs: Abs; Split: Split; Concat: Concat", ""},
      // What is scaled first is read where it lies.
      {"matmul_placed", "o = MatMul(tokens, w2) t = Add(b, o) p = Reshape(t, one_head) "
       "s = Transpose<perm = [0, 2, 1, 3]>(p) l = Reshape(x, grouped_rows) n = Mul(s, eighth) y = MatMul(l, n)",
       "MatMul: MatMul; Add: Add; Transpose: Transpose; Mul: Mul; MatMul: MatMul", ""},
      {"matmul_packed", "o = MatMul(tokens, w6) t = Add(b6, o) p = Reshape(t, three_heads) "
       "y = Transpose<perm = [0, 2, 3, 1, 4]>(p)",
       "MatMul: MatMul; Add: Add; Transpose: Transpose", ""},
      {"matmul_factor", "o = MatMul(a, w4) y = Mul(o, b34)", "MatMul: MatMul; Mul: Mul", ""},
      // A matrix for each product is no mask of all.
      {"matmul_mask", "l = Reshape(k, swapped) o = MatMul(q, l) t = MatMul(v, l) y = Add(o, t)",
       "MatMul: MatMul; MatMul: MatMul; Add: Add", ""},
      {"shuffle_conv", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "y = Conv<pads = [1, 1, 1, 1]>(o, w3)",
       "Transpose: Transpose; Conv: Conv", ""},
      {"shuffle_split", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "f = Exp(o) n, i = Split<axis = 1, num_outputs = 2>(f) y = Concat<axis = 1>(i, n)",
       "Transpose: Transpose; Exp: Exp; Split: Split; Concat: Concat", ""},
      {"shuffle_conv_act", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) o = Reshape(t, image) "
       "c = Conv(o, w, b) y = Exp(c)",
       "shuffle_conv: Reshape Transpose Reshape Conv; Exp: Exp", ""},
      // It takes masks that are added, no conditions.
      {"attention_of_placed",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) l = Where(mb, d, low) "
       "s = Softmax<axis = -1>(l) y = MatMul(s, v)",
       "Transpose: Transpose; MatMul: MatMul; Where: Where; Softmax: Softmax; MatMul: MatMul", ""},
      {"attention_of_placed",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) s = Softmax<axis = 1>(d) y = MatMul(s, v)",
       "Transpose: Transpose; MatMul: MatMul; Softmax: Softmax; MatMul: MatMul", ""},
      // A factor for each head stays outside of the kernel.
      {"attention_of_placed",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) sc = Mul(d, ch) "
       "s = Softmax<axis = -1>(sc) y = MatMul(s, v)",
       "Transpose: Transpose; MatMul: MatMul; Mul: Mul; Softmax: Softmax; MatMul: MatMul", ""},
      {"conv_mul", conv + "y = Mul(c, ch)", "Conv: Conv; Mul: Mul", ""},
      {"conv_mul", conv + "y = Mul(c, c)", "Conv: Conv; Mul: Mul", ""},
      {"matmul_bias_mish", biased + not_mish, "matmul_bias_act: MatMul Add Softplus; Tanh: Tanh; Mul: Mul", ""},
      {"gemm_mish", gemm + not_mish, "gemm_act: Gemm Softplus; Tanh: Tanh; Mul: Mul", ""},
      {"matmul_scale", biased + "y = Mul(t, b34)", "MatMul: MatMul Add; Mul: Mul", ""},
      {"conv_pair", conv + "o = Conv(r, w) y = Add(o, c)", "Conv: Conv; Conv: Conv; Add: Add", ""},
      {"conv_pair",
       "m1 = MatMul(tokens, w2) p1 = Add(m1, b) m2 = MatMul(tokens, w2) s = Add(p1, m2) "
       "u = ReduceMean<axes = [1, 2]>(s) xs = Mul(x, u) c = Conv(xs, w, b) o = Conv(xs, w) y = Add(o, c)",
       "MatMul: MatMul; Add: Add; MatMul: MatMul; Add: Add; ReduceMean: ReduceMean; Mul: Mul; Conv: Conv; Conv: Conv; "
       "Add: Add",
       ""},
      {"conv_pair_gelu_erf", conv + "o = Conv(r, w) t = Add(o, c) " + kErf,
       "Conv: Conv; Conv: Conv; Add: Add; gelu_erf: Div Erf Add Mul Mul", ""},
      {"conv_pair", "o = Conv<strides = [2, 2]>(x, w) d = Conv<strides = [2, 2]>(x, w) y = Add(o, d)",
       "Conv: Conv; Conv: Conv; Add: Add", ""},
      {"conv_pair", conv + "o = Conv(x, w) d = Add(o, c) n = BatchNormalization(x, g, b, mean, var) y = Add(n, d)",
       "conv_add: Conv Conv Add; BatchNormalization: BatchNormalization; Add: Add", ""},
      {"conv_pair_act", conv + "o = Conv(r, w) d = Add(o, c) y = Relu(d)",
       "Conv: Conv; Conv: Conv; Add: Add; Relu: Relu", ""},
      {"conv_pair_silu", conv + "o = Conv(r, w) d = Add(o, c) s = Sigmoid(d) y = Mul(d, s)",
       "Conv: Conv; Conv: Conv; Add: Add; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"channel_shuffle", "d = Reshape(x, windows) t = Transpose<perm = [0, 2, 1, 3]>(d) y = Reshape(t, image)",
       "Transpose: Transpose", ""},
      {"concat_shuffle", "d = Reshape(x, grouped) t = Transpose<perm = [0, 2, 1, 3, 4]>(d) y = Reshape(t, image)",
       "Transpose: Transpose", ""},
      {"roll", "n, o = Split<axis = 2>(x, uneven) y = Concat<axis = 2>(n, o)", "Split: Split; Concat: Concat", ""},
      {"roll", "n, o = Split<axis = 2, num_outputs = 2>(x) y = Concat<axis = 3>(o, n)",
       "Split: Split; Concat: Concat", ""},
      {"subsample", "p0 = Slice(x, first, far, axis, by2) y = Relu(p0)", "Slice: Slice; Relu: Relu", ""},
      {"matmul_heads", "o = MatMul(tokens, w6) t = Add(b6, o) p = Reshape(t, three_heads) "
       "d, i, j = Split<axis = 2>(p) y = Concat<axis = 1>(d, i, j)",
       "MatMul: MatMul; Add: Add; Split: Split; Concat: Concat", ""},
      {"matmul_positions_add", "o = MatMul(rowed, w2) t = Add(b, o) s = Transpose<perm = [0, 3, 1, 2]>(t) "
       "y = Add(s, r)",
       "MatMul: MatMul; Add: Add; Transpose: Transpose; Add: Add", ""},
      {"matmul_positions", "o = MatMul(tokens, w2) t = Add(b, o) y = Transpose<perm = [0, 2, 1]>(t)",
       "matmul_bias: MatMul Add; Transpose: Transpose", ""},
      {"rsqrt", "n = Sqrt(a) y = Div(two, n)", "Sqrt: Sqrt; Div: Div", ""},
      {"argmax_cast", "n = ArgMax<axis = 1>(a) o = Abs(n) y = Cast<to = 1>(o)",
       "ArgMax: ArgMax; Abs: Abs; Cast: Cast", ""},
      {"scale_shift", "n = Mul(x, r) y = Add(ch, n)", "Mul: Mul; Add: Add", ""},
      {"scale_shift_act", "n = Mul(x, ch) o = Add(r, n) y = Relu(o)", "Mul: Mul; Add: Add; Relu: Relu", ""},
      {"attention_of_channels",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) s = Softmax<axis = 2>(d) "
       "p = Transpose<perm = [0, 1, 3, 2]>(s) o = Transpose<perm = [0, 1, 3, 2]>(v) y = MatMul(o, p)",
       "Transpose: Transpose; MatMul: MatMul; Softmax: Softmax; Transpose: Transpose; Transpose: Transpose; "
       "MatMul: MatMul", ""},
      {"conv_add_act", conv + "o = Add(c, r) p = Relu(o) y = Concat<axis = 1>(p, o)",
       "Conv: Conv; Add: Add; Relu: Relu; Concat: Concat", ""},
      {"conv_add_silu", conv + "o = Add(c, r) s = Sigmoid(c) y = Mul(o, s)",
       "Conv: Conv; Add: Add; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"conv_add_hardswish", conv + "o = Mul(c, r) y = HardSwish(o)", "Conv: Conv; Mul: Mul; HardSwish: HardSwish", ""},
      {"matmul_bias", "o = MatMul(a, w4) y = Add(o, free)", "MatMul: MatMul; Add: Add", ""},
      {"matmul_bias", "o = MatMul(a, w4) y = Add(o, b34)", "MatMul: MatMul; Add: Add", ""},
      {"matmul_bias_act", "o = MatMul(a, w4) t = Add(o, free) y = Relu(t)", "MatMul: MatMul; Add: Add; Relu: Relu", ""},
      {"matmul_bias_silu", biased + "s = Sigmoid(a) y = Mul(t, s)",
       "MatMul: MatMul; Add: Add; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"matmul_bias_hardswish", biased + In(not_hardswish, "t"),
       "MatMul: MatMul; Add: Add; Add: Add; Clip: Clip; Mul: Mul; Div: Div", ""},
      {"matmul_bias_gelu_erf", biased + gelu_of_other,
       "MatMul: MatMul; Add: Add; Div: Div; Erf: Erf; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"matmul_bias_gelu_tanh", biased + not_gelu,
       "MatMul: MatMul; Add: Add; Pow: Pow; Mul: Mul; Add: Add; Mul: Mul; Tanh: Tanh; Add: Add; Mul: Mul; Mul: Mul",
       ""},
      {"gemm_act", gemm + "o = Relu(t) y = Concat<axis = 1>(o, t)", "Gemm: Gemm; Relu: Relu; Concat: Concat", ""},
      {"gemm_silu", gemm + "s = Sigmoid(a) y = Mul(t, s)", "Gemm: Gemm; Sigmoid: Sigmoid; Mul: Mul", ""},
      {"gemm_hardswish", gemm + In(not_hardswish, "t"), "Gemm: Gemm; Add: Add; Clip: Clip; Mul: Mul; Div: Div", ""},
      {"gemm_gelu_erf", gemm + gelu_of_other, "Gemm: Gemm; Div: Div; Erf: Erf; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"gemm_gelu_tanh", gemm + not_gelu,
       "Gemm: Gemm; Pow: Pow; Mul: Mul; Add: Add; Mul: Mul; Tanh: Tanh; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"gelu_erf", "t = Exp(a) " + gelu_of_other, "Exp: Exp; Div: Div; Erf: Erf; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"gelu_tanh", In(not_gelu, "a"),
       "Pow: Pow; Mul: Mul; Add: Add; Mul: Mul; Tanh: Tanh; Add: Add; Mul: Mul; Mul: Mul", ""},
      {"hardswish", In(not_hardswish, "a"), "Add: Add; Clip: Clip; Mul: Mul; Div: Div", ""},
      {"hardsigmoid", "d = Add(a, three) f = Clip(d, zero) y = Div(f, six)", "Add: Add; Clip: Clip; Div: Div", ""},
      {"softmax", "g0 = Exp(a) h = ReduceSum(e, axis) y = Div(g0, h)", "Exp: Exp; ReduceSum: ReduceSum; Div: Div", ""},
      {"mish", "d = Softplus(e) f = Tanh(d) y = Mul(f, a)", "Softplus: Softplus; Tanh: Tanh; Mul: Mul", ""},
      {"silu", "s = Sigmoid(e) y = Mul(a, s)", "Sigmoid: Sigmoid; Mul: Mul", ""},
      {"bn_act", "n = BatchNormalization(x, g2, b, mean, var) y = Relu(n)",
       "BatchNormalization: BatchNormalization; Relu: Relu", ""},
      {"add_act", "n = Sub(x, r) y = Relu(n)", "Sub: Sub; Relu: Relu", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [0]>(a) d = Sub(a, mu) p = Pow(d, two) s = ReduceMean<axes = [0]>(p) f = Add(s, eps) "
       "h = Sqrt(f) y = Div(d, h)",
       "ReduceMean: ReduceMean; Sub: Sub; Pow: Pow; ReduceMean: ReduceMean; Add: Add; Sqrt: Sqrt; Div: Div", ""},
      {"layer_norm",
       "mu = ReduceMean<axes = [-1]>(e) p = Mul(a, a) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) "
       "i = Reciprocal(h) j = Mul(i, b4) k0 = Mul(a, j) k1 = Mul(mu, j) k2 = Sub(b4, k1) y = Add(k0, k2)",
       "ReduceMean: ReduceMean; Mul: Mul; ReduceMean: ReduceMean; Add: Add; Sqrt: Sqrt; Reciprocal: Reciprocal; "
       "Mul: Mul; Mul: Mul; Mul: Mul; Sub: Sub; Add: Add", ""},
      {"rms_norm", "p = Pow(e, two) s = ReduceMean<axes = [-1]>(p) f = Add(s, eps) h = Sqrt(f) y = Div(a, h)",
       "Pow: Pow; ReduceMean: ReduceMean; Add: Add; Sqrt: Sqrt; Div: Div", ""},
      {"skip_layer_norm", "s = Add(a, b4) y = LayerNormalization(s, b4, b4)",
       "Add: Add; LayerNormalization: LayerNormalization", ""},
      {"attention",
       "kt = Transpose<perm = [0, 1, 3, 2]>(k) d = MatMul(q, kt) s = Softmax<axis = 1>(d) y = MatMul(s, v)",
       "Transpose: Transpose; MatMul: MatMul; Softmax: Softmax; MatMul: MatMul", ""},
      {"elementwise_chain", "n = Exp(a) y = Concat<axis = 0>(n, n)", "Exp: Exp; Concat: Concat", ""},
      {"elementwise_chain", "n = Exp(free) y = Add(n, a)", "Exp: Exp; Add: Add", ""},
  };
  // clang-format on
}

TEST_CASE("every row matches what it is for") {
  for (const Case& c : Matching()) {
    INFO(c.row << ": " << c.body);
    CHECK(Fused(c, "float[?] y") == c.want);
  }
}

TEST_CASE("near misses stay apart") {
  for (const Case& c : NearMisses()) {
    INFO(c.row << ": " << c.body);
    CHECK(Fused(c, "float[?] y") == c.want);
  }
}

TEST_CASE("no row is without both fixtures") {
  std::set<std::string> matching, near;
  for (const Case& c : Matching()) matching.insert(c.row);
  for (const Case& c : NearMisses()) near.insert(c.row);
  for (const PatternRow& row : AllPatterns()) {
    if (row.kind == RowKind::kQdq) continue;  // fuse_test.cc
    INFO(row.name);
    CHECK(matching.count(std::string(row.name)) == 1);
    CHECK(near.count(std::string(row.name)) == 1);
  }
}

}  // namespace
}  // namespace hwest::test
