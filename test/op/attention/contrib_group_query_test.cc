#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// Four query heads over two key heads of eight elements.
OpCase GroupQuery(std::vector<std::string> inputs, std::vector<TestAttr> more = {}) {
  std::vector<TestAttr> attrs = {Int("num_heads", 4), Int("kv_num_heads", 2)};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return {.op = "com.microsoft::GroupQueryAttention", .inputs = std::move(inputs), .attrs = std::move(attrs)};
}

TEST_CASE("GroupQueryAttention: packed query, growing cache") {
  const OpCase op =
      GroupQuery({"float16[1, 3, 64]", "", "", "float16[1, 2, 5, 8]", "float16[1, 2, 5, 8]", "int32[1]", "int32[]"});
  CheckRows({{"three new tokens after five",
              op,
              {"float16[1, 3, 32]", "float16[1, 2, 8, 8]", "float16[1, 2, 8, 8]"},
              "1536",
              "add=192 mul=96 compare=96 transcendental=96",
              "activation 4x3x8x8, activation 4x3x8x8"}});
  // Tokens see 6, 7 and 8 keys: 2 * 4 heads * 8 * 21.
  const OpRun run = RunOp(op);
  CHECK(run.text(run.work.value().causal_macs) == "1344");
  CHECK(RunOp(GroupQuery({"float16[1, 3, 64]"}, {Int("causal", 0)})).work.value().causal_macs.is_unknown());
}

TEST_CASE("GroupQueryAttention: separate operands, symbols, rotary tables") {
  const OpCase op =
      GroupQuery({"float[B, S, 32]", "float[B, S, 16]", "float[B, S, 16]", "float[B, 2, P, D]", "float[B, 2, P, D]",
                  "int32[B]", "int32[]", "const float[1024, 4]", "const float[1024, 4]"},
                 {Int("do_rotary", 1)});
  CheckRows({{"symbolic",
              op,
              {"float[B, S, 32]", "float[B, 2, S + P, 8]", "float[B, 2, S + P, 8]"},
              "64*B*S**2 + 64*B*S*P",
              "add=8*B*S**2 + 8*B*S*P + 96*B*S mul=4*B*S**2 + 4*B*S*P + 192*B*S "
              "compare=4*B*S**2 + 4*B*S*P transcendental=4*B*S**2 + 4*B*S*P",
              "activation 4*BxSxS + Px8, activation 4*BxSx8xS + P"}});
  const OpRun run = RunOp(op);
  const auto& reads = run.work.value().reads;
  REQUIRE(reads.size() == 9);
  CHECK(run.text(reads[7].value()) == "4*B*S");
  CHECK_FALSE(reads[3].has_value());
  CHECK(run.rule->shape_inputs == 0b1000000);
}

TEST_CASE("GroupQueryAttention: a shared buffer keeps its length") {
  OpCase op = GroupQuery({"float[1, 1, 64]", "", "", "float[1, 2, M, 8]", "float[1, 2, M, 8]"});
  op.declared = {"", "float[1, 2, M, 8]", "float[1, 2, M, 8]"};
  op.outputs = 3;
  const OpRun run = RunOp(op);
  CHECK(run.type(1) == "float[1, 2, M, 8]");
  CHECK(run.macs() == "64*M");
}

TEST_CASE("GroupQueryAttention: contradictions are errors") {
  CheckRefused(GroupQuery({"float[1, 3, 65]"}), "a query width of 65 is no multiple of 8 heads");
  CheckRefused(GroupQuery({"float[3, 64]"}), "rank 3");
  CheckRefused({.op = "com.microsoft::GroupQueryAttention", .inputs = {"float[1, 3, 64]"}}, "found 0 and 0");
}

}  // namespace
}  // namespace hwest
