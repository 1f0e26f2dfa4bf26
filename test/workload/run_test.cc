// Whole runs, on models of the repository.
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "hwest/analysis.h"
#include "hwest/workload.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

const std::string kModels = std::string(HWEST_SOURCE_DIR) + "/test/models/";
const std::string kResnet = std::string(HWEST_SOURCE_DIR) + "/examples/models/resnet18.onnx";

WorkloadReport RunText(const std::string& text, const WorkloadOptions& options = {}) {
  const absl::StatusOr<Workload> workload = ParseWorkload(text, kModels + "stack.textproto");
  INFO(workload.status());
  REQUIRE(workload.ok());
  const absl::StatusOr<WorkloadReport> report = RunWorkload(*workload, options);
  INFO(report.status());
  REQUIRE(report.ok());
  return *report;
}

Diagnostic ErrorOf(const std::string& text) {
  const absl::StatusOr<Workload> workload = ParseWorkload(text, kModels + "stack.textproto");
  if (!workload.ok()) return DiagnosticOf(workload.status());
  return DiagnosticOf(RunWorkload(*workload, {}).status());
}

const TaskRow& TaskNamed(const WorkloadReport& report, const std::string& name) {
  for (const TaskRow& task : report.tasks) {
    if (task.name == name) return task;
  }
  FAIL("no task " << name);
  return report.tasks[0];
}

TEST_CASE("one task alone is what an analysis says") {
  const std::string target =
      GENERATE(as<std::string>(), "jetson-orin", "tda4vm", "sa8295p", "rk3588", "hailo-8", "coral-usb", "x86-avx2");
  const std::string model = GENERATE(as<std::string>(), "mobilenet_v2.ts.onnx", "simple_resnet.ts.onnx");
  INFO(model << " on " << target);
  const WorkloadReport report =
      RunText("target: \"" + target + "\" task { model: \"" + model + "\" rate: \"1 FPS\" }", {.studies = false});
  const auto analysis = Analyze(*LoadModel(kModels + model), {.target = target});
  REQUIRE(analysis.ok());
  const TaskRow& task = report.tasks[0];
  CHECK(task.alone_s == analysis->plan->latency_s);
  CHECK(*task.worst_s == Approx(analysis->plan->latency_s).epsilon(1e-9));
  CHECK(*task.mean_s == Approx(analysis->plan->latency_s).epsilon(1e-9));
  CHECK(*task.bound_s == Approx(analysis->plan->latency_high_s).epsilon(1e-9));
  CHECK(task.verdict == TaskVerdict::kHolds);
  CHECK(report.memory.peak_bytes == analysis->plan->peak_memory_bytes);
}

const WorkloadUnitRow& UnitNamed(const WorkloadReport& report, const std::string& name) {
  for (const WorkloadUnitRow& unit : report.units) {
    if (unit.name == name) return unit;
  }
  FAIL("no unit " << name);
  return report.units[0];
}

constexpr char kTwo[] =
    "target: \"jetson-orin\"\n"
    "task { name: \"a\" model: \"mobilenet_v2.ts.onnx\" rate: \"100 FPS\" only: \"gpu\" }\n"
    "task { name: \"b\" model: \"mnasnet0_5.ts.onnx\" rate: \"50 FPS\" only: \"dla0\" }\n";

TEST_CASE("an idle task changes no other") {
  const WorkloadReport two = RunText(kTwo, {.studies = false});
  const WorkloadReport three =
      RunText(std::string(kTwo) + "task { name: \"c\" model: \"simple_resnet.ts.onnx\" after: \"a\" probability: 0 }",
              {.studies = false});
  for (const char* name : {"a", "b"}) {
    CHECK(TaskNamed(two, name).worst_s == TaskNamed(three, name).worst_s);
    CHECK(TaskNamed(two, name).mean_s == TaskNamed(three, name).mean_s);
    CHECK(TaskNamed(two, name).bound_s == TaskNamed(three, name).bound_s);
  }
  CHECK_FALSE(TaskNamed(three, "c").worst_s.has_value());
}

TEST_CASE("a copy makes no other task faster") {
  const WorkloadReport two = RunText(kTwo, {.studies = false});
  const WorkloadReport three = RunText(
      std::string(kTwo) + "task { name: \"c\" model: \"mobilenet_v2.ts.onnx\" rate: \"100 FPS\" only: \"gpu\" }",
      {.studies = false});
  for (const char* name : {"a", "b"}) {
    CHECK(*TaskNamed(two, name).worst_s <= *TaskNamed(three, name).worst_s * (1 + 1e-9));
    CHECK(*TaskNamed(two, name).bound_s <= *TaskNamed(three, name).bound_s * (1 + 1e-9));
  }
}

