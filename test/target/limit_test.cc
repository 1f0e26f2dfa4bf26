// The text forms of support limits.
#include <string>

#include "support/catch.h"
#include "target/check.h"
#include "target/convert.h"
#include "target/limit.h"
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
                                  "static:0", "axis:");
  proto::Limit row;
  row.set_of(of);
  if (of.compare(0, 6, "static") != 0) row.set_max(4);
  Limit limit;
  INFO(of);
  CHECK(ReadLimit(row, &limit) != "");
}

TEST_CASE("bounds belong to the kinds that compare") {
  const auto wrong = [](const char* text) {
    const auto read = ReadToolchain(std::string("name: \"t\" sources { key: \"s\" title: \"S\" date: \"1\" } "
                                                "support { op: \"Conv\" source: \"s\" trust: PUBLISHED ") +
                                    text + " }");
    return read.problems.empty() ? std::string() : read.problems.front().message;
  };
  CHECK(wrong("limit { of: \"rank:0\" min: 4 max: 4 }") == "");
  CHECK(wrong("limit { of: \"rank:0\" }") == "'rank:0' needs min, max or any");
  CHECK(wrong("limit { of: \"const:1\" max: 1 }") == "'const:1' takes no min, max or any");
  CHECK(wrong("limit { of: \"rank:0\" min: 5 max: 4 }") == "'rank:0' has min > max");
  CHECK(wrong("limit { of: \"dtype:0\" max: 4 }") == "'dtype:0' compares texts: use any");
  CHECK(wrong("op: \"Conv\"") == "op 'Conv' is stated twice");
  CHECK(wrong("no: true limit { of: \"static\" }") == "says no with limits");
}

}  // namespace
}  // namespace hwest
