#include "hwest/dim.h"

#include <string>
#include <utility>

#include "support/catch.h"

namespace hwest {
namespace {

struct Fixture {
  DimPool pool;
  Dim n = pool.Symbol("n");
  Dim m = pool.Symbol("m");
  Dim k = pool.Symbol("k");

  Dim P(absl::string_view text) { return pool.Parse(text); }
};

TEST_CASE("a dim is one word: constants up to the ends of int64, terms and unknown apart") {
  static_assert(sizeof(Dim) == sizeof(int64_t));
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{1} << 62, INT64_MAX, INT64_MIN, -INT64_MAX}) {
    CHECK(Dim(value).is_constant());
    CHECK(Dim(value).value() == value);
  }
  CHECK(Dim().is_unknown());
  CHECK_FALSE(Dim().is_symbolic());
  for (const uint32_t term : {0u, 1u, UINT32_MAX - 1}) {
    CHECK(Dim::FromTerm(term).is_symbolic());
    CHECK(Dim::FromTerm(term).term() == term);
  }
}

TEST_CASE("equal expressions are one dim and print as Python") {
  Fixture f;
  struct Case {
    const char* text;
    const char* want;
  };
  const Case c = GENERATE(values<Case>({
      {"(n + 1)*4", "4*n + 4"},
      {"n*m - m*n + 0*k + 3", "3"},
      {"(n + m)**2", "n**2 + 2*n*m + m**2"},
      {"3 - n", "-n + 3"},
      {"k + m*n + n**2", "n**2 + n*m + k"},
      // floor-div by a constant
      {"(4*n + 4)//4", "n + 1"},
      {"(4*n + 6)//4", "n + 1"},
      {"(4*n - 1)//4", "n - 1"},
      {"(2*n + 4*m)//6", "(n + 2*m)//3"},
      {"(2*n + 1)//4", "n//2"},
      {"(7*n)//4", "n + (3*n)//4"},
      {"(n//2)//3", "n//6"},
      {"((n - 1)//2 + 1 - 1)//2 + 1", "ceildiv(n, 4)"},
      {"(n//2 + m)//2", "(n + 2*m)//4"},
      {"(512 - n)//4", "-ceildiv(n, 4) + 128"},
      {"n//(-2)", "-ceildiv(n, 2)"},
      {"4*(n//4)", "4*(n//4)"},
      {"(n//4)**2", "(n//4)**2"},
      {"ceildiv(n, 8)", "ceildiv(n, 8)"},
      {"(n - 1)//8 + 1", "ceildiv(n, 8)"},
      {"-((-n)//8)", "ceildiv(n, 8)"},
      // floor-div by an expression
      {"(n*m)//n", "m"},
      {"(n*m + 2*n)//n", "m + 2"},
      {"(n*m + k)//n", "m + k//n"},
      {"(n*k)//(m*k)", "n//m"},
      {"(n*m + n + m + 1)//(n + 1)", "m + 1"},
      {"n//(n + 1)", "0"},
      {"(n//m)//k", "n//(m*k)"},
      {"ceildiv(n, m)", "(n - 1)//m + 1"},
      // mod
      {"(4*n) % 4", "0"},
      {"(5*n + 7) % 4", "(n + 3) % 4"},
      {"(2*n + 1) % 4", "2*(n % 2) + 1"},
      {"(n % 8) % 4", "n % 4"},
      {"(n % 4) % 8", "n % 4"},
      {"(n % 4)//4", "0"},
      {"(n*m) % n", "0"},
      {"(n*m + k) % n", "k % n"},
      {"n % (-3)", "-((-n) % 3)"},
      {"n + (8 - n % 8) % 8", "n + (-n) % 8"},
      {"(n + (8 - n % 8) % 8)//8", "ceildiv(n, 8)"},
      // min, max
      {"min(n, n + 1)", "n"},
      {"max(n, n + 1, 7, n)", "max(n + 1, 7)"},
      {"max(0, n)", "n"},
      {"max(1, n)", "max(n, 1)"},
      {"max(1, n + 1)", "n + 1"},
      {"min(-1, n)", "-1"},
      {"min(m, min(k, n))", "min(n, m, k)"},
      {"max(min(n, 5), 5)", "5"},
      {"min(n, 5)*2", "2*min(n, 5)"},
  }));
  CAPTURE(c.text);
  const Dim dim = f.P(c.text);
  CHECK(f.pool.ToString(dim) == c.want);
  if (dim.is_symbolic()) CHECK(f.P(c.want) == dim);
}

