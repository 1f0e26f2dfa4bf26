// What would change if some nodes ran on another unit.
#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "analysis/rerun.h"
#include "base/status_macros.h"
#include "hwest/facts.h"
#include "hwest/study.h"

namespace hwest {
namespace {

// Of the groups that hold the nodes; none unless all of them run there.
std::optional<double> TimeOn(const Plan& plan, const std::vector<NodeId>& nodes, UnitId unit) {
  std::set<size_t> groups;
  for (const NodeId node : nodes) groups.insert(plan.group_of[node].index());
  double time_s = 0;
  for (const size_t id : groups) {
    const PlannedGroup& group = plan.groups[id];
    if (group.unit != unit || !group.estimate.has_value()) return std::nullopt;
    time_s += group.estimate->time_s;
  }
  return time_s;
}

}  // namespace

absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             const std::vector<NodeId>& nodes) {
  std::vector<MoveRow> rows;
  const bool in_groups = base.plan.has_value() && std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
                           return base.plan->group_of[node].valid();
                         });
  if (!in_groups) return rows;
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, base.request));
  for (uint32_t u = 0; u < base.target->units.size(); ++u) {
    const Unit& unit = base.target->units[UnitId(u)];
    if (!unit.placeable) continue;
    MoveRow& row = rows.emplace_back(MoveRow{.unit = UnitId(u)});
    AnalysisRequest request = base.request;
    for (const NodeId node : nodes) request.pin.push_back({absl::StrCat("#", node.index()), unit.name});
    const absl::StatusOr<const Analysis*> moved = rerun.Plan(request);
    if (!moved.ok()) continue;
    const Plan& plan = *(*moved)->plan;
    row.time_s = TimeOn(plan, nodes, UnitId(u));
    if (row.time_s.has_value()) row.latency_s = plan.latency_s;
  }
  return rows;
}

}  // namespace hwest
