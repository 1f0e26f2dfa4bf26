// `graph`: the nodes it shows, what it says about each, and their totals.
#include <nlohmann/json.hpp>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "report/text_table.h"
#include "report_fixture.h"
#include "support/golden.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

using Json = nlohmann::json;

const Analysis& Resnet() {
  static const auto* const analysis = new Analysis([] {
    AnalysisRequest request;
    request.target = "tda4vm";
    request.deny = {{"GlobalAveragePool", "c7x-mma"}};
    return *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
  }());
  return *analysis;
}

const Analysis& Unplaced() {
  static const auto* const analysis =
      new Analysis(*Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), AnalysisRequest()));
  return *analysis;
}

// Of which nothing is known but the graph.
Analysis Bare(Graph graph) {
  Analysis a;
  a.graph = std::make_shared<const Graph>(std::move(graph));
  a.dims = std::make_unique<DimPool>(&a.graph->dims());
  a.facts.values = IdMap<ValueId, ValueFact>(a.graph->values().size());
  const size_t nodes = a.graph->nodes().size();
  a.classes = IdMap<NodeId, NodeClass>(nodes, NodeClass::kCompute);
  a.work = WorkMap(nodes);
  a.traffic = TrafficMap(nodes);
  a.counts = CountsMap(nodes);
  return a;
}

Json GraphOf(const Analysis& analysis, const GraphSelection& selection = {}) {
  return Json::parse(ReportText(analysis, ReportKind::kGraph, {.format = Format::kJson, .graph = selection}));
}

std::vector<int64_t> Ids(const Analysis& analysis, const GraphSelection& selection) {
  std::vector<int64_t> ids;
  const Json graph = GraphOf(analysis, selection);
  for (const Json& node : graph["nodes"]) ids.push_back(node["id"]);
  return ids;
}

std::vector<int64_t> Range(int64_t first, int64_t last) {
  std::vector<int64_t> ids;
  for (int64_t id = first; id <= last; ++id) ids.push_back(id);
  return ids;
}

Diagnostic ErrorOf(const Analysis& analysis, const GraphSelection& selection) {
  const absl::Status status = WriteReport(analysis, ReportKind::kGraph, {.format = Format::kJson, .graph = selection},
                                          [](absl::string_view) { return absl::OkStatus(); });
  REQUIRE_FALSE(status.ok());
  return DiagnosticOf(status);
}

TEST_CASE("golden graphs") {
  const auto c = GENERATE(values<std::pair<const char*, Format>>({
      {"tiny_graph.txt", Format::kText},
      {"tiny_graph.csv", Format::kCsv},
      {"tiny_graph.json", Format::kJson},
      {"tiny_graph.md", Format::kMarkdown},
      {"tiny_graph.dot", Format::kDot},
  }));
  CheckGolden(c.first, ReportText(TinyAnalysis(), ReportKind::kGraph, {.format = c.second, .model_path = "tiny.onnx"}));
}

TEST_CASE("rows of the graph hold those of the analysis") {
  const Json graph = GraphOf(Resnet());
  const Json analysis = Json::parse(ReportText(Resnet(), ReportKind::kAnalysis, {.format = Format::kJson}));
  REQUIRE(graph["nodes"].size() == analysis["nodes"].size());
  for (size_t n = 0; n < graph["nodes"].size(); ++n) {
    const Json& node = graph["nodes"][n];
    for (const auto& [key, value] : analysis["nodes"][n].items()) {
      INFO(n << " " << key);
      CHECK(node[key] == value);
    }
    for (const char* key :
         {"attributes", "users", "source_line", "time_s", "bound", "reason", "output_types", "bytes"}) {
      CHECK(node.contains(key));
    }
    CHECK(node["reason"].is_string());
  }
}

TEST_CASE("users are the other side of inputs") {
  const Json nodes = GraphOf(Resnet())["nodes"];
  std::set<std::pair<int64_t, int64_t>> by_users, by_inputs;
  for (const Json& node : nodes) {
    for (const Json& user : node["users"]) by_users.emplace(node["id"], user);
    for (const Json& input : node["input_ids"]) {
      for (const Json& maker : nodes) {
        const auto& outputs = maker["output_ids"];
        if (std::find(outputs.begin(), outputs.end(), input) != outputs.end())
          by_inputs.emplace(maker["id"], node["id"]);
      }
    }
  }
  CHECK(by_users.size() > 20);
  CHECK(by_users == by_inputs);
}

