// Comparisons and checks through the C ABI.
#include <cmath>
#include <string>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

using DiffHandle = std::unique_ptr<hwest_diff, decltype(&hwest_diff_free)>;
using CheckHandle = std::unique_ptr<hwest_check, decltype(&hwest_check_free)>;

template <class Row>
Row RowWithSize() {
  Row row = {};
  row.struct_size = sizeof row;
  return row;
}

DiffHandle DiffOf(const hwest_analysis* a, const hwest_analysis* b) {
  return {Made<hwest_diff>([&](auto** out) { return hwest_diff_create(a, nullptr, b, nullptr, out); }),
          hwest_diff_free};
}

std::string ReportOf(hwest_buffer* buffer) {
  std::string text(hwest_buffer_data(buffer), hwest_buffer_size(buffer));
  hwest_buffer_free(buffer);
  return text;
}

TEST_CASE("a comparison of two targets adds up") {
  const AnalysisHandle a = AnalyzeFile(kResnet, "jetson-orin");
  AnalysisHandle b = AnalyzeFile(kResnet, "tda4vm");
  const DiffHandle diff = DiffOf(a.get(), b.get());
  const double latency_b = TotalsOf(b.get()).latency_s;
  b.reset();  // the comparison does without it
  auto info = RowWithSize<hwest_diff_info>();
  REQUIRE(hwest_diff_describe(diff.get(), &info) == HWEST_OK);
  CHECK(info.same == 0);
  CHECK(std::string(info.target_b) == "tda4vm");
  double sum = info.segments_delta_s;
  for (uint64_t i = 0; i < hwest_diff_node_count(diff.get()); ++i) {
    auto node = RowWithSize<hwest_diff_node>();
    REQUIRE(hwest_diff_node_get(diff.get(), i, &node) == HWEST_OK);
    sum += node.delta_s;
  }
  CHECK(std::fabs(sum - (latency_b - TotalsOf(a.get()).latency_s)) < 1e-9);
  CHECK(hwest_diff_total_count(diff.get()) > 5);
  CHECK(hwest_diff_module_count(diff.get()) > 0);
  CHECK(hwest_diff_judge(diff.get(), "macs:+0%") == HWEST_OK);
  CHECK(hwest_diff_judge(diff.get(), "latency:+1%") != HWEST_OK);
  CHECK(std::string(hwest_last_error_code()) == "check_failed");
  hwest_buffer* buffer = nullptr;
  REQUIRE(hwest_diff_report_buffer(diff.get(), nullptr, &buffer) == HWEST_OK);
  CHECK(ReportOf(buffer).find("latency") != std::string::npos);
  auto options = RowWithSize<hwest_report_options>();
  options.format = HWEST_FORMAT_JUNIT;
  CHECK(hwest_diff_report_buffer(diff.get(), &options, &buffer) == HWEST_INVALID_ARGUMENT);
  options.format = HWEST_FORMAT_HTML;
  if (hwest_diff_report_buffer(diff.get(), &options, &buffer) == HWEST_OK) {
    CHECK(ReportOf(buffer).find("id=\"comparison\"") != std::string::npos);
  } else {
    CHECK_THAT(hwest_last_error_message(), Catch::Contains("Node.js"));  // a build without the page
  }
}

