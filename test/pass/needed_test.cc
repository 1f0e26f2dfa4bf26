// The nodes that the outputs of a model need: by use, through bodies, and folded before run time.
#include "pass/needed.h"

#include <string>
#include <vector>

#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::RunPasses;

constexpr absl::string_view kNeededHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

struct ClassRow {
  const char* what;
  std::string model;
  std::vector<std::pair<const char*, const char*>> want;  // first output of a node, class
};

void CheckClasses(const std::vector<ClassRow>& rows) {
  for (const ClassRow& row : rows) {
    INFO(row.what);
    test::PassRun run = RunPasses(std::string(kNeededHead) + row.model);
    for (const auto& [output, want] : row.want) {
      INFO(output);
      CHECK(NodeClassName(run.class_of(output)) == want);
    }
  }
}

TEST_CASE("nodes that no output needs are dead") {
  // clang-format off
  CheckClasses({
      {"a branch of the graph", "g (float[4] x) => (float[4] y) { a = Relu(x)  b = Neg(a)  y = Abs(x) }",
       {{"a", "dead"}, {"b", "dead"}, {"y", "compute"}}},
      {"one of two outputs is read",
       "g (float[4] x) => (float[2] y) { p, q = Split(x)  r = Neg(p)  y = Relu(q) }",
       {{"p", "layout"}, {"r", "dead"}, {"y", "compute"}}},
      {"only its size is read",
       R"(g (float[n, 4] x, float[4, 3] w) => (float[a, b] y) {
            m = MatMul(x, w)
            s = Shape(m)
            y = ConstantOfShape(s)
          })",
       {{"m", "dead"}, {"s", "shape"}, {"y", "constant"}}},
      {"a size that is decided at run time is read",
       "g (float[4] x) => (int64[2] y) { i = NonZero(x)  y = Shape(i) }", {{"i", "shape"}}},
      {"only its type is read",
       "g (float[4] x, float[4] z) => (float[4] y) { t = Neg(z)  y = CastLike(x, t) }", {{"t", "dead"}}},
      {"read by a branch",
       R"(g (float[4] x, bool c) => (float[4] y) {
            a = Relu(x)
            b = Neg(x)
            y = If (c) <then_branch = t () => (float[4] p) { p = Abs(a) },
                        else_branch = e () => (float[4] q) { n = Exp(b)  q = Identity(x) }>
          })",
       {{"a", "compute"}, {"b", "dead"}, {"n", "dead"}, {"y", "control"}}},
      {"what a loop carries for a result that nobody reads",
       R"(g (float[4] x, float[4] z, int64 m, bool c) => (float[4] y) {
            y, u = Loop (m, c, x, z) <body = b (int64 i, bool ci, float[4] s, float[4] t)
                => (bool co, float[4] so, float[4] to) { co = Identity(ci)  so = Relu(s)  to = Exp(t) }>
          })",
       {{"so", "compute"}, {"to", "dead"}}},
      {"what a loop carries for a later run",
       R"(g (float[4] x, float[4] z, int64 m, bool c) => (float[4] y) {
            y, u = Loop (m, c, x, z) <body = b (int64 i, bool ci, float[4] s, float[4] t)
                => (bool co, float[4] so, float[4] to) { co = Identity(ci)  so = Add(s, t)  to = Exp(t) }>
          })",
       {{"so", "compute"}, {"to", "compute"}}},
      {"a branch that is never taken",
       R"(g (float[4] x) => (float[4] y) <bool c = {1}> {
            b = Neg(x)
            y = If (c) <then_branch = t () => (float[4] p) { p = Abs(x) },
                        else_branch = e () => (float[4] q) { q = Exp(b) }>
          })",
       {{"p", "compute"}, {"q", "dead"}, {"b", "dead"}}},
  });
  // clang-format on
}

