// ONNX Runtime's operators in the default domain, all of them at one version.
#include "op/versions.h"

namespace hwest {

std::vector<VersionRow> OrtVersions() {
  const std::vector<std::string> x = {"float[1, 2, 4, 6]"};
  // clang-format off
  return {
      {"*", {.op = "ATen", .inputs = {"float[2, 3]"}, .attrs = {Str("operator", "numpy_T")}}, {"float[3, 2]"}},
      {"*", {.op = "Affine", .inputs = x}, x},
      {"*", {.op = "ConstantFill", .attrs = {Ints("shape", {2, 3})}}, {"float[2, 3]"}},
      {"*", {.op = "Crop", .inputs = x, .attrs = {Ints("border", {1, 1, 1, 1})}}, {"float[1, 2, 2, 4]"}},
      {"*", {.op = "DisentangledAttention_TRT", .inputs = {"float[8, 4, 4]", "float[8, 4, 8]", "float[8, 4, 8]"}},
       {"float[8, 4, 4]"}},
      {"*", {.op = "DynamicSlice", .inputs = {"float[8]", "int64[1] = {1}", "int64[1] = {5}"}}, {"float[4]"}},
      {"*",
       {.op = "EfficientNMS_TRT", .inputs = {"float[1, 9, 4]", "float[1, 9, 2]"},
        .attrs = {Int("max_output_boxes", 5)}},
       {"int32[1, 1]", "float[1, 5, 4]", "float[1, 5]", "int32[1, 5]"}},
      {"*", {.op = "GRUUnit", .inputs = {"float[1, 2, 3]", "float[1, 2, 9]"}}, {"float[1, 2, 3]"}},
      {"*", {.op = "GivenTensorFill", .attrs = {Ints("shape", {2, 3})}}, {"float[2, 3]"}},
      {"*", {.op = "ImageScaler", .inputs = x}, x},
      {"*", {.op = "MultilevelCropAndResize_TRT", .inputs = {"float[1, 5, 6]", "float[1, 3, 8, 8]"}},
       {"float[1, 5, 3, 7, 7]"}},
      {"*", {.op = "ParametricSoftplus", .inputs = x}, x},
      {"*", {.op = "PyramidROIAlign_TRT", .inputs = {"float[1, 5, 4]", "float[1, 3, 8, 8]"}}, {"float[1, 5, 3, 7, 7]"}},
      {"*", {.op = "Scale", .inputs = x}, x},
      {"*", {.op = "ScaledTanh", .inputs = x}, x},
  };
  // clang-format on
}

}  // namespace hwest
