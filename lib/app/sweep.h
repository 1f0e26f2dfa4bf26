// Sweeps in two steps, for callers that number the points first and then run some of them; hwest/sweep.h does both.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "hwest/sweep.h"
#include "hwest/watch.h"
#include "sweep/fit.h"
#include "sweep/report.h"
#include "sweep/run.h"

namespace hwest::app {

// A sweep with its points numbered, each with the settings that fit its model.
struct SweepJob {
  hwest::SweepRequest request;  // with a note of what was left out
  RequestDraft base;
  SweepPlan plan;

  std::pair<size_t, size_t> range() const { return plan.RangeOf(request.shard.value_or(Shard())); }
};
// Errors: of SweepPlan::Make and FitModels. `loaded` may be null.
absl::StatusOr<SweepJob> PlanSweep(SweepAxes axes, std::optional<Shard> shard, RequestDraft base,
                                   const LoadedGraph& loaded);

using LoadedSweepModel = std::function<SweepModel(size_t model)>;
// RunPoints runs a range of the points and passes their rows to `take`, in order. Errors: as RunSweep.
absl::Status RunPoints(const SweepJob& job, std::pair<size_t, size_t> range, size_t threads,
                       const LoadedSweepModel& loaded, const Watch& watch,
                       const std::function<absl::Status(const SweepRow& row)>& take);
// The same rows as a vector; those of the whole sweep also say which are on the Pareto front.
absl::StatusOr<std::vector<SweepRow>> RowsOf(const SweepJob& job, std::pair<size_t, size_t> range, size_t threads,
                                             const LoadedSweepModel& loaded, const Watch& watch);

// The counts so far.
struct SweepTally {
  size_t done = 0, failed = 0, incomplete = 0;
  size_t too_large = 0;  // for the memory of their target
  std::optional<SweepRow> first_failed;

  void Count(const SweepRow& row);
};
// The status of a finished sweep. Errors: that of the first point when all failed.
absl::Status OutcomeOf(const SweepTally& tally);
// Checks what --strict asks for. Errors: kIncomplete; kDoesNotFit where nothing is unknown.
absl::Status CheckComplete(const SweepTally& tally);
std::string PointsText(size_t count);  // "3 points"

}  // namespace hwest::app
