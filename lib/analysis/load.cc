#include "analysis/load.h"

#include <string>
#include <utility>

#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"
#include "pass/bind.h"

namespace hwest {
namespace {

absl::StatusOr<std::shared_ptr<const Graph>> Build(RawModel raw, const LoadOptions& load) {
  BuildOptions options;
  options.role_of = &BuildRoleOf;
  options.limits.max_nodes = load.max_nodes;
  options.limits.max_call_depth = load.max_call_depth;
  options.limits.max_body_depth = load.read.max_depth;
  options.limits.max_rank = load.read.max_rank;
  HWEST_ASSIGN_OR_RETURN(Graph graph, BuildGraph(std::move(raw), options));
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelWith(absl::string_view path, const LoadOptions& options) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelFile(std::string(path), options.read));
  return Build(std::move(raw), options);
}

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemoryWith(absl::string_view bytes, absl::string_view name,
                                                                     const LoadOptions& options) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelMemory(bytes, std::string(name), options.read));
  return Build(std::move(raw), options);
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

}  // namespace hwest
