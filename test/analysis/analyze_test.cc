#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hwest/analysis.h"
#include "plan/liveness.h"
#include "plan/memory_plan.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"
#include "target/embedded.h"

namespace hwest {
namespace {

const std::string kHead = "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> ";

// A small network with every kind of node an engine may like or refuse.
const std::string kNetwork =
    kHead +
    "agraph (float[n, 16, 32, 32] x, float[32, 16, 3, 3] w, float[32, 1, 3, 3] d, float[32, 64] m) => (float[a, b] y) {"
    " c = Conv<pads = [1, 1, 1, 1]>(x, w)  r = Relu(c)"
    " e = Conv<pads = [1, 1, 1, 1], group = 32>(r, d)  s = Sigmoid(e)  g = Mul(e, s)  h = Add(g, r)"
    " p = GlobalAveragePool(h)  f = Flatten(p)  z = MatMul(f, m)  y = Softmax<axis = -1>(z) }";

std::shared_ptr<const Graph> Load(absl::string_view text) {
  auto graph = LoadModelFromMemory(test::ModelFromText(text), "test.onnx");
  REQUIRE(graph.ok());
  return *graph;
}

AnalysisRequest On(absl::string_view target) {
  AnalysisRequest request;
  request.target = std::string(target);
  request.bind.dims = {{"n", 1}};
  return request;
}

Analysis Run(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  auto analysis = Analyze(graph, request);
  INFO((analysis.ok() ? std::string() : std::string(analysis.status().message())));
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

Code CodeOf(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  const auto analysis = Analyze(graph, request);
  REQUIRE_FALSE(analysis.ok());
  return DiagnosticOf(analysis.status()).code;
}

// The target extended to `count` units by NPUs like its DLA.
std::shared_ptr<const Target> WithMoreUnits(int count) {
  std::string text = "name: \"many\" base: \"jetson-orin\"\n";
  for (int i = 4; i < count; ++i) absl::StrAppend(&text, "unit { name: \"dla", i - 2, "\" like: \"dla0\" }\n");
  auto target = ParseTarget(text, "many.textproto");
  INFO(target.status());
  REQUIRE(target.ok());
  return std::make_shared<const Target>(*std::move(target));
}

TEST_CASE("a target of 40 units is planned, whichever of them run something") {
  const auto graph = Load(kNetwork);
  AnalysisRequest request = On("");
  request.loaded = WithMoreUnits(40);
  REQUIRE(request.loaded->units.size() == 40);
  const Analysis all = Run(graph, request);
  CHECK(all.plan->latency_s <= Run(graph, On("jetson-orin")).plan->latency_s * (1 + 1e-9));
  request.only = {"dla37"};
  const Analysis last = Run(graph, request);
  CHECK(std::any_of(last.plan->groups.begin(), last.plan->groups.end(), [&](const PlannedGroup& group) {
    return group.unit.valid() && last.target->units[group.unit].name == "dla37";
  }));
}

std::vector<std::string> BuiltInTargets() {
  std::vector<std::string> names;
  for (const TargetSummary& target : ListTargets()) names.push_back(target.name);
  return names;
}

bool HasNote(const Analysis& analysis, absl::string_view text) {
  return std::any_of(analysis.diagnostics.begin(), analysis.diagnostics.end(),
                     [&](const Diagnostic& note) { return absl::StrContains(note.message, text); });
}

TEST_CASE("a batch that does not fit where an image does runs as its images one after the other") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  AnalysisRequest request = On("coral-usb");
  request.bind.dims.clear();
  const Analysis one = Run(graph, request);
  request.bind.batch = 8;
  const Analysis eight = Run(graph, request);
  CHECK(eight.batch == 8);
  CHECK(eight.plan->latency_s == Approx(8 * one.plan->latency_s));
  CHECK(eight.plan->energy_j == Approx(8 * one.plan->energy_j));
  // Inputs and outputs of all are there meanwhile: 224 x 224 x 3 bytes and 1,000 of each image.
  constexpr int64_t kOfImage = 224 * 224 * 3 + 1000;
  CHECK(eight.plan->peak_memory_bytes >= one.plan->peak_memory_bytes + 7 * kOfImage);
  CHECK(eight.plan->peak_memory_bytes <= one.plan->peak_memory_bytes + 8 * kOfImage + 2 * 64);
  CHECK(ProblemsOf(eight.plan->lifetimes).empty());
  CHECK(eight.plan->groups[0].work.macs == 8 * one.plan->groups[0].work.macs);
  CHECK(absl::StrContains(eight.plan->segments[0].reason, "the 8 images one after the other"));
  const auto is_note = [](const Diagnostic& d) {
    return absl::StrContains(d.message, "8 images run one after the other");
  };
  CHECK(std::count_if(eight.diagnostics.begin(), eight.diagnostics.end(), is_note) == 1);
  // The activations of one image are in memory at a time.
  const std::vector<int64_t> live = LiveBytesOf(eight.plan->lifetimes, eight.plan->groups.size());
  CHECK(*std::max_element(live.begin(), live.end()) + eight.plan->deployed_bytes == eight.plan->peak_memory_bytes);
}

TEST_CASE("groups of the caller's patterns keep their names when the images run one after the other") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  const std::string name = "a_name_of_the_caller_that_is_longer_than_any_short_string";
  AnalysisRequest request = On("coral-usb");
  request.bind.dims.clear();
  request.bind.batch = 8;
  request.fusion_rules = name + " = Clip(Conv(x, w, b?), _?, _?)\n";
  const Analysis eight = Run(graph, request);
  REQUIRE(HasNote(eight, "8 images run one after the other"));
  const auto is_named = [&](const PlannedGroup& row) { return row.group.pattern == name; };
  CHECK(std::count_if(eight.plan->groups.begin(), eight.plan->groups.end(), is_named) == 35);
}

TEST_CASE("what a group keeps on the chip and what crosses the shared memory are all it moves") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  AnalysisRequest request = On(GENERATE("jetson-orin", "coral-usb", "tda4vm"));
  request.bind.dims.clear();
  const Analysis analysis = Run(graph, request);
  int64_t kept = 0;
  for (const PlannedGroup& row : analysis.plan->groups) {
    REQUIRE(row.estimate.has_value());
    const Residency& stays = row.residency;
    const int64_t moved = row.work.in_bytes + row.work.weight_bytes + row.work.out_bytes;
    const int64_t resident = stays.in_bytes + stays.weight_bytes + stays.out_bytes;
    CHECK(row.estimate->dram_bytes >= moved - resident);
    kept += resident;
  }
  CHECK(kept > 0);
}

