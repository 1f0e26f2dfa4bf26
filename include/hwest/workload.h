// Workloads: several models on one chip. Whether each task meets its deadline, how tasks slow each other down, and
// which change would make a missed task hold.
//
//   HWEST_ASSIGN_OR_RETURN(const Workload workload, LoadWorkload("stack.textproto"));
//   HWEST_ASSIGN_OR_RETURN(const WorkloadReport report, RunWorkload(workload, {}));
//   for (const TaskRow& task : report.tasks) { ... task.worst_s, task.bound_s, task.verdict ... }
//
// A task releases jobs, which run one after the other; a job is the segments of the task's plan, in order. Each unit
// picks the next waiting job by its policy, and all running jobs share the memory behind them. `worst_s` is the longest
// response in the simulation; no job can exceed `bound_s` as long as the estimates stay inside their intervals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest {

// A period, or another time, as a fraction of whole numbers, so that periods have an exact common multiple.
struct Fraction {
  int64_t num = 0;
  int64_t den = 1;

  double value() const { return static_cast<double>(num) / static_cast<double>(den); }
  bool operator==(const Fraction&) const = default;
};

// The time and traffic of a task that states them instead of a model.
struct StatedTime {
  double time_s = 0;
  std::optional<double> bytes_per_s;   // of the shared memory, alone
  std::optional<double> memory_share;  // of what the shared memory delivers, alone; at most one of the two is set
  std::optional<double> memory_bound;  // share of the time that waits for memory; none = as the share of the memory
  int64_t groups = 1;                  // equal parts
};

// A task that is a language model on the target's runtime: a job makes one token, or reads a prompt.
struct TaskTokens {
  std::optional<int64_t> context;  // in the cache while a token is made; none = as `llm` without --context
  std::optional<int64_t> prompt;   // of the jobs; none = they make tokens
  std::string runtime, weights, cache;
};

// Priority of a task that states none; others may go before or after it.
inline constexpr int32_t kUsualPriority = 5;

struct WorkloadTask {
  std::string name;
  std::string model;  // as written; empty = `stated`
  std::string path;   // of the model, or of a saved report of an analysis
  std::string precision = "auto";
  std::optional<Fraction> period;     // between inputs; none = back to back, or as the task it follows
  std::optional<double> deadline_s;   // after its release; none = its period
  int32_t priority = kUsualPriority;  // 0 is the highest
  double jitter_s = 0;                // releases are late by up to this
  std::optional<double> offset_s;     // of the first release; none = any
  int64_t batch = 1;                  // inputs of one job
  std::vector<std::pair<std::string, int64_t>> dims;
  std::string after;              // the task whose jobs release this one; empty = none
  double probability = 1;         // that such a job does
  std::vector<std::string> only;  // units; the CPU runs what they refuse
  std::vector<Pin> pin;
  std::optional<StatedTime> stated;
  std::optional<TaskTokens> tokens;  // of a language model
  int line = 0;                      // of the file

  bool is_report() const;  // `model` is a saved report
  bool is_model() const { return !stated.has_value() && !tokens.has_value() && !is_report(); }
};

// Memory traffic or unit time that something outside the workload takes.
struct WorkloadLoad {
  std::string name;
  double bytes_per_s = 0;  // without a unit all the time, else while it runs
  std::string unit;        // empty = memory alone
  Fraction period;
  double time_s = 0;
  int line = 0;
};

absl::string_view PolicyKindName(PolicyKind kind);  // "FIFO", "PRIORITY", "ROUND_ROBIN"

struct WorkloadPolicy {
  std::string unit;
  PolicyKind kind = PolicyKind::kFifo;
  std::optional<double> slice_s;    // of kRoundRobin
  std::optional<Preemption> yield;  // none = kSlices with a slice, else as the toolchain of the unit
  int line = 0;
};

struct Workload {
  std::string origin;  // path of the file, for messages
  std::string target;
  std::string mode;  // empty = the target's default
  std::string host;  // of a module; empty = the one of its file
  std::vector<WorkloadTask> tasks;
  std::vector<WorkloadLoad> loads;
  std::vector<WorkloadPolicy> policies;
};

// LoadWorkload reads a file ("-" = stdin) in protobuf's text form or the same message as JSON; `onnx-hwest describe
// workload` lists the keys. Errors: kUsage with file and line.
absl::StatusOr<Workload> LoadWorkload(absl::string_view path);
// ParseWorkload reads its text; `origin` names it in errors, and paths of models are relative to its folder.
absl::StatusOr<Workload> ParseWorkload(absl::string_view text, absl::string_view origin);

// WorkloadOfStreams makes `streams` tasks of each model, back to back or at the given rate ("30 FPS"). Errors: kUsage
// for a rate that cannot be parsed and for more tasks than a workload may have.
absl::StatusOr<Workload> WorkloadOfStreams(const std::vector<std::string>& models, int64_t streams,
                                           absl::string_view rate);

// One key of a workload file.
struct WorkloadKey {
  std::string in;  // message; empty = the file itself
  std::string name;
  std::string type;
  std::string meaning;
};
std::vector<WorkloadKey> WorkloadKeys();

enum class TaskVerdict : uint8_t { kHolds, kSimulated, kMissed };
absl::string_view TaskVerdictName(TaskVerdict verdict);  // "holds", "simulated", "missed"

struct UnitTimeShare {
  std::string unit;
  double share = 0;
};

