#include "workload/bound.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "workload/speeds.h"

namespace hwest {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr int kMostRounds = 400;
constexpr double kMostPeriods = 1000;  // a response longer than that, of the longest one, is called unbounded
constexpr double kEqual = 1e-12;

// Two ways to count what the shared memory adds, each of them enough; the smaller one holds. kBursts: every piece runs
// beside the most traffic that others can make at a time. kVolume: pieces take their time alone, and what runs on a
// resource is delayed by no more than the others' bytes take to cross, since at each moment a piece is delayed by no
// more than their share of the memory.
enum class MemoryDelay : uint8_t { kBursts, kVolume };
constexpr MemoryDelay kMemoryDelays[] = {MemoryDelay::kBursts, MemoryDelay::kVolume};

// What one job does on one resource.
struct Use {
  double total_s = 0;  // of one job
  double longest_stage_s = 0;
  double longest_piece_s = 0;
  double reload_s = 0;  // of its model, where others run beside it, and of what waited in the scratchpad
  int visits = 0;
  double turns = 0;  // of a slice or of a group that it needs at most, where the unit gives one each
};

// Uses by task and resource, and what the tasks of a resource have in common.
struct Uses {
  std::vector<std::vector<Use>> of;
  std::vector<double> slowest_reload_s;  // by resource
};

// A task whose response is looked for.
struct Busy {
  uint32_t task = 0;
  double window_s = 0;
  double own_jobs = 1;  // itself, and those before it that have not ended
};

class Analyser {
 public:
  Analyser(const Stack& stack, Ends ends) : stack_(stack), ends_(ends) {}
  ResponseBounds Run();

 private:
  size_t num_tasks() const { return stack_.tasks.size(); }
  bool Runs(uint32_t t) const { return !stack_.tasks[t].is_muted && stack_.ProbabilityOf(t) > 0; }
  // Whether more tasks run on it than it has cores. Else each keeps one for itself.
  bool IsCrowded(uint32_t r) const { return users_[r] > stack_.resources[r].servers; }
  // Bytes that it makes `t` load when another job ran there meanwhile, on a unit where models change and on others.
  double ReloadBytes(uint32_t t, uint32_t r) const;
  int PriorityOf(uint32_t t) const { return stack_.tasks[t].is_load ? -1 : stack_.tasks[t].release.priority; }
  double OthersTraffic(uint32_t t, uint32_t pool, uint32_t own_resource) const;
  void FindUsers();
  void FindBursts();
  void FindBeside();
  void FindUses(MemoryDelay delay, Uses* uses);
  Use UseOf(uint32_t t, uint32_t r, MemoryDelay delay) const;
  double ReleasesIn(uint32_t t, double window_s) const;
  double JobsIn(uint32_t t, double window_s) const;
  double CrossingOf(const Busy& busy, uint32_t r) const;
  double TimeOn(const Busy& busy, uint32_t r, MemoryDelay delay) const;
  double WaitsOf(const Busy& busy, uint32_t r, const Uses& uses) const;
  double RestoreOf(const Busy& busy, uint32_t j, uint32_t r, const Uses& uses) const;
  double WaitFor(const Busy& busy, uint32_t r, const Uses& uses, double crossing_s) const;
  double OneInterferer(const Busy& busy, uint32_t j, uint32_t r, const Uses& uses, double crossing_s) const;
  double Solve(uint32_t t) const;
  double Unevenness(uint32_t t) const;
  bool Round();

