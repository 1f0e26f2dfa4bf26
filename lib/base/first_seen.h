// FirstSeen: distinct ids in order of first appearance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace hwest {

// FirstSeen scans its ids while they are few and indexes them once they are many.
template <class IdT>
class FirstSeen {
 public:
  // Position of `id`, and whether it is new.
  std::pair<size_t, bool> Insert(IdT id) {
    const size_t at = Find(id);
    if (at < ids_.size()) return {at, false};
    ids_.push_back(id);
    if (ids_.size() > kFew) index_.emplace(id, at);
    if (ids_.size() == kFew + 1) {
      for (size_t i = 0; i < at; ++i) index_.emplace(ids_[i], i);
    }
    return {at, true};
  }
  bool Contains(IdT id) const { return Find(id) < ids_.size(); }
  absl::Span<const IdT> ids() const { return ids_; }

 private:
  static constexpr size_t kFew = 16;

  // ids().size() when it is not there.
  size_t Find(IdT id) const {
    if (ids_.size() <= kFew) return static_cast<size_t>(std::find(ids_.begin(), ids_.end(), id) - ids_.begin());
    const auto found = index_.find(id);
    return found == index_.end() ? ids_.size() : found->second;
  }

  absl::InlinedVector<IdT, 4> ids_;
  absl::flat_hash_map<IdT, size_t> index_;
};

}  // namespace hwest
