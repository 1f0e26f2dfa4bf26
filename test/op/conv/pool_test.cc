#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

struct PoolRow {
  const char* name;
  OpCase op;
  const char* type;
  const char* ops;
};

TEST_CASE("pools: sizes that cannot be") {
  CheckRefused({.op = "MaxUnpool",
                .inputs = {"float[1, 1, 2]", "int64[1, 1, 2]", "int64[3] = {1, 1, -2}"},
                .attrs = {Ints("kernel_shape", {2})}},
               "0 or more, found -2");
  CheckRefused({.op = "MaxUnpool",
                .inputs = {"float[1, 1, 2]", "int64[1, 1, 2]", "int64[2] = {1, 1}"},
                .attrs = {Ints("kernel_shape", {2})}},
               "3 sizes in output_shape, found 2");
  CheckRefused(
      {.op = "MaxRoiPool", .inputs = {"float[1, 1, 4, 4]", "float[2, 4]"}, .attrs = {Ints("pooled_shape", {2, 2})}},
      "4 and 5");
  CheckRefused({.op = "MaxRoiPool", .inputs = {"float[1, 1, 4, 4]", "float[2, 5]"}}, "pooled_shape");
}

TEST_CASE("pools: shapes and element operations") {
  // clang-format off
  const PoolRow rows[] = {
      {"max",
       {.op = "MaxPool",
        .inputs = {"float[1, 64, 112, 112]"},
        .attrs = {Ints("kernel_shape", {3, 3}), Ints("strides", {2, 2}), Ints("pads", {1, 1, 1, 1})}},
       "float[1, 64, 56, 56]", "compare=1806336"},
      {"max of integers", {.op = "MaxPool", .inputs = {"uint8[1, 1, 4]"}, .attrs = {Ints("kernel_shape", {2})}},
       "uint8[1, 1, 3]", "integer=6"},
      {"average",
       {.op = "AveragePool", .inputs = {"float[1, 2, 4, 4]"},
        .attrs = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})}},
       "float[1, 2, 2, 2]", "add=32 mul=8"},
      {"rounded up",
       {.op = "MaxPool", .inputs = {"float[1, 1, 6]"},
        .attrs = {Ints("kernel_shape", {3}), Ints("strides", {2}), Int("ceil_mode", 1)}},
       "float[1, 1, 3]", "compare=9"},
      {"rounded up, the last window would start in the padding",
       {.op = "MaxPool", .inputs = {"float[1, 1, 4]"},
        .attrs = {Ints("kernel_shape", {1}), Ints("strides", {2}), Ints("pads", {0, 1}), Int("ceil_mode", 1)}},
       "float[1, 1, 2]", "compare=2"},
      {"rounded up, symbolic",
       {.op = "MaxPool", .inputs = {"float[1, 1, L]"},
        .attrs = {Ints("kernel_shape", {2}), Ints("strides", {2}), Int("ceil_mode", 1)}},
       "float[1, 1, ceildiv(L, 2)]", "compare=2*ceildiv(L, 2)"},
      {"norm",
       {.op = "LpPool", .inputs = {"float[1, 2, 4, 4]"},
        .attrs = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2}), Int("p", 3)}},
       "float[1, 2, 2, 2]", "add=32 mul=32 transcendental=8"},
      {"global norm", {.op = "GlobalLpPool", .inputs = {"float[1, 2, 3, 3]"}}, "float[1, 2, 1, 1]",
       "add=18 mul=18 transcendental=2"},
      {"regions", {.op = "MaxRoiPool", .inputs = {"float[2, 3, 8, 9]", "float[5, 5]"},
                   .attrs = {Ints("pooled_shape", {2, 3})}},
       "float[5, 3, 2, 3]", "compare=1080"},
      {"unpooled", {.op = "MaxUnpool", .inputs = {"float[1, 2, H, 4]", "int64[1, 2, H, 4]"},
                    .attrs = {Ints("kernel_shape", {2, 3}), Ints("strides", {2, 2})}},
       "float[1, 2, 2*H, 9]", ""},
      {"unpooled to a size",
       {.op = "MaxUnpool",
        .inputs = {"float[1, 1, 2, 2]", "int64[1, 1, 2, 2]", "int64[4] = {1, 1, 5, W}"},
        .attrs = {Ints("kernel_shape", {2, 2}), Ints("strides", {2, 2})}},
       "float[1, 1, 5, W]", ""},
      {"unpooled to an unknown size",
       {.op = "MaxUnpool", .inputs = {"float[1, 1, 2, 2]", "int64[1, 1, 2, 2]", "int64[?]"},
        .attrs = {Ints("kernel_shape", {2, 2})}},
       "float[?, ?, ?, ?]", ""},
      {"global average", {.op = "GlobalAveragePool", .inputs = {"float[1, 512, 7, 7]"}}, "float[1, 512, 1, 1]",
       "add=25088"},
      {"global max of a volume", {.op = "GlobalMaxPool", .inputs = {"float[N, 2, 3, 4, 5]"}},
       "float[N, 2, 1, 1, 1]", "compare=120*N"},
      {"unranked, kernel given",
       {.op = "AveragePool", .inputs = {"float?"}, .attrs = {Ints("kernel_shape", {2, 2})}}, "float[?, ?, ?, ?]",
       "add=? mul=?"},
  };
  // clang-format on
  for (const PoolRow& row : rows) {
    INFO(row.name);
    const OpRun run = RunOp(row.op);
    REQUIRE(run.inferred.ok());
    CHECK(run.type(0) == row.type);
    CHECK(run.ops() == row.ops);
    CHECK(run.macs() == "0");
  }
}

TEST_CASE("MaxPool: indices are int64 of the same shape") {
  const OpRun run =
      RunOp({.op = "MaxPool", .inputs = {"float[1, 1, 4]"}, .attrs = {Ints("kernel_shape", {2})}, .outputs = 2});
  CHECK(run.type(1) == "int64[1, 1, 3]");
}

TEST_CASE("pools: contradictions are errors") {
  CHECK_FALSE(RunOp({.op = "MaxPool", .inputs = {"float[1, 4]"}, .attrs = {Ints("kernel_shape", {2})}}).inferred.ok());
  CHECK_FALSE(
      RunOp({.op = "MaxPool", .inputs = {"float[1, 1, 4, 4]"}, .attrs = {Ints("kernel_shape", {2})}}).inferred.ok());
  CHECK_FALSE(RunOp({.op = "GlobalAveragePool", .inputs = {"float[3]"}}).inferred.ok());
}

}  // namespace
}  // namespace hwest
