// Attention on projected operands in their many layouts.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase MultiHead(std::vector<std::string> inputs, std::vector<TestAttr> more = {}) {
  std::vector<TestAttr> attrs = {Int("num_heads", 2)};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return {.op = "com.microsoft::MultiHeadAttention", .inputs = std::move(inputs), .attrs = std::move(attrs)};
}

// 3 queries, 5 keys, 2 heads of 4: two products of 2 * 3 * 5 * 4 = 120; 30 scores.
TEST_CASE("MultiHeadAttention: every layout of the same operands") {
  const std::string products = "activation 2x3x5x4, activation 2x3x4x5";
  const std::string ops = "add=60 mul=30 compare=30 transcendental=30";
  // clang-format off
  CheckRows({
      {"separate", MultiHead({"float[1, 3, 8]", "float[1, 5, 8]", "float[1, 5, 8]"}),
       {"float[1, 3, 8]", "float[1, 2, 5, 4]", "float[1, 2, 5, 4]", "float[1, 2, 3, 5]"}, "240", ops, products},
      {"key and value packed", MultiHead({"float[1, 3, 8]", "float[1, 5, 2, 2, 4]"}), {"float[1, 3, 8]"}, "240", ops,
       products},
      {"keys of a cross attention, heads first",
       MultiHead({"float[1, 3, 8]", "float[1, 2, 5, 4]", "float[1, 2, 5, 4]"}), {"float[1, 3, 8]"}, "240", ops,
       products},
      {"all packed", MultiHead({"float[1, 3, 2, 3, 4]"}), {"float[1, 3, 8]"}, "144",
       "add=36 mul=18 compare=18 transcendental=18", "activation 2x3x3x4, activation 2x3x4x3"},
      {"narrower values", MultiHead({"float[B, S, 8]", "float[B, L, 8]", "float[B, L, 6]"}), {"float[B, S, 6]"},
       "14*B*S*L", "add=4*B*S*L mul=2*B*S*L compare=2*B*S*L transcendental=2*B*S*L",
       "activation 2*BxSxLx4, activation 2*BxSx3xL"},
      {"a bias for each operand",
       MultiHead({"float[1, 3, 8]", "float[1, 5, 8]", "float[1, 5, 8]", "const float[24]"}), {"float[1, 3, 8]"}, "240",
       "add=164 mul=30 compare=30 transcendental=30", products},
  });
  // clang-format on
}

TEST_CASE("MultiHeadAttention: past keys, causal masks, shared buffers") {
  const std::vector<std::string> inputs = {"float[1, 1, 8]",    "float[1, 1, 8]",   "float[1, 1, 8]", "", "", "",
                                           "float[1, 2, P, 4]", "float[1, 2, P, 4]"};
  std::vector<std::string> shared = inputs;
  shared.push_back("int32[1] = {6}");
  // clang-format off
  CheckRows({
      {"grows by one", MultiHead(inputs), {"float[1, 1, 8]", "float[1, 2, P + 1, 4]", "float[1, 2, P + 1, 4]"},
       "16*P + 16", "add=4*P + 4 mul=2*P + 2 compare=2*P + 2 transcendental=2*P + 2",
       "activation 2x1xP + 1x4, activation 2x1x4xP + 1"},
      {"seven keys of the buffer", MultiHead(shared), {"float[1, 1, 8]", "float[1, 2, P, 4]"}, "112",
       "add=28 mul=14 compare=14 transcendental=14", "activation 2x1x7x4, activation 2x1x4x7"},
  });
  // clang-format on
  const OpRun causal =
      RunOp(MultiHead({"float[1, 3, 8]", "float[1, 3, 8]", "float[1, 3, 8]"}, {Int("unidirectional", 1)}));
  CHECK(causal.macs() == "144");
  CHECK(causal.text(causal.work.value().causal_macs) == "96");
}

TEST_CASE("DecoderMaskedMultiHeadAttention: packed operands and a cross attention") {
  const std::string op = "com.microsoft::DecoderMaskedMultiHeadAttention";
  // clang-format off
  CheckRows({
      {"packed, growing cache",
       {.op = op, .inputs = {"float[1, 1, 24]", "", "", "", "", "float[1, 2, 5, 4]", "float[1, 2, 5, 4]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[1, 1, 8]", "float[1, 2, 6, 4]", "float[1, 2, 6, 4]", "float[1, 2, 1, 6]"}, "96",
       "add=24 mul=12 compare=12 transcendental=12", "activation 2x1x6x4, activation 2x1x4x6"},
      {"cross",
       {.op = op, .inputs = {"float[1, 1, 8]", "float[1, 2, 5, 4]", "float[1, 2, 5, 4]"},
        .attrs = {Int("num_heads", 2)}},
       {"float[1, 1, 8]"}, "80", "add=20 mul=10 compare=10 transcendental=10",
       "activation 2x1x5x4, activation 2x1x4x5"},
  });
  // clang-format on
}

TEST_CASE("MultiHeadAttention: contradictions are errors") {
  CheckRefused(MultiHead({"float[1, 3, 9]", "float[1, 5, 8]", "float[1, 5, 8]"}), "no multiple of 2 heads");
  CheckRefused(MultiHead({"float[1, 3]"}), "rank 3");
  CheckRefused({.op = "com.microsoft::MultiHeadAttention", .inputs = {"float[1, 3, 8]"}}, "positive num_heads");
}

}  // namespace
}  // namespace hwest
