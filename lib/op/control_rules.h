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

// control_while.cc
// Runs of the body while its condition holds, when the condition compares sizes or counters: `condition` is computed in
// the body at run `iter`, input `initial` of the node before the first run. None when that cannot be told.
std::optional<Dim> CountWhile(InferContext& ctx, ValueId condition, int initial, Dim iter);

}  // namespace hwest