TEST_CASE("the report adds up") {
  const WorkloadReport report = RunText(kTwo);
  CHECK(*report.hyperperiod_s == Approx(0.02));
  for (const TaskRow& task : report.tasks) {
    double shares = 0;
    for (const UnitTimeShare& share : task.units) shares += share.share;
    CHECK(shares == Approx(1));
    CHECK(*task.mean_s <= *task.worst_s);
    CHECK(*task.worst_s <= *task.bound_s);
    CHECK(*task.margin_s == Approx(*task.deadline_s - *task.worst_s));
    CHECK(*task.max_rate_per_s >= *task.rate_per_s);
    CHECK(task.reached_per_s == Approx(*task.rate_per_s));
  }
  double traffic = 0;
  for (const WorkloadTraffic& row : report.memory.tasks) traffic += row.mean_bytes_per_s;
  CHECK(traffic == Approx(report.memory.mean_bytes_per_s));
  for (const WorkloadUnitRow& unit : report.units) {
    double busy = 0;
    for (const ByTask& row : unit.by_task) busy += row.value;
    CHECK(busy == Approx(unit.busy_share).margin(1e-12));
  }
  CHECK(report.slowdown.size() == 2);
  double on_gpu = 0;
  for (const WorkloadSpan& span : report.segments) {
    CHECK(span.start_s < span.end_s);
    CHECK(span.start_s < *report.hyperperiod_s);
    if (span.unit == "gpu") on_gpu += span.end_s - span.start_s;
  }
  CHECK(on_gpu / *report.hyperperiod_s == Approx(report.units[0].busy_share).epsilon(1e-6));
  CHECK(*report.energy_j_per_s > 7);  // of the idle board alone
  CHECK(report.fixes.empty());
}

TEST_CASE("too much for the chip is missed, and the report says what would help") {
  const WorkloadReport report = RunText("target: \"jetson-orin\" task { name: \"a\" model: \"" + kResnet +
                                        "\" rate: \"400 FPS\" only: \"dla0\" precision: \"fp16\" }");
  const TaskRow& task = report.tasks[0];
  CHECK(task.verdict == TaskVerdict::kMissed);
  CHECK(task.reason.find("dla0") != std::string::npos);
  CHECK_FALSE(task.bound_s.has_value());
  CHECK(task.missed_per_s > 0);
  CHECK(*task.max_rate_per_s < 400);
  bool any_units = false, any_rate = false;
  for (const FixRow& fix : report.fixes) {
    any_units |= fix.kind == FixKind::kUnits;
    any_rate |= fix.kind == FixKind::kRate;
    if (fix.kind != FixKind::kRate) continue;
    const std::string rate = fix.change.substr(7, fix.change.size() - 8);
    const WorkloadReport then = RunText("target: \"jetson-orin\" task { name: \"a\" model: \"" + kResnet +
                                            "\" rate: \"" + rate + "\" only: \"dla0\" precision: \"fp16\" }",
                                        {.studies = false});
    CHECK(then.tasks[0].verdict != TaskVerdict::kMissed);
  }
  CHECK(any_units);
  CHECK(any_rate);
}

// The text with what the task has of the fix's key replaced, or the mode of the file.
std::string Changed(const std::string& text, const FixRow& fix) {
  const size_t colon = fix.change.find(':');
  const std::string key = fix.change.substr(0, colon + 1);
  size_t at = text.find(" " + key);
  if (at == std::string::npos) {
    if (fix.kind == FixKind::kMode) return fix.change + " " + text;
    at = text.rfind('}');
    return text.substr(0, at) + fix.change + " }";
  }
  const size_t value = text.find_first_not_of(' ', at + 1 + key.size());
  const size_t end = text[value] == '"' ? text.find('"', value + 1) + 1 : text.find(' ', value);
  return text.substr(0, at + 1) + fix.change + text.substr(end);
}

