// BoundedCache: what was found for the newest keys, shared by threads.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hwest {

// Rows have a weight each, and the oldest go when all together would exceed the capacity. What was handed out lives on.
template <class Key, class Value>
class BoundedCache {
 public:
  explicit BoundedCache(size_t capacity) : capacity_(capacity) {}

  // The value of the first key that `is_same` accepts; null when there is none.
  template <class IsSame>
  std::shared_ptr<const Value> Find(IsSame is_same) const {
    const std::lock_guard lock(mutex_);
    for (const Row& row : rows_) {
      if (is_same(row.key)) return row.value;
    }
    return nullptr;
  }

  // A value heavier than the capacity is not kept.
  void Keep(Key key, std::shared_ptr<const Value> value, size_t weight) {
    if (weight > capacity_) return;
    std::vector<Row> dropped;  // before the lock, which nobody waits for while they are freed
    const std::lock_guard lock(mutex_);
    for (; weight_ + weight > capacity_; rows_.pop_front()) {
      weight_ -= rows_.front().weight;
      dropped.push_back(std::move(rows_.front()));
    }
    weight_ += weight;
    rows_.push_back({std::move(key), std::move(value), weight});
  }

 private:
  struct Row {
    Key key;
    std::shared_ptr<const Value> value;
    size_t weight;
  };

  const size_t capacity_;
  mutable std::mutex mutex_;  // of the two below
  std::deque<Row> rows_;      // oldest first
  size_t weight_ = 0;
};

}  // namespace hwest
