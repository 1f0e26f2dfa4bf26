#include "op/conv/window.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

constexpr int kMaxSpatialAxes = 64;
constexpr int64_t kMaxExtent = int64_t{1} << 40;  // keeps products of two attributes inside int64

absl::StatusOr<std::vector<int64_t>> ReadList(const OpView& op, absl::string_view name, int count, int64_t fallback,
                                              int64_t min) {
  const absl::Span<const int64_t> given = op.ints(name);
  if (given.empty()) return std::vector<int64_t>(static_cast<size_t>(count), fallback);
  if (static_cast<int>(given.size()) != count) {
    return absl::InvalidArgumentError(absl::StrCat(name, " has ", given.size(), " entries, expected ", count));
  }
  for (const int64_t value : given) {
    if (value < min || value > kMaxExtent) {
      return absl::InvalidArgumentError(absl::StrCat(name, " holds ", value, ", expected at least ", min));
    }
  }
  return std::vector<int64_t>(given.begin(), given.end());
}

absl::StatusOr<AutoPad> ReadAutoPad(const OpView& op) {
  const absl::string_view text = op.attr("auto_pad", "NOTSET");
  if (text == "NOTSET" || text.empty()) return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return absl::InvalidArgumentError(absl::StrCat("auto_pad is \"", text, "\", expected one of ONNX's four"));
}

absl::Status ReadKernel(const OpView& op, const Shape& w, SlidingWindow& window) {
  const absl::Span<const int64_t> given = op.ints("kernel_shape");
  const bool filter = w.ranked() && w.rank() == window.spatial() + 2;
  if (!given.empty() && static_cast<int>(given.size()) != window.spatial()) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel_shape has ", given.size(), " entries, expected ", window.spatial()));
  }
  for (int axis = 0; axis < window.spatial(); ++axis) {
    Dim& kernel = window.kernel[static_cast<size_t>(axis)];
    if (filter) kernel = w.dim(axis + 2);
    if (given.empty()) continue;
    const int64_t declared = given[static_cast<size_t>(axis)];
    if (declared < 1 || declared > kMaxExtent) {
      return absl::InvalidArgumentError(absl::StrCat("kernel_shape holds ", declared, ", expected at least 1"));
    }
    if (kernel.is_constant() && kernel.value() != declared) {
      return absl::InvalidArgumentError(
          absl::StrCat("kernel_shape holds ", declared, ", the filter has ", kernel.value()));
    }
    kernel = declared;
  }
  return absl::OkStatus();
}

int64_t TotalPad(const SlidingWindow& window, int axis) {
  const size_t i = static_cast<size_t>(axis);
  return window.pads[i] + window.pads[i + window.kernel.size()];
}

// Extent of a dilated kernel: (kernel - 1) * dilation + 1.
Dim Extent(DimPool& dims, const SlidingWindow& window, int axis) {
  const size_t i = static_cast<size_t>(axis);
  return dims.Add(dims.Mul(dims.Sub(window.kernel[i], 1), window.dilations[i]), 1);
}

}  // namespace

absl::StatusOr<int> SpatialAxes(const OpView& op, const Shape& x, const Shape& w) {
  const int listed = static_cast<int>(std::min<size_t>(op.ints("kernel_shape").size(), kMaxSpatialAxes + 1));
  const int spatial = x.ranked() ? x.rank() - 2 : w.ranked() ? w.rank() - 2 : listed > 0 ? listed : -1;
  if (spatial > kMaxSpatialAxes) {
    return absl::InvalidArgumentError(absl::StrCat("more than ", kMaxSpatialAxes, " spatial axes"));
  }
  return spatial;
}

absl::StatusOr<SlidingWindow> ReadWindow(const OpView& op, int spatial, const Shape& w) {
  SlidingWindow window;
  window.kernel.resize(static_cast<size_t>(spatial));
  HWEST_RETURN_IF_ERROR(ReadKernel(op, w, window));
  HWEST_ASSIGN_OR_RETURN(window.strides, ReadList(op, "strides", spatial, 1, 1));
  HWEST_ASSIGN_OR_RETURN(window.dilations, ReadList(op, "dilations", spatial, 1, 1));
  HWEST_ASSIGN_OR_RETURN(window.pads, ReadList(op, "pads", 2 * spatial, 0, -kMaxExtent));
  HWEST_ASSIGN_OR_RETURN(window.auto_pad, ReadAutoPad(op));
  if (op.attr("ceil_mode", int64_t{0}) != 0) window.rounding = SizeRounding::kCeil;
  return window;
}

