// Reductions, TopK and detection at each of their versions.
#include "op/versions.h"

namespace hwest {
namespace {

// `attribute` and `input`: versions in which the axes are an attribute and an input.
void AddReduction(std::vector<VersionRow>& rows, const char* op, const char* attribute, const char* input) {
  rows.push_back(
      {attribute, {.op = op, .inputs = {"float[2, 3, 4]"}, .attrs = {Ints("axes", {0, 2})}}, {"float[1, 3, 1]"}});
  rows.push_back({input,
                  {.op = op, .inputs = {"float[2, 3, 4]", "int64[2] = {0, -1}"}, .attrs = {Int("keepdims", 0)}},
                  {"float[3]"}});
  rows.push_back(
      {input, {.op = op, .inputs = {"float[2, 3, 4]"}, .attrs = {Int("noop_with_empty_axes", 1)}}, {"float[2, 3, 4]"}});
}

void AddArg(std::vector<VersionRow>& rows, const char* op) {
  rows.push_back({"1", {.op = op, .inputs = {"float[2, 3]"}, .attrs = {Int("axis", 1)}}, {"int64[2, 1]"}});
  rows.push_back(
      {"11", {.op = op, .inputs = {"float[2, 3]"}, .attrs = {Int("axis", -1), Int("keepdims", 0)}}, {"int64[2]"}});
  rows.push_back(
      {"12 13", {.op = op, .inputs = {"float[2, 3]"}, .attrs = {Int("select_last_index", 1)}}, {"int64[1, 3]"}});
}

}  // namespace

std::vector<VersionRow> ReduceVersions() {
  // clang-format off
  std::vector<VersionRow> rows = {
      {"*", {.op = "CumProd", .inputs = {"float[2, 3]", "int32[] = {1}"}, .attrs = {Int("reverse", 1)}},
       {"float[2, 3]"}},
      {"*", {.op = "CumSum", .inputs = {"float[2, 3]", "int32[] = {1}"}}, {"float[2, 3]"}},
      {"*", {.op = "NonMaxSuppression", .inputs = {"float[1, 9, 4]", "float[1, 2, 9]"}}, {"int64[0, 3]"}},
      {"*", {.op = "NonZero", .inputs = {"bool[3] = {1, 0, 1}"}}, {"int64[1, 2]"}},
      {"10", {.op = "RoiAlign", .inputs = {"float[1, 2, 9, 9]", "float[5, 4]", "int64[5]"},
              .attrs = {Int("output_height", 3), Int("output_width", 4)}},
       {"float[5, 2, 3, 4]"}},
      {"16 22", {.op = "RoiAlign", .inputs = {"float[1, 2, 9, 9]", "float[5, 4]", "int64[5]"},
                 .attrs = {Str("coordinate_transformation_mode", "output_half_pixel")}},
       {"float[5, 2, 1, 1]"}},
      {"1", {.op = "TopK", .inputs = {"float[2, 9]"}, .attrs = {Int("k", 3)}}, {"float[2, 3]", "int64[2, 3]"}},
      {"10", {.op = "TopK", .inputs = {"float[2, 9]", "int64[1] = {3}"}}, {"float[2, 3]", "int64[2, 3]"}},
      {"11 24", {.op = "TopK", .inputs = {"int32[9, 2]", "int64[1] = {3}"},
                 .attrs = {Int("axis", -2), Int("largest", 0), Int("sorted", 0)}},
       {"int32[3, 2]", "int64[3, 2]"}},
  };
  // clang-format on
  for (const char* op : {"ArgMax", "ArgMin"}) AddArg(rows, op);
  for (const char* op :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "ReduceProd", "ReduceSumSquare"}) {
    AddReduction(rows, op, "1 11 13", "18");
  }
  for (const char* op : {"ReduceMax", "ReduceMin"}) AddReduction(rows, op, "1 11 12 13", "18 20");
  AddReduction(rows, "ReduceSum", "1 11", "13");
  return rows;
}

}  // namespace hwest
