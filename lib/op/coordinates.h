// Walking the elements of small tensors by coordinates.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "op/known.h"

namespace hwest {

// Calls fn(coordinates) for every element of a row-major tensor in order. No dims: once, with no coordinates.
void ForEachCoordinate(const std::vector<int64_t>& dims, absl::FunctionRef<void(absl::Span<const int64_t>)> fn);

// Sets output `out` to the elements `index(output coordinates)` of input `in`; an index outside is an unknown element.
// Does nothing when the input is not known or the output's shape is not constant and small.
void TakeByCoordinates(InferContext& ctx, int in, int out, absl::FunctionRef<int64_t(absl::Span<const int64_t>)> index);

}  // namespace hwest
