// Each kind of limit with a value inside and one outside, and the verdicts around them.
#include "partition/support.h"

#include "cost/tiny_target.h"
#include "hwest/diagnostic.h"
#include "pass/pass_fixture.h"

namespace hwest {
namespace {

ModelView View(test::PassRun& run) { return {run.graph, run.facts, run.classes, run.tables.work, run.dims}; }

constexpr char kModel[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 3, 1, 9] x, float[2, 3, 1, 9] z) => (float[2, 3, 1, 9] y, float[2, 27] f) {
    a = Softmax <axis = 1> (x)
    y = Add(a, z)
    f = Flatten(y)
  })";

constexpr UnitId kNpu(0u);
constexpr UnitId kCpu(1u);

struct LimitRow {
  const char* what;
  Limit limit;
  Verdict want;
  const char* found;
};

TEST_CASE("limits on the facts of a node") {
  const LimitRow rows[] = {
      {"batch inside", {.kind = LimitKind::kBatch, .max = 2}, Verdict::kYes, ""},
      {"batch outside", {.kind = LimitKind::kBatch, .max = 1}, Verdict::kNo, "2"},
      {"rank outside", {.kind = LimitKind::kRank, .input = 0, .max = 3}, Verdict::kNo, "4"},
      {"rank of an absent input", {.kind = LimitKind::kRank, .input = 5, .max = 3}, Verdict::kYes, ""},
      {"elements", {.kind = LimitKind::kNumel, .input = 0, .max = 53}, Verdict::kNo, "54"},
      {"elements of the output", {.kind = LimitKind::kNumel, .input = -1, .min = 54}, Verdict::kYes, ""},
      {"last dim", {.kind = LimitKind::kDim, .input = 0, .index = -1, .max = 8}, Verdict::kNo, "9"},
      {"any dim after the first", {.kind = LimitKind::kDim, .input = 0, .max = 9}, Verdict::kYes, ""},
      {"dims other than 1", {.kind = LimitKind::kNonSingleton, .input = 0, .max = 2}, Verdict::kNo, "3"},
      {"type inside", {.kind = LimitKind::kDtype, .input = 0, .any = {"float16", "float"}}, Verdict::kYes, ""},
      {"type outside", {.kind = LimitKind::kDtype, .input = 0, .any = {"float16"}}, Verdict::kNo, "float"},
      {"attribute", {.kind = LimitKind::kAttr, .attr = "axis", .min = 2}, Verdict::kNo, "1"},
      {"absent attribute", {.kind = LimitKind::kAttr, .attr = "alpha", .max = 0}, Verdict::kYes, ""},
      {"default of an absent attribute",
       {.kind = LimitKind::kAttr, .attr = "alpha", .max = 0, .absent = 1},
       Verdict::kNo,
       "1"},
      {"axis from the end", {.kind = LimitKind::kAxis, .attr = "axis", .min = -1, .max = -1}, Verdict::kNo, "-3"},
      {"number of inputs", {.kind = LimitKind::kInputs, .max = 1}, Verdict::kYes, ""},
      {"number of outputs", {.kind = LimitKind::kOutputs, .min = 2}, Verdict::kNo, "1"},
      {"constant input", {.kind = LimitKind::kConst, .input = 0}, Verdict::kNo, "computed at run time"},
      {"static shapes", {.kind = LimitKind::kStatic}, Verdict::kYes, ""},
  };
  test::PassRun run = test::RunPasses(kModel);
  for (const LimitRow& row : rows) {
    INFO(row.what);
    const Support support = CheckLimit(View(run), test::NodeOf(run.graph, "a"), row.limit);
    CHECK(support.verdict == row.want);
    CHECK(support.found == row.found);
  }
}

TEST_CASE("an unknown size satisfies no limit") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[4] x) => (float[n] y) { h = my.Foo(x) y = Relu(h) })");
  const Limit limit{.kind = LimitKind::kNumel, .input = 0, .max = 1000};
  const Support support = CheckLimit(View(run), test::NodeOf(run.graph, "y"), limit);
  CHECK(support.verdict == Verdict::kNo);
  CHECK(support.found == "unknown");
}

TEST_CASE("rows, general rules and requests decide in turn") {
  test::PassRun run = test::RunPasses(kModel);
  const NodeId softmax = test::NodeOf(run.graph, "a"), add = test::NodeOf(run.graph, "y");
  Target target = test::TinyTarget();
  AnalysisRequest request;
  SECTION("a row says no") {
    const auto table = CheckSupport(View(run), target, {}, request);
    REQUIRE(table.ok());
    CHECK((*table)[kNpu][softmax].verdict == Verdict::kNo);
    CHECK((*table)[kNpu][softmax].source == "tiny manual");
    CHECK((*table)[kNpu][add].verdict == Verdict::kYes);
    CHECK((*table)[kCpu][softmax].verdict == Verdict::kYes);
  }
  SECTION("no row is a no on an accelerator, not on a cpu") {
    target.toolchains[0].runs_everything = false;
    target.toolchains[1].runs_everything = false;
    const auto table = CheckSupport(View(run), target, {}, request);
    CHECK((*table)[kNpu][add].verdict == Verdict::kNo);
    CHECK((*table)[kNpu][add].limit == "not stated");
    CHECK((*table)[kCpu][add].verdict == Verdict::kYes);
  }
  SECTION("a row with a note is noted") {
    target.toolchains[0].support[0] = {.ops = {"Softmax"}, .note = "slow"};
    const auto table = CheckSupport(View(run), target, {}, request);
    CHECK((*table)[kNpu][softmax].verdict == Verdict::kNoted);
    CHECK((*table)[kNpu][softmax].limit == "slow");
  }
  SECTION("requests win") {
    request.assume = {{"Softmax", "npu"}};
    request.deny = {{"y", "npu"}};
    const auto table = CheckSupport(View(run), target, {}, request);
    CHECK((*table)[kNpu][softmax].verdict == Verdict::kNoted);
    CHECK((*table)[kNpu][add].limit == "denied by request");
  }
  SECTION("names that do not exist are refused") {
    request.deny = {{"Softmax", "gpu"}};
    CHECK(DiagnosticOf(CheckSupport(View(run), target, {}, request).status()).code == Code::kTargetUnknown);
    request.deny = {{"Conv", "npu"}};
    CHECK(DiagnosticOf(CheckSupport(View(run), target, {}, request).status()).code == Code::kUsage);
  }
  SECTION("a stated fusion covers its members") {
    Toolchain& tiny = target.toolchains[0];
    tiny.support[0] = {.ops = {"Softmax"}, .source = "tiny manual", .only_in = {"fused"}};
    tiny.fuses = {{.pattern = "fused"}};
    Overlay fused;
    fused.groups.push_back({.pattern = "fused", .nodes = {softmax, add}, .root = add});
    fused.group_of = IdMap<NodeId, GroupId>(run.graph.nodes().size());
    Overlays overlays(2, std::make_shared<Overlay>());
    overlays[kNpu] = std::make_shared<Overlay>(fused);
    const auto table = CheckSupport(View(run), target, overlays, request);
    CHECK((*table)[kNpu][softmax].verdict == Verdict::kNoted);
    CHECK((*table)[kNpu][softmax].only_in_group);
    const auto alone = CheckSupport(View(run), target, {}, request);
    CHECK((*alone)[kNpu][softmax].verdict == Verdict::kNo);
  }
}

}  // namespace
}  // namespace hwest
