#include "fit/match.h"

#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fit/study_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

using Engines = std::vector<std::vector<std::string>>;

Targets TwoToys() {
  Target a = ToyTarget("toy-a"), b = ToyTarget("toy-b");
  // clang-format off
  a.measured_as = {
      {.device = "board", .unit = "GPU", .runtime = "Eager", .on_units = {"gpu"}, .toolchain = "pytorch-eager"},
      {.device = "board", .unit = "NPU", .runtime = "RT", .mode = "", .on_units = {"npu0"}, .in_mode = ""},
      {.device = "board", .unit = "NPU", .runtime = "RT", .mode = "30W", .on_units = {"npu0"}, .in_mode = "low"},
      {.device = "board", .unit = "GPU+2xDLA", .runtime = "", .mode = "", .on_units = {"gpu", "npu0", "npu1"},
       .in_mode = ""},
      {.device = "board", .unit = "GPU", .runtime = "", .mode = "", .on_units = {}, .in_mode = ""},
  };
  // clang-format on
  b.measured_as = {
      {.device = "board", .unit = "NPU", .runtime = "RT 2", .mode = "", .on_units = {"npu1"}, .in_mode = ""},
      {.device = "other", .unit = "", .runtime = "", .mode = "", .on_units = {"cpu"}, .in_mode = ""},
  };
  return {Shared(std::move(a)), Shared(std::move(b))};
}

TEST_CASE("a row finds its target by device, unit, runtime and mode") {
  const Targets targets = TwoToys();
  Measurement row = ToyRow();
  auto query = MatchRow(row, targets);
  REQUIRE(query.ok());
  CHECK(query->target->name == "toy-a");
  CHECK(query->mode.empty());
  CHECK(query->precision == "int8");
  CHECK(query->engines == Engines{{"npu0"}});

  row.mode = "30W";
  CHECK(MatchRow(row, targets)->mode == "low");
  row.mode = "";
  row.runtime = "RT 2.1";
  CHECK(MatchRow(row, targets)->target->name == "toy-b");
  row.device = "other";
  CHECK(MatchRow(row, targets)->engines == Engines{{"cpu"}});
  row = ToyRow();
  row.unit = "GPU";
  CHECK(MatchRow(row, targets)->engines == Engines{{"gpu"}});
  CHECK(MatchRow(row, targets)->toolchain.empty());
  row.runtime = "Eager 2";
  CHECK(MatchRow(row, targets)->toolchain == "pytorch-eager");
}

TEST_CASE("a runtime that stands beside a CPU's own toolchain is another one, whose rows fit its figures") {
  struct Row {
    const char* device;
    const char* runtime;
    const char* toolchain;
    bool shares_fits;
  };
  const Row rows[] = {{"Dragonwing RB3 Gen 2 Vision Kit", "onnx", "", true},
                      {"Dragonwing RB3 Gen 2 Vision Kit", "tflite", "litert-cpu", true},
                      {"Raspberry Pi 5 Broadcom BCM2712, Cortex-A76", "ncnn CPU 4 threads", "ncnn", true},
                      {"Intel Core i7-12700H", "PyTorch compile CPU", "pytorch-compile", false}};
  const Targets targets = *LoadBuiltInTargets();
  for (const Row& row : rows) {
    INFO(row.runtime);
    Measurement measured = ToyRow();
    measured.device = row.device;
    measured.unit = "CPU";
    measured.runtime = row.runtime;
    measured.precision = "fp32";
    const auto query = MatchRow(measured, targets);
    REQUIRE(query.ok());
    CHECK(query->toolchain == row.toolchain);
    CHECK(query->shares_fits == row.shares_fits);
  }
}

