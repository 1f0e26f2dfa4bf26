// SharedMap: a table in which equal rows are stored once. Large graphs repeat themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "hwest/id.h"

namespace hwest {

// Hash of an optional, which abseil does not know in its C++14 builds.
template <class H, class T>
H HashOptional(H state, const std::optional<T>& value) {
  return value.has_value() ? H::combine(std::move(state), true, *value) : H::combine(std::move(state), false);
}

// SharedRows keeps distinct rows and numbers them in order of first use. T is hashable and comparable.
template <class T>
class SharedRows {
 public:
  // Number of the row equal to `row`, which is added when there is none.
  uint32_t Intern(T row) {
    if (last_ < rows_.size() && rows_[last_] == row) return last_;
    rows_.push_back(std::move(row));
    const auto candidate = static_cast<uint32_t>(rows_.size() - 1);
    const auto [found, fresh] = index_.insert(candidate);
    if (!fresh) rows_.pop_back();
    return last_ = *found;
  }
  const T& operator[](uint32_t number) const { return rows_[number]; }
  absl::Span<const T> rows() const { return rows_; }

  SharedRows() : index_(0, Hash{&rows_}, Equal{&rows_}) {}
  SharedRows(const SharedRows&) = delete;  // the index points into the rows
  SharedRows& operator=(const SharedRows&) = delete;

 private:
  struct Hash {
    const std::vector<T>* rows;
    size_t operator()(uint32_t number) const { return Of((*rows)[number]); }
    template <class Row>
    static size_t Of(const Row& row) {
      return absl::Hash<Row>()(row);
    }
    template <class Row>
    static size_t Of(const std::optional<Row>& row) {
      return row.has_value() ? absl::Hash<Row>()(*row) : 0;
    }
  };
  struct Equal {
    const std::vector<T>* rows;
    bool operator()(uint32_t a, uint32_t b) const { return (*rows)[a] == (*rows)[b]; }
  };
  std::vector<T> rows_;
  uint32_t last_ = 0;  // number that Intern returned last: neighbours are often alike
  absl::flat_hash_set<uint32_t, Hash, Equal> index_;
};

// SharedMap is indexed like IdMap and read-only by reference: a row is replaced as a whole. A reference to a row is
// valid until the next Set or push_back.
template <class IdT, class T>
class SharedMap {
 public:
  SharedMap() : distinct_(std::make_unique<SharedRows<T>>()) {}
  explicit SharedMap(size_t count, const T& value = T()) : SharedMap() {
    if (count > 0) numbers_.assign(count, distinct_->Intern(value));
  }

  SharedMap(const SharedMap& other) : SharedMap() {
    numbers_ = other.numbers_;
    for (const T& row : other.distinct()) distinct_->Intern(row);
  }
  SharedMap& operator=(const SharedMap& other) { return *this = SharedMap(other); }
  SharedMap(SharedMap&&) noexcept = default;
  SharedMap& operator=(SharedMap&&) noexcept = default;

  const T& operator[](IdT id) const { return (*distinct_)[numbers_[id.index()]]; }
  void Set(IdT id, T row) { numbers_[id.index()] = distinct_->Intern(std::move(row)); }
  IdT push_back(T row) {
    numbers_.push_back(distinct_->Intern(std::move(row)));
    return IdT(numbers_.size() - 1);
  }
  // Adds a row equal to that of `id`.
  IdT Repeat(IdT id) {
    numbers_.push_back(numbers_[id.index()]);
    return IdT(numbers_.size() - 1);
  }
  size_t size() const { return numbers_.size(); }
  bool empty() const { return numbers_.empty(); }
  // Every row that was ever set, once, in order of first use.
  absl::Span<const T> distinct() const { return distinct_->rows(); }

 private:
  std::vector<uint32_t> numbers_;
  std::unique_ptr<SharedRows<T>> distinct_;
};

}  // namespace hwest