TEST_CASE("broadcast") {
  Fixture f;
  const Dim n = f.n, m = f.m;
  CHECK(f.pool.Broadcast(1, n) == n);
  CHECK(f.pool.Broadcast(n, 1) == n);
  CHECK(f.pool.Broadcast(n, n) == n);
  CHECK(f.pool.Broadcast(n, 8) == Dim(8));
  CHECK(f.pool.Broadcast(0, n) == Dim(0));
  CHECK(f.pool.Broadcast(1, 1) == Dim(1));
  CHECK(f.pool.Broadcast(2, 3).is_unknown());
  CHECK(f.pool.ToString(f.pool.Broadcast(m, n)) == "broadcast(n, m)");
  CHECK(f.pool.Broadcast(f.pool.Broadcast(n, m), n) == f.pool.Broadcast(m, n));
  CHECK(f.pool.Broadcast(f.pool.Broadcast(n, m), 5) == Dim(5));
  CHECK(f.pool.Broadcast(f.pool.Add(n, 2), m) == f.pool.Add(n, 2));
}

TEST_CASE("constants need no pool, and leaving int64 is unknown and counted") {
  DimPool pool;
  CHECK(pool.Mul(6, 7) == Dim(42));
  CHECK(pool.FloorDiv(-7, 2) == Dim(-4));
  CHECK(pool.CeilDiv(7, 2) == Dim(4));
  CHECK(pool.Mod(-7, 4) == Dim(1));
  CHECK(pool.Mod(7, -4) == Dim(-1));
  CHECK(pool.Min(3, 4) == Dim(3));
  CHECK(pool.FloorDiv(3, 0).is_unknown());
  CHECK(pool.Mod(3, 0).is_unknown());
  CHECK(pool.num_symbols() == 0);
  CHECK(pool.overflows() == 0);
  CHECK(pool.Mul(INT64_MAX, 2).is_unknown());
  CHECK(pool.Product({INT64_MAX, 2, 0}) == Dim(0));
  const Dim n = pool.Symbol("n");
  CHECK(pool.Mul(pool.Mul(n, INT64_MAX), 2).is_unknown());
  CHECK(pool.overflows() == 2);
  CHECK(pool.Add(Dim::Unknown(), 1).is_unknown());
  CHECK(pool.Product({n, Dim::Unknown()}).is_unknown());
}

TEST_CASE("exact division serves Reshape's -1") {
  Fixture f;
  CHECK(f.pool.ExactDiv(f.P("12*n*m"), f.P("3*n")) == f.P("4*m"));
  CHECK(f.pool.ExactDiv(f.P("n*(m + 1)*64"), f.P("m + 1")) == f.P("64*n"));
  CHECK(f.pool.ExactDiv(f.P("(n + 1)*(m - k)*2"), f.P("(m - k)*(n + 1)")) == Dim(2));
  CHECK(f.pool.ExactDiv(0, 0).is_unknown());
  CHECK(f.pool.ToString(f.pool.ExactDiv(f.P("n*m"), f.k)) == "(n*m)//k");
}

