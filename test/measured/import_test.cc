#include "measured/import.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "measured/import_tree.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kTimes[] =
    R"([ { "startEnqMs" : 1, "startComputeMs" : 10, "endComputeMs" : 12.5, "h2dMs" : 0.2,
  "computeMs" : 2.5, "latencyMs" : 2.9 }
, { "startComputeMs" : 20, "endComputeMs" : 21.5, "computeMs" : 1.5, "latencyMs" : 1.9 }
, { "startComputeMs" : 30, "endComputeMs" : 37, "computeMs" : 7, "latencyMs" : 7.4 }
])";
constexpr char kOlderTimes[] =
    R"([ { "startComputeMs" : 10, "endComputeMs" : 12 }, { "startComputeMs" : 20, "endComputeMs" : 24 } ])";
constexpr char kProfile[] =
    R"([ { "count" : 10 }
, { "name" : "conv + relu", "timeMs" : 8, "averageMs" : 0.8, "medianMs" : 0.75, "percentage" : 80 }
, { "name" : "copy", "timeMs" : 0, "averageMs" : 0, "medianMs" : 0, "percentage" : 0 }
, { "name" : "fc", "timeMs" : 2, "averageMs" : 0.2, "medianMs" : 0.25, "percentage" : 20 }
])";
constexpr char kOlderProfile[] =
    R"([ { "count" : 4 }, { "name" : "conv", "timeMs" : 6 }, { "name" : "fc", "timeMs" : 2 } ])";
constexpr char kOrtProfile[] =
    R"([{"cat" : "Session","pid" :1,"tid" :1,"dur" :900,"ts" :1,"ph" : "X","name" :"session_initialization",
  "args" : {}},
{"cat" : "Node","dur" :80,"ts" :2,"ph" : "X","name" :"c_kernel_time",
  "args" : {"op_name" : "Conv","provider" : "CUDAExecutionProvider",
  "input_type_shape" : [{"float16":[1,3]},{"float16":[3]}]}},
{"cat" : "Node","dur" :9,"ts" :2,"ph" : "X","name" :"s_kernel_time",
  "args" : {"op_name" : "Shape","provider" : "CPUExecutionProvider","input_type_shape" : [{"int64":[1]}]}},
{"cat" : "Session","dur" :9000,"ts" :3,"ph" : "X","name" :"model_run","args" : {}},
{"cat" : "Session","dur" :1400,"ts" :4,"ph" : "X","name" :"model_run","args" : {}},
{"cat" : "Session","dur" :1200,"ts" :5,"ph" : "X","name" :"model_run","args" : {}}
])";
constexpr char kPerf[] = R"(# what a release publishes
supported_devices:
- Phone (Proxy)
precisions:
  w8a8:
    components:
      ResNet50:
        universal_assets:
          qnn_dlc:
            model_id: mx
        performance_metrics:
          Phone (Proxy):
            tflite:
              job_id: j1
              job_status: Passed
              inference_time_milliseconds: 0.75
              primary_compute_unit: NPU
              layer_counts:
                total: 79
                npu: 79
            qnn_dlc:
              job_status: Passed
              inference_time_milliseconds: 0.5
              primary_compute_unit: NPU
              layer_counts:
                total: 127
                npu: 127
              tool_versions:
                qairt: 2.41.0
            onnx:
              job_status: Passed
              inference_time_milliseconds: 9
              primary_compute_unit: NPU
              layer_counts:
                total: 80
                npu: 79
                cpu: 1
          Board:
            qnn_dlc:
              job_status: Failed
)";
constexpr char kOlderPerf[] = R"(aggregated:
  supported_devices:
  - Phone
models:
- name: ResNet50
  performance_metrics:
  - torchscript_onnx_qnn:
      inference_time: 938.0
      primary_compute_unit: NPU
      precision: int8
      layer_info:
        layers_on_npu: 127
        layers_on_gpu: 0
        total_layers: 127
      job_status: Passed
    torchscript_onnx_tflite:
      inference_time: 'null'
      job_status: Failed
    reference_device_info:
      name: Phone
      os: '13'
      chipset: "Chip 8 \"Gen\" 2"
    timestamp: '2025-04-08T05:45:37Z'
)";
constexpr char kFlatPerf[] =
    R"({"model_id": "net", "performance_metrics": [{"precision": "PRECISION_FLOAT", "device": "Phone",
 "runtime": "RUNTIME_TFLITE",
 "metrics": {"inference_time_milliseconds": 2.5, "primary_compute_unit": "NPU"}}]})";
constexpr char kJob[] =
    R"({"execution_summary": {"estimated_inference_time": 2250, "all_inference_times": [2300, 2250]},
 "execution_detail": [{"name": "a", "compute_unit": "NPU", "execution_time": 9}]})";

