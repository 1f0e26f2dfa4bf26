#include "partition/usable.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "partition/names.h"

namespace hwest {
namespace {

absl::Status CheckPin(const ModelView& model, const Target& target, const SupportTable& support, NodeId node,
                      UnitId unit) {
  const std::string what = absl::StrCat(model.graph.Label(node), " cannot be pinned to ", target.units[unit].name);
  if (!target.units[unit].placeable) {
    return MakeError(Code::kUsage, absl::StrCat(what, ": nothing places work on it"), "pin it to another unit");
  }
  const Support& row = support[unit][node];
  if (row.verdict != Verdict::kNo || !IsKernel(model.classes[node])) return absl::OkStatus();
  const NamedOption assume("--assume", {absl::StrCat(model.graph.op(node), "@", target.units[unit].name)});
  return MakeError(Code::kUsage, absl::StrCat(what, ": ", row.limit), absl::StrCat("add ", assume.text()), {assume});
}

}  // namespace

bool Usable::Runs(size_t unit, const Group& group, const IdMap<NodeId, NodeClass>& classes) const {
  return std::all_of(group.nodes.begin(), group.nodes.end(),
                     [&](NodeId node) { return !IsKernel(classes[node]) || use[unit][node] != Ability::kNo; });
}

absl::StatusOr<IdMap<NodeId, UnitId>> ResolvePins(const ModelView& model, const Target& target,
                                                  const SupportTable& support, const AnalysisRequest& request) {
  IdMap<NodeId, UnitId> pins(model.graph.nodes().size());
  for (const Pin& pin : request.pin) {
    HWEST_ASSIGN_OR_RETURN(const UnitId unit, FindUnit(target, pin.unit));
    HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, FindNodes(model, pin.what));
    for (const NodeId node : nodes) {
      HWEST_RETURN_IF_ERROR(CheckPin(model, target, support, node, unit));
      pins[node] = unit;
    }
  }
  return pins;
}

Usable MakeUsable(const ModelView& model, const SupportTable& support, const IdMap<NodeId, UnitId>& pins,
                  const Overlays& overlays, const std::vector<UnitChoice>& units) {
  Usable usable{.units = units};
  const size_t num_nodes = model.graph.nodes().size();
  for (const UnitChoice& choice : units) {
    usable.overlays.push_back(overlays[choice.unit].get());
    IdMap<NodeId, Copies>& copies = usable.copies.emplace_back();
    IdMap<NodeId, Ability>& use = usable.use.emplace_back(num_nodes, Ability::kNo);
    for (uint32_t n = 0; n < num_nodes; ++n) {
      const NodeId node(n);
      const Support& row = support[choice.unit][node];
      if (row.copies != Copies()) {
        if (copies.empty()) copies = IdMap<NodeId, Copies>(num_nodes);
        copies[node] = row.copies;
      }
      if (row.verdict == Verdict::kNo || (pins[node].valid() && pins[node] != choice.unit)) continue;
      use[node] = row.only_in_group ? Ability::kOnlyInGroup : Ability::kYes;
    }
  }
  return usable;
}

}  // namespace hwest
