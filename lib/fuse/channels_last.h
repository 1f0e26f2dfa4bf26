// Transposes between an image and its positions in a row: no element changes places where channels are innermost in
// memory.
#pragma once

#include "fuse/guards.h"
#include "hwest/graph.h"

namespace hwest {

// KeepsOrder is true of a Transpose that puts the channels of an image last, or channels that are last in front for an
// operator on images: [N, C, H, W] or [N, C, H * W] to [N, H, W, C] or [N, H * W, C], and back. An image is what comes
// from or goes to an operator with a window, also through operators that keep its channels.
bool KeepsOrder(const GuardContext& context, NodeId transpose);

// StaysImage is true of such a Transpose of images in front of, or behind, operators on channels that are last, between
// which no other needs them so: [N, C, H, W] to [N, H, W, C] and, later, back.
bool StaysImage(const GuardContext& context, NodeId transpose);

}  // namespace hwest
