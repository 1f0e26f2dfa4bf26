// Readings (what compilers make of spellings) through the whole analysis.
#include "hwest/reading.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

constexpr const char* kReaders[] = {"jetson-orin", "sa8295p", "hailo-8", "rk3588", "tda4vm", "x86-avx512"};

// A network over an image x with 32 channels that ends in y.
std::shared_ptr<const Graph> Around(const std::string& body) {
  const std::string text = absl::StrCat(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 32, 16, 16] x) => (float[a, b, c, d] y) "
      "<int64[4] filters = {32, 32, 3, 3}, float zero = {0}, int64[8] around = {0, 0, 1, 1, 0, 0, 1, 1}, "
      "int64[1] axis = {1}, int64[1] i0 = {0}, int64[1] i16 = {16}, int64[1] i32 = {32}> { w = "
      "ConstantOfShape(filters) ",
      body, "}");
  auto graph = LoadModelFromMemory(test::ModelFromText(text), "test.onnx");
  INFO((graph.ok() ? std::string() : std::string(graph.status().message())));
  REQUIRE(graph.ok());
  return *graph;
}

Analysis ReadOn(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  auto analysis = Analyze(graph, request);
  INFO((analysis.ok() ? std::string() : std::string(analysis.status().message())));
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

Analysis On(const std::string& body, const std::string& target) {
  AnalysisRequest request;
  request.target = target;
  return ReadOn(Around(body), request);
}

const Group& GroupOf(const Analysis& analysis, const char* name) {
  const GroupId id = analysis.plan->group_of[test::NodeOf(*analysis.graph, name)];
  REQUIRE(id.valid());
  return analysis.plan->groups[id.index()].group;
}

std::string PlaceOf(const Analysis& analysis, const char* name) {
  const GroupId id = analysis.plan->group_of[test::NodeOf(*analysis.graph, name)];
  REQUIRE(id.valid());
  return analysis.target->units[analysis.plan->groups[id.index()].unit].name;
}

// Whether the NPU may run the node.
bool NpuTakes(const Analysis& analysis, const char* name) {
  UnitId npu;
  for (size_t u = 0; u < analysis.target->units.size(); ++u) {
    if (analysis.target->units[UnitId(u)].name == "npu") npu = UnitId(u);
  }
  REQUIRE(npu.valid());
  return analysis.support[npu][test::NodeOf(*analysis.graph, name)].verdict != Verdict::kNo;
}

TEST_CASE("two spellings of a network take the same time on every target") {
  const std::pair<const char*, const char*> spellings[] = {
      {"c = Conv(x, w) y = GlobalAveragePool(c)", "c = Conv(x, w) y = ReduceMean<axes = [2, 3]>(c)"},
      {"c = Conv(x, w) y = GlobalAveragePool(c)",
       "c = Conv(x, w) m = ReduceMean<axes = [3]>(c) y = ReduceMean<axes = [2]>(m)"},
      {"c = Conv<pads = [1, 1, 1, 1]>(x, w) y = Relu(c)", "p = Pad(x, around) c = Conv(p, w) y = Relu(c)"},
      {"c = Conv(x, w) y = Softmax(c)", "c = Conv(x, w) p = Softmax(c) n = IsNaN(p) y = Where(n, zero, p)"},
      {"c = Conv(x, w) y = Relu(c)",
       "c = Conv(x, w) t = Transpose<perm = [0, 2, 3, 1]>(c) u = Transpose<perm = [0, 3, 1, 2]>(t) y = Relu(u)"},
      {"c = Conv(x, w) a, b = Split<axis = 1>(c) y = Mul(a, b)",
       "c = Conv(x, w) a = Slice(c, i0, i16, axis) b = Slice(c, i16, i32, axis) y = Mul(a, b)"},
      {"c = Conv(x, w) s = Sigmoid(c) y = Mul(s, s)", "c = Conv(x, w) s = Sigmoid(c) t = Sigmoid(c) y = Mul(s, t)"},
  };
  for (const auto& [one, other] : spellings) {
    for (const char* target : kReaders) {
      INFO(other << " on " << target);
      const Analysis a = On(one, target), b = On(other, target);
      CHECK(std::fabs(a.plan->latency_s - b.plan->latency_s) <= 1e-3 * a.plan->latency_s);
      CHECK(a.plan->segments.size() == b.plan->segments.size());
      CHECK(b.reading != nullptr);
      CHECK(b.coverage.unknown_nodes.empty());
      CHECK(b.coverage.placed == b.coverage.nodes);
    }
  }
}

TEST_CASE("counts of the model are those of what is written") {
  const auto graph = Around("p = Pad(x, around) c = Conv(p, w) y = ReduceMean<axes = [2, 3]>(c)");
  const Analysis alone = ReadOn(graph, {});
  AnalysisRequest request;
  request.target = "rk3588";
  const Analysis placed = ReadOn(graph, request);
  CHECK(alone.reading == nullptr);
  CHECK(alone.classes[test::NodeOf(*graph, "p")] == NodeClass::kLayout);
  CHECK(placed.classes[test::NodeOf(*graph, "p")] == NodeClass::kView);
  CHECK(alone.totals.macs == placed.totals.macs);
  CHECK(alone.totals.flops == placed.totals.flops);
  CHECK(placed.graph == graph);
  CHECK(graph->op(test::NodeOf(*graph, "y")) == "ReduceMean");
  CHECK(GraphAsRead(placed).op(test::NodeOf(*graph, "y")) == "GlobalAveragePool");
  CHECK(&GraphAsRead(alone) == graph.get());
  CHECK(GroupOf(placed, "y").pattern == "GlobalAveragePool");
}

TEST_CASE("requests name operators as they are written, or as they are read") {
  const auto graph = Around("c = Conv(x, w) y = ReduceMean<axes = [2, 3]>(c)");
  for (const char* what : {"ReduceMean", "GlobalAveragePool", "y"}) {
    INFO(what);
    AnalysisRequest request;
    request.target = "rk3588";
    CHECK(NpuTakes(ReadOn(graph, request), "y"));
    request.deny = {{what, "npu"}};
    CHECK_FALSE(NpuTakes(ReadOn(graph, request), "y"));
    request.deny.clear();
    for (const char* unit : {"cpu", "npu"}) {
      request.pin = {{what, unit}};
      CHECK(PlaceOf(ReadOn(graph, request), "y") == unit);
    }
  }
}

// rk3588 with another compiler.
AnalysisRequest With(void (*change)(Toolchain&)) {
  auto target = LoadTarget("rk3588");
  REQUIRE(target.ok());
  for (Toolchain& toolchain : target->toolchains) {
    if (toolchain.name == "rknn") change(toolchain);
  }
  AnalysisRequest request;
  request.loaded = std::make_shared<const Target>(*std::move(target));
  return request;
}

void State(Toolchain& toolchain, const std::string& op, bool supported) {
  toolchain.support.push_back({.ops = {op}, .domain = "", .supported = supported});
  for (Toolchain::OpIndex& row : toolchain.by_op) {
    if (row.op == op && row.domain.empty()) row.row = static_cast<uint32_t>(toolchain.support.size() - 1);
  }
}

TEST_CASE("what a compiler is known not to read counts as it is written") {
  const auto graph = Around("c = Conv(x, w) y = ReduceMean<axes = [2, 3]>(c)");
  const Analysis reads = ReadOn(graph, With([](Toolchain&) {}));
  CHECK(NpuTakes(reads, "y"));
  const Analysis keeps = ReadOn(graph, With([](Toolchain& toolchain) {
                                  State(toolchain, "ReduceMean", false);
                                  toolchain.keeps.push_back({.reading = "mean_image", .source = "rk-pdf"});
                                }));
  CHECK_FALSE(NpuTakes(keeps, "y"));
}

TEST_CASE("a note tells where it is assumed that a guard against NaN is left out") {
  const auto graph = Around("s = Softmax(x) n = IsNaN(s) g = Where(n, zero, s) y = Relu(g)");
  const auto notes = [&](const AnalysisRequest& request) {
    std::string text;
    for (const Diagnostic& diagnostic : ReadOn(graph, request).diagnostics) {
      if (diagnostic.message.find("NaN") != std::string::npos) absl::StrAppend(&text, diagnostic.message, "\n");
    }
    return text;
  };
  CHECK(notes(With([](Toolchain&) {})) ==
        "this guard against NaN after a softmax counts as left out: rknn lists no IsNaN\n");
  CHECK(notes(With([](Toolchain& toolchain) { State(toolchain, "IsNaN", true); })).empty());
}

TEST_CASE("a note names operators of ONNX Runtime's own with their domain") {
  auto graph = LoadModelFromMemory(
      test::ModelFromText(
          "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> agraph (float[1, 32, 16, 16] x) => "
          "(float[a, b, c, d] y) <int64[4] filters = {32, 32, 3, 3}> { w = ConstantOfShape(filters) "
          "y = com.microsoft.FusedConv<activation = \"Relu\">(x, w) }"),
      "test.onnx");
  INFO((graph.ok() ? std::string() : std::string(graph.status().message())));
  REQUIRE(graph.ok());
  std::string text;
  for (const Diagnostic& diagnostic : ReadOn(*graph, With([](Toolchain&) {})).diagnostics) {
    if (diagnostic.message.find("Runtime's own") != std::string::npos) absl::StrAppend(&text, diagnostic.message, "\n");
  }
  CHECK(text ==
        "this operator of ONNX Runtime's own counts as the plain one it was made of: rknn lists no "
        "com.microsoft::FusedConv, and compilers refuse a file that holds it\n");
}

TEST_CASE("a compiler that refuses what is read may take what is written, and not the other way round") {
  const auto refuse = [](Toolchain& toolchain) {
    State(toolchain, "GlobalAveragePool", false);
    State(toolchain, "ReduceMean", false);
  };
  const auto take = [](Toolchain& toolchain) {
    State(toolchain, "GlobalAveragePool", false);
    State(toolchain, "ReduceMean", true);
  };
  const auto mean = Around("c = Conv(x, w) y = ReduceMean<axes = [2, 3]>(c)");
  const auto pool = Around("c = Conv(x, w) y = GlobalAveragePool(c)");
  CHECK_FALSE(NpuTakes(ReadOn(mean, With(refuse)), "y"));
  CHECK(NpuTakes(ReadOn(mean, With(take)), "y"));
  CHECK_FALSE(NpuTakes(ReadOn(pool, With(take)), "y"));
}

TEST_CASE("analyses of one model share its reading") {
  const Analyzer analyzer(Around("p = Pad(x, around) c = Conv(p, w) y = ReduceMean<axes = [2, 3]>(c)"));
  AnalysisRequest request;
  request.target = "rk3588";
  const auto first = analyzer.Analyze(request);
  request.target = "tda4vm";
  const auto second = analyzer.Analyze(request);
  REQUIRE((first.ok() && second.ok()));
  CHECK(first->reading != nullptr);
  CHECK(first->reading == second->reading);
  const Analysis fresh = ReadOn(analyzer.graph(), request);
  CHECK(fresh.plan->latency_s == second->plan->latency_s);
}

}  // namespace
}  // namespace hwest
