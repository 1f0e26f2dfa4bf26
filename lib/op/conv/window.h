// Geometry of sliding windows: kernel, stride, padding, dilation, auto_pad and ceil_mode of convolutions and pools.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "op/rule.h"

namespace hwest {

enum class AutoPad { kNotSet, kSameUpper, kSameLower, kValid };
enum class SizeRounding { kFloor, kCeil };

// SlidingWindow is the geometry of a node with `kernel.size()` spatial axes. strides and dilations are positive and
// have one entry an axis, pads two: all begins, then all ends.
struct SlidingWindow {
  std::vector<Dim> kernel;
  std::vector<int64_t> strides, dilations, pads;
  AutoPad auto_pad = AutoPad::kNotSet;
  SizeRounding rounding = SizeRounding::kFloor;

  int spatial() const { return static_cast<int>(kernel.size()); }
};

// SpatialAxes returns how many spatial axes the node has: the length of kernel_shape, else rank - 2 of `x` or of `w`,
// whichever is ranked; -1 when nothing tells. Errors: a negative or implausible count.
absl::StatusOr<int> SpatialAxes(const OpView& op, const Shape& x, const Shape& w);

// ReadWindow reads the attributes. The kernel is kernel_shape, else the trailing dims of the filter `w` (unranked for
// pools), else unknown. Errors: lists of another length than `spatial`, values out of range, kernel_shape that
// contradicts `w`.
absl::StatusOr<SlidingWindow> ReadWindow(const OpView& op, int spatial, const Shape& w);

// WindowedSize returns the output size of axis `axis` (0 = first spatial one) for an input of size `in`. Under
// ceil_mode a last window that would start in the end padding is dropped. Errors: the window proves larger than the
// padded input.
absl::StatusOr<Dim> WindowedSize(DimPool& dims, const SlidingWindow& window, int axis, Dim in);

// TransposedSize is its inverse for transposed convolutions, `output_padding` included.
absl::StatusOr<Dim> TransposedSize(DimPool& dims, const SlidingWindow& window, int axis, Dim in,
                                   int64_t output_padding);

// Of an image `x` (channels before the spatial axes, or behind them) the elements in rows that some window touches: a
// window smaller than its stride steps over the others. Along the last spatial axis neighbours lie beside each other,
// and come with what is read. None = every row is touched.
std::optional<Dim> TouchedElements(DimPool& dims, const SlidingWindow& window, const Shape& x, const Shape& y,
                                   int first_spatial_axis);

// Elements of one window.
Dim Taps(DimPool& dims, const SlidingWindow& window);

}  // namespace hwest
