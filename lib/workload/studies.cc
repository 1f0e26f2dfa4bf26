// Studies beyond the verdicts: each task's largest rate, who slows whom, and fixes for missed tasks.
#include <algorithm>
#include <cmath>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "workload/quantity.h"
#include "workload/runner.h"

namespace hwest {
namespace {

constexpr int kRateHalvings = 14;
constexpr double kMostRate = 1e6;
constexpr double kLeastShare = 1e-3;  // of the largest rate, below which none is looked for
constexpr double kRateSteps = 1000;   // per input per second, so that periods stay short fractions
constexpr const char* kPrecisions[] = {"int8", "fp16", "w8a16", "fp8", "bf16"};
constexpr int64_t kBatches[] = {2, 4};

EvaluateOptions QuickLook() { return {.simulate = {.most_s = 1, .most_jobs = 20'000}}; }

bool NoneWorse(const std::vector<TaskVerdict>& now, const std::vector<TaskVerdict>& then, size_t except) {
  for (size_t t = 0; t < now.size(); ++t) {
    if (t != except && then[t] > now[t]) return false;
  }
  return true;
}

// Tasks as the rate of one changes.
class RateSearch {
 public:
  // `stack` is that of the run, or with another plan of the task.
  RateSearch(const RunState& state, Stack stack, uint32_t task)
      : state_(state), stack_(std::move(stack)), task_(task) {}

  // With quick looks from the critical instant; where other beginnings do not confirm what they found, below that with
  // those too.
  std::optional<double> Run(int random_runs) {
    EvaluateOptions thorough = QuickLook();
    thorough.random_runs = random_runs;
    thorough.simulate.most_jobs /= random_runs + 1;  // as long as one quick look
    const double most = Most();
    double low = 0, high = most;
    const std::optional<double> period = stack_.PeriodOf(task_);
    const bool works_now = state_.evaluation.verdicts[task_] != TaskVerdict::kMissed;
    if (!period.has_value() || stack_.IsIncomplete()) return std::nullopt;
    const double now = Batch() / *period;
    if (works_now) {
      low = now;
      if (high <= low) return low;
    } else {
      high = std::min(high, now);
    }
    const double found = Largest(low, high, most * kLeastShare, QuickLook());
    const bool is_confirmed = found <= low || Works(found, thorough);
    const double rate = is_confirmed ? found : Largest(low, found, most * kLeastShare, thorough);
    return rate > 0 ? std::optional<double>(rate) : std::nullopt;
  }

 private:
  // From `low`, which works or is 0, to `high`; none below `least` is tried.
  double Largest(double low, double high, double least, const EvaluateOptions& options) const {
    if (Works(high, options)) return high;
    for (int i = 0; i < kRateHalvings; ++i) {
      const double middle = (low + high) / 2;
      if (middle < least) break;
      (Works(middle, options) ? low : high) = middle;
    }
    return low;
  }

  double Batch() const { return static_cast<double>(state_.workload.tasks[task_].batch); }

  // Its jobs run one after the other, units have what the others leave, and no task comes more often than the one that
  // releases it.
  double Most() const {
    const StackTask& task = stack_.tasks[task_];
    double jobs = std::min(kMostRate, 1 / std::max(task.load.alone_s(), 1e-9));
    Stack others = stack_;
    others.tasks[task_].is_muted = true;
    const ResponseBounds bounds = BoundResponses(others, Ends::kPoint);
    for (const UnitDemand& demand : bounds.demand) {
      double seconds = 0;
      for (const Stage& stage : task.load.stages) {
        if (stage.resource != demand.resource) continue;
        for (const Piece& piece : stage.pieces) seconds += piece.alone_s();
      }
      if (seconds > 0) {
        const double servers = stack_.resources[demand.resource].servers;
        jobs = std::min(jobs, std::max(0.0, 1 - demand.share) * servers / seconds);
      }
    }
    if (task.release.after != kNoTask) {
      const std::optional<double> before = stack_.PeriodOf(task.release.after);
      if (before.has_value()) jobs = std::min(jobs, 1 / *before);
    }
    return jobs * Batch();
  }

  bool Works(double inputs_per_s, const EvaluateOptions& options) const {
    Stack stack = stack_;
    const auto scaled = static_cast<int64_t>(std::floor(inputs_per_s * kRateSteps));
    if (scaled < 1) return false;
    const auto batch = static_cast<int64_t>(Batch());
    SetRelease(state_.workload, task_, Fraction{batch * static_cast<int64_t>(kRateSteps), scaled}, &stack);
    // What it releases keeps its share of the jobs.
    const Evaluation then = Evaluate(stack, options);
    return then.verdicts[task_] != TaskVerdict::kMissed && NoneWorse(state_.evaluation.verdicts, then.verdicts, task_);
  }

  const RunState& state_;
  const Stack stack_;
  const uint32_t task_;
};

// A task that is missed may keep a higher rate by another of its plans.
std::optional<double> LargestRate(const RunState& state, uint32_t task, int random_runs) {
  std::optional<double> largest = RateSearch(state, state.stack, task).Run(random_runs);
  if (state.evaluation.verdicts[task] != TaskVerdict::kMissed) return largest;
  for (uint32_t plan = 0; plan < state.frame.candidates[task].size(); ++plan) {
    if (plan == state.choice[task]) continue;
    Choice choice = state.choice;
    choice[task] = plan;
    largest = std::max(largest, RateSearch(state, state.frame.With(choice), task).Run(random_runs));
  }
  return largest;
}

double MeanOf(const Simulation& run, size_t t) {
  return run.tasks[t].jobs > 0 ? run.tasks[t].sum_s / static_cast<double>(run.tasks[t].jobs) : 0;
}

// A change that is tried as a whole run.
class Fixes {
 public:
  Fixes(Runner& runner, const RunState& state, WorkloadReport* report)
      : runner_(runner), state_(state), report_(report) {}

  absl::Status Run() {
    for (uint32_t t = 0; t < state_.workload.tasks.size(); ++t) {
      if (state_.evaluation.verdicts[t] != TaskVerdict::kMissed) continue;
      HWEST_RETURN_IF_ERROR(TryRate(t));
      if (!state_.workload.tasks[t].is_model()) continue;
      HWEST_RETURN_IF_ERROR(TryPrecisions(t));
      HWEST_RETURN_IF_ERROR(TryUnits(t));
      HWEST_RETURN_IF_ERROR(TryBatches(t));
    }
    return TryModes();
  }

 private:
  bool Helps(uint32_t t, const Evaluation& then) const {
    return then.verdicts[t] != TaskVerdict::kMissed && NoneWorse(state_.evaluation.verdicts, then.verdicts, t);
  }

  // Adds a row for each of the missed tasks that the change helps: with a quick look first, then as the run itself
  // would judge it. What is incomplete helps no one.
  absl::Status Try(const std::vector<uint32_t>& tasks, FixKind kind, const std::string& change, Workload workload) {
    HWEST_RETURN_IF_ERROR(runner_.Tell(absl::StrCat("what if there was ", change)));
    const absl::StatusOr<RunState> then = runner_.Try(std::move(workload), QuickLook());
    if (!then.ok()) return DiagnosticOf(then.status()).code == Code::kInterrupted ? then.status() : absl::OkStatus();
    const auto helps = [&](const Evaluation& evaluation) {
      return std::any_of(tasks.begin(), tasks.end(), [&](uint32_t t) { return Helps(t, evaluation); });
    };
    if (then->stack.IsIncomplete() || !helps(then->evaluation)) return absl::OkStatus();
    const Evaluation whole = Evaluate(then->stack, runner_.WholeRun());
    for (const uint32_t t : tasks) {
      if (!Helps(t, whole)) continue;
      report_->fixes.push_back({state_.workload.tasks[t].name, kind, change, whole.verdicts[t], whole.WorstOf(t),
                                whole.bounds.response_s[t]});
    }
    return absl::OkStatus();
  }

  absl::Status TryRate(uint32_t t) {
    const std::optional<double>& most = report_->tasks[t].max_rate_per_s;
    if (!most.has_value()) return absl::OkStatus();
    // Of all that come before chances are taken, as the file states it.
    const double asked = *most / std::max(state_.stack.ProbabilityOf(t), 1e-9);
    const std::string rate = absl::StrFormat("%.2f FPS", std::floor(asked * 100) / 100);
    const std::optional<Fraction> period = ReadPeriod(rate);
    if (!period.has_value()) return absl::OkStatus();
    Workload workload = state_.workload;
    workload.tasks[t].period = Times(*period, workload.tasks[t].batch);
    return Try({t}, FixKind::kRate, absl::StrCat("rate: \"", rate, "\""), std::move(workload));
  }

  absl::Status TryPrecisions(uint32_t t) {
    for (const char* const precision : kPrecisions) {
      if (report_->tasks[t].precision == precision) continue;
      Workload workload = state_.workload;
      workload.tasks[t].precision = precision;
      HWEST_RETURN_IF_ERROR(
          Try({t}, FixKind::kPrecision, absl::StrCat("precision: \"", precision, "\""), std::move(workload)));
    }
    return absl::OkStatus();
  }

  // Without its own restriction.
  absl::Status TryUnits(uint32_t t) {
    const WorkloadTask& task = state_.workload.tasks[t];
    if (task.only.empty() && task.pin.empty()) return absl::OkStatus();
    Workload workload = state_.workload;
    workload.tasks[t].only.clear();
    workload.tasks[t].pin.clear();
    std::vector<std::string> emptied;
    if (!task.only.empty()) emptied.push_back("only: []");
    if (!task.pin.empty()) emptied.push_back("pin: []");
    return Try({t}, FixKind::kUnits, absl::StrJoin(emptied, " "), std::move(workload));
  }

  absl::Status TryBatches(uint32_t t) {
    const WorkloadTask& task = state_.workload.tasks[t];
    if (task.deadline_s.has_value() || !task.period.has_value() || !task.after.empty()) return absl::OkStatus();
    for (const int64_t factor : kBatches) {
      Workload workload = state_.workload;
      workload.tasks[t].batch = task.batch * factor;
      workload.tasks[t].period = Fraction{task.period->num * factor, task.period->den};
      HWEST_RETURN_IF_ERROR(
          Try({t}, FixKind::kBatch, absl::StrCat("batch: ", task.batch * factor), std::move(workload)));
    }
    return absl::OkStatus();
  }

  // A mode is of the whole file.
  absl::Status TryModes() {
    std::vector<uint32_t> missed;
    for (uint32_t t = 0; t < state_.workload.tasks.size(); ++t) {
      if (state_.evaluation.verdicts[t] == TaskVerdict::kMissed) missed.push_back(t);
    }
    if (missed.empty()) return absl::OkStatus();
    for (const Mode& mode : state_.chip.raw->modes) {
      if (mode.name == state_.chip.target->mode) continue;
      Workload workload = state_.workload;
      workload.mode = mode.name;
      HWEST_RETURN_IF_ERROR(Try(missed, FixKind::kMode,
                                absl::StrCat("mode: \"", absl::Utf8SafeCEscape(mode.name), "\""), std::move(workload)));
    }
    return absl::OkStatus();
  }

  Runner& runner_;
  const RunState& state_;
  WorkloadReport* report_;
};

}  // namespace

absl::Status FillRates(const Runner& runner, const RunState& state, WorkloadReport* report) {
  for (uint32_t t = 0; t < report->tasks.size(); ++t) {
    HWEST_RETURN_IF_ERROR(runner.Tell(absl::StrCat("largest rate of ", report->tasks[t].name)));
    const std::optional<double> largest = LargestRate(state, t, runner.WholeRun().random_runs);
    if (largest.has_value()) report->tasks[t].max_rate_per_s = state.stack.ProbabilityOf(t) * *largest;
  }
  return absl::OkStatus();
}

namespace {

// Shown as sooner by reports.
constexpr double kNotablySooner = 0.995;

// Why a task may answer sooner beside another one.
void NoteSooner(WorkloadReport* report) {
  const SlowdownRow& row = report->slowdown.back();
  report->diagnostics.push_back(
      {.code = Code::kAssumed,
       .message =
           absl::StrCat("\"", EscapeControl(row.task), "\" answers sooner beside \"", EscapeControl(row.by),
                        "\" than without it: others then come at other moments, or fewer of its jobs are served")});
}

}  // namespace

absl::Status FillSlowdowns(const Runner& runner, const RunState& state, WorkloadReport* report) {
  const size_t n = state.workload.tasks.size();
  if (n < 2) return absl::OkStatus();
  for (size_t by = 0; by < n; ++by) {
    HWEST_RETURN_IF_ERROR(runner.Tell(absl::StrCat("without ", state.workload.tasks[by].name)));
    Stack without = state.stack;
    without.tasks[by].is_muted = true;
    const Simulation run = Simulate(without, {});
    for (size_t t = 0; t < n; ++t) {
      if (t == by) continue;
      const double with = MeanOf(state.evaluation.runs[0], t), alone = MeanOf(run, t);
      std::optional<double> factor;
      if (with > 0 && alone > 0 && !state.stack.IsIncomplete())
        factor = std::fabs(with / alone - 1) < 1e-9 ? 1 : with / alone;
      report->slowdown.push_back({state.workload.tasks[t].name, state.workload.tasks[by].name, factor});
      if (factor.value_or(1) < kNotablySooner) NoteSooner(report);
    }
  }
  return absl::OkStatus();
}

absl::Status FillFixes(Runner& runner, const RunState& state, WorkloadReport* report) {
  return Fixes(runner, state, report).Run();
}

}  // namespace hwest