TEST_CASE("ncnn and OpenVINO compute in half precision on cores that multiply halves, in FP32 on others") {
  const Targets targets = *LoadBuiltInTargets();
  const std::string stored = "fp16/fp32 storage (ncnn default)";
  for (const auto& [device, runtime, published, precision] :
       {std::tuple{"Raspberry Pi 5 Broadcom BCM2712, Cortex-A76", "ncnn CPU 4 threads", stored, "fp16"},
        std::tuple{"Raspberry Pi 4 Model B Broadcom BCM2711B0, Cortex-A72", "ncnn CPU 4 threads", stored, "fp32"},
        std::tuple{"Raspberry Pi Zero 2 W Broadcom BCM2710A1, Cortex-A53", "ncnn CPU 1 threads", stored, "fp32"},
        std::tuple{"Raspberry Pi 5 Broadcom BCM2712, Cortex-A76", "ncnn CPU 4 threads", std::string("fp32"), "fp16"},
        std::tuple{"Raspberry Pi 5 Broadcom BCM2712, Cortex-A76", "ncnn CPU 4 threads", std::string("int8"), "int8"},
        std::tuple{"AMD Ryzen 5700g", "ncnn CPU 16 threads", stored, "fp32"}}) {
    INFO(device << " " << published);
    Measurement measured = ToyRow();
    measured.device = device;
    measured.unit = "CPU";
    measured.runtime = runtime;
    measured.precision = published;
    const auto query = MatchRow(measured, targets);
    REQUIRE(query.ok());
    CHECK(query->precision == precision);
  }
}

TEST_CASE("a benchmark with more threads than cores, or on a hot board, is of a mode of its own") {
  const Targets targets = *LoadBuiltInTargets();
  for (const auto& [device, runtime, mode] :
       {std::tuple{"Radxa Orion O6", "ncnn CPU 12 threads", "12 threads on 8 cores"},
        std::tuple{"Radxa Orion O6", "ncnn CPU 1 threads", "1 thread"},
        std::tuple{"Raspberry Pi 3 Model B Rev 1.2 (rpi3)", "TFLite v2.7.1 (ruy)", "4 threads, 0.6 GHz"},
        std::tuple{"Intel Xeon 8275CL (EC2 P4d)", "onnxruntime CPU", "48 threads"}}) {
    INFO(device);
    Measurement measured = ToyRow();
    measured.device = device;
    measured.unit = "CPU";
    measured.runtime = runtime;
    measured.precision = "fp32";
    const auto query = MatchRow(measured, targets);
    REQUIRE(query.ok());
    CHECK(query->mode == mode);
  }
}

TEST_CASE("rows that a target's file gives another toolchain fit its figures where that stands beside the unit's own") {
  const Targets targets = *LoadBuiltInTargets();
  for (const auto& [device, runtime, mode, toolchain, shares_fits] :
       {std::tuple{"NVIDIA Jetson AGX Orin", "TensorRT 8.5.2", "", "tensorrt-cuda-graph", true},
        std::tuple{"Jetson AGX Orin 64GB Dev Kit", "TensorRT", "MAXN", "", true},
        std::tuple{"Jetson AGX Thor Dev Kit", "PyTorch", "MAXN", "pytorch-eager", false}}) {
    INFO(device);
    Measurement measured = ToyRow();
    measured.device = device;
    measured.unit = "GPU";
    measured.runtime = runtime;
    measured.mode = mode;
    measured.precision = "fp16";
    const auto query = MatchRow(measured, targets);
    REQUIRE(query.ok());
    CHECK(query->toolchain == toolchain);
    CHECK(query->shares_fits == shares_fits);
  }
}

TEST_CASE("8-bit rows whose wider layers are not named set no fit of a CPU") {
  const Targets targets = *LoadBuiltInTargets();
  for (const auto& [unit, precision, shares_fits] : {std::tuple{"CPU", "w8a8", true},
                                                     {"CPU", "w8a8_mixed_int16", false},
                                                     {"CPU", "w8a16_mixed_int16", true},
                                                     {"NPU", "w8a8_mixed_int16", true}}) {
    INFO(unit << " " << precision);
    Measurement row = ToyRow();
    row.device = "Dragonwing RB3 Gen 2 Vision Kit";
    row.unit = unit;
    row.runtime = "onnx";
    row.precision = precision;
    const auto query = MatchRow(row, targets);
    REQUIRE(query.ok());
    CHECK(query->shares_fits == shares_fits);
  }
}

struct SkipCase {
  std::string Measurement::* field;
  const char* text;
  const char* reason;
};

