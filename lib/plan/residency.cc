#include "plan/residency.h"

#include <algorithm>

#include "cost/cost.h"

namespace hwest {
namespace {

struct Lifetime {
  bool made = false;
  size_t last = 0;
  int64_t bytes = 0;
};

int64_t BytesIn(const ModelView& model, ValueId value, const RunGroup& group) {
  return DeployedBytes(model, value, group.work.precision).value_or(0);
}

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
  IdMap<ValueId, int64_t> bytes(model.graph.values().size(), 0);
  for (const RunGroup* group : groups) {
    for (const NodeId node : group->group.nodes) {
      const absl::Span<const ValueId> inputs = model.graph.inputs(node);
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (!ReadsData(model, node, i) || !IsConstant(model, inputs[i])) continue;
        bytes[inputs[i]] = std::max(bytes[inputs[i]], BytesIn(model, inputs[i], *group));
      }
    }
  }
  int64_t total = 0;
  for (const int64_t value_bytes : bytes) total += value_bytes;
  return total;
}

}  // namespace hwest
