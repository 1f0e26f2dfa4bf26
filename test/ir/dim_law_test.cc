// Laws that hold for every expression, tried on random ones (fixed seed).
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/checked_math.h"
#include "hwest/dim.h"
#include "support/catch.h"

namespace hwest {
namespace {

constexpr size_t kSymbols = 3;

enum class Op { kSymbol, kConstant, kAdd, kSub, kMul, kFloorDiv, kCeilDiv, kMod, kMin, kMax, kBroadcast };

struct Node {
  Op op = Op::kConstant;
  int64_t value = 0;  // constant, or index of the symbol
  std::vector<Node> args;
};

using Random = std::mt19937;

int64_t Pick(Random& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

Node RandomTree(Random& random, int depth) {
  if (depth == 0 || Pick(random, 0, 4) == 0) {
    if (Pick(random, 0, 1) == 0) return {Op::kSymbol, Pick(random, 0, kSymbols - 1), {}};
    return {Op::kConstant, Pick(random, -3, 9), {}};
  }
  const auto op = static_cast<Op>(Pick(random, static_cast<int>(Op::kAdd), static_cast<int>(Op::kMax)));
  return {op, 0, {RandomTree(random, depth - 1), RandomTree(random, depth - 1)}};
}

Dim Combine(DimPool& pool, Op op, Dim a, Dim b) {
  switch (op) {
    case Op::kAdd: return pool.Add(a, b);
    case Op::kSub: return pool.Sub(a, b);
    case Op::kMul: return pool.Mul(a, b);
    case Op::kFloorDiv: return pool.FloorDiv(a, b);
    case Op::kCeilDiv: return pool.CeilDiv(a, b);
    case Op::kMod: return pool.Mod(a, b);
    case Op::kMin: return pool.Min(a, b);
    case Op::kMax: return pool.Max(a, b);
    case Op::kBroadcast: return pool.Broadcast(a, b);
    case Op::kSymbol:
    case Op::kConstant: break;
  }
  return Dim::Unknown();
}

Dim Build(DimPool& pool, const std::vector<Dim>& symbols, const Node& node) {
  if (node.op == Op::kSymbol) return symbols[static_cast<size_t>(node.value)];
  if (node.op == Op::kConstant) return node.value;
  return Combine(pool, node.op, Build(pool, symbols, node.args[0]), Build(pool, symbols, node.args[1]));
}

// Python's value of the tree; none where it divides by zero or leaves int64.
std::optional<int64_t> Evaluate(const Node& node, const std::array<int64_t, kSymbols>& values) {
  if (node.op == Op::kSymbol) return values[static_cast<size_t>(node.value)];
  if (node.op == Op::kConstant) return node.value;
  const auto a = Evaluate(node.args[0], values), b = Evaluate(node.args[1], values);
  if (!a || !b) return std::nullopt;
  switch (node.op) {
    case Op::kAdd: return CheckedAdd(*a, *b);
    case Op::kSub: return CheckedSub(*a, *b);
    case Op::kMul: return CheckedMul(*a, *b);
    case Op::kFloorDiv: return CheckedFloorDiv(*a, *b);
    case Op::kCeilDiv: {
      const auto floor = CheckedFloorDiv(-*a, *b);
      return floor ? std::optional<int64_t>(-*floor) : std::nullopt;
    }
    case Op::kMod: return CheckedMod(*a, *b);
    case Op::kMin: return std::min(*a, *b);
    case Op::kMax: return std::max(*a, *b);
    default: return std::nullopt;
  }
}

std::vector<Dim> MakeSymbols(DimPool& pool) { return {pool.Symbol("a"), pool.Symbol("b"), pool.Symbol("c")}; }

Binding Bind(const DimPool& pool, const std::vector<Dim>& symbols, const std::array<int64_t, kSymbols>& values) {
  Binding binding;
  for (size_t i = 0; i < kSymbols; ++i) binding.emplace(pool.AsSymbol(symbols[i]), Dim(values[i]));
  return binding;
}

TEST_CASE("binding what was built equals Python's value") {
  Random random(20240607);
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    DimPool pool;
    const std::vector<Dim> symbols = MakeSymbols(pool);
    const Node tree = RandomTree(random, 4);
    const Dim built = Build(pool, symbols, tree);
    const Bounds bounds = pool.BoundsOf(built);
    for (int i = 0; i < 6; ++i) {
      const std::array<int64_t, kSymbols> values = {Pick(random, 0, 12), Pick(random, 0, 12), Pick(random, 0, 12)};
      const auto want = Evaluate(tree, values);
      if (!want || built.is_unknown()) continue;
      const Dim got = pool.Substitute(built, Bind(pool, symbols, values));
      CAPTURE(round, pool.ToString(built), values[0], values[1], values[2]);
      REQUIRE((got.is_unknown() || got == Dim(*want)));
      REQUIRE(bounds.min.value_or(*want) <= *want);
      REQUIRE(bounds.max.value_or(*want) >= *want);
      compared += got.is_constant() ? 1 : 0;
    }
  }
  CHECK(compared > 8000);
}

TEST_CASE("the printed text parses to the same dim") {
  Random random(7);
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    DimPool pool;
    const Dim built = Build(pool, MakeSymbols(pool), RandomTree(random, 3));
    if (!built.is_symbolic()) continue;
    CAPTURE(pool.ToString(built));
    REQUIRE(pool.ToString(pool.Parse(pool.ToString(built))) == pool.ToString(built));
    ++compared;
  }
  CHECK(compared > 700);
}

TEST_CASE("comparison never contradicts a binding") {
  Random random(99);
  int decided = 0;
  for (int round = 0; round < 1500; ++round) {
    DimPool pool;
    const std::vector<Dim> symbols = MakeSymbols(pool);
    const Node left = RandomTree(random, 3), right = RandomTree(random, 3);
    const Dim a = Build(pool, symbols, left), b = Build(pool, symbols, right);
    const Tri equal = pool.Equal(a, b), less = pool.LessEqual(a, b);
    for (int i = 0; i < 6; ++i) {
      const std::array<int64_t, kSymbols> values = {Pick(random, 0, 9), Pick(random, 0, 9), Pick(random, 0, 9)};
      const auto x = Evaluate(left, values), y = Evaluate(right, values);
      if (!x || !y) continue;
      CAPTURE(pool.ToString(a), pool.ToString(b), values[0], values[1], values[2]);
      if (equal != Tri::kUndecided) REQUIRE((equal == Tri::kTrue) == (*x == *y));
      if (less != Tri::kUndecided) REQUIRE((less == Tri::kTrue) == (*x <= *y));
      decided += (equal != Tri::kUndecided) + (less != Tri::kUndecided);
    }
  }
  CHECK(decided > 2000);
}

// A sum of random monomials, added in the order of a random permutation.
TEST_CASE("algebraically equal polynomials are the same dim") {
  Random random(5);
  DimPool pool;
  const std::vector<Dim> symbols = MakeSymbols(pool);
  const auto polynomial = [&](Random& source) {
    Dim sum = 0;
    for (int i = 0; i < 4; ++i) {
      Dim term = Pick(source, -5, 5);
      for (const Dim symbol : symbols) {
        for (int64_t power = Pick(source, 0, 2); power > 0; --power) term = pool.Mul(term, symbol);
      }
      sum = pool.Add(sum, term);
    }
    return sum;
  };
  for (int round = 0; round < 300; ++round) {
    const Dim p = polynomial(random), q = polynomial(random);
    const Dim square = pool.Add(pool.Add(pool.Mul(p, p), pool.Mul(pool.Mul(2, p), q)), pool.Mul(q, q));
    const Dim sum = pool.Add(q, p);
    if (pool.SymbolsOf(square).size() > kSymbols) continue;
    REQUIRE(pool.Mul(sum, sum) == square);
    if (q.is_symbolic()) REQUIRE(pool.ExactDiv(pool.Mul(p, q), q) == p);
    REQUIRE(pool.Sub(sum, p) == q);
  }
}

TEST_CASE("a child pool gives its parent's results") {
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    const Node tree = RandomTree(random, 4);
    DimPool one;
    DimPool parent;
    const std::vector<Dim> symbols = MakeSymbols(parent);
    CHECK(MakeSymbols(one) == symbols);
    const Dim alone = Build(one, symbols, tree);
    DimPool child(&parent);
    const Dim in_child = Build(child, symbols, tree);
    REQUIRE(child.ToString(in_child) == one.ToString(alone));
    const Dim in_parent = Build(parent, symbols, tree);
    DimPool later(&parent);
    REQUIRE(Build(later, symbols, tree) == in_parent);
  }
}

}  // namespace
}  // namespace hwest
