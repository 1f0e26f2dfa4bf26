// Operators that move, select or resample elements.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

const char* const kMax = "int64[1] = {9223372036854775807}";

TEST_CASE("Transpose, Concat, Split, Tile, Expand") {
  // clang-format off
  CheckKnown({
      {"transpose", {.op = "Transpose", .inputs = {"float[N, 3, 4]"}, .attrs = {Ints("perm", {2, 0, 1})}},
       "float[4, N, 3]"},
      {"the other order of axes",
       {.op = "tflite.order::Reorder", .inputs = {"float[1, 3, 8, 4]"}, .attrs = {Ints("perm", {0, 2, 3, 1})}},
       "float[1, 8, 4, 3]"},
      {"transpose, reverse", {.op = "Transpose", .inputs = {"int64[2, 2] = {1, 2, 3, N}"}}, "int64[2, 2]",
       "{1, 3, 2, N}"},
      {"transpose, unranked", {.op = "Transpose", .inputs = {"float?"}, .attrs = {Ints("perm", {1, 0})}},
       "float[?, ?]"},
      {"concat", {.op = "Concat", .inputs = {"float[N, 3]", "float[N, 5]"}, .attrs = {Int("axis", -1)}}, "float[N, 8]"},
      {"concat, sizes meet", {.op = "Concat", .inputs = {"float[?, M]", "float[4, K]"}, .attrs = {Int("axis", 1)}},
       "float[4, M + K]"},
      {"concat, contents", {.op = "Concat", .inputs = {"int64[1] = {N}", "int64[2]"}, .attrs = {Int("axis", 0)}},
       "int64[3]", "{N, ?, ?}"},
      {"concat, rows", {.op = "Concat", .inputs = {"int64[2, 1] = {1, 2}", "int64[2, 1] = {3, 4}"},
                        .attrs = {Int("axis", 1)}},
       "int64[2, 2]", "{1, 3, 2, 4}"},
      {"concat of operator set 1", {.op = "Concat", .opset = 1, .inputs = {"float[1, 2]", "float[1, 3]"}},
       "float[1, 5]"},
      {"tile", {.op = "Tile", .inputs = {"int64[1, 2] = {1, N}", "int64[2] = {2, 2}"}}, "int64[2, 4]",
       "{1, N, 1, N, 1, N, 1, N}"},
      {"tile, symbolic", {.op = "Tile", .inputs = {"float[2, 3]", "int64[2] = {N, 1}"}}, "float[2*N, 3]"},
      {"tile of operator set 1",
       {.op = "Tile", .opset = 1, .inputs = {"float[2, 3]", "int64[1] = {4}", "int64[1] = {1}"}}, "float[2, 12]"},
      {"expand", {.op = "Expand", .inputs = {"int64[2, 1] = {1, N}", "int64[2] = {1, 2}"}}, "int64[2, 2]",
       "{1, 1, N, N}"},
      {"expand, symbolic", {.op = "Expand", .inputs = {"float[1, 1, S]", "int64[4] = {N, 1, S, 1}"}},
       "float[N, 1, S, S]"},
      {"expand, length known", {.op = "Expand", .inputs = {"float[3]", "int64[2]"}}, "float[?, 3]"},
  });
  // clang-format on
  CheckRefused({.op = "Transpose", .inputs = {"float[2, 3]"}, .attrs = {Ints("perm", {0, 0})}}, "permutation");
  CheckRefused({.op = "Concat", .inputs = {"float[2, 3]", "float[3, 3]"}, .attrs = {Int("axis", 1)}}, "2 and 3");
  CheckRefused({.op = "Concat", .inputs = {"float[2]", "float[2, 3]"}, .attrs = {Int("axis", 0)}}, "one rank");
  CheckRefused({.op = "Tile", .inputs = {"float[2]", "int64[2] = {1, 1}"}}, "one repeat per axis");
  CheckRefused({.op = "Expand", .inputs = {"float[3]", "int64[1] = {4}"}}, "do not broadcast");
}