absl::StatusOr<Dim> WindowedSize(DimPool& dims, const SlidingWindow& window, int axis, Dim in) {
  const size_t i = static_cast<size_t>(axis);
  const int64_t stride = window.strides[i];
  if (window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower) return dims.CeilDiv(in, stride);

  const int64_t pad = window.auto_pad == AutoPad::kValid ? 0 : TotalPad(window, axis);
  const Dim extent = Extent(dims, window, axis);
  const Dim room = dims.Sub(dims.Add(in, pad), extent);
  if (dims.LessEqual(room, -1) == Tri::kTrue) {
    return absl::InvalidArgumentError(absl::StrCat("a window of ", dims.ToString(extent), " does not fit into ",
                                                   dims.ToString(dims.Add(in, pad)), " at spatial axis ", axis));
  }
  if (window.rounding == SizeRounding::kFloor || window.auto_pad == AutoPad::kValid) {
    return dims.Add(dims.FloorDiv(room, stride), 1);
  }
  // The last window may start in the end padding only when that padding and a stride exceed the kernel; what counts
  // then is how many windows start inside input and begin padding.
  const int64_t end_pad = window.pads[i + window.kernel.size()];
  if (dims.LessEqual(end_pad + stride, extent) == Tri::kTrue) return dims.Add(dims.CeilDiv(room, stride), 1);
  const Dim starts = dims.CeilDiv(dims.Add(in, window.pads[i]), stride);
  if (dims.LessEqual(extent, end_pad + stride) == Tri::kTrue) return starts;
  return dims.Min(dims.Add(dims.CeilDiv(room, stride), 1), starts);
}

absl::StatusOr<Dim> TransposedSize(DimPool& dims, const SlidingWindow& window, int axis, Dim in,
                                   int64_t output_padding) {
  const size_t i = static_cast<size_t>(axis);
  const int64_t stride = window.strides[i];
  if (window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower) return dims.Mul(in, stride);

  const int64_t pad = window.auto_pad == AutoPad::kValid ? 0 : TotalPad(window, axis);
  const Dim spread = dims.Add(dims.Mul(dims.Sub(in, 1), stride), Extent(dims, window, axis));
  const Dim size = dims.Add(spread, output_padding - pad);
  if (dims.LessEqual(size, -1) == Tri::kTrue) {
    return absl::InvalidArgumentError(
        absl::StrCat("padding leaves ", dims.ToString(size), " elements at spatial axis ", axis));
  }
  return size;
}

std::optional<Dim> TouchedElements(DimPool& dims, const SlidingWindow& window, const Shape& x, const Shape& y,
                                   int first_spatial_axis) {
  if (!x.ranked() || !y.ranked()) return std::nullopt;
  std::vector<Dim> sizes(x.dims().begin(), x.dims().end());
  bool skips = false;
  for (int axis = 0; axis + 1 < window.spatial(); ++axis) {
    const size_t i = static_cast<size_t>(axis);
    if (dims.LessEqual(window.kernel[i], window.strides[i] - 1) != Tri::kTrue) continue;
    Dim& rows = sizes[static_cast<size_t>(first_spatial_axis + axis)];
    const Dim touched = dims.Mul(y.dim(first_spatial_axis + axis), window.kernel[i]);
    // Windows in the padding touch nothing.
    const bool is_same = window.auto_pad == AutoPad::kSameUpper || window.auto_pad == AutoPad::kSameLower;
    const bool may_miss = is_same ? !window.kernel[i].IsConstant(1) : TotalPad(window, axis) > 0;
    rows = may_miss ? dims.Min(rows, touched) : touched;
    skips = true;
  }
  return skips ? std::optional<Dim>(dims.Product(sizes)) : std::nullopt;
}

Dim Taps(DimPool& dims, const SlidingWindow& window) { return dims.Product(window.kernel); }

}  // namespace hwest
