// Stack: the input of simulation and bound. Tasks are sequences of pieces on resources; models and names are left
// behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwest/workload.h"

namespace hwest {

// Piece is what a unit does without looking up: a group, an invocation or a transfer. Alone it takes
//
//   max(compute_s, memory_s) + serial * min(compute_s, memory_s) + other_s
//
// Beside others the shared memory takes longer: max(memory_s, dram_s * stretch) stands in the place of memory_s.
struct Piece {
  double compute_s = 0;
  double memory_s = 0;  // the slowest level of memory
  double dram_s = 0;    // the shared one, <= memory_s
  double other_s = 0;
  double serial = 0;      // share of the shorter part that does not hide behind the longer one
  double bytes = 0;       // that cross the shared memory
  double held_bytes = 0;  // inputs that wait in a scratchpad: whoever runs in between drives them out

  double Seconds(double stretch) const;  // stretch >= 1
  double alone_s() const { return Seconds(1); }
  double mean_bytes_per_s() const;   // while it runs alone
  double burst_bytes_per_s() const;  // while it reads or writes
};

// Pieces one after the other on one resource: a segment, or the transfers before it.
struct Stage {
  uint32_t resource = 0;
  std::vector<Piece> pieces;
};

// Resource is a unit, or what carries values to it.
struct Resource {
  std::string name;
  bool is_link = false;
  uint32_t pool = 0;     // index of its shared memory
  uint32_t servers = 1;  // equal cores that take jobs one each
  PolicyKind policy = PolicyKind::kFifo;
  Preemption preemption = Preemption::kNever;
  double slice_s = 0;          // of kSlices
  bool IsPreemptive() const {  // who matters more goes before the rest of a job
    return policy == PolicyKind::kPriority && preemption != Preemption::kNever;
  }
  bool GivesGroups() const {  // a group to each in turn
    return policy == PolicyKind::kRoundRobin && preemption == Preemption::kBetweenPieces;
  }
  bool forgets = false;    // one model at a time: who comes after a job of another one loads its weights again
  double switch_s = 0;     // beside that, per change of model
  double bytes_per_s = 0;  // at which it does
};

// ReloadOf is what a change of models costs that loads `bytes` again.
Piece ReloadOf(const Resource& resource, double bytes, double switch_s);

// SharedPool is a memory that units share.
struct SharedPool {
  double bytes_per_s = 0;  // most that any unit gets of it, less what loads take all the time
};

// TaskLoad is one task with one plan.
struct TaskLoad {
  std::vector<Stage> stages;
  std::vector<double> kept_bytes;  // by resource: weights it keeps there, loaded again after a change of model
  double high = 1;                 // upper end of the interval of its times, over the time
  double energy_j = -1;            // of a job, beside what the chip draws anyway; below 0 = not known
  double peak_bytes = 0;           // weights and activations
  int64_t unknown_groups = 0;      // without a time, and so without a piece: the job takes longer than its stages

  double alone_s() const;
};

constexpr uint32_t kNoTask = UINT32_MAX;

// What releases a task, and when it has to be done.
struct Release {
  std::optional<Fraction> period;  // none = back to back, or by `after`
  double jitter_s = 0;
  std::optional<double> offset_s;
  std::optional<double> deadline_s;
  int32_t priority = 0;
  uint32_t after = kNoTask;
  double ratio = 1;              // jobs per job of `after`
  std::optional<Fraction> pace;  // with `after`: the period at which it is to run; none = as that
  double probability = 1;
};

struct StackTask {
  Release release;
  TaskLoad load;
  bool is_load = false;   // of others: before all tasks, not judged
  bool is_muted = false;  // releases what comes after it, but takes no time
  double least_s = 0;     // alone by the fastest of its plans, whichever it has; 0 = as it is
  // Task whose compiled model this one runs, as further streams of one model do: what one loaded the other finds there.
  // kNoTask = it has a model of its own.
  uint32_t shares_model_of = kNoTask;

  bool Uses(uint32_t resource) const;
};

struct Stack {
  std::vector<Resource> resources;
  std::vector<SharedPool> pools;
  std::vector<StackTask> tasks;

  // That a job which the rates ask for is released: with all that its chain begins with.
  double ProbabilityOf(uint32_t task) const;
  // Whether a task that runs has unknown groups. No time of any task is known then: they take units and memory of all.
  bool IsIncomplete() const;
  // Whether two tasks or more come at rates of their own, from sources that may drift against each other.
  bool Drifts() const;
  // Jobs that wait behind the one that runs; further releases are dropped.
  size_t MostWaiting(uint32_t task) const;
  // The first of the tasks that run the same compiled model.
  uint32_t ModelOf(uint32_t task) const {
    return tasks[task].shares_model_of == kNoTask ? task : tasks[task].shares_model_of;
  }
  // Seconds between the jobs of a task, by its own rate or that of what releases it; none = back to back.
  std::optional<double> PeriodOf(uint32_t task) const;
};

// FitToPools makes pieces slower that ask for more than loads leave of their memory, as they are then alone, too.
void FitToPools(Stack* stack);

}  // namespace hwest
