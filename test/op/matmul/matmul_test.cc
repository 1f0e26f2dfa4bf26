#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("MatMul: numpy shapes and dense counts") {
  // clang-format off
  CheckRows({
      {"matrix times weights", {.op = "MatMul", .inputs = {"float[128, 768]", "const float[768, 3072]"}},
       {"float[128, 3072]"}, "301989888", "", "matmul 1x128x3072x768"},
      {"batch of rows times weights is one tall product",
       {.op = "MatMul", .inputs = {"float[B, S, 64]", "const float[64, 32]"}},
       {"float[B, S, 32]"}, "2048*B*S", "", "matmul 1xB*Sx32x64"},
      {"attention scores", {.op = "MatMul", .inputs = {"float[1, 12, 128, 64]", "float[1, 12, 64, 128]"}},
       {"float[1, 12, 128, 128]"}, "12582912", "", "activation 12x128x128x64"},
      {"leading axes broadcast", {.op = "MatMul", .inputs = {"float[2, 1, 3, 4]", "float[5, 4, 6]"}},
       {"float[2, 5, 3, 6]"}, "720", "", "activation 10x3x6x4"},
      {"vector times vector", {.op = "MatMul", .inputs = {"float[7]", "float[7]"}}, {"float[]"}, "7", "",
       "activation 1x1x1x7"},
      {"vector times matrices", {.op = "MatMul", .inputs = {"float[4]", "float[3, 4, 5]"}}, {"float[3, 5]"}, "60", "",
       "activation 3x1x5x4"},
      {"matrices times vector", {.op = "MatMul", .inputs = {"float[3, 5, 4]", "float[4]"}}, {"float[3, 5]"}, "60", "",
       "activation 1x15x1x4"},
      {"no inner elements", {.op = "MatMul", .inputs = {"float[2, 0]", "float[0, 3]"}}, {"float[2, 3]"}, "0", "",
       "activation 1x2x3x0"},
      {"unranked operand", {.op = "MatMul", .inputs = {"float?", "float[4, 3]"}}, {"float?"}, "?"},
      {"inner size known from the weights", {.op = "MatMul", .inputs = {"float[2, ?]", "const float[4, 3]"}},
       {"float[2, 3]"}, "24", "", "matmul 1x2x3x4"},
      {"integers", {.op = "MatMulInteger", .inputs = {"uint8[2, 4]", "const int8[4, 3]", "uint8[]", "int8[]"}},
       {"int32[2, 3]"}, "24", "", "matmul 1x2x3x4", "24"},
      {"both operands dequantised", {.op = "MatMul", .inputs = {"dq float[2, 4]", "dq float[4, 3]"}},
       {"float[2, 3]"}, "24", "", "activation 1x2x3x4", "24"},
  });
  // clang-format on
}

TEST_CASE("Gemm: transposes, bias and scales") {
  // clang-format off
  CheckRows({
      {"linear layer",
       {.op = "Gemm",
        .inputs = {"float[N, 512]", "const float[1000, 512]", "const float[1000]"},
        .attrs = {Int("transB", 1)}},
       {"float[N, 1000]"}, "512000*N", "add=1000*N", "matmul 1xNx1000x512"},
      {"no C, alpha",
       {.op = "Gemm", .inputs = {"float[4, 2]", "float[4, 3]"}, .attrs = {Int("transA", 1), Float("alpha", 0.5f)}},
       {"float[2, 3]"}, "24", "mul=6", "activation 1x2x3x4"},
      {"scalar C, beta", {.op = "Gemm", .inputs = {"float[2, 4]", "float[4, 3]", "float[]"},
                          .attrs = {Float("beta", 2.0f)}},
       {"float[2, 3]"}, "24", "add=6 mul=6", "activation 1x2x3x4"},
      {"old broadcast attribute",
       {.op = "Gemm", .opset = 6, .inputs = {"float[2, 4]", "float[4, 3]", "float[3]"},
        .attrs = {Int("broadcast", 1)}},
       {"float[2, 3]"}, "24", "add=6", "activation 1x2x3x4"},
  });
  // clang-format on
}

TEST_CASE("MatMulNBits: sizes come from the attributes") {
  const std::vector<TestAttr> attrs = {Int("K", 64), Int("N", 48), Int("bits", 4), Int("block_size", 32)};
  // clang-format off
  CheckRows({
      {"three axes",
       {.op = "com.microsoft::MatMulNBits",
        .inputs = {"float16[B, S, 64]", "const uint8[48, 2, 16]", "const float16[48, 2]"}, .attrs = attrs},
       {"float16[B, S, 48]"}, "3072*B*S", "", "matmul 1xB*Sx48x64"},
      {"one axis, bias",
       {.op = "com.microsoft::MatMulNBits",
        .inputs = {"float[64]", "const uint8[1536]", "const float[96]", "", "", "const float[48]"}, .attrs = attrs},
       {"float[48]"}, "3072", "add=48", "matmul 1x1x48x64"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::MatMulNBits", .inputs = {"float[2, 65]", "uint8[48, 2, 16]"}, .attrs = attrs},
               "65 and 64");
  CheckRefused({.op = "com.microsoft::MatMulNBits", .inputs = {"float[2, 64]"}}, "positive K and N, found 0 and 0");
}

TEST_CASE("matrix products: contradictions are errors") {
  CheckRefused({.op = "MatMul", .inputs = {"float[2, 3]", "float[4, 5]"}}, "3 and 4");
  CheckRefused({.op = "MatMul", .inputs = {"float[]", "float[4, 5]"}}, "rank 1 or more");
  CheckRefused({.op = "MatMul", .inputs = {"float[2, 2, 3]", "float[3, 3, 5]"}}, "do not broadcast");
  CheckRefused({.op = "Gemm", .inputs = {"float[2, 3, 4]", "float[4, 5]"}}, "rank 2 for input 0");
  CheckRefused({.op = "Gemm", .inputs = {"float[2, 4]", "float[4, 5]", "float[3]"}}, "do not broadcast");
}

TEST_CASE("determinants") {
  CheckRows({
      {"batch", {.op = "Det", .inputs = {"float[N, 6, 6]"}}, {"float[N]"}, "0", "add=72*N mul=72*N"},
      {"one matrix", {.op = "Det", .inputs = {"float[2, ?]"}}, {"float[]"}, "0", "add=2 mul=2"},
  });
  CheckRefused({.op = "Det", .inputs = {"float[2, 3]"}}, "2 and 3");
  CheckRefused({.op = "Det", .inputs = {"float[2]"}}, "rank 2 or more");
}

}  // namespace
}  // namespace hwest
