// Writes FlatBuffers field by field, for fixtures: TensorFlow Lite models, and malformed ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest::test {

// FlatWriter appends parts; a part links to parts behind it, so what refers comes first. Slots of a table take 8 bytes.
class FlatWriter {
 public:
  explicit FlatWriter(absl::string_view identifier = "TFL3") : bytes_(4, '\0') {
    bytes_.append(identifier.data(), identifier.size());
  }

  // A table that has `slots`, all 0, and links of them to be set.
  size_t Table(const std::vector<int>& slots) {
    int last = -1;
    for (const int slot : slots) last = slot > last ? slot : last;
    const size_t list = bytes_.size(), list_bytes = 4 + 2 * static_cast<size_t>(last + 1);
    bytes_.append(list_bytes + 4 + 8 * slots.size(), '\0');
    Put(list, list_bytes, 2);
    Put(list + 2, 4 + 8 * slots.size(), 2);
    for (size_t i = 0; i < slots.size(); ++i) Put(list + 4 + 2 * static_cast<size_t>(slots[i]), 4 + 8 * i, 2);
    const size_t table = list + list_bytes;
    Put(table, list_bytes, 4);
    return table;
  }
  void Set(size_t table, int slot, uint64_t value, int bytes = 4) { Put(PlaceOf(table, slot), value, bytes); }
  void Link(size_t table, int slot, size_t to) { LinkAt(PlaceOf(table, slot), to); }
  size_t Ints(const std::vector<int64_t>& values, int bytes = 4) {
    const size_t at = Vector(values.size(), static_cast<size_t>(bytes));
    for (size_t i = 0; i < values.size(); ++i) {
      Put(at + 4 + i * static_cast<size_t>(bytes), static_cast<uint64_t>(values[i]), bytes);
    }
    return at;
  }
  size_t Text(absl::string_view text) {
    const size_t at = Vector(text.size(), 1);
    bytes_.replace(at + 4, text.size(), text.data(), text.size());
    return at;
  }
  // Links to `count` tables, which LinkIn sets.
  size_t Tables(size_t count) { return Vector(count, 4); }
  void LinkIn(size_t vector, size_t index, size_t to) { LinkAt(vector + 4 + 4 * index, to); }
  void Root(size_t table) { Put(0, table, 4); }

  const std::string& bytes() const { return bytes_; }

 private:
  void Put(size_t at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i));
  }
  void LinkAt(size_t at, size_t to) { Put(at, to - at, 4); }
  size_t Vector(size_t count, size_t width) {
    const size_t at = bytes_.size();
    bytes_.append(4 + count * width, '\0');
    Put(at, count, 4);
    return at;
  }
  size_t PlaceOf(size_t table, int slot) const {
    const auto byte = [this](size_t at) { return static_cast<size_t>(static_cast<uint8_t>(bytes_[at])); };
    const auto number = [&](size_t at, size_t width) {
      size_t value = 0;
      for (size_t i = 0; i < width; ++i) value |= byte(at + i) << (8 * i);
      return value;
    };
    const size_t list = table - number(table, 4);
    return table + number(list + 4 + 2 * static_cast<size_t>(slot), 2);
  }

  std::string bytes_;
};

}  // namespace hwest::test
