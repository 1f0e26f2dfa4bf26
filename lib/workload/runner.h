// One run of a workload, and variations of it that share its models.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/workload.h"
#include "workload/candidates.h"
#include "workload/evaluate.h"
#include "workload/place.h"

namespace hwest {

// What one run works out before its report.
struct RunState {
  Workload workload;
  Chip chip;
  StackFrame frame;
  Choice choice;
  Stack stack;
  Evaluation evaluation;
};

class Runner {
 public:
  // `shared`, which may be null, are models that several runs share, by path.
  explicit Runner(const WorkloadOptions& options, const std::map<std::string, TaskModel>* shared = nullptr)
      : options_(options), shared_(shared) {}

  // `verdicts_alone`: no more runs than tell whether any task is missed, and no timeline.
  absl::StatusOr<WorkloadReport> Run(Workload workload, bool verdicts_alone = false);
  absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const Workload& workload);
  // Analyses alone.
  absl::StatusOr<RunState> Prepare(Workload workload);
  // Analyses, places, simulates and bounds.
  absl::StatusOr<RunState> Try(Workload workload, const EvaluateOptions& options);
  // How a run judges, without its timeline.
  EvaluateOptions WholeRun() const {
    return {.simulate = {.cycles = options_.cycles}, .random_runs = options_.random_runs};
  }
  // Errors: kInterrupted.
  absl::Status Tell(const std::string& what) const;
  absl::Status Stopped() const;

 private:
  absl::StatusOr<const TaskModel*> ModelOf(const WorkloadTask& task, const Workload& workload);
  absl::Status FindTokens(WorkloadTask* task, const Chip& chip, const Workload& workload);
  absl::Status AddCandidates(RunState* state);

  const WorkloadOptions& options_;
  const std::map<std::string, TaskModel>* shared_;
  std::map<std::string, TaskModel> models_;                                               // by path
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Target>> targets_;  // by name and host
  std::map<std::string, std::vector<TaskPlan>> candidates_;                               // by all that decides them
};

// The stack of a workload with all loads open.
StackFrame MakeFrame(const Workload& workload, const Chip& chip);
// Sets when the jobs of a task come: `inputs_per_s` none = back to back.
void SetRelease(const Workload& workload, uint32_t task, std::optional<Fraction> period, Stack* stack);

// Studies of a finished run; they fill their parts of the report.
absl::Status FillRates(const Runner& runner, const RunState& state, WorkloadReport* report);
absl::Status FillSlowdowns(const Runner& runner, const RunState& state, WorkloadReport* report);
absl::Status FillFixes(Runner& runner, const RunState& state, WorkloadReport* report);

}  // namespace hwest
