// Contents of one model input from a file: a serialised TensorProto, SequenceProto or OptionalProto.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// StoredValue is what a file holds: one tensor, the tensors of a sequence, or, as kOptional, an optional without
// contents. Tensors too large to follow (kMaxKnownElements) have a type and dims but no bytes.
struct StoredValue {
  ValueKind kind = ValueKind::kTensor;
  std::vector<Constant> tensors;
};

// ReadValueFile reads `path` as the message that goes with inputs of `kind`; kUnknown means a tensor. Errors: kUsage
// when the file cannot be read, is malformed, breaks a cap, or holds contents that are not followed (maps, sequences
// in sequences, external data).
absl::StatusOr<StoredValue> ReadValueFile(const std::string& path, ValueKind kind);
// As above from bytes; `name` is used in messages.
absl::StatusOr<StoredValue> ReadValueMemory(absl::string_view bytes, const std::string& name, ValueKind kind);

}  // namespace hwest