std::vector<std::string> PrecisionsIn(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const auto& [name, share] : analysis.plan->precision_shares) names.push_back(name);
  return names;
}

TEST_CASE("one precision is assumed for the whole model, whatever --only says, and a mix is made when asked for") {
  using Names = std::vector<std::string>;
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/simple_resnet.ts.onnx");
  AnalysisRequest request = On("jetson-orin");
  request.bind.dims.clear();
  for (const Names& only : {Names{}, Names{"dla0"}, Names{"dla0", "dla1"}, Names{"gpu"}}) {
    request.only = only;
    const Analysis auto_run = Run(graph, request);
    CHECK(auto_run.precision == "fp16");
    CHECK(PrecisionsIn(auto_run).front() == "fp16");
    CHECK(HasNote(auto_run, "assumed fp16, file is fp32"));
    CHECK_FALSE(HasNote(auto_run, "calibration"));
  }
  request.only = {"cpu"};
  const Analysis cpu = Run(graph, request);
  CHECK(cpu.precision == "fp16");
  CHECK(PrecisionsIn(cpu) == Names{"fp32"});
  CHECK(HasNote(cpu, "cpu: runs fp32"));
  for (const char* mix : {"mixed", "dla0=int8"}) {
    request.only = {"dla0"};
    request.precision = mix;
    const Analysis run = Run(graph, request);
    CHECK(run.precision == mix);
    CHECK(PrecisionsIn(run).front() == "int8");
    CHECK(HasNote(run, "dla0: int8 of an fp32 file takes a calibration set"));
    double shares = 0;
    for (const auto& [name, share] : run.plan->precision_shares) shares += share;
    CHECK(shares == Approx(1));
  }
  for (const char* wrong : {"npu=int8", "dla0=fp32", "dla0=half"}) {
    request.precision = wrong;
    CHECK(CodeOf(graph, request) == Code::kUsage);
  }
}

TEST_CASE("2:4 sparse weights are assumed where asked for and where the target states a rate, and a note says so") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/simple_resnet.ts.onnx");
  struct Case {
    const char* target;
    bool is_faster;
    const char* note;
  };
  const auto c = GENERATE(values<Case>({
      {"a100", true, "assumed 2:4 sparse weights in "},
      {"t4", false, "the target states no rate for 2:4 sparse weights"},
  }));
  INFO(c.target);
  AnalysisRequest request = On(c.target);
  request.bind.dims.clear();
  const Analysis dense = Run(graph, request);
  CHECK_FALSE(HasNote(dense, "sparse"));
  CHECK_FALSE(dense.plan->sparse_macs.has_value());
  request.sparsity = Sparsity::kTwoOfFour;
  const Analysis sparse = Run(graph, request);
  CHECK(HasNote(sparse, c.note));
  CHECK((*sparse.plan->sparse_macs > 0) == c.is_faster);
  CHECK((sparse.plan->latency_s < dense.plan->latency_s) == c.is_faster);
  CHECK(sparse.plan->latency_s <= dense.plan->latency_s);
  int64_t macs = 0;
  for (const PlannedGroup& group : sparse.plan->groups) macs += group.work.macs;
  CHECK(*sparse.plan->sparse_macs < macs);  // the three channels of the image stay dense
}

TEST_CASE("a lower power mode does not win by running narrower") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/bert-base_128.ts.onnx");
  double before_s = 0;
  for (const char* mode : {"MAXN", "50W", "30W", "15W"}) {
    INFO(mode);
    AnalysisRequest request = On("jetson-orin");
    request.bind.dims = {{"batch", 1}, {"seq", 128}};
    request.mode = mode;
    const double latency_s = Run(graph, request).plan->latency_s;
    CHECK(latency_s > before_s);
    before_s = latency_s;
  }
}