TEST_CASE("totals of all nodes are those of the analysis, and add up over any cut") {
  const Json analysis = Json::parse(ReportText(Resnet(), ReportKind::kAnalysis, {.format = Format::kJson}));
  const Json graph = GraphOf(Resnet()), whole = graph["totals"];
  const int64_t size = whole["nodes"];
  CHECK(size == static_cast<int64_t>(analysis["nodes"].size()));
  CHECK(whole["macs"] == analysis["summary"]["macs"]);
  CHECK(whole["flops"] == analysis["summary"]["flops"]);
  CHECK(whole["uncounted"] == 0);
  CHECK(whole["untimed"] == 0);
  double groups_s = 0, nodes_s = 0;
  for (const Json& group : analysis["groups"]) groups_s += group["time_s"].get<double>();
  for (const Json& node : graph["nodes"]) nodes_s += node["time_s"].get<double>();
  CHECK(whole["time_s"].get<double>() == Approx(groups_s));
  CHECK(nodes_s == Approx(groups_s));
  const int64_t cut = GENERATE(0, 7, 30);
  const Json below = GraphOf(Resnet(), {.end = cut})["totals"], above = GraphOf(Resnet(), {.start = cut + 1})["totals"];
  for (const char* key : {"nodes", "macs", "flops", "bytes"}) {
    CHECK(below[key].get<int64_t>() + above[key].get<int64_t>() == whole[key].get<int64_t>());
  }
  CHECK(below["time_s"].get<double>() + above["time_s"].get<double>() == Approx(groups_s));
}

TEST_CASE("ranges and neighbourhoods end at the edges of the model") {
  const int64_t last = static_cast<int64_t>(Resnet().graph->nodes().size()) - 1;
  struct Case {
    GraphSelection selection;
    std::vector<int64_t> ids;
  };
  const auto c = GENERATE_REF(values<Case>({
      {{}, Range(0, last)},
      {{.start = 5, .end = 8}, Range(5, 8)},
      {{.start = 5, .end = 5}, {5}},
      {{.start = last - 1}, Range(last - 1, last)},
      {{.start = last + 1}, {}},
      {{.end = 100000}, Range(0, last)},
      {{.around = "#10", .context = 2}, Range(8, 12)},
      {{.around = "10", .context = 2}, Range(8, 12)},
      {{.around = "10"}, Range(5, 15)},
      {{.around = "0", .context = 3}, Range(0, 3)},
      {{.around = absl::StrCat(last), .context = 1}, Range(last - 1, last)},
      {{.around = "3", .context = 0}, {3}},
      {{.around = "3", .context = INT64_MAX}, Range(0, last)},
      {{.start = 11, .around = "10", .context = 2}, Range(11, 12)},
      {{.max_nodes = 3}, Range(0, 2)},
      {{.max_nodes = 0}, {}},
      {{.start = 6, .max_nodes = 2}, Range(6, 7)},
  }));
  CHECK(Ids(Resnet(), c.selection) == c.ids);
}

TEST_CASE("a node may be named in every way, and its name wins over an id") {
  const std::string name(Resnet().graph->name(NodeId(30u)));
  const std::string output(Resnet().graph->name(Resnet().graph->outputs(NodeId(30u))[0]));
  for (const std::string& text : {name, output, std::string("#30"), std::string("30")}) {
    INFO(text);
    CHECK(Ids(Resnet(), {.around = text, .context = 0}) == std::vector<int64_t>{30});
  }
  const GroupId group = Resnet().plan->group_of[NodeId(30u)];
  REQUIRE(group.valid());
  const int64_t root = Resnet().plan->groups[group.index()].group.root.index();
  CHECK(Ids(Resnet(), {.around = absl::StrCat("g", group.index()), .context = 0}) == std::vector<int64_t>{root});

  const auto relu = [](const char* in, const char* out, const char* called) {
    return Node("Relu", {in}, {out}).Bytes(3, called);
  };
  const Message graph = Message()
                            .Sub(1, relu("x", "a", "2"))
                            .Sub(1, relu("a", "b", "0"))
                            .Sub(1, relu("b", "y", "n"))
                            .Sub(11, Message().Bytes(1, "x"))
                            .Sub(12, Message().Bytes(1, "y"));
  const Analysis named = Bare(*BuildBytes(Model(graph).bytes()));
  CHECK(Ids(named, {.around = "2", .context = 0}) == std::vector<int64_t>{0});
  CHECK(Ids(named, {.around = "0", .context = 0}) == std::vector<int64_t>{1});
  CHECK(Ids(named, {.around = "1", .context = 0}) == std::vector<int64_t>{1});
}

