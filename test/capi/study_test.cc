// What would help, explanations, validation and calibration through the C ABI.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

const std::string kModels = std::filesystem::path(kResnet).parent_path().string();

// A file of measurements of one model at several batch sizes, gone at the end of the test.
class Measurements {
 public:
  Measurements() {
    const int fd = ::mkstemps(path_, 4);
    REQUIRE(fd >= 0);
    ::close(fd);
    std::ofstream file(path_);
    file << "model,device,unit,runtime,precision,metric,value,batch\n";
    for (int batch = 1; batch <= 8; ++batch) {
      file << "resnet18,my board,GPU,trt,fp16,latency_ms," << 0.5 + 0.3 * batch << "," << batch << "\n";
    }
    file << "nowhere,my board,GPU,trt,fp16,latency_ms,1,1\n";
  }
  ~Measurements() { std::filesystem::remove(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "hwest_capi_XXXXXX.csv";
};

hwest_validate_options ValidateOn(const Measurements& measurements, const char* target) {
  hwest_validate_options options = {};
  options.struct_size = sizeof options;
  options.measurements = measurements.path();
  options.models = kModels.c_str();
  options.target = target;
  return options;
}

std::string Taken(hwest_buffer* buffer) {
  const std::string text(hwest_buffer_data(buffer), hwest_buffer_size(buffer));
  hwest_buffer_free(buffer);
  return text;
}

TEST_CASE("validation: points, pools and what was passed over") {
  const Measurements measurements;
  const hwest_validate_options options = ValidateOn(measurements, "jetson-orin");
  hwest_validation* validation = nullptr;
  const hwest_status status = hwest_validate(&options, &validation);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  REQUIRE(hwest_validation_point_count(validation) == 8);
  hwest_point point = {};
  point.struct_size = sizeof point;
  REQUIRE(hwest_validation_point_get(validation, 2, &point) == HWEST_OK);
  CHECK((point.row == 3 && point.measured == Approx(1.4)));
  CHECK((point.low < point.predicted && point.predicted < point.high));
  CHECK(point.fold == nullptr);
  hwest_accuracy pool = {};
  pool.struct_size = sizeof pool;
  REQUIRE(hwest_validation_pool_count(validation) == 1);
  REQUIRE(hwest_validation_pool_get(validation, 0, &pool) == HWEST_OK);
  CHECK((pool.points == 8 && pool.devices == 1 && pool.median >= 0));
  hwest_accuracy device = {};
  device.struct_size = sizeof device;
  REQUIRE(hwest_validation_device_get(validation, 0, &device) == HWEST_OK);
  CHECK((std::string(device.device) == "my board" && device.devices == -1));
  hwest_skipped skipped = {};
  skipped.struct_size = sizeof skipped;
  REQUIRE(hwest_validation_skipped_count(validation) == 1);
  REQUIRE(hwest_validation_skipped_get(validation, 0, &skipped) == HWEST_OK);
  CHECK(skipped.count == 1);
  hwest_buffer* report = nullptr;
  REQUIRE(hwest_validation_report_buffer(validation, nullptr, &report) == HWEST_OK);
  CHECK(Taken(report).find("my board") != std::string::npos);
  hwest_validation_free(validation);
}

TEST_CASE("a cancelled study ends with what was asked for") {
  const Measurements measurements;
  hwest_validate_options options = ValidateOn(measurements, "jetson-orin");
  hwest_cancel* made = nullptr;
  REQUIRE(hwest_cancel_create(&made) == HWEST_OK);
  const CancelHandle cancel(made, hwest_cancel_free);
  uint64_t calls = 0;
  options.progress_payload = &calls;
  hwest_validation* validation = nullptr;
  SECTION("by the callback") {
    options.progress = [](void* payload, const char*, uint64_t, uint64_t total) -> int32_t {
      CHECK(total == 9);
      return ++*static_cast<uint64_t*>(payload) == 2 ? 1 : 0;
    };
    CHECK(hwest_validate(&options, &validation) == HWEST_CANCELLED);
    CHECK(calls == 2);
  }
  SECTION("by the token") {
    options.cancel = cancel.get();
    hwest_cancel_request(cancel.get());
    CHECK(hwest_validate(&options, &validation) == HWEST_CANCELLED);
  }
  CHECK(std::string(hwest_last_error_code()) == "interrupted");
  CHECK(validation == nullptr);
}

TEST_CASE("calibration: figures, errors, and a target file that loads") {
  const Measurements measurements;
  hwest_calibrate_options options = {};
  options.struct_size = sizeof options;
  options.measurements = measurements.path();
  options.models = kModels.c_str();
  options.target = "jetson-agx-orin-64gb";  // "jetson-orin" is the family
  hwest_calibration* calibration = nullptr;
  const hwest_status status = hwest_calibrate(&options, &calibration);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  CHECK(hwest_calibration_before_count(calibration) == 1);
  CHECK(hwest_calibration_after_count(calibration) == 1);
  REQUIRE(hwest_calibration_fit_count(calibration) > 0);
  hwest_fit fit = {};
  fit.struct_size = sizeof fit;
  REQUIRE(hwest_calibration_fit_get(calibration, 0, &fit) == HWEST_OK);
  CHECK((fit.min <= fit.value && fit.value <= fit.max && fit.count == 8));
  const std::string text = hwest_calibration_target_text(calibration);
  hwest_target* target = nullptr;
  REQUIRE(hwest_target_load_memory(text.data(), text.size(), "fitted", &target) == HWEST_OK);
  hwest_target_free(target);
  hwest_buffer* report = nullptr;
  REQUIRE(hwest_calibration_report_buffer(calibration, nullptr, &report) == HWEST_OK);
  CHECK(Taken(report).find(fit.path) != std::string::npos);
  hwest_calibration_free(calibration);
}

TEST_CASE("studies that make no sense") {
  const Measurements measurements;
  hwest_validation* validation = nullptr;
  hwest_calibration* calibration = nullptr;
  hwest_validate_options options = ValidateOn(measurements, "nowhere");
  CHECK(hwest_validate(&options, &validation) == HWEST_NOT_FOUND);
  options.target = nullptr;
  options.models = "no/such/folder";
  CHECK(hwest_validate(&options, &validation) == HWEST_NOT_FOUND);
  options.models = nullptr;
  CHECK(hwest_validate(&options, &validation) == HWEST_INVALID_ARGUMENT);
  options = ValidateOn(measurements, nullptr);
  options.leave_out = 9;
  CHECK(hwest_validate(&options, &validation) == HWEST_INVALID_ARGUMENT);
  options.leave_out = 0;
  options.measurements = "no/such/file.csv";
  CHECK(hwest_validate(&options, &validation) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_validate(nullptr, &validation) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_calibrate(nullptr, &calibration) == HWEST_INVALID_ARGUMENT);
  CHECK((validation == nullptr && calibration == nullptr));
}

TEST_CASE("what-if: changes by what they save, in rows and in the report") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  const WhatIfHandle what_if = WhatIfOf(analysis.get());
  double last = 1e9;
  int32_t scope = HWEST_SCOPE_SAME;
  for (uint64_t i = 0; i < hwest_what_if_change_count(what_if.get()); ++i) {
    hwest_change change = {};
    change.struct_size = sizeof change;
    REQUIRE(hwest_what_if_change_get(what_if.get(), i, &change) == HWEST_OK);
    CHECK((change.scope > scope || (change.scope == scope && change.saving_s <= last)));
    CHECK((change.saving_s > 0 && change.saving_low_s <= change.saving_s && change.saving_s <= change.saving_high_s));
    CHECK((change.how[0] != '\0' && change.work[0] != '\0'));
    CHECK((change.command != nullptr || change.edits[0] != nullptr || change.target_text != nullptr));
    last = change.saving_s;
    scope = change.scope;
  }
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.format = HWEST_FORMAT_JSON;
  hwest_buffer* without = nullptr;
  hwest_buffer* with = nullptr;
  REQUIRE(hwest_report_buffer(analysis.get(), &options, &without) == HWEST_OK);
  options.what_if = what_if.get();
  REQUIRE(hwest_report_buffer(analysis.get(), &options, &with) == HWEST_OK);
  CHECK(Taken(without).find("\"saving_s\"") == std::string::npos);
  CHECK(Taken(with).find("\"saving_s\"") != std::string::npos);
}

TEST_CASE("a cancelled what-if tries nothing more") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  std::vector<std::string> tried;
  hwest_what_if* what_if = nullptr;
  const auto stop_at_third = [](void* payload, const char* what, uint64_t done, uint64_t) -> int32_t {
    auto* names = static_cast<std::vector<std::string>*>(payload);
    CHECK(done == names->size());
    names->emplace_back(what);
    return names->size() == 3 ? 1 : 0;
  };
  CHECK(hwest_what_if_create(analysis.get(), stop_at_third, &tried, &what_if) == HWEST_CANCELLED);
  CHECK(std::string(hwest_last_error_code()) == "interrupted");
  CHECK((what_if == nullptr && tried.size() == 3));
}