struct TaskRow {
  std::string name;
  std::string model;
  std::optional<double> rate_per_s;  // of inputs, as asked for; none = back to back
  double reached_per_s = 0;          // inputs, in the simulation
  std::optional<double> deadline_s;
  int32_t priority = 0;
  int64_t batch = 1;
  std::string precision;
  std::vector<UnitTimeShare> units;  // where its time alone is spent
  double alone_s = 0;
  int64_t unknown_groups = 0;    // groups without a known time; no figure includes them
  bool incomplete = false;       // some task has such groups: times are at least, rates at most what is stated
  std::optional<double> mean_s;  // response; none = no job ended
  std::optional<double> worst_s;
  std::optional<double> bound_s;         // none = no finite one, or incomplete
  std::optional<double> margin_s;        // deadline - worst; none when incomplete
  double missed_per_s = 0;               // jobs late or dropped
  std::optional<double> max_rate_per_s;  // largest rate at which no task does worse than now; none = there is none, the
                                         // task runs back to back, or it is incomplete
  std::optional<double> age_s;           // longest from the release of the first task of its chain to its own end
  std::optional<double> energy_j;        // of a job, without the chip's idle power; none = not known
  TaskVerdict verdict = TaskVerdict::kHolds;
  std::string reason;  // why it is missed; empty otherwise
};

struct ByTask {
  std::string task;  // or load
  double value = 0;
};

struct WorkloadUnitRow {
  std::string name;
  PolicyKind policy = PolicyKind::kFifo;
  std::string runs;             // "to the end", "group by group", "in slices of 2 ms"
  uint32_t servers = 1;         // jobs at a time
  double asked_share = 0;       // of its time, by the rates if each task ran alone; above 1 = more than there is
  double busy_share = 0;        // of its time, in the simulation
  std::vector<ByTask> by_task;  // shares of the time
};

// Memory traffic of a task or a load.
struct WorkloadTraffic {
  std::string task;
  double mean_bytes_per_s = 0;
  double peak_bytes_per_s = 0;  // over 1 ms
  int64_t bytes = 0;            // weights and activations
};

struct WorkloadMemory {
  int64_t peak_bytes = 0;         // weights and activations of all tasks
  std::vector<MemoryNeed> needs;  // the same by memory
  std::optional<bool> fits;       // whether they hold all tasks together; none = not known
  double mean_bytes_per_s = 0;
  double peak_bytes_per_s = 0;                 // over 1 ms
  std::optional<double> capacity_bytes_per_s;  // of the first unit's memory: the most that a unit gets of it
  std::vector<WorkloadTraffic> tasks;          // then loads
};

struct SlowdownRow {
  std::string task;
  std::string by;
  std::optional<double> factor;  // mean response over that with `by` taking no time; none = no job ended
};

// A stretch of one job on one unit.
struct WorkloadSpan {
  uint32_t task = 0;  // index of the names in the report
  int64_t job = 0;
  std::string unit;  // "to gpu" = a transfer
  double start_s = 0;
  double end_s = 0;
};

enum class FixKind : uint8_t { kRate, kPrecision, kUnits, kMode, kBatch };
absl::string_view FixKindName(FixKind kind);  // "rate", ...

// A change to the file that makes the task hold without making another one worse.
struct FixRow {
  std::string task;  // that it helps
  FixKind kind = FixKind::kRate;
  std::string change;                         // as written in the task (a mode: in the file), e.g. rate: "12 FPS"
  TaskVerdict verdict = TaskVerdict::kHolds;  // of the task then
  std::optional<double> worst_s;
  std::optional<double> bound_s;  // none = no finite one
};

struct WorkloadReport {
  Workload workload;
  std::shared_ptr<const Target> target;
  std::string mode;
  std::vector<std::string> names;  // of the tasks, then of the loads on units
  std::vector<TaskRow> tasks;
  std::vector<WorkloadUnitRow> units;
  WorkloadMemory memory;
  std::vector<SlowdownRow> slowdown;
  std::optional<double> hyperperiod_s;  // none = nothing is periodic, or too long a one
  double simulated_s = 0;
  int64_t jobs = 0;
  double reached_per_s = 0;  // inputs of all tasks together
  std::optional<double> energy_j_per_s;
  std::optional<double> cap_w;          // of the mode
  std::optional<std::string> power_of;  // what the two cover; none = not known
  std::vector<WorkloadSpan> segments;   // of the first hyperperiod
  std::vector<FixRow> fixes;            // when a task is missed
  std::vector<Diagnostic> diagnostics;
};

struct WorkloadOptions {
  std::string target;  // in place of the file's
  std::string mode;
  std::string host;
  int cycles = 1;       // hyperperiods that means are of, once nothing changes from one to the next
  int random_runs = 6;  // with seeded offsets, beside the critical instant
  bool studies = true;  // largest rates, slowdowns and fixes
  std::function<bool(const std::string& what)> progress;  // may be null; false ends the run with kInterrupted
  std::function<bool()> stop;  // may be null; called before each stage of each analysis: true ends the run likewise
};

// RunWorkload analyses every task, places all of them together, simulates the result and bounds it. Errors: those of
// Analyze; kUsage, with the line, for mistakes in the file.
absl::StatusOr<WorkloadReport> RunWorkload(const Workload& workload, const WorkloadOptions& options);

}  // namespace hwest
