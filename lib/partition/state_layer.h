// StateLayer: the states of the placement search after one atom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hwest {

// A state is a row of fixed width: the last unit, the counters of the limits, then source and holders of each live
// value. Rows lie in one array, looked up by content.
class StateLayer {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct State {
    double cost;      // so far
    double bound;     // cost so far + least cost of the rest
    uint64_t hash;    // of the row
    uint32_t parent;  // state of the layer before
    uint32_t chosen;  // unit of the atom
  };

  explicit StateLayer(size_t width) : width_(width) {}

  // Empties the layer, for rows of that width.
  void Reset(size_t width);
  size_t size() const { return states_.size(); }
  const State& operator[](size_t state) const { return states_[state]; }
  const uint64_t* row(size_t state) const { return rows_.data() + state * width_; }

  // Adds the state, or keeps the cheaper of two with equal rows. Equal rows must have equal hashes.
  void Add(const std::vector<uint64_t>& row, const State& state);
  // Keeps the given states in that order. Add nothing afterwards.
  void Keep(const std::vector<uint32_t>& kept);

 private:
  // Slot of an equal row, or the free one where it would go.
  size_t FindSlot(const uint64_t* row, uint64_t row_hash) const;
  void Grow();

  size_t width_;
  std::vector<State> states_;
  std::vector<uint64_t> rows_;
  std::vector<uint32_t> slots_;  // open addressing, size a power of two
};

}  // namespace hwest
