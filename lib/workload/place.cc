#include "workload/place.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/types/span.h"
#include "base/portable_math.h"
#include "workload/evaluate.h"

namespace hwest {
namespace {

constexpr uint64_t kFewChoices = 64;     // all are simulated
constexpr uint64_t kManyChoices = 5000;  // not all are bounded
constexpr size_t kSimulated = 8;
constexpr size_t kMostWholeRuns = 8;
constexpr int kMostExchanges = 40;
constexpr double kSameScore = 1e-9;
constexpr double kNoBoundRatio = 1e6;  // ratio of a task without a bound, plus what it asks for
constexpr double kLooseDeadline = 10;  // of tasks without one: times their time alone

// Of a task without one it does not depend on the plan: a slower plan is no reason to wait longer.
double DeadlineOf(const StackTask& task) {
  const double least_s = task.least_s > 0 ? task.least_s : task.load.alone_s();
  return task.release.deadline_s.value_or(kLooseDeadline * std::max(least_s, 1e-9));
}

// How often the rate that a task asks for is halved until it is what the task reaches.
int HalvingsOf(double lost) {
  return lost <= 0 ? 0 : static_cast<int>(std::min(30.0, -portable::Log2(std::max(1 - lost, 1e-9))));
}

// By what tasks lose of their jobs, and which are missed.
void SetShort(const Stack& stack, const std::vector<double>& lost, const std::vector<bool>& missed, Score* score) {
  struct Row {
    double most = 0;
    int missed = 0;
  };
  std::map<int32_t, Row> by_priority;
  double sum = 0;
  for (size_t t = 0; t < lost.size(); ++t) {
    if (stack.tasks[t].is_load) continue;
    Row& row = by_priority[stack.tasks[t].release.priority];
    row.most = std::max(row.most, lost[t]);
    row.missed += missed[t];
    score->missed += missed[t];
    sum += lost[t];
  }
  for (const auto& [priority, row] : by_priority) {
    score->lost.push_back(HalvingsOf(row.most));
    score->lost.push_back(std::max(row.missed, row.most > kSameScore ? 1 : 0));
  }
  score->lost.push_back(static_cast<int>(std::lround(100 * sum)));
}

// The least that tasks lose whatever the policy: jobs of a task follow each other, and an overloaded unit leaves out
// some of those that matter least.
std::vector<double> LeastLost(const Stack& stack, const std::vector<UnitDemand>& demands) {
  std::vector<double> lost(stack.tasks.size(), 0);
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    const std::optional<double> period = stack.PeriodOf(t);
    const double alone_s = stack.tasks[t].load.alone_s();
    if (period.has_value() && stack.ProbabilityOf(t) > 0 && alone_s > *period) lost[t] = 1 - *period / alone_s;
  }
  for (const UnitDemand& demand : demands) {
    if (demand.share <= 1 + kSameScore) continue;
    int32_t last = INT32_MIN;
    for (const StackTask& task : stack.tasks) {
      if (!task.is_load && task.Uses(demand.resource)) last = std::max(last, task.release.priority);
    }
    for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
      const StackTask& task = stack.tasks[t];
      const bool is_last = !task.is_load && task.release.priority == last && task.Uses(demand.resource);
      if (is_last && stack.ProbabilityOf(t) > 0) lost[t] = std::max(lost[t], 1 - 1 / demand.share);
    }
  }
  return lost;
}

double EnergyOf(const Stack& stack) {
  double watts = 0;
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    const StackTask& task = stack.tasks[t];
    const double period = stack.PeriodOf(t).value_or(std::max(task.load.alone_s(), 1e-9));
    watts += stack.ProbabilityOf(t) * std::max(0.0, task.load.energy_j) / period;
  }
  return watts;
}

uint64_t NumChoices(const StackFrame& frame) {
  uint64_t count = 1;
  for (const std::vector<TaskPlan>& candidates : frame.candidates) {
    count = std::min<uint64_t>(UINT32_MAX, count * candidates.size());
  }
  return count;
}

// Counts through all choices; false after the last one.
bool Next(const StackFrame& frame, Choice* choice) {
  for (size_t t = choice->size(); t-- > 0;) {
    if (++(*choice)[t] < frame.candidates[t].size()) return true;
    (*choice)[t] = 0;
  }
  return false;
}

class Search {
 public:
  explicit Search(const StackFrame& frame) : frame_(frame), start_(frame.candidates.size(), 0) {}

