// The values that figures assume for data-dependent sizes: typical, stated, or largest.
#include "pass/settle.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

const std::string kSettleHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

// The size of axis 1 of what NonZero finds in `mask`, made of x, assumed.
std::optional<int64_t> FoundIn(const std::string& mask) {
  test::PassRun run =
      test::RunPasses(kSettleHead +
                      "agraph (float[5000] x, int64[5000] ids, bool[5000] flags, float limit) => (int64[a, b] y)"
                      " <float low = {0.05}, float zero = {0}, int64 three = {3}> { " +
                      mask + "  y = NonZero(m) }");
  return Evaluate(run.facts.values[test::ValueOf(run.graph, "y")].type.shape.dim(1), run.dims);
}

TEST_CASE("what a mask usually selects follows from what it compares") {
  struct Row {
    const char* name;
    const char* mask;
    int64_t found;
  };
  const Row rows[] = {
      {"scores above a threshold", "s = Sigmoid(x)  m = Greater(s, low)", 50},
      {"the other way round", "s = Softmax<axis = 0>(x)  m = LessOrEqual(low, s)", 50},
      {"moved, and the product of two", "s = Sigmoid(x)  q = Mul(s, s)  t = Cast<to = 1>(q)  m = Greater(t, low)", 50},
      {"a threshold that all pass", "s = Sigmoid(x)  m = GreaterOrEqual(s, zero)", 5000},
      {"a threshold of run time", "s = Sigmoid(x)  m = Greater(s, limit)", 50},
      {"no scores", "m = Greater(x, low)", 5000},
      {"scores below a threshold", "s = Sigmoid(x)  m = Less(s, low)", 5000},
      {"one class of a few", "m = Equal(ids, three)", 1250},
      {"both", "s = Sigmoid(x)  g = Greater(s, low)  m = And(g, flags)", 50},
      {"either", "s = Sigmoid(x)  g = Greater(s, low)  m = Or(g, flags)", 5000},
      {"flags", "m = Identity(flags)", 5000},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(FoundIn(row.mask) == row.found);
  }
}

// Adds the counts of `masks` score masks of 1000 elements each, as text.
std::string ManyMasks(int masks) {
  std::string text = kSettleHead + "agraph (float[1000] x) => (float[a] y) <float low = {0.5}> { s = Sigmoid(x) ";
  std::string parts;
  for (int i = 0; i < masks; ++i) {
    absl::StrAppend(&text, " m", i, " = Greater(s, low)  c", i, " = Compress(s, m", i, ") ");
    absl::StrAppend(&parts, i > 0 ? ", c" : "c", i);
  }
  return absl::StrCat(text, " k = Concat<axis = 0>(", parts, ")  y = Exp(k) }");
}

TEST_CASE("a sum past 64 terms follows from its terms: typical, stated, and at most") {
  const auto size_of = [](test::PassRun& run) {
    return Evaluate(run.facts.values[test::ValueOf(run.graph, "y")].type.shape.dim(0), run.dims);
  };
  for (const int masks : {3, 63, 200}) {
    INFO(masks);
    test::PassRun typical = test::RunPasses(ManyMasks(masks));
    CHECK(size_of(typical) == 10 * masks);
    CHECK(SettleLargest(typical.dims));
    CHECK(size_of(typical) == 1000 * masks);
    test::PassRun stated = test::RunPasses(ManyMasks(masks), {.expect = {{"compress*", 7}}});
    CHECK(size_of(stated) == 7 * masks);
    CHECK(SettleLargest(stated.dims));
    CHECK(size_of(stated) == 1000 * masks);
  }
}

TEST_CASE("patterns keep to bounds, the last that fits counts, and none may fit nothing") {
  const std::string text = kSettleHead +
                           "agraph (float[6] x, float[100] z) => (int64[a, b] y, int64[c, d] w)"
                           " { y = NonZero(x)  w = NonZero(z) }";
  struct Row {
    std::vector<std::pair<std::string, int64_t>> expect;
    int64_t y, w;
  };
  const Row rows[] = {
      {{}, 6, 100},
      {{{"nonzero*", 50}}, 6, 50},
      {{{"nonzero*", 3}, {"nonzero_2", 70}}, 3, 70},
      {{{"nonzero_2", 70}, {"nonzero*", 3}}, 3, 3},
      {{{"nonzero_?", 9}}, 6, 9},
      {{{"nonzero", 2}}, 2, 100},
      {{{"*", 0}}, 0, 0},
  };
  for (const Row& row : rows) {
    test::PassRun run = test::RunPasses(text, {.expect = row.expect});
    const auto found = [&](const char* output) {
      return Evaluate(run.facts.values[test::ValueOf(run.graph, output)].type.shape.dim(1), run.dims);
    };
    CHECK(found("y") == row.y);
    CHECK(found("w") == row.w);
  }
  test::PassRun run = test::RunPasses(text);
  for (const std::string name : {"nobody", "nobody*", "?"}) {
    const absl::Status status = SettleSymbols({{name, 1}}, run.dims);
    REQUIRE_FALSE(status.ok());
    CHECK(DiagnosticOf(status).code == Code::kBindConflict);
  }
  CHECK_FALSE(SettleSymbols({{"nonzero", 7}}, run.dims).ok());
}

TEST_CASE("the value of an expression is not stated but follows") {
  test::PassRun run = test::RunPasses(ManyMasks(100));
  const absl::Status status = SettleSymbols({{"expr", 5}}, run.dims);
  REQUIRE_FALSE(status.ok());
  CHECK(absl::StrContains(status.message(), "follows from other sizes"));
  CHECK(absl::StrContains(DiagnosticOf(status).remedy, "compress"));
}

TEST_CASE("a loop that nothing bounds has no largest size") {
  test::PassRun run =
      test::RunPasses(kSettleHead +
                      "agraph (float[4] x, int64 m, bool t) => (float[4] y) { y = Loop (m, t, x) <body = b"
                      " (int64 i, bool c, float[4] h) => (bool d, float[4] k)"
                      " { d = Identity(c)  k = Relu(h) }> }");
  CHECK(Evaluate(run.runs[GraphId(1u)], run.dims) == 1);
  CHECK(HasDataDependent(run.dims));
  CHECK_FALSE(SettleLargest(run.dims));
  CHECK(Evaluate(run.runs[GraphId(1u)], run.dims) == 1);
}

TEST_CASE("* stands for any text and ? for one character") {
  CHECK(FitsPattern("nonzero_12", "nonzero*"));
  CHECK(FitsPattern("nonzero", "nonzero*"));
  CHECK(FitsPattern("nonzero_12", "*_1?"));
  CHECK(FitsPattern("aab", "*ab"));
  CHECK(FitsPattern("", "*"));
  CHECK_FALSE(FitsPattern("nonzero", "nonzero?"));
  CHECK_FALSE(FitsPattern("compress", "nonzero*"));
  CHECK_FALSE(FitsPattern("nms_2", "nms"));
}

}  // namespace
}  // namespace hwest
