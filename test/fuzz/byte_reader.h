// ByteReader turns bytes into choices; past their end every choice is the first one.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace hwest::test {

class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }
  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return byte;
  }
  // A number in [0, count), count >= 1; one byte when count <= 256, else two.
  size_t Pick(size_t count) {
    size_t choice = Byte();
    if (count > 256) choice = choice << 8 | Byte();
    return choice % count;
  }
  // True for one byte in `count`; false at the end.
  bool Rarely(size_t count) { return Pick(count) == count - 1; }
  uint64_t Bits(int bytes) {
    uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i) bits = bits << 8 | Byte();
    return bits;
  }
  std::string Text(size_t length) {
    const absl::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(text.size());
    return std::string(text);
  }

 private:
  absl::string_view rest_;
};

}  // namespace hwest::test
