#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("reductions: axes as attribute and as input") {
  // clang-format off
  CheckRows({
      {"all axes", {.op = "ReduceMax", .inputs = {"float[2, 3]"}, .attrs = {Int("keepdims", 0)}}, {"float[]"}, "0",
       "compare=6"},
      {"attribute", {.op = "ReduceMean", .opset = 13, .inputs = {"float[2, 3, 4]"},
                     .attrs = {Ints("axes", {-1, 1}), Int("keepdims", 1)}},
       {"float[2, 1, 1]"}, "0", "add=24 mul=2"},
      {"input", {.op = "ReduceMean", .opset = 18, .inputs = {"float[N, 3, 4]", "int64[1] = {1}"},
                 .attrs = {Int("keepdims", 0)}},
       {"float[N, 4]"}, "0", "add=12*N mul=4*N"},
      {"ReduceSum takes an input from version 13",
       {.op = "ReduceSum", .opset = 13, .inputs = {"int64[2, 3]", "int64[1] = {0}"}}, {"int64[1, 3]"}, "0",
       "integer=6"},
      {"unknown axes keep the rank", {.op = "ReduceSum", .opset = 13, .inputs = {"float[2, 3]", "int64[1]"}},
       {"float[?, ?]"}, "0", "add=6"},
      {"unknown axes lose the rank", {.op = "ReduceSum", .opset = 13, .inputs = {"float[2, 3]", "int64[1]"},
                                      .attrs = {Int("keepdims", 0)}},
       {"float?"}, "0", "add=6"},
      {"no axes, no operation", {.op = "ReduceMin", .opset = 18, .inputs = {"float[2, 3]"},
                                 .attrs = {Int("noop_with_empty_axes", 1)}},
       {"float[2, 3]"}},
      {"an unstated version is the newest",
       {.op = "ReduceMax", .opset = 0, .inputs = {"float[2, 3]", "int64[1] = {0}"}}, {"float[1, 3]"}, "0", "compare=6"},
      {"scalar", {.op = "ReduceProd", .inputs = {"float[]"}, .attrs = {Ints("axes", {0}), Int("keepdims", 0)}},
       {"float[]"}, "0", "mul=1"},
      {"norm", {.op = "ReduceL2", .inputs = {"float[2, 3]"}, .attrs = {Ints("axes", {1})}}, {"float[2, 1]"}, "0",
       "add=6 mul=6 transcendental=2"},
      {"absolute values", {.op = "ReduceL1", .inputs = {"float[2, 3]"}, .attrs = {Ints("axes", {1})}}, {"float[2, 1]"},
       "0", "add=12"},
      {"logarithm of the sum", {.op = "ReduceLogSum", .inputs = {"float[2, 3]"}, .attrs = {Ints("axes", {1})}},
       {"float[2, 1]"}, "0", "add=6 transcendental=2"},
      {"logarithm of the sum of exponentials", {.op = "ReduceLogSumExp", .inputs = {"float[2, 3]"},
                                                .attrs = {Ints("axes", {1})}},
       {"float[2, 1]"}, "0", "add=12 transcendental=8"},
      {"squares", {.op = "ReduceSumSquare", .inputs = {"float[2, 3]"}, .attrs = {Ints("axes", {1})}}, {"float[2, 1]"},
       "0", "add=6 mul=6"},
      {"smallest index", {.op = "ArgMin", .inputs = {"float[2, 3, 4]"}}, {"int64[1, 3, 4]"}, "0", "compare=24"},
      {"running product", {.op = "CumProd", .opset = 26, .inputs = {"float[2, S]", "int64[] = {1}"}}, {"float[2, S]"},
       "0", "mul=2*S"},
      {"largest index", {.op = "ArgMax", .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", 1), Int("keepdims", 0)}},
       {"int64[2, 4]"}, "0", "compare=24"},
      {"running sum", {.op = "CumSum", .inputs = {"float[2, S]", "int64[] = {1}"}}, {"float[2, S]"}, "0", "add=2*S"},
  });
  // clang-format on
  CheckRefused({.op = "ReduceMean", .opset = 13, .inputs = {"float[2]"}, .attrs = {Ints("axes", {1})}}, "axis 1");
  CheckRefused({.op = "ArgMax", .inputs = {"float[2]"}, .attrs = {Int("axis", -2)}}, "axis -2");
  CheckRefused({.op = "CumSum", .inputs = {"float[2]", "int64[] = {1}"}}, "axis 1");
}

TEST_CASE("reductions: integers are followed") {
  struct Row {
    const char* op;
    const char* input;
    std::vector<TestAttr> attrs;
    const char* known;
  };
  const Row rows[] = {
      {"ReduceProd", "int64[3] = {2, 3, 4}", {Int("keepdims", 0)}, "{24}"},
      {"ReduceSum", "int64[2, 2] = {1, 2, 3, 4}", {Ints("axes", {0})}, "{4, 6}"},
      {"ReduceSum", "int64[2, 2] = {1, 2, 3, 4}", {Ints("axes", {1})}, "{3, 7}"},
      {"ReduceMin", "int64[3] = {7, 3, 5}", {}, "{3}"},
      {"ReduceMax", "float[2] = {0.5, 2.25}", {}, "{2.25}"},
      {"ReduceSum", "float[2] = {0.5, 2.25}", {}, "none"},
      {"ReduceProd", "int64[0] = {}", {}, "{1}"},
      {"ReduceMin", "int64[2]", {}, "none"},
  };
  for (const Row& row : rows) {
    INFO(row.op << " of " << row.input);
    CHECK(RunOp({.op = row.op, .opset = 11, .inputs = {row.input}, .attrs = row.attrs}).known(0) == row.known);
  }
}

TEST_CASE("TopK: K as attribute, as value, and unknown") {
  // clang-format off
  CheckRows({
      {"attribute", {.op = "TopK", .opset = 1, .inputs = {"float[2, 10]"}, .attrs = {Int("k", 3)}},
       {"float[2, 3]", "int64[2, 3]"}, "0", "compare=40"},
      {"value", {.op = "TopK", .inputs = {"float[2, 2000]", "int64[1] = {1000}"}, .attrs = {Int("axis", 1)}},
       {"float[2, 1000]", "int64[2, 1000]"}, "0", "compare=40000"},
      {"largest only", {.op = "TopK", .inputs = {"float[10]", "int64[1] = {1}"}}, {"float[1]", "int64[1]"}, "0",
       "compare=10"},
  });
  // clang-format on
  CheckRefused({.op = "TopK", .inputs = {"float[2]", "int64[1] = {-1}"}}, "0 or more, found -1");
  CheckRefused({.op = "TopK", .inputs = {"float[2]", "int64[1] = {3}"}}, "takes 3 of an axis of 2");

  const OpRun run = RunOp({.op = "TopK", .inputs = {"float[9]", "int64[1]"}});
  const Dim k = run.view().out(0).shape.dim(0);
  CHECK(run.dims->BoundsOf(k).max == 9);
  for (const auto& [value, compares] : {std::pair(1, 9), std::pair(2, 9), std::pair(3, 18), std::pair(9, 36)}) {
    const Binding binding = {{run.dims->AsSymbol(k), Dim(value)}};
    CHECK(run.dims->Substitute(run.work.value().op(OpKind::kCompare), binding) == Dim(compares));
  }
}

}  // namespace
}  // namespace hwest
