#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("GELU") {
  // clang-format off
  CheckRows({
      {"by the error function", {.op = "Gelu", .opset = 20, .inputs = {"float[2, 3]"}}, {"float[2, 3]"}, "0",
       "add=6 mul=18 transcendental=6"},
      {"by the hyperbolic tangent",
       {.op = "Gelu", .opset = 20, .inputs = {"float[2, 3]"}, .attrs = {Str("approximate", "tanh")}},
       {"float[2, 3]"}, "0", "add=12 mul=36 transcendental=6"},
      {"with a bias", {.op = "com.microsoft::BiasGelu", .inputs = {"float[B, 4]", "const float[4]"}},
       {"float[B, 4]"}, "0", "add=8*B mul=12*B transcendental=4*B"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::BiasGelu", .inputs = {"float[2, 4]", "float[3]"}}, "4 and 3");
}

TEST_CASE("GatherBlockQuantized: unpacks the last axis and reads the rows it takes") {
  const OpCase op = {.op = "com.microsoft::GatherBlockQuantized",
                     .inputs = {"const uint8[100, 16]", "int64[B, S]", "const float[100, 1]"},
                     .attrs = {Int("bits", 4), Int("block_size", 32), Int("quantize_axis", 1)}};
  // clang-format off
  CheckRows({
      {"packed bytes", op, {"float[B, S, 32]"}, "0", "add=32*B*S mul=32*B*S"},
      {"eight bits", {.op = op.op, .inputs = op.inputs, .attrs = {Int("bits", 8)}}, {"float[B, S, 16]"}, "0",
       "add=16*B*S mul=16*B*S"},
      {"four-bit elements", {.op = op.op, .inputs = {"const uint4[100, 32]", "int64[]", "const float16[100, 1]"}},
       {"float16[32]"}, "0", "add=32 mul=32"},
  });
  // clang-format on
  const OpRun run = RunOp(op);
  const auto& reads = run.work.value().reads;
  REQUIRE(reads.size() == 3);
  CHECK(run.text(reads[0].value()) == "16*B*S");
  CHECK_FALSE(reads[1].has_value());
  CHECK(run.text(reads[2].value()) == "B*S");
  CheckRefused({.op = op.op, .inputs = op.inputs, .attrs = {Int("gather_axis", 2)}}, "axis 2");
}

}  // namespace
}  // namespace hwest
