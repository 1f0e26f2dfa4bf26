// Caps and thresholds of the readers.
#pragma once

#include <cstdint>

#include "hwest/type.h"

namespace hwest {

struct ReadOptions {
  int max_depth = 64;                    // nested bodies; also nested types
  int max_rank = 1024;                   // axes of a declared shape or a tensor
  int64_t max_objects = 32'000'000;      // nodes, attributes, tensors and declared values together
  int64_t decode_any_bytes = 1024;       // tensors up to this size are decoded
  int64_t decode_integer_bytes = 65536;  // integer and bool tensors up to this size are decoded
  int64_t max_stdin_bytes = int64_t{16} << 30;
};

// Whether the contents of a tensor of so many bytes are kept.
inline bool IsDecoded(const ReadOptions& options, ElemType elem, int64_t bytes) {
  const bool is_integer = IsInteger(elem) || elem == ElemType::kBool;
  return bytes <= (is_integer ? options.decode_integer_bytes : options.decode_any_bytes);
}

}  // namespace hwest