// Steps of a call, and the token that one of them cancels.
struct Steps {
  hwest_cancel* cancel = nullptr;
  uint64_t cancel_at = 0;
  uint64_t told = 0;

  static int32_t Tell(void* payload, const char*, uint64_t, uint64_t) {
    auto* steps = static_cast<Steps*>(payload);
    if (steps->told++ == steps->cancel_at) hwest_cancel_request(steps->cancel);
    return 0;
  }
};

struct CancelledCall {
  const char* name;
  hwest_status (*run)(const hwest_analysis* analysis, const hwest_watch* watch);
};
// clang-format off
const CancelledCall kCancelledCalls[] = {
    {"what-if", [](const hwest_analysis* analysis, const hwest_watch* watch) {
       hwest_what_if* made = nullptr;
       const hwest_status status = hwest_what_if_create_with(analysis, watch, &made);
       CHECK((made != nullptr) == (status == HWEST_OK));
       hwest_what_if_free(made);
       return status;
     }},
    {"explain", [](const hwest_analysis* analysis, const hwest_watch* watch) {
       hwest_explanation* made = nullptr;
       const hwest_status status = hwest_explain_with(analysis, "#20", watch, &made);
       CHECK((made != nullptr) == (status == HWEST_OK));
       hwest_explanation_free(made);
       return status;
     }},
    {"workload", [](const hwest_analysis*, const hwest_watch* watch) {
       const char stack[] = HWEST_SOURCE_DIR "/examples/workloads/two_detectors.textproto";
       hwest_workload* made = nullptr;
       const hwest_status status = hwest_workload_run_with(stack, nullptr, nullptr, watch, &made);
       CHECK((made != nullptr) == (status == HWEST_OK));
       hwest_workload_free(made);
       return status;
     }},
};
// clang-format on

