// The module table and the grades of a plan add up to the summary, for plain models and with control flow.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cost/cost.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using test::Message;

Message Named(const char* op, const std::vector<std::string>& in, const std::vector<std::string>& out,
              const char* name) {
  return test::Node(op, in, out).Bytes(3, name);
}

Message Branch(const char* op, const char* name, const std::string& out) {
  return Message()
      .Sub(1, Named(op, {"a", "w"}, {out}, name))
      .Bytes(2, "branch")
      .Sub(12, test::TensorValue(out, 1, {64, 64}));
}

// Modules, nodes of none, a weight that two modules share, an If with a branch in each of two modules.
std::shared_ptr<const Graph> Branching() {
  Message choose = Named("If", {"c"}, {"b"}, "/choose/If");
  choose.Sub(5, test::GraphAttribute("then_branch", Branch("MatMul", "/choose/large/MatMul", "t")))
      .Sub(5, test::GraphAttribute("else_branch", Branch("Add", "/choose/small/Add", "e")));
  const Message graph = Message()
                            .Sub(1, Named("MatMul", {"x", "w"}, {"m"}, "/net/first/MatMul"))
                            .Sub(1, Named("Relu", {"m"}, {"r"}, "/net/first/Relu"))
                            .Sub(1, Named("MatMul", {"r", "w"}, {"a"}, "/net/second/MatMul"))
                            .Sub(1, choose)
                            .Sub(1, Named("Softmax", {"b"}, {"s"}, "outside"))
                            .Sub(1, Named("Sigmoid", {"s"}, {"y"}, "/net/Sigmoid"))
                            .Sub(5, test::ExternalTensor("w", 1, {64, 64}, "weights.bin", "0", "16384"))
                            .Sub(11, test::TensorValue("x", 1, {64, 64}))
                            .Sub(11, test::TensorValue("c", 9, {1}))
                            .Sub(12, test::TensorValue("y", 1, {64, 64}));
  auto loaded = LoadModelFromMemory(test::Model(graph).bytes(), "branching.onnx");
  INFO(std::string(loaded.ok() ? "" : loaded.status().message()));
  REQUIRE(loaded.ok());
  return *loaded;
}

std::shared_ptr<const Graph> OfFile(const char* name) {
  auto loaded = LoadModel(absl::StrCat(HWEST_SOURCE_DIR, "/test/models/", name));
  REQUIRE(loaded.ok());
  return *loaded;
}

Analysis On(const std::shared_ptr<const Graph>& graph, const std::string& target) {
  AnalysisRequest request{.target = target};
  request.bind.dims = {{"batch", 1}, {"seq", 16}};
  auto analysis = Analyze(graph, request);
  INFO(std::string(analysis.ok() ? "" : analysis.status().message()));
  if (analysis.ok()) return *std::move(analysis);
  auto fixed = Analyze(graph, {.target = target});  // a file without free dims
  INFO(std::string(fixed.ok() ? "" : fixed.status().message()));
  REQUIRE(fixed.ok());
  return *std::move(fixed);
}

int64_t Number(Dim dim) {
  REQUIRE(dim.is_constant());
  return dim.value();
}

void CheckRoot(const Analysis& a) {
  const ModuleRow& root = a.modules[0];
  CHECK(root.path.empty());
  CHECK(root.nodes == a.coverage.nodes);
  CHECK(Number(root.macs) == Number(a.totals.macs));
  CHECK(Number(root.flops) == Number(a.totals.flops));
  CHECK(root.params == a.params.params);
  REQUIRE(root.time_s.has_value());
  CHECK(*root.time_s == Approx(a.plan->latency_s).epsilon(1e-12));
  CHECK(*root.energy_j == Approx(a.plan->energy_j).epsilon(1e-12));
}