  const Stack& stack_;
  const Ends ends_;
  Uses uses_[std::size(kMemoryDelays)];
  std::vector<uint32_t> users_;      // by resource: tasks that run on it
  std::vector<bool> changes_model_;  // by resource: tasks of more than one model do
  std::vector<std::vector<double>> beside_;
  std::vector<std::vector<double>> burst_;      // by task and pool: largest of any piece
  std::vector<std::vector<double>> burst_on_;   // by task and resource
  std::vector<std::optional<double>> periods_;  // none = as fast as jobs end, which no window limits
  std::vector<double> waiting_;                 // jobs of the task that wait behind one, at most
  std::vector<double> jitter_;
  std::vector<double> response_;
  double most_s_ = 0;  // responses longer than that have no bound
};

// Each other task runs one piece at a time, and each server one piece: the smaller sum counts.
double Analyser::OthersTraffic(uint32_t t, uint32_t pool, uint32_t own_resource) const {
  double by_task = 0, by_server = 0;
  for (uint32_t j = 0; j < num_tasks(); ++j) {
    if (j != t && Runs(j)) by_task += burst_[j][pool];
  }
  for (uint32_t r = 0; r < stack_.resources.size(); ++r) {
    if (stack_.resources[r].pool != pool) continue;
    std::vector<double> on;
    for (uint32_t j = 0; j < num_tasks(); ++j) {
      if (j != t && Runs(j)) on.push_back(burst_on_[j][r]);
    }
    std::sort(on.rbegin(), on.rend());
    const size_t servers = stack_.resources[r].servers - (r == own_resource ? 1 : 0);
    for (size_t i = 0; i < std::min(servers, on.size()); ++i) by_server += on[i];
  }
  return std::min(by_task, by_server);
}

double Analyser::ReloadBytes(uint32_t t, uint32_t r) const {
  const StackTask& task = stack_.tasks[t];
  double held = 0;
  for (const Stage& stage : task.load.stages) {
    for (const Piece& piece : stage.pieces) held = std::max(held, stage.resource == r ? piece.held_bytes : 0);
  }
  return (changes_model_[r] ? task.load.kept_bytes[r] : 0) + 2 * held;
}

Use Analyser::UseOf(uint32_t t, uint32_t r, MemoryDelay delay) const {
  const StackTask& task = stack_.tasks[t];
  const Resource& resource = stack_.resources[r];
  const SharedPool& pool = stack_.pools[resource.pool];
  const double others = delay == MemoryDelay::kBursts ? OthersTraffic(t, resource.pool, r) : 0;
  const double high = ends_ == Ends::kHigh ? task.load.high : 1;
  const auto seconds_of = [&](const Piece& piece) {
    return high * piece.Seconds(StretchOf(DemandOf(piece), others, pool));
  };
  Use use;
  for (const Stage& stage : task.load.stages) {
    if (stage.resource != r) continue;
    double stage_s = 0;
    for (const Piece& piece : stage.pieces) {
      stage_s += seconds_of(piece);
      if (resource.GivesGroups() && piece.alone_s() > 0) ++use.turns;
      use.longest_piece_s = std::max(use.longest_piece_s, seconds_of(piece));
    }
    if (stage_s <= 0) continue;
    ++use.visits;
    use.total_s += stage_s;
    use.longest_stage_s = std::max(use.longest_stage_s, stage_s);
    if (resource.preemption == Preemption::kSlices) use.turns += std::floor(stage_s / resource.slice_s) + 1;
  }
  if (use.visits > 0 && resource.forgets)
    use.reload_s = seconds_of(ReloadOf(resource, ReloadBytes(t, r), changes_model_[r] ? resource.switch_s : 0));
  return use;
}

void Analyser::FindUsers() {
  users_.assign(stack_.resources.size(), 0);
  changes_model_.assign(stack_.resources.size(), false);
  std::vector<uint32_t> model(stack_.resources.size(), kNoTask);
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    std::vector<bool> uses(users_.size(), false);
    for (const Stage& stage : stack_.tasks[t].load.stages) {
      for (const Piece& piece : stage.pieces) {
        if (Runs(t) && piece.alone_s() > 0) uses[stage.resource] = true;
      }
    }
    for (uint32_t r = 0; r < users_.size(); ++r) {
      if (!uses[r]) continue;
      ++users_[r];
      if (model[r] == kNoTask) model[r] = stack_.ModelOf(t);
      if (model[r] != stack_.ModelOf(t)) changes_model_[r] = true;
    }
  }
}

void Analyser::FindBursts() {
  burst_.assign(num_tasks(), std::vector<double>(stack_.pools.size(), 0));
  burst_on_.assign(num_tasks(), std::vector<double>(stack_.resources.size(), 0));
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    for (const Stage& stage : stack_.tasks[t].load.stages) {
      const Resource& resource = stack_.resources[stage.resource];
      double& most = burst_on_[t][stage.resource];
      for (const Piece& piece : stage.pieces) {
        if (piece.alone_s() > 0) most = std::max(most, piece.burst_bytes_per_s());
      }
      const bool reloads = resource.forgets && IsCrowded(stage.resource) && ReloadBytes(t, stage.resource) > 0;
      if (reloads) most = std::max(most, resource.bytes_per_s);
      burst_[t][resource.pool] = std::max(burst_[t][resource.pool], most);
    }
  }
}

