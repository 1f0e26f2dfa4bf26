#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

struct Count {
  const char* op;
  const char* ops;  // of 6 elements
};

TEST_CASE("unary: type kept, operations per element") {
  // clang-format off
  const Count rows[] = {
      {"Abs", "add=6"}, {"Acos", "transcendental=6"}, {"Acosh", "transcendental=6"}, {"Asin", "transcendental=6"},
      {"Asinh", "transcendental=6"}, {"Atan", "transcendental=6"}, {"Atanh", "transcendental=6"}, {"Ceil", "add=6"},
      {"Celu", "add=6 mul=6 transcendental=6"}, {"Clip", "compare=12"}, {"Cos", "transcendental=6"},
      {"Cosh", "transcendental=6"}, {"Elu", "add=6 mul=6 transcendental=6"}, {"Erf", "transcendental=6"},
      {"Exp", "transcendental=6"}, {"Floor", "add=6"}, {"HardSigmoid", "add=6 mul=6 compare=12"},
      {"HardSwish", "add=6 mul=12 compare=12"}, {"LeakyRelu", "mul=6 compare=6"}, {"Log", "transcendental=6"},
      {"Mish", "add=6 mul=6 transcendental=18"}, {"Neg", "add=6"}, {"Reciprocal", "mul=6"}, {"Relu", "compare=6"},
      {"Round", "add=6"}, {"Selu", "add=6 mul=6 transcendental=6"}, {"Shrink", "add=6 compare=6"},
      {"Sigmoid", "add=6 mul=6 transcendental=6"}, {"Sign", "compare=6"}, {"Sin", "transcendental=6"},
      {"Sinh", "transcendental=6"}, {"Softplus", "add=6 transcendental=12"}, {"Softsign", "add=6 mul=6 compare=6"},
      {"Sqrt", "transcendental=6"}, {"Swish", "add=6 mul=12 transcendental=6"}, {"Tan", "transcendental=6"},
      {"Tanh", "transcendental=6"}, {"ThresholdedRelu", "compare=6"},
  };
  // clang-format on
  for (const Count& row : rows) {
    INFO(row.op);
    const OpRun run = RunOp({.op = row.op, .opset = 24, .inputs = {"float16[2, 3]"}});
    CHECK(run.type(0) == "float16[2, 3]");
    CHECK(run.ops() == row.ops);
    CHECK(RunOp({.op = row.op, .opset = 24, .inputs = {"float?"}}).type(0) == "float?");
  }
}

TEST_CASE("binary: broadcast, operations per element of the result") {
  const Count arithmetic[] = {{"Add", "add=6"}, {"Sub", "add=6"}, {"Mul", "mul=6"},
                              {"Div", "mul=6"}, {"Mod", "mul=6"}, {"Pow", "transcendental=6"}};
  for (const Count& row : arithmetic) {
    INFO(row.op);
    const OpRun run = RunOp({.op = row.op, .inputs = {"float[2, 1]", "float[3]"}});
    CHECK(run.type(0) == "float[2, 3]");
    CHECK(run.ops() == row.ops);
    CHECK(RunOp({.op = row.op, .inputs = {"int64[2, 1]", "int64[3]"}}).ops() == "integer=6");
    CheckRefused({.op = row.op, .inputs = {"float[2]", "float[3]"}}, "do not broadcast");
  }
  for (const char* op : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}) {
    INFO(op);
    const OpRun run = RunOp({.op = op, .inputs = {"float[2, 1]", "float[3]"}});
    CHECK(run.type(0) == "bool[2, 3]");
    CHECK(run.ops() == "compare=6");
  }
  for (const char* op : {"And", "Or", "Xor"}) {
    const OpRun run = RunOp({.op = op, .inputs = {"bool[2, 1]", "bool[3]"}});
    CHECK(run.type(0) == "bool[2, 3]");
    CHECK(run.ops() == "integer=6");
  }
  for (const char* op : {"BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor"}) {
    const OpRun run = RunOp({.op = op, .opset = 18, .inputs = {"uint8[2, 1]", "uint8[3]"}});
    CHECK(run.type(0) == "uint8[2, 3]");
    CHECK(run.ops() == "integer=6");
  }
}

