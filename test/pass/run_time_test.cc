// Slices whose start is known only at run time, as exporters write them.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::PassRun;
using test::RunPasses;

const std::string kCutHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

enum class CutNote { kNone, kTakenWithin };

struct CutRow {
  const char* name;
  std::string text;   // behind kCutHead
  std::string shape;  // of y
  CutNote note;
  std::vector<std::pair<std::string, int64_t>> expect = {};
};

bool HasWithinNote(const PassRun& run) {
  return std::any_of(run.diagnostics.begin(), run.diagnostics.end(), [](const Diagnostic& row) {
    return row.code == Code::kAssumed && absl::StrContains(row.message, "taken to lie within its axis");
  });
}

// Whether a fact holds one of the symbols that stand for what only run time knows.
bool HoldsName(const PassRun& run) {
  const auto is_name = [&](Dim dim) {
    const std::vector<SymbolId> symbols = run.dims.SymbolsOf(dim);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](SymbolId id) { return absl::StartsWith(run.dims.symbol(id).name, "at_run_time"); });
  };
  for (const ValueFact& fact : run.facts.values) {
    const Shape& shape = fact.type.shape;
    if (shape.ranked() && std::any_of(shape.dims().begin(), shape.dims().end(), is_name)) return true;
    for (size_t i = 0; fact.known != nullptr && i < fact.known->size(); ++i) {
      if (is_name((*fact.known)[i].dim())) return true;
    }
  }
  return false;
}

void CheckCuts(const std::vector<CutRow>& rows) {
  for (const CutRow& row : rows) {
    INFO(row.name);
    const PassRun run = RunPasses(kCutHead + row.text, {.expect = row.expect});
    for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
    const Shape& shape = run.facts.values[test::ValueOf(run.graph, "y")].type.shape;
    CHECK(ToString(shape, run.dims) == row.shape);
    CHECK(HasWithinNote(run) == (row.note == CutNote::kTakenWithin));
    CHECK_FALSE(HoldsName(run));
  }
}

constexpr const char* kCutEnds = " <int64[1] k = {4}, int64[1] zero = {0}, int64[1] last = {12}, int64[1] size = {16}>";

TEST_CASE("x[s:s + k] has length k") {
  // clang-format off
  CheckCuts({
      {"an input", absl::StrCat("agraph (float[16, 8] x, int64[1] s) => (y)", kCutEnds, " { e = Add(s, k)  y ="
       " Slice(x, s, e) }"),
       "[4, 8]", CutNote::kTakenWithin},
      {"the constant first",
       absl::StrCat("agraph (float[16, 8] x, int64[1] s) => (y)", kCutEnds, " { e = Add(k, s)  y = Slice(x, s, e) }"),
       "[4, 8]", CutNote::kTakenWithin},
      {"back from the end", absl::StrCat("agraph (float[16, 8] x, int64[1] e) => (y)", kCutEnds, " { s = Sub(e, k)"
                                         " y = Slice(x, s, e) }"),
       "[4, 8]", CutNote::kTakenWithin},
      {"a scalar, made a list", "agraph (float[16, 8] x, int32 s) => (y) <int64[1] axis = {0}, int64 k = {4}> {"
       " t = Cast<to = 7>(s)  u = Add(t, k)  a = Unsqueeze(t, axis)  b = Unsqueeze(u, axis)  y = Slice(x, a, b) }",
       "[4, 8]", CutNote::kTakenWithin},
      {"32 bits, added before the cast", "agraph (float[16, 8] x, int32[1] s) => (y) <int32[1] k = {4}> { u = Add(s, k)"
       "  a = Cast<to = 7>(s)  b = Cast<to = 7>(u)  y = Slice(x, a, b) }",
       "[4, 8]", CutNote::kTakenWithin},
      {"two axes of a list",
       "agraph (float[1, 3, 64, 64] x, int64[2] s) => (y) <int64[2] k = {16, 24}, int64[2] axes = {2, 3}> {"
       " e = Add(s, k)  y = Slice(x, s, e, axes) }",
       "[1, 3, 16, 24]", CutNote::kTakenWithin},
      {"an element of a list, beside constants",
       "agraph (float[4, 16, 8] x, int64[4] s) => (y) <int64[1] which = {2}, int64[1] zero = {0}, int64[1] most = {8},"
       " int64[1] k = {5}, int64[2] axes = {1, 2}> { t = Gather(s, which)  u = Add(t, k)  a = Concat<axis = 0>(t, zero)"
       "  b = Concat<axis = 0>(u, most)  y = Slice(x, a, b, axes) }",
       "[4, 5, 8]", CutNote::kTakenWithin},
      {"every second", "agraph (float[16, 8] x, int64[1] s) => (y) <int64[1] k = {7}, int64[1] axis = {0}, int64[1]"
       " step = {2}>"
       " { e = Add(s, k)  y = Slice(x, s, e, axis, step) }",
       "[4, 8]", CutNote::kTakenWithin},
      {"backwards", "agraph (float[16, 8] x, int64[1] s) => (y) <int64[1] k = {6}, int64[1] axis = {0}, int64[1]"
       " step = {-2}>"
       " { e = Sub(s, k)  y = Slice(x, s, e, axis, step) }",
       "[3, 8]", CutNote::kTakenWithin},
      {"more than the axis has",
       absl::StrCat("agraph (float[3, 8] x, int64[1] s) => (y)", kCutEnds, " { e = Add(s, k)  y = Slice(x, s, e) }"),
       "[3, 8]", CutNote::kTakenWithin},
      {"as long as a size", "agraph (float[16, 8] x, float[n, 2] z, int64[1] s) => (y) { k = Shape<end = 1>(z)"
       " e = Add(s, k)  y = Slice(x, s, e) }",
       "[min(n, 16), 8]", CutNote::kTakenWithin},
      {"through whole floats", "agraph (float[16, 8] x, float[1] c) => (y) <float[1] k = {4}> { f = Floor(c)"
       "  g = Add(f, k)  s = Cast<to = 7>(f)  e = Cast<to = 7>(g)  y = Slice(x, s, e) }",
       "[4, 8]", CutNote::kTakenWithin},
  });
  // clang-format on
}

