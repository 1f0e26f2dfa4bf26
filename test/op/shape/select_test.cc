// Operators that place a part of a tensor or select by content.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("CenterCropPad, Col2Im, ReverseSequence, TensorScatter") {
  // clang-format off
  CheckRows({
      {"crop and pad", {.op = "CenterCropPad", .opset = 18, .inputs = {"float[10, 3]", "int64[2] = {4, N}"}},
       {"float[4, N]"}},
      {"crop listed axes", {.op = "CenterCropPad", .opset = 18, .inputs = {"float[H, W, 3]", "int32[2] = {4, 5}"},
                            .attrs = {Ints("axes", {-3, 1})}},
       {"float[4, 5, 3]"}},
      {"crop to an unknown size", {.op = "CenterCropPad", .opset = 18, .inputs = {"float[10, 3]", "int64[1]"},
                                   .attrs = {Ints("axes", {0})}},
       {"float[?, 3]"}},
      {"columns to an image",
       {.op = "Col2Im", .opset = 18, .inputs = {"float[N, 12, 20]", "int64[2] = {5, 6}", "int64[2] = {2, 3}"}},
       {"float[N, 2, 5, 6]"}, "0", "add=240*N"},
      {"columns to an unknown image",
       {.op = "Col2Im", .opset = 18, .inputs = {"float[1, 12, 20]", "int64[2]", "int64[2] = {2, 3}"}},
       {"float[1, 2, ?, ?]"}, "0", "add=240"},
      {"reversed", {.op = "ReverseSequence", .inputs = {"float[T, B, 3]", "int64[B]"}}, {"float[T, B, 3]"}},
      {"cache", {.op = "TensorScatter", .opset = 24, .inputs = {"float[B, 4, 99, 8]", "float[B, 4, S, 8]", "int64[B]"}},
       {"float[B, 4, 99, 8]"}},
      {"cache of three axes",
       {.op = "TensorScatter", .opset = 24, .inputs = {"float[B, 99, 8]", "float[B, 1, 8]"}, .attrs = {Int("axis", 1)}},
       {"float[B, 99, 8]"}},
  });
  // clang-format on
  const OpRun crop = RunOp({.op = "CenterCropPad", .opset = 18, .inputs = {"float[10, 3]", "int64[2] = {4, 5}"}});
  CHECK(crop.work->reads[0] == Dim(12));
  CheckRefused({.op = "CenterCropPad", .opset = 18, .inputs = {"float[9]", "int64[2] = {1, 2}"}}, "one size for each");
  CheckRefused({.op = "CenterCropPad", .opset = 18, .inputs = {"float[9]", "int64[1] = {-1}"}}, "0 or more, found -1");
  CheckRefused({.op = "Col2Im", .opset = 18, .inputs = {"float[1, 13, 20]", "int64[2] = {5, 6}", "int64[2] = {2, 3}"}},
               "whole blocks of 6, found 13");
  CheckRefused({.op = "Col2Im", .opset = 18, .inputs = {"float[1, 13, 20]", "int64[3]", "int64[2]"}}, "one rank");
  CheckRefused({.op = "ReverseSequence", .inputs = {"float[5, 3]", "int64[5]"}}, "3 and 5");
  CheckRefused({.op = "ReverseSequence", .inputs = {"float[5, 5]", "int64[5]"}, .attrs = {Int("time_axis", 1)}},
               "in any order");
  CheckRefused({.op = "TensorScatter", .opset = 24, .inputs = {"float[2, 9, 8]", "float[2, 1, 7]"}}, "8 and 7");
  CheckRefused({.op = "TensorScatter", .opset = 24, .inputs = {"float[2, 9]", "float[1, 9]"}}, "than the batch");
}