TEST_CASE("a row without a match says why it is skipped") {
  const auto c = GENERATE(values<SkipCase>({
      {&Measurement::device, "Board", "no target for the device"},
      {&Measurement::unit, "DSP", "unit of the device not modelled"},
      {&Measurement::runtime, "other RT", "runtime not modelled"},
      {&Measurement::mode, "50W", "power mode not modelled"},
      {&Measurement::metric, "joules", "metric joules is not predicted"},
      {&Measurement::precision, "fp8", "precision fp8 not modelled on npu0 of toy-a"},
      {&Measurement::precision, "analog", "precision analog not modelled on npu0 of toy-a"},
  }));
  Measurement row = ToyRow();
  row.*c.field = c.text;
  const auto query = MatchRow(row, TwoToys());
  REQUIRE_FALSE(query.ok());
  CHECK(query.status().code() == absl::StatusCode::kNotFound);
  CHECK(query.status().message() == c.reason);
}

TEST_CASE("rates of engines add up, a latency is that of all together") {
  Measurement row = ToyRow();
  row.unit = "GPU+2xDLA";
  CHECK(MatchRow(row, TwoToys())->engines == Engines{{"gpu", "npu0", "npu1"}});
  row.metric = "throughput_fps";
  CHECK(MatchRow(row, TwoToys())->engines == Engines{{"gpu"}, {"npu0"}, {"npu1"}});
}

TEST_CASE("a row of a runtime of language models is not laid beside a plan of the graph") {
  Measurement row = ToyRow();
  row.device = "other";
  row.metric = "ttft_ms";
  for (const auto& [runtime, name] : {std::pair("RKLLM 1.2.1", "RKLLM"), std::pair("genie", "genie")}) {
    row.runtime = runtime;
    CHECK(MatchRow(row, TwoToys()).status().message() ==
          absl::StrCat(name, " runs language models whole: docs/llm.md has the table that its rows go into"));
  }
  row.runtime = "RKNN";
  CHECK(MatchRow(row, TwoToys()).ok());
}

TEST_CASE("rows of small cores and of a library that no target stands for are skipped") {
  Measurement row = ToyRow();
  row.device = "other";
  row.unit = "CPU";
  row.runtime = "ncnn CPU 4 threads";
  row.note = "threads=4 powersave=2 loops=8";
  CHECK(MatchRow(row, TwoToys()).ok());
  row.note = "threads=4 powersave=1 loops=8";
  CHECK(MatchRow(row, TwoToys()).status().message() == "measured on the small cores, which targets do not stand for");
  row.runtime = "TFLite";
  CHECK(MatchRow(row, TwoToys()).ok());
  row.runtime = "qnn_dlc";
  CHECK(MatchRow(row, TwoToys()).status().message() == "QNN's library for CPUs is another than targets stand for");
  row.unit = "NPU";
  CHECK(MatchRow(row, TwoToys()).ok());
}

struct PrecisionCase {
  const char* published;
  const char* unit;
  const char* runs;  // empty = not modelled
};

TEST_CASE("published precisions by kind of unit") {
  const Target target = ToyTarget("toy");
  const auto c = GENERATE(values<PrecisionCase>({
      {"float", "npu0", "fp16"},
      {"float", "gpu", "fp16"},
      {"float", "cpu", "fp32"},
      {"float", "npu1", ""},
      {"fp32", "gpu", "tf32"},
      {"fp32", "cpu", "fp32"},
      {"fp16", "gpu", "fp16"},
      {"fp16/fp32 storage (ncnn default)", "cpu", "fp32"},
      {"fp16/fp32 storage (ncnn default)", "gpu", "fp16"},
      {"w8a8", "npu1", "int8"},
      {"w8a8_mixed_int16", "npu0", "int8"},
      {"int8(mixed a8/w8,w4)", "npu1", "int8"},
      {"int8/fp16 mix", "npu0", "int8"},
      {"int8 tflite", "cpu", "int8"},
      {"w4a16_g128", "npu0", "w4a16"},
      {"w4", "npu1", ""},
      {"w8a16_mixed_int16", "npu1", ""},
      {"tflite (unstated)", "cpu", "auto"},
  }));
  INFO(c.published << " on " << c.unit);
  const auto precision = PrecisionFor(c.published, target, *UnitOf(target, c.unit));
  CHECK(precision.ok() == (c.runs[0] != '\0'));
  if (precision.ok()) CHECK(*precision == c.runs);
}

TEST_CASE("every row of the table names precisions of the contract") {
  for (const PrecisionRow& row : AllPublishedPrecisions()) {
    for (const absl::string_view tries : {row.cpu, row.gpu, row.npu}) CHECK_FALSE(tries.empty());
  }
}

