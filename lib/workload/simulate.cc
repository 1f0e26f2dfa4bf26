#include "workload/simulate.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "workload/quantity.h"
#include "workload/speeds.h"

namespace hwest {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kBin_s = 1e-3;
constexpr double kLeastCycle_s = 1e-3;
constexpr double kTolerance = 1e-12;
constexpr double kMissTolerance = 1e-9;
constexpr double kTransient = 0.1;    // share of a run without a period that is not counted
constexpr double kJobsOfLoops = 100;  // of each task, where nothing is periodic
constexpr double kFewestOfLoops = 2;  // the same, however long they take
constexpr int kLoadPriority = -1;

double Uniform(uint64_t seed, uint64_t task, uint64_t index, uint64_t salt) {
  uint64_t z = seed * 0x9e3779b97f4a7c15 + task * 0xbf58476d1ce4e5b9 + index * 0x94d049bb133111eb + salt;
  for (int i = 0; i < 2; ++i) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-53;
}

// One division of exact numbers, so that the same moment by two periods is the same number.
double MultipleOf(const Fraction& period, int64_t count) {
  return static_cast<double>(count) * static_cast<double>(period.num) / static_cast<double>(period.den);
}

// One hyperperiod, or as many as are long enough to look at: of some rates there are a million in a job.
std::optional<Fraction> CycleOf(const std::optional<Fraction>& hyperperiod) {
  if (!hyperperiod.has_value() || hyperperiod->value() >= kLeastCycle_s) return hyperperiod;
  return Times(*hyperperiod, static_cast<int64_t>(std::ceil(kLeastCycle_s / hyperperiod->value())));
}

struct Job {
  int64_t index = 0;
  double release_s = 0;
  double head_s = 0;  // release of the first job of its chain
  bool counted = false;
};

enum class State : uint8_t { kIdle, kQueued, kRunning };

struct TaskState {
  std::deque<Job> waiting;
  State state = State::kIdle;
  Job job;
  size_t stage = 0, piece = 0;
  double left = 1;         // share of the piece
  double reload_left = 0;  // share of the reload before it; 0 = none
  Piece reload;
  uint64_t arrival = 0;  // order in the queue
  double started_s = 0;  // of the stretch on the unit
  uint32_t server = 0;
  int64_t index = 0;  // of the next release
  double next_s = kNever;
  double due = 0;  // jobs that `after` has earned, below 1
  size_t most_waiting = SIZE_MAX;
};

struct Server {
  uint32_t resource = 0;
  uint32_t task = kNoTask;
  uint32_t owner = kNoTask;  // whose model is loaded, and whose values wait in the scratchpad
  double slice_end_s = kNever;
};

class Simulator {
 public:
  Simulator(const Stack& stack, const SimulateOptions& options);
  Simulation Run();

 private:
  const StackTask& Task(uint32_t t) const { return stack_.tasks[t]; }
  int PriorityOf(uint32_t t) const { return Task(t).is_load ? kLoadPriority : Task(t).release.priority; }
  const Piece& PieceOf(const TaskState& s, uint32_t t) const {
    return s.reload_left > 0 ? s.reload : Task(t).load.stages[s.stage].pieces[s.piece];
  }
  uint32_t ResourceOf(uint32_t t) const { return Task(t).load.stages[states_[t].stage].resource; }

  void PlanWindow();
  double ReleaseTime(uint32_t t, int64_t index) const;
  void SetNext(uint32_t t);
  void ReleaseDue();
  void Release(uint32_t t, double at_s, double head_s);
  void SkipDrops(uint32_t t);
  void Begin(uint32_t t);
  void NextStage(uint32_t t);
  void Enqueue(uint32_t t, bool keeps_place);
  void Finish(uint32_t t);
  void Dispatch();
  uint32_t FreeServerFor(uint32_t t, uint32_t r) const;
  bool DispatchOn(uint32_t r);
  uint32_t Choose(uint32_t r) const;
  void StartOn(uint32_t server, uint32_t t);
  void Leave(uint32_t t);
  void EndPiece(uint32_t t);
  bool GivesWay(uint32_t t) const;
  void FindSpeeds();
  double NextEvent() const;
  void Advance(double to_s);
  void CountTraffic(double from_s, double to_s);
  void CloseBin();
  void AtBoundary();
  bool IsOver() const;
  std::vector<double> Signature() const;

