// Runs a workload: from its file to its report.
#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "hwest/host.h"
#include "plan/memory_needs.h"
#include "workload/quantity.h"
#include "workload/runner.h"

namespace hwest {
namespace {

constexpr double kAlike = 1e-12;

uint32_t IndexOf(const Workload& workload, const std::string& name) {
  for (uint32_t t = 0; t < workload.tasks.size(); ++t) {
    if (workload.tasks[t].name == name) return t;
  }
  return kNoTask;
}

std::string KeyOf(const WorkloadTask& task, const Chip& chip) {
  std::string key =
      absl::StrCat(task.path, "|", chip.mode, "|", task.precision, "|", task.batch, "|", absl::StrJoin(task.only, ","));
  if (task.tokens.has_value()) {
    const TaskTokens& tokens = *task.tokens;
    absl::StrAppend(&key, "|tokens|", tokens.context.value_or(0), "|", tokens.prompt.value_or(0), "|", tokens.runtime,
                    "|", tokens.weights, "|", tokens.cache);
  }
  for (const auto& [name, value] : task.dims) absl::StrAppend(&key, "|", name, "=", value);
  for (const Pin& pin : task.pin) absl::StrAppend(&key, "|", pin.what, "@", pin.unit);
  return key;
}

// Tasks of one model as it is compiled: streams, and others that differ in rate and importance.
void FindModels(const Workload& workload, const Chip& chip, StackFrame* frame) {
  std::map<std::string, uint32_t> first;
  for (uint32_t t = 0; t < workload.tasks.size(); ++t) {
    const WorkloadTask& task = workload.tasks[t];
    frame->models.push_back(task.stated.has_value() ? t : first.emplace(KeyOf(task, chip), t).first->second);
  }
}

// Streams of one model: nothing but their names tells them apart.
void FindAlike(const Workload& workload, const Chip& chip, StackFrame* frame) {
  const auto count = static_cast<uint32_t>(workload.tasks.size());
  const auto stands_alone = [&](uint32_t t) {
    const WorkloadTask& task = workload.tasks[t];
    return task.stated.has_value() || !task.after.empty() ||
           std::any_of(workload.tasks.begin(), workload.tasks.end(),
                       [&](const WorkloadTask& other) { return other.after == task.name; });
  };
  const auto same = [&](const WorkloadTask& a, const WorkloadTask& b) {
    return a.period == b.period && a.deadline_s == b.deadline_s && a.priority == b.priority &&
           a.jitter_s == b.jitter_s && a.offset_s == b.offset_s && a.probability == b.probability &&
           KeyOf(a, chip) == KeyOf(b, chip);
  };
  std::vector<uint32_t> alike;
  bool any = false;
  for (uint32_t t = 0; t < count; ++t) {
    uint32_t first = 0;
    while (first < t && (stands_alone(t) || stands_alone(first) || !same(workload.tasks[first], workload.tasks[t]))) {
      ++first;
    }
    alike.push_back(first);
    any |= first < t;
  }
  if (any) frame->alike = std::move(alike);
}

// No unit gets more of a memory than it delivers.
void RaisePools(const StackFrame& frame, Chip* chip) {
  for (uint32_t t = 0; t < frame.candidates.size(); ++t) {
    if (frame.stack.ProbabilityOf(t) <= 0) continue;
    for (const TaskPlan& candidate : frame.candidates[t]) {
      for (const Stage& stage : candidate.load.stages) {
        double& most = chip->all_bytes_per_s[chip->resources[stage.resource].pool];
        for (const Piece& piece : stage.pieces) most = std::max(most, piece.burst_bytes_per_s());
      }
    }
  }
  for (size_t pool = 0; pool < chip->pools.size(); ++pool) {
    chip->pools[pool].bytes_per_s = std::max(0.0, chip->all_bytes_per_s[pool] - chip->loads_bytes_per_s[pool]);
  }
}

void AddLoads(const Workload& workload, const Chip& chip, Stack* stack) {
  for (const WorkloadLoad& load : workload.loads) {
    if (load.unit.empty() || load.time_s <= 0) continue;
    const uint32_t resource = UnitIdOf(*chip.target, load.unit).index();
    StatedTime stated{.time_s = load.time_s};
    if (load.bytes_per_s > 0) stated.bytes_per_s = load.bytes_per_s;
    StackTask task{.load = StatedCandidate(stated, resource, chip).load, .is_load = true};
    task.release.period = load.period;
    stack->tasks.push_back(std::move(task));
  }
}

std::string RunsText(const Resource& resource) {
  if (resource.preemption == Preemption::kSlices) return absl::StrCat("in slices of ", FormatSeconds(resource.slice_s));
  return resource.preemption == Preemption::kBetweenPieces ? "group by group" : "segment by segment";
}

const std::string& NameOf(const Workload& workload, size_t task) {
  if (task < workload.tasks.size()) return workload.tasks[task].name;
  size_t left = task - workload.tasks.size();
  for (const WorkloadLoad& load : workload.loads) {
    if (load.unit.empty() || load.time_s <= 0) continue;
    if (left-- == 0) return load.name;
  }
  return workload.loads.back().name;
}

// Whether the file or the toolchain of the unit says how models take turns on it.
bool KnowsTurns(const Workload& workload, const Target& target, const std::string& unit) {
  const auto says = [&](const WorkloadPolicy& policy) { return policy.unit == unit; };
  if (std::any_of(workload.policies.begin(), workload.policies.end(), says)) return true;
  const Toolchain* toolchain = ToolchainOf(target, *UnitOf(target, unit));
  return toolchain != nullptr && toolchain->sharing.has_value();
}

// Where a runtime takes all cores of a unit for one job, none is left for another beside it.
void TakeAllCores(RunState* state) {
  for (const std::vector<TaskPlan>& candidates : state->frame.candidates) {
    for (const TaskPlan& candidate : candidates) {
      if (!candidate.takes_all_cores) continue;
      const uint32_t resource = candidate.load.stages[0].resource;
      state->chip.resources[resource].servers = 1;
      state->frame.stack.resources[resource].servers = 1;
    }
  }
}

// The tables of the report, from a run.
class Reporter {
 public:
  Reporter(const RunState& state, WorkloadReport* report)
      : state_(state), report_(report), first_(state.evaluation.runs[0]) {}

