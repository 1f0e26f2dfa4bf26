#include "pass/work.h"

#include <string>

#include "pass/modules.h"
#include "pass/pass_fixture.h"
#include "pass/weights.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::RunPasses;

const std::string kWorkHead = "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> ";

TEST_CASE("classes of nodes") {
  auto run = RunPasses(kWorkHead +
                       "agraph (float[n, 8] x, float[n, 8] z) => (float[a] y, float[8, n] t, float o)"
                       " <float[8] w = {1,2,3,4,5,6,7,8}, float[8] v = {1,2,3,4,5,6,7,8}, int64[1] minus = {-1}> {"
                       " s = Shape(x)  p = ReduceProd(s)  folded = Mul(w, v)  m = Mul(x, folded)  o = my.Foo(m)"
                       " r = Reshape(m, p)  k = Cast<to = 1>(r)  y = Relu(k)  t = Transpose(z) }");
  CHECK(run.class_of("s") == NodeClass::kShape);
  CHECK(run.class_of("p") == NodeClass::kShape);
  CHECK(run.class_of("folded") == NodeClass::kConstant);
  CHECK(run.class_of("m") == NodeClass::kCompute);
  CHECK(run.class_of("o") == NodeClass::kOpaque);
  CHECK(run.class_of("r") == NodeClass::kView);
  CHECK(run.class_of("k") == NodeClass::kView);
  CHECK(run.class_of("t") == NodeClass::kLayout);
}

TEST_CASE("Dropout computes where a run is not known to be one of inference") {
  struct Row {
    const char* name;
    int opset;
    std::string node;
    NodeClass expected;
  };
  const Row rows[] = {
      {"inference by default", 17, "Dropout(x)", NodeClass::kView},
      {"inference, stated", 17, "Dropout(x, ratio, no)", NodeClass::kView},
      {"training", 17, "Dropout(x, ratio, yes)", NodeClass::kCompute},
      {"training, no ratio", 12, "Dropout(x, , yes)", NodeClass::kCompute},
      {"an input decides", 17, "Dropout(x, ratio, mode)", NodeClass::kCompute},
      {"versions for inference alone", 9, "Dropout<ratio = 0.5>(x)", NodeClass::kView},
      {"a test", 6, "Dropout<is_test = 1>(x)", NodeClass::kView},
      {"no test", 6, "Dropout(x)", NodeClass::kCompute},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    auto run = RunPasses("<ir_version: 8, opset_import: [\"\" : " + std::to_string(row.opset) +
                         "]> agraph (float[2, 3] x, bool mode) => (float[2, 3] y)"
                         " <float ratio = {0.5}, bool yes = {1}, bool no = {0}> { y = " +
                         row.node + " }");
    CHECK(run.class_of("y") == row.expected);
    const bool computes = row.expected == NodeClass::kCompute;
    CHECK(run.tables.work[test::NodeOf(run.graph, "y")]->op(OpKind::kMul) == Dim(computes ? 6 : 0));
    CHECK(run.tables.traffic[test::NodeOf(run.graph, "y")]->out_bytes == Dim(computes ? 24 : 0));
  }
}

TEST_CASE("strings and entries of maps are counted one by one, in bytes that programs hold them in") {
  const auto run = RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 20, \"ai.onnx.ml\" : 3]>"
      " agraph (float[7, 3] x, string[4] s, int64[2] i) => (z, t, g) {"
      " z = ai.onnx.ml.ZipMap<classlabels_int64s = [0, 1, 2]>(x)"
      " t = StringConcat(s, s)  g = Gather(s, i) }");
  const NodeId zip = test::NodeOf(run.graph, "z"), joined = test::NodeOf(run.graph, "t");
  CHECK(run.tables.work[zip]->visits == Dim(21));
  CHECK(run.tables.traffic[zip]->out_bytes == Dim(21 * 64));
  CHECK(run.tables.work[joined]->visits == Dim(12));
  CHECK(run.tables.traffic[joined]->in_bytes == Dim(8 * 32));
  CHECK(run.tables.work[test::NodeOf(run.graph, "g")]->visits == Dim(4));
}

TEST_CASE("totals are symbolic, leave constants out, and scale with the batch") {
  // clang-format off
  const test::Message graph =
      test::Message()
          .Sub(1, test::Node("MatMul", {"w", "u"}, {"wu"}))
          .Sub(1, test::Node("MatMul", {"x", "wu"}, {"y"}))
          .Sub(5, test::ExternalTensor("w", 1, {16, 8}, "weights.bin", "0", "512"))
          .Sub(5, test::ExternalTensor("u", 1, {8, 8}, "weights.bin", "512", "256"))
          .Sub(11, test::Message().Bytes(1, "x").Sub(2, test::Message().Sub(1, test::Message().Varint(1, 1).Sub(2,
              test::Message().Sub(1, test::Message().Bytes(2, "n")).Sub(1, test::Message().Varint(1, 16))))))
          .Sub(12, test::TensorValue("y", 1, {}));
  // clang-format on
  auto built = test::BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  auto run = RunPasses(*std::move(built));
  CHECK(run.dims.ToString(run.totals.macs) == "128*n");
  CHECK(run.dims.ToString(run.totals.flops) == "256*n");
  CHECK(run.class_of("wu") == NodeClass::kConstant);
}