TEST_CASE("the rest of the element-wise operators") {
  // clang-format off
  CheckRows({
      {"not", {.op = "Not", .inputs = {"bool[N]"}}, {"bool[N]"}, "0", "integer=N"},
      {"bitwise not", {.op = "BitwiseNot", .opset = 18, .inputs = {"int8[4]"}}, {"int8[4]"}, "0", "integer=4"},
      {"is nan", {.op = "IsNaN", .inputs = {"float[4]"}}, {"bool[4]"}, "0", "compare=4"},
      {"is inf", {.op = "IsInf", .inputs = {"float[4]"}}, {"bool[4]"}, "0", "compare=4"},
      {"where", {.op = "Where", .inputs = {"bool[4, 1]", "float[]", "float[3]"}}, {"float[4, 3]"}, "0", "compare=12"},
      {"where of integers", {.op = "Where", .inputs = {"bool[4]", "int64[4]", "int64[4]"}}, {"int64[4]"}, "0",
       "integer=4"},
      {"gated", {.op = "SwiGLU", .opset = 28, .inputs = {"float[N, 4]", "float[2, 4]"}}, {"float[2, 4]"}, "0",
       "add=8 mul=24 transcendental=8"},
      {"sum", {.op = "Sum", .inputs = {"float[4]", "float[1]", "float[2, 1]"}}, {"float[2, 4]"}, "0", "add=16"},
      {"mean", {.op = "Mean", .inputs = {"float[4]", "float[4]"}}, {"float[4]"}, "0", "add=4 mul=4"},
      {"max", {.op = "Max", .inputs = {"float[4]", "float[4]", "float[4]"}}, {"float[4]"}, "0", "compare=8"},
      {"min of one", {.op = "Min", .inputs = {"float[4]"}}, {"float[4]"}},
      {"prelu keeps the shape of X", {.op = "PRelu", .inputs = {"float[N, 8, 4]", "float[8, 1]"}}, {"float[N, 8, 4]"},
       "0", "mul=32*N compare=32*N"},
      {"cast", {.op = "Cast", .inputs = {"float[4]"}, .attrs = {Int("to", 10)}}, {"float16[4]"}, "0", "add=4"},
      {"cast of integers", {.op = "Cast", .inputs = {"int64[4]"}, .attrs = {Int("to", 6)}}, {"int32[4]"}, "0",
       "integer=4"},
      {"cast by name", {.op = "Cast", .opset = 1, .inputs = {"float[4]"}, .attrs = {Str("to", "INT64")}}, {"int64[4]"},
       "0", "add=4"},
      {"cast like", {.op = "CastLike", .inputs = {"int64[4]", "float[9]"}}, {"float[4]"}, "0", "add=4"},
      {"bit cast", {.op = "BitCast", .opset = 26, .inputs = {"float[4]"}, .attrs = {Int("to", 6)}}, {"int32[4]"}},
      {"symbols that may be 1", {.op = "Add", .inputs = {"float[A]", "float[B]"}}, {"float[broadcast(A, B)]"}, "0",
       "add=broadcast(A, B)"},
      {"a constant wins over a symbol", {.op = "Add", .inputs = {"float[A]", "float[8]"}}, {"float[8]"}, "0", "add=8"},
      {"old broadcasting keeps the shape of A",
       {.op = "Add", .opset = 6, .inputs = {"float[2, 3, 4]", "float[3]"},
        .attrs = {Int("broadcast", 1), Int("axis", 1)}},
       {"float[2, 3, 4]"}, "0", "add=24"},
      {"no elements", {.op = "Relu", .inputs = {"float[0, 4]"}}, {"float[0, 4]"}},
  });
  // clang-format on
  CheckRefused({.op = "Cast", .inputs = {"float[4]"}}, "\"to\"");
  CheckRefused({.op = "Where", .inputs = {"bool[4]", "float[4]"}}, "input 2");
  CHECK(RunOp({.op = "Add", .inputs = {"float[A]", "float[B]"}}).facts.constraints.size() == 1);
  CHECK(RunOp({.op = "Add", .inputs = {"float[A]", "float[A]"}}).facts.constraints.empty());
}

