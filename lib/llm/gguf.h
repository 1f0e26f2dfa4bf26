// The header of a GGUF file: keys with values, and what tensors there are. The bytes are not trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

struct GgufTensor {
  absl::string_view name;     // in the bytes that were read
  std::vector<int64_t> dims;  // the first one lies together
  uint32_t type = 0;
  int64_t elements = 0;
};

struct GgufHeader {
  absl::flat_hash_map<std::string, int64_t> numbers;  // integers and booleans
  absl::flat_hash_map<std::string, std::string> texts;
  absl::flat_hash_map<std::string, std::vector<int64_t>> lists;  // of integers and booleans, up to kMostListed
  absl::flat_hash_map<std::string, int64_t> lengths;             // of every list
  std::vector<GgufTensor> tensors;
};

inline constexpr int64_t kMostListed = 4096;

// Errors: kModelCorrupt for bytes that are no such header or end before it does, kModelRefused for a version or an
// order of bytes that is not read.
absl::StatusOr<GgufHeader> ReadGgufHeader(absl::string_view bytes, absl::string_view name);

// Bytes that `elements` of a type take; -1 for a type that is not known. "Q4_K", ..., empty likewise.
int64_t GgufBytes(uint32_t type, int64_t elements);
absl::string_view GgufTypeName(uint32_t type);
// "Q4_K_M", ... of `general.file_type`; empty when it is not known.
absl::string_view GgufFileType(int64_t file_type);

}  // namespace hwest
