// Models and targets through the C ABI: their descriptions, limits, and targets loaded for an analysis.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

template <class Row, class Get, class Handle>
Row RowOf(Get get, const Handle* handle, uint64_t index) {
  Row row = {};
  row.struct_size = sizeof row;
  const hwest_status status = get(handle, index, &row);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  return row;
}

TEST_CASE("a model describes itself") {
  const ModelHandle model = LoadFile(kBert);
  hwest_model_info info = {};
  info.struct_size = sizeof info;
  REQUIRE(hwest_model_describe(model.get(), &info) == HWEST_OK);
  CHECK(info.nodes > 100);
  CHECK(info.values > info.nodes);
  CHECK(info.file_bytes >= info.metadata_bytes);
  CHECK(std::strlen(info.producer) > 0);
  const auto input = RowOf<hwest_value>(hwest_model_input_get, model.get(), 0);
  CHECK(std::string(input.name) == "input_ids");
  CHECK(std::string(input.dtype) == "int64");
  REQUIRE(input.rank == 2);
  CHECK((input.dims[0].value == -1 && std::string(input.dims[0].text) == "batch"));
  CHECK((input.flags & HWEST_VALUE_IS_INPUT) != 0);
  CHECK(input.producer == -1);
  CHECK(hwest_model_symbol_count(model.get()) == 2);
  const auto symbol = RowOf<hwest_symbol>(hwest_model_symbol_get, model.get(), 1);
  CHECK(std::string(symbol.name) == "seq");
  CHECK((symbol.is_data_dependent == 0 && symbol.assumed == -1 && symbol.cause == nullptr));
  CHECK(std::string(RowOf<hwest_opset>(hwest_model_opset_get, model.get(), 0).domain) == "ai.onnx");
}

struct LimitCase {
  const char* name;
  void (*set)(hwest_load_options*);
  hwest_status status;
};

TEST_CASE("limits of loading") {
  const auto c = GENERATE(values<LimitCase>({
      {"default", [](hwest_load_options*) {}, HWEST_OK},
      {"nodes", [](hwest_load_options* o) { o->max_nodes = 3; }, HWEST_FAILED_PRECONDITION},
      {"objects", [](hwest_load_options* o) { o->max_objects = 3; }, HWEST_FAILED_PRECONDITION},
      {"rank", [](hwest_load_options* o) { o->max_rank = 1; }, HWEST_FAILED_PRECONDITION},
      {"negative", [](hwest_load_options* o) { o->max_depth = -1; }, HWEST_INVALID_ARGUMENT},
  }));
  INFO(c.name);
  hwest_load_options options = {};
  options.struct_size = sizeof options;
  c.set(&options);
  const std::string bytes = BytesOf(kResnet);
  hwest_model* from_file = nullptr;
  hwest_model* from_memory = nullptr;
  CHECK(hwest_model_load_with(kResnet, &options, &from_file) == c.status);
  CHECK(hwest_model_load_memory_with(bytes.data(), bytes.size(), nullptr, &options, &from_memory) == c.status);
  CHECK((from_file != nullptr) == (c.status == HWEST_OK));
  CHECK((from_memory != nullptr) == (c.status == HWEST_OK));
  hwest_model_free(from_file);
  hwest_model_free(from_memory);
}

TEST_CASE("targets: listed, loaded, described") {
  const TargetListHandle list = ListOfTargets();
  std::vector<std::string> names;
  for (uint64_t i = 0; i < hwest_target_list_count(list.get()); ++i) {
    const auto info = RowOf<hwest_target_info>(hwest_target_list_get, list.get(), i);
    const TargetHandle target = LoadTargetNamed(info.name);
    hwest_target_info again = {};
    again.struct_size = sizeof again;
    REQUIRE(hwest_target_describe(target.get(), &again) == HWEST_OK);
    CHECK(std::string(info.name) == again.name);
    CHECK(info.facts == again.facts);
    int64_t read = 0;
    for (uint64_t fact = 0; fact < hwest_target_fact_count(target.get()); ++fact) {
      read += RowOf<hwest_fact>(hwest_target_fact_get, target.get(), fact).is_read;
    }
    CHECK(read == info.facts);
    names.emplace_back(info.name);
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::count(names.begin(), names.end(), "jetson-agx-orin-64gb") == 1);
}

