// A machine small enough to compute by hand: an accelerator "npu" with a scratchpad, and a CPU, on one DRAM.
//
//   npu  1 GHz, 1024 int8 MACs per cycle in a 32x32 array, 32 element operations per cycle, 1 us per kernel, 10 us per
//        segment, every efficiency 1;  sram 64 KiB at 100 GB/s
//   cpu  1 GHz, 8 fp32 MACs per cycle, 4 element operations per cycle, 2 us per kernel;  dram 1 GB/s
#pragma once

#include <string>

#include "hwest/target.h"

namespace hwest::test {

inline Fact Figure(double value) { return Fact{.stated = value, .source = "test", .trust = Trust::kPublished}; }

inline void SetParam(Unit& unit, const std::string& name, double value) {
  for (Param& param : unit.params) {
    if (param.name == name) param.fact = Figure(value);
  }
  if (!ParamOf(unit, name).has_value()) unit.params.push_back({.name = name, .fact = Figure(value)});
}

inline void SetIdeal(Unit& unit) {
  for (const char* name : {"dram_efficiency", "compute_efficiency", "depthwise_efficiency", "pointwise_efficiency",
                           "overlap", "onchip_share", "parallel_efficiency"}) {
    SetParam(unit, name, 1);
  }
  SetParam(unit, "channels_half", 0);
}

inline Rate MakeRate(WorkKind work, Num num, double per_cycle, double energy_j) {
  return Rate{.work = work, .act = num, .weight = num, .per_cycle = Figure(per_cycle), .energy_j = Figure(energy_j)};
}

inline Unit TinyNpu() {
  Unit unit{.name = "npu", .kind = UnitKind::kSystolic, .toolchain = "tiny", .precision = Num::kInt8};
  unit.clock_hz = Figure(1e9);
  unit.rates = {MakeRate(WorkKind::kContraction, Num::kInt8, 1024, 1e-12),
                MakeRate(WorkKind::kPointwise, Num::kInt8, 32, 2e-12)};
  unit.tiles = {Tile{.m = 1, .n = 32, .k = 32, .num = Num::kInt8}};
  unit.memories = {0, 1};
  unit.launch_s = Figure(1e-6);
  unit.invoke_s = Figure(10e-6);
  SetIdeal(unit);
  return unit;
}

inline Unit TinyCpu() {
  Unit unit{.name = "cpu", .kind = UnitKind::kSimdCpu, .toolchain = "host", .precision = Num::kFp32};
  unit.clock_hz = Figure(1e9);
  unit.rates = {MakeRate(WorkKind::kContraction, Num::kFp32, 8, 1e-11),
                MakeRate(WorkKind::kPointwise, Num::kFp32, 4, 2e-11)};
  unit.memories = {1};
  unit.launch_s = Figure(2e-6);
  SetIdeal(unit);
  return unit;
}

inline Target TinyTarget() {
  Target target{.name = "tiny"};
  Memory sram{.name = "sram", .scratchpad = true};
  sram.capacity_bytes = Figure(65536);
  sram.bytes_per_s = Figure(100e9);
  sram.energy_j_per_byte = Figure(1e-12);
  Memory dram{.name = "dram"};
  dram.bytes_per_s = Figure(1e9);
  dram.energy_j_per_byte = Figure(40e-12);
  target.memories = {sram, dram};
  target.units.push_back(TinyNpu());
  target.units.push_back(TinyCpu());
  target.idle_w = Figure(0.5);
  Link link{.from = "cpu", .to = "npu", .copies = true};
  link.bytes_per_s = Figure(1e9);
  link.latency_s = Figure(3e-6);
  target.links = {link};
  // Every op but Softmax; Conv only with kernels up to 7.
  Toolchain tiny{.name = "tiny", .own_name = "tiny", .runs_everything = true};
  tiny.support.push_back({.ops = {"Softmax"}, .supported = false, .source = "tiny manual"});
  Limit kernel{.kind = LimitKind::kAttr, .attr = "kernel_shape", .max = 7, .text = "attr:kernel_shape"};
  tiny.support.push_back({.ops = {"Conv"}, .limits = {kernel}, .source = "tiny manual"});
  tiny.by_op = {{"", "Conv", 1}, {"", "Softmax", 0}};
  target.toolchains = {tiny, Toolchain{.name = "host", .runs_everything = true}};
  return target;
}

}  // namespace hwest::test
