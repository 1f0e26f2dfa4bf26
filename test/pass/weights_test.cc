// What counts as a parameter, and how many elements packed weights have.
#include "pass/weights.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

// An initialiser of zeros, e.g. "uint8[5, 8] b".
std::string Zeros(const std::string& declaration, int count) {
  std::string text = declaration + " = {0";
  for (int i = 1; i < count; ++i) text += ", 0";
  return text + "}";
}

ParamTotals CountIn(const std::string& initialisers, const std::string& nodes) {
  const auto run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1, \"my\" : 1]> agraph (float[2, 16] x, uint8[2, "
      "16] q, "
      "float[1, 4, 5, 5] image, bool cond) => (float[a] y) <" +
      initialisers + "> { " + nodes + " }");
  return CountParams(run.graph, run.facts);
}

ParamTotals Count(const std::string& initialisers, const std::string& node) {
  return CountIn(initialisers, "y = " + node);
}

// The same tensors in Constant nodes: "float[2] b = {0, 0}" becomes "b = Constant<value = float[2] {0, 0}>()".
std::string AsConstants(const std::string& initialisers) {
  std::string nodes;
  for (absl::string_view part : absl::StrSplit(initialisers, '}', absl::SkipEmpty())) {
    part = absl::StripPrefix(part, ", ");
    const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(part, " = ");
    const size_t name = sides.first.rfind(' ');
    absl::StrAppend(&nodes, sides.first.substr(name + 1), " = Constant<value = ", sides.first.substr(0, name), " ",
                    sides.second, "}>() ");
  }
  return nodes;
}

TEST_CASE("packed weights count the elements the operator sees, their bytes stay those of the file") {
  struct Row {
    const char* name;
    std::string initialisers, node;
    int64_t params, bytes;
  };
  const std::string blob = Zeros("uint8[5, 1, 8] b", 40), scales = Zeros("float[5, 1] s", 5);
  const Row rows[] = {
      {"4 bits in blocks", blob + ", " + scales, "com.microsoft.MatMulNBits<K = 16, N = 5, block_size = 16>(x, b, s)",
       80, 40},
      {"4-bit floats", Zeros("uint8[40] b", 40) + ", " + scales,
       "com.microsoft.MatMulBnb4<K = 16, N = 5, block_size = 16, quant_type = 0>(x, b, s)", 80, 40},
      {"a blob with its shape", Zeros("uint8[44] b", 44) + ", int64[2] d = {16, 5}",
       "com.microsoft.MatMulFpQ4(x, b, d)", 80, 44},
      {"two to a byte", Zeros("uint8[5, 8] b", 40) + ", " + Zeros("uint8[5, 1] s", 5) + ", float[1] g = {1}",
       "com.microsoft.MatMulBlockQuantizedFp4Weight(x, b, s, g)", 80, 40},
      {"two projections, one of them with a bias",
       blob + ", " + Zeros("uint8[5, 1, 8] c", 40) + ", " + scales + ", " + Zeros("float[5] d", 5),
       "com.microsoft.MatMulNBitsMlp<K = 16, N = 5, block_size = 16, activation = \"silu\">(x, , , b, s, , c, s, d)",
       165, 100},
      {"2 bits, gathered", Zeros("uint8[3, 4] b", 12) + ", " + Zeros("float[3, 1] s", 3) + ", int64[1] i = {0}",
       "com.microsoft.GatherBlockQuantized<bits = 2, block_size = 16>(b, i, s)", 48, 12},
      {"integer weights, no scales",
       Zeros("int8[16, 5] b", 80) + ", float[1] s = {1}, int8[1] z = {0}, float[1] t = {1}",
       "com.microsoft.MatMulIntegerToFloat(q, b, s, t, , z)", 80, 80},
      {"the bias of a quantised convolution",
       Zeros("int8[5, 4, 1, 1] b", 20) + ", float[1] s = {1}, uint8[1] z = {0}, int8[1] v = {0}, " +
           Zeros("int32[5] c", 5),
       "QLinearConv(q, s, z, b, s, v, s, z, c)", 25, 25},
      {"the integers of an integer convolution", Zeros("int8[5, 4, 1, 1] b", 20), "ConvInteger(q, b)", 20, 20},
      {"those of another operator of that name", Zeros("int8[5, 4, 1, 1] b", 20), "my.ConvInteger(q, b)", 0, 0},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const ParamTotals totals = Count(row.initialisers, row.node);
    CHECK(totals.params == row.params);
    CHECK(totals.params_by_use == row.params);
    CHECK(totals.stored_bytes == row.bytes);
    // Wherever the file keeps them.
    const ParamTotals in_nodes = CountIn("", AsConstants(row.initialisers) + "y = " + row.node);
    CHECK(in_nodes.params == row.params);
    CHECK(in_nodes.params_by_use == row.params);
    CHECK(in_nodes.stored_bytes == row.bytes);
  }
}

