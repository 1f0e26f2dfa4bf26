#include "fit/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "fit/machines.h"
#include "fit/robust_step.h"

namespace hwest {
namespace {

constexpr double kLossScale = 0.1;    // ln at which the loss turns from square to linear
constexpr double kDifference = 1e-3;  // ln, of the numeric derivatives
constexpr double kSteepest = 4;       // of those; what is steeper is a jump from one layout to another, not a slope
constexpr double kFirstRadius = 0.8;  // ln, of the trust region
constexpr double kLeastRadius = 1e-3;
constexpr double kShrink = 0.3;
constexpr double kNever = 50;  // ln seconds of a plan that has no time

void SetFree(const FreeFact& free, double value, std::vector<Target>* machines) {
  for (Target& machine : *machines) {
    for (Unit& unit : machine.units) {
      Fact* fact = FactOf(free, machine, &unit);
      if (fact != nullptr) fact->fit = Fit{.value = value};
    }
  }
}

bool Touches(const FreeFact& free, const FitProblem::Placed& placed, const Target& machine) {
  if (!free.target.empty() && free.target != machine.name) return false;
  if (free.family != machine.family) return false;
  const auto touches = [&](UnitId id, const GroupWork& work) {
    const Unit& unit = machine.units[id];
    if (unit.kind != free.kind) return false;
    return free.target.empty() ? PrecisionName(work.precision) == free.precision : unit.name == free.unit;
  };
  const FitPlan& plan = placed.plan;
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [&](const FitPlan::Step& step) { return touches(step.unit, step.work); }) ||
         std::any_of(plan.pipelines.begin(), plan.pipelines.end(), [&](const FitPlan::Pipeline& pipeline) {
           return std::any_of(pipeline.works.begin(), pipeline.works.end(),
                              [&](const GroupWork& work) { return touches(pipeline.unit, work); });
         });
}

double LnSecondsOf(const FitPlan& plan, Machines& machines) {
  const std::optional<double> seconds = SecondsOf(plan, machines);
  return seconds.has_value() && *seconds > 0 ? portable::Log(*seconds) : kNever;
}

RobustStep StepFrom(const FitProblem& problem, const FitState& state, absl::Span<const uint8_t> used) {
  const size_t n = problem.free.size();
  RobustStep step{.scale = kLossScale};
  for (size_t i = 0; i < problem.points.size(); ++i) {
    const FitProblem::Point& point = problem.points[i];
    if (used[i] == 0) continue;
    step.residuals.push_back(state.ln_seconds[point.plan] - point.ln_seconds);
    step.weights.push_back(point.weight);
    step.rows.push_back(state.slopes.data() + size_t{point.plan} * n);
  }
  for (size_t j = 0; j < n; ++j) {
    step.offset.push_back((state.ln_values[j] - portable::Log(problem.free[j].prior)) / problem.free[j].spread);
    step.spreads.push_back(problem.free[j].spread);
  }
  return step;
}

void SetBox(const FitProblem& problem, const FitState& state, double radius, RobustStep* step) {
  step->lower.clear();
  step->upper.clear();
  for (size_t j = 0; j < problem.free.size(); ++j) {
    const double below = portable::Log(problem.free[j].min) - state.ln_values[j];
    const double above = portable::Log(problem.free[j].max) - state.ln_values[j];
    step->lower.push_back(std::min(0.0, std::max(-radius, below)));
    step->upper.push_back(std::max(0.0, std::min(radius, above)));
  }
}

}  // namespace

FitEngine::FitEngine(FitProblem problem, FitOptions options)
    : problem_(std::move(problem)), options_(options), plans_on_(problem_.machines.size()) {
  for (uint32_t i = 0; i < problem_.plans.size(); ++i) plans_on_[problem_.plans[i].machine].push_back(i);
  for (uint32_t m = 0; m < problem_.machines.size(); ++m) {
    for (uint32_t j = 0; j < problem_.free.size(); ++j) {
      Column column{.machine = m, .free = j, .plans = {}};
      for (const uint32_t i : plans_on_[m]) {
        if (Touches(problem_.free[j], problem_.plans[i], problem_.machines[m])) column.plans.push_back(i);
      }
      if (!column.plans.empty()) columns_.push_back(std::move(column));
    }
  }
}

