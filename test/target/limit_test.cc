// The text forms of support limits.
#include "target/limit.h"

#include <string>

#include "support/catch.h"
#include "target/check.h"
#include "target/convert.h"
#include "target/read.h"

namespace hwest {
namespace {

TEST_CASE("limits are typed") {
  struct Case {
    const char* of;
    bool bounded;
    LimitKind kind;
    int input;
    int index;  // -100 = none
    const char* attr;
  };
  const auto c = GENERATE(values<Case>({
      {"static", false, LimitKind::kStatic, 0, -100, ""},
      {"const:1", false, LimitKind::kConst, 1, -100, ""},
      {"batch", true, LimitKind::kBatch, 0, -100, ""},
      {"inputs", true, LimitKind::kInputs, 0, -100, ""},
      {"outputs", true, LimitKind::kOutputs, 0, -100, ""},
      {"rank:0", true, LimitKind::kRank, 0, -100, ""},
      {"rank:-1", true, LimitKind::kRank, -1, -100, ""},
      {"numel:2", true, LimitKind::kNumel, 2, -100, ""},
      {"nonsingleton:0", true, LimitKind::kNonSingleton, 0, -100, ""},
      {"dim:1:-2", true, LimitKind::kDim, 1, -2, ""},
      {"dim:0:*", true, LimitKind::kDim, 0, -100, ""},
      {"attr:strides", true, LimitKind::kAttr, 0, -100, "strides"},
      {"attr:perm:0", true, LimitKind::kAttr, 0, 0, "perm"},
      {"axis:axis", true, LimitKind::kAxis, 0, -100, "axis"},
      {"axis:1", true, LimitKind::kAxis, 1, -100, ""},
      {"numel:0:2", true, LimitKind::kNumel, 0, 2, ""},
      {"numel:0:@axis", true, LimitKind::kNumel, 0, -100, "axis"},
      {"dim:0:@axis", true, LimitKind::kDim, 0, -100, "axis"},
      {"has:bias", true, LimitKind::kHas, 0, -100, "bias"},
      {"has:2", true, LimitKind::kHas, 2, -100, ""},
      {"value:2", true, LimitKind::kValue, 2, -100, ""},
      {"value:1:-1", true, LimitKind::kValue, 1, -1, ""},
      {"scale:*", true, LimitKind::kScale, 0, -100, ""},
      {"scale:-1", true, LimitKind::kScale, 0, -1, ""},
      {"broadcast:1:0", true, LimitKind::kBroadcast, 1, 0, ""},
      {"edge", false, LimitKind::kEdge, 0, -100, ""},
      {"opset", true, LimitKind::kOpset, 0, -100, ""},
      {"consts", true, LimitKind::kConsts, 0, -100, ""},
      {"core:numel:1:1", true, LimitKind::kNumel, 1, 1, ""},
  }));
  INFO(c.of);
  proto::Limit row;
  row.set_of(c.of);
  if (c.bounded) row.set_max(4);
  Limit limit;
  REQUIRE(ReadLimit(row, &limit) == "");
  CHECK(limit.kind == c.kind);
  CHECK(limit.input == c.input);
  CHECK(limit.index.value_or(-100) == c.index);
  CHECK(limit.attr == c.attr);
  CHECK(limit.max.has_value() == c.bounded);
  CHECK_FALSE(limit.min.has_value());
}

TEST_CASE("limits that say nothing or the impossible are refused") {
  const std::string of = GENERATE("shape:0", "rank", "rank:x", "dim:0", "dim:0:y", "attr", "attr:a:-1", "attr:a:1:2",
                                  "static:0", "axis:", "has:", "has:a:1", "value", "scale", "scale:x", "numel:0:@",
                                  "edge:1", "precision", "neighbour:0");
  proto::Limit row;
  row.set_of(of);
  if (of.compare(0, 6, "static") != 0) row.set_max(4);
  Limit limit;
  INFO(of);
  CHECK(ReadLimit(row, &limit) != "");
}

TEST_CASE("relations and conditions are read") {
  proto::Limit row;
  row.set_of("attr:strides:0");
  row.set_equal_to("attr:strides:1");
  row.add_when()->set_of("static");
  row.set_advice(true);
  Limit limit;
  REQUIRE(ReadLimit(row, &limit) == "");
  CHECK(limit.relation == Limit::Relation::kEqual);
  REQUIRE(limit.other.size() == 1);
  CHECK(limit.other[0].index == 1);
  REQUIRE(limit.when.size() == 1);
  CHECK(limit.when[0].kind == LimitKind::kStatic);
  CHECK(limit.advice);
}

TEST_CASE("bounds belong to the kinds that compare") {
  const auto wrong = [](const char* text) {
    const auto read = ReadToolchain(std::string("name: \"t\" sources { key: \"s\" title: \"S\" date: \"1\" } "
                                                "support { op: \"Conv\" source: \"s\" trust: PUBLISHED ") +
                                        text + " }",
                                    "toolchain.textproto");
    return read.problems.empty() ? std::string() : read.problems.front().message;
  };
  CHECK(wrong("limit { of: \"rank:0\" min: 4 max: 4 }") == "");
  CHECK(wrong("limit { of: \"rank:0\" }") == "'rank:0' needs min, max, any, multiple_of, equal_to or at_most");
  CHECK(wrong("limit { of: \"const:1\" max: 0 }") == "");
  CHECK(wrong("limit { of: \"rank:0\" multiple_of: 0 }") == "'rank:0' has multiple_of < 1");
  CHECK(wrong("limit { of: \"rank:0\" equal_to: \"rank\" }") == "'rank' is malformed");
  CHECK(wrong("limit { of: \"rank:0\" equal_to: \"rank:1\" at_most: \"rank:1\" }") ==
        "'rank:0' has both equal_to and at_most");
  CHECK(wrong("limit { of: \"rank:0\" max: 4 when { of: \"rank:1\" } }") ==
        "'rank:1' needs min, max, any, multiple_of, equal_to or at_most");
  CHECK(wrong("limit { of: \"rank:0\" max: 4 when { of: \"static\" when { of: \"static\" } } }") ==
        "'rank:0' has a condition with conditions of its own");
  CHECK(wrong("limit { of: \"rank:0\" min: 5 max: 4 }") == "'rank:0' has min > max");
  CHECK(wrong("limit { of: \"dtype:0\" max: 4 }") == "'dtype:0' compares texts: use any");
  CHECK(wrong("op: \"Conv\"") == "op 'Conv' is stated twice");
  CHECK(wrong("no: true limit { of: \"static\" }") == "says no with limits");
}

}  // namespace
}  // namespace hwest
