// Movement, selection and Fourier transforms of ONNX Runtime.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("axes added, slices taken, rows looked up") {
  // clang-format off
  CheckRows({
      {"unit axis", {.op = "com.microsoft::ExpandDims", .inputs = {"float[2, N]", "int32[] = {1}"}},
       {"float[2, 1, N]"}},
      {"unit axis from the end", {.op = "com.microsoft::ExpandDims", .inputs = {"float[2, N]", "int32[] = {-1}"}},
       {"float[2, N, 1]"}},
      {"unit axis somewhere", {.op = "com.microsoft::ExpandDims", .inputs = {"float[2, N]", "int32[]"}},
       {"float[?, ?, ?]"}},
      {"embedding", {.op = "com.microsoft::TorchEmbedding", .inputs = {"const float[100, 8]", "int64[B, S]"}},
       {"float[B, S, 8]"}},
      {"tuples", {.op = "com.microsoft::GatherND", .inputs = {"float[2, 3, 4]", "int64[5, 2]"}}, {"float[5, 4]"}},
      {"slices", {.op = "com.microsoft::UnfoldTensor", .inputs = {"float[2, 10]"},
                  .attrs = {Int("size", 4), Int("step", 3)}},
       {"float[2, 3, 4]"}},
      {"slices along axis 0", {.op = "com.microsoft::UnfoldTensor", .inputs = {"float[N, 10]"},
                               .attrs = {Int("size", 4), Int("dim", 0)}},
       {"float[N - 3, 10, 4]"}},
      {"padded", {.op = "com.microsoft::Pad", .inputs = {"float[3, N]", "int64[1, 4] = {0, 2, 1, 0}"}},
       {"float[4, N + 2]"}},
      {"triangle", {.op = "com.microsoft::Trilu", .inputs = {"float[B, 4, 4]"}}, {"float[B, 4, 4]"}},
      {"range without a delta", {.op = "com.microsoft::Range", .inputs = {"int64[] = {2}", "int64[1] = {7}"}},
       {"int64[5]"}, "0", "integer=10"},
  });
  CheckKnown({
      {"range", {.op = "com.microsoft::Range", .inputs = {"int64[] = {2}", "int64[] = {9}", "int64[] = {3}"}},
       "int64[3]", "{2, 5, 8}"},
      {"unit axis", {.op = "com.microsoft::ExpandDims", .inputs = {"int64[2] = {N, 3}", "int32[] = {0}"}},
       "int64[1, 2]", "{N, 3}"},
  });
  // clang-format on
  const OpRun embedding = RunOp({.op = "com.microsoft::TorchEmbedding", .inputs = {"const float[100, 8]", "int64[3]"}});
  CHECK(embedding.text(embedding.work.value().reads[0].value()) == "24");
  CheckRefused({.op = "com.microsoft::ExpandDims", .inputs = {"float[2]", "int32[] = {3}"}}, "axis 3");
  CheckRefused({.op = "com.microsoft::UnfoldTensor", .inputs = {"float[3]"}, .attrs = {Int("size", 4)}},
               "does not fit into 3");
}

TEST_CASE("padding removed and restored, values once each: sizes that are data") {
  OpRun run = RunOp({.op = "com.microsoft::RemovePadding", .inputs = {"float[2, 3, 8]", "int32[2]"}, .outputs = 4});
  CHECK(run.type(1) == "int32[2, 3]");
  CHECK(run.type(2) == "int32[3]");
  CHECK(run.type(3) == "int32[1]");
  const Shape& tokens = run.view().out(0).shape;
  CHECK(run.dims->symbol(run.dims->AsSymbol(tokens.dim(0))).max == 6);
  CHECK(tokens.dim(1) == Dim(8));
  CheckRows({{"restored",
              {.op = "com.microsoft::RestorePadding", .inputs = {"float[T, 8]", "int32[2, 3]"}},
              {"float[2, 3, 8]"}}});

  run = RunOp({.op = "com.microsoft::Unique", .inputs = {"int64[6]"}, .outputs = 3});
  CHECK(run.type(1) == "int64[6]");
  CHECK(run.view().out(0).shape == run.view().out(2).shape);
  CHECK(run.dims->symbol(run.dims->AsSymbol(run.view().out(0).shape.dim(0))).max == 6);
  CHECK(run.ops() == "integer=18");  // 6 * ceil(log2(6))
}

TEST_CASE("Fourier transforms of real signals") {
  // clang-format off
  CheckRows({
      {"forward", {.op = "com.microsoft::Rfft", .inputs = {"float[B, 8]"}}, {"float[B, 5, 2]"}, "0",
       "add=36*B mul=24*B"},
      {"back", {.op = "com.microsoft::Irfft", .inputs = {"float[3, 5, 2]"}, .attrs = {Int("signal_ndim", 1)}},
       {"float[3, 8]"}, "0", "add=216 mul=144"},
      {"two axes", {.op = "com.microsoft::Rfft", .inputs = {"float[4, 8]"}, .attrs = {Int("signal_ndim", 2)}},
       {"float[4, 5, 2]"}, "0", "add=240 mul=160"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::Irfft", .inputs = {"float[5, 3]"}}, "3 and 2");
  CheckRefused({.op = "com.microsoft::Rfft", .inputs = {"float[8]"}, .attrs = {Int("signal_ndim", 2)}}, "signal_ndim");
}

}  // namespace
}  // namespace hwest