// By task and resource, bytes that a job moves on others of the same memory while something runs there.
void Analyser::FindBeside() {
  const size_t resources = stack_.resources.size();
  std::vector<double> reload(resources, 0);
  for (uint32_t r = 0; r < resources; ++r) {
    for (uint32_t t = 0; t < num_tasks() && stack_.resources[r].forgets && IsCrowded(r); ++t) {
      if (uses_[0].of[t][r].visits > 0) reload[r] = std::max(reload[r], ReloadBytes(t, r));
    }
  }
  beside_.assign(num_tasks(), std::vector<double>(resources, 0));
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    if (!Runs(t)) continue;
    std::vector<double> on(resources, 0);
    for (const Stage& stage : stack_.tasks[t].load.stages) {
      for (const Piece& piece : stage.pieces) on[stage.resource] += piece.dram_s > 0 ? piece.bytes : 0;
    }
    // Each visit and each turn may load a model again; who goes before another one has that one do so, too.
    for (uint32_t r = 0; r < resources; ++r) {
      const Use& use = uses_[0].of[t][r];
      if (reload[r] > 0) on[r] += (use.visits + use.turns) * ReloadBytes(t, r);
      if (stack_.resources[r].IsPreemptive()) on[r] += use.visits * reload[r];
    }
    for (uint32_t r = 0; r < resources; ++r) {
      for (uint32_t other = 0; other < resources; ++other) {
        const bool is_beside = other != r || stack_.resources[r].servers > 1;
        if (is_beside && stack_.resources[other].pool == stack_.resources[r].pool) beside_[t][r] += on[other];
      }
    }
  }
}

void Analyser::FindUses(MemoryDelay delay, Uses* uses) {
  uses->slowest_reload_s.assign(stack_.resources.size(), 0);
  uses->of.assign(num_tasks(), std::vector<Use>(stack_.resources.size()));
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    for (uint32_t r = 0; r < stack_.resources.size() && Runs(t); ++r) {
      uses->of[t][r] = UseOf(t, r, delay);
      uses->slowest_reload_s[r] = std::max(uses->slowest_reload_s[r], uses->of[t][r].reload_s);
    }
  }
}

// Jobs released in a window, by the period of the task and by the jobs of what it comes after.
double Analyser::ReleasesIn(uint32_t t, double window_s) const {
  const Release& release = stack_.tasks[t].release;
  const double by_period =
      periods_[t].has_value() ? std::floor((window_s + jitter_[t]) / *periods_[t] + kEqual) + 1 : kUnbounded;
  if (release.after == kNoTask) return by_period;
  return std::min(by_period, std::floor(JobsIn(release.after, window_s) * release.ratio + kEqual) + 1);
}

// Jobs that can run in a window: released in it, or before it and not ended yet.
double Analyser::JobsIn(uint32_t t, double window_s) const {
  const double released = ReleasesIn(t, window_s) + 1 + waiting_[t];
  if (!periods_[t].has_value()) return released;
  return std::min(released, std::floor((window_s + response_[t] + jitter_[t]) / *periods_[t] + kEqual) + 1);
}

// How long the bytes take to cross that others move in the window beside what runs on `r`.
double Analyser::CrossingOf(const Busy& busy, uint32_t r) const {
  const double rate = stack_.pools[stack_.resources[r].pool].bytes_per_s;
  if (rate <= 0) return 0;
  double bytes = 0;
  for (uint32_t k = 0; k < num_tasks(); ++k) {
    if (k != busy.task && beside_[k][r] > 0) bytes += JobsIn(k, busy.window_s) * beside_[k][r];
  }
  return bytes / rate;
}

// How often the busy jobs may wait on `r`: at each visit and, where other cores run what would not go before them, each
// time that they give way.
double Analyser::WaitsOf(const Busy& busy, uint32_t r, const Uses& uses) const {
  const Resource& resource = stack_.resources[r];
  double waits = uses.of[busy.task][r].visits * busy.own_jobs;
  if (resource.servers == 1 || !resource.IsPreemptive()) return waits;
  for (uint32_t j = 0; j < num_tasks(); ++j) {
    const bool goes_before = j != busy.task && Runs(j) && PriorityOf(j) < PriorityOf(busy.task);
    if (goes_before && uses.of[j][r].visits > 0) waits += JobsIn(j, busy.window_s) * uses.of[j][r].visits;
  }
  return waits;
}

