#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("blocked layout: shapes stay batch, channels, spatial") {
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
  CheckRefused({.op = "com.microsoft.nchwc::ReorderOutput", .inputs = {"float[1, 24, 4, 5]"}}, "channels is 0");
}

}  // namespace
}  // namespace hwest