TEST_CASE("clamps and positions prove that the range lies within the axis") {
  // clang-format off
  CheckCuts({
      {"lax.dynamic_slice", absl::StrCat("agraph (float[16, 8] x, int64[1] s) => (y)", kCutEnds, " { less = Less(s,"
       " zero)"
       "  up = Add(s, size)  t = Where(less, up, s)  low = Max(t, zero)  a = Min(low, last)  e = Add(a, k)"
       "  y = Slice(x, a, e) }"),
       "[4, 8]", CutNote::kNone},
      {"the other order", absl::StrCat("agraph (float[16, 8] x, int64[1] s) => (y)", kCutEnds, " { top = Min(last, s)"
       "  a = Max(zero, top)  e = Add(a, k)  y = Slice(x, a, e) }"),
       "[4, 8]", CutNote::kNone},
      {"Clip", "agraph (float[16, 8] x, int64[1] s) => (y) <int64 low = {0}, int64 top = {12}, int64[1] k = {4}> {"
       " a = Clip(s, low, top)  e = Add(a, k)  y = Slice(x, a, e) }",
       "[4, 8]", CutNote::kNone},
      {"a remainder", "agraph (float[16, 8] x, int64[1] s) => (y) <int64[1] m = {12}, int64[1] k = {4}> { a = Mod(s, m)"
       "  e = Add(a, k)  y = Slice(x, a, e) }",
       "[4, 8]", CutNote::kNone},
      {"around the best", "agraph (float[16, 8] x, float[1, 16] w) => (y) <int64[1] k = {1}> {"
       " s = ArgMax<axis = -1, keepdims = 0>(w)  e = Add(s, k)  y = Slice(x, s, e) }",
       "[1, 8]", CutNote::kNone},
      {"around the best, may cross", "agraph (float[16, 8] x, float[1, 16] w) => (y) <int64[1] k = {4}> {"
       " s = ArgMax<axis = -1, keepdims = 0>(w)  e = Add(s, k)  y = Slice(x, s, e) }",
       "[4, 8]", CutNote::kTakenWithin},
      {"the best among few places", "agraph (float[16, 8] x, float[13, 1] w) => (y) <int64[1] k = {4}> {"
       " s = ArgMax<axis = 0, keepdims = 0>(w)  e = Add(s, k)  y = Slice(x, s, e) }",
       "[4, 8]", CutNote::kNone},
  });
  // clang-format on
}