TEST_CASE("Split") {
  // clang-format off
  CheckRows({
      {"equal parts", {.op = "Split", .inputs = {"float[6, N]"}}, {"float[3, N]", "float[3, N]"}},
      {"sizes as input", {.op = "Split", .inputs = {"float[N, 7]", "int64[2] = {3, 4}"}, .attrs = {Int("axis", 1)}},
       {"float[N, 3]", "float[N, 4]"}},
      {"sizes as attribute",
       {.op = "Split", .opset = 11, .inputs = {"float[7]"}, .attrs = {Ints("split", {5, 2})}},
       {"float[5]", "float[2]"}},
      {"last part smaller", {.op = "Split", .opset = 18, .inputs = {"float[7]"}, .attrs = {Int("num_outputs", 3)}},
       {"float[3]", "float[3]", "float[1]"}},
      {"one size for all parts", {.op = "Split", .inputs = {"float[8]", "int64[3] = {3, 3, 3}"}},
       {"float[3]", "float[3]", "float[2]"}},
      {"sizes unknown", {.op = "Split", .inputs = {"float[7]", "int64[2]"}}, {"float[split]", "float[-split + 7]"}},
      {"symbolic", {.op = "Split", .inputs = {"float[3*N]"}}, {"float[N]", "float[N]", "float[N]"}},
  });
  // clang-format on
  const OpRun run = RunOp({.op = "Split", .inputs = {"int64[4] = {1, N, 3, 4}"}, .outputs = 2});
  CHECK(run.known(0) == "{1, N}");
  CHECK(run.known(1) == "{3, 4}");
  CheckRefused({.op = "Split", .inputs = {"float[7]"}, .outputs = 2}, "divides");
  CheckRefused({.op = "Split", .inputs = {"float[7]", "int64[2] = {3, 3}"}, .outputs = 2}, "6 and 7");
  CheckRefused({.op = "Split", .inputs = {"float[7]", "int64[2] = {7, 7}"}, .outputs = 2}, "14 and 7");
  CheckRefused({.op = "Split", .inputs = {"float[5]", "int64[2] = {3, 4}"}, .outputs = 2}, "7 and 5");
  CheckRefused({.op = "Split", .inputs = {"float[7]", "int64[3] = {3, 3, 1}"}, .outputs = 2}, "one size per output");
}

TEST_CASE("Slice") {
  const auto one = [](int64_t v) { return "int64[1] = {" + std::to_string(v) + "}"; };
  // clang-format off
  CheckKnown({
      {"middle", {.op = "Slice", .inputs = {"float[10, 4]", one(2), one(5)}}, "float[3, 4]"},
      {"to the end", {.op = "Slice", .inputs = {"float[N, 4]", one(1), kMax}}, "float[max(N - 1, 0), 4]"},
      {"whole", {.op = "Slice", .inputs = {"float[N, 4]", one(0), kMax, one(0)}}, "float[N, 4]"},
      {"whole, 32 bits", {.op = "Slice", .inputs = {"float[N]", one(0), one(2147483647)}}, "float[N]"},
      {"first", {.op = "Slice", .inputs = {"float[N]", one(0), one(1)}}, "float[min(N, 1)]"},
      {"last", {.op = "Slice", .inputs = {"float[N]", one(-1), kMax}}, "float[min(N, 1)]"},
      {"all but the last", {.op = "Slice", .inputs = {"float[N]", one(0), one(-1)}}, "float[max(N - 1, 0)]"},
      {"table up to a symbol", {.op = "Slice", .inputs = {"float[512, 8]", one(0), "int64[1] = {S}"}},
       "float[min(S, 512), 8]"},
      {"every second", {.op = "Slice", .inputs = {"float[7]", one(0), kMax, one(0), one(2)}}, "float[4]"},
      {"every second, symbolic", {.op = "Slice", .inputs = {"float[N]", one(0), kMax, one(0), one(2)}},
       "float[ceildiv(N, 2)]"},
      {"backwards",
       {.op = "Slice",
        .inputs = {"int64[3] = {1, N, 3}", one(-1), "int64[1] = {-9223372036854775808}", one(0), one(-1)}},
       "int64[3]", "{3, N, 1}"},
      {"backwards, symbolic",
       {.op = "Slice", .inputs = {"float[N]", kMax, "int64[1] = {-9223372036854775808}", one(0), one(-1)}},
       "float[N]"},
      {"backwards, part", {.op = "Slice", .inputs = {"int64[4] = {0, 1, 2, 3}", one(2), one(0), one(0), one(-2)}},
       "int64[1]", "{2}"},
      {"beyond the end", {.op = "Slice", .inputs = {"float[4]", one(2), one(9)}}, "float[2]"},
      {"nothing left", {.op = "Slice", .inputs = {"float[4]", one(9), kMax}}, "float[0]", "none"},
      {"contents", {.op = "Slice", .inputs = {"int64[4] = {N, 3, H, W}", one(2), one(4)}}, "int64[2]", "{H, W}"},
      {"bounds unknown", {.op = "Slice", .inputs = {"float[4, 5]", "int64[1]", "int64[1]", one(1)}}, "float[4, slice]"},
      {"up to the number of all elements",
       {.op = "Slice", .inputs = {"float[N, 14]", one(3), "int64[1] = {14*N}", one(1)}}, "float[N, 11]"},
      {"axes unknown", {.op = "Slice", .inputs = {"float[4, 5]", one(0), one(1), "int64[1]"}}, "float[?, ?]"},
      {"attributes",
       {.op = "Slice", .opset = 9, .inputs = {"float[4, 5]"},
        .attrs = {Ints("starts", {1}), Ints("ends", {-1}), Ints("axes", {1})}},
       "float[4, 3]"},
  });
  // clang-format on
  const OpRun run = RunOp({.op = "Slice", .inputs = {"float[10, 4]", one(2), one(5)}});
  REQUIRE(run.work->reads.size() == 1);
  CHECK(run.work->reads[0] == Dim(12));
  CheckRefused({.op = "Slice", .inputs = {"float[4]", one(0), one(1), one(0), one(0)}}, "other than 0");
  CheckRefused({.op = "Slice", .inputs = {"float[4]", one(0), one(1), one(1)}}, "axis 1");
  CheckRefused({.op = "Slice", .inputs = {"float[4]", "int64[2] = {0, 0}", one(1)}}, "as many starts");
}

