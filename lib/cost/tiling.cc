#include "cost/tiling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/machine.h"

namespace hwest {
namespace {

constexpr LoopOrder kOrders[] = {LoopOrder::kWeightStationary, LoopOrder::kInputStationary,
                                 LoopOrder::kOutputStationary};

// How often the loops over tiles go round.
struct Trips {
  double m = 1, n = 1, k = 1;
};

Trips TripsOf(const TiledProduct& product, const Tiling& tile) {
  return {static_cast<double>(CeilDiv(product.m, tile.m)), static_cast<double>(CeilDiv(product.n, tile.n)),
          static_cast<double>(CeilDiv(product.k, tile.k))};
}

// How often each operand crosses.
struct Passes {
  double a = 1, b = 1, c = 1;
  bool keeps_halo = true;  // the next tile along m follows before other parts of k
};

// Weight stationary: k, n, m from the outermost loop on; input stationary: k, m, n; output stationary: m, n, k.
// What goes step by step has m outermost.
Passes PassesOf(const TiledProduct& product, LoopOrder order, const Trips& trips) {
  switch (order) {
    case LoopOrder::kWeightStationary: return {.a = trips.m > 1 ? trips.n : 1, .b = 1, .c = trips.k};
    case LoopOrder::kInputStationary: {
      const bool stays = trips.n <= 1 && (product.rows == 0 || trips.k <= 1);
      return {.a = 1, .b = stays ? 1 : trips.m, .c = trips.k};
    }
    case LoopOrder::kOutputStationary: return {.a = trips.n, .b = trips.m, .c = 1, .keeps_halo = trips.k <= 1};
  }
  return {};
}

CrossingBytes CrossingOf(const TiledProduct& product, const Trips& trips, const Passes& passes) {
  CrossingBytes bytes;
  const double halo = passes.keeps_halo ? 0 : (trips.m - 1) * product.halo_bytes;
  if (product.a.crosses) bytes.read += passes.a * (product.a.bytes + halo);
  if (product.b.crosses) bytes.read += passes.b * product.b.bytes;
  if (product.c.crosses) bytes.written += product.c.bytes;
  bytes.read += (passes.c - 1) * product.sum_bytes;
  bytes.written += (passes.c - 1) * product.sum_bytes;
  return bytes;
}

// Bytes of the buffer as a linear function of one side of the tile.
struct Line {
  double fixed = 0, slope = 0;
};

class Searcher {
 public:
  Searcher(const TiledProduct& product, double buffer_bytes, int buffers)
      : p_(product), buffer_bytes_(buffer_bytes), buffers_(buffers), least_(Compulsory(product).total()) {
    most_m_ = p_.rows > 0 ? std::min(p_.rows, p_.m) : p_.m;
  }

  TiledLoops Run() {
    Try({.m = 1, .n = 1, .k = std::min(p_.k_step, p_.k)});
    TryDepth(p_.k);
    for (int64_t trips = 2; CeilDiv(p_.k, trips) > p_.k_step && !IsLeast(); trips *= 2) {
      if (least_ + 2 * static_cast<double>(trips - 1) * p_.sum_bytes < best_.crossing.total()) {
        TryDepth(std::max(CeilDiv(p_.k, trips), p_.k_step));
      }
    }
    if (!IsLeast() && p_.k_step < p_.k) TryDepth(p_.k_step);
    best_.tiling = Even(best_.tiling);
    return best_;
  }

 private:
  bool IsLeast() const { return best_.crossing.total() <= least_; }

  // Sides that cut `size` into 1, 2, 3, ... parts, later into a quarter more each time, until all of the other side
  // fits beside one: shorter ones then cross no less.
  template <typename Try>
  void ForEachSide(int64_t size, Try fits_all) {
    for (int64_t parts = 1; !IsLeast(); parts += std::max<int64_t>(1, parts / 4)) {
      const int64_t side = CeilDiv(size, parts);
      if (fits_all(side) || side == 1) return;
    }
  }

  void TryDepth(int64_t k) {
    TryRows(most_m_, k);  // all rows of a product fit more often than all columns
    ForEachSide(p_.n, [&](int64_t n) { return TryColumns(n, k); });
    ForEachSide(most_m_, [&](int64_t m) { return TryRows(m, k); });
  }

  // Both are true where all of the other side fits.
  bool TryColumns(int64_t n, int64_t k) {
    const int64_t m = MostRows(n, k);
    if (m > 0) Try({.m = m, .n = n, .k = k});
    return m == most_m_;
  }
  bool TryRows(int64_t m, int64_t k) {
    const int64_t n = MostColumns(m, k);
    if (n > 0) Try({.m = m, .n = n, .k = k});
    return n == p_.n;
  }