TEST_CASE("equal units take the images of a batch side by side") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/simple_resnet.ts.onnx");
  AnalysisRequest request = On("jetson-orin");
  request.bind.dims.clear();
  request.bind.batch = 1;
  request.precision = "int8";
  request.only = {"dla0"};
  const Analysis one = Run(graph, request);
  request.only = {"dla0", "dla1"};
  const UnitId dla0 = UnitIdOf(*one.target, "dla0"), dla1 = UnitIdOf(*one.target, "dla1");
  double others_s = 0;
  for (const Segment& segment : one.plan->segments) {
    if (segment.unit != dla0) others_s += segment.transfer_s + segment.invoke_s + segment.time_s;
  }
  for (const int64_t images : {2, 4}) {
    INFO(images << " images");
    request.bind.batch = images;
    const Analysis both = Run(graph, request);
    const Plan& plan = *both.plan;
    CHECK(HasNote(both, "side by side on dla0 and dla1"));
    // The rate is the sum of both engines' own; one batch waits for what the CPU does for one image after the other.
    const auto rounds = static_cast<double>(images) / 2;
    CHECK(plan.interval_s <= rounds * one.plan->interval_s * (1 + 1e-9));
    CHECK(plan.latency_s <= rounds * (one.plan->latency_s + others_s) * (1 + 1e-9));
    CHECK(plan.interval_s <= plan.latency_s);
    CHECK(plan.units[dla0].busy_s >= plan.units[dla1].busy_s);
    CHECK(plan.units[dla1].busy_s > 0);
    CHECK(plan.peak_memory_bytes >= one.plan->peak_memory_bytes);
    double seconds = 0, joules = 0;
    int64_t macs = 0, unit_macs = 0;
    for (const PlannedGroup& row : plan.groups) {
      macs += row.work.macs;
      seconds += row.estimate->time_s;
      CHECK(row.estimate->time_s >= std::max(row.estimate->compute_s, row.estimate->memory_s));
    }
    for (const Segment& segment : plan.segments) {
      seconds += segment.transfer_s + segment.invoke_s;
      joules += segment.energy_j;
    }
    for (const UnitTotals& unit : plan.units) unit_macs += unit.macs;
    CHECK(both.totals.macs.IsConstant(macs));
    CHECK(unit_macs == macs);
    CHECK(seconds == Approx(plan.latency_s).epsilon(1e-9));
    CHECK(joules == Approx(plan.energy_j));
    CHECK(plan.energy_j < static_cast<double>(images) * one.plan->energy_j * (1 + 1e-9));
    CHECK(plan.latency_low_s <= plan.latency_s);
    CHECK(plan.latency_s <= plan.latency_high_s);
  }
  request.only.clear();
  request.bind.batch = 2;
  const double default_s = Run(graph, request).plan->latency_s;
  request.only = {"dla0", "dla1"};
  CHECK(default_s <= Run(graph, request).plan->latency_s * (1 + 1e-9));
  request.deny = {{"Relu", "dla1"}};
  CHECK_FALSE(HasNote(Run(graph, request), "side by side"));
}

TEST_CASE("a module named is a module used, and its host competes only when asked to") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  for (const char* target : {"hailo-8l", "hailo-8", "hailo-10h", "coral-usb", "coral-pcie", "t4"}) {
    INFO(target);
    AnalysisRequest request = On(target);
    request.bind.dims.clear();
    const Analysis held = Run(graph, request);
    const UnitId host = UnitIdOf(*held.target, "cpu");
    CHECK(held.plan->units[host].groups == 0);
    CHECK_FALSE(held.plan->host_competes);
    request.host_competes = HostCompetes::kYes;
    const Analysis competing = Run(graph, request);
    CHECK(competing.plan->host_competes);
    CHECK(competing.plan->latency_s <= held.plan->latency_s * (1 + 1e-9));
    request.bind.batch = 8;
    request.host_competes = HostCompetes::kNo;
    CHECK(Run(graph, request).plan->units[host].groups == 0);
  }
}

// Rows of one cloud beside the map made of them.
TEST_CASE("a leading dim that no output has is no batch, and the report says so") {
  const auto graph = std::make_shared<const Graph>(
      test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> m (float[64, 4] pillars) => (float[1, 4] y)"
                          " { y = ReduceMax<axes = [0]>(pillars) }"));
  AnalysisRequest request = On("jetson-orin");
  request.bind.dims.clear();
  const Analysis analysis = Run(graph, request);
  CHECK(analysis.batch == 1);
  const auto is_note = [](const Diagnostic& d) {
    return absl::StrContains(d.message, "no output leads with the 64 of input 'pillars' [64, 4]");
  };
  CHECK(std::count_if(analysis.diagnostics.begin(), analysis.diagnostics.end(), is_note) == 1);
  request.bind.batch = 1;
  CHECK(Run(graph, request).batch == 1);
  request.bind.batch = 2;
  const auto two = Analyze(graph, request);
  REQUIRE_FALSE(two.ok());
  CHECK(DiagnosticOf(two.status()).code == Code::kBindConflict);
  CHECK_THAT(DiagnosticOf(two.status()).remedy, Catch::Contains("'pillars' as [N, 64, 4]"));
}

