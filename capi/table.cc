#include "table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <variant>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"

namespace hwest::capi {
namespace {

constexpr size_t kChunkBytes = 16384;

}  // namespace

void* Texts::Allocate(size_t bytes, size_t alignment) {
  size_t at = (used_ + alignment - 1) / alignment * alignment;
  if (chunks_.empty() || at + bytes > size_) {
    const size_t size = std::max(kChunkBytes, bytes);
    chunks_.push_back(std::unique_ptr<char[]>(new char[size]));
    size_ = size;
    at = 0;
  }
  used_ = at + bytes;
  return chunks_.back().get() + at;
}

const char* Texts::KeepText(absl::string_view text) {
  char* copy = static_cast<char*>(Allocate(text.size() + 1, 1));
  std::copy(text.begin(), text.end(), copy);
  copy[text.size()] = '\0';
  return copy;
}

const char* Texts::KeepText(const std::optional<std::string>& text) {
  return text.has_value() ? KeepText(*text) : nullptr;
}

const char* const* Texts::KeepList(const std::vector<std::string>& texts) {
  auto* list = static_cast<const char**>(Allocate((texts.size() + 1) * sizeof(char*), alignof(char*)));
  for (size_t i = 0; i < texts.size(); ++i) list[i] = KeepText(texts[i]);
  list[texts.size()] = nullptr;
  return list;
}

hwest_count Texts::KeepCount(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return {*number, KeepText(absl::StrCat(*number))};
  if (const auto* text = std::get_if<std::string>(&count)) return {-1, KeepText(*text)};
  return {-1, nullptr};
}

const hwest_count* Texts::KeepShape(const ShapeText& shape) {
  if (!shape.has_value() || shape->empty()) return nullptr;
  const std::vector<Count>& counts = *shape;
  auto* list = static_cast<hwest_count*>(Allocate(counts.size() * sizeof(hwest_count), alignof(hwest_count)));
  for (size_t i = 0; i < counts.size(); ++i) new (list + i) hwest_count(KeepCount(counts[i]));
  return list;
}

double OrUnknown(const std::optional<double>& figure) {
  return figure.value_or(std::numeric_limits<double>::quiet_NaN());
}

absl::Status CheckRows(uint64_t first, uint64_t count, uint64_t size) {
  if (first <= size && count <= size - first) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("no ", count, " rows from ", first, " on among ", size),
                   "stay below the count of the table");
}

}  // namespace hwest::capi
