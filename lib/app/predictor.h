// Predictor: times of single layers on one target, many at once, for searches over architectures and for pruning.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "analysis/request_options.h"

namespace hwest::app {

enum class LayerForm : uint8_t { kConv, kProduct };
// Columns of a row of sizes.
//   kConv     batch, input channels, height, width, output channels, kernel height, kernel width, stride, padding,
//             dilation, groups
//   kProduct  batch, m, k, n: a matrix of m x k and constant weights of k x n, `batch` times
size_t LayerColumns(LayerForm form);

// The seconds of a layer are those of its kernels, on the unit that a whole analysis of a model of this layer alone
// puts it on: exactly what that analysis says of them. How a model is invoked and its inputs are handed over is no part
// of it. NaN = no unit runs the layer, its time is not known, or there is no such layer.
class Predictor {
 public:
  // The target and how a model runs there. Errors: those of Analyze.
  static absl::StatusOr<std::unique_ptr<Predictor>> Make(RequestDraft draft);
  ~Predictor();

  // Fills a time for each row of `sizes`. `activation` is an operator behind the layer ("Relu", "SiLU", ...; "" =
  // none). Rows that were asked for before are remembered. Thread-safe, one call after the other. Errors: kUsage for an
  // activation that does not exist, for sizes that are no whole rows.
  absl::Status Run(LayerForm form, absl::string_view activation, absl::Span<const int64_t> sizes,
                   absl::Span<double> seconds);

 private:
  Predictor();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hwest::app
