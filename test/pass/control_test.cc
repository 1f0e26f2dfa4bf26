// Bodies of control flow: what all runs share, how many runs there are, and their results.
#include <string>

#include "absl/strings/str_cat.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::PassRun;
using test::RunPasses;

const std::string kHead = "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> ";

struct ControlRow {
  const char* name;
  std::string text;  // behind kHead
  std::vector<std::pair<const char*, std::string>> types;
  std::string trips;  // of the last body
  BindRequest request = {};
};

void CheckControl(const std::vector<ControlRow>& rows) {
  for (const ControlRow& row : rows) {
    INFO(row.name);
    PassRun run = RunPasses(kHead + row.text, row.request);
    for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
    for (const auto& [value, type] : row.types) {
      INFO(value);
      CHECK(run.type(value) == type);
    }
    const GraphId last(run.graph.bodies().size() - 1);
    CHECK(run.dims.ToString(run.runs[last]) == row.trips);
  }
}

TEST_CASE("a Loop that runs M times: what stays, what grows, what stacks") {
  CheckControl({
      {"carried values of one shape stay",
       "agraph (int64 m, float[n, 4] x) => (float[a, b] y) { y = Loop (m, , x) <body = b (int64 i, bool c, float[p, q] "
       "h)"
       " => (bool d, float[r, s] k) { d = Identity(c)  k = Relu(h) }> }",
       {{"h", "float[n, 4]"}, {"y", "float[n, 4]"}},
       "trips"},
      {"a concatenation grows by the same in every run",
       "agraph (float[2, n] x) => (float[a, b] y) <int64 m = {5}, bool t = {1}> { y = Loop (m, t, x)"
       " <body = b (int64 i, bool c, float[p, q] h) => (bool d, float[r, s] k) { d = Identity(c)"
       "  k = Concat<axis = 0>(h, x) }> }",
       {{"h", "float[2*iter + 2, n]"}, {"k", "float[2*iter + 4, n]"}, {"y", "float[12, n]"}},
       "5"},
      {"outputs of every run are stacked; sizes that each run has alike stay",
       "agraph (float[3, n] x, float[k, 8] w) => (float[a] y, float[b] z) <int64 m = {7}> { y, z = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p, q] h) => (bool d, float[r, s] k, float[t, u] z0) { d = Identity(c)"
       "  k = Relu(h)  z0 = Relu(w) }> }",
       {{"y", "float[3, n]"}, {"z", "float[7, k, 8]"}},
       "7"},
      {"M of a size",
       "agraph (float[n, 4] x) => (float[a, b] y) { s = Shape<start = 0, end = 1>(x)  m = Squeeze(s)"
       " z = Loop (m) <body = b (int64 i, bool c) => (bool d, float[r, s2] k) { d = Identity(c)  k = Gather(x, i) }>"
       " y = Relu(z) }",
       {{"k", "float[4]"}, {"y", "float[n, 4]"}},
       "n"},
      {"no run at all gives what came in",
       "agraph (float[2] x) => (float[a] y, float[b] z) <int64 m = {0}> { y, z = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p] h) => (bool d, float[r] k, float[u] z0) { d = Identity(c)"
       "  k = Concat<axis = 0>(h, h)  z0 = Relu(h) }> }",
       {{"y", "float[2]"}, {"z", "float[0, 2]"}},
       "0"},
      {"one run gives what the body gives",
       "agraph (float[2] x) => (float[a] y) <int64 m = {1}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p] h) => (bool d, float[r] k) { d = Identity(c)  k = Concat<axis = 0>(h, h) "
       "}> }",
       {{"y", "float[4]"}},
       "1"},
  });
}

TEST_CASE("sizes and ranks that follow no rule are left open") {
  CheckControl({
      {"doubling in every run",
       "agraph (float[2, n] x) => (float[a, b] y) <int64 m = {50}> { y = Loop (m, , x) <body = b (int64 i, bool c, "
       "float[p, q] h)"
       " => (bool d, float[r, s] k) { d = Identity(c)  k = Concat<axis = 0>(h, h) }> }",
       {{"h", "float[carry, n]"}, {"k", "float[2*carry, n]"}, {"y", "float[final, n]"}},
       "50"},
      {"growing by what each run finds",
       "agraph (float[2, n] x) => (float[a, b] y) <int64 m = {50}> { y = Loop (m, , x) <body = b (int64 i, bool c, "
       "float[p, q] h)"
       " => (bool d, float[r, s] k) { d = Identity(c)  z = NonZero(h)  f = Cast<to = 1>(z)"
       "  k = Concat<axis = 1>(h, f) }> }",
       {{"h", "float[2, carry]"}, {"y", "float[2, final]"}},
       "50"},
      {"another rank in every run",
       "agraph (float[2, n] x) => (y) <int64 m = {50}, int64[1] zero = {0}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, h) => (d, k) { d = Identity(c)  k = Unsqueeze(h, zero) }> }",
       {{"h", "float?"}, {"y", "float?"}},
       "50"},
  });
}

