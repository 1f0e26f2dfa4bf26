#include "hwest/workload.h"
#include "support/catch.h"

namespace hwest {
namespace {

constexpr char kWhole[] = R"(# every key
target: "jetson-orin"
mode: "MAXN"
task { name: "detect" model: "a/detect.onnx" precision: "int8" rate: "30 FPS" deadline: "33 ms" priority: 1
       jitter: "1 ms" }
task { name: "depth" model: "/b/depth.onnx" rate: "15 FPS" after: "detect" probability: 0.5 batch: 2 only: "dla0,cpu"
       pin: "Conv_1@cpu" dim { name: "seq" value: 128 } }
task { name: "stated" time: "2.5 ms" memory: "40 %" groups: 60 only: "gpu" }
load { name: "camera" memory: "6 GB/s" }
load { name: "planner" unit: "cpu" period: "10 ms" time: "20 %" }
policy { unit: "gpu" kind: ROUND_ROBIN slice: "2 ms" }
policy { unit: "dla0" kind: ROUND_ROBIN yield: BETWEEN_GROUPS }
)";

constexpr char kAsJson[] = R"({
  "target": "jetson-orin",
  "mode": "MAXN",
  "task": [
    {"name": "detect", "model": "a\/detect.onnx", "precision": "int8", "rate": "30 FPS", "deadline": "33 ms",
     "priority": 1, "jitter": "1 ms"},
    {"name": "depth", "model": "/b/depth.onnx", "rate": "15 FPS", "after": "detect", "probability": 0.5, "batch": 2,
     "only": "dla0,cpu",
     "pin": ["Conv_1@cpu"], "dim": {"seq": 128}},
    {"name": "stated", "time": "2.5 ms", "memory": "40 %", "groups": 60, "only": ["gpu"]}
  ],
  "load": [{"name": "camera", "memory": "6 GB/s"},
           {"name": "planner", "unit": "cpu", "period": "10 ms", "time": "20 %"}],
  "policy": [{"unit": "gpu", "kind": "ROUND_ROBIN", "slice": "2 ms"},
             {"unit": "dla0", "kind": "ROUND_ROBIN", "yield": "BETWEEN_GROUPS"}]
})";

TEST_CASE("a workload is read from text and from JSON alike") {
  const std::string text = GENERATE(std::string(kWhole), std::string(kAsJson));
  const absl::StatusOr<Workload> workload = ParseWorkload(text, "folder/stack.textproto");
  INFO(workload.status());
  REQUIRE(workload.ok());
  CHECK(workload->target == "jetson-orin");
  CHECK(workload->mode == "MAXN");
  REQUIRE(workload->tasks.size() == 3);
  const WorkloadTask& detect = workload->tasks[0];
  CHECK(detect.model == "a/detect.onnx");
  CHECK(detect.path == "folder/a/detect.onnx");
  CHECK(detect.precision == "int8");
  CHECK(*detect.period == Fraction{1, 30});
  CHECK(*detect.deadline_s == 0.033);
  CHECK(detect.priority == 1);
  CHECK(detect.jitter_s == 0.001);
  const WorkloadTask& depth = workload->tasks[1];
  CHECK(depth.path == "/b/depth.onnx");
  CHECK(*depth.period == Fraction{2, 15});  // two inputs a job
  CHECK(depth.after == "detect");
  CHECK(depth.probability == 0.5);
  CHECK(depth.only == std::vector<std::string>{"dla0", "cpu"});
  CHECK(depth.pin[0].what == "Conv_1");
  CHECK(depth.dims[0] == std::pair<std::string, int64_t>("seq", 128));
  CHECK(workload->tasks[2].stated->time_s == 0.0025);
  CHECK(*workload->tasks[2].stated->memory_share == 0.4);
  CHECK(workload->tasks[2].stated->groups == 60);
  CHECK(workload->loads[0].bytes_per_s == 6e9);
  CHECK(workload->loads[1].time_s == Approx(0.002));
  CHECK(workload->policies[0].kind == PolicyKind::kRoundRobin);
  CHECK(*workload->policies[0].slice_s == 0.002);
  CHECK_FALSE(workload->policies[0].yield.has_value());
  CHECK(workload->policies[1].yield == Preemption::kBetweenPieces);
}

