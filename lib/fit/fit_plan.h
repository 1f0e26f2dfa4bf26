// FitPlan: a placed model reduced to what its time depends on, so that it can be timed again and again while the
// figures of the target change. Placement and residency stay those it was made with.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "cost/dataflow.h"
#include "hwest/analysis.h"
#include "plan/evidence.h"

namespace hwest {

class Machines;  // fit/machines.h

struct FitPlan {
  struct Step {
    UnitId unit;
    GroupWork work;  // of one execution
    Residency residency;
    int beside = 1;   // as KernelsBeside
    double runs = 1;  // of groups that are alike
  };

  // A segment whose groups stream into each other; works[i] is that of members[i], whose own is null.
  struct Pipeline {
    UnitId unit;
    std::vector<GroupWork> works;
    std::vector<PipelineStage> members;
    Tenancy tenancy = Tenancy::kAlone;
    double transfer_s = 0;
  };

  std::vector<Step> steps;
  std::vector<Pipeline> pipelines;  // their groups are in no step
  std::vector<double> invokes;      // segments by unit
  double transfer_s = 0;
  double copied_ahead_s = 0;  // of transfer_s, as in plan/pipeline.h
  double batch = 1;
  std::vector<TimeByClass> times;  // of what each unit runs, with the values the plan was made with
};

// Errors: NotFound, whose message says why the time of the analysis is not the sum that SecondsOf takes it for.
absl::StatusOr<FitPlan> MakeFitPlan(const Analysis& analysis);

// Seconds of one inference, of plans with pipelines those between results, on `target`, which has the units of the
// plan's own one and its mode applied. None where a figure is missing.
std::optional<double> SecondsOf(const FitPlan& plan, const Target& target);
std::optional<double> SecondsOf(const FitPlan& plan, Machines& machines);

}  // namespace hwest