TEST_CASE("tensors in Constant nodes are weights where they end in a weight's place") {
  struct Row {
    const char* name;
    std::string constants, nodes;
    int64_t params, by_use, buffers, bytes;
  };
  const std::string filter = Zeros("float[8, 4, 1, 1] w", 32), matrix = Zeros("float[16, 8] m", 128);
  const std::string row8 = Zeros("float[8] b", 8);
  // clang-format off
  const Row rows[] = {
      {"a filter and its bias", filter + ", " + row8, "y = Conv(image, w, b)", 40, 40, 0, 160},
      {"a matrix on either side", matrix + ", " + Zeros("float[3, 2] l", 6), "h = MatMul(x, m) y = MatMul(l, h)", 134,
       134, 0,
       536},
      {"tied", matrix, "a = MatMul(x, m) h = MatMul(x, m) y = Add(a, h)", 128, 256, 0, 512},
      {"a bias as a sum, a scale as a product", matrix + ", " + row8 + ", " + Zeros("float[1, 8] s", 8),
       "h = MatMul(x, m) t = Add(h, b) y = Mul(s, t)", 144, 144, 0, 576},
      {"single numbers and masks", matrix + ", float h = {0.5}, " + Zeros("float[2, 8] mask", 16),
       "a = MatMul(x, m) t = Mul(a, h) y = Add(t, mask)", 128, 128, 0, 512},
      {"what is added to a product of activations", Zeros("float[1, 2] mask", 2),
       "t = Transpose(x) a = MatMul(x, t) y = Add(a, mask)", 0, 0, 0, 0},
      {"a grid and factors of positions", Zeros("float[2, 16] g", 32) + ", " + Zeros("float[1, 16] s", 16),
       "t = Sub(x, g) y = Mul(t, s)", 0, 0, 0, 0},
      {"scales and statistics of a normalisation",
       Zeros("float[4] s", 4) + ", " + Zeros("float[4] b", 4) + ", " + Zeros("float[4] m", 4) + ", " +
       Zeros("float[4] v", 4),
       "y = BatchNormalization(image, s, b, m, v)", 8, 8, 8, 64},
      {"a table and indices", Zeros("float[9, 3] t", 27) + ", " + Zeros("int64[4] at", 4), "y = Gather(t, at)", 27, 27,
       0, 108},
      {"integers that are dequantised", Zeros("int8[16, 8] m", 128) + ", float s = {1}, int8 z = {0}",
       "d = DequantizeLinear(m, s, z) y = MatMul(x, d)", 128, 128, 0, 128},
      {"gates put in another order before the run",
       Zeros("float[16, 8] m", 128) + ", int64[1] n = {0}, int64[1] f = {4}, int64[1] e = {8}, int64[1] a = {1}",
       "p = Slice(m, n, f, a) r = Slice(m, f, e, a) w = Concat<axis = 1>(r, p) y = MatMul(x, w)", 128, 256, 0, 512},
      {"a canvas", Zeros("float[2, 16] o", 32) + ", " + Zeros("int64[2, 16] at", 32), "y = ScatterElements(o, at, x)",
       0, 0, 0,
       0},
      {"shapes and axes", "int64[2] s = {4, 8}, int64[1] a = {0}", "h = Reshape(x, s) y = Unsqueeze(h, a)", 0, 0, 0, 0},
      {"nobody's", matrix, "h = MatMul(x, m) y = Relu(x)", 0, 0, 0, 0},
      {"of a branch", "",
       "y = If(cond) <then_branch = t () => (float[2, 8] p) { " + AsConstants(matrix) + " p = MatMul(x, m) }, "
       "else_branch = e () => (float[2, 8] r) { " + AsConstants(Zeros("float[16, 8] n", 128)) + " r = MatMul(x, n) }>",
       256, 256, 0, 1024},
  };
  // clang-format on
  for (const Row& row : rows) {
    INFO(row.name);
    const ParamTotals totals = CountIn("", AsConstants(row.constants) + row.nodes);
    CHECK(totals.params == row.params);
    CHECK(totals.params_by_use == row.by_use);
    CHECK(totals.buffers == row.buffers);
    CHECK(totals.stored_bytes == row.bytes);
  }
}

TEST_CASE("what a node's row counts is what the model counts") {
  const auto run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[2, 16] x) => (float[a] y) { " +
      AsConstants(Zeros("float[16, 8] m", 128) + ", " + Zeros("float[8] b", 8)) + " h = MatMul(x, m) y = Add(h, b) }");
  const Weights weights(run.graph);
  CHECK(weights.Elements(test::NodeOf(run.graph, "h")) == 128);
  CHECK(weights.Elements(test::NodeOf(run.graph, "y")) == 8);
}

TEST_CASE("trees and coefficients in attributes are weights") {
  const std::string head =
      "<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.ml\" : 3]> agraph (float[5, 3] x) => (y) { y = ";
  const auto forest = test::RunPasses(
      head +
      "ai.onnx.ml.TreeEnsembleRegressor<nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, "
      "0, 0],"
      " nodes_values = [0.5, 0.0, 0.0], nodes_hitrates = [1.0, 1.0, 1.0], nodes_truenodeids = [1, 0, 0],"
      " nodes_falsenodeids = [2, 0, 0], nodes_modes = [\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], target_treeids = [0, 0],"
      " target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [1.0, 2.0]>(x) }");
  const ParamTotals trees = CountParams(forest.graph, forest.facts);
  CHECK(trees.params == 5);  // thresholds and leaves
  CHECK(trees.stored_bytes == 8 * 4 + 5 * 3 + 3 * 2 + 10 + 4 + 4);
  const auto& reads = forest.tables.traffic[test::NodeOf(forest.graph, "y")]->weight_bytes;
  CHECK(reads.is_constant());
  CHECK(reads.value() > 0);
  CHECK(reads.value() <= trees.stored_bytes);
  const auto run = test::RunPasses(head +
                                   "ai.onnx.ml.LinearRegressor<coefficients = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "
                                   "intercepts = [1.0, 2.0], targets = 2>(x) }");
  const ParamTotals linear = CountParams(run.graph, run.facts);
  CHECK(linear.params == 8);
  CHECK(linear.stored_bytes == 32);
  CHECK(run.tables.traffic[test::NodeOf(run.graph, "y")]->weight_bytes == Dim(32));
}

}  // namespace
}  // namespace hwest