  void Run() {
    report_->workload = state_.workload;
    report_->target = state_.chip.target;
    report_->mode = state_.chip.target->mode;
    for (uint32_t t = 0; t < state_.stack.tasks.size(); ++t) report_->names.push_back(NameOf(state_.workload, t));
    for (uint32_t t = 0; t < state_.workload.tasks.size(); ++t) AddTask(t);
    AddUnits();
    AddMemory();
    AddPower();
    AddSpans();
    const std::optional<Fraction> hyperperiod = HyperperiodOf(state_.stack);
    if (hyperperiod.has_value()) report_->hyperperiod_s = hyperperiod->value();
    report_->simulated_s = first_.simulated_s;
    for (const Simulation& run : state_.evaluation.runs) report_->jobs += run.jobs;
  }

 private:
  const TaskPlan& CandidateOf(uint32_t t) const { return state_.frame.candidates[t][state_.choice[t]]; }
  void AddTask(uint32_t t);
  void AddResponses(uint32_t t, TaskRow* row) const;
  double ServedShare(uint32_t t) const;
  void AddUnknown(const TaskPlan& candidate, const std::string& task);
  void CheckStated(const WorkloadTask& task, const TaskPlan& candidate);
  void AddUnits();
  void AddMemory();
  void AddFit();
  // Weights that lie there for an earlier task of the same model.
  int64_t SharedWeights(size_t t, const MemoryNeed& need) const {
    return state_.stack.tasks[t].shares_model_of == kNoTask ? 0 : need.weight_bytes;
  }
  void AddNeedsOf(const std::vector<MemoryNeed>& needs, std::vector<MemoryNeed>* sum) const;
  void AddPower();
  void AddSpans();
  void Note(std::string message);

