// Measured operators: times of single kernels with their shapes, one per row of a CSV file.
//
// Columns are found by name, in any order; unknown ones are passed over: hwest_target, device, unit, runtime,
// precision, model_file, layer_name, op_type, onnx_ops, input_shapes, weight_shape, output_shape, attributes, time_us,
// source, overhead_us. Shapes are written 1x64x56x56, several with ";" between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

struct MeasuredOperator {
  using Shape = std::vector<int64_t>;

  size_t row = 0;  // 1-based, the header not counted
  std::string target, device, unit, runtime, precision, source;
  std::string model;  // stem of the graph that layer_name is a node of; empty = none is there
  std::string layer;
  std::string type;                                             // as the runtime prints it
  std::string ops;                                              // in ONNX's words, "+" between: "Conv+Relu"
  std::vector<Shape> inputs, outputs;                           // activations
  Shape weight;                                                 // empty = none
  std::vector<std::pair<std::string, std::string>> attributes;  // "kernel", "3x3"
  std::string shapes;                                           // input, weight and output as written, for reports
  std::string unread;                                           // why it cannot be predicted; empty = it can
  double seconds = 0;     // without what the profiler adds, positive unless `unread` says why
  double overhead_s = 0;  // that was taken off

  // Empty = the row has no such attribute.
  absl::string_view Attribute(absl::string_view name) const;
};

// ParseOperators reads the text of a CSV file, `name` stands for it in errors. Rows that say too little or that
// measure nothing are rows with a reason. Errors: kUsage for a text that is no table, and for needed columns that are
// missing.
absl::StatusOr<std::vector<MeasuredOperator>> ParseOperators(absl::string_view text, absl::string_view name);
absl::StatusOr<std::vector<MeasuredOperator>> ReadOperators(const std::string& path);

// What a profiler adds to the time of each layer, by its runtime and, where several logs of one differ, by source.
struct ProfilerOverhead {
  absl::string_view runtime;  // how the runtime begins
  absl::string_view source;   // what the source contains; empty = any
  double low_us = 0, high_us = 0;
  absl::string_view from;  // where the figure is from
};
// The first row that fits; null = nothing is known to be added.
const ProfilerOverhead* OverheadOf(absl::string_view runtime, absl::string_view source);

// "1x64x56x56" as sizes; empty when it is no shape.
MeasuredOperator::Shape SizesIn(absl::string_view text);

}  // namespace hwest
