#include "base/interner.h"

#include <cstring>

namespace hwest {
namespace {

constexpr size_t kBlockBytes = 16 * 1024;

}  // namespace

StringTable::StringTable() : views_(std::make_unique<Views>()), ids_(0, Hash{views_.get()}, Equal{views_.get()}) {
  Intern("");
}

StrId StringTable::Intern(absl::string_view text) {
  return *ids_.lazy_emplace(text, [&](const auto& place) {
    const StrId id(views_->size());
    views_->push_back(Store(text));
    place(id);
  });
}

StrId StringTable::Find(absl::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? StrId() : *found;
}

absl::string_view StringTable::Store(absl::string_view text) {
  if (text.empty()) return absl::string_view("", 0);
  if (text.size() > kBlockBytes / 4) {
    blocks_.push_back(std::make_unique<char[]>(text.size()));
    std::memcpy(blocks_.back().get(), text.data(), text.size());
    return absl::string_view(blocks_.back().get(), text.size());
  }
  if (text.size() > free_bytes_) {
    blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
    free_ = blocks_.back().get();
    free_bytes_ = kBlockBytes;
  }
  char* const place = free_;
  std::memcpy(place, text.data(), text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return absl::string_view(place, text.size());
}

}  // namespace hwest