TEST_CASE("after the first operator on the host nothing returns to a unit that takes a prefix only") {
  const auto graph =
      Load(kHead +
           "agraph (float[1, 16, 64, 64] x) => (float[1, 16, 64, 64] y) <int64[4] sizes = {16, 16, 3, 3}> {"
           " w = ConstantOfShape(sizes)  c = Conv<pads = [1, 1, 1, 1]>(x, w)  l = LeakyRelu(c)"
           " y = Conv<pads = [1, 1, 1, 1]>(l, w) }");
  AnalysisRequest request = On("coral-usb");
  request.bind.dims.clear();
  request.pin = {{"c", "edgetpu"}};
  const Analysis analysis = Run(graph, request);
  const UnitId tpu = UnitIdOf(*analysis.target, "edgetpu");
  const auto unit_of = [&](absl::string_view output) {
    return analysis.plan->groups[analysis.plan->group_of[test::NodeOf(*graph, output)].index()].unit;
  };
  CHECK(analysis.support[tpu][test::NodeOf(*graph, "y")].verdict == Verdict::kYes);
  CHECK(unit_of("c") == tpu);
  CHECK(unit_of("l") == UnitIdOf(*analysis.target, "cpu"));
  CHECK(unit_of("y") == UnitIdOf(*analysis.target, "cpu"));
}

TEST_CASE("bodies of loops add up over their runs: growing sizes, open limits, expected runs") {
  const auto graph =
      Load(kHead +
           "agraph (float[n, 64] x, float[64, 64] w, int64 m) => (float[a, b] y, float[c, d] z)"
           " <int64 five = {5}> {"
           " z = Loop (five, , x) <body = b (int64 i, bool c, float[p, q] h) => (bool c, float[r, s] k)"
           " { e = MatMul(h, w)  k = Concat<axis = 0>(e, x) }>"
           " y = Loop (m, , x) <body = b2 (int64 i2, bool c2, float[p2, q2] h2) => (bool c2, float[r2, s2] k2)"
           " { k2 = MatMul(h2, w) }> }");
  AnalysisRequest open = On("");
  open.bind.dims.clear();
  const Analysis symbolic = Run(graph, open);
  CHECK(symbolic.dims->ToString(symbolic.totals.macs) == "4096*n*trips + 61440*n");
  struct Row {
    std::vector<std::pair<std::string, int64_t>> expect;
    int64_t runs;
    bool noted;
  };
  for (const Row& row : {Row{{}, 1, true}, Row{{{"trips", 6}}, 6, false}}) {
    AnalysisRequest request = On("jetson-orin");
    request.bind.dims = {{"n", 8}};
    request.bind.expect = row.expect;
    const Analysis a = Run(graph, request);
    const int64_t macs = 8 * 61440 + 8 * 4096 * row.runs;
    CHECK(a.totals.macs.IsConstant(macs));
    int64_t in_groups = 0, in_nodes = 0;
    for (const PlannedGroup& group : a.plan->groups) in_groups += group.work.macs;
    for (size_t n = 0; n < a.counts.size(); ++n) in_nodes += a.counts[NodeId(n)].macs.value_or(0);
    CHECK(in_groups == macs);
    CHECK(in_nodes == macs);
    const bool noted = std::any_of(a.diagnostics.begin(), a.diagnostics.end(), [](const Diagnostic& diagnostic) {
      return diagnostic.code == Code::kAssumed && diagnostic.remedy.find("--expect trips=N") != std::string::npos;
    });
    CHECK(noted == row.noted);
  }
}

// Boxes of a detector: NonMaxSuppression of all places, and work on what it keeps.
const std::string kDetector =
    kHead +
    "agraph (float[1, 8000, 4] boxes, float[1, 20, 8000] logits, float[8000, 64] features, float[64, 64] w) =>"
    " (float[a, b] y) <int64 most = {1000}, float overlap = {0.5}, float low = {0.05}, int64[1] last = {2}, int64[1] "
    "flat = {-1}> {"
    " scores = Sigmoid(logits)  kept = NonMaxSuppression(boxes, scores, most, overlap, low)"
    " i = Gather<axis = 1>(kept, last)  k = Reshape(i, flat)  f = Gather(features, k)"
    " y = MatMul(f, w) }";

