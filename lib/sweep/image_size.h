// The height and width of the images that a model takes, and other sizes of them.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "hwest/analysis.h"

namespace hwest {

// Binds height and width of every input that holds images, of rank 4 with at most four channels on axis 1 or 3, to
// `size`. Errors: kBindConflict when no input does.
absl::Status BindImageSize(const Graph& graph, int64_t size, BindRequest* bind);

// Whether a static export works at other sizes than its own. `exported` is an analysis at its own sizes, or null where
// there is none. Errors: kBindConflict, naming the first node of `resized` that works at the exported size alone.
absl::Status CheckResized(const Analysis* exported, const Analysis& resized, int64_t size);

}  // namespace hwest
