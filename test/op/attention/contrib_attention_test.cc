// Attention with the projections inside.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Attention(std::vector<std::string> inputs, std::vector<TestAttr> more = {}) {
  std::vector<TestAttr> attrs = {Int("num_heads", 2)};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return {.op = "com.microsoft::Attention", .inputs = std::move(inputs), .attrs = std::move(attrs)};
}

// 3 tokens of width 4, projected to 3 * 8: 3 * 4 * 24 = 288. Two heads of 4: 2 products of 2 * 3 * 3 * 4 = 72.
TEST_CASE("Attention: one packed projection and two heads") {
  // clang-format off
  CheckRows({
      {"without bias", Attention({"float[1, 3, 4]", "const float[4, 24]"}), {"float[1, 3, 8]"}, "432",
       "add=36 mul=18 compare=18 transcendental=18", "matmul 1x3x24x4, activation 2x3x3x4, activation 2x3x4x3"},
      {"bias adds one to each projected element", Attention({"float[1, 3, 4]", "const float[4, 24]", "float[24]"}),
       {"float[1, 3, 8]", "float[2, 1, 2, 3, 4]"}, "432", "add=108 mul=18 compare=18 transcendental=18",
       "matmul 1x3x24x4, activation 2x3x3x4, activation 2x3x4x3"},
      {"another value width",
       Attention({"float[B, S, 4]", "const float[4, 20]"}, {Ints("qkv_hidden_sizes", {8, 8, 4})}),
       {"float[B, S, 4]"}, "12*B*S**2 + 80*B*S", "add=4*B*S**2 mul=2*B*S**2 compare=2*B*S**2 transcendental=2*B*S**2",
       "matmul 1xB*Sx20x4, activation 2*BxSxSx4, activation 2*BxSx2xS"},
  });
  // clang-format on
  const OpRun causal = RunOp(Attention({"float[1, 3, 4]", "const float[4, 24]"}, {Int("unidirectional", 1)}));
  CHECK(causal.macs() == "432");
  CHECK(causal.text(causal.work.value().causal_macs) == "384");  // 288 + 2 * 2 * 4 * (1 + 2 + 3)
}

TEST_CASE("Attention: past keys count, a shared buffer is a capacity") {
  const std::vector<std::string> past = {"float[1, 1, 4]", "const float[4, 24]", "", "", "float[2, 1, 2, 5, 4]"};
  std::vector<std::string> used = past;
  used.insert(used.end(), {"", "int32[1] = {2}"});
  // clang-format off
  CheckRows({
      {"grows", Attention(past), {"float[1, 1, 8]", "float[2, 1, 2, 6, 4]"}, "192",
       "add=24 mul=12 compare=12 transcendental=12", "matmul 1x1x24x4, activation 2x1x6x4, activation 2x1x4x6"},
      {"shared, length unknown", Attention(past, {Int("past_present_share_buffer", 1)}),
       {"float[1, 1, 8]", "float[2, 1, 2, 5, 4]"}, "176", "add=20 mul=10 compare=10 transcendental=10",
       "matmul 1x1x24x4, activation 2x1x5x4, activation 2x1x4x5"},
      {"shared, two of five in use", Attention(used, {Int("past_present_share_buffer", 1)}),
       {"float[1, 1, 8]", "float[2, 1, 2, 5, 4]"}, "144", "add=12 mul=6 compare=6 transcendental=6",
       "matmul 1x1x24x4, activation 2x1x3x4, activation 2x1x4x3"},
  });
  // clang-format on
  const OpRun decoder = RunOp({.op = "com.microsoft::DecoderMaskedSelfAttention",
                               .inputs = past,
                               .attrs = {Int("num_heads", 2), Int("do_rotary", 1)},
                               .outputs = 2});
  CHECK(decoder.type(1) == "float[2, 1, 2, 6, 4]");
  CHECK(decoder.macs() == "192");
  CHECK(decoder.ops() == "add=40 mul=44 compare=12 transcendental=12");  // 16 rotated elements
  CHECK(decoder.rule->shape_inputs == 0b1000000);
}

