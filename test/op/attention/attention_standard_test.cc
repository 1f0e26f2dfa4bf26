#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Attend(std::vector<std::string> inputs, std::vector<TestAttr> attrs = {}, int opset = 24) {
  return {.op = "Attention", .opset = opset, .inputs = std::move(inputs), .attrs = std::move(attrs)};
}

const std::vector<TestAttr> kHeads = {Int("q_num_heads", 4), Int("kv_num_heads", 2)};

std::string CausalMacs(const OpCase& op) {
  const OpRun run = RunOp(op);
  REQUIRE(run.work.ok());
  return run.text(run.work->causal_macs);
}

TEST_CASE("Attention: operands apart and packed") {
  // clang-format off
  CheckRows({
      {"apart", Attend({"float[2, 4, 5, 8]", "float[2, 4, 7, 8]", "float[2, 4, 7, 6]"}), {"float[2, 4, 5, 6]"}, "3920",
       "add=560 mul=280 compare=280 transcendental=280", "activation 8x5x7x8, activation 8x5x6x7"},
      {"packed, grouped, with a cache, mask and soft cap",
       Attend({"float16[2, 3, 32]", "float16[2, 3, 16]", "float16[2, 3, 24]", "float16[3, 8]", "float16[2, 2, 5, 8]",
               "float16[2, 2, 5, 12]"},
              {kHeads[0], kHeads[1], Float("softcap", 2)}),
       {"float16[2, 3, 48]", "float16[2, 2, 8, 8]", "float16[2, 2, 8, 12]", "float16[2, 4, 3, 8]"}, "3840",
       "add=576 mul=192 compare=192 transcendental=384", "activation 8x3x8x8, activation 8x3x12x8"},
      {"symbolic", Attend({"float[B, S, 32]", "float[B, S, 16]", "float[B, S, 16]", "", "float[B, 2, P, 8]",
                           "float[B, 2, P, 8]"},
                          kHeads),
       {"float[B, S, 32]", "float[B, 2, S + P, 8]", "float[B, 2, S + P, 8]"}, "64*B*S**2 + 64*B*S*P",
       "add=8*B*S**2 + 8*B*S*P mul=4*B*S**2 + 4*B*S*P compare=4*B*S**2 + 4*B*S*P transcendental=4*B*S**2 + 4*B*S*P",
       "activation 4*BxSxS + Px8, activation 4*BxSx8xS + P"},
      {"value of another type", Attend({"float16[1, 1, 2, 8]", "float16[1, 1, 2, 8]", "float[1, 1, 2, 4]"}),
       {"float16[1, 1, 2, 4]", "float16[1, 1, 2, 8]", "float[1, 1, 2, 4]"}, "48",
       "add=8 mul=4 compare=4 transcendental=4", "activation 1x2x2x8, activation 1x2x4x2"},
      {"unranked query", Attend({"float?", "float[1, 2, 7, 8]", "float[1, 2, 7, 6]"}),
       {"float?", "float[1, 2, 7, 8]", "float[1, 2, 7, 6]"}, "?", "add=? mul=? compare=? transcendental=?",
       "activation ?x?x7x8, activation ?x?x6x7"},
  });
  // clang-format on
}

TEST_CASE("Attention: what a causal mask and windows leave") {
  const TestAttr causal = Int("is_causal", 1);
  const auto apart = [](int query, int key) {
    const std::string q = std::to_string(query), k = std::to_string(key);
    return std::vector<std::string>{"float[1, 1, " + q + ", 1]", "float[1, 1, " + k + ", 1]",
                                    "float[1, 1, " + k + ", 1]"};
  };
  auto cached = apart(2, 3);
  cached.insert(cached.end(), {"", "float[1, 1, 4, 1]", "float[1, 1, 4, 1]"});
  auto outside = apart(4, 8);
  outside.insert(outside.end(), {"", "", "", "int64[1]"});
  const auto window = [](int64_t left, int64_t right) {
    return std::vector<TestAttr>{Int("left_window_size", left), Int("right_window_size", right)};
  };
  // Two multiply-accumulates for each pair of query and key.
  CHECK(CausalMacs(Attend(apart(4, 8))) == "?");
  CHECK(CausalMacs(Attend(apart(4, 8), {causal})) == "20");                             // 1 + 2 + 3 + 4
  CHECK(CausalMacs(Attend(apart(5, 3), {causal})) == "24");                             // 1 + 2 + 3 + 3 + 3
  CHECK(CausalMacs(Attend(cached, {causal})) == "22");                                  // 5 + 6 of 7
  CHECK(CausalMacs(Attend(outside, {causal})) == "52");                                 // 5 + 6 + 7 + 8
  CHECK(CausalMacs(Attend(apart(4, 6), window(2, 1), 25)) == "26");                     // 2 + 3 + 4 + 4
  CHECK(CausalMacs(Attend(apart(4, 4), window(-1, 0), 25)) == "20");                    // 1 + 2 + 3 + 4
  CHECK(CausalMacs(Attend(apart(4, 4), window(1, -1), 25)) == "26");                    // 4 + 4 + 3 + 2
  CHECK(CausalMacs(Attend(cached, {causal, Int("left_window_size", 2)}, 25)) == "12");  // 3 + 3
  const OpCase symbolic = Attend({"float[B, 4, S, 8]", "float[B, 4, S, 8]", "float[B, 4, S, 8]"}, {causal});
  CHECK(CausalMacs(symbolic) == "32*B*S**2 + 32*B*S");
}

