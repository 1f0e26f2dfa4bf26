#include "plan/arena.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace hwest {
namespace {

constexpr size_t kMostPairs = size_t{1} << 20;  // beyond it buffers are placed in the order of time alone
constexpr size_t kMostLookedAt = 1 << 16;       // pairs, over all attempts after the first ones
constexpr int kMostRepairs = 32;

int64_t RoundUp(int64_t bytes, int64_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

enum class FitBy { kBest, kLowest };

// Offsets that a buffer cannot have: those strictly between.
struct Blocked {
  int64_t after, before;
};

// The offset among those left that `fit` prefers: where least is left over, or the lowest.
int64_t FreeOffset(std::vector<Blocked>& blocked, int64_t alignment, FitBy fit) {
  std::sort(blocked.begin(), blocked.end(), [](const Blocked& a, const Blocked& b) { return a.after < b.after; });
  int64_t offset = 0, best = -1, least_left = INT64_MAX;
  for (const Blocked& range : blocked) {
    if (range.after >= offset && range.after - offset < least_left) {
      best = offset;
      least_left = range.after - offset;
      if (fit == FitBy::kLowest) return best;
    }
    offset = std::max(offset, RoundUp(range.before, alignment));
  }
  return best >= 0 ? best : offset;
}

// What is free, lowest offsets first.
class Gaps {
 public:
  // The lowest offset with room.
  int64_t Take(int64_t bytes, int64_t alignment) {
    if (bytes == 0) return 0;
    auto gap = ends_.begin();
    while (gap->second - RoundUp(gap->first, alignment) < bytes) ++gap;
    const auto [begin, end] = *gap;
    const int64_t offset = RoundUp(begin, alignment);
    ends_.erase(gap);
    if (begin < offset) ends_.emplace(begin, offset);
    ends_.emplace(offset + bytes, end);
    return offset;
  }

  // Requires what Take gave.
  void Give(int64_t offset, int64_t bytes) {
    if (bytes == 0) return;
    auto next = ends_.lower_bound(offset);
    int64_t end = offset + bytes;
    if (next != ends_.end() && next->first == end) {
      end = next->second;
      next = ends_.erase(next);
    }
    if (next != ends_.begin() && std::prev(next)->second == offset) {
      std::prev(next)->second = end;
    } else {
      ends_.emplace(offset, end);
    }
  }

 private:
  std::map<int64_t, int64_t> ends_ = {{0, INT64_MAX}};  // by first byte; the last gap has no end
};

class Packer {
 public:
  Packer(absl::Span<const ArenaPiece> pieces, size_t num_buffers, int64_t alignment)
      : pieces_(pieces), alignment_(alignment), extents_(num_buffers, 0) {
    for (const ArenaPiece& piece : pieces) {
      int64_t& extent = extents_[piece.buffer];
      extent = std::max(extent, piece.at + piece.bytes);
    }
  }

  Arena Run() {
    Arena best{.offsets = std::vector<int64_t>(extents_.size(), 0)};
    FindLeast();
    best.least_bytes = least_bytes_;
    if (!FindPairs()) return InTime(std::move(best));
    best.bytes = INT64_MAX;
    for (const auto& make : {&Packer::BySize, &Packer::ByBreadth, &Packer::ByTime}) {
      std::vector<uint32_t> order = (this->*make)();
      for (const FitBy fit : {FitBy::kBest, FitBy::kLowest}) {
        if (Try(order, fit, &best)) return best;
      }
    }
    Repair(&best);
    return best;
  }

 private:
  struct Pair {
    uint32_t own, other;  // pieces of two buffers that are alive at once
  };

  void FindLeast();
  bool FindPairs();
  void Index(const std::vector<Pair>& found);
  std::vector<uint32_t> BySize();
  std::vector<uint32_t> ByBreadth();
  std::vector<uint32_t> ByTime();
  bool Try(const std::vector<uint32_t>& order, FitBy fit, Arena* best);
  void Repair(Arena* best);
  Arena InTime(Arena arena) const;
  template <class Before>
  std::vector<uint32_t> Sorted(Before before) const {
    std::vector<uint32_t> order(extents_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), before);
    return order;
  }
  std::vector<uint32_t> PiecesByTime() const {
    std::vector<uint32_t> order(pieces_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return pieces_[a].first < pieces_[b].first; });
    return order;
  }

