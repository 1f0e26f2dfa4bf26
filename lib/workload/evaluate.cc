#include "workload/evaluate.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"

namespace hwest {
namespace {

constexpr double kSameDigits = 1e-9;
constexpr int64_t kMostEvents = 40'000'000;  // of all runs; fewer runs where a stack has more
constexpr int kDriftingRuns = 2;
constexpr double kMostDrifting_s = 2;
constexpr int64_t kMostDriftingJobs = 20'000;

bool AnyMissed(const Evaluation& evaluation, size_t t) {
  return std::any_of(evaluation.runs.begin(), evaluation.runs.end(),
                     [t](const Simulation& run) { return run.tasks[t].any_missed; });
}

double BusyShare(const Stack& stack, const Simulation& run, uint32_t r) {
  double seconds = 0;
  for (const double own : run.busy_s[r]) seconds += own;
  return run.counted_s > 0 ? seconds / run.counted_s / stack.resources[r].servers : 0;
}

// A unit that is asked for too much need not be busy all the time: jobs also wait for transfers and other units.
std::string DemandText(const Stack& stack, const UnitDemand& demand, const Simulation& run) {
  return absl::StrFormat("%s is asked for %.0f %% of its time and busy for %.0f %% of it",
                         stack.resources[demand.resource].name, demand.share * 100,
                         std::min(1.0, BusyShare(stack, run, demand.resource)) * 100);
}

// Someone has to miss on an overloaded unit, though a simulation may end before it shows.
void MarkOverload(const Stack& stack, const UnitDemand& demand, Evaluation* out) {
  std::vector<size_t> on_it, unbounded;
  bool any_missed = false;
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    if (stack.tasks[t].is_load || !stack.tasks[t].Uses(demand.resource)) continue;
    on_it.push_back(t);
    any_missed |= out->verdicts[t] == TaskVerdict::kMissed;
    if (!out->bounds.response_s[t].has_value()) unbounded.push_back(t);
  }
  if (!any_missed) {
    for (const size_t t : unbounded.empty() ? on_it : unbounded) out->verdicts[t] = TaskVerdict::kMissed;
  }
  for (const size_t t : on_it) {
    if (out->verdicts[t] == TaskVerdict::kMissed) out->reasons[t] = DemandText(stack, demand, out->runs[0]);
  }
}

bool AnyDropped(const Evaluation& evaluation, size_t t) {
  return std::any_of(evaluation.runs.begin(), evaluation.runs.end(),
                     [t](const Simulation& run) { return run.tasks[t].dropped > 0; });
}

// A task gets fewer jobs than it asks for where one that it comes after, directly or not, drops some.
void MarkFollowers(const Stack& stack, Evaluation* out) {
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    bool is_short = false;
    for (uint32_t at = stack.tasks[t].release.after; at != kNoTask; at = stack.tasks[at].release.after) {
      is_short |= AnyDropped(*out, at);
    }
    if (!is_short || stack.ProbabilityOf(t) <= 0 || out->verdicts[t] == TaskVerdict::kMissed) continue;
    out->verdicts[t] = TaskVerdict::kMissed;
    out->reasons[t] = "what it comes after loses jobs";
  }
}

std::string ReasonOf(const Stack& stack, size_t t, double worst) {
  const StackTask& task = stack.tasks[t];
  const double alone = task.load.alone_s();
  const std::optional<double> period = stack.PeriodOf(static_cast<uint32_t>(t));
  if (task.release.deadline_s.has_value() && alone > *task.release.deadline_s) {
    return absl::StrCat("it takes ", FormatSeconds(alone), " alone");
  }
  if (period.has_value() && alone > *period) {
    return absl::StrCat("one job takes ", FormatSeconds(alone), " alone, and the next one comes after ",
                        FormatSeconds(*period));
  }
  return absl::StrCat("others make it wait: ", FormatSeconds(worst), " instead of ", FormatSeconds(alone), " alone");
}

