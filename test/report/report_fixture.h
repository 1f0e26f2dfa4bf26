// A small analysis made by hand: two groups that run, one on the CPU, one of which nothing is known.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "report/report.h"
#include "support/graphs.h"

namespace hwest::test {

inline constexpr char kTinyModel[] = R"(<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1], producer_name: "hand">
tiny (float[1, 1, 4, 4] image) => (float[1, 2] flat, odd) <float[2, 1, 1, 1] w = {1, 2}> {
  c = Conv(image, w)
  r = Relu(c)
  p = GlobalAveragePool(r)
  flat = Flatten(p)
  odd = my.domain.Foo(flat)
})";

inline Target TinyTarget() {
  Target target;
  target.name = "toy-npu";
  Unit npu;
  npu.name = "npu";
  npu.kind = UnitKind::kSystolic;
  npu.toolchain = "toy";
  Unit cpu;
  cpu.name = "cpu";
  cpu.kind = UnitKind::kSimdCpu;
  target.units.push_back(npu);
  target.units.push_back(cpu);
  return target;
}

inline PlannedGroup TinyGroup(absl::string_view pattern, Group::Nodes nodes, UnitId unit, SegmentId segment) {
  PlannedGroup group;
  group.group.pattern = pattern;
  group.group.root = nodes.back();
  group.group.nodes = std::move(nodes);
  group.unit = unit;
  group.segment = segment;
  return group;
}

inline Estimate TinyEstimate(double compute_s, double memory_s, double overhead_s, Bound bound) {
  Estimate estimate;
  estimate.compute_s = compute_s;
  estimate.memory_s = memory_s;
  estimate.overhead_s = overhead_s;
  estimate.time_s = std::max(compute_s, memory_s) + overhead_s;
  estimate.low_s = estimate.time_s * 0.5;
  estimate.high_s = estimate.time_s * 2;
  estimate.energy = {.compute_j = 1e-6, .onchip_j = 2e-6, .dram_j = 3e-6, .static_j = 4e-6};
  estimate.bound = bound;
  estimate.utilisation = 0.25;
  return estimate;
}

inline Plan TinyPlan() {
  Plan plan;
  PlannedGroup conv = TinyGroup("conv_act", {NodeId(0u), NodeId(1u)}, UnitId(0u), SegmentId(0u));
  conv.work.macs = 32;
  conv.work.flops = 96;
  conv.work.in_bytes = 16;
  conv.work.weight_bytes = 2;
  conv.work.out_bytes = 32;
  conv.work.precision = {Num::kInt8, Num::kInt8};
  conv.estimate = TinyEstimate(8e-6, 2e-6, 1e-6, Bound::kCompute);
  conv.estimate->assumptions = {"weights are dense"};
  conv.saved_bytes = 64;
  conv.saved_launches = 1;
  PlannedGroup pool = TinyGroup("GlobalAveragePool", {NodeId(2u)}, UnitId(1u), SegmentId(1u));
  pool.work.flops = 32;
  pool.work.in_bytes = 128;
  pool.work.out_bytes = 8;
  pool.work.precision = {Num::kFp32, Num::kFp32};
  pool.estimate = TinyEstimate(1e-6, 3e-6, 0, Bound::kMemory);
  pool.start_s = 14e-6;
  PlannedGroup foo = TinyGroup("Foo", {NodeId(4u)}, UnitId(), SegmentId());
  foo.work.has_opaque = true;
  plan.groups = {conv, pool, foo};
  plan.group_of = IdMap<NodeId, GroupId>(5);
  plan.group_of[NodeId(0u)] = plan.group_of[NodeId(1u)] = GroupId(0u);
  plan.group_of[NodeId(2u)] = GroupId(1u);
  plan.group_of[NodeId(4u)] = GroupId(2u);
  plan.segments = {{.unit = UnitId(0u),
                    .groups = {GroupId(0u)},
                    .in_bytes = 16,
                    .out_bytes = 32,
                    .invoke_s = 2e-6,
                    .time_s = 9e-6,
                    .energy_j = 1e-5,
                    .reason = "first group"},
                   {.unit = UnitId(1u),
                    .groups = {GroupId(1u)},
                    .in_bytes = 32,
                    .out_bytes = 8,
                    .transfer_s = 3e-6,
                    .start_s = 14e-6,
                    .time_s = 3e-6,
                    .energy_j = 1e-5,
                    .reason = "npu does not run GlobalAveragePool: not stated"}};
  plan.lifetimes = {{.value = ValueId(0u), .bytes = 16, .first = GroupId(0u), .last = GroupId(0u)}};
  plan.units.push_back({.groups = 1, .busy_s = 9e-6, .energy_j = 1e-5, .macs = 32});
  plan.units.push_back({.groups = 1, .busy_s = 3e-6, .energy_j = 1e-5, .macs = 0});
  plan.latency_s = 17e-6;
  plan.latency_low_s = 9e-6;
  plan.latency_high_s = 34e-6;
  plan.interval_s = 17e-6;
  plan.energy_j = 2e-5;
  plan.energy_low_j = 1e-5;
  plan.energy_high_j = 4e-5;
  plan.peak_memory_bytes = 162;
  plan.deployed_bytes = 2;
  return plan;
}

