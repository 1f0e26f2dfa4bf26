// Sweeps through the C ABI.
#include <cmath>
#include <string>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

using PlanHandle = std::unique_ptr<hwest_sweep_plan, decltype(&hwest_sweep_plan_free)>;
using SweepHandle = std::unique_ptr<hwest_sweep, decltype(&hwest_sweep_free)>;

constexpr int64_t kBatches[] = {1, 4};

hwest_sweep_lists ListsOf(const char* const* models, const char* const* targets) {
  hwest_sweep_lists lists = {};
  lists.struct_size = sizeof lists;
  lists.models = models;
  lists.targets = targets;
  lists.batches = kBatches;
  lists.batch_count = 2;
  return lists;
}

PlanHandle PlanOf(const hwest_sweep_lists& lists) {
  return {Made<hwest_sweep_plan>([&](auto** out) { return hwest_sweep_plan_create(&lists, out); }),
          hwest_sweep_plan_free};
}

SweepHandle Run(const hwest_sweep_plan* plan, const hwest_sweep_options* options) {
  return {Made<hwest_sweep>([&](auto** out) { return hwest_sweep_run(plan, options, out); }), hwest_sweep_free};
}

hwest_sweep_row RowAt(const hwest_sweep* sweep, uint64_t index) {
  hwest_sweep_row row = {};
  row.struct_size = sizeof row;
  REQUIRE(hwest_sweep_row_get(sweep, index, &row) == HWEST_OK);
  return row;
}

std::string ReportOf(const hwest_sweep* sweep, int32_t format) {
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.format = format;
  hwest_buffer* buffer = nullptr;
  REQUIRE(hwest_sweep_report_buffer(sweep, &options, &buffer) == HWEST_OK);
  std::string text(hwest_buffer_data(buffer), hwest_buffer_size(buffer));
  hwest_buffer_free(buffer);
  return text;
}

const char* const kModels[] = {kResnet, "missing.onnx", nullptr};
const char* const kTargets[] = {"jetson-orin", "tda4vm", nullptr};

TEST_CASE("a sweep runs every combination, and its rows can be read again") {
  const PlanHandle plan = PlanOf(ListsOf(kModels, kTargets));
  CHECK(hwest_sweep_plan_points(plan.get()) == 8);
  const SweepHandle sweep = Run(plan.get(), nullptr);
  REQUIRE(hwest_sweep_row_count(sweep.get()) == 8);
  const hwest_options options = TargetOptions("jetson-orin");
  const AnalysisHandle alone = AnalyzeWith(LoadFile(kResnet).get(), &options);
  CHECK(RowAt(sweep.get(), 0).latency_s == TotalsOf(alone.get()).latency_s);
  CHECK(std::string(RowAt(sweep.get(), 3).target) == "tda4vm");
  CHECK(RowAt(sweep.get(), 3).batch == 4);
  CHECK(std::string(RowAt(sweep.get(), 0).units).find("gpu=") == 0);
  CHECK(std::string(RowAt(sweep.get(), 4).code) == "model_missing");
  const std::string lines = ReportOf(sweep.get(), HWEST_FORMAT_JSONL);
  const SweepHandle again = {
      Made<hwest_sweep>([&](auto** out) { return hwest_sweep_from_rows(lines.data(), lines.size(), out); }),
      hwest_sweep_free};
  CHECK(ReportOf(again.get(), HWEST_FORMAT_JSONL) == lines);
  CHECK(ReportOf(again.get(), HWEST_FORMAT_TEXT) == ReportOf(sweep.get(), HWEST_FORMAT_TEXT));
}

