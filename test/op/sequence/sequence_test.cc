// Sequences and optionals, with the operators between them.
#include <string>
#include <utility>
#include <vector>

#include "op/op_rows.h"
#include "op/versions.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

struct TextRow {
  const char* name;
  std::string text;                                         // behind the head
  std::vector<std::pair<const char*, std::string>> values;  // type, or contents in braces
  int64_t opset = 17;
};

std::string Head(int64_t opset) {
  return "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
         ", \"com.microsoft\" : 1, \"ai.onnx.preview\" : 1]> ";
}

void CheckTexts(const std::vector<TextRow>& rows) {
  for (const TextRow& row : rows) {
    INFO(row.name);
    test::PassRun run = test::RunPasses(Head(row.opset) + row.text);
    for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
    for (const auto& [value, wanted] : row.values) {
      INFO(value);
      CHECK((wanted[0] == '{' ? run.numbers(value) : run.type(value)) == wanted);
    }
  }
}

void CheckFails(const std::string& text, const std::string& message) {
  INFO(message);
  test::PassRun run = test::RunPasses(Head(17) + text);
  bool found = false;
  for (const Diagnostic& diagnostic : run.diagnostics) {
    found = found || (diagnostic.code == Code::kInferFailed && diagnostic.message.find(message) != std::string::npos);
  }
  CHECK(found);
}

TEST_CASE("sequences keep what is known of each element") {
  // clang-format off
  CheckTexts({
      {"two shapes",
          "agraph (float[2, n] x, float[3, n] z) => (float[a, b] y, float[c, d] w) <int64 last = {-1}, int64 first = "
          "{0}> {"
       " s = SequenceConstruct(x, z)  y = SequenceAt(s, last)  w = SequenceAt(s, first) }",
       {{"s", "seq(float[?, n]) x 2"}, {"y", "float[3, n]"}, {"w", "float[2, n]"}}},
      {"an open position", "agraph (float[2, n] x, float[3, n] z, int64 i) => (y) { s = SequenceConstruct(x, z)"
       "  y = SequenceAt(s, i) }",
       {{"y", "float[?, n]"}}},
      {"empty", "agraph () => (int64 y) { s = SequenceEmpty<dtype = 7>()  y = SequenceLength(s) }",
       {{"s", "seq(int64?) x 0"}, {"y", "{0}"}}},
      {"empty of floats", "agraph () => (s) { s = SequenceEmpty() }", {{"s", "seq(float?) x 0"}}},
      {"in front, behind and before the last", "agraph (float[1] a, float[2] b, float[3] c, float[4] d) => (float[e] y)"
       " <int64 front = {0}, int64 back = {-1}, int64 two = {2}> { s = SequenceConstruct(a)  t = SequenceInsert(s, b)"
       "  u = SequenceInsert(t, c, front)  v = SequenceInsert(u, d, back)  y = SequenceAt(v, two)  n = "
       "SequenceLength(v) }",
       {{"v", "seq(float[?]) x 4"}, {"y", "float[4]"}, {"n", "{4}"}}},
      {"erased", "agraph (float[1] a, float[2] b, float[3] c) => (float[e] y, float[f] z) <int64 zero = {0}> {"
       " s = SequenceConstruct(a, b, c)  t = SequenceErase(s)  u = SequenceErase(s, zero)  y = SequenceAt(t, zero)"
       "  z = SequenceAt(u, zero) }",
       {{"t", "seq(float[?]) x 2"}, {"y", "float[1]"}, {"z", "float[2]"}}},
      {"of a length that is open",
       "agraph (float[m, n] all, float[n] x, float[7] z) => (y, w) { s = SplitToSequence<keepdims = 0>(all)"
       "  t = SequenceInsert(s, x)  y = SequenceErase(t)  w = SequenceInsert(s, z) }",
       {{"t", "seq(float[n]) x m + 1"}, {"y", "seq(float[n]) x m"}, {"w", "seq(float[?]) x m + 1"}}},
  });
  // clang-format on
  CheckFails(
      "agraph (float[2] x) => (float[a] y) <int64 five = {5}> { s = SequenceConstruct(x)  y = SequenceAt(s, five) }",
      "position 5 is outside");
  CheckFails("agraph (float[2] x) => (int64 y) { y = SequenceLength(x) }", "expects a sequence");
}

