// Element-wise operators of ONNX Runtime.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("GELUs") {
  // clang-format off
  CheckRows({
      {"by the error function", {.op = "com.microsoft::Gelu", .inputs = {"float[2, 3]"}}, {"float[2, 3]"}, "0",
       "add=6 mul=18 transcendental=6"},
      {"by the hyperbolic tangent", {.op = "com.microsoft::FastGelu", .inputs = {"float[2, 3]"}}, {"float[2, 3]"},
       "0", "add=12 mul=36 transcendental=6"},
      {"with a bias", {.op = "com.microsoft::FastGelu", .inputs = {"float[2, 3]", "float[3]"}}, {"float[2, 3]"}, "0",
       "add=18 mul=36 transcendental=6"},
      {"by the logistic function", {.op = "com.microsoft::QuickGelu", .inputs = {"float[2, 3]"}}, {"float[2, 3]"},
       "0", "add=6 mul=18 transcendental=6"},
      {"half of it gates the other", {.op = "com.microsoft::BiasSplitGelu", .inputs = {"float[1, S, 8]", "float[8]"}},
       {"float[1, S, 4]"}, "0", "add=8*S mul=16*S transcendental=4*S"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::FastGelu", .inputs = {"float[2, 3]", "float[4]"}}, "4 and 3");
  CheckRefused({.op = "com.microsoft::BiasSplitGelu", .inputs = {"float[1, 2, 7]", "float[7]"}}, "has no halves");
}

TEST_CASE("biases, gates and dropout") {
  // clang-format off
  CheckRows({
      {"bias and residual", {.op = "com.microsoft::BiasAdd",
                             .inputs = {"float[1, 2, 3]", "float[3]", "float[1, 2, 3]"}},
       {"float[1, 2, 3]"}, "0", "add=12"},
      {"softmax of scores and mask",
       {.op = "com.microsoft::BiasSoftmax", .inputs = {"float[2, 3]", "float[1, 3]"},
        .attrs = {Int("is_inner_broadcast", 0)}},
       {"float[2, 3]"}, "0", "add=18 mul=6 compare=6 transcendental=6"},
      {"gated sum",
       {.op = "com.microsoft::GatedAdd", .inputs = {"float[2, 3]", "float[2, 3]", "float[2, 1]"}}, {"float[2, 3]"},
       "0", "add=6 mul=6"},
      {"dropout with bias", {.op = "com.microsoft::BiasDropout", .inputs = {"float[5, 7]", "float[7]"}},
       {"float[5, 7]", "bool[5, 7]"}, "0", "add=70 mul=35"},
      {"a bit for each element", {.op = "com.microsoft::BitmaskDropout", .inputs = {"float[5, 7]"}},
       {"float[5, 7]", "uint32[2]"}, "0", "mul=70"},
      {"with bias", {.op = "com.microsoft::BitmaskBiasDropout", .inputs = {"float[5, 7]", "float[7]"}},
       {"float[5, 7]", "uint32[2]"}, "0", "add=70 mul=35"},
  });
  // clang-format on
}

TEST_CASE("complex products, hashes, checks") {
  // clang-format off
  CheckRows({
      {"complex", {.op = "com.microsoft::ComplexMul", .inputs = {"float[4, 1, 2]", "float[3, 2]"}},
       {"float[4, 3, 2]"}, "0", "add=24 mul=48"},
      {"conjugate", {.op = "com.microsoft::ComplexMulConj", .inputs = {"float[3, 2]", "float[3, 2]"}}, {"float[3, 2]"},
       "0", "add=6 mul=12"},
      {"hash", {.op = "com.microsoft::MurmurHash3", .inputs = {"string[2, 3]"}}, {"uint32[2, 3]"}, "0", "integer=6"},
      {"signed hash", {.op = "com.microsoft::MurmurHash3", .inputs = {"int64[2]"}, .attrs = {Int("positive", 0)}},
       {"int32[2]"}, "0", "integer=2"},
      {"all finite", {.op = "com.microsoft::IsAllFinite", .inputs = {"float[2, 3]", "float[4]"}}, {"bool[]"}, "0",
       "compare=10"},
      {"echo", {.op = "com.microsoft::SampleOp", .inputs = {"float[2]"}}, {"float[2]"}, "0", "add=2"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::ComplexMul", .inputs = {"float[3]", "float[2]"}}, "3 and 2");
}

}  // namespace
}  // namespace hwest
