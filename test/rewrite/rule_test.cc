// Rules as data: each can be parsed, and its replacement looks as expected.
#include <algorithm>
#include <set>

#include "absl/strings/str_split.h"
#include "rewrite/figures.h"
#include "rewrite/make.h"
#include "rewrite/replacement.h"
#include "rewrite/rewrite_support.h"
#include "rewrite/rules.h"

namespace hwest {
namespace {

using test::BytesOf;
using test::ModelFromText;
using test::NodesOf;
using test::OperatorsOf;
using test::RewrittenBytes;

TEST_CASE("every rule can be read, and names what exists") {
  std::set<absl::string_view> names;
  for (const RewriteRule* rule : AllRewriteRules()) {
    CAPTURE(rule->name);
    CHECK(names.insert(rule->name).second);
    CHECK_FALSE(rule->words.empty());
    CHECK_FALSE(rule->reason.empty());
    const absl::Status status = CheckRule(*rule);
    CHECK(status.ok());
    const bool is_pattern = rule->whole == nullptr;
    CHECK(is_pattern == !rule->match.empty());
    if (!is_pattern) continue;
    const auto pattern = ParsePattern(rule->match, RewriteVocabulary());
    INFO(pattern.status());
    CHECK(pattern.ok());
    CHECK((rule->make.empty() == (rule->compose != nullptr)));
  }
  CHECK(names.size() >= 40);
}

TEST_CASE("no rule of the canonical form leads back to another one") {
  for (const RewriteRule* rule : AllRewriteRules()) {
    if (rule->use != RuleUse::kCanonical || rule->undoes.empty()) continue;
    CAPTURE(rule->name);
    CHECK(FindRewriteRule(rule->undoes)->use == RuleUse::kForTarget);
  }
}

TEST_CASE("every figure and check is used by a rule") {
  std::string text;
  for (const RewriteRule* rule : AllRewriteRules())
    absl::StrAppend(&text, rule->make, " ", rule->otherwise, " ", rule->holds, " ");
  for (const RewriteRule* rule : AllRewriteRules()) {
    for (const absl::string_view figure : absl::StrSplit(rule->figures, ' ')) absl::StrAppend(&text, "$", figure, " ");
  }
  for (const auto& rows :
       {PlainFigures(), LayoutFigures(), ConstantFigures(), ImageFigures(), BlockFigures(), IntegerFigures()}) {
    for (const FigureRow& row : rows) {
      CAPTURE(row.name);
      CHECK(text.find(absl::StrCat("$", row.name)) != std::string::npos);
    }
  }
  for (const CheckRow& row : AllChecks()) {
    CAPTURE(row.name);
    CHECK(text.find(std::string(row.name)) != std::string::npos);
  }
}

TEST_CASE("texts that are no replacement are refused with their column") {
  for (const char* text :
       {"", "Relu(", "Relu(x) y", "a = Relu(x)", "Relu(x; axis)", "Relu(x; axis=[1)", "$", "Relu(x; k=\"a)"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseReplacement(text).ok());
  }
  CHECK(ParseReplacement("a, b = Split(x)").ok() == false);
  CHECK(ParseReplacement("a b = Split(x; axis=1); Concat(a, b; axis=1), a").ok());
  CHECK(ParseReplacement("com.microsoft::Gelu(x)").ok());
}

struct Case {
  const char* rule;
  const char* body;
  const char* after;  // operators that are left
};

// Matches and near misses.
// clang-format off
constexpr Case kCases[] = {
    {"gelu_from_erf", "a = Div(x, root2)  b = Erf(a)  c = Add(b, one)  d = Mul(x, c)  y = Mul(d, half)", "Gelu"},
    // 1.4 is no root of two: near enough for a device's fusion, not for the same function.
    {"gelu_from_erf", "a = Div(x, near2)  b = Erf(a)  c = Add(b, one)  d = Mul(x, c)  y = Mul(d, half)",
     "Div Erf Add Mul Mul"},
    // The inner sum is used outside: it stays, for that use alone.
    {"transposes_joined",
     "a = Transpose<perm=[1, 0]>(x)  b = Transpose<perm=[1, 0]>(a)  c = Abs(a)  d = Transpose<perm=[1, 0]>(c)  y = "
     "Add(b, d)",
     "Transpose Transpose Abs Transpose Add"},
    {"nothing_removed", "a = Transpose<perm=[0, 1]>(x)  y = Neg(a)", "Neg"},
    {"nothing_removed", "a = Transpose<perm=[1, 0]>(x)  b = Transpose<perm=[1, 0]>(a)  y = Neg(b)",
     "Transpose Transpose Neg"},
    // A square matrix keeps its shape and not its elements' places.
    {"nothing_removed", "a = Transpose(x)  y = Neg(a)", "Transpose Neg"},
    {"nothing_removed", "a = Slice(x, ends, first, axes, back)  y = Neg(a)", "Slice Neg"},
    {"nothing_removed", "a = Slice(x, starts, ends, axes)  y = Neg(a)", "Neg"},
    // As large as before, each element one row further down.
    {"nothing_removed", "a = Pad(x, shift)  y = Neg(a)", "Pad Neg"},
    {"nothing_removed", "a = Pad(x, none)  y = Neg(a)", "Neg"},
    {"relu_from_max", "y = Max(x, zero)", "Relu"},
    {"relu_from_max", "y = Max(zero, x, two)", "Max"},
    {"dropout_removed", "a = Dropout(x)  y = Neg(a)", "Neg"},
    {"dropout_removed", "a = Dropout(x, half, no)  y = Neg(a)", "Neg"},
    {"dropout_removed", "a = Dropout(x, half, yes)  y = Neg(a)", "Dropout Neg"},
    // A Where has a third operand.
    {"expand_removed", "r = ReduceMax(x)  e = Expand(r, sizes)  c = IsNaN(x)  y = Where(c, e, x)",
     "ReduceMax Expand IsNaN Where"},
    {"expand_removed", "r = ReduceMax(x)  e = Expand(r, sizes)  y = Add(x, e)", "ReduceMax Add"},
    {"identity_removed", "y = Identity(x)", "Identity"},  // of an input to an output: somebody has to write it
    {"identity_removed", "a = Identity(x)  y = Relu(a)", "Relu"},
    {"nan_guard_removed", "s = Softmax<axis=1>(x)  n = IsNaN(s)  y = Where(n, zero, s)", "Softmax Identity"},
    {"nan_guard_removed", "a = MatMul(x, x)  b = Div(a, two)  c = Add(b, one)  s = Softmax(c)  n = IsNaN(s)  "
     "y = Where(n, zero, s)", "MatMul Div Add Softmax Identity"},
    // A mask may hide a whole row: that row is 0 with the guard and NaN without it.
    {"nan_guard_removed", "a = MatMul(x, x)  t = Sum(x, a)  b = Greater(t, one)  m = Where(b, zero, hidden)  "
     "c = Add(a, m)  s = Softmax(c)  n = IsNaN(s)  y = Where(n, zero, s)",
     "MatMul Sum Greater Where Add Softmax IsNaN Where"},
    {"nan_guard_removed", "a = MatMul(x, x)  c = Add(a, x)  s = Softmax(c)  n = IsNaN(s)  y = Where(n, zero, s)",
     "MatMul Add Softmax IsNaN Where"},
    {"nan_guard_removed", "a = MatMul(x, x)  c = Add(a, hidden)  s = Softmax(c)  n = IsNaN(s)  y = Where(n, zero, s)",
     "MatMul Add Softmax IsNaN Where"},
    {"nan_guard_removed", "a = MatMul(x, x)  c = Div(a, zero)  s = Softmax(c)  n = IsNaN(s)  y = Where(n, zero, s)",
     "MatMul Div Softmax IsNaN Where"},
    {"nan_guard_removed", "a = Log(x)  s = Softmax(a)  n = IsNaN(s)  y = Where(n, zero, s)", "Log Softmax IsNaN Where"},
    {"nan_guard_removed", "s = Tanh(x)  n = IsNaN(s)  y = Where(n, zero, s)", "Tanh IsNaN Where"},
    {"div_to_mul", "y = Div(x, zero)", "Div"},
    {"div_to_mul", "y = Div(x, half)", "Mul"},
    {"pow_two_to_mul", "y = Pow(x, two)", "Mul"},
    {"pow_two_to_mul", "y = Pow(x, half)", "Pow"},
    {"mean_to_global_pool", "y = ReduceMean<axes=[1]>(x)", "ReduceMean"},
    {"leaky_to_relus", "y = LeakyRelu(x)", "Neg Relu Mul Relu Sub"},
};
// clang-format on

TEST_CASE("a replacement stands where its pattern is, and nowhere else") {
  for (const Case& each : kCases) {
    CAPTURE(each.rule, each.body);
    const std::string bytes = ModelFromText(absl::StrCat(
        "<ir_version: 8, opset_import: [\"\" : 20]> agraph (float[6, 6] x) => (float[6, 6] y) <float half = {0.5}, "
        "float one = {1}, float two = {2}, float zero = {0}, float root2 = {1.41421356}, float near2 = {1.4142}, "
        "int64[1] starts = {0}, int64[1] ends = {9}, int64[1] axes = {0}, int64[1] first = {-9}, int64[1] back = {-1}, "
        "int64[4] none = {0, 0, 0, 0}, int64[4] shift = {1, 0, -1, 0}, int64[2] sizes = {6, 6}, "
        "float hidden = {-3.0e38}, bool no = {0}, bool yes = {1}> { ",
        each.body, " }"));
    std::string found = OperatorsOf(*RewrittenBytes(bytes, {}, {.rules = {each.rule}}).model);
    std::vector<std::string> sorted = absl::StrSplit(found, ' '), wanted = absl::StrSplit(each.after, ' ');
    std::sort(sorted.begin(), sorted.end());
    std::sort(wanted.begin(), wanted.end());
    CHECK(sorted == wanted);
  }
}

TEST_CASE("an operator that the model's operator set lacks is not written") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 19]> agraph (float[6, 6] x) => (float[6, 6] y) <float half = {0.5}, float "
      "one = {1}, "
      "float root2 = {1.41421356}> { a = Div(x, root2)  b = Erf(a)  c = Add(b, one)  d = Mul(x, c)  y = Mul(d, half) "
      "}");
  CHECK(RewrittenBytes(bytes, {}, {.rules = {"gelu_from_erf"}}).rules.empty());
}

