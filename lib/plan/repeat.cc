#include "plan/repeat.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cost/group_work.h"
#include "plan/memory_plan.h"

namespace hwest {
namespace {

void RepeatGroup(int64_t images, PlannedGroup& row) {
  row.work = Scale(row.work, images);
  row.residency = Scale(row.residency, images);
  if (row.estimate.has_value()) row.estimate = Scale(*row.estimate, images);
  row.saved_bytes *= images;
  row.saved_launches *= images;
  row.start_s *= static_cast<double>(images);
}

void RepeatSegment(int64_t images, Segment& row) {
  for (int64_t* bytes : {&row.in_bytes, &row.out_bytes, &row.reloaded_bytes}) *bytes *= images;
  for (double* figure : {&row.transfer_s, &row.invoke_s, &row.start_s, &row.time_s, &row.energy_j, &row.interval_s}) {
    *figure *= static_cast<double>(images);
  }
  for (Packing* other : {&row.looser, &row.tighter}) {
    other->time_s *= static_cast<double>(images);
    other->interval_s *= static_cast<double>(images);
  }
  row.reason += absl::StrCat("; the ", images, " images one after the other");
}

}  // namespace

void ScaleTraffic(int64_t runs, Estimate& estimate) {
  const auto scale = [runs](int64_t& bytes) {
    bytes = static_cast<int64_t>(static_cast<double>(bytes) * static_cast<double>(runs));
  };
  scale(estimate.dram_bytes);
  scale(estimate.onchip_bytes);
  scale(estimate.reload_bytes);
  for (MemoryTraffic& row : estimate.traffic) {
    scale(row.read_bytes);
    scale(row.written_bytes);
  }
}

Estimate Scale(const Estimate& once, int64_t runs) {
  Estimate all = once;
  const auto times = static_cast<double>(runs);
  for (double* figure :
       {&all.compute_s, &all.memory_s, &all.overhead_s, &all.conversion_s, &all.time_s, &all.low_s, &all.high_s,
        &all.energy.compute_j, &all.energy.onchip_j, &all.energy.dram_j, &all.energy.static_j}) {
    *figure *= times;
  }
  ScaleTraffic(runs, all);
  if (runs == 0) all.utilisation = 0;
  return all;
}

Residency Scale(const Residency& once, int64_t runs) {
  return {once.in_bytes * runs, once.out_bytes * runs, once.weight_bytes * runs, once.cached_bytes * runs};
}

Plan Repeat(Plan plan, int64_t images) {
  for (PlannedGroup& row : plan.groups) RepeatGroup(images, row);
  for (Segment& row : plan.segments) RepeatSegment(images, row);
  for (UnitTotals& row : plan.units) {
    row.busy_s *= static_cast<double>(images);
    row.energy_j *= static_cast<double>(images);
    row.macs *= images;
  }
  for (double* figure :
       {&plan.latency_s, &plan.latency_low_s, &plan.latency_high_s, &plan.interval_s, &plan.interval_low_s,
        &plan.interval_high_s, &plan.energy_j, &plan.energy_low_j, &plan.energy_high_j, &plan.transfer_s}) {
    *figure *= static_cast<double>(images);
  }
  if (plan.greedy_latency_s.has_value()) *plan.greedy_latency_s *= static_cast<double>(images);
  if (plan.best_latency_s.has_value()) *plan.best_latency_s *= static_cast<double>(images);
  if (plan.size_range.has_value()) {
    plan.size_range->low_s *= static_cast<double>(images);
    if (plan.size_range->high_s.has_value()) *plan.size_range->high_s *= static_cast<double>(images);
  }
  if (plan.overlap_latency_s.has_value()) *plan.overlap_latency_s *= static_cast<double>(images);
  return plan;
}

void HoldBatch(const Graph& graph, const Target& target, int64_t times, Plan* plan) {
  if (times <= 1 || plan->groups.empty()) return;
  const GraphId main(uint32_t{0});  // what a body takes and gives, it does image by image
  const auto is_held = [&](const Lifetime& row) {
    const Value& value = graph.value(row.value);
    return row.bytes.has_value() && value.graph == main && (value.is_input || value.is_output);
  };
  std::set<size_t> places;
  std::set<uint32_t> memories;
  for (Lifetime& row : plan->lifetimes) {
    if (!is_held(row)) continue;
    places.insert(row.place.index());
    memories.insert(row.memory);
    row.bytes = *row.bytes * times;
    row.first = GroupId(uint32_t{0});
    row.last = GroupId(plan->groups.size() - 1);
  }
  // What lay in one place with them is copied there from a place of its own.
  for (Lifetime& row : plan->lifetimes) {
    if (places.contains(row.place.index())) row.place = row.value;
  }
  for (const uint32_t memory : memories) PlaceAnew(target, memory, &plan->lifetimes);
  plan->peak_memory_bytes = plan->deployed_bytes + PeakOfActivations(plan->lifetimes, plan->groups.size());
}

}  // namespace hwest