  const RunState& state_;
  WorkloadReport* report_;
  const Simulation& first_;
};

void Reporter::Note(std::string message) {
  report_->diagnostics.push_back({.code = Code::kAssumed, .message = std::move(message)});
}

void Reporter::AddResponses(uint32_t t, TaskRow* row) const {
  int64_t jobs = 0;
  double sum = 0, worst = 0, age = 0;
  for (const Simulation& run : state_.evaluation.runs) {
    const TaskStats& stats = run.tasks[t];
    jobs += stats.jobs;
    sum += stats.sum_s;
    worst = std::max(worst, stats.worst_s);
    age = std::max(age, stats.age_s);
    if (run.counted_s > 0)
      row->missed_per_s = std::max(row->missed_per_s, static_cast<double>(stats.late + stats.dropped) / run.counted_s);
  }
  // Windows are no whole number of periods, and chances differ: of a rate the share counts that is not lost.
  if (row->rate_per_s.has_value()) {
    row->reached_per_s = *row->rate_per_s * ServedShare(t);
  } else if (first_.counted_s > 0) {
    row->reached_per_s = static_cast<double>(first_.tasks[t].jobs * row->batch) / first_.counted_s;
  }
  if (jobs > 0) row->mean_s = sum / static_cast<double>(jobs);
  // A loop releases a job as the one before it ends, which windows of a few jobs do not count to the last digit.
  const Release& release = state_.stack.tasks[t].release;
  const bool is_loop = !release.period.has_value() && release.after == kNoTask && release.probability >= 1;
  if (is_loop && row->mean_s > 0) row->reached_per_s = static_cast<double>(row->batch) / *row->mean_s;
  if (worst > 0) row->worst_s = worst;
  if (worst > 0) row->age_s = age;
  // The longest response is no shorter than the mean, whatever its last digits.
  if (row->mean_s.has_value() && row->worst_s.has_value()) row->mean_s = std::min(*row->mean_s, *row->worst_s);
}

// Of the jobs that its rate asks for, those that neither it nor a task it comes after drops.
double Reporter::ServedShare(uint32_t t) const {
  double share = first_.jobs > 0 ? 1 : 0;
  for (; t != kNoTask; t = state_.stack.tasks[t].release.after) share *= 1 - first_.tasks[t].dropped_share();
  return share;
}

void Reporter::AddUnknown(const TaskPlan& candidate, const std::string& task) {
  const auto count = static_cast<size_t>(candidate.load.unknown_groups);
  std::string names = absl::StrJoin(candidate.unknown, ", ");
  if (!names.empty()) names = absl::StrCat(" (", names, count > candidate.unknown.size() ? ", ..." : "", ")");
  report_->diagnostics.push_back(
      {.code = Code::kUnknownTime,
       .message = absl::StrCat("task \"", EscapeControl(task), "\": no time is known of ", count,
                               count == 1 ? " group" : " groups", EscapeControl(names),
                               state_.stack.IsIncomplete()
                                   ? ": times of all tasks are at least what stands here, and none has a bound"
                                   : ": it never runs here"),
       .remedy = "state its `time`, or name as its model a JSON report of `analyze`, made with --op-rules",
       .options = {"--op-rules"}});
}

void Reporter::CheckStated(const WorkloadTask& task, const TaskPlan& candidate) {
  const Resource& on = state_.stack.resources[candidate.load.stages[0].resource];
  const double most = state_.chip.all_bytes_per_s[on.pool];
  const double asked = task.stated->bytes_per_s.value_or(0);
  if (most <= 0 || asked <= most) return;
  Note(absl::StrCat("task \"", EscapeControl(task.name), "\" asks for ", FormatBytes(asked), "/s, and ", on.name,
                    " gets ", FormatBytes(most), "/s at most: it is taken to ask for all of that"));
}

void Reporter::AddTask(uint32_t t) {
  const WorkloadTask& task = state_.workload.tasks[t];
  const TaskPlan& candidate = CandidateOf(t);
  TaskRow row{.name = task.name,
              .model = task.model,
              .deadline_s = state_.stack.tasks[t].release.deadline_s,
              .priority = task.priority,
              .batch = task.batch,
              .precision = candidate.precision,
              .units = candidate.shares,
              .alone_s = candidate.latency_s,
              .unknown_groups = candidate.load.unknown_groups,
              .incomplete = candidate.load.unknown_groups > 0 || state_.stack.IsIncomplete(),
              .verdict = state_.evaluation.verdicts[t],
              .reason = state_.evaluation.reasons[t]};
  const std::optional<double> period = state_.stack.PeriodOf(t);
  if (period.has_value()) row.rate_per_s = state_.stack.ProbabilityOf(t) * static_cast<double>(task.batch) / *period;
  AddResponses(t, &row);
  // Alone nothing differs from the analysis but the last digits of times that began late.
  row.bound_s = state_.evaluation.bounds.response_s[t];
  for (std::optional<double>* figure : {&row.mean_s, &row.worst_s, &row.bound_s, &row.age_s}) {
    if (figure->has_value() && std::abs(**figure - row.alone_s) <= 1e-9 * row.alone_s) *figure = row.alone_s;
  }
  if (state_.stack.ProbabilityOf(t) <= 0) row.bound_s.reset();
  if (row.deadline_s.has_value() && row.worst_s.has_value() && !row.incomplete)
    row.margin_s = *row.deadline_s - *row.worst_s;
  if (candidate.load.energy_j >= 0) row.energy_j = candidate.load.energy_j;
  if (row.unknown_groups > 0) AddUnknown(candidate, task.name);
  if (!candidate.note.empty()) Note(absl::StrCat("task \"", EscapeControl(task.name), "\": ", candidate.note));
  if (task.stated.has_value()) CheckStated(task, candidate);
  report_->reached_per_s += row.reached_per_s;
  report_->tasks.push_back(std::move(row));
}

void Reporter::AddUnits() {
  const std::vector<UnitDemand> demands = DemandOfUnits(state_.stack);
  for (uint32_t r = 0; r < state_.stack.resources.size(); ++r) {
    const Resource& resource = state_.stack.resources[r];
    if (resource.is_link) continue;
    WorkloadUnitRow row{.name = resource.name,
                        .policy = resource.policy,
                        .runs = RunsText(resource),
                        .servers = resource.servers,
                        .asked_share = demands[r].share};
    for (size_t t = 0; t < state_.stack.tasks.size(); ++t) {
      const double share = first_.counted_s > 0 ? first_.busy_s[r][t] / first_.counted_s / resource.servers : 0;
      row.busy_share += share;
      if (share > 0) row.by_task.push_back({NameOf(state_.workload, t), share});
    }
    row.busy_share = row.busy_share > 1 && row.busy_share < 1 + 1e-9 ? 1 : row.busy_share;
    if (row.by_task.size() > 1 && !KnowsTurns(state_.workload, *state_.chip.target, row.name)) {
      Note(absl::StrCat("it is not known how models take turns on ", EscapeControl(row.name),
                        ": who comes first is taken to run to the end of its segment"));
    }
    report_->units.push_back(std::move(row));
  }
}

void Reporter::AddMemory() {
  WorkloadMemory& memory = report_->memory;
  double constant = 0;
  for (const WorkloadLoad& load : state_.workload.loads) {
    if (load.unit.empty()) constant += load.bytes_per_s;
  }
  for (size_t t = 0; t < state_.stack.tasks.size(); ++t) {
    const std::string& name = NameOf(state_.workload, t);
    const double mean = first_.counted_s > 0 ? first_.tasks[t].bytes / first_.counted_s : 0;
    int64_t bytes = static_cast<int64_t>(state_.stack.tasks[t].load.peak_bytes);
    if (t < state_.workload.tasks.size()) {
      for (const MemoryNeed& need : CandidateOf(static_cast<uint32_t>(t)).needs) bytes -= SharedWeights(t, need);
    }
    bytes = std::max<int64_t>(0, bytes);
    memory.tasks.push_back({name, mean, first_.tasks[t].peak_bytes_per_s, bytes});
    memory.peak_bytes += bytes;
    memory.mean_bytes_per_s += mean;
  }
  for (const WorkloadLoad& load : state_.workload.loads) {
    if (!load.unit.empty()) continue;
    memory.tasks.push_back({load.name, load.bytes_per_s, load.bytes_per_s, 0});
  }
  memory.mean_bytes_per_s += constant;
  memory.peak_bytes_per_s = std::max(first_.peak_bytes_per_s + constant, memory.mean_bytes_per_s);
  const std::vector<double>& delivered = state_.chip.all_bytes_per_s;
  if (!delivered.empty() && delivered[0] > 0) memory.capacity_bytes_per_s = delivered[0];
  AddFit();
}

// Memories that a model has for itself while it runs hold the largest one: who comes next loads them again.
void Reporter::AddNeedsOf(const std::vector<MemoryNeed>& needs, std::vector<MemoryNeed>* sum) const {
  const Target& target = *state_.chip.target;
  const auto is_reloaded = [&](const std::string& name) {
    return std::any_of(target.units.begin(), target.units.end(), [&](const Unit& unit) {
      const Memory* const memory = OnChipMemoryOf(target, unit);
      return memory != nullptr && memory->name == name;
    });
  };
  for (const MemoryNeed& need : needs) {
    const auto known =
        std::find_if(sum->begin(), sum->end(), [&](const MemoryNeed& row) { return row.memory == need.memory; });
    if (known == sum->end() || !is_reloaded(need.memory)) {
      AddNeeds({&need, 1}, sum);
    } else if (need.needed_bytes() > known->needed_bytes()) {
      *known = need;
    }
  }
}

// All models lie in memory, whoever runs. What a task of a stated time needs is not known.
void Reporter::AddFit() {
  WorkloadMemory& memory = report_->memory;
  const Target& target = *state_.chip.target;
  bool is_part = false;
  for (uint32_t t = 0; t < state_.workload.tasks.size(); ++t) {
    const TaskPlan& candidate = CandidateOf(t);
    std::vector<MemoryNeed> needs = candidate.needs;
    for (MemoryNeed& need : needs) need.weight_bytes -= SharedWeights(t, need);
    AddNeedsOf(needs, &memory.needs);
    is_part = is_part || !candidate.knows_needs;
  }
  for (MemoryNeed& need : memory.needs) {
    need.is_part = need.is_part || is_part;
    JudgeNeed(target, &need);
  }
  memory.fits = is_part && memory.needs.empty() ? std::nullopt : FitsIn(memory.needs);
  if (memory.fits.value_or(true)) return;
  report_->diagnostics.insert(
      report_->diagnostics.begin(),
      {.code = Code::kDoesNotFit,
       .message = absl::StrCat("the tasks do not fit into memory together: ", MissingMemoryText(memory.needs)),
       .remedy = "leave tasks out, give them a narrower precision, or name a target with more memory"});
}

// Units that a task uses stay powered, busy or not.
void Reporter::AddPower() {
  const Target& target = *state_.chip.target;
  double watts = target.idle_w.value_or(0);
  std::vector<bool> used(target.units.size(), false);
  bool known = target.idle_w.known();
  for (uint32_t t = 0; t < state_.workload.tasks.size(); ++t) {
    const TaskPlan& candidate = CandidateOf(t);
    for (const Stage& stage : candidate.load.stages) {
      if (stage.resource < used.size()) used[stage.resource] = true;
    }
    known &= candidate.load.energy_j >= 0;
    if (first_.counted_s > 0)
      watts += std::max(0.0, candidate.load.energy_j) * static_cast<double>(first_.tasks[t].jobs) / first_.counted_s;
  }
  bool uses_host = false;
  for (uint32_t u = 0; u < used.size(); ++u) {
    if (used[u]) watts += target.units[UnitId(u)].static_w.value_or(0);
    uses_host |= used[u] && IsDiscreteHost(target, UnitId(u));
  }
  const Mode* mode = ModeOf(target, target.mode);
  if (mode != nullptr) report_->cap_w = mode->cap_w.value();
  // A host is outside of the cap.
  if (known && !uses_host && report_->cap_w.has_value() && watts > *report_->cap_w) {
    Note(absl::StrFormat("power adds up to %.1f W, of which mode %s allows %.0f W", watts, target.mode,
                         *report_->cap_w));
    watts = *report_->cap_w;
  }
  if (known) report_->energy_j_per_s = watts;
  if (known) report_->power_of = PowerOfText(target, uses_host);
}

void Reporter::AddSpans() {
  for (const BusySpan& span : first_.spans) {
    report_->segments.push_back(
        {span.task, span.job, state_.stack.resources[span.resource].name, span.start_s, span.end_s});
  }
  if (first_.spans_cut)
    Note(absl::StrCat("the first ", first_.spans.size(), " stretches of the timeline are listed, there are more"));
}

}  // namespace

void SetRelease(const Workload& workload, uint32_t t, std::optional<Fraction> period, Stack* stack) {
  const WorkloadTask& task = workload.tasks[t];
  Release& release = stack->tasks[t].release;
  release.after = task.after.empty() ? kNoTask : IndexOf(workload, task.after);
  release.period = release.after == kNoTask ? period : std::nullopt;
  release.pace = release.after == kNoTask ? std::nullopt : period;
  release.ratio = 1;
  if (release.after != kNoTask && period.has_value()) {
    const std::optional<double> before = stack->PeriodOf(release.after);
    if (before.has_value()) release.ratio = std::min(1.0, *before / period->value());
    if (release.ratio > 1 - kAlike) release.ratio = 1;
  }
  release.deadline_s = task.deadline_s;
  if (!release.deadline_s.has_value()) release.deadline_s = stack->PeriodOf(t);
}

StackFrame MakeFrame(const Workload& workload, const Chip& chip) {
  StackFrame frame;
  frame.stack.resources = chip.resources;
  frame.stack.pools = chip.pools;
  frame.stack.tasks.resize(workload.tasks.size());
  for (uint32_t t = 0; t < workload.tasks.size(); ++t) {
    const WorkloadTask& task = workload.tasks[t];
    Release& release = frame.stack.tasks[t].release;
    release.priority = task.priority;
    release.jitter_s = task.jitter_s;
    release.offset_s = task.offset_s;
    release.probability = task.probability;
  }
  // A task comes after those whose rate it takes.
  std::vector<bool> done(workload.tasks.size(), false);
  for (size_t round = 0; round < workload.tasks.size(); ++round) {
    for (uint32_t t = 0; t < workload.tasks.size(); ++t) {
      const uint32_t before = workload.tasks[t].after.empty() ? kNoTask : IndexOf(workload, workload.tasks[t].after);
      if (done[t] || (before != kNoTask && !done[before])) continue;
      SetRelease(workload, t, workload.tasks[t].period, &frame.stack);
      done[t] = true;
    }
  }
  return frame;
}

absl::Status Runner::Tell(const std::string& what) const {
  HWEST_RETURN_IF_ERROR(Stopped());
  if (options_.progress == nullptr || options_.progress(what)) return absl::OkStatus();
  return MakeError(Code::kInterrupted, "the run was cancelled", "");
}

absl::Status Runner::Stopped() const {
  if (options_.stop == nullptr || !options_.stop()) return absl::OkStatus();
  return MakeError(Code::kInterrupted, "the run was cancelled", "");
}

absl::StatusOr<const TaskModel*> Runner::ModelOf(const WorkloadTask& task, const Workload& workload) {
  if (shared_ != nullptr) {
    const auto shared = shared_->find(task.path);
    if (shared != shared_->end()) return &shared->second;
  }
  const std::string key = absl::StrCat(task.path, task.tokens.has_value() ? "|tokens" : "");
  const auto known = models_.find(key);
  if (known != models_.end()) return &known->second;
  HWEST_ASSIGN_OR_RETURN(TaskModel model, TaskModel::Load(task, workload.origin));
  return &models_.emplace(key, std::move(model)).first->second;
}

// A language model is one also where its task does not say so.
absl::Status Runner::FindTokens(WorkloadTask* task, const Chip& chip, const Workload& workload) {
  if (!task->is_model()) return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const TaskModel* const model, ModelOf(*task, workload));
  if (model->RunsAsTokens(*task, chip)) task->tokens = TaskTokens{};
  return absl::OkStatus();
}

