#include "plan/residency.h"

#include <algorithm>

#include "cost/cost.h"
#include "plan/liveness.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

int64_t WeightBytesOf(const ModelView& model, const std::vector<const RunGroup*>& groups) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) copies.Add(group->group, group->work.precision, UnitId(), nullptr);
  return copies.Bytes();
}

// What a cache between scratchpad and DRAM holds of the weights when the next inference asks for them.
double KeptShare(const ModelView& model, const Unit& unit, const std::vector<const RunGroup*>& order) {
  const double kept = ParamOf(unit, "kept_weight_bytes").value_or(0);
  if (kept <= 0) return 0;
  const auto bytes = static_cast<double>(WeightBytesOf(model, order));
  return bytes <= kept ? 1 : kept / bytes;
}

// Bytes that values may take beside the weights, if these stay; 0 = nothing stays.
int64_t RoomOnChip(const ModelView& model, const Target& target, const Unit& unit,
                   const std::vector<const RunGroup*>& order, OnChip* on_chip) {
  const int64_t capacity = OnChipBytes(target, unit);
  if (capacity <= 0 || OnChipMemoryOf(target, unit)->scratchpad) {
    on_chip->weights_share = KeptShare(model, unit, order);
    return std::max<int64_t>(0, capacity);
  }
  const std::optional<int64_t> weights = WeightBytesUpTo(model, order, capacity);
  on_chip->weights_share = weights.has_value() ? 1 : 0;
  return capacity - weights.value_or(0);
}

}  // namespace

OnChip MostOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip{.stays = IdMap<ValueId, uint8_t>(model.graph.values().size(), 0)};
  const int64_t room = RoomOnChip(model, target, unit, order, &on_chip);
  for (const RunGroup* group : order) {
    for (const auto& [value, bytes] : group->writes) on_chip.stays[value] = bytes.value_or(0) > 0 && *bytes <= room;
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (output.valid()) on_chip.stays[RootOf(model, output)] = 0;
  }
  return on_chip;
}

OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip{.stays = IdMap<ValueId, uint8_t>(model.graph.values().size(), 0)};
  const int64_t capacity = RoomOnChip(model, target, unit, order, &on_chip);
  if (capacity <= 0) return on_chip;
  const IdMap<ValueId, LiveRange> ranges = FindLiveRanges(model, order);
  int64_t used = 0;
  for (size_t g = 0; g < order.size(); ++g) {
    for (const Access& write : order[g]->writes) {
      const LiveRange& range = ranges[write.value];
      const int64_t bytes = range.bytes.value_or(0);
      if (range.is_output || range.last <= g || bytes <= 0 || bytes > capacity - used) continue;
      on_chip.stays[write.value] = 1;
      used += bytes;
    }
    for (const Access& read : order[g]->reads) {
      const LiveRange& range = ranges[read.value];
      if (on_chip.stays[read.value] != 0 && range.last == g) used -= range.bytes.value_or(0);
    }
  }
  return on_chip;
}

StayingBytes StayingBytesOf(const RunGroup& group, const OnChip& on_chip) {
  StayingBytes staying;
  for (const auto& [value, bytes] : group.reads) {
    if (on_chip.stays[value] != 0) staying.reads += bytes.value_or(0);
  }
  for (const auto& [value, bytes] : group.writes) {
    if (on_chip.stays[value] != 0) staying.writes += bytes.value_or(0);
  }
  return staying;
}

Residency ResidencyOf(const RunGroup& group, const OnChip& on_chip, const StayingBytes& staying) {
  Residency residency;
  residency.in_bytes = std::min(staying.reads, group.work.in_bytes);
  residency.out_bytes = std::min(staying.writes, group.work.out_bytes);
  residency.weight_bytes = static_cast<int64_t>(on_chip.weights_share * static_cast<double>(group.work.weight_bytes));
  return residency;
}

std::optional<int64_t> WeightBytesUpTo(const ModelView& model, const std::vector<const RunGroup*>& groups,
                                       int64_t limit) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) {
    copies.Add(group->group, group->work.precision, UnitId(), nullptr);
    if (copies.LeastBytes() > limit) return std::nullopt;
  }
  const int64_t bytes = copies.Bytes();
  return bytes <= limit ? std::optional<int64_t>(bytes) : std::nullopt;
}

}  // namespace hwest
