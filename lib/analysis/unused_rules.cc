#include "analysis/unused_rules.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "fuse/fusion_rules.h"
#include "op/rule.h"

namespace hwest {
namespace {

std::string FullName(absl::string_view domain, absl::string_view op) {
  return absl::StrCat(domain.empty() ? "ai.onnx" : domain, "::", op);
}

// Operators of the model that a rule may be for: those that have none of ours.
std::vector<std::string> OperatorsWithoutRule(const Graph& graph) {
  std::set<std::string> names;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId node(i);
    if (!HasRule(graph.domain(node), graph.op(node))) names.insert(FullName(graph.domain(node), graph.op(node)));
  }
  return {names.begin(), names.end()};
}

void Note(std::string message, std::string remedy, Analysis* analysis) {
  analysis->diagnostics.push_back(
      {.code = Code::kUnusedRule, .message = std::move(message), .remedy = std::move(remedy)});
}

bool HasToolchain(const Target& target, const std::vector<std::string>& names) {
  return names.empty() || std::any_of(target.units.begin(), target.units.end(), [&](const Unit& unit) {
           const Toolchain* toolchain = ToolchainOf(target, unit);
           return toolchain != nullptr && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                    return toolchain->IsCalled(name);
                  });
         });
}

}  // namespace

void NoteUnusedOpRules(const OpRules& rules, Analysis* analysis) {
  if (rules.empty()) return;
  const std::vector<std::string> others = OperatorsWithoutRule(*analysis->graph);
  for (const auto& [domain, op] : rules.Names()) {
    const std::string name = FullName(domain, op);
    if (std::find(others.begin(), others.end(), name) != others.end()) continue;
    const std::vector<std::string> nearest = NearestNames(name, others, 3);
    Note(absl::StrCat("op rule ", name, " matched no node"),
         nearest.empty() ? "remove it, or check its domain and name"
                         : absl::StrCat("did you mean ", absl::StrJoin(nearest, ", "), "?"),
         analysis);
  }
}

void NoteUnusedFusions(const Overlays& overlays, Analysis* analysis) {
  const FusionRules* rules = analysis->fusion_rules.get();
  if (rules == nullptr || analysis->request.fusions == "none") return;
  std::set<absl::string_view> made;
  for (const auto& overlay : overlays) {
    for (const Group& group : overlay->groups) made.insert(group.pattern);
  }
  for (size_t i = 0; i < rules->rows.size(); ++i) {
    if (made.count(rules->rows[i].family) > 0) continue;
    const bool applies = HasToolchain(*analysis->target, rules->toolchains[i]);
    Note(absl::StrCat("fusion ", rules->rows[i].name, " matched nothing in the model"),
         applies ? "`onnx-hwest explain` on a node that it is for says what keeps it away"
                 : absl::StrCat("no unit of ", analysis->target->name, " has the toolchain ",
                                absl::StrJoin(rules->toolchains[i], " or ")),
         analysis);
  }
}

}  // namespace hwest
