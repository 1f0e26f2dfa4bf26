// TensorRT's builder:
//   [I] [TRT] ---------- Layers Running on DLA ----------
//   [I] [TRT] [DlaLayer] {ForeignNode[/conv/Conv.../relu/Relu]}
//   [I] [TRT] ---------- Layers Running on GPU ----------
//   [I] [TRT] [GpuLayer] CONVOLUTION: /head/Conv + PWN(/head/Relu)
// before 8.4 the layers in one line below "--------------- Layers running on DLA: ", or the JSON of --exportLayerInfo.
#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"
#include "profile/json_tree.h"

namespace hwest {
namespace {

LogKernel KernelOf(absl::string_view name, LogUnit unit) {
  LogKernel kernel{.unit = unit};
  kernel.unit_name = unit == LogUnit::kNpu ? "DLA" : unit == LogUnit::kGpu ? "GPU" : "";
  const size_t colon = name.find(": ");
  const bool has_type = colon != absl::string_view::npos && colon > 0 &&
                        std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
                          return absl::ascii_isupper(static_cast<unsigned char>(c)) || c == '_';
                        });
  if (has_type) {
    kernel.type = std::string(name.substr(0, colon));
    name.remove_prefix(colon + 2);
  }
  kernel.name = std::string(absl::StripAsciiWhitespace(name));
  return kernel;
}

// Kernels of a line, which commas outside of brackets separate.
std::vector<absl::string_view> SplitOutside(absl::string_view line) {
  std::vector<absl::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ',';
    depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < line.size())) continue;
    const absl::string_view part = absl::StripAsciiWhitespace(line.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// "{a,b}" is one piece of the DLA: its nodes, joined as TensorRT joins them elsewhere.
LogKernel OldKernel(absl::string_view part, LogUnit unit) {
  const bool is_piece = absl::ConsumePrefix(&part, "{") && absl::ConsumeSuffix(&part, "}");
  if (!is_piece || absl::StartsWith(part, "ForeignNode[")) {
    return KernelOf(is_piece ? absl::StrCat("{", part, "}") : std::string(part), unit);
  }
  LogKernel kernel = KernelOf(part, unit);
  for (const absl::string_view node : SplitOutside(part)) kernel.nodes.emplace_back(node);
  return kernel;
}

CompilerLog ReadLayerInfo(absl::string_view text) {
  CompilerLog log{.program = "TensorRT", .has_kernels = true};
  const absl::StatusOr<Tree> tree = ParseJson(text, "");
  const Tree* layers = tree.ok() ? MemberOf(*tree, "Layers") : nullptr;
  if (layers == nullptr || !layers->is_array()) return log;
  for (const Tree& layer : *layers) {
    // The JSON does not say which device runs a layer.
    LogKernel kernel =
        KernelOf(layer.is_string() ? layer.get<std::string>() : TextOf(layer, "Name"), LogUnit::kUnknown);
    kernel.type = TextOf(layer, "LayerType");
    if (!kernel.name.empty()) log.kernels.push_back(std::move(kernel));
  }
  return log;
}

}  // namespace

CompilerLog ReadTensorRtLog(absl::string_view text) {
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "{")) return ReadLayerInfo(text);
  CompilerLog log{.program = "TensorRT", .has_kernels = true};
  LogUnit listed = LogUnit::kUnknown;  // in the next line
  for (const std::string& line : LinesOf(text)) {
    absl::string_view rest;
    if (listed != LogUnit::kUnknown) {
      if (!After(line, "[TRT]: ", &rest)) rest = line;
      for (const absl::string_view part : SplitOutside(rest)) log.kernels.push_back(OldKernel(part, listed));
      listed = LogUnit::kUnknown;
      continue;
    }
    if (After(line, "[DlaLayer] ", &rest)) log.kernels.push_back(KernelOf(rest, LogUnit::kNpu));
    if (After(line, "[GpuLayer] ", &rest)) log.kernels.push_back(KernelOf(rest, LogUnit::kGpu));
    if (After(line, "Layers running on DLA:", &rest)) listed = LogUnit::kNpu;
    if (After(line, "Layers running on GPU:", &rest)) listed = LogUnit::kGpu;
  }
  return log;
}

}  // namespace hwest
