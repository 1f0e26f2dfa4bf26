// Rules of the user's: what is refused with which place, where they apply, and what they are held to.
#include "rewrite/user_rules.h"

#include "absl/strings/match.h"
#include "rewrite/rewrite_support.h"
#include "rewrite/sample.h"

namespace hwest {
namespace {

using test::ModelFromText;
using test::OperatorsOf;

std::string ModelOfNodes(const char* nodes) {
  return ModelFromText(
      absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[2,6] x) => (float[2,6] y) ", nodes));
}

struct RefusedRules {
  const char* text;
  const char* message;  // begins with the place
  const char* remedy;
};

TEST_CASE("a file of rules is refused at the place where it is wrong") {
  const RefusedRules rows[] = {
      {"a", "f:1:2: expected '='", "write NAME"},
      {"A = Relu(x) -> x", "f:1:1: 'A' is no name", "lower-case"},
      {"a = Relu(x)", "f:1:12: expected '->'", "write NAME"},
      {"a = x -> Relu(x)", "f:1:4: the root must be an operator", "describe rules"},
      {"a = Rleu(x) -> x", "f:1:5: operator 'Rleu' is not known", "Relu"},
      {"a = Relu(x -> x", "f:1:", "describe rules"},
      {"a = Relu(x) -> Rleu(x)", "f:1:16: operator 'Rleu' is not known", "Relu"},
      {"a = Relu(x) ->\n  Rleu(x)", "f:2:3: operator 'Rleu' is not known", "Relu"},
      {"a = Relu(x) -> my::Op(x)", "f:1:20: nothing is known of the operator 'Op'", "describe ops"},
      {"a = Relu(x) -> Neg(y)", "f:1:20: there is no value 'y'", ""},
      {"a = Relu(input) -> Neg(inpt)", "f:1:24: there is no value 'inpt'", "did you mean input?"},
      {"a = Relu(x) -> Neg(root)", "f:1:20: 'root' is the value that is replaced", "operands"},
      {"a = y:Relu(x) -> Neg(y)", "f:1:22: 'y' is the value that is replaced", "operands"},
      {"a = Relu(x) -> Add(x, $nonsense)", "f:1:24: there is no figure 'nonsense'", "describe rules"},
      {"a = Relu(x) -> Add(x, $negatd(x))", "f:1:24: there is no figure 'negatd'", "did you mean negated"},
      {"a = Relu(x) -> Add(x, $negated)", "f:1:24: 'negated' takes (value)", ""},
      {"a = Relu(x) -> Add(x, $negated(3))", "f:1:32: there is no value '3'", ""},
      {"a = Relu(x) -> Add(x, $scalar(x, alpha))", "f:1:31: 'x' is made by no node", "name a node there"},
      {"a = Relu(x) -> Add(x, $folded_bias(x))", "f:1:24: there is no figure 'folded_bias'", ""},
      {"a = Relu(x) -> LeakyRelu(x; alhpa=0.1)", "f:1:29: LeakyRelu has no attribute 'alhpa'", "alpha"},
      {"a = Relu(x) -> LeakyRelu(x; alpha=1e99)", "f:1:", ""},
      {"a = Relu(x) -> Softmax(x; axis=99999999999999999999)", "f:1:", ""},
      {"a = Relu(x) -> p q = Relu?(x); Neg(p)", "f:1:18: only an operator", "one value"},
      {"a = Relu(x) -> Relu?()", "f:1:16: 'Relu?' has no operand", "leave out"},
      {"a = Relu(x) -> Neg(x)\n  when flaots", "f:2:8: there is no check 'flaots'", "did you mean floats"},
      {"a = Relu(x) -> Neg(x)\n  when rank(x)", "f:2:8: 'rank' takes (value, number, [number])", ""},
      {"a = Relu(x) -> Neg(x)\n  when rank(x, four)", "f:2:16: 'four' is no number", "number"},
      {"a = Relu(x) -> Neg(x)\n  when composes", "f:2:8: there is no check 'composes'", ""},
      {"a = Relu(x) -> Neg(x)\n  exactness same", "f:2:13: 'same' is no exactness", "exact, rounding"},
      {"a = Relu(x) -> Neg(x)\n  family b", "f:2:3: found 'family'", "write when"},
      {"a = Relu(x) -> Neg(x)\n  when", "f:2:7: expected more after 'when'", ""},
      {"  when floats", "f:1:3: a statement before the first rule", ""},
      {"a = Relu(x) -> Neg(x)\n  of x float", "f:2:6: 'x float' is no name and type", "float[8]"},
      {"a = Relu(x) -> Neg(x)\n  of x flaot[2]", "f:2:6: ", "float[8]"},
      {"a = Relu(x) -> Neg(x)\n  of x float[0]", "f:2:6: ", "float[8]"},
      {"a = Relu(x) -> Neg(x)\n  of x float[9999,9999]", "f:2:6: ", "float[8]"},
      {"a = Relu(x) -> Neg(x)\na = Abs(x) -> Neg(x)", "f:2:1: there is a rule 'a' already", "rename"},
      {"div_to_mul = Relu(x) -> Neg(x)", "f:1:1: there is a rule 'div_to_mul' already", "rename"},
      {"a = Relu( x ) -> Neg(x)\n\nb = Relu(x) -> Abs(x)", "f:3:1: the rule 'b' is never reached: 'a' in line 1",
       "when"},
      {"@act = Relu", "f:1:1: there is a fragment 'act' already", "rename"},
  };
  for (const RefusedRules& row : rows) {
    CAPTURE(row.text);
    const auto rules = UserRules::Parse(row.text, "f");
    REQUIRE_FALSE(rules.ok());
    const Diagnostic why = DiagnosticOf(rules.status());
    CAPTURE(why.message, why.remedy);
    CHECK(why.code == Code::kUsage);
    CHECK(absl::StartsWith(why.message, row.message));
    CHECK(absl::StrContains(why.remedy, row.remedy));
  }
}

TEST_CASE("deep and long replacements are refused") {
  std::string deep = "a = Relu(x) -> ", wide = "a = Relu(x) -> Sum(x";
  for (int i = 0; i < 1000; ++i) deep += "Neg(";
  deep += "x" + std::string(1000, ')');
  for (int i = 0; i < 10000; ++i) wide += ", x";
  CHECK_FALSE(UserRules::Parse(deep, "f").ok());
  CHECK_FALSE(UserRules::Parse(wide + ")", "f").ok());
}

TEST_CASE("a file of rules says all that a rule of the table does") {
  const auto rules = UserRules::Parse(
      "# first\n"
      "@twice = %(%(x))\n"
      "double_neg = Neg(\n  Neg(x)) ->\n    x   # goes on\n"
      "  exactness exact\n"
      "  words two signs become none\n"
      "  because minus minus is plus\n"
      "  of x float[2,3]\n"
      "scaled = Mul(x, s[const]) -> d = $negated(s); Neg(Mul(x, d))\n"
      "  when floats\n"
      "  when rank(x, 2, 4) no_zero(s)\n",
      "mine.rules");
  INFO(rules.status());
  REQUIRE(rules.ok());
  REQUIRE((*rules)->rules.size() == 2);
  const UserRule& first = (*rules)->rules[0];
  CHECK(first.rule.name == "double_neg");
  CHECK(first.line == 3);
  CHECK(first.rule.exactness == Exactness::kExact);
  CHECK(first.rule.words == "two signs become none");
  CHECK(first.rule.reason == "minus minus is plus");
  CHECK(first.rule.key == "Neg");
  REQUIRE(first.types.size() == 1);
  CHECK(first.types[0].dims == std::vector<int64_t>{2, 3});
  const UserRule& second = (*rules)->rules[1];
  CHECK(second.rule.exactness == Exactness::kRounding);
  CHECK(second.parsed.checks.size() == 3);
  CHECK((*UserRules::Parse("", "f"))->rules.empty());
}

struct AppliedRules {
  const char* rules;
  const char* graph;
  const char* operators;  // behind it
};

TEST_CASE("rules of the user's are applied where they hold") {
  const AppliedRules rows[] = {
      {"a = Neg(Neg(x)) -> x", "{ a = Neg(x) b = Neg(a) y = Relu(b) }", "Relu"},
      {"a = Neg(Neg(x)) -> x\n  when rank(x, 4)", "{ a = Neg(x) b = Neg(a) y = Relu(b) }", "Neg Neg Relu"},
      {"a = Relu(x) -> LeakyRelu(x; alpha=0.0)", "{ y = Relu(x) }", "LeakyRelu"},
      {"a = LeakyRelu(x) -> PRelu(x, $scalar(root, alpha, 0.01))", "{ y = LeakyRelu(x) }", "PRelu"},
      // A check that asks for what the match left out does not hold.
      {"a = Clip(x, low?, high?) -> Relu(x)\n  when between(low, 0)", "{ y = Clip(x) }", "Clip"},
  };
  for (const AppliedRules& row : rows) {
    CAPTURE(row.rules);
    AnalysisRequest request;
    request.rewrite_rules = row.rules;
    const Rewritten rewritten = test::RewrittenBytes(ModelOfNodes(row.graph), request, {.rules = {"a"}});
    CHECK(OperatorsOf(*rewritten.model) == row.operators);
  }
}

TEST_CASE("a rule that breaks its promise is an error, not a model") {
  struct Row {
    const char* rules;
    const char* message;
  };
  const Row rows[] = {
      {"a = Relu(x) -> ReduceSum(x; axes=[1], keepdims=0)", "the rule a makes float[2] of 'y', which is float[2,6]"},
      {"a = Relu(x) -> Cast(x; to=7)", "the rule a makes int64[2,6] of 'y', which is float[2,6]"},
      {"a = Relu(x) -> Relu(Relu(x))", "the rule a goes on for ever"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.rules);
    AnalysisRequest request;
    request.rewrite_rules = row.rules;
    const std::string bytes = ModelOfNodes("{ y = Relu(x) }");
    const auto rewritten = RewriteModelMemory(
        bytes, "model.onnx", [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); }, {}, nullptr);
    REQUIRE_FALSE(rewritten.ok());
    CHECK(absl::StrContains(DiagnosticOf(rewritten.status()).message, row.message));
  }
}

TEST_CASE("a small model is found for what a pattern matches") {
  for (const char* text : {
           "a = Relu(x) -> x",
           "a = Relu(Conv(x, w[const], b[const]?)) -> x",
           "a = Mul(MatMul(x, w[const]), s[const, scalar]) -> x",
           "a = Mul(x, Sigmoid(x)) -> x",
           "a = d:Sub(x, c[const]) -> x",
           "a = Mul(d:Sub(x, y), d) -> x",
           "a = BatchNormalization[inference](x, s[const], b[const], m[const], v[const]) -> x",
           "a = Where(c, x, 0) -> x",
           "a = Concat(x, y) -> x\n  sample Concat(x, y; axis=1)",
           "a = Flatten(GlobalAveragePool(x)) -> x",
           "a = Gemm(x, w[const], b[const]) -> x\n  of x float[3,5], w const float[5,7], b const float[7]",
       }) {
    CAPTURE(text);
    const auto rules = UserRules::Parse(text, "f");
    INFO(rules.status());
    REQUIRE(rules.ok());
    const auto bytes = SampleOf((*rules)->rules[0], SampleNumbers::kPositive);
    INFO(bytes.status());
    CHECK(bytes.ok());
  }
  const auto none = UserRules::Parse("a = Conv[depthwise](x, w[const]) -> x", "f");
  REQUIRE(none.ok());
  const auto bytes = SampleOf((*none)->rules[0], SampleNumbers::kSigned);
  REQUIRE_FALSE(bytes.ok());
  CHECK(absl::StrContains(DiagnosticOf(bytes.status()).remedy, "sample EXPRESSION"));
}

}  // namespace
}  // namespace hwest
