// Boxes, arrows, and how a picture is folded when it grows too large.
#include "report/picture.h"

#include <cstdio>
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

// Boxes of a picture in DOT; circles that lead to other columns are none.
size_t Boxes(const std::string& dot) { return Occurrences(dot, "tooltip=") - Occurrences(dot, "shape=circle"); }

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

TEST_CASE("one box per group, with operator, unit and time", "[graphviz]") {
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

// The addition of zero runs nowhere and passes its second operand on.
TEST_CASE("arrows look through what compilers leave out, whichever operand that passes on") {
  const auto graph = std::make_shared<const Graph>(GraphFromText(R"(
    <ir_version: 8, opset_import: ["" : 17]> net (float[1,8,4,4] x) => (float[1,8,4,4] y)
    <float[1] zero = {0}> {
      a = Relu(x)
      b = Add(zero, a)
      y = Exp(b)
    })"));
  AnalysisRequest request;
  request.target = "x86-avx2";
  request.fusions = "none";
  const auto analysis = Analyze(graph, request);
  REQUIRE(analysis.ok());
  REQUIRE(analysis->plan->groups.size() == 2);
  const std::string dot = ReportText(*analysis, ReportKind::kAnalysis, {.format = Format::kDot});
  CHECK(Occurrences(dot, "n0 -> n1") == 1);
  const std::string why =
      ReportText(*analysis, ReportKind::kGraph, {.format = Format::kCsv, .graph = {.ops = {"Add"}}});
  CHECK(Occurrences(why, "no kernel: read as its input") == 1);
}

TEST_CASE("names that are Graphviz syntax or HTML stay text", "[graphviz]") {
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
  const std::string dot = ReportText(analysis, ReportKind::kShapes,
                                     {.format = Format::kDot, .picture = {.repeats = Repeats::kUnfold}}, {}, &notes);
  CHECK(Boxes(dot) == c.boxes);
  // A chain is broken into columns: an arrow to the next one is one to a circle and one from a circle.
  CHECK(Occurrences(dot, "->") - Occurrences(dot, "\n  out") == c.boxes - 1);
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
  // clang-format off
  const auto c = GENERATE_REF(values<LevelCase>({
      {Level::kSegment, plan.segments.size(), "one box per segment: ",
       {"segment 0 on npu", "segment 1 on cpu", "in, transfer "}},
      {Level::kUnit, 2, "one box per unit that runs something: ", {"\"npu\\n", "\"cpu\\n"}},
      {Level::kModule, 0, "one box per module: ", {"\"layer1/layer1.0\\n", "\"conv1\\n", "\\ncpu ", "\\nnpu "}},
  }));
  // clang-format on
  std::vector<Diagnostic> notes;
  const ReportOptions options{.format = Format::kDot, .level = c.level};
  const std::string dot = ReportText(*analysis, ReportKind::kAnalysis, options, {}, &notes);
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

// The attribute of a box in DOT, of all boxes in their order.
std::vector<std::string> Attributes(const std::string& dot, const std::string& name) {
  std::vector<std::string> texts;
  const std::string key = " " + name + "=\"";
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(key);
    if (at == std::string::npos || line.find("shape=circle") != std::string::npos ||
        line.find("[label=") == std::string::npos)
      continue;
    texts.push_back(line.substr(at + key.size(), line.find('"', at + key.size()) - at - key.size()));
  }
  return texts;
}

TEST_CASE("colours tell what they are asked for, and the legend what they mean") {
  struct Case {
    ColorBy by;
    std::vector<size_t> same;  // which fill each of the three boxes has, by first use; the last one is unknown to all
    std::vector<const char*> legend;
  };
  const auto c = GENERATE(values<Case>({
      {ColorBy::kUnit, {0, 1, 2}, {">unit<", ">npu<", ">cpu<"}},
      {ColorBy::kBound, {0, 1, 2}, {">bound by<", ">compute<", ">memory<"}},
      {ColorBy::kTime, {0, 0, 1}, {">share of the latency<", ">10 % and more<"}},
      {ColorBy::kEnergy, {0, 0, 1}, {">share of the energy<", ">10 % and more<"}},
      {ColorBy::kIntensity, {0, 1, 2}, {">FLOP per byte moved<", ">below 1<", ">1 to 10<"}},
      {ColorBy::kPrecision, {0, 1, 2}, {">precision<", ">int8<", ">fp32<"}},
  }));
  const std::string dot =
      ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kDot, .picture = {.color_by = c.by}});
  INFO(dot);
  const std::vector<std::string> fills = Attributes(dot, "fillcolor");
  REQUIRE(fills.size() == c.same.size());
  for (size_t a = 0; a < fills.size(); ++a) {
    for (size_t b = 0; b < a; ++b) CHECK((fills[a] == fills[b]) == (c.same[a] == c.same[b]));
  }
  for (const char* text : c.legend) CHECK(Occurrences(dot, text) == 1);
  CHECK(Occurrences(dot, ">overhead<") == 0);  // no box of the picture is
}

