// Explanations of groups and of patterns that did not match.
#include <algorithm>
#include <string>
#include <vector>

#include "fuse/fuse.h"
#include "fuse/fuse_fixture.h"
#include "fuse/fusion_rules.h"
#include "fuse/patterns.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

Analysed Net(const std::string& body) {
  return Analyse({"float[1, 2, 4, 4] x, float[2, 2, 1, 1] w, float[2] g, float[1, 2, 4, 4] r", "float[?] y",
                  "float[2] b = {1, 1}, float[4] b4 = {1, 1, 1, 1}", body, 17});
}

std::vector<Miss> MissesOf(const Analysed& model, const FuseOptions& options, const char* node) {
  const auto overlay = Fuse(model.graph, model.facts, model.classes, options);
  REQUIRE(overlay.ok());
  auto misses = ExplainMisses(model.graph, model.facts, model.classes, options, *overlay, model.Find(node));
  REQUIRE(misses.ok());
  return *std::move(misses);
}

TEST_CASE("a near miss says why and what would help") {
  struct Case {
    const char* body;
    const char* node;
    const char* pattern;
    const char* guard;
    const char* found;
  };
  const auto c = GENERATE(values<Case>({
      {"c = Conv(x, w) d = Relu(c) y = Concat<axis = 1>(c, d)", "c", "conv_act", "single use", "second use at y"},
      {"c = Conv(x, w) n = BatchNormalization(c, g, b, b, b) y = Relu(n)", "n", "conv_act", "const", "float [2]"},
      {"c = Conv(x, w) y = MaxPool<kernel_shape = [3, 3], strides = [2, 2]>(c)", "c", "conv_pool", "two_by_two",
       "MaxPool kernel_shape=[3, 3] strides=[2, 2]"},
      {"c = Conv(x, w) y = Add(c, b4)", "c", "conv_add", "same_shape", "Add"},
  }));
  INFO(c.body);
  const Analysed model = Analyse({"float[1, 2, 4, 4] x, float[2, 2, 1, 1] w, float[2] g", "float[?] y",
                                  "float[2] b = {1, 1}, float[4] b4 = {1, 1, 1, 1}", c.body, 17});
  const Toolchain toolchain = Picking("conv_act conv_bn conv_add bn_act conv_pool");
  bool found = false;
  for (const Miss& miss : MissesOf(model, {.toolchain = &toolchain}, c.node)) {
    INFO(miss.pattern << " " << miss.guard << " " << miss.found);
    CHECK_FALSE(miss.needed.empty());
    CHECK_FALSE(miss.edit.empty());
    found |= miss.pattern == c.pattern && miss.guard == c.guard && miss.found == c.found;
  }
  CHECK(found);
}

TEST_CASE("a pattern that the toolchain does not have is reported as such") {
  const Analysed model = Net("c = Conv(x, w) d = Add(c, r) y = Relu(d)");
  const Toolchain toolchain = Picking("add_act conv_act");
  const std::vector<Miss> misses = MissesOf(model, {.toolchain = &toolchain}, "d");
  const auto is_add = [](const Miss& miss) { return miss.pattern == "conv_add_act"; };
  const auto miss = std::find_if(misses.begin(), misses.end(), is_add);
  REQUIRE(miss != misses.end());
  CHECK(miss->guard == "toolchain");
  CHECK(miss->found == "test does not do conv_add_act");
  CHECK(miss->edit.find("tensorrt") != std::string::npos);
}

TEST_CASE("a match that lost a node to another names it") {
  const Analysed model = Net("c = Conv(x, w) d = Add(c, r) y = Relu(d)");
  const Toolchain toolchain = Picking("conv_add add_act");
  const std::vector<Miss> misses = MissesOf(model, {.toolchain = &toolchain}, "y");
  REQUIRE_FALSE(misses.empty());
  CHECK(misses[0].pattern == "add_act");
  CHECK(misses[0].guard == "taken");
  CHECK(misses[0].found == "d is in a conv_add");
}

