#include "plan/policy.h"

#include <algorithm>

#include "target/kinds.h"

namespace hwest {
namespace {

const Partition* PartitionOf(const Target& target, UnitId unit) {
  const Toolchain* toolchain = ToolchainOf(target, target.units[unit]);
  return toolchain != nullptr && toolchain->partition.has_value() ? &*toolchain->partition : nullptr;
}

bool IsPinned(const PlanInput& input, UnitId unit) {
  return std::any_of(input.request.pin.begin(), input.request.pin.end(),
                     [&](const Pin& pin) { return pin.unit == input.target.units[unit].name; });
}

// Accelerators of `all` that are to take what they support, in their turns; none where a toolchain does not say how it
// divides a model.
std::vector<UnitId> TakersOf(const PlanInput& input, const std::vector<UnitChoice>& all) {
  std::vector<UnitId> takers;
  for (const UnitChoice& choice : all) {
    if (choice.is_fallback() || IsCpu(input.target.units[choice.unit])) continue;
    if (PartitionOf(input.target, choice.unit) == nullptr) return {};
    takers.push_back(choice.unit);
  }
  const bool is_named = !input.request.only.empty();
  std::stable_sort(takers.begin(), takers.end(), [&](UnitId a, UnitId b) {
    const bool asks_a = PartitionOf(input.target, a)->on_request, asks_b = PartitionOf(input.target, b)->on_request;
    return is_named ? asks_a > asks_b : asks_a < asks_b;
  });
  if (!is_named && takers.size() > 1) takers.resize(1);
  return takers;
}

}  // namespace

bool IsPlacedByCost(const AnalysisRequest& request) {
  return request.placement == PlacementBy::kBest || request.objective != Objective::kLatency ||
         request.power_cap_w.has_value() || request.host_competes == HostCompetes::kYes;
}

std::optional<std::vector<UnitChoice>> TurnsOf(const PlanInput& input, const std::vector<UnitChoice>& all) {
  const std::vector<UnitId> takers = IsPlacedByCost(input.request) ? std::vector<UnitId>() : TakersOf(input, all);
  if (takers.empty()) return std::nullopt;
  std::vector<UnitChoice> turns;
  for (const UnitChoice& choice : all) {
    const auto turn = std::find(takers.begin(), takers.end(), choice.unit);
    const bool is_taker = turn != takers.end();
    if (!is_taker && !IsCpu(input.target.units[choice.unit]) && !IsPinned(input, choice.unit)) continue;
    turns.push_back({choice.unit, static_cast<int>(turn - takers.begin())});
  }
  return turns;
}

UnitId FirstInTurn(const std::vector<UnitChoice>& choice) {
  return std::min_element(choice.begin(), choice.end(),
                          [](const UnitChoice& a, const UnitChoice& b) { return a.turn < b.turn; })
      ->unit;
}

}  // namespace hwest