  Choice Run() {
    if (NumChoices(frame_) <= kFewChoices) {
      Choice choice = start_;
      std::vector<Choice> all;
      do {
        if (Ordered(choice) == choice) all.push_back(choice);
      } while (Next(frame_, &choice));
      return BestSimulated(all);
    }
    if (NumChoices(frame_) <= kManyChoices) {
      Choice choice = start_;
      do {
        ScoreOf(choice);
      } while (Next(frame_, &choice));
    } else {
      Exchange(start_);
      for (size_t first = 0; first < start_.size(); ++first) {
        if (frame_.alike.empty() || frame_.alike[first] == first) Exchange(Spread(first));
      }
    }
    return BestSimulated(Finalists());
  }

 private:
  // Of tasks that are alike, it does not matter which one has which plan.
  Choice Ordered(Choice choice) const {
    for (size_t t = 0; t < frame_.alike.size(); ++t) {
      for (size_t other = t + 1; other < frame_.alike.size(); ++other) {
        if (frame_.alike[other] == frame_.alike[t] && choice[other] < choice[t]) std::swap(choice[other], choice[t]);
      }
    }
    return choice;
  }

  const Score& ScoreOf(const Choice& as_found) {
    const Choice choice = Ordered(as_found);
    const auto known = scores_.find(choice);
    if (known != scores_.end()) return known->second;
    return scores_.emplace(choice, BoundedScore(frame_.With(choice))).first->second;
  }

  // Each task in turn, from `first` on, where it does best beside those before it.
  Choice Spread(size_t first) {
    Choice choice = start_;
    for (size_t i = 0; i < choice.size(); ++i) ImproveOne((first + i) % choice.size(), &choice);
    return choice;
  }

  bool ImproveOne(size_t t, Choice* choice) {
    Choice best = *choice;
    for (uint32_t c = 0; c < frame_.candidates[t].size(); ++c) {
      Choice other = *choice;
      other[t] = c;
      if (IsBetter(ScoreOf(other), ScoreOf(best))) best = other;
    }
    const bool improved = best != *choice;
    *choice = best;
    return improved;
  }

  // The best exchange of two.
  bool ImproveTwo(Choice* choice) {
    Choice best = *choice;
    for (size_t a = 0; a < choice->size(); ++a) {
      for (size_t b = a + 1; b < choice->size(); ++b) {
        Choice other = *choice;
        for (other[a] = 0; other[a] < frame_.candidates[a].size(); ++other[a]) {
          for (other[b] = 0; other[b] < frame_.candidates[b].size(); ++other[b]) {
            if (IsBetter(ScoreOf(other), ScoreOf(best))) best = other;
          }
        }
      }
    }
    const bool improved = best != *choice;
    *choice = best;
    return improved;
  }

  void Exchange(Choice choice) {
    for (int round = 0; round < kMostExchanges; ++round) {
      bool improved = false;
      for (size_t t = 0; t < choice.size(); ++t) improved |= ImproveOne(t, &choice);
      if (!improved && !ImproveTwo(&choice)) return;
    }
  }

  std::vector<Choice> Finalists() const {
    std::vector<std::pair<Choice, Score>> ranked(scores_.begin(), scores_.end());
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return IsBetter(a.second, b.second); });
    std::vector<Choice> choices = {start_};
    for (size_t i = 0; i < std::min(kSimulated, ranked.size()); ++i) choices.push_back(ranked[i].first);
    return choices;
  }

  // Of equal ones the first. A miss that comes once in seconds does not show in a short look: the whole run decides
  // between the best ones.
  Choice BestSimulated(const std::vector<Choice>& choices) const {
    size_t best = 0;
    Score least = SimulatedScore(frame_.With(choices[0]));
    std::vector<std::pair<size_t, Score>> ranked = {{0, least}};
    for (size_t i = 1; i < choices.size(); ++i) {
      const Score score = SimulatedScore(frame_.With(choices[i]), &least);
      ranked.emplace_back(i, score);
      if (!IsBetter(score, least)) continue;
      best = i;
      least = score;
    }
    const Score whole = WholeScore(frame_.With(choices[best]));
    if (whole.missed <= least.missed) return choices[best];
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return IsBetter(a.second, b.second); });
    least = whole;
    for (size_t i = 0, looks = 0; i < ranked.size() && looks < kMostWholeRuns; ++i) {
      if (ranked[i].first == best || ranked[i].second.missed > least.missed) continue;
      ++looks;
      const Score score = WholeScore(frame_.With(choices[ranked[i].first]));
      if (!IsBetter(score, least)) continue;
      best = ranked[i].first;
      least = score;
    }
    return choices[best];
  }

  const StackFrame& frame_;
  const Choice start_;
  std::map<Choice, Score> scores_;
};

}  // namespace