// What a module has beyond its children is its own: never less than nothing, and all of it together is the model.
void CheckRest(const Analysis& a) {
  double seconds = 0, joules = 0;
  int64_t nodes = 0, macs = 0;
  for (const ModuleRow& parent : a.modules) {
    double own_s = *parent.time_s, own_j = *parent.energy_j;
    int64_t own_nodes = parent.nodes, own_macs = Number(parent.macs);
    for (const ModuleRow& child : a.modules) {
      if (a.graph->scope(child.scope).parent != parent.scope) continue;
      own_s -= *child.time_s;
      own_j -= *child.energy_j;
      own_nodes -= child.nodes;
      own_macs -= Number(child.macs);
      CHECK(child.params <= parent.params);
    }
    INFO(parent.path);
    CHECK(own_nodes >= 0);
    CHECK(own_macs >= 0);
    CHECK(own_s >= -1e-12 * a.plan->latency_s);
    CHECK(own_j >= -1e-12 * a.plan->energy_j);
    seconds += own_s;
    joules += own_j;
    nodes += own_nodes;
    macs += own_macs;
  }
  CHECK(seconds == Approx(a.plan->latency_s));
  CHECK(joules == Approx(a.plan->energy_j));
  CHECK(nodes == a.coverage.nodes);
  CHECK(macs == Number(a.totals.macs));
}

void CheckModules(const Analysis& a) {
  REQUIRE(a.modules.size() > 1);
  CheckRoot(a);
  CheckRest(a);
}

TEST_CASE("the root module is the whole model, and modules add up to it") {
  const char* target = GENERATE("jetson-orin", "rk3588");
  const char* file = GENERATE("mobilenet_v2.ts.onnx", "lstm_tagger_50.ts.onnx", "simple_resnet.ts.onnx");
  INFO(file << " on " << target);
  CheckModules(On(OfFile(file), target));
}

TEST_CASE("so it is with branches, nodes of no module and a shared weight") {
  const Analysis a = On(Branching(), "jetson-orin");
  CheckModules(a);
  int64_t of_modules = 0;
  for (const ModuleRow& row : a.modules)
    of_modules += row.path == "net/first" || row.path == "net/second" ? row.params : 0;
  CHECK(of_modules == 2 * 64 * 64);  // each uses the whole weight
  CHECK(a.modules[0].params == 64 * 64);
}

TEST_CASE("a module with a node that has no time has none, and so has the root") {
  const Message graph = Message()
                            .Sub(1, Named("Relu", {"x"}, {"a"}, "/known/Relu"))
                            .Sub(1, Named("Mystery", {"a"}, {"y"}, "/odd/Mystery"))
                            .Sub(11, test::TensorValue("x", 1, {64, 64}))
                            .Sub(12, test::TensorValue("y", 1, {64, 64}));
  auto loaded = LoadModelFromMemory(test::Model(graph).bytes(), "odd.onnx");
  REQUIRE(loaded.ok());
  const Analysis a = On(*loaded, "jetson-orin");
  for (const ModuleRow& row : a.modules) {
    INFO(row.path);
    CHECK(row.time_s.has_value() == (row.path == "known"));
  }
}

TEST_CASE("grades are shares of the latency by the unit that takes it") {
  const char* target = GENERATE("jetson-orin", "rk3588", "hailo-8");
  const char* file = GENERATE("mobilenet_v2.ts.onnx", "lstm_tagger_50.ts.onnx");
  INFO(file << " on " << target);
  const Analysis a = On(OfFile(file), target);
  REQUIRE(a.plan->grades.has_value());
  GradeShares want;
  for (const Segment& segment : a.plan->segments) {
    const Grade grade = GradeOf(a.target->units[segment.unit]);
    double& share = grade == Grade::kMeasured ? want.measured : grade == Grade::kFamily ? want.family : want.datasheet;
    share += (segment.transfer_s + segment.invoke_s + segment.time_s) / a.plan->latency_s;
  }
  const GradeShares& found = *a.plan->grades;
  CHECK(found.measured == Approx(want.measured));
  CHECK(found.family == Approx(want.family));
  CHECK(found.datasheet == Approx(want.datasheet));
  CHECK(found.measured + found.family + found.datasheet == Approx(1));
  const Grade worst = found.datasheet > 0 ? Grade::kDatasheet : found.family > 0 ? Grade::kFamily : Grade::kMeasured;
  CHECK(a.plan->grade == worst);
}

}  // namespace
}  // namespace hwest
