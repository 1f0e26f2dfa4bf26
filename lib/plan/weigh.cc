// Turns atoms and estimates into the solver's arrays.
#include <algorithm>

#include "cost/cost.h"
#include "plan/draft.h"
#include "plan/moves.h"
#include "target/kinds.h"

namespace hwest {
namespace {

using StayingOf = int64_t (*)(const RunGroup& group, const OnChip& on_chip, const Access& access);

class Weigher {
 public:
  Weigher(const PlanInput& input, Problem& problem, CostWeights weights)
      : input_(input), problem_(problem), weights_(weights), num_units_(problem.num_units()) {}

  PlacementProblem Run() {
    FillCosts();
    FillMoves();
    FillValues();
    FillLimits();
    if (num_units_ > 1) FillSpills();
    HoldBack();
    return std::move(out_);
  }

 private:
  UnitId IdOf(size_t unit) const { return problem_.usable.units[unit].unit; }
  const Unit& UnitAt(size_t unit) const { return input_.target.units[IdOf(unit)]; }
  // A second spent on `unit`, with the power the chip draws whatever it does.
  double PerSecond(size_t unit) const {
    return std::max(0.0, weights_.seconds + weights_.joules * StaticWatts(input_.target, UnitAt(unit)));
  }
  void ShiftCosts(size_t atom);
  void FillCosts();
  void FillMoves();
  void SetMove(size_t from, size_t to, const MoveCost& cost, double per_second);
  Precision HostPrecision() const;
  void FillValues();
  void FillLimits();
  double SpillCost(const PricedGroup& priced, size_t unit, const StayingBytes& staying) const;
  void AddSpills(size_t atom, Accesses RunGroup::* accesses, int64_t StayingBytes::* side, StayingOf staying_of,
                 std::vector<double>* costs) const;
  std::vector<double> ReadSpills(size_t atom);
  void FillWriteSpills(size_t atom);
  void FillSpills();
  double MostCost() const;
  void HoldBack();