TEST_CASE("what a file states wrongly is named with its line") {
  struct Case {
    std::string text;
    std::string begins;
  };
  const std::string good = "task { name: \"b\" model: \"b.onnx\" rate: \"10 FPS\" }\n";
  // clang-format off
  const auto c = GENERATE_COPY(values<Case>({
      {"", "f:1: no task"},
      {"target: \"x\"\ntsk { }", "f:2: unknown key \"tsk\", did you mean task?"},
      {good + "task {\n  model: \"a.onnx\"\n  rte: \"30 FPS\"\n}",
       "f:4: unknown key \"rte\" of task, did you mean rate?"},
      {good + "task {\n  model: \"a.onnx\"\n  period: \"30 ms\"\n}",
       "f:4: unknown key \"period\" of task, which is one of load"},
      {"{\n\"task\": [{\"model\": \"a.onnx\",\n\"rte\": \"30 FPS\"}]}", "f:3: unknown key \"rte\""},
      {"{\n\"task\": [{\"model\": \"a.onnx\"\n\"rate\": \"30 FPS\"}]}", "f:3: no ',' where one belongs"},
      {"{\"task\": [", "f:1: no value where one belongs"},
      {"{\"task\": [{\"name\": \"a", "f:1: a text without its closing quote"},
      {"task { name: \"a\" ", "f:1: "},
      {"task { name: \"a\" model: \"a.onnx\"\n rate: \"0 FPS\" }", "f:2: rate cannot be \"0 FPS\""},
      {"task { model: \"a.onnx\" rate: \"-3 FPS\" }", "f:1: rate cannot be \"-3 FPS\""},
      {"task { model: \"a.onnx\" rate: \"30\" }", "f:1: rate cannot be \"30\""},
      {"task { model: \"a.onnx\" rate: \"30 FPS\" deadline: \"-5 ms\" }", "f:1: deadline cannot be \"-5 ms\""},
      {"task { model: \"a.onnx\" rate: \"30 FPS\" deadline: \"0 ms\" }", "f:1: deadline cannot be \"0 ms\""},
      {"task { rate: \"30 FPS\" }", "f:1: task \"\" has no model"},
      {"task { model: \"a.onnx\" time: \"2 ms\" }", "f:1: task \"a\" has a model and a time"},
      {"task { name: \"a\" time: \"2 ms\" }", "f:1: a stated time without a unit"},
      {"task { model: \"a.onnx\" memory: \"2 GB/s\" }", "f:1: memory without time"},
      {"task { model: \"a.onnx\" batch: 0 }", "f:1: batch has to be 1 or more"},
      {"task { model: \"a.onnx\" priority: -1 }", "f:1: priority has to be 0 or more"},
      {"task { model: \"a.onnx\" probability: 2 after: \"b\" }", "f:1: probability has to be from 0 to 1"},
      {"task { model: \"a.onnx\" probability: 0.5 }", "f:1: probability without `after`"},
      {"task { model: \"a.onnx\" only: \"gpu,,cpu\" }", "f:1: `only` has an empty name"},
      {"task { model: \"a.onnx\" pin: \"Conv\" }", "f:1: a pin has another form"},
      {good + good, "f:2: two tasks are called \"b\""},
      {good + "task { model: \"a.onnx\" after: \"c\" }", "f:2: there is no task \"c\" for \"a\" to come after"},
      {"task { model: \"a.onnx\" after: \"a\" }", "f:1: tasks come after each other in a circle: a after a"},
      {"task { model: \"a.onnx\" after: \"c\" }\ntask { model: \"c.onnx\" after: \"a\" }",
       "f:1: tasks come after each other in a circle: a after c after a"},
      {good + "task { model: \"a.onnx\" after: \"b\" rate: \"20 FPS\" }", "f:2: \"a\" is to run more often than \"b\""},
      {good + "load { name: \"x\" }", "f:2: a load takes neither memory nor a unit"},
      {good + "load { unit: \"cpu\" }", "f:2: a load on a unit needs a time"},
      {good + "load { unit: \"cpu\" time: \"20 ms\" }",
       "f:2: a load of 20.00 ms every 10.00 ms takes more than there is"},
      {good + "load { memory: \"6 GB\" }", "f:2: memory cannot be \"6 GB\""},
      {good + "policy { unit: \"gpu\" }", "f:2: a policy without a kind"},
      {good + "policy { unit: \"gpu\" kind: RANDOM }", "f:2: "},
      {good + "policy { unit: \"gpu\" kind: FIFO slice: \"2 ms\" }", "f:2: slice belongs to ROUND_ROBIN"},
      {good + "policy { unit: \"gpu\" kind: FIFO yield: BETWEEN_GROUPS }", "f:2: FIFO runs who came first to the end"},
      {good + "policy { unit: \"gpu\" kind: PRIORITY yield: BY_SLICE }", "f:2: BY_SLICE belongs to ROUND_ROBIN"},
      {good + "policy { unit: \"gpu\" kind: ROUND_ROBIN yield: AT_END slice: \"2 ms\" }",
       "f:2: slice belongs to yield: BY_SLICE"},
      {good + "policy { unit: \"gpu\" kind: FIFO }\npolicy { unit: \"gpu\" kind: PRIORITY }",
       "f:3: two policies of unit \"gpu\""},
      {"task { model: \"a.onnx\" groups: 3 }", "f:1: groups without time"},
      {"task { name: \"a\" time: \"2 ms\" groups: 0 only: \"gpu\" }", "f:1: groups has to be from 1 to "},
  }));
  // clang-format on
  INFO(c.text);
  const absl::StatusOr<Workload> workload = ParseWorkload(c.text, "f");
  REQUIRE_FALSE(workload.ok());
  const Diagnostic error = DiagnosticOf(workload.status());
  CHECK(error.code == Code::kUsage);
  CHECK(error.message.substr(0, c.begins.size()) == c.begins);
  CHECK_FALSE(error.remedy.empty());
}

TEST_CASE("every key of the file has its meaning") {
  const std::vector<WorkloadKey> keys = WorkloadKeys();
  CHECK(keys.size() > 30);
  for (const WorkloadKey& key : keys) {
    INFO(key.in << "." << key.name);
    CHECK_FALSE(key.meaning.empty());
  }
}

}  // namespace
}  // namespace hwest
