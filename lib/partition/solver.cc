#include "partition/solver.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <tuple>

#include "partition/only_plan.h"
#include "partition/remaining_cost.h"
#include "partition/state_layer.h"
#include "partition/value_table.h"

namespace hwest {
namespace {

constexpr uint32_t kNone = StateLayer::kNone;
constexpr size_t kMinStates = 32;
constexpr size_t kChampions = 16;
constexpr size_t kShortRow = 8;  // live values
constexpr size_t kMostStates = UINT16_MAX;
// Sums of the same costs in different orders may differ by rounding.
constexpr double kTolerance = 1e-12;

uint64_t Mix(uint64_t key, uint64_t content) {
  uint64_t hash = (content + 0x9e3779b97f4a7c15) ^ (key * 0xff51afd7ed558ccd);
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
  hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93;
  return hash ^ (hash >> 32);
}

class Solver {
 public:
  Solver(const PlacementProblem& problem, const SolverOptions& options)
      : problem_(problem), values_(problem), remaining_(problem, values_) {
    const size_t atoms = std::max<size_t>(1, problem.atoms.size());
    per_atom_ = options.max_transitions / (atoms * std::max(1u, problem.num_units));
    max_states_ = std::min<size_t>(options.max_states, kMostStates);
    cells_left_ = options.max_cells;
  }

  std::optional<Placement> Run(const std::vector<Assignment>& seeds);

 private:
  static constexpr size_t kLast = 0, kTotal = 1, kNodes = 2, kStart = 3, kFixed = 4;

  void FindBudget();
  size_t Used(const uint64_t* row) const { return budget_.is_set ? row[budget_.column] : 0; }
  void FindLive(size_t atom);
  void FindSlack();
  bool TakeLimits(const uint64_t* row, size_t atom, uint32_t unit, std::vector<uint64_t>& next) const;
  void FindReads(size_t atom);
  double Read(const uint64_t* row, size_t atom, uint32_t unit, std::vector<uint64_t>& next) const;
  uint64_t FixedHash(const uint64_t* row) const;
  uint64_t CarriedHash(const uint64_t* row, uint64_t hash) const;
  uint64_t CellsHash(const std::vector<uint64_t>& next, uint64_t carried) const;
  uint64_t StartOf(const uint64_t* row, size_t atom, uint32_t unit, const std::vector<uint64_t>& next) const;
  void Expand(size_t atom, const StateLayer& layer, StateLayer& next);
  std::vector<uint32_t> Undominated(const StateLayer& layer) const;
  double CatchUp(const uint64_t* row, const uint64_t* other, double limit) const;
  struct Champion {
    uint32_t state;
    double cost;
    uint64_t last;
    size_t used;
  };
  bool IsReplaceable(const StateLayer& layer, const std::vector<Champion>& champions, uint32_t state) const;
  void DropReplaceable(const StateLayer& layer, std::vector<uint32_t>& kept) const;
  void Prune(size_t atom, StateLayer& layer);
  void TakeCells(size_t states);
  bool EndsWell(const uint64_t* row) const;
  Assignment Trace(uint32_t state) const;

  size_t NumCounters() const { return counted_.size(); }
  size_t ValueColumn(size_t slot) const { return kFixed + NumCounters() + slot; }
  // Where a value is: the unit that made it, whether it lies in shared memory, and the units that received it.
  static constexpr uint64_t kSpilled = uint64_t{1} << PlacementProblem::kMostUnits;
  static constexpr uint32_t kSourceBit = PlacementProblem::kMostUnits + 1;
  static uint64_t Pack(uint32_t source) { return uint64_t{source} << kSourceBit; }
  static uint32_t SourceOf(uint64_t cell) { return static_cast<uint32_t>(cell >> kSourceBit); }

