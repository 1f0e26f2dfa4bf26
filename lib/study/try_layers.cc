// Single layers in another format.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cost/precision.h"
#include "op/rule.h"
#include "study/ideas.h"
#include "study/quantize_plan.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostLayers = 8;  // that are tried
constexpr size_t kMostLayersNamed = 3;
constexpr absl::string_view kLayerFormats[] = {"fp32", "bf16", "fp16", "w8a16", "int8"};

// Those that gain alone, one after the other as long as the next one gains beside them.
void TryLayersAt(Trials& trials, const std::string& format, const std::vector<NodeId>& layers) {
  if (!trials.Begin(absl::StrCat(format, " in single layers"))) return;
  const auto text_of = [&](const std::vector<NodeId>& nodes) {
    std::string text = "node,format\n";
    for (const std::string& name : UniqueNamesOf(*trials.graph(), nodes))
      absl::StrAppend(&text, name, ",", format, "\n");
    return text;
  };
  const auto planned = [&](const std::vector<NodeId>& nodes) -> const Analysis* {
    if (trials.IsStopped()) return nullptr;
    AnalysisRequest request = trials.request();
    request.precision_of = text_of(nodes);
    const absl::StatusOr<const Analysis*> changed = trials.Planned(request);
    return changed.ok() ? *changed : nullptr;
  };
  std::vector<std::pair<double, NodeId>> gains;
  for (const NodeId node : layers) {
    const Analysis* alone = planned({node});
    if (alone != nullptr && trials.SavingOf(*alone) > 0) gains.emplace_back(trials.SavingOf(*alone), node);
  }
  std::stable_sort(gains.begin(), gains.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<NodeId> taken;
  double saved_s = 0;
  for (const auto& [gain_s, node] : gains) {
    std::vector<NodeId> more = taken;
    more.push_back(node);
    const Analysis* together = planned(more);
    if (together == nullptr || trials.SavingOf(*together) <= saved_s) continue;
    saved_s = trials.SavingOf(*together);
    taken = std::move(more);
  }
  const Analysis* best = taken.empty() || !trials.Stands(saved_s) ? nullptr : planned(taken);
  if (best == nullptr) return;
  std::vector<std::string> names = UniqueNamesOf(*trials.graph(), taken);
  const size_t more = names.size() - std::min(names.size(), kMostLayersNamed);
  names.resize(names.size() - more);
  WhatIfRow row{
      .kind = WhatIfKind::kLayers,
      .change = absl::StrCat(format, " instead of ", trials.base().precision, " in ", absl::StrJoin(names, ", "),
                             more > 0 ? absl::StrCat(" and ", more, " more") : "")};
  trials.SetRisk(*best, &row);
  row.work = row.risk == AccuracyRisk::kCalibration ? "calibrate these layers with samples of the inputs"
                                                    : "name these layers to the compiler";
  row.precision_of = text_of(taken);
  trials.Add(std::move(row), *best);
}

}  // namespace

void TryLayers(Trials& trials) {
  const std::vector<std::string> known = RequestPrecisions();
  const bool is_of_one = std::find(known.begin(), known.end(), trials.base().precision) != known.end();
  const UnitId main = MainUnitOf(*trials.base().target);
  if (!is_of_one || !main.valid() || !trials.base().request.precision_of.empty()) return;
  for (uint32_t n = 0; n < trials.graph()->nodes().size(); ++n) {
    const OpRule* rule = RuleOf(*trials.graph(), NodeId(n));
    if (rule != nullptr && (rule->traits & trait::kDequantizes) != 0) return;  // the file says what is narrow
  }
  std::vector<std::pair<double, NodeId>> layers;
  for (const PlannedGroup& group : trials.plan().groups) {
    for (const NodeId node : group.group.nodes) {
      const bool contracts = trials.base().work[node].has_value() && !trials.base().work[node]->contractions.empty();
      if (contracts && group.estimate.has_value()) layers.emplace_back(group.estimate->time_s, node);
    }
  }
  std::stable_sort(layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (layers.size() > kMostLayers) layers.resize(kMostLayers);
  std::vector<NodeId> nodes;
  for (const auto& [time_s, node] : layers) nodes.push_back(node);
  const std::vector<std::string> runs = PrecisionsOf(trials.base().target->units[main]);
  for (const absl::string_view format : kLayerFormats) {
    const bool is_there = std::find(runs.begin(), runs.end(), format) != runs.end();
    if (is_there && format != trials.base().precision) TryLayersAt(trials, std::string(format), nodes);
  }
}

}  // namespace hwest