TEST_CASE("ends that are no known distance apart leave a size to state") {
  // clang-format off
  CheckCuts({
      {"two inputs", "agraph (float[16, 8] x, int64[1] s, int64[1] e) => (y) { y = Slice(x, s, e) }",
       "[slice, 8]", CutNote::kNone},
      {"stated", "agraph (float[16, 8] x, int64[1] s, int64[1] e) => (y) { y = Slice(x, s, e) }",
       "[slice, 8]", CutNote::kNone, {{"slice", 5}}},
      {"equal ranges are equally long",
       "agraph (float[16, 8] x, float[16, 8] z, int64[1] n) => (y) <int64[1] zero = {0}> { a = Slice(x, zero, n)"
       "  b = Slice(z, zero, n)  y = Add(a, b) }",
       "[slice, 8]", CutNote::kNone},
      {"a roll", "agraph (float[16, 8] x, int64[1] n) => (y) <int64[1] zero = {0}, int64[1] far ="
       " {9223372036854775807}> {"
       " a = Slice(x, n, far)  b = Slice(x, zero, n)  y = Concat<axis = 0>(a, b) }",
       "[16, 8]", CutNote::kNone},
      {"a roll back", "agraph (float[16, 8] x, int64[1] n) => (y) <int64[1] zero = {0}, int64[1] far = {16}> {"
       " m = Neg(n)  b = Slice(x, zero, m)  a = Slice(x, m, far)  y = Concat<axis = 0>(a, b) }",
       "[16, 8]", CutNote::kNone},
      {"two parts", "agraph (float[16, 8] x, int64[1] n) => (y) <int64[1] size = {16}> { m = Sub(size, n)"
       "  both = Concat<axis = 0>(n, m)  a, b = Split(x, both)  y = Concat<axis = 0>(b, a) }",
       "[16, 8]", CutNote::kNone},
      {"parts", "agraph (float[16, 8] x, int64[3] n) => (y) { a, b, y = Split(x, n)  z = Relu(a) }",
       "[-split - split_2 + 16, 8]", CutNote::kNone},
      {"along an axis of unknown size", "agraph (float[?, 8] x, int64[1] s) => (y) <int64[1] k = {4}> { e = Add(s, k)"
       "  y = Slice(x, s, e) }",
       "[min(x_0, 4), 8]", CutNote::kTakenWithin},
      {"behind what is found", "agraph (float[16, 8] x, float[15] v) => (y) <int64[1] k = {4}> { f = NonZero(v)"
       "  s = Shape<start = 1>(f)  e = Add(s, k)  y = Slice(x, s, e) }",
       "[4, 8]", CutNote::kTakenWithin},
      {"as much as is found", "agraph (float[16, 8] x, float[9] v) => (y) <int64[1] zero = {0}> { f = NonZero(v)"
       "  e = Shape<start = 1>(f)  y = Slice(x, zero, e) }",
       "[nonzero, 8]", CutNote::kNone},
      {"a size that the file states", "agraph (float[16, 8] x, int64[1] s, int64[1] e) => (float[5, 8] y) {"
       " y = Slice(x, s, e) }",
       "[5, 8]", CutNote::kNone},
      {"step unknown", "agraph (float[16, 8] x, int64[1] s, int64[1] t) => (y) <int64[1] k = {4}, int64[1] axis ="
       " {0}> {"
       " e = Add(s, k)  y = Slice(x, s, e, axis, t) }",
       "[slice, 8]", CutNote::kNone},
  });
  // clang-format on
}

TEST_CASE("bounds of a size that run time decides") {
  const auto bounds = [](const std::string& text) {
    const PassRun run = RunPasses(kCutHead + text);
    const Dim dim = run.facts.values[test::ValueOf(run.graph, "y")].type.shape.dim(0);
    const Bounds found = run.dims.BoundsOf(dim);
    return absl::StrCat(found.min.value_or(-1), " to ", found.max.value_or(-1));
  };
  CHECK(bounds("agraph (float[16, 8] x, int64[1] s, int64[1] e) => (y) { y = Slice(x, s, e) }") == "0 to 16");
  CHECK(bounds("agraph (float[16, 8] x, float[1, 9] w) => (y) <int64[1] zero = {0}> {"
               " e = ArgMax<axis = -1, keepdims = 0>(w)  y = Slice(x, zero, e) }") == "0 to 8");
  CHECK(bounds("agraph (float[16, 8] x, float[1, 9] w) => (y) <int64[1] end = {16}> {"
               " s = ArgMax<axis = -1, keepdims = 0>(w)  y = Slice(x, s, end) }") == "8 to 16");
}