absl::Status Runner::AddCandidates(RunState* state) {
  Workload& workload = state->workload;
  state->frame.candidates.resize(workload.tasks.size());
  for (size_t t = 0; t < workload.tasks.size(); ++t) {
    WorkloadTask& task = workload.tasks[t];
    if (task.stated.has_value()) continue;
    HWEST_RETURN_IF_ERROR(Tell(absl::StrCat("analysing ", task.name)));
    HWEST_RETURN_IF_ERROR(FindTokens(&task, state->chip, workload));
    const std::string key = KeyOf(task, state->chip);
    auto known = candidates_.find(key);
    if (known == candidates_.end()) {
      HWEST_ASSIGN_OR_RETURN(const TaskModel* const model, ModelOf(task, workload));
      HWEST_ASSIGN_OR_RETURN(std::vector<TaskPlan> found,
                             model->CandidatesOf(task, state->chip, workload.origin, options_.stop));
      HWEST_RETURN_IF_ERROR(Stopped());
      known = candidates_.emplace(key, std::move(found)).first;
    }
    std::vector<TaskPlan> candidates = known->second;
    const auto first_whole =
        std::find_if(candidates.begin(), candidates.end(), [](const TaskPlan& c) { return !c.side_by_side; });
    // Parts of a batch on equal units are one task on several units: alone they can be, beside others they get in the
    // way.
    if (workload.tasks.size() > 1 && first_whole != candidates.end()) {
      candidates.erase(
          std::remove_if(candidates.begin(), candidates.end(), [](const TaskPlan& c) { return c.side_by_side; }),
          candidates.end());
    }
    state->frame.candidates[t] = std::move(candidates);
  }
  FindModels(workload, state->chip, &state->frame);
  TakeAllCores(state);
  FindAlike(workload, state->chip, &state->frame);
  RaisePools(state->frame, &state->chip);
  for (size_t t = 0; t < workload.tasks.size(); ++t) {
    const WorkloadTask& task = workload.tasks[t];
    if (!task.stated.has_value()) continue;
    for (const std::string& name : task.only) {
      const absl::StatusOr<UnitId> unit = FindUnit(*state->chip.target, name);
      if (!unit.ok()) {
        const Diagnostic error = DiagnosticOf(unit.status());
        return MakeError(Code::kUsage,
                         absl::StrCat(EscapeControl(workload.origin), ":", task.line, ": ", error.message),
                         error.remedy, error.options);
      }
      state->frame.candidates[t].push_back(StatedCandidate(*task.stated, unit->index(), state->chip));
    }
  }
  state->frame.stack.pools = state->chip.pools;
  AddLoads(workload, state->chip, &state->frame.stack);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const Target>> Runner::TargetOf(const Workload& workload) {
  const std::pair<std::string, std::string> key(workload.target, workload.host);
  const auto known = targets_.find(key);
  if (known != targets_.end()) return known->second;
  HWEST_ASSIGN_OR_RETURN(
      Target raw, workload.host.empty() ? LoadTarget(workload.target) : LoadWithHost(workload.target, workload.host));
  return targets_.emplace(key, std::make_shared<const Target>(std::move(raw))).first->second;
}

absl::StatusOr<RunState> Runner::Prepare(Workload workload) {
  RunState state{.workload = std::move(workload)};
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Target> raw, TargetOf(state.workload));
  HWEST_ASSIGN_OR_RETURN(state.chip, MakeChip(state.workload, std::move(raw), state.workload.mode));
  state.frame = MakeFrame(state.workload, state.chip);
  HWEST_RETURN_IF_ERROR(AddCandidates(&state));
  return state;
}