TEST_CASE("studies end where a token is cancelled, before them and during each step") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  for (const CancelledCall& call : kCancelledCalls) {
    INFO(call.name);
    Steps all{.cancel_at = UINT64_MAX};
    hwest_watch watch = {};
    watch.struct_size = sizeof watch;
    watch.progress = Steps::Tell;
    watch.progress_payload = &all;
    REQUIRE(call.run(analysis.get(), &watch) == HWEST_OK);
    REQUIRE(all.told > 2);
    CHECK(call.run(analysis.get(), nullptr) == HWEST_OK);
    for (const uint64_t at : {uint64_t{0}, uint64_t{1}, all.told - 1}) {
      const CancelHandle cancel(Made<hwest_cancel>(hwest_cancel_create), hwest_cancel_free);
      Steps steps{.cancel = cancel.get(), .cancel_at = at};
      watch.progress_payload = &steps;
      watch.cancel = cancel.get();
      CHECK(call.run(analysis.get(), &watch) == HWEST_CANCELLED);
      CHECK(std::string(hwest_last_error_code()) == "interrupted");
      CHECK(steps.told == at + 1);
      CHECK(call.run(analysis.get(), &watch) == HWEST_CANCELLED);  // cancelled before
    }
    watch.cancel = nullptr;
    watch.reserved = 1;
    CHECK(call.run(analysis.get(), &watch) == HWEST_INVALID_ARGUMENT);
  }
}

TEST_CASE("explain: the fusion, and each unit's offer") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_node node = {};
  node.struct_size = sizeof node;
  REQUIRE(hwest_analysis_node_get(analysis.get(), 20, &node) == HWEST_OK);
  const ExplanationHandle explanation = Explain(analysis.get(), node.label);
  hwest_fusion fusion = {};
  fusion.struct_size = sizeof fusion;
  REQUIRE(hwest_explanation_fusion(explanation.get(), &fusion) == HWEST_OK);
  CHECK(fusion.node == 20);
  CHECK(fusion.pattern != nullptr);
  bool is_there = false;
  for (uint64_t i = 0; i < hwest_explanation_move_count(explanation.get()); ++i) {
    hwest_move move = {};
    move.struct_size = sizeof move;
    REQUIRE(hwest_explanation_move_get(explanation.get(), i, &move) == HWEST_OK);
    if (std::string(move.unit) != node.unit) continue;
    is_there = true;
    CHECK(move.latency_s == Approx(TotalsOf(analysis.get()).latency_s));
  }
  CHECK(is_there);
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.kind = HWEST_REPORT_EXPLAIN;
  options.explanation = explanation.get();
  hwest_buffer* report = nullptr;
  REQUIRE(hwest_report_buffer(analysis.get(), &options, &report) == HWEST_OK);
  CHECK(Taken(report).find(node.label) != std::string::npos);
}

TEST_CASE("what belongs to another analysis, or needs a target, is refused") {
  const AnalysisHandle one = AnalyzeFile(kResnet, "jetson-orin");
  const AnalysisHandle other = AnalyzeFile(kResnet, "hailo-8l");
  const AnalysisHandle none = AnalyzeWith(LoadFile(kResnet).get(), nullptr);
  const ExplanationHandle explanation = Explain(one.get(), "#20");
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.kind = HWEST_REPORT_EXPLAIN;
  options.explanation = explanation.get();
  hwest_buffer* report = nullptr;
  CHECK(hwest_report_buffer(other.get(), &options, &report) == HWEST_INVALID_ARGUMENT);
  hwest_explanation* nothing = nullptr;
  hwest_what_if* no_change = nullptr;
  CHECK(hwest_explain(none.get(), "#20", &nothing) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_explain(one.get(), "nobody", &nothing) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_what_if_create(none.get(), nullptr, nullptr, &no_change) == HWEST_INVALID_ARGUMENT);
  CHECK((report == nullptr && nothing == nullptr && no_change == nullptr));
}

}  // namespace
}  // namespace hwest::test
