#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

struct ConvRow {
  const char* name;
  OpCase op;
  const char* type;
  const char* macs;
  const char* ops;
  const char* contractions;
};

TEST_CASE("convolutions: shapes, multiply-accumulates, geometry") {
  // clang-format off
  const ConvRow rows[] = {
      {"stem of a ResNet",
       {.op = "Conv",
        .inputs = {"float[1, 3, 224, 224]", "const float[64, 3, 7, 7]", "const float[64]"},
        .attrs = {Ints("pads", {3, 3, 3, 3}), Ints("strides", {2, 2}), Ints("kernel_shape", {7, 7})}},
       "float[1, 64, 112, 112]", "118013952", "add=802816", "conv 1x12544x64x147"},
      {"depthwise",
       {.op = "Conv",
        .inputs = {"float[2, 32, 8, 8]", "const float[32, 1, 3, 3]"},
        .attrs = {Ints("pads", {1, 1, 1, 1}), Int("group", 32)}},
       "float[2, 32, 8, 8]", "36864", "", "depthwise 64x64x1x9"},
      {"grouped with two input channels",
       {.op = "Conv", .inputs = {"float[1, 4, 5, 5]", "const float[6, 2, 3, 3]"}, .attrs = {Int("group", 2)}},
       "float[1, 6, 3, 3]", "972", "", "conv 2x9x3x18"},
      {"one axis, dilated",
       {.op = "Conv", .inputs = {"float[1, 2, 10]", "const float[3, 2, 3]"}, .attrs = {Ints("dilations", {2})}},
       "float[1, 3, 6]", "108", "", "conv 1x6x3x6"},
      {"three axes",
       {.op = "Conv", .inputs = {"float[1, 3, 4, 6, 6]", "const float[8, 3, 3, 3, 3]"},
        .attrs = {Ints("pads", {1, 1, 1, 1, 1, 1}), Ints("strides", {1, 2, 2})}},
       "float[1, 8, 4, 3, 3]", "23328", "", "conv 1x36x8x81"},
      {"same padding",
       {.op = "Conv", .inputs = {"float[1, 1, 7, 7]", "const float[1, 1, 3, 3]"},
        .attrs = {Str("auto_pad", "SAME_LOWER"), Ints("strides", {2, 2})}},
       "float[1, 1, 4, 4]", "144", "", "conv 1x16x1x9"},
      {"valid padding ignores pads",
       {.op = "Conv", .inputs = {"float[1, 1, 7, 7]", "const float[1, 1, 3, 3]"},
        .attrs = {Str("auto_pad", "VALID"), Ints("pads", {1, 1, 1, 1})}},
       "float[1, 1, 5, 5]", "225", "", "conv 1x25x1x9"},
      {"symbolic batch",
       {.op = "Conv", .inputs = {"float[N, 3, 8, 8]", "const float[4, 3, 1, 1]"}},
       "float[N, 4, 8, 8]", "768*N", "", "conv Nx64x4x3"},
      {"symbolic size",
       {.op = "Conv", .inputs = {"float[1, 1, H, 8]", "const float[1, 1, 3, 8]"},
        .attrs = {Ints("pads", {1, 0, 1, 0})}},
       "float[1, 1, H, 1]", "24*H", "", "conv 1xHx1x24"},
      {"unranked data",
       {.op = "Conv", .inputs = {"float?", "const float[4, 3, 1, 1]"}}, "float[?, 4, ?, ?]", "?", "", "conv ?x?x4x3"},
      {"integer operands",
       {.op = "ConvInteger", .inputs = {"uint8[1, 1, 3, 3]", "const int8[2, 1, 2, 2]", "uint8[]"}},
       "int32[1, 2, 2, 2]", "32", "", "conv 1x4x2x4"},
      {"fused: bias, sum and activation",
       {.op = "com.microsoft::FusedConv",
        .inputs = {"float[1, 3, 4, 4]", "const float[2, 3, 1, 1]", "const float[2]", "float[1, 2, 4, 4]"},
        .attrs = {Str("activation", "Relu")}},
       "float[1, 2, 4, 4]", "96", "add=64 compare=32", "conv 1x16x2x3"},
      {"transposed, counted on its input",
       {.op = "ConvTranspose",
        .inputs = {"float[1, 128, 16, 16]", "const float[128, 64, 4, 4]", "const float[64]"},
        .attrs = {Ints("pads", {1, 1, 1, 1}), Ints("strides", {2, 2})}},
       "float[1, 64, 32, 32]", "33554432", "add=65536", "conv_transpose 1x256x64x2048"},
      {"transposed, grouped, output padding",
       {.op = "ConvTranspose",
        .inputs = {"float[1, 4, 3, 3]", "const float[4, 1, 3, 3]"},
        .attrs = {Int("group", 2), Ints("strides", {2, 2}), Ints("output_padding", {1, 1})}},
       "float[1, 2, 8, 8]", "324", "", "conv_transpose 2x9x1x18"},
      {"transposed, output shape given with batch and channels",
       {.op = "ConvTranspose",
        .inputs = {"float[1, 1, 3, 3]", "const float[1, 1, 3, 3]"},
        .attrs = {Ints("output_shape", {1, 1, 10, 8})}},
       "float[1, 1, 10, 8]", "81", "", "conv_transpose 1x9x1x9"},
      {"transposed, same padding",
       {.op = "ConvTranspose", .inputs = {"float[1, 1, 3]", "const float[1, 1, 3]"},
        .attrs = {Str("auto_pad", "SAME_UPPER"), Ints("strides", {2})}},
       "float[1, 1, 6]", "9", "", "conv_transpose 1x3x1x3"},
  };
  // clang-format on
  for (const ConvRow& row : rows) {
    INFO(row.name);
    const OpRun run = RunOp(row.op);
    REQUIRE(run.inferred.ok());
    CHECK(run.type(0) == row.type);
    CHECK(run.macs() == row.macs);
    CHECK(run.ops() == row.ops);
    CHECK(run.contractions() == row.contractions);
  }
}

