#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// Upper bound of the data-dependent last size of output 0, "none" when it is none.
std::string LastBound(const OpRun& run) {
  const Shape& shape = run.view().out(0).shape;
  const SymbolId symbol = run.dims->AsSymbol(shape.dim(shape.rank() - 1));
  return symbol.valid() ? run.text(run.dims->symbol(symbol).max_expr) : "none";
}

TEST_CASE("RegexFullMatch and StringConcat") {
  CheckRows({
      {"match",
       {.op = "RegexFullMatch", .opset = 20, .inputs = {"string[N, 2]"}, .attrs = {Str("pattern", "a+")}},
       {"bool[N, 2]"}},
      {"concat broadcasts",
       {.op = "StringConcat", .opset = 20, .inputs = {"string[N, 1]", "string[3]"}},
       {"string[N, 3]"}},
  });
}

TEST_CASE("StringNormalizer: stop words shorten, but never to nothing") {
  CheckRows({
      {"no stop words", {.op = "StringNormalizer", .opset = 10, .inputs = {"string[4]"}}, {"string[4]"}},
      {"no stop words, a row", {.op = "StringNormalizer", .opset = 10, .inputs = {"string[1, C]"}}, {"string[1, C]"}},
      {"one word stays",
       {.op = "StringNormalizer", .opset = 10, .inputs = {"string[1]"}, .attrs = {Strings("stopwords", {"monday"})}},
       {"string[1]"}},
  });
  const OpRun run = RunOp(
      {.op = "StringNormalizer", .opset = 10, .inputs = {"string[1, 6]"}, .attrs = {Strings("stopwords", {"monday"})}});
  REQUIRE(run.inferred.ok());
  CHECK(run.view().out(0).shape.dim(0) == Dim(1));
  CHECK(LastBound(run) == "6");
  CheckRefused({.op = "StringNormalizer", .opset = 10, .inputs = {"string[2, 6]"}}, "2 and 1");
}

TEST_CASE("StringNormalizer: known words are counted") {
  const TestAttr stops = Strings("stopwords", {"monday"});
  const std::string words = "string[4] = {monday, Monday, tuesday, monday}";
  CheckRows({
      {"case matters",
       {.op = "StringNormalizer", .opset = 10, .inputs = {words}, .attrs = {stops, Int("is_case_sensitive", 1)}},
       {"string[2]"}},
      {"case does not matter",
       {.op = "StringNormalizer", .opset = 10, .inputs = {words}, .attrs = {stops}},
       {"string[1]"}},
      {"nothing left",
       {.op = "StringNormalizer", .opset = 10, .inputs = {"string[1, 2] = {monday, monday}"}, .attrs = {stops}},
       {"string[1, 1]"}},
  });
}

TEST_CASE("StringSplit: known strings are split") {
  const struct {
    const char* texts;
    std::vector<TestAttr> attrs;
    const char* type;
    const char* counts;
  } rows[] = {
      {"string[2] = {a  b c, d}", {}, "string[2, 3]", "{3, 1}"},
      {"string[1] = {a  b c}", {Int("maxsplit", 1)}, "string[1, 2]", "{2}"},
      {"string[2] = {a;b;;c, d}", {Str("delimiter", ";")}, "string[2, 4]", "{4, 1}"},
      {"string[1] = {a;b;;c}", {Str("delimiter", ";"), Int("maxsplit", 2)}, "string[1, 3]", "{3}"},
      {"string[1] = {abab}", {Str("delimiter", "ab")}, "string[1, 3]", "{3}"},
  };
  for (const auto& row : rows) {
    INFO(row.texts);
    const OpRun run =
        RunOp({.op = "StringSplit", .opset = 20, .inputs = {row.texts}, .attrs = row.attrs, .outputs = 2});
    CHECK(run.type(0) == row.type);
    CHECK(run.known(1) == row.counts);
  }
}

TEST_CASE("StringSplit: one more axis, bounded by maxsplit") {
  // clang-format off
  const OpRun run = RunOp({.op = "StringSplit", .opset = 20, .inputs = {"string[N, 2]"},
                           .attrs = {Str("delimiter", ","), Int("maxsplit", 2)}, .outputs = 2});
  // clang-format on
  REQUIRE(run.inferred.ok());
  CHECK(run.view().out(0).shape.rank() == 3);
  CHECK(run.view().out(0).elem == ElemType::kString);
  CHECK(LastBound(run) == "3");
  CHECK(run.type(1) == "int64[N, 2]");
  CHECK(LastBound(RunOp({.op = "StringSplit", .opset = 20, .inputs = {"string[2]"}})) == "?");
  CheckRows(
      {{"no strings", {.op = "StringSplit", .opset = 20, .inputs = {"string[0]"}}, {"string[0, 0]", "int64[0]"}}});
}

TEST_CASE("TfIdfVectorizer: as wide as the largest index") {
  const std::vector<TestAttr> attrs = {Int("max_gram_length", 2), Int("min_gram_length", 1), Int("max_skip_count", 5),
                                       Ints("ngram_counts", {0, 4}), Ints("ngram_indexes", {0, 1, 6, 2, 3, 4, 5})};
  // clang-format off
  CheckRows({
      {"one text", {.op = "TfIdfVectorizer", .opset = 9, .inputs = {"int32[12]"}, .attrs = attrs}, {"float[7]"}, "0",
       "integer=144"},
      {"texts", {.op = "TfIdfVectorizer", .opset = 9, .inputs = {"string[N, 12]"}, .attrs = attrs}, {"float[N, 7]"},
       "0", "integer=144*N"},
  });
  // clang-format on
  CheckRefused({.op = "TfIdfVectorizer", .opset = 9, .inputs = {"int32[12]"}}, "ngram_indexes");
  CheckRefused({.op = "TfIdfVectorizer", .opset = 9, .inputs = {"int32[12]"}, .attrs = {Ints("ngram_indexes", {-1})}},
               "ngram_indexes");
}

}  // namespace
}  // namespace hwest