TEST_CASE("a language model has its runtime's figures, beside a network that has none") {
  static const char kConfig[] = HWEST_SOURCE_DIR "/examples/models/qwen3-4b.json";
  const char* const models[] = {kConfig, kResnet, nullptr};
  const char* const targets[] = {"rk3588", nullptr};
  hwest_sweep_lists lists = ListsOf(models, targets);
  lists.batch_count = 1;
  const PlanHandle plan = PlanOf(lists);
  const SweepHandle sweep = Run(plan.get(), nullptr);
  REQUIRE(hwest_sweep_row_count(sweep.get()) == 2);
  const hwest_sweep_row config = RowAt(sweep.get(), 0);
  CHECK(std::string(config.status) == "ok");
  CHECK(std::string(config.runtime) == "rkllm");
  CHECK(std::string(config.weights) == "w8a8");
  CHECK(config.prompt == 128);
  CHECK(config.context == 192);
  CHECK(config.ttft_s > config.ttft_low_s);
  CHECK(config.tokens_per_s_high > config.tokens_per_s);
  CHECK(config.runtime_memory_bytes > 4'000'000'000);
  CHECK(config.runtime_fits == 1);
  CHECK(config.sha256 == nullptr);
  CHECK(std::isnan(config.latency_s));
  const hwest_sweep_row net = RowAt(sweep.get(), 1);
  CHECK(net.runtime == nullptr);
  CHECK(std::isnan(net.ttft_s));
  CHECK(net.runtime_memory_bytes == -1);
  CHECK(net.runtime_fits == -1);
  const std::string lines = ReportOf(sweep.get(), HWEST_FORMAT_JSONL);
  const SweepHandle again = {
      Made<hwest_sweep>([&](auto** out) { return hwest_sweep_from_rows(lines.data(), lines.size(), out); }),
      hwest_sweep_free};
  CHECK(ReportOf(again.get(), HWEST_FORMAT_TEXT) == ReportOf(sweep.get(), HWEST_FORMAT_TEXT));
}

TEST_CASE("a range of a sweep, with a model that is loaded") {
  const PlanHandle plan = PlanOf(ListsOf(kModels, kTargets));
  const SweepHandle whole = Run(plan.get(), nullptr);
  const ModelHandle model = LoadFile(kResnet);
  const hwest_model* const loaded[] = {model.get(), nullptr};
  hwest_sweep_options options = {};
  options.struct_size = sizeof options;
  options.loaded = loaded;
  options.loaded_count = 2;
  options.threads = 2;
  options.first = 1;
  options.count = 4;
  const SweepHandle range = Run(plan.get(), &options);
  REQUIRE(hwest_sweep_row_count(range.get()) == 4);
  for (uint64_t i = 0; i < 3; ++i) {
    CHECK(RowAt(range.get(), i).energy_j == RowAt(whole.get(), i + 1).energy_j);
    CHECK(std::string(RowAt(range.get(), i).sha256) == RowAt(whole.get(), i + 1).sha256);
    CHECK(RowAt(range.get(), i).pareto == -1);
  }
  options.failed = "its worker was lost";
  const SweepHandle lost = Run(plan.get(), &options);
  CHECK(std::string(RowAt(lost.get(), 0).status) == "error");
  CHECK(std::string(RowAt(lost.get(), 0).message).find("its worker was lost") == 0);
  CHECK(std::string(RowAt(lost.get(), 0).sha256) == RowAt(whole.get(), 0).sha256);
}

TEST_CASE("what all points have in common, and targets that are loaded") {
  const char* const models[] = {kResnet, nullptr};
  const char* const targets[] = {"jetson-orin", nullptr};
  const char* const cpu[] = {"cpu", nullptr};
  hwest_options common = {};
  common.struct_size = sizeof common;
  common.only = cpu;
  hwest_sweep_lists lists = ListsOf(models, targets);
  lists.batch_count = 1;
  lists.options = &common;
  const SweepHandle on_cpu = Run(PlanOf(lists).get(), nullptr);
  CHECK(std::string(RowAt(on_cpu.get(), 0).units) == "cpu=1.0");
  const TargetHandle target = LoadTargetNamed("tda4vm");
  const hwest_target* const loaded[] = {target.get()};
  lists.options = nullptr;
  lists.loaded_targets = loaded;
  CHECK(std::string(RowAt(Run(PlanOf(lists).get(), nullptr).get(), 0).target) == "tda4vm");
  hwest_sweep_plan* plan = nullptr;
  lists.options = &common;
  common.precision = "int8";
  CHECK(hwest_sweep_plan_create(&lists, &plan) == HWEST_INVALID_ARGUMENT);
  const char* const units[] = {"gpu=fp16,cpu=fp32", nullptr};
  common.precision = nullptr;
  common.only = nullptr;
  lists.loaded_targets = nullptr;
  lists.precisions = units;
  const SweepHandle by_unit = Run(PlanOf(lists).get(), nullptr);
  CHECK(std::string(RowAt(by_unit.get(), 0).status) == "ok");
  CHECK(std::string(RowAt(by_unit.get(), 0).precision) == units[0]);
  const char* const wrong[] = {"gpu=fp17", nullptr};
  lists.precisions = wrong;
  CHECK(hwest_sweep_plan_create(&lists, &plan) == HWEST_INVALID_ARGUMENT);
}

TEST_CASE("points of the model after the rewrites that help") {
  const char* const models[] = {HWEST_SOURCE_DIR "/test/models/simple_resnet.ts.onnx", nullptr};
  const char* const targets[] = {"tda4vm", nullptr};
  hwest_sweep_lists lists = ListsOf(models, targets);
  lists.batch_count = 1;
  const SweepHandle before = Run(PlanOf(lists).get(), nullptr);
  lists.rewritten = 1;
  const PlanHandle plan = PlanOf(lists);
  const SweepHandle after = Run(plan.get(), nullptr);
  CHECK(RowAt(after.get(), 0).rewritten == 1);
  CHECK(RowAt(after.get(), 0).latency_s < RowAt(before.get(), 0).latency_s);
  std::ifstream file(models[0], std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const ModelHandle model = {Made<hwest_model>([&](auto** out) {
                               return hwest_model_load_memory(bytes.data(), bytes.size(), models[0], out);
                             }),
                             hwest_model_free};
  const hwest_model* const loaded[] = {model.get()};
  const char* const data[] = {bytes.data()};
  const uint64_t size = bytes.size();
  hwest_sweep_options options = {};
  options.struct_size = sizeof options;
  options.loaded = loaded;
  options.loaded_count = 1;
  CHECK(std::string(RowAt(Run(plan.get(), &options).get(), 0).message).find("hand over its bytes") !=
        std::string::npos);
  options.data = data;
  options.data_sizes = &size;
  CHECK(RowAt(Run(plan.get(), &options).get(), 0).latency_s == RowAt(after.get(), 0).latency_s);
}

TEST_CASE("dims apply to the models that have them") {
  const char* const models[] = {kResnet, kBert, nullptr};
  const char* const targets[] = {"jetson-orin", nullptr};
  const char* const dims[] = {"batch=1", "seq=64,128", nullptr};
  hwest_sweep_lists lists = ListsOf(models, targets);
  lists.batch_count = 0;
  lists.dims = dims;
  const ModelHandle resnet = LoadFile(kResnet);
  const hwest_model* const loaded[] = {resnet.get()};
  lists.loaded = loaded;
  lists.loaded_count = 1;
  const PlanHandle plan = PlanOf(lists);
  CHECK(hwest_sweep_plan_points(plan.get()) == 3);
  const char* const* left_out = hwest_sweep_plan_left_out(plan.get(), 0);
  CHECK(std::string(left_out[0]) == "dims=batch");
  CHECK(std::string(left_out[1]) == "dims=seq");
  CHECK(left_out[2] == nullptr);
  CHECK(hwest_sweep_plan_left_out(plan.get(), 1)[0] == nullptr);
  CHECK(hwest_sweep_plan_left_out(plan.get(), 2) == nullptr);
  CHECK(hwest_sweep_plan_left_out(nullptr, 0) == nullptr);
  const SweepHandle sweep = Run(plan.get(), nullptr);
  CHECK(RowAt(sweep.get(), 0).dims == nullptr);
  CHECK(std::string(RowAt(sweep.get(), 2).dims) == "batch=1;seq=128");
  CHECK(ReportOf(sweep.get(), HWEST_FORMAT_JSON).find("--dim") != std::string::npos);
  const char* const nowhere[] = {"sequence=64", nullptr};
  lists.dims = nowhere;
  hwest_sweep_plan* none = nullptr;
  CHECK(hwest_sweep_plan_create(&lists, &none) == HWEST_INVALID_ARGUMENT);
}

TEST_CASE("a sweep that makes no sense is an error and leaves its output alone") {
  hwest_sweep_plan* plan = nullptr;
  const char* const none[] = {nullptr};
  const char* const twice[] = {"tda4vm", "tda4vm", nullptr};
  for (const auto& lists :
       {ListsOf(none, kTargets), ListsOf(kModels, none), ListsOf(kModels, twice), ListsOf(kModels, nullptr)}) {
    CHECK(hwest_sweep_plan_create(&lists, &plan) == HWEST_INVALID_ARGUMENT);
  }
  CHECK(plan == nullptr);
  const PlanHandle good = PlanOf(ListsOf(kModels, kTargets));
  hwest_sweep_options options = {};
  options.struct_size = sizeof options;
  options.first = 7;
  options.count = 2;
  hwest_sweep* sweep = nullptr;
  CHECK(hwest_sweep_run(good.get(), &options, &sweep) == HWEST_INVALID_ARGUMENT);
  options.count = 1;
  options.loaded_count = 1;
  CHECK(hwest_sweep_run(good.get(), &options, &sweep) == HWEST_INVALID_ARGUMENT);
  const std::string lines = "{\"model\": 1}\n";
  CHECK(hwest_sweep_from_rows(lines.data(), lines.size(), &sweep) == HWEST_INVALID_ARGUMENT);
  CHECK(sweep == nullptr);
  CHECK(hwest_sweep_plan_points(nullptr) == 0);
  hwest_sweep_free(nullptr);
}

}  // namespace
}  // namespace hwest::test
