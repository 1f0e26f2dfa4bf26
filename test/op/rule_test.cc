// The table of rules itself.
#include "op/rule.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "op/op_fixture.h"
#include "op/schemas.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

TEST_CASE("rules are sorted, unique and found") {
  const auto rules = AllRules();
  for (size_t i = 0; i < rules.size(); ++i) {
    INFO(std::string(rules[i].domain) << "::" << std::string(rules[i].op));
    CHECK(rules[i].infer != nullptr);
    CHECK(!rules[i].versions.empty());
    const OpRule* found = FindRule(rules[i].domain, rules[i].op);
    REQUIRE(found != nullptr);
    CHECK(std::tie(found->domain, found->op, found->infer) == std::tie(rules[i].domain, rules[i].op, rules[i].infer));
    if (i > 0) CHECK(std::pair(rules[i - 1].domain, rules[i - 1].op) < std::pair(rules[i].domain, rules[i].op));
  }
  CHECK_FALSE(HasRule("", "NoSuchOperator"));
  CHECK_FALSE(HasRule("com.microsoft", "Relu"));
}

TEST_CASE("versions") {
  const OpRule* relu = FindRule("", "Relu");
  REQUIRE(relu != nullptr);
  CHECK(SinceVersion(*relu, 17) == 14);
  CHECK(SinceVersion(*relu, 13) == 13);
  CHECK(SinceVersion(*relu, 5) == 1);
  CHECK(SinceVersion(*relu, 99) == 14);
  CHECK(SinceVersion(OpRule{.op = "X", .versions = "9 13"}, 5) == 9);
  CHECK(SinceVersion(OpRule{.op = "X"}, 5) == 0);
  CHECK(NewestOpset() >= 27);
}

TEST_CASE("every rule has a case") {
  std::ostringstream text;
  const std::filesystem::path folder = std::filesystem::path(HWEST_SOURCE_DIR) / "test" / "op";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    // The tables of versions check types only.
    const bool types_only = entry.path().filename().string().rfind("versions", 0) == 0;
    if (entry.path().extension() == ".cc" && !types_only) text << std::ifstream(entry.path()).rdbuf();
  }
  const std::string cases = text.str();
  for (const OpRule& rule : AllRules()) {
    const std::string name = (rule.domain.empty() ? "" : std::string(rule.domain) + "::") + std::string(rule.op);
    INFO(name);
    CHECK(cases.find('"' + name + '"') != std::string::npos);
  }
}

TEST_CASE("views of inputs that are not there are empty") {
  const OpRun run = RunOp({.op = "Clip", .inputs = {"float[2]", "", "float[] = {6}"}});
  const OpView view = run.view();
  CHECK(view.has_input(0));
  CHECK_FALSE(view.has_input(1));
  CHECK(view.has_input(2));
  CHECK_FALSE(view.has_input(3));
  CHECK_FALSE(view.has_input(-1));
  CHECK(view.in(1).kind == ValueKind::kUnknown);
  CHECK(view.known(1) == nullptr);
  CHECK(view.is_constant(2));
  CHECK_FALSE(view.is_constant(0));
  CHECK_FALSE(view.is_constant(1));
  CHECK_FALSE(view.producer(0).has_value());
  CHECK(view.known_floats(2) == std::vector<double>{6});
  CHECK_FALSE(view.known_floats(0).has_value());
  CHECK(view.attr("axis", int64_t{7}) == 7);
}

TEST_CASE("a fresh size carries its bounds and its cause") {
  OpRun run = RunOp({.op = "Relu", .inputs = {"float[N]"}});
  InferContext context(*run.graph, run.node, run.facts, *run.dims);
  const Dim size = context.FreshSize("count", 1, context.in(0).shape.dim(0));
  const Symbol& symbol = run.dims->symbol(run.dims->AsSymbol(size));
  CHECK(symbol.min == 1);
  CHECK_FALSE(symbol.max.has_value());
  CHECK(symbol.max_expr == context.in(0).shape.dim(0));
  CHECK(symbol.cause == "node");
  CHECK(symbol.data_dependent);
}

TEST_CASE("sizes that have to agree") {
  OpRun run = RunOp({.op = "Relu", .inputs = {"float[N]"}});
  InferContext context(*run.graph, run.node, run.facts, *run.dims);
  const Dim n = context.in(0).shape.dim(0);
  CHECK(*context.Unify(n, Dim::Unknown()) == n);
  CHECK(*context.Unify(Dim(4), Dim(4)) == Dim(4));
  CHECK(run.facts.constraints.empty());
  CHECK(*context.Unify(n, Dim(4)) == Dim(4));
  REQUIRE(run.facts.constraints.size() == 1);
  CHECK(run.facts.constraints[0].node == run.node);
  CHECK(absl::IsInvalidArgument(context.Unify(Dim(3), Dim(4)).status()));
}

TEST_CASE("every operator with known attributes has a rule") {
  const auto rows = AllAttributes();
  CHECK(rows.size() > 200);
  CHECK(std::is_sorted(rows.begin(), rows.end(), [](const AttributeRow& a, const AttributeRow& b) {
    return std::tie(a.domain, a.op) < std::tie(b.domain, b.op);
  }));
  for (const AttributeRow& row : rows) {
    INFO(row.domain << "::" << row.op);
    CHECK(HasRule(row.domain, row.op));
    CHECK(std::is_sorted(row.names.begin(), row.names.end()));
  }
}

TEST_CASE("attributes of an operator, over all its versions") {
  using Names = std::vector<absl::string_view>;
  CHECK(AttributesOf("", "Clip")->names == Names{"consumed_inputs", "max", "min"});
  CHECK(AttributesOf("", "Acos")->names.empty());
  CHECK(AttributesOf("ai.onnx.ml", "Scaler")->names == Names{"offset", "scale"});
  CHECK(AttributesOf("", "Scaler") == nullptr);
  CHECK(AttributesOf("com.microsoft", "Gelu") == nullptr);
}

}  // namespace
}  // namespace hwest
