#include "plan/run_group.h"

#include <algorithm>

#include "cost/group_work.h"
#include "partition/flow.h"

namespace hwest {
namespace {

void AddOnce(std::vector<ValueId>& values, ValueId value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

bool IsMember(const Group& group, NodeId node) {
  return node.valid() && std::binary_search(group.nodes.begin(), group.nodes.end(), node);
}

}  // namespace

RunGroups::RunGroups(const ModelView& model, const IdMap<GraphId, int64_t>& runs,
                     const IdMap<UnitId, Overlay>& overlays,
                     const IdMap<UnitId, std::optional<UnitPrecision>>& precisions)
    : model_(model), runs_(runs), overlays_(overlays), precisions_(precisions) {
  by_group_.resize(overlays.size());
  by_node_.resize(overlays.size() + 1);
}

const RunGroup* RunGroups::Get(UnitId unit, const GroupRef& ref) {
  const bool is_single = !ref.overlay_group.valid();
  std::vector<std::unique_ptr<RunGroup>>& rows = is_single ? by_node_[unit.index()] : by_group_[unit.index()];
  if (rows.empty()) rows.resize(is_single ? model_.graph.nodes().size() : overlays_[unit].groups.size());
  std::unique_ptr<RunGroup>& row = rows[is_single ? ref.node.index() : ref.overlay_group.index()];
  if (row == nullptr) {
    row = Make(is_single ? SingleNode(model_, ref.node) : overlays_[unit].groups[ref.overlay_group],
               *precisions_[unit]);
  }
  return row.get();
}

const RunGroup* RunGroups::GetUnplaced(NodeId node) {
  std::vector<std::unique_ptr<RunGroup>>& rows = by_node_.back();
  if (rows.empty()) rows.resize(model_.graph.nodes().size());
  if (rows[node.index()] == nullptr) {
    const Num num = FilePrecisionOf(model_).floating;
    rows[node.index()] = Make(SingleNode(model_, node), {.main = {num, num}, .floating = {num, num}, .note = ""});
  }
  return rows[node.index()].get();
}

std::unique_ptr<RunGroup> RunGroups::Make(Group group, const UnitPrecision& precision) const {
  auto made = std::make_unique<RunGroup>();
  const bool is_main = precision.main == precision.floating || HasIntegerOperands(model_, group);
  made->work = MakeGroupWork(model_, group, is_main ? precision.main : precision.floating);
  const GraphId body = model_.graph.node(group.root).graph;
  made->runs = body.index() < runs_.size() ? runs_[body] : 1;
  for (const NodeId node : group.nodes) {
    if (model_.classes[node] == NodeClass::kConstant || model_.classes[node] == NodeClass::kShape) continue;
    for (const ValueId root : DataReads(model_, node)) {
      if (!IsMember(group, model_.graph.value(root).producer)) AddOnce(made->reads, root);
    }
  }
  for (const ValueId output : group.outputs) {
    const ValueId root = RootOf(model_, output);
    const NodeId producer = model_.graph.value(root).producer;
    if (IsMember(group, producer) && IsKernel(model_.classes[producer])) AddOnce(made->writes, root);
  }
  made->group = std::move(group);
  return made;
}

}  // namespace hwest
