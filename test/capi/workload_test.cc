// Several models on one chip through the C ABI.
#include <cmath>
#include <string>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

const char kStack[] = HWEST_SOURCE_DIR "/examples/workloads/two_detectors.textproto";

TEST_CASE("a workload: totals, tasks, units, segments and the report") {
  hwest_workload* workload = nullptr;
  const hwest_status status = hwest_workload_run(kStack, nullptr, nullptr, nullptr, nullptr, &workload);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  hwest_workload_total total = {};
  total.struct_size = sizeof total;
  REQUIRE(hwest_workload_totals(workload, &total) == HWEST_OK);
  CHECK(total.tasks == 2);
  CHECK(total.missed == 0);
  CHECK(std::fabs(total.hyperperiod_s - 1.0 / 60) < 1e-12);
  REQUIRE(hwest_workload_task_count(workload) == 2);
  hwest_workload_task task = {};
  task.struct_size = sizeof task;
  REQUIRE(hwest_workload_task_get(workload, 0, &task) == HWEST_OK);
  CHECK(std::string(task.name) == "front");
  CHECK(std::string(task.verdict) == "holds");
  CHECK(task.reason == nullptr);
  CHECK(task.response_worst_s <= task.response_bound_s);
  CHECK(std::string(task.units[0]) == "gpu=1");
  CHECK(hwest_workload_unit_count(workload) == 4);
  CHECK(hwest_workload_slowdown_count(workload) == 2);
  CHECK(hwest_workload_segment_count(workload) >= 2);
  CHECK(hwest_workload_fix_count(workload) == 0);
  CHECK(hwest_workload_diagnostic_count(workload) == 0);
  CHECK(total.capacity_bytes_per_s > total.peak_bytes_per_s);
  REQUIRE(hwest_workload_traffic_count(workload) == 2);
  hwest_workload_traffic traffic = {};
  traffic.struct_size = sizeof traffic;
  REQUIRE(hwest_workload_traffic_get(workload, 1, &traffic) == HWEST_OK);
  CHECK(std::string(traffic.task) == "rear");
  CHECK(traffic.mean_bytes_per_s > 0);
  CHECK(traffic.mean_bytes_per_s < traffic.peak_bytes_per_s);
  CHECK(traffic.bytes > 10'000'000);
  hwest_buffer* buffer = nullptr;
  REQUIRE(hwest_workload_report_buffer(workload, nullptr, &buffer) == HWEST_OK);
  CHECK(std::string(hwest_buffer_data(buffer)).find("Who slows whom") != std::string::npos);
  hwest_buffer_free(buffer);
  hwest_report_options html = {};
  html.struct_size = sizeof html;
  html.format = HWEST_FORMAT_HTML;
  REQUIRE(hwest_workload_report_buffer(workload, &html, &buffer) == HWEST_OK);
  const std::string page = hwest_buffer_data(buffer);
  CHECK(page.find("<svg") != std::string::npos);
  CHECK(page.find("<script") > page.find("</main>"));
  CHECK(page.find("<td>holds</td>") != std::string::npos);
  CHECK(page.find("<th>by front</th>") != std::string::npos);
  hwest_buffer_free(buffer);
  html.format = HWEST_FORMAT_PERFETTO;
  REQUIRE(hwest_workload_report_buffer(workload, &html, &buffer) == HWEST_OK);
  CHECK(std::string(hwest_buffer_data(buffer)).find("traceEvents") != std::string::npos);
  hwest_buffer_free(buffer);
  hwest_workload_free(workload);
  hwest_workload_free(nullptr);
}

TEST_CASE("a workload that cannot be run is an error and leaves its output alone") {
  hwest_workload* workload = nullptr;
  CHECK(hwest_workload_run(nullptr, nullptr, nullptr, nullptr, nullptr, &workload) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_workload_run(kStack, nullptr, nullptr, nullptr, nullptr, nullptr) == HWEST_INVALID_ARGUMENT);
  CHECK(hwest_workload_run("nowhere.textproto", nullptr, nullptr, nullptr, nullptr, &workload) ==
        HWEST_INVALID_ARGUMENT);
  CHECK(hwest_workload_run(kStack, "nonsense", nullptr, nullptr, nullptr, &workload) == HWEST_NOT_FOUND);
  const hwest_progress stop = [](void*, const char*, uint64_t, uint64_t) -> int32_t { return 1; };
  CHECK(hwest_workload_run(kStack, nullptr, nullptr, stop, nullptr, &workload) == HWEST_CANCELLED);
  CHECK(workload == nullptr);
}

}  // namespace
}  // namespace hwest::test
