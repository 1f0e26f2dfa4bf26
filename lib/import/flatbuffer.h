// FlatBuffers over a Window: tables, vectors and texts, every offset checked before it is followed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "import/read_context.h"

namespace hwest {

// A table whose bytes, and whose list of fields, lie in the file. A default one is absent, and so are its fields.
struct FlatTable {
  int64_t pos = 0;
  int64_t size = 0;
  int64_t fields = 0;  // where its list of fields is
  int64_t fields_size = 0;
  bool present() const { return pos > 0; }
};

// Elements that lie in the file. A default one is empty.
struct FlatVector {
  int64_t begin = 0;
  int64_t count = 0;
};

// FlatBuffer reads fields by slot. What is absent gives the fallback; what is malformed is recorded in the window as
// kModelCorrupt with its byte offset and then reads as absent. Parts of a file may be shared, so that a small one can
// stand for a huge tree: reading, or making, more than a multiple of the file's size is refused.
class FlatBuffer {
 public:
  explicit FlatBuffer(ReadContext& context) : context_(context), in_(context.in()) {}

  bool ok() const { return in_.ok(); }
  FlatTable Root();
  FlatTable Table(const FlatTable& of, int slot);
  FlatTable TableAt(const FlatVector& of, int64_t index);
  FlatVector Vector(const FlatTable& of, int slot, int64_t element_bytes);
  // A number of 1, 2, 4 or 8 bytes. One of 8 bytes without a sign that leaves int64 is malformed.
  int64_t Signed(const FlatTable& of, int slot, int64_t bytes, int64_t fallback = 0);
  int64_t Unsigned(const FlatTable& of, int slot, int64_t bytes, int64_t fallback = 0);
  float Float(const FlatTable& of, int slot, float fallback = 0);
  bool Bool(const FlatTable& of, int slot) { return Unsigned(of, slot, 1) != 0; }
  // Text is valid until the next read.
  absl::string_view Text(const FlatTable& of, int slot);
  std::vector<int64_t> Ints(const FlatVector& of, int64_t element_bytes);
  // Appends elements of one byte; false after an error.
  bool Copy(const FlatVector& of, std::string* out);
  uint64_t BitsAt(int64_t pos, int64_t bytes);
  // Charge counts what is made of the file as if it were read; false, with the error recorded, beyond the limit.
  bool Charge(int64_t bytes);

 private:
  int64_t PlaceOf(const FlatTable& of, int slot, int64_t bytes);  // 0 = absent
  int64_t Follow(int64_t pos);
  FlatTable TableFrom(int64_t pos);
  FlatVector VectorFrom(int64_t pos, int64_t element_bytes);
  bool Holds(int64_t pos, int64_t bytes, absl::string_view what);

  ReadContext& context_;
  Window& in_;
  int64_t spent_ = 0;
};

}  // namespace hwest