void AddDrifting(const Stack& stack, SimulateOptions simulate, Evaluation* out) {
  if (!stack.Drifts()) return;
  simulate.reversed = false;
  simulate.drift = kDrift;
  simulate.most_jobs = std::min(simulate.most_jobs, kMostDriftingJobs);
  simulate.most_s = std::min(simulate.most_s, kMostDrifting_s);
  for (int i = 1; i <= kDriftingRuns; ++i) {
    simulate.seed = static_cast<uint64_t>(i);
    out->runs.push_back(Simulate(stack, simulate));
  }
}

// Whether no further run can change that some task is missed, or that none is.
bool IsJudged(const Stack& stack, const Evaluation& evaluation) {
  bool all_bounded = !stack.IsIncomplete();
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    if (stack.tasks[t].is_load) continue;
    if (AnyMissed(evaluation, t)) return true;
    const std::optional<double>& deadline = stack.tasks[t].release.deadline_s;
    const std::optional<double>& bound = evaluation.bounds.response_s[t];
    all_bounded &= bound.has_value() && (!deadline.has_value() || *bound <= *deadline);
  }
  return all_bounded;
}

}  // namespace

double Evaluation::WorstOf(size_t task) const {
  double worst = 0;
  for (const Simulation& run : runs) worst = std::max(worst, run.tasks[task].worst_s);
  return worst;
}

Evaluation Evaluate(const Stack& stack, const EvaluateOptions& options) {
  Evaluation out;
  out.bounds = BoundResponses(stack, Ends::kHigh);
  SimulateOptions simulate = options.simulate;
  out.runs.push_back(Simulate(stack, simulate));
  size_t pieces = 1;
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    if (stack.ProbabilityOf(t) <= 0) continue;
    for (const Stage& stage : stack.tasks[t].load.stages) pieces = std::max(pieces, stage.pieces.size());
  }
  const int64_t events = std::max<int64_t>(1, out.runs[0].jobs * static_cast<int64_t>(pieces));
  const bool is_judged = options.verdicts_alone && IsJudged(stack, out);
  const int more = is_judged ? 0 : static_cast<int>(std::min<int64_t>(options.random_runs, kMostEvents / events));
  simulate.trace = false;
  for (int i = 0; i < more; ++i) {
    simulate.reversed = i == 0;
    simulate.seed = static_cast<uint64_t>(i);
    out.runs.push_back(Simulate(stack, simulate));
  }
  if (!is_judged) AddDrifting(stack, simulate, &out);
  const bool is_incomplete = stack.IsIncomplete();
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    const std::optional<double>& deadline = stack.tasks[t].release.deadline_s;
    std::optional<double>& bound = out.bounds.response_s[t];
    const double worst = out.WorstOf(t);
    // The sums of both differ in their last digits.
    if (bound.has_value() && worst > *bound && worst <= *bound * (1 + kSameDigits)) bound = worst;
    const bool is_known = !is_incomplete && stack.tasks[t].load.unknown_groups == 0;
    const bool holds =
        is_known && bound.has_value() && (!deadline.has_value() || *bound <= *deadline * (1 + kSameDigits));
    out.verdicts.push_back(AnyMissed(out, t) ? TaskVerdict::kMissed
                           : holds           ? TaskVerdict::kHolds
                                             : TaskVerdict::kSimulated);
    out.reasons.emplace_back();
  }
  for (const UnitDemand& demand : out.bounds.demand) {
    if (demand.share > 1 + kSameDigits) MarkOverload(stack, demand, &out);
  }
  MarkFollowers(stack, &out);
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    if (out.verdicts[t] == TaskVerdict::kMissed && out.reasons[t].empty())
      out.reasons[t] = ReasonOf(stack, t, out.WorstOf(t));
  }
  if (is_incomplete) std::fill(out.bounds.response_s.begin(), out.bounds.response_s.end(), std::nullopt);
  return out;
}

}  // namespace hwest
