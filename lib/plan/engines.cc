#include "plan/engines.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cost/cost.h"
#include "cost/group_work.h"
#include "plan/pipeline.h"
#include "plan/repeat.h"
#include "plan/timeline.h"
#include "target/kinds.h"

namespace hwest {
namespace {

template <class Rows, class Same>
bool AllAlike(const Rows& a, const Rows& b, Same same) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

bool SameRate(const Rate& a, const Rate& b) {
  return a.work == b.work && a.act == b.act && a.weight == b.weight && a.per_cycle.value() == b.per_cycle.value() &&
         a.sparse_per_cycle.value() == b.sparse_per_cycle.value() && a.energy_j.value() == b.energy_j.value();
}

bool SameTile(const Tile& a, const Tile& b) { return a.m == b.m && a.n == b.n && a.k == b.k && a.num == b.num; }

bool SameMemory(const Memory& a, const Memory& b) {
  return a.scratchpad == b.scratchpad && a.capacity_bytes.value() == b.capacity_bytes.value() &&
         a.usable_bytes.value() == b.usable_bytes.value() && a.bytes_per_s.value() == b.bytes_per_s.value() &&
         a.energy_j_per_byte.value() == b.energy_j_per_byte.value();
}

bool AreAlike(const Target& target, const Unit& a, const Unit& b) {
  const auto same_memory = [&](uint32_t x, uint32_t y) { return SameMemory(target.memories[x], target.memories[y]); };
  const auto same_param = [](const Param& x, const Param& y) {
    return x.name == y.name && x.fact.value() == y.fact.value();
  };
  return a.kind == b.kind && a.instances == b.instances && a.cores == b.cores && a.toolchain == b.toolchain &&
         a.clock_hz.value() == b.clock_hz.value() && a.vector_bytes.value() == b.vector_bytes.value() &&
         a.launch_s.value() == b.launch_s.value() && a.invoke_s.value() == b.invoke_s.value() &&
         a.static_w.value() == b.static_w.value() && SharedMemoryOf(target, a) == SharedMemoryOf(target, b) &&
         AllAlike(a.rates, b.rates, SameRate) && AllAlike(a.tiles, b.tiles, SameTile) &&
         AllAlike(a.params, b.params, same_param) && AllAlike(a.memories, b.memories, same_memory);
}

bool IsNamed(const std::vector<Pin>& pins, const std::string& unit) {
  return std::any_of(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.unit == unit; });
}

bool MayBeEngine(const Target& target, const AnalysisRequest& request, const UnitPrecisions& precisions, UnitId id) {
  const Unit& unit = target.units[id];
  const bool is_allowed =
      request.only.empty() || std::find(request.only.begin(), request.only.end(), unit.name) != request.only.end();
  return is_allowed && unit.placeable && precisions[id].has_value() && !IsCpu(unit) && !IsPipelined(target, id) &&
         !IsNamed(request.pin, unit.name) && !IsNamed(request.deny, unit.name) && !IsNamed(request.assume, unit.name);
}

// Deals the runs of one plan out.
class Dealer {
 public:
  Dealer(Plan plan, int64_t runs, const std::vector<UnitId>& engines, const Target& target)
      : plan_(std::move(plan)),
        runs_(runs),
        engines_(engines),
        target_(target),
        rounds_((runs + static_cast<int64_t>(engines.size()) - 1) / static_cast<int64_t>(engines.size())) {}

  Plan Run() {
    const double latency_s = plan_.latency_s, interval_s = plan_.interval_s, energy_j = plan_.energy_j;
    plan_.interval_s = Interval();
    for (PlannedGroup& row : plan_.groups) DealGroup(row);
    for (Segment& row : plan_.segments) DealSegment(row);
    SetTimeline(&plan_);
    SetUnits();
    SetTotals(latency_s, interval_s, energy_j);
    return std::move(plan_);
  }

 private:
  // Runs that one after the other take the time on `unit`.
  int64_t InTurn(UnitId unit) const { return unit == engines_[0] ? rounds_ : runs_; }
  // What the board draws beside the unit in runs that happen at the same time is there once.
  double SharedJoules(UnitId unit, double seconds_once) const {
    const Unit& row = target_.units[unit];
    const double watts = StaticWatts(target_, row) - row.static_w.value_or(0);
    return watts * seconds_once * static_cast<double>(runs_ - InTurn(unit));
  }
  double Interval() const;
  void DealGroup(PlannedGroup& row) const;
  void DealSegment(Segment& row) const;
  void SetUnits();
  void SetTotals(double latency_s, double interval_s, double energy_j);