TEST_CASE("windows smaller than their stride read no rows in between") {
  struct Row {
    const char *op, *x, *w;
    std::vector<TestAttr> attrs;
    const char* elements;  // of x that are read; "" = all
  };
  const Row rows[] = {
      {"Conv", "float[2, 8, 56, 56]", "const float[4, 8, 1, 1]", {Ints("strides", {2, 2})}, "25088"},
      {"Conv", "float[1, 8, 57, 57]", "const float[4, 8, 1, 1]", {Ints("strides", {2, 2})}, "13224"},
      {"Conv", "float[1, 8, N, 56]", "const float[4, 8, 1, 1]", {Ints("strides", {2, 2})}, "448*ceildiv(N, 2)"},
      {"Conv", "float[1, 8, 56, 56]", "const float[4, 8, 1, 1]", {Ints("strides", {1, 2})}, ""},
      {"Conv", "float[1, 8, 56, 56]", "const float[4, 8, 3, 3]", {Ints("strides", {2, 2})}, ""},
      {"Conv", "float[1, 8, 60, 60]", "const float[4, 8, 3, 3]", {Ints("strides", {5, 5})}, "17280"},
      {"Conv",
       "float[1, 8, 5, 56]",
       "const float[4, 8, 1, 1]",
       {Ints("strides", {2, 2}), Ints("pads", {9, 0, 9, 0})},
       "2240"},
      {"Conv", "float[1, 8, 56]", "const float[4, 8, 1]", {Ints("strides", {2})}, ""},
      {"Conv", "float[1, 2, 8, 8, 8]", "const float[4, 2, 1, 1, 1]", {Ints("strides", {2, 2, 2})}, "256"},
      {"MaxPool", "float[1, 8, 56, 56]", "", {Ints("kernel_shape", {1, 1}), Ints("strides", {2, 2})}, "12544"},
      {"MaxPool", "float[1, 8, 56, 56]", "", {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})}, ""},
  };
  for (const Row& row : rows) {
    INFO(row.op << " " << row.x << " " << row.w);
    std::vector<std::string> inputs = {row.x};
    if (*row.w != '\0') inputs.push_back(row.w);
    const OpRun run = RunOp({.op = row.op, .inputs = inputs, .attrs = row.attrs});
    const auto& reads = run.work.value().reads;
    CHECK((reads.empty() ? "" : run.text(*reads[0])) == row.elements);
  }
}

TEST_CASE("convolutions: integer products are read from the graph") {
  const auto int_macs = [](const char* op, const char* x, const char* w) {
    return RunOp({.op = op, .inputs = {x, w}}).int_macs();
  };
  CHECK(int_macs("Conv", "dq float[1, 1, 2, 2]", "dq float[1, 1, 1, 1]") == "4");
  CHECK(int_macs("Conv", "float[1, 1, 2, 2]", "dq float[1, 1, 1, 1]") == "0");
  CHECK(int_macs("ConvInteger", "uint8[1, 1, 2, 2]", "const int8[1, 1, 1, 1]") == "4");
}

