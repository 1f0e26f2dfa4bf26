#include "analysis/lifetimes.h"

#include <deque>

#include "pass/settle.h"
#include "plan/liveness.h"
#include "plan/run_group.h"

namespace hwest {

std::vector<Lifetime> LifetimesOf(const Analysis& analysis) {
  std::vector<Lifetime> lifetimes;
  if (!analysis.plan.has_value()) return lifetimes;
  DimPool pool(analysis.dims.get());
  SettleLargest(pool);
  const IdMap<ValueId, ValueId> roots = FindRoots(*analysis.graph, analysis.classes);
  const IdMap<ValueId, uint8_t> caches = MarkCaches(*analysis.graph, analysis.facts, roots);
  const ModelView model{*analysis.graph, analysis.facts, analysis.classes, analysis.work, pool, &roots, &caches};
  std::deque<RunGroup> groups;
  std::vector<const RunGroup*> order;
  for (const PlannedGroup& planned : analysis.plan->groups) {
    order.push_back(&groups.emplace_back(RunGroupOf(model, planned.group, planned.work, 1)));
  }
  const IdMap<ValueId, Life> lives = FindLives(model, order);
  for (size_t v = 0; v < lives.size(); ++v) {
    const Life& life = lives[ValueId(v)];
    if (!life.valid()) continue;
    lifetimes.push_back({ValueId(v), life.bytes, GroupId(life.first), GroupId(life.last)});
  }
  return lifetimes;
}

std::vector<int64_t> LiveBytesOf(const std::vector<Lifetime>& lifetimes, size_t num_groups) {
  std::vector<int64_t> live(num_groups, 0);
  std::vector<int64_t> change(num_groups + 1, 0);
  for (const Lifetime& life : lifetimes) {
    change[life.first.index()] += life.bytes;
    change[life.last.index() + 1] -= life.bytes;
  }
  int64_t now = 0;
  for (size_t g = 0; g < num_groups; ++g) live[g] = now += change[g];
  return live;
}

}  // namespace hwest
