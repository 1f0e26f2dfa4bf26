#include "plan/levels.h"

#include <algorithm>
#include <vector>

#include "cost/group_work.h"

namespace hwest {
namespace {

bool LaunchesKernel(const ModelView& model, const Group& group) {
  if (IsInPlace(group)) return false;
  return std::any_of(group.nodes.begin(), group.nodes.end(),
                     [&](NodeId node) { return IsKernel(model.classes[node]); });
}

}  // namespace

IdMap<GroupId, int> KernelsBeside(const ModelView& model, const Overlay& overlay) {
  const size_t count = overlay.groups.size();
  IdMap<GroupId, int> levels(count, 0), beside(count, 1);
  std::vector<int> widths;  // by level
  const auto level_before = [&](ValueId input) {
    const NodeId producer = model.graph.value(RootOf(model, input)).producer;
    const GroupId before = producer.valid() ? overlay.group_of[producer] : GroupId();
    return before.valid() ? levels[before] : 0;
  };
  for (uint32_t g = 0; g < count; ++g) {
    const Group& group = overlay.groups[GroupId(g)];
    int level = 0;
    for (const ValueId input : group.inputs) level = std::max(level, level_before(input));
    if (LaunchesKernel(model, group)) {
      ++level;
      widths.resize(std::max(widths.size(), static_cast<size_t>(level) + 1), 0);
      ++widths[static_cast<size_t>(level)];
    }
    levels[GroupId(g)] = level;
  }
  for (uint32_t g = 0; g < count; ++g) {
    const GroupId group(g);
    if (LaunchesKernel(model, overlay.groups[group])) beside[group] = widths[static_cast<size_t>(levels[group])];
  }
  return beside;
}

}  // namespace hwest
