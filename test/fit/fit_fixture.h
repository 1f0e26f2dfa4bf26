// A machine and models made by hand whose times are known in closed form, for tests of fits.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fit/fit.h"
#include "fit/study_fixture.h"

namespace hwest::test {

inline Target FitTarget(const std::string& name, double clock_hz) {
  Target target;
  target.name = name;
  target.family = "toys";
  target.memories.push_back({.name = "dram", .bytes_per_s = Stated(10e9)});
  Unit unit;
  unit.name = "npu";
  unit.kind = UnitKind::kSystolic;
  unit.precision = Num::kInt8;
  unit.memories = {0};
  unit.clock_hz = Stated(clock_hz);
  unit.launch_s = Stated(5e-6);
  unit.invoke_s = Stated(2e-4);
  unit.rates.push_back(
      {.work = WorkKind::kContraction, .act = Num::kInt8, .weight = Num::kInt8, .per_cycle = Stated(1024)});
  unit.rates.push_back(
      {.work = WorkKind::kPointwise, .act = Num::kInt8, .weight = Num::kInt8, .per_cycle = Stated(64)});
  unit.tiles = {{.m = 1, .n = 32, .k = 32, .num = Num::kInt8, .source = "s"}};
  for (const auto& [param, value] : {std::pair("compute_efficiency", 0.5), std::pair("dram_efficiency", 0.5),
                                     std::pair("pointwise_efficiency", 0.5)}) {
    unit.params.push_back({.name = param, .fact = Stated(value), .min = 0.01, .max = 1});
  }
  target.units.push_back(unit);
  return target;
}

inline GroupWork MatMulWork(int64_t m, int64_t n, int64_t k) {
  GroupWork work;
  work.contractions = {{.kind = ContractionKind::kMatMul, .m = m, .n = n, .k = k}};
  work.macs = m * n * k;
  work.in_bytes = m * k;
  work.weight_bytes = n * k;
  work.out_bytes = m * n;
  work.precision = {Num::kInt8, Num::kInt8};
  return work;
}

inline GroupWork AddWork(int64_t elements) {
  GroupWork work;
  work.ops[0] = elements;
  work.in_bytes = 2 * elements;
  work.out_bytes = elements;
  work.precision = {Num::kInt8, Num::kInt8};
  return work;
}

inline FitPlan PlanOf(const GroupWork& work, double runs, bool on_chip) {
  FitPlan plan;
  Residency residency;
  if (on_chip) residency = {work.in_bytes, work.out_bytes, work.weight_bytes};
  plan.steps.push_back({UnitId(0u), work, residency, 1, runs});
  plan.invokes = {1};
  return plan;
}

// Two devices, and models bound by the array, by memory, by vectors and by launches on each.
inline FitProblem ToyProblem() {
  FitProblem problem;
  problem.machines = {FitTarget("one", 1e9), FitTarget("two", 1e9)};
  Targets family;
  for (const Target& machine : problem.machines) family.push_back(Shared(machine));
  for (uint32_t machine = 0; machine < 2; ++machine) {
    for (const int64_t size : {512, 768, 1024}) {
      problem.plans.push_back({PlanOf(MatMulWork(size, size, size), 4, true), machine});
      problem.plans.push_back({PlanOf(MatMulWork(1, 4 * size, size), 9, false), machine});
      problem.plans.push_back({PlanOf(AddWork(size * size), 3, true), machine});
      problem.plans.push_back({PlanOf(AddWork(64), static_cast<double>(size), true), machine});
      problem.plans.push_back({PlanOf(AddWork(64), 1, true), machine});
    }
  }
  problem.free = SharedFacts(family, UnitKind::kSystolic, "int8", PriorFrom::kStated);
  for (const auto& target : family) {
    for (FreeFact& fact : DeviceFacts(*target, target->units[UnitId(0u)], false, PriorFrom::kStated)) {
      problem.free.push_back(std::move(fact));
    }
  }
  return problem;
}

// Index of a free fact; the size when there is none.
inline size_t IndexOf(const FitProblem& problem, const std::string& name, const std::string& target) {
  size_t i = 0;
  while (i < problem.free.size() && (problem.free[i].name != name || problem.free[i].target != target)) ++i;
  return i;
}

// Measures every plan on machines that have these values.
inline void Measure(const std::vector<std::pair<size_t, double>>& truth, FitProblem* problem) {
  std::vector<Target> machines = problem->machines;
  for (const auto& [index, value] : truth) {
    for (Target& machine : machines) {
      Fact* fact = FactOf(problem->free[index], machine, &machine.units[UnitId(0u)]);
      if (fact != nullptr) fact->fit = Fit{.value = value};
    }
  }
  problem->points.clear();
  for (uint32_t plan = 0; plan < problem->plans.size(); ++plan) {
    const auto& placed = problem->plans[plan];
    problem->points.push_back({plan, std::log(*SecondsOf(placed.plan, machines[placed.machine])), 1});
  }
}

}  // namespace hwest::test