// What loading models again adds to a visit of `j`: its own, and that of whom it makes give way.
double Analyser::RestoreOf(const Busy& busy, uint32_t j, uint32_t r, const Uses& uses) const {
  const Resource& resource = stack_.resources[r];
  if (!resource.forgets) return 0;
  const bool goes_before = resource.IsPreemptive() && PriorityOf(j) < PriorityOf(busy.task);
  return uses.of[j][r].reload_s + (goes_before ? uses.slowest_reload_s[r] : 0);
}

// What `j` can make the busy jobs wait on `r`.
double Analyser::OneInterferer(const Busy& busy, uint32_t j, uint32_t r, const Uses& uses, double crossing_s) const {
  const Resource& resource = stack_.resources[r];
  const Use& own = uses.of[busy.task][r];
  const Use& other = uses.of[j][r];
  const double restore_s = RestoreOf(busy, j, r, uses);
  const double more_turns =
      resource.preemption == Preemption::kSlices ? std::floor(crossing_s / resource.slice_s) : 0;  // of what is delayed
  const double all =
      JobsIn(j, busy.window_s) * (other.total_s + (other.visits + other.turns) * restore_s) + more_turns * restore_s;
  // Before each of its groups one of the other's at most.
  if (resource.GivesGroups()) return std::min(all, own.turns * busy.own_jobs * (other.longest_piece_s + restore_s));
  if (resource.preemption == Preemption::kSlices) {
    const double turns = own.turns * busy.own_jobs + more_turns;
    // A slice is time on the clock: what delays the other one in it is no part of what it does.
    return std::min(all, turns * (std::min(resource.slice_s, other.longest_stage_s + crossing_s) + restore_s));
  }
  const bool by_priority = resource.policy == PolicyKind::kPriority;
  if (by_priority && PriorityOf(j) < PriorityOf(busy.task)) return all;
  // Whoever came before is waited for; of what matters less, to the end of its piece where the unit gives way.
  const bool gives_way =
      by_priority && PriorityOf(j) > PriorityOf(busy.task) && resource.preemption == Preemption::kBetweenPieces;
  const double ahead_s = gives_way ? other.longest_piece_s : other.longest_stage_s;
  return std::min(all, WaitsOf(busy, r, uses) * (ahead_s + restore_s));
}

double Analyser::WaitFor(const Busy& busy, uint32_t r, const Uses& uses, double crossing_s) const {
  const Resource& resource = stack_.resources[r];
  if (!IsCrowded(r)) return 0;
  double spread = 0, lower = 0, longest = 0;
  for (uint32_t j = 0; j < num_tasks(); ++j) {
    if (j == busy.task || !Runs(j) || uses.of[j][r].visits == 0) continue;
    const double wait = OneInterferer(busy, j, r, uses, crossing_s);
    if (resource.policy != PolicyKind::kPriority || PriorityOf(j) <= PriorityOf(busy.task)) {
      spread += wait;
      continue;
    }
    lower += wait;
    const Use& use = uses.of[j][r];
    const double ahead_s = resource.IsPreemptive() ? use.longest_piece_s : use.longest_stage_s;
    longest = std::max(longest, ahead_s + RestoreOf(busy, j, r, uses));
  }
  // Of what matters less each core can have begun one before a wait, and all cores work while it lasts.
  lower = std::min(lower, WaitsOf(busy, r, uses) * longest);
  return spread / resource.servers + lower;
}

// Running and waiting on one resource.
double Analyser::TimeOn(const Busy& busy, uint32_t r, MemoryDelay delay) const {
  const Uses& uses = uses_[static_cast<size_t>(delay)];
  const Use& use = uses.of[busy.task][r];
  const double crossing_s = delay == MemoryDelay::kVolume ? CrossingOf(busy, r) : 0;
  if (crossing_s == kUnbounded) return kUnbounded;
  const bool is_sliced = use.visits > 0 && stack_.resources[r].preemption == Preemption::kSlices;
  const double turns = use.visits + use.turns + (is_sliced ? crossing_s / stack_.resources[r].slice_s : 0);
  const double reloads = IsCrowded(r) ? turns * use.reload_s : 0;
  return busy.own_jobs * (use.total_s + reloads) + crossing_s + WaitFor(busy, r, uses, crossing_s);
}

