// ONNX Runtime with log_severity_level = 0. Which provider has which node, once it is divided:
//   ... Node(s) placed on [CPUExecutionProvider]. Number of nodes: 2
//   ...   Floor (/mid/Floor)
// and before that, what the QNN provider says of each unit of nodes:
//   ... Validation FAILED for 1 nodes in OrtNodeUnit (Mod) :
//   	Operator type: Mod Node name: /mid/Mod Node index: 7
//   	REASON : ...
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"

namespace hwest {
namespace {

// What a provider runs nodes on; one of several devices is unknown.
LogUnit UnitOfProvider(absl::string_view provider) {
  if (absl::StartsWith(provider, "CPU")) return LogUnit::kCpu;
  constexpr absl::string_view kGpus[] = {"CUDA", "Tensorrt", "NvTensorRTRTX", "ROCM", "MIGraphX", "Dml", "WebGpu"};
  for (const absl::string_view gpu : kGpus) {
    if (absl::StartsWith(provider, gpu)) return LogUnit::kGpu;
  }
  constexpr absl::string_view kNpus[] = {"QNN", "VitisAI", "TIDL", "Rknpu", "CANN"};
  for (const absl::string_view npu : kNpus) {
    if (absl::StartsWith(provider, npu)) return LogUnit::kNpu;
  }
  return LogUnit::kUnknown;
}

// "Floor (/mid/Floor)" behind the name of the function that logs.
bool ReadPlaced(absl::string_view line, LogKernel* kernel) {
  absl::string_view rest;
  if (!After(line, "VerifyEachNodeIsAssignedToAnEp] ", &rest)) return false;
  rest = absl::StripAsciiWhitespace(rest);
  const size_t open = rest.find(" (");
  if (open == absl::string_view::npos || !absl::ConsumeSuffix(&rest, ")")) return false;
  kernel->type = std::string(rest.substr(0, open));
  kernel->name = std::string(rest.substr(open + 2));
  return true;
}

// "2" of "Number of nodes: 2": those that providers made of several are their segments.
std::optional<int64_t> NumNodes(absl::string_view line) {
  absl::string_view digits;
  int64_t number;
  return After(line, "Number of nodes: ", &digits) && IsNumber(digits, &number) ? std::optional(number) : std::nullopt;
}

void ReadPlacements(const std::vector<std::string>& lines, CompilerLog* log) {
  std::string provider;
  for (const std::string& line : lines) {
    absl::string_view on;
    if (After(line, "odes placed on [", &on) || After(line, "ode(s) placed on [", &on)) {
      provider = std::string(on.substr(0, on.find(']')));
      if (UnitOfProvider(provider) == LogUnit::kNpu) log->segments = NumNodes(on);
    }
    if (After(line, "All nodes placed on [", &on)) log->others = {UnitOfProvider(provider), provider};
    LogKernel kernel;
    if (provider.empty() || !ReadPlaced(line, &kernel)) continue;
    kernel.unit = UnitOfProvider(provider);
    kernel.unit_name = provider;
    log->kernels.push_back(std::move(kernel));
  }
}

// "Operator type: Mod Node name: /mid/Mod Node index: 7"
std::string NodeIn(absl::string_view line) {
  absl::string_view name;
  if (!After(line, " Node name: ", &name)) return "";
  return std::string(name.substr(0, name.find(" Node index: ")));
}

}  // namespace

CompilerLog ReadOrtLog(absl::string_view text) {
  CompilerLog log{.program = "ONNX Runtime"};
  ReadPlacements(LinesOf(text), &log);
  return log;
}

CompilerLog ReadQnnLog(absl::string_view text) {
  CompilerLog log{.program = "ONNX Runtime's QNN provider"};
  const std::vector<std::string> lines = LinesOf(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    absl::string_view rest;
    const bool passed = After(lines[i], "Validation PASSED for ", &rest);
    if (!passed && !After(lines[i], "Validation FAILED for ", &rest)) continue;
    LogKernel kernel{.unit = passed ? LogUnit::kNpu : LogUnit::kCpu, .unit_name = passed ? "QNN" : "not QNN"};
    for (; i + 1 < lines.size() && absl::StartsWith(lines[i + 1], "\t"); ++i) {
      if (std::string name = NodeIn(lines[i + 1]); !name.empty()) kernel.nodes.push_back(std::move(name));
      if (After(lines[i + 1], "REASON : ", &rest)) kernel.reason = std::string(absl::StripAsciiWhitespace(rest));
    }
    if (kernel.nodes.empty()) continue;
    kernel.name = kernel.nodes.front();
    log.kernels.push_back(std::move(kernel));
  }
  if (log.kernels.empty()) return log;
  // What QNN could run may still be left to the CPU.
  std::set<std::string> refused;
  for (const LogKernel& kernel : log.kernels) {
    if (kernel.unit == LogUnit::kCpu) refused.insert(kernel.nodes.begin(), kernel.nodes.end());
  }
  CompilerLog placed;
  ReadPlacements(lines, &placed);
  log.segments = placed.segments;
  for (LogKernel& kernel : placed.kernels) {
    if (kernel.unit == LogUnit::kCpu && refused.count(kernel.name) == 0) log.kernels.push_back(std::move(kernel));
  }
  return log;
}

}  // namespace hwest
