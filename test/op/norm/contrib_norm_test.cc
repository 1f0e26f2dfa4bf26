// Normalisations and embeddings of ONNX Runtime.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("group normalisation, channels last by default") {
  // clang-format off
  CheckRows({
      {"channels last",
       {.op = "com.microsoft::GroupNorm", .inputs = {"float16[1, 2, 2, 8]", "float[8]", "float[8]"},
        .attrs = {Int("groups", 4), Int("activation", 0)}},
       {"float16[1, 2, 2, 8]"}, "0", "add=128 mul=128"},
      {"channels first, SiLU behind",
       {.op = "com.microsoft::GroupNorm", .inputs = {"float16[1, 8, 2, 2]", "float[8]", "float[8]"},
        .attrs = {Int("groups", 4), Int("activation", 1), Int("channels_last", 0)}},
       {"float16[1, 8, 2, 2]"}, "0", "add=160 mul=192 transcendental=32"},
      {"skip and bias",
       {.op = "com.microsoft::SkipGroupNorm",
        .inputs = {"float16[N, 2, 2, 8]", "float[8]", "float[8]", "float16[N, 2, 2, 8]", "float16[8]"},
        .attrs = {Int("groups", 4), Int("activation", 0)}},
       {"float16[N, 2, 2, 8]", "float16[N, 2, 2, 8]"}, "0", "add=192*N mul=128*N"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::GroupNorm",
                .inputs = {"float[1, 2, 2, 8]", "float[8]", "float[8]"},
                .attrs = {Int("groups", 3)}},
               "8 channels make no 3 groups");
  CheckRefused({.op = "com.microsoft::GroupNorm",
                .inputs = {"float[1, 8, 2, 2]", "float[8]", "float[8]"},
                .attrs = {Int("groups", 2)}},
               "8 and 2");
}

TEST_CASE("embeddings summed and normalised read the rows they take") {
  const OpCase op = {.op = "com.microsoft::EmbedLayerNormalization",
                     .inputs = {"int32[B, S]", "int32[B, S]", "const float16[100, 8]", "const float16[32, 8]",
                                "const float16[2, 8]", "float16[8]", "float16[8]", "int32[B, S]"}};
  CheckRows({
      {"float", op, {"float16[B, S, 8]", "int32[B]", "float16[B, S, 8]"}, "0", "add=48*B*S mul=32*B*S"},
      {"quantised tables",
       {.op = "com.microsoft::QEmbedLayerNormalization",
        .inputs = {"int32[2, 3]", "", "const uint8[100, 8]", "const uint8[32, 8]"}},
       {"float[2, 3, 8]", "int32[2]"},
       "0",
       "add=336 mul=240"},
  });
  const OpRun run = RunOp(op);
  const auto& reads = run.work.value().reads;
  REQUIRE(reads.size() == 5);
  CHECK(run.text(reads[2].value()) == "8*B*S");
  CHECK_FALSE(reads[0].has_value());
  CheckRefused({.op = op.op, .inputs = {"int32[2, 3]", "", "float[9, 8]", "float[9, 7]"}}, "8 and 7");
}

TEST_CASE("gates around an RMS normalisation") {
  // clang-format off
  CheckRows({
      {"gated", {.op = "com.microsoft::GatedRMSNorm", .inputs = {"float[2, 12]", "float[4]", "float[2, 12]"}},
       {"float[2, 12]"}, "0", "add=48 mul=144 transcendental=24"},
      {"one gate a connection",
       {.op = "com.microsoft::EngramGate",
        .inputs = {"float[1, 2, 3, 4]", "float[1, 2, 3, 4]", "float[1, 2, 4]", "float[3, 4]", "float[3, 4]"}},
       {"float[1, 2, 3, 4]"}, "0", "add=96 mul=192"},
      {"normalised once more",
       {.op = "com.microsoft::EngramGate",
        .inputs = {"float[1, 2, 3, 4]", "float[1, 2, 3, 4]", "float[1, 2, 4]", "float[3, 4]", "float[3, 4]",
                   "float[3, 4]"}},
       {"float[1, 2, 3, 4]", "float[1, 2, 3, 4]"}, "0", "add=120 mul=264"},
  });
  // clang-format on
}

}  // namespace
}  // namespace hwest
