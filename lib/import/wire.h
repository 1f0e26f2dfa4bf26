// Protobuf's wire format over a Window, with 64-bit offsets.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "import/window.h"

namespace hwest {

// Tags as they stand in the file: field number and wire type. A known number with another wire type is, as in protobuf,
// an unknown field.
constexpr uint32_t VarintTag(uint32_t number) { return number << 3; }
constexpr uint32_t Fixed64Tag(uint32_t number) { return number << 3 | 1; }
constexpr uint32_t BytesTag(uint32_t number) { return number << 3 | 2; }
constexpr uint32_t Fixed32Tag(uint32_t number) { return number << 3 | 5; }

// FloatOfBits is the binary32 number with the given low 32 bits.
float FloatOfBits(uint64_t bits);

// A range of the file.
struct Span {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t length() const { return end - begin; }
};

// Fields walks over the fields of one message:
//   for (Fields field(in, range); field.Next();) switch (field.tag()) { case BytesTag(1): ... }
// Malformed bytes (a length past the message's end, a varint of more than ten bytes, field number 0, a wire type
// outside 0, 1, 2, 5) end the walk and are recorded in the window as kModelCorrupt with their byte offset.
class Fields {
 public:
  Fields(Window& in, Span range) : in_(in), pos_(range.begin), end_(range.end) {}

  // Next moves to the next field; false at the end of the message or after an error.
  bool Next();

  uint32_t tag() const { return tag_; }
  uint32_t number() const { return tag_ >> 3; }
  // Value of a varint, fixed32 or fixed64 field.
  uint64_t bits() const { return bits_; }
  int64_t AsInt64() const { return static_cast<int64_t>(bits_); }
  int32_t AsInt32() const { return static_cast<int32_t>(bits_); }
  float AsFloat() const { return FloatOfBits(bits_); }
  // Contents of a length-delimited field.
  Span contents() const { return contents_; }
  // The whole field, tag included.
  Span whole() const { return {start_, pos_}; }
  Window& in() const { return in_; }

 private:
  bool ReadFixed(int64_t bytes);
  bool ReadLength();

  Window& in_;
  int64_t pos_;  // of the next field
  const int64_t end_;
  int64_t start_ = 0;
  uint32_t tag_ = 0;
  uint64_t bits_ = 0;
  Span contents_;
};

// ReadVarint reads one varint of [*pos, end) and moves *pos behind it; false, with the error recorded, when malformed.
bool ReadLongVarint(Window& in, int64_t end, int64_t* pos, uint64_t* value);
inline bool ReadVarint(Window& in, int64_t end, int64_t* pos, uint64_t* value) {
  // Most are one byte.
  const char* const byte = *pos < end ? in.Held(*pos) : nullptr;
  if (byte == nullptr || static_cast<uint8_t>(*byte) >= 0x80) return ReadLongVarint(in, end, pos, value);
  *value = static_cast<uint8_t>(*byte);
  ++*pos;
  return true;
}
// ReadFixedBits reads a little endian number of `bytes` bytes, 4 or 8, at `pos`; false after an error.
bool ReadFixedBits(Window& in, int64_t pos, int64_t bytes, uint64_t* value);
// CheckPackedLength records an error when `contents` is no multiple of `bytes`.
bool CheckPackedLength(Window& in, Span contents, int64_t bytes);

// ForEachVarint calls visit(uint64_t) for each element of a repeated varint field, packed or not.
template <class Visit>
void ForEachVarint(const Fields& field, Visit visit) {
  if ((field.tag() & 7) == 0) return visit(field.bits());
  const Span packed = field.contents();
  uint64_t value;
  for (int64_t pos = packed.begin; pos < packed.end && ReadVarint(field.in(), packed.end, &pos, &value);) visit(value);
}

// ForEachFixed calls visit(uint64_t) for each element of a repeated fixed-width field, packed or not.
template <int64_t kBytes, class Visit>
void ForEachFixed(const Fields& field, Visit visit) {
  if ((field.tag() & 7) != 2) return visit(field.bits());
  const Span packed = field.contents();
  if (!CheckPackedLength(field.in(), packed, kBytes)) return;
  uint64_t value;
  for (int64_t pos = packed.begin; pos < packed.end && ReadFixedBits(field.in(), pos, kBytes, &value); pos += kBytes) {
    visit(value);
  }
}

}  // namespace hwest
