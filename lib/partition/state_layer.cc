#include "partition/state_layer.h"

#include <algorithm>
#include <utility>

namespace hwest {
namespace {

constexpr size_t kMostSlotsKept = 1024;

}  // namespace

void StateLayer::Reset(size_t width) {
  width_ = width;
  rows_.clear();
  states_.clear();
  // After a large layer small ones start small again.
  if (slots_.size() > kMostSlotsKept) slots_.clear();
  std::fill(slots_.begin(), slots_.end(), kNone);
}

void StateLayer::Add(const std::vector<uint64_t>& row, const State& state) {
  if (slots_.size() < 2 * (size() + 1)) Grow();
  uint32_t& slot = slots_[FindSlot(row.data(), state.hash)];
  if (slot == kNone) {
    slot = static_cast<uint32_t>(size());
    rows_.insert(rows_.end(), row.begin(), row.end());
    states_.push_back(state);
  } else if (state.cost < states_[slot].cost) {
    states_[slot] = state;
  }
}

void StateLayer::Keep(const std::vector<uint32_t>& kept) {
  const bool in_order = std::is_sorted(kept.begin(), kept.end());
  if (in_order && kept.size() == size()) return;
  // In order, a state moves forward over one that has moved or is not kept.
  std::vector<State> states(in_order ? 0 : kept.size());
  std::vector<uint64_t> rows(in_order ? 0 : kept.size() * width_);
  std::vector<State>& to_states = in_order ? states_ : states;
  std::vector<uint64_t>& to_rows = in_order ? rows_ : rows;
  for (size_t i = 0; i < kept.size(); ++i) {
    to_states[i] = states_[kept[i]];
    std::copy_n(row(kept[i]), width_, to_rows.begin() + static_cast<ptrdiff_t>(i * width_));
  }
  if (!in_order) states_.swap(states);
  if (!in_order) rows_.swap(rows);
  states_.resize(kept.size());
  rows_.resize(kept.size() * width_);
}

size_t StateLayer::FindSlot(const uint64_t* row, uint64_t row_hash) const {
  size_t slot = row_hash & (slots_.size() - 1);
  while (slots_[slot] != kNone &&
         (states_[slots_[slot]].hash != row_hash || !std::equal(row, row + width_, this->row(slots_[slot])))) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void StateLayer::Grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 2), kNone);
  for (size_t state = 0; state < size(); ++state)
    slots_[FindSlot(row(state), states_[state].hash)] = static_cast<uint32_t>(state);
}

}  // namespace hwest
