#include "plan/liveness.h"

#include <algorithm>

namespace hwest {
namespace {

bool IsModelInput(const ModelView& model, ValueId value) {
  const Value& row = model.graph.value(value);
  return !row.producer.valid() && row.is_input && row.graph == GraphId(0u);
}

}  // namespace

IdMap<ValueId, Life> FindLives(const ModelView& model, const std::vector<const RunGroup*>& order) {
  IdMap<ValueId, Life> lives(model.graph.values().size());
  for (size_t g = 0; g < order.size(); ++g) {
    for (const Access& read : order[g]->reads) {
      Life& life = lives[read.value];
      life.last = g;
      if (life.valid() || !IsModelInput(model, read.value)) continue;
      life.first = 0;
      life.bytes = read.bytes;
    }
    for (const Access& write : order[g]->writes) lives[write.value] = {.first = g, .last = g, .bytes = write.bytes};
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (!output.valid() || order.empty()) continue;
    Life& life = lives[RootOf(model, output)];
    life.last = order.size() - 1;
    life.is_output = true;
  }
  return lives;
}

std::vector<Lifetime> LifetimesOf(const IdMap<ValueId, Life>& lives) {
  std::vector<Lifetime> rows;
  for (size_t v = 0; v < lives.size(); ++v) {
    const Life& life = lives[ValueId(v)];
    if (life.valid()) rows.push_back({ValueId(v), life.bytes, GroupId(life.first), GroupId(life.last)});
  }
  return rows;
}

std::vector<int64_t> LiveBytesOf(absl::Span<const Lifetime> lifetimes, size_t num_groups) {
  std::vector<int64_t> live(num_groups, 0);
  std::vector<int64_t> change(num_groups + 1, 0);
  for (const Lifetime& life : lifetimes) {
    change[life.first.index()] += life.bytes.value_or(0);
    change[life.last.index() + 1] -= life.bytes.value_or(0);
  }
  int64_t now = 0;
  for (size_t g = 0; g < num_groups; ++g) live[g] = now += change[g];
  return live;
}

int64_t PeakLiveBytes(absl::Span<const Lifetime> lifetimes, size_t num_groups) {
  const std::vector<int64_t> live = LiveBytesOf(lifetimes, num_groups);
  return live.empty() ? 0 : std::max<int64_t>(0, *std::max_element(live.begin(), live.end()));
}

}  // namespace hwest