TEST_CASE("data-dependent sizes: time and counts at the typical size, the range and peak memory up to the largest") {
  const auto graph = Load(kDetector);
  AnalysisRequest request = On("x86-avx512");
  request.bind.dims.clear();
  const Analysis typical = Run(graph, request);
  REQUIRE(typical.plan->size_range.has_value());
  const SizeRange range = *typical.plan->size_range;
  CHECK(typical.totals.macs.IsConstant(300 * 64 * 64));
  CHECK(range.low_s == typical.plan->latency_s);
  CHECK(range.high_s > 10 * range.low_s);
  CHECK(typical.plan->latency_low_s <= typical.plan->latency_s);
  CHECK(typical.plan->latency_s <= typical.plan->latency_high_s);
  // Every box of every class passes, and each class keeps its limit.
  request.bind.expect = {{"candidates*", 8000}, {"nms*", 20000}};
  const Analysis largest = Run(graph, request);
  CHECK(largest.plan->latency_s == Approx(*range.high_s));
  CHECK(largest.plan->size_range->high_s == Approx(*range.high_s));
  CHECK(largest.totals.macs.IsConstant(int64_t{20000} * 64 * 64));
  CHECK(typical.plan->peak_memory_bytes == largest.plan->peak_memory_bytes);
  const std::vector<int64_t> live = LiveBytesOf(typical.plan->lifetimes, typical.plan->groups.size());
  CHECK(*std::max_element(live.begin(), live.end()) + typical.plan->deployed_bytes == typical.plan->peak_memory_bytes);
  // 20 * 1000 rows of 64 features and as many results are alive at the same time.
  CHECK(typical.plan->peak_memory_bytes >= 2 * 20000 * 64 * 4);
  request.bind.expect = {{"nms*", 10}};
  const Analysis few = Run(graph, request);
  CHECK(few.totals.macs.IsConstant(10 * 64 * 64));
  CHECK(few.plan->latency_s < typical.plan->latency_s);
  CHECK(few.plan->size_range->high_s == Approx(*range.high_s));
}

TEST_CASE("a graph without data-dependent sizes has no range, an open loop no upper end") {
  CHECK_FALSE(Run(Load(kNetwork), On("jetson-orin")).plan->size_range.has_value());
  const auto open = Load(kHead +
                         "agraph (float[4] x, int64 m, bool t) => (float[4] y) { y = Loop (m, t, x) <body = b"
                         " (int64 i, bool c, float[4] h) => (bool d, float[4] k) { d = Identity(c)  k = Relu(h) }> }");
  AnalysisRequest request = On("jetson-orin");
  request.bind.dims.clear();
  const Analysis analysis = Run(open, request);
  REQUIRE(analysis.plan->size_range.has_value());
  CHECK(analysis.plan->size_range->low_s == analysis.plan->latency_s);
  CHECK_FALSE(analysis.plan->size_range->high_s.has_value());
}

TEST_CASE("sorting, selecting and index arithmetic run in 32 bits whatever the precision of the model") {
  const auto graph =
      Load(kHead +
           "agraph (float[1, 8000, 4] boxes, float[1, 20, 8000] scores, float[1, 90000] x, int64[70000] ids)"
           " => (int64[a, b] kept, float[c, d] top, int64[e, f] at, int64[g, h] found, int64[i] next)"
           " <int64 most = {100}, float overlap = {0.5}, int64[1] k = {500}, int64 one = {1}> {"
           " kept = NonMaxSuppression(boxes, scores, most, overlap)  top, at = TopK(x, k)"
           " found = NonZero(x)  next = Add(ids, one) }");
  struct Case {
    const char* target;
    const char* unit;
    std::vector<const char*> precisions;
  };
  const Case cases[] = {{"jetson-orin", "gpu", {"fp32", "fp16", "int8"}}, {"tda4vm", "cpu", {"fp32", "int8"}}};
  for (const auto& [target, unit, precisions] : cases) {
    std::vector<std::vector<double>> seconds;
    for (const char* const precision : precisions) {
      AnalysisRequest request = On(target);
      request.bind.dims.clear();
      request.precision = precision;
      request.only = {unit};
      const Analysis analysis = Run(graph, request);
      seconds.emplace_back();
      for (const PlannedGroup& group : analysis.plan->groups) {
        INFO(target << ' ' << precision << ' ' << group.group.pattern);
        REQUIRE(group.estimate.has_value());
        seconds.back().push_back(group.estimate->time_s);
        CHECK(PrecisionName(group.work.precision) == (group.group.pattern == "Add" ? "int32" : "fp32"));
      }
    }
    INFO(target);
    for (const std::vector<double>& other : seconds) CHECK(other == seconds[0]);
  }
}

TEST_CASE("the invariants of a plan hold on every target") {
  const auto graph = Load(kNetwork);
  for (const std::string& target : BuiltInTargets()) {
    INFO(target);
    const Analysis a = Run(graph, On(target));
    REQUIRE(a.plan.has_value());
    const Plan& plan = *a.plan;

    std::vector<int> groups_of(graph->nodes().size(), 0);
    double serial = 0;
    int64_t macs = 0;
    for (const PlannedGroup& group : plan.groups) {
      for (const NodeId node : group.group.nodes) ++groups_of[node.index()];
      macs += group.work.macs;
      REQUIRE(group.estimate.has_value());
      const bool overlaps = plan.segments[group.segment.index()].contexts > 0;
      if (!overlaps) serial += group.estimate->time_s;
      CHECK(group.estimate->time_s >= std::max(group.estimate->compute_s, group.estimate->memory_s));
      CHECK(group.estimate->low_s <= group.estimate->time_s);
      CHECK(group.estimate->time_s <= group.estimate->high_s);
      CHECK(group.unit.valid());
    }
    for (size_t n = 0; n < graph->nodes().size(); ++n) {
      const NodeClass node_class = a.classes[NodeId(n)];
      const bool kernel = node_class == NodeClass::kCompute || node_class == NodeClass::kLayout;
      CHECK((kernel ? groups_of[n] == 1 : groups_of[n] <= 1));
    }
    for (const Segment& segment : plan.segments) {
      serial += segment.transfer_s + segment.invoke_s + (segment.contexts > 0 ? segment.time_s : 0);
    }
    CHECK(std::abs(serial - plan.latency_s) <= 1e-9 * plan.latency_s);
    CHECK(macs == a.totals.macs.value());
    CHECK(macs == 32 * 32 * 32 * 16 * 9 + 32 * 32 * 32 * 9 + 32 * 64);
    CHECK(plan.latency_low_s <= plan.latency_s);
    CHECK(plan.latency_s <= plan.latency_high_s);
    CHECK(a.coverage.costed == a.coverage.nodes);
    CHECK(a.coverage.placed == a.coverage.nodes);
  }
}

