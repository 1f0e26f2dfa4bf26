#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("quantisation: result types") {
  // clang-format off
  CheckRows({
      {"type of the zero point", {.op = "QuantizeLinear", .inputs = {"float[2, 3]", "float[]", "int8[]"}},
       {"int8[2, 3]"}, "0", "add=6 mul=6 compare=6"},
      {"uint8 without a zero point", {.op = "QuantizeLinear", .inputs = {"float[2]", "float[]"}}, {"uint8[2]"}, "0",
       "add=2 mul=2 compare=2"},
      {"output_dtype", {.op = "QuantizeLinear", .opset = 21, .inputs = {"float[2]", "float[]"},
                        .attrs = {Int("output_dtype", 22)}},
       {"int4[2]"}, "0", "add=2 mul=2 compare=2"},
      {"type of the scale", {.op = "DequantizeLinear", .inputs = {"int8[4]", "float16[]", "int8[]"}},
       {"float16[4]"}, "0", "add=4 mul=4"},
      {"dynamic", {.op = "DynamicQuantizeLinear", .inputs = {"float[N, 2]"}}, {"uint8[N, 2]", "float[]", "uint8[]"},
       "0", "add=2*N mul=2*N compare=6*N"},
  });
  // clang-format on
  CheckRefused({.op = "QuantizeLinear", .inputs = {"float[2]"}}, "input 1 of 1 is absent");
}

TEST_CASE("quantised operators: integer products and the type of the zero point") {
  // clang-format off
  CheckRows({
      {"convolution",
       {.op = "QLinearConv",
        .inputs = {"uint8[1, 3, 4, 4]", "float[]", "uint8[]", "const int8[2, 3, 1, 1]", "float[]", "int8[]", "float[]",
                   "uint8[]", "const int32[2]"}},
       {"uint8[1, 2, 4, 4]"}, "96", "add=32 mul=32 compare=32 integer=32", "conv 1x16x2x3", "96"},
      {"matrix product",
       {.op = "QLinearMatMul",
        .inputs = {"uint8[2, 4]", "float[]", "uint8[]", "const int8[4, 3]", "float[]", "int8[]", "float[]", "int8[]"}},
       {"int8[2, 3]"}, "24", "add=6 mul=6 compare=6", "matmul 1x2x3x4", "24"},
      {"linear layer",
       {.op = "com.microsoft::QGemm",
        .inputs = {"uint8[N, 4]", "float[]", "uint8[]", "const int8[3, 4]", "float[]", "int8[]", "const int32[3]",
                   "float[]", "uint8[]"},
        .attrs = {Int("transB", 1)}},
       {"uint8[N, 3]"}, "12*N", "add=3*N mul=3*N compare=3*N integer=3*N", "matmul 1xNx3x4", "12*N"},
      {"linear layer with a float result",
       {.op = "com.microsoft::QGemm",
        .inputs = {"uint8[1, 4]", "float[]", "uint8[]", "const int8[4, 3]", "float[]", "int8[]"}},
       {"float[1, 3]"}, "12", "add=3 mul=3 compare=3", "matmul 1x1x3x4", "12"},
      {"sum",
       {.op = "com.microsoft::QLinearAdd",
        .inputs = {"uint8[2, 3]", "float[]", "", "uint8[3]", "float[]", "", "float[]", ""}},
       {"uint8[2, 3]"}, "0", "add=18 mul=18"},
      {"global average",
       {.op = "com.microsoft::QLinearGlobalAveragePool",
        .inputs = {"uint8[1, 2, 3, 3]", "float[]", "uint8[]", "float[]", "uint8[]"}},
       {"uint8[1, 2, 1, 1]"}, "0", "integer=18"},
      {"global average, channels last",
       {.op = "com.microsoft::QLinearGlobalAveragePool",
        .inputs = {"uint8[1, 3, 3, 2]", "float[]", "uint8[]", "float[]", "uint8[]"},
        .attrs = {Int("channels_last", 1)}},
       {"uint8[1, 1, 1, 2]"}, "0", "integer=18"},
  });
  // clang-format on
  CheckRefused({.op = "QLinearConv", .inputs = {"uint8[1, 3, 4, 4]", "float[]", "uint8[]"}}, "expects 8 inputs");
}

}  // namespace
}  // namespace hwest