TEST_CASE("bounds and comparison") {
  Fixture f;
  f.pool.mutable_symbol(f.pool.AsSymbol(f.m)).min = 2;
  f.pool.mutable_symbol(f.pool.AsSymbol(f.m)).max = 64;
  struct Case {
    const char* text;
    std::optional<int64_t> min, max;
  };
  for (const Case& c : {Case{"n", 0, {}},
                        {"m", 2, 64},
                        {"3*m + 1", 7, 193},
                        {"-m", -64, -2},
                        {"m//3", 0, 21},
                        {"n % 8", 0, 7},
                        {"min(n, 100)", 0, 100},
                        {"max(n, 1)", 1, {}},
                        {"m**2", 4, 4096},
                        {"m*n", 0, {}},
                        {"n - m", -64, {}},
                        {"m % n", 0, 64},
                        {"ceildiv(m, 2)", 1, 32},
                        {"n // 9223372036854775807", 0, {}}}) {
    INFO(c.text);
    const Bounds bounds = f.pool.BoundsOf(f.P(c.text));
    CHECK(bounds.min == c.min);
    CHECK(bounds.max == c.max);
  }
  CHECK(f.pool.Equal(f.n, f.n) == Tri::kTrue);
  CHECK(f.pool.Equal(f.n, f.m) == Tri::kUndecided);
  CHECK(f.pool.Equal(f.n, f.P("n + 1")) == Tri::kFalse);
  CHECK(f.pool.Equal(f.m, 1) == Tri::kFalse);
  CHECK(f.pool.Equal(f.P("2*n"), 5) == Tri::kFalse);
  CHECK(f.pool.Equal(Dim::Unknown(), Dim::Unknown()) == Tri::kUndecided);
  CHECK(f.pool.LessEqual(f.m, 64) == Tri::kTrue);
  CHECK(f.pool.LessEqual(65, f.m) == Tri::kFalse);
  CHECK(f.pool.LessEqual(f.n, f.m) == Tri::kUndecided);
  CHECK(f.pool.LessEqual(f.P("min(n, k)"), f.k) == Tri::kTrue);
  CHECK(f.pool.LessEqual(f.n, f.P("max(n + 1, k)")) == Tri::kTrue);
}

TEST_CASE("a data-dependent symbol is bounded by an expression") {
  Fixture f;
  const Dim hits = f.pool.Fresh("hits", {.max_expr = f.P("4*n"), .cause = "nms", .data_dependent = true});
  CHECK(f.pool.LessEqual(hits, f.P("4*n")) == Tri::kTrue);
  CHECK(f.pool.Min(hits, f.P("4*n + 1")) == hits);
  CHECK_FALSE(f.pool.BoundsOf(hits).max.has_value());
  f.pool.mutable_symbol(f.pool.AsSymbol(f.n)).max = 10;
  CHECK(f.pool.BoundsOf(hits).max == 40);
}

TEST_CASE("symbol names are Python identifiers, distinct, with their text kept") {
  DimPool pool;
  struct Case {
    const char* text;
    const char* name;
  };
  for (const Case& c : {Case{"batch", "batch"},
                        {"in.0-x", "in_0_x"},
                        {"in_0_x", "in_0_x_2"},
                        {"80", "dim_80"},
                        {"lambda", "lambda_"},
                        {"max", "max_"},
                        {"?", "dim"},
                        {"\xc3\xa9", "dim_2"}}) {
    INFO(c.text);
    const Dim dim = pool.Symbol(c.text);
    CHECK(pool.Symbol(c.text) == dim);
    CHECK(pool.symbol(pool.AsSymbol(dim)).name == c.name);
    CHECK(pool.symbol(pool.AsSymbol(dim)).text == c.text);
  }
  const Dim fresh = pool.Fresh("batch", {});
  CHECK(pool.ToString(fresh) == "batch_2");
  CHECK(fresh != pool.Symbol("batch"));
}

TEST_CASE("substitution applies every simplification again") {
  Fixture f;
  const SymbolId n = f.pool.AsSymbol(f.n), m = f.pool.AsSymbol(f.m);
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : {Case{"n*m + k", "15*k + 7"},
                        {"n//7", "1"},
                        {"n % 2", "1"},
                        {"broadcast(n, m)", "7"},
                        {"max(n, 3) + k", "k + 7"},
                        {"k*k", "k**2"},
                        {"(n + k)//(k + 7)", "1"}}) {
    INFO(c.text);
    CHECK(f.pool.ToString(f.pool.Substitute(f.P(c.text), {{n, Dim(7)}, {m, f.P("2*k + 1")}})) == c.want);
  }
  // All at once: what a replacement mentions is not replaced again.
  CHECK(f.pool.Substitute(f.P("n - m"), {{n, f.m}, {m, f.n}}) == f.P("m - n"));
  CHECK(f.pool.Substitute(f.P("k//n"), {{n, Dim(0)}}).is_unknown());
}

