#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("blocked layout: shapes stay batch, channels, spatial") {
  // clang-format off
  CheckRows({
      {"convolution with sum and activation",
       {.op = "com.microsoft.nchwc::Conv",
        .inputs = {"float[1, 16, 4, 4]", "const float[32, 16, 3, 3]", "const float[32]", "float[1, 32, 4, 4]"},
        .attrs = {Ints("pads", {1, 1, 1, 1}), Str("activation", "Relu")}},
       {"float[1, 32, 4, 4]"}, "73728", "add=1024 compare=512", "conv 1x16x32x144"},
      {"max pool", {.op = "com.microsoft.nchwc::MaxPool", .inputs = {"float[1, 16, 4, 4]"},
                    .attrs = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})}},
       {"float[1, 16, 2, 2]"}, "0", "compare=256"},
      {"global average", {.op = "com.microsoft.nchwc::GlobalAveragePool", .inputs = {"float[1, 16, 4, 4]"}},
       {"float[1, 16, 1, 1]"}, "0", "add=256"},
      {"global maximum", {.op = "com.microsoft.nchwc::GlobalMaxPool", .inputs = {"float[1, 16, 4, 4]"}},
       {"float[1, 16, 1, 1]"}, "0", "compare=256"},
      {"average pool", {.op = "com.microsoft.nchwc::AveragePool", .inputs = {"float[1, 16, 4, 4]"},
                        .attrs = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})}},
       {"float[1, 16, 2, 2]"}, "0", "add=256 mul=64"},
      {"nearest", {.op = "com.microsoft.nchwc::Upsample", .inputs = {"float[1, 16, 4, N]"},
                   .attrs = {Ints("scales", {1, 1, 2, 3})}},
       {"float[1, 16, 8, 3*N]"}},
      {"linear", {.op = "com.microsoft.nchwc::Upsample", .inputs = {"float[1, 16, 2, 2]"},
                  .attrs = {Ints("scales", {1, 1, 2, 2}), Str("mode", "linear")}},
       {"float[1, 16, 4, 4]"}, "0", "add=1024 mul=1024"},
      {"into blocks", {.op = "com.microsoft.nchwc::ReorderInput", .inputs = {"float[1, 32, 4, 5]"}},
       {"float[1, 32, 4, 5]"}},
      {"into blocks of unknown width", {.op = "com.microsoft.nchwc::ReorderInput", .inputs = {"float[1, 20, 4, 5]"}},
       {"float[1, ?, 4, 5]"}},
      {"into blocks, channels last", {.op = "com.microsoft.nchwc::ReorderInput", .inputs = {"float[1, 4, 5, 32]"},
                                      .attrs = {Int("channels_last", 1)}},
       {"float[1, 32, 4, 5]"}},
      {"out of blocks", {.op = "com.microsoft.nchwc::ReorderOutput", .inputs = {"float[1, 24, 4, 5]"},
                         .attrs = {Int("channels", 20)}},
       {"float[1, 20, 4, 5]"}},
      {"out of blocks, channels last", {.op = "com.microsoft.nchwc::ReorderOutput", .inputs = {"float[1, 24, 4, 5]"},
                                        .attrs = {Int("channels", 20), Int("channels_last", 1)}},
       {"float[1, 4, 5, 20]"}},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft.nchwc::ReorderOutput", .inputs = {"float[1, 24, 4, 5]"}}, "channels is 0");
  CheckRefused(
      {.op = "com.microsoft.nchwc::Upsample", .inputs = {"float[1, 16, 2, 2]"}, .attrs = {Ints("scales", {2})}},
      "1 scales for 4 axes");
}

}  // namespace
}  // namespace hwest
