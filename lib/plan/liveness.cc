#include "plan/liveness.h"

#include <algorithm>

namespace hwest {
namespace {

bool IsModelInput(const ModelView& model, ValueId value) {
  const Value& row = model.graph.value(value);
  return !row.producer.valid() && row.is_input && row.graph == GraphId(0u);
}

}  // namespace

IdMap<ValueId, LiveRange> FindLiveRanges(const ModelView& model, const std::vector<const RunGroup*>& order) {
  IdMap<ValueId, LiveRange> ranges(model.graph.values().size());
  for (size_t g = 0; g < order.size(); ++g) {
    for (const Access& read : order[g]->reads) {
      LiveRange& range = ranges[read.value];
      range.last = g;
      if (range.valid() || !IsModelInput(model, read.value)) continue;
      range.first = 0;
      range.bytes = read.bytes;
    }
    for (const Access& write : order[g]->writes) ranges[write.value] = {.first = g, .last = g, .bytes = write.bytes};
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (!output.valid() || order.empty()) continue;
    LiveRange& range = ranges[RootOf(model, output)];
    range.last = order.size() - 1;
    range.is_output = true;
  }
  return ranges;
}

std::vector<int64_t> LiveBytesOf(absl::Span<const Lifetime> lifetimes, size_t num_groups) {
  std::vector<int64_t> live(num_groups, 0);
  std::vector<int64_t> change(num_groups + 1, 0);
  for (const Lifetime& range : lifetimes) {
    change[range.first.index()] += range.bytes.value_or(0);
    change[range.last.index() + 1] -= range.bytes.value_or(0);
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
