#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("softmax: any version keeps the shape") {
  const std::string counts = "add=48 mul=24 compare=24 transcendental=24";
  // clang-format off
  CheckRows({
      {"last axis", {.op = "Softmax", .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", -1)}}, {"float[2, 3, 4]"},
       "0", counts},
      {"flattened from axis 1", {.op = "Softmax", .opset = 11, .inputs = {"float[2, 3, 4]"}}, {"float[2, 3, 4]"}, "0",
       counts},
      {"one axis before version 13", {.op = "Softmax", .opset = 9, .inputs = {"float[4]"}}, {"float[4]"}, "0",
       "add=8 mul=4 compare=4 transcendental=4"},
      {"logarithm", {.op = "LogSoftmax", .inputs = {"float[2, 3, 4]"}}, {"float[2, 3, 4]"}, "0",
       "add=72 compare=24 transcendental=24"},
  });
  // clang-format on
  CheckRefused({.op = "Softmax", .inputs = {"float[2, 3]"}, .attrs = {Int("axis", 2)}},
               "axis 2 is outside a rank of 2");
}

TEST_CASE("layer normalisations") {
  // clang-format off
  CheckRows({
      {"statistics", {.op = "LayerNormalization", .inputs = {"float16[2, 3, 4]", "float16[4]", "float16[4]"}},
       {"float16[2, 3, 4]", "float[2, 3, 1]", "float[2, 3, 1]"}, "0", "add=96 mul=96"},
      {"over two axes", {.op = "LayerNormalization", .inputs = {"float[B, 3, 4]", "float[3, 4]"},
                         .attrs = {Int("axis", 1)}},
       {"float[B, 3, 4]", "float[B, 1, 1]"}, "0", "add=48*B mul=48*B"},
      {"before version 17", {.op = "LayerNormalization", .opset = 13, .inputs = {"float[2, 4]", "float16[4]"}},
       {"float16[2, 4]"}, "0", "add=32 mul=32"},
      {"simplified", {.op = "SimplifiedLayerNormalization", .inputs = {"float16[2, 4]", "float16[4]"}},
       {"float16[2, 4]", "float[2, 1]"}, "0", "add=8 mul=24"},
      {"skip", {.op = "com.microsoft::SkipLayerNormalization",
                .inputs = {"float[1, 2, 4]", "float[2, 4]", "float[4]", "float[4]", "float[4]"}},
       {"float[1, 2, 4]", "float[1, 2, 1]", "float[1, 2, 1]", "float[1, 2, 4]"}, "0", "add=40 mul=32"},
      {"skip simplified", {.op = "com.microsoft::SkipSimplifiedLayerNormalization",
                           .inputs = {"float[1, 2, 4]", "float[1, 2, 4]", "float[4]"}},
       {"float[1, 2, 4]", "float[1, 2, 1]", "float[1, 2, 1]", "float[1, 2, 4]"}, "0", "add=16 mul=24"},
      {"instance", {.op = "InstanceNormalization", .inputs = {"float[1, 2, 3]", "float[2]", "float[2]"}},
       {"float[1, 2, 3]"}, "0", "add=24 mul=24"},
  });
  // clang-format on
  CheckRefused({.op = "LayerNormalization", .inputs = {"float[2, 3]", "float[3]"}, .attrs = {Int("axis", -3)}},
               "axis -3");
  CheckRefused({.op = "InstanceNormalization", .inputs = {"float[1, 2, 3]", "float[3]", "float[3]"}}, "2 and 3");
}

