// Positions: rotary embeddings and relative biases.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("rotary embeddings rotate all of a head or a part of it") {
  const std::vector<std::string> tables = {"int64[2, 3]", "const float[64, 4]", "const float[64, 4]"};
  const auto op = [&](const std::string& input, std::vector<TestAttr> attrs) {
    return OpCase{.op = "com.microsoft::RotaryEmbedding",
                  .inputs = {input, tables[0], tables[1], tables[2]},
                  .attrs = std::move(attrs)};
  };
  // clang-format off
  CheckRows({
      {"3-D", op("float[2, 3, 16]", {}), {"float[2, 3, 16]"}, "0", "add=96 mul=192"},
      {"4-D, heads first", op("float[2, 2, 3, 16]", {Int("rotary_embedding_dim", 8)}), {"float[2, 2, 3, 16]"}, "0",
       "add=96 mul=192"},
      {"part of each head, 3-D", op("float[B, S, 32]", {Int("num_heads", 2), Int("rotary_embedding_dim", 8)}),
       {"float[B, S, 32]"}, "0", "add=16*B*S mul=32*B*S"},
      {"three position streams",
       {.op = "com.microsoft::MRotaryEmbedding", .inputs = {"float[2, 3, 16]", "int64[3, 2, 3]", tables[1], tables[2]},
        .attrs = {Ints("mrope_section", {2, 1, 1})}},
       {"float[2, 3, 16]"}, "0", "add=96 mul=192"},
      {"query and key at once",
       {.op = "com.microsoft::GemmaRotaryEmbedding",
        .inputs = {"float[1, 3, 4]", "float16[1, 2, 3, 4]", "float16[1, 2, 3, 4]", "float16[1, 1, 3, 4]",
                   "float16[1, 1, 3, 4]"}},
       {"float16[1, 2, 3, 4]", "float16[1, 1, 3, 4]"}, "0", "add=48 mul=96 transcendental=48"},
  });
  // clang-format on
  const OpRun run = RunOp(op("float[2, 3, 16]", {}));
  REQUIRE(run.work.value().reads.size() == 4);
  CHECK(run.text(run.work.value().reads[2].value()) == "24");
  CheckRefused(op("float[3, 16]", {}), "rank 3");
}

TEST_CASE("relative position biases") {
  // clang-format off
  CheckRows({
      {"lengths known",
       {.op = "com.microsoft::RelativePositionBias",
        .inputs = {"const float[32, 4]", "int64[] = {3}", "int64[] = {S}"}, .attrs = {Int("max_distance", 128)}},
       {"float[1, 4, 3, S]"}, "0", "add=12*S mul=12*S compare=12*S transcendental=12*S"},
      {"lengths unknown",
       {.op = "com.microsoft::RelativePositionBias", .inputs = {"const float[32, 4]", "int64[]", "int64[]"}},
       {"float[1, 4, ?, ?]"}, "0", "add=? mul=? compare=? transcendental=?"},
      {"gated",
       {.op = "com.microsoft::GatedRelativePositionBias",
        .inputs = {"float[2, 3, 8]", "const float[8]", "float[1, 2, 3, 3]", "const float[4, 6]", "const float[6]",
                   "float[1, 2, 1, 1]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[2, 2, 3, 3]"}, "288", "add=72 mul=72", "matmul 1x12x6x4"},
      {"gated, packed tokens",
       {.op = "com.microsoft::GatedRelativePositionBias",
        .inputs = {"float[5, 8]", "const float[8]", "float[1, 2, 3, 3]", "const float[4, 6]", "const float[6]",
                   "float[1, 2, 1, 1]", "int32[2, 3]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[2, 2, 3, 3]"}, "288", "add=72 mul=72", "matmul 1x12x6x4"},
  });
  // clang-format on
}

}  // namespace
}  // namespace hwest
