#include "analysis/precisions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/text.h"

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

// Of its MACs, those with weights taken as sparse.
int64_t SparseMacsOf(const GroupWork& work) {
  double sparse = 0, all = 0;
  for (const ContractionSize& size : work.contractions) {
    all += static_cast<double>(size.macs());
    if (size.sparse) sparse += static_cast<double>(size.macs());
  }
  return sparse > 0 ? std::llround(static_cast<double>(work.macs) * (sparse / all)) : 0;
}

bool StatesSparseRate(const Target& target) {
  return std::any_of(target.units.begin(), target.units.end(), [](const Unit& unit) {
    return std::any_of(unit.rates.begin(), unit.rates.end(),
                       [](const Rate& rate) { return rate.sparse_per_cycle.known(); });
  });
}

}  // namespace

void FillSparsity(Workspace& workspace) {
  Analysis& a = workspace.analysis;
  if (a.request.sparsity == Sparsity::kNone) return;
  int64_t sparse = 0, all = 0;
  for (const PlannedGroup& group : a.plan->groups) {
    all += group.work.macs;
    if (group.unit.valid()) sparse += SparseMacsOf(group.work);
  }
  a.plan->sparse_macs = sparse;
  if (!StatesSparseRate(*a.target)) {
    const std::string note = "the target states no rate for 2:4 sparse weights, so --sparsity changes nothing";
    a.diagnostics.push_back(
        {.code = Code::kAssumed, .message = note, .remedy = "leave it out", .options = {"--sparsity"}});
    return;
  }
  const std::string note =
      absl::StrCat("assumed 2:4 sparse weights in ", FormatCount(static_cast<double>(sparse)), " of ",
                   FormatCount(static_cast<double>(all)), " MACs; the file's weights were not looked at");
  a.diagnostics.push_back({.code = Code::kAssumed,
                           .message = note,
                           .remedy = "leave --sparsity out for dense weights",
                           .options = {"--sparsity"}});
}

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
                             .remedy = "choose another with --precision UNIT=P",
                             .options = {{"--precision", {"UNIT=P"}}}});
  }
}

}  // namespace hwest
