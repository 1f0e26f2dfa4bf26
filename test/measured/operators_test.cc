#include "measured/operators.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr char kOperatorHead[] =
    "source,hwest_target,unit,runtime,precision,onnx_ops,input_shapes,weight_shape,output_shape,attributes,time_us\n";

std::vector<MeasuredOperator> Parsed(const std::string& rows) {
  auto parsed = ParseOperators(absl::StrCat(kOperatorHead, rows), "ops.csv");
  REQUIRE(parsed.ok());
  return *std::move(parsed);
}

}  // namespace

TEST_CASE("a row of operators is read with shapes and attributes") {
  const MeasuredOperator row =
      Parsed("s,rk3588,NPU,x,int8 (guessed),Conv+Relu,1x3x8x8;1x4x4x4,4x3x3x3,1x4x4x4,kernel=3x3 stride=2x2,12.5\n")[0];
  CHECK(row.unread.empty());
  CHECK(row.precision == "int8");
  CHECK(row.inputs == std::vector<MeasuredOperator::Shape>{{1, 3, 8, 8}, {1, 4, 4, 4}});
  CHECK(row.weight == MeasuredOperator::Shape{4, 3, 3, 3});
  CHECK(row.Attribute("stride") == "2x2");
  CHECK(row.Attribute("groups").empty());
  CHECK(row.seconds == Approx(12.5e-6));
  CHECK(row.shapes == "1x3x8x8;1x4x4x4 * 4x3x3x3 > 1x4x4x4");
}

TEST_CASE("named sizes of inputs are attributes") {
  const MeasuredOperator row = Parsed("s,a100,GPU,x,fp16,Attention,q=4x8x64x128 kv_heads=2,,,step=7,12\n")[0];
  CHECK(row.inputs.empty());
  CHECK(row.Attribute("q") == "4x8x64x128");
  CHECK(row.Attribute("kv_heads") == "2");
  CHECK(row.Attribute("step") == "7");
}

TEST_CASE("what a profiler adds to a layer is taken off") {
  struct Case {
    std::string runtime, source;
    double time_us, left_us;  // 0 = nothing is left that could be told from it
  };
  const auto c = GENERATE(values<Case>({
      {"TensorRT 8.x (trtexec)", "s", 50, 45.5},
      {"TensorRT 8.x (trtexec)", "s", 7, 0},
      {"rknn-toolkit2 2.3.0 eval_perf", "s", 128, 100},
      {"rknn-toolkit2/rknnrt 1.5.0 eval_perf(perf_debug)", "s", 157, 100},
      {"rknnrt 1.6/2.0 perf_detail", "s", 179.5, 100},
      {"PyTorch", "s", 3, 3},
  }));
  INFO(c.runtime << " " << c.time_us);
  const MeasuredOperator row =
      Parsed(absl::StrCat(c.source, ",t,NPU,", c.runtime, ",int8,Relu,1x2,,1x2,,", c.time_us, "\n"))[0];
  CHECK(row.unread.empty() == (c.left_us > 0));
  if (c.left_us > 0) CHECK((row.seconds + row.overhead_s) == Approx(c.time_us * 1e-6));
  if (c.left_us > 0) CHECK(row.seconds == Approx(c.left_us * 1e-6));
}

TEST_CASE("a column may state the overhead itself") {
  const auto rows = ParseOperators(
      "hwest_target,unit,precision,runtime,onnx_ops,input_shapes,output_shape,time_us,overhead_us\n"
      "t,GPU,fp16,TensorRT,Relu,1x2,1x2,9,1\n",
      "ops.csv");
  REQUIRE(rows.ok());
  CHECK((*rows)[0].seconds == Approx(8e-6));
}

TEST_CASE("rows that cannot be predicted say why") {
  struct Case {
    std::string row, why;
  };
  const auto c = GENERATE(values<Case>({
      {"s,,NPU,x,int8,Relu,1x2,,1x2,,5", "no target stands for the device"},
      {"s,t,NPU,x,int8,Relu,1x2,,1x2,,", "no time"},
      {"s,t,NPU,x,int8,Relu,1x2,,1x2,,nan", "no time"},
      {"s,t,NPU,x,int8,Relu,1x2,,1x2,,0", "took no time"},
      {"s,t,NPU,x,int8,Relu,1x2,,1x2,,-4", "took no time"},
  }));
  CHECK(Parsed(c.row + "\n")[0].unread == c.why);
}

TEST_CASE("sizes are whole, not negative and of few axes") {
  for (const char* text : {"", "1x", "x", "1x-2", "1xn", "1x99999999999", "1x1x1x1x1x1x1x1x1"}) {
    CHECK(SizesIn(text).empty());
  }
  CHECK(SizesIn("7") == MeasuredOperator::Shape{7});
}

TEST_CASE("a table without the needed columns is refused by their names") {
  const auto rows = ParseOperators("model,device,value\na,b,1\n", "measured.csv");
  REQUIRE(!rows.ok());
  CHECK(std::string(DiagnosticOf(rows.status()).message).find("input_shapes") != std::string::npos);
}

}  // namespace hwest::test