TEST_CASE("Pad, DepthToSpace, SpaceToDepth, Trilu") {
  // clang-format off
  CheckKnown({
      {"pads", {.op = "Pad", .inputs = {"float[1, N]", "int64[4] = {0, 1, 0, 2}"}}, "float[1, N + 3]"},
      {"pads, contents", {.op = "Pad", .inputs = {"int64[2] = {N, 5}", "int64[2] = {1, 2}", "int64[] = {7}"}},
       "int64[5]", "{7, N, 5, 7, 7}"},
      {"pads, cropped", {.op = "Pad", .inputs = {"int64[3] = {1, 2, 3}", "int64[2] = {-1, 0}"}}, "int64[2]", "{2, 3}"},
      {"pads, axes", {.op = "Pad", .opset = 18, .inputs = {"float[2, 3]", "int64[2] = {1, 1}", "", "int64[1] = {-1}"}},
       "float[2, 5]"},
      {"pads unknown", {.op = "Pad", .inputs = {"float[2, 3]", "int64[4]"}}, "float[?, ?]"},
      {"pads symbolic", {.op = "Pad", .inputs = {"float[H]", "int64[2] = {0, P}"}}, "float[H + P]"},
      {"pads as attribute",
       {.op = "Pad", .opset = 2, .inputs = {"float[2]"}, .attrs = {Ints("pads", {1, 2})}}, "float[5]"},
      {"pads of operator set 1", {.op = "Pad", .opset = 1, .inputs = {"float[2]"}, .attrs = {Ints("paddings", {1, 2})}},
       "float[5]"},
      {"depth to space", {.op = "DepthToSpace", .inputs = {"float[N, 12, H, 5]"}, .attrs = {Int("blocksize", 2)}},
       "float[N, 3, 2*H, 10]"},
      {"space to depth", {.op = "SpaceToDepth", .inputs = {"float[N, 3, 4, 6]"}, .attrs = {Int("blocksize", 2)}},
       "float[N, 12, 2, 3]"},
      {"upper triangle", {.op = "Trilu", .inputs = {"int64[2, 2] = {1, 2, 3, 4}"}}, "int64[2, 2]", "{1, 2, 0, 4}"},
      {"lower triangle below the diagonal",
       {.op = "Trilu", .inputs = {"int64[2, 2] = {1, 2, 3, 4}", "int64[] = {-1}"}, .attrs = {Int("upper", 0)}},
       "int64[2, 2]", "{0, 0, 3, 0}"},
  });
  // clang-format on
  CheckRefused({.op = "Pad", .inputs = {"float[2]", "int64[2] = {-2, -1}"}}, "crops axis 0");
  CheckRefused({.op = "Pad", .inputs = {"float[2]", "int64[3] = {0, 0, 0}"}}, "two pads");
  CheckRefused({.op = "DepthToSpace", .inputs = {"float[1, 5, 2, 2]"}, .attrs = {Int("blocksize", 2)}}, "divides");
  CheckRefused({.op = "SpaceToDepth", .inputs = {"float[1, 5, 2, 2]"}}, "blocksize");
  CheckRefused({.op = "Trilu", .inputs = {"float[3]"}}, "rank 2");
}