inline NodeCounts TinyCounts(int64_t macs, int64_t flops, int64_t params) {
  return {.macs = macs,
          .int_macs = 0,
          .flops = flops,
          .params = params,
          .in_bytes = 64,
          .weight_bytes = 4 * params,
          .out_bytes = 128};
}

// As another tool would count the tiny model; that its own operator is unknown makes the total unknown.
inline ConventionTable TinyConvention(DimPool& dims) {
  // clang-format off
  return {.convention = Convention::kFvcore,
          .total = Dim::Unknown(),
          .rows = {{.op = "Conv", .nodes = 1, .native_macs = 32, .native_flops = 64, .theirs = 32, .reason = "no bias"},
                   {.op = "Flatten", .nodes = 1, .reason = "not counted"},
                   {.op = "Relu", .nodes = 2, .native_flops = 32, .theirs = dims.Symbol("N"), .reason = "not counted"},
                   {.op = "my.domain.Foo", .nodes = 1, .native_macs = Dim::Unknown(), .native_flops = Dim::Unknown(),
                    .theirs = Dim::Unknown(), .reason = "its work is not known"}}};
  // clang-format on
}

inline Analysis TinyAnalysis() {
  Analysis a;
  a.graph = std::make_shared<const Graph>(GraphFromText(kTinyModel));
  const Graph& graph = *a.graph;
  a.dims = std::make_unique<DimPool>(&graph.dims());
  a.request.target = "toy-npu";
  a.facts.values = IdMap<ValueId, ValueFact>(graph.values().size());
  const auto set = [&](const char* name, Shape::Dims dims) {
    a.facts.values[ValueOf(graph, name)].type = Type::Tensor(ElemType::kFloat, Shape(std::move(dims)));
  };
  set("image", {1, 1, 4, 4});
  set("w", {2, 1, 1, 1});
  set("c", {1, 2, 4, 4});
  set("r", {1, 2, 4, 4});
  set("p", {1, 2, 1, 1});
  set("flat", {1, 2});
  a.facts.values[ValueOf(graph, "odd")].blocked_by = NodeId(4u);
  for (const NodeClass c :
       {NodeClass::kCompute, NodeClass::kCompute, NodeClass::kCompute, NodeClass::kView, NodeClass::kOpaque}) {
    a.classes.push_back(c);
  }
  a.work = WorkMap(5);
  a.traffic = TrafficMap(5);
  for (const NodeCounts& counts :
       {TinyCounts(32, 64, 2), TinyCounts(0, 32, 0), TinyCounts(0, 32, 0), TinyCounts(0, 0, 0), NodeCounts()}) {
    a.counts.push_back(counts);
  }
  a.modules = {
      {.path = "net", .class_name = "Net", .nodes = 5, .macs = 32, .flops = 128, .params = 2, .time_s = 12e-6}};
  a.params = {.params = 2, .params_by_use = 2, .stored_bytes = 8};
  a.totals = {.macs = 32, .int_macs = 0, .flops = 128};
  a.coverage = {.nodes = 5,
                .typed = 4,
                .counted = 4,
                .costed = 4,
                .placed = 4,
                .unknown_nodes = {NodeId(4u)},
                .macs_share = 1,
                .time_share = 1};
  a.target = std::make_shared<const Target>(TinyTarget());
  a.mode = "fast";
  a.precision = "int8";
  a.plan = TinyPlan();
  a.support.push_back(SharedMap<NodeId, Support>(5, {.verdict = Verdict::kYes}));
  a.support.push_back(SharedMap<NodeId, Support>(5, {.verdict = Verdict::kYes}));
  a.support[UnitId(0u)].Set(NodeId(2u), {.verdict = Verdict::kNo, .limit = "not stated"});
  a.support[UnitId(0u)].Set(NodeId(4u), {.verdict = Verdict::kNo,
                                         .limit = "rank:0",
                                         .found = "2",
                                         .allowed = "at most 1",
                                         .source = "toy manual",
                                         .what = "rank of input 0"});
  a.toolchain_stats = {{.toolchain = "toy", .typed = 5, .noted = 2, .not_stated = 7}};
  a.diagnostics = {{.code = Code::kUnknownOp, .message = "no rule for my.domain Foo", .remedy = "", .node = "odd"}};
  return a;
}

// The bytes of a report; an error fails the running test.
// An analysis that is the caller's, with what else was asked.
inline AnalyzeResult ResultOf(const Analysis& analysis, AnalyzeResult beside = {}) {
  beside.analysis = std::shared_ptr<const Analysis>(std::shared_ptr<const Analysis>(), &analysis);
  return beside;
}

inline std::string ReportText(const Analysis& analysis, ReportKind kind, const ReportOptions& options,
                              AnalyzeResult beside = {}, std::vector<Diagnostic>* notes = nullptr) {
  std::string text;
  const auto sink = [&](absl::string_view bytes) {
    text.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  };
  const absl::Status status = WriteReport(ResultOf(analysis, std::move(beside)), kind, options, sink, notes);
  INFO(std::string(status.message()));
  CHECK(status.ok());
  return text;
}

}  // namespace hwest::test
