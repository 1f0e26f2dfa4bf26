// Boxes, arrows, and how a picture is folded when it grows too large.
#include "report/picture.h"

#include <set>
#include <sstream>

#include "report/graphviz_library.h"
#include "report_fixture.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

size_t Occurrences(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// `count` Relu nodes in a row, each a kernel of its own.
Analysis Chain(size_t count) {
  std::ostringstream text;
  text << "<ir_version: 8, opset_import: [\"\" : 17]> chain (float[4] x0) => (float[4] x" << count << ") {\n";
  for (size_t i = 0; i < count; ++i) text << "x" << i + 1 << " = Relu(x" << i << ")\n";
  text << "}";
  Analysis a;
  a.graph = std::make_shared<const Graph>(GraphFromText(text.str()));
  a.dims = std::make_unique<DimPool>(&a.graph->dims());
  a.facts.values = IdMap<ValueId, ValueFact>(a.graph->values().size());
  a.classes = IdMap<NodeId, NodeClass>(count, NodeClass::kCompute);
  a.work = WorkMap(count);
  a.traffic = TrafficMap(count);
  a.counts = CountsMap(count);
  return a;
}

TEST_CASE("one box per group, with operator, unit and time") {
  const Analysis analysis = TinyAnalysis();
  const std::string svg =
      ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kSvg, .model_path = "tiny.onnx"});
  CHECK(svg.rfind("<?xml", 0) == 0);
  CHECK(Occurrences(svg, "class=\"node\"") == analysis.plan->groups.size());
  CHECK(Occurrences(svg, "class=\"cluster\"") == analysis.plan->segments.size());
  for (const char* text :
       {">Conv+Relu<", ">npu int8<", ">9.000 us<", ">GlobalAveragePool<", ">cpu fp32<", ">time unknown<"}) {
    INFO(text);
    CHECK(Occurrences(svg, text) == 1);
  }
}

TEST_CASE("arrows look through views and carry shapes") {
  const Analysis analysis = TinyAnalysis();
  const std::string dot = ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kDot});
  CHECK(Occurrences(dot, "n0 -> n1") == 1);
  CHECK(Occurrences(dot, "n1 -> n2") == 1);
  CHECK(Occurrences(dot, "->") == 2);
  CHECK(Occurrences(dot, "1x2x4x4") == 1);
}

TEST_CASE("names that are Graphviz syntax or HTML stay text") {
  Analysis analysis = TinyAnalysis();
  analysis.plan->groups[0].group.nodes = {NodeId(0u)};
  analysis.plan->group_of[NodeId(1u)] = GroupId();
  const std::string svg =
      ReportText(analysis, ReportKind::kAnalysis, {.format = Format::kSvg, .model_path = "<b>&lt;\\N\".onnx"});
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(svg.find("&lt;b&gt;&amp;lt;\\N&quot;.onnx on toy&#45;npu") != std::string::npos);
}

TEST_CASE("up to 400 boxes everything is drawn, beyond that runs") {
  struct Case {
    size_t nodes;
    size_t boxes;
    bool folded;
  };
  const auto c = GENERATE(values<Case>({{1, 1, false}, {400, 400, false}, {401, 201, true}, {1000, 334, true}}));
  const Analysis analysis = Chain(c.nodes);
  std::vector<Diagnostic> notes;
  const std::string dot = ReportText(analysis, ReportKind::kShapes, {.format = Format::kDot, .notes = &notes});
  CHECK(Occurrences(dot, "tooltip=") == c.boxes);
  CHECK(Occurrences(dot, "->") == c.boxes - 1);
  CHECK(notes.size() == (c.folded ? 1 : 0));
  if (c.folded) CHECK(notes[0].code == Code::kCollapsed);
  CHECK((dot.find(std::to_string(c.nodes) + " boxes were drawn as") != std::string::npos) == c.folded);
}

struct LevelCase {
  Level level;
  size_t boxes;
  const char* caption;
  std::vector<const char*> labels;
};

