#include "analysis/load.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"
#include "pass/bind.h"

namespace hwest {
namespace {

// What functions may make of a file grows with the file: a small one is refused before it takes seconds or gigabytes.
BuildLimits LimitsFor(int64_t file_bytes, const LoadOptions& load) {
  constexpr int64_t kLeastNodes = 250'000, kBytesOfNode = 4;
  constexpr int64_t kLeastItems = 20'000'000, kItemsOfByte = 10;
  constexpr int64_t kLeastNameBytes = int64_t{1} << 27, kNameBytesOfByte = 16;
  BuildLimits limits;
  const int64_t bytes = std::min(file_bytes, limits.max_items);  // beyond it no product counts
  limits.max_nodes = std::min(load.max_nodes, std::max(kLeastNodes, bytes / kBytesOfNode));
  limits.max_items = std::min(limits.max_items, std::max(kLeastItems, bytes * kItemsOfByte));
  limits.max_name_bytes = std::min(limits.max_name_bytes, std::max(kLeastNameBytes, bytes * kNameBytesOfByte));
  return limits;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> BuildModel(RawModel raw, const LoadOptions& load) {
  BuildOptions options;
  options.role_of = &BuildRoleOf;
  options.limits = LimitsFor(raw.file_bytes, load);
  options.limits.max_call_depth = load.max_call_depth;
  options.limits.max_body_depth = load.read.max_depth;
  options.limits.max_rank = std::min(options.limits.max_rank, load.read.max_rank);
  HWEST_ASSIGN_OR_RETURN(Graph graph, BuildGraph(std::move(raw), options));
  return std::make_shared<const Graph>(std::move(graph));
}

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelWith(absl::string_view path, const LoadOptions& options) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelFile(std::string(path), options.read));
  return BuildModel(std::move(raw), options);
}

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemoryWith(absl::string_view bytes, absl::string_view name,
                                                                     const LoadOptions& options) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelMemory(bytes, std::string(name), options.read));
  return BuildModel(std::move(raw), options);
}

absl::StatusOr<std::shared_ptr<const Graph>> LoadModel(absl::string_view path) { return LoadModelWith(path, {}); }

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemory(absl::string_view bytes, absl::string_view name) {
  return LoadModelFromMemoryWith(bytes, name, {});
}

absl::StatusOr<ModelInputs> InputsOf(const Graph& graph) {
  ModelInputs inputs{.dims = std::make_unique<DimPool>(&graph.dims())};
  HWEST_ASSIGN_OR_RETURN(BoundInputs bound, Bind(graph, {}, *inputs.dims));
  inputs.symbols = FreeSymbols(bound, *inputs.dims);
  inputs.types = std::move(bound.inputs);
  return inputs;
}

bool HasDim(const Graph& graph, absl::string_view name) {
  for (size_t i = 0; i < graph.dims().num_symbols(); ++i) {
    const Symbol& symbol = graph.dims().symbol(SymbolId(i));
    if (symbol.name == name || symbol.text == name) return true;
  }
  const size_t dot = name.rfind('.');
  int axis = 0;
  if (dot == absl::string_view::npos || !absl::SimpleAtoi(name.substr(dot + 1), &axis) || axis < 0) return false;
  for (const ValueId input : graph.main().inputs) {
    if (graph.name(input) != name.substr(0, dot)) continue;
    const Type* type = graph.declared(input);
    return type == nullptr || !type->shape.ranked() || axis < static_cast<int>(type->shape.rank());
  }
  return false;
}

}  // namespace hwest