TEST_CASE("tensors are split into sequences and joined again") {
  // clang-format off
  CheckTexts({
      {"one by one",
       "agraph (float[3, n] x) => (float[a, b] y) <int64 one = {1}> { s = SplitToSequence(x)  y = SequenceAt(s, one) }",
       {{"s", "seq(float[1, n]) x 3"}, {"y", "float[1, n]"}}},
      {"without the axis", "agraph (float[3, n] x) => (float[a] y) <int64 one = {1}> {"
       " s = SplitToSequence<keepdims = 0, axis = -1>(x)  y = SequenceAt(s, one) }",
       {{"s", "seq(float[3]) x n"}, {"y", "float[3]"}}},
      {"keepdims counts only without sizes", "agraph (float[4, n] x) => (s) <int64 two = {2}> {"
       " s = SplitToSequence<keepdims = 0>(x, two) }",
       {{"s", "seq(float[2, n]) x 2"}}},
      {"a smaller last part",
       "agraph (float[5, n] x) => (float[a, b] y, float[c, d] z) <int64 two = {2}, int64 last = {-1}> {"
       " s = SplitToSequence(x, two)  y = SequenceAt(s, last)  z = ConcatFromSequence<axis = 0>(s) }",
       {{"s", "seq(float[?, n]) x 3"}, {"y", "float[1, n]"}, {"z", "float[5, n]"}}},
      {"parts of given sizes", "agraph (float[5, n] x) => (float[a, b] y) <int64[2] parts = {4, 1}, int64 zero = {0}> {"
       " s = SplitToSequence(x, parts)  y = SequenceAt(s, zero) }",
       {{"s", "seq(float[?, n]) x 2"}, {"y", "float[4, n]"}}},
      {"a symbolic axis", "agraph (float[n, 3] x) => (s) <int64 two = {2}> {"
       " s = SplitToSequence(x, two) }",
       {{"s", "seq(float[?, 3]) x ceildiv(n, 2)"}}},
      {"stacked", "agraph (float[2, n] x, float[2, n] z) => (float[a, b, c] y, float[d, e] w) {"
       " s = SequenceConstruct(x, z)  y = ConcatFromSequence<axis = -1, new_axis = 1>(s)  w = ConcatFromSequence<axis "
       "= 1>(s) }",
       {{"y", "float[2, n, 2]"}, {"w", "float[2, 2*n]"}}},
      {"numbers through a sequence",
       "agraph (float[4, n] x) => (float[a] y) <int64 one = {1}> { d = Shape(x)  s = SplitToSequence(d)"
       "  k = SequenceAt(s, one)  b = ConcatFromSequence<axis = 0>(s)  y = Expand(x, b) }",
       {{"k", "{n}"}, {"b", "{4 n}"}, {"y", "float[4, n]"}}},
  });
  // clang-format on
  CheckFails("agraph (float[5] x) => (s) <int64 zero = {0}> { s = SplitToSequence(x, zero) }", "parts of 1 or more");
  CheckFails("agraph (float[5] x) => (s) <int64[2] parts = {2, 2}> { s = SplitToSequence(x, parts) }", "equal");
}

TEST_CASE("optionals know whether they hold something") {
  // clang-format off
  CheckTexts({
      {"a tensor",
       "agraph (float[n] x) => (float[a] y) { o = Optional(x)  y = OptionalGetElement(o)  h = OptionalHasElement(o) }",
       {{"o", "some float[n]"}, {"y", "float[n]"}, {"h", "{1}"}}},
      {"a sequence",
       "agraph (float[n] x) => (float[a] y) <int64 zero = {0}> { s = SequenceConstruct(x)  o = Optional(s)"
       "  t = OptionalGetElement(o)  y = SequenceAt(t, zero) }",
       {{"o", "some seq(float[n])"}, {"t", "seq(float[n]) x 1"}, {"y", "float[n]"}}},
      {"an input that may be absent",
       "agraph (bool c, float[4] x) => (y, h) { o = If (c) <then_branch = t () => (p) { p = Optional(x) },"
       " else_branch = e () => (q) { q = Optional() }>  y = OptionalGetElement(o)  h = OptionalHasElement(o) }",
       {{"o", "maybe float[4]"}, {"y", "float[4]"}, {"h", "{}"}}},
      {"a tensor where an optional may be",
       "agraph (float[n] x) => (float[a] y) { y = OptionalGetElement(x)  h = OptionalHasElement(x) }",
       {{"y", "float[n]"}, {"h", "{1}"}}, 18},
      {"nothing at all", "agraph () => (bool h) { h = OptionalHasElement() }", {{"h", "{0}"}}, 18},
      {"nothing of a declared type", "agraph () => (o) { o = Optional() }", {{"o", "no undefined?"}}},
  });
  // clang-format on
}

