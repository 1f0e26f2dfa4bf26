// Loading within limits, and which inputs and dims of the model a request can bind.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/dim.h"
#include "hwest/graph.h"
#include "hwest/type.h"
#include "import/read_options.h"
#include "ir/raw.h"

namespace hwest {

struct LoadOptions {
  ReadOptions read;
  int64_t max_nodes = 10'000'000;  // after local functions were inlined
  int max_call_depth = 100;        // of local functions
};

// As LoadModel and LoadModelFromMemory of hwest/analysis.h. Errors: kModelRefused beyond a limit, too.
absl::StatusOr<std::shared_ptr<const Graph>> LoadModelWith(absl::string_view path, const LoadOptions& options);
absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemoryWith(absl::string_view bytes, absl::string_view name,
                                                                     const LoadOptions& options);

// BuildModel is the one way from what was read, edited or not, to a graph. Errors: kModelRefused.
absl::StatusOr<std::shared_ptr<const Graph>> BuildModel(RawModel raw, const LoadOptions& options);

// The file of a model ("-" or empty: it cannot be read once more) and the limits that it was read with.
struct ModelSource {
  std::string path;
  LoadOptions limits;
};

// Inputs of the main graph as the file declares them; dims it leaves open are symbols named INPUT.AXIS of `dims`.
struct ModelInputs {
  std::unique_ptr<DimPool> dims;  // a child of the graph's, which must outlive it
  std::vector<Type> types;        // in the order of the inputs
  std::vector<SymbolId> symbols;  // that a target needs bound, in order of first appearance
};
absl::StatusOr<ModelInputs> InputsOf(const Graph& graph);

// Whether BindRequest::dims may name it: a symbol of the file, or INPUT.AXIS.
bool HasDim(const Graph& graph, absl::string_view name);

}  // namespace hwest