TEST_CASE("Attention: contradictions") {
  const auto four = [](const char* q, const char* k, const char* v) { return Attend({q, k, v}); };
  CheckRefused(Attend({"float[2, 5, 32]", "float[2, 5, 32]", "float[2, 5, 32]"}), "positive q_num_heads");
  CheckRefused(Attend({"float[2, 5, 33]", "float[2, 5, 16]", "float[2, 5, 16]"}, kHeads), "4 heads of one size");
  CheckRefused(four("float[2, 3, 5, 8]", "float[2, 2, 5, 8]", "float[2, 2, 5, 8]"), "a multiple of 2 key heads");
  CheckRefused(four("float[2, 2, 5, 8]", "float[2, 2, 5, 6]", "float[2, 2, 5, 8]"), "8 and 6");
  CheckRefused(four("float[2, 2, 5, 8]", "float[3, 2, 5, 8]", "float[2, 2, 5, 8]"), "2 and 3");
  CheckRefused(four("float[5, 8]", "float[5, 8]", "float[5, 8]"), "rank 3 to 4");
  CheckRefused(Attend({"float[1, 2, 5, 8]", "float[1, 2, 5, 8]", "float[1, 2, 5, 8]", "", "float[1, 3, 4, 8]",
                       "float[1, 2, 4, 8]"}),
               "3 and 2");
}

TEST_CASE("LinearAttention: a state for every key head") {
  const auto linear = [](const char* rule) {
    return OpCase{.op = "LinearAttention",
                  .opset = 27,
                  .inputs = {"float16[B, T, 32]", "float16[B, T, 16]", "float16[B, T, 24]", "float[B, 2, 8, 12]"},
                  .attrs = {kHeads[0], kHeads[1], Str("update_rule", rule)}};
  };
  const std::vector<std::string> types = {"float16[B, T, 48]", "float[B, 2, 8, 12]"};
  const std::string update = "activation 4*Bx8x12xT", read = ", activation 4*BxTx12x8";
  CheckRows({
      {"linear", linear("linear"), types, "768*B*T", "", update + read},
      {"gated", linear("gated"), types, "768*B*T", "mul=384*B*T", update + read},
      {"delta", linear("delta"), types, "1152*B*T", "", update + read + read},
      {"gated delta", linear("gated_delta"), types, "1152*B*T", "mul=384*B*T", update + read + read},
  });
  CHECK_FALSE(RunOp(linear("softmax")).work.ok());
  OpCase op = linear("linear");
  op.inputs[1] = "float16[B, T, 24]";
  CheckRefused(op, "8 and 12");
  op.inputs[1] = "float16[B, 4, T, 16]";
  CheckRefused(op, "rank 3 for input 1");
}

TEST_CASE("RotaryEmbedding: elements that are turned") {
  const std::string table = "float[9, 4]";
  const auto rotary = [](std::vector<std::string> inputs, std::vector<TestAttr> attrs = {}) {
    return OpCase{.op = "RotaryEmbedding", .opset = 23, .inputs = std::move(inputs), .attrs = std::move(attrs)};
  };
  // clang-format off
  CheckRows({
      {"apart, one row a position", rotary({"float[2, 4, 5, 8]", "float[2, 5, 4]", "float[2, 5, 4]"}),
       {"float[2, 4, 5, 8]"}, "0", "add=320 mul=640"},
      {"packed", rotary({"float[2, S, 32]", table, table, "int64[2, S]"}, {Int("num_heads", 4)}), {"float[2, S, 32]"},
       "0", "add=64*S mul=128*S"},
      {"partial", rotary({"float[2, 4, 5, 8]", "float[9, 2]", "float[9, 2]", "int64[2, 5]"},
                         {Int("rotary_embedding_dim", 4)}),
       {"float[2, 4, 5, 8]"}, "0", "add=160 mul=320"},
  });
  // clang-format on
  const OpRun run = RunOp(rotary({"float[2, 4, 5, 8]", table, table, "int64[2, 5]"}));
  REQUIRE(run.work->reads.size() == 3);
  CHECK(run.work->reads[1] == Dim(40));
  CheckRefused(rotary({"float[2, 5, 32]", table, table, "int64[2, 5]"}), "positive num_heads");
  CheckRefused(rotary({"float[2, 4, 5, 8]", table, table}), "rank 3 for input 1");
}

}  // namespace
}  // namespace hwest