  const Stack& stack_;
  const SimulateOptions options_;
  std::vector<TaskState> states_;
  std::vector<Server> servers_;
  std::vector<uint32_t> first_server_;
  std::vector<std::vector<uint32_t>> queues_;       // by resource
  std::vector<std::vector<uint32_t>> released_by_;  // by task
  std::vector<bool> runs_;                          // by task: its jobs can come
  std::vector<uint64_t> stream_;                    // by task: of random numbers, the same whatever else never runs
  std::vector<double> stretch_;                     // by task: of its period, from 1 on
  std::vector<uint32_t> running_;                   // tasks
  std::vector<double> seconds_;                     // by running task: of its whole piece at this speed
  std::vector<Demand> demands_;
  std::vector<double> pool_seconds_;
  std::vector<size_t> pool_rows_;
  double now_ = 0;
  uint64_t arrivals_ = 0;
  bool deterministic_ = true;
  std::optional<Fraction> cycle_;  // hyperperiods, after which figures may repeat
  int64_t boundary_ = 0;           // cycles that are over
  double count_from_s_ = 0, count_to_s_ = 0;
  double trace_to_s_ = 0;
  int64_t outstanding_ = 0;  // counted jobs that have not ended
  std::vector<double> signature_;
  double bin_begin_s_ = 0;
  std::vector<double> bin_bytes_;  // by task
  Simulation out_;
};

Simulator::Simulator(const Stack& stack, const SimulateOptions& options) : stack_(stack), options_(options) {
  const size_t n = stack.tasks.size();
  states_.resize(n);
  released_by_.resize(n);
  queues_.resize(stack.resources.size());
  bin_bytes_.assign(n, 0);
  out_.tasks.resize(n);
  out_.busy_s.assign(stack.resources.size(), std::vector<double>(n, 0));
  for (uint32_t r = 0; r < stack.resources.size(); ++r) {
    first_server_.push_back(static_cast<uint32_t>(servers_.size()));
    for (uint32_t s = 0; s < stack.resources[r].servers; ++s) servers_.push_back({.resource = r});
  }
  first_server_.push_back(static_cast<uint32_t>(servers_.size()));
  uint64_t streams = 0;
  for (uint32_t t = 0; t < n; ++t) {
    const hwest::Release& release = Task(t).release;
    runs_.push_back(stack.ProbabilityOf(t) > 0);
    stream_.push_back(streams);
    streams += runs_[t];
    const bool drifts = options.drift > 0 && !release.offset_s.has_value();
    stretch_.push_back(drifts ? 1 + options.drift * Uniform(options.seed, stream_[t], 0, 4) : 1);
    if (release.after != kNoTask) released_by_[release.after].push_back(t);
    states_[t].due = 1 - release.ratio;  // the first job of what it comes after is one that counts
    const std::optional<double> period = stack.PeriodOf(t);
    if (runs_[t] && (release.jitter_s > 0 || release.probability < 1 || stretch_[t] > 1 || !period.has_value())) {
      deterministic_ = false;
    }
    states_[t].most_waiting = stack.MostWaiting(t);
    SetNext(t);
  }
  PlanWindow();
}

// Deterministic stacks are counted from the first hyperperiod on that begins as the one before it did; of others all
// but the beginning is.
void Simulator::PlanWindow() {
  const std::optional<Fraction> hyperperiod = HyperperiodOf(stack_);
  cycle_ = CycleOf(hyperperiod);
  double horizon = options_.most_s;
  const bool none_periodic = std::none_of(stack_.tasks.begin(), stack_.tasks.end(),
                                          [](const StackTask& task) { return task.release.period.has_value(); });
  if (none_periodic) {
    double alone_s = 0;
    for (uint32_t t = 0; t < states_.size(); ++t) alone_s += runs_[t] ? Task(t).load.alone_s() : 0;
    horizon = std::max(std::min(horizon, kJobsOfLoops * alone_s), kFewestOfLoops * alone_s);
  }
  const bool repeats = deterministic_ && cycle_.has_value() && cycle_->value() * (1 + options_.cycles) <= horizon;
  if (!repeats) {
    trace_to_s_ = hyperperiod.has_value() ? std::min(hyperperiod->value(), horizon) : horizon;
    cycle_.reset();
    count_from_s_ = deterministic_ ? 0 : kTransient * horizon;
    count_to_s_ = horizon;
  } else {
    trace_to_s_ = hyperperiod->value();
    count_from_s_ = count_to_s_ = kNever;
  }
  bin_begin_s_ = count_from_s_;
}

double Simulator::ReleaseTime(uint32_t t, int64_t index) const {
  const hwest::Release& release = Task(t).release;
  const Fraction& period = *release.period;
  double offset = release.offset_s.value_or(0);
  if (!release.offset_s.has_value() && options_.seed != 0)
    offset = period.value() * Uniform(options_.seed, stream_[t], 0, 1);
  const double nominal = offset + MultipleOf(period, index) * stretch_[t];
  if (release.jitter_s <= 0) return nominal;
  return nominal + release.jitter_s * Uniform(options_.seed, stream_[t], static_cast<uint64_t>(index), 2);
}

void Simulator::SetNext(uint32_t t) {
  const hwest::Release& release = Task(t).release;
  TaskState& s = states_[t];
  if (release.after != kNoTask) return;
  if (!release.period.has_value()) {
    s.next_s = s.index == 0 ? release.offset_s.value_or(0) : kNever;  // then as jobs end
    return;
  }
  s.next_s = std::max(s.index == 0 ? 0 : s.next_s, ReleaseTime(t, s.index));
}

// Where the queue is full, releases up to now were dropped: they are counted in one step, whatever the rate.
void Simulator::SkipDrops(uint32_t t) {
  TaskState& s = states_[t];
  if (s.waiting.size() < s.most_waiting || s.next_s > now_ || !Task(t).release.period.has_value()) return;
  const double period = Task(t).release.period->value() * stretch_[t];
  const auto skipped = 1 + static_cast<int64_t>(std::min(1e15, std::floor((now_ - s.next_s) / period)));
  const double counted_from = std::max(s.next_s, count_from_s_);
  if (counted_from <= now_ && s.next_s < count_to_s_) {
    const double until = std::min(now_, count_to_s_);
    out_.tasks[t].dropped +=
        std::min(skipped, 1 + static_cast<int64_t>(std::min(1e15, std::max(0.0, (until - counted_from) / period))));
  }
  out_.tasks[t].any_missed = true;
  s.index += skipped;
  SetNext(t);
}

void Simulator::ReleaseDue() {
  const size_t n = states_.size();
  for (size_t i = 0; i < n; ++i) {
    const auto t = static_cast<uint32_t>(options_.reversed ? n - 1 - i : i);
    TaskState& s = states_[t];
    while (s.next_s <= now_ && s.waiting.size() < s.most_waiting) {
      const double at = s.next_s;
      ++s.index;
      SetNext(t);
      Release(t, at, at);
    }
  }
}

void Simulator::Release(uint32_t t, double at_s, double head_s) {
  TaskState& s = states_[t];
  Job job{.index = s.index - 1, .release_s = at_s, .head_s = head_s};
  job.counted = at_s >= count_from_s_ && at_s < count_to_s_;
  if (s.waiting.size() >= s.most_waiting) {
    out_.tasks[t].any_missed = true;
    if (job.counted) ++out_.tasks[t].dropped;
    return;
  }
  if (job.counted) ++outstanding_;
  s.waiting.push_back(job);
  if (s.state == State::kIdle) Begin(t);
}

// Takes the next job, and the next again while jobs take no time.
void Simulator::Begin(uint32_t t) {
  TaskState& s = states_[t];
  if (s.state != State::kIdle || s.waiting.empty()) return;
  SkipDrops(t);
  s.job = s.waiting.front();
  s.waiting.pop_front();
  s.stage = s.piece = 0;
  s.left = 1;
  s.reload_left = 0;
  if (Task(t).is_muted) {
    Finish(t);
    return;
  }
  NextStage(t);
}

// Goes on to the next piece that takes time.
void Simulator::NextStage(uint32_t t) {
  TaskState& s = states_[t];
  const std::vector<Stage>& stages = Task(t).load.stages;
  while (s.stage < stages.size()) {
    while (s.piece < stages[s.stage].pieces.size() && stages[s.stage].pieces[s.piece].alone_s() <= 0) ++s.piece;
    if (s.piece < stages[s.stage].pieces.size()) break;
    ++s.stage;
    s.piece = 0;
  }
  if (s.stage == stages.size()) {
    Finish(t);
    return;
  }
  s.left = 1;
  Enqueue(t, false);
}

void Simulator::Enqueue(uint32_t t, bool keeps_place) {
  TaskState& s = states_[t];
  s.state = State::kQueued;
  if (!keeps_place) s.arrival = ++arrivals_;
  queues_[ResourceOf(t)].push_back(t);
}

void Simulator::Finish(uint32_t t) {
  TaskState& s = states_[t];
  s.state = State::kIdle;
  TaskStats& stats = out_.tasks[t];
  const double response = now_ - s.job.release_s;
  const std::optional<double>& deadline = Task(t).release.deadline_s;
  const bool late = deadline.has_value() && response > *deadline * (1 + kMissTolerance);
  stats.worst_s = std::max(stats.worst_s, response);
  stats.age_s = std::max(stats.age_s, now_ - s.job.head_s);
  stats.any_missed |= late;
  ++out_.jobs;
  if (s.job.counted) {
    --outstanding_;
    ++stats.jobs;
    stats.sum_s += response;
    stats.late += late;
  }
  const double head_s = s.job.head_s;
  for (const uint32_t next : released_by_[t]) {
    TaskState& follower = states_[next];
    const hwest::Release& release = Task(next).release;
    follower.due += release.ratio;
    if (follower.due < 1 - 1e-9) continue;
    follower.due -= 1;
    ++follower.index;
    const bool happens =
        release.probability >= 1 ||
        Uniform(options_.seed, stream_[next], static_cast<uint64_t>(follower.index), 3) < release.probability;
    if (happens && release.probability > 0) Release(next, now_, head_s);
  }
  const hwest::Release& release = Task(t).release;
  if (release.after == kNoTask && !release.period.has_value()) {
    ++s.index;
    s.next_s = kNever;
    if (!Task(t).is_muted && Task(t).load.alone_s() > 0) Release(t, now_, now_);
  }
  Begin(t);
}

// The one to run next of those that wait; kNoTask where none does.
uint32_t Simulator::Choose(uint32_t r) const {
  const bool by_priority = stack_.resources[r].policy == PolicyKind::kPriority;
  uint32_t best = kNoTask;
  for (const uint32_t t : queues_[r]) {
    if (best == kNoTask) {
      best = t;
      continue;
    }
    const int a = by_priority ? PriorityOf(t) : 0, b = by_priority ? PriorityOf(best) : 0;
    if (a < b || (a == b && states_[t].arrival < states_[best].arrival)) best = t;
  }
  return best;
}

// One that it ran on last, else one that has its model loaded, else one without any, else any that is free; UINT32_MAX
// where none is.
uint32_t Simulator::FreeServerFor(uint32_t t, uint32_t r) const {
  uint32_t chosen = UINT32_MAX;
  int best = -1;
  for (uint32_t s = first_server_[r]; s < first_server_[r + 1]; ++s) {
    const Server& server = servers_[s];
    const bool has_model = server.owner != kNoTask && stack_.ModelOf(server.owner) == stack_.ModelOf(t);
    const int fit = server.task != kNoTask    ? -1
                    : server.owner == t       ? 3
                    : has_model               ? 2
                    : server.owner == kNoTask ? 1
                                              : 0;
    if (fit > best) chosen = s;
    best = std::max(best, fit);
  }
  return chosen;
}

bool Simulator::DispatchOn(uint32_t r) {
  const uint32_t t = Choose(r);
  if (t == kNoTask) return false;
  const uint32_t chosen = FreeServerFor(t, r);
  if (chosen == UINT32_MAX) return false;
  queues_[r].erase(std::find(queues_[r].begin(), queues_[r].end(), t));
  StartOn(chosen, t);
  return true;
}

void Simulator::Dispatch() {
  for (uint32_t r = 0; r < queues_.size(); ++r) {
    while (!queues_[r].empty() && DispatchOn(r)) {
    }
  }
}

void Simulator::StartOn(uint32_t server, uint32_t t) {
  TaskState& s = states_[t];
  Server& on = servers_[server];
  const Resource& resource = stack_.resources[on.resource];
  s.state = State::kRunning;
  s.server = server;
  s.started_s = now_;
  if (resource.forgets && on.owner != kNoTask) {
    const bool other_model = stack_.ModelOf(on.owner) != stack_.ModelOf(t);
    const bool resumes = s.piece > 0 || s.left < 1;
    double bytes = other_model ? Task(t).load.kept_bytes[on.resource] : 0;
    // What waited in the scratchpad was written out for the other job, of whichever model, and is read again.
    if (on.owner != t && resumes) bytes += 2 * Task(t).load.stages[s.stage].pieces[s.piece].held_bytes;
    s.reload = ReloadOf(resource, bytes, other_model ? resource.switch_s : 0);
    s.reload_left = s.reload.alone_s() > 0 ? 1 : 0;
  }
  on.task = t;
  on.owner = t;
  on.slice_end_s = resource.preemption == Preemption::kSlices ? now_ + resource.slice_s : kNever;
  running_.push_back(t);
}

void Simulator::Leave(uint32_t t) {
  TaskState& s = states_[t];
  Server& server = servers_[s.server];
  if (options_.trace && s.started_s < trace_to_s_ && now_ > s.started_s) {
    if (out_.spans.size() < options_.most_spans) {
      out_.spans.push_back({t, s.job.index, server.resource, s.started_s, now_});
    } else {
      out_.spans_cut = true;
    }
  }
  server.task = kNoTask;
  running_.erase(std::find(running_.begin(), running_.end(), t));
}

// At the end of a piece, to what waits.
bool Simulator::GivesWay(uint32_t t) const {
  const uint32_t r = ResourceOf(t);
  const std::vector<uint32_t>& queue = queues_[r];
  if (stack_.resources[r].GivesGroups()) return !queue.empty();
  if (!stack_.resources[r].IsPreemptive()) return false;
  return std::any_of(queue.begin(), queue.end(), [&](uint32_t other) { return PriorityOf(other) < PriorityOf(t); });
}

void Simulator::EndPiece(uint32_t t) {
  TaskState& s = states_[t];
  s.left = 1;
  const std::vector<Piece>& pieces = Task(t).load.stages[s.stage].pieces;
  do {
    ++s.piece;
  } while (s.piece < pieces.size() && pieces[s.piece].alone_s() <= 0);
  if (s.piece < pieces.size()) {
    if (!GivesWay(t)) return;
    Leave(t);
    Enqueue(t, !stack_.resources[ResourceOf(t)].GivesGroups());
    return;
  }
  Leave(t);
  ++s.stage;
  s.piece = 0;
  NextStage(t);
}

void Simulator::FindSpeeds() {
  seconds_.assign(running_.size(), 0);
  for (uint32_t pool = 0; pool < stack_.pools.size(); ++pool) {
    demands_.clear();
    pool_rows_.clear();
    for (size_t i = 0; i < running_.size(); ++i) {
      const uint32_t t = running_[i];
      if (stack_.resources[servers_[states_[t].server].resource].pool != pool) continue;
      demands_.push_back(DemandOf(PieceOf(states_[t], t)));
      pool_rows_.push_back(i);
    }
    SecondsOf(demands_, stack_.pools[pool], &pool_seconds_);
    for (size_t i = 0; i < pool_rows_.size(); ++i) seconds_[pool_rows_[i]] = pool_seconds_[i];
  }
}

double Simulator::NextEvent() const {
  double next = kNever;
  for (size_t i = 0; i < running_.size(); ++i) {
    const TaskState& s = states_[running_[i]];
    next = std::min(next, now_ + (s.reload_left > 0 ? s.reload_left : s.left) * seconds_[i]);
    const Server& server = servers_[s.server];
    if (s.reload_left <= 0 && !queues_[server.resource].empty())
      next = std::min(next, std::max(now_, server.slice_end_s));
  }
  for (const TaskState& s : states_) {
    if (s.waiting.size() < s.most_waiting) next = std::min(next, std::max(now_, s.next_s));
  }
  if (cycle_.has_value()) next = std::min(next, MultipleOf(*cycle_, boundary_ + 1));
  for (const double edge : {count_from_s_, count_to_s_}) {
    if (edge > now_) next = std::min(next, edge);
  }
  return next;
}

void Simulator::CloseBin() {
  double all = 0;
  const double length = std::min(kBin_s, count_to_s_ - count_from_s_);
  for (size_t t = 0; t < bin_bytes_.size(); ++t) {
    all += bin_bytes_[t];
    out_.tasks[t].peak_bytes_per_s = std::max(out_.tasks[t].peak_bytes_per_s, bin_bytes_[t] / length);
    bin_bytes_[t] = 0;
  }
  out_.peak_bytes_per_s = std::max(out_.peak_bytes_per_s, all / length);
}

// Bytes and busy time of [from_s, to_s), which is inside the counted time.
void Simulator::CountTraffic(double from_s, double to_s) {
  for (double at = from_s; at < to_s;) {
    const double bin_end = bin_begin_s_ + kBin_s;
    const double end = std::min(to_s, std::max(bin_end, at));
    for (size_t i = 0; i < running_.size(); ++i) {
      const uint32_t t = running_[i];
      if (seconds_[i] <= 0) continue;
      const double bytes = PieceOf(states_[t], t).bytes * (end - at) / seconds_[i];
      bin_bytes_[t] += bytes;
      out_.tasks[t].bytes += bytes;
      out_.bytes += bytes;
    }
    at = end;
    if (at < bin_end) break;
    CloseBin();
    bin_begin_s_ = bin_end;
  }
  for (const uint32_t t : running_) {
    out_.busy_s[servers_[states_[t].server].resource][t] += to_s - from_s;
  }
}

void Simulator::Advance(double to_s) {
  const double step = to_s - now_;
  if (step > 0 && now_ >= count_from_s_ && now_ < count_to_s_) CountTraffic(now_, to_s);
  std::vector<uint32_t> ended, sliced;
  for (size_t i = 0; i < running_.size(); ++i) {
    const uint32_t t = running_[i];
    TaskState& s = states_[t];
    const double share = seconds_[i] > 0 ? step / seconds_[i] : 1;
    const Server& server = servers_[s.server];
    const bool reloads = s.reload_left > 0;
    double& left = reloads ? s.reload_left : s.left;
    const bool ends = now_ + left * seconds_[i] <= to_s;
    left -= share;
    if (reloads) {
      servers_[s.server].slice_end_s += step;
      if (ends || left <= kTolerance) left = 0;
    } else if (ends || left <= kTolerance) {
      ended.push_back(t);
    } else if (server.slice_end_s <= to_s && !queues_[server.resource].empty()) {
      sliced.push_back(t);
    }
  }
  now_ = to_s;
  for (const uint32_t t : ended) EndPiece(t);
  for (const uint32_t t : sliced) {
    Leave(t);
    Enqueue(t, false);
  }
}

// What will happen depends on nothing else, beside the time since the boundary.
std::vector<double> Simulator::Signature() const {
  std::vector<double> all;
  for (uint32_t t = 0; t < states_.size(); ++t) {
    const TaskState& s = states_[t];
    if (!runs_[t]) continue;
    all.insert(all.end(), {static_cast<double>(s.waiting.size()), static_cast<double>(s.state), s.due});
    if (s.state == State::kIdle) continue;
    all.insert(all.end(), {static_cast<double>(s.stage), static_cast<double>(s.piece), std::round(s.left * 1e8),
                           std::round(s.reload_left * 1e8), std::round((now_ - s.job.release_s) * 1e11)});
  }
  for (const Server& server : servers_) all.push_back(static_cast<double>(server.owner));
  return all;
}

void Simulator::AtBoundary() {
  if (!cycle_.has_value()) return;
  const double boundary = MultipleOf(*cycle_, boundary_ + 1);
  if (now_ < boundary) return;
  now_ = boundary;
  ++boundary_;
  for (uint32_t t = 0; t < states_.size(); ++t) SkipDrops(t);
  if (count_from_s_ != kNever) return;
  std::vector<double> signature = Signature();
  const bool repeats = signature == signature_;
  const bool is_last = MultipleOf(*cycle_, boundary_ + options_.cycles + 1) > options_.most_s;
  if (repeats || is_last || now_ >= options_.most_s / 2) {
    // What does not repeat is told better by many cycles.
    const double most = repeats ? 1 : std::max(1.0, std::floor(options_.most_s / 4 / cycle_->value()));
    count_from_s_ = bin_begin_s_ = now_;
    count_to_s_ = MultipleOf(*cycle_, boundary_ + options_.cycles * static_cast<int64_t>(most));
  }
  signature_ = std::move(signature);
}

bool Simulator::IsOver() const {
  if (out_.jobs >= options_.most_jobs) return true;
  if (count_to_s_ == kNever || now_ < count_to_s_) return false;
  return outstanding_ == 0 || now_ >= count_to_s_ + options_.most_s;
}

Simulation Simulator::Run() {
  while (true) {
    AtBoundary();
    ReleaseDue();
    Dispatch();
    if (IsOver()) break;
    FindSpeeds();
    const double next = NextEvent();
    if (next == kNever) break;
    Advance(next);
  }
  for (uint32_t t = 0; t < states_.size(); ++t) SkipDrops(t);
  if (now_ < count_to_s_) {
    if (count_from_s_ == kNever) count_from_s_ = 0;
    count_to_s_ = now_;
  }
  out_.counted_s = std::max(0.0, count_to_s_ - count_from_s_);
  if (out_.counted_s > 0) CloseBin();
  out_.simulated_s = now_;
  std::stable_sort(out_.spans.begin(), out_.spans.end(),
                   [](const BusySpan& a, const BusySpan& b) { return a.start_s < b.start_s; });
  return std::move(out_);
}

}  // namespace

std::optional<Fraction> HyperperiodOf(const Stack& stack) {
  std::optional<Fraction> common;
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    const Release& release = stack.tasks[t].release;
    const std::optional<Fraction>& period = release.after == kNoTask ? release.period : release.pace;
    if (!period.has_value() || stack.ProbabilityOf(t) <= 0) continue;
    common = common.has_value() ? LeastCommonMultiple(*common, *period) : period;
    if (!common.has_value()) return std::nullopt;
  }
  return common;
}

Simulation Simulate(const Stack& stack, const SimulateOptions& options) { return Simulator(stack, options).Run(); }

}  // namespace hwest
