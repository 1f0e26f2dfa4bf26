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
  // After a large layer small ones start small again.
  if (slots_.size() > kMostSlotsKept) slots_.clear();
  std::fill(slots_.begin(), slots_.end(), kNone);
  cost.clear();
  bound.clear();
  parent.clear();
  chosen.clear();
  hash.clear();
}

void StateLayer::Add(const std::vector<uint64_t>& row, uint64_t row_hash, double state_cost, double state_bound,
                     uint32_t from, uint32_t unit) {
  if (slots_.size() < 2 * (size() + 1)) Grow();
  uint32_t& slot = slots_[FindSlot(row.data(), row_hash)];
  if (slot == kNone) {
    slot = static_cast<uint32_t>(size());
    rows_.insert(rows_.end(), row.begin(), row.end());
    cost.push_back(state_cost);
    bound.push_back(state_bound);
    parent.push_back(from);
    chosen.push_back(unit);
    hash.push_back(row_hash);
  } else if (state_cost < cost[slot]) {
    cost[slot] = state_cost;
    bound[slot] = state_bound;
    parent[slot] = from;
    chosen[slot] = unit;
  }
}

void StateLayer::Keep(const std::vector<uint32_t>& kept) {
  if (kept.size() == size() && std::is_sorted(kept.begin(), kept.end())) return;  // all of them, in their order
  StateLayer next(width_);
  for (const uint32_t state : kept) {
    next.rows_.insert(next.rows_.end(), row(state), row(state) + width_);
    next.cost.push_back(cost[state]);
    next.bound.push_back(bound[state]);
    next.parent.push_back(parent[state]);
    next.chosen.push_back(chosen[state]);
    next.hash.push_back(hash[state]);
  }
  *this = std::move(next);
}

size_t StateLayer::FindSlot(const uint64_t* row, uint64_t row_hash) const {
  size_t slot = row_hash & (slots_.size() - 1);
  while (slots_[slot] != kNone &&
         (hash[slots_[slot]] != row_hash || !std::equal(row, row + width_, this->row(slots_[slot])))) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void StateLayer::Grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 2), kNone);
  for (size_t state = 0; state < size(); ++state) slots_[FindSlot(row(state), hash[state])] = static_cast<uint32_t>(state);
}

}  // namespace hwest
