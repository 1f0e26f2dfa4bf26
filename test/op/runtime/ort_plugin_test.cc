// Engine blobs and plug-ins.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("blobs have the types the file declares and unknown work") {
  for (const char* op : {"com.microsoft::EPContext", "com.microsoft::Snpe"}) {
    INFO(op);
    OpCase blob{.op = op, .inputs = {"float[1, 3, N, N]"}, .outputs = 2};
    blob.declared = {"float[1, 1000]", ""};
    const OpRun run = RunOp(blob);
    REQUIRE(run.inferred.ok());
    CHECK(run.type(0) == "float[1, 1000]");
    CHECK(run.type(1) == "none");
    CHECK(run.macs() == "?");
    CHECK(run.ops() == "add=? mul=? compare=? transcendental=? integer=?");
  }
}

TEST_CASE("plug-ins in the default domain") {
  // clang-format off
  CheckRows({
      {"suppression to a fixed number",
       {.op = "EfficientNMS_TRT", .inputs = {"float[B, 100, 4]", "float[B, 100, 8]"},
        .attrs = {Int("max_output_boxes", 20)}},
       {"int32[B, 1]", "float[B, 20, 4]", "float[B, 20]", "int32[B, 20]"}, "0", "add=? mul=? compare=?"},
      {"crops of several levels",
       {.op = "MultilevelCropAndResize_TRT", .inputs = {"float[1, 10, 6]", "float[1, 3, 64, 64]"},
        .attrs = {Int("pooled_size", 2)}},
       {"float[1, 10, 3, 2, 2]"}, "0", "add=480 mul=480"},
      {"regions of a pyramid",
       {.op = "PyramidROIAlign_TRT", .inputs = {"float[1, 10, 4]", "float[1, 3, 64, 64]"}}, {"float[1, 10, 3, 7, 7]"},
       "0", "add=? mul=? compare=?"},
      {"scores of three kinds",
       {.op = "DisentangledAttention_TRT", .inputs = {"float[12, 4, 4]", "float[12, 4, 8]", "float[12, 4, 8]"}},
       {"float[12, 4, 4]"}, "0", "add=384 mul=192"},
  });
  // clang-format on
  CheckRefused({.op = "EfficientNMS_TRT", .inputs = {"float[1, 9, 4]", "float[1, 9, 2]"}}, "max_output_boxes");
}

}  // namespace
}  // namespace hwest
