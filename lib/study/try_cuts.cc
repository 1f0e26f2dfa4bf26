// Models that end before, or begin behind, what no accelerator takes.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "study/candidates.h"
#include "study/ideas.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostCuts = 4;

// What is cut off is not gone: it runs on the CPU of the target, and its time there counts.
void TryCut(Trials& trials, const ModelCut& cut) {
  WhatIfRow row{
      .kind = WhatIfKind::kCut, .change = CutText(*trials.graph(), cut), .work = "write that part for the host"};
  std::vector<std::string> cpus;
  for (const Unit& unit : trials.base().target->units) {
    if (IsCpu(unit) && unit.placeable) cpus.push_back(unit.name);
  }
  if (cpus.empty() || !trials.Begin(row.change)) return;
  const auto analysed = [&](const ModelCut& part, bool is_rest, WhatIfRow* named) -> absl::StatusOr<Analysis> {
    HWEST_ASSIGN_OR_RETURN(RawModel raw, trials.source().read());
    CutOff(trials.base(), part, &raw);
    if (named != nullptr) {
      named->inputs = InputNames(raw);
      named->outputs = OutputNames(raw);
    }
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, BuildModel(std::move(raw), trials.source().limits));
    AnalysisRequest request = trials.request();
    if (is_rest || !cut.downstream) request.bind = {};  // the values that the part begins with have their sizes
    if (is_rest) request.only = cpus;
    if (is_rest) request.pin.clear();
    return Analyze(std::move(graph), request);
  };
  const absl::StatusOr<Analysis> rest = analysed(OtherSideOf(*trials.graph(), cut), /*is_rest=*/true, nullptr);
  if (!rest.ok() || !rest->plan.has_value() || NumUnknown(*rest->plan) > 0) return;
  const absl::StatusOr<Analysis> changed = analysed(cut, /*is_rest=*/false, &row);
  if (!changed.ok() || !changed->plan.has_value()) return;
  absl::StrAppend(&row.change, ", there ", FormatSeconds(rest->plan->latency_s));
  trials.Add(std::move(row), *changed, LatencyOf(*rest->plan));
}

}  // namespace

void TryCuts(Trials& trials) {
  if (trials.source().read == nullptr) return;
  const auto is_taken = [&](const RefusalRow& row) {
    for (uint32_t u = 0; u < trials.base().support.size(); ++u) {
      const bool takes = trials.base().support[UnitId(u)][row.nodes.front()].verdict != Verdict::kNo;
      if (takes && IsAccelerator(trials.base().target->units[UnitId(u)])) return true;
    }
    return false;
  };
  std::set<std::pair<bool, std::vector<bool>>> seen;
  const auto try_at = [&](const std::vector<NodeId>& nodes, bool downstream) {
    const std::optional<ModelCut> cut = CutAt(trials.base(), nodes, downstream);
    if (cut.has_value() && seen.size() < kMostCuts && seen.emplace(downstream, cut->off).second) TryCut(trials, *cut);
  };
  std::map<uint32_t, std::vector<NodeId>> all;
  for (const RefusalRow& row : trials.refusals()) {
    if (is_taken(row)) continue;
    std::vector<NodeId>& nodes = all[row.unit.index()];
    nodes.insert(nodes.end(), row.nodes.begin(), row.nodes.end());
  }
  for (const auto& [unit, nodes] : all) try_at(nodes, /*downstream=*/true);
  for (const RefusalRow& row : trials.refusals()) {
    for (const bool downstream : {true, false}) {
      if (!is_taken(row)) try_at(row.nodes, downstream);
    }
  }
}

}  // namespace hwest
