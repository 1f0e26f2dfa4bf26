// The verdicts around limits.
#include "partition/support.h"

#include "absl/strings/str_cat.h"
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
  SECTION("a row that says no tells why") {
    target.toolchains[0].support[0] = {.ops = {"Softmax"}, .supported = false, .note = "not listed"};
    CHECK((*CheckSupport(View(run), target, {}, request))[kNpu][softmax].limit == "not supported: not listed");
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
  SECTION("a violated limit is named in words, with its source") {
    target.toolchains[0].support[0] = {.ops = {"Softmax"},
                                       .limits = {{.kind = LimitKind::kRank, .input = 0, .max = 3, .text = "rank:0"}},
                                       .source = "tiny manual"};
    const auto table = CheckSupport(View(run), target, {}, request);
    const Support& row = (*table)[kNpu][softmax];
    CHECK(row.verdict == Verdict::kNo);
    CHECK(row.limit == "rank:0");
    CHECK(row.what == "rank of input 0");
    CHECK(row.found == "4");
    CHECK(row.allowed == "at most 3");
    CHECK(row.source == "tiny manual");
  }
  SECTION("advice and contents that are not known leave a note") {
    Limit advice{.kind = LimitKind::kRank, .input = 0, .max = 3, .text = "rank:0", .advice = true};
    const Limit contents{.kind = LimitKind::kValue, .input = 0, .max = 3, .text = "value:0"};
    for (const Limit& limit : {advice, contents}) {
      target.toolchains[0].support[0] = {.ops = {"Softmax"}, .limits = {limit}};
      const auto table = CheckSupport(View(run), target, {}, request);
      CHECK((*table)[kNpu][softmax].verdict == Verdict::kNoted);
      CHECK((*table)[kNpu][softmax].limit == limit.text);
    }
  }
  SECTION("a limit on the precision counts where the unit computes in another") {
    const Limit precision{.kind = LimitKind::kPrecision, .any = {"fp16"}, .text = "precision"};
    target.toolchains[0].support[0] = {.ops = {"Softmax"}, .limits = {precision}};
    CHECK((*CheckSupport(View(run), target, {}, request))[kNpu][softmax].verdict == Verdict::kYes);
    UnitPrecisions precisions(2);
    precisions[kNpu] = UnitPrecision{.main = {.act = Num::kInt8, .weight = Num::kInt8}};
    const auto table = CheckSupport(View(run), target, {}, request, precisions);
    CHECK((*table)[kNpu][softmax].verdict == Verdict::kNo);
    CHECK((*table)[kNpu][softmax].found == "int8");
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

    const Limit broken{.kind = LimitKind::kRank, .input = 0, .max = 3, .text = "rank:0"};
    tiny.support[0] = {.ops = {"Softmax"}, .limits = {broken}};
    CHECK((*CheckSupport(View(run), target, overlays, request))[kNpu][softmax].verdict == Verdict::kNo);
    tiny.support[0].also_in = {"fused"};
    CHECK((*CheckSupport(View(run), target, overlays, request))[kNpu][softmax].only_in_group);
    CHECK((*CheckSupport(View(run), target, {}, request))[kNpu][softmax].verdict == Verdict::kNo);
  }
}

TEST_CASE("a refused operator is taken as another one unless the toolchain keeps it") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x, float[2, 3] z) => (float[2, 3] y, float[2, 3] v) <float two = {2}> {
      y = Div(x, two)
      v = Div(x, z)
    })");
  const NodeId constant = test::NodeOf(run.graph, "y"), other = test::NodeOf(run.graph, "v");
  Target target = test::TinyTarget();
  Toolchain& toolchain = target.toolchains[0];
  toolchain.runs_everything = false;
  toolchain.support = {{.ops = {"Div"}, .domain = "", .supported = false, .source = "list"},
                       {.ops = {"Mul"}, .domain = "", .note = "slow", .source = "tiny manual"}};
  toolchain.by_op = {{"", "Div", 0}, {"", "Mul", 1}};
  const auto support_of = [&](NodeId node) { return (*CheckSupport(View(run), target, {}, {}))[kNpu][node]; };
  CHECK(support_of(constant).verdict == Verdict::kNoted);
  CHECK(support_of(constant).limit == "taken as Mul: the divisor is constant; slow");
  CHECK(support_of(constant).source == "tiny manual");
  CHECK(support_of(other).verdict == Verdict::kNo);
  toolchain.keeps = {{.reading = "constant_divisor", .source = "list"}};
  CHECK(support_of(constant).verdict == Verdict::kNo);
  CHECK(support_of(constant).limit == "not supported");
  toolchain.keeps.clear();
  toolchain.support[1].supported = false;
  CHECK(support_of(constant).verdict == Verdict::kNo);
}

