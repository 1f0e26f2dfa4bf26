// Tables of the C ABI: the first access makes all rows, later ones read them by index.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "guard.h"
#include "hwest.h"
#include "report/view.h"

namespace hwest::capi {

// Texts owns what the pointers in rows point to. Its pointers stay valid.
class Texts {
 public:
  const char* KeepText(absl::string_view text);
  const char* KeepText(const std::string& text) { return KeepText(absl::string_view(text)); }
  const char* KeepText(const std::optional<std::string>& text);        // NULL for none
  const char* const* KeepList(const std::vector<std::string>& texts);  // ends in NULL
  hwest_count KeepCount(const Count& count);
  const hwest_count* KeepShape(const ShapeText& shape);  // NULL for none, and for no axes

 private:
  void* Allocate(size_t bytes, size_t alignment);

  std::vector<std::unique_ptr<char[]>> chunks_;
  size_t used_ = 0, size_ = 0;  // of the last chunk
};

double OrUnknown(const std::optional<double>& figure);  // NaN for none
// A bit of a flags member.
constexpr uint32_t BitIf(bool is_set, uint32_t bit) { return is_set ? bit : 0; }

// Lazy makes its value on first use, in any thread. An exception leaves it unmade.
template <class T>
class Lazy {
 public:
  using Fill = std::function<void(T*)>;
  explicit Lazy(Fill fill) : fill_(std::move(fill)) {}

  const T& get() const {
    if (const T* made = made_.load(std::memory_order_acquire); made != nullptr) return *made;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (value_ == nullptr) {
      auto value = std::make_unique<T>();
      fill_(value.get());
      value_ = std::move(value);
      made_.store(value_.get(), std::memory_order_release);
    }
    return *value_;
  }

 private:
  const Fill fill_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<T> value_;
  mutable std::atomic<const T*> made_ = nullptr;
};

template <class Row>
struct Table {
  std::vector<Row> rows;
  Texts texts;
};
template <class Row>
using LazyTable = Lazy<Table<Row>>;

// Errors: kUsage unless rows [first, first + count) are among `size`.
absl::Status CheckRows(uint64_t first, uint64_t count, uint64_t size);

// Implements the functions of a table. `Tables` is the struct of tables of the handle's kind.
template <class Handle, class Tables, class Row>
uint64_t CountRows(const Handle* handle, const LazyTable<Row> Tables::* table) noexcept {
  if (handle == nullptr) return 0;
  try {
    return (handle->tables.*table).get().rows.size();
  } catch (...) {
    return 0;
  }
}

template <class Handle, class Tables, class Row>
hwest_status GetRow(const Handle* handle, const LazyTable<Row> Tables::* table, uint64_t index, Row* row) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument("the handle");
    if (row == nullptr) return NullArgument("row");
    const std::vector<Row>& rows = (handle->tables.*table).get().rows;
    if (absl::Status status = CheckRows(index, 1, rows.size()); !status.ok()) return status;
    return CopyOut("row", rows[index], row->struct_size, row);
  });
}

template <class Handle, class Tables, class Row>
hwest_status ReadRows(const Handle* handle, const LazyTable<Row> Tables::* table, uint64_t first, uint64_t count,
                      Row* to, size_t stride) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument("the handle");
    if (to == nullptr && count > 0) return NullArgument("rows");
    const std::vector<Row>& rows = (handle->tables.*table).get().rows;
    absl::Status status = CheckRows(first, count, rows.size());
    auto* bytes = reinterpret_cast<char*>(to);
    for (uint64_t i = 0; i < count && status.ok(); ++i, bytes += stride) {
      status = CopyOut("rows", rows[first + i], stride, reinterpret_cast<Row*>(bytes));
    }
    return status;
  });
}

// Implements a table of a single row: the struct itself.
template <class Handle, class Tables, class Row>
hwest_status GetOne(const char* handle_name, const Handle* handle, const char* row_name,
                    const LazyTable<Row> Tables::* table, Row* row) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument(handle_name);
    if (row == nullptr) return NullArgument(row_name);
    return CopyOut(row_name, (handle->tables.*table).get().rows[0], row->struct_size, row);
  });
}

}  // namespace hwest::capi
