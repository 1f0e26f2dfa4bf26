// Operands of every rank for every operator: a rule that indexes an axis before it looks at the rank reads beyond it.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hostile/hostile.h"
#include "op/rule.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr int kRanks = 7;
constexpr int kOpset = 23;

// One node of each rule: input 0 of one rank, the others of another one.
std::string EveryOperator(int first, int others) {
  Message graph;
  size_t n = 0;
  for (const OpRule& rule : AllRules()) {
    const std::string y = absl::StrCat("y", n++);
    graph.Sub(1, Node(rule.op, {"x", "w", "w", "w", "w"}, {y, absl::StrCat(y, "b")}).Bytes(7, rule.domain));
    graph.Sub(12, Message().Bytes(1, y));
  }
  graph.Sub(11, Value("x", FloatType(std::vector<std::string>(static_cast<size_t>(first), "2"))));
  graph.Sub(11, Value("w", FloatType(std::vector<std::string>(static_cast<size_t>(others), "2"))));
  return Model(graph, kOpset).Sub(8, OpsetImport("com.microsoft", 1)).Sub(8, OpsetImport("ai.onnx.ml", 3)).bytes();
}

TEST_CASE("every operator takes operands of any rank") {
  for (int first = 0; first < kRanks; ++first) {
    for (int others = 0; others < kRanks; ++others) {
      const Outcome outcome = RunOn(EveryOperator(first, others));
      INFO(first << ", " << others << ": " << outcome.err.substr(0, 500));
      CHECK(outcome.code == 0);
      CHECK_THAT(outcome.out, Catch::Contains(absl::StrCat("\ny", AllRules().size() - 1, ",")));
    }
  }
}

}  // namespace
}  // namespace hwest::test