TEST_CASE("the default plan is never longer than that of one unit with the CPU") {
  const auto graph = Load(kNetwork);
  for (const std::string& target : BuiltInTargets()) {
    const Analysis all = Run(graph, On(target));
    for (const Unit& unit : all.target->units) {
      if (!unit.placeable) continue;
      INFO(target << " " << unit.name);
      AnalysisRequest request = On(target);
      request.only = {unit.name};
      // The law is one of equal precision, and a discrete host has to be let into it.
      const Analysis alone = Run(graph, request);
      request.only.clear();
      request.host_competes = HostCompetes::kYes;
      CHECK(Run(graph, request).plan->latency_s <= alone.plan->latency_s * (1 + 1e-9));
    }
    CHECK(all.plan->latency_s <= *all.plan->greedy_latency_s * (1 + 1e-9));
  }
}

TEST_CASE("a node without a rule lowers what is counted and costed by one, and nothing else") {
  const auto graph = Load(kHead +
                          "agraph (float[1, 8, 8, 8] x) => (float[1, 8, 8, 8] y)"
                          " <float[1, 8, 8, 8] f> { a = Relu(x)  f = my.Foo(a)  y = Sigmoid(f) }");
  const Analysis a = Run(graph, {.target = "jetson-orin"});
  CHECK(a.coverage.nodes == 3);
  CHECK(a.coverage.typed == 3);
  CHECK(a.coverage.counted == 2);
  CHECK(a.coverage.costed == 2);
  CHECK_FALSE(a.coverage.time_share.has_value());
  CHECK(Run(Load(kNetwork), On("jetson-orin")).coverage.time_share == 1.0);
  REQUIRE(a.coverage.unknown_nodes.size() == 1);
  CHECK(graph->op(a.coverage.unknown_nodes[0]) == "Foo");
}

// Conv, then BatchNormalization or not, then Relu; weights are constants whose bytes are elsewhere.
std::shared_ptr<const Graph> ConvRelu(bool normalised) {
  test::Message graph;
  if (normalised) {
    graph.Sub(1, test::Node("Conv", {"x", "w"}, {"c"}))
        .Sub(1, test::Node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"n"}))
        .Sub(1, test::Node("Relu", {"n"}, {"y"}));
  } else {
    graph.Sub(1, test::Node("Conv", {"x", "w", "b"}, {"c"})).Sub(1, test::Node("Relu", {"c"}, {"y"}));
  }
  graph.Sub(5, test::ExternalTensor("w", 1, {16, 8, 3, 3}, "weights.bin", "0", "4608"));
  for (const char* name : {"s", "b", "m", "v"}) {
    if (normalised || *name == 'b') graph.Sub(5, test::ExternalTensor(name, 1, {16}, "weights.bin", "0", "64"));
  }
  graph.Sub(11, test::TensorValue("x", 1, {1, 8, 32, 32})).Sub(12, test::TensorValue("y", 1, {1, 16, 30, 30}));
  auto built = LoadModelFromMemory(test::Model(graph).bytes(), "test.onnx");
  REQUIRE(built.ok());
  return *built;
}

TEST_CASE("a BatchNormalization behind a convolution costs what the folded export costs") {
  const auto folded = ConvRelu(false), kept = ConvRelu(true);
  for (const std::string& target : BuiltInTargets()) {
    INFO(target);
    AnalysisRequest request{.target = target};
    const Analysis a = Run(folded, request), b = Run(kept, request);
    REQUIRE(b.plan->groups.size() == a.plan->groups.size());
    CHECK(b.plan->groups[0].group.pattern == a.plan->groups[0].group.pattern);
    CHECK(b.plan->latency_s == Approx(a.plan->latency_s).epsilon(1e-9));
    request.fusions = "none";
    CHECK(Run(kept, request).plan->groups.size() == 3);
    CHECK(Run(kept, request).plan->latency_s > Run(folded, request).plan->latency_s);
  }
}

TEST_CASE("requests that cannot be met end in the code of the contract") {
  const auto graph = Load(kNetwork);
  CHECK(CodeOf(graph, {.target = "jetson-orin"}) == Code::kFreeDims);
  CHECK(CodeOf(graph, On("jetson-orinn")) == Code::kTargetUnknown);
  CHECK(CodeOf(graph, {.target = "jetson-orinn"}) == Code::kTargetUnknown);
  AnalysisRequest request = On("jetson-orin");
  request.bind.dims.push_back({"nobody", 3});
  CHECK(CodeOf(graph, request) == Code::kBindConflict);
  request = On("jetson-orin");
  request.precision = "int3";
  CHECK(CodeOf(graph, request) == Code::kUsage);
  request = On("jetson-orin");
  request.mode = "7W";
  CHECK(CodeOf(graph, request) == Code::kTargetUnknown);
}

