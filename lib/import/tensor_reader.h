// Reads TensorProto and SparseTensorProto: dims, type and place of the payload; the payload itself only when small.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hwest/graph.h"
#include "import/read_context.h"
#include "import/wire.h"

namespace hwest {

// What the fields of a TensorProto say, before it is known that no more follow. A message that occurs twice is merged
// by reading it twice into the same parts.
struct TensorParts {
  // Neighbouring fields of one repeated value field (float_data, ...), tags included.
  struct Run {
    uint32_t number = 0;
    Span fields;
    int64_t payload_bytes = 0;
  };

  Constant constant;
  bool has_raw = false;
  Span raw;
  std::vector<Run> runs;
  bool is_external = false;  // data_location = EXTERNAL
  bool has_external_data = false;
  std::optional<int64_t> external_offset = 0;  // none when the text is no number
  std::optional<int64_t> external_length = 0;
};

struct SparseTensorParts {
  TensorParts values, indices;
  std::vector<int64_t> dims;
};

TensorParts NewTensorParts();
void ReadTensor(ReadContext& context, Span range, TensorParts* parts);
void ReadSparseTensor(ReadContext& context, Span range, SparseTensorParts* parts);

// FinishTensor decides where the contents are and decodes them when small, in ONNX's raw layout whatever field held
// them. A payload that contradicts dims or type leaves a diagnostic and a constant without known contents
// (Storage::kMissing); it never ends the reading.
Constant FinishTensor(ReadContext& context, TensorParts parts);
// The constant has the dense dims, the name of the values tensor, and the bytes of values and indices as length.
Constant FinishSparseTensor(ReadContext& context, SparseTensorParts parts);

}  // namespace hwest
