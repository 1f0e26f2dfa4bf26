#include "ir/dim_parser.h"

#include <string>

#include "hwest/dim.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("expressions of exporters") {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case c = GENERATE(values<Case>({
      {"s0", "s0"},
      {"2*s0", "2*s0"},
      {"s0**2", "s0**2"},
      {"s10*s21", "s10*s21"},
      {"((s12*s86)//s10)", "(s12*s86)//s10"},
      {"Min(512, s11)", "min(s11, 512)"},
      {"Max(1, u0)", "max(u0, 1)"},
      {"(((s1 - 1)//8)) + 1", "ceildiv(s1, 8)"},
      {"s0 // 8", "s0//8"},
      {"s0-1", "s0 - 1"},
      {"CeilToInt(IntTrueDiv(s1, 8))", "ceildiv(s1, 8)"},
      {"FloorToInt(IntTrueDiv(s1, 8))", "s1//8"},
      {"TruncToInt(s1/8)", "s1//8"},
      {"ceiling(x/8)", "ceildiv(x, 8)"},
      {"floor(x/8)", "x//8"},
      {"floor(0.5*x)", "x//2"},
      {"floor(x/2 + 1/2)", "ceildiv(x, 2)"},
      {"s0*s1/s0", "s1"},
      {"s0*s1*s0**(-1)", "s1"},
      {"Mod(s0, 2)", "s0 % 2"},
      {"PythonMod(s0, 2)", "s0 % 2"},
      {"FloorDiv(s0 + s1, 4)", "(s0 + s1)//4"},
      {"floor_div(s0, 4)", "s0//4"},
      {"ModularIndexing(s0, 4, 3)", "(s0//4) % 3"},
      {"past_sequence_length + 1", "past_sequence_length + 1"},
      {"past_sequence_length+sequence_length", "past_sequence_length + sequence_length"},
      {"-s0 + 8", "-s0 + 8"},
      {"-s0**2 + 9", "-s0**2 + 9"},
      {"s0 - s0 + 4", "4"},
      {" batch ", "batch"},
      {"unk__12", "unk__12"},
      {"input_dynamic_axes_1", "input_dynamic_axes_1"},
  }));
  CAPTURE(c.text);
  DimPool pool;
  CHECK(pool.ToString(pool.Parse(c.text)) == c.want);
}

TEST_CASE("what is no expression is one opaque symbol with its text") {
  // clang-format off
  const std::string text = GENERATE(values<std::string>({
      "batch-size", "sequence length", "input.1", "enc/len", "80", "2*3", "dim-0", "s0 +", "(s0", "s0)",
      "f(s0)", "Piecewise((1, s0 > 2), (s0, True))", "s0**s1", "s0**99", "s0 // 0", "Max()", "Mod(s0)", "1.5.2*s0",
      "s0 & s1", "99999999999999999999*s0", "\xff\xfe", "Mod(s0/3, 2)", "2s",
  }));
  // clang-format on
  CAPTURE(text);
  DimPool pool;
  const Dim dim = pool.Parse(text);
  REQUIRE(pool.AsSymbol(dim).valid());
  CHECK(pool.num_symbols() == 1);
  CHECK(pool.symbol(pool.AsSymbol(dim)).text == text);
  CHECK(pool.Parse(text) == dim);
}

TEST_CASE("a placeholder is no name: each is a size of its own") {
  DimPool pool;
  for (const char* text :
       {"",          " ",       "?",       "??",   "*",         "-",     "_",         "...",     "-1",
        "-2",        "None",    "none",    "NULL", "nan",       "N/A",   "unknown",   "Unknown", "<unk>",
        "[unknown]", "__unk__", "dynamic", "any",  "undefined", "? + 1", "2*unknown", "none-1",  "?1"}) {
    CAPTURE(text);
    CHECK(pool.Parse(text).is_unknown());
  }
  CHECK(pool.num_symbols() == 0);
}

TEST_CASE("words and what is counted are names, one size however often they stand") {
  for (const char* text :
       {"N",          "x",        "batch",      "batch-size", "batch size",         "input.1_dim_0",
        "Addy_dim_0", "unk__123", "dim_0",      "dim",        "DynamicDimension_0", "DynamicDimension.0",
        "unknown_3",  "None_1",   "any_length", "num_none",   "dynamic batch",      "batch?",
        "80",         "\xc3\xa9", "-x",         "s0 + ?",     "s0 + None"}) {
    CAPTURE(text);
    DimPool pool;
    const Dim dim = pool.Parse(text);
    CHECK_FALSE(dim.is_unknown());
    CHECK(pool.Parse(text) == dim);
    CHECK(pool.num_symbols() == 1);
  }
}

TEST_CASE("a tight minus between known symbols is a subtraction") {
  DimPool pool;
  pool.Symbol("total");
  pool.Symbol("past");
  CHECK(pool.ToString(pool.Parse("total-past")) == "total - past");
  CHECK(pool.ToString(pool.Parse("total - other")) == "total - other");
}

TEST_CASE("hostile texts end in a symbol") {
  DimPool pool;
  for (const std::string& unit : {std::string("("), std::string("-"), std::string("Max("), std::string("a**")}) {
    std::string text;
    while (text.size() < 3000) text += unit;
    CHECK(pool.AsSymbol(pool.Parse(text + "a")).valid());
  }
  std::string sum = "x0";
  for (int i = 1; i < 400; ++i) sum += "+x" + std::to_string(i);
  CHECK(pool.Parse(sum).is_symbolic());
  CHECK(pool.AsSymbol(pool.Parse(std::string(1000000, 'a') + " b")).valid());
  CHECK(pool.Parse("").is_unknown());
}

TEST_CASE("range constraints of an exported program") {
  const auto got = ParseRangeConstraints(
      "{s0: VR[2, 64], s1: VR[0, int_oo], 's2': VR[-int_oo, 9], 2*s0: VR[4, 128], s3: VR[1, 9223372036854775806]}");
  REQUIRE(got.size() == 4);
  CHECK(got[0].name == "s0");
  CHECK(got[0].min == 2);
  CHECK(got[0].max == 64);
  CHECK(got[1].name == "s1");
  CHECK_FALSE(got[1].max.has_value());
  CHECK(got[2].min == 0);
  CHECK(got[2].max == 9);
  CHECK(got[3].name == "s3");
  CHECK_FALSE(got[3].max.has_value());
  CHECK(ParseRangeConstraints("").empty());
  CHECK(ParseRangeConstraints("{s0: VR[2").empty());
  CHECK(ParseRangeConstraints("{s0: ValueRanges(2, 3)}").empty());
}

}  // namespace
}  // namespace hwest
