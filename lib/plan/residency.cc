#include "plan/residency.h"

#include <algorithm>

#include "cost/cost.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

struct Lifetime {
  bool made = false;
  size_t last = 0;
  int64_t bytes = 0;
};

IdMap<ValueId, Lifetime> FindLifetimes(const ModelView& model, const std::vector<const RunGroup*>& order) {
  IdMap<ValueId, Lifetime> lifetimes(model.graph.values().size());
  for (size_t g = 0; g < order.size(); ++g) {
    for (const ValueId value : order[g]->reads) lifetimes[value].last = g;
    for (size_t w = 0; w < order[g]->writes.size(); ++w) {
      Lifetime& life = lifetimes[order[g]->writes[w]];
      life.made = true;
      life.bytes = order[g]->write_bytes[w];
    }
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (output.valid()) lifetimes[RootOf(model, output)].made = false;
  }
  return lifetimes;
}

}  // namespace

OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip{.stays = IdMap<ValueId, uint8_t>(model.graph.values().size(), 0)};
  int64_t capacity = OnChipBytes(target, unit);
  if (capacity <= 0) return on_chip;
  const int64_t weights = WeightBytes(model, order);
  if (!OnChipMemoryOf(target, unit)->scratchpad && weights <= capacity) {
    on_chip.weights_stay = true;
    capacity -= weights;
  }
  const IdMap<ValueId, Lifetime> lifetimes = FindLifetimes(model, order);
  int64_t used = 0;
  for (size_t g = 0; g < order.size(); ++g) {
    for (const ValueId value : order[g]->writes) {
      const Lifetime& life = lifetimes[value];
      if (!life.made || life.last <= g || life.bytes <= 0 || life.bytes > capacity - used) continue;
      on_chip.stays[value] = 1;
      used += life.bytes;
    }
    for (const ValueId value : order[g]->reads) {
      if (on_chip.stays[value] != 0 && lifetimes[value].last == g) used -= lifetimes[value].bytes;
    }
  }
  return on_chip;
}

Residency ResidencyOf(const RunGroup& group, const OnChip& on_chip, const Spilled& spilled) {
  Residency residency;
  const auto stays = [&](ValueId value, absl::Span<const ValueId> except) {
    return on_chip.stays[value] != 0 && std::find(except.begin(), except.end(), value) == except.end();
  };
  for (size_t r = 0; r < group.reads.size(); ++r) {
    if (stays(group.reads[r], spilled.reads)) residency.in_bytes += group.read_bytes[r];
  }
  for (size_t w = 0; w < group.writes.size(); ++w) {
    if (stays(group.writes[w], spilled.writes)) residency.out_bytes += group.write_bytes[w];
  }
  residency.in_bytes = std::min(residency.in_bytes, group.work.in_bytes);
  residency.out_bytes = std::min(residency.out_bytes, group.work.out_bytes);
  if (on_chip.weights_stay) residency.weight_bytes = group.work.weight_bytes;
  return residency;
}

int64_t WeightBytes(const ModelView& model, const std::vector<const RunGroup*>& groups) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) copies.Add(group->group, group->work.precision, UnitId(), nullptr);
  return copies.Bytes();
}

}  // namespace hwest
