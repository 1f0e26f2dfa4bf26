#include "analysis/literal.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ir/elem_type.h"
#include "op/known.h"
#include "support/catch.h"

namespace hwest {
namespace {

// "[2,2] 1 2 3 4" as the analysis reads the contents back, or the message of the error.
std::string ReadBack(absl::string_view text, ElemType elem) {
  const absl::StatusOr<Constant> constant = ParseLiteral(text, elem);
  if (!constant.ok()) {
    CHECK(DiagnosticOf(constant.status()).code == Code::kUsage);
    CHECK_FALSE(DiagnosticOf(constant.status()).remedy.empty());
    return DiagnosticOf(constant.status()).message;
  }
  std::string found = absl::StrCat("[", absl::StrJoin(constant->dims, ","), "]");
  for (const std::string& value : constant->strings) absl::StrAppend(&found, " \"", value, "\"");
  if (elem == ElemType::kString) return found;
  const Known known = DecodeConstant(*constant);
  REQUIRE(known != nullptr);
  for (const Scalar& scalar : *known) {
    absl::StrAppend(&found, " ");
    if (scalar.is_unknown()) {
      found += "?";
    } else if (scalar.is_int()) {
      absl::StrAppend(&found, scalar.dim().value());
    } else {
      absl::StrAppend(&found, scalar.number());
    }
  }
  return found;
}

struct LiteralCase {
  std::string text;
  ElemType elem;
  std::string want;
};

TEST_CASE("literals") {
  const LiteralCase c = GENERATE(values<LiteralCase>({
      {"7", ElemType::kInt64, "[] 7"},
      {" -7 ", ElemType::kInt64, "[] -7"},
      {"[1,2,3]", ElemType::kInt64, "[3] 1 2 3"},
      {"[ [1, 2], [3, 4] ]", ElemType::kInt32, "[2,2] 1 2 3 4"},
      {"[[[5]]]", ElemType::kInt16, "[1,1,1] 5"},
      {"[]", ElemType::kFloat, "[0]"},
      {"[[],[]]", ElemType::kFloat, "[2,0]"},
      {"9223372036854775807", ElemType::kInt64, "[] 9223372036854775807"},
      {"18446744073709551615", ElemType::kUint64, "[] ?"},
      {"[-8,7,-1]", ElemType::kInt4, "[3] -8 7 -1"},
      {"[3,2,1,0,3]", ElemType::kUint2, "[5] 3 2 1 0 3"},
      {"[true,false,1,0]", ElemType::kBool, "[4] 1 0 1 0"},
      {"0.5", ElemType::kFloat, "[] 0.5"},
      {"[1e3,-2.5,3]", ElemType::kDouble, "[3] 1000 -2.5 3"},
      {"[0.5,-2,65504,6e-8,inf]", ElemType::kFloat16, "[5] 0.5 -2 65504 5.96046e-08 inf"},
      {"[0.5,-3,1e38]", ElemType::kBfloat16, "[3] 0.5 -3 9.96921e+37"},
      {"[\"a, b\", \"\\\"\"]", ElemType::kString, "[2] \"a, b\" \"\"\""},
      {"", ElemType::kInt64, "'', character 1: the text ends, expected a value of type int64"},
      {"[1,x]", ElemType::kInt64, "'[1,x]', character 4: 'x' is no int64"},
      {"[1,]", ElemType::kInt64, "'[1,]', character 4: found ']', expected a value of type int64"},
      {"[1 2]", ElemType::kInt64, "'[1 2]', character 4: found '2', expected ',' or ']'"},
      {"[1", ElemType::kInt64, "'[1', character 3: the text ends, expected ',' or ']'"},
      {"[1]]", ElemType::kInt64, "'[1]]', character 4: found ']', expected the end"},
      {"1.5", ElemType::kInt64, "'1.5', character 1: '1.5' is no int64"},
      {"300", ElemType::kUint8, "'300', character 1: '300' does not fit uint8"},
      {"-1", ElemType::kUint64, "'-1', character 1: '-1' does not fit uint64"},
      {"9223372036854775808", ElemType::kInt64,
       "'9223372036854775808', character 1: '9223372036854775808' does not fit int64"},
      {"1e39", ElemType::kFloat, "'1e39', character 1: '1e39' does not fit float"},
      {"65520", ElemType::kFloat16, "'65520', character 1: '65520' does not fit float16"},
      {"2", ElemType::kBool, "'2', character 1: '2' is no bool"},
      {"[[1,2],[3]]", ElemType::kInt64, "'[[1,2],[3]]', character 8: a list of 1 beside lists of 2"},
      {"[1,[2]]", ElemType::kInt64, "'[1,[2]]', character 4: a list where the lists before it have a number"},
      {"[[1],2]", ElemType::kInt64, "'[[1],2]', character 6: found '2', expected a list, as in the lists before it"},
      {"[[],[1]]", ElemType::kInt64, "'[[],[1]]', character 5: a list of 1 beside lists of 0"},
      {"1", ElemType::kFloat8E4M3FN, "float8e4m3fn values cannot be written out"},
      {"a", ElemType::kString, "'a', character 1: found 'a', expected a string between double quotes"},
      {"\"a", ElemType::kString, "'\"a', character 3: the text ends, expected '\"'"},
  }));
  INFO(c.text);
  CHECK(ReadBack(c.text, c.elem) == c.want);
}

TEST_CASE("deep nesting is refused") {
  const std::string deep(100, '[');
  CHECK_THAT(ReadBack(deep, ElemType::kInt64), Catch::Contains("nested more than 64 deep"));
}

TEST_CASE("element types by name") {
  CHECK(FindElemType("int64") == ElemType::kInt64);
  CHECK(FindElemType("bfloat16") == ElemType::kBfloat16);
  CHECK_FALSE(FindElemType("int").has_value());
  CHECK_FALSE(FindElemType("").has_value());
}

}  // namespace
}  // namespace hwest
