#include "pass/infer.h"

#include <filesystem>
#include <string>

#include "pass/pass_fixture.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using test::RunPasses;

const std::string kInferHead = "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> ";

TEST_CASE("values follow shape arithmetic, symbolic dims included") {
  const std::string text = kInferHead +
                           "agraph (float[n, 3, 8] x) => (float[a, b] y)"
                           " <int64[1] zero = {0}, int64[1] rest = {-1}> {"
                           " s = Shape(x)  d = Gather(s, zero)  t = Concat<axis = 0>(d, rest)  y = Reshape(x, t) }";
  CHECK(RunPasses(text).shape("y") == "[n, 24]");
  CHECK(RunPasses(text, {.dims = {{"n", 5}}}).shape("y") == "[5, 24]");
}

TEST_CASE("an op without a rule takes its declared type, and names itself when there is none") {
  auto declared = RunPasses(kInferHead + "agraph (float[4] x) => (float[7] y) { y = my.Foo(x) }");
  CHECK(declared.shape("y") == "[7]");
  REQUIRE(declared.diagnostics.size() == 1);
  CHECK(declared.diagnostics[0].code == Code::kUnknownOp);

  auto open = RunPasses(kInferHead + "agraph (float[4] x) => (float[4] z) { y = my.Foo(x)  w = Relu(y)  z = Relu(w) }");
  CHECK_FALSE(IsTyped(open.facts.values[test::ValueOf(open.graph, "w")]));
  CHECK(open.facts.values[test::ValueOf(open.graph, "w")].blocked_by == test::NodeOf(open.graph, "y"));
}

TEST_CASE("inferred shapes win over declared ones and the conflict is reported") {
  auto run = RunPasses(kInferHead + "agraph (float[4] x) => (float[5] y) { y = Relu(x) }");
  CHECK(run.shape("y") == "[4]");
  REQUIRE(run.diagnostics.size() == 1);
  CHECK(run.diagnostics[0].code == Code::kDeclaredConflict);
}

TEST_CASE("a rule that refuses its inputs leaves the value unknown and says so") {
  auto run = RunPasses(kInferHead +
                       "agraph (float[2, 3] x, float[4, 5] w) => (float[a, b] y) { z = MatMul(x, w)  y = Relu(z) }");
  CHECK_FALSE(IsTyped(run.facts.values[test::ValueOf(run.graph, "z")]));
  REQUIRE_FALSE(run.diagnostics.empty());
  CHECK(run.diagnostics[0].code == Code::kInferFailed);
}

TEST_CASE("operands that ask for less than nothing are refused, and no size is negative") {
  auto run = RunPasses(kInferHead +
                       "agraph (float[1, 2, 3] t) => (y) <int64[4] sizes = {1, 3, -7, 5}> {"
                       " y = AffineGrid(t, sizes) }");
  const Shape& shape = run.facts.values[test::ValueOf(run.graph, "y")].type.shape;
  REQUIRE(shape.rank() == 4);
  for (const Dim dim : shape.dims()) CHECK_FALSE((dim.is_constant() && dim.value() < 0));
  REQUIRE(run.diagnostics.size() == 1);
  CHECK(run.diagnostics[0].code == Code::kInferFailed);
  CHECK(run.diagnostics[0].message == "AffineGrid: axis 1 of y would have the size -7");
}

TEST_CASE("sizes that had to agree are noted once") {
  auto run = RunPasses(kInferHead +
                       "agraph (float[p, 4] x, float[q, 4] z) => (float[a, b] y) { s = Add(x, z)  y = Mul(x, z) }");
  REQUIRE(run.diagnostics.size() == 1);
  CHECK(run.diagnostics[0].code == Code::kDimConstraint);
  CHECK(run.diagnostics[0].node == "s");
}

TEST_CASE("an operator set newer than every rule is reported") {
  auto known =
      RunPasses("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[4] x) => (float[4] y) { y = Relu(x) }");
  CHECK(known.diagnostics.empty());
  auto newer =
      RunPasses("<ir_version: 8, opset_import: [\"\" : 99]> agraph (float[4] x) => (float[4] y) { y = Relu(x) }");
  CHECK(newer.shape("y") == "[4]");
  REQUIRE(newer.diagnostics.size() == 1);
  CHECK(newer.diagnostics[0].code == Code::kOpsetNewer);
}

TEST_CASE("law: binding after inference and before it agree") {
  const std::string text = kInferHead +
                           "agraph (float[n, c, h] x) => (float[a, b] y)"
                           " <int64[1] one = {1}, int64[1] two = {2}, int64[1] all = {9223372036854775807}> {"
                           " p = MaxPool<kernel_shape = [3], strides = [2], pads = [1, 1]>(x)"
                           " q = Slice(p, one, all, two)  f = Flatten(q)  g = Concat<axis = 0>(f, f)  y = Relu(g) }";
  auto free = RunPasses(text);
  for (const int64_t h : {3, 8, 17}) {
    auto bound = RunPasses(text, {.dims = {{"n", 2}, {"c", 4}, {"h", h}}});
    Binding binding;
    for (size_t s = 0; s < free.dims.num_symbols(); ++s) {
      const std::string& name = free.dims.symbol(SymbolId(s)).name;
      if (name == "n") binding[SymbolId(s)] = 2;
      if (name == "c") binding[SymbolId(s)] = 4;
      if (name == "h") binding[SymbolId(s)] = h;
    }
    for (const char* value : {"p", "q", "f", "g", "y"}) {
      INFO(value << " at h = " << h);
      const Shape& open = free.facts.values[test::ValueOf(free.graph, value)].type.shape;
      const Shape& closed = bound.facts.values[test::ValueOf(bound.graph, value)].type.shape;
      REQUIRE(open.rank() == closed.rank());
      for (int axis = 0; axis < open.rank(); ++axis) {
        CHECK(free.dims.Substitute(open.dim(axis), binding) == closed.dim(axis));
      }
    }
  }
}