TEST_CASE("a value that the caller may replace is no constant") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[6] x, float[6] w) => (float[6] y) "
      "<float[6] w = {1, 2, 3, 4, 5, 6}> { y = Sub(x, w) }");
  CHECK(RewrittenBytes(bytes, {}, {.rules = {"sub_to_add"}}).rules.empty());
}

TEST_CASE("rules that need weights do not apply where the file of weights is missing") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 8, 8, 8] x) => (float[1, 64, 8, 8] y) "
      "<float[64, 8, 3, 3] w, float[64] s, float[64] o, float[64] m, float[64] v> "
      "{ c = Conv<kernel_shape=[3, 3], pads=[1, 1, 1, 1]>(x, w)  y = BatchNormalization(c, s, o, m, v) }");
  CHECK(RewrittenBytes(bytes, {}, {.rules = {"batch_norm_into_conv"}}).rules.empty());
  const std::string quantised = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[2, 64] x) => (float[2, 64] y) "
      "<uint8[64, 64] q, float s = {0.1}, uint8 z = {128}> { w = DequantizeLinear(q, s, z)  y = MatMul(x, w) }");
  CHECK(RewrittenBytes(quantised, {}, {.rules = {"quantized_weights_to_signed"}}).rules.empty());
}

TEST_CASE("bodies of control nodes and what they read stay") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[6] x, bool c) => (float[6] y) { a = Identity(x) "
      "y = If(c) <then_branch = g () => (float[6] t) { t = Relu(a) }, else_branch = h () => (float[6] e) { e = "
      "Identity(a) }> }");
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.rules = {"identity_removed"}});
  CHECK(OperatorsOf(*rewritten.model) == "Identity If");
}

