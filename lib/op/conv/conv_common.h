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
  int pads = -1;  // input that holds the pads in place of the attribute
};

// ConvShape returns the output shape: X [N, C, spatial...] (or channels last), W [M, C/group, kernel...]; batch from X,
// M from W, spatial sizes from the window. Unranked when neither operand is ranked. Errors: ranks, channels or group
// that contradict each other.
absl::StatusOr<Shape> ConvShape(InferContext& ctx, const ConvArgs& args);

// ConvWork counts N * positions * M * C/group * kernel elements (taps on padding included) and one add per output
// element when there is a bias.
absl::StatusOr<Work> ConvWork(const OpView& op, const ConvArgs& args);

// ConvTransposeShape and ConvTransposeWork do the same for transposed convolutions, W [C, M/group, kernel...], channels
// first. Every input element meets every filter element of its group: N * input positions * C * M/group * kernel
// elements.
absl::StatusOr<Shape> ConvTransposeShape(InferContext& ctx, const ConvArgs& args);
absl::StatusOr<Work> ConvTransposeWork(const OpView& op, const ConvArgs& args);

}  // namespace hwest
