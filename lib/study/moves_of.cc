// What would change if one node ran on another unit.
#include "absl/strings/str_cat.h"
#include "analysis/rerun.h"
#include "base/status_macros.h"
#include "hwest/facts.h"
#include "hwest/study.h"

namespace hwest {

absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             NodeId node) {
  std::vector<MoveRow> rows;
  if (!base.plan.has_value() || !base.plan->group_of[node].valid()) return rows;
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, base.request));
  for (uint32_t u = 0; u < base.target->units.size(); ++u) {
    const Unit& unit = base.target->units[UnitId(u)];
    if (!unit.placeable) continue;
    MoveRow& row = rows.emplace_back(MoveRow{.unit = UnitId(u)});
    AnalysisRequest request = base.request;
    request.pin.push_back({absl::StrCat("#", node.index()), unit.name});
    const absl::StatusOr<const Analysis*> moved = rerun.Plan(request);
    if (!moved.ok()) continue;
    const Plan& plan = *(*moved)->plan;
    const PlannedGroup& group = plan.groups[plan.group_of[node].index()];
    if (group.unit != UnitId(u) || !group.estimate.has_value()) continue;
    row.time_s = group.estimate->time_s;
    row.latency_s = plan.latency_s;
  }
  return rows;
}

}  // namespace hwest