TEST_CASE("contents through element-wise operators") {
  // clang-format off
  CheckKnown({
      {"add", {.op = "Add", .inputs = {"int64[2] = {N, 3}", "int64[] = {1}"}}, "int64[2]", "{N + 1, 4}"},
      {"sub", {.op = "Sub", .inputs = {"int64[1] = {N}", "int64[1] = {N}"}}, "int64[1]", "{0}"},
      {"mul", {.op = "Mul", .inputs = {"int64[2, 1] = {N, 2}", "int64[2] = {2, 3}"}}, "int64[2, 2]",
       "{2*N, 3*N, 4, 6}"},
      {"mul by 0", {.op = "Mul", .inputs = {"int64[1] = {?}", "int64[1] = {0}"}}, "int64[1]", "{0}"},
      {"cast like a value of another shape", {.op = "CastLike", .inputs = {"float[] = {2}", "int64[3] = {5, 6, 7}"}},
       "int64[]", "{2}"},
      {"div", {.op = "Div", .inputs = {"int64[2] = {N, 7}", "int64[] = {2}"}}, "int64[2]", "{N//2, 3}"},
      {"div toward zero", {.op = "Div", .inputs = {"int64[2] = {-7, 7}", "int64[2] = {2, -2}"}}, "int64[2]",
       "{-3, -3}"},
      {"div of the opposite", {.op = "Div", .inputs = {"int64[1] = {-N}", "int64[] = {2}"}}, "int64[1]", "{-(N//2)}"},
      {"div by 0", {.op = "Div", .inputs = {"int64[1] = {7}", "int64[] = {0}"}}, "int64[1]"},
      {"div of floats", {.op = "Div", .inputs = {"float[2] = {1, 6}", "float[] = {4}"}}, "float[2]", "{0.25, 1.5}"},
      {"div of floats, exact", {.op = "Div", .inputs = {"float[1] = {6*N}", "float[] = {3}"}}, "float[1]", "{2*N}"},
      {"div of floats, a fraction", {.op = "Div", .inputs = {"float[1] = {N}", "float[] = {3}"}}, "float[1]"},
      {"mod", {.op = "Mod", .inputs = {"int64[2] = {N, -7}", "int64[] = {4}"}}, "int64[2]", "{N % 4, 1}"},
      {"mod, zero of the divisor's sign", {.op = "Mod", .inputs = {"float[1] = {4}", "float[1] = {-2}"}}, "float[1]",
       "{-0}"},
      {"mod, sign of the dividend",
       {.op = "Mod", .inputs = {"int64[1] = {-7}", "int64[] = {4}"}, .attrs = {Int("fmod", 1)}}, "int64[1]", "{-3}"},
      {"pow", {.op = "Pow", .inputs = {"int64[2] = {N, 3}", "int64[] = {2}"}}, "int64[2]", "{N**2, 9}"},
      {"min and max", {.op = "Min", .inputs = {"int64[2] = {N, 9}", "int64[2] = {N, 4}"}}, "int64[2]", "{N, 4}"},
      {"max", {.op = "Max", .inputs = {"int64[1] = {N}", "int64[1] = {-1}"}}, "int64[1]", "{N}"},
      {"clip, bounds as attributes",
       {.op = "Clip", .opset = 6, .inputs = {"float[3] = {-5, 2, 9}"}, .attrs = {Float("min", 0), Float("max", 4)}},
       "float[3]", "{0, 2, 4}"},
      {"clip, one bound",
       {.op = "Clip", .opset = 1, .inputs = {"float[3] = {-5, 2, 9}"}, .attrs = {Float("max", 4)}}, "float[3]",
       "{-5, 2, 4}"},
      {"clip", {.op = "Clip", .inputs = {"int64[3] = {-5, 2, 9}", "int64[] = {0}", "int64[] = {4}"}}, "int64[3]",
       "{0, 2, 4}"},
      {"neg", {.op = "Neg", .inputs = {"int64[1] = {N}"}}, "int64[1]", "{-N}"},
      {"abs", {.op = "Abs", .inputs = {"int64[2] = {-3, N}"}}, "int64[2]", "{3, N}"},
      {"sign", {.op = "Sign", .inputs = {"int64[3] = {-3, 0, 8}"}}, "int64[3]", "{-1, 0, 1}"},
      {"relu", {.op = "Relu", .inputs = {"int64[2] = {-3, 8}"}}, "int64[2]", "{0, 8}"},
      {"floor", {.op = "Floor", .inputs = {"float[2] = {-1.5, 2.5}"}}, "float[2]", "{-2, 2}"},
      {"ceil", {.op = "Ceil", .inputs = {"float[2] = {-1.5, 2.5}"}}, "float[2]", "{-1, 3}"},
      {"round to even", {.op = "Round", .inputs = {"float[3] = {0.5, 1.5, 2.5}"}}, "float[3]", "{0, 2, 2}"},
      {"sqrt", {.op = "Sqrt", .inputs = {"float[2] = {64, 2.25}"}}, "float[2]", "{8, 1.5}"},
      {"reciprocal", {.op = "Reciprocal", .inputs = {"float[1] = {4}"}}, "float[1]", "{0.25}"},
      {"sum", {.op = "Sum", .inputs = {"float[1] = {4}", "float[1] = {0.5}"}}, "float[1]", "{4.5}"},
      {"equal", {.op = "Equal", .inputs = {"int64[3] = {N, 3, N}", "int64[3] = {-1, 3, 1}"}}, "bool[3]", "{0, 1, ?}"},
      {"less", {.op = "Less", .inputs = {"int64[2] = {N, 4}", "int64[2] = {0, 4}"}}, "bool[2]", "{0, 0}"},
      {"less or equal", {.op = "LessOrEqual", .inputs = {"int64[1] = {4}", "int64[1] = {4}"}}, "bool[1]", "{1}"},
      {"greater", {.op = "Greater", .inputs = {"float[1] = {0.5}", "float[1] = {0.25}"}}, "bool[1]", "{1}"},
      {"greater or equal", {.op = "GreaterOrEqual", .inputs = {"int64[1] = {N}", "int64[1] = {0}"}}, "bool[1]", "{1}"},
      {"and", {.op = "And", .inputs = {"bool[3] = {0, 1, 1}", "bool[3] = {?, 1, ?}"}}, "bool[3]", "{0, 1, ?}"},
      {"or", {.op = "Or", .inputs = {"bool[2] = {1, 0}", "bool[2] = {?, ?}"}}, "bool[2]", "{1, ?}"},
      {"xor", {.op = "Xor", .inputs = {"bool[1] = {1}", "bool[1] = {1}"}}, "bool[1]", "{0}"},
      {"not", {.op = "Not", .inputs = {"bool[2] = {1, 0}"}}, "bool[2]", "{0, 1}"},
      {"where", {.op = "Where", .inputs = {"bool[3] = {1, 0, ?}", "int64[] = {1}", "int64[3] = {N, N, 1}"}},
       "int64[3]", "{1, N, 1}"},
      {"cast of sizes", {.op = "Cast", .inputs = {"int64[2] = {N, 3}"}, .attrs = {Int("to", 1)}}, "float[2]", "{N, 3}"},
      {"cast toward zero", {.op = "Cast", .inputs = {"float[2] = {-1.5, 2.75}"}, .attrs = {Int("to", 7)}}, "int64[2]",
       "{-1, 2}"},
      {"cast of a float out of range", {.op = "Cast", .inputs = {"float[2] = {-9, 7}"}, .attrs = {Int("to", 22)}},
       "int4[2]", "{?, 7}"},
      {"cast wraps", {.op = "Cast", .inputs = {"int64[2] = {300, 200}"}, .attrs = {Int("to", 3)}}, "int8[2]",
       "{44, -56}"},
      {"cast to bool", {.op = "Cast", .inputs = {"int64[2] = {0, 5}"}, .attrs = {Int("to", 9)}}, "bool[2]", "{0, 1}"},
      {"cast past the type", {.op = "Cast", .inputs = {"float[1] = {1e20}"}, .attrs = {Int("to", 7)}}, "int64[1]"},
      {"unknown inputs", {.op = "Add", .inputs = {"int64[2]", "int64[2]"}}, "int64[2]"},
      {"past int32", {.op = "Mul", .inputs = {"int32[1] = {65536}", "int32[1] = {65536}"}}, "int32[1]"},
      {"rounded to float32", {.op = "Add", .inputs = {"float[1] = {16777216}", "float[1] = {1}"}}, "float[1]",
       "{16777216}"},
  });
  // clang-format on
}

TEST_CASE("what element-wise operators refuse") {
  CheckRefused({.op = "BitCast", .opset = 26, .inputs = {"float[4]"}, .attrs = {Int("to", 7)}},
               "a type of 32 bits, found int64");
  CheckRefused({.op = "SwiGLU", .opset = 28, .inputs = {"float[2, 3]", "float[2, 1]"}}, "3 and 1");
  CheckRefused({.op = "SwiGLU", .opset = 28, .inputs = {"float[2, 3]", "float[3]"}}, "rank 1");
}

}  // namespace
}  // namespace hwest