TEST_CASE("every fix, written as it says, has the verdict and times that it says") {
  const std::string text = GENERATE_COPY(
      as<std::string>(),
      "target: \"jetson-orin\" mode: \"15W\" task { name: \"a\" model: \"" + kResnet +
          "\" rate: \"400 FPS\" only: \"dla0\" precision: \"fp16\" }",
      "target: \"rk3588\" task { name: \"a\" model: \"" + kResnet + "\" rate: \"200 FPS\" precision: \"fp16\" }");
  const WorkloadReport report = RunText(text);
  REQUIRE(report.tasks[0].verdict == TaskVerdict::kMissed);
  REQUIRE(!report.fixes.empty());
  for (const FixRow& fix : report.fixes) {
    const std::string changed = Changed(text, fix);
    INFO(changed);
    const TaskRow then = RunText(changed, {.studies = false}).tasks[0];
    CHECK(then.verdict == fix.verdict);
    CHECK(then.verdict != TaskVerdict::kMissed);
    CHECK(then.worst_s.value_or(0) == Approx(fix.worst_s.value_or(0)));
    CHECK(then.bound_s.value_or(0) == Approx(fix.bound_s.value_or(0)));
  }
}

TEST_CASE("the largest rate is one that a run of its own confirms") {
  // Beside jobs of another rate on the other cores, which slow some of its own.
  const auto text = [](const std::string& rate) {
    return "target: \"rk3588\" task { name: \"a\" model: \"" + kResnet + "\" rate: \"" + rate +
           "\" only: \"npu\" precision: \"fp16\" } task { name: \"b\" model: \"mobilenet_v2.ts.onnx\" rate: \"31 FPS\" "
           "only: \"npu\" }";
  };
  const WorkloadReport report = RunText(text("1000 FPS"));
  REQUIRE(report.tasks[0].verdict == TaskVerdict::kMissed);
  REQUIRE(report.tasks[0].max_rate_per_s.has_value());
  const double most = std::floor(*report.tasks[0].max_rate_per_s * 100) / 100;
  INFO(most);
  const WorkloadReport then = RunText(text(std::to_string(most) + " FPS"), {.studies = false});
  CHECK(then.tasks[0].verdict != TaskVerdict::kMissed);
  CHECK(then.tasks[1].verdict != TaskVerdict::kMissed);
}

TEST_CASE("the largest rate of a missed task is that of its best plan, whichever the overload left it with") {
  const auto text = [](const std::string& rate) {
    return "target: \"tda4vm\" task { name: \"big\" model: \"" + kResnet + "\" rate: \"" + rate +
           "\" } task { name: \"small\" model: \"mobilenet_v2.ts.onnx\" rate: \"60 FPS\" priority: 1 }";
  };
  const WorkloadReport report = RunText(text("3000 FPS"));
  REQUIRE(TaskNamed(report, "big").verdict == TaskVerdict::kMissed);
  REQUIRE(TaskNamed(report, "small").verdict != TaskVerdict::kMissed);
  REQUIRE(TaskNamed(report, "big").max_rate_per_s.has_value());
  const double most = std::floor(*TaskNamed(report, "big").max_rate_per_s * 100) / 100;
  CHECK(most <= 1 / TaskNamed(report, "big").alone_s);  // the overload leaves it its best plan
  const WorkloadReport then = RunText(text(std::to_string(most) + " FPS"), {.studies = false});
  for (const TaskRow& task : then.tasks) CHECK(task.verdict != TaskVerdict::kMissed);
  CHECK(TaskNamed(then, "big").alone_s <= TaskNamed(report, "big").alone_s);
}

TEST_CASE("a deadline below the model alone is a verdict") {
  const WorkloadReport report =
      RunText("target: \"tda4vm\" task { model: \"mobilenet_v2.ts.onnx\" rate: \"10 FPS\" deadline: \"10 us\" }",
              {.studies = false});
  CHECK(report.tasks[0].verdict == TaskVerdict::kMissed);
  CHECK(report.tasks[0].reason.substr(0, 8) == "it takes");
}

TEST_CASE("rates and periods of any size end in a verdict") {
  for (const char* rates : {"rate: \"1000000000 FPS\"", "rate: \"0.000001 FPS\"", "rate: \"29.970029 FPS\""}) {
    INFO(rates);
    const WorkloadReport report =
        RunText(std::string("target: \"tda4vm\" task { name: \"a\" model: \"simple_resnet.ts.onnx\" ") + rates +
                    " } task { name: \"b\" model: \"simple_resnet.ts.onnx\" rate: \"17.000000003 FPS\" }",
                {.studies = false});
    CHECK(report.tasks.size() == 2);
  }
}