TEST_CASE("other operators over numbers that run time knows") {
  CheckCuts({
      {"Range", "agraph (int64 s) => (y) <int64 k = {4}, int64 one = {1}> { e = Add(s, k)  y = Range(s, e, one) }",
       "[4]", CutNote::kNone},
      {"Gather by a range",
       "agraph (float[16, 8] x, int64 s) => (y) <int64 k = {4}, int64 one = {1}> { e = Add(s, k)"
       "  r = Range(s, e, one)  y = Gather(x, r) }",
       "[4, 8]", CutNote::kNone},
      {"Range, no known distance", "agraph (int64 s, int64 e) => (y) <int64 one = {1}> { y = Range(s, e, one) }", "[?]",
       CutNote::kNone},
      {"Pad back to the size of the image",
       "agraph (float[8] x, int64[1] s) => (y) <int64[1] size = {24}> { e = Sub(size, s)  p = Concat<axis = 0>(s, e)"
       "  y = Pad(x, p) }",
       "[32]", CutNote::kNone},
      {"Pad by one number", "agraph (float[8] x, int64[1] s) => (y) { p = Concat<axis = 0>(s, s)  y = Pad(x, p) }",
       "[?]", CutNote::kNone},
      {"Reshape to a difference",
       "agraph (float[12] x, int64[1] s) => (y) <int64[1] k = {4}, int64[1] rest = {-1}> {"
       " e = Add(s, k)  d = Sub(e, s)  t = Concat<axis = 0>(d, rest)  y = Reshape(x, t) }",
       "[4, 3]", CutNote::kNone},
  });
}

TEST_CASE("a loop over places that are gathered") {
  CheckCuts({
      {"one of a list",
       "agraph (float[4, 3] x, int64[4] idx) => (y) <int64 m = {4}, bool t = {1}, int64[1] one = {1},"
       " int64[1] axis = {0}> { y = Loop (m, t) <body = b (int64 i, bool c) => (bool d, float[p, q] h) { d ="
       " Identity(c)"
       "  g = Gather(idx, i)  s = Unsqueeze(g, axis)  e = Add(s, one)  h = Slice(x, s, e) }> }",
       "[4, 1, 3]", CutNote::kTakenWithin},
      {"from where the run before ended",
       "agraph (float[16, 3] x, int64[1] first) => (y) <int64 m = {4}, bool t = {1}, int64[1] k = {2}> {"
       " end, y = Loop (m, t, first) <body = b (int64 i, bool c, int64[1] s) => (bool d, int64[1] e, float[p, q] h) {"
       " d = Identity(c)  e = Add(s, k)  h = Slice(x, s, e) }> }",
       "[4, 2, 3]", CutNote::kTakenWithin},
      {"by the number of the run, without a limit",
       "agraph (float[16, 3] x, float[3] v) => (y) <int64 m = {9223372036854775807}, bool t = {1}, int64[1] k ="
       " {2}, int64[1] axis = {0}, int64[1] two = {2},"
       " float lim = {9}> { last, y = Loop (m, t, v) <body = b (int64 i, bool c, float[3] a) => (bool d, float[3] z,"
       " float[p, q] h) { z = Relu(a)  m = ReduceMax<keepdims = 0>(z)  d = Less(m, lim)  g = Unsqueeze(i, axis)"
       "  s = Mul(g, two)  e = Add(s, k)  h = Slice(x, s, e) }> }",
       "[trips, 2, 3]", CutNote::kTakenWithin},
      {"in a branch that never runs",
       "agraph (float[16, 3] x, int64[1] s) => (y) <bool t = {1}, int64[1] k = {2}> { y = If (t) <then_branch = a () =>"
       " (float[p, q] h) { h = Relu(x) }, else_branch = b () => (float[u, v] g) { e = Add(s, k)  g = Slice(x, s, e)"
       " }> }",
       "[16, 3]", CutNote::kNone},
  });
}

