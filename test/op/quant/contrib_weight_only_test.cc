// Weights in few bits, and mixtures of experts.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("block-quantised weights multiply as floating point numbers") {
  // clang-format off
  CheckRows({
      {"4-bit floats, transposed",
       {.op = "com.microsoft::MatMulBnb4", .inputs = {"float[2, 3, 16]", "const uint8[40]", "const float[5]"},
        .attrs = {Int("K", 16), Int("N", 5)}},
       {"float[2, 3, 5]"}, "480", "", "matmul 1x6x5x16"},
      {"4-bit floats as stored",
       {.op = "com.microsoft::MatMulBnb4", .inputs = {"float[6, 5]", "const uint8[40]", "const float[5]"},
        .attrs = {Int("K", 16), Int("N", 5), Int("transB", 0)}},
       {"float[6, 16]"}, "480", "", "matmul 1x6x16x5"},
      {"a blob with its shape beside it",
       {.op = "com.microsoft::MatMulFpQ4", .inputs = {"float[2, 3, 16]", "const uint8[99]", "int64[2] = {16, 5}"}},
       {"float[2, 3, 5]"}, "480", "", "matmul 1x6x5x16"},
      {"a blob of unknown shape",
       {.op = "com.microsoft::MatMulFpQ4", .inputs = {"float[2, 3, 16]", "const uint8[99]", "int64[2]"}},
       {"float[2, 3, ?]"}, "?", "", "matmul 1x6x?x16"},
      {"two 4-bit floats a byte",
       {.op = "com.microsoft::MatMulBlockQuantizedFp4Weight",
        .inputs = {"float16[3, 16]", "const uint8[5, 8]", "const uint8[5, 1]", "const float[]", "",
                   "const float16[5]"}},
       {"float16[3, 5]"}, "240", "add=15", "matmul 1x3x5x16"},
      {"8-bit floats",
       {.op = "com.microsoft::MatMulBlockQuantizedFp8Weight",
        .inputs = {"float16[S, 16]", "const float8e4m3fn[5, 16]", "const float[5, 1]"}},
       {"float16[S, 5]"}, "80*S", "", "matmul 1xSx5x16"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::MatMulBnb4", .inputs = {"float[6, 15]"}, .attrs = {Int("K", 16), Int("N", 5)}},
               "15 and 16");
  CheckRefused({.op = "com.microsoft::MatMulBnb4", .inputs = {"float[6, 16]"}}, "positive K");
}

// 6 tokens of 16 to 5: 480 a projection.
TEST_CASE("fused projections behind a normalisation") {
  const std::vector<std::string> gate_up = {"const uint8[5, 1, 8]", "const float[5, 1]", "",
                                            "const uint8[5, 1, 8]", "const float[5, 1]", "const float[5]"};
  OpCase mlp{.op = "com.microsoft::MatMulNBitsMlp",
             .inputs = {"float[2, 3, 16]", "", ""},
             .attrs = {Int("K", 16), Int("N", 5), Int("block_size", 16), Str("activation", "silu")}};
  mlp.inputs.insert(mlp.inputs.end(), gate_up.begin(), gate_up.end());
  OpCase skip = mlp;
  skip.inputs[1] = "float[2, 3, 16]";
  skip.inputs[2] = "const float[16]";
  // clang-format off
  CheckRows({
      {"MLP", mlp, {"float[2, 3, 5]"}, "960", "add=60 mul=90 transcendental=30", "matmul 1x6x5x16, matmul 1x6x5x16"},
      {"MLP with skip and norm", skip, {"float[2, 3, 5]", "float[2, 3, 16]"}, "960",
       "add=252 mul=378 transcendental=30", "matmul 1x6x5x16, matmul 1x6x5x16"},
      {"QKV",
       {.op = "com.microsoft::MatMulNBitsQkv", .inputs = {"float[2, 3, 16]", "", "const float[16]"},
        .attrs = {Int("K", 16), Int("Nq", 8), Int("Nkv", 4), Int("block_size", 16)}},
       {"float[2, 3, 8]", "float[2, 3, 4]", "float[2, 3, 4]"}, "1536", "add=96 mul=288",
       "matmul 1x6x8x16, matmul 1x6x4x16, matmul 1x6x4x16"},
  });
  // clang-format on
}

// 3 tokens choose 2 of 8 experts: 6 runs of 16 -> 10 -> 16.
TEST_CASE("experts: those chosen compute, and are read") {
  const OpCase moe = {.op = "com.microsoft::MoE",
                      .inputs = {"float[3, 16]", "float[3, 8]", "const float[8, 10, 16]", "const float[8, 10]",
                                 "const float[8, 16, 10]", "const float[8, 16]"},
                      .attrs = {Int("k", 2)}};
  const OpCase qmoe = {.op = "com.microsoft::QMoE",
                       .inputs = {"float[B, 1, 16]", "float[B, 8]", "const uint8[8, 20, 8]", "const float[8, 20]", "",
                                  "const uint8[8, 16, 5]", "const float[8, 16]"},
                       .attrs = {Int("k", 2), Str("activation_type", "swiglu"), Int("swiglu_fusion", 1)}};
  // clang-format off
  CheckRows({
      {"float", moe, {"float[3, 16]"}, "1920", "add=156 compare=60", "matmul 1x6x10x16, matmul 1x6x16x10"},
      {"three layers",
       {.op = moe.op,
        .inputs = {"float[3, 16]", "float[3, 8]", "const float[8, 10, 16]", "", "const float[8, 16, 10]", "",
                   "const float[8, 10, 16]"},
        .attrs = {Int("k", 1), Str("activation_type", "silu")}},
       {"float[3, 16]"}, "1440", "add=30 mul=60 transcendental=30",
       "matmul 1x3x10x16, matmul 1x3x16x10, matmul 1x3x10x16"},
      {"4 bits, gate and up in one", qmoe, {"float[B, 1, 16]"}, "960*B", "add=40*B mul=60*B transcendental=20*B",
       "matmul 1x2*Bx20x16, matmul 1x2*Bx16x10"},
  });
  // clang-format on
  const OpRun run = RunOp(moe);
  CHECK(run.text(run.work.value().reads[2].value()) == "960");
  CHECK(run.text(run.work.value().reads[4].value()) == "960");
  CHECK(RunOp(qmoe).text(RunOp(qmoe).work.value().reads[2].value()) == "160*min(2*B, 8)");
}

}  // namespace
}  // namespace hwest