TEST_CASE("a node whose rule refuses its inputs has no count, whatever its output is declared to be") {
  const auto run = RunPasses(kWorkHead +
                             "agraph (float[8] x, float[2, 5] rois) => (float[2, 3, 4, 4] y) {"
                             " y = MaxRoiPool<pooled_shape = [4, 4]>(x, rois) }");
  const NodeId node = test::NodeOf(run.graph, "y");
  CHECK(run.facts.refused.contains(node));
  CHECK_FALSE(run.tables.work[node].has_value());
}

TEST_CASE("a gradient costs twice the function it differentiates") {
  const std::string head = "<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.preview.training\" : 1]> ";
  auto run = RunPasses(head +
                       "agraph (float[4, 8] x, float[8, 2] w, float[4, 8] z) => (float[8, 2] dw, float[8, 2] unseen) {"
                       " h = Relu(z)  p = MatMul(x, w)  y = Relu(p)"
                       " dw = ai.onnx.preview.training.Gradient<xs = [\"w\"], zs = [\"x\"], y = \"y\">(w, x)"
                       " unseen = ai.onnx.preview.training.Gradient<xs = [\"w\"], y = \"dw\">(w) }");
  const auto& work = run.tables.work[test::NodeOf(run.graph, "dw")];
  REQUIRE(work.has_value());
  CHECK(work->macs == Dim(128));
  CHECK(work->op(OpKind::kCompare) == Dim(16));
  CHECK(run.tables.work[test::NodeOf(run.graph, "unseen")]->macs.is_unknown());
}

TEST_CASE("only the most expensive branch of an If counts") {
  auto run = RunPasses(kWorkHead +
                       "agraph (bool c, float[4, 4] x) => (float[4, 4] y) { y = If (c)"
                       " <then_branch = t () => (float[4, 4] p) { p = MatMul(x, x) },"
                       " else_branch = e () => (float[4, 4] q) { q0 = MatMul(x, x)  q = MatMul(q0, x) }> }");
  CHECK(run.dims.ToString(run.totals.macs) == "128");
  const auto counts = CountNodes(run.graph, run.tables, run.runs, run.dims);
  CHECK(counts[test::NodeOf(run.graph, "p")].macs == 0);
  CHECK(counts[test::NodeOf(run.graph, "q")].macs == 64);
}

TEST_CASE("parameters by tensor, by use, and buffers") {
  const test::Message graph = test::Message()
                                  .Sub(1, test::Node("Conv", {"x", "w"}, {"a"}))
                                  .Sub(1, test::Node("Identity", {"w"}, {"w2"}))
                                  .Sub(1, test::Node("Conv", {"x", "w2"}, {"b"}))
                                  .Sub(1, test::Node("BatchNormalization", {"a", "s", "o", "mean", "var"}, {"c"}))
                                  .Sub(1, test::Node("Add", {"b", "c"}, {"y"}))
                                  .Sub(1, test::Node("Gather", {"y", "index"}, {"z"}))
                                  .Sub(5, test::ExternalTensor("w", 1, {4, 3, 1, 1}, "weights.bin", "0", "48"))
                                  .Sub(5, test::ExternalTensor("s", 1, {4}, "weights.bin", "48", "16"))
                                  .Sub(5, test::ExternalTensor("o", 1, {4}, "weights.bin", "64", "16"))
                                  .Sub(5, test::ExternalTensor("mean", 1, {4}, "weights.bin", "80", "16"))
                                  .Sub(5, test::ExternalTensor("var", 1, {4}, "weights.bin", "96", "16"))
                                  .Sub(5, test::RawTensor("index", 7, {1}, std::string(8, '\0')))
                                  .Sub(11, test::TensorValue("x", 1, {1, 3, 8, 8}))
                                  .Sub(12, test::TensorValue("z", 1, {1, 4, 8, 8}));
  auto built = test::BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  const ParamTotals totals = CountParams(*built, Facts());
  CHECK(totals.params == 12 + 4 + 4);
  CHECK(totals.params_by_use == 12 + 12 + 4 + 4);
  CHECK(totals.buffers == 8);
}

TEST_CASE("modules roll up to every ancestor") {
  const auto node = [](const char* op, const char* name, const char* in, const char* out) {
    return test::Node(op, {in}, {out}).Bytes(3, name);
  };
  const test::Message graph = test::Message()
                                  .Sub(1, node("Relu", "/a/b/Relu", "x", "p"))
                                  .Sub(1, node("Relu", "/a/Relu", "p", "q"))
                                  .Sub(1, node("Relu", "plain", "q", "y"))
                                  .Sub(11, test::TensorValue("x", 1, {10}))
                                  .Sub(12, test::TensorValue("y", 1, {10}));
  auto built = test::BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  auto run = RunPasses(*std::move(built));
  const auto counts = CountNodes(run.graph, run.tables, run.runs, run.dims);
  const auto rows = RollUpModules(run.graph, run.classes, run.tables.work, run.runs, run.dims);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].path.empty());
  CHECK(rows[0].nodes == 3);
  CHECK(rows[0].flops.IsConstant(30));
  CHECK(rows[1].path == "a");
  CHECK(rows[1].flops.IsConstant(20));
  CHECK(rows[2].path == "a/b");
  CHECK(rows[2].flops.IsConstant(10));
  CHECK(run.graph.OriginOf(NodeId(0u)) == Origin::kModule);
  CHECK(run.graph.OriginOf(NodeId(1u)) == Origin::kFunction);
  CHECK(run.graph.OriginOf(NodeId(2u)) == Origin::kUnknown);
}

}  // namespace
}  // namespace hwest
