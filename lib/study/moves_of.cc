// Moves some nodes to each other unit and analyses the result.
#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "analysis/rerun.h"
#include "base/status_macros.h"
#include "hwest/facts.h"
#include "study/what_if.h"

namespace hwest {
namespace {

// Of the groups that hold the nodes; none unless all of them run there. A view that a fusion took in belongs to no
// group of a plan without that fusion.
std::optional<double> TimeOn(const Plan& plan, const std::vector<NodeId>& nodes, UnitId unit) {
  std::set<size_t> groups;
  for (const NodeId node : nodes) {
    if (plan.group_of[node].valid()) groups.insert(plan.group_of[node].index());
  }
  if (groups.empty()) return std::nullopt;
  double time_s = 0;
  for (const size_t id : groups) {
    const PlannedGroup& group = plan.groups[id];
    if (group.unit != unit || !group.estimate.has_value()) return std::nullopt;
    time_s += group.estimate->time_s;
  }
  return time_s;
}

bool AreInGroups(const Analysis& base, const std::vector<NodeId>& nodes) {
  return base.plan.has_value() &&
         std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return base.plan->group_of[node].valid(); });
}

// Fills the row with what the analysis with the nodes pinned there gives; as it is when the unit cannot run them.
void FillMove(const Analysis& moved, const std::vector<NodeId>& nodes, MoveRow* row) {
  row->time_s = TimeOn(*moved.plan, nodes, row->unit);
  if (row->time_s.has_value()) row->latency_s = moved.plan->latency_s;
}

}  // namespace

AnalysisRequest RequestUntil(const Analysis& base, const std::function<bool()>& stop) {
  AnalysisRequest request = base.request;
  request.finds_best = false;
  if (stop != nullptr) request.watch = [stop](absl::string_view, size_t, size_t) { return !stop(); };
  return request;
}

absl::StatusOr<std::vector<MoveRow>> MovesUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                const std::vector<NodeId>& nodes, const StudyProgress& progress,
                                                const std::function<bool()>& stop) {
  std::vector<MoveRow> rows;
  if (!AreInGroups(base, nodes)) return rows;
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, RequestUntil(base, stop)));
  for (uint32_t u = 0; u < base.target->units.size(); ++u) {
    const Unit& unit = base.target->units[UnitId(u)];
    if (!unit.placeable) continue;
    MoveRow& row = rows.emplace_back(MoveRow{.unit = UnitId(u)});
    if (progress != nullptr) progress(absl::StrCat("on ", unit.name));
    AnalysisRequest request = RequestUntil(base, stop);
    for (const NodeId node : nodes) request.pin.push_back({absl::StrCat("#", node.index()), unit.name});
    const absl::StatusOr<const Analysis*> moved = rerun.Plan(request);
    if (moved.ok()) FillMove(**moved, nodes, &row);
    if (stop != nullptr && stop()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  }
  return rows;
}

absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             const std::vector<NodeId>& nodes) {
  return MovesUntil(graph, base, nodes, nullptr, nullptr);
}

}  // namespace hwest
