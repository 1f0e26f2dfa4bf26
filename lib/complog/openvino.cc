// OpenVINO's query_model(model, device), a mapping from the friendly names of nodes to devices, written as JSON:
//   {"/stem/Conv": "NPU", "/stem/Conv/WithoutBiases": "NPU", "/mid/Floor": "CPU"}
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"
#include "profile/json_tree.h"

namespace hwest {
namespace {

// "GPU.0" is the first of several.
LogUnit UnitOfDevice(absl::string_view device) {
  const absl::string_view kind = device.substr(0, device.find('.'));
  if (kind == "CPU") return LogUnit::kCpu;
  if (kind == "GPU") return LogUnit::kGpu;
  return kind == "NPU" ? LogUnit::kNpu : LogUnit::kUnknown;
}

}  // namespace

CompilerLog ReadOpenVinoLog(absl::string_view text) {
  CompilerLog log{.program = "OpenVINO"};
  const absl::StatusOr<Tree> tree = ParseJson(text, "");
  if (!tree.ok() || !tree->is_object()) return log;
  for (const auto& [node, device] : tree->items()) {
    if (!device.is_string()) return {};
    LogKernel kernel{.unit_name = device.get<std::string>()};
    kernel.unit = UnitOfDevice(kernel.unit_name);
    if (kernel.unit == LogUnit::kUnknown) return {};
    absl::string_view name = node;
    absl::ConsumeSuffix(&name, "/WithoutBiases");  // of a node that becomes two
    kernel.name = std::string(name);
    log.kernels.push_back(std::move(kernel));
  }
  return log;
}

}  // namespace hwest
