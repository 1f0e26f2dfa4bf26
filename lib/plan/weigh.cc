// Turns atoms and estimates into the plain arrays of the solver.
#include <algorithm>

#include "cost/cost.h"
#include "plan/draft.h"
#include "plan/moves.h"

namespace hwest {
namespace {

class Weigher {
 public:
  Weigher(const PlanInput& input, Problem& problem, Weights weights)
      : input_(input), problem_(problem), weights_(weights), rows_(problem.num_rows()) {}

  PlacementProblem Run() {
    FillCosts();
    FillMoves();
    FillValues();
    FillLimits();
    return std::move(out_);
  }

 private:
  UnitId UnitOfRow(size_t row) const { return problem_.usable.units[row].unit; }
  const Unit& UnitAt(size_t row) const { return input_.target.units[UnitOfRow(row)]; }
  // A second spent on `row`, with the power the chip draws whatever it does.
  double PerSecond(size_t row) const {
    return std::max(0.0, weights_.seconds + weights_.joules * StaticWatts(input_.target, UnitAt(row)));
  }
  void ShiftCosts(size_t atom);
  void FillCosts();
  void FillMoves();
  void SetMove(size_t from, size_t to, const MoveCost& cost, double per_second);
  Precision HostPrecision() const;
  void FillValues();
  void FillLimits();

  const PlanInput& input_;
  Problem& problem_;
  const Weights weights_;
  const size_t rows_;
  PlacementProblem out_;
};

// Every atom is placed once, so what all its choices have in common decides nothing.
void Weigher::ShiftCosts(size_t atom) {
  const auto first = out_.cost.begin() + static_cast<ptrdiff_t>(atom * out_.num_units);
  const auto end = first + out_.num_units;
  const double least = *std::min_element(first, end);
  if (least < kInfeasible) std::for_each(first, end, [least](double& cost) { cost -= least; });
}

void Weigher::FillCosts() {
  const size_t num_atoms = problem_.atoms.atoms.size();
  out_.num_units = static_cast<uint32_t>(rows_ + 1);
  out_.cost.assign(num_atoms * out_.num_units, kInfeasible);
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (size_t row = 0; row <= rows_; ++row) {
      out_.cost[atom * out_.num_units + row] = AtomCost(problem_, atom, row, weights_);
    }
    if (weights_.seconds < 0) ShiftCosts(atom);
    out_.atoms.push_back({problem_.flow.reads[atom], problem_.flow.writes[atom],
                          static_cast<uint32_t>(problem_.atoms.atoms[atom].nodes.size())});
  }
  for (size_t row = 0; row < rows_; ++row) out_.invoke.push_back(UnitAt(row).invoke_s.value_or(0) * PerSecond(row));
  out_.invoke.push_back(0);
}

void Weigher::SetMove(size_t from, size_t to, const MoveCost& cost, double per_second) {
  const size_t edge = from * (out_.num_units + 1) + to;
  out_.fixed[edge] = cost.possible ? cost.fixed_s * per_second : kInfeasible;
  out_.per_byte[edge] = cost.possible ? weights_.joules * cost.j_per_byte + cost.s_per_byte * per_second : 0;
  problem_.link_j_per_byte[edge] = cost.j_per_byte;
}

void Weigher::FillMoves() {
  const size_t host = out_.num_units;
  out_.fixed.assign((host + 1) * (host + 1), 0);
  out_.per_byte.assign((host + 1) * (host + 1), 0);
  problem_.link_j_per_byte.assign((host + 1) * (host + 1), 0);
  for (size_t to = 0; to < rows_; ++to) {
    const MoveCost hosted = MoveFromHost(input_.target, UnitOfRow(to));
    SetMove(host, to, hosted, PerSecond(to));
    SetMove(to, host, hosted, PerSecond(to));
    for (size_t from = 0; from < rows_; ++from) {
      if (from == to) continue;
      const auto& a = input_.precisions[UnitOfRow(from)];
      const auto& b = input_.precisions[UnitOfRow(to)];
      const bool same_layout = UnitAt(from).kind == UnitAt(to).kind && a->main == b->main;
      SetMove(from, to, MoveBetween(input_.target, UnitOfRow(from), UnitOfRow(to), !same_layout), PerSecond(to));
    }
  }
}

// Inputs arrive as the file types them; over a link to a memory of its own a unit is sent what it reads.
Precision Weigher::HostPrecision() const {
  for (size_t row = 0; row < rows_; ++row) {
    if (HasOwnMemory(input_.target, UnitOfRow(row))) return input_.precisions[UnitOfRow(row)]->floating;
  }
  return {Num::kFp32, Num::kFp32};
}

void Weigher::FillValues() {
  out_.num_values = static_cast<uint32_t>(problem_.flow.values.size());
  out_.bytes.assign(size_t{out_.num_values} * (out_.num_units + 1), 0);
  out_.is_output.assign(out_.num_values, false);
  for (uint32_t v = 0; v < out_.num_values; ++v) {
    const FlowValue& value = problem_.flow.values[v];
    out_.is_output[v] = value.is_output;
    for (size_t source = 0; source <= out_.num_units; ++source) {
      const Precision precision = source < rows_ ? input_.precisions[UnitOfRow(source)]->floating : HostPrecision();
      const auto bytes = DeployedBytes(input_.model, value.value, precision).value_or(0);
      out_.bytes[size_t{v} * (out_.num_units + 1) + source] = static_cast<double>(bytes);
    }
  }
}

void Weigher::FillLimits() {
  out_.limits.resize(out_.num_units);
  for (size_t row = 0; row < rows_; ++row) {
    const Toolchain* toolchain = ToolchainOf(input_.target, UnitAt(row));
    if (toolchain == nullptr || UnitAt(row).kind == UnitKind::kSimdCpu) continue;
    if (toolchain->max_segments.has_value()) {
      out_.limits[row].max_segments = static_cast<uint32_t>(std::max(0, *toolchain->max_segments));
    }
    out_.limits[row].min_nodes = static_cast<uint32_t>(std::max(0, toolchain->min_nodes.value_or(0)));
    out_.limits[row].prefix_only = toolchain->prefix_only;
  }
  if (input_.request.max_segments.has_value()) {
    out_.max_segments = static_cast<uint32_t>(std::max(0, *input_.request.max_segments));
  }
}

}  // namespace

// An unknown time is not zero: a unit that cannot be costed for known work is no choice. Work that is itself unknown
// costs the same wherever it goes.
double AtomCost(const Problem& problem, size_t atom, size_t row, Weights weights) {
  const absl::Span<const PricedGroup> groups = problem.GroupsOf(atom, row);
  if (groups.empty()) return kInfeasible;
  double cost = 0;
  for (const PricedGroup& priced : groups) {
    const RunGroup& group = *priced.group;
    const std::optional<Estimate>& estimate = *priced.estimate;
    if (estimate.has_value()) {
      const double once = weights.seconds * estimate->time_s + weights.joules * estimate->energy.total();
      cost += once * static_cast<double>(group.runs);
    } else if (row < problem.num_rows() && group.work.counts_known && group.work.bytes_known &&
               !group.work.has_opaque) {
      return kInfeasible;
    }
  }
  return cost;
}

void Reweigh(const PlanInput& input, Weights weights, Problem* problem) {
  problem->solver = Weigher(input, *problem, weights).Run();
  if (weights == kInSeconds) problem->in_seconds.reset();
  if (weights != kInSeconds && !problem->in_seconds.has_value()) {
    problem->in_seconds = Weigher(input, *problem, kInSeconds).Run();
  }
}

}  // namespace hwest
