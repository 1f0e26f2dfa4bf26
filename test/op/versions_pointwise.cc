// Element-wise operators at each of their versions.
#include "op/versions.h"

namespace hwest {
namespace {

void AddUnary(std::vector<VersionRow>& rows) {
  for (const char* op : {"Abs",        "Acos",           "Acosh",     "Asin",      "Asinh",  "Atan",    "Atanh",
                         "Ceil",       "Celu",           "Cos",       "Cosh",      "Elu",    "Erf",     "Exp",
                         "Floor",      "HardSigmoid",    "HardSwish", "LeakyRelu", "Log",    "Mish",    "Neg",
                         "Reciprocal", "Relu",           "Round",     "Selu",      "Shrink", "Sigmoid", "Sign",
                         "Sin",        "Sinh",           "Softplus",  "Softsign",  "Sqrt",   "Swish",   "Tan",
                         "Tanh",       "ThresholdedRelu"}) {
    rows.push_back({"*", {.op = op, .inputs = {"float[2, N]"}}, {"float[2, N]"}});
  }
}

// Operands of one type: aligned by attributes before version 7, as numpy does from then on.
void AddBinary(std::vector<VersionRow>& rows) {
  const std::vector<TestAttr> aligned = {Int("broadcast", 1), Int("axis", 1)};
  for (const char* op : {"Add", "Sub", "Mul", "Div"}) {
    rows.push_back({"1 6", {.op = op, .inputs = {"float[2, 3, 4]", "float[3]"}, .attrs = aligned}, {"float[2, 3, 4]"}});
    rows.push_back({"7 13 14", {.op = op, .inputs = {"float[2, 1]", "float[5, 1, 3]"}}, {"float[5, 2, 3]"}});
  }
  for (const char* op : {"And", "Or", "Xor"}) {
    rows.push_back({"1", {.op = op, .inputs = {"bool[2, 3, 4]", "bool[3]"}, .attrs = aligned}, {"bool[2, 3, 4]"}});
    rows.push_back({"7", {.op = op, .inputs = {"bool[2, 1]", "bool[3]"}}, {"bool[2, 3]"}});
  }
  for (const char* op : {"Greater", "Less"}) {
    rows.push_back({"1", {.op = op, .inputs = {"float[2, 3, 4]", "float[3]"}, .attrs = aligned}, {"bool[2, 3, 4]"}});
    rows.push_back({"7 9 13", {.op = op, .inputs = {"float[2, 1]", "float[3]"}}, {"bool[2, 3]"}});
  }
  for (const char* op : {"GreaterOrEqual", "LessOrEqual"}) {
    rows.push_back({"*", {.op = op, .inputs = {"float[2, 1]", "float[3]"}}, {"bool[2, 3]"}});
  }
  for (const char* op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod"}) {
    rows.push_back({"*", {.op = op, .inputs = {"int32[2, 1]", "int32[3]"}}, {"int32[2, 3]"}});
  }
}

void AddVariadic(std::vector<VersionRow>& rows) {
  for (const char* op : {"Max", "Mean", "Min", "Sum"}) {
    rows.push_back({"1 6", {.op = op, .inputs = {"float[2, 3]", "float[2, 3]"}}, {"float[2, 3]"}});
    const char* broadcasting = op[0] == 'M' && op[1] != 'e' ? "8 12 13" : "8 13";
    rows.push_back({broadcasting, {.op = op, .inputs = {"float[2, 1]", "float[3]", "float[]"}}, {"float[2, 3]"}});
  }
}

}  // namespace

std::vector<VersionRow> PointwiseVersions() {
  // clang-format off
  std::vector<VersionRow> rows = {
      {"*", {.op = "BitCast", .inputs = {"float[2]"}, .attrs = {Int("to", 6)}}, {"int32[2]"}},
      {"*", {.op = "BitShift", .inputs = {"uint8[2, 1]", "uint8[3]"}, .attrs = {Str("direction", "LEFT")}},
       {"uint8[2, 3]"}},
      {"*", {.op = "BitwiseNot", .inputs = {"int16[2]"}}, {"int16[2]"}},
      {"1", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Str("to", "INT64")}}, {"int64[2]"}},
      {"6 9 13 19 21 23 24 25", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 7)}}, {"int64[2]"}},
      {"9 13", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 8)}}, {"string[2]"}},
      {"13", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 16)}}, {"bfloat16[2]"}},
      {"19", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 17), Int("saturate", 0)}}, {"float8e4m3fn[2]"}},
      {"21", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 22)}}, {"int4[2]"}},
      {"23", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 23)}}, {"float4e2m1[2]"}},
      {"24", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 24), Str("round_mode", "up")}},
       {"float8e8m0[2]"}},
      {"25", {.op = "Cast", .inputs = {"float[2]"}, .attrs = {Int("to", 25)}}, {"uint2[2]"}},
      {"*", {.op = "CastLike", .inputs = {"float[2]", "float16[7]"}}, {"float16[2]"}},
      {"21", {.op = "CastLike", .inputs = {"float[2]", "uint4[7]"}}, {"uint4[2]"}},
      {"1 6", {.op = "Clip", .inputs = {"float[2]"}, .attrs = {Float("min", 0), Float("max", 6)}}, {"float[2]"}},
      {"11 12 13", {.op = "Clip", .inputs = {"float[2]", "", "float[]"}}, {"float[2]"}},
      {"12", {.op = "Clip", .inputs = {"int32[2]", "int32[]"}}, {"int32[2]"}},
      {"1", {.op = "Equal", .inputs = {"int64[2, 3, 4]", "int64[3]"}, .attrs = {Int("broadcast", 1), Int("axis", 1)}},
       {"bool[2, 3, 4]"}},
      {"7 11 13 19", {.op = "Equal", .inputs = {"int64[2, 1]", "int64[3]"}}, {"bool[2, 3]"}},
      {"19", {.op = "Equal", .inputs = {"string[2, 1]", "string[3]"}}, {"bool[2, 3]"}},
      {"*", {.op = "Gelu", .inputs = {"float[2]"}, .attrs = {Str("approximate", "tanh")}}, {"float[2]"}},
      {"*", {.op = "IsInf", .inputs = {"float[2]"}}, {"bool[2]"}},
      {"*", {.op = "IsNaN", .inputs = {"float[2]"}}, {"bool[2]"}},
      {"*", {.op = "Not", .inputs = {"bool[2]"}}, {"bool[2]"}},
      {"1 6", {.op = "PRelu", .inputs = {"float[2, 3, 4]", "float[3]"}}, {"float[2, 3, 4]"}},
      {"7 9 16", {.op = "PRelu", .inputs = {"float[2, 3, 4]", "float[3, 1]"}}, {"float[2, 3, 4]"}},
      {"1", {.op = "Pow", .inputs = {"float[2, 3, 4]", "float[3]"}, .attrs = {Int("broadcast", 1), Int("axis", 1)}},
       {"float[2, 3, 4]"}},
      {"7", {.op = "Pow", .inputs = {"float[2, 1]", "float[3]"}}, {"float[2, 3]"}},
      {"12 13 15", {.op = "Pow", .inputs = {"float[2, 1]", "int32[3]"}}, {"float[2, 3]"}},
      {"*", {.op = "SwiGLU", .inputs = {"float[2, 3]", "float[2, 3]"}, .attrs = {Float("alpha", 2)}}, {"float[2, 3]"}},
      {"*", {.op = "Where", .inputs = {"bool[2, 1]", "float[3]", "float[]"}}, {"float[2, 3]"}},
  };
  // clang-format on
  AddUnary(rows);
  AddBinary(rows);
  AddVariadic(rows);
  return rows;
}

}  // namespace hwest