Stack StackFrame::With(const Choice& choice) const {
  Stack filled = stack;
  for (size_t t = 0; t < choice.size(); ++t) {
    filled.tasks[t].load = candidates[t][choice[t]].load;
    double& least_s = filled.tasks[t].least_s = filled.tasks[t].load.alone_s();
    for (const TaskPlan& candidate : candidates[t]) least_s = std::min(least_s, candidate.load.alone_s());
    // One compiled model serves all tasks that run it by the same plan.
    for (size_t first = 0; first < t && !models.empty(); ++first) {
      if (models[first] != models[t] || choice[first] != choice[t]) continue;
      filled.tasks[t].shares_model_of = static_cast<uint32_t>(first);
      break;
    }
  }
  FitToPools(&filled);
  return filled;
}

bool IsBetter(const Score& a, const Score& b) {
  if (a.lost != b.lost) return a.lost < b.lost;
  if (a.missed != b.missed) return a.missed < b.missed;
  if (std::fabs(a.ratio - b.ratio) > kSameScore * std::max(a.ratio, b.ratio)) return a.ratio < b.ratio;
  return a.energy_w < b.energy_w * (1 - kSameScore);
}

Score BoundedScore(const Stack& stack) {
  const ResponseBounds bounds = BoundResponses(stack, Ends::kPoint);
  double asked = 0;
  for (const UnitDemand& demand : bounds.demand) asked = std::max(asked, demand.share);
  Score score{.energy_w = EnergyOf(stack)};
  std::vector<bool> missed(stack.tasks.size(), false);
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    if (stack.tasks[t].is_load) continue;
    const double ratio =
        bounds.response_s[t].has_value() ? *bounds.response_s[t] / DeadlineOf(stack.tasks[t]) : kNoBoundRatio + asked;
    missed[t] = ratio > 1 + kSameScore;
    score.ratio = std::max(score.ratio, ratio);
  }
  SetShort(stack, LeastLost(stack, bounds.demand), missed, &score);
  return score;
}

namespace {

// By the first simulation; the others only add misses and longer responses.
Score ScoreOfRuns(const Stack& stack, absl::Span<const Simulation> runs) {
  Score score{.energy_w = EnergyOf(stack)};
  const std::vector<UnitDemand> demands = DemandOfUnits(stack);
  std::vector<double> lost = LeastLost(stack, demands);
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) lost[t] = std::max(lost[t], runs[0].tasks[t].dropped_share());
  std::vector<bool> missed(stack.tasks.size(), false);
  for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
    if (stack.tasks[t].is_load) continue;
    // Of a task that never ends one the time alone is the least.
    double worst_s = stack.ProbabilityOf(t) > 0 ? stack.tasks[t].load.alone_s() : 0;
    for (const Simulation& run : runs) {
      missed[t] = missed[t] || run.tasks[t].any_missed;
      worst_s = std::max(worst_s, run.tasks[t].worst_s);
    }
    score.ratio = std::max(score.ratio, worst_s / DeadlineOf(stack.tasks[t]));
  }
  // An overload shows late in a simulation, and in what the rates ask for at once.
  for (const UnitDemand& demand : demands) {
    if (demand.share <= 1 + kSameScore) continue;
    score.ratio = std::max(score.ratio, demand.share);
  }
  SetShort(stack, lost, missed, &score);
  return score;
}

}  // namespace

Score WholeScore(const Stack& stack) { return ScoreOfRuns(stack, Evaluate(stack, {}).runs); }

Score SimulatedScore(const Stack& stack, const Score* least) {
  std::vector<Simulation> runs = {Simulate(stack, {.most_s = 1, .most_jobs = 20'000})};
  const Score score = ScoreOfRuns(stack, runs);
  if (!stack.Drifts() || (least != nullptr && !IsBetter(score, *least))) return score;
  runs.push_back(Simulate(stack, {.most_s = 1, .most_jobs = 5'000, .seed = 1, .drift = kDrift}));
  return ScoreOfRuns(stack, runs);
}

Choice ChoosePlans(const StackFrame& frame) {
  StackFrame searched = frame;
  // What never runs is as good in any place, and no reason to search less thoroughly.
  for (uint32_t t = 0; t < frame.candidates.size(); ++t) {
    std::vector<TaskPlan>& candidates = searched.candidates[t];
    if (frame.stack.ProbabilityOf(t) > 0) continue;
    candidates.erase(candidates.begin() + 1, candidates.end());
    searched.alike.clear();
  }
  return Search(searched).Run();
}

}  // namespace hwest
