#include "plan/mode_cap.h"

#include <algorithm>

#include "hwest/host.h"

namespace hwest {
namespace {

void Scale(double share, EnergyParts* parts) {
  for (double* part : {&parts->compute_j, &parts->onchip_j, &parts->dram_j, &parts->static_j}) *part *= share;
}

double JoulesUnderCap(const Target& target, const Plan& plan) {
  double joules = 0;
  for (const Segment& segment : plan.segments) joules += IsDiscreteHost(target, segment.unit) ? 0 : segment.energy_j;
  return joules;
}

void ScaleRows(const Target& target, double share, Plan* plan) {
  for (PlannedGroup& row : plan->groups) {
    const bool is_capped = row.unit.valid() && row.estimate.has_value() && !IsDiscreteHost(target, row.unit);
    if (is_capped) Scale(share, &row.estimate->energy);
  }
  for (Segment& row : plan->segments) row.energy_j *= IsDiscreteHost(target, row.unit) ? 1 : share;
  for (uint32_t u = 0; u < plan->units.size(); ++u) {
    plan->units[UnitId(u)].energy_j *= IsDiscreteHost(target, UnitId(u)) ? 1 : share;
  }
}

}  // namespace

void KeepModeCap(const Target& target, Plan* plan) {
  const Mode* mode = ModeOf(target, target.mode);
  if (mode == nullptr || !mode->cap_w.known()) return;
  const double joules = JoulesUnderCap(target, *plan), most = *mode->cap_w.value() * plan->interval_s;
  if (joules <= most || most <= 0) return;
  const double before_j = plan->energy_j;
  plan->kept_energy *= most / joules;
  ScaleRows(target, most / joules, plan);
  plan->energy_j = 0;
  for (const Segment& row : plan->segments) plan->energy_j += row.energy_j;
  for (double* end : {&plan->energy_low_j, &plan->energy_high_j}) *end *= plan->energy_j / before_j;
}

}  // namespace hwest
