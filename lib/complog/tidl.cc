// TIDL's ONNX Runtime provider, with debug_level = 1:
//   Supported TIDL layer type ---            Conv -- /stem/Conv
//   Layers type not supported by TIDL --- layer type - Floor,  Node name - /mid/Floor
//   Final number of subgraphs created are : 2, - Offloaded Nodes - 11, Total Nodes - 13
// or allowedNode.txt of its artifacts: the number of subgraphs, then of each its size and the positions of its nodes.
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"

namespace hwest {
namespace {

constexpr char kUnit[] = "TIDL", kHost[] = "Arm";

// Numbers alone, as many as the file says itself; else a log without kernels.
CompilerLog ReadAllowedNodes(absl::string_view text) {
  std::vector<int64_t> numbers;
  for (const absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty())) {
    int64_t number;
    if (!IsNumber(word, &number)) return {};
    numbers.push_back(number);
  }
  CompilerLog log{.program = "TIDL"};
  if (numbers.empty()) return {};
  size_t at = 1;
  for (int64_t graph = 0; graph < numbers[0]; ++graph) {
    if (at >= numbers.size() || numbers[at] > static_cast<int64_t>(numbers.size() - at - 1)) return {};
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    LogKernel kernel{.name = absl::StrCat("subgraph ", graph), .unit = LogUnit::kNpu, .unit_name = kUnit};
    kernel.positions.assign(begin, begin + static_cast<std::ptrdiff_t>(numbers[at]));
    at += static_cast<size_t>(numbers[at]) + 1;
    log.kernels.push_back(std::move(kernel));
  }
  if (at != numbers.size()) return {};
  log.segments = numbers[0];
  log.others = {LogUnit::kCpu, kHost};
  return log;
}

void AddRefused(absl::string_view line, CompilerLog* log) {
  absl::string_view name;
  const size_t layer = line.find(" --- layer type - ");
  if (layer == absl::string_view::npos || !After(line, "Node name -", &name)) return;
  name = absl::StripAsciiWhitespace(name);
  log->kernels.push_back({.name = std::string(name),
                          .unit = LogUnit::kCpu,
                          .unit_name = kHost,
                          .reason = std::string(absl::StripAsciiWhitespace(line.substr(0, layer)))});
}

}  // namespace

CompilerLog ReadTidlLog(absl::string_view text) {
  if (CompilerLog allowed = ReadAllowedNodes(text); allowed.segments.has_value()) return allowed;
  CompilerLog log{.program = "TIDL"};
  for (const std::string& line : LinesOf(text)) {
    absl::string_view rest;
    if (After(line, "Supported TIDL layer type ---", &rest) && absl::StartsWith(line, "Supported")) {
      const size_t dashes = rest.find(" -- ");
      if (dashes == absl::string_view::npos) continue;
      log.kernels.push_back({.name = std::string(absl::StripAsciiWhitespace(rest.substr(dashes + 4))),
                             .unit = LogUnit::kNpu,
                             .unit_name = kUnit});
    }
    AddRefused(line, &log);
    if (!After(line, "Final number of subgraphs created are : ", &rest)) continue;
    int64_t segments;
    if (IsNumber(rest.substr(0, rest.find(',')), &segments)) log.segments = segments;
  }
  return log;
}

}  // namespace hwest
