// The tables of a plan agree with each other, and options reach it.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

template <class Row>
std::vector<Row> All(const hwest_analysis* analysis, uint64_t (*count)(const hwest_analysis*),
                     hwest_status (*read)(const hwest_analysis*, uint64_t, uint64_t, Row*, size_t)) {
  std::vector<Row> rows(count(analysis));
  REQUIRE(read(analysis, 0, rows.size(), rows.data(), sizeof(Row)) == HWEST_OK);
  return rows;
}

#define ALL(prefix, row, analysis) All<row>(analysis.get(), prefix##_count, prefix##_read)

// Two units, so that there are transfers.
AnalysisHandle OnTwoUnits() {
  static const char* const kDeny[] = {"MaxPool@gpu", "MaxPool@dla0", "MaxPool@dla1", nullptr};
  hwest_options options = TargetOptions("jetson-orin");
  options.deny = kDeny;
  return AnalyzeWith(LoadFile(kResnet).get(), &options);
}

TEST_CASE("the timeline has no gaps and ends with the latency") {
  const AnalysisHandle analysis = OnTwoUnits();
  double now = 0;
  std::set<int32_t> kinds;
  for (const hwest_event& event : ALL(hwest_analysis_event, hwest_event, analysis)) {
    CHECK(event.start_s == Approx(now).margin(1e-12));
    CHECK(event.end_s > event.start_s);
    CHECK((event.group >= 0) == (event.kind == HWEST_EVENT_GROUP));
    kinds.insert(event.kind);
    now = event.end_s;
  }
  CHECK(now == Approx(TotalsOf(analysis.get()).latency_s));
  CHECK(kinds == std::set<int32_t>{HWEST_EVENT_TRANSFER, HWEST_EVENT_INVOKE, HWEST_EVENT_GROUP});
}

TEST_CASE("a pipelined unit has one event for all its groups") {
  hwest_options options = TargetOptions("hailo-8l");
  options.precision = "int8";
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), &options);
  const auto events = ALL(hwest_analysis_event, hwest_event, analysis);
  CHECK(std::any_of(events.begin(), events.end(),
                    [](const hwest_event& event) { return event.kind == HWEST_EVENT_PIPELINE; }));
  CHECK(events.back().end_s == Approx(TotalsOf(analysis.get()).latency_s));
}

TEST_CASE("segments, units and groups name each other") {
  const AnalysisHandle analysis = OnTwoUnits();
  const auto groups = ALL(hwest_analysis_group, hwest_group, analysis);
  const auto segments = ALL(hwest_analysis_segment, hwest_segment, analysis);
  CHECK(segments.size() == 3);
  double seconds = 0, busy = 0, joules = 0;
  for (const hwest_segment& segment : segments) {
    for (uint64_t i = 0; i < segment.group_count; ++i) {
      CHECK(groups[segment.groups[i]].segment == segment.id);
      CHECK(std::string(groups[segment.groups[i]].unit) == segment.unit);
    }
    seconds += segment.transfer_s + segment.invoke_s + segment.time_s;
    joules += segment.energy_j;
  }
  for (const hwest_unit& unit : ALL(hwest_analysis_unit, hwest_unit, analysis)) busy += unit.busy_s;
  double group_seconds = 0;
  for (const hwest_group& group : groups) {
    group_seconds += group.time_s;
    CHECK(group.end_s == group.start_s + group.time_s);
    CHECK(group.energy_j == Approx(group.compute_j + group.onchip_j + group.dram_j + group.static_j));
  }
  const hwest_totals totals = TotalsOf(analysis.get());
  CHECK(seconds == Approx(totals.latency_s));
  CHECK(joules == Approx(totals.energy_j));
  CHECK(busy == Approx(group_seconds));
  CHECK(totals.transfer_s > 0);
  CHECK(totals.incomplete == nullptr);
}