TEST_CASE("colours of a plan need one") {
  const Analysis chain = Chain(3);
  for (const ColorBy by : {ColorBy::kBound, ColorBy::kTime, ColorBy::kEnergy, ColorBy::kPrecision}) {
    const absl::Status status =
        WriteReport(chain, ReportKind::kShapes, {.format = Format::kDot, .picture = {.color_by = by}},
                    [](absl::string_view) { return absl::OkStatus(); });
    CHECK(DiagnosticOf(status).code == Code::kUsage);
  }
}

TEST_CASE("what takes much of the latency is marked, five boxes at most") {
  const std::string dot = ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kDot});
  CHECK(Occurrences(dot, "penwidth=3") == 2);  // 9 and 3 of 17 us
  CHECK(Occurrences(dot, "52.9 % of the latency") == 1);
  CHECK(Occurrences(dot, "bottleneck") == 1);
  Analysis small = TinyAnalysis();
  small.plan->latency_s = 1;
  CHECK(Occurrences(ReportText(small, ReportKind::kAnalysis, {.format = Format::kDot}), "penwidth=3") == 0);
}

TEST_CASE("equal blocks in a row are drawn once, with their number and what they take together") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/test/models/bert-base_128.ts.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "jetson-orin";
  request.bind.dims = {{"batch", 1}, {"seq", 128}};
  const auto analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  const auto draw = [&](PictureOptions picture) {
    return ReportText(*analysis, ReportKind::kAnalysis, {.format = Format::kDot, .picture = picture});
  };
  const std::string folded = draw({});
  const size_t groups = analysis->plan->groups.size();
  CHECK(Boxes(folded) < groups / 3);
  CHECK(Occurrences(folded, " x m/encoder/layer.1 to m/encoder/layer.11\"") == 1);
  CHECK(Occurrences(folded, "equal blocks in a row once; --unfold draws each") == 1);
  CHECK(Occurrences(folded, std::to_string(Boxes(folded)) + " boxes, ") == 1);  // the caption says how many
  for (const PictureOptions& each :
       {PictureOptions{.repeats = Repeats::kUnfold}, PictureOptions{.collapse = Collapse::kNone}}) {
    const std::string unfolded = draw(each);
    CHECK(Boxes(unfolded) == groups);
    CHECK(Occurrences(unfolded, " x ") == 0);
  }
}

TEST_CASE("a block that differs from its neighbours in shape or wiring is drawn for itself") {
  const std::string alike = ReportText(Chain(60), ReportKind::kShapes, {.format = Format::kDot});
  CHECK(Boxes(alike) == 2);  // the first one reads no other box
  CHECK(Occurrences(alike, "59 x") >= 1);
  Analysis shaped = Chain(60);
  shaped.facts.values[ValueId(30u)].type = Type::Tensor(ElemType::kFloat, Shape({Dim(4)}));
  CHECK(Boxes(ReportText(shaped, ReportKind::kShapes, {.format = Format::kDot})) == 4);
}

TEST_CASE("a chain of 100 boxes fits a page, in columns", "[graphviz]") {
  const std::string svg =
      ReportText(Chain(100), ReportKind::kShapes, {.format = Format::kSvg, .picture = {.repeats = Repeats::kUnfold}});
  double width = 0, height = 0;
  REQUIRE(std::sscanf(svg.c_str() + svg.find("<svg width="), "<svg width=\"%lfpt\" height=\"%lfpt\"", &width,
                      &height) == 2);
  CHECK(height < 1500);
  CHECK(width < 3000);
  CHECK(width / height > 0.5);
  CHECK(width / height < 2.5);
  const std::string dot =
      ReportText(Chain(100), ReportKind::kShapes, {.format = Format::kDot, .picture = {.repeats = Repeats::kUnfold}});
  CHECK(Occurrences(dot, "\n  out") >= 3);
  CHECK(2 * Occurrences(dot, "\n  out") == Occurrences(dot, "\n  in"));  // the circle, and the arrow from it
}

