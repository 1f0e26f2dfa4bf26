// What would change if one node ran on another unit.
#include "absl/strings/str_cat.h"
#include "analysis/rerun.h"
#include "base/status_macros.h"
#include "hwest/facts.h"
#include "study/what_if.h"

namespace hwest {
namespace {

// Fills the row with what the analysis with the node pinned there gives; as it is when the unit cannot run the node.
void FillMove(const Analysis& moved, NodeId node, MoveRow* row) {
  const Plan& plan = *moved.plan;
  const PlannedGroup& group = plan.groups[plan.group_of[node].index()];
  if (group.unit != row->unit || !group.estimate.has_value()) return;
  row->time_s = group.estimate->time_s;
  row->latency_s = plan.latency_s;
}

}  // namespace

AnalysisRequest RequestUntil(const Analysis& base, const std::function<bool()>& stop) {
  AnalysisRequest request = base.request;
  if (stop != nullptr) request.watch = [stop](absl::string_view, size_t, size_t) { return !stop(); };
  return request;
}

absl::StatusOr<std::vector<MoveRow>> MovesUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                NodeId node, const StudyProgress& progress,
                                                const std::function<bool()>& stop) {
  std::vector<MoveRow> rows;
  if (!base.plan.has_value() || !base.plan->group_of[node].valid()) return rows;
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, RequestUntil(base, stop)));
  for (uint32_t u = 0; u < base.target->units.size(); ++u) {
    const Unit& unit = base.target->units[UnitId(u)];
    if (!unit.placeable) continue;
    MoveRow& row = rows.emplace_back(MoveRow{.unit = UnitId(u)});
    if (progress != nullptr) progress(absl::StrCat("on ", unit.name));
    AnalysisRequest request = RequestUntil(base, stop);
    request.pin.push_back({absl::StrCat("#", node.index()), unit.name});
    const absl::StatusOr<const Analysis*> moved = rerun.Plan(request);
    if (moved.ok()) FillMove(**moved, node, &row);
    if (stop != nullptr && stop()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  }
  return rows;
}

absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             NodeId node) {
  return MovesUntil(graph, base, node, nullptr, nullptr);
}

}  // namespace hwest