TEST_CASE("what normalises an image goes into a convolution where that is the same") {
  struct ImageCase {
    const char* rule;
    const char* body;
    const char* want;
  };
  const std::vector<ImageCase> cases = {
      {"image_norm_into_conv", "a = Sub(x, m)  b = Div(a, s)  y = Conv(b, w)", "Conv"},
      {"image_norm_into_conv", "b = Div(x, s)  y = Conv<pads=[1, 1, 1, 1]>(b, w)", "Conv"},
      // The zeros around an image are not shifted.
      {"image_norm_into_conv", "a = Sub(x, m)  b = Div(a, s)  y = Conv<pads=[1, 1, 1, 1]>(b, w)", "Sub Div Conv"},
      {"image_norm_into_conv", "a = Sub(x, m)  y = Conv<auto_pad=\"SAME_UPPER\">(a, w)", "Sub Conv"},
      {"image_norm_into_conv", "a = Sub(m, x)  y = Conv(a, w)", "Sub Conv"},
      {"image_norm_into_conv", "a = Mul(x, rows)  y = Conv(a, w)", "Mul Conv"},  // by row, not by channel
      {"image_norm_into_conv", "a = Div(x, none)  y = Conv(a, w)", "Div Conv"},
      {"image_norm_to_conv", "a = Sub(x, m)  b = Div(a, s)  y = Conv<pads=[1, 1, 1, 1]>(b, w)", "Conv Conv"},
      {"image_norm_to_conv", "a = Mul(x, s)  y = Relu(a)", "Mul Relu"},
      {"image_factor_to_conv", "a = Mul(x, s)  y = Relu(a)", "Conv Relu"},
      {"image_factor_to_conv", "a = Mul(x, rows)  y = Relu(a)", "Mul Relu"},
      {"image_factor_to_conv", "a = Abs(x)  b = Mul(a, s)  y = Relu(b)", "Abs Conv Relu"},
      {"image_factor_to_conv", "a = MatMul(x, x)  b = Mul(a, s)  y = Relu(b)", "MatMul Mul Relu"},  // no image
  };
  for (const ImageCase& c : cases) {
    INFO(c.rule << ": " << c.body);
    const std::string bytes = ModelFromText(absl::StrCat(
        "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 2, 3, 3] x) => (float[n, c, h, v] y) "
        "<float[2, 1, 1] m = {1, 2}, float[1, 2, 1, 1] s = {2, 4}, float[3, 1] rows = {1, 2, 3}, float none = {0}, "
        "float[1, 2, 2, 2] w = {1, 2, 3, 4, 5, 6, 7, 8}> { ",
        c.body, " }"));
    CHECK(OperatorsOf(*RewrittenBytes(bytes, {}, {.rules = {c.rule}}).model) == c.want);
  }
}

