// The rules of the shape family, by file: what keeps the bytes, what moves, selects, makes or resamples elements.
#pragma once

#include "op/rule.h"

namespace hwest {

// shape_view.cc
absl::Status InferReshape(InferContext& ctx);
absl::Status InferFlatten(InferContext& ctx);
absl::Status InferSqueeze(InferContext& ctx);
absl::Status InferUnsqueeze(InferContext& ctx);
absl::Status InferIdentity(InferContext& ctx);
absl::Status InferDropout(InferContext& ctx);
bool DropsElements(const Graph& graph, NodeId node, const Facts& facts);
absl::Status InferShape(InferContext& ctx);
absl::Status InferSize(InferContext& ctx);
void KnownSameElements(InferContext& ctx);
void KnownDropout(InferContext& ctx);
void KnownShape(InferContext& ctx);
void KnownSize(InferContext& ctx);
absl::StatusOr<Work> WorkDropout(const OpView& op);

// shape_move.cc
absl::Status InferTranspose(InferContext& ctx);
absl::Status InferTile(InferContext& ctx);
absl::Status InferExpand(InferContext& ctx);
absl::Status InferDepthToSpace(InferContext& ctx);
absl::Status InferSpaceToDepth(InferContext& ctx);
absl::Status InferTrilu(InferContext& ctx);
void KnownTranspose(InferContext& ctx);
void KnownTile(InferContext& ctx);
void KnownExpand(InferContext& ctx);
void KnownTrilu(InferContext& ctx);

// shape_concat.cc
absl::Status InferConcat(InferContext& ctx);
absl::Status InferSplit(InferContext& ctx);
void KnownConcat(InferContext& ctx);
void KnownSplit(InferContext& ctx);
absl::StatusOr<Work> WorkSplit(const OpView& op);

// shape_slice.cc
absl::Status InferSlice(InferContext& ctx);
absl::Status InferPad(InferContext& ctx);
void KnownSlice(InferContext& ctx);
void KnownPad(InferContext& ctx);

// shape_index.cc
absl::Status InferGather(InferContext& ctx);
absl::Status InferGatherElements(InferContext& ctx);
absl::Status InferGatherND(InferContext& ctx);
absl::Status InferScatterElements(InferContext& ctx);
absl::Status InferScatterND(InferContext& ctx);
absl::Status InferOneHot(InferContext& ctx);
void KnownGather(InferContext& ctx);
void KnownGatherElements(InferContext& ctx);
void KnownGatherND(InferContext& ctx);
void KnownScatterElements(InferContext& ctx);
void KnownScatterND(InferContext& ctx);
absl::StatusOr<Work> WorkScatter(const OpView& op);

// shape_make.cc
absl::Status InferConstant(InferContext& ctx);
absl::Status InferConstantOfShape(InferContext& ctx);
absl::Status InferRange(InferContext& ctx);
absl::Status InferEyeLike(InferContext& ctx);
void KnownConstant(InferContext& ctx);
void KnownConstantOfShape(InferContext& ctx);
void KnownRange(InferContext& ctx);
absl::StatusOr<Work> WorkRange(const OpView& op);

// shape_resize.cc
absl::Status InferResize(InferContext& ctx);
absl::StatusOr<Work> WorkResize(const OpView& op);

// shape_patch.cc
absl::Status InferCenterCropPad(InferContext& ctx);
absl::Status InferCol2Im(InferContext& ctx);
absl::Status InferReverseSequence(InferContext& ctx);
absl::Status InferTensorScatter(InferContext& ctx);
absl::StatusOr<Work> WorkCenterCropPad(const OpView& op);
absl::StatusOr<Work> WorkCol2Im(const OpView& op);

// shape_select.cc
absl::Status InferCompress(InferContext& ctx);
absl::Status InferUnique(InferContext& ctx);
void KnownCompress(InferContext& ctx);
void KnownUnique(InferContext& ctx);
absl::StatusOr<Work> WorkUnique(const OpView& op);

}  // namespace hwest
