// Views, movement, indexing, resampling and constants at each of their versions.
#include "op/versions.h"

namespace hwest {
namespace {

void AddViews(std::vector<VersionRow>& rows) {
  // clang-format off
  const std::vector<VersionRow> views = {
      {"1 6", {.op = "Dropout", .inputs = {"float[2]"}, .attrs = {Int("is_test", 1), Float("ratio", 0.5f)}},
       {"float[2]", "float[2]"}},
      {"7", {.op = "Dropout", .inputs = {"float[2]"}, .attrs = {Float("ratio", 0.5f)}}, {"float[2]", "float[2]"}},
      {"10", {.op = "Dropout", .inputs = {"float[2]"}, .attrs = {Float("ratio", 0.5f)}}, {"float[2]", "bool[2]"}},
      {"12 13 22", {.op = "Dropout", .inputs = {"float[2]", "float[]", "bool[]"}}, {"float[2]", "bool[2]"}},
      {"*", {.op = "Flatten", .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", 2)}}, {"float[6, 4]"}},
      {"11 13 21 23 24 25", {.op = "Flatten", .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", -2)}},
       {"float[2, 12]"}},
      {"*", {.op = "Identity", .inputs = {"float[2, N]"}}, {"float[2, N]"}},
      {"1", {.op = "Reshape", .inputs = {"float[2, 6]"}, .attrs = {Ints("shape", {0, 3, -1})}}, {"float[2, 3, 2]"}},
      {"5 13 14 19 21 23 24 25", {.op = "Reshape", .inputs = {"float[2, 6]", "int64[3] = {0, 3, -1}"}},
       {"float[2, 3, 2]"}},
      {"14 19 21 23 24 25",
       {.op = "Reshape", .inputs = {"float[0, 3]", "int64[2] = {7, 0}"}, .attrs = {Int("allowzero", 1)}},
       {"float[7, 0]"}},
      {"1 13", {.op = "Shape", .inputs = {"float[2, N, 4]"}}, {"int64[3]"}},
      {"15 19 21 23 24 25",
       {.op = "Shape", .inputs = {"float[2, N, 4]"}, .attrs = {Int("start", -2), Int("end", -1)}}, {"int64[1]"}},
      {"*", {.op = "Size", .inputs = {"float[2, N, 4]"}}, {"int64[]"}},
      {"1 11", {.op = "Squeeze", .inputs = {"float[1, N, 1]"}, .attrs = {Ints("axes", {0})}}, {"float[N, 1]"}},
      {"13 21 23 24 25", {.op = "Squeeze", .inputs = {"float[1, N, 1]", "int64[1] = {0}"}}, {"float[N, 1]"}},
      {"1 11", {.op = "Unsqueeze", .inputs = {"float[N]"}, .attrs = {Ints("axes", {0, 2})}}, {"float[1, N, 1]"}},
      {"13 21 23 24 25", {.op = "Unsqueeze", .inputs = {"float[N]", "int64[2] = {0, -1}"}}, {"float[1, N, 1]"}},
  };
  // clang-format on
  rows.insert(rows.end(), views.begin(), views.end());
}

void AddMovement(std::vector<VersionRow>& rows) {
  const std::string scalar = "int64[1] = {4}";
  // clang-format off
  const std::vector<VersionRow> movement = {
      {"*", {.op = "CenterCropPad", .inputs = {"float[5, 6, 3]", "int64[2] = {4, 8}"}, .attrs = {Ints("axes", {0, 1})}},
       {"float[4, 8, 3]"}},
      {"*", {.op = "Col2Im", .inputs = {"float[1, 10, 12]", "int64[2] = {4, 6}", "int64[2] = {1, 5}"}},
       {"float[1, 2, 4, 6]"}},
      {"1", {.op = "Concat", .inputs = {"float[2, 3]", "float[2, 4]"}}, {"float[2, 7]"}},
      {"4 11 13", {.op = "Concat", .inputs = {"int64[2, 3]", "int64[4, 3]"}, .attrs = {Int("axis", 0)}},
       {"int64[6, 3]"}},
      {"1", {.op = "DepthToSpace", .inputs = {"float[1, 8, 2, 3]"}, .attrs = {Int("blocksize", 2)}},
       {"float[1, 2, 4, 6]"}},
      {"11 13", {.op = "DepthToSpace", .inputs = {"float[1, 8, 2, 3]"},
                 .attrs = {Int("blocksize", 2), Str("mode", "CRD")}},
       {"float[1, 2, 4, 6]"}},
      {"*", {.op = "Expand", .inputs = {"float[3, 1]", "int64[3] = {2, 1, 6}"}}, {"float[2, 3, 6]"}},
      {"1", {.op = "Pad", .inputs = {"float[2, 3]"}, .attrs = {Ints("paddings", {1, 0, 0, 2})}}, {"float[3, 5]"}},
      {"2", {.op = "Pad", .inputs = {"float[2, 3]"}, .attrs = {Ints("pads", {1, 0, 0, 2}), Float("value", 1)}},
       {"float[3, 5]"}},
      {"11 13 18 19 21 23 24 25", {.op = "Pad", .inputs = {"float[2, 3]", "int64[4] = {1, 0, 0, 2}", "float[]"}},
       {"float[3, 5]"}},
      {"18 19 21 23 24 25", {.op = "Pad", .inputs = {"float[2, 3]", "int64[2] = {1, 1}", "", "int32[1] = {-1}"}},
       {"float[2, 5]"}},
      {"19 21 23 24 25", {.op = "Pad", .inputs = {"float[3]", "int64[2] = {1, 1}"}, .attrs = {Str("mode", "wrap")}},
       {"float[5]"}},
      {"*", {.op = "ReverseSequence", .inputs = {"float[4, 5]", "int64[5]"}}, {"float[4, 5]"}},
      {"1", {.op = "Slice", .inputs = {"float[4, 5]"}, .attrs = {Ints("starts", {1, 0}), Ints("ends", {3, 9})}},
       {"float[2, 5]"}},
      {"10 11 13",
       {.op = "Slice", .inputs = {"float[4, 5]", "int64[1] = {1}", "int64[1] = {9}", "int64[1] = {1}",
                                  "int64[1] = {2}"}},
       {"float[4, 2]"}},
      {"*", {.op = "SpaceToDepth", .inputs = {"float[1, 2, 4, 6]"}, .attrs = {Int("blocksize", 2)}},
       {"float[1, 8, 2, 3]"}},
      {"1", {.op = "Split", .inputs = {"float[5]", "float[2] = {2, 3}"}, .attrs = {Int("axis", 0)}},
       {"float[2]", "float[3]"}},
      {"1 2 11", {.op = "Split", .inputs = {"float[5]"}, .attrs = {Int("axis", 0), Ints("split", {2, 3})}},
       {"float[2]", "float[3]"}},
      {"13", {.op = "Split", .inputs = {"float[5]", "int64[2] = {2, 3}"}}, {"float[2]", "float[3]"}},
      {"18", {.op = "Split", .inputs = {"float[5]"}, .attrs = {Int("num_outputs", 2)}}, {"float[3]", "float[2]"}},
      {"1", {.op = "Tile", .inputs = {"float[2, 3]", scalar, "int64[1] = {1}"}}, {"float[2, 12]"}},
      {"6 13", {.op = "Tile", .inputs = {"float[2, 3]", "int64[2] = {1, 4}"}}, {"float[2, 12]"}},
      {"*", {.op = "Transpose", .inputs = {"float[2, 3]"}}, {"float[3, 2]"}},
      {"*", {.op = "Trilu", .inputs = {"float[2, 3]", "int64[] = {1}"}}, {"float[2, 3]"}},
  };
  // clang-format on
  rows.insert(rows.end(), movement.begin(), movement.end());
}

void AddIndexing(std::vector<VersionRow>& rows) {
  // clang-format off
  const std::vector<VersionRow> indexing = {
      {"9", {.op = "Compress", .inputs = {"float[3, 2]", "bool[3] = {0, 1, 1}"}, .attrs = {Int("axis", 0)}},
       {"float[2, 2]"}},
      {"11", {.op = "Compress", .inputs = {"float[2, 3]", "bool[3] = {0, 1, 1}"}, .attrs = {Int("axis", -1)}},
       {"float[2, 2]"}},
      {"*", {.op = "Gather", .inputs = {"float[7, 3]", "int64[2, 5]"}}, {"float[2, 5, 3]"}},
      {"11 13", {.op = "Gather", .inputs = {"float[7, 3]", "int64[]"}, .attrs = {Int("axis", -1)}}, {"float[7]"}},
      {"*", {.op = "GatherElements", .inputs = {"float[7, 3]", "int64[2, 3]"}}, {"float[2, 3]"}},
      {"11", {.op = "GatherND", .inputs = {"float[7, 3]", "int64[5, 1]"}}, {"float[5, 3]"}},
      {"12 13", {.op = "GatherND", .inputs = {"float[7, 3]", "int64[7, 1]"}, .attrs = {Int("batch_dims", 1)}},
       {"float[7]"}},
      {"*", {.op = "OneHot", .inputs = {"int64[3]", "int64[] = {5}", "float[2]"}}, {"float[3, 5]"}},
      {"*", {.op = "Scatter", .inputs = {"float[3]", "int64[2]", "float[2]"}}, {"float[3]"}},
      {"11 13", {.op = "ScatterElements", .inputs = {"float[3]", "int64[2]", "float[2]"}}, {"float[3]"}},
      {"16", {.op = "ScatterElements", .inputs = {"float[3]", "int64[2]", "float[2]"},
              .attrs = {Str("reduction", "add")}},
       {"float[3]"}},
      {"18", {.op = "ScatterElements", .inputs = {"float[3]", "int64[2]", "float[2]"},
              .attrs = {Str("reduction", "max")}},
       {"float[3]"}},
      {"11 13", {.op = "ScatterND", .inputs = {"float[3, 2]", "int64[1, 1]", "float[1, 2]"}}, {"float[3, 2]"}},
      {"16 18", {.op = "ScatterND", .inputs = {"float[3, 2]", "int64[1, 1]", "float[1, 2]"},
                 .attrs = {Str("reduction", "mul")}},
       {"float[3, 2]"}},
      {"*", {.op = "TensorScatter", .inputs = {"float[2, 4, 9, 8]", "float[2, 4, 1, 8]", "int64[2]"}},
       {"float[2, 4, 9, 8]"}},
      {"*", {.op = "Unique", .inputs = {"int64[4] = {7, 3, 7, 5}"}}, {"int64[3]", "int64[3]", "int64[4]", "int64[3]"}},
  };
  // clang-format on
  rows.insert(rows.end(), indexing.begin(), indexing.end());
}

void AddResampling(std::vector<VersionRow>& rows) {
  const std::string scales = "float[3] = {1, 1, 2}";
  // clang-format off
  const std::vector<VersionRow> resampling = {
      {"10", {.op = "Resize", .inputs = {"float[1, 2, 5]", scales}}, {"float[1, 2, 10]"}},
      {"11", {.op = "Resize", .inputs = {"float[1, 2, 5]", "float[0] = {}", scales}}, {"float[1, 2, 10]"}},
      {"11 13 18 19",
       {.op = "Resize", .inputs = {"float[1, 2, 5]", "float[0] = {}", "float[0] = {}", "int64[3] = {1, 2, 7}"}},
       {"float[1, 2, 7]"}},
      {"13 18 19", {.op = "Resize", .inputs = {"float[1, 2, 5]", "", scales}}, {"float[1, 2, 10]"}},
      {"18 19", {.op = "Resize", .inputs = {"float[1, 2, 5]", "", "", "int64[1] = {7}"}, .attrs = {Ints("axes", {2})}},
       {"float[1, 2, 7]"}},
      {"1", {.op = "Upsample", .inputs = {"float[1, 2, 5, 5]"},
             .attrs = {Float("height_scale", 2), Float("width_scale", 3)}},
       {"float[1, 2, 10, 15]"}},
      {"7", {.op = "Upsample", .inputs = {"float[1, 2, 5]"}, .attrs = {Floats("scales", {1, 1, 2})}},
       {"float[1, 2, 10]"}},
      {"9 10", {.op = "Upsample", .inputs = {"float[1, 2, 5]", scales}}, {"float[1, 2, 10]"}},
  };
  // clang-format on
  rows.insert(rows.end(), resampling.begin(), resampling.end());
}

void AddConstants(std::vector<VersionRow>& rows) {
  const TestAttr value = Tensor("value", TestConstant("float[2]", {1, 2}));
  // clang-format off
  const std::vector<VersionRow> constants = {
      {"*", {.op = "Constant", .attrs = {value}}, {"float[2]"}},
      {"12 13 19 21 23 24 25", {.op = "Constant", .attrs = {Ints("value_ints", {1, 2, 3})}}, {"int64[3]"}},
      {"12 13 19 21 23 24 25", {.op = "Constant", .attrs = {Float("value_float", 1)}}, {"float[]"}},
      {"*", {.op = "ConstantOfShape", .inputs = {"int64[2] = {2, N}"}}, {"float[2, N]"}},
      {"20 21 23 24 25", {.op = "ConstantOfShape", .inputs = {"int64[1] = {2}"},
                          .attrs = {Tensor("value", TestConstant("int8[1]", {1}))}},
       {"int8[2]"}},
      {"*", {.op = "EyeLike", .inputs = {"float[2, 3]"}}, {"float[2, 3]"}},
      {"*", {.op = "EyeLike", .inputs = {"float[2, 3]"}, .attrs = {Int("dtype", 7), Int("k", 1)}}, {"int64[2, 3]"}},
      {"*", {.op = "Range", .inputs = {"int64[] = {0}", "int64[] = {N}", "int64[] = {2}"}}, {"int64[ceildiv(N, 2)]"}},
      {"27", {.op = "Range", .inputs = {"float16[]", "float16[]", "float16[]"}, .attrs = {Int("stash_type", 1)}},
       {"float16[?]"}},
  };
  // clang-format on
  rows.insert(rows.end(), constants.begin(), constants.end());
}

}  // namespace

std::vector<VersionRow> ShapeVersions() {
  std::vector<VersionRow> rows;
  AddViews(rows);
  AddMovement(rows);
  AddIndexing(rows);
  AddResampling(rows);
  AddConstants(rows);
  return rows;
}

}  // namespace hwest