MeasurementDefaults Caller() {
  MeasurementDefaults defaults;
  defaults.models = {{"", "net"}};
  defaults.device = "my board";
  defaults.precision = "fp16";
  defaults.mode = "15W";
  defaults.images = 4;
  defaults.dims = {{"seq", 128}, {"x.1", 3}};
  return defaults;
}

std::vector<Measurement> Read(absl::string_view text, const MeasurementDefaults& defaults) {
  auto rows = ImportMeasurements(text, "file", defaults);
  INFO(rows.status());
  REQUIRE(rows.ok());
  return *std::move(rows);
}

Diagnostic ErrorOf(absl::string_view text, const MeasurementDefaults& defaults) {
  const auto rows = ImportMeasurements(text, "file", defaults);
  REQUIRE_FALSE(rows.ok());
  const Diagnostic error = DiagnosticOf(rows.status());
  CHECK(error.code == Code::kUsage);
  return error;
}

struct Form {
  const char* text;
  double milliseconds;
  const char* unit;
  const char* runtime;
  const char* device = "my board";
  const char* precision = "fp16";
};

TEST_CASE("every form becomes the same row") {
  const auto form = GENERATE(values<Form>({
      {kTimes, 2.5, "GPU", "TensorRT trtexec"},
      {kOlderTimes, 3, "GPU", "TensorRT trtexec"},
      {kProfile, 1, "GPU", "TensorRT trtexec"},
      {kOlderProfile, 2, "GPU", "TensorRT trtexec"},
      {kOrtProfile, 1.3, "GPU", "onnxruntime CUDA"},
      {kOlderPerf, 0.938, "NPU", "qnn_dlc", "Phone", "int8"},
      {kFlatPerf, 2.5, "NPU", "tflite", "Phone", "float"},
  }));
  const std::vector<Measurement> rows = Read(form.text, Caller());
  REQUIRE(rows.size() == 1);
  const Measurement& row = rows[0];
  CHECK(row.row == 1);
  CHECK(row.model == "net");
  CHECK(row.family == "net");
  CHECK(row.device == form.device);
  CHECK(row.unit == form.unit);
  CHECK(row.runtime == form.runtime);
  CHECK(row.precision == form.precision);
  CHECK(row.mode == "15W");
  CHECK(row.metric == "latency_ms");
  CHECK(row.value == Approx(form.milliseconds));
  CHECK(row.images == 4);
  CHECK(row.bind == "seq=128;x.1=3");
  CHECK(row.dims == Caller().dims);
  CHECK(row.closeness == Closeness::kExact);
}

TEST_CASE("a perf file has a row for each job that passed on one unit alone") {
  const std::vector<Measurement> rows = Read(kPerf, Caller());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].runtime == "qnn_dlc");
  CHECK(rows[0].device == "Phone (Proxy)");
  CHECK(rows[0].precision == "w8a8");
  CHECK(rows[0].value == 0.5);
  CHECK(rows[0].source_version == "2.41.0");
  CHECK(rows[1].runtime == "tflite");
  CHECK(rows[1].row == 2);
}

TEST_CASE("of several parts those that are named are read") {
  const std::string two = absl::StrCat(kOlderPerf,
                                       "- name: Decoder\n  performance_metrics:\n  - tflite:\n      inference_time: "
                                       "100\n      primary_compute_unit: CPU\n",
                                       "      precision: fp32\n    reference_device_info:\n      name: Phone\n");
  CHECK_THAT(ErrorOf(two, Caller()).message, Catch::Contains("measured Decoder, ResNet50"));
  MeasurementDefaults defaults;
  defaults.models = {{"Decoder", "dec"}};
  const std::vector<Measurement> rows = Read(two, defaults);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].model == "dec");
  CHECK(rows[0].unit == "CPU");
  CHECK(rows[0].value == Approx(0.1));
  defaults.models = {{"Encoder", "enc"}};
  CHECK_THAT(ErrorOf(two, defaults).message, Catch::Contains("none of the models"));
}

TEST_CASE("a job ran on the NPU unless a layer did not") {
  const std::vector<Measurement> rows = Read(absl::StrCat(kJob), [] {
    MeasurementDefaults defaults = Caller();
    defaults.runtime = "qnn_dlc";
    return defaults;
  }());
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].unit == "NPU");
  CHECK(rows[0].value == 2.25);
  CHECK(ErrorOf(kJob, Caller()).remedy == "say it with --runtime NAME");
  const char mixed[] =
      R"({"execution_summary": {"estimated_inference_time": 9}, "execution_detail": [{"compute_unit": "CPU"}]})";
  CHECK_THAT(ErrorOf(mixed, Caller()).message, Catch::Contains("a layer ran on CPU"));
}

