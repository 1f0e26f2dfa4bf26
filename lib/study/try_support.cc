// Compilers that take more operators.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cost/model_view.h"
#include "study/ideas.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostOperators = 8;

std::string OperatorName(const Graph& graph, NodeId node) {
  const absl::string_view domain = graph.domain(node);
  return domain.empty() || domain == "ai.onnx" ? std::string(graph.op(node))
                                               : absl::StrCat(domain, "::", graph.op(node));
}

// Operators that a CPU runs because an accelerator refuses them, with that accelerator, the most expensive first.
std::vector<std::pair<std::string, UnitId>> Fallbacks(const Trials& trials) {
  std::map<std::pair<std::string, uint32_t>, double> seconds;
  for (const PlannedGroup& group : trials.plan().groups) {
    if (group.unit.valid() && !IsCpu(trials.base().target->units[group.unit])) continue;
    for (const NodeId node : group.group.nodes) {
      if (!IsKernel(trials.base().classes[node])) continue;
      for (uint32_t u = 0; u < trials.base().target->units.size(); ++u) {
        const Unit& unit = trials.base().target->units[UnitId(u)];
        const auto& only = trials.base().request.only;
        const bool is_left_out = !only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end();
        if (IsCpu(unit) || !unit.placeable || is_left_out) continue;
        if (trials.base().support[UnitId(u)][node].verdict != Verdict::kNo) continue;
        seconds[{OperatorName(*trials.graph(), node), u}] += group.estimate.has_value() ? group.estimate->time_s : 0;
      }
    }
  }
  std::vector<std::pair<double, std::pair<std::string, UnitId>>> rows;
  for (const auto& [key, time_s] : seconds) rows.push_back({time_s, {key.first, UnitId(key.second)}});
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<std::string, UnitId>> costliest;
  for (const auto& row : rows) costliest.push_back(row.second);
  return costliest;
}

void TryAssumed(Trials& trials, std::string change, const std::vector<Pin>& assume) {
  WhatIfRow row{.kind = WhatIfKind::kSupport,
                .scope = ChangeScope::kBoard,
                .change = std::move(change),
                .work = "a compiler that takes them"};
  AnalysisRequest request = trials.request();
  for (const Pin& pin : assume) {
    row.flags.insert(row.flags.end(), {"--assume", absl::StrCat(pin.what, "@", pin.unit)});
    request.assume.push_back(pin);
  }
  trials.TryRequest(std::move(row), request);
}

}  // namespace

void TrySupport(Trials& trials) {
  const std::vector<std::pair<std::string, UnitId>> fallbacks = Fallbacks(trials);
  std::map<uint32_t, std::vector<Pin>> by_unit;
  for (size_t i = 0; i < fallbacks.size(); ++i) {
    const auto& [op, unit] = fallbacks[i];
    const std::string& name = trials.base().target->units[unit].name;
    by_unit[unit.index()].push_back({op, name});
    if (i < kMostOperators) TryAssumed(trials, absl::StrCat(op, " on ", name), {{op, name}});
  }
  for (const auto& [unit, pins] : by_unit) {
    if (pins.size() < 2) continue;
    TryAssumed(trials, absl::StrCat("all ", pins.size(), " operators that fall back, on ", pins[0].unit), pins);
  }
}

}  // namespace hwest
