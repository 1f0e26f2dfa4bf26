#include "plan/reasons.h"

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "partition/support.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// Each comparison walks the whole order; plans with more segments than this say less.
constexpr size_t kMaxCompared = 64;

class Reasoner {
 public:
  Reasoner(const PlanInput& input, const Problem& problem, const Draft& draft)
      : input_(input), problem_(problem), draft_(draft), cost_(PlanCost(problem.solver, draft.units)) {}

  std::string Explain(size_t segment) const {
    if (segment == 0) return "first segment";
    const uint32_t first = draft_.first_atom[segment];
    const uint32_t before = draft_.units[first - 1];
    if (before >= problem_.usable.units.size()) return "after nodes that no unit runs";
    if (before == draft_.units[first]) {
      const NodeId reader = problem_.atoms()[first].nodes[0];
      return absl::StrCat("cores of the host bring what ", NodeText(reader), " reads into another order");
    }
    const uint32_t refused = FirstRefused(first, EndOf(segment), before);
    if (refused == first) return Refusal(first, before);
    if (IsOnCpu(before) && !IsOnCpu(draft_.units[first])) return Return(segment, first);
    const std::string saving = Saving(segment, first, refused, before);
    return refused == EndOf(segment) ? saving : absl::StrCat(saving, "; ", Refusal(refused, before));
  }

 private:
  const std::string& UnitName(uint32_t unit) const {
    return input_.target.units[problem_.usable.units[unit].unit].name;
  }

  bool IsOnCpu(uint32_t unit) const { return IsCpu(input_.target.units[problem_.usable.units[unit].unit]); }

  std::string NodeText(NodeId node) const {
    const std::string label = input_.model.graph.Label(node);
    const absl::string_view op = input_.model.graph.op(node);
    return label == op ? label : absl::StrCat(op, " ", label);
  }

  // What an accelerator takes up again behind a CPU, and why it had to leave off.
  std::string Return(size_t segment, uint32_t first) const {
    const uint32_t unit = draft_.units[first];
    const uint32_t end = EndOf(segment);
    std::string text = absl::StrCat(UnitName(unit), " runs ", NodeText(problem_.atoms()[first].nodes[0]));
    const size_t more = NumGroups(first, end) - 1;
    if (more > 0) absl::StrAppend(&text, " and the ", more, more == 1 ? " group" : " groups", " after it");
    uint32_t begin = first;
    while (begin > 0 && draft_.units[begin - 1] == draft_.units[first - 1]) --begin;
    const uint32_t refused = FirstRefused(begin, first, unit);
    const size_t groups = NumGroups(begin, first);
    if (refused < first) return absl::StrCat(text, "; before it, ", Refusal(refused, unit));
    return absl::StrCat(text, "; the ", groups == 1 ? "group" : absl::StrCat(groups, " groups"), " before ",
                        groups == 1 ? "costs" : "cost", " less on ", UnitName(draft_.units[first - 1]));
  }

  size_t NumGroups(uint32_t begin, uint32_t end) const {
    size_t groups = 0;
    for (uint32_t atom = begin; atom < end; ++atom) groups += problem_.GroupsOf(atom, draft_.units[atom]).size();
    return groups;
  }

  uint32_t EndOf(size_t segment) const {
    uint32_t end = draft_.first_atom[segment];
    const uint32_t unit = draft_.units[end];
    while (end < draft_.first_atom[segment + 1] && draft_.units[end] == unit) ++end;
    return end;
  }

  uint32_t FirstRefused(uint32_t first, uint32_t end, uint32_t unit) const {
    while (first < end && problem_.solver.CostOf(first, unit) < kInfeasible && !IsHeld(first, unit)) ++first;
    return first;
  }

  bool IsHeld(uint32_t atom, uint32_t unit) const { return problem_.held[atom * problem_.num_units() + unit] != 0; }

  std::string Refusal(uint32_t atom, uint32_t unit) const {
    const UnitId id = problem_.usable.units[unit].unit;
    for (const NodeId node : problem_.atoms()[atom].nodes) {
      if (problem_.usable.use[unit][node] == Ability::kYes) continue;
      const Support& support = input_.support[id][node];
      const std::string label = NodeText(node);
      if (support.verdict == Verdict::kNo) {
        const Toolchain* toolchain = ToolchainOf(input_.target, input_.target.units[id]);
        return absl::StrCat(label, ": refused by ", UnitName(unit), ": ",
                            SupportText(support, EvidenceOf(input_.model.graph, node, toolchain, support)));
      }
      if (support.only_in_group && problem_.usable.use[unit][node] == Ability::kOnlyInGroup) {
        return absl::StrCat(label, ": runs on ", UnitName(unit), " only ", support.limit);
      }
      return absl::StrCat(label, ": pinned by request");
    }
    const std::string label = NodeText(problem_.atoms()[atom].nodes[0]);
    if (IsHeld(atom, unit)) return absl::StrCat(label, ": ", Taken(draft_.units[atom]));
    if (problem_.usable.units[unit].is_fallback()) return absl::StrCat(label, ": supported on the unit asked for");
    return absl::StrCat(label, ": no figures to cost it on ", UnitName(unit));
  }

  // Why a unit runs what one behind it could run, too.
  std::string Taken(uint32_t unit) const {
    const Toolchain* toolchain = ToolchainOf(input_.target, input_.target.units[problem_.usable.units[unit].unit]);
    if (toolchain == nullptr || !toolchain->partition.has_value()) {
      return absl::StrCat("supported by ", UnitName(unit), ", which goes first");
    }
    return absl::StrCat("supported by ", UnitName(unit), "; ", toolchain->own_name, " takes every supported operator");
  }

  // What keeping atoms [first, end) on the unit before would add.
  std::string Saving(size_t segment, uint32_t first, uint32_t end, uint32_t unit) const {
    const std::string than = absl::StrCat(" than staying on ", UnitName(unit));
    if (segment >= kMaxCompared) return absl::StrCat("cheaper", than);
    Assignment stayed = draft_.units;
    for (uint32_t atom = first; atom < end; ++atom) stayed[atom] = unit;
    const double saved = PlanCost(problem_.solver, stayed) - cost_;
    if (saved == kInfeasible) return absl::StrCat("limits of ", UnitName(unit), " forbid staying");
    if (!(saved > 0) && input_.request.power_cap_w.has_value()) return absl::StrCat("needs less power", than);
    if (!(saved > 0)) return absl::StrCat("no more expensive", than);
    const bool is_latency = input_.request.objective == Objective::kLatency;
    return absl::StrCat("cheaper by ", is_latency ? FormatSeconds(saved) : FormatJoules(saved), than);
  }

  const PlanInput& input_;
  const Problem& problem_;
  const Draft& draft_;
  const double cost_;
};

}  // namespace

std::vector<std::string> SegmentReasons(const PlanInput& input, const Problem& problem, const Draft& draft) {
  const Reasoner reasoner(input, problem, draft);
  std::vector<std::string> reasons;
  for (size_t segment = 0; segment < draft.segments.size(); ++segment) reasons.push_back(reasoner.Explain(segment));
  return reasons;
}

}  // namespace hwest
