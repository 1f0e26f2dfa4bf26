// Views, and what reads a shape: types and contents.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("Reshape") {
  // clang-format off
  CheckKnown({
      {"given", {.op = "Reshape", .inputs = {"float[2, 6]", "int64[2] = {3, 4}"}}, "float[3, 4]"},
      {"-1 is the rest", {.op = "Reshape", .inputs = {"float[2, 6]", "int64[2] = {4, -1}"}}, "float[4, 3]"},
      {"0 copies", {.op = "Reshape", .inputs = {"float[N, 12, 8]", "int64[3] = {0, -1, 4}"}}, "float[N, 24, 4]"},
      {"an unknown size cancels", {.op = "Reshape", .inputs = {"float[?, 12, 8]", "int64[2] = {0, -1}"}},
       "float[?, 96]"},
      {"symbols cancel", {.op = "Reshape", .inputs = {"float[N, S, 768]", "int64[4] = {N, S, 12, -1}"}},
       "float[N, S, 12, 64]"},
      {"symbolic rest", {.op = "Reshape", .inputs = {"float[N, S, 768]", "int64[2] = {-1, 768}"}}, "float[N*S, 768]"},
      {"one unknown size is the rest too", {.op = "Reshape", .inputs = {"float[N, 12]", "int64[2] = {?, 4}"}},
       "float[3*N, 4]"},
      {"allowzero", {.op = "Reshape", .inputs = {"float[0, 3]", "int64[2] = {3, 0}"}, .attrs = {Int("allowzero", 1)}},
       "float[3, 0]", "none"},
      {"no elements and a rest", {.op = "Reshape", .inputs = {"float[0, 3]", "int64[2] = {0, -1}"}}, "float[0, 3]",
       "none"},
      {"0 over 0",
       {.op = "Reshape", .inputs = {"float[0, 3]", "int64[3] = {3, 0, -1}"}, .attrs = {Int("allowzero", 1)}},
       "float[3, 0, ?]"},
      {"length known, sizes not", {.op = "Reshape", .inputs = {"float[2, 6]", "int64[3]"}}, "float[?, ?, ?]"},
      {"nothing known", {.op = "Reshape", .inputs = {"float[2, 6]", "int64[?]"}}, "float?"},
      {"to a scalar", {.op = "Reshape", .inputs = {"int64[1] = {7}", "int64[0] = {}"}}, "int64[]", "{7}"},
      {"contents stay", {.op = "Reshape", .inputs = {"int64[4] = {1, N, 3, 4}", "int64[2] = {2, 2}"}}, "int64[2, 2]",
       "{1, N, 3, 4}"},
      {"operator set 1", {.op = "Reshape", .opset = 1, .inputs = {"float[2, 6]"}, .attrs = {Ints("shape", {-1, 4})}},
       "float[3, 4]"},
  });
  // clang-format on
  CheckRefused({.op = "Reshape", .inputs = {"float[2, 6]", "int64[2] = {-1, -1}"}}, "at most one -1");
  CheckRefused({.op = "Reshape", .inputs = {"float[2, 6]", "int64[2] = {5, -1}"}}, "cannot divide");
  CheckRefused({.op = "Reshape", .inputs = {"float[2, 6]", "int64[2] = {5, 2}"}}, "number of elements");
  CheckRefused({.op = "Reshape", .inputs = {"float[2]", "int64[2] = {2, 0}"}}, "copies axis 1");
  CheckRefused({.op = "Reshape", .inputs = {"float[2]", "int64[1] = {-2}"}}, "-2");
}

