// Addresses: never two alive buffers at one address, and as little memory as brute force finds on small cases.
#include "plan/arena.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>

#include "absl/algorithm/container.h"
#include "support/catch.h"
#include "support/effort.h"

namespace hwest {
namespace {

// A buffer for each piece.
std::vector<ArenaPiece> RandomPieces(std::mt19937& random, size_t count, int64_t most_bytes) {
  std::vector<ArenaPiece> pieces;
  for (uint32_t b = 0; b < count; ++b) {
    const size_t first = random() % 8, length = random() % 5;
    pieces.push_back({.bytes = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most_bytes)),
                      .first = first,
                      .last = first + length,
                      .buffer = b});
  }
  return pieces;
}

bool AtOnce(const ArenaPiece& a, const ArenaPiece& b) { return a.first <= b.last && b.first <= a.last; }

void CheckArena(const std::vector<ArenaPiece>& pieces, const Arena& arena, int64_t alignment) {
  int64_t highest = 0;
  for (const ArenaPiece& a : pieces) {
    const int64_t begin = arena.offsets[a.buffer] + a.at;
    CHECK(arena.offsets[a.buffer] % alignment == 0);
    highest = std::max(highest, begin + a.bytes);
    for (const ArenaPiece& b : pieces) {
      if (a.buffer == b.buffer || !AtOnce(a, b)) continue;
      const int64_t other = arena.offsets[b.buffer] + b.at;
      CHECK((begin + a.bytes <= other || other + b.bytes <= begin));
    }
  }
  CHECK(arena.bytes == highest);
  CHECK(arena.bytes >= arena.least_bytes);
}

// The smallest arena: the lowest fit in some order reaches it.
int64_t LeastOfAllOrders(const std::vector<ArenaPiece>& pieces) {
  std::vector<size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), size_t{0});
  int64_t least = INT64_MAX;
  do {
    std::vector<int64_t> offsets(pieces.size(), -1);
    int64_t bytes = 0;
    for (const size_t p : order) {
      int64_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t q = 0; q < pieces.size(); ++q) {
          if (offsets[q] < 0 || !AtOnce(pieces[p], pieces[q])) continue;
          if (offset >= offsets[q] + pieces[q].bytes || offsets[q] >= offset + pieces[p].bytes) continue;
          offset = offsets[q] + pieces[q].bytes;
          moved = true;
        }
      }
      offsets[p] = offset;
      bytes = std::max(bytes, offset + pieces[p].bytes);
    }
    least = std::min(least, bytes);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST_CASE("small arenas against every order") {
  std::mt19937 random(7);
  const int cases = static_cast<int>(test::Cases(120));
  int exact = 0;
  double sum = 0;
  for (int i = 0; i < cases; ++i) {
    const std::vector<ArenaPiece> pieces = RandomPieces(random, 6, 20);
    const Arena arena = PackArena(pieces, pieces.size(), 1);
    CheckArena(pieces, arena, 1);
    const int64_t least = LeastOfAllOrders(pieces);
    CHECK(arena.bytes >= least);
    exact += arena.bytes == least ? 1 : 0;
    sum += static_cast<double>(arena.bytes) / static_cast<double>(least);
  }
  CHECK(exact >= cases * 95 / 100);
  CHECK(sum / cases < 1.005);
}

TEST_CASE("large arenas are valid, aligned and the same each time") {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    std::vector<ArenaPiece> pieces = RandomPieces(random, 200, 5000);
    for (ArenaPiece& piece : pieces) {
      piece.first += random() % 100;
      piece.last = piece.first + random() % 12;
    }
    const Arena arena = PackArena(pieces, pieces.size(), 64);
    CheckArena(pieces, arena, 64);
    CHECK(static_cast<double>(arena.bytes) < 1.25 * static_cast<double>(arena.least_bytes));
    CHECK(PackArena(pieces, pieces.size(), 64).offsets == arena.offsets);
  }
}

TEST_CASE("pieces of one buffer keep their distance") {
  // The second part of buffer 0 is free until step 2, and buffer 1 fits there before.
  const std::vector<ArenaPiece> pieces = {{.bytes = 64, .first = 0, .last = 3, .buffer = 0},
                                          {.bytes = 64, .first = 2, .last = 3, .buffer = 0, .at = 64},
                                          {.bytes = 64, .first = 0, .last = 1, .buffer = 1}};
  const Arena arena = PackArena(pieces, 2, 64);
  CheckArena(pieces, arena, 64);
  CHECK(arena.bytes == 128);
  CHECK(arena.least_bytes == 128);
}

TEST_CASE("what is alive with too much else is placed by time") {
  std::vector<ArenaPiece> pieces;
  for (uint32_t b = 0; b < 1600; ++b) pieces.push_back({.bytes = 64, .first = 0, .last = b, .buffer = b});
  const Arena arena = PackArena(pieces, pieces.size(), 64);
  CHECK(arena.bytes == 1600 * 64);
  CHECK(arena.least_bytes == arena.bytes);
}

TEST_CASE("by time, buffers go where others were") {
  constexpr size_t kAlways = 1500;
  std::mt19937 random(13);
  std::vector<ArenaPiece> pieces;
  for (uint32_t b = 0; b < kAlways; ++b) pieces.push_back({.bytes = 64, .first = 0, .last = 10'000, .buffer = b});
  std::vector<ArenaPiece> passing = RandomPieces(random, 150, 5000);
  for (ArenaPiece& piece : passing) {
    piece.first += 1 + random() % 100;
    piece.last = piece.first + random() % 12;
    piece.buffer += kAlways;
  }
  absl::c_copy(passing, std::back_inserter(pieces));
  const Arena arena = PackArena(pieces, pieces.size(), 64);
  CHECK(arena.bytes < 2 * arena.least_bytes);
  // As an arena of their own, above those that always stay.
  for (ArenaPiece& piece : passing) piece.buffer -= kAlways;
  Arena above{.least_bytes = arena.least_bytes - int64_t{kAlways} * 64};
  for (uint32_t b = kAlways; b < pieces.size(); ++b) {
    CHECK(arena.offsets[b] >= int64_t{kAlways} * 64);
    above.offsets.push_back(arena.offsets[b] - int64_t{kAlways} * 64);
  }
  above.bytes = arena.bytes - int64_t{kAlways} * 64;
  CheckArena(passing, above, 64);
}

TEST_CASE("an arena of nothing is empty") {
  const Arena arena = PackArena({}, 0, 64);
  CHECK(arena.bytes == 0);
  CHECK(arena.offsets.empty());
}

}  // namespace
}  // namespace hwest
