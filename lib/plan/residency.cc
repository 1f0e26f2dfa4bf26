#include "plan/residency.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "cost/cost.h"
#include "cost/machine.h"
#include "op/rule.h"
#include "pass/work.h"
#include "plan/liveness.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

int64_t WeightBytesOf(const ModelView& model, const Unit& unit, const std::vector<const RunGroup*>& groups) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) {
    const Precision precision = group->work.precision;
    copies.Add(group->group, precision, UnitId(), nullptr, WeightBlocksOf(unit, precision));
  }
  return copies.Bytes();
}

// What a cache between scratchpad and DRAM holds of the weights when the next inference asks for them.
double KeptShare(const ModelView& model, const Unit& unit, const std::vector<const RunGroup*>& order) {
  const double kept = ParamAt(unit, "kept_weight_bytes", "");
  if (kept <= 0) return 0;
  const auto bytes = static_cast<double>(WeightBytesOf(model, unit, order));
  return bytes <= kept ? 1 : kept / bytes;
}

// The most that is in a memory at once while groups run: a binary tree over the positions, the root at 1, the children
// of `at` at 2 at and 2 at + 1.
class Load {
 public:
  explicit Load(size_t positions) {
    while (width_ < positions) width_ *= 2;
    added_.resize(width_, 0);
    most_.resize(2 * width_, 0);
  }

  // Requires first <= last.
  void Add(size_t first, size_t last, int64_t bytes) {
    size_t left = first + width_, right = last + width_;
    const auto add = [&](size_t at) {
      most_[at] += bytes;
      if (at < width_) added_[at] += bytes;
    };
    add(left);
    if (right != left) add(right);
    for (; left > 1; left /= 2, right /= 2) {
      if (left / 2 != right / 2) {
        if (left % 2 == 0) add(left + 1);
        if (right % 2 == 1) add(right - 1);
      }
      Settle(left / 2);
      if (right / 2 != left / 2) Settle(right / 2);
    }
  }

  int64_t Most(size_t first, size_t last) const {
    size_t left = first + width_, right = last + width_;
    int64_t most_left = most_[left], most_right = most_[right];
    while (left / 2 != right / 2) {
      if (left % 2 == 0) most_left = std::max(most_left, most_[left + 1]);
      if (right % 2 == 1) most_right = std::max(most_right, most_[right - 1]);
      left /= 2, right /= 2;
      most_left += added_[left];
      most_right += added_[right];
    }
    int64_t most = std::max(most_left, most_right);
    for (left /= 2; left > 0; left /= 2) most += added_[left];
    return most;
  }

 private:
  void Settle(size_t at) { most_[at] = added_[at] + std::max(most_[2 * at], most_[2 * at + 1]); }

  size_t width_ = 1;
  std::vector<int64_t> added_, most_;  // to all below; of all below, what is added above left out
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

using Stays = IdMap<ValueId, Stay>;

// How many values in a row pass from kernel to kernel in tiles where they do not fit; 0 = values pass whole.
// Stated for the precision that contractions run at.
uint32_t TileChain(const Unit& unit, const std::vector<const RunGroup*>& order) {
  const auto contracts = [](const RunGroup* group) { return !group->work.contractions.empty(); };
  const auto first = absl::c_find_if(order, contracts);
  if (first == order.end()) return 0;
  return static_cast<uint32_t>(ParamAt(unit, "tile_chain", PrecisionName((*first)->work.precision)));
}

OnChip NothingOnChip(const ModelView& model) {
  return {.stays = IdMap<ValueId, Stay>(model.graph.values().size()),
          .steps = IdMap<NodeId, uint32_t>(model.graph.nodes().size(), 0)};
}

// Lets the value stay that needs the least room beside those that stay already, then the next, until one does not fit:
// with more room the same ones stay, and others beside them.
class Keeper {
 public:
  Keeper(const std::vector<Stayer>& stayers, size_t positions, int64_t room)
      : stayers_(stayers), positions_(positions), room_(room), load_(positions), looks_left_(kLooks * stayers.size()) {}

