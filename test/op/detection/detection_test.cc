#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// The upper bound of the data-dependent size at `axis` of output 0.
std::string MaxOf(const OpRun& run, int axis) {
  const SymbolId symbol = run.dims->AsSymbol(run.view().out(0).shape.dim(axis));
  if (!symbol.valid() || !run.dims->symbol(symbol).data_dependent) return "none";
  return run.text(run.dims->symbol(symbol).max_expr);
}

TEST_CASE("NonMaxSuppression: bounded by its own limit") {
  struct Row {
    const char* limit;
    const char* max;
  };
  const Row rows[] = {
      {"int64[1] = {10}", "60"}, {"int64[] = {500}", "600"}, {"int64[1] = {4294967296}", "600"}, {"int64[1]", "600"}};
  for (const Row& row : rows) {
    INFO(row.limit);
    const OpRun run = RunOp({.op = "NonMaxSuppression", .inputs = {"float[2, 100, 4]", "float[2, 3, 100]", row.limit}});
    REQUIRE(run.inferred.ok());
    CHECK(MaxOf(run, 0) == row.max);
    CHECK(run.view().out(0).elem == ElemType::kInt64);
    CHECK(run.view().out(0).shape.dim(1) == Dim(3));
  }
}

TEST_CASE("NonMaxSuppression: pairs compared, default limit, contradictions") {
  CheckRows({{"no limit given keeps nothing",
              {.op = "NonMaxSuppression", .inputs = {"float[2, 100, 4]", "float[2, 3, 100]"}},
              {"int64[0, 3]"}}});
  // A sort of the 100 boxes of 3 classes (7 levels), and each box against those kept of its class.
  const OpRun run =
      RunOp({.op = "NonMaxSuppression", .inputs = {"float[1, 100, 4]", "float[1, 3, 100]", "int64[1] = {10}"}});
  CHECK(run.ops() == "add=500*nms mul=200*nms compare=500*nms + 2100");
  CHECK(run.work->full_width);
  // A look at every score, and all else for those that pass.
  const OpRun filtered = RunOp(
      {.op = "NonMaxSuppression",
       .inputs = {"float[1, 100, 4]", "float[1, 3, 100]", "int64[1] = {10}", "float[1] = {0.5}", "float[1] = {0.25}"}});
  CHECK(filtered.text(filtered.work->op(OpKind::kAdd)) == "5*candidates*nms");
  const auto at = [&](int64_t candidates, int64_t nms) {
    DimPool& dims = *filtered.dims;
    const Dim kept = filtered.view().out(0).shape.dim(0);
    const Binding sizes = {{dims.AsSymbol(filtered.view().fresh_size("candidates")), candidates},
                           {dims.AsSymbol(kept), nms}};
    return dims.Substitute(filtered.work->op(OpKind::kCompare), sizes);
  };
  CHECK(at(0, 0) == Dim(300));
  CHECK(at(16, 8) == Dim(300 + 3 * 16 * 4 + 5 * 16 * 8));
  CheckRefused({.op = "NonMaxSuppression", .inputs = {"float[1, 100, 4]", "float[1, 3, 99]"}}, "100 and 99");
}

// What the data-dependent size at `axis` of output 0 is taken at.
std::string TypicalOf(const OpRun& run, int axis) {
  return run.text(run.dims->symbol(run.dims->AsSymbol(run.view().out(0).shape.dim(axis))).typical);
}

TEST_CASE("NonMaxSuppression keeps a quarter of what is compared, within its limit and that of an image") {
  struct Row {
    const char* boxes;
    const char* scores;
    const char* limit;
    const char* threshold;
    const char* typical;
  };
  const Row rows[] = {
      {"float[1, 4000, 4]", "float[1, 1, 4000]", "int64[1]", "", "1000"},
      {"float[1, 4000, 4]", "float[1, 1, 4000]", "int64[1] = {200}", "", "200"},
      {"float[1, 4000, 4]", "float[1, 1, 4000]", "int64[1]", "float[1] = {0}", "1000"},
      {"float[2, 20, 4]", "float[2, 3, 20]", "int64[1]", "", "60"},  // ten of a few
      {"float[1, 8, 4]", "float[1, 1, 8]", "int64[1]", "", "8"},
  };
  for (const Row& row : rows) {
    INFO(row.boxes << ' ' << row.limit << ' ' << row.threshold);
    const OpRun run = RunOp(
        {.op = "NonMaxSuppression", .inputs = {row.boxes, row.scores, row.limit, "float[1] = {0.5}", row.threshold}});
    REQUIRE(run.inferred.ok());
    CHECK(TypicalOf(run, 0) == row.typical);
  }
  const OpRun run = RunOp({.op = "NonMaxSuppression",
                           .inputs = {"float[1, 40000, 4]", "float[1, 80, 40000]", "int64[1] = {100}",
                                      "float[1] = {0.5}", "float[1] = {0.25}"}});
  const Dim candidates = run.view().fresh_size("candidates");
  CHECK(run.text(run.dims->symbol(run.dims->AsSymbol(candidates)).typical) == "400");
  CHECK(run.text(run.dims->Substitute(run.dims->symbol(run.dims->AsSymbol(run.view().out(0).shape.dim(0))).typical,
                                      {{run.dims->AsSymbol(candidates), 400}})) == "300");
}

