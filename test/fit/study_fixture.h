// Targets and rows made by hand, for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fit/match.h"
#include "hwest/target.h"
#include "measured/measurements.h"

namespace hwest::test {

inline Fact Stated(double value) { return {.stated = value, .source = "s"}; }

inline Unit ToyUnit(std::string name, UnitKind kind, const std::vector<std::pair<Num, Num>>& rates) {
  Unit unit;
  unit.name = std::move(name);
  unit.kind = kind;
  unit.clock_hz = Stated(1e9);
  for (const auto& [act, weight] : rates) {
    unit.rates.push_back({.work = WorkKind::kContraction, .act = act, .weight = weight, .per_cycle = Stated(1000)});
  }
  return unit;
}

// A GPU (fp32, tf32, fp16, int8), two NPUs (fp16, int8; int8) and a CPU (fp32, int8); modes low and high (default).
inline Target ToyTarget(std::string name) {
  Target target;
  target.name = std::move(name);
  target.family = "toys";
  const auto pair = [](Num num) { return std::make_pair(num, num); };
  target.units.push_back(
      ToyUnit("gpu", UnitKind::kSimtGpu, {pair(Num::kFp32), pair(Num::kTf32), pair(Num::kFp16), pair(Num::kInt8)}));
  target.units.push_back(ToyUnit("npu0", UnitKind::kSystolic, {pair(Num::kFp16), pair(Num::kInt8)}));
  target.units.push_back(ToyUnit("npu1", UnitKind::kSystolic, {pair(Num::kInt8)}));
  target.units.push_back(ToyUnit("cpu", UnitKind::kSimdCpu, {pair(Num::kFp32), pair(Num::kInt8)}));
  target.modes = {{.name = "low"}, {.name = "high", .is_default = true}};
  target.default_mode = 1;
  return target;
}

inline std::shared_ptr<const Target> Shared(Target target) { return std::make_shared<const Target>(std::move(target)); }

inline Measurement ToyRow() {
  return {.row = 1,
          .model = "net",
          .family = "nets",
          .bind = "",
          .batch = "1",
          .device = "board",
          .unit = "NPU",
          .runtime = "RT 1.2",
          .precision = "int8",
          .mode = "",
          .metric = "latency_ms",
          .source = "",
          .source_version = "",
          .dims = {},
          .images = 1,
          .value = 1};
}

}  // namespace hwest::test
