// What pools of other domains and layouts take over from the standard ones.
#pragma once

#include "op/conv/conv_common.h"
#include "op/rule.h"

namespace hwest {

// PoolShape returns [N, C, pooled sizes...] of input 0; unranked when nothing tells the rank.
absl::StatusOr<Shape> PoolShape(InferContext& ctx);
// GlobalPoolShape returns input 0's shape with every spatial size 1.
absl::StatusOr<Shape> GlobalPoolShape(const OpView& op, ChannelOrder order);

absl::Status InferGlobalPool(InferContext& ctx);
// One compare per window element.
absl::StatusOr<Work> WorkMaxPool(const OpView& op);
// One add, or compare, per input element.
absl::StatusOr<Work> WorkGlobalAveragePool(const OpView& op);
absl::StatusOr<Work> WorkGlobalMaxPool(const OpView& op);

}  // namespace hwest
