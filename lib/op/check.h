// Argument checks shared by the rules. Nothing of a model is indexed before one of these has passed.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "op/rule.h"

namespace hwest {

inline constexpr int kAnyRank = 1 << 20;

// RequireInputs fails unless the first `count` inputs are present.
absl::Status RequireInputs(const OpView& op, int count);

// RequireRank fails when input `i` is no tensor, or is ranked with a rank outside [min_rank, max_rank]. Absent and
// unranked inputs pass.
absl::Status RequireRank(const OpView& op, int i, int min_rank, int max_rank = kAnyRank);

// NormalizeAxis maps an axis in [-rank, rank) to [0, rank).
absl::StatusOr<int> NormalizeAxis(int64_t axis, int rank);
// ListedAxes are those of attribute `axes`, in its order; every axis when it is absent.
absl::StatusOr<std::vector<int>> ListedAxes(const OpView& op, int rank);

// RequireSize fails when a size is proven negative.
absl::Status RequireSize(const OpView& op, Dim size);

// OlderThan tells whether the node belongs to an operator set before version `since`; a missing import is the newest.
inline bool OlderThan(const OpView& op, int since) { return op.opset() > 0 && op.opset() < since; }

// DimOr returns the dim of a shape whose rank is known to allow it, unknown when the shape is unranked.
inline Dim DimOr(const Shape& shape, int axis) { return shape.ranked() ? shape.dim(axis) : Dim::Unknown(); }

}  // namespace hwest