TEST_CASE("an operator of ONNX Runtime's own is taken as the one it was made of, within its limits") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
    g (float[2, 3] x) => (float[2, 3] y, float[2, 3] v) <float[3] s = {1, 1, 1}> {
      y = com.microsoft.SkipLayerNormalization(x, x, s)
      v = com.microsoft.Gelu(x)
    })");
  Target target = test::TinyTarget();
  Toolchain& toolchain = target.toolchains[0];
  toolchain.runs_everything = false;
  toolchain.support = {{.ops = {"LayerNormalization"}, .domain = "", .source = "list"}};
  toolchain.by_op = {{"", "LayerNormalization", 0}};
  const auto verdict_of = [&](const char* name) {
    return (*CheckSupport(View(run), target, {}, {}))[kNpu][test::NodeOf(run.graph, name)].verdict;
  };
  CHECK(verdict_of("y") == Verdict::kNoted);
  CHECK(verdict_of("v") == Verdict::kNo);  // neither Gelu nor the fusion of it
  toolchain.fuses = {{.pattern = "gelu_erf", .source = "list"}, {.pattern = "layer_norm", .source = "list"}};
  CHECK(verdict_of("v") == Verdict::kNoted);
  // A fusion is no way around a limit of the operator.
  toolchain.support[0].limits = {{.kind = LimitKind::kRank, .input = 0, .max = 1, .text = "rank:0"}};
  CHECK(verdict_of("y") == Verdict::kNo);
  toolchain.support[0] = {.ops = {"LayerNormalization"}, .domain = "", .supported = false, .source = "list"};
  CHECK(verdict_of("y") == Verdict::kNoted);
}

TEST_CASE("an operator written out keeps the limit of images that the operator has") {
  for (const int images : {1, 2}) {
    test::PassRun run = test::RunPasses(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[)",
                                                     images, R"(, 3] x) => (float[a, b] y) <int64[1] last = {-1}> {
        e = Exp(x)
        s = ReduceSum(e, last)
        y = Div(e, s)
      })"));
    const NodeId exp = test::NodeOf(run.graph, "e"), root = test::NodeOf(run.graph, "y");
    Target target = test::TinyTarget();
    Toolchain& toolchain = target.toolchains[0];
    toolchain.runs_everything = false;
    toolchain.support = {{.ops = {"Softmax"},
                          .domain = "",
                          .limits = {{.kind = LimitKind::kBatch, .max = 1, .text = "batch"}},
                          .source = "tiny manual"}};
    toolchain.by_op = {{"", "Softmax", 0}};
    Overlay spelled;
    spelled.groups.push_back({.pattern = "softmax", .nodes = {exp, test::NodeOf(run.graph, "s"), root}, .root = root});
    spelled.group_of = IdMap<NodeId, GroupId>(run.graph.nodes().size());
    Overlays overlays(2, std::make_shared<Overlay>());
    overlays[kNpu] = std::make_shared<Overlay>(spelled);
    const Support support = (*CheckSupport(View(run), target, overlays, {}))[kNpu][exp];
    CHECK(support.only_in_group == (images == 1));
    CHECK((support.verdict == Verdict::kNo) == (images == 2));
  }
}

}  // namespace
}  // namespace hwest