// What torch.onnx's dynamo exporter made of torch.roll for a time: a function with the shift as an operand.
TEST_CASE("a roll by a known shift, written as If in a function") {
  const auto rolled = [](const std::string& shift, const std::string& shape, const std::string& dim) {
    return absl::StrCat(
        "<ir_version: 8, opset_import: [\"\" : 18, \"pkg\" : 1]> agraph (float[", shape,
        "] x) => (y) <int64 shift"
        " = {",
        shift, "}> { y = pkg.roll_dim<dim = ", dim,
        ">(x, shift) }"
        " <domain: \"pkg\", opset_import: [\"\" : 18]> roll_dim <dim> (self, shift) => (result) {"
        " neg_1 = Constant <value_ints = [-1]> ()  dim_0 = Constant <value_int: int = @dim> ()"
        " dim_tensor = Reshape(dim_0, neg_1)  shift_tensor = Reshape(shift, neg_1)  zero = Constant <value_int = 0> ()"
        " zero_cast = CastLike(zero, shift_tensor)  cond = Less(shift_tensor, zero_cast)"
        " slice_length = If (cond) <then_branch = a () => (length) { length = Neg(shift_tensor) }, else_branch = b"
        " () =>"
        " (length_1) { s = Shape(self)  dim_len = Gather<axis = 0>(s, dim_tensor)  length_1 = Sub(dim_len,"
        " shift_tensor) }>"
        " start = Constant <value_ints = [0]> ()  suffix = Slice(self, start, slice_length, dim_tensor)"
        " all = Size(self)  end = Reshape(all, neg_1)  prefix = Slice(self, slice_length, end, dim_tensor)"
        " result = Concat<axis: int = @dim>(prefix, suffix) }");
  };
  for (const std::string shift : {"3", "-3"}) {
    for (const std::string shape : {"2, 14, 14, 8", "n, 14, 14, 8", "n, 14, w, 8"}) {
      INFO(shift << " of " << shape);
      PassRun run = RunPasses(rolled(shift, shape, "1"));
      for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
      CHECK(run.shape("y") == absl::StrCat("[", shape, "]"));
    }
  }
}

// For axes that hold the range: nothing else is what the note says.
TEST_CASE("law: sizes at a binding are the sizes of the bound model") {
  const std::string text = kCutHead +
                           "agraph (float[n, 8] x, int64[1] s) => (y) <int64[1] zero = {0}, int64[1] k ="
                           " {4}> {"
                           " d = Shape<end = 1>(x)  last = Sub(d, k)  low = Max(s, zero)  a = Min(low, last)"
                           "  e = Add(a, k)  y = Slice(x, a, e) }";
  PassRun open = RunPasses(text);
  const Dim size = open.facts.values[test::ValueOf(open.graph, "y")].type.shape.dim(0);
  const std::vector<SymbolId> symbols = open.dims.SymbolsOf(size);
  REQUIRE(symbols.size() == 1);
  for (const int64_t n : {4, 5, 16}) {
    INFO(n);
    PassRun bound = RunPasses(text, {.dims = {{"n", n}}});
    const Dim at_n = open.dims.Substitute(size, {{symbols[0], n}});
    CHECK(bound.shape("y") == absl::StrCat("[", open.dims.ToString(at_n), ", 8]"));
  }
}

// Names end at a number; what is behind it stays unknown.
TEST_CASE("many unknown starts do not take long") {
  std::string text =
      "agraph (float[16, 8] x, int64[16] s) => (y) <int64[1] one = {1}, int64[1] which = {3}> { s0 ="
      " Abs(s)";
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) {
    absl::StrAppend(&text, " s", i + 1, " = BitwiseNot(s", i, ")  a", i, " = Gather(s", i + 1, ", which)  e", i,
                    ""
                    " = Add(a",
                    i, ", one)  y", i, " = Slice(x, a", i, ", e", i, ")");
  }
  absl::StrAppend(&text, " y = Relu(y", kSteps - 1, ") }");
  PassRun run = RunPasses("<ir_version: 8, opset_import: [\"\" : 18]> " + text);
  CHECK(run.shape("y0") == "[1, 8]");
  CHECK(run.shape("y") == "[?, 8]");
}

}  // namespace
}  // namespace hwest
