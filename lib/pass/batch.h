// The batch: how many independent inputs one run takes. Which dims can hold it is decided here and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hwest/dim.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// BatchAxes are the dims of the inputs that can hold a batch, as the file declares them: the dim called batch or N
// where every input of rank 2 or more has it, else the leading dims where those of all these inputs can be equal.
// Inputs that an output continues (caches) and inputs whose contents are given have no say.
struct BatchAxes {
  std::vector<std::pair<size_t, int>> axes;  // (input, axis); empty = nothing can be a batch
  SymbolId named;                            // the dim called batch or N; none = the leading dims
  bool fixed = false;                        // the file says how large it is
  std::vector<size_t> beside;                // inputs without a say whose leading dim takes the batch, too
  std::vector<size_t> vectors;               // fixed inputs of rank 1, as long as the fixed batch: they may hold it
  std::string missing;                       // why nothing can be a batch; empty otherwise

  bool found() const { return !axes.empty(); }
};

// FindBatchAxes looks at the types of the inputs of the main graph, one per input, before anything is bound.
// `given[i]`: the caller gave the contents of input i.
BatchAxes FindBatchAxes(const Graph& graph, const std::vector<Type>& inputs, const std::vector<bool>& given,
                        const DimPool& dims);

// The size that the batch axes of bound inputs have in common; none when they differ or one is not known.
std::optional<int64_t> CommonSize(const BatchAxes& axes, const std::vector<Type>& inputs);

// Whether some output leads with `size`, or has the dim called batch or N.
bool SomeOutputHolds(const Graph& graph, const BatchAxes& axes, const Facts& facts, int64_t size);

// Whether work that is `few` for one number of images and `many` for `ratio` times as many is that of images worked on
// alone. What prepares weights or masks may be done once. Unknown work does not speak against it.
bool GrowsWithBatch(Dim few, Dim many, double ratio);

// "input 'x' [3, 480, 640]"
std::string InputText(const Graph& graph, size_t input, const std::vector<Type>& inputs, const DimPool& dims);

// What to do about a file that has no batch: "export it with ... ('x' as [N, 3, 480, 640])".
std::string BatchRemedy(const Graph& graph, const std::vector<Type>& inputs, const DimPool& dims);

}  // namespace hwest