absl::StatusOr<RunState> Runner::Try(Workload workload, const EvaluateOptions& options) {
  HWEST_ASSIGN_OR_RETURN(RunState state, Prepare(std::move(workload)));
  HWEST_RETURN_IF_ERROR(Tell("placing"));
  state.choice = ChoosePlans(state.frame);
  state.stack = state.frame.With(state.choice);
  HWEST_RETURN_IF_ERROR(Tell("simulating"));
  state.evaluation = Evaluate(state.stack, options);
  return state;
}

absl::StatusOr<WorkloadReport> Runner::Run(Workload workload, bool verdicts_alone) {
  EvaluateOptions evaluate = WholeRun();
  evaluate.simulate.trace = !verdicts_alone;
  evaluate.verdicts_alone = verdicts_alone;
  HWEST_ASSIGN_OR_RETURN(const RunState state, Try(std::move(workload), evaluate));
  WorkloadReport report;
  Reporter(state, &report).Run();
  if (!options_.studies) return report;
  HWEST_RETURN_IF_ERROR(FillRates(*this, state, &report));
  HWEST_RETURN_IF_ERROR(FillSlowdowns(*this, state, &report));
  HWEST_RETURN_IF_ERROR(FillFixes(*this, state, &report));
  HWEST_RETURN_IF_ERROR(Stopped());
  return report;
}

absl::StatusOr<WorkloadReport> RunWorkload(const Workload& workload, const WorkloadOptions& options) {
  Workload changed = workload;
  if (!options.target.empty()) changed.target = options.target;
  if (!options.mode.empty()) changed.mode = options.mode;
  if (!options.host.empty()) changed.host = options.host;
  if (changed.target.empty()) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(workload.origin), ":1: no target was named"),
                     "write target: \"jetson-orin\" in the file, or add --target NAME", {{"--target", {"NAME"}}});
  }
  return Runner(options).Run(std::move(changed));
}

}  // namespace hwest
