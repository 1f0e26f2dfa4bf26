// Element-wise arithmetic.
#include "absl/strings/str_cat.h"
#include "rewrite/rules.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

constexpr absl::string_view kArithmetic = "arithmetic";

// An operator of many operands as one of two, several times.
std::string Chained(const Site& site, absl::string_view op, size_t fewest) {
  const size_t operands = site.graph().inputs(site.root()).size();
  if (operands < fewest || operands > 16) return "";
  std::string text = "root.0";
  for (size_t i = 1; i < operands; ++i) text = absl::StrCat(op, "(", text, ", root.", i, ")");
  return text;
}

std::string AddsOfSum(const Site& site) { return Chained(site, "Add", 2); }
std::string MaxOfTwo(const Site& site) { return Chained(site, "Max", 3); }
std::string MinOfTwo(const Site& site) { return Chained(site, "Min", 3); }

// clang-format off
constexpr RewriteRule kArithmeticRules[] = {
    {.name = "sub_to_add", .key = "Sub", .match = "Sub(x, c[const])", .holds = "floats", .make = "Add(x, $negated(c))",
     .words = "Sub of a constant becomes Add", .reason = kArithmetic},
    {.name = "sub_to_negated_add", .key = "Sub", .match = "Sub(a, b)", .holds = "floats", .make = "Add(a, Mul(b, -1))",
     .words = "Sub becomes Add of the negated value", .reason = kArithmetic},
    {.name = "div_to_mul", .key = "Div", .match = "Div(x, c[const])", .holds = "floats no_zero(c)",
     .make = "Mul(x, $inverted(c))", .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .words = "Div by a constant becomes Mul", .reason = kArithmetic},
    {.name = "pow_two_to_mul", .key = "Pow", .match = "Pow(x, 2)", .holds = "floats", .make = "Mul(x, x)",
     .use = RuleUse::kCanonical, .words = "the square becomes Mul", .reason = kArithmetic},
    {.name = "pow_three_to_mul", .key = "Pow", .match = "Pow(x, 3)", .holds = "floats", .make = "Mul(Mul(x, x), x)",
     .exactness = Exactness::kRounding, .words = "the cube becomes Mul", .reason = kArithmetic},
    {.name = "pow_half_to_sqrt", .key = "Pow", .match = "Pow(x, 0.5)", .holds = "floats", .make = "Sqrt(x)",
     .use = RuleUse::kCanonical, .words = "the power of one half becomes Sqrt", .reason = kArithmetic},
    {.name = "pow_inverse_to_reciprocal", .key = "Pow", .match = "Pow(x, c[const])", .holds = "floats between(c, -1)",
     .make = "Reciprocal(x)", .words = "the power of -1 becomes Reciprocal", .reason = kArithmetic},
    {.name = "add_to_sub", .key = "Add", .match = "Add(x, c[const])", .holds = "floats", .make = "Sub(x, $negated(c))",
     .use = RuleUse::kByName, .undoes = "sub_to_add", .words = "Add of a constant becomes Sub", .reason = kArithmetic},
    {.name = "mul_to_div", .key = "Mul", .match = "Mul(x, c[const])", .holds = "floats no_zero(c)",
     .make = "Div(x, $inverted(c))", .exactness = Exactness::kRounding, .use = RuleUse::kByName, .undoes = "div_to_mul",
     .words = "Mul with a constant becomes Div", .reason = kArithmetic},
    {.name = "mul_to_square", .key = "Mul", .match = "Mul(x, x)", .holds = "floats", .make = "Pow(x, 2)",
     .use = RuleUse::kByName, .undoes = "pow_two_to_mul",
     .words = "a product of a value with itself becomes the square", .reason = kArithmetic},
    {.name = "neg_to_mul", .key = "Neg", .match = "Neg(x)", .holds = "floats", .make = "Mul(x, -1)",
     .words = "Neg becomes Mul with -1", .reason = kArithmetic},
    {.name = "reciprocal_to_div", .key = "Reciprocal", .match = "Reciprocal(x)", .holds = "floats", .make = "Div(1, x)",
     .undoes = "div_to_reciprocal", .words = "Reciprocal becomes Div", .reason = kArithmetic},
    {.name = "div_to_reciprocal", .key = "Div", .match = "Div(1, x)", .holds = "floats keeps_shape(x)",
     .make = "Reciprocal(x)", .undoes = "reciprocal_to_div", .words = "1 divided by a value becomes Reciprocal",
     .reason = kArithmetic},
    {.name = "sqrt_to_pow", .key = "Sqrt", .match = "Sqrt(x)", .holds = "floats", .make = "Pow(x, 0.5)",
     .exactness = Exactness::kRounding, .undoes = "pow_half_to_sqrt", .words = "Sqrt becomes a power",
     .reason = kArithmetic},
    {.name = "abs_to_max", .key = "Abs", .match = "Abs(x)", .holds = "floats", .make = "Max(x, Mul(x, -1))",
     .words = "Abs becomes the larger of a value and its negative", .reason = kArithmetic},
    {.name = "sum_to_adds", .key = "Sum", .match = "Sum(_)", .holds = "", .make = "", .compose = AddsOfSum,
     .words = "Sum becomes Add", .reason = kOnnxSpecification},
    {.name = "max_of_two", .key = "Max", .match = "Max(_)", .holds = "", .make = "", .compose = MaxOfTwo,
     .words = "Max of many becomes Max of two, several times", .reason = kOnnxSpecification},
    {.name = "min_of_two", .key = "Min", .match = "Min(_)", .holds = "", .make = "", .compose = MinOfTwo,
     .words = "Min of many becomes Min of two, several times", .reason = kOnnxSpecification},
    {.name = "clip_to_min_max", .key = "Clip", .match = "Clip(x, low, high)", .holds = "opset(12)",
     .make = "Min(Max(x, low), high)", .words = "Clip becomes Min and Max", .reason = kOnnxSpecification},
    {.name = "greater_or_equal_to_less", .key = "GreaterOrEqual", .match = "GreaterOrEqual(a, b)", .holds = "opset(12)",
     .make = "Or(Greater(a, b), Equal(a, b))", .words = "GreaterOrEqual becomes Greater or Equal",
     .reason = kOnnxSpecification},
    {.name = "less_or_equal_to_greater", .key = "LessOrEqual", .match = "LessOrEqual(a, b)", .holds = "opset(12)",
     .make = "Or(Less(a, b), Equal(a, b))", .words = "LessOrEqual becomes Less or Equal", .reason = kOnnxSpecification},
};
// clang-format on

}  // namespace

absl::Span<const RewriteRule> ArithmeticRewrites() { return kArithmeticRules; }

}  // namespace hwest