  Stays Run(size_t num_values) {
    Stays stays(num_values);
    if (MostOfAll() <= room_) {
      for (const Stayer& stayer : stayers_) stays[stayer.value] = StayOf(stayer);
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
        stays[stayer.value] = StayOf(stayer);
      } else {
        break;
      }
    }
    return stays;
  }

 private:
  static Stay StayOf(const Stayer& stayer) {
    return {.bytes = stayer.bytes, .whole_until = static_cast<uint32_t>(stayer.last), .is_whole = true};
  }

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

int64_t SavedBytes(const std::vector<const RunGroup*>& order, const OnChip& on_chip) {
  int64_t bytes = 0;
  for (const RunGroup* group : order) {
    const StayingBytes staying = StayingBytesOf(*group, on_chip);
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

// Where values pass whole.
void KeepWhole(const ModelView& model, const Target& target, const Unit& unit,
               const std::vector<const RunGroup*>& order, OnChip* on_chip) {
  const int64_t capacity = OnChipBytes(target, unit);
  const std::vector<Stayer> stayers = StayersOf(model, order);
  const auto keep = [&](int64_t room) { return Keeper(stayers, order.size(), room).Run(model.graph.values().size()); };
  on_chip->stays = keep(capacity);
  const std::optional<int64_t> weights = CachedWeights(model, target, unit, order);
  if (!weights.has_value()) return;
  OnChip beside{.stays = keep(capacity - *weights), .steps = on_chip->steps};
  if (*weights + SavedBytes(order, beside) < SavedBytes(order, *on_chip)) return;
  on_chip->stays = std::move(beside.stays);
  on_chip->weights_share = 1;
}

// A convolution, or what slides a window, makes or reads an image; operators element by element hand it on.
IdMap<ValueId, uint8_t> FindImages(const ModelView& model) {
  IdMap<ValueId, uint8_t> images(model.graph.values().size(), 0);
  constexpr int kImageRank = 4;
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId node(n);
    const std::optional<Work>& work = model.work[node];
    bool is_image = model.graph.FindAttribute(node, "kernel_shape") != nullptr;
    if (work.has_value() && !work->contractions.empty()) {
      const ContractionKind kind = work->contractions[0].kind;
      is_image = kind == ContractionKind::kConv || kind == ContractionKind::kDepthwise ||
                 kind == ContractionKind::kConvTranspose;
    } else if (HasTrait(model, node, trait::kElementwise | trait::kFoldsIntoWeights | trait::kCopiesRuns)) {
      is_image = is_image || absl::c_any_of(model.graph.inputs(node), [&](ValueId input) {
                   return input.valid() && images[RootOf(model, input)] != 0;
                 });
    }
    for (const ValueId output : model.graph.outputs(node)) {
      if (!is_image || !output.valid()) continue;
      const Shape& shape = model.facts.values[output].type.shape;
      images[output] = shape.ranked() && shape.rank() >= kImageRank;
    }
  }
  return images;
}

// Lets go of parts of values, those read last first, once more is alive than fits.
class Evictor {
 public:
  Evictor(const ModelView& model, const Unit& unit, const std::vector<const RunGroup*>& order, OnChip* on_chip)
      : model_(model),
        order_(order),
        on_chip_(*on_chip),
        chain_(TileChain(unit, order)),
        block_(static_cast<int64_t>(ParamAt(unit, "channel_block", ""))),
        rows_(model.graph.values().size()) {}

  void Run(const IdMap<ValueId, LiveRange>& ranges, int64_t room) {
    if (block_ > 1) images_ = FindImages(model_);
    for (uint32_t g = 0; g < order_.size(); ++g) {
      for (const Access& read : order_[g]->reads) rows_[read.value].readers.push_back(g);
    }
    for (uint32_t g = 0; g < order_.size(); ++g) {
      for (const Access& write : order_[g]->writes) Enter(write.value, g, ranges[write.value]);
      if (used_ > room) MakeRoom(g, used_ - room);
      Leave(g, ranges);
    }
  }

 private:
  struct Row {
    absl::InlinedVector<uint32_t, 2> readers;
    uint32_t made = 0;
    int64_t bytes = 0;   // on the chip, blocks filled up
    int64_t left = 0;    // of these that are still there
    uint32_t tiled = 0;  // values in a row, up to this one, that passed in tiles
  };

  // As it lies on the chip, where the channels of an image fill blocks.
  int64_t LaidBytes(ValueId value, int64_t bytes) const {
    if (block_ <= 1 || images_[value] == 0) return bytes;
    constexpr int kChannels = 1;
    const std::optional<int64_t> channels = Evaluate(model_.facts.values[value].type.shape.dim(kChannels), model_.dims);
    if (channels.value_or(0) <= 0) return bytes;
    const auto filled = static_cast<double>((*channels + block_ - 1) / block_ * block_);
    return static_cast<int64_t>(static_cast<double>(bytes) * filled / static_cast<double>(*channels));
  }

  void Enter(ValueId value, uint32_t g, const LiveRange& range) {
    const int64_t bytes = range.bytes.value_or(0);
    if (range.is_output || range.last <= g || bytes <= 0) return;
    Row& row = rows_[value];
    row.made = g;
    row.bytes = row.left = LaidBytes(value, bytes);
    used_ += row.left;
    on_chip_.stays[value] = {.bytes = bytes, .whole_until = static_cast<uint32_t>(range.last), .is_whole = true};
    alive_.push_back(value);
  }

  // Values in a row that pass in tiles up to step `g`.
  uint32_t TiledUpTo(uint32_t g) const {
    uint32_t most = 0;
    for (const Access& read : order_[g]->reads) most = std::max(most, rows_[read.value].tiled);
    return most;
  }

  // The step that reads it after `g`.
  uint32_t NextReader(const Row& row, uint32_t g) const {
    const auto next = absl::c_upper_bound(row.readers, g);
    return next == row.readers.end() ? g : *next;
  }

  void MakeRoom(uint32_t g, int64_t excess) {
    const uint32_t tiled = TiledUpTo(g);
    std::vector<std::pair<uint32_t, ValueId>> waiting;
    for (const ValueId value : alive_) {
      const Row& row = rows_[value];
      const uint32_t next = NextReader(row, g);
      const bool passes = next == row.made + 1 && tiled < chain_;
      if (row.left > 0 && next > g && !passes) waiting.emplace_back(next, value);
    }
    absl::c_sort(waiting, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [next, value] : waiting) {
      if (excess <= 0) break;
      Row& row = rows_[value];
      Stay& stay = on_chip_.stays[value];
      if (row.left == row.bytes) stay.whole_until = g;
      stay.is_whole = false;
      const int64_t gone = std::min(excess, row.left);
      row.left -= gone;
      used_ -= gone;
      excess -= gone;
    }
    for (const Access& write : order_[g]->writes) {
      if (excess <= 0 || rows_[write.value].left <= 0) continue;
      rows_[write.value].tiled = tiled + 1;
      on_chip_.stays[write.value].is_whole = false;
    }
  }

  void Leave(uint32_t g, const IdMap<ValueId, LiveRange>& ranges) {
    const auto is_over = [&](ValueId value) {
      if (ranges[value].last > g) return false;
      const Row& row = rows_[value];
      Stay& stay = on_chip_.stays[value];
      used_ -= row.left;
      stay.bytes = static_cast<int64_t>(static_cast<double>(stay.bytes) * static_cast<double>(row.left) /
                                        static_cast<double>(row.bytes));
      return true;
    };
    alive_.erase(std::remove_if(alive_.begin(), alive_.end(), is_over), alive_.end());
  }

  const ModelView& model_;
  const std::vector<const RunGroup*>& order_;
  OnChip& on_chip_;
  const uint32_t chain_;
  const int64_t block_;
  IdMap<ValueId, uint8_t> images_;
  IdMap<ValueId, Row> rows_;
  std::vector<ValueId> alive_;
  int64_t used_ = 0;
};

}  // namespace

OnChip MostOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip = NothingOnChip(model);
  const int64_t capacity = OnChipBytes(target, unit);
  on_chip.weights_share = CachedWeights(model, target, unit, order).has_value() ? 1 : 0;
  on_chip.cached_share = KeptShare(model, unit, order);
  const bool tiles = capacity > 0 && TileChain(unit, order) > 0;
  for (const RunGroup* group : order) {
    for (const auto& [value, bytes] : group->writes) {
      const int64_t known = bytes.value_or(0);
      on_chip.stays[value] = {.bytes = tiles || known <= capacity ? known : 0};
    }
  }
  for (const ValueId output : model.graph.main().outputs) {
    if (output.valid()) on_chip.stays[RootOf(model, output)] = {};
  }
  return on_chip;
}

OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order) {
  OnChip on_chip = NothingOnChip(model);
  on_chip.cached_share = KeptShare(model, unit, order);
  const int64_t capacity = OnChipBytes(target, unit);
  if (capacity <= 0) return on_chip;
  for (uint32_t g = 0; g < order.size(); ++g) on_chip.steps[order[g]->group.root] = g;
  if (TileChain(unit, order) > 0) {
    Evictor(model, unit, order, &on_chip).Run(FindLiveRanges(model, order), capacity);
  } else {
    KeepWhole(model, target, unit, order, &on_chip);
  }
  return on_chip;
}

int64_t StayingRead(const RunGroup& group, const OnChip& on_chip, const Access& read) {
  const Stay& stay = on_chip.stays[read.value];
  const int64_t whole = read.bytes.value_or(0);
  const bool is_whole = stay.whole_until > 0 && on_chip.steps[group.group.root] <= stay.whole_until;
  const int64_t there = is_whole ? whole : std::min(stay.bytes, whole);
  for (const Access& partly : group.partly) {
    if (partly.value != read.value || whole <= 0) continue;
    const double share = static_cast<double>(partly.bytes.value_or(whole)) / static_cast<double>(whole);
    return static_cast<int64_t>(share * static_cast<double>(there));
  }
  return there;
}