TEST_CASE("live bytes peak where the totals say, and are the lifetimes'") {
  const AnalysisHandle analysis = OnTwoUnits();
  const auto groups = ALL(hwest_analysis_group, hwest_group, analysis);
  std::vector<int64_t> live(groups.size(), 0);
  for (const hwest_lifetime& life : ALL(hwest_analysis_lifetime, hwest_lifetime, analysis)) {
    for (int64_t g = life.first_group; g <= life.last_group; ++g) live[static_cast<size_t>(g)] += life.bytes;
  }
  int64_t peak = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    CHECK(live[g] == groups[g].live_bytes);
    peak = std::max(peak, live[g]);
  }
  const hwest_totals totals = TotalsOf(analysis.get());
  CHECK(peak + totals.deployed_bytes == totals.peak_memory_bytes);
}

TEST_CASE("bounds split the latency") {
  const AnalysisHandle analysis = OnTwoUnits();
  double seconds = 0;
  for (const hwest_bound_total& row : ALL(hwest_analysis_bound, hwest_bound_total, analysis)) seconds += row.time_s;
  CHECK(seconds == Approx(TotalsOf(analysis.get()).latency_s));
}

TEST_CASE("nodes and values name each other, and modules add up") {
  const AnalysisHandle analysis = OnTwoUnits();
  const auto values = ALL(hwest_analysis_value, hwest_value, analysis);
  const auto groups = ALL(hwest_analysis_group, hwest_group, analysis);
  int64_t macs = 0;
  for (const hwest_node& node : ALL(hwest_analysis_node, hwest_node, analysis)) {
    for (uint64_t i = 0; i < node.output_count; ++i) CHECK(values[node.outputs[i]].producer == node.id);
    for (uint64_t i = 0; i < node.input_count; ++i) {
      CHECK((node.inputs[i] == HWEST_NO_ID || node.inputs[i] < values.size()));
    }
    if (node.group >= 0) CHECK(std::string(node.unit) == groups[static_cast<size_t>(node.group)].unit);
    macs += std::max<int64_t>(node.macs.value, 0);
  }
  CHECK(macs == TotalsOf(analysis.get()).macs.value);
  const auto modules = ALL(hwest_analysis_module, hwest_module, analysis);
  for (size_t m = 0; m < modules.size(); ++m) CHECK(modules[m].parent < static_cast<int64_t>(m));
  hwest_value output = {};
  output.struct_size = sizeof output;
  REQUIRE(hwest_analysis_output_get(analysis.get(), 0, &output) == HWEST_OK);
  REQUIRE(output.rank == 2);
  CHECK((output.dims[0].value == 1 && output.dims[1].value == 1000));
  CHECK((output.flags & HWEST_VALUE_IS_OUTPUT) != 0);
}

TEST_CASE("support names the limit that refuses") {
  hwest_options options = TargetOptions("jetson-orin");
  const AnalysisHandle analysis = AnalyzeWith(LoadFile(kResnet).get(), &options);
  size_t yes = 0;
  for (const hwest_support& row : ALL(hwest_analysis_support, hwest_support, analysis)) {
    CHECK((row.verdict >= HWEST_VERDICT_YES && row.verdict <= HWEST_VERDICT_NOTED));
    if (row.verdict == HWEST_VERDICT_NO) CHECK(row.limit != nullptr);
    yes += row.verdict == HWEST_VERDICT_YES ? 1 : 0;
  }
  CHECK(yes > 0);
}

TEST_CASE("options reach the plan") {
  const ModelHandle model = LoadFile(kResnet);
  hwest_options options = TargetOptions("jetson-orin");
  const hwest_totals base = TotalsOf(AnalyzeWith(model.get(), &options).get());
  options.power_cap_w = 0.5 * base.energy_j / base.latency_s;
  options.overlap = HWEST_OVERLAP_YES;
  options.flops_as = "fvcore";
  const AnalysisHandle capped = AnalyzeWith(model.get(), &options);
  const hwest_totals totals = TotalsOf(capped.get());
  CHECK(totals.energy_j / totals.latency_s <= options.power_cap_w);
  CHECK(totals.overlap_latency_s <= totals.latency_s);
  CHECK(totals.flops_as.value > 0);
  CHECK(std::isnan(base.overlap_latency_s));
  CHECK(base.flops_as.text == nullptr);
}

