#include "fit/operators.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "fit/operator_graph.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kColumns[] =
    "hwest_target,unit,precision,op_type,onnx_ops,input_shapes,weight_shape,output_shape,attributes,time_us\n";

std::vector<MeasuredOperator> RowsFrom(const std::string& rows) {
  auto parsed = ParseOperators(absl::StrCat(kColumns, rows), "ops.csv");
  REQUIRE(parsed.ok());
  return *std::move(parsed);
}

// Operators of the graph, in order.
std::string OpsOf(const std::string& row) {
  const auto graph = OperatorGraph(RowsFrom(row)[0]);
  if (!graph.ok()) return std::string(graph.status().message());
  std::string ops;
  for (size_t n = 0; n < (*graph)->nodes().size(); ++n)
    absl::StrAppend(&ops, n > 0 ? " " : "", (*graph)->op(NodeId(n)));
  return ops;
}

OperatorValidation Validated(const std::string& rows) {
  auto found = ValidateOperators(RowsFrom(rows), {});
  REQUIRE(found.ok());
  return *std::move(found);
}

}  // namespace

TEST_CASE("a row becomes the graph that it describes") {
  struct Case {
    std::string row, ops;
  };
  const auto c = GENERATE(values<Case>({
      {"t,NPU,int8,,Conv,1x3x8x8,4x3x3x3,1x4x8x8,pad=1x1x1x1,5", "Conv"},
      {"t,NPU,int8,,Conv+Sigmoid+Mul,1x3x8x8,4x3x1x1,1x4x8x8,,5", "Conv Sigmoid Mul"},
      {"t,NPU,int8,,Conv+Relu+Add,1x3x8x8;1x4x8x8,4x3x1x1,1x4x8x8,,5", "Conv Relu Add"},
      {"t,NPU,int8,,Conv+Add,1x3x8x8,4x3x1x1,1x4x8x8,,5", "Conv"},  // the sum's other side is not stated
      {"t,GPU,int8,,fc.weight+QuantizeLinear+Gemm,2x8x1x1,4x8x1x1,2x4x1x1,,5", "Conv"},
      {"t,GPU,fp16,,MatMul,16x8,8x4,16x4,,5", "MatMul"},
      {"t,GPU,fp16,,Gemm,16x8,4x8,16x4,,5", "MatMul"},
      {"t,GPU,fp16,,Gemm,16x8;8x4,,16x4,,5", "MatMul"},
      {"t,GPU,fp16,,SiLU*Mul,4x16,,4x8,,5", "Split Sigmoid Mul Mul"},
      {"t,GPU,fp16,,Attention(MatMul+Softmax+MatMul),q=1x8x1x64 kv_heads=2,,,step=63,5", "Attention"},
      {"t,NPU,int8,,Concat,1x2x4x4;1x6x4x4,,1x8x4x4,,5", "Concat"},
      {"t,NPU,int8,,Split,1x8x4x4,,1x2x4x4;1x6x4x4,,5", "Split"},
      {"t,NPU,int8,,MaxPool,1x8x4x4,,1x8x2x2,,5", "MaxPool"},
      {"t,NPU,int8,,Transpose,1x8x4x2,,1x4x2x8,,5", "Transpose"},
      {"t,NPU,int8,,RoPE,1x8,,1x8,,5", "no graph for 'RoPE'"},
      {"t,NPU,int8,,Conv,1x3x8x8,,1x4x8x8,,5", "weight shape not stated"},
      {"t,NPU,int8,,Concat,1x2x4x4,,1x2x4x4,,5", "the axis that is joined does not follow from the shapes"},
      {"t,GPU,fp16,,MatMul,16x9,8x4,16x4,,5", "sizes of the product do not fit"},
      {"t,NPU,int8,,MaxPool,1x8x4x4,,1x8x0x2,,5", "pooled values are no images"},
      {"t,NPU,int8,,Softmax,,,,,5", "input shape not stated"},
  }));
  INFO(c.row);
  CHECK(OpsOf(c.row) == c.ops);
}

TEST_CASE("operators are predicted as kernels of their own and pooled") {
  const OperatorValidation found = Validated(
      "rk3588,NPU,int8,,Conv+Relu,1x64x80x80,64x64x3x3,1x64x80x80,pad=1x1x1x1,400\n"
      "rk3588,NPU,int8,,Conv+Relu,1x64x80x80,64x64x3x3,1x64x80x80,pad=1x1x1x1,800\n"
      "rk3588,NPU,int8,,Concat,1x64x80x80;1x64x80x80,,1x128x80x80,,300\n"
      "rk3588,NPU,int8,,RoPE,1x8,,1x8,,5\n"
      "no-such,NPU,int8,,Relu,1x8,,1x8,,5\n");
  REQUIRE(found.points.size() == 3);
  CHECK(found.points[0].estimate.time_s == found.points[1].estimate.time_s);
  CHECK(found.points[0].factor() == Approx(2 * found.points[1].factor()));
  CHECK(found.points[0].operator_class == "conv");
  REQUIRE(found.pools.size() == 2);
  const OperatorPool& conv = found.pools[found.pools[0].operator_class == "conv" ? 0 : 1];
  CHECK(conv.n == 2);
  CHECK(conv.median_factor == Approx(1.5 * found.points[1].factor()));
  CHECK(conv.p10 < conv.p90);
  CHECK(found.devices.size() == 2);
  size_t skipped = 0;
  for (const SkippedRows& row : found.skipped) skipped += row.count;
  CHECK(skipped == 2);
}

TEST_CASE("a fused activation takes no less than the operator alone") {
  const OperatorValidation found = Validated(
      "rk3588,NPU,int8,,Conv,1x64x80x80,64x64x1x1,1x64x80x80,,400\n"
      "rk3588,NPU,int8,,Conv+Sigmoid+Mul,1x64x80x80,64x64x1x1,1x64x80x80,,400\n");
  REQUIRE(found.points.size() == 2);
  CHECK(found.points[0].estimate.time_s <= found.points[1].estimate.time_s);
}

TEST_CASE("sizes beyond counting are skipped, not counted wrong") {
  const OperatorValidation found = Validated(
      "rk3588,NPU,int8,,MatMul,999999999x999999999,999999999x999999999,,,5\n"
      "rk3588,NPU,int8,,Concat,1000000000x1000000000x1000000000;0x1x1,,1x1x7,,5\n"
      "rk3588,NPU,int8,,Conv,1x3x4x4,4x3x9x9,1x4x4x4,groups=0 stride=0x0 pad=0x0,5\n");
  for (const OperatorPoint& point : found.points) CHECK(point.estimate.time_s > 0);
  CHECK(found.points.size() <= 1);
}

}  // namespace hwest::test
