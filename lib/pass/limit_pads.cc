#include "pass/limit_pads.h"

#include <algorithm>

namespace hwest {
namespace {

absl::string_view AutoPadOf(const Graph& graph, NodeId node) {
  const Attribute* mode = graph.FindAttribute(node, "auto_pad");
  return mode != nullptr && mode->kind == AttrKind::kString ? graph.str(mode->s) : absl::string_view();
}

bool IsSame(absl::string_view auto_pad) { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }

bool StatesOutputShape(const Graph& graph, NodeId node) {
  const Attribute* shape = graph.FindAttribute(node, "output_shape");
  return shape != nullptr && !shape->ints.empty();
}

// A size of an operand along a spatial axis.
std::optional<double> ImageSize(const LimitContext& context, NodeId node, int32_t operand, int32_t axis) {
  const LimitReadings sizes =
      ReadLimited(context, node, {.kind = LimitKind::kDim, .input = operand, .index = axis + 2});
  return sizes.empty() ? std::nullopt : sizes[0].number;
}

double Entry(const LimitContext& context, NodeId node, const char* list, size_t axis, double otherwise) {
  const Attribute* attribute = context.graph.FindAttribute(node, list);
  const bool has = attribute != nullptr && axis < attribute->ints.size();
  return has ? static_cast<double>(attribute->ints[axis]) : otherwise;
}

// What the windows reach beyond the image along an axis. The image is the larger side: SAME_UPPER and SAME_LOWER keep
// ceil(in / stride) elements, and transposed convolutions, which alone have an output_shape, in * stride.
std::optional<double> TotalPad(const LimitContext& context, NodeId node, size_t axis, const LimitReading& kernel) {
  const auto in = ImageSize(context, node, 0, static_cast<int32_t>(axis));
  const auto out = ImageSize(context, node, -1, static_cast<int32_t>(axis));
  if (!in.has_value() || !out.has_value() || !kernel.number.has_value()) return std::nullopt;
  const bool transposed = *out > *in || StatesOutputShape(context.graph, node);
  const double windows = transposed ? *in : *out, image = transposed ? *out : *in;
  const double extent = (*kernel.number - 1) * Entry(context, node, "dilations", axis, 1) + 1;
  const double reach = (windows - 1) * Entry(context, node, "strides", axis, 1) + extent;
  return std::max(0.0, reach + Entry(context, node, "output_padding", axis, 0) - image);
}

// The odd element is at the end for SAME_UPPER; a transposed convolution has it at the beginning in all other cases.
double BeginOf(double total, bool upper) {
  const auto whole = static_cast<int64_t>(total);
  return static_cast<double>(upper ? whole / 2 : whole - whole / 2);
}

}  // namespace

bool HasImpliedPads(const Graph& graph, NodeId node) {
  const absl::string_view auto_pad = AutoPadOf(graph, node);
  return IsSame(auto_pad) || auto_pad == "VALID" || StatesOutputShape(graph, node);
}

LimitReadings ReadImpliedPads(const LimitContext& context, NodeId node) {
  const absl::string_view auto_pad = AutoPadOf(context.graph, node);
  const LimitReadings kernel = ReadLimited(context, node, {.kind = LimitKind::kAttr, .attr = "kernel_shape"});
  const bool none = auto_pad == "VALID" && !StatesOutputShape(context.graph, node);
  const size_t spatial = kernel.size();
  LimitReadings pads(2 * spatial, LimitReading{std::nullopt, "unknown"});
  for (size_t axis = 0; axis < spatial; ++axis) {
    const std::optional<double> total = none ? 0.0 : TotalPad(context, node, axis, kernel[axis]);
    if (!total.has_value()) continue;
    const double begin = BeginOf(*total, auto_pad == "SAME_UPPER");
    pads[axis] = {begin, ""};
    pads[axis + spatial] = {*total - begin, ""};
  }
  return pads;
}

}  // namespace hwest
