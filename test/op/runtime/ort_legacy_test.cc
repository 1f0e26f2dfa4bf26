// Experimental operators that ONNX Runtime kept in the default domain.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("experimental element-wise operators") {
  const auto op = [](const std::string& name) { return OpCase{.op = name, .opset = 7, .inputs = {"float[2, 3]"}}; };
  // clang-format off
  CheckRows({
      {"scale and shift", op("Affine"), {"float[2, 3]"}, "0", "add=6 mul=6"},
      {"bias per channel", op("ImageScaler"), {"float[2, 3]"}, "0", "add=6 mul=6"},
      {"scale", op("Scale"), {"float[2, 3]"}, "0", "mul=6"},
      {"softplus", op("ParametricSoftplus"), {"float[2, 3]"}, "0", "add=6 mul=12 transcendental=6"},
      {"tanh", op("ScaledTanh"), {"float[2, 3]"}, "0", "mul=12 transcendental=6"},
      {"gates of a GRU", {.op = "GRUUnit", .opset = 7, .inputs = {"float[1, 2, 3]", "float[1, 2, 9]"}},
       {"float[1, 2, 3]"}, "0", "add=18 mul=18 transcendental=12"},
  });
  // clang-format on
}

TEST_CASE("experimental crops, slices and fills") {
  const OpCase crop = {
      .op = "Crop", .opset = 7, .inputs = {"float[1, 3, 10, W]"}, .attrs = {Ints("border", {1, 2, 3, 4})}};
  // clang-format off
  CheckRows({
      {"borders", crop, {"float[1, 3, 4, W - 4]"}},
      {"borders and sizes",
       {.op = "Crop", .opset = 7, .inputs = crop.inputs,
        .attrs = {Ints("border", {1, 2, 3, 4}), Ints("scale", {5, 6})}},
       {"float[1, 3, 5, 6]"}},
      {"slice by inputs",
       {.op = "DynamicSlice", .opset = 7,
        .inputs = {"float[8, N]", "int64[1] = {2}", "int64[1] = {6}", "int64[1] = {0}"}},
       {"float[4, N]"}},
      {"fill by attribute", {.op = "ConstantFill", .opset = 7, .attrs = {Ints("shape", {2, 3}), Int("dtype", 7)}},
       {"int64[2, 3]"}},
      {"fill by contents",
       {.op = "ConstantFill", .opset = 7, .inputs = {"int64[2] = {N, 3}"},
        .attrs = {Int("input_as_shape", 1), Ints("extra_shape", {4})}},
       {"float[N, 3, 4]"}},
      {"fill by contents that are not known",
       {.op = "ConstantFill", .opset = 7, .inputs = {"int64[2]"}, .attrs = {Int("input_as_shape", 1)}}, {"float?"}},
      {"fill like the input", {.op = "GivenTensorFill", .opset = 7, .inputs = {"int64[2, N]"}}, {"float[2, N]"}},
  });
  // clang-format on
  CheckRefused({.op = "Crop", .opset = 7, .inputs = {"float[1, 3, 5, 5]"}, .attrs = {Ints("border", {3, 0, 3, 0})}},
               "Crop leaves -1 of axis 3");
  CheckRefused({.op = "Crop", .opset = 7, .inputs = {"float[1, 3, 5, 5]"}}, "four borders");
}

}  // namespace
}  // namespace hwest