TEST_CASE("loads take bandwidth and time of units") {
  const WorkloadReport bare = RunText(kTwo, {.studies = false});
  const WorkloadReport camera =
      RunText(std::string(kTwo) + "load { name: \"camera\" memory: \"100 GB/s\" }", {.studies = false});
  CHECK(*TaskNamed(camera, "a").worst_s > *TaskNamed(bare, "a").worst_s * 1.02);
  CHECK(camera.memory.mean_bytes_per_s > bare.memory.mean_bytes_per_s + 99e9);
  const WorkloadReport busy =
      RunText(std::string(kTwo) + "load { name: \"planner\" unit: \"gpu\" period: \"10 ms\" time: \"50 %\" }",
              {.studies = false});
  CHECK(*TaskNamed(busy, "a").worst_s > *TaskNamed(bare, "a").worst_s * 1.5);
  CHECK(busy.units[0].busy_share == Approx(bare.units[0].busy_share + 0.5).epsilon(0.02));
}

TEST_CASE("a stated time falls into groups that alternate with those of others, and asks for no more than there is") {
  const auto text = [](const char* groups, const char* policy) {
    return std::string("target: \"jetson-orin\" ") + policy +
           " task { name: \"short\" time: \"10 ms\" only: \"gpu\" rate: \"10 FPS\" " + groups +
           " } task { name: \"long\" time: \"30 ms\" memory: \"900 GB/s\" only: \"gpu\" rate: \"10 FPS\" " + groups +
           " }";
  };
  const char* const alternate = "policy { unit: \"gpu\" kind: ROUND_ROBIN yield: BETWEEN_GROUPS }";
  const WorkloadReport report = RunText(text("groups: 100", alternate), {.studies = false});
  CHECK(UnitNamed(report, "gpu").runs == "group by group");
  CHECK(*TaskNamed(report, "short").worst_s == Approx(40e-3).epsilon(0.02));  // as the long one
  CHECK(*TaskNamed(report, "short").worst_s <= *TaskNamed(report, "short").bound_s);
  const bool is_noted = std::any_of(report.diagnostics.begin(), report.diagnostics.end(), [](const Diagnostic& note) {
    return note.message.find("task \"long\" asks for 900.0 GB/s") != std::string::npos;
  });
  CHECK(is_noted);
  // Without a policy each has a slice of the GPU in turn.
  CHECK(*TaskNamed(RunText(text("groups: 100", ""), {.studies = false}), "short").worst_s ==
        Approx(20e-3).epsilon(0.15));
  CHECK(ErrorOf("target: \"tda4vm\" policy { unit: \"c7x-mma\" kind: ROUND_ROBIN yield: BY_SLICE } task { name: \"a\" "
                "time: \"1 ms\" only: \"c7x-mma\" rate: \"1 FPS\" }")
            .message.find("how long a slice of c7x-mma is") != std::string::npos);
}

TEST_CASE("equal cores take tasks side by side") {
  const char* const task = "model: \"mobilenet_v2.ts.onnx\" rate: \"10 FPS\" only: \"npu\" }\n";
  std::string text = "target: \"rk3588\"\n";
  for (const char* name : {"a", "b", "c"}) text += std::string("task { name: \"") + name + "\" " + task;
  const WorkloadReport one = RunText(text, {.studies = false}),
                       all = RunText(text, {.mode = "3-core", .studies = false});
  CHECK(UnitNamed(one, "npu").servers == 3);
  CHECK(UnitNamed(all, "npu").servers == 1);
  CHECK(*one.tasks[2].worst_s < *one.tasks[0].worst_s * 1.5);
  CHECK(*all.tasks[2].worst_s > all.tasks[2].alone_s * 2.5);
}

std::string Three(const std::string& target, const std::string& of_each) {
  std::string text = "target: \"" + target + "\"\n";
  for (const char* name : {"a", "b", "c"}) {
    text += std::string("task { name: \"") + name + "\" model: \"" + kResnet + "\" " + of_each + " }\n";
  }
  return text;
}

TEST_CASE("a loop alone reaches one job in each of its times, however long it takes") {
  for (const char* batch : {"1", "64"}) {
    const std::string task = std::string("task { name: \"loop\" model: \"") + kResnet + "\" batch: " + batch + " }\n";
    const WorkloadReport report = RunText("target: \"cortex-a53\"\n" + task, {.studies = false});
    INFO("batch " << batch << ", alone " << report.tasks[0].alone_s);
    CHECK(report.jobs > 0);
    CHECK(report.tasks[0].reached_per_s * report.tasks[0].alone_s ==
          Approx(static_cast<double>(report.tasks[0].batch)).epsilon(1e-6));
  }
}

