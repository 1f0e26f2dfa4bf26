// Reads a TensorFlow Lite model (.tflite) into a RawModel of ONNX operators without touching weights.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "import/read_options.h"
#include "import/source.h"
#include "ir/raw.h"

namespace hwest {

// What IsTflite wants of a file.
inline constexpr size_t kTfliteHeadBytes = 8;

// True for the first bytes of a TensorFlow Lite model, which hold its identifier.
bool IsTflite(absl::string_view head);

// ReadTflite reads the first subgraph. Operators that ONNX has no like for become nodes of the domain "tflite", of
// which nothing is known. Errors: kModelCorrupt with the byte offset, kModelRefused beyond a cap of `options`.
absl::StatusOr<RawModel> ReadTflite(Source& source, const ReadOptions& options = {});

}  // namespace hwest