  Plan plan_;
  const int64_t runs_;
  const std::vector<UnitId>& engines_;
  const Target& target_;
  const int64_t rounds_;  // of the engine with most runs
};

// Engines that follow their own images wait for each other only where another unit has no time left.
double Dealer::Interval() const {
  double others_s = 0;
  for (const Segment& row : plan_.segments) {
    if (row.unit != engines_[0]) others_s += row.transfer_s + row.invoke_s + row.time_s;
  }
  return std::max(plan_.interval_s * static_cast<double>(rounds_), others_s * static_cast<double>(runs_));
}

void Dealer::DealGroup(PlannedGroup& row) const {
  row.work = Scale(row.work, runs_);
  row.residency = Scale(row.residency, runs_);
  row.saved_bytes *= runs_;
  row.saved_launches *= runs_;
  if (!row.estimate.has_value()) return;
  const Estimate once = *row.estimate;
  const Estimate all = Scale(once, runs_);
  row.estimate = Scale(once, InTurn(row.unit));
  row.estimate->energy = all.energy;
  if (row.unit.valid()) row.estimate->energy.static_j -= SharedJoules(row.unit, once.time_s);
  row.estimate->dram_bytes = all.dram_bytes;
  row.estimate->onchip_bytes = all.onchip_bytes;
  row.estimate->reload_bytes = all.reload_bytes;
  row.estimate->traffic = all.traffic;
}

void Dealer::DealSegment(Segment& row) const {
  row.energy_j =
      row.energy_j * static_cast<double>(runs_) - SharedJoules(row.unit, row.transfer_s + row.invoke_s + row.time_s);
  const auto turns = static_cast<double>(InTurn(row.unit));
  for (int64_t* bytes : {&row.in_bytes, &row.out_bytes}) *bytes *= runs_;
  for (double* seconds : {&row.transfer_s, &row.invoke_s, &row.time_s}) *seconds *= turns;
  if (row.unit != engines_[0]) return;
  row.reason += absl::StrCat("; side by side on ", absl::StrJoin(engines_, " and ", [&](std::string* out, UnitId unit) {
                               out->append(target_.units[unit].name);
                             }));
}

void Dealer::SetUnits() {
  for (UnitTotals& totals : plan_.units) totals = {.groups = totals.groups};
  for (const PlannedGroup& row : plan_.groups) {
    if (!row.unit.valid()) continue;
    UnitTotals& totals = plan_.units[row.unit];
    totals.macs += row.work.macs;
    if (!row.estimate.has_value()) continue;
    totals.busy_s += row.estimate->time_s;
    totals.energy_j += row.estimate->energy.total();
  }
  const UnitTotals all = plan_.units[engines_[0]];
  const auto count = static_cast<int64_t>(engines_.size());
  for (int64_t e = 0; e < count; ++e) {
    const int64_t own = runs_ / count + (e < runs_ % count ? 1 : 0);
    const auto share = static_cast<double>(own) / static_cast<double>(runs_);
    plan_.units[engines_[static_cast<size_t>(e)]] = {
        .groups = all.groups,
        .busy_s = all.busy_s * static_cast<double>(own) / static_cast<double>(rounds_),
        .energy_j = all.energy_j * share,
        .macs = all.macs / runs_ * own};
  }
}

// Intervals keep their width; weights are loaded once, the values of the images at work are there once for each engine.
void Dealer::SetTotals(double latency_s, double interval_s, double energy_j) {
  plan_.energy_j = 0;
  for (const Segment& row : plan_.segments) plan_.energy_j += row.energy_j;
  const double slower = latency_s > 0 ? plan_.latency_s / latency_s : 0;
  const double energy_ratio = energy_j > 0 ? plan_.energy_j / energy_j : 0;
  for (double* figure : {&plan_.latency_low_s, &plan_.latency_high_s}) *figure *= slower;
  const double longer = interval_s > 0 ? plan_.interval_s / interval_s : 0;
  for (double* figure : {&plan_.interval_low_s, &plan_.interval_high_s}) *figure *= longer;
  if (plan_.greedy_latency_s.has_value()) *plan_.greedy_latency_s *= slower;
  if (plan_.best_latency_s.has_value()) *plan_.best_latency_s *= slower;
  for (double* figure : {&plan_.energy_low_j, &plan_.energy_high_j}) *figure *= energy_ratio;
  if (plan_.overlap_latency_s.has_value()) *plan_.overlap_latency_s *= slower;
  if (plan_.size_range.has_value()) {
    plan_.size_range->low_s = plan_.latency_s;
    if (plan_.size_range->high_s.has_value()) *plan_.size_range->high_s *= slower;
  }
  const auto at_once = std::min<int64_t>(runs_, static_cast<int64_t>(engines_.size()));
  plan_.peak_memory_bytes = plan_.deployed_bytes + (plan_.peak_memory_bytes - plan_.deployed_bytes) * at_once;
  for (Lifetime& life : plan_.lifetimes) {
    if (life.bytes.has_value()) *life.bytes *= at_once;
    life.offset *= at_once;
  }
}

}  // namespace

std::vector<UnitId> EqualEngines(const Target& target, const AnalysisRequest& request,
                                 const UnitPrecisions& precisions) {
  for (uint32_t a = 0; a < target.units.size(); ++a) {
    if (!MayBeEngine(target, request, precisions, UnitId(a))) continue;
    std::vector<UnitId> alike = {UnitId(a)};
    for (uint32_t b = a + 1; b < target.units.size(); ++b) {
      const bool is_alike = MayBeEngine(target, request, precisions, UnitId(b)) &&
                            precisions[UnitId(a)]->main == precisions[UnitId(b)]->main &&
                            precisions[UnitId(a)]->floating == precisions[UnitId(b)]->floating &&
                            AreAlike(target, target.units[UnitId(a)], target.units[UnitId(b)]);
      if (is_alike) alike.push_back(UnitId(b));
    }
    if (alike.size() > 1) return alike;
  }
  return {};
}

Plan SideBySide(Plan once, int64_t runs, const std::vector<UnitId>& engines, const Target& target) {
  return Dealer(std::move(once), runs, engines, target).Run();
}

}  // namespace hwest
