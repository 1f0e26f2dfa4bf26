// Tilings against all that there are, and the laws of what crosses a buffer.
#include "cost/tiling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

// A layer of a network at one byte an element.
struct LayerSize {
  const char* name;
  int64_t m, n, k;
  int64_t taps = 1;      // of a window
  int64_t in_bytes = 0;  // 0 = m * k
  int64_t halo_bytes = 0;
  int64_t steps = 1;  // of a recurrent layer, m rows each
};

// The layers that these networks have most of, an image or a sentence each.
constexpr LayerSize kLayers[] = {
    {"resnet50 conv1", 12544, 64, 147, 49, 150528, 3360},
    {"resnet50 2a", 3136, 64, 64},
    {"resnet50 2b", 3136, 64, 576, 9, 200704, 7168},
    {"resnet50 2c", 3136, 256, 64},
    {"resnet50 2 next", 3136, 64, 256},
    {"resnet50 3a", 3136, 128, 256},
    {"resnet50 3b stride", 784, 128, 1152, 9, 401408, 7168},
    {"resnet50 3b", 784, 128, 1152, 9, 100352, 7168},
    {"resnet50 3c", 784, 512, 128},
    {"resnet50 3 next", 784, 128, 512},
    {"resnet50 4b", 196, 256, 2304, 9, 50176, 7168},
    {"resnet50 4c", 196, 1024, 256},
    {"resnet50 4 next", 196, 256, 1024},
    {"resnet50 5b", 49, 512, 4608, 9, 25088, 7168},
    {"resnet50 5c", 49, 2048, 512},
    {"resnet50 fc", 1, 1000, 2048},
    {"mobilenet stem", 12544, 32, 27, 9, 150528, 672},
    {"mobilenet depthwise 112", 12544, 1, 9, 9, 12544, 224},
    {"mobilenet depthwise 56", 3136, 1, 9, 9, 3136, 112},
    {"mobilenet expand 56", 3136, 144, 24},
    {"mobilenet project 56", 3136, 24, 144},
    {"mobilenet expand 14", 196, 576, 96},
    {"mobilenet project 14", 196, 96, 576},
    {"mobilenet head", 49, 1280, 320},
    {"vit patches", 196, 768, 768, 256, 150528, 0},
    {"vit qkv", 197, 2304, 768},
    {"vit out", 197, 768, 768},
    {"vit up", 197, 3072, 768},
    {"vit down", 197, 768, 3072},
    {"vit scores", 197, 197, 64},
    {"vit values", 197, 64, 197},
    {"bert qkv", 384, 2304, 768},
    {"bert up", 384, 3072, 768},
    {"bert down", 384, 768, 3072},
    {"bert scores", 384, 384, 64},
    {"bert values", 384, 64, 384},
    {"bert words", 384, 30522, 768},
    {"lstm 256", 1, 1024, 512, 1, 0, 0, 50},
    {"lstm 1024 in fours", 4, 4096, 2048, 1, 0, 0, 50},
    {"gru 512", 1, 1536, 1024, 1, 0, 0, 100},
};
static_assert(std::size(kLayers) == 40);

TiledProduct TiledProductOf(const LayerSize& layer) {
  TiledProduct product{.m = layer.m * layer.steps, .n = layer.n, .k = layer.k};
  const auto m = static_cast<double>(product.m), n = static_cast<double>(product.n), k = static_cast<double>(product.k);
  product.a.bytes = layer.in_bytes > 0 ? static_cast<double>(layer.in_bytes) : m * k;
  product.b.bytes = n * k;
  product.c.bytes = m * n;
  product.sum_bytes = 4 * m * n;
  product.halo_bytes = static_cast<double>(layer.halo_bytes);
  product.k_step = layer.taps;
  product.rows = layer.steps > 1 ? layer.m : 0;
  return product;
}

