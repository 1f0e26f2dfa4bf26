#include "plan/residency.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "cost/cost.h"
#include "plan/liveness.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

int64_t WeightBytesOf(const ModelView& model, const std::vector<const RunGroup*>& groups) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) copies.Add(group->group, group->work.precision, UnitId(), nullptr);
  return copies.Bytes();
}

// What a cache between scratchpad and DRAM holds of the weights when the next inference asks for them.
double KeptShare(const ModelView& model, const Unit& unit, const std::vector<const RunGroup*>& order) {
  const double kept = ParamOf(unit, "kept_weight_bytes").value_or(0);
  if (kept <= 0) return 0;
  const auto bytes = static_cast<double>(WeightBytesOf(model, order));
  return bytes <= kept ? 1 : kept / bytes;
}

// The most that is in a memory at once while groups run.
class Load {
 public:
  explicit Load(size_t positions) {
    while (width_ < positions) width_ *= 2;
    added_.resize(2 * width_, 0);
    most_.resize(2 * width_, 0);
  }

  // Requires first <= last.
  void Add(size_t first, size_t last, int64_t bytes) { Add({1, 0, width_ - 1}, first, last, bytes); }
  int64_t Most(size_t first, size_t last) const { return Most({1, 0, width_ - 1}, first, last); }

 private:
  // Of a binary tree over the positions: what is added to all of [first, last], and the most of it.
  struct Node {
    size_t at, first, last;

    bool Misses(size_t from, size_t to) const { return to < first || last < from; }
    bool Within(size_t from, size_t to) const { return from <= first && last <= to; }
    Node Left() const { return {2 * at, first, (first + last) / 2}; }
    Node Right() const { return {2 * at + 1, (first + last) / 2 + 1, last}; }
  };

  void Add(const Node& node, size_t first, size_t last, int64_t bytes) {
    if (node.Misses(first, last)) return;
    if (node.Within(first, last)) {
      added_[node.at] += bytes;
      most_[node.at] += bytes;
      return;
    }
    Add(node.Left(), first, last, bytes);
    Add(node.Right(), first, last, bytes);
    most_[node.at] = added_[node.at] + std::max(most_[2 * node.at], most_[2 * node.at + 1]);
  }

  int64_t Most(const Node& node, size_t first, size_t last) const {
    if (node.Misses(first, last)) return 0;
    if (node.Within(first, last)) return most_[node.at];
    return added_[node.at] + std::max(Most(node.Left(), first, last), Most(node.Right(), first, last));
  }

  size_t width_ = 1;
  std::vector<int64_t> added_, most_;
};

// A value that may stay.
struct Stayer {
  ValueId value;
  int64_t bytes = 0;
  size_t first = 0, last = 0;
};

std::vector<Stayer> StayersOf(const ModelView& model, const std::vector<const RunGroup*>& order) {
  std::vector<Stayer> stayers;
  const IdMap<ValueId, LiveRange> ranges = FindLiveRanges(model, order);
  for (size_t g = 0; g < order.size(); ++g) {
    for (const Access& write : order[g]->writes) {
      const LiveRange& range = ranges[write.value];
      const int64_t bytes = range.bytes.value_or(0);
      if (!range.is_output && range.last > g && bytes > 0) stayers.push_back({write.value, bytes, g, range.last});
    }
  }
  return stayers;
}

using Stays = IdMap<ValueId, uint8_t>;

StayingBytes StayingBytesOf(const RunGroup& group, const Stays& stays) {
  StayingBytes staying;
  for (const auto& [value, bytes] : group.reads) {
    if (stays[value] != 0) staying.reads += bytes.value_or(0);
  }
  for (const auto& [value, bytes] : group.writes) {
    if (stays[value] != 0) staying.writes += bytes.value_or(0);
  }
  return staying;
}

// Lets the value stay that needs the least room beside those that stay already, then the next, until one does not fit:
// with more room the same ones stay, and others beside them.
class Keeper {
 public:
  Keeper(const std::vector<Stayer>& stayers, size_t positions, int64_t room)
      : stayers_(stayers), positions_(positions), room_(room), load_(positions), looks_left_(kLooks * stayers.size()) {}

  Stays Run(size_t num_values) {
    Stays stays(num_values, 0);
    if (MostOfAll() <= room_) {
      for (const Stayer& stayer : stayers_) stays[stayer.value] = 1;
      return stays;
    }
    for (size_t i = 0; i < stayers_.size(); ++i) Push(stayers_[i].bytes, i);
    while (!waiting_.empty() && waiting_.top().first <= room_) {
      const auto [needs, i] = waiting_.top();
      waiting_.pop();
      const Stayer& stayer = stayers_[i];
      const int64_t now = load_.Most(stayer.first, stayer.last) + stayer.bytes;
      if (now > needs && looks_left_ > 0) {
        --looks_left_;
        Push(now, i);
      } else if (now <= room_) {
        load_.Add(stayer.first, stayer.last, stayer.bytes);
        stays[stayer.value] = 1;
      } else {
        break;
      }
    }
    return stays;
  }

