// Fused and transposed products.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("FusedMatMul: transposed matrices and batch axes") {
  const std::string op = "com.microsoft::FusedMatMul";
  // clang-format off
  CheckRows({
      {"as numpy", {.op = op, .inputs = {"float[2, 3, 4]", "const float[4, 5]"}}, {"float[2, 3, 5]"}, "120", "",
       "matmul 1x6x5x4"},
      {"transB with alpha",
       {.op = op, .inputs = {"float[B, 2, 3, 4]", "float[B, 2, 5, 4]"},
        .attrs = {Int("transB", 1), Float("alpha", 0.5f)}},
       {"float[B, 2, 3, 5]"}, "120*B", "mul=30*B", "activation 2*Bx3x5x4"},
      {"transA", {.op = op, .inputs = {"float[4, 3]", "float[4, 5]"}, .attrs = {Int("transA", 1)}}, {"float[3, 5]"},
       "60", "", "activation 1x3x5x4"},
      {"axis 0 behind the batch axes",
       {.op = op, .inputs = {"float[3, 7, 2, 4]", "float[7, 2, 4, 5]"}, .attrs = {Int("transBatchA", 1)}},
       {"float[7, 2, 3, 5]"}, "840", "", "activation 14x3x5x4"},
      {"both at once",
       {.op = op, .inputs = {"float[7, 3, 4]", "float[4, 7, 5]"}, .attrs = {Int("transBatchB", 1)}},
       {"float[7, 3, 5]"}, "420", "", "activation 7x3x5x4"},
      {"a vector is not transposed", {.op = op, .inputs = {"float[4]", "float[4, 5]"}, .attrs = {Int("transA", 1)}},
       {"float[5]"}, "20", "", "activation 1x1x5x4"},
      {"old name", {.op = "com.microsoft::TransposeMatMul", .inputs = {"float[3, 4]", "float[5, 4]"},
                    .attrs = {Int("transB", 1)}},
       {"float[3, 5]"}, "60", "", "activation 1x3x5x4"},
      {"with activation",
       {.op = "com.microsoft::FusedMatMulActivation", .inputs = {"float[3, 4]", "const float[4, 5]"},
        .attrs = {Str("activation", "Relu")}},
       {"float[3, 5]"}, "60", "compare=15", "matmul 1x3x5x4"},
  });
  // clang-format on
  CheckRefused({.op = op, .inputs = {"float[3, 4]", "float[5, 4]"}}, "4 and 5");
  CHECK_FALSE(RunOp({.op = op, .inputs = {"float[3, 4]", "float[4, 5]"}, .attrs = {Str("activation", "x")}}).work.ok());
}

TEST_CASE("Gemm with something fused") {
  // clang-format off
  CheckRows({
      {"activation",
       {.op = "com.microsoft::FusedGemm", .inputs = {"float[3, 4]", "const float[5, 4]", "const float[5]"},
        .attrs = {Int("transB", 1), Str("activation", "LeakyRelu")}},
       {"float[3, 5]"}, "60", "add=15 mul=15 compare=15", "matmul 1x3x5x4"},
      {"float8 to float16",
       {.op = "com.microsoft::GemmFloat8", .inputs = {"float8e4m3fn[3, 4]", "float8e4m3fn[5, 4]"},
        .attrs = {Int("transB", 1), Int("dtype", 10), Str("activation", "RELU")}},
       {"float16[3, 5]"}, "60", "compare=15", "activation 1x3x5x4"},
      {"GELU",
       {.op = "com.microsoft::GemmFastGelu", .inputs = {"float[2, 3, 4]", "const float[4, 5]", "const float[5]"}},
       {"float[2, 3, 5]"}, "120", "add=90 mul=180 transcendental=30", "matmul 1x6x5x4"},
  });
  // clang-format on
}

TEST_CASE("other dense operators") {
  // clang-format off
  CheckRows({
      {"16-bit integers", {.op = "com.microsoft::MatMulInteger16", .inputs = {"int16[3, 4]", "uint16[4, 5]"}},
       {"int32[3, 5]"}, "60", "", "activation 1x3x5x4", "60"},
      {"unsigned ones", {.op = "com.microsoft::MatMulInteger16", .inputs = {"uint16[3, 4]", "uint16[4, 5]"}},
       {"uint32[3, 5]"}, "60", "", "activation 1x3x5x4", "60"},
      {"a sparse matrix counts in full",
       {.op = "com.microsoft::SparseToDenseMatMul", .inputs = {"float[3, 4]", "float[4, 5]"}}, {"float[3, 5]"}, "60",
       "", "activation 1x3x5x4"},
      {"distances", {.op = "com.microsoft::CDist", .inputs = {"float[M, 4]", "float[3, 4]"}}, {"float[M, 3]"}, "0",
       "add=24*M mul=12*M"},
      {"inverse", {.op = "com.microsoft::Inverse", .inputs = {"float[2, 3, 3]"}}, {"float[2, 3, 3]"}, "0",
       "add=54 mul=54"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::CDist", .inputs = {"float[2, 4]", "float[3, 5]"}}, "4 and 5");
  CheckRefused({.op = "com.microsoft::Inverse", .inputs = {"float[2, 3]"}}, "3 and 2");
}

}  // namespace
}  // namespace hwest