double Analyser::Solve(uint32_t t) const {
  // Behind what runs back to back as many may wait as the queue takes.
  const bool follows_loop = !periods_[t].has_value() && stack_.tasks[t].release.after != kNoTask;
  double response = response_[t];
  for (int i = 0; i < kMostRounds; ++i) {
    if (response > most_s_) return kUnbounded;
    Busy busy{.task = t, .window_s = response};
    if (follows_loop) busy.own_jobs += waiting_[t];
    if (periods_[t].has_value())
      busy.own_jobs += std::max(0.0, std::floor((response + jitter_[t]) / *periods_[t] - kEqual));
    double next = 0;
    for (uint32_t r = 0; r < stack_.resources.size(); ++r) {
      if (uses_[0].of[t][r].visits == 0) continue;
      next += std::min(TimeOn(busy, r, MemoryDelay::kBursts), TimeOn(busy, r, MemoryDelay::kVolume));
    }
    if (next <= response * (1 + kEqual)) return response;
    response = next;
  }
  return kUnbounded;
}

// Two of five jobs come at unequal distances.
double Analyser::Unevenness(uint32_t t) const {
  const Release& release = stack_.tasks[t].release;
  const double every = 1 / release.ratio;
  if (std::fabs(every - std::round(every)) < 1e-9) return 0;
  return *periods_[release.after];
}

// One round over all tasks; responses and jitters only grow. False when nothing changed.
bool Analyser::Round() {
  bool changed = false;
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    if (!Runs(t) || response_[t] == kUnbounded) continue;
    const uint32_t before = stack_.tasks[t].release.after;
    if (before != kNoTask && periods_[t].has_value()) {
      // Its end may come at once: what it takes at least is left out, or a faster unit would raise a bound.
      const double jitter = jitter_[before] + (Runs(before) ? response_[before] : 0) + Unevenness(t);
      changed |= jitter > jitter_[t];
      jitter_[t] = std::max(jitter_[t], jitter);
    }
    const double response = jitter_[t] == kUnbounded ? kUnbounded : Solve(t);
    changed |= response > response_[t] * (1 + 1e-9);
    response_[t] = std::max(response_[t], response);
  }
  return changed;
}

ResponseBounds Analyser::Run() {
  double longest_s = 1;
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    const Release& release = stack_.tasks[t].release;
    periods_.push_back(stack_.PeriodOf(t));
    waiting_.push_back(static_cast<double>(stack_.MostWaiting(t)));
    jitter_.push_back(release.jitter_s);
    longest_s = std::max({longest_s, periods_[t].value_or(0), release.deadline_s.value_or(0)});
  }
  most_s_ = kMostPeriods * longest_s;
  FindUsers();
  FindBursts();
  for (const MemoryDelay delay : kMemoryDelays) FindUses(delay, &uses_[static_cast<size_t>(delay)]);
  FindBeside();
  response_.assign(num_tasks(), 0);
  int rounds = 0;
  while (Round()) {
    if (++rounds < kMostRounds) continue;
    response_.assign(num_tasks(), kUnbounded);
    break;
  }
  ResponseBounds bounds;
  for (uint32_t t = 0; t < num_tasks(); ++t) {
    bounds.response_s.push_back(response_[t] == kUnbounded ? std::nullopt : std::optional<double>(response_[t]));
  }
  bounds.demand = DemandOfUnits(stack_);
  return bounds;
}

}  // namespace

std::vector<UnitDemand> DemandOfUnits(const Stack& stack) {
  std::vector<UnitDemand> demands;
  for (uint32_t r = 0; r < stack.resources.size(); ++r) demands.push_back({.resource = r});
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    const StackTask& task = stack.tasks[t];
    const std::optional<double> period = stack.PeriodOf(t);
    if (task.is_muted || !period.has_value()) continue;
    for (const Stage& stage : task.load.stages) {
      for (const Piece& piece : stage.pieces)
        demands[stage.resource].share += piece.alone_s() * stack.ProbabilityOf(t) / *period;
    }
  }
  for (UnitDemand& demand : demands) demand.share /= stack.resources[demand.resource].servers;
  return demands;
}

ResponseBounds BoundResponses(const Stack& stack, Ends ends) { return Analyser(stack, ends).Run(); }

}  // namespace hwest