  const PlanInput& input_;
  Problem& problem_;
  const CostWeights weights_;
  const size_t num_units_;
  PlacementProblem out_;
  static constexpr uint32_t kNowhere = UINT32_MAX;
  IdMap<ValueId, uint32_t> place_of_;  // of the atom at hand: where the costs of its values are, else kNowhere
};

// Every atom is placed once, so what all its choices have in common decides nothing.
void Weigher::ShiftCosts(size_t atom) {
  const auto first = out_.cost.begin() + static_cast<ptrdiff_t>(atom * out_.num_units);
  const auto end = first + out_.num_units;
  const double least = *std::min_element(first, end);
  if (least < kInfeasible) std::for_each(first, end, [least](double& cost) { cost -= least; });
}

void Weigher::FillCosts() {
  const size_t num_atoms = problem_.atoms().size();
  // One unit more stands for none; a host may bring a CPU to a module that places nothing on its own.
  static_assert(kMostPlaceableUnits + 2 <= PlacementProblem::kMostUnits);
  out_.num_units = static_cast<uint32_t>(num_units_ + 1);
  out_.cost.assign(num_atoms * out_.num_units, kInfeasible);
  out_.atoms.reserve(num_atoms);
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (size_t unit = 0; unit <= num_units_; ++unit) {
      out_.cost[atom * out_.num_units + unit] = AtomCost(problem_, atom, unit, weights_);
    }
    if (weights_.seconds < 0) ShiftCosts(atom);
    out_.atoms.push_back({.reads = problem_.flow().reads[atom],
                          .writes = problem_.flow().writes[atom],
                          .nodes = static_cast<uint32_t>(problem_.atoms()[atom].nodes.size()),
                          .cuts = problem_.frame->cuts.empty() ? 0 : problem_.frame->cuts[atom]});
  }
  for (size_t unit = 0; unit < num_units_; ++unit) {
    out_.invoke.push_back(UnitAt(unit).invoke_s.value_or(0) * PerSecond(unit));
  }
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
  for (size_t to = 0; to < num_units_; ++to) {
    const MoveCost hosted = MoveFromHost(input_.target, IdOf(to));
    SetMove(host, to, hosted, PerSecond(to));
    SetMove(to, host, hosted, PerSecond(to));
    for (size_t from = 0; from < num_units_; ++from) {
      if (from == to) continue;
      const auto& a = input_.precisions[IdOf(from)];
      const auto& b = input_.precisions[IdOf(to)];
      const bool same_layout = UnitAt(from).kind == UnitAt(to).kind && a->main == b->main;
      SetMove(from, to, MoveBetween(input_.target, IdOf(from), IdOf(to), !same_layout), PerSecond(to));
    }
  }
}

// Inputs arrive as the file types them; over a link to a memory of its own a unit is sent what it reads.
Precision Weigher::HostPrecision() const {
  for (size_t unit = 0; unit < num_units_; ++unit) {
    if (HasOwnMemory(input_.target, IdOf(unit))) return input_.precisions[IdOf(unit)]->floating;
  }
  return {Num::kFp32, Num::kFp32};
}

void Weigher::FillValues() {
  out_.num_values = static_cast<uint32_t>(problem_.flow().values.size());
  out_.bytes.assign(size_t{out_.num_values} * (out_.num_units + 1), 0);
  out_.is_output.assign(out_.num_values, false);
  std::vector<Precision> precisions;  // by source
  for (size_t unit = 0; unit < num_units_; ++unit) precisions.push_back(input_.precisions[IdOf(unit)]->floating);
  precisions.resize(out_.num_units + 1, HostPrecision());
  for (uint32_t v = 0; v < out_.num_values; ++v) {
    const FlowValue& value = problem_.flow().values[v];
    out_.is_output[v] = value.is_output;
    double* const bytes = &out_.bytes[size_t{v} * precisions.size()];
    for (size_t source = 0; source < precisions.size(); ++source) {
      const bool same = source > 0 && precisions[source] == precisions[source - 1];
      bytes[source] =
          same ? bytes[source - 1]
               : static_cast<double>(DeployedBytes(input_.model, value.value, precisions[source]).value_or(0));
    }
  }
}

void Weigher::FillLimits() {
  out_.limits.resize(out_.num_units);
  for (size_t unit = 0; unit < num_units_; ++unit) {
    out_.limits[unit].is_free = IsCpu(UnitAt(unit));
    const Toolchain* toolchain = ToolchainOf(input_.target, UnitAt(unit));
    if (toolchain == nullptr || IsCpu(UnitAt(unit))) continue;
    if (toolchain->max_segments.has_value()) {
      out_.limits[unit].max_segments = static_cast<uint32_t>(std::max(0, *toolchain->max_segments));
    }
    out_.limits[unit].min_nodes = static_cast<uint32_t>(std::max(0, toolchain->min_nodes.value_or(0)));
    out_.limits[unit].prefix_only = toolchain->prefix_only;
  }
  if (input_.request.max_segments.has_value()) {
    out_.max_segments = static_cast<uint32_t>(std::max(0, *input_.request.max_segments));
  }
}

// What `priced` costs more on `unit` when only `staying` stays there.
double Weigher::SpillCost(const PricedGroup& priced, size_t unit, const StayingBytes& staying) const {
  const Residency residency = ResidencyOf(*priced.group, problem_.on_chip[unit], staying);
  const std::optional<Estimate>& worse =
      *problem_.runs->EstimateOf(input_.target, IdOf(unit), *priced.group, residency);
  if (!worse.has_value()) return 0;
  const Estimate& best = **priced.estimate;
  const double once = weights_.seconds * (worse->time_s - best.time_s) +
                      weights_.joules * (worse->energy.total() - best.energy.total());
  return std::max(0.0, once) * static_cast<double>(priced.group->runs);
}

// Adds what the groups of `atom` cost more when one of its values alone does not stay. Times are convex in the bytes,
// so for several values the sum of these is never too much.
void Weigher::AddSpills(size_t atom, Accesses RunGroup::* accesses, int64_t StayingBytes::* side, StayingOf staying_of,
                        std::vector<double>* costs) const {
  for (size_t unit = 0; unit < num_units_; ++unit) {
    const OnChip& on_chip = problem_.on_chip[unit];
    for (const PricedGroup& priced : problem_.GroupsOf(atom, unit)) {
      if (!priced.estimate->has_value()) continue;
      const StayingBytes all = StayingBytesOf(*priced.group, on_chip);
      for (const Access& access : priced.group->*accesses) {
        const uint32_t place = place_of_[access.value];
        const int64_t bytes = staying_of(*priced.group, on_chip, access);
        if (bytes == 0 || place == kNowhere) continue;
        StayingBytes others = all;
        others.*side -= bytes;
        (*costs)[size_t{place} * out_.num_units + unit] += SpillCost(priced, unit, others);
      }
    }
  }
}

// By read and unit.
std::vector<double> Weigher::ReadSpills(size_t atom) {
  const auto& reads = out_.atoms[atom].reads;
  std::vector<double> costs(reads.size() * out_.num_units, 0);
  for (uint32_t r = 0; r < reads.size(); ++r) place_of_[problem_.flow().values[reads[r]].value] = r;
  AddSpills(atom, &RunGroup::reads, &StayingBytes::reads, StayingRead, &costs);
  for (const uint32_t read : reads) place_of_[problem_.flow().values[read].value] = kNowhere;
  return costs;
}

void Weigher::FillWriteSpills(size_t atom) {
  const auto& writes = out_.atoms[atom].writes;
  for (const uint32_t write : writes) place_of_[problem_.flow().values[write].value] = write;
  AddSpills(atom, &RunGroup::writes, &StayingBytes::writes, StayingWrite, &out_.spill);
  for (const uint32_t write : writes) place_of_[problem_.flow().values[write].value] = kNowhere;
}

void Weigher::FillSpills() {
  const auto stays = [](const OnChip& on_chip) {
    return std::any_of(on_chip.stays.begin(), on_chip.stays.end(), [](const Stay& stay) { return stay.bytes > 0; });
  };
  if (std::none_of(problem_.on_chip.begin(), problem_.on_chip.end(), stays)) return;
  out_.spill.assign(size_t{out_.num_values} * out_.num_units, 0);
  place_of_ = IdMap<ValueId, uint32_t>(input_.model.graph.values().size(), kNowhere);
  for (size_t atom = 0; atom < out_.atoms.size(); ++atom) {
    std::vector<double> reads = ReadSpills(atom);
    const bool any = std::any_of(reads.begin(), reads.end(), [](double cost) { return cost > 0; });
    if (any) out_.atoms[atom].read_spill = std::move(reads);
    FillWriteSpills(atom);
  }
}

// More than any placement costs.
double Weigher::MostCost() const {
  const auto finite = [](double cost) { return cost < kInfeasible ? cost : 0; };
  const auto most_of = [&](const std::vector<double>& costs) {
    double most = 0;
    for (const double cost : costs) most = std::max(most, finite(cost));
    return most;
  };
  const double invoke = most_of(out_.invoke), fixed = most_of(out_.fixed), per_byte = most_of(out_.per_byte);
  const double spill = most_of(out_.spill), bytes = most_of(out_.bytes);
  double total = 0;
  for (size_t atom = 0; atom < out_.atoms.size(); ++atom) {
    const PlacementProblem::Atom& row = out_.atoms[atom];
    double most = 0;
    for (uint32_t unit = 0; unit < out_.num_units; ++unit) most = std::max(most, finite(out_.CostOf(atom, unit)));
    const auto values = static_cast<double>(row.reads.size() + row.writes.size());
    total += most + invoke + values * (fixed + bytes * per_byte + spill + most_of(row.read_spill));
  }
  return total;
}

// Atoms that another unit can run are closed to fallback units, or cost there what nothing else can outweigh.
void Weigher::HoldBack() {
  problem_.held_cost = 0;
  if (std::none_of(problem_.held.begin(), problem_.held.end(), [](uint8_t held) { return held != 0; })) return;
  const bool is_closed = problem_.fallback == Fallback::kRefusedOnly;
  if (!is_closed) problem_.held_cost = MostCost();
  for (size_t atom = 0; atom < out_.atoms.size(); ++atom) {
    for (size_t unit = 0; unit < num_units_; ++unit) {
      if (problem_.held[atom * num_units_ + unit] == 0) continue;
      double& cost = out_.cost[atom * out_.num_units + unit];
      cost = is_closed ? kInfeasible : cost + problem_.held_cost * out_.atoms[atom].nodes;
    }
  }
}

}  // namespace