TEST_CASE("a pool whose input is no image stays") {
  for (const char* input : {"float", "float[4]", "float[1, 2, 8, 8, 8]"}) {
    CAPTURE(input);
    const std::string bytes =
        ModelFromText(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (", input,
                                   " x) => (float y) { y = AveragePool<kernel_shape=[4, 4], strides=[4, 4]>(x) }"));
    CHECK(OperatorsOf(*RewrittenBytes(bytes, {}, {.rules = {"large_average_pool_split"}}).model) == "AveragePool");
  }
}

struct WholeCase {
  const char* rule;
  const char* graph;
  const char* after;
};

// Matches and near misses of rules over other inputs.
// clang-format off
constexpr WholeCase kWholeCases[] = {
    {"attention_to_parts",
     "(float[1, 2, 4, 8] q, float[1, 2, 4, 8] k, float[1, 2, 4, 8] v) => (float[1, 2, 4, 8] y) "
     "{ y = Attention(q, k, v) }",
     "Mul Transpose MatMul Softmax MatMul"},
    {"attention_to_parts",
     "(float[1, 2, 4, 8] q, float[1, 2, 4, 8] k, float[1, 2, 4, 8] v) => (float[1, 2, 4, 8] y) "
     "{ y = Attention<softcap = 2.0>(q, k, v) }",
     "Attention"},
    {"attention_to_parts",
     "(float[1, 2, 4, 8] q, float[1, 2, 4, 8] k, float[1, 2, 4, 8] v, float[1, 2, 3, 8] p) => (float[1, 2, 4, 8] y) "
     "{ y = Attention(q, k, v, , p, p) }",
     "Attention"},
    // The mask is of other scores.
    {"attention_from_parts",
     "(float[1, 2, 4, 8] q, float[1, 2, 8, 4] t, float[1, 2, 4, 8] v, float[2, 1, 4, 4] m) => (float[2, 2, 4, 8] y) "
     "{ a = MatMul(q, t) b = Add(a, m) s = Softmax(b) y = MatMul(s, v) }",
     "MatMul Add Softmax MatMul"},
    // The weights are read elsewhere, too.
    {"attention_from_parts",
     "(float[1, 2, 4, 8] q, float[1, 2, 8, 4] t, float[1, 2, 4, 8] v) => (float[1, 2, 4, 8] y, float[1, 2, 4, 4] s) "
     "{ a = MatMul(q, t) s = Softmax(a) y = MatMul(s, v) }",
     "MatMul Softmax MatMul"},
    {"quantized_to_signed",
     "(float[6] x) => (float[6] y, uint8[6] q) <float s = {0.1}, uint8 z = {3}> "
     "{ q = QuantizeLinear(x, s, z) y = DequantizeLinear(q, s, z) }",
     "QuantizeLinear DequantizeLinear"},
    {"quantized_to_signed",
     "(float[6] x) => (float[6] y) <float s = {0.1}, int8 z = {3}> "
     "{ q = QuantizeLinear(x, s, z) y = DequantizeLinear(q, s, z) }",
     "QuantizeLinear DequantizeLinear"},
    // Two and a half times as large: blocks differ.
    {"resize_to_asymmetric",
     "(float[1, 1, 4, 4] x) => (float[1, 1, 10, 8] y) <int64[4] s = {1, 1, 10, 8}> { y = Resize(x, , , s) }", "Resize"},
    {"resize_to_half_pixel",
     "(float[1, 1, 4, 4] x) => (float[1, 1, 8, 8] y) <int64[4] s = {1, 1, 8, 8}> "
     "{ y = Resize<mode = \"linear\", coordinate_transformation_mode = \"align_corners\">(x, , , s) }",
     "Resize"},
    // The last Slice leaves an element out; two overlap; one is a part of another axis.
    {"slices_to_split",
     "(float[6] x) => (float[2] y) <int64[1] a = {0}, int64[1] b = {2}, int64[1] c = {3}, int64[1] d = {5}> "
     "{ p = Slice(x, a, b) q = Slice(x, c, d) y = Add(p, q) }",
     "Slice Slice Add"},
    {"slices_to_split",
     "(float[4] x) => (float[n] y) <int64[1] a = {0}, int64[1] b = {2}, int64[1] c = {1}, int64[1] d = {4}> "
     "{ p = Slice(x, a, b) q = Slice(x, c, d) y = Concat<axis = 0>(p, q) }",
     "Slice Slice Concat"},
    {"slices_to_split",
     "(float[4, 4] x) => (float[2, 4] y, float[4, 4] z) <int64[1] a = {0}, int64[1] b = {2}, int64[1] d = {4}, "
     "int64[1] e = {1}> "
     "{ p = Slice(x, a, b) q = Slice(x, b, d) r = Slice(x, a, b, e) s = Slice(x, b, d, e) "
     "t = Concat<axis = 1>(r, s) y = Add(p, q) z = Relu(t) }",
     "Split Split Concat Add Relu"},
    // Indices into an axis of unknown size, and a constant that 32 bits do not hold.
    {"indices_to_int32", "(float[n] x, int64[3] i) => (float[3] y) { y = Gather(x, i) }", "Gather"},
    {"comparison_in_int32",
     "(int32[3] x) => (bool[3] y) <int64 d = {2147483648}> { c = Cast<to = 7>(x) y = Less(c, d) }", "Cast Less"},
    {"comparison_in_int32",
     "(int32[3] x) => (bool[3] y) <int64 d = {2147483647}> { c = Cast<to = 7>(x) y = Less(c, d) }", "Less"},
    {"comparison_in_int32",
     "(float[3] x) => (bool[3] y) <int64 d = {1}> { c = Cast<to = 7>(x) y = Less(c, d) }", "Cast Less"},
    // Another part of the image, and a window that padding makes larger than it.
    {"conv_to_gemm",
     "(float[1, 1, 3, 3] x) => (float[1, 1, 2, 1] y) <float[1, 1, 2, 3] w = {1, 2, 3, 4, 5, 6}> { y = Conv(x, w) }",
     "Conv"},
    {"pointwise_conv_to_matmul",
     "(float[1, 2, 3, 3] x) => (float[1, 2, 3, 3] y) <float[2, 1, 1, 1] w = {1, 2}> { y = Conv<group = 2>(x, w) }",
     "Conv"},
    {"conv2d_to_conv1d",
     "(float[1, 1, 1, 5] x) => (float[1, 1, 3, 5] y) <float[1, 1, 1, 1] w = {1}> { y = Conv<pads = [1, 0, 1, 0]>(x, "
     "w) }",
     "Conv"},
    {"wide_max_pool_split",
     "(float[1, 1, 9, 9] x) => (float[1, 1, 7, 7] y) { y = MaxPool<kernel_shape = [7, 7], pads = [2, 2, 2, 2]>(x) }",
     "MaxPool"},
    {"wide_max_pool_split",
     "(float[1, 1, 9, 9] x) => (float[1, 1, 9, 9] y, int64[1, 1, 9, 9] i) "
     "{ y, i = MaxPool<kernel_shape = [7, 7], pads = [3, 3, 3, 3]>(x) }",
     "MaxPool"},
    // The image is smaller than what a part of the window skips.
    {"large_conv_split",
     "(float[1, 1, 1, 1] x) => (float[1, 1, 1, 1] y) <float[1, 1, 17, 1] w> { y = Conv<pads = [16, 0, 0, 0]>(x, w) }",
     "Conv"},
    {"resize_to_slice",
     "(float[1, 1, 6, 6] x) => (float[1, 1, 2, 2] y) <int64[4] s = {1, 1, 2, 2}> { y = Resize<nearest_mode = "
     "\"floor\", "
     "coordinate_transformation_mode = \"asymmetric\">(x, , , s) }",
     "Resize"},
    {"resize_half_to_average_pool",
     "(float[1, 1, 7, 6] x) => (float[1, 1, 3, 3] y) <int64[4] s = {1, 1, 3, 3}> { y = Resize<mode = \"linear\">(x, , "
     ", s) }",
     "Resize"},
    {"slice_to_gather",
     "(float[6, 2] x) => (float[2] y) <int64[1] a = {9}, int64[1] b = {10}, int64[1] z = {0}> "
     "{ p = Slice(x, a, b, z) y = Squeeze(p, z) }",
     "Slice Squeeze"},
    {"shared_matmul_to_matrix",
     "(float[2, 4, 5] x, float[2, 5, 6] z) => (float[2, 4, 6] y) { y = MatMul(x, z) }", "MatMul"},
    // A result that is declared without axes.
    {"gemm_to_conv",
     "(float x) => (float y) <float[5, 6] w, float[5] b = {1, 2, 3, 4, 5}> { y = Gemm<transB = 1>(x, w, b) }", "Gemm"},
    // The mean is over rows, the variance over the image; a factor for each row is none for each channel.
    {"instance_norm_from_core",
     "(float[1, 2, 3, 3] x) => (float[1, 2, 3, 3] y) <float eps = {0.1}, int64[1] a = {3}, int64[2] b = {2, 3}> "
     "{ m = ReduceMean(x, a) d = Sub(x, m) q = Mul(d, d) v = ReduceMean(q, b) e = Add(v, eps) r = Sqrt(e) y = Div(d, "
     "r) }",
     "ReduceMean Sub Mul ReduceMean Add Sqrt Div"},
    {"layer_norm_from_core",
     "(float[1, 2, 3, 3] x) => (float[1, 2, 3, 3] y) <float eps = {0.1}, int64[1] a = {3}, int64[2] b = {2, 3}> "
     "{ m = ReduceMean(x, a) d = Sub(x, m) q = Mul(d, d) v = ReduceMean(q, b) e = Add(v, eps) r = Sqrt(e) y = Div(d, "
     "r) }",
     "ReduceMean Sub Mul ReduceMean Add Sqrt Div"},
    {"instance_norm_from_parts",
     "(float[1, 3, 3, 3] x) => (float[1, 3, 3, 3] y) <float eps = {0.1}, int64[2] a = {2, 3}, float[3, 1] s = {1, 2, "
     "3}> "
     "{ m = ReduceMean(x, a) d = Sub(x, m) q = Mul(d, d) v = ReduceMean(q, a) e = Add(v, eps) r = Sqrt(e) n = Div(d, "
     "r) "
     "k = Mul(n, s) y = Add(k, s) }",
     "ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add"},
    {"fused_conv_to_conv",
     "(float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) <float[2, 2, 1, 1] w = {1, 1, 1, 1}> "
     "{ y = com.microsoft.FusedConv<activation = \"Other\">(x, w) }",
     "FusedConv"},
};
// clang-format on

TEST_CASE("rules look at sizes, masks, caches and zero points") {
  for (const WholeCase& each : kWholeCases) {
    CAPTURE(each.rule, each.graph);
    const std::string before = ModelFromText(
        absl::StrCat("<ir_version: 8, opset_import: [\"\" : 23, \"com.microsoft\" : 1]> agraph ", each.graph));
    const Rewritten rewritten = RewrittenBytes(before, {}, {.rules = {each.rule}});
    std::vector<std::string> sorted = absl::StrSplit(OperatorsOf(*rewritten.model), ' '),
                             wanted = absl::StrSplit(each.after, ' ');
    std::sort(sorted.begin(), sorted.end());
    std::sort(wanted.begin(), wanted.end());
    CHECK(sorted == wanted);
    CHECK(rewritten.rules.empty() == (BytesOf(*rewritten.model) == before));
  }
}

}  // namespace
}  // namespace hwest