TEST_CASE("numbers carried from run to run") {
  PassRun run =
      RunPasses(kHead +
                "agraph (float[20, 3] x) => (float[a, b] y, int64 last) <int64 m = {6}, int64 zero = {0},"
                " int64 two = {2}, int64[1] first = {0}, int64[1] axes = {0}, int64[1] at = {0}> {"
                " last, y = Loop (m, , zero) <body = b (int64 i, bool c, int64 n) => (bool d, int64 n2, float[r] k)"
                " { d = Identity(c)  n2 = Add(n, two)  e = Unsqueeze(n2, at)  part = Slice(x, first, e, axes)"
                "   k = ReduceSum<keepdims = 0>(part, axes) }> }");
  CHECK(run.numbers("n") == "{2*iter}");
  CHECK(run.type("part") == "float[2*iter + 2, 3]");
  CHECK(run.numbers("last") == "{12}");
  CHECK(run.type("y") == "float[6, 3]");
  // A range written as a loop: every run's number is known.
  PassRun range =
      RunPasses(kHead +
                "agraph () => (int64[a] y) <int64 m = {4}, int64 start = {10}, int64 step = {3}> {"
                " last, y = Loop (m, , start) <body = b (int64 i, bool c, int64 n) => (bool d, int64 n2, int64 o)"
                " { d = Identity(c)  n2 = Add(n, step)  o = Identity(n) }> }");
  CHECK(range.numbers("y") == "{10 13 16 19}");
}

