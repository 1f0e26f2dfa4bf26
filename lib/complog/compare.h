// Lays a compiler's log over a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "complog/compiler_log.h"
#include "hwest/analysis.h"

namespace hwest {

// A node that both the log and the plan put on a unit.
struct LogNode {
  NodeId node;
  std::string kernel;    // as the log writes it; "" = the log does not name the node
  std::string type;      // of the kernel; "" = the log does not say
  std::string log_unit;  // as the log writes it
  std::string reason;    // why the compiler's accelerator does not run it; "" = the log does not say
  UnitId unit;           // of the plan
  bool agrees = false;   // both are of one kind: a CPU, a GPU, or another accelerator
};

struct LogComparison {
  std::string program;  // that wrote the log
  LogFormat format = LogFormat::kAuto;
  std::vector<LogNode> nodes;          // by id
  int64_t agree = 0;                   // of them
  int64_t unnamed = 0;                 // nodes on a unit of the plan that the log puts nowhere, such as folded ones
  int64_t unmatched = 0;               // kernels of the log that name no node, such as copies
  std::optional<int64_t> log_kernels;  // that name a node; none = the log knows no kernels, as the next ones
  std::optional<int64_t> plan_groups;  // of nodes that these name
  std::optional<int64_t> edges;        // between nodes that these name
  std::optional<int64_t> edges_agree;  // inside one kernel of the log and one group of the plan, or in neither
  std::optional<int64_t> log_segments, plan_segments;  // of accelerators; none = the log does not say
};

// CompareLog compares node by node; `name` stands for the log in messages. Errors: kUsage without a plan, or when the
// log names no node of the model.
absl::StatusOr<LogComparison> CompareLog(const CompilerLog& log, absl::string_view name, const Analysis& analysis);

}  // namespace hwest
