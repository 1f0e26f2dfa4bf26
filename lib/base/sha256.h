// SHA-256 (FIPS 180-4): what identifies a model, a target file or a report in a record that others check.
//
//   Sha256 hash;
//   hash.Add(bytes);
//   const std::string digest = hash.Hex();
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hwest {

class Sha256 {
 public:
  void Add(absl::string_view bytes);
  // Eight bytes, the lowest first.
  void Add(int64_t number);
  // The length and then the bytes, so that neighbouring texts cannot pass for others.
  void AddText(absl::string_view text);
  // The digest of what was added, in 64 lower-case digits. More may be added afterwards.
  std::string Hex() const;

 private:
  static constexpr size_t kBlock = 64;
  using State = std::array<uint32_t, 8>;

  static void Mix(const char* block, State* state);

  State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, kBlock> rest_ = {};  // what does not fill a block yet
  size_t rest_size_ = 0;
  uint64_t size_ = 0;  // bytes added
};

std::string Sha256Of(absl::string_view bytes);

}  // namespace hwest