TEST_CASE("collapse chooses what a box stands for") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "jetson-orin";
  const auto analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  const auto boxes = [&](Collapse collapse) {
    return Boxes(
        ReportText(*analysis, ReportKind::kAnalysis, {.format = Format::kDot, .picture = {.collapse = collapse}}));
  };
  CHECK(boxes(Collapse::kNone) == analysis->plan->groups.size());
  CHECK(boxes(Collapse::kSegment) == analysis->plan->segments.size());
  CHECK(boxes(Collapse::kModule) < analysis->plan->groups.size());
}

// Of a kernel the time stands at one node; views take none and run on no unit.
TEST_CASE("boxes of nodes lack nothing when every kernel has its time") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "jetson-orin";
  const absl::StatusOr<Analysis> analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  const std::string dot =
      ReportText(*analysis, ReportKind::kGraph, {.format = Format::kDot, .picture = {.collapse = Collapse::kModule}});
  CHECK(Occurrences(dot, "\\ngpu ") >= 8);
  for (const char* lacking : {"unknown", "at least", "no unit"}) {
    INFO(lacking);
    CHECK(Occurrences(dot, lacking) == 0);
  }
}

// A view, and what the compiler leaves out.
constexpr char kFreeNodes[] = R"(
    <ir_version: 8, opset_import: ["" : 17]> net (float[1,8,4,4] x) => (float[1,128] y)
    <float[1] zero = {0}, int64[2] row = {1, 128}> {
      a = Relu(x)
      b = Add(a, zero)
      c = Reshape(b, row)
      y = Exp(c)
    })";

TEST_CASE("what needs no kernel is told from what no unit runs") {
  const auto graph = std::make_shared<const Graph>(GraphFromText(kFreeNodes));
  AnalysisRequest request;
  request.target = "a100";
  auto analysis = Analyze(graph, request);
  REQUIRE(analysis.ok());
  for (const ColorBy by : {ColorBy::kUnit, ColorBy::kTime, ColorBy::kIntensity}) {
    const ReportOptions options{.format = Format::kDot, .level = Level::kNode, .picture = {.color_by = by}};
    const std::string dot = ReportText(*analysis, ReportKind::kGraph, options);
    INFO(dot);
    CHECK(Occurrences(dot, "\\nno kernel needed\"") == 2);
    CHECK(Occurrences(dot, "style=\"rounded,filled,dashed\"") == 2);
    CHECK(Occurrences(dot, ">no kernel needed<") == 1);  // in the legend
    CHECK(Occurrences(dot, "no unit") == 0);
  }
  const std::string boxes = ReportText(*analysis, ReportKind::kAnalysis, {.format = Format::kDot});
  CHECK(Occurrences(boxes, "no kernel") == 0);  // groups are kernels
  for (PlannedGroup& group : analysis->plan->groups) group.unit = UnitId();
  const std::string lost = ReportText(*analysis, ReportKind::kGraph, {.format = Format::kDot, .level = Level::kNode});
  CHECK(Occurrences(lost, "\\nno unit") == 2);
  CHECK(Occurrences(lost, "\\nno kernel needed\"") == 2);
}

TEST_CASE("of a range the picture has its nodes alone") {
  const std::string dot =
      ReportText(TinyAnalysis(), ReportKind::kGraph, {.format = Format::kDot, .graph = {.start = 1, .end = 2}});
  CHECK(Boxes(dot) == 2);
  CHECK(Occurrences(dot, "->") == 1);
  CHECK(Occurrences(dot, "2 nodes shown") == 1);
}

TEST_CASE("an empty model is a picture too", "[graphviz]") {
  CHECK(Occurrences(ReportText(Chain(0), ReportKind::kShapes, {.format = Format::kSvg}), "class=\"node\"") == 0);
}

TEST_CASE("binary pictures begin as their format does", "[graphviz]") {
  CHECK(ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kPng}).rfind("\x89PNG", 0) == 0);
  CHECK(ReportText(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kPdf}).rfind("%PDF-", 0) == 0);
}

TEST_CASE("pictures say what to install where Graphviz is absent, or is something else") {
  for (const char* library : {"libgvc-of-nobody.so.6", "libm.so.6"}) {
    INFO(library);
    const absl::Status status = Graphviz(library).library.status();
    REQUIRE(!status.ok());
    const Diagnostic error = DiagnosticOf(status);
    CHECK(error.code == Code::kOutputUnwritable);
    CHECK_THAT(error.message, Catch::StartsWith("pictures need Graphviz (") && Catch::Contains(library));
    CHECK_THAT(error.remedy, Catch::Contains("package graphviz"));
  }
}

}  // namespace
}  // namespace hwest::test
