// The parsed expressions in the library equal those of the tables.
#include "fuse/pack_pattern.h"

#include <string>
#include <vector>

#include "fuse/patterns.h"
#include "fuse/readings.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

std::string Parsed(absl::string_view expression) {
  const auto pattern = ParsePattern(expression, PatternVocabulary());
  return pattern.ok() ? Pack(*pattern) : std::string(pattern.status().message());
}

TEST_CASE("patterns are what their expressions say") {
  CHECK(PackedPatterns().size() == AllPatterns().size());
  for (const PatternRow& row : AllPatterns()) {
    INFO(row.name);
    if (row.kind == RowKind::kExpression) CHECK(Pack(PatternOf(row)) == Parsed(row.expression));
  }
  CHECK(PackedReadings().size() == AllReadings().size());
  for (const ReadingRow& row : AllReadings()) {
    INFO(row.match.name);
    const bool matches = row.kind == ReadingKind::kExpression || row.kind == ReadingKind::kTaken;
    if (matches) CHECK(Pack(PatternOf(row)) == Parsed(row.match.expression));
  }
}

TEST_CASE("a pattern keeps all it says") {
  const auto parsed = ParsePattern(
      "top*:Add[same_shape]?{conv_bn}(core:~(Cast|Reshape) (MatMul|com.microsoft::MatMulNBits)(x, w[const, scalar]),"
      " (0.5 | Split.1(x)))",
      {});
  REQUIRE(parsed.ok());
  const std::string bytes = Pack(*parsed);
  const Pattern pattern = Unpack(bytes);
  CHECK(Pack(pattern) == bytes);
  CHECK(pattern.slots == std::vector<std::string>{"top", "core", "x", "w"});
  const Expr& top = pattern.exprs[pattern.root];
  CHECK(top.is_output);
  CHECK(top.optional);
  CHECK(top.pick == "conv_bn");
  REQUIRE(top.guards.size() == 1);
  CHECK(top.guards[0]->name == "same_shape");
  REQUIRE(top.args.size() == 2);
  const Expr& product = pattern.exprs[top.args[0]];
  REQUIRE(product.through.size() == 2);
  CHECK(product.through[1].op == "Reshape");
  REQUIRE(product.ops.size() == 2);
  CHECK(product.ops[1].domain == "com.microsoft");
  CHECK(product.ops[1].op == "MatMulNBits");
  CHECK(pattern.exprs[product.args[1]].guards.size() == 2);
  const Expr& either = pattern.exprs[top.args[1]];
  CHECK(either.kind == ExprKind::kEither);
  CHECK(pattern.exprs[either.args[0]].number == 0.5);
  CHECK(pattern.exprs[either.args[1]].output == 1);
}

}  // namespace
}  // namespace hwest::test
