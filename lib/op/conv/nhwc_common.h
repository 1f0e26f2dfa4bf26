// Rules of channels-first operators used for [N, spatial..., C].
#pragma once

#include "op/rule.h"

namespace hwest {

// Runs `infer` as if input 0 were [N, C, spatial...] and turns output 0 back. Other inputs and outputs keep their
// order, as ONNX Runtime's layout variants do.
absl::Status InferChannelsLast(InferContext& ctx, InferFn infer);
// Runs `work` with input 0 and output 0 seen channels first. A null `work` is no work.
absl::StatusOr<Work> WorkChannelsLast(const OpView& op, WorkFn work);

}  // namespace hwest
