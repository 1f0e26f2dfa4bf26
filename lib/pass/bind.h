// Bind: gives free input dims the values the caller asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/dim.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/type.h"
#include "pass/batch.h"
#include "pass/follower.h"

namespace hwest {

// BoundInputs is what inference starts from.
struct BoundInputs {
  std::vector<Type> inputs;           // of the main graph, in its order, all bindings applied
  std::vector<Known> contents;        // of the inputs the caller gave values for; as long as `inputs`, null = not known
  std::vector<Elements> elements;     // as above, of sequences
  std::vector<KnownStrings> strings;  // as above, of tensors of strings
  Binding symbols;                    // of the file's symbols
  bool overrides_static = false;      // a static dim of the file was replaced: declared shapes are stale
  BatchAxes batch;                    // dims that can hold the batch
  std::optional<std::pair<int64_t, int64_t>> rebatch;  // the fixed batch of the file, and the one asked for
  SizeChanges changes;  // filled by inference: what an export at BindRequest::resized would have
};

// Bind applies `request` to the inputs of `graph`. Unknown input dims become symbols named INPUT.AXIS in `dims` (a
// child of graph.dims()). An input with given contents takes their type and shape. Errors: kBindConflict when a name is
// no symbol or input, two values meet, contents have another type or shape than the input, or more than one image is
// asked for and no dim can hold a batch.
absl::StatusOr<BoundInputs> Bind(const Graph& graph, const BindRequest& request, DimPool& dims);

// FreeSymbols lists the symbols that input dims still depend on, in order of first appearance.
std::vector<SymbolId> FreeSymbols(const BoundInputs& bound, const DimPool& dims);

// FreeDimsError is the kFreeDims error for them; its remedy is a list of flags such as "--dim batch=1 --dim seq=128".
// `step` holds the sizes of one step of a model with a cache, empty for other models; without it texts and images have
// usual sizes.
absl::Status FreeDimsError(const Graph& graph, const BoundInputs& bound, const DimPool& dims,
                           const std::vector<std::pair<std::string, int64_t>>& step);

}  // namespace hwest