TEST_CASE("BatchNormalization: inference and training in every version") {
  const std::vector<std::string> inputs = {"float[2, 3, 4]", "float[3]", "float[3]", "float[3]", "float[3]"};
  // clang-format off
  CheckRows({
      {"inference", {.op = "BatchNormalization", .opset = 15, .inputs = inputs}, {"float[2, 3, 4]"}, "0",
       "add=24 mul=24"},
      {"training", {.op = "BatchNormalization", .opset = 15, .inputs = inputs, .attrs = {Int("training_mode", 1)}},
       {"float[2, 3, 4]", "float[3]", "float[3]"}, "0", "add=96 mul=96"},
      {"training before version 14", {.op = "BatchNormalization", .opset = 9, .inputs = inputs},
       {"float[2, 3, 4]", "float[3]", "float[3]", "float[3]", "float[3]"}, "0", "add=96 mul=96"},
      {"statistics an element", {.op = "BatchNormalization", .opset = 7,
                                 .inputs = {"float[2, 3, 4]", "float[3, 4]", "float[3, 4]", "float[3, 4]",
                                            "float[3, 4]"},
                                 .attrs = {Int("spatial", 0)}},
       {"float[2, 3, 4]"}, "0", "add=24 mul=24"},
      {"one axis", {.op = "BatchNormalization", .inputs = {"float[5]", "float[1]", "float[1]", "float[1]", "float[1]"}},
       {"float[5]"}, "0", "add=5 mul=5"},
  });
  // clang-format on
  CheckRefused(
      {.op = "BatchNormalization", .inputs = {"float[2, 4, 4]", "float[3]", "float[3]", "float[3]", "float[3]"}},
      "4 and 3");
}

TEST_CASE("normalisations over groups, neighbours and axes") {
  // clang-format off
  CheckRows({
      {"hardmax", {.op = "Hardmax", .inputs = {"float[2, 3]"}}, {"float[2, 3]"}, "0", "compare=6"},
      {"groups", {.op = "GroupNormalization", .opset = 21, .inputs = {"float[N, 6, 4]", "float[6]", "float[6]"},
                  .attrs = {Int("num_groups", 3)}},
       {"float[N, 6, 4]"}, "0", "add=96*N mul=96*N"},
      {"groups, scaled by group", {.op = "GroupNormalization", .opset = 18,
                                   .inputs = {"float[2, 6]", "float[3]", "float[3]"}, .attrs = {Int("num_groups", 3)}},
       {"float[2, 6]"}, "0", "add=48 mul=48"},
      {"root of mean squares, type of scale",
       {.op = "RMSNormalization", .opset = 23, .inputs = {"float16[2, 4]", "float[4]"}}, {"float[2, 4]"}, "0",
       "add=8 mul=24"},
      {"neighbours", {.op = "LRN", .inputs = {"float[1, 5, 2, 2]"}, .attrs = {Int("size", 3)}}, {"float[1, 5, 2, 2]"},
       "0", "add=80 mul=100 transcendental=20"},
      {"sum of absolute values", {.op = "LpNormalization", .inputs = {"float[2, 3]"}, .attrs = {Int("p", 1)}},
       {"float[2, 3]"}, "0", "add=12 mul=6"},
      {"sum of squares", {.op = "LpNormalization", .inputs = {"float[2, 3]"}}, {"float[2, 3]"}, "0", "add=6 mul=12"},
      {"mean and variance", {.op = "MeanVarianceNormalization", .inputs = {"float[1, 2, 3, 4]"}},
       {"float[1, 2, 3, 4]"}, "0", "add=96 mul=48"},
      {"mean and variance, axes",
       {.op = "MeanVarianceNormalization", .inputs = {"float[2, 3]"}, .attrs = {Ints("axes", {-1})}}, {"float[2, 3]"},
       "0", "add=24 mul=12"},
  });
  // clang-format on
  const std::vector<std::string> groups = {"float[2, 6]", "float[3]", "float[3]"};
  CheckRefused({.op = "GroupNormalization", .opset = 21, .inputs = groups, .attrs = {Int("num_groups", 3)}}, "6 and 3");
  CheckRefused({.op = "GroupNormalization", .opset = 21, .inputs = groups, .attrs = {Int("num_groups", 4)}},
               "divide 6 channels, found 4");
  CheckRefused({.op = "RMSNormalization", .opset = 23, .inputs = {"float[2, 4]", "float[3]"}}, "do not broadcast");
  CheckRefused({.op = "LRN", .inputs = {"float[1, 5, 2, 2]"}}, "size of 1 or more");
  CheckRefused({.op = "LpNormalization", .inputs = {"float[2]"}, .attrs = {Int("axis", 1)}}, "axis 1");
  CheckRefused({.op = "MeanVarianceNormalization", .inputs = {"float[2]"}}, "rank 4");
}

}  // namespace
}  // namespace hwest