TEST_CASE("Gather, Scatter and OneHot") {
  // clang-format off
  CheckKnown({
      {"gather rows", {.op = "Gather", .inputs = {"float[V, 768]", "int64[N, S]"}}, "float[N, S, 768]"},
      {"gather a column", {.op = "Gather", .inputs = {"float[4, 5]", "int64[] = {1}"}, .attrs = {Int("axis", -1)}},
       "float[4]"},
      {"gather a size", {.op = "Gather", .inputs = {"int64[3] = {N, 3, ?}", "int64[] = {0}"}}, "int64[]", "{N}"},
      {"gather from the end", {.op = "Gather", .inputs = {"int64[3] = {N, 3, H}", "int64[2] = {-1, 2}"}}, "int64[2]",
       "{H, H}"},
      {"gather outside", {.op = "Gather", .inputs = {"int64[2] = {1, 2}", "int64[2] = {0, 7}"}}, "int64[2]", "{1, ?}"},
      {"gather columns",
       {.op = "Gather", .inputs = {"int64[2, 2] = {1, 2, 3, 4}", "int64[1] = {1}"}, .attrs = {Int("axis", 1)}},
       "int64[2, 1]", "{2, 4}"},
      {"gather elements", {.op = "GatherElements", .inputs = {"int64[2, 2] = {1, 2, 3, N}", "int64[1, 2] = {1, 1}"}},
       "int64[1, 2]", "{3, N}"},
      {"gather tuples", {.op = "GatherND", .inputs = {"float[2, 3, 4]", "int64[N, 5, 2]"}}, "float[N, 5, 4]"},
      {"gather tuples in batches",
       {.op = "GatherND", .inputs = {"int64[2, 2] = {1, 2, 3, N}", "int64[2, 1] = {1, 1}"},
        .attrs = {Int("batch_dims", 1)}},
       "int64[2]", "{2, N}"},
      {"scatter elements",
       {.op = "ScatterElements", .inputs = {"int64[3] = {1, 2, 3}", "int64[1] = {-1}", "int64[1] = {N}"}}, "int64[3]",
       "{1, 2, N}"},
      {"scatter tuples",
       {.op = "ScatterND", .inputs = {"int64[2, 2] = {1, 2, 3, 4}", "int64[1, 1] = {1}", "int64[1, 2] = {N, 9}"}},
       "int64[2, 2]", "{1, 2, N, 9}"},
      {"scatter outside", {.op = "ScatterND", .inputs = {"int64[2] = {1, 2}", "int64[1, 1] = {5}", "int64[1] = {9}"}},
       "int64[2]"},
      {"scatter of operator set 9", {.op = "Scatter", .opset = 9, .inputs = {"float[3]", "int64[1]", "float[1]"}},
       "float[3]"},
      {"one hot", {.op = "OneHot", .inputs = {"int64[N, 3]", "int64[] = {10}", "float[2]"}}, "float[N, 3, 10]"},
      {"one hot, first axis",
       {.op = "OneHot", .inputs = {"int64[N]", "int64[1] = {10}", "float[2]"}, .attrs = {Int("axis", 0)}},
       "float[10, N]"},
  });
  // clang-format on
  CHECK(RunOp({.op = "Gather", .inputs = {"float[30522, 768]", "int64[1, 128]"}}).work->reads[0] == Dim(98304));
  CHECK(RunOp({.op = "ScatterElements", .inputs = {"float[9]", "int64[4]", "float[4]"}}).ops().empty());
  // clang-format off
  CHECK(RunOp({.op = "ScatterElements", .opset = 18, .inputs = {"float[9]", "int64[4]", "float[4]"},
               .attrs = {Str("reduction", "add")}}).ops() == "add=4");
  // clang-format on
  CheckRefused({.op = "Gather", .inputs = {"float[]", "int64[1]"}}, "rank 1 or more");
  CheckRefused({.op = "OneHot", .inputs = {"int64[2]", "int64[] = {-3}", "float[2]"}}, "0 or more, found -3");
  CheckRefused({.op = "Tile", .opset = 1, .inputs = {"float[2]", "int64[1] = {-1}", "int64[1] = {0}"}}, "found -1");
  CheckRefused({.op = "GatherND", .inputs = {"float[2, 3]", "int64[1, 3]"}}, "up to 2 axes");
  CheckRefused({.op = "ScatterElements", .inputs = {"float[9]", "int64[4, 1]", "float[4, 1]"}}, "rank 1");
}