  const absl::Span<const ArenaPiece> pieces_;
  const int64_t alignment_;
  std::vector<int64_t> extents_;          // by buffer
  int64_t least_bytes_ = 0, enough_ = 0;  // no arena is smaller; none whose offsets are aligned
  std::vector<Pair> pairs_;               // of each buffer in a row
  std::vector<size_t> first_pair_;        // by buffer, one past the end included
  std::vector<int64_t> tried_;            // offsets of the last attempt
  std::vector<uint32_t> best_order_;
  FitBy best_fit_ = FitBy::kBest;
  size_t looked_at_ = 0;
};

// What is alive at once. Of single pieces the one on top needs no padding behind it.
void Packer::FindLeast() {
  std::vector<uint32_t> parts(extents_.size(), 0);
  for (const ArenaPiece& piece : pieces_) ++parts[piece.buffer];
  const auto pad_of = [&](const ArenaPiece& piece) {
    return parts[piece.buffer] == 1 ? RoundUp(piece.bytes, alignment_) - piece.bytes : 0;
  };
  const std::vector<uint32_t> begins = PiecesByTime();
  std::vector<uint32_t> ends = begins;
  std::stable_sort(ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) { return pieces_[a].last < pieces_[b].last; });
  std::multiset<int64_t> pads;
  int64_t sum = 0, padded = 0;
  auto end = ends.begin();
  for (const uint32_t p : begins) {
    const ArenaPiece& piece = pieces_[p];
    for (; pieces_[*end].last < piece.first; ++end) {
      const ArenaPiece& over = pieces_[*end];
      sum -= over.bytes;
      padded -= over.bytes + pad_of(over);
      pads.erase(pads.find(pad_of(over)));
    }
    sum += piece.bytes;
    padded += piece.bytes + pad_of(piece);
    pads.insert(pad_of(piece));
    least_bytes_ = std::max(least_bytes_, sum);
    enough_ = std::max(enough_, padded - *pads.rbegin());
  }
}

// False when there are too many.
bool Packer::FindPairs() {
  std::vector<uint32_t> active;
  std::vector<Pair> found;
  for (const uint32_t p : PiecesByTime()) {
    const ArenaPiece& piece = pieces_[p];
    active.erase(
        std::remove_if(active.begin(), active.end(), [&](uint32_t q) { return pieces_[q].last < piece.first; }),
        active.end());
    for (const uint32_t q : active) {
      if (pieces_[q].buffer != piece.buffer && pieces_[q].bytes > 0 && piece.bytes > 0) found.push_back({p, q});
    }
    active.push_back(p);
    if (found.size() > kMostPairs) return false;
  }
  Index(found);
  return true;
}

void Packer::Index(const std::vector<Pair>& found) {
  first_pair_.assign(extents_.size() + 1, 0);
  const auto count = [&](uint32_t piece) { ++first_pair_[pieces_[piece].buffer + 1]; };
  for (const Pair& pair : found) count(pair.own), count(pair.other);
  std::partial_sum(first_pair_.begin(), first_pair_.end(), first_pair_.begin());
  std::vector<size_t> next(first_pair_.begin(), first_pair_.end() - 1);
  pairs_.resize(2 * found.size());
  for (const Pair& pair : found) {
    pairs_[next[pieces_[pair.own].buffer]++] = pair;
    pairs_[next[pieces_[pair.other].buffer]++] = {pair.other, pair.own};
  }
}

std::vector<uint32_t> Packer::BySize() {
  return Sorted([&](uint32_t a, uint32_t b) { return extents_[a] > extents_[b]; });
}

