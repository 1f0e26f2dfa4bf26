// Capacity: which targets hold a number of streams, in which mode, precision and batch, and how many streams each
// holds.
//
//   CapacityRequest request{.models = {{"yolov8n.onnx"}}, .targets = {"rk3588", "jetson-orin"}, .streams = 4};
//   HWEST_ASSIGN_OR_RETURN(const CapacityReport report, FindCapacity(request));
//   for (const CapacityRow& row : report.boards) { ... row.holds, row.streams, row.power_w ... }
//
// Every figure is that of a workload: `row.workload` is its file, and RunWorkload() of it gives the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/report.h"
#include "hwest/target.h"
#include "hwest/watch.h"
#include "hwest/workload.h"

namespace hwest {

// CapacityStage is what a stream takes before or after its networks: time of CPU cores, or pictures of a decoder in
// hardware, with the traffic in memory that either makes.
struct CapacityStage {
  std::string name;        // "h264@1920x1080", "resize", "planner=2ms"
  std::string codec;       // of a decoder; empty = the CPU does it
  double pixels = 0;       // of a frame, of a decoder
  double cycles = 0;       // of one core for a frame
  bool is_vector = false;  // these are of a core with vectors of 32 bytes, and of others in proportion
  double time_s = 0;       // of one core, in place of cycles
  double bytes = 0;        // of memory traffic for a frame
  std::string figure;      // where they are from
  Trust trust = Trust::kUnset;
};

// A stage that has a name of its own. `onnx-hwest describe stages` lists them.
struct NamedStage {
  CapacityStage stage;
  std::string meaning;
};
const std::vector<NamedStage>& CapacityStages();
// "h264", "h265@3840x2160", "resize@1280x720", "nms", "track", "NAME=2ms". Errors: kUsage.
absl::StatusOr<CapacityStage> ParseCapacityStage(absl::string_view text);

struct CapacityModel {
  std::string path;
  std::optional<Fraction> period;  // between its frames of one stream; none = that of the request
};

struct CapacityRequest {
  std::vector<CapacityModel> models;  // each stream runs all of them
  std::vector<std::string> targets;
  std::vector<std::string> modes;        // empty = every mode of each target
  std::vector<std::string> precisions;   // empty = auto
  std::vector<int64_t> batches;          // streams whose frames run together; empty = 1
  int64_t streams = 0;                   // asked for; 0 = as many as there are
  Fraction period = {1, 30};             // between frames of a stream
  std::optional<double> deadline_s;      // from a frame to the end of its job; none = its period
  std::optional<double> max_w;           // of what `power_of` names
  std::vector<CapacityStage> stages;     // of each stream
  std::string host;                      // of modules; empty = that of their file
  std::map<std::string, double> prices;  // by target; not empty = boards are ordered by them
  size_t threads = 0;                    // 0 = as many as the machine has cores
  Watch watch;
};

// What gives way first.
enum class CapacityLimit : uint8_t {
  kNone,       // nothing, up to as many streams as were tried
  kUnit,       // the time of a unit
  kBandwidth,  // of memory
  kMemory,     // its size
  kDeadline,   // waits for others
  kPower,
  kDecode,   // decoder in hardware
  kSupport,  // it does not run at all
  kUnknown,  // a figure that it would take
};
absl::string_view CapacityLimitName(CapacityLimit limit);  // "unit"

struct CapacityRow {
  std::string target;
  std::string mode;                     // empty = it has none
  std::string precision;                // as run
  int64_t batch = 1;                    // streams whose frames run together
  std::optional<bool> holds;            // as many streams as asked for, or any; none = not known
  int64_t streams = 0;                  // that it holds
  bool at_least = false;                // more were not tried
  std::optional<TaskVerdict> verdict;   // of `shown` streams: kHolds = by a bound, kSimulated = in the simulation
  int64_t shown = 0;                    // streams that the figures below are of; 0 = it holds none
  std::string runs_on;                  // "gpu", "npu, cpu"
  std::optional<double> power_w;        // on average; none = not known
  std::optional<std::string> power_of;  // what it covers
  std::optional<double> price;
  std::optional<double> headroom;                    // of what is used most: the share that is left
  std::string busiest;                               // that; "gpu", "bandwidth", "h264", "power"
  std::optional<double> worst_s;                     // longest response of any task in the simulation
  std::optional<double> bound_s;                     // that none exceeds; none = no finite one
  CapacityLimit first_limit = CapacityLimit::kNone;  // with one stream more, or of what it does not hold
  std::string reason;                                // the same in words; empty = nothing
  std::string workload;                              // file of `shown` streams
};

struct CapacityReport {
  CapacityRequest request;
  std::vector<CapacityRow> boards;  // one a target: those that hold it, what is not known, the others
  std::vector<CapacityRow> tried;   // configurations that were simulated, in the order of targets
  std::vector<Diagnostic> diagnostics;
};

// The names of a group: "edge" = boards, modules and chips that draw 15 W at most without work, "all" = every built-in
// target; else the names themselves, aliases in full. Errors: kTargetUnknown.
absl::StatusOr<std::vector<std::string>> TargetsNamed(const std::vector<std::string>& names);

// FindCapacity tries every mode, precision and batch of each target. Errors: kUsage; those of LoadModel; kInterrupted.
absl::StatusOr<CapacityReport> FindCapacity(const CapacityRequest& request);

// Formats: text, JSON, CSV, Markdown.
absl::Status WriteCapacity(const CapacityReport& report, const ReportOptions& options, Sink sink);

// The file that LoadWorkload() reads as this workload; paths of models are absolute in it.
std::string WorkloadText(const Workload& workload);

}  // namespace hwest
