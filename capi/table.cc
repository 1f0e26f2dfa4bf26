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

const char* Texts::Keep(absl::string_view text) {
  char* copy = static_cast<char*>(Allocate(text.size() + 1, 1));
  std::copy(text.begin(), text.end(), copy);
  copy[text.size()] = '\0';
  return copy;
}

const char* Texts::KeepNonEmpty(absl::string_view text) { return text.empty() ? nullptr : Keep(text); }

const char* Texts::KeepKnown(const std::optional<std::string>& text) {
  return text.has_value() ? Keep(*text) : nullptr;
}

const char* const* Texts::KeepList(const std::vector<std::string>& texts) {
  auto* list = static_cast<const char**>(Allocate((texts.size() + 1) * sizeof(char*), alignof(char*)));
  for (size_t i = 0; i < texts.size(); ++i) list[i] = Keep(texts[i]);
  list[texts.size()] = nullptr;
  return list;
}

hwest_count Texts::KeepCount(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return {*number, Keep(absl::StrCat(*number))};
  if (const auto* text = std::get_if<std::string>(&count)) return {-1, Keep(*text)};
  return {-1, nullptr};
}

const hwest_count* Texts::KeepCounts(const std::vector<Count>& counts) {
  if (counts.empty()) return nullptr;
  auto* list = static_cast<hwest_count*>(Allocate(counts.size() * sizeof(hwest_count), alignof(hwest_count)));
  for (size_t i = 0; i < counts.size(); ++i) new (list + i) hwest_count(KeepCount(counts[i]));
  return list;
}

int64_t OrUnknown(const std::optional<int64_t>& count) { return count.value_or(-1); }

double OrUnknown(const std::optional<double>& figure) {
  return figure.value_or(std::numeric_limits<double>::quiet_NaN());
}

double NanIfZero(double figure) { return figure == 0 ? OrUnknown(std::optional<double>()) : figure; }

absl::Status CheckRows(uint64_t first, uint64_t count, uint64_t size) {
  if (first <= size && count <= size - first) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("no ", count, " rows from ", first, " on among ", size),
                   "stay below the count of the table");
}

}  // namespace hwest::capi