TEST_CASE("Compress: slices whose condition holds") {
  const auto compress = [](const char* x, const char* condition, std::vector<TestAttr> attrs = {}) {
    return OpCase{.op = "Compress", .inputs = {x, condition}, .attrs = std::move(attrs)};
  };
  const TestAttr rows = Int("axis", 0), columns = Int("axis", -1);
  CheckKnown({
      {"rows", compress("int64[3, 2] = {1, 2, 3, 4, 5, N}", "bool[3] = {0, 1, 1}", {rows}), "int64[2, 2]",
       "{3, 4, 5, N}"},
      {"columns", compress("int64[2, 2] = {1, 2, 3, 4}", "bool[2] = {0, 1}", {columns}), "int64[2, 1]", "{2, 4}"},
      {"flattened, short condition", compress("int64[2, 2] = {1, 2, 3, 4}", "bool[3] = {0, 1, 1}"), "int64[2]",
       "{2, 3}"},
      {"condition known, contents not", compress("float[N, 2]", "bool[2] = {1, 1}", {rows}), "float[2, 2]"},
      {"nothing selected", compress("float[3]", "bool[2] = {0, 0}"), "float[0]", "none"},
      {"unranked", compress("float?", "bool[2]", {rows}), "float?"},
  });
  const OpRun run = RunOp(compress("float[9, 2]", "bool[4]", {rows}));
  CHECK(run.type(0) == "float[compress, 2]");
  CHECK(run.dims->BoundsOf(run.view().out(0).shape.dim(0)).max == 4);
  CHECK(run.text(run.work->reads[0].value()) == "2*compress");
  CheckRefused(compress("float[2]", "bool[3] = {0, 0, 1}"), "selects index 2 of 2");
  CheckRefused(compress("float[2]", "bool[2]", {Int("axis", 1)}), "axis 1");
}

TEST_CASE("Unique: constants fold, else a bounded size") {
  struct Row {
    const char* x;
    std::vector<TestAttr> attrs;
    std::vector<std::string> known;  // of all outputs
  };
  // clang-format off
  const Row rows[] = {
      {"int64[6] = {2, 1, 1, 3, 4, 3}", {Int("sorted", 0)},
       {"{2, 1, 3, 4}", "{0, 1, 3, 4}", "{0, 1, 1, 2, 3, 2}", "{1, 2, 2, 1}"}},
      {"int64[2, 2] = {1, 3, 2, 3}", {}, {"{1, 2, 3}", "{0, 2, 1}", "{0, 2, 1, 2}", "{1, 1, 2}"}},
      {"float[3, 3] = {1, 0, 0, 1, 0, 0, 2, 3, 4}", {Int("axis", 0)},
       {"{1, 0, 0, 2, 3, 4}", "{0, 2}", "{0, 0, 1}", "{2, 1}"}},
      {"float[2, 4] = {1, 0, 2, 0, 1, 1, 1, 1}", {Int("axis", 1)},
       {"{0, 1, 2, 1, 1, 1}", "{1, 0, 2}", "{1, 0, 2, 0}", "{2, 1, 1}"}},
  };
  // clang-format on
  for (const Row& row : rows) {
    INFO(row.x);
    const OpRun run = RunOp({.op = "Unique", .inputs = {row.x}, .attrs = row.attrs, .outputs = 4});
    for (int i = 0; i < 4; ++i) CHECK(run.known(i) == row.known[static_cast<size_t>(i)]);
  }
  // clang-format off
  CheckRows({
      {"flattened", {.op = "Unique", .inputs = {"float[3, N]"}},
       {"float[unique]", "int64[unique]", "int64[3*N]", "int64[unique]"}, "0", "compare=?"},
      {"along an axis", {.op = "Unique", .inputs = {"float[3, 4]"}, .attrs = {Int("axis", -1)}},
       {"float[3, unique]", "int64[unique]", "int64[4]", "int64[unique]"}, "0", "compare=48"},
      {"one element", {.op = "Unique", .inputs = {"float[]"}}, {"float[1]"}, "0", "compare=1"},
      {"unranked, along an axis", {.op = "Unique", .inputs = {"float?"}, .attrs = {Int("axis", 0)}},
       {"float?", "int64[unique]", "int64[?]"}, "0", "compare=?"},
  });
  // clang-format on
  const OpRun run = RunOp({.op = "Unique", .inputs = {"float[3, 4]"}});
  CHECK(run.dims->BoundsOf(run.view().out(0).shape.dim(0)).min == 1);
  CHECK(run.dims->BoundsOf(run.view().out(0).shape.dim(0)).max == 12);
  CheckRefused({.op = "Unique", .inputs = {"float[3]"}, .attrs = {Int("axis", 1)}}, "axis 1");
}

}  // namespace
}  // namespace hwest