TEST_CASE("a side is an analysis with a target or a saved report") {
  const AnalysisHandle a = AnalyzeFile(kResnet, "jetson-orin");
  const AnalysisHandle without = AnalyzeFile(kResnet, nullptr);
  hwest_diff* diff = nullptr;
  CHECK(hwest_diff_create(a.get(), "x.json", a.get(), nullptr, &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_create(a.get(), nullptr, nullptr, nullptr, &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_create(a.get(), nullptr, nullptr, "nowhere.json", &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_create(a.get(), nullptr, without.get(), nullptr, &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_create(a.get(), nullptr, a.get(), nullptr, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(diff == nullptr);
  hwest_diff_free(nullptr);
}

TEST_CASE("a model is compared with itself where something is asked of the other side") {
  const ModelHandle model = LoadFile(kResnet);
  auto options = RowWithSize<hwest_options>();
  const char* const none = nullptr;
  hwest_diff* diff = nullptr;
  CHECK(hwest_diff_against(model.get(), &options, "tda4vm", nullptr, none, none, &diff) == HWEST_INVALID_ARGUMENT);
  options.target = "jetson-orin";
  CHECK(hwest_diff_against(model.get(), &options, none, nullptr, none, none, &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_against(nullptr, &options, "tda4vm", nullptr, none, none, &diff) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_diff_against(model.get(), &options, none, nullptr, "no mode", none, &diff) != HWEST_OK);
  CHECK(diff == nullptr);
  options.mode = "15W";  // of this target alone
  REQUIRE(hwest_diff_against(model.get(), &options, "tda4vm", nullptr, none, none, &diff) == HWEST_OK);
  auto info = RowWithSize<hwest_diff_info>();
  REQUIRE(hwest_diff_describe(diff, &info) == HWEST_OK);
  CHECK((std::string(info.mode_a) == "15W" && std::string(info.target_b) == "tda4vm"));
  hwest_diff_free(diff);
}

TEST_CASE("an analysis beside its limits") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  auto limits = RowWithSize<hwest_limits>();
  limits.max_latency = "0.1 ms";
  limits.max_memory = "1 GB";
  const CheckHandle check = {Made<hwest_check>([&](auto** out) {
                               return hwest_check_analysis(analysis.get(), &limits, nullptr, nullptr, nullptr, out);
                             }),
                             hwest_check_free};
  auto total = RowWithSize<hwest_check_total>();
  REQUIRE(hwest_check_totals(check.get(), &total) == HWEST_OK);
  CHECK(std::string(total.verdict) == "over");
  CHECK(total.over == 1);
  CHECK(total.limits == 2);
  REQUIRE(hwest_check_line_count(check.get()) == 2);
  auto line = RowWithSize<hwest_check_line>();
  REQUIRE(hwest_check_line_get(check.get(), 0, &line) == HWEST_OK);
  CHECK(std::string(line.figure) == "latency");
  CHECK(line.limit == 1e-4);
  CHECK(line.margin < 0);
  CHECK(line.help[0] != nullptr);
  CHECK(line.file == nullptr);
  CHECK(line.line == -1);
  hwest_buffer* buffer = nullptr;
  auto options = RowWithSize<hwest_report_options>();
  options.format = HWEST_FORMAT_BENCHER;
  REQUIRE(hwest_check_report_buffer(check.get(), &options, &buffer) == HWEST_OK);
  CHECK(ReportOf(buffer).find("\"latency\"") != std::string::npos);
}

TEST_CASE("what is no limit is an error and leaves its output alone") {
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_check* check = nullptr;
  const auto status = [&](const hwest_limits& limits) {
    return hwest_check_analysis(analysis.get(), &limits, nullptr, nullptr, nullptr, &check);
  };
  auto limits = RowWithSize<hwest_limits>();
  CHECK(status(limits) == HWEST_INVALID_ARGUMENT);  // none
  limits.max_power = "15";
  CHECK(status(limits) == HWEST_INVALID_ARGUMENT);  // without its unit
  CHECK(std::string(hwest_last_error_message()).find("such as 15 W") != std::string::npos);
  limits.max_power = "15 W";
  limits.judge = 7;
  CHECK(status(limits) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_check_run("nowhere.budget", nullptr, nullptr, nullptr, &check) == HWEST_INVALID_ARGUMENT);
  limits.judge = HWEST_JUDGE_POINT;
  limits.max_latency = "1 us";
  const hwest_progress stop = [](void*, const char*, uint64_t, uint64_t) -> int32_t { return 1; };
  CHECK(hwest_check_analysis(analysis.get(), &limits, stop, nullptr, nullptr, &check) == HWEST_CANCELLED);
  CHECK(check == nullptr);
  hwest_check_free(nullptr);
}

}  // namespace
}  // namespace hwest::test
