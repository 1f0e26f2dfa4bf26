// Text and token operators of ONNX Runtime.
#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("n-grams of tokens") {
  const std::vector<TestAttr> hashes = {Int("max_ngram_size", 3), Int("n_head_per_ngram", 4), Int("pad_id", 0)};
  // clang-format off
  CheckRows({
      {"repeated n-grams are blocked",
       {.op = "com.microsoft::NGramRepeatBlock", .inputs = {"int64[2, 5]", "float[2, 100]"},
        .attrs = {Int("ngram_size", 3)}},
       {"float[2, 100]"}, "0", "integer=10"},
      {"hashes", {.op = "com.microsoft::NGramHashMapping", .inputs = {"int64[B, S]", "int64[3]", "int64[8]"},
                  .attrs = hashes},
       {"int64[B, S, 8]", "int64[B, 2]"}, "0", "integer=24*B*S"},
      {"hashes of packed tokens",
       {.op = "com.microsoft::VarlenNGramHashMapping", .inputs = {"int64[T]", "int64[3]", "int64[8]", "int32[4]"},
        .attrs = hashes},
       {"int64[T, 8]", "int64[3, 2]", "int32[3, 2]"}, "0", "integer=24*T"},
  });
  // clang-format on
  CheckRefused({.op = "com.microsoft::NGramHashMapping", .inputs = {"int64[2, 3]"}}, "positive max_ngram_size");
}

TEST_CASE("sizes that are data") {
  OpRun run = RunOp({.op = "com.microsoft::Tokenizer", .inputs = {"string[N, 3]"}});
  const Shape& words = run.view().out(0).shape;
  REQUIRE(words.rank() == 3);
  CHECK(run.dims->symbol(run.dims->AsSymbol(words.dim(2))).data_dependent);
  CHECK(run.dims->symbol(run.dims->AsSymbol(words.dim(2))).typical == Dim(8));
  CHECK(run.text(run.work.value().visits) == "48*N");
  CheckRefused({.op = "com.microsoft::Tokenizer", .inputs = {"string[2, 3, 4]"}}, "rank");

  run = RunOp({.op = "com.microsoft::BifurcationDetector",
               .inputs = {"int64[9]", "int64[4]", "int64[]", "int64[5]"},
               .outputs = 2});
  CHECK(run.dims->symbol(run.dims->AsSymbol(run.view().out(0).shape.dim(0))).max == 9);
  CHECK(run.type(1) == "int64[]");
  CheckRows({{"nothing predicted",
              {.op = "com.microsoft::BifurcationDetector", .inputs = {"int64[9]", "int64[4]", "int64[]"}},
              {"int64[4]", "int64[]"},
              "0",
              "integer=9"}});

  run = RunOp({.op = "com.microsoft::DynamicTimeWarping", .inputs = {"float[1, 4, 6]"}});
  const Symbol& path = run.dims->symbol(run.dims->AsSymbol(run.view().out(0).shape.dim(1)));
  CHECK(path.min == 6);
  CHECK(path.max == 9);
  CHECK(run.ops() == "add=24 compare=48");
}

}  // namespace
}  // namespace hwest
