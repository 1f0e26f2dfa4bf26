// Attention over packed tokens, paged caches and sparse patterns.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// 7 tokens of sequences that are at most 4 long: at most 28 scores a head.
TEST_CASE("packed tokens attend to the longest sequence at most") {
  // clang-format off
  CheckRows({
      {"with projections",
       {.op = "com.microsoft::PackedAttention",
        .inputs = {"float[7, 4]", "const float[4, 24]", "const float[24]", "int32[3, 4]", "int32[4]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[7, 8]"}, "1120", "add=280 mul=56 compare=56 transcendental=56",
       "matmul 1x7x24x4, activation 2x7x4x4, activation 2x7x4x4"},
      {"projected",
       {.op = "com.microsoft::PackedMultiHeadAttention",
        .inputs = {"float[7, 8]", "float[7, 8]", "float[7, 6]", "", "int32[3, 4]", "int32[4]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[7, 6]"}, "392", "add=112 mul=56 compare=56 transcendental=56",
       "activation 2x7x4x4, activation 2x7x3x4"},
      {"projected and packed",
       {.op = "com.microsoft::PackedMultiHeadAttention",
        .inputs = {"float[T, 2, 3, 4]", "", "", "const float[24]", "int32[3, S]", "int32[4]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[T, 8]"}, "16*T*S", "add=4*T*S + 24*T mul=2*T*S compare=2*T*S transcendental=2*T*S",
       "activation 2xTxSx4, activation 2xTx4xS"},
  });
  // clang-format on
}

// 4 heads of 8 over 2 of the cache; 3 blocks of 16 positions a sequence: at most 48 keys.
TEST_CASE("PagedAttention: the block table bounds the keys") {
  const OpCase op = {
      .op = "com.microsoft::PagedAttention",
      .inputs = {"float16[5, 64]", "", "", "float16[100, 16, 2, 8]", "float16[100, 16, 2, 8]", "int32[3]", "int32[2]",
                 "int32[2, 3]", "const float16[512, 4]", "const float16[512, 4]"},
      .attrs = {Int("num_heads", 4), Int("kv_num_heads", 2), Int("do_rotary", 1)}};
  CheckRows({{"packed query",
              op,
              {"float16[5, 32]", "float16[100, 16, 2, 8]", "float16[100, 16, 2, 8]"},
              "15360",
              "add=2160 mul=1440 compare=960 transcendental=960",
              "activation 4x5x48x8, activation 4x5x8x48"}});
  const OpRun run = RunOp(op);
  const auto& reads = run.work.value().reads;
  REQUIRE(reads.size() == 10);
  CHECK(run.text(reads[8].value()) == "20");
}

TEST_CASE("PagedAttention: one latent cache serves keys and narrower values") {
  CheckRows({{"latent",
              {.op = "com.microsoft::PagedAttention",
               .inputs = {"float16[5, 32]", "float16[5, 8]", "", "float16[9, 16, 1, 8]", "", "int32[3]", "int32[2]",
                          "int32[2, 3]"},
               .attrs = {Int("num_heads", 4), Int("kv_num_heads", 1), Str("kv_cache_layout", "LATENT"),
                         Int("v_head_size", 6)}},
              {"float16[5, 24]", "float16[9, 16, 1, 8]"},
              "13440",
              "add=1920 mul=960 compare=960 transcendental=960",
              "activation 4x5x48x8, activation 4x5x6x48"}});
}

// 6 of 4 * 4 blocks: of 64 keys a query meets 24 on average.
TEST_CASE("SparseAttention counts the blocks of its pattern") {
  const OpCase op = {.op = "com.microsoft::SparseAttention",
                     .inputs = {"float[1, 2, 16]", "float[1, 2, 8]", "float[1, 2, 8]", "float[1, 1, 64, 8]",
                                "float[1, 1, 64, 8]", "int32[1, 5]", "int32[1, 6]", "int32[]", "int32[1]"},
                     .attrs = {Int("num_heads", 2), Int("kv_num_heads", 1), Int("sparse_block_size", 16)}};
  // clang-format off
  CheckRows({{"capacity", op, {"float[1, 2, 16]", "float[1, 1, 64, 8]", "float[1, 1, 64, 8]"}, "1536",
              "add=192 mul=96 compare=96 transcendental=96", "activation 2x2x24x8, activation 2x2x8x24"}});
  // clang-format on
  OpCase known = op;
  known.inputs[7] = "int32[] = {32}";
  CHECK(RunOp(known).macs() == "768");
  CHECK(RunOp(known).rule->shape_inputs == 0b10000000);
}

// Window 1: 3 keys a token and the global ones; 6 tokens of width 4: projections 6 * 4 * 12 = 288.
TEST_CASE("LongformerAttention: window and global tokens") {
  const auto op = [](const std::string& global) {
    return OpCase{.op = "com.microsoft::LongformerAttention",
                  .inputs = {"float[1, 6, 4]", "const float[4, 12]", "const float[12]", "float[1, 6]",
                             "const float[4, 12]", "const float[12]", global},
                  .attrs = {Int("num_heads", 2), Int("window", 1)}};
  };
  // clang-format off
  CheckRows({
      {"one global token", op("int32[1, 6] = {1, 0, 0, 0, 0, 0}"), {"float[1, 6, 4]"}, "480",
       "add=168 mul=48 compare=48 transcendental=48", "matmul 1x6x12x4, activation 2x6x4x2, activation 2x6x2x4"},
      {"any number of them", op("int32[1, 6]"), {"float[1, 6, 4]"}, "576",
       "add=216 mul=72 compare=72 transcendental=72", "matmul 1x6x12x4, activation 2x6x6x2, activation 2x6x2x6"},
      {"8 bits",
       {.op = "com.microsoft::QOrderedLongformerAttention",
        .inputs = {"int8[1, 6, 4]", "float[]", "const int8[4, 12]", "float[]", "", "", "", "", "", "", "", "",
                   "int32[1, 6] = {0, 0, 0, 0, 0, 0}"},
        .attrs = {Int("num_heads", 2), Int("window", 1)}},
       {"int8[1, 6, 4]"}, "432", "add=72 mul=36 compare=36 transcendental=36",
       "matmul 1x6x12x4, activation 2x6x3x2, activation 2x6x2x3", "432"},
  });
  // clang-format on
}

}  // namespace
}  // namespace hwest
