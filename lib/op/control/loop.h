// The parts of a Loop node: counter, condition, carried values, scans.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "op/control/carried.h"
#include "op/rule.h"

namespace hwest {

struct LoopParts {
  GraphId id;
  ValueId iter;  // body inputs
  ValueId condition_in;
  ValueId condition_out;  // body output
  std::vector<Carried> carried;
  std::vector<ValueId> scans;  // body outputs that are stacked
};

// Errors: no body, or one with too few inputs or outputs.
absl::StatusOr<LoopParts> ReadLoop(const OpView& op);

// The number that a value of one element is; unknown when it is none.
Dim NumberOf(const OpView& op, ValueId value);
std::optional<bool> TruthOf(const OpView& op, ValueId value);
// The most runs that input M allows; unknown when there is no limit.
Dim LimitOf(const OpView& op);

// Sets the counter of the runs, a scalar or of one element as the body declares it, and the condition, which is true
// whenever the body runs.
void SetCounters(InferContext& ctx, const LoopParts& parts, Dim run);
// States that the body runs `trips` times; figures take the middle one of the runs.
void SetRuns(InferContext& ctx, const LoopParts& parts, Dim iter, Dim trips);

// Runs of the body while its condition holds, when the condition compares sizes or counters: `condition` is computed in
// the body at run `iter`, input `initial` of the node before the first run. None when that is unknown.
std::optional<Dim> CountWhile(InferContext& ctx, ValueId condition, int initial, Dim iter);

// One run after another, each with exactly what the one before gives: for the few runs of a loop where no rule that
// holds in every run tells what comes out.
struct FollowMemory {
  enum class State : uint8_t { kRunning, kDone, kFailed };
  State state = State::kRunning;
  int64_t run = 0;                               // under way; the number of runs when done
  Dim iter;                                      // the counter of every run
  std::vector<hwest::State> general;             // carried values in every run
  std::vector<hwest::State> carried;             // after the last run
  std::vector<std::vector<hwest::State>> scans;  // by output, then run
};

// True when looking at every run may tell more than what holds in all of them.
bool WantsRuns(InferContext& ctx, const LoopParts& parts, Dim trips);
void StartRuns(InferContext& ctx, const LoopParts& parts, Dim iter);
// Goes on to the next run, or back to every run after the last one; false when nothing is left to look at.
bool NextRun(InferContext& ctx, const LoopParts& parts, Effort effort);
// Sets the outputs from what the runs gave.
void SetFromRuns(InferContext& ctx, const LoopParts& parts);

}  // namespace hwest
