#include "import/flatbuffer.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

constexpr int64_t kOffsetBytes = 4;
constexpr int64_t kLeastFieldsBytes = 4;  // the sizes of the list and of the table
constexpr int64_t kMostReads = 16;        // bytes read for a byte of the file
constexpr int64_t kFreeReads = 1 << 20;

int64_t WithSign(uint64_t bits, int64_t bytes) {
  const int64_t shift = 64 - 8 * bytes;
  return static_cast<int64_t>(bits << shift) >> shift;
}

uint64_t LittleEndian(const char* data, int64_t bytes) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < bytes; ++i) bits |= static_cast<uint64_t>(static_cast<uint8_t>(data[i])) << (8 * i);
  return bits;
}

}  // namespace

bool FlatBuffer::Charge(int64_t bytes) {
  spent_ += bytes;
  if (spent_ <= kFreeReads || spent_ / kMostReads <= in_.size()) return in_.ok();
  in_.Fail(Code::kModelRefused, "its parts are shared so often that reading them takes many times its size",
           "convert the model again");
  return false;
}

bool FlatBuffer::Holds(int64_t pos, int64_t bytes, absl::string_view what) {
  if (!in_.ok()) return false;
  if (pos >= 0 && bytes >= 0 && pos <= in_.size() && bytes <= in_.size() - pos) return true;
  in_.Corrupt(absl::StrCat("malformed: ", what, " at byte ", pos, " of a file of ", in_.size(), " bytes"));
  return false;
}

uint64_t FlatBuffer::BitsAt(int64_t pos, int64_t bytes) {
  if (!Holds(pos, bytes, "a number") || !Charge(bytes)) return 0;
  const char* const data = in_.At(pos, bytes);
  return data == nullptr ? 0 : LittleEndian(data, bytes);
}

int64_t FlatBuffer::Follow(int64_t pos) {
  const auto offset = static_cast<int64_t>(BitsAt(pos, kOffsetBytes));
  if (offset == 0 && in_.ok()) in_.Corrupt(absl::StrCat("malformed at byte ", pos, ": an offset of 0"));
  return in_.ok() ? pos + offset : 0;
}

FlatTable FlatBuffer::TableFrom(int64_t pos) {
  if (!in_.ok() || !context_.Enter()) return {};
  FlatTable table{.pos = pos};
  table.fields = pos - WithSign(BitsAt(pos, kOffsetBytes), kOffsetBytes);
  if (!Holds(table.fields, kLeastFieldsBytes, "the fields of a table")) return {};
  table.fields_size = static_cast<int64_t>(BitsAt(table.fields, 2));
  table.size = static_cast<int64_t>(BitsAt(table.fields + 2, 2));
  if (table.fields_size < kLeastFieldsBytes) in_.Corrupt(absl::StrCat("malformed at byte ", pos, ": a table"));
  if (!Holds(table.fields, table.fields_size, "the fields of a table")) return {};
  return Holds(pos, table.size, "a table") ? table : FlatTable{};
}

FlatVector FlatBuffer::VectorFrom(int64_t pos, int64_t element_bytes) {
  const auto count = static_cast<int64_t>(BitsAt(pos, kOffsetBytes));
  const int64_t begin = pos + kOffsetBytes;
  return Holds(begin, count * element_bytes, "elements") ? FlatVector{begin, count} : FlatVector{};
}

int64_t FlatBuffer::PlaceOf(const FlatTable& of, int slot, int64_t bytes) {
  const int64_t entry = kLeastFieldsBytes + 2 * int64_t{slot};
  if (!of.present() || entry + 2 > of.fields_size) return 0;
  const auto offset = static_cast<int64_t>(BitsAt(of.fields + entry, 2));
  if (offset == 0) return 0;
  if (offset + bytes <= of.size) return of.pos + offset;
  in_.Corrupt(absl::StrCat("malformed at byte ", of.pos, ": a field beyond its table"));
  return 0;
}

FlatTable FlatBuffer::Root() { return TableFrom(Follow(0)); }

FlatTable FlatBuffer::Table(const FlatTable& of, int slot) {
  const int64_t place = PlaceOf(of, slot, kOffsetBytes);
  return place == 0 ? FlatTable{} : TableFrom(Follow(place));
}

FlatTable FlatBuffer::TableAt(const FlatVector& of, int64_t index) {
  return TableFrom(Follow(of.begin + index * kOffsetBytes));
}

FlatVector FlatBuffer::Vector(const FlatTable& of, int slot, int64_t element_bytes) {
  const int64_t place = PlaceOf(of, slot, kOffsetBytes);
  return place == 0 ? FlatVector{} : VectorFrom(Follow(place), element_bytes);
}

int64_t FlatBuffer::Signed(const FlatTable& of, int slot, int64_t bytes, int64_t fallback) {
  const int64_t place = PlaceOf(of, slot, bytes);
  return place == 0 ? fallback : WithSign(BitsAt(place, bytes), bytes);
}

int64_t FlatBuffer::Unsigned(const FlatTable& of, int slot, int64_t bytes, int64_t fallback) {
  const int64_t place = PlaceOf(of, slot, bytes);
  if (place == 0) return fallback;
  const auto value = static_cast<int64_t>(BitsAt(place, bytes));
  if (value >= 0) return value;
  in_.Corrupt(absl::StrCat("malformed at byte ", place, ": a number beyond 2^63"));
  return fallback;
}

float FlatBuffer::Float(const FlatTable& of, int slot, float fallback) {
  const int64_t place = PlaceOf(of, slot, 4);
  return place == 0 ? fallback : FloatOfBits(BitsAt(place, 4));
}

absl::string_view FlatBuffer::Text(const FlatTable& of, int slot) {
  const FlatVector text = Vector(of, slot, 1);
  return Charge(text.count) ? context_.Text({text.begin, text.begin + text.count}) : "";
}

bool FlatBuffer::Copy(const FlatVector& of, std::string* out) {
  return Charge(of.count) && in_.Copy(of.begin, of.count, out);
}

std::vector<int64_t> FlatBuffer::Ints(const FlatVector& of, int64_t element_bytes) {
  std::string bytes;
  std::vector<int64_t> values;
  if (!Charge(of.count * element_bytes) || !in_.Copy(of.begin, of.count * element_bytes, &bytes)) return values;
  values.reserve(static_cast<size_t>(of.count));
  for (int64_t i = 0; i < of.count; ++i) {
    values.push_back(WithSign(LittleEndian(bytes.data() + i * element_bytes, element_bytes), element_bytes));
  }
  return values;
}

}  // namespace hwest
