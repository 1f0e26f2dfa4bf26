#include "analysis/precisions.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

std::vector<std::pair<std::string, double>> SharesOf(const Plan& plan) {
  std::map<std::string, int64_t> macs;
  int64_t total = 0;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.unit.valid() || group.work.macs == 0) continue;
    macs[PrecisionName(group.work.precision)] += group.work.macs;
    total += group.work.macs;
  }
  std::vector<std::pair<std::string, double>> shares;
  for (const auto& [name, count] : macs) {
    shares.emplace_back(name, static_cast<double>(count) / static_cast<double>(total));
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

}  // namespace

void FillPrecisions(Workspace& workspace) {
  Analysis& a = workspace.analysis;
  a.precisions = IdMap<NodeId, Precision>(a.graph->nodes().size());
  for (const PlannedGroup& group : a.plan->groups) {
    for (const NodeId node : group.group.nodes) a.precisions[node] = group.work.precision;
  }
  a.plan->precision_shares = SharesOf(*a.plan);
  for (uint32_t u = 0; u < a.target->units.size(); ++u) {
    const std::optional<UnitPrecision>& row = workspace.precisions[UnitId(u)];
    if (a.plan->units[UnitId(u)].macs == 0 || !row.has_value() || row->note.empty()) continue;
    a.diagnostics.push_back({.code = Code::kAssumed,
                             .message = absl::StrCat(a.target->units[UnitId(u)].name, ": ", row->note),
                             .remedy = "choose another with --precision UNIT=P"});
  }
}

}  // namespace hwest