TEST_CASE("units, modes and figures of a target") {
  const TargetHandle target = LoadTargetNamed("jetson-orin");
  const auto gpu = RowOf<hwest_target_unit>(hwest_target_unit_get, target.get(), 0);
  CHECK(std::string(gpu.name) == "gpu");
  CHECK(gpu.kind == HWEST_UNIT_SIMT_GPU);
  CHECK((gpu.flags & HWEST_UNIT_IS_PLACEABLE) != 0);
  CHECK((gpu.clock_hz > 1e8 && gpu.macs_per_s > 1e12 && gpu.bytes_per_s > 1e11));
  int defaults = 0;
  for (uint64_t i = 0; i < hwest_target_mode_count(target.get()); ++i) {
    defaults += RowOf<hwest_target_mode>(hwest_target_mode_get, target.get(), i).is_default;
  }
  CHECK(defaults == 1);
  const auto fact = RowOf<hwest_fact>(hwest_target_fact_get, target.get(), 0);
  CHECK((fact.value > 0 && std::strlen(fact.source) > 0 && fact.trust != HWEST_TRUST_UNKNOWN));
}

constexpr char kOwn[] = R"(name: "own" base: "jetson-agx-orin-64gb" summary: "a copy")";

TEST_CASE("a target from memory, in place of a name") {
  hwest_target* own = nullptr;
  REQUIRE(hwest_target_load_memory(kOwn, sizeof kOwn - 1, "own.textproto", &own) == HWEST_OK);
  const ModelHandle model = LoadFile(kResnet);
  hwest_options options = TargetOptions("nowhere");
  options.loaded = own;
  const AnalysisHandle analysis = AnalyzeWith(model.get(), &options);
  hwest_target_free(own);
  CHECK(std::string(TotalsOf(analysis.get()).target) == "own");
  const AnalysisHandle built_in = AnalyzeFile(kResnet, "jetson-orin");
  CHECK(TotalsOf(analysis.get()).latency_s == TotalsOf(built_in.get()).latency_s);
}

TEST_CASE("targets that are wrong") {
  hwest_target* target = nullptr;
  CHECK(hwest_target_load("jetson-orni", &target) == HWEST_NOT_FOUND);
  CHECK(std::string(hwest_last_error_message()).find("jetson-orin") != std::string::npos);
  CHECK(hwest_target_load_memory("nonsense", 8, "bad.textproto", &target) == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_message()).find("bad.textproto") != std::string::npos);
  CHECK(target == nullptr);
  const LintHandle lint = LintOf("name: \"x\"\nnonsense: 1\n");
  const auto problem = RowOf<hwest_problem>(hwest_lint_problem_get, lint.get(), 0);
  CHECK(problem.line == 2);
  CHECK(problem.severity == HWEST_SEVERITY_ERROR);
  CHECK(hwest_lint_problem_count(LintOf(kOwn).get()) == 0);
  const LintHandle slow = LintOf(
      "name: \"x\" base: \"hailo-8\" sources { key: \"s\" title: \"S\" date: \"2026\" }\n"
      "unit { name: \"npu\" clock_hz { value: 1e6 source: \"s\" trust: PUBLISHED } }");
  REQUIRE(hwest_lint_problem_count(slow.get()) == 1);
  CHECK(RowOf<hwest_problem>(hwest_lint_problem_get, slow.get(), 0).severity == HWEST_SEVERITY_WARNING);
}

TEST_CASE("documents about targets") {
  const TargetHandle target = LoadTargetNamed("jetson-orin");
  const TargetListHandle list = ListOfTargets();
  const LintHandle lint = LintOf("name: \"x\" nonsense: 1");
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  for (const int32_t format : {HWEST_FORMAT_TEXT, HWEST_FORMAT_JSON, HWEST_FORMAT_CSV, HWEST_FORMAT_MARKDOWN}) {
    options.format = format;
    hwest_buffer* buffers[3] = {};
    REQUIRE(hwest_target_report_buffer(target.get(), &options, &buffers[0]) == HWEST_OK);
    REQUIRE(hwest_target_list_report_buffer(list.get(), &options, &buffers[1]) == HWEST_OK);
    REQUIRE(hwest_lint_report_buffer(lint.get(), &options, &buffers[2]) == HWEST_OK);
    CHECK(std::string(hwest_buffer_data(buffers[0])).find("NVIDIA") != std::string::npos);
    CHECK(std::string(hwest_buffer_data(buffers[1])).find("hailo-8l") != std::string::npos);
    CHECK(std::string(hwest_buffer_data(buffers[2])).find("target") != std::string::npos);
    for (hwest_buffer* buffer : buffers) hwest_buffer_free(buffer);
  }
  options.format = HWEST_FORMAT_PNG;
  hwest_buffer* none = nullptr;
  CHECK(hwest_target_report_buffer(target.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  CHECK(none == nullptr);
}

}  // namespace
}  // namespace hwest::test