TEST_CASE("three tasks use three cores, whatever of their rate they reach, and degrade alike") {
  const WorkloadReport free = RunText(Three("rk3588", ""), {.studies = false});
  for (const char* rate : {"", "rate: \"200 FPS\"", "rate: \"1000 FPS\""}) {
    const WorkloadReport report = RunText(Three("rk3588", rate), {.studies = false});
    INFO(rate);
    for (const TaskRow& task : report.tasks) {
      CHECK(task.units[0].unit == "npu");
      CHECK(task.reached_per_s == Approx(report.tasks[0].reached_per_s).epsilon(0.05));
    }
    const double asked = report.tasks[0].rate_per_s.has_value() ? 3 * *report.tasks[0].rate_per_s : free.reached_per_s;
    CHECK(report.reached_per_s >= 0.9 * std::min(asked, free.reached_per_s));
  }
}

TEST_CASE("what holds reaches its rate, and a unit that is asked for too much says by how much and how busy it is") {
  for (const char* rate : {"29.97 FPS", "300 FPS"}) {
    const WorkloadReport report =
        RunText(Three("rk3588", std::string("rate: \"") + rate + "\"") +
                    "task { name: \"d\" model: \"mobilenet_v2.ts.onnx\" after: \"a\" probability: 0.5 }",
                {.studies = false});
    INFO(rate);
    double reached = 0;
    for (const TaskRow& task : report.tasks) {
      reached += task.reached_per_s;
      if (task.verdict != TaskVerdict::kMissed) CHECK(task.reached_per_s == Approx(*task.rate_per_s).epsilon(1e-9));
      if (task.reached_per_s < *task.rate_per_s * (1 - 1e-9)) CHECK_FALSE(task.reason.empty());
    }
    CHECK(report.reached_per_s == Approx(reached));
    const WorkloadUnitRow& npu = UnitNamed(report, "npu");
    CHECK((npu.asked_share > 1 || npu.asked_share >= npu.busy_share * 0.6));
    if (npu.asked_share > 1.01) CHECK(report.tasks[0].reason.find("and busy for") != std::string::npos);
  }
}

// Of the second task the verdict, as the rate of the first one falls.
TEST_CASE("a lower rate makes no other task miss") {
  for (const char* target : {"rk3588", "jetson-orin"}) {
    std::vector<bool> missed = {true, true};
    for (const char* rate : {"900 FPS", "233 FPS", "61 FPS"}) {
      const WorkloadReport report =
          RunText(std::string("target: \"") + target + "\" task { name: \"a\" model: \"" + kResnet + "\" rate: \"" +
                      rate + "\" } task { name: \"b\" model: \"" + kResnet +
                      "\" rate: \"150 FPS\" } task { name: \"c\" model: \"mobilenet_v2.ts.onnx\" rate: \"60 FPS\" }",
                  {.studies = false});
      for (size_t t = 1; t <= 2; ++t) {
        INFO(target << " " << rate << " " << report.tasks[t].name);
        const bool now = report.tasks[t].verdict == TaskVerdict::kMissed;
        CHECK((missed[t - 1] || !now));
        missed[t - 1] = now;
      }
    }
  }
}

TEST_CASE("priority 0 is the highest, and the usual one leaves room on both sides") {
  CHECK(RunText(kTwo, {.studies = false}).tasks[0].priority == kUsualPriority);
  const auto reached = [](const char* of_a, const char* of_b) {
    const WorkloadReport report =
        RunText(std::string("target: \"tda4vm\" task { name: \"a\" model: \"") + kResnet +
                    "\" rate: \"300 FPS\" only: \"c7x-mma\" " + of_a + " } task { name: \"b\" model: \"" + kResnet +
                    "\" rate: \"300 FPS\" only: \"c7x-mma\" " + of_b + " }",
                {.studies = false});
    return report.tasks[0].reached_per_s - report.tasks[1].reached_per_s;
  };
  CHECK(reached("", "") == Approx(0).margin(10));
  CHECK(reached("priority: 0", "") > 20);
  CHECK(reached("", "priority: 0") < -20);
  CHECK(reached("", "priority: 9") > 20);
  CHECK(reached("priority: 9", "") < -20);
}