// By the most that is alive at once while the buffer is.
std::vector<uint32_t> Packer::ByBreadth() {
  std::vector<int64_t> breadth(extents_.size(), 0);
  for (size_t b = 0; b < extents_.size(); ++b) {
    breadth[b] = extents_[b];
    for (size_t i = first_pair_[b]; i < first_pair_[b + 1]; ++i) breadth[b] += pieces_[pairs_[i].other].bytes;
  }
  return Sorted([&](uint32_t a, uint32_t b) {
    return breadth[a] != breadth[b] ? breadth[a] > breadth[b] : extents_[a] > extents_[b];
  });
}

std::vector<uint32_t> Packer::ByTime() {
  std::vector<size_t> first(extents_.size(), SIZE_MAX);
  for (const ArenaPiece& piece : pieces_) first[piece.buffer] = std::min(first[piece.buffer], piece.first);
  return Sorted([&](uint32_t a, uint32_t b) { return first[a] < first[b]; });
}

// True when no arena can be smaller.
bool Packer::Try(const std::vector<uint32_t>& order, FitBy fit, Arena* best) {
  std::vector<int64_t>& offsets = tried_;
  offsets.assign(extents_.size(), -1);
  std::vector<Blocked> blocked;
  int64_t bytes = 0;
  for (const uint32_t buffer : order) {
    blocked.clear();
    for (size_t i = first_pair_[buffer]; i < first_pair_[buffer + 1]; ++i) {
      const ArenaPiece &own = pieces_[pairs_[i].own], &other = pieces_[pairs_[i].other];
      if (offsets[other.buffer] < 0) continue;
      const int64_t begin = offsets[other.buffer] + other.at - own.at;
      blocked.push_back({begin - own.bytes, begin + other.bytes});
    }
    looked_at_ += first_pair_[buffer + 1] - first_pair_[buffer];
    offsets[buffer] = FreeOffset(blocked, alignment_, fit);
    bytes = std::max(bytes, offsets[buffer] + extents_[buffer]);
  }
  if (bytes >= best->bytes) return bytes <= enough_;
  best->bytes = bytes;
  best->offsets = offsets;
  best_order_ = order;
  best_fit_ = fit;
  return bytes <= enough_;
}

// What ends highest was placed too late.
void Packer::Repair(Arena* best) {
  std::vector<uint32_t> order = best_order_;
  const FitBy fit = best_fit_;
  tried_ = best->offsets;
  for (int i = 0; i < kMostRepairs && looked_at_ < kMostLookedAt; ++i) {
    const auto highest = std::max_element(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return tried_[a] + extents_[a] < tried_[b] + extents_[b];
    });
    if (highest == order.begin()) return;
    std::rotate(order.begin(), highest, highest + 1);
    if (Try(order, fit, best)) return;
  }
}

Arena Packer::InTime(Arena arena) const {
  std::vector<std::pair<size_t, size_t>> spans(extents_.size(), {SIZE_MAX, 0});
  for (const ArenaPiece& piece : pieces_) {
    auto& [first, last] = spans[piece.buffer];
    first = std::min(first, piece.first);
    last = std::max(last, piece.last);
  }
  const std::vector<uint32_t> begins = Sorted([&](uint32_t x, uint32_t y) { return spans[x].first < spans[y].first; });
  const std::vector<uint32_t> ends = Sorted([&](uint32_t x, uint32_t y) { return spans[x].second < spans[y].second; });
  Gaps gaps;
  auto end = ends.begin();
  for (const uint32_t b : begins) {
    for (; end != ends.end() && spans[*end].second < spans[b].first; ++end)
      gaps.Give(arena.offsets[*end], extents_[*end]);
    arena.offsets[b] = gaps.Take(extents_[b], alignment_);
    arena.bytes = std::max(arena.bytes, arena.offsets[b] + extents_[b]);
  }
  return arena;
}

}  // namespace

Arena PackArena(absl::Span<const ArenaPiece> pieces, size_t num_buffers, int64_t alignment) {
  return Packer(pieces, num_buffers, alignment).Run();
}

}  // namespace hwest
