// Dense typed handles. Every table of the library is a vector indexed by one of these.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hwest {

// Id<Tag> is an index into exactly one kind of table. A default-constructed id is "none"; it is never a valid index.
template <class Tag>
class Id {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t index) : index_(index) {}
  constexpr explicit Id(size_t index) : index_(static_cast<uint32_t>(index)) {}

  constexpr bool valid() const { return index_ != kNone; }
  constexpr uint32_t index() const { return index_; }
  constexpr auto operator<=>(const Id&) const = default;

  template <class H>
  friend H AbslHashValue(H state, Id id) {
    return H::combine(std::move(state), id.index_);
  }

 private:
  uint32_t index_ = kNone;
};

using StrId = Id<struct StrTag>;            // interned string
using NodeId = Id<struct NodeTag>;          // operator node, bodies of control flow included
using ValueId = Id<struct ValueTag>;        // tensor, sequence, optional, ...
using ConstantId = Id<struct ConstantTag>;  // initialiser or Constant payload
using GraphId = Id<struct GraphTag>;        // main graph (index 0) or a body of If/Loop/Scan
using ScopeId = Id<struct ScopeTag>;        // module of the source program
using SymbolId = Id<struct SymbolTag>;      // symbolic dim
using GroupId = Id<struct GroupTag>;        // fused group of one overlay
using UnitId = Id<struct UnitTag>;          // engine of a target
using SegmentId = Id<struct SegmentTag>;    // run of groups on one unit

// IdMap is a vector that only accepts its own kind of id as index.
template <class IdT, class T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(size_t count, const T& value = T()) : rows_(count, value) {}

  T& operator[](IdT id) { return rows_[id.index()]; }
  const T& operator[](IdT id) const { return rows_[id.index()]; }
  IdT push_back(T row) {
    rows_.push_back(std::move(row));
    return IdT(rows_.size() - 1);
  }
  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  void resize(size_t count) { rows_.resize(count); }
  void reserve(size_t count) { rows_.reserve(count); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

 private:
  std::vector<T> rows_;
};

}  // namespace hwest
