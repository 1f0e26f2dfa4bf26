#include "partition/cluster.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace hwest {
namespace {

constexpr uint32_t kNoBlock = UINT32_MAX;
using Blocks = absl::InlinedVector<uint32_t, 2>;

void AddOnce(uint32_t block, Blocks& blocks) {
  if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
}

// Least-numbered first, each block after all it needs.
class InOrder {
 public:
  explicit InOrder(const std::vector<Blocks>& needs) : readers_(needs.size()), missing_(needs.size(), 0) {
    for (uint32_t block = 0; block < needs.size(); ++block) {
      for (const uint32_t needed : needs[block]) readers_[needed].push_back(block);
      missing_[block] = needs[block].size();
    }
  }

  template <class Take>
  void Run(const std::vector<bool>& takes_part, Take take) {
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t block = 0; block < missing_.size(); ++block) {
      if (takes_part[block] && missing_[block] == 0) ready.push(block);
    }
    while (!ready.empty()) {
      const uint32_t block = ready.top();
      ready.pop();
      take(block);
      for (const uint32_t reader : readers_[block]) {
        if (--missing_[reader] == 0) ready.push(reader);
      }
    }
  }

 private:
  std::vector<std::vector<uint32_t>> readers_;
  std::vector<size_t> missing_;
};

std::vector<uint32_t> ByNumber(const BlockGraph& blocks) {
  std::vector<uint32_t> order;
  InOrder(blocks.before).Run(std::vector<bool>(blocks.before.size(), true), [&](uint32_t block) {
    order.push_back(block);
  });
  return order;
}

class Clustering {
 public:
  Clustering(const BlockGraph& blocks, const std::vector<BlockKind>& kinds, const std::vector<uint32_t>& order)
      : kinds_(kinds),
        order_(order),
        needs_(kinds.size()),
        head_(kinds.size(), kNoBlock),
        seen_by_(kinds.size(), kNoBlock) {
    for (const uint32_t block : order) {
      for (const uint32_t before : blocks.before[block]) {
        if (kinds[before] != BlockKind::kNone) AddOnce(before, needs_[block]);
        if (kinds[before] != BlockKind::kNone) continue;
        for (const uint32_t source : needs_[before]) AddOnce(source, needs_[block]);
      }
    }
    for (uint32_t block = 0; block < kinds.size(); ++block) {
      if (kinds[block] == BlockKind::kNone) needs_[block].clear();
    }
  }

  std::vector<uint32_t> Run() {
    item_needs_.resize(kinds_.size());
    InOrder(needs_).Run(TakePart(), [this](uint32_t block) { Assign(block); });
    std::vector<bool> is_item(kinds_.size());
    for (uint32_t block = 0; block < kinds_.size(); ++block) is_item[block] = head_[block] == block;
    const std::vector<bool> contracts = Contracts();
    std::vector<bool> waits(kinds_.size(), false);
    std::vector<uint32_t> place(kinds_.size(), kNoBlock);
    uint32_t count = 0, end = 0;
    InOrder(item_needs_).Run(is_item, [&](uint32_t item) {
      const Blocks& needs = item_needs_[item];
      waits[item] =
          contracts[item] || std::any_of(needs.begin(), needs.end(), [&](uint32_t other) { return waits[other]; });
      if (!waits[item]) place[item] = count++;
      if (!waits[item] && kinds_[item] == BlockKind::kHost) end = count;
    });
    for (uint32_t& at : place) at = at < end ? at : kNoBlock;
    std::vector<uint32_t> sorted;
    for (const uint32_t block : order_) {
      if (kinds_[block] != BlockKind::kNone) sorted.push_back(block);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](uint32_t a, uint32_t b) { return place[head_[a]] < place[head_[b]]; });
    return sorted;
  }

 private:
  bool IsTaken(uint32_t block) const { return kinds_[block] >= BlockKind::kAccelerator; }

  std::vector<bool> TakePart() const {
    std::vector<bool> takes_part(kinds_.size());
    for (uint32_t block = 0; block < kinds_.size(); ++block) takes_part[block] = kinds_[block] != BlockKind::kNone;
    return takes_part;
  }

  // By cluster.
  std::vector<bool> Contracts() const {
    std::vector<bool> contracts(kinds_.size(), false);
    for (uint32_t block = 0; block < kinds_.size(); ++block) {
      if (kinds_[block] == BlockKind::kContraction) contracts[head_[block]] = true;
    }
    return contracts;
  }

  // Gives `block` to a cluster, which its first block stands for; one of the host stands for itself.
  void Assign(uint32_t block) {
    head_[block] = block;
    if (IsTaken(block)) {
      for (const uint32_t needed : needs_[block]) {
        if (!IsTaken(needed) || ClosesCycle(block, head_[needed])) continue;
        head_[block] = head_[needed];
        break;
      }
    }
    for (const uint32_t needed : needs_[block]) {
      if (head_[needed] != head_[block]) AddOnce(head_[needed], item_needs_[head_[block]]);
    }
  }

  // Whether something that `block` needs, outside of `cluster`, needs the cluster.
  bool ClosesCycle(uint32_t block, uint32_t cluster) {
    std::vector<uint32_t> open;
    const auto enter = [&](uint32_t item) {
      if (item == cluster || seen_by_[item] == block) return;
      seen_by_[item] = block;
      open.push_back(item);
    };
    // Marks of an earlier cluster that was tried for the same block.
    for (const uint32_t item : marked_) seen_by_[item] = kNoBlock;
    marked_.clear();
    for (const uint32_t needed : needs_[block]) enter(head_[needed]);
    while (!open.empty()) {
      const uint32_t item = open.back();
      open.pop_back();
      marked_.push_back(item);
      for (const uint32_t needed : item_needs_[item]) {
        if (needed == cluster) return true;
        enter(needed);
      }
    }
    return false;
  }

  const std::vector<BlockKind>& kinds_;
  const std::vector<uint32_t>& order_;
  std::vector<Blocks> needs_;       // by block: those with kernels, looked at through the others
  std::vector<uint32_t> head_;      // by block: the first one of its cluster
  std::vector<Blocks> item_needs_;  // by cluster and block of the host: others that it needs
  std::vector<uint32_t> seen_by_, marked_;
};

}  // namespace

std::vector<uint32_t> GlueFirst(const BlockGraph& blocks, const std::vector<BlockKind>& kinds,
                                const std::vector<uint32_t>& order) {
  if (std::find(kinds.begin(), kinds.end(), BlockKind::kHost) == kinds.end()) return order;
  return Clustering(blocks, kinds, ByNumber(blocks)).Run();
}

}  // namespace hwest