// Each thread has machines of its own to write values into.
void FitEngine::EachTask(const std::vector<double>& ln_values, size_t tasks,
                         const std::function<void(size_t task, std::vector<Target>& machines)>& visit) const {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    std::vector<Target> machines = problem_.machines;
    for (size_t j = 0; j < ln_values.size(); ++j) SetFree(problem_.free[j], portable::Exp(ln_values[j]), &machines);
    for (size_t task = next++; task < tasks; task = next++) visit(task, machines);
  };
  std::vector<std::thread> others;
  for (size_t t = 1; t < options_.threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

std::vector<double> FitEngine::LnSeconds(const std::vector<double>& ln_values) const {
  std::vector<double> ln_seconds(problem_.plans.size());
  EachTask(ln_values, plans_on_.size(), [&](size_t m, std::vector<Target>& targets) {
    Machines machines(targets[m]);
    for (const uint32_t i : plans_on_[m]) ln_seconds[i] = LnSecondsOf(problem_.plans[i].plan, machines);
  });
  return ln_seconds;
}

void FitEngine::Linearise(FitState* state) const {
  const size_t n = problem_.free.size();
  state->slopes.assign(problem_.plans.size() * n, 0);
  EachTask(state->ln_values, columns_.size(), [&](size_t task, std::vector<Target>& targets) {
    const Column& column = columns_[task];
    Target& target = targets[column.machine];
    const auto set = [&](double ln_value) {
      for (Unit& unit : target.units) {
        Fact* fact = FactOf(problem_.free[column.free], target, &unit);
        if (fact != nullptr) fact->fit->value = portable::Exp(ln_value);
      }
    };
    set(state->ln_values[column.free] + kDifference);
    Machines machines(target);
    for (const uint32_t i : column.plans) {
      const double slope = (LnSecondsOf(problem_.plans[i].plan, machines) - state->ln_seconds[i]) / kDifference;
      state->slopes[i * n + column.free] = std::fabs(slope) < kSteepest ? slope : 0;
    }
    set(state->ln_values[column.free]);
  });
}

FitState FitEngine::Start() const {
  FitState state;
  for (const FreeFact& free : problem_.free) state.ln_values.push_back(portable::Log(free.start));
  state.ln_seconds = LnSeconds(state.ln_values);
  Linearise(&state);
  return state;
}

double FitEngine::LossOf(const FitState& state, absl::Span<const uint8_t> used) const {
  double loss = 0;
  for (size_t i = 0; i < problem_.points.size(); ++i) {
    const FitProblem::Point& point = problem_.points[i];
    if (used[i] != 0) loss += point.weight * RobustLoss(state.ln_seconds[point.plan] - point.ln_seconds, kLossScale);
  }
  for (size_t j = 0; j < problem_.free.size(); ++j) {
    const double away = (state.ln_values[j] - portable::Log(problem_.free[j].prior)) / problem_.free[j].spread;
    loss += away * away / 2;
  }
  return loss;
}

absl::StatusOr<FitState> FitEngine::Fit(const FitState& from, absl::Span<const uint8_t> used, int steps) const {
  FitState state = from;
  double loss = LossOf(state, used), radius = kFirstRadius;
  for (int taken = 0; radius > kLeastRadius;) {
    RobustStep step = StepFrom(problem_, state, used);
    SetBox(problem_, state, radius, &step);
    HWEST_ASSIGN_OR_RETURN(const std::vector<double> move, SolveStep(step));
    FitState next{.ln_values = state.ln_values, .ln_seconds = {}, .slopes = {}};
    for (size_t j = 0; j < move.size(); ++j) next.ln_values[j] += move[j];
    next.ln_seconds = LnSeconds(next.ln_values);
    const double next_loss = LossOf(next, used);
    if (!(next_loss < loss)) {
      radius *= kShrink;
      continue;
    }
    const bool is_little = loss - next_loss < options_.tolerance * loss;
    loss = next_loss;
    next.slopes = std::move(state.slopes);
    state = std::move(next);
    if (taken++ == steps) break;
    Linearise(&state);
    if (is_little) break;
  }
  return state;
}

std::vector<double> FitEngine::Spreads(const FitState& state, absl::Span<const uint8_t> used) const {
  return SpreadsOf(StepFrom(problem_, state, used));
}

}  // namespace hwest
