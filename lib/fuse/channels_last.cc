#include "fuse/channels_last.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "fuse/guard_helpers.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {
namespace {

constexpr int kMaxHops = 16;
constexpr size_t kMostValues = 64;
constexpr int kImageRank = 4;

// Windows, and pixels that become channels or are made of them: operators of images alone.
bool HasWindow(const GuardContext& context, NodeId node) {
  return HasTrait(context.graph, node, trait::kWindowOfWeights) ||
         context.graph.FindAttribute(node, "kernel_shape") != nullptr ||
         context.graph.FindAttribute(node, "blocksize") != nullptr;
}

// [N, C, ...] of that many channels.
bool HasChannels(const GuardContext& context, ValueId value, const Shape& like) {
  const Shape& shape = ShapeOf(context, value);
  return shape.ranked() && shape.rank() >= 3 && shape.dim(0) == like.dim(0) && shape.dim(1) == like.dim(1);
}

bool IsImageShaped(const GuardContext& context, ValueId value) {
  const Shape& shape = ShapeOf(context, value);
  return shape.ranked() && shape.rank() == kImageRank;
}

// Channels stay channels: views of the positions, element-wise operators and those from image to image, as resizing is.
bool KeepsChannels(const GuardContext& context, NodeId node) {
  if (context.classes[node] == NodeClass::kView || HasTrait(context.graph, node, trait::kElementwise)) return true;
  const ValueId in = InputAt(context, node, 0), out = context.graph.outputs(node)[0];
  return context.classes[node] == NodeClass::kCompute && in.valid() && IsImageShaped(context, in) &&
         IsImageShaped(context, out);
}

bool HasPerm(const GuardContext& context, NodeId node, const std::vector<int64_t>& perm) {
  const Attribute* attribute = context.graph.FindAttribute(node, "perm");
  return attribute != nullptr && attribute->ints == perm;
}

// All positions of each channel become one.
bool PoolsImage(const GuardContext& context, NodeId node) {
  const ValueId in = InputAt(context, node, 0), out = context.graph.outputs(node)[0];
  if (!in.valid() || !IsImageShaped(context, in) || !IsImageShaped(context, out)) return false;
  const Shape &from = ShapeOf(context, in), &to = ShapeOf(context, out);
  return context.classes[node] == NodeClass::kCompute && from.dim(1) == to.dim(1) && AllOnes(to.dims().subspan(2)) &&
         !AllOnes(from.dims().subspan(2));
}

// An operator with a window, a pooling of all or the way back to positions takes `value`, of the channels of `like`,
// alone or beside others in a concatenation.
bool GoesToImage(const GuardContext& context, ValueId value, const Shape& like) {
  struct Open {
    ValueId value;
    const Shape* like;
  };
  std::vector<Open> open = {{value, &like}};
  for (int hop = 0; hop < kMaxHops && !open.empty(); ++hop) {
    const Open at = open.back();
    open.pop_back();
    if (!HasChannels(context, at.value, *at.like)) continue;
    const bool is_image = IsImageShaped(context, at.value);
    for (const Use& use : context.graph.uses(at.value)) {
      const ValueId out = context.graph.outputs(use.node)[0];
      const bool takes_image =
          HasWindow(context, use.node) || PoolsImage(context, use.node) || HasPerm(context, use.node, {0, 2, 3, 1});
      if (is_image && use.input == 0 && takes_image) return true;
      if (is_image && HasTrait(context.graph, use.node, trait::kJoins)) open.push_back({out, &ShapeOf(context, out)});
      const bool is_data = use.input == 0 || HasTrait(context.graph, use.node, trait::kElementwise);
      if (is_data && KeepsChannels(context, use.node)) open.push_back({out, at.like});
    }
  }
  return false;
}

// The first input that is no constant: a scale of channels may be written in front of what it scales.
ValueId DataOf(const GuardContext& context, NodeId node) {
  for (const ValueId input : context.graph.inputs(node)) {
    if (input.valid() && !IsConst(context, input)) return input;
  }
  return InputAt(context, node, 0);
}

bool Swaps(const GuardContext& context, NodeId node) { return HasPerm(context, node, {0, 2, 1}); }

bool PutsFirst(const GuardContext& context, NodeId node) {
  const ValueId out = context.graph.outputs(node)[0];
  return (Swaps(context, node) || HasPerm(context, node, {0, 3, 1, 2})) && ShapeOf(context, out).ranked() &&
         GoesToImage(context, out, ShapeOf(context, out));
}

// What `value`, of the channels of `like`, was made from by an operator with a window, or is put first for one.
bool ComesFromImage(const GuardContext& context, ValueId value, const Shape& like) {
  for (int hop = 0; hop < kMaxHops && value.valid() && HasChannels(context, value, like); ++hop) {
    const NodeId maker = context.graph.value(value).producer;
    if (!maker.valid()) return false;
    if (HasWindow(context, maker)) return IsImageShaped(context, value);
    if (PutsFirst(context, maker)) return true;
    if (!KeepsChannels(context, maker)) return false;
    value = DataOf(context, maker);
  }
  return false;
}

// What becomes an image of rows as channels is no row of positions.
bool PutsLast(const GuardContext& context, NodeId node) {
  const ValueId in = InputAt(context, node, 0), out = context.graph.outputs(node)[0];
  return (Swaps(context, node) || HasPerm(context, node, {0, 2, 3, 1})) && in.valid() &&
         ShapeOf(context, in).ranked() && ComesFromImage(context, in, ShapeOf(context, in)) &&
         !(ShapeOf(context, out).ranked() && GoesToImage(context, out, ShapeOf(context, out)));
}

// Channels stay last: views of the positions, element-wise operators, products with weights, normalisations, and what
// takes parts or joins them.
bool KeepsLast(const GuardContext& context, NodeId node, size_t input) {
  const ValueId in = InputAt(context, node, input), out = context.graph.outputs(node)[0];
  if (!in.valid() || !ShapeOf(context, in).ranked() || !ShapeOf(context, out).ranked()) return false;
  const Shape &from = ShapeOf(context, in), &to = ShapeOf(context, out);
  if (HasTrait(context.graph, node, trait::kElementwise)) return true;
  if (context.classes[node] == NodeClass::kView)
    return from.rank() > 1 && to.rank() > 1 && from.dims().back() == to.dims().back();
  if (context.classes[node] == NodeClass::kLayout) return context.graph.FindAttribute(node, "perm") == nullptr;
  if (input != 0 || context.classes[node] != NodeClass::kCompute) return false;
  const ValueId weights = InputAt(context, node, 1);
  const bool has_weights = weights.valid() && IsConst(context, weights);
  return HasTrait(context.graph, node, trait::kTakesStatistics) || (has_weights && !HasWindow(context, node));
}

// A transpose that puts channels first again takes what becomes of `value`.
bool GoesBack(const GuardContext& context, ValueId value) {
  std::vector<ValueId> open = {value};
  for (size_t i = 0; i < open.size() && i < kMostValues; ++i) {
    for (const Use& use : context.graph.uses(open[i])) {
      if (PutsFirst(context, use.node)) return true;
      if (!KeepsLast(context, use.node, use.input)) continue;
      for (const ValueId output : context.graph.outputs(use.node)) {
        if (output.valid() && absl::c_find(open, output) == open.end()) open.push_back(output);
      }
    }
  }
  return false;
}

// `value` was made of what a transpose put last.
bool CameFromImage(const GuardContext& context, ValueId value) {
  std::vector<ValueId> open = {value};
  for (size_t i = 0; i < open.size() && i < kMostValues; ++i) {
    const NodeId maker = context.graph.value(open[i]).producer;
    if (!maker.valid()) continue;
    if (PutsLast(context, maker)) return true;
    const absl::Span<const ValueId> inputs = context.graph.inputs(maker);
    for (size_t input = 0; input < inputs.size(); ++input) {
      if (!inputs[input].valid() || IsConst(context, inputs[input]) || !KeepsLast(context, maker, input)) continue;
      if (absl::c_find(open, inputs[input]) == open.end()) open.push_back(inputs[input]);
    }
  }
  return false;
}

}  // namespace

bool StaysImage(const GuardContext& context, NodeId transpose) {
  if (HasPerm(context, transpose, {0, 2, 3, 1})) {
    return PutsLast(context, transpose) && GoesBack(context, context.graph.outputs(transpose)[0]);
  }
  return HasPerm(context, transpose, {0, 3, 1, 2}) && PutsFirst(context, transpose) &&
         CameFromImage(context, InputAt(context, transpose, 0));
}

bool KeepsOrder(const GuardContext& context, NodeId transpose) {
  return PutsLast(context, transpose) || PutsFirst(context, transpose);
}

}  // namespace hwest
