// A plan of formats written into the file: Q/DQ around the kernels that run in int8, by ranges that are given.
#pragma once

#include <optional>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/quantize.h"
#include "hwest/rewrite.h"
#include "rewrite/edited_model.h"

namespace hwest {

// What the values of a tensor lie between.
struct TensorRange {
  double low = 0, high = 0;
};
using TensorRanges = absl::flat_hash_map<std::string, TensorRange>;

// ParseRanges reads, told apart by the text:
//   JSON of ONNX Runtime's write_calibration_table or save_tensors_data: by tensor an object with lowest and highest,
//        each a number or an array of numbers as these functions write it; or a list [lowest, highest]
//   TensorRT's calibration cache: a line "TRT-...", then "TENSOR: HEX", the scale as a binary32; the range is 127 of it
//        to either side
// Errors: kUsage with `source`; so for ONNX Runtime's calibration.cache, which holds the highest value alone.
absl::StatusOr<TensorRanges> ParseRanges(absl::string_view text, absl::string_view source);

// ApplyPlan writes the plan that is chosen into `file`, which the plan is of: QuantizeLinear and DequantizeLinear on
// what kernels in int8 read and write, and int8 weights with a scale per output channel. Activations are int8 without
// zero point, or uint8 with one, and biases stay or become int32, whichever is fastest on the target. Layers in
// floating point stay as they are. The rows of the result say what was done, `after` is the analysis of the file, and a
// note sets it beside the plan. Errors: kUsage where no plan is chosen, where it has other integers than int8, for a
// file with Q/DQ or of an operator set that lacks them, where the target's compiler takes none, for a range that is
// missing and for weights that the file does not hold; those of Analyze.
absl::StatusOr<Rewritten> ApplyPlan(const QuantizePlan& plan, const EditedModel& file, const TensorRanges& ranges);

// The latency of the file that ApplyPlan writes, whatever the ranges and the weights are: which both may be lacking.
// None where it would write none.
std::optional<double> LatencyApplied(const QuantizePlan& plan, const EditedModel& file);

}  // namespace hwest