// An unknown time is not zero: a unit that cannot be costed for known work is no choice. Work that is itself unknown
// costs the same wherever it goes.
double AtomCost(const Problem& problem, size_t atom, size_t unit, CostWeights weights) {
  const absl::Span<const PricedGroup> groups = problem.GroupsOf(atom, unit);
  if (groups.empty()) return kInfeasible;
  double cost = 0;
  for (const PricedGroup& priced : groups) {
    const RunGroup& group = *priced.group;
    const std::optional<Estimate>& estimate = *priced.estimate;
    if (estimate.has_value()) {
      const double once = weights.seconds * estimate->time_s + weights.joules * estimate->energy.total();
      cost += once * static_cast<double>(group.runs);
    } else if (unit < problem.num_units() && group.work.counts_known && group.work.bytes_known &&
               !group.work.has_opaque) {
      return kInfeasible;
    }
  }
  return cost;
}

double HoldBackCost(const Problem& problem, const Assignment& units) {
  double cost = 0;
  for (size_t atom = 0; atom < units.size(); ++atom) {
    const size_t unit = units[atom];
    const bool is_placed = unit < problem.num_units();
    const bool is_held = is_placed && problem.held[atom * problem.num_units() + unit] != 0;
    if (is_held) cost += problem.held_cost * problem.solver.atoms[atom].nodes;
  }
  return cost;
}

Problem Opened(const Problem& problem) {
  Problem open = problem;
  for (UnitChoice& choice : open.usable.units) choice.turn = 0;
  for (size_t cell = 0; cell < open.held.size(); ++cell) {
    const size_t atom = cell / open.num_units(), unit = cell % open.num_units();
    double& cost = open.solver.cost[atom * open.solver.num_units + unit];
    if (open.held[cell] != 0) cost = AtomCost(open, atom, unit, kInSeconds);
    open.held[cell] = 0;
  }
  return open;
}

// The costs of `solver` come last: held_cost is in their weights.
void Reweigh(const PlanInput& input, CostWeights weights, Problem* problem) {
  if (weights == kInSeconds) problem->in_seconds.reset();
  if (weights != kInSeconds && !problem->in_seconds.has_value()) {
    problem->in_seconds = Weigher(input, *problem, kInSeconds).Run();
  }
  problem->solver = Weigher(input, *problem, weights).Run();
}

}  // namespace hwest