TEST_CASE("what sizes and constants alone decide is constant at every rank") {
  // clang-format off
  CheckClasses({
      {"a causal mask",
       R"(g (float[n, 8, 8] x) => (float[n, 8, 8] y) <int64[1] one = {1}, int64[2] ends = {1, 3}, float low = {-9}> {
            s = Shape(x)
            m = Slice(s, one, ends)
            full = Expand(low, m)
            mask = Trilu <upper = 1> (full)
            y = Add(x, mask)
          })",
       {{"s", "shape"}, {"m", "shape"}, {"full", "constant"}, {"mask", "constant"}, {"y", "compute"}}},
      {"indices of windows",
       R"(g (float[4, 8] x) => (float[t] y) <int64 zero = {0}, int64 one = {1}, int64 eight = {8},
          int64[2] col = {-1, 1}, int64[1] flat = {-1}> {
            r = Range(zero, eight, one)
            c = Reshape(r, col)
            i = Mul(c, c)
            w = Where(i, c, i)
            k = Reshape(w, flat)
            y = Gather <axis = 1> (x, k)
          })",
       {{"r", "constant"}, {"c", "constant"}, {"i", "constant"}, {"w", "constant"}, {"y", "layout"}}},
      {"a size that is decided at run time",
       R"(g (float[4] x) => (float[a, b] y) <int64[2] two = {1, 1}> {
            i = NonZero(x)
            s = Shape(i)
            f = ConstantOfShape(s)
            y = Neg(f)
          })",
       {{"i", "shape"}, {"s", "shape"}, {"f", "layout"}, {"y", "compute"}}},
      {"random numbers of a known shape",
       "g (float[4, 4] x) => (float[4, 4] y) <float[4, 4] t> { r = RandomNormalLike(x)  y = Add(x, r) }",
       {{"r", "compute"}, {"y", "compute"}}},
      {"a loop of a known count",
       R"(g (float[2, 3] x) => (float[2, 3] y) <int64 three = {3}, bool go = {1}, float[2, 3] z = {0, 0, 0, 0, 0, 0}> {
            m = Loop (three, go, z) <body = b (int64 i, bool c, float[2, 3] s) => (bool co, float[2, 3] so)
                { co = Identity(c)  f = Cast <to = 1> (i)  so = Add(s, f) }>
            y = Add(x, m)
          })",
       {{"m", "constant"}, {"so", "constant"}, {"y", "compute"}}},
      {"a sequence that begins empty",
       R"(g (float[2, 2] x) => (float[2, 2] y) <float[2, 1] w = {1, 2}> {
            e = SequenceEmpty()
            f = SequenceInsert(e, w)
            q = SequenceInsert(f, w)
            m = ConcatFromSequence <axis = 1> (q)
            y = Add(x, m)
          })",
       {{"e", "constant"}, {"f", "constant"}, {"m", "constant"}, {"y", "compute"}}},
      {"a loop whose count is data",
       R"(g (float[2, 3] x, int64 n) => (float[2, 3] y) <bool go = {1}, float[2, 3] z = {0, 0, 0, 0, 0, 0}> {
            m = Loop (n, go, z) <body = b (int64 i, bool c, float[2, 3] s) => (bool co, float[2, 3] so)
                { co = Identity(c)  f = Cast <to = 1> (i)  so = Add(s, f) }>
            y = Add(x, m)
          })",
       {{"m", "control"}, {"so", "compute"}, {"y", "compute"}}},
      {"what every run of a loop over data makes alike, and what it makes anew",
       R"(g (float[2, 3] x) => (float[2, 3] y) <int64 three = {3}, bool go = {1}, float[2, 1] w = {1, 2}> {
            y = Loop (three, go, x) <body = b (int64 i, bool c, float[2, 3] s) => (bool co, float[2, 3] so)
                { co = Identity(c)  h = Shape(x)  k = ConstantOfShape(h)  f = Cast <to = 1> (i)  v = Mul(f, w)
                  a = Add(s, k)  so = Add(a, v) }>
          })",
       {{"y", "control"}, {"k", "constant"}, {"v", "compute"}, {"so", "compute"}}},
      {"loops of known counts inside a loop over data: one is alike in every run, one counts the outer runs",
       R"(g (float[2, 3] x, int64 n) => (float[2, 3] y) <int64 three = {3}, bool go = {1}> {
            y = Loop (n, go, x) <body = b (int64 i, bool c, float[2, 3] s) => (bool co, float[2, 3] so) {
                co = Identity(c)
                h = Shape(x)
                k = ConstantOfShape(h)
                q = Loop (three, go, k) <body = d (int64 j, bool cj, float[2, 3] sj) => (bool dj, float[2, 3] tj)
                    { dj = Identity(cj)  f = Cast <to = 1> (j)  tj = Add(sj, f) }>
                r = Loop (three, go, k) <body = e (int64 l, bool cl, float[2, 3] sl) => (bool el, float[2, 3] tl)
                    { el = Identity(cl)  m = Cast <to = 1> (i)  tl = Add(sl, m) }>
                a = Add(s, q)
                so = Add(a, r) }>
          })",
       {{"y", "control"}, {"k", "constant"}, {"q", "constant"}, {"tj", "constant"}, {"r", "control"}, {"tl", "compute"},
        {"a", "compute"}}},
      {"a branch by a size",
       R"(g (float[2, 3] x) => (float[2, 3] y) <int64[1] two = {2}, int64 zero = {0}> {
            s = Shape(x)
            d = Gather(s, zero)
            c = Equal(d, two)
            m = If (c) <then_branch = t () => (float[2, 3] p) { p = ConstantOfShape(s) },
                        else_branch = e () => (float[2, 3] q) { q = Exp(x) }>
            y = Add(x, m)
          })",
       {{"m", "constant"}, {"p", "constant"}, {"q", "dead"}, {"y", "compute"}}},
  });
  // clang-format on
}

