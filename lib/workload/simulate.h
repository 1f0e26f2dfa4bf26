// The simulation: jobs on resources, event by event.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workload/stack.h"

namespace hwest {

// Sources without a stated offset drift against each other, so sooner or later their jobs meet in every way.
inline constexpr double kDrift = 0.05;

struct SimulateOptions {
  double most_s = 10;  // simulated time
  int64_t most_jobs = 1'000'000;
  int cycles = 1;     // hyperperiods that are counted once nothing changes from one to the next
  uint64_t seed = 0;  // of jitter, probabilities and, unless it is 0, of the first releases
  double drift =
      0;  // periods of tasks without an offset are up to this share longer, each by another, as the seed says
  bool reversed = false;  // jobs released at one time stand in the queue in the reverse order of the file
  bool trace = false;     // keep spans of the first hyperperiod
  size_t most_spans = 100'000;
};

struct TaskStats {
  int64_t jobs = 0;             // that ended and were counted
  double sum_s = 0;             // of their responses
  double worst_s = 0;           // of all jobs that ended, counted or not
  double age_s = 0;             // as above, since the release of the first task of the chain
  int64_t late = 0;             // counted jobs past their deadline
  int64_t dropped = 0;          // counted releases that found the queue full
  bool any_missed = false;      // late or dropped, counted or not
  double bytes = 0;             // while counting
  double peak_bytes_per_s = 0;  // over 1 ms

  double dropped_share() const {
    return dropped > 0 ? static_cast<double>(dropped) / static_cast<double>(jobs + dropped) : 0;
  }
};

struct BusySpan {
  uint32_t task = 0;
  int64_t job = 0;
  uint32_t resource = 0;
  double start_s = 0;
  double end_s = 0;
};

struct Simulation {
  std::vector<TaskStats> tasks;
  std::vector<std::vector<double>> busy_s;  // by resource, then task; while counting
  double counted_s = 0;                     // length of the time that figures are of
  double simulated_s = 0;
  int64_t jobs = 0;  // all that ended
  double bytes = 0;
  double peak_bytes_per_s = 0;  // of all tasks, over 1 ms
  std::vector<BusySpan> spans;
  bool spans_cut = false;
};

// The common period of everything that is periodic; none when there is nothing, or it leaves the range.
std::optional<Fraction> HyperperiodOf(const Stack& stack);

// Simulate runs the stack from the moment at which every task is released, or from seeded offsets. A job starts when
// the one before it of its task has ended; while as many wait as its deadline covers, further releases are dropped.
Simulation Simulate(const Stack& stack, const SimulateOptions& options);

}  // namespace hwest