TEST_CASE("a level draws what it names, one box each") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "hailo-8";
  request.pin = {{"/layer3/layer3.0/conv1/Conv", "cpu"}};
  const absl::StatusOr<Analysis> analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  const Plan& plan = *analysis->plan;
  REQUIRE(plan.segments.size() >= 3);
  const auto c = GENERATE_REF(values<LevelCase>({
      {Level::kSegment, plan.segments.size(), "one box per segment: ", {"segment 0 on npu", "segment 1 on cpu", "in, transfer "}},
      {Level::kUnit, 2, "one box per unit that runs something: ", {"\"npu\\n", "\"cpu\\n"}},
      {Level::kModule, 0, "one box per module: ", {"\"layer1/layer1.0\\n", "\"conv1\\n", "\\ncpu ", "\\nnpu "}},
  }));
  std::vector<Diagnostic> notes;
  const std::string dot = ReportText(*analysis, ReportKind::kAnalysis, {.format = Format::kDot, .level = c.level, .notes = &notes});
  INFO(dot);
  if (c.boxes > 0) CHECK(Occurrences(dot, "tooltip=") == c.boxes);
  CHECK(Occurrences(dot, "cluster") == 0);
  CHECK(Occurrences(dot, c.caption) == 1);
  for (const char* label : c.labels) CHECK(Occurrences(dot, label) >= 1);
  CHECK(Occurrences(dot, "->") >= 2);
  CHECK(notes.empty());  // it was asked for
}

TEST_CASE("modules are drawn as deep as a page holds, a module of one operator in the one that holds it") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx");
  REQUIRE(graph.ok());
  const absl::StatusOr<Analysis> analysis = Analyze(*graph, {});
  REQUIRE(analysis.ok());
  const std::string dot = ReportText(*analysis, ReportKind::kShapes, {.format = Format::kDot, .level = Level::kModule});
  CHECK(Occurrences(dot, "layer2/layer2.0/conv1") == 0);
  CHECK(Occurrences(dot, "\"layer2/layer2.1\\n") == 1);
  CHECK(Occurrences(dot, "tooltip=\"(in no module)\"") == 1);  // Flatten
  std::vector<std::string> modules;
  constexpr char kTooltip[] = "tooltip=\"";
  for (size_t at = dot.find(kTooltip); at != std::string::npos; at = dot.find(kTooltip, at + 1)) {
    const size_t name = at + sizeof(kTooltip) - 1;
    modules.push_back(dot.substr(name, dot.find('"', name) - name));
  }
  CHECK(std::set<std::string>(modules.begin(), modules.end()).size() == modules.size());
  CHECK(modules.size() <= 48);
}

TEST_CASE("a level that the report does not have is an error, not another picture") {
  for (const Level level : {Level::kSegment, Level::kUnit, Level::kGroup, Level::kModule}) {
    ReportOptions options{.format = Format::kDot, .level = level};
    const Analysis chain = Chain(3);
    const absl::Status status =
        WriteReport(chain, ReportKind::kShapes, options, [](absl::string_view) { return absl::OkStatus(); });
    CHECK(DiagnosticOf(status).code == Code::kUsage);
  }
}

TEST_CASE("an empty model is a picture too") {
  CHECK(Occurrences(ReportText(Chain(0), ReportKind::kShapes, {.format = Format::kSvg}), "class=\"node\"") == 0);
}

TEST_CASE("binary pictures begin as their format does") {
  CHECK(ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kPng}).rfind("\x89PNG", 0) == 0);
  CHECK(ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kPdf}).rfind("%PDF-", 0) == 0);
}

TEST_CASE("pictures say what to install where Graphviz is absent, or is something else") {
  for (const char* library : {"libgvc-of-nobody.so.6", "libm.so.6"}) {
    INFO(library);
    const absl::StatusOr<Graphviz> graphviz = OpenGraphviz(library);
    REQUIRE(!graphviz.ok());
    const Diagnostic error = DiagnosticOf(graphviz.status());
    CHECK(error.code == Code::kOutputUnwritable);
    CHECK_THAT(error.message, Catch::StartsWith("pictures need Graphviz (") && Catch::Contains(library));
    CHECK_THAT(error.remedy, Catch::Contains("package graphviz"));
  }
}

}  // namespace
}  // namespace hwest::test
