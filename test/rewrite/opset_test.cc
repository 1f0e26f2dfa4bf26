// An older operator set: nodes get its form and keep their names; a node without one is refused by name.
#include "absl/strings/match.h"
#include "hwest/diagnostic.h"
#include "op/rule.h"
#include "rewrite/opset_forms.h"
#include "rewrite/rewrite_support.h"

namespace hwest {
namespace {

using test::BytesOf;
using test::ModelFromText;
using test::NodesOf;
using test::OperatorsOf;
using test::RewrittenBytes;

constexpr const char* kHead = "agraph (float[2, 3, 4] x) => (float[a, b, c] y) <int64[1] axis = {1}, float lo = {0}> ";

std::string Model(int opset, absl::string_view body) {
  return ModelFromText(absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", opset, "]> ", kHead, "{ ", body, " }"));
}

absl::StatusOr<Rewritten> Lowered(const std::string& bytes, int opset) {
  const auto request = [](const Graph&) { return absl::StatusOr<AnalysisRequest>(AnalysisRequest()); };
  return RewriteModelMemory(bytes, "m", request, {.rules = {"dead_removed"}, .opset = opset}, nullptr);
}

TEST_CASE("the versions of operators are those of the schemas") {
  CHECK(VersionIn("Relu", 17) == 14);
  CHECK(VersionIn("Relu", 13) == 13);
  CHECK(VersionIn("Gelu", 19) == 0);
  CHECK(VersionIn("Upsample", 9) == 9);
  CHECK(VersionIn("Upsample", 10) == 0);  // taken out
  CHECK(LastVersion("Upsample", 11) == 10);
  CHECK(VersionIn("NoSuch", 17) == 0);
  CHECK(StepsBetween("ReduceMean", 11, 18) == std::vector<int>{18, 13});
}

// Two tables hold versions: this one, with types, and that of the rules, which also knows operators outside of the
// standard.
TEST_CASE("the versions of operators are those of the rules of inference") {
  int compared = 0;
  for (const OpRule& rule : AllRules()) {
    if (!rule.domain.empty() || LastVersion(rule.op, NewestOpset()) == 0) continue;
    // The newest operator set is being added to: releases of the schemas differ in it.
    for (int opset = kOldestOpset; opset < NewestOpset(); ++opset) {
      const int since = SinceVersion(rule, opset), version = LastVersion(rule.op, opset);
      const bool is_of_runtime = rule.op == "LayerNormalization" && since == 1;  // before the standard had one
      INFO(rule.op << " in " << opset);
      CHECK(version == (since <= opset && !is_of_runtime ? since : 0));
      ++compared;
    }
  }
  CHECK(compared > 2000);
}

TEST_CASE("nodes of an older operator set keep their names, and only those that changed are written anew") {
  const std::string bytes = Model(18, "r = Relu(x)  m = ReduceMean(r, axis)  y = Clip(m, lo)");
  const auto lowered = Lowered(bytes, 10);
  REQUIRE(lowered.ok());
  CHECK(NodesOf(*lowered->model) == "Relu(x) r; ReduceMean(r) m; Clip(m) y");
  CHECK(lowered->model->raw().graph.initializers.empty());
  CHECK(lowered->model->node_origins()[0].file == 0);
  CHECK(lowered->model->node_origins()[1].file == -1);
  const std::string after = BytesOf(*lowered->model);
  const auto graph = LoadModelFromMemory(after, "after");
  REQUIRE(graph.ok());
  CHECK((*graph)->info().opsets[0].version == 10);
  const auto again = Lowered(after, 10);
  REQUIRE(again.ok());
  CHECK(BytesOf(*again->model) == after);
}

TEST_CASE("nodes of bodies get the older form in place, and what stands around them is the file's") {
  const std::string bytes =
      Model(18,
            "k = Constant<value_int=1>()  c = Cast<to=9>(k)  y = If(c) <then_branch = t () => (float[2, 3, 4] u) "
            "{ d = If(c) <then_branch = i () => (float[2, 1, 4] v) { v = ReduceMax(x, axis) }, else_branch = j () => "
            "(float[2, 1, 4] w) { w = ReduceMin(x, axis) }>  u = Add(x, d) }, else_branch = e () => (float[2, 3, 4] z) "
            "{ z = Clip(x, lo) }>");
  const auto lowered = Lowered(bytes, 10);
  REQUIRE(lowered.ok());
  CHECK(lowered->model->raw().graph.initializers.empty());
  const std::string after = BytesOf(*lowered->model);
  const auto graph = LoadModelFromMemory(after, "after");
  REQUIRE(graph.ok());
  int64_t inputs = 0;
  for (size_t n = 0; n < (*graph)->nodes().size(); ++n) {
    const absl::string_view op = (*graph)->op(NodeId(n));
    if (op == "ReduceMax" || op == "ReduceMin" || op == "Clip")
      inputs += static_cast<int64_t>((*graph)->inputs(NodeId(n)).size());
  }
  CHECK(inputs == 3);  // axes and limits are attributes
  const auto again = Lowered(after, 10);
  REQUIRE(again.ok());
  CHECK(BytesOf(*again->model) == after);
}

TEST_CASE("what is no operator set under their number stays as it is") {
  const std::string other = "\x40\x61";  // a whole number
  const std::string bytes = Model(17, "y = Relu(x)") + other;
  const auto lowered = Lowered(bytes, 13);
  REQUIRE(lowered.ok());
  const std::string after = BytesOf(*lowered->model);
  CHECK(absl::EndsWith(after, other));
  CHECK(LoadModelFromMemory(after, "after").ok());
}

TEST_CASE("what an older operator set lacks is written out before other rules look at it") {
  const std::string bytes = Model(20, "y = Gelu(x)");
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.opset = 17});
  CHECK(rewritten.rules[0].name == "gelu_to_erf");
  CHECK(OperatorsOf(*rewritten.model) == "Mul Mul Erf Add Mul");
}

TEST_CASE("a node without an older form is refused by its name") {
  struct Refused {
    int from, to;
    const char* body;
    const char* words;
  };
  const std::vector<Refused> cases = {
      {17, 13, "s = Shape<start = 1>(x)  y = ConstantOfShape(s)", "(Shape) has no form there: it has no start there"},
      {17, 12, "d = Cast<to=16>(x)  y = Cast<to=1>(d)", "(Cast) has no form there: Cast does not take its types there"},
      {18, 13, "a = Cast<to=7>(x)  s = ReduceMax<keepdims=0>(a)  t = Unsqueeze(s, axis)  y = ReduceMean(x, t)", "axes"},
      {20, 17, "y = GroupNormalization<num_groups=1>(x, lo, lo)", "operator set 17 has no GroupNormalization"},
      {17, 8, "y = Relu(x)", "--opset 8 is too old"},
      {17, 18, "y = Relu(x)", "--opset 18 is newer than the model"},
  };
  for (const Refused& c : cases) {
    INFO(c.body);
    const std::string bytes = Model(c.from, c.body);
    const auto lowered = Lowered(bytes, c.to);
    REQUIRE(!lowered.ok());
    const Diagnostic why = DiagnosticOf(lowered.status());
    INFO(why.message);
    CHECK(why.code == Code::kUsage);
    CHECK(absl::StrContains(why.message, c.words));
  }
}

}  // namespace
}  // namespace hwest