  const PlacementProblem& problem_;
  const ValueTable values_;
  RemainingCost remaining_;
  size_t max_states_;
  size_t per_atom_;               // states an atom may expand within the budget of transitions
  size_t cells_left_;             // that the search may still visit
  double best_ = kInfeasible;     // cost of the best plan known
  double dropped_ = kInfeasible;  // least bound among states that were given up
  size_t peak_ = 0;
  size_t peak_live_ = 0;
  SegmentBudget budget_;
  bool prunable_ = true;                 // no limit but the budget couples atoms
  std::vector<uint32_t> counted_;        // units whose segments are counted
  std::vector<uint32_t> live_;           // values by column of the current layer
  std::vector<size_t> column_;           // by value, of the current layer
  std::vector<size_t> carry_;            // by column of the next layer, new ones left out: column of the current one
  std::vector<size_t> dropped_columns_;  // of the current layer: values without further readers
  std::vector<size_t> spill_columns_;    // of the next layer: values that cost something to spill
  std::vector<size_t> next_column_;      // by value, of the next layer
  std::vector<uint32_t> next_live_;
  double slack_ = 0;  // the most that moving and spilling every live value once can cost
  struct LiveRead {
    uint32_t read;  // of the atom
    uint32_t value;
    const ValueFacts* facts;
    size_t column;  // of its cell in rows of the current layer; kNone for an input of the model that nobody read before
    size_t next;    // the same in the next layer; kNone where the atom is the last reader
    bool IsCarried() const { return column != kNone && next != kNone; }
  };
  absl::InlinedVector<LiveRead, 4> reads_;  // of the atom being placed
  std::vector<uint64_t> row_;               // the state being made
  std::vector<double> write_cost_;          // by unit, of the atom being placed
  std::vector<size_t> first_state_;         // by atom, into the two below
  std::deque<uint16_t> parents_;
  std::deque<uint8_t> choices_;
};

void Solver::FindBudget() {
  size_t limits_found = 0;
  for (uint32_t unit = 0; unit < problem_.num_units; ++unit) {
    const PlacementProblem::UnitLimits& limits = problem_.limits[unit];
    if (limits.min_nodes > 1 || limits.prefix_only) ++limits_found;
    if (!limits.max_segments.has_value()) continue;
    budget_ = {.unit = unit, .column = kFixed + counted_.size(), .segments = *limits.max_segments, .is_set = true};
    counted_.push_back(unit);
    ++limits_found;
  }
  if (problem_.max_segments.has_value()) {
    budget_ = {.column = kTotal, .segments = *problem_.max_segments, .is_set = true};
    ++limits_found;
  }
  // More segments than atoms are no limit.
  budget_.segments = std::min<uint32_t>(budget_.segments, static_cast<uint32_t>(problem_.atoms.size()));
  prunable_ = limits_found == 0 || (limits_found == 1 && budget_.is_set);
}

void Solver::FindSlack() {
  slack_ = 0;
  for (const uint32_t value : live_) slack_ += values_[value].slack;
}

bool Solver::TakeLimits(const uint64_t* row, size_t atom, uint32_t unit, std::vector<uint64_t>& next) const {
  const bool starts = problem_.Starts(atom, row[kLast], unit);
  const PlacementProblem::UnitLimits& limits = problem_.limits[unit];
  if (starts && !EndsWell(row)) return false;
  if (starts && limits.prefix_only && atom != 0) return false;
  next[kLast] = unit;
  next[kTotal] = problem_.max_segments.has_value() ? row[kTotal] + (starts && !limits.is_free) : 0;
  if (problem_.max_segments.has_value() && next[kTotal] > *problem_.max_segments) return false;
  const uint64_t before = starts ? 0 : row[kNodes];
  next[kNodes] = std::min<uint64_t>(limits.min_nodes, before + problem_.atoms[atom].nodes);
  for (size_t c = 0; c < counted_.size(); ++c) {
    next[kFixed + c] = row[kFixed + c] + (starts && counted_[c] == unit);
    if (next[kFixed + c] > *problem_.limits[counted_[c]].max_segments) return false;
  }
  return true;
}

bool Solver::EndsWell(const uint64_t* row) const {
  return row[kLast] >= problem_.num_units || row[kNodes] >= problem_.limits[row[kLast]].min_nodes;
}

// The reads of `atom` that depend on the state.
void Solver::FindReads(size_t atom) {
  reads_.clear();
  const PlacementProblem::Atom::Values& reads = problem_.atoms[atom].reads;
  for (uint32_t r = 0; r < reads.size(); ++r) {
    const ValueFacts& facts = values_[reads[r]];
    const bool is_new_input = facts.producer == kNone && facts.first == atom;
    const size_t column = column_[reads[r]], next = next_column_[reads[r]];
    if (column == kNone && !is_new_input) continue;
    reads_.push_back({.read = r,
                      .value = reads[r],
                      .facts = &facts,
                      .column = is_new_input ? kNone : ValueColumn(column),
                      .next = next == kNone ? kNone : ValueColumn(next)});
  }
}

// The cost of the reads of `atom` on `unit`; updates the cells of values that stay live in `next`.
double Solver::Read(const uint64_t* row, size_t atom, uint32_t unit, std::vector<uint64_t>& next) const {
  double cost = 0;
  for (const LiveRead& read : reads_) {
    uint64_t cell = read.column == kNone ? Pack(problem_.num_units) : row[read.column];
    const uint32_t source = SourceOf(cell);
    if (read.facts->spills) {
      const bool made_here =
          source == unit && !problem_.Starts(atom, row[kLast], unit) && read.facts->producer >= row[kStart];
      if (!made_here) {
        if ((cell & kSpilled) == 0) cost += problem_.Spill(read.value, source);
        cell |= kSpilled;
        cost += problem_.ReadSpill(atom, read.read, unit);
      }
    }
    if (source != unit && ((cell >> unit) & 1u) == 0) {
      cost += problem_.Move(read.value, source, unit);
      cell |= uint64_t{1} << unit;
    }
    if (read.next != kNone) next[read.next] = cell;
  }
  return cost;
}

// A row's hash combines those of its fixed columns and of each live value, so that a step updates only what it changes:
// rows are long and mostly carried over.
uint64_t Solver::FixedHash(const uint64_t* row) const {
  uint64_t fixed = 0;
  for (size_t c = 0; c < ValueColumn(0); ++c) fixed = (fixed ^ row[c]) * 0xff51afd7ed558ccd;
  return Mix(problem_.num_values, fixed);
}

// The hash of the values that stay live and that the current atom does not read, from that of the whole row.
uint64_t Solver::CarriedHash(const uint64_t* row, uint64_t hash) const {
  hash ^= FixedHash(row);
  for (const size_t c : dropped_columns_) hash ^= Mix(live_[c], row[ValueColumn(c)]);
  for (const LiveRead& read : reads_) {
    if (read.IsCarried()) hash ^= Mix(read.value, row[read.column]);
  }
  return hash;
}

uint64_t Solver::CellsHash(const std::vector<uint64_t>& next, uint64_t carried) const {
  for (const LiveRead& read : reads_) {
    if (read.IsCarried()) carried ^= Mix(read.value, next[read.next]);
  }
  for (size_t c = carry_.size(); c < next_live_.size(); ++c) carried ^= Mix(next_live_[c], next[ValueColumn(c)]);
  return carried;
}

// The first relevant atom of the open segment: the oldest one that made a live value there.
uint64_t Solver::StartOf(const uint64_t* row, size_t atom, uint32_t unit, const std::vector<uint64_t>& next) const {
  const uint64_t start = problem_.Starts(atom, row[kLast], unit) ? atom : std::min<uint64_t>(row[kStart], atom);
  uint64_t oldest = kNone;
  for (const size_t c : spill_columns_) {
    const ValueFacts& facts = values_[next_live_[c]];
    if (facts.producer < start) continue;
    if (SourceOf(next[ValueColumn(c)]) == unit) oldest = std::min<uint64_t>(oldest, facts.producer);
  }
  return oldest;
}

void Solver::Expand(size_t atom, const StateLayer& layer, StateLayer& next) {
  std::vector<uint64_t>& row = row_;
  row.assign(ValueColumn(next_live_.size()), 0);
  FindReads(atom);
  write_cost_.clear();
  for (uint32_t unit = 0; unit < problem_.num_units; ++unit) write_cost_.push_back(values_.WriteCost(atom, unit));
  for (uint32_t state = 0; state < layer.size(); ++state) {
    const uint64_t* from = layer.row(state);
    std::optional<uint64_t> carried;
    for (uint32_t unit = 0; unit < problem_.num_units; ++unit) {
      if (problem_.CostOf(atom, unit) == kInfeasible || !TakeLimits(from, atom, unit, row)) continue;
      const double switching = problem_.Starts(atom, from[kLast], unit) ? problem_.invoke[unit] : 0;
      const double before = layer[state].cost + problem_.CostOf(atom, unit) + switching;
      const double rest = remaining_.At(atom + 1, unit, std::min<size_t>(Used(row.data()), budget_.segments));
      // Reads never cost less than 0.
      if (!(before + write_cost_[unit] + rest < best_ * (1 + kTolerance))) continue;
      // Read() fills the cells of everything that the atom reads; the others do not depend on the next unit.
      if (!carried.has_value()) {
        carried = CarriedHash(from, layer[state].hash);
        for (size_t c = 0; c < carry_.size(); ++c) row[ValueColumn(c)] = from[ValueColumn(carry_[c])];
      }
      for (size_t c = carry_.size(); c < next_live_.size(); ++c) row[ValueColumn(c)] = Pack(unit);
      const double cost = before + Read(from, atom, unit, row) + write_cost_[unit];
      const double bound = cost + rest;
      if (!(bound < best_ * (1 + kTolerance))) continue;
      row[kStart] = StartOf(from, atom, unit, row);
      const uint64_t hash = CellsHash(row, *carried) ^ FixedHash(row.data());
      next.Add(row, {.cost = cost, .bound = bound, .hash = hash, .parent = state, .chosen = unit});
    }
  }
}

// A state cannot win if another one that used no more of the budget could do the same for less, even after moving every
// live value again.
std::vector<uint32_t> Solver::Undominated(const StateLayer& layer) const {
  std::vector<uint32_t> kept;
  const size_t levels = budget_.segments + 1;
  // One column per last unit, and one for the start.
  std::vector<double> least(levels * (problem_.num_units + 1), kInfeasible);
  const auto cell = [&](const uint64_t* row) -> double& {
    return least[row[kLast] * levels + std::min<size_t>(Used(row), budget_.segments)];
  };
  for (size_t s = 0; s < layer.size(); ++s) cell(layer.row(s)) = std::min(cell(layer.row(s)), layer[s].cost);
  for (size_t c = 0; c < least.size(); ++c) {
    if (c % levels != 0) least[c] = std::min(least[c], least[c - 1]);
  }
  const double costliest_invoke = *std::max_element(problem_.invoke.begin(), problem_.invoke.end());
  for (uint32_t s = 0; s < layer.size(); ++s) {
    const uint64_t* row = layer.row(s);
    double limit = cell(row) + slack_;
    // From another unit, the first switch may cost one more segment.
    for (uint32_t unit = 0; unit < problem_.num_units && !budget_.is_set; ++unit) {
      limit = std::min(limit, least[unit] + slack_ + costliest_invoke);
    }
    if (layer[s].cost <= limit * (1 + kTolerance)) kept.push_back(s);
  }
  return kept;
}

// The most that `row` can pay beyond `other` from here on with the rest on the same units. Stops early above `limit`.
double Solver::CatchUp(const uint64_t* row, const uint64_t* other, double limit) const {
  const bool same_segment = row[kLast] == other[kLast] && row[kStart] == other[kStart];
  double cost = row[kLast] == other[kLast] || other[kLast] >= problem_.num_units ? 0 : problem_.invoke[other[kLast]];
  for (size_t c = 0; c < live_.size() && cost <= limit; ++c) {
    const uint64_t cell = row[ValueColumn(c)], known = other[ValueColumn(c)];
    const ValueFacts& facts = values_[live_[c]];
    if (facts.spills) {
      if (cell != known || !same_segment) cost += facts.slack;
      continue;
    }
    if (cell == known) continue;
    for (uint32_t unit = 0; unit < problem_.num_units; ++unit) {
      const bool has = SourceOf(cell) == unit || ((cell >> unit) & 1u) != 0;
      if (has || ((facts.readers >> unit) & 1u) == 0) continue;
      const bool other_has = SourceOf(known) == unit || ((known >> unit) & 1u) != 0;
      const double paid = other_has ? 0 : problem_.Move(live_[c], SourceOf(known), unit);
      cost += std::max(0.0, problem_.Move(live_[c], SourceOf(cell), unit) - paid);
    }
  }
  return cost;
}

// Whether one of the champions, which are sorted by cost, can replace `state`.
bool Solver::IsReplaceable(const StateLayer& layer, const std::vector<Champion>& champions, uint32_t state) const {
  const uint64_t* const row = layer.row(state);
  for (const Champion& champion : champions) {
    const double gain = layer[state].cost - champion.cost;
    if (!(gain > 0)) return false;
    if (budget_.is_set && (champion.last != row[kLast] || champion.used > Used(row))) continue;
    if (CatchUp(layer.row(champion.state), row, gain) < gain) return true;
  }
  return false;
}

// Drops states that one of the most promising can replace, whatever follows.
void Solver::DropReplaceable(const StateLayer& layer, std::vector<uint32_t>& kept) const {
  std::vector<uint32_t> champions = kept;
  const auto count = static_cast<ptrdiff_t>(std::min(kChampions, champions.size()));
  const auto cheaper = [&](uint32_t a, uint32_t b) { return std::tie(layer[a].cost, a) < std::tie(layer[b].cost, b); };
  std::partial_sort(champions.begin(), champions.begin() + count, champions.end(), cheaper);
  std::vector<Champion> rows;
  for (auto champion = champions.begin(); champion != champions.begin() + count; ++champion) {
    const uint64_t* const row = layer.row(*champion);
    rows.push_back({*champion, layer[*champion].cost, row[kLast], Used(row)});
  }
  const auto is_replaceable = [&](uint32_t state) { return IsReplaceable(layer, rows, state); };
  kept.erase(std::remove_if(kept.begin(), kept.end(), is_replaceable), kept.end());
}

void Solver::Prune(size_t atom, StateLayer& layer) {
  std::vector<uint32_t> kept;
  if (prunable_) kept = Undominated(layer);
  if (prunable_ && kept.size() > 1) DropReplaceable(layer, kept);
  if (!prunable_) {
    for (uint32_t s = 0; s < layer.size(); ++s) kept.push_back(s);
  }
  peak_ = std::max(peak_, kept.size());
  // Long rows take longer to expand.
  const size_t affordable = per_atom_ * kShortRow / (kShortRow + live_.size());
  const size_t most = cells_left_ == 0 ? 1 : std::min(max_states_, std::max(kMinStates, affordable));
  if (kept.size() > most && atom + 1 < problem_.atoms.size()) {
    std::stable_sort(kept.begin(), kept.end(), [&](uint32_t a, uint32_t b) { return layer[a].bound < layer[b].bound; });
    dropped_ = std::min(dropped_, layer[kept[most]].bound);
    kept.resize(most);
  }
  layer.Keep(kept);
}

// Rows grow with the live values: many states of long rows would take quadratic time on a large model.
void Solver::TakeCells(size_t states) { cells_left_ -= std::min(cells_left_, states * next_live_.size()); }

Assignment Solver::Trace(uint32_t state) const {
  Assignment units(problem_.atoms.size());
  for (size_t a = problem_.atoms.size(); a-- > 0;) {
    units[a] = choices_[first_state_[a] + state];
    state = parents_[first_state_[a] + state];
  }
  return units;
}

// Columns of the layer after `atom`: tracked values that someone still reads.
void Solver::FindLive(size_t atom) {
  for (const uint32_t value : next_live_) next_column_[value] = kNone;
  next_live_.clear();
  carry_.clear();
  dropped_columns_.clear();
  spill_columns_.clear();
  const auto keep = [&](uint32_t value) {
    if (!values_[value].tracked || values_[value].last <= atom) return false;
    if (values_[value].spills && values_[value].producer != kNone) spill_columns_.push_back(next_live_.size());
    next_column_[value] = next_live_.size();
    next_live_.push_back(value);
    return true;
  };
  for (size_t c = 0; c < live_.size(); ++c) (keep(live_[c]) ? carry_ : dropped_columns_).push_back(c);
  for (const uint32_t value : problem_.atoms[atom].reads) {
    if (values_[value].producer == kNone && values_[value].first == atom) keep(value);
  }
  for (const uint32_t value : problem_.atoms[atom].writes) keep(value);
}

std::optional<Placement> Solver::Run(const std::vector<Assignment>& seeds) {
  Placement best;
  for (const Assignment& seed : seeds) {
    const double cost = PlanCost(problem_, seed);
    if (cost >= best.cost) continue;
    best.cost = cost;
    best.units = seed;
  }
  best_ = best.cost;
  column_.assign(problem_.num_values, kNone);
  next_column_.assign(problem_.num_values, kNone);
  FindBudget();
  remaining_.Find(budget_);

  StateLayer layer(ValueColumn(0)), next(ValueColumn(0));
  std::vector<uint64_t> start(ValueColumn(0), 0);
  start[kLast] = problem_.num_units;
  layer.Add(start, {.cost = 0, .bound = 0, .hash = FixedHash(start.data()), .parent = 0, .chosen = 0});
  for (size_t a = 0; a < problem_.atoms.size(); ++a) {
    remaining_.Reach(a);
    FindLive(a);
    next.Reset(ValueColumn(next_live_.size()));
    Expand(a, layer, next);
    TakeCells(layer.size() + next.size());
    if (cells_left_ == 0 && best.cost < kInfeasible) {
      for (size_t s = 0; s < next.size(); ++s) dropped_ = std::min(dropped_, next[s].bound);
      layer.Reset(ValueColumn(0));
      break;
    }
    for (const uint32_t value : live_) column_[value] = kNone;
    for (size_t c = 0; c < next_live_.size(); ++c) column_[next_live_[c]] = c;
    live_ = next_live_;
    peak_live_ = std::max(peak_live_, live_.size());
    FindSlack();
    Prune(a, next);
    first_state_.push_back(parents_.size());
    for (size_t s = 0; s < next.size(); ++s) {
      parents_.push_back(static_cast<uint16_t>(next[s].parent));
      choices_.push_back(static_cast<uint8_t>(next[s].chosen));
    }
    std::swap(layer, next);
  }
  for (uint32_t s = 0; s < layer.size(); ++s) {
    if (layer[s].cost >= best.cost || !EndsWell(layer.row(s))) continue;
    best.cost = layer[s].cost;
    best.units = Trace(s);
  }
  if (best.cost == kInfeasible) return std::nullopt;
  best.lower_bound = std::min(best.cost, dropped_);
  best.peak_states = peak_;
  best.peak_live = peak_live_;
  return best;
}

}  // namespace

std::optional<Placement> SolvePlacement(const PlacementProblem& problem, const SolverOptions& options,
                                        const std::vector<Assignment>& seeds) {
  if (std::optional<Assignment> only = OnlyAssignment(problem)) return PlaceOnly(problem, *std::move(only));
  return Solver(problem, options).Run(seeds);
}

}  // namespace hwest
