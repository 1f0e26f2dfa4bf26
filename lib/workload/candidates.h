// From models to tasks of the stack: the resources of a target, and the plans that a task may run by.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/decoder.h"
#include "hwest/workload.h"
#include "workload/stack.h"

namespace hwest {

// Chip is a target as resources. Units come first, in the order of the target, then a link to each.
struct Chip {
  std::shared_ptr<const Target> raw;  // before the mode
  std::string mode;                   // as asked for
  std::shared_ptr<const Target> target;
  std::vector<Resource> resources;
  std::vector<SharedPool> pools;
  std::vector<double> all_bytes_per_s;  // by pool: before loads
  std::vector<double> loads_bytes_per_s;

  uint32_t LinkTo(UnitId unit) const { return static_cast<uint32_t>(target->units.size()) + unit.index(); }
};

// Errors: kTargetUnknown for the mode; kUsage for policies and loads of units that do not exist, and loads that leave
// no memory traffic.
absl::StatusOr<Chip> MakeChip(const Workload& workload, std::shared_ptr<const Target> raw, const std::string& mode);

// TaskPlan is one plan of one task.
struct TaskPlan {
  TaskLoad load;
  std::string units;                  // that it may use, e.g. "dla0,cpu"; empty = all, as one analysis chooses
  std::string precision;              // as run
  std::vector<UnitTimeShare> shares;  // of its time
  double latency_s = 0;
  std::vector<std::string> unknown;  // first few groups without a time
  std::vector<MemoryNeed> needs;     // by memory
  bool knows_needs = false;          // false: of a stated time, or an old report
  std::string note;                  // how a language model runs; empty = it is none
  bool takes_all_cores = false;      // of its unit, on which no two jobs then run side by side
  bool side_by_side = false;         // parts of the batch on equal units, of which only one is in `load`
};

// A model as the task names it, loaded once.
class TaskModel {
 public:
  // Errors: those of LoadModel and Analyze, with the task's line.
  static absl::StatusOr<TaskModel> Load(const WorkloadTask& task, absl::string_view origin);

  // Whether the graph is a language model that a runtime of the target takes, and the task says nothing that means its
  // kernels.
  bool RunsAsTokens(const WorkloadTask& task, const Chip& chip) const;

  // CandidatesOf analyses the task on the units that it may use: as one analysis places it, then on each accelerator
  // with the CPU, then on the CPU alone; equal plans once. `stop`, which may be null, ends analyses. Errors: as above,
  // where not one of them can be made.
  absl::StatusOr<std::vector<TaskPlan>> CandidatesOf(const WorkloadTask& task, const Chip& chip,
                                                     absl::string_view origin,
                                                     const std::function<bool()>& stop = nullptr) const;

 private:
  std::shared_ptr<const Analyzer> analyzer_;  // null = stated, or a report
  std::string report_;                        // text of a saved report
  std::optional<Decoder> decoder_;            // of a language model
};

// The only way a language model runs: by the runtime, whole, on its unit. Errors: those of EstimateLlm; kUsage where no
// runtime of the target takes it.
absl::StatusOr<TaskPlan> LanguagePlan(const Decoder& decoder, const WorkloadTask& task, const Chip& chip);

// The only way a task stated by its time can run.
TaskPlan StatedCandidate(const StatedTime& stated, uint32_t resource, const Chip& chip);

// The text of a saved report. Errors: kModelMissing, kModelRefused.
absl::StatusOr<std::string> ReadSavedReport(const std::string& path);

// SavedCandidate reads a saved JSON report of an analysis. Errors: kUsage where it is none, or of another target.
absl::StatusOr<TaskPlan> SavedCandidate(absl::string_view json, const WorkloadTask& task, const Chip& chip);

// An error with the place of the task.
absl::Status AtTask(const absl::Status& status, const WorkloadTask& task, absl::string_view origin);

}  // namespace hwest
