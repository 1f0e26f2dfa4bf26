// Sizes of inputs by what they mean: the height and width of images, the length of a sequence of tokens.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "hwest/analysis.h"
#include "hwest/graph.h"

namespace hwest {

// Binds height and width of every input that holds images, of rank 4 with at most four channels on axis 1 or 3, to
// `size`. Errors: kBindConflict when no input does.
absl::Status BindImageSize(const Graph& graph, int64_t size, BindRequest* bind);

// Binds the length of every input of tokens, an integer tensor of rank 2, and of every other input of rank 2 that is as
// long by the file, to `length`. Errors: kBindConflict when no input takes tokens.
absl::Status BindSequenceLength(const Graph& graph, int64_t length, BindRequest* bind);

}  // namespace hwest