TEST_CASE("conditions hold together") {
  const Json all = GraphOf(Resnet())["nodes"];
  const auto where = [&](auto holds) {
    std::vector<int64_t> ids;
    for (const Json& node : all) {
      if (holds(node)) ids.push_back(node["id"]);
    }
    return ids;
  };
  const auto op_is = [](const char* op) { return [op](const Json& node) { return node["op"] == op; }; };
  CHECK(Ids(Resnet(), {.ops = {"Conv"}}) == where(op_is("Conv")));
  CHECK(Ids(Resnet(), {.ops = {"Relu", "Add"}}) ==
        where([](const Json& node) { return node["op"] == "Relu" || node["op"] == "Add"; }));
  CHECK(Ids(Resnet(), {.units = {"cpu"}}) == where([](const Json& node) { return node["unit"] == "cpu"; }));
  CHECK_FALSE(Ids(Resnet(), {.units = {"cpu"}}).empty());
  CHECK(Ids(Resnet(), {.bounds = {"memory"}}) == where([](const Json& node) { return node["bound"] == "memory"; }));
  CHECK(Ids(Resnet(), {.module = "layer1"}) == where([](const Json& node) {
          return node["module"].is_string() && absl::StartsWith(node["module"].get<std::string>() + "/", "layer1/");
        }));
  CHECK(Ids(Resnet(), {.grep = "LAYER2"}) ==
        where([](const Json& node) { return absl::StrContains(node.dump(), "layer2"); }));
  const auto both = Ids(Resnet(), {.start = 10, .ops = {"Conv"}, .units = {"c7x-mma"}, .module = "layer3"});
  CHECK_FALSE(both.empty());
  CHECK(both == where([](const Json& node) {
          return node["id"] >= 10 && node["op"] == "Conv" && node["unit"] == "c7x-mma" && node["module"].is_string() &&
                 absl::StartsWith(node["module"].get<std::string>(), "layer3");
        }));
  CHECK(Ids(Resnet(), {.ops = {"Conv"}, .module = "layer1", .grep = "layer2"}).empty());
}

TEST_CASE("nothing that fits is an empty table with a note") {
  std::vector<Diagnostic> notes;
  const ReportOptions options{.format = Format::kJson, .graph = {.ops = {"Gelu"}}};
  const Json graph = Json::parse(ReportText(Resnet(), ReportKind::kGraph, options, {}, &notes));
  CHECK(graph["nodes"].empty());
  CHECK(graph["totals"]["nodes"] == 0);
  CHECK(graph["totals"]["macs"] == 0);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].code == Code::kEmptySelection);
  CHECK(graph["diagnostics"].back()["code"] == "empty_selection");
  const std::string text = ReportText(Resnet(), ReportKind::kGraph, {.graph = {.ops = {"Gelu"}}});
  CHECK(absl::StrContains(text, "no node fits"));
}

TEST_CASE("names that nothing has are refused with the nearest ones") {
  struct Case {
    GraphSelection selection;
    const char* part;  // of the message and remedy
  };
  const auto c = GENERATE(values<Case>({
      {{.around = "layer1.0.conv1"}, "no node or output"},
      {{.around = "999999"}, "no node #999999"},
      {{.context = 3}, "--around NODE"},
      {{.start = 9, .end = 3}, "--start 9 is after --end 3"},
      {{.ops = {"Cnov"}}, "did you mean Conv?"},
      {{.units = {"c7x-mna"}}, "did you mean c7x-mma?"},
      {{.bounds = {"memry"}}, "did you mean memory?"},
      {{.module = "layr1"}, "did you mean layer1"},
      {{.columns = {"opp"}}, "did you mean op?"},
  }));
  const Diagnostic error = ErrorOf(Resnet(), c.selection);
  INFO(error.message << ": " << error.remedy);
  CHECK(error.code == Code::kUsage);
  CHECK(absl::StrContains(absl::StrCat(error.message, ": ", error.remedy), c.part));
}

TEST_CASE("without a target what a plan decides is unknown, and cannot be asked for") {
  const Json graph = GraphOf(Unplaced());
  CHECK(graph["totals"]["time_s"].is_null());
  CHECK(graph["totals"]["untimed"].is_null());
  CHECK(graph["totals"]["macs"] == 1814073344);
  for (const char* key : {"group", "unit", "time_s", "bound", "reason"}) CHECK(graph["nodes"][20][key].is_null());
  CHECK(absl::StrContains(ErrorOf(Unplaced(), {.units = {"gpu"}}).remedy, "--target"));
  CHECK(absl::StrContains(ErrorOf(Unplaced(), {.bounds = {"memory"}}).remedy, "--target"));
}

