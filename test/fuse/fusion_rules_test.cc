#include "fuse/fusion_rules.h"

#include <string>
#include <vector>

#include "fuse/fuse_fixture.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr const char* kRules = R"(
# a resized image is read where it lies
resize_conv = (Relu|Clip)(Conv(Resize(x, _?, _?, _?),
                               w, b?))   # over two lines
  family conv_act
  toolchains test, other
@gate = (Sigmoid|HardSigmoid)(%)
gated = Mul(@gate(_), _)
  picks conv_act
)";

TEST_CASE("rules of a file") {
  const auto rules = FusionRules::Parse(kRules, "mine");
  INFO(rules.status().message());
  REQUIRE(rules.ok());
  REQUIRE((*rules)->rows.size() == 2);
  CHECK((*rules)->rows[0].name == "resize_conv");
  CHECK((*rules)->rows[0].family == "conv_act");
  CHECK((*rules)->rows[0].expression == "(Relu|Clip)(Conv(Resize(x, _?, _?, _?), w, b?))");
  CHECK((*rules)->rows[0].source == "mine");
  CHECK((*rules)->toolchains[0] == std::vector<std::string>{"test", "other"});
  CHECK((*rules)->rows[1].family == "gated");
  CHECK((*rules)->rows[1].picks == "conv_act");
  CHECK((*rules)->toolchains[1].empty());
}

TEST_CASE("mistakes name line and column") {
  struct Case {
    const char* text;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"a", "f:1:2: expected '='"},
      {"A = Relu(x)", "f:1:1: 'A' is no name"},
      {"a = Relu(x", "f:1:11: expected ')'"},
      {"\na = Relu(Conv(x,\n  y[odd]))", "f:3:5: no guard of values is called 'odd'"},
      {"a = Relu(x)\nb = @none(x)", "f:2:5: no fragment is called 'none'"},
      {"a = Relu(x)\n  pick conv_act", "f:2:3: found 'pick conv_act'"},
      {"a = Relu(x)\n  ,", "f:2:3: found ','"},
      {"a = Relu(x)\n  picks conv_odd", "f:2:3: fusion 'conv_odd' is not known"},
      {"a = Relu(x)\n  picks conv_akt", "f:2:3: fusion 'conv_akt' is not known: did you mean conv_act"},
      {"a = Relu(Cnov(x, w))", "f:1:4: operator 'Cnov' is not known: did you mean Conv"},
      {"a = Relu(~Trnspose x)", "f:1:4: operator 'Trnspose' is not known: did you mean Transpose"},
      {"a = com.microsoft::Gelo(x)", "f:1:4: operator 'Gelo' is not known: did you mean Gelu"},
      {"a = Relu(x)\n  toolchains tensorrd", "f:2:3: toolchain 'tensorrd' is not known: did you mean tensorrt"},
      {"a = Relu(x)\n  picks", "f:2:8: expected a name after 'picks'"},
      {"  family a", "f:1:3: a statement before the first pattern"},
      {"a = Relu(x)\na = Clip(x)", "f:2:1: there is a pattern 'a' already"},
      {"conv_bn = Relu(x)", "f:1:1: there is a pattern 'conv_bn' already"},
      {"@act = Relu(%)", "f:1:1: there is a fragment 'act' already"},
  }));
  INFO(c.text);
  const auto rules = FusionRules::Parse(c.text, "f");
  REQUIRE_FALSE(rules.ok());
  CHECK(std::string(rules.status().message()).find(c.message) == 0);
  CHECK(DiagnosticOf(rules.status()).code == Code::kUsage);
  CHECK_FALSE(DiagnosticOf(rules.status()).remedy.empty());
}

TEST_CASE("operators of one's own") {
  CHECK(FusionRules::Parse("a = Relu(my.domain::Foo(x))\nb = Relu(ai.onnx::Foo(x))", "f").ok());
  const Analysed model = Analyse({"float[2] x", "float[?] y", "", "r = Relu(x) y = Sigmoid(r)", 17});
  const auto rules = FusionRules::Parse("mine = ai.onnx::Sigmoid(ai.onnx::Relu(x))", "f");
  REQUIRE(rules.ok());
  const Toolchain toolchain = Picking("conv_act");
  const auto overlay = Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain, .rules = *rules});
  REQUIRE(overlay.ok());
  CHECK(Rows(model, *overlay) == std::vector<std::string>{"mine: Relu Sigmoid"});
}

TEST_CASE("a user's pattern is applied by the toolchains it names") {
  const Analysed model = Analyse({"float[1, 2, 4, 4] x", "float[?] y",
                                  "float[2, 2, 1, 1] w = {1, 1, 1, 1}, "
                                  "float[4] up = {1, 1, 2, 2}",
                                  "u = Resize(x, , up) c = Conv(u, w) y = Relu(c)", 17});
  const auto rules = FusionRules::Parse(kRules, "mine");
  REQUIRE(rules.ok());
  Toolchain toolchain = Picking("conv_act");
  const auto rows = [&] {
    const auto overlay = Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain, .rules = *rules});
    REQUIRE(overlay.ok());
    return Rows(model, *overlay);
  };
  CHECK(rows() == std::vector<std::string>{"conv_act: Resize Conv Relu"});
  toolchain.name = "./folder/third.textproto";  // as a unit names a file of one's own
  toolchain.own_name = "other";
  CHECK(rows() == std::vector<std::string>{"conv_act: Resize Conv Relu"});
  toolchain.own_name = "third";
  CHECK(rows() == std::vector<std::string>{"Resize: Resize", "conv_act: Conv Relu"});
}

}  // namespace
}  // namespace hwest::test
