// Turns atoms and estimates into the plain arrays of the solver.
#include <algorithm>

#include "cost/cost.h"
#include "plan/draft.h"
#include "plan/moves.h"

namespace hwest {
namespace {

class Maker {
 public:
  Maker(const PlanInput& input, RunGroups& groups, Fallback fallback)
      : input_(input), groups_(groups), fallback_(fallback), nothing_leaves_(input.model.graph.values().size(), 0) {}

  Problem Run(const IdMap<NodeId, UnitId>& pins, const std::vector<UnitChoice>& units) {
    problem_.usable = MakeUsable(input_.model, input_.support, pins, input_.overlays, units);
    problem_.atoms = BuildAtoms(input_.model, input_.target, problem_.usable);
    problem_.flow = MakeFlow(input_.model, problem_.atoms);
    rows_ = units.size();
    ListGroups();
    EstimateAtoms();
    ListUnplaced();
    FillSolver();
    return std::move(problem_);
  }

 private:
  UnitId UnitOfRow(size_t row) const { return problem_.usable.units[row].unit; }
  const Unit& UnitAt(size_t row) const { return input_.target.units[UnitOfRow(row)]; }
  bool MayRun(size_t atom, size_t row) const;
  void ListGroups();
  void ListUnplaced();
  void EstimateAtoms();
  void EstimateRow(size_t row);
  void FillSolver();
  void FillCosts(PlacementProblem& out, Objective objective) const;
  double AtomCost(size_t atom, size_t row, Objective objective) const;
  void FillMoves(PlacementProblem& out, Objective objective);
  void SetMove(PlacementProblem& out, size_t from, size_t to, const MoveCost& cost, double watts,
               Objective objective);
  Precision HostPrecision() const;
  void FillValues(PlacementProblem& out) const;
  void FillLimits(PlacementProblem& out) const;

  const PlanInput& input_;
  RunGroups& groups_;
  Fallback fallback_;
  const IdMap<ValueId, uint8_t> nothing_leaves_;
  Problem problem_;
  size_t rows_ = 0;
};

bool Maker::MayRun(size_t atom, size_t row) const {
  const Atom::Feasible& feasible = problem_.atoms.atoms[atom].feasible;
  if (!feasible[row]) return false;
  if (fallback_ == Fallback::kEverywhere || !problem_.usable.units[row].fallback) return true;
  for (size_t other = 0; other < rows_; ++other) {
    if (feasible[other] && !problem_.usable.units[other].fallback) return false;
  }
  return true;
}

void Maker::ListGroups() {
  problem_.runs = &groups_;
  problem_.first_group = {0};
  for (uint32_t atom = 0; atom < problem_.atoms.atoms.size(); ++atom) {
    for (size_t row = 0; row < rows_; ++row) {
      if (MayRun(atom, row)) {
        for (const GroupRef& ref : GroupsOn(input_.model, problem_.usable, problem_.atoms, atom, row)) {
          problem_.groups.push_back({groups_.Get(UnitOfRow(row), ref)});
        }
      }
      problem_.first_group.push_back(static_cast<uint32_t>(problem_.groups.size()));
    }
  }
}

// Atoms that no unit can run, or none with a known cost, stay unplaced.
void Maker::ListUnplaced() {
  problem_.first_unplaced = {0};
  for (size_t atom = 0; atom < problem_.atoms.atoms.size(); ++atom) {
    bool placeable = false;
    for (size_t row = 0; row < rows_; ++row) {
      placeable = placeable || AtomCost(atom, row, Objective::kLatency) < kInfeasible;
    }
    for (const NodeId node : problem_.atoms.atoms[atom].nodes) {
      if (!placeable) problem_.unplaced.push_back({groups_.GetUnplaced(node), groups_.NotKnown()});
    }
    problem_.first_unplaced.push_back(static_cast<uint32_t>(problem_.unplaced.size()));
  }
}

void Maker::EstimateAtoms() {
  for (size_t row = 0; row < rows_; ++row) EstimateRow(row);
}

void Maker::EstimateRow(size_t row) {
  const size_t num_atoms = problem_.atoms.atoms.size();
  std::vector<const RunGroup*> order;
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (const PricedGroup& priced : problem_.GroupsOf(atom, row)) order.push_back(priced.group);
  }
  problem_.on_chip.push_back(FindOnChip(input_.model, input_.target, UnitAt(row), order));
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    const size_t part = atom * rows_ + row;
    for (uint32_t g = problem_.first_group[part]; g < problem_.first_group[part + 1]; ++g) {
      PricedGroup& priced = problem_.groups[g];
      const Residency residency = ResidencyOf(input_.model, *priced.group, problem_.on_chip[row], nothing_leaves_);
      priced.estimate = groups_.EstimateOf(input_.target, UnitOfRow(row), priced.group->work, residency);
    }
  }
}

// An unknown time is not zero: a unit that cannot be costed for known work is no choice. Work that is itself unknown
// costs the same wherever it goes.
double Maker::AtomCost(size_t atom, size_t row, Objective objective) const {
  const absl::Span<const PricedGroup> groups = problem_.GroupsOf(atom, row);
  if (groups.empty()) return kInfeasible;
  double cost = 0;
  for (const PricedGroup& priced : groups) {
    const RunGroup& group = *priced.group;
    const std::optional<Estimate>& estimate = *priced.estimate;
    if (estimate.has_value()) {
      const double once = objective == Objective::kLatency ? estimate->time_s : estimate->energy.total();
      cost += once * static_cast<double>(group.runs);
    } else if (row < rows_ && group.work.counts_known && group.work.bytes_known && !group.work.has_opaque) {
      return kInfeasible;
    }
  }
  return cost;
}