TEST_CASE("how often a Loop runs") {
  struct Row {
    const char* name;
    const char* limits;
    const char* next;  // d, the condition of the next run
    std::string trips;
  };
  const Row rows[] = {
      {"a condition decided by data", "m, open", "d = Identity(c)", "trips"},
      {"a count within a limit", "no_limit, t", "d = Less(n2, ten)", "10"},
      {"within both", "m, t", "d = Less(n2, ten)", "9"},
      {"up to and including", "no_limit, t", "d = LessOrEqual(n2, ten)", "11"},
      {"not greater", "no_limit, t", "g = GreaterOrEqual(n2, ten)  d = Not(g)", "10"},
      {"a limit that is a size", "no_limit, t", "s = Size(v)  d = Greater(s, n2)", "max(N, 1)"},
      {"false before the first run", "m, f", "d = Identity(c)", "0"},
      {"false after it", "m, ", "d = Identity(f)", "1"},
      {"data all the way", "no_limit, t", "e = ReduceMax<keepdims = 0>(k)  d = Less(e, z)", "trips"},
      {"any number of runs", "any, t", "d = Identity(c)", "trips"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    PassRun run =
        RunPasses(kHead +
                  "agraph (float[4] x, float[N] v, float z, bool open, int64 any) => (float[a] y) <int64 m = {9},"
                  " int64 no_limit = {9223372036854775807}, int64 zero = {0}, int64 one = {1}, int64 ten = {10},"
                  " bool t = {1}, bool f = {0}> { y, last = Loop (" +
                  std::string(row.limits) +
                  ", x, zero) <body = b (int64 i, bool c, float[p] h, int64 n) => (bool d, float[r] k, int64 n2) {"
                  " n2 = Add(n, one)  k = Relu(h)  " +
                  row.next + " }> }");
    for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
    CHECK(run.dims.ToString(run.runs[GraphId(1u)]) == row.trips);
    CHECK(run.type("y") == "float[4]");
  }
}

TEST_CASE("a trip count decided at run time has bounds, and can be expected") {
  const std::string text =
      kHead +
      "agraph (float[4, 4] x, bool open) => (float[a, b] y) <int64 m = {9}> { y = Loop (m, open, x)"
      " <body = b (int64 i, bool c, float[p, q] h) => (bool d, float[r, s] k) { f = ReduceMax<keepdims = 0>(h)"
      "  d = Cast<to = 9>(f)  k = MatMul(h, h) }> }";
  PassRun bounded = RunPasses(text);
  const Symbol& trips = bounded.dims.symbol(bounded.dims.AsSymbol(bounded.runs[GraphId(1u)]));
  CHECK(trips.min == 0);
  CHECK(trips.max == 9);
  CHECK(trips.assumed == 5);  // half of the limit
  CHECK(trips.cause == "y");
  CHECK(bounded.dims.ToString(bounded.totals.macs) == "64*trips");
  CHECK(Evaluate(bounded.totals.macs, bounded.dims) == 64 * 5);
  PassRun expected = RunPasses(text, {.expect = {{"trips", 3}}});
  CHECK(Evaluate(expected.totals.macs, expected.dims) == 64 * 3);
  const auto counts = CountNodes(expected.graph, expected.tables, expected.runs, expected.dims);
  CHECK(counts[test::NodeOf(expected.graph, "k")].macs == 64 * 3);
}

TEST_CASE("a run counts as its middle one where runs differ") {
  const std::string text =
      kHead +
      "agraph (float[2, 4] x, float[4, 4] w) => (float[a, b] y) <int64 m = {5}> { y = Loop (m, , x)"
      " <body = b (int64 i, bool c, float[p, q] h) => (bool d, float[r, s] k) { d = Identity(c)"
      "  e = MatMul(h, w)  k = Concat<axis = 0>(e, x) }> }";
  PassRun run = RunPasses(text);
  CHECK(run.type("e") == "float[2*iter + 2, 4]");
  // Rows of all runs: 2 + 4 + 6 + 8 + 10.
  CHECK(run.dims.ToString(run.totals.macs) == std::to_string(30 * 16));
  const auto counts = CountNodes(run.graph, run.tables, run.runs, run.dims);
  CHECK(counts[test::NodeOf(run.graph, "e")].macs == 30 * 16);
}

TEST_CASE("bodies see values of outer graphs, hide them, and may hand them on") {
  CheckControl({
      {"a value of the outer graph is an output of the body",
       "agraph (float[3, n] x, float[5] v) => (float[a] y, float[b, e] z) <int64 m = {2}> { w = Relu(v)  y, z = Loop "
       "(m, , x)"
       " <body = b (int64 i, bool c, float[p, q] h) => (bool c, float[p, q] h, float[t] w) { }> }",
       {{"y", "float[3, n]"}, {"z", "float[2, 5]"}},
       "2"},
      {"a name that is used inside and outside",
       "agraph (float[3] x, float[5] h) => (float[a] y, float[b] z) <int64 m = {2}> { z = Relu(h)  y = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p] h) => (bool c, float[r] k) { k = Relu(h) }> }",
       {{"y", "float[3]"}, {"z", "float[5]"}},
       "2"},
      {"a loop in a loop, with the outer counter",
       "agraph (float[9, 4] x) => (float[a, b] y) <int64 m = {50}, int64[1] zero = {0}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p, q] h) => (bool c, float[r, s] k) { k = Loop (i, , h)"
       " <body = b2 (int64 j, bool c2, float[p2, q2] g) => (bool c2, float[r2, s2] o) { o = Concat<axis = 0>(g, x) }> "
       "}> }",
       {{"k", "float[9*iter + carry, 4]"}, {"y", "float[final, 4]"}},
       "50*iter"},
      {"an If in a loop",
       "agraph (float[3] x, bool open) => (float[a] y) <int64 m = {4}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p] h) => (bool c, float[r] k) { k = If (open)"
       " <then_branch = t () => (float[u] v) { v = Relu(h) }, else_branch = e () => (float[u] w) { w = Neg(h) }> }> }",
       {{"y", "float[3]"}},
       "0"},
  });
}

TEST_CASE("diagnostics of a branch that is never taken are discarded") {
  PassRun run = RunPasses(kHead +
                          "agraph (float[2, 3] x) => (float[a, b] y) <bool f = {0}> { y = If (f)"
                          " <then_branch = t () => (v) { v = MatMul(x, x) }, else_branch = e () => (w)"
                          " { w = Neg(x) }> }");
  CHECK(run.diagnostics.empty());
  CHECK(run.type("y") == "float[2, 3]");
}

TEST_CASE("Scan cuts its inputs and stacks what the body gives") {
  const std::string body =
      "<body = b (float[p] h, float[q] t) => (float[r] k, float[s] o) { k = Add(h, t)  o = Concat<axis = 0>(h, t) }";
  // clang-format off
  CheckControl({
      {"first axis", "agraph (float[4] x, float[n, 4] z) => (float[a] y, float[b, e] w) { y, w = Scan (x, z) " + body +
                         ", num_scan_inputs = 1> }",
       {{"t", "float[4]"}, {"y", "float[4]"}, {"w", "float[n, 8]"}}, "n"},
      {"other axes, backwards",
       "agraph (float[4] x, float[4, 6] z) => (float[a] y, float[b, e] w) { y, w = Scan (x, z) " + body +
                                    ", num_scan_inputs = 1, scan_input_axes = [-1], scan_input_directions = [1],"
                                    " scan_output_axes = [1], scan_output_directions = [1]> }",
       {{"t", "float[4]"}, {"y", "float[4]"}, {"w", "float[8, 6]"}}, "6"},
      {"a state of a size that changes is left open",
       "agraph (float[4] x, float[3, 2] z) => (float[a] y) { y = Scan (x, z) <body = b (float[p] h, float[q] t)"
       " => (float[r] k) { k = Concat<axis = 0>(h, t) }, num_scan_inputs = 1> }",
       {{"h", "float[carry]"}, {"y", "float[final]"}}, "3"},
  });
  // clang-format on
  PassRun old = RunPasses(
      "<ir_version: 3, opset_import: [\"\" : 8]> agraph (int64[B] lengths, float[B, 2] x, float[B, 5, 2] z)"
      " => (float[a, b] y, float[c, d, e] w) { y, w = Scan (lengths, x, z) <body = b (float[2] h, float[2] t)"
      " => (float[2] k, float[2] o) { k = Add(h, t)  o = Identity(k) }, num_scan_inputs = 1> }");
  CHECK(old.type("y") == "float[B, 2]");
  CHECK(old.type("w") == "float[B, 5, 2]");
  CHECK(old.dims.ToString(old.runs[GraphId(1u)]) == "5*B");
}

TEST_CASE("SequenceMap runs its body on every element") {
  // clang-format off
  CheckControl({
      {"elements of one shape",
       "agraph (float[m, n, 4] x, float[4] v) => (y) { s = SplitToSequence<keepdims = 0>(x)  y = SequenceMap (s, v)"
       " <body = b (float[p, q] e, float[r] u) => (float[t, w] o) { o = Add(e, u) }> }",
       {{"e", "float[n, 4]"}, {"y", "seq(float[n, 4]) x m"}}, "m"},
      {"no sequence that anything is known of",
       "agraph (s, float[4] v) => (y) { y = SequenceMap (s, v) <body = b (e, float[r] u) => (o) { o = Add(e, u) }> }",
       {{"y", "seq(float?) x trips"}}, "trips"},
      {"elements one by one",
       "agraph (float[2, 4] x, float[3, 4] z) => (float[a, b] y0, float[c, d] y1) <int64 zero = {0}, int64 one = {1}> {"
       " s = SequenceConstruct(x, z)  y = SequenceMap (s) <body = b (float[p, q] e) => (float[t, w] o) {"
       " o = Concat<axis = 0>(e, e) }>  y0 = SequenceAt(y, zero)  y1 = SequenceAt(y, one) }",
       {{"e", "float[?, 4]"}, {"y0", "float[4, 4]"}, {"y1", "float[6, 4]"}}, "2"},
  });
  // clang-format on
}

TEST_CASE("sequences built in loops, and optionals through them") {
  // clang-format off
  CheckControl({
      {"an insertion per run", "agraph (int64 m, float[2, n] x) => (y) { s = SequenceEmpty()  y = Loop (m, , s)"
       " <body = b (int64 i, bool c, h) => (bool c, k) { k = SequenceInsert(h, x) }> }",
       {{"h", "seq(float[2, n]) x iter"}, {"y", "seq(float[2, n]) x trips"}}, "trips"},
      {"each of a shape of its own",
       "agraph (float[5] x) => (y) <int64 m = {3}, int64[1] zero = {0}, int64 one = {1}> {"
       " s = SequenceEmpty()  y = Loop (m, , s) <body = b (int64 i, bool c, h) => (bool c, k)"
       " { e = Add(i, one)  u = Unsqueeze(e, zero)  part = Slice(x, zero, u)  k = SequenceInsert(h, part) }> }",
       {{"part", "float[iter + 1]"}, {"y", "seq(float[?]) x 3"}}, "3"},
      {"nothing at first, then something",
       "agraph (float[5] x) => (y) <int64 m = {3}> { s = Optional()  y = Loop (m, , s)"
       " <body = b (int64 i, bool c, h) => (bool c, k) { k = Optional(x) }> }",
       {{"h", "maybe float[5]"}, {"y", "some float[5]"}}, "3"},
  });
  // clang-format on
}

TEST_CASE("a few runs are looked at one by one where no rule tells what comes out") {
  // clang-format off
  CheckControl({
      {"doubling",
       "agraph (float[2, n] x) => (y, z) <int64 m = {5}> { y, z = Loop (m, , x) <body = b (int64 i, bool c, h)"
       " => (bool d, k, o) { d = Identity(c)  k = Concat<axis = 0>(h, h)  o = Shape(h) }> }",
       {{"h", "float[carry, n]"}, {"y", "float[64, n]"}, {"z", "int64[5, 2]"}}, "5"},
      {"a rank more in every run",
       "agraph (float[2, n] x) => (y) <int64 m = {3}, int64[1] zero = {0}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, h) => (d, k) { d = Identity(c)  k = Unsqueeze(h, zero) }> }",
       {{"h", "float?"}, {"y", "float[1, 1, 1, 2, n]"}}, "3"},
      {"until a number is reached",
       "agraph (float[n] x) => (y) <int64 no_limit = {9223372036854775807}, int64 one = {1}, int64 many = {100},"
       " bool t = {1}> { y, last = Loop (no_limit, t, x, one) <body = b (int64 i, bool c, h, int64 n0) => (d, k, n1)"
       " { n1 = Add(n0, n0)  d = Less(n1, many)  k = Concat<axis = 0>(h, x) }> }",
       {{"y", "float[8*n]"}}, "7"},
      {"what each run finds is no size twice", "agraph (float[2, n] x) => (y) <int64 m = {3}> { y = Loop (m, , x)"
       " <body = b (int64 i, bool c, h) => (d, k) { d = Identity(c)  z = NonZero(h)  f = Cast<to = 1>(z)"
       "  k = Concat<axis = 1>(h, f) }> }",
       {{"y", "float[2, final]"}}, "3"},
  });
  // clang-format on
  PassRun run = RunPasses(
      kHead +
      "agraph (float[5] x) => (y, e0, e2) <int64 m = {3}, int64[1] zero = {0}, int64 one = {1}, int64 first = {0},"
      " int64 last = {-1}> { s = SequenceEmpty()  y = Loop (m, , s) <body = b (int64 i, bool c, h) => (bool c, k)"
      " { e = Add(i, one)  u = Unsqueeze(e, zero)  part = Slice(x, zero, u)  k = SequenceInsert(h, part) }>"
      " e0 = SequenceAt(y, first)  e2 = SequenceAt(y, last) }");
  CHECK(run.type("e0") == "float[1]");
  CHECK(run.type("e2") == "float[3]");
  CHECK(run.type("part") == "float[iter + 1]");
}

// Loops in loops around one node that reads h0.
std::string Nest(int depth, const std::string& inner) {
  std::string text = absl::StrCat("r0 = ", inner);
  for (int level = 0; level < depth; ++level) {
    const std::string loop =
        absl::StrCat("r", level + 1, " = Loop (m, , x) <body = b", level, " (int64 i", level, ", bool c", level,
                     ", float[p", level, "] h", level, ") => (bool c", level, ", float[q", level, "] r", level, ") { ");
    text = absl::StrCat(loop, text, " }>");
  }
  return text;
}

struct NestRun {
  int64_t looks = 0;
  Type type;  // of the result
};

NestRun LookAtNest(int depth, const std::string& inner) {
  const Graph graph = test::GraphFromText(
      absl::StrCat(kHead, "agraph (int64 m, float[2] x) => (y) { ", Nest(depth, inner), "  y = Relu(r", depth, ") }"));
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {}, dims);
  REQUIRE(bound.ok());
  std::vector<Diagnostic> diagnostics;
  InferStats stats;
  const Facts facts = Infer(graph, *bound, dims, diagnostics, {.stats = &stats});
  return {stats.looks, facts.values[test::ValueOf(graph, "y")].type};
}

TEST_CASE("deep nests are looked at in proportion to their size") {
  constexpr int kDepth = 40;
  for (const char* inner : {"Relu(h0)", "Concat<axis = 0>(h0, h0)", "Concat<axis = 0>(h0, x)"}) {
    INFO(inner);
    const NestRun run = LookAtNest(kDepth, inner);
    CHECK(run.looks <= 100 * (kDepth + 2) + 4000);
    CHECK(run.type.elem == ElemType::kFloat);
  }
  const NestRun stable = LookAtNest(kDepth, "Relu(h0)");
  CHECK(stable.looks == kDepth + 2);
  CHECK(stable.type.shape.constant());
}

}  // namespace
}  // namespace hwest