TEST_CASE("a card's host runs what the card cannot, and adds no power of its own to a workload") {
  const std::string text =
      "task { name: \"a\" model: \"" + kResnet +
      "\" rate: \"20 FPS\" } task { name: \"b\" model: \"mobilenet_v2.ts.onnx\" rate: \"20 FPS\" }";
  for (const char* target : {"hailo-8l", "metis", "l4", "coral-pcie"}) {
    INFO(target);
    const WorkloadReport report = RunText(std::string("target: \"") + target + "\" " + text, {.studies = false});
    CHECK(UnitNamed(report, "cpu").busy_share < 0.1);
    CHECK_FALSE(report.target->host.empty());
    const WorkloadReport changed =
        RunText(std::string("target: \"") + target + "\" host: \"raspberry-pi-5\" " + text, {.studies = false});
    CHECK(changed.target->host == "raspberry-pi-5");
    CHECK(RunText(std::string("target: \"") + target + "\" " + text, {.host = "raspberry-pi-5", .studies = false})
              .tasks[0]
              .worst_s == changed.tasks[0].worst_s);
  }
  CHECK(*RunText("target: \"hailo-8l\" " + text, {.studies = false}).energy_j_per_s < 5);
  CHECK(ErrorOf("target: \"rk3588\" host: \"raspberry-pi-5\" " + text).message.find("no host can be chosen") !=
        std::string::npos);
}

TEST_CASE("streams of a model ask for the rate of the whole chip") {
  struct Case {
    const char* target;
    int64_t cores;
  };
  const auto c = GENERATE(Case{"am69a", 4}, Case{"metis", 4}, Case{"rk3576", 2}, Case{"rk3588", 3});
  INFO(c.target);
  const auto reached = [&](int64_t streams) {
    const absl::StatusOr<Workload> workload = WorkloadOfStreams({kModels + "mnasnet0_5.ts.onnx"}, streams, "");
    REQUIRE(workload.ok());
    const auto report = RunWorkload(*workload, {.target = c.target, .studies = false});
    REQUIRE(report.ok());
    return report->reached_per_s;
  };
  const double one = reached(1), all = reached(c.cores);
  CHECK(all > one * 1.5);
  CHECK(all <= one * static_cast<double>(c.cores) * (1 + 1e-2));  // windows count 100 runs of a stream or so
  CHECK(WorkloadOfStreams({"a.onnx"}, 2, "30FPS")->tasks[1].name == "a 2");
  CHECK_FALSE(WorkloadOfStreams({"a.onnx"}, 2, "fast").ok());
  CHECK_FALSE(WorkloadOfStreams({"a.onnx", "b.onnx"}, 40, "").ok());
}

// A model whose second node has no known time.
class OddModel {
 public:
  OddModel() {
    std::ofstream(path_, std::ios::binary) << test::ModelFromText(
        "<ir_version: 8, opset_import: [\"\" : 17, \"odd\" : 1]> odd (float[64, 64] x) => (float[64, 64] y) "
        "{ a = Relu(x) y = odd.Mystery(a) }");
  }
  ~OddModel() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/hwest_workload_odd_" + std::to_string(getpid()) + ".onnx";
};

TEST_CASE("groups without a known time are not taken as none") {
  const OddModel odd;
  const std::string known =
      "target: \"jetson-orin\" task { name: \"known\" model: \"mobilenet_v2.ts.onnx\" rate: \"1 FPS\" }";
  const WorkloadReport report =
      RunText(known + " task { name: \"odd\" model: \"" + odd.path() + "\" rate: \"1 FPS\" }");
  CHECK(TaskNamed(report, "known").unknown_groups == 0);
  CHECK(TaskNamed(report, "odd").unknown_groups == 1);
  CHECK_FALSE(TaskNamed(report, "odd").energy_j.has_value());
  CHECK_FALSE(report.energy_j_per_s.has_value());
  for (const TaskRow& task : report.tasks) {  // the unknown one may hold up the other
    INFO(task.name);
    CHECK(task.incomplete);
    CHECK(task.verdict == TaskVerdict::kSimulated);
    CHECK_FALSE(task.bound_s.has_value());
    CHECK_FALSE(task.margin_s.has_value());
    CHECK_FALSE(task.max_rate_per_s.has_value());
  }
  for (const SlowdownRow& row : report.slowdown) CHECK_FALSE(row.factor.has_value());
  const auto warns = std::count_if(report.diagnostics.begin(), report.diagnostics.end(), [](const Diagnostic& d) {
    return d.code == Code::kUnknownTime && d.message.find("task \"odd\"") != std::string::npos &&
           d.message.find("1 group (Mystery y)") != std::string::npos;
  });
  CHECK(warns == 1);
}