TEST_CASE("searches over a decoder give sequences up to the greatest length") {
  const std::string decoder = "decoder = d (float[p, q] h) => (float[r, s] k) { k = Relu(h) }";
  // clang-format off
  CheckTexts({
      {"beams",
          "agraph (int32[B, 7] ids) => (int32[a, b, c] y, float[d, e] score) <int32[1] most = {20}, int32[1] beams = "
          "{4}, int32[1] back = {2}>"
       " { y, score, all = com.microsoft.BeamSearch <vocab_size = 100, " + decoder + "> (ids, most, , beams, back) }",
       {{"y", "int32[B, 2, 20]"}, {"score", "float[B, 2]"}, {"all", "float[13, B, 4, 100]"}}},
      {"whisper",
          "agraph (float[B, 80, 3000] ids) => (int32[a, b, c] y) <int32[1] most = {20}, int32[1] beams = {4}, "
          "int32[1] back = {1}>"
       " { y = com.microsoft.WhisperBeamSearch <" + decoder + "> (ids, most, , beams, back) }",
       {{"y", "int32[B, 1, 20]"}}},
      {"greedy", "agraph (int32[B, 7] ids, int32[1] most) => (y) { y = com.microsoft.GreedySearch <" + decoder +
       "> (ids, most) }",
       {{"y", "int32[B, ?]"}}},
      {"sampling", "agraph (int32[B, 7] ids) => (int32[a, b] y) <int32[1] most = {20}> { y = com.microsoft.Sampling <" +
       decoder + "> (ids, most) }",
       {{"y", "int32[B, 20]"}}},
      {"attention with bodies",
       "agraph (float[B, 8, S, 64] q, float[B, 2, T, 64] k, float[B, 2, T, 32] v) => (float[a, b, c, d] y) {"
       " y = ai.onnx.preview.FlexAttention <score_mod = m (float[e, f, g, h] s) => (float[i, j, l, n] t) { t = "
       "Tanh(s) }> (q, k, v) }",
       {{"s", "float[B, 8, S, T]"}, {"t", "float[B, 8, S, T]"}, {"y", "float[B, 8, S, 32]"}}},
  });
  // clang-format on
}

TEST_CASE("searches without a decoder still have shapes") {
  // clang-format off
  CheckRows({
      {"beams", {.op = "com.microsoft::BeamSearch", .inputs = {"int32[B, 7]", "int32[1] = {20}", "", "int32[1] = {4}",
                                                               "int32[1] = {2}"}},
       {"int32[B, 2, 20]", "float[B, 2]"}},
      {"whisper", {.op = "com.microsoft::WhisperBeamSearch",
                   .inputs = {"float[B, 80, T]", "int32[1]", "", "int32[1]", "int32[1] = {1}"}},
       {"int32[B, 1, ?]"}},
      {"greedy", {.op = "com.microsoft::GreedySearch", .inputs = {"int32[B, 7]", "int32[1] = {20}"}}, {"int32[B, 20]"}},
      {"sampling", {.op = "com.microsoft::Sampling", .inputs = {"int32[B, 7]", "int32[1] = {-1}"}}, {"int32[B, ?]"}},
  });
  // clang-format on
}

// Nodes with bodies, sequences and optionals at every version of their operators.
struct VersionText {
  const char* op;
  const char* versions;
  std::string text;
  std::vector<std::string> types;  // of the outputs of the graph
};

