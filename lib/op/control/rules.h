// The rules of the control family, by file.
#pragma once

#include "op/rule.h"

namespace hwest {

// control_if.cc
absl::Status InferIf(InferContext& ctx);
bool FollowIf(InferContext& ctx, int round, Effort effort);

// control_loop.cc
absl::Status InferLoop(InferContext& ctx);
bool FollowLoop(InferContext& ctx, int round, Effort effort);

// control_scan.cc
absl::Status InferScan(InferContext& ctx);
bool FollowScan(InferContext& ctx, int round, Effort effort);

// control_map.cc
absl::Status InferSequenceMap(InferContext& ctx);
bool FollowSequenceMap(InferContext& ctx, int round, Effort effort);

// control_search.cc
absl::Status InferSearch(InferContext& ctx);
bool FollowSearch(InferContext& ctx, int round, Effort effort);

// flex_attention.cc
absl::Status InferFlexAttention(InferContext& ctx);
bool FollowFlexAttention(InferContext& ctx, int round, Effort effort);
absl::StatusOr<Work> WorkFlexAttention(const OpView& op);

}  // namespace hwest
