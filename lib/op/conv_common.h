// What all convolutions share, whatever their domain, layout and element types.
#pragma once

#include "op/rule.h"

namespace hwest {

enum class ChannelOrder { kFirst, kLast };

// ConvArgs says where a convolution keeps its operands.
struct ConvArgs {
  int x = 0;
  int w = 1;
  int bias = 2;
  ChannelOrder order = ChannelOrder::kFirst;
};

// ConvShape returns the output shape: X [N, C, spatial...] (or channels last), W [M, C/group, kernel...]; batch from X,
// M from W, spatial sizes from the window. Unranked when neither operand is ranked. Errors: ranks, channels or group
// that contradict each other.
absl::StatusOr<Shape> ConvShape(InferContext& ctx, const ConvArgs& args);

// ConvWork counts N * positions * M * C/group * kernel elements (taps on padding included) and one add per output
// element when there is a bias.
absl::StatusOr<Work> ConvWork(const OpView& op, const ConvArgs& args);

}  // namespace hwest