  // The same number of tiles, the last one hardly smaller than the others.
  Tiling Even(Tiling tile) const {
    for (const auto& [size, side] : {std::pair(p_.m, &tile.m), {p_.n, &tile.n}, {p_.k, &tile.k}}) {
      *side = CeilDiv(size, CeilDiv(size, *side));
    }
    return tile;
  }

  double Room(const Tiling& tile) const { return BufferBytesOf(p_, tile, buffers_); }

  // The largest side that fits, none of the operands along it there as a whole.
  int64_t Most(double fixed, double slope, int64_t size) const {
    const double most = slope > 0 ? std::floor((buffer_bytes_ - fixed) / slope) : static_cast<double>(size);
    return most >= 1 ? std::min(size, static_cast<int64_t>(std::min(most, 1e18))) : 0;
  }

  int64_t MostRows(int64_t n, int64_t k) const {
    if (most_m_ == p_.m && Room({.m = p_.m, .n = n, .k = k}) <= buffer_bytes_) return p_.m;
    const double depth = Share(k, p_.k), columns = Share(n, p_.n), row = 1.0 / static_cast<double>(p_.m);
    const double fixed = Times(n < p_.n || k < p_.k) * p_.b.bytes * depth * columns + buffers_ * p_.halo_bytes * depth;
    const double slope = buffers_ * row * (p_.a.bytes * depth + ResultBytes(k) * columns);
    return Most(fixed, slope, most_m_);
  }

  int64_t MostColumns(int64_t m, int64_t k) const {
    if (Room({.m = m, .n = p_.n, .k = k}) <= buffer_bytes_) return p_.n;
    const double depth = Share(k, p_.k), rows = Share(m, p_.m), column = 1.0 / static_cast<double>(p_.n);
    const double halo = m < p_.m ? p_.halo_bytes : 0;
    const double fixed = Times(m < p_.m || k < p_.k) * (p_.a.bytes * rows + halo) * depth;
    const double slope = buffers_ * column * (p_.b.bytes * depth + ResultBytes(k) * rows);
    return Most(fixed, slope, p_.n);
  }

  static double Share(int64_t tile, int64_t size) { return static_cast<double>(tile) / static_cast<double>(size); }
  double Times(bool changes) const { return changes ? buffers_ : 1; }
  double ResultBytes(int64_t k) const { return k < p_.k ? p_.sum_bytes : p_.c.bytes; }

  void Try(Tiling tile) {
    const Trips trips = TripsOf(p_, tile);
    for (const LoopOrder order : kOrders) {
      // One tile of rows waits for all columns: that is the order of its name.
      const bool waits = p_.rows > 0 || (trips.m <= 1 && trips.n > 1);
      if (waits && order == LoopOrder::kWeightStationary) continue;
      const CrossingBytes crossing = CrossingOf(p_, trips, PassesOf(p_, order, trips));
      if (found_ && crossing.total() >= best_.crossing.total()) continue;
      tile.order = order;
      best_ = {.tiling = tile, .crossing = crossing};
      found_ = true;
    }
  }

  const TiledProduct& p_;
  const double buffer_bytes_;
  const int buffers_;
  const double least_;
  int64_t most_m_ = 0;
  bool found_ = false;
  TiledLoops best_;
};

}  // namespace

CrossingBytes Compulsory(const TiledProduct& product) { return CrossingOf(product, Trips(), Passes()); }

CrossingBytes CrossingOf(const TiledProduct& product, const Tiling& tiling) {
  const Trips trips = TripsOf(product, tiling);
  return CrossingOf(product, trips, PassesOf(product, tiling.order, trips));
}

double BufferBytesOf(const TiledProduct& product, const Tiling& tile, int buffers) {
  const auto share = [](int64_t part, int64_t size) { return static_cast<double>(part) / static_cast<double>(size); };
  const auto times = [&](bool changes) { return changes ? buffers : 1; };
  const bool cuts_m = tile.m < product.m, cuts_n = tile.n < product.n, cuts_k = tile.k < product.k;
  const double rows = share(tile.m, product.m), columns = share(tile.n, product.n), depth = share(tile.k, product.k);
  const double halo = cuts_m ? product.halo_bytes : 0;
  return times(cuts_m || cuts_k) * (product.a.bytes * rows + halo) * depth +
         times(cuts_n || cuts_k) * product.b.bytes * columns * depth +
         times(cuts_m || cuts_n) * (cuts_k ? product.sum_bytes : product.c.bytes) * rows * columns;
}

TiledLoops BestTiling(const TiledProduct& product, double buffer_bytes, int buffers) {
  return Searcher(product, buffer_bytes, buffers).Run();
}

}  // namespace hwest