// The text of a built-in target with `from` written as `to`, as a file.
std::string EditedTarget(absl::string_view name, absl::string_view from, absl::string_view to) {
  const EmbeddedFile* file = FindEmbedded(EmbeddedTargets(), name);
  REQUIRE(file != nullptr);
  const std::string text = absl::StrReplaceAll(file->text, {{from, to}});
  REQUIRE(text != file->text);
  const auto path = std::filesystem::temp_directory_path() / absl::StrCat("hwest_analysis_test_", name, ".textproto");
  std::ofstream(path) << text;
  return path.string();
}

TEST_CASE("law: a slower clock or less bandwidth never makes a model faster") {
  struct Case {
    std::string target, from, to;
  };
  const auto c = GENERATE(values<Case>({
      {"tda4vm", "clock_hz { value: 1e9", "clock_hz { value: 0.5e9"},
      {"tda4vm", "clock_hz { value: 2e9", "clock_hz { value: 1e9"},
      {"jetson-agx-orin-64gb", "bytes_per_s { value: 204.8e9", "bytes_per_s { value: 102.4e9"},
  }));
  INFO(c.target << ": " << c.from);
  const auto graph = Load(kNetwork);
  const Analysis before = Run(graph, On(c.target));
  const Analysis after = Run(graph, On(EditedTarget(c.target, c.from, c.to)));
  CHECK(after.plan->latency_s >= before.plan->latency_s * (1 - 1e-12));
}

TEST_CASE("a count that leaves 64 bits is unknown and reported, never wrapped") {
  const auto graph = Load(kHead + "agraph (float[3000000000, 3000000000] x) => (float[a, b] y) { y = MatMul(x, x) }");
  const Analysis a = Run(graph, {});
  CHECK_FALSE(a.counts[NodeId(0u)].macs.has_value());
  CHECK(a.coverage.counted == 0);
  REQUIRE_FALSE(a.diagnostics.empty());
  CHECK(a.diagnostics[0].code == Code::kOverflow);
}

TEST_CASE("without a target there are counts, formulas included, and no plan") {
  const auto graph = Load(kNetwork);
  const Analysis a = Run(graph, {});
  CHECK_FALSE(a.plan.has_value());
  CHECK(a.dims->ToString(a.totals.macs).find("*n") != std::string::npos);
  CHECK(a.coverage.typed == a.coverage.nodes);
}

TEST_CASE("rules of the caller give a custom operator its shape, cost and place") {
  const auto graph = Load(kHead +
                          "agraph (float[n, 8, 4] x, float[4, 6] w) => (float[a, b, c] y) {"
                          " h = my.Attend<heads = 2>(x, w)  y = Relu(h) }");
  AnalysisRequest request;
  request.bind.dims = {{"n", 3}};
  CHECK(Run(graph, request).coverage.unknown_nodes.size() == 1);
  request.op_rules =
      "my::Attend(x, w) -> h\n"
      "  rank x = 3\n"
      "  shape h = [x.0, x.1 // 2, max(w.-1, 1) * @heads]\n"
      "  matmul = [x.0, h.1, w.1, attr(depth, 5)]\n"
      "  ops add = numel(h) + rank(x)\n";
  const Analysis shapes = Run(graph, request);
  CHECK(shapes.coverage.unknown_nodes.empty());
  CHECK(shapes.diagnostics.empty());
  const NodeId node = test::NodeOf(*graph, "h");
  CHECK(ToString(shapes.facts.values[test::ValueOf(*graph, "y")].type.shape, *shapes.dims) == "[3, 4, 12]");
  CHECK(shapes.classes[node] == NodeClass::kCompute);
  CHECK(shapes.counts[node].macs == 3 * 4 * 6 * 5);
  CHECK(shapes.counts[node].flops == 2 * 3 * 4 * 6 * 5 + 3 * 4 * 12 + 3);
  CHECK(shapes.counts[node].in_bytes == 4 * (3 * 8 * 4 + 4 * 6));

  request.target = "jetson-orin";
  const Analysis timed = Run(graph, request);
  const PlannedGroup& group = timed.plan->groups[timed.plan->group_of[node].index()];
  REQUIRE(group.unit.valid());
  CHECK(timed.target->units[group.unit].kind == UnitKind::kSimdCpu);
  CHECK(group.estimate.has_value());

  request.op_rules = "my::Attend(x) -> h\n  rank x = 2\n";
  const Analysis refused = Run(graph, {.bind = request.bind, .op_rules = request.op_rules});
  CHECK(refused.diagnostics[0].code == Code::kInferFailed);
  CHECK_THAT(refused.diagnostics[0].message, Catch::Contains("'x' has rank 3, its rule says 2"));
  request.op_rules = "my::Attend(x) -> h\n  macs = y.0\n";
  CHECK(CodeOf(graph, request) == Code::kUsage);
}

std::vector<std::string> Unused(const Analysis& analysis) {
  std::vector<std::string> notes;
  for (const Diagnostic& row : analysis.diagnostics) {
    if (row.code == Code::kUnusedRule) notes.push_back(row.message + ": " + row.remedy);
  }
  return notes;
}

