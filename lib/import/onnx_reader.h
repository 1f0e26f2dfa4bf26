// Reads a binary ModelProto into a RawModel without touching weights.
#pragma once

#include "absl/status/statusor.h"
#include "import/read_options.h"
#include "import/source.h"
#include "ir/raw.h"

namespace hwest {

// ReadOnnx accepts what protobuf accepts, and fields it does not know. Time, memory and bytes read go with the bytes
// that are no tensor payload. Errors: kModelFormat for another container or a message without a graph, kModelCorrupt
// with the byte offset, kModelRefused beyond a cap of `options`.
absl::StatusOr<RawModel> ReadOnnx(Source& source, const ReadOptions& options = {});

}  // namespace hwest
