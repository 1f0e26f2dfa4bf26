// Convolutions, pools and image operators of ONNX Runtime.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("convolutions, channels last") {
  // clang-format off
  CheckRows({
      {"float", {.op = "com.microsoft::NhwcConv", .inputs = {"float[1, 5, 5, 3]", "const float[4, 3, 3, 3]"}},
       {"float[1, 3, 3, 4]"}, "972", "", "conv 1x9x4x27"},
      {"with sum and activation",
       {.op = "com.microsoft::NhwcFusedConv",
        .inputs = {"float[1, 5, 5, 3]", "const float[4, 3, 3, 3]", "const float[4]", "float[1, 3, 3, 4]"},
        .attrs = {Str("activation", "Relu")}},
       {"float[1, 3, 3, 4]"}, "972", "add=72 compare=36", "conv 1x9x4x27"},
  });
  // clang-format on
  const auto quantised = [](const std::string& x, std::vector<TestAttr> attrs) {
    return OpCase{
        .op = "com.microsoft::QLinearConv",
        .inputs = {x, "float[]", "uint8[]", "const int8[4, 3, 3, 3]", "float[4]", "int8[4]", "float[]", "uint8[]"},
        .attrs = std::move(attrs)};
  };
  // clang-format off
  CheckRows({
      {"quantised, channels last", quantised("uint8[1, 5, 5, 3]", {Int("channels_last", 1)}), {"uint8[1, 3, 3, 4]"},
       "972", "add=36 mul=36 compare=36", "conv 1x9x4x27", "972"},
      {"quantised, channels first", quantised("uint8[1, 3, 5, 5]", {}), {"uint8[1, 4, 3, 3]"}, "972",
       "add=36 mul=36 compare=36", "conv 1x9x4x27", "972"},
  });
  // clang-format on
}

// Each of 3 * 4 input elements meets 2 * 9 filter elements: 216.
TEST_CASE("transposed convolutions: quantised, and padded by an input") {
  const auto padded = [](const std::string& pads) {
    return OpCase{.op = "com.microsoft::ConvTransposeWithDynamicPads",
                  .inputs = {"float[1, 3, 2, 2]", "const float[3, 2, 3, 3]", pads, "const float[2]"},
                  .attrs = {Ints("strides", {2, 2})}};
  };
  // clang-format off
  CheckRows({
      {"quantised",
       {.op = "com.microsoft::QLinearConvTranspose",
        .inputs = {"uint8[1, 3, 2, 2]", "float[]", "uint8[]", "const int8[3, 2, 3, 3]", "float[]", "int8[]", "float[]",
                   "uint8[]"}},
       {"uint8[1, 2, 4, 4]"}, "216", "add=32 mul=32 compare=32", "conv_transpose 1x4x2x27", "216"},
      {"pads known", padded("int64[4] = {1, 1, 1, 0}"), {"float[1, 2, 3, 4]"}, "216", "add=24",
       "conv_transpose 1x4x2x27"},
      {"pads unknown", padded("int64[4]"), {"float[1, 2, ?, ?]"}, "216", "add=?", "conv_transpose 1x4x2x27"},
  });
  // clang-format on
  CheckRefused(padded("int64[2] = {1, 1}"), "pads has 2 entries, expected 4");
}

TEST_CASE("pools") {
  const std::vector<TestAttr> window = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})};
  std::vector<TestAttr> last = window;
  last.push_back(Int("channels_last", 1));
  const std::vector<std::string> scales = {"float[]", "uint8[]", "float[]", "uint8[]"};
  // clang-format off
  CheckRows({
      {"maximum, channels last", {.op = "com.microsoft::NhwcMaxPool", .inputs = {"uint8[1, 4, 6, 3]"}, .attrs = window},
       {"uint8[1, 2, 3, 3]"}, "0", "integer=72"},
      {"masked maximum",
       {.op = "com.microsoft::MaxpoolWithMask", .inputs = {"float[1, 3, 4, 6]", "int32[1, 3, 4, 6]"}, .attrs = window},
       {"float[1, 3, 2, 3]"}, "0", "compare=72"},
      {"average",
       {.op = "com.microsoft::QLinearAveragePool",
        .inputs = {"uint8[1, 3, 4, 6]", scales[0], scales[1], scales[2], scales[3]}, .attrs = window},
       {"uint8[1, 3, 2, 3]"}, "0", "add=90 mul=18 compare=18"},
      {"average, channels last",
       {.op = "com.microsoft::QLinearAveragePool",
        .inputs = {"uint8[1, 4, 6, 3]", scales[0], scales[1], scales[2], scales[3]}, .attrs = last},
       {"uint8[1, 2, 3, 3]"}, "0", "add=90 mul=18 compare=18"},
  });
  // clang-format on
}

TEST_CASE("sampling, and words as images of characters") {
  // clang-format off
  CheckRows({
      {"crops",
       {.op = "com.microsoft::CropAndResize",
        .inputs = {"float[2, 3, 8, 8]", "float[R, 4]", "int32[R]", "int32[2] = {4, 5}"}},
       {"float[R, 3, 4, 5]"}, "0", "add=240*R mul=240*R"},
      {"crops of unknown size",
       {.op = "com.microsoft::CropAndResize", .inputs = {"float[2, 3, 8, 8]", "float[6, 4]", "int32[6]", "int32[2]"}},
       {"float[6, 3, ?, ?]"}, "0", "add=? mul=?"},
      {"grid", {.op = "com.microsoft::GridSample", .inputs = {"float[2, 3, 8, 8]", "float[2, 4, 5, 2]"}},
       {"float[2, 3, 4, 5]"}, "0", "add=480 mul=480"},
      {"words",
       {.op = "com.microsoft::WordConvEmbedding",
        .inputs = {"int32[6, 7]", "const float[10, 1, 3, 4]", "const float[10]", "const float[100, 4]"}},
       {"float[6, 10]"}, "3600", "add=300 compare=300 transcendental=300", "conv 6x5x10x12"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::CropAndResize",
                .inputs = {"float[2, 3, 8, 8]", "float[6, 4]", "int32[6]", "int32[2] = {4, -5}"}},
               "found -5");
  CheckRefused({.op = "com.microsoft::GridSample", .inputs = {"float[2, 3, 8, 8]", "float[2, 4, 5, 3]"}}, "3 and 2");
}

}  // namespace
}  // namespace hwest
