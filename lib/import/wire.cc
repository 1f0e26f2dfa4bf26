#include "import/wire.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

constexpr int64_t kMaxVarintBytes = 10;

// The bytes from `pos` on end before what was announced there does.
bool CutShort(Window& in, int64_t pos, int64_t end, absl::string_view what) {
  in.Corrupt(absl::StrCat(end == in.size() ? "truncated" : "malformed", " at byte ", pos, ": ", what,
                          " starts there but only ", end - pos, " remain", end == in.size() ? "" : " in its message"));
  return false;
}

}  // namespace

float FloatOfBits(uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

bool ReadLongVarint(Window& in, int64_t end, int64_t* pos, uint64_t* value) {
  const int64_t available = std::min(kMaxVarintBytes, end - *pos);
  const char* const bytes = in.At(*pos, available);
  if (bytes == nullptr) return false;
  uint64_t result = 0;
  for (int64_t i = 0; i < available; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      *pos += i + 1;
      *value = result;
      return true;
    }
  }
  if (available < kMaxVarintBytes) {
    return CutShort(in, *pos, end, absl::StrCat("a number of over ", available, " bytes"));
  }
  in.Corrupt(absl::StrCat("malformed at byte ", *pos, ": a number of more than ten bytes"));
  return false;
}

bool ReadFixedBits(Window& in, int64_t pos, int64_t bytes, uint64_t* value) {
  const char* const data = in.At(pos, bytes);
  if (data == nullptr) return false;
  uint64_t result = 0;
  for (int64_t i = 0; i < bytes; ++i) result |= static_cast<uint64_t>(static_cast<uint8_t>(data[i])) << (8 * i);
  *value = result;
  return true;
}

bool CheckPackedLength(Window& in, Span contents, int64_t bytes) {
  if (contents.length() % bytes == 0) return true;
  in.Corrupt(absl::StrCat("malformed at byte ", contents.begin, ": ", contents.length(), " bytes of numbers of ", bytes,
                          " bytes each"));
  return false;
}

bool Fields::Next() {
  if (pos_ >= end_ || !in_.ok()) return false;
  start_ = pos_;
  uint64_t tag;
  if (!ReadVarint(in_, end_, &pos_, &tag)) return false;
  if (tag > UINT32_MAX || tag >> 3 == 0) {
    in_.Corrupt(absl::StrCat("malformed at byte ", start_, ": field number ", tag >> 3));
    return false;
  }
  tag_ = static_cast<uint32_t>(tag);
  switch (tag_ & 7) {
    case 0: return ReadVarint(in_, end_, &pos_, &bits_);
    case 1: return ReadFixed(8);
    case 2: return ReadLength();
    case 5: return ReadFixed(4);
    default: in_.Corrupt(absl::StrCat("malformed at byte ", start_, ": wire type ", tag_ & 7)); return false;
  }
}

bool Fields::ReadFixed(int64_t bytes) {
  if (end_ - pos_ < bytes) return CutShort(in_, pos_, end_, absl::StrCat("a field of ", bytes, " bytes"));
  if (!ReadFixedBits(in_, pos_, bytes, &bits_)) return false;
  pos_ += bytes;
  return true;
}

bool Fields::ReadLength() {
  uint64_t length;
  if (!ReadVarint(in_, end_, &pos_, &length)) return false;
  if (length > static_cast<uint64_t>(end_ - pos_)) {
    return CutShort(in_, pos_, end_, absl::StrCat("a field of ", length, " bytes"));
  }
  contents_ = {pos_, pos_ + static_cast<int64_t>(length)};
  pos_ = contents_.end;
  return true;
}

}  // namespace hwest
