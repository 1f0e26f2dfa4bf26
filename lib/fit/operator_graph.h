// A graph of one kernel, as a row of measured operators describes it.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"
#include "measured/operators.h"

namespace hwest {

// OperatorGraph builds the operator that leads the row and what it says is fused behind it. Activations are inputs,
// weights are initialisers without contents. What the row does not say of a window follows from its shapes.
// Errors: NotFound, whose message says why there is no graph.
absl::StatusOr<std::shared_ptr<const Graph>> OperatorGraph(const MeasuredOperator& row);

// Sizes of a convolution without bias, all of them positive but the padding. Kernels have the stride, padding and
// dilation of both axes alike.
struct ConvSizes {
  int64_t batch = 1, in_channels = 1, height = 1, width = 1, out_channels = 1;
  int64_t kernel_height = 1, kernel_width = 1, stride = 1, padding = 0, dilation = 1, groups = 1;
};
// Products of `batch` matrices of m x k with constant weights k x n.
struct ProductSizes {
  int64_t batch = 1, m = 1, k = 1, n = 1;
};
// The graph of one such layer; `activation` is an operator behind it, such as "Relu", or "". Errors: NotFound, as
// above.
absl::StatusOr<std::shared_ptr<const Graph>> ConvGraph(const ConvSizes& sizes, absl::string_view activation);
absl::StatusOr<std::shared_ptr<const Graph>> ProductGraph(const ProductSizes& sizes, absl::string_view activation);

}  // namespace hwest