TEST_CASE("Flatten") {
  CheckKnown({
      {"default axis", {.op = "Flatten", .inputs = {"float[N, 512, 7, 7]"}}, "float[N, 25088]"},
      {"axis 0", {.op = "Flatten", .inputs = {"float[2, 3]"}, .attrs = {Int("axis", 0)}}, "float[1, 6]"},
      {"axis = rank", {.op = "Flatten", .inputs = {"float[2, 3]"}, .attrs = {Int("axis", 2)}}, "float[6, 1]"},
      {"negative", {.op = "Flatten", .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", -1)}}, "float[6, 4]"},
      {"unranked", {.op = "Flatten", .inputs = {"float?"}}, "float[?, ?]"},
      {"contents",
       {.op = "Flatten", .inputs = {"int64[2] = {N, 5}"}, .attrs = {Int("axis", 0)}},
       "int64[1, 2]",
       "{N, 5}"},
  });
  CheckRefused({.op = "Flatten", .inputs = {"float[2]"}, .attrs = {Int("axis", 3)}}, "axis");
}

TEST_CASE("Squeeze and Unsqueeze") {
  CheckKnown({
      {"axes input", {.op = "Squeeze", .inputs = {"float[1, N, 1]", "int64[1] = {-1}"}}, "float[1, N]"},
      {"axes attribute",
       {.op = "Squeeze", .opset = 11, .inputs = {"float[1, N, 1]"}, .attrs = {Ints("axes", {0, 2})}},
       "float[N]"},
      {"every 1", {.op = "Squeeze", .inputs = {"float[1, 3, 1]"}}, "float[3]"},
      {"every 1, a size open", {.op = "Squeeze", .inputs = {"float[1, N, 1]"}}, "float?"},
      {"axes unknown, count known", {.op = "Squeeze", .inputs = {"float[1, 3, 1]", "int64[2]"}}, "float[?]"},
      {"contents become a scalar", {.op = "Squeeze", .inputs = {"int64[1] = {N}", "int64[1] = {0}"}}, "int64[]", "{N}"},
      {"insert", {.op = "Unsqueeze", .inputs = {"float[N, 3]", "int64[2] = {0, -1}"}}, "float[1, N, 3, 1]"},
      {"insert, attribute",
       {.op = "Unsqueeze", .opset = 11, .inputs = {"float[N, 3]"}, .attrs = {Ints("axes", {1})}},
       "float[N, 1, 3]"},
      {"insert, unknown axes", {.op = "Unsqueeze", .inputs = {"float[N, 3]", "int64[1]"}}, "float[?, ?, ?]"},
      {"insert, contents", {.op = "Unsqueeze", .inputs = {"int64[] = {N}", "int64[1] = {0}"}}, "int64[1]", "{N}"},
  });
  CheckRefused({.op = "Squeeze", .inputs = {"float[2, 1]", "int64[1] = {0}"}}, "size 1 on axis 0");
  CheckRefused({.op = "Squeeze", .inputs = {"float[2, 1]", "int64[1] = {2}"}}, "axis 2");
  CheckRefused({.op = "Unsqueeze", .inputs = {"float[2]", "int64[2] = {0, -3}"}}, "twice");
}

TEST_CASE("Identity, Dropout, Shape and Size") {
  // clang-format off
  CheckKnown({
      {"identity", {.op = "Identity", .inputs = {"int64[2] = {N, 2}"}}, "int64[2]", "{N, 2}"},
      {"dropout", {.op = "Dropout", .inputs = {"float[N, 4]"}}, "float[N, 4]"},
      {"dropout, contents", {.op = "Dropout", .inputs = {"float[2] = {N, 2}"}}, "float[2]", "{N, 2}"},
      {"dropout, not training", {.op = "Dropout", .inputs = {"float[1] = {2}", "", "bool[] = {0}"}}, "float[1]", "{2}"},
      {"dropout, training", {.op = "Dropout", .inputs = {"float[1] = {2}", "", "bool[] = {1}"}}, "float[1]"},
      {"dropout, training or not", {.op = "Dropout", .inputs = {"float[1] = {2}", "", "bool[]"}}, "float[1]"},
      {"dropout, training by default", {.op = "Dropout", .opset = 6, .inputs = {"float[1] = {2}"}}, "float[1]"},
      {"shape", {.op = "Shape", .inputs = {"float[N, 3, ?]"}}, "int64[3]", "{N, 3, ?}"},
      {"part of a shape", {.op = "Shape", .inputs = {"float[N, 3, 4]"}, .attrs = {Int("start", -2), Int("end", 9)}},
       "int64[2]", "{3, 4}"},
      {"empty part", {.op = "Shape", .inputs = {"float[N, 3]"}, .attrs = {Int("start", 2), Int("end", 1)}},
       "int64[0]", "{}"},
      {"shape of a scalar", {.op = "Shape", .inputs = {"float[]"}}, "int64[0]", "{}"},
      {"shape, unranked", {.op = "Shape", .inputs = {"float?"}}, "int64[?]"},
      {"size", {.op = "Size", .inputs = {"float[N, 3, 4]"}}, "int64[]", "{12*N}"},
      {"size unknown", {.op = "Size", .inputs = {"float[?, 3]"}}, "int64[]"},
  });
  // clang-format on
  CHECK(RunOp({.op = "Dropout", .inputs = {"float[3]"}, .outputs = 2}).type(1) == "bool[3]");
  CHECK(RunOp({.op = "Dropout", .opset = 9, .inputs = {"float[3]"}, .outputs = 2}).type(1) == "float[3]");
  CHECK(RunOp({.op = "Dropout", .inputs = {"float[3]"}}).ops().empty());
  CHECK(RunOp({.op = "Dropout", .inputs = {"float[3]", "", "bool[] = {1}"}}).ops() == "mul=3 compare=3");
}

TEST_CASE("Constant, ConstantOfShape, Range and EyeLike") {
  // clang-format off
  CheckKnown({
      {"tensor", {.op = "Constant", .attrs = {Tensor("value", TestConstant("int64[2]", {3, -1}))}}, "int64[2]",
       "{3, -1}"},
      {"one number", {.op = "Constant", .attrs = {Int("value_int", 5)}}, "int64[]", "{5}"},
      {"numbers", {.op = "Constant", .attrs = {Floats("value_floats", {0.5f, 2})}}, "float[2]", "{0.5, 2}"},
      {"text", {.op = "Constant", .attrs = {Str("value_string", "a")}}, "string[]"},
      {"filled", {.op = "ConstantOfShape", .inputs = {"int64[2] = {2, 2}"}}, "float[2, 2]", "{0, 0, 0, 0}"},
      {"filled with -1",
       {.op = "ConstantOfShape", .inputs = {"int64[1] = {3}"},
        .attrs = {Tensor("value", TestConstant("int64[1]", {-1}))}},
       "int64[3]", "{-1, -1, -1}"},
      {"filled, symbolic", {.op = "ConstantOfShape", .inputs = {"int64[2] = {N, 4}"}}, "float[N, 4]"},
      {"filled, a scalar", {.op = "ConstantOfShape", .inputs = {"int64[0] = {}"}}, "float[]", "{0}"},
      {"filled, length known", {.op = "ConstantOfShape", .inputs = {"int64[2]"}}, "float[?, ?]"},
      {"range",
       {.op = "Range", .inputs = {"int64[] = {2}", "int64[] = {9}", "int64[] = {3}"}}, "int64[3]", "{2, 5, 8}"},
      {"range, downwards", {.op = "Range", .inputs = {"int64[] = {3}", "int64[] = {0}", "int64[] = {-2}"}}, "int64[2]",
       "{3, 1}"},
      {"range, empty",
       {.op = "Range", .inputs = {"int64[] = {3}", "int64[] = {0}", "int64[] = {1}"}}, "int64[0]", "{}"},
      {"range, symbolic", {.op = "Range", .inputs = {"int64[] = {0}", "int64[] = {N}", "int64[] = {1}"}}, "int64[N]"},
      {"range of floats", {.op = "Range", .inputs = {"float[] = {0}", "float[] = {1}", "float[] = {0.25}"}}, "float[4]",
       "{0, 0.25, 0.5, 0.75}"},
      {"range, wild inputs of rank 1",
       {.op = "Range", .inputs = {"int64[1] = {0}", "int64[1] = {2}", "int64[1] = {1}"}}, "int64[2]", "{0, 1}"},
      {"eye", {.op = "EyeLike", .inputs = {"float[N, 3]"}, .attrs = {Int("dtype", 7)}}, "int64[N, 3]"},
  });
  // clang-format on
  CHECK(RunOp({.op = "Range", .inputs = {"float[] = {0}", "float[] = {4}", "float[] = {1}"}}).ops() == "add=4 mul=4");
  CheckRefused({.op = "Constant"}, "value attribute");
  CheckRefused({.op = "ConstantOfShape", .inputs = {"int64[1] = {-3}"}}, "-3");
  CheckRefused({.op = "Range", .inputs = {"int64[] = {0}", "int64[] = {4}", "int64[] = {0}"}}, "other than 0");
  CheckRefused({.op = "EyeLike", .inputs = {"float[3]"}}, "rank 2");
}

}  // namespace
}  // namespace hwest
