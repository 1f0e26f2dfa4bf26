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
    const Precision precision = order[g]->work.precision;
    for (const ValueId value : order[g]->reads) {
      Life& life = lives[value];
      life.last = g;
      if (life.valid() || !IsModelInput(model, value)) continue;
      life.first = 0;
      life.bytes = DeployedBytes(model, value, precision).value_or(0);
    }
    for (const ValueId value : order[g]->writes) {
      lives[value] = {g, g, DeployedBytes(model, value, precision).value_or(0)};
    }
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (output.valid() && !order.empty()) lives[RootOf(model, output)].last = order.size() - 1;
  }
  return lives;
}

int64_t PeakLiveBytes(const ModelView& model, const std::vector<const RunGroup*>& order) {
  std::vector<int64_t> change(order.size() + 1, 0);
  for (const Life& life : FindLives(model, order)) {
    if (!life.valid()) continue;
    change[life.first] += life.bytes;
    change[life.last + 1] -= life.bytes;
  }
  int64_t live = 0, peak = 0;
  for (const int64_t delta : change) {
    live += delta;
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace hwest