TEST_CASE("sparse weights are assumed on request") {
  const ModelHandle model = LoadFile(kResnet);
  hwest_options options = TargetOptions("a100");
  const hwest_totals dense = TotalsOf(AnalyzeWith(model.get(), &options).get());
  CHECK(dense.sparse_macs == -1);
  options.sparsity = "2:4";
  const hwest_totals sparse = TotalsOf(AnalyzeWith(model.get(), &options).get());
  CHECK(sparse.sparse_macs > 0);
  CHECK(sparse.latency_s < dense.latency_s);
  CHECK(sparse.deployed_bytes < dense.deployed_bytes);
  hwest_analysis* none = nullptr;
  options.sparsity = "1:2";
  CHECK(hwest_analyze(model.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_message()).find("options.sparsity cannot be '1:2'") == 0);
}

TEST_CASE("the host of a module competes only when asked to, and precisions go by unit") {
  const ModelHandle model = LoadFile(kResnet);
  hwest_options options = TargetOptions("hailo-8l");
  CHECK(TotalsOf(AnalyzeWith(model.get(), &options).get()).host_competes == 0);
  options.host_competes = 1;
  CHECK(TotalsOf(AnalyzeWith(model.get(), &options).get()).host_competes == 1);
  options = TargetOptions("jetson-orin");
  options.precision = "gpu=fp16,dla0=int8";
  const AnalysisHandle mixed = AnalyzeWith(model.get(), &options);
  CHECK(std::string(TotalsOf(mixed.get()).precision) == options.precision);
  CHECK(TotalsOf(mixed.get()).precisions != nullptr);
  hwest_analysis* none = nullptr;
  options.precision = "npu=int8";
  CHECK(hwest_analyze(model.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  options = TargetOptions("hailo-8l");
  options.host_competes = 2;
  CHECK(hwest_analyze(model.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
}

TEST_CASE("a host takes the place of a module's own") {
  const ModelHandle model = LoadFile(kResnet);
  const char* const only[] = {"cpu", nullptr};
  hwest_options options = TargetOptions("hailo-8");
  options.only = only;
  const hwest_totals own = TotalsOf(AnalyzeWith(model.get(), &options).get());
  options.host = "raspberry-pi-4";
  const hwest_totals lent = TotalsOf(AnalyzeWith(model.get(), &options).get());
  CHECK(lent.latency_s > own.latency_s);
  options.host = "x86-avx2";
  CHECK(TotalsOf(AnalyzeWith(model.get(), &options).get()).latency_s == own.latency_s);
  hwest_analysis* none = nullptr;
  for (const char* host : {"", "raspbery-pi-4"}) {
    options.host = host;
    CHECK(hwest_analyze(model.get(), &options, &none) != HWEST_OK);
  }
  options.host = "x86-avx2";
  options.only = nullptr;
  options.target = "jetson-orin";
  CHECK(hwest_analyze(model.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  CHECK(none == nullptr);
}

TEST_CASE("fusion rules and toolchains reach the plan") {
  const ModelHandle model = LoadFile(kResnet);
  const char* const toolchains[] = {"gpu=pytorch-eager", nullptr};
  const char* const only[] = {"gpu", nullptr};
  hwest_options options = TargetOptions("jetson-orin");
  options.only = only;
  const uint64_t fused = hwest_analysis_group_count(AnalyzeWith(model.get(), &options).get());
  options.toolchains = toolchains;
  hwest_analysis* eager = nullptr;
  const hwest_status status = hwest_analyze(model.get(), &options, &eager);
  INFO(hwest_last_error_message());
  CHECK(status == HWEST_OK);
  CHECK(hwest_analysis_group_count(eager) > fused);
  hwest_analysis_free(eager);
  options.toolchains = nullptr;
  options.fusion_rules = "nonsense";
  hwest_analysis* none = nullptr;
  CHECK(hwest_analyze(model.get(), &options, &none) == HWEST_INVALID_ARGUMENT);
  CHECK(std::string(hwest_last_error_message()).find("fusion-rules:1") != std::string::npos);
}

}  // namespace
}  // namespace hwest::test