TEST_CASE("rules that match nothing are noted") {
  const auto graph = Load(kHead +
                          "agraph (float[2, 4] x, float[4, 6] w) => (float[a, b] y) {"
                          " h = my.Attend<heads = 2>(x, w)  y = Relu(h) }");
  AnalysisRequest request;
  request.op_rules = "my::Atend(x) -> h\n  shape h = x\nmy::Attend(x) -> h\n  shape h = x\n";
  CHECK(Unused(Run(graph, request)) ==
        std::vector<std::string>{"op rule my::Atend matched no node: did you mean my::Attend?"});
  request.op_rules = "my::Attend(x) -> h\n  shape h = [x.0, @haeds]\n";
  const Analysis refused = Run(graph, request);
  REQUIRE(refused.diagnostics[0].code == Code::kInferFailed);
  CHECK_THAT(refused.diagnostics[0].message,
             Catch::Contains("reads attribute 'haeds', which the node does not have; did you mean 'heads'?"));

  request.op_rules = "my::Attend(x) -> h\n  shape h = x\n";
  request.target = "jetson-orin";
  request.fusion_rules =
      "mine = Relu(my::Attend(x, w))\nother = Sigmoid(Relu(x))\nthird = Relu(x)\n  toolchains tidl\n";
  const std::vector<std::string> notes = Unused(Run(graph, request));
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Catch::StartsWith("fusion other matched nothing in the model"));
  CHECK_THAT(notes[1], Catch::Contains("no unit of jetson-agx-orin-64gb has the toolchain tidl"));
}

TEST_CASE("rules of a custom operator stay symbolic where sizes are") {
  const auto graph = Load(kHead + "agraph (float[n, 8] x) => (float[a, b] y) { y = my.Pad(x) }");
  AnalysisRequest request;
  request.op_rules = "my::Pad(x) -> y\n  shape y = [ceildiv(x.0, 4) * 4, x.1]\n  dtype y = float16\n  class = layout\n";
  const Analysis analysis = Run(graph, request);
  const Type& type = analysis.facts.values[test::ValueOf(*graph, "y")].type;
  CHECK(ToString(type.shape, *analysis.dims) == "[4*ceildiv(n, 4), 8]");
  CHECK(type.elem == ElemType::kFloat16);
  CHECK(analysis.classes[test::NodeOf(*graph, "y")] == NodeClass::kLayout);
}

TEST_CASE("a model may be folded as a whole, or to one node") {
  const std::string whole = "agraph (float[2, 3] x) => (float[a, b] y) { s = Shape(x)  y = ConstantOfShape(s) }";
  const std::string part =
      "agraph (float[2, 3] x) => (float[2, 3] y, float[a, b] z) {"
      " s = Shape(x)  z = ConstantOfShape(s)  y = Sub(z, x) }";
  for (const char* target : {"jetson-orin", "tda4vm", "hailo-8", "x86-avx512"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const Analysis folded = Run(Load(kHead + whole), request);
    CHECK(folded.plan->groups.empty());
    CHECK(folded.plan->latency_s == 0);
    CHECK(folded.coverage.unknown_nodes.empty());
    const Analysis one = Run(Load(kHead + part), request);
    CHECK(one.plan->groups.size() == 1);
    CHECK(one.plan->groups[0].work.weight_bytes > 0);
    CHECK(one.coverage.unknown_nodes.empty());
  }
}

TEST_CASE("what no output needs changes no figure, and is said once") {
  const std::string plain =
      "agraph (float[1, 16, 32, 32] x, float[16, 16, 3, 3] w) => (float[a, b, c, d] y) {"
      " c = Conv(x, w)  p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(c)  y = Relu(p) }";
  const std::string more =
      "agraph (float[1, 16, 32, 32] x, float[16, 16, 3, 3] w) => (float[a, b, c, d] y) {"
      " c = Conv(x, w)  p, i = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(c)"
      " j = my.Foo(i)  s = Softmax(c)  y = Relu(p) }";
  for (const char* target : {"jetson-orin", "tda4vm", "sa8295p", "hailo-8", "rk3588", "x86-avx512"}) {
    INFO(target);
    AnalysisRequest request;
    request.target = target;
    const Analysis without = Run(Load(kHead + plain), request), with = Run(Load(kHead + more), request);
    CHECK(with.plan->latency_s == without.plan->latency_s);
    CHECK(with.plan->peak_memory_bytes == without.plan->peak_memory_bytes);
    CHECK(with.plan->segments.size() == without.plan->segments.size());
    CHECK(with.totals.flops == without.totals.flops);
    CHECK(with.coverage.unknown_nodes.empty());
    CHECK(with.coverage.nodes == without.coverage.nodes);
    const auto is_note = [](const Diagnostic& row) { return row.code == Code::kDeadNodes; };
    CHECK(std::count_if(with.diagnostics.begin(), with.diagnostics.end(), is_note) == 1);
    CHECK(std::count_if(without.diagnostics.begin(), without.diagnostics.end(), is_note) == 0);
  }
}

}  // namespace
}  // namespace hwest