TEST_CASE("a task with an unknown time that never runs leaves the others alone") {
  const OddModel odd;
  const WorkloadReport report = RunText(
      "target: \"jetson-orin\" task { name: \"known\" model: \"mobilenet_v2.ts.onnx\" rate: \"1 FPS\" }"
      " task { name: \"odd\" model: \"" +
          odd.path() + "\" after: \"known\" probability: 0 }",
      {.studies = false});
  CHECK(TaskNamed(report, "known").verdict == TaskVerdict::kHolds);
  CHECK(TaskNamed(report, "known").bound_s.has_value());
  CHECK_FALSE(TaskNamed(report, "known").incomplete);
  CHECK(TaskNamed(report, "odd").incomplete);
}

TEST_CASE("what misses already without its unknown time is missed") {
  const OddModel odd;
  const WorkloadReport report = RunText("target: \"jetson-orin\" task { name: \"odd\" model: \"" + odd.path() +
                                        "\" rate: \"1 FPS\" deadline: \"1 ns\" }");
  CHECK(report.tasks[0].verdict == TaskVerdict::kMissed);
  CHECK_FALSE(report.tasks[0].margin_s.has_value());
  CHECK(report.fixes.empty());
}

TEST_CASE("units take turns as their toolchains say, and what is not known is noted") {
  const std::string two =
      "task { name: \"a\" model: \"mobilenet_v2.ts.onnx\" rate: \"1 FPS\" }"
      "task { name: \"b\" model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" }";
  const WorkloadReport am62a = RunText("target: \"am62a\" " + two, {.studies = false});
  CHECK(UnitNamed(am62a, "c7x-mma").policy == PolicyKind::kPriority);
  CHECK(UnitNamed(am62a, "c7x-mma").runs == "group by group");
  const auto notes = [](const WorkloadReport& report) {
    return std::count_if(report.diagnostics.begin(), report.diagnostics.end(), [](const Diagnostic& note) {
      return note.message.find("it is not known how models take turns on") != std::string::npos;
    });
  };
  CHECK(notes(am62a) == 0);
  const WorkloadReport sophon = RunText("target: \"bm1684x\" " + two, {.studies = false});
  CHECK(notes(sophon) == 1);
  CHECK(notes(RunText("target: \"bm1684x\" policy { unit: \"tpu\" kind: FIFO } " + two, {.studies = false})) == 0);
}

TEST_CASE("a saved report stands in for its model") {
  const std::string path = "/tmp/hwest_workload_saved_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << R"({"kind": "analysis", "request": {"target": "tda4vm", "precision": "int8"},
    "summary": {"latency_s": 0.004, "latency_high_s": 0.006, "energy_j": 0.01, "peak_memory_bytes": 1000},
    "groups": [{"id": 0, "compute_s": 0.001, "memory_s": 0.002, "overhead_s": 0, "time_s": 0.003,
      "in_bytes": 1000, "weight_bytes": 0, "out_bytes": 0}],
    "segments": [{"id": 0, "unit": "c7x-mma", "groups": [0], "in_bytes": 10,
      "transfer_s": 0.0005, "invoke_s": 0.0005, "time_s": 0.003, "energy_j": 0.01}]})";
  const WorkloadReport report =
      RunText("target: \"tda4vm\" task { name: \"a\" model: \"" + path + "\" rate: \"10 FPS\" }", {.studies = false});
  CHECK(report.tasks[0].alone_s == 0.004);
  CHECK(*report.tasks[0].worst_s == Approx(0.004));
  CHECK(*report.tasks[0].bound_s == Approx(0.006));
  CHECK(ErrorOf("target: \"jetson-orin\" task { model: \"" + path + "\" rate: \"10 FPS\" }")
            .message.find("of target \"tda4vm\"") != std::string::npos);
  std::remove(path.c_str());
}

