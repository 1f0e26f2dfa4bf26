#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("optimisers: new values and states, ten operations a parameter") {
  // clang-format off
  CheckRows({
      {"Adagrad, two parameters",
       {.op = "ai.onnx.preview.training::Adagrad",
        .inputs = {"float[]", "int64[]", "float[3]", "double[2, N]", "float[3]", "double[2, N]", "float[3]",
                   "double[2, N]"}},
       {"float[3]", "double[2, N]", "float[3]", "double[2, N]"},
       "0",
       "add=8*N + 12 mul=10*N + 15 transcendental=2*N + 3"},
      {"Adam", {.op = "ai.onnx.preview.training::Adam",
                .inputs = {"float[]", "int64[]", "float[4]", "float[4]", "float[4]", "float[4]"}},
       {"float[4]", "float[4]", "float[4]"}, "0", "add=16 mul=20 transcendental=4"},
      {"Momentum", {.op = "ai.onnx.preview.training::Momentum",
                    .inputs = {"float[]", "int64[]", "float[4]", "float[4]", "float[4]"}},
       {"float[4]", "float[4]"}, "0", "add=20 mul=20"},
  });
  // clang-format on
  CheckRefused({.op = "ai.onnx.preview.training::Adam", .inputs = {"float[]", "int64[]", "float[4]"}},
               "4 tensors for each parameter, found 1");
  CheckRefused({.op = "ai.onnx.preview.training::Adagrad", .inputs = {"float[]"}}, "expects");
}

TEST_CASE("Gradient: types of the variables; unknown work when nothing makes y") {
  // clang-format off
  CheckRows({{"two variables, one of them only read",
              {.op = "ai.onnx.preview.training::Gradient", .inputs = {"float[3]", "double[N, 2]", "float[9]"},
               .attrs = {Strings("xs", {"in0", "in1"}), Strings("zs", {"in2"}), Str("y", "loss")}},
              {"float[3]", "double[N, 2]"}, "?", ""}});
  // clang-format on
  CheckRefused({.op = "ai.onnx.preview.training::Gradient", .inputs = {"float[3]"}, .attrs = {Str("y", "loss")}},
               "xs and y");
  CheckRefused({.op = "ai.onnx.preview.training::Gradient",
                .inputs = {"float[3]"},
                .attrs = {Strings("xs", {"a", "b"}), Str("y", "loss")}},
               "expects 2 inputs");
}

}  // namespace
}  // namespace hwest
