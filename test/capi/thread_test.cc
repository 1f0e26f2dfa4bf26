// Eight threads share one model, one target and one analysis. Run under ThreadSanitizer by the preset tsan.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 1;

// What the threads share, and how often one of them saw something else than it should.
struct Shared {
  ModelHandle model = LoadFile(kResnet);
  TargetHandle target = LoadTargetNamed("jetson-orin");
  AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  CancelHandle cancel{Made<hwest_cancel>([](auto** out) { return hwest_cancel_create(out); }), hwest_cancel_free};
  std::atomic<int> failures = 0;

  void Expect(bool ok) {
    if (!ok) ++failures;
  }
};

template <class Row, class Handle>
void ReadAll(Shared& shared, const Handle* handle, uint64_t (*count)(const Handle*),
             hwest_status (*get)(const Handle*, uint64_t, Row*)) {
  for (uint64_t i = 0; i < count(handle); ++i) {
    Row row = {};
    row.struct_size = sizeof row;
    shared.Expect(get(handle, i, &row) == HWEST_OK);
  }
}

#define READ(shared, prefix, handle) ReadAll(shared, handle, prefix##_count, prefix##_get)

void ReadTables(Shared& shared, const hwest_analysis* analysis) {
  READ(shared, hwest_analysis_group, analysis);
  READ(shared, hwest_analysis_node, analysis);
  READ(shared, hwest_analysis_value, analysis);
  READ(shared, hwest_analysis_module, analysis);
  READ(shared, hwest_analysis_segment, analysis);
  READ(shared, hwest_analysis_unit, analysis);
  READ(shared, hwest_analysis_event, analysis);
  READ(shared, hwest_analysis_lifetime, analysis);
  READ(shared, hwest_analysis_support, analysis);
  READ(shared, hwest_analysis_diagnostic, analysis);
  READ(shared, hwest_model_input, shared.model.get());
  READ(shared, hwest_model_symbol, shared.model.get());
  READ(shared, hwest_target_fact, shared.target.get());
  READ(shared, hwest_target_unit, shared.target.get());
}

void Report(Shared& shared, int32_t kind, int32_t format) {
  hwest_report_options options = {};
  options.struct_size = sizeof options;
  options.kind = kind;
  options.format = format;
  options.node = "#20";
  hwest_buffer* buffer = nullptr;
  shared.Expect(hwest_report_buffer(shared.analysis.get(), &options, &buffer) == HWEST_OK);
  shared.Expect(hwest_buffer_size(buffer) > 0);
  hwest_buffer_free(buffer);
}

void AnalyzeAt(Shared& shared, int64_t batch) {
  hwest_options options = TargetOptions(nullptr);
  options.loaded = shared.target.get();
  options.batch = batch;
  options.cancel = shared.cancel.get();
  hwest_analysis* analysis = nullptr;
  shared.Expect(hwest_analyze(shared.model.get(), &options, &analysis) == HWEST_OK);
  hwest_totals totals = {};
  totals.struct_size = sizeof totals;
  shared.Expect(hwest_analysis_totals(analysis, &totals) == HWEST_OK);
  shared.Expect(totals.macs.value == batch * 1814073344LL);
  hwest_analysis_free(analysis);
}

void Fail(Shared& shared, int number) {
  const std::string name = "nowhere-" + std::to_string(number);
  hwest_options options = TargetOptions(name.c_str());
  hwest_analysis* analysis = nullptr;
  shared.Expect(hwest_analyze(shared.model.get(), &options, &analysis) == HWEST_NOT_FOUND);
  shared.Expect(std::string(hwest_last_error_message()).find(name) != std::string::npos);
}

void Explain(Shared& shared) {
  hwest_explanation* explanation = nullptr;
  shared.Expect(hwest_explain(shared.analysis.get(), "#20", &explanation) == HWEST_OK);
  READ(shared, hwest_explanation_move, explanation);
  READ(shared, hwest_explanation_miss, explanation);
  hwest_explanation_free(explanation);
}

TEST_CASE("eight threads share one model, target and analysis") {
  Shared shared;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&shared, t] {
      for (int round = 0; round < kRounds; ++round) {
        AnalyzeAt(shared, 1 + (t + round) % 4);
        ReadTables(shared, shared.analysis.get());
        if (t % 4 == 1) Report(shared, HWEST_REPORT_ANALYSIS, HWEST_FORMAT_JSON);
        if (t % 4 == 2) Report(shared, HWEST_REPORT_SUPPORT, HWEST_FORMAT_TEXT);
        if (t % 4 == 3) Report(shared, HWEST_REPORT_EXPLAIN, HWEST_FORMAT_TEXT);
        Fail(shared, t);
        if (t % 4 == 0) Explain(shared);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(shared.failures == 0);
}

TEST_CASE("a cancellation token reaches the analyses of other threads") {
  Shared shared;
  std::atomic<int> cancelled = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&shared, &cancelled] {
      hwest_options options = TargetOptions("jetson-orin");
      options.cancel = shared.cancel.get();
      for (;;) {
        hwest_analysis* analysis = nullptr;
        const hwest_status status = hwest_analyze(shared.model.get(), &options, &analysis);
        hwest_analysis_free(analysis);
        if (status == HWEST_OK) continue;
        if (status == HWEST_CANCELLED) ++cancelled;
        return;
      }
    });
  }
  hwest_cancel_request(shared.cancel.get());
  for (std::thread& thread : threads) thread.join();
  CHECK(cancelled == kThreads);
}

}  // namespace
}  // namespace hwest::test