TEST_CASE("convolutions: contradictions are errors that name both sides") {
  struct Row {
    OpCase op;
    const char* message;
  };
  const Row rows[] = {
      {{.op = "Conv", .inputs = {"float[1, 3, 8, 8]", "float[4, 3, 3]"}}, "rank 4 for input 1, found [4, 3, 3]"},
      {{.op = "Conv", .inputs = {"float[1, 3, 8, 8]", "float[4, 2, 3, 3]"}}, "3 and 2"},
      {{.op = "Conv", .inputs = {"float[1, 3, 8, 8]"}}, "input 1 of 1 is absent"},
      {{.op = "Conv", .inputs = {"float[1, 1, 4, 4]", "float[1, 1, 3, 3]"}, .attrs = {Ints("pads", {1, 1})}},
       "pads has 2 entries, expected 4"},
      {{.op = "Conv", .inputs = {"float[1, 1, 4, 4]", "float[1, 1, 3, 3]"}, .attrs = {Ints("strides", {0, 1})}},
       "strides holds 0"},
      {{.op = "Conv", .inputs = {"float[1, 1, 4, 4]", "float[1, 1, 3, 3]"}, .attrs = {Ints("kernel_shape", {2, 3})}},
       "kernel_shape holds 2, the filter has 3"},
      {{.op = "Conv", .inputs = {"float[1, 1, 2, 2]", "float[1, 1, 3, 3]"}}, "a window of 3 does not fit into 2"},
      {{.op = "Conv", .inputs = {"float[1, 1, 2, 2]", "float[1, 1, 1, 1]"}, .attrs = {Int("group", 0)}}, "group is 0"},
  };
  for (const Row& row : rows) {
    INFO(row.message);
    const OpRun run = RunOp(row.op);
    CHECK(std::string(run.inferred.message()).find(row.message) != std::string::npos);
    CHECK(run.type(0) == "none");
  }
}

TEST_CASE("a fixed output size is no negative one") {
  CheckRefused(
      {.op = "ConvTranspose", .inputs = {"float[1, 1, 4]", "float[1, 1, 2]"}, .attrs = {Ints("output_shape", {-5})}},
      "0 or more, found -5");
}

TEST_CASE("deformable convolution: every tap interpolates") {
  // clang-format off
  CheckRows({
      {"sizes and counts",
       {.op = "DeformConv", .opset = 19,
        .inputs = {"float[N, 6, 8, 8]", "const float[4, 3, 3, 3]", "float[N, 18, 6, 6]", "const float[4]"},
        .attrs = {Int("group", 2)}},
       {"float[N, 4, 6, 6]"}, "3888*N", "add=7920*N mul=7776*N", "conv 2*Nx36x2x27"},
      {"sizes of the offsets",
       {.op = "DeformConv", .opset = 19, .inputs = {"float[1, 1, ?, ?]", "float[1, 1, 2, 2]", "float[1, 8, 3, W]"}},
       {"float[1, 1, 3, W]"}, "12*W", "add=48*W mul=48*W", "conv 1x3*Wx1x4"},
  });
  // clang-format on
  CheckRefused(
      {.op = "DeformConv", .opset = 19, .inputs = {"float[1, 1, 8, 8]", "float[1, 1, 3, 3]", "float[1, 18, 5, 6]"}},
      "6 and 5");
}

TEST_CASE("causal convolution with a state") {
  // clang-format off
  CheckRows({
      {"prefill",
       {.op = "CausalConvWithState", .opset = 27, .inputs = {"float16[B, 6, L]", "float16[6, 1, 4]", "float16[6]"},
        .attrs = {Str("activation", "silu")}},
       {"float16[B, 6, L]", "float16[B, 6, 3]"}, "24*B*L", "add=6*B*L mul=12*B*L transcendental=6*B*L",
       "depthwise 6*BxLx1x4"},
      {"one token",
       {.op = "CausalConvWithState", .opset = 27,
        .inputs = {"float[2, 6, 1]", "float[6, 1, ?]", "", "float[2, 6, 3]"}},
       {"float[2, 6, 1]", "float[2, 6, 3]"}, "?", "", "depthwise 12x1x1x?"},
  });
  // clang-format on
  const auto causal = [](std::vector<std::string> inputs) {
    return OpCase{.op = "CausalConvWithState", .opset = 27, .inputs = std::move(inputs)};
  };
  CheckRefused(causal({"float[2, 6, 1]", "float[5, 1, 4]"}), "6 and 5");
  CheckRefused(causal({"float[2, 6, 1]", "float[6, 1, 4]", "", "float[2, 6, 4]"}), "3 and 4");
  CheckRefused(causal({"float[2, 6, 1, 1]", "float[6, 1, 4]"}), "rank 3");
}

}  // namespace
}  // namespace hwest