// One way to nest the loops over the tiles of m (0), n (1) and k (2), outermost first.
constexpr int kNests[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// How often an operand that does not depend on the loop `other` crosses: once for each of its rounds, if a loop that it
// depends on goes on inside of it.
double NestPassesOf(const int (&nest)[3], const double (&trips)[3], int other) {
  for (int depth = 2; depth >= 0; --depth) {
    const int loop = nest[depth];
    if (loop == other) continue;
    if (trips[loop] > 1) {
      const int* at = std::find(std::begin(nest), std::end(nest), other);
      return at - std::begin(nest) < depth ? trips[other] : 1;
    }
  }
  return 1;
}

// Whether the next tile along m follows before other parts of k.
bool KeepsHalo(const int (&nest)[3], const double (&trips)[3]) {
  for (int depth = 2; depth >= 0; --depth) {
    if (nest[depth] != 1 && trips[nest[depth]] > 1) return nest[depth] == 0;
  }
  return true;
}

// Every nest around tiles of that size.
double LeastOf(const TiledProduct& p, const Tiling& tile) {
  const double trips[3] = {std::ceil(static_cast<double>(p.m) / static_cast<double>(tile.m)),
                           std::ceil(static_cast<double>(p.n) / static_cast<double>(tile.n)),
                           std::ceil(static_cast<double>(p.k) / static_cast<double>(tile.k))};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& nest : kNests) {
    if (p.rows > 0 && nest[0] != 0) continue;
    const double halo = KeepsHalo(nest, trips) ? 0 : (trips[0] - 1) * p.halo_bytes;
    const double left = NestPassesOf(nest, trips, 1) * (p.a.bytes + halo);
    const double right = NestPassesOf(nest, trips, 0) * p.b.bytes;
    const double sums = 2 * (NestPassesOf(nest, trips, 2) - 1) * p.sum_bytes;
    least = std::min(least, left + right + sums + p.c.bytes);
  }
  return least;
}

// Sides that no smaller one cuts into as few parts.
std::vector<int64_t> SidesOf(int64_t size, int64_t least) {
  std::vector<int64_t> sides;
  for (int64_t parts = 1; parts <= size; ++parts) {
    const int64_t side = std::max((size + parts - 1) / parts, std::min(least, size));
    if (sides.empty() || side != sides.back()) sides.push_back(side);
    if (side <= std::min(least, size)) break;
  }
  return sides;
}

// All tiles that fit in all nests. Requires that the least tile fits.
double Exhaustive(const TiledProduct& p, double buffer_bytes, int buffers) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<int64_t> rows = SidesOf(p.m, 1);
  if (p.rows > 0)
    rows.erase(rows.begin(), std::find_if(rows.begin(), rows.end(), [&](int64_t m) { return m <= p.rows; }));
  for (const int64_t k : SidesOf(p.k, p.k_step)) {
    for (const int64_t n : SidesOf(p.n, 1)) {
      const auto fits = [&](int64_t m) { return BufferBytesOf(p, {.m = m, .n = n, .k = k}, buffers) <= buffer_bytes; };
      // Smaller sides of m move no less; of those that are not the whole each fits if a larger one does.
      auto m = rows.begin();
      if (!fits(*m)) m = std::partition_point(m + 1, rows.end(), [&](int64_t side) { return !fits(side); });
      if (m != rows.end()) least = std::min(least, LeastOf(p, {.m = *m, .n = n, .k = k}));
    }
  }
  return least;
}

constexpr double kKib = 1024;
constexpr double kBuffers[] = {8 * kKib, 32 * kKib, 128 * kKib, 512 * kKib, 2048 * kKib};