TEST_CASE("quantised attention: the projections are integer, ordered forms all of it") {
  // clang-format off
  CheckRows({
      {"QAttention",
       {.op = "com.microsoft::QAttention",
        .inputs = {"uint8[1, 3, 4]", "const int8[4, 24]", "float[24]", "float[]", "float[]", "", "uint8[]", "int8[]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[1, 3, 8]"}, "432", "add=108 mul=18 compare=18 transcendental=18",
       "matmul 1x3x24x4, activation 2x3x3x4, activation 2x3x4x3", "288"},
      {"QOrderedAttention",
       {.op = "com.microsoft::QOrderedAttention",
        .inputs = {"int8[1, 3, 4]", "float[]", "float[]", "float[]", "float[]", "const int8[4, 8]", "const int8[4, 8]",
                   "const int8[4, 8]"},
        .attrs = {Int("num_heads", 2)}},
       {"int8[1, 3, 8]"}, "432", "add=36 mul=18 compare=18 transcendental=18",
       "matmul 1x3x24x4, activation 2x3x3x4, activation 2x3x4x3", "432"},
  });
  // clang-format on
}

TEST_CASE("DecoderAttention: three flags decide which keys there are") {
  const auto op = [](const std::string& is_static, const std::string& use_past) {
    return OpCase{
        .op = "com.microsoft::DecoderAttention",
        .inputs = {"float[2, 1, 8]", "float[5, 1, 8]", "const float[8, 8]", "const float[8, 16]", "const float[24]", "",
                   "float[1, 2, 3, 4]", "float[1, 2, 3, 4]", is_static, use_past, "bool[1] = {1}", "bool[1] = {0}"},
        .attrs = {Int("num_heads", 2)}};
  };
  const std::string yes = "bool[1] = {1}", no = "bool[1] = {0}";
  // Query 2 * 64; keys and values rows * 128; attention 2 heads * 2 queries * keys * 4, twice.
  // clang-format off
  CheckRows({
      {"self", op(no, no), {"float[2, 1, 8]", "float[1, 2, 2, 4]"}, "448",
       "add=64 mul=8 compare=8 transcendental=8",
       "matmul 1x2x8x8, matmul 1x2x16x8, activation 2x2x2x4, activation 2x2x4x2"},
      {"self with cache", op(no, yes), {"float[2, 1, 8]", "float[1, 2, 5, 4]"}, "544",
       "add=88 mul=20 compare=20 transcendental=20",
       "matmul 1x2x8x8, matmul 1x2x16x8, activation 2x2x5x4, activation 2x2x4x5"},
      {"cross", op(yes, no), {"float[2, 1, 8]", "float[1, 2, 5, 4]"}, "928",
       "add=136 mul=20 compare=20 transcendental=20",
       "matmul 1x2x8x8, matmul 1x5x16x8, activation 2x2x5x4, activation 2x2x4x5"},
      {"cross with cache", op(yes, yes), {"float[2, 1, 8]", "float[1, 2, 3, 4]"}, "224",
       "add=40 mul=12 compare=12 transcendental=12",
       "matmul 1x2x8x8, matmul 1x0x16x8, activation 2x2x3x4, activation 2x2x4x3"},
  });
  // clang-format on
  const OpRun unknown = RunOp(op("bool[1]", "bool[1]"));
  CHECK(unknown.type(0) == "float[2, 1, 8]");
  CHECK(unknown.macs() == "?");
}

TEST_CASE("attention: contradictions are errors") {
  CheckRefused(Attention({"float[1, 3, 4]", "const float[4, 25]"}), "a packed width of 25 is no multiple of 3");
  CheckRefused(Attention({"float[1, 3, 4]", "const float[5, 24]"}), "5 and 4");
  CheckRefused(Attention({"float[1, 3, 4]", "const float[4, 9]"}), "no multiple of 2 heads");
  CheckRefused(Attention({"float[3, 4]", "const float[4, 24]"}), "rank 3");
  CheckRefused({.op = "com.microsoft::Attention", .inputs = {"float[1, 3, 4]", "const float[4, 24]"}},
               "positive num_heads");
}

}  // namespace
}  // namespace hwest