const std::vector<VersionText>& VersionTexts() {
  // clang-format off
  static const std::vector<VersionText> rows = {
      {"If", "*",
          "agraph (bool c, float[1, N] x) => (float[a, b] y) { y = If (c) <then_branch = t () => (float[d, e] u) { u "
          "= Abs(x) },"
       " else_branch = f () => (float[g, h] v) { v = Neg(x) }> }", {"float[1, N]"}},
      {"Loop", "*", "agraph (float[2, N] x) => (float[a, b] y, float[c, d, e] z) <int64 m = {3}> { y, z = Loop (m, , x)"
       " <body = b (int64 i, bool c, float[p, q] h) => (bool c, float[r, s] k, float[t, u] o) { k = Abs(h)  o = "
       "Neg(h) }> }",
       {"float[2, N]", "float[3, 2, N]"}},
      {"Scan", "8",
          "agraph (int64[B] l, float[B, 2] x, float[B, N, 2] z) => (float[a, b] y, float[c, d, e] w) { y, w = Scan "
          "(l, x, z)"
       " <body = b (float[p] h, float[q] t) => (float[r] k, float[s] o) { k = Abs(h)  o = Neg(t) }, num_scan_inputs = "
       "1> }",
       {"float[B, 2]", "float[B, N, 2]"}},
      {"Scan", "9 11 16 19 21 23 24 25",
       "agraph (float[2] x, float[N, 2] z) => (float[a] y, float[b, c] w) { y, w = Scan (x, z)"
       " <body = b (float[p] h, float[q] t) => (float[r] k, float[s] o) { k = Abs(h)  o = Neg(t) }, num_scan_inputs = "
       "1> }",
       {"float[2]", "float[N, 2]"}},
      {"SequenceMap", "*",
          "agraph (float[M, N] all) => (y) { s = SplitToSequence<keepdims = 0>(all)  y = SequenceMap (s) <body = b "
          "(float[p] e) => (float[q] o)"
       " { o = Abs(e) }> }", {"seq(float[N]) x M"}},
      {"SequenceConstruct", "*", "agraph (float[N] x) => (y) { y = SequenceConstruct(x, x) }", {"seq(float[N]) x 2"}},
      {"SequenceEmpty", "*", "agraph () => (y) { y = SequenceEmpty() }", {"seq(float?) x 0"}},
      {"SequenceInsert", "*",
          "agraph (float[M, N] all, float[N] x) => (y) { s = SplitToSequence<keepdims = 0>(all)  y = "
          "SequenceInsert(s, x) }", {"seq(float[N]) x M + 1"}},
      {"SequenceErase", "*",
          "agraph (float[M, N] all) => (y) { s = SplitToSequence<keepdims = 0>(all)  y = SequenceErase(s) }",
          {"seq(float[N]) x M - 1"}},
      {"SequenceAt", "*",
          "agraph (float[M, N] all, int64 i) => (float[a] y) { s = SplitToSequence<keepdims = 0>(all)  y = "
          "SequenceAt(s, i) }", {"float[N]"}},
      {"SequenceLength", "*",
          "agraph (float[M, N] all) => (int64 y) { s = SplitToSequence<keepdims = 0>(all)  y = SequenceLength(s) }",
          {"int64[]"}},
      {"SplitToSequence", "*", "agraph (float[4, N] x) => (y) { y = SplitToSequence(x) }", {"seq(float[1, N]) x 4"}},
      {"ConcatFromSequence", "*",
       "agraph (float[4, N] x) => (float[a, b] y) { s = SequenceConstruct(x, x)  y = ConcatFromSequence<axis = 0>(s) }",
       {"float[8, N]"}},
      {"Optional", "*", "agraph (float[N] x) => (y) { y = Optional(x) }", {"some float[N]"}},
      {"OptionalGetElement", "*", "agraph (float[N] t) => (float[a] y) { x = Optional(t)  y = OptionalGetElement(x) }",
       {"float[N]"}},
      {"OptionalHasElement", "*", "agraph (float[N] t) => (bool y) { x = Optional(t)  y = OptionalHasElement(x) }",
       {"bool[]"}},
  };
  // clang-format on
  return rows;
}

std::vector<std::string> RunText(const std::string& text, int version) {
  test::PassRun run = test::RunPasses(Head(version) + text);
  for (const Diagnostic& diagnostic : run.diagnostics) UNSCOPED_INFO(diagnostic.message);
  std::vector<std::string> types;
  for (const ValueId output : run.graph.main().outputs) types.push_back(run.type(run.graph.name(output)));
  return types;
}

}  // namespace

std::vector<VersionRow> ControlVersions() {
  std::vector<VersionRow> rows;
  for (const VersionText& row : VersionTexts()) {
    rows.push_back(
        {row.versions, {.op = row.op}, row.types, [&row](int version) { return RunText(row.text, version); }});
  }
  rows.push_back({"*",
                  {.op = "ai.onnx.preview::FlexAttention",
                   .inputs = {"float[B, 8, S, 64]", "float[B, 2, T, 64]", "float[B, 2, T, 32]"}},
                  {"float[B, 8, S, 32]"}});
  return rows;
}

}  // namespace hwest
