// PyTorch operators kept as they were at export.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Aten(const std::string& name, std::vector<std::string> inputs) {
  return {.op = "org.pytorch.aten::ATen", .inputs = std::move(inputs), .attrs = {Str("operator", name)}};
}

TEST_CASE("ATen: lookups, logic and reductions") {
  // clang-format off
  CheckRows({
      {"embedding", Aten("embedding", {"const float[100, 8]", "int64[B, S]"}), {"float[B, S, 8]"}},
      {"bits", Aten("bitwise_or", {"int64[2, 1]", "int64[3]"}), {"int64[2, 3]"}, "0", "integer=6"},
      {"maximum of all", Aten("max", {"float[2, 3]"}), {"float[]"}, "0", "compare=6"},
      {"maximum of two", Aten("max", {"float[2, 3]", "float[3]"}), {"float[2, 3]"}, "0", "compare=6"},
      {"minimum along an axis", Aten("min", {"float[2, 3]", "int64[] = {1}", "bool[] = {0}"}), {"float[2]", "int64[2]"},
       "0", "compare=6"},
      {"place of the maximum", Aten("argmax", {"float[2, 3]", "int64[] = {0}", "bool[] = {1}"}), {"int64[1, 3]"}, "0",
       "compare=6"},
      {"place of the maximum of all", Aten("argmax", {"float[2, 3]"}), {"int64[]"}, "0", "compare=6"},
      {"draws", Aten("multinomial", {"float[2, 9]", "int64[] = {4}"}), {"int64[2, 4]"}, "0", "add=18"},
  });
  // clang-format on
}

TEST_CASE("ATen: views and moves") {
  // clang-format off
  CheckRows({
      {"diagonal", Aten("diagonal", {"float[B, 4, 6]", "int64[] = {1}", "int64[] = {1}", "int64[] = {2}"}),
       {"float[B, 4]"}},
      {"diagonal below", Aten("diagonal", {"float[4, 6]", "int64[] = {-2}"}), {"float[2]"}},
      {"slices", Aten("unfold", {"float[2, 10]", "int64[] = {1}", "int64[] = {4}", "int64[] = {3}"}),
       {"float[2, 3, 4]"}},
      {"slices of unknown size", Aten("unfold", {"float[2, 10]", "int64[] = {1}", "int64[]", "int64[] = {3}"}),
       {"float[?, ?, ?]"}},
      {"reversed axes", Aten("numpy_T", {"float[2, 3, N]"}), {"float[N, 3, 2]"}},
  });
  // clang-format on
}

TEST_CASE("ATen: pools, normalisation and resampling") {
  const std::vector<std::string> pool = {"float[1, 3, 9, N]", "int64[2] = {3, 3}", "int64[2] = {2, 2}",
                                         "int64[2] = {1, 1}"};
  std::vector<std::string> dilated = pool;
  dilated[0] = "float[1, 3, 9, 9]";
  dilated.insert(dilated.end(), {"int64[1] = {2}", "bool[] = {1}"});
  // clang-format off
  CheckRows({
      {"maximum with indices", Aten("max_pool2d_with_indices", dilated), {"float[1, 3, 4, 4]", "int64[1, 3, 4, 4]"},
       "0", "compare=432"},
      {"average", Aten("avg_pool2d", pool), {"float[1, 3, 5, ceildiv(N, 2)]"}, "0",
       "add=135*ceildiv(N, 2) mul=15*ceildiv(N, 2)"},
      {"average, unknown window", Aten("avg_pool2d", {"float[1, 3, 9, 9]", "int64[2]"}), {"float[1, 3, ?, ?]"}, "0",
       "add=? mul=?"},
      {"to a size", Aten("_adaptive_avg_pool2d", {"float[1, 3, 8, 8]", "int64[2] = {2, 1}"}), {"float[1, 3, 2, 1]"},
       "0", "add=192"},
      {"group normalisation",
       Aten("native_group_norm", {"float[2, 8, 3]", "float[8]", "float[8]", "int64[]", "int64[]", "int64[]",
                                  "int64[] = {4}"}),
       {"float[2, 8, 3]", "float[2, 4]", "float[2, 4]"}, "0", "add=192 mul=192"},
      {"nearest, a line", Aten("upsample_nearest1d", {"float[1, 3, 4]", "int64[1] = {8}"}), {"float[1, 3, 8]"}},
      {"nearest, an image", Aten("upsample_nearest2d", {"float[1, 3, 4, 4]", "int64[2] = {8, M}"}),
       {"float[1, 3, 8, M]"}},
      {"nearest, a volume", Aten("upsample_nearest3d", {"float[1, 3, 4, 4, 4]", "int64[3] = {8, 8, 8}"}),
       {"float[1, 3, 8, 8, 8]"}},
      {"by scales", Aten("upsample_nearest2d", {"float[1, 3, 4, 4]", "", "float[2]"}), {"float[1, 3, ?, ?]"}},
      {"cubic", Aten("upsample_bicubic2d", {"float[1, 1, 4, 4]", "int64[2] = {2, 3}"}), {"float[1, 1, 2, 3]"}, "0",
       "add=96 mul=96"},
  });
  // clang-format on
}

TEST_CASE("ATen: functions nothing is known of, and older forms of the node") {
  OpCase other = Aten("some_function", {"float[2]"});
  other.declared = {"float[7]"};
  const OpRun run = RunOp(other);
  CHECK(run.type(0) == "float[7]");
  CHECK(run.macs() == "?");
  CheckRows({
      {"default domain",
       {.op = "ATen", .opset = 9, .inputs = {"float[2, 3]"}, .attrs = {Str("operator", "numpy_T")}},
       {"float[3, 2]"}},
      {"another attribute, with its prefix",
       {.op = "com.microsoft::ATenOp", .inputs = {"float[2, 3]"}, .attrs = {Str("name", "aten::numpy_T")}},
       {"float[3, 2]"}},
  });
}

}  // namespace
}  // namespace hwest