TEST_CASE("past 64 terms or degree 8 an expression is an opaque symbol that still substitutes") {
  Fixture f;
  const Dim high = f.P("n**8");
  const Dim opaque = f.pool.Mul(high, f.m);
  REQUIRE(f.pool.AsSymbol(opaque).valid());
  CHECK_FALSE(f.pool.symbol(f.pool.AsSymbol(opaque)).cause.empty());
  CHECK(f.pool.Mul(high, f.m) == opaque);
  CHECK(f.pool.Substitute(opaque, {{f.pool.AsSymbol(f.n), Dim(2)}}) == f.P("256*m"));
  CHECK(f.pool.SymbolsOf(opaque).size() == 3);

  Dim sum = 0;
  Binding ones;
  for (int i = 0; i < 200; ++i) {
    const Dim symbol = f.pool.Fresh("x", {});
    ones.emplace(f.pool.AsSymbol(symbol), Dim(1));
    sum = f.pool.Add(sum, symbol);
  }
  CHECK(f.pool.ToString(sum).size() < 1000);
  CHECK(f.pool.Substitute(sum, ones) == Dim(200));
}

TEST_CASE("growing expressions stay small") {
  Fixture f;
  Dim dim = f.n;
  for (int i = 0; i < 100; ++i) dim = f.pool.Add(f.pool.Min(dim, f.P("m*k")), f.pool.Mod(dim, f.k));
  CHECK(f.pool.ToString(dim).size() < 20000);
  CHECK(f.pool.Substitute(
            dim, {{f.pool.AsSymbol(f.n), Dim(1)}, {f.pool.AsSymbol(f.m), Dim(1)}, {f.pool.AsSymbol(f.k), Dim(1)}}) ==
        Dim(1));
}

TEST_CASE("an expression that grows by thousands of steps is substituted without recursing into all of them") {
  Fixture f;
  Dim dim = f.n;
  for (int i = 0; i < 20'000; ++i) dim = f.pool.Mod(f.pool.Add(f.pool.Mul(dim, 3), 1), 1000 + i % 7);
  CHECK(f.pool.ToString(dim).size() < 20000);
  const Dim bound = f.pool.Substitute(dim, {{f.pool.AsSymbol(f.n), Dim(1)}});
  CHECK((bound.is_symbolic() || bound.is_constant()));
}

TEST_CASE("a child pool shares its parent's terms and keeps its own bounds") {
  DimPool parent;
  const Dim n = parent.Symbol("n");
  const Dim sum = parent.Add(n, 1);
  const SymbolId id = parent.AsSymbol(n);
  DimPool child(&parent);
  CHECK(child.Symbol("n") == n);
  CHECK(child.Add(n, 1) == sum);
  CHECK(child.ToString(sum) == "n + 1");
  const Dim own = child.Symbol("own");
  CHECK(child.symbol(child.AsSymbol(own)).name == "own");
  CHECK(child.num_symbols() == 2);
  CHECK(parent.num_symbols() == 1);
  child.SetAssumed(id, 8);
  child.mutable_symbol(id).max = 16;
  CHECK(child.Assumed(id) == 8);
  CHECK(child.BoundsOf(sum).max == 17);
  CHECK_FALSE(parent.Assumed(id).has_value());
  CHECK_FALSE(parent.BoundsOf(sum).max.has_value());
  const DimPool moved = std::move(parent);
  CHECK(child.ToString(child.Mul(sum, own)) == "n*own + own");
}

}  // namespace
}  // namespace hwest