TEST_CASE("free dims leave formulas, also in totals") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/test/models/bert-base_128.ts.onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, AnalysisRequest());
  REQUIRE(analysis.ok());
  const Json report = GraphOf(*analysis, {.max_nodes = 2, .ops = {"Softmax"}});
  REQUIRE(report["nodes"].size() == 2);
  REQUIRE(report["totals"]["bytes"].is_string());
  std::set<std::string> symbols;
  for (const Json& symbol : report["model"]["symbols"]) symbols.insert(symbol["name"]);
  CHECK(symbols.count("seq") == 1);
  CHECK(absl::StrContains(report["totals"]["bytes"].get<std::string>(), "seq"));
  CHECK(absl::StrContains(ReportText(*analysis, ReportKind::kGraph, {.graph = {.ops = {"Softmax"}}}),
                          "96*batch*broadcast(seq"));
}

TEST_CASE("attributes are numbers, texts and lists of them; tensors and bodies are described") {
  const Analysis a = Bare(GraphFromText(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]>
g (float[1] x, bool c) => (y) {
  z = d.Op <i = 3, f = 0.1, s = "a b", is = [1, -2], fs = [0.5, 1e-5], ss = ["p", "q"]> (x)
  y = If (c) <then_branch = t () => (v) { v = Identity(z) }, else_branch = e () => (w) { w = Neg(z) u = Neg(w) }>
})"));
  const size_t nodes = a.graph->nodes().size();
  const Json rows = GraphOf(a)["nodes"];
  const Json want = Json::parse(R"({"i":3,"f":0.1,"s":"a b","is":[1,-2],"fs":[0.5,1e-05],"ss":["p","q"]})");
  CHECK(rows[0]["attributes"] == want);
  const Json& control = rows.back();
  CHECK(control["op"] == "If");
  CHECK(control["attributes"]["else_branch"]["nodes"] == 2);
  // The bodies read z, and the control node reads what they give back.
  CHECK(rows[0]["users"].size() == 2);
  CHECK(rows[1]["users"] == Json::array({control["id"]}));
  CHECK(GraphOf(a)["totals"]["uncounted"] == static_cast<int64_t>(nodes));
}

TEST_CASE("what there is none of is left empty, what is not known is called unknown") {
  const GraphSelection selection{.max_nodes = 1, .columns = {"id", "reading", "group", "unit", "time_s"}};
  const std::string markdown =
      ReportText(Unplaced(), ReportKind::kGraph, {.format = Format::kMarkdown, .graph = selection});
  CHECK(absl::StrContains(markdown, "|  |  |  | unknown |"));
  const GraphSelection words{.max_nodes = 1, .columns = {"id", "reading"}};
  const std::string text = ReportText(Unplaced(), ReportKind::kGraph, {.graph = words});
  CHECK(absl::StrContains(text, "\n  #0\n"));
}

TEST_CASE("columns are those asked for, in text, CSV and Markdown; JSON has all") {
  const GraphSelection selection{.max_nodes = 2, .columns = {"op", "id", "params"}};
  const std::string csv = ReportText(Resnet(), ReportKind::kGraph, {.format = Format::kCsv, .graph = selection});
  CHECK(csv.substr(0, csv.find('\n')) == "op,id,params");
  const std::string text = ReportText(Resnet(), ReportKind::kGraph, {.graph = selection});
  CHECK(absl::StrContains(text, "\n  op "));
  CHECK_FALSE(absl::StrContains(text, "MACs  moved"));
  const std::string markdown =
      ReportText(Resnet(), ReportKind::kGraph, {.format = Format::kMarkdown, .graph = selection});
  CHECK(absl::StrContains(markdown, "| op | id | params |"));
  CHECK(absl::StrContains(markdown, "## totals"));
  CHECK(GraphOf(Resnet(), selection)["nodes"][0].size() == GraphOf(Resnet())["nodes"][0].size());
}

TEST_CASE("a line of text per node holds every name whole unless a width says otherwise") {
  const std::string text = ReportText(Resnet(), ReportKind::kGraph, {});
  size_t rows = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n'))
    rows += absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "#") ? 1 : 0;
  CHECK(rows == Resnet().graph->nodes().size());
  CHECK_FALSE(absl::StrContains(text, "…"));
  for (size_t n = 0; n < rows; ++n) CHECK(absl::StrContains(text, Resnet().graph->Label(NodeId(n))));
  const std::string narrow = ReportText(Resnet(), ReportKind::kGraph, {.width = 80});
  for (const absl::string_view line : absl::StrSplit(narrow, '\n')) CHECK(DisplayWidth(line) <= 80);
}

}  // namespace
}  // namespace hwest::test