TEST_CASE("Resize and Upsample") {
  const auto scales = [](const char* text) { return std::string("float[4] = {1, 1, ") + text + "}"; };
  // clang-format off
  CheckKnown({
      {"scales", {.op = "Resize", .inputs = {"float[1, 3, 10, 15]", "", scales("2, 1.5")}}, "float[1, 3, 20, 22]"},
      {"scales, symbolic", {.op = "Resize", .inputs = {"float[N, 3, H, W]", "", scales("2, 0.5")}},
       "float[N, 3, 2*H, W//2]"},
      {"sizes", {.op = "Resize", .inputs = {"float[1, 3, 10, 15]", "", "", "int64[4] = {1, 3, H, 40}"}},
       "float[1, 3, H, 40]"},
      {"empty tensors are absent",
       {.op = "Resize", .inputs = {"float[1, 3, 10, 15]", "float[0] = {}", "float[0] = {}", "int64[4] = {1, 3, 5, 6}"}},
       "float[1, 3, 5, 6]"},
      {"scales, sizes empty",
       {.op = "Resize", .inputs = {"float[1, 3, 10, 15]", "", scales("2, 2"), "int64[0] = {}"}}, "float[1, 3, 20, 30]"},
      {"axes",
       {.op = "Resize", .opset = 18, .inputs = {"float[1, 3, 10, 15]", "", "", "int64[2] = {7, 8}"},
        .attrs = {Ints("axes", {2, 3})}},
       "float[1, 3, 7, 8]"},
      {"keeping the ratio",
       {.op = "Resize", .opset = 18, .inputs = {"float[1, 3, 10, 20]", "", "", "int64[2] = {30, 30}"},
        .attrs = {Ints("axes", {2, 3}), Str("keep_aspect_ratio_policy", "not_larger")}},
       "float[1, 3, 15, 30]"},
      {"product rounded to float32", {.op = "Resize", .inputs = {"float[1, 1, 1, 49]", "", scales("1, 0.12244898")}},
       "float[1, 1, 1, 6]"},
      {"nothing known", {.op = "Resize", .inputs = {"float[1, 3, 10, 15]", "", "float[4]"}}, "float[?, ?, ?, ?]"},
      {"operator set 10", {.op = "Resize", .opset = 10, .inputs = {"float[1, 3, 10, 15]", scales("2, 2")}},
       "float[1, 3, 20, 30]"},
      {"upsample", {.op = "Upsample", .opset = 9, .inputs = {"float[1, 3, 10, 15]", scales("2, 2")}},
       "float[1, 3, 20, 30]"},
      {"upsample by attribute",
       {.op = "Upsample", .opset = 7, .inputs = {"float[1, 3, 10, 15]"}, .attrs = {Floats("scales", {1, 1, 2, 3})}},
       "float[1, 3, 20, 45]"},
      {"upsample of operator set 1",
       {.op = "Upsample", .opset = 1, .inputs = {"float[1, 3, 10, 15]"},
        .attrs = {Float("height_scale", 2), Float("width_scale", 2)}},
       "float[1, 3, 20, 30]"},
  });
  // clang-format on
  const std::string linear = scales("2, 2");
  CHECK(RunOp({.op = "Resize", .inputs = {"float[1, 1, 2, 2]", "", linear}}).ops().empty());
  CHECK(RunOp({.op = "Resize", .inputs = {"float[1, 1, 2, 2]", "", linear}, .attrs = {Str("mode", "linear")}}).ops() ==
        "add=64 mul=64");
  CHECK(RunOp({.op = "Resize", .inputs = {"float[1, 1, 2, 2]", "", linear}, .attrs = {Str("mode", "cubic")}}).ops() ==
        "add=256 mul=256");
  CheckRefused({.op = "Resize", .inputs = {"float[1, 3, 4]", "", linear}}, "3 scales, found 4");
  CheckRefused({.op = "Resize", .inputs = {"float[1, 1, 4, 4]", "", scales("-1, 1")}}, "positive scales");
}

}  // namespace
}  // namespace hwest