TEST_CASE("what neither the file nor the caller says names its flag") {
  struct Missing {
    const char* text;
    void (*forget)(MeasurementDefaults&);
    const char* flag;
  };
  const Missing cases[] = {
      {kTimes, [](MeasurementDefaults& u) { u.models.clear(); }, "--model MODEL"},
      {kTimes, [](MeasurementDefaults& u) { u.device.clear(); }, "--device NAME"},
      {kProfile, [](MeasurementDefaults& u) { u.precision.clear(); }, "--precision P"},
      {kPerf, [](MeasurementDefaults& u) { u.models.clear(); }, "--model MODEL"},
  };
  for (const Missing& c : cases) {
    MeasurementDefaults defaults = Caller();
    c.forget(defaults);
    CHECK_THAT(ErrorOf(c.text, defaults).remedy, Catch::Contains(c.flag));
  }
}

TEST_CASE("the caller's word on what a profile only suggests goes first") {
  MeasurementDefaults defaults = Caller();
  defaults.precision.clear();
  CHECK(Read(kOrtProfile, defaults)[0].precision == "fp16");
  defaults.precision = "int8";
  defaults.runtime = "onnxruntime 1.20 TensorRT";
  CHECK(Read(kOrtProfile, defaults)[0].precision == "int8");
  CHECK(Read(kOrtProfile, defaults)[0].runtime == "onnxruntime 1.20 TensorRT");
  defaults.unit = "dla0";
  CHECK(Read(kTimes, defaults)[0].unit == "dla0");
}

TEST_CASE("a table may lack the columns that the caller gives") {
  const std::vector<Measurement> rows = Read("model,unit,runtime,metric,value\na,CPU,r,latency_ms,2\n", Caller());
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].model == "a");
  CHECK(rows[0].device == "my board");
  CHECK(rows[0].precision == "fp16");
}

TEST_CASE("texts that are no measurements end in an error") {
  struct Bad {
    std::string text;
    const char* what;
  };
  const Bad cases[] = {
      {std::string(kTimes).substr(0, 200), "not complete"},
      {"[", "not complete"},
      {"[1, 2, 3]", "no known form"},
      {"{}", "no known form"},
      {"[]", "no known form"},
      {R"([{"computeMs": 0}, {"computeMs": -4}])", "no time above 0"},
      {R"([{"computeMs": 1e999}, {"computeMs": 2}])", "not complete"},
      {R"([{"count": 0}, {"name": "a", "timeMs": 3}])", "has no time"},
      {R"([{"name": "a", "averageMs": "fast"}, {"name": "b", "averageMs": 1}])", "has no time"},
      {R"([{"cat": "Session", "dur": 5, "name": "session_initialization"}])", "no run"},
      {R"({"execution_summary": []})", "no inference time"},
      {R"({"models": 3})", "no job"},
      {R"({"precisions": {"w8a8": {"components": {"N": {"performance_metrics": {"D": {"r": 1}}}}}}})", "no job"},
      {std::string(100000, '['), "too deeply"},
      {"models:\n- name: [a, b]\n", "file:2: '[' is not understood"},
      {"models:\n- name: a\n   x: 1\n", "file:3: the indentation"},
      {"models:\n- name: 'a\n", "file:2: a quote is never closed"},
      {"models:\n  a: &b 1\n", "file:2: '&' is not understood"},
      {"Original Operator,NNG Operator,Op Cycles,Name\nAdd,Add,9,a\n,core_clock\n,1e9\n", "estimates of Vela"},
      {"", "empty"},
  };
  for (const Bad& c : cases) {
    INFO(c.text.substr(0, 60));
    CHECK_THAT(ErrorOf(c.text, Caller()).message, Catch::StartsWith("file:") && Catch::Contains(c.what));
  }
}

TEST_CASE("no cut of a file crashes or passes for another one") {
  for (const char* text : {kTimes, kProfile, kOrtProfile, kPerf, kOlderPerf, kFlatPerf, kJob}) {
    const std::string whole = text;
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto rows = ImportMeasurements(whole.substr(0, size), "file", Caller());
      for (size_t r = 0; rows.ok() && r < rows->size(); ++r) CHECK(rows->at(r).value > 0);
    }
  }
}

TEST_CASE("the subset of YAML") {
  const auto tree = ParseYaml(
      "a: 1\nb:\n- x: yes # why\n  y: \"1: \\\"2\\\"\"\n-\n  - -3.5\n  - {}\n\"c d\": |\n  e: f\ng:\nh: a#b 'c'\n",
      "f");
  INFO(tree.status());
  REQUIRE(tree.ok());
  CHECK(tree->dump() ==
        R"({"a":1.0,"b":[{"x":"yes","y":"1: \"2\""},[-3.5,{}]],"c d":"e: f\n","g":null,"h":"a#b 'c'"})");
  std::string deep;
  for (int i = 0; i < 200; ++i) absl::StrAppend(&deep, std::string(static_cast<size_t>(i), ' '), "a:\n");
  CHECK_THAT(DiagnosticOf(ParseYaml(deep, "f").status()).message, Catch::Contains("too deeply"));
}

}  // namespace
}  // namespace hwest::test