TEST_CASE("limits of a pick decide, and are reported") {
  const Analysed model = Net("c = Conv(x, w) y = Relu(c)");
  Toolchain toolchain = Picking("conv_act");
  Limit limit;
  limit.kind = LimitKind::kPrecision;
  limit.any = {"fp16"};
  limit.text = "precision";
  toolchain.fuses[0].limits = {limit};
  const auto groups = [&](Num precision) {
    const auto overlay =
        Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain, .precision = precision});
    REQUIRE(overlay.ok());
    return overlay->groups.size();
  };
  CHECK(groups(Num::kFp16) == 1);
  CHECK(groups(Num::kFp32) == 2);
  const std::vector<Miss> misses = MissesOf(model, {.toolchain = &toolchain, .precision = Num::kFp32}, "c");
  REQUIRE(misses.size() == 1);
  CHECK(misses[0].pattern == "conv_act");
  CHECK(misses[0].guard == "limit");
  CHECK(misses[0].found.find("fp32") != std::string::npos);
}

TEST_CASE("a group keeps the pattern of the caller's file alive") {
  const Analysed model = Net("c = Conv(x, w) y = Relu(c)");
  const Toolchain toolchain = Picking("conv_act");
  auto rules = FusionRules::Parse("a_name_that_no_short_string_holds = Relu(Conv(x, w))", "file");
  REQUIRE(rules.ok());
  auto overlay = Fuse(model.graph, model.facts, model.classes, {.toolchain = &toolchain, .rules = *std::move(rules)});
  REQUIRE(overlay.ok());
  const Group group = overlay->groups[GroupId(0u)];
  *overlay = Overlay();
  CHECK(group.pattern == "a_name_that_no_short_string_holds");
  REQUIRE(group.fusion != nullptr);
  CHECK(group.fusion->name == group.pattern);
  CHECK(group.fusion.use_count() == 1);
}

TEST_CASE("the pattern behind a group") {
  struct Case {
    const char* body;
    const char* picks;
    const char* name;
  };
  const auto c = GENERATE(values<Case>({
      {"c = Conv(x, w) s = Sigmoid(c) y = Mul(c, s)", "conv_silu silu conv_act", "conv_silu"},
      {"c = Conv(x, w) d = Add(c, r) y = Relu(d)", "conv_add_act add_act conv_add", "conv_add_act"},
      {"c = Abs(x) y = Neg(c)", "elementwise_chain", "elementwise_chain"},
      {"y = Abs(x)", "elementwise_chain", ""},
  }));
  INFO(c.body);
  const Analysed model = Net(c.body);
  const Toolchain toolchain = Picking(c.picks);
  const Overlay overlay = FuseWith(model, toolchain);
  const PatternRow* row = overlay.groups[GroupId(0u)].fusion.get();
  CHECK((row != nullptr ? row->name : "") == c.name);
  if (row != nullptr) CHECK_FALSE(row->words.empty());
}

TEST_CASE("what keeps a concatenation from being in place is reported") {
  const Toolchain toolchain = Picking("concat_in_place");
  const auto found = [&](const char* body, uint32_t node) {
    const Analysed model = Net(body);
    const auto misses = ExplainMisses(model.graph, model.facts, model.classes, {.toolchain = &toolchain},
                                      FuseWith(model, toolchain), NodeId(node));
    REQUIRE(misses.ok());
    return misses->empty() ? "" : misses->front().found;
  };
  CHECK(found("n = Abs(x) y = Concat<axis = 1>(n, x)", 1) == "input 1 is not what a kernel makes for it");
  CHECK(found("n = Abs(x) o = Neg(x) c = Concat<axis = 1>(n, o) d = Neg(c) y = Concat<axis = 1>(n, d)", 2) ==
        "input 0 has a place in another concatenation");
  CHECK(found("n = Abs(x) o = Neg(x) y = Concat<axis = 1>(n, o)", 2).empty());
}

TEST_CASE("a concatenation in place is named, and by how many take its parts") {
  const Toolchain toolchain = Picking("concat_in_place concat_nested");
  const auto reason_of = [&](const char* body) {
    const Analysed model = Net(body);
    const Overlay overlay = FuseWith(model, toolchain);
    const PatternRow* row = overlay.groups[GroupId(overlay.groups.size() - 1)].fusion.get();
    return std::string(row != nullptr ? row->name : "");
  };
  CHECK(reason_of("n = Abs(x) o = Neg(x) y = Concat<axis = 1>(n, o)") == "concat_in_place");
  CHECK(reason_of("n = Abs(x) o = Neg(x) c = Concat<axis = 1>(n, o) d = Neg(c) y = Concat<axis = 1>(n, o, d)") ==
        "concat_nested");
  CHECK(reason_of("n = Abs(x) y = Concat<axis = 1>(n, x)").empty());
}

}  // namespace
}  // namespace hwest::test