TEST_CASE("no tiling is better than the best of all, and in the median within a tenth of it") {
  std::vector<double> ratios;
  double worst = 1;
  std::string worst_layer;
  for (const double buffer : kBuffers) {
    for (const LayerSize& layer : kLayers) {
      const TiledProduct product = TiledProductOf(layer);
      const double best = Exhaustive(product, buffer, 2);
      if (best == std::numeric_limits<double>::infinity()) continue;
      const TiledLoops found = BestTiling(product, buffer, 2);
      INFO(layer.name << " in " << buffer << " bytes");
      CHECK(BufferBytesOf(product, found.tiling, 2) <= buffer);
      CHECK(found.crossing.total() >= best * (1 - 1e-12));
      ratios.push_back(found.crossing.total() / best);
      if (ratios.back() > worst) worst = ratios.back(), worst_layer = layer.name;
    }
  }
  std::sort(ratios.begin(), ratios.end());
  INFO(worst_layer << " " << worst << " " << ratios[ratios.size() * 9 / 10]);
  CHECK(ratios.size() > 150);
  CHECK(ratios[ratios.size() / 2] <= 1.0 + 1e-12);
  CHECK(worst < 1.1);
}

TEST_CASE("what crosses is that of the tiles that are named, and never less than each operand once") {
  for (const LayerSize& layer : kLayers) {
    const TiledProduct product = TiledProductOf(layer);
    for (const double buffer : kBuffers) {
      INFO(layer.name << " in " << buffer << " bytes");
      const TiledLoops found = BestTiling(product, buffer, 2);
      CHECK(CrossingOf(product, found.tiling).total() == Approx(found.crossing.total()));
      CHECK(found.crossing.read >= Compulsory(product).read);
      CHECK(found.crossing.written >= Compulsory(product).written);
    }
  }
}

TEST_CASE("more room never moves more, nor do single buffers") {
  for (const LayerSize& layer : kLayers) {
    const TiledProduct product = TiledProductOf(layer);
    double before = std::numeric_limits<double>::infinity();
    for (double buffer = 16; buffer < 64 * kKib * kKib; buffer *= 1.07) {
      INFO(layer.name << " in " << buffer << " bytes");
      const double bytes = BestTiling(product, buffer, 2).crossing.total();
      CHECK(bytes <= before);
      CHECK(BestTiling(product, buffer, 1).crossing.total() <= bytes);
      before = bytes;
    }
    CHECK(before == Approx(Compulsory(product).total()));
  }
}

TEST_CASE("orders of loops by hand") {
  struct Row {
    int64_t m, n, k;
    double buffer;
    LoopOrder order;
    double read, written;
  };
  const Row rows[] = {
      // Everything fits.
      {64, 64, 64, 3 * 4096, LoopOrder::kWeightStationary, 2 * 4096, 4096},
      // The weights wait as a whole, rows and results stream past them: 4096 and twice a row of 64 and 64.
      {1000, 64, 64, 4096 + 256, LoopOrder::kWeightStationary, 64000 + 4096, 64000},
      // The rows wait.
      {64, 1000, 64, 4096 + 256, LoopOrder::kInputStationary, 64000 + 4096, 64000},
      // Results wait as sums of 4 bytes each.
      {32, 32, 100000, 4096 + 128, LoopOrder::kOutputStationary, 6400000, 1024},
  };
  for (const Row& row : rows) {
    INFO(row.m << " x " << row.n << " x " << row.k);
    const TiledLoops found = BestTiling(TiledProductOf({"", row.m, row.n, row.k}), row.buffer, 2);
    CHECK(found.tiling.order == row.order);
    CHECK(found.crossing.read == Approx(row.read));
    CHECK(found.crossing.written == Approx(row.written));
  }
}

TEST_CASE("steps of a recurrent layer read the weights again where they do not fit") {
  const TiledProduct product = TiledProductOf({"lstm", 1, 1024, 512, 1, 0, 0, 50});
  CHECK(BestTiling(product, 1 << 20, 2).crossing.read == Approx(product.a.bytes + product.b.bytes));
  CHECK(BestTiling(product, 1 << 18, 2).crossing.read == Approx(product.a.bytes + 50 * product.b.bytes));
}

}  // namespace
}  // namespace hwest