TEST_CASE("outputs that nobody reads are no traffic") {
  struct {
    const char* what;
    const char* model;
    const char* node;
    int64_t out_bytes;
  } const rows[] = {
      {"indices of a pool",
       "g (float[1, 2, 4, 4] x) => (float[1, 2, 2, 2] y) { y, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> "
       "(x) }",
       "y", 32},
      {"indices that a dead node reads",
       "g (float[1, 2, 4, 4] x) => (float[1, 2, 2, 2] y) {"
       " y, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)  d = Neg(i) }",
       "y", 32},
      {"indices that are read",
       "g (float[1, 2, 4, 4] x) => (float[1, 2, 2, 2] y, int64[1, 2, 2, 2] i) {"
       " y, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x) }",
       "y", 96},
      {"statistics of a normalisation",
       "g (float[2, 8] x) => (float[2, 8] y) <float[8] s = {1, 1, 1, 1, 1, 1, 1, 1}> { y, m, d = LayerNormalization(x, "
       "s) }",
       "y", 64},
      {"values that only order the indices", "g (float[8] x) => (int64[2] i) <int64[1] k = {2}> { v, i = TopK(x, k) }",
       "v", 16},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    const test::PassRun run = RunPasses(std::string(kNeededHead) + row.model);
    const auto& traffic = run.tables.traffic[test::NodeOf(run.graph, row.node)];
    REQUIRE(traffic.has_value());
    CHECK(traffic->out_bytes == Dim(row.out_bytes));
  }
}

TEST_CASE("dead nodes are in no total") {
  auto run = RunPasses(std::string(kNeededHead) +
                       "g (float[2, 4] x, float[4, 3] w) => (float[2, 3] y) { y = MatMul(x, w)  d = MatMul(x, w) }");
  CHECK(run.totals.macs == Dim(24));
  CHECK(run.totals.flops == Dim(48));
}

}  // namespace
}  // namespace hwest