TEST_CASE("a saved report with a group of no time has no bound, and no settings beside it") {
  const std::string path = "/tmp/hwest_workload_saved_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << R"({"kind": "analysis", "request": {"target": "tda4vm", "precision": "int8", "batch": 1},
    "summary": {"latency_s": 0.004, "latency_high_s": 0.006, "energy_j": 0.01, "peak_memory_bytes": 1000},
    "groups": [{"id": 0, "compute_s": 0.001, "memory_s": 0.002, "overhead_s": 0, "time_s": 0.003,
      "in_bytes": 1000, "weight_bytes": 0, "out_bytes": 0}, {"id": 1, "time_s": null}],
    "segments": [{"id": 0, "unit": "c7x-mma", "groups": [0], "in_bytes": 10,
      "transfer_s": 0.0005, "invoke_s": 0.0005, "time_s": 0.003, "energy_j": 0.01}]})";
  const std::string task = "target: \"tda4vm\" task { name: \"a\" model: \"" + path + "\" rate: \"10 FPS\"";
  const TaskRow row = RunText(task + " }", {.studies = false}).tasks[0];
  CHECK(row.unknown_groups == 1);
  CHECK(row.verdict == TaskVerdict::kSimulated);
  CHECK_FALSE(row.bound_s.has_value());
  CHECK_FALSE(row.energy_j.has_value());
  for (const char* setting :
       {"precision: \"fp16\"", "batch: 2", "only: \"c7x-mma\"", "pin: \"x@cpu\"", "dim { name: \"n\" value: 1 }"}) {
    INFO(setting);
    CHECK(ErrorOf(task + " " + setting + " }").code == Code::kUsage);
  }
  CHECK(RunText(task + " precision: \"int8\" batch: 1 }", {.studies = false}).tasks.size() == 1);
  std::remove(path.c_str());
}

TEST_CASE("what cannot be run is one error") {
  struct Case {
    std::string text;
    Code code;
    std::string says;
  };
  const auto c = GENERATE(values<Case>({
      {"task { model: \"x.onnx\" rate: \"1 FPS\" }", Code::kUsage, "no target was named"},
      {"target: \"nonsense\" task { model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" }", Code::kTargetUnknown,
       "nonsense"},
      {"target: \"tda4vm\" mode: \"warp\" task { model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" }",
       Code::kTargetUnknown, "warp"},
      {"target: \"tda4vm\"\ntask { name: \"a\" model: \"missing.onnx\" rate: \"1 FPS\" }", Code::kModelMissing,
       "stack.textproto:2: task \"a\""},
      {"target: \"tda4vm\" task { model: \"stack.textproto\" rate: \"1 FPS\" }", Code::kModelMissing, "task \"stack\""},
      {"target: \"tda4vm\" task { name: \"t\" model: \"bert-base_128.ts.onnx\" rate: \"1 FPS\" }", Code::kFreeDims,
       "task \"t\""},
      {"target: \"tda4vm\" task { model: \"simple_resnet.ts.onnx\" only: \"gpu9\" rate: \"1 FPS\" }", Code::kUsage,
       "gpu9"},
      {"target: \"tda4vm\" task { model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" precision: \"int3\" }", Code::kUsage,
       "int3"},
      {"target: \"tda4vm\" task { model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" } policy { unit: \"npu\" kind: FIFO "
       "}",
       Code::kUsage, "npu"},
      {"target: \"tda4vm\" task { model: \"simple_resnet.ts.onnx\" rate: \"1 FPS\" } load { memory: \"900 GB/s\" }",
       Code::kUsage, "loads take 900"},
      {"target: \"tda4vm\" task { name: \"a\" time: \"2 ms\" only: \"npu\" rate: \"1 FPS\" }", Code::kUsage, "npu"},
  }));
  INFO(c.text);
  const Diagnostic error = ErrorOf(c.text);
  CHECK(error.code == c.code);
  INFO(error.message);
  CHECK(error.message.find(c.says) != std::string::npos);
  if (c.code == Code::kFreeDims) CHECK(error.remedy.find("dim { name: \"batch\" value: ") != std::string::npos);
}

TEST_CASE("a run can be cancelled") {
  const absl::StatusOr<Workload> workload = ParseWorkload(kTwo, kModels + "stack.textproto");
  WorkloadOptions options;
  options.progress = [](const std::string& what) { return what != "simulating"; };
  CHECK(DiagnosticOf(RunWorkload(*workload, options).status()).code == Code::kInterrupted);
}

}  // namespace
}  // namespace hwest