 private:
  static constexpr size_t kLooks = 64;  // at a value on average: graphs of many long lives take no longer

  int64_t MostOfAll() const {
    std::vector<int64_t> change(positions_ + 1, 0);
    for (const Stayer& stayer : stayers_) {
      change[stayer.first] += stayer.bytes;
      change[stayer.last + 1] -= stayer.bytes;
    }
    int64_t now = 0, most = 0;
    for (const int64_t step : change) most = std::max(most, now += step);
    return most;
  }

  void Push(int64_t needs, size_t i) {
    if (needs <= room_) waiting_.emplace(needs, i);
  }

  const std::vector<Stayer>& stayers_;
  const size_t positions_;
  const int64_t room_;
  Load load_;
  size_t looks_left_;
  std::priority_queue<std::pair<int64_t, size_t>, std::vector<std::pair<int64_t, size_t>>, std::greater<>> waiting_;
};

int64_t SavedBytes(const std::vector<const RunGroup*>& order, const Stays& stays) {
  int64_t bytes = 0;
  for (const RunGroup* group : order) {
    const StayingBytes staying = StayingBytesOf(*group, stays);
    bytes += (staying.reads + staying.writes) * group->runs;
  }
  return bytes;
}

// Bytes of the weights where they may stay beside the activations: a cache keeps them for the next inference.
std::optional<int64_t> CachedWeights(const ModelView& model, const Target& target, const Unit& unit,
                                     const std::vector<const RunGroup*>& order) {
  const int64_t capacity = OnChipBytes(target, unit);
  if (capacity <= 0 || OnChipMemoryOf(target, unit)->scratchpad) return std::nullopt;
  return WeightBytesUpTo(model, order, capacity);
}

}  // namespace

OnChip MostOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip{.stays = Stays(model.graph.values().size(), 0)};
  const int64_t capacity = OnChipBytes(target, unit);
  on_chip.weights_share = CachedWeights(model, target, unit, order).has_value() ? 1 : KeptShare(model, unit, order);
  for (const RunGroup* group : order) {
    for (const auto& [value, bytes] : group->writes) {
      on_chip.stays[value] = bytes.value_or(0) > 0 && *bytes <= capacity;
    }
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (output.valid()) on_chip.stays[RootOf(model, output)] = 0;
  }
  return on_chip;
}

OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  const size_t num_values = model.graph.values().size();
  const int64_t capacity = OnChipBytes(target, unit);
  OnChip on_chip{.stays = Stays(num_values, 0), .weights_share = KeptShare(model, unit, order)};
  if (capacity <= 0) return on_chip;
  const std::vector<Stayer> stayers = StayersOf(model, order);
  const auto keep = [&](int64_t room) { return Keeper(stayers, order.size(), room).Run(num_values); };
  on_chip.stays = keep(capacity);
  const std::optional<int64_t> weights = CachedWeights(model, target, unit, order);
  if (!weights.has_value()) return on_chip;
  Stays beside = keep(capacity - *weights);
  if (*weights + SavedBytes(order, beside) < SavedBytes(order, on_chip.stays)) return on_chip;
  return {.stays = std::move(beside), .weights_share = 1};
}

StayingBytes StayingBytesOf(const RunGroup& group, const OnChip& on_chip) {
  return StayingBytesOf(group, on_chip.stays);
}

Residency ResidencyOf(const RunGroup& group, const OnChip& on_chip, const StayingBytes& staying) {
  Residency residency;
  residency.in_bytes = std::min(staying.reads, group.work.in_bytes);
  residency.out_bytes = std::min(staying.writes, group.work.out_bytes);
  residency.weight_bytes = static_cast<int64_t>(on_chip.weights_share * static_cast<double>(group.work.weight_bytes));
  return residency;
}

std::optional<int64_t> WeightBytesUpTo(const ModelView& model, const std::vector<const RunGroup*>& groups,
                                       int64_t limit) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) {
    copies.Add(group->group, group->work.precision, UnitId(), nullptr);
    if (copies.LeastBytes() > limit) return std::nullopt;
  }
  const int64_t bytes = copies.Bytes();
  return bytes <= limit ? std::optional<int64_t>(bytes) : std::nullopt;
}

}  // namespace hwest