TEST_CASE("on one target whatever the device") {
  const auto target = TwoToys()[0];
  Measurement row = ToyRow();
  row.device = "nobody's";
  CHECK(MatchRowOn(row, target)->engines == Engines{{"npu0", "npu1"}});
  row.unit = "CPU";
  row.mode = "low";
  CHECK(MatchRowOn(row, target)->engines == Engines{{"cpu"}});
  CHECK(MatchRowOn(row, target)->mode == "low");
  row.mode = "MaxQ";
  CHECK(MatchRowOn(row, target)->mode.empty());
  row.unit = "NPU";
  row.mode = "30W";  // what a device of its own calls its mode low
  CHECK(MatchRowOn(row, target)->mode == "low");
  row.unit = "GPU+2xDLA";
  row.metric = "throughput_fps";
  CHECK(MatchRowOn(row, target)->engines == Engines{{"gpu"}, {"npu0"}, {"npu1"}});
  row.unit = "TPU";
  CHECK(MatchRowOn(row, target).status().message() == "toy-a has no TPU");

  Measurement own = ToyRow();
  CHECK(MatchRowOn(own, target)->engines == Engines{{"npu0"}});
}

TEST_CASE("a number of threads is a mode, or the cores that there are") {
  Measurement row = ToyRow();
  row.device = "nobody's";
  row.unit = "CPU";
  const auto load = [](const std::string& name) { return std::make_shared<const Target>(*LoadTarget(name)); };
  struct Case {
    const char* target;
    const char* said;
    const char* mode;  // null: no prediction stands for it
  };
  const auto c = GENERATE(values<Case>({
      {"raspberry-pi-4", "1 threads", "1 thread"},
      {"raspberry-pi-4", "1 thread", "1 thread"},
      {"raspberry-pi-4", "4 threads", "4 threads"},
      {"raspberry-pi-4", "3 threads", nullptr},
      {"raspberry-pi-4", "powersave", ""},
      {"x86-avx2", "1 threads", "1 thread"},
      {"x86-avx2", "2 threads", "2 threads"},
      {"x86-avx2", "6 threads", nullptr},
      {"x86-avx2", "16 threads", ""},
      {"x86-avx512", "4 threads", ""},
      {"core-ultra-7-155h", "9 threads", ""},
      {"core-ultra-7-155h", "1 threads", nullptr},
  }));
  row.mode = c.said;
  INFO(c.said << " on " << c.target);
  const auto query = MatchRowOn(row, load(c.target));
  REQUIRE(query.ok() == (c.mode != nullptr));
  if (query.ok()) CHECK(query->mode == c.mode);
  if (!query.ok()) CHECK(query.status().message() == std::string(c.target) + " has no mode of " + c.said);
}

TEST_CASE("no two built-in targets claim the same measurements") {
  const auto targets = LoadBuiltInTargets();
  REQUIRE(targets.ok());
  std::set<std::tuple<std::string, std::string, std::string, std::string>> claimed;
  for (const auto& target : *targets) {
    for (const MeasuredAs& as : target->measured_as) {
      INFO(target->name << ": " << as.device << ", " << as.unit << ", " << as.runtime << ", " << as.mode);
      CHECK(claimed.insert({as.device, as.unit, as.runtime, as.mode}).second);
    }
  }
}

TEST_CASE("built-in targets load by name") {
  const auto targets = LoadBuiltInTargets();
  REQUIRE(targets.ok());
  CHECK(targets->size() == ListTargets().size());
}

TEST_CASE("a runtime's name ends before its version") {
  // clang-format off
  const std::pair<absl::string_view, absl::string_view> cases[] = {
      {"TensorRT 8.4.0", "TensorRT"}, {"TensorRT 10", "TensorRT"},       {"TensorRT (tkDNN)", "TensorRT (tkDNN)"},
      {"qnn_dlc", "qnn_dlc"},         {"qaic 1.6.80", "qaic"},           {"", ""},
      {"RT ", "RT "},                 {"TensorRT DLA (2 cores)", "TensorRT DLA (2 cores)"}};
  // clang-format on
  for (const auto& [full, name] : cases) CHECK(RuntimeWithoutVersion(full) == name);
}

}  // namespace
}  // namespace hwest::test
