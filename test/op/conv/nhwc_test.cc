// Layout variants of standard operators: [N, spatial..., C].
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Nhwc(const std::string& name, int opset, std::vector<std::string> inputs, std::vector<TestAttr> attrs = {}) {
  return {.op = name, .opset = opset, .inputs = std::move(inputs), .attrs = std::move(attrs), .domain_version = opset};
}

const std::vector<TestAttr> kWindow = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})};

TEST_CASE("channels last: convolutions") {
  std::vector<TestAttr> activated = {Ints("pads", {1, 1, 1, 1}), Str("activation", "Relu")};
  // clang-format off
  CheckRows({
      {"with a fused activation",
       Nhwc("com.ms.internal.nhwc::Conv", 11, {"float[1, 5, 6, 3]", "const float[4, 3, 3, 3]", "const float[4]"},
            activated),
       {"float[1, 5, 6, 4]"}, "3240", "add=120 compare=120", "conv 1x30x4x27"},
      {"transposed", Nhwc("com.ms.internal.nhwc::ConvTranspose", 11, {"float[1, 2, 2, 3]", "const float[3, 2, 3, 3]"}),
       {"float[1, 4, 4, 2]"}, "216", "", "conv_transpose 1x4x2x27"},
      {"quantised",
       Nhwc("com.ms.internal.nhwc::QLinearConv", 10,
            {"uint8[1, 5, 5, 3]", "float[]", "uint8[]", "const int8[4, 3, 3, 3]", "float[]", "int8[]", "float[]",
             "uint8[]"}),
       {"uint8[1, 3, 3, 4]"}, "972", "add=36 mul=36 compare=36", "conv 1x9x4x27", "972"},
      {"quantised and transposed",
       Nhwc("com.ms.internal.nhwc::QLinearConvTranspose", 1,
            {"uint8[1, 2, 2, 3]", "float[]", "uint8[]", "const int8[3, 2, 3, 3]", "float[]", "int8[]", "float[]",
             "uint8[]"}),
       {"uint8[1, 4, 4, 2]"}, "216", "add=32 mul=32 compare=32", "conv_transpose 1x4x2x27", "216"},
  });
  // clang-format on
}

TEST_CASE("channels last: pools") {
  // clang-format off
  CheckRows({
      {"average", Nhwc("com.ms.internal.nhwc::AveragePool", 11, {"float[1, 4, 6, 3]"}, kWindow), {"float[1, 2, 3, 3]"},
       "0", "add=72 mul=18"},
      {"maximum", Nhwc("com.ms.internal.nhwc::MaxPool", 12, {"float[N, 4, 6, 3]"}, kWindow), {"float[N, 2, 3, 3]"},
       "0", "compare=72*N"},
      {"norm", Nhwc("com.ms.internal.nhwc::LpPool", 11, {"float[1, 4, 6, 3]"}, kWindow), {"float[1, 2, 3, 3]"}, "0",
       "add=72 mul=72 transcendental=18"},
      {"quantised average",
       Nhwc("com.ms.internal.nhwc::QLinearAveragePool", 1,
            {"uint8[1, 4, 6, 3]", "float[]", "uint8[]", "float[]", "uint8[]"}, kWindow),
       {"uint8[1, 2, 3, 3]"}, "0", "add=90 mul=18 compare=18"},
      {"global average", Nhwc("com.ms.internal.nhwc::GlobalAveragePool", 1, {"float[1, 4, 6, 3]"}),
       {"float[1, 1, 1, 3]"}, "0", "add=72"},
      {"global maximum", Nhwc("com.ms.internal.nhwc::GlobalMaxPool", 1, {"float[1, 4, 6, 3]"}), {"float[1, 1, 1, 3]"},
       "0", "compare=72"},
      {"global norm", Nhwc("com.ms.internal.nhwc::GlobalLpPool", 2, {"float[1, 4, 6, 3]"}), {"float[1, 1, 1, 3]"}, "0",
       "add=72 mul=72 transcendental=3"},
      {"the inverse of a maximum",
       Nhwc("com.ms.internal.nhwc::MaxUnpool", 11, {"float[1, 2, 3, 3]", "int64[1, 2, 3, 3]"}, kWindow),
       {"float[1, 4, 6, 3]"}},
  });
  // clang-format on
}

TEST_CASE("channels last: normalisation and rearrangement") {
  const std::string statistics = "float[3]";
  // clang-format off
  CheckRows({
      {"batch",
       Nhwc("com.ms.internal.nhwc::BatchNormalization", 15,
            {"float[1, 4, 6, 3]", statistics, statistics, statistics, statistics}),
       {"float[1, 4, 6, 3]"}, "0", "add=72 mul=72"},
      {"instance",
       Nhwc("com.ms.internal.nhwc::InstanceNormalization", 6, {"float[1, 4, 6, 3]", statistics, statistics}),
       {"float[1, 4, 6, 3]"}, "0", "add=288 mul=288"},
      {"depth to space", Nhwc("com.ms.internal.nhwc::DepthToSpace", 13, {"float[1, 2, 3, 8]"}, {Int("blocksize", 2)}),
       {"float[1, 4, 6, 2]"}},
      {"space to depth", Nhwc("com.ms.internal.nhwc::SpaceToDepth", 13, {"float[1, 4, 6, 2]"}, {Int("blocksize", 2)}),
       {"float[1, 2, 3, 8]"}},
      {"samples, by mode as the standard operator",
       Nhwc("com.ms.internal.nhwc::GridSample", 20, {"float[1, 8, 8, 3]", "float[1, 5, 6, 2]"},
            {Str("mode", "nearest")}),
       {"float[1, 5, 6, 3]"}, "0", "add=120 mul=120"},
      {"resize names its axes in this order",
       Nhwc("com.ms.internal.nhwc::Resize", 13, {"float[1, 4, 6, 3]", "", "float[4] = {1, 2, 2, 1}"}),
       {"float[1, 8, 12, 3]"}},
  });
  // clang-format on
  CheckRefused(Nhwc("com.ms.internal.nhwc::BatchNormalization", 15,
                    {"float[1, 3, 6, 4]", statistics, statistics, statistics, statistics}),
               "4 and 3");
}

TEST_CASE("channels last: shapes alone") {
  const auto type = [](const OpCase& op) {
    const OpRun run = RunOp(op);
    INFO(run.inferred.ToString());
    CHECK(run.inferred.ok());
    return run.type(0);
  };
  CHECK(type(Nhwc("com.ms.internal.nhwc::LRN", 13, {"float[1, 4, 6, 3]"}, {Int("size", 5)})) == "float[1, 4, 6, 3]");
}

}  // namespace
}  // namespace hwest