TEST_CASE("NonMaxSuppression of known boxes keeps what greedy suppression keeps") {
  // Two boxes that overlap by 9/11, one apart.
  const char* const boxes = "float[1, 3, 4] = {0, 0, 10, 10, 0, 1, 10, 11, 0, 50, 10, 60}";
  const char* const scores = "float[1, 1, 3] = {0.75, 0.875, 0.25}";
  struct Row {
    const char* name;
    std::vector<std::string> inputs;
    const char* type;
    const char* kept;
  };
  // clang-format off
  const Row rows[] = {
      {"no overlap allowed", {boxes, scores, "int64[1] = {3}"}, "int64[2, 3]", "{0, 0, 1, 0, 0, 2}"},
      {"limit", {boxes, scores, "int64[1] = {1}", "float[1] = {0.5}"}, "int64[1, 3]", "{0, 0, 1}"},
      {"threshold above the overlap", {boxes, scores, "int64[1] = {3}", "float[1] = {0.875}"}, "int64[3, 3]",
       "{0, 0, 1, 0, 0, 0, 0, 0, 2}"},
      {"threshold at the overlap of halves",
       {"float[1, 2, 4] = {0, 0, 2, 2, 0, 0, 2, 1}", "float[1, 1, 2] = {2, 1}", "int64[1] = {3}", "float[1] = {0.5}"},
       "int64[2, 3]", "{0, 0, 0, 0, 0, 1}"},
      {"scores to pass", {boxes, scores, "int64[1] = {3}", "float[1] = {0.5}", "float[1] = {0.25}"}, "int64[1, 3]",
       "{0, 0, 1}"},
      {"unknown score", {boxes, "float[1, 1, 3] = {0.75, ?, 0.25}", "int64[1] = {3}"}, "int64[nms, 3]", "none"},
  };
  // clang-format on
  for (const Row& row : rows) {
    INFO(row.name);
    const OpRun run = RunOp({.op = "NonMaxSuppression", .inputs = row.inputs});
    CHECK(run.type(0) == row.type);
    CHECK(run.known(0) == row.kept);
  }
  const OpRun centred = RunOp({.op = "NonMaxSuppression",
                               .inputs = {"float[1, 2, 4] = {5, 5, 10, 10, 5, 6, 10, 10}", "float[1, 1, 2] = {2, 1}",
                                          "int64[1] = {3}", "float[1] = {0.5}"},
                               .attrs = {Int("center_point_box", 1)}});
  CHECK(centred.known(0) == "{0, 0, 0}");
}

TEST_CASE("NonZero: folded when constant, bounded otherwise") {
  const OpRun folded = RunOp({.op = "NonZero", .inputs = {"bool[2, 2] = {1, 0, 0, 1}"}});
  CHECK(folded.type(0) == "int64[2, 2]");
  CHECK(folded.known(0) == "{0, 1, 0, 1}");

  const OpRun bounded = RunOp({.op = "NonZero", .inputs = {"bool[N, 4]"}});
  CHECK(bounded.view().out(0).shape.dim(0) == Dim(2));
  CHECK(MaxOf(bounded, 1) == "4*N");

  CHECK(RunOp({.op = "NonZero", .inputs = {"bool[0]"}}).type(0) == "int64[1, 0]");
  CHECK(RunOp({.op = "NonZero", .inputs = {"float[] = {3}"}}).type(0) == "int64[0, 1]");
}

TEST_CASE("RoiAlign: four products and sums a sample") {
  const std::vector<std::string> inputs = {"float[1, 8, 16, 16]", "float[R, 4]", "int64[R]"};
  // clang-format off
  CheckRows({
      {"fixed sampling", {.op = "RoiAlign", .inputs = inputs,
                          .attrs = {Int("output_height", 7), Int("output_width", 7), Int("sampling_ratio", 2)}},
       {"float[R, 8, 7, 7]"}, "0", "add=6272*R mul=6272*R"},
      {"adaptive sampling, at most the whole map",
       {.op = "RoiAlign", .inputs = inputs, .attrs = {Int("output_height", 8), Int("output_width", 4)}},
       {"float[R, 8, 8, 4]"}, "0", "add=8192*R mul=8192*R"},
  });
  // clang-format on
  CheckRefused({.op = "RoiAlign", .inputs = {"float[1, 8, 16]", "float[2, 4]", "int64[2]"}}, "rank 4");
}

}  // namespace
}  // namespace hwest