int64_t StayingWrite(const RunGroup&, const OnChip& on_chip, const Access& write) {
  return std::min(on_chip.stays[write.value].bytes, write.bytes.value_or(0));
}

StayingBytes StayingBytesOf(const RunGroup& group, const OnChip& on_chip) {
  StayingBytes staying;
  for (const Access& read : group.reads) staying.reads += StayingRead(group, on_chip, read);
  for (const Access& write : group.writes) staying.writes += StayingWrite(group, on_chip, write);
  return staying;
}

Residency ResidencyOf(const RunGroup& group, const OnChip& on_chip, const StayingBytes& staying) {
  Residency residency;
  residency.in_bytes = std::min(staying.reads, group.work.in_bytes);
  residency.out_bytes = std::min(staying.writes, group.work.out_bytes);
  const auto weights = static_cast<double>(group.work.weight_bytes);
  residency.weight_bytes = static_cast<int64_t>(on_chip.weights_share * weights);
  residency.cached_bytes = static_cast<int64_t>(on_chip.cached_share * weights);
  return residency;
}

std::optional<int64_t> WeightBytesUpTo(const ModelView& model, const std::vector<const RunGroup*>& groups,
                                       int64_t limit) {
  WeightCopies copies(model);
  for (const RunGroup* group : groups) {
    copies.Add(group->group, group->work.precision, UnitId(), nullptr, {});
    if (copies.LeastBytes() > limit) return std::nullopt;
  }
  const int64_t bytes = copies.Bytes();
  return bytes <= limit ? std::optional<int64_t>(bytes) : std::nullopt;
}

}  // namespace hwest