void Maker::FillCosts(PlacementProblem& out, Objective objective) const {
  const size_t num_atoms = problem_.atoms.atoms.size();
  out.num_units = static_cast<uint32_t>(rows_ + 1);
  out.cost.assign(num_atoms * out.num_units, kInfeasible);
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (size_t row = 0; row <= rows_; ++row) out.cost[atom * out.num_units + row] = AtomCost(atom, row, objective);
    out.atoms.push_back({problem_.flow.reads[atom], problem_.flow.writes[atom],
                         static_cast<uint32_t>(problem_.atoms.atoms[atom].nodes.size())});
  }
  for (size_t row = 0; row < rows_; ++row) {
    const double watts = objective == Objective::kLatency ? 1 : StaticWatts(input_.target, UnitAt(row));
    out.invoke.push_back(UnitAt(row).invoke_s.value_or(0) * watts);
  }
  out.invoke.push_back(0);
}

void Maker::SetMove(PlacementProblem& out, size_t from, size_t to, const MoveCost& cost, double watts,
                    Objective objective) {
  const size_t edge = from * (out.num_units + 1) + to;
  const bool is_latency = objective == Objective::kLatency;
  out.fixed[edge] = !cost.possible ? kInfeasible : is_latency ? cost.fixed_s : cost.fixed_s * watts;
  problem_.link_j_per_byte[edge] = cost.j_per_byte;
  out.per_byte[edge] = !cost.possible ? 0 : is_latency ? cost.s_per_byte : cost.j_per_byte + cost.s_per_byte * watts;
}

void Maker::FillMoves(PlacementProblem& out, Objective objective) {
  const size_t host = out.num_units;
  out.fixed.assign((host + 1) * (host + 1), 0);
  out.per_byte.assign((host + 1) * (host + 1), 0);
  problem_.link_j_per_byte.assign((host + 1) * (host + 1), 0);
  for (size_t to = 0; to < rows_; ++to) {
    const double watts = StaticWatts(input_.target, UnitAt(to));
    const MoveCost hosted = MoveFromHost(input_.target, UnitOfRow(to));
    SetMove(out, host, to, hosted, watts, objective);
    SetMove(out, to, host, hosted, watts, objective);
    for (size_t from = 0; from < rows_; ++from) {
      if (from == to) continue;
      const auto& a = input_.precisions[UnitOfRow(from)];
      const auto& b = input_.precisions[UnitOfRow(to)];
      const bool same_layout = UnitAt(from).kind == UnitAt(to).kind && a->main == b->main;
      const MoveCost cost = MoveBetween(input_.target, UnitOfRow(from), UnitOfRow(to), !same_layout);
      SetMove(out, from, to, cost, watts, objective);
    }
  }
}

// Inputs arrive as the file types them; over a link to a memory of its own a unit is sent what it reads.
Precision Maker::HostPrecision() const {
  for (size_t row = 0; row < rows_; ++row) {
    if (HasOwnMemory(input_.target, UnitOfRow(row))) return input_.precisions[UnitOfRow(row)]->floating;
  }
  return {Num::kFp32, Num::kFp32};
}

void Maker::FillValues(PlacementProblem& out) const {
  out.num_values = static_cast<uint32_t>(problem_.flow.values.size());
  out.bytes.assign(size_t{out.num_values} * (out.num_units + 1), 0);
  out.is_output.assign(out.num_values, false);
  for (uint32_t v = 0; v < out.num_values; ++v) {
    const FlowValue& value = problem_.flow.values[v];
    out.is_output[v] = value.is_output;
    for (size_t source = 0; source <= out.num_units; ++source) {
      const Precision precision = source < rows_ ? input_.precisions[UnitOfRow(source)]->floating : HostPrecision();
      const auto bytes = DeployedBytes(input_.model, value.value, precision).value_or(0);
      out.bytes[size_t{v} * (out.num_units + 1) + source] = static_cast<double>(bytes);
    }
  }
}

void Maker::FillLimits(PlacementProblem& out) const {
  out.limits.resize(out.num_units);
  for (size_t row = 0; row < rows_; ++row) {
    const Toolchain* toolchain = ToolchainOf(input_.target, UnitAt(row));
    if (toolchain == nullptr || UnitAt(row).kind == UnitKind::kSimdCpu) continue;
    if (toolchain->max_segments.has_value()) {
      out.limits[row].max_segments = static_cast<uint32_t>(std::max(0, *toolchain->max_segments));
    }
    out.limits[row].min_nodes = static_cast<uint32_t>(std::max(0, toolchain->min_nodes.value_or(0)));
    out.limits[row].prefix_only = toolchain->prefix_only;
  }
  if (input_.request.max_segments.has_value()) {
    out.max_segments = static_cast<uint32_t>(std::max(0, *input_.request.max_segments));
  }
}

void Maker::FillSolver() {
  const auto fill = [&](PlacementProblem& out, Objective objective) {
    FillCosts(out, objective);
    FillMoves(out, objective);
    FillValues(out);
    FillLimits(out);
  };
  fill(problem_.solver, input_.request.objective);
  if (input_.request.objective != Objective::kLatency) fill(problem_.energy_free.emplace(), Objective::kLatency);
}

}  // namespace

Problem MakeProblem(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                    const std::vector<UnitChoice>& units, Fallback fallback) {
  return Maker(input, groups, fallback).Run(pins, units);
}

}  // namespace hwest
