// ONNX Runtime's operators on quantised tensors.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("integer products with float results") {
  // clang-format off
  CheckRows({
      {"quantised on the fly",
       {.op = "com.microsoft::DynamicQuantizeMatMul",
        .inputs = {"float[2, 4]", "const int8[4, 3]", "float[3]", "int8[3]", "float[3]"}},
       {"float[2, 3]"}, "24", "add=14 mul=8 compare=24", "matmul 1x2x3x4", "24"},
      {"scaled back",
       {.op = "com.microsoft::MatMulIntegerToFloat",
        .inputs = {"uint8[2, 4]", "const int8[4, 3]", "float16[]", "float16[3]"}},
       {"float16[2, 3]"}, "24", "add=6 mul=6", "matmul 1x2x3x4", "24"},
      {"scaled back, with a bias",
       {.op = "com.microsoft::MatMulIntegerToFloat",
        .inputs = {"uint8[2, 4]", "const int8[4, 3]", "float[]", "float[3]", "", "", "float[3]"}},
       {"float[2, 3]"}, "24", "add=12 mul=6", "matmul 1x2x3x4", "24"},
      {"in the order of the library",
       {.op = "com.microsoft::QOrderedMatMul",
        .inputs = {"int8[1, 2, 4]", "float[]", "const int8[4, 3]", "float[]", "float[]", "float[3]"}},
       {"int8[1, 2, 3]"}, "24", "add=6", "matmul 1x2x3x4", "24"},
  });
  // clang-format on
}

TEST_CASE("QLinear operators: element-wise between two quantisations") {
  const auto unary = [](const std::string& op) {
    return OpCase{.op = op, .inputs = {"uint8[2, 3]", "float[]", "uint8[]", "float[]", "uint8[]"}};
  };
  // clang-format off
  CheckRows({
      {"product",
       {.op = "com.microsoft::QLinearMul",
        .inputs = {"uint8[2, 3]", "float[]", "uint8[]", "uint8[3]", "float[]", "uint8[]", "float[]", "uint8[]"}},
       {"uint8[2, 3]"}, "0", "add=18 mul=12"},
      {"choice",
       {.op = "com.microsoft::QLinearWhere",
        .inputs = {"bool[2, 1]", "int8[3]", "float[]", "int8[]", "int8[2, 3]", "float[]", "int8[]", "float[]",
                   "int8[]"}},
       {"int8[2, 3]"}, "0", "add=12 mul=12 compare=6"},
      {"LeakyRelu", unary("com.microsoft::QLinearLeakyRelu"), {"uint8[2, 3]"}, "0", "add=12 mul=12 compare=6"},
      {"Sigmoid", unary("com.microsoft::QLinearSigmoid"), {"uint8[2, 3]"}, "0",
       "add=12 mul=12 compare=6 transcendental=6"},
      {"Softmax", unary("com.microsoft::QLinearSoftmax"), {"uint8[2, 3]"}, "0",
       "add=18 mul=12 compare=12 transcendental=6"},
      {"concatenation",
       {.op = "com.microsoft::QLinearConcat",
        .inputs = {"float[]", "uint8[]", "uint8[2, 3]", "float[]", "uint8[]", "uint8[2, N]", "float[]", "uint8[]"},
        .attrs = {Int("axis", -1)}},
       {"uint8[2, N + 3]"}, "0", "add=2*N + 6 mul=2*N + 6 compare=2*N + 6"},
      {"mean",
       {.op = "com.microsoft::QLinearReduceMean",
        .inputs = {"uint8[2, 3, 4]", "float[]", "uint8[]", "float[]", "uint8[]"},
        .attrs = {Ints("axes", {1, 2}), Int("keepdims", 0)}},
       {"uint8[2]"}, "0", "add=26 mul=2 compare=2"},
      {"difference of zero points, int32",
       {.op = "com.microsoft::MulInteger", .inputs = {"uint8[2, 3]", "uint8[]", "uint8[3]"}}, {"int32[2, 3]"}, "0",
       "integer=18"},
      {"unsigned sum", {.op = "com.microsoft::ReduceSumInteger", .inputs = {"uint8[2, 3]"},
                        .attrs = {Ints("axes", {1}), Int("keepdims", 1)}},
       {"uint32[2, 1]"}, "0", "integer=6"},
      {"signed sum", {.op = "com.microsoft::ReduceSumInteger", .inputs = {"int8[2, 3]"},
                      .attrs = {Ints("axes", {1}), Int("keepdims", 0)}},
       {"int32[2]"}, "0", "integer=6"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::QLinearMul", .inputs = {"uint8[2, 3]"}}, "input 3 is absent");
}

TEST_CASE("conversions") {
  // clang-format off
  CheckRows({
      {"16 bits", {.op = "com.microsoft::QuantizeLinear", .inputs = {"float[2, 3]", "float[]", "uint16[]"}},
       {"uint16[2, 3]"}, "0", "add=6 mul=6 compare=6"},
      {"and back", {.op = "com.microsoft::DequantizeLinear", .inputs = {"uint16[2, 3]", "float16[]", "uint16[]"}},
       {"float16[2, 3]"}, "0", "add=6 mul=6"},
      {"ordered", {.op = "com.microsoft::QuantizeWithOrder", .inputs = {"float16[2, 3]", "float[]"}}, {"int8[2, 3]"},
       "0", "add=6 mul=6 compare=6"},
      {"ordered, back", {.op = "com.microsoft::DequantizeWithOrder", .inputs = {"int8[2, 3]", "float[]"},
                         .attrs = {Int("to", 10)}},
       {"float16[2, 3]"}, "0", "add=6 mul=6"},
      {"ordered GELU", {.op = "com.microsoft::QOrderedGelu", .inputs = {"int8[2, 3]", "float[]", "float[]"}},
       {"int8[2, 3]"}, "0", "add=6 mul=24 compare=6 transcendental=6"},
      {"ordered normalisation",
       {.op = "com.microsoft::QOrderedLayerNormalization", .inputs = {"int8[2, 3]", "float[]", "float[3]"}},
       {"int8[2, 3]"}, "0", "add=24 mul=30 compare=6"},
      {"block floating point, back",
       {.op = "com.microsoft::DequantizeBFP", .inputs = {"uint8[K]", "int64[2] = {2, 3}", "int64[2]"}},
       {"float[2, 3]"}, "0", "add=6 mul=6"},
      {"block floating point of a known rank",
       {.op = "com.microsoft::DequantizeBFP", .inputs = {"uint8[K]", "int64[2]", "int64[2]"},
        .attrs = {Int("dtype", 16)}},
       {"bfloat16[?, ?]"}, "0", "add=? mul=?"},
  });
  // clang-format on
}

TEST_CASE("QuantizeBFP tells shape and strides") {
  const OpRun run = RunOp({.op = "com.microsoft::QuantizeBFP", .inputs = {"float[N, 3]"}, .outputs = 3});
  CHECK(run.type(1) == "int64[2]");
  CHECK(run.known(1) == "{N, 3}");
  CHECK(run.known(2) == "{3, 1}");
  const Dim bytes = run.view().out(0).shape.dim(0);
  CHECK(run.text(run.dims->symbol(run.dims->AsSymbol(bytes)).max_expr) == "12*N");
  CHECK(run.ops() == "add=3*N mul=3*N compare=3*N");
}

}  // namespace
}  // namespace hwest
