// Operators with a state.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// 2 sequences of 3 tokens, 4 query heads over 2 state heads of 4 x 5: 24 head tokens of 20 cells.
TEST_CASE("LinearAttention: two or three products of a state, and its decay") {
  const auto op = [](const std::string& rule, std::vector<std::string> past = {}, int64_t window = 0) {
    OpCase c{.op = "com.microsoft::LinearAttention",
             .inputs = {"float16[2, 3, 16]", "float16[2, 3, 8]", "float16[2, 3, 10]"},
             .attrs = {Int("q_num_heads", 4), Int("kv_num_heads", 2), Str("update_rule", rule),
                       Int("state_window", window)}};
    c.inputs.insert(c.inputs.end(), past.begin(), past.end());
    return c;
  };
  const std::string step = "activation 24x1x5x4";
  // clang-format off
  CheckRows({
      {"linear", op("linear"), {"float16[2, 3, 20]", "float16[2, 2, 4, 5]"}, "960", "", step + ", " + step},
      {"gated, float state", op("gated", {"float[2, 2, 4, 5]"}), {"float16[2, 3, 20]", "float[2, 2, 4, 5]"}, "960",
       "mul=480", step + ", " + step},
      {"delta, window of two", op("delta", {}, 2), {"float16[2, 3, 20]", "float16[2, 2, 2, 4, 5]"}, "1440", "",
       step + ", " + step + ", " + step},
      {"gated delta", op("gated_delta"), {"float16[2, 3, 20]"}, "1440", "mul=480",
       step + ", " + step + ", " + step},
  });
  // clang-format on
  CHECK_FALSE(RunOp(op("other")).work.ok());
  CheckRefused(op("linear", {}, -1), "state_window is -1");
}

TEST_CASE("GatedDeltaNet: packed tokens over value heads") {
  // clang-format off
  CheckRows({
      {"ragged",
       {.op = "com.microsoft::GatedDeltaNet",
        .inputs = {"float16[6, 2, 4]", "float16[6, 2, 4]", "float16[6, 4, 5]", "int32[3]"},
        .attrs = {Int("state_update_capacity", 3)}},
       {"float16[6, 4, 5]", "float[2, 4, 5, 4]", "float[2, 96]"}, "1440", "mul=480",
       "activation 24x1x5x4, activation 24x1x5x4, activation 24x1x5x4"},
      {"batch and sequence apart",
       {.op = "com.microsoft::GatedDeltaNet",
        .inputs = {"float16[B, S, 2, 4]", "float16[B, S, 2, 4]", "float16[B, S, 2, 4]"},
        .attrs = {Str("update_rule", "linear")}},
       {"float16[B, S, 2, 4]", "float[B, 2, 4, 4]"}, "64*B*S", "",
       "activation 2*B*Sx1x4x4, activation 2*B*Sx1x4x4"},
  });
  // clang-format on
}

TEST_CASE("LinearAttentionGate: decay, and beta on request") {
  const std::string op = "com.microsoft::LinearAttentionGate";
  // clang-format off
  CheckRows({
      {"decay", {.op = op, .inputs = {"float16[1, 2, 4]", "float[4]", "float[4]"}}, {"float16[1, 2, 4]"}, "0",
       "add=16 mul=8 transcendental=16"},
      {"both", {.op = op, .inputs = {"float16[1, 2, 4]", "float[4]", "float[4]", "float16[1, 2, 4]"}},
       {"float16[1, 2, 4]", "float16[1, 2, 4]"}, "0", "add=16 mul=16 transcendental=24"},
  });
  // clang-format on
}

// 4 taps: the state holds 3 positions, times the dilation.
TEST_CASE("causal convolutions keep the positions they look back to") {
  const std::string op = "com.microsoft::CausalConvWithState";
  // clang-format off
  CheckRows({
      {"channels first",
       {.op = op, .inputs = {"float[2, 8, 5]", "const float[8, 1, 4]", "const float[8]"},
        .attrs = {Str("activation", "silu")}},
       {"float[2, 8, 5]", "float[2, 8, 3]"}, "320", "add=160 mul=160 transcendental=80", "depthwise 8x10x1x4"},
      {"channels last, dilated, windowed",
       {.op = op, .inputs = {"float[2, 5, 8]", "const float[8, 1, 4]"},
        .attrs = {Int("channels_last", 1), Int("dilation", 2), Int("state_window", 3)}},
       {"float[2, 5, 8]", "float[3, 2, 6, 8]"}, "320", "", "depthwise 8x10x1x4"},
      {"packed tokens",
       {.op = "com.microsoft::VarlenCausalConvWithState",
        .inputs = {"float[T, 8]", "const float[8, 1, 4]", "int32[3]", "", "float[2, 8, 3]"},
        .attrs = {Int("state_update_capacity", 2)}},
       {"float[T, 8]", "float[2, 8, 3]", "float[2, 2, 8]"}, "32*T", "", "depthwise 8xTx1x4"},
  });
  // clang-format on
  CheckRefused({.op = op, .inputs = {"float[2, 8, 5]", "float[9, 1, 4]"}}, "9 and 8");
  CheckRefused({.op = op, .inputs = {"float[2, 8, 5]", "float[8, 1, 4]"}, .attrs = {Int("dilation", 0)}}, "dilation");
}

TEST_CASE("LSTM with quantised weights: integer products of transposed weights") {
  // clang-format off
  CheckRows({{"bidirectional",
              {.op = "com.microsoft::DynamicQuantizeLSTM",
               .inputs = {"float[3, 2, 4]", "const uint8[2, 4, 20]", "const uint8[2, 5, 20]"},
               .attrs = {Int("hidden_size", 5), Str("direction", "bidirectional")}},
              {"float[3, 2, 2, 5]", "float[2, 2, 5]", "float[2, 2, 5]"}, "2160", "add=540 mul=180 transcendental=300",
              "recurrent 6x2x20x9", "2160"}});
  // clang-format on
}

// 3 steps of 2 sequences with 4 + 7 inputs and 5 units; 6 positions of depth 8, 9 attention units, a layer to 7.
TEST_CASE("AttnLSTM: cell, query, scores, context and layer in every step, keys once") {
  // clang-format off
  CheckRows({
      {"attention",
       {.op = "com.microsoft::AttnLSTM",
        .inputs = {"float[3, 2, 4]", "const float[1, 20, 11]", "const float[1, 20, 5]", "", "", "", "", "",
                   "const float[1, 5, 9]", "const float[1, 8, 9]", "const float[1, 9]", "float[2, 6, 8]", "int32[2]",
                   "const float[1, 13, 7]"}},
       {"float[3, 1, 2, 5]", "float[1, 2, 5]", "float[1, 2, 5]"}, "4212",
       "add=666 mul=126 compare=36 transcendental=510",
       "recurrent 3x2x20x16, matmul 1x12x9x8, recurrent 3x2x9x5, recurrent 3x2x6x9, recurrent 3x2x8x6, "
       "recurrent 3x2x7x13"},
      {"the cell alone",
       {.op = "com.microsoft::AttnLSTM", .inputs = {"float[3, 2, 4]", "const float[1, 20, 4]",
                                                    "const float[1, 20, 5]"}},
       {"float[3, 1, 2, 5]"}, "1080", "add=270 mul=90 transcendental=150", "recurrent 3x2x20x9"},
  });
  // clang-format on
}

}  // namespace
}  // namespace hwest
