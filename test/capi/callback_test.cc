// Progress, log, cancellation from another thread, versions, and the program inside the library.
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

CancelHandle NewCancel() {
  return {Made<hwest_cancel>([](auto** out) { return hwest_cancel_create(out); }), hwest_cancel_free};
}

struct Steps {
  std::vector<std::string> names;
  uint64_t stop_at = UINT64_MAX;
};

int32_t TakeStep(void* payload, const char* what, uint64_t done, uint64_t total) {
  auto* steps = static_cast<Steps*>(payload);
  CHECK(done == steps->names.size());
  CHECK(done < total);
  steps->names.emplace_back(what);
  return done == steps->stop_at ? 1 : 0;
}

TEST_CASE("progress is called for each stage, and may end the analysis") {
  const ModelHandle model = LoadFile(kResnet);
  Steps steps;
  hwest_options options = TargetOptions("jetson-orin");
  options.progress = TakeStep;
  options.progress_payload = &steps;
  AnalyzeWith(model.get(), &options);
  CHECK((steps.names.front() == "target" && steps.names.back() == "coverage"));
  Steps stopped;
  stopped.stop_at = 4;
  options.progress_payload = &stopped;
  hwest_analysis* analysis = nullptr;
  CHECK(hwest_analyze(model.get(), &options, &analysis) == HWEST_CANCELLED);
  CHECK(std::string(hwest_last_error_code()) == "interrupted");
  CHECK((analysis == nullptr && stopped.names.size() == 5));
}

TEST_CASE("a token cancelled by another thread ends a running analysis") {
  const ModelHandle model = LoadFile(kResnet);
  CancelHandle cancel = NewCancel();
  std::thread other;
  struct Payload {
    hwest_cancel* cancel;
    std::thread* other;
    int steps;
  } payload = {cancel.get(), &other, 0};
  hwest_options options = TargetOptions("jetson-orin");
  options.cancel = cancel.get();
  options.progress_payload = &payload;
  options.progress = [](void* to, const char*, uint64_t, uint64_t) -> int32_t {
    auto* p = static_cast<Payload*>(to);
    if (++p->steps == 3) {
      *p->other = std::thread([p] { hwest_cancel_request(p->cancel); });
      p->other->join();
    }
    return 0;
  };
  hwest_analysis* analysis = nullptr;
  CHECK(hwest_analyze(model.get(), &options, &analysis) == HWEST_CANCELLED);
  CHECK((analysis == nullptr && payload.steps == 3));
  CHECK(hwest_cancel_requested(cancel.get()) == 1);
}

TEST_CASE("a token may be freed while the call that was given it still runs") {
  const ModelHandle model = LoadFile(kResnet);
  hwest_cancel* cancel = NewCancel().release();
  hwest_options options = TargetOptions("jetson-orin");
  options.cancel = cancel;
  options.progress_payload = &cancel;
  options.progress = [](void* payload, const char*, uint64_t, uint64_t) -> int32_t {
    auto** held = static_cast<hwest_cancel**>(payload);
    hwest_cancel_free(*held);
    *held = nullptr;
    return 0;
  };
  AnalyzeWith(model.get(), &options);
  CHECK(cancel == nullptr);
  hwest_cancel_request(nullptr);
  CHECK(hwest_cancel_requested(nullptr) == 0);
}

TEST_CASE("the log is called for every diagnostic") {
  hwest_options options = TargetOptions("jetson-orin");
  options.precision = "int8";
  std::vector<std::string> codes;
  options.log_payload = &codes;
  options.log = [](void* payload, const hwest_diagnostic* diagnostic) {
    CHECK(diagnostic->struct_size == sizeof *diagnostic);
    static_cast<std::vector<std::string>*>(payload)->emplace_back(diagnostic->code);
  };
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), &options);
  REQUIRE(codes.size() == hwest_analysis_diagnostic_count(analysis.get()));
  for (uint64_t i = 0; i < codes.size(); ++i) {
    hwest_diagnostic row = {};
    row.struct_size = sizeof row;
    REQUIRE(hwest_analysis_diagnostic_get(analysis.get(), i, &row) == HWEST_OK);
    CHECK(codes[i] == row.code);
  }
}

TEST_CASE("versions") {
  CHECK(hwest_abi_version() == 65536u * HWEST_ABI_MAJOR + HWEST_ABI_MINOR);
  int parts[3] = {};
  REQUIRE(std::sscanf(hwest_version(), "%d.%d.%d", &parts[0], &parts[1], &parts[2]) == 3);
  CHECK(hwest_version_number() == 1000000u * parts[0] + 1000u * parts[1] + parts[2]);
}

TEST_CASE("the program inside returns its exit codes") {
  const char* const missing[] = {"onnx-hwest", "no/such/model.onnx", "--target", "jetson-orin", "--quiet"};
  const char* const good[] = {"onnx-hwest", kResnet, "--target", "jetson-orin", "--output", "/dev/null"};
  CHECK(hwest_main(5, missing) == 3);
  CHECK(hwest_main(6, good) == 0);
  CHECK(hwest_main(0, nullptr) == 2);
}

}  // namespace
}  // namespace hwest::test