TEST_CASE("law: doubling the batch of a static export doubles its macs; Reshape targets follow") {
  const std::string text = kInferHead +
                           "agraph (float[1, 3, 8, 8] x) => (float[1, 5] y) <int64[2] target = {1, -1}> {"
                           " w = RandomNormal<shape = [4, 3, 3, 3]>()  m = RandomNormal<shape = [144, 5]>()"
                           " c = Conv(x, w)  f = Reshape(c, target)  y = MatMul(f, m) }";
  auto one = RunPasses(text);
  auto two = RunPasses(text, {.batch = 2});
  CHECK(two.shape("y") == "[2, 5]");
  CHECK(two.totals.macs.value() == 2 * one.totals.macs.value());
}

TEST_CASE("an If joins its branches, and folds when its condition is known") {
  const std::string body =
      " y = If (c) <then_branch = t () => (float[2, 4] p) { p = Concat<axis = 0>(x, x) },"
      " else_branch = e () => (float[1, 4] q) { q = Relu(x) }> }";
  auto open = RunPasses(kInferHead + "agraph (bool c, float[1, 4] x) => (float[a, b] y) {" + body);
  const Shape& joined = open.facts.values[test::ValueOf(open.graph, "y")].type.shape;
  REQUIRE(joined.rank() == 2);
  CHECK_FALSE(joined.dim(0).is_constant());
  CHECK(joined.dim(1).IsConstant(4));

  auto folded = RunPasses(kInferHead +
                          "agraph (float[1, 4] x) => (float[a, b] y) <int64[1] one = {1}> {"
                          " s = Shape<start = 0, end = 1>(x)  e0 = Equal(s, one)  c = Squeeze(e0)" +
                          body);
  CHECK(folded.shape("y") == "[2, 4]");
}

TEST_CASE("channels of a blocked layout are those of the weights that read them") {
  const char* const direct = " y = com.microsoft.nchwc.Conv(b, w)";
  const char* const depthwise =
      " p = com.microsoft.nchwc.MaxPool <kernel_shape = [1, 1]> (b)"
      " y = com.microsoft.nchwc.Conv <group = 32> (p, w)";
  struct {
    const char* what;
    const char* weights;
    const char* reader;
    const char* want;
  } const rows[] = {
      {"blocks of 16", "float[16, 32, 1, 1]", direct, "[1, 32, 4, 4]"},
      {"blocks of 8", "float[16, 24, 1, 1]", direct, "[1, 24, 4, 4]"},
      {"one filter a channel, behind a pool", "float[32, 1, 1, 1]", depthwise, "[1, 32, 4, 4]"},
      {"weights of another width", "float[16, 40, 1, 1]", direct, "[1, ?, 4, 4]"},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    auto run = RunPasses(std::string("<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft.nchwc\" : 1]>"
                                     " g (float[1, 20, 4, 4] x, ") +
                         row.weights + " w) => (float[1, a, 4, 4] y) { b = com.microsoft.nchwc.ReorderInput(x)" +
                         row.reader + " }");
    CHECK(run.shape("b") == row.want);
  }
}

TEST_CASE("what inference finds of a TensorFlow Lite file is what the file states of every tensor") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(absl::StrCat(HWEST_SOURCE_DIR, "/test/models/tflite"))) {
    INFO(entry.path());
    ++files;
    absl::StatusOr<RawModel> raw = ReadModelFile(entry.path());
    REQUIRE(raw.ok());
    const Graph stated = *BuildGraph(*ReadModelFile(entry.path()), {.role_of = &BuildRoleOf});
    raw->graph.value_info.clear();
    for (RawValueInfo& output : raw->graph.outputs) output.type = RawType();
    auto run = test::RunPasses(*BuildGraph(*std::move(raw), {.role_of = &BuildRoleOf}));
    for (const Diagnostic& diagnostic : run.diagnostics) CHECK(diagnostic.code == Code::kAssumed);
    for (size_t v = 0; v < stated.values().size(); ++v) {
      const Type* const type = stated.declared(ValueId(v));
      if (type == nullptr) continue;
      INFO(stated.name(ValueId(v)));
      const Type& found = run.facts.values[test::ValueOf(run.graph, stated.name(ValueId(v)))].type;
      CHECK(found.elem == type->elem);
      REQUIRE((found.shape.known() && found.shape.rank() == type->shape.rank()));
      for (int axis = 0; axis < found.shape.rank(); ++axis) {
        if (type->shape.dim(axis).is_constant()) CHECK(found.shape.dim(axis) == type->shape.dim(axis));
      }
    }
  }
  CHECK(files >= 11);
}

}  // namespace
}  // namespace hwest
