// Verdicts on limits: every figure in its direction, and every way to judge it.
#include "budget/verdict.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "budget/report.h"
#include "support/catch.h"

namespace hwest {
namespace {

constexpr Judge kJudges[] = {Judge::kPoint, Judge::kUpper, Judge::kInterval};
const Figured kTwo{2.0, 1.0, 4.0, false, ""};  // from 1 to 4

// The limit that stands as far above the figure as `factor` says, or below where the figure must be at least that.
BudgetLimit LimitAt(BudgetFigure figure, Judge judge, double factor) {
  BudgetLimit limit;
  limit.figure = figure;
  limit.judge = judge;
  limit.bound = InfoOf(figure).at_least ? 2 / factor : 2 * factor;
  return limit;
}

struct Case {
  double factor;              // 0.5 and 2 are the ends of the interval
  BudgetVerdict verdicts[3];  // by judge
};

TEST_CASE("every figure is held against the end that the limit names") {
  using enum BudgetVerdict;
  constexpr Case kCases[] = {
      {0.49, {kOver, kOver, kOver}}, {1 / 1.35, {kOver, kOver, kUndecided}}, {0.99, {kOver, kOver, kUndecided}},
      {1, {kOk, kOver, kUndecided}}, {1.99, {kOk, kOver, kUndecided}},       {2, {kOk, kOk, kOk}},
  };
  for (const FigureInfo& info : AllFigures()) {
    for (const Case& c : kCases) {
      for (const Judge judge : kJudges) {
        INFO(info.name << " at " << c.factor << " by " << JudgeName(judge));
        const BudgetLimit limit = LimitAt(info.figure, judge, c.factor);
        CHECK(VerdictOf(limit, kTwo) == c.verdicts[static_cast<size_t>(judge)]);
        const double margin = *MarginOf(limit, kTwo);
        if (judge != Judge::kInterval) CHECK((margin < 0) == (VerdictOf(limit, kTwo) == kOver));
      }
    }
  }
}

TEST_CASE("what is known of a figure in part is over or unknown, never ok") {
  for (const FigureInfo& info : AllFigures()) {
    for (const Judge judge : kJudges) {
      INFO(info.name << " by " << JudgeName(judge));
      const Figured part{2.0, std::nullopt, std::nullopt, true, "a node has no time"};
      CHECK(VerdictOf(LimitAt(info.figure, judge, 0.99), part) == BudgetVerdict::kOver);
      CHECK(VerdictOf(LimitAt(info.figure, judge, 9), part) == BudgetVerdict::kUnknown);
      CHECK(VerdictOf(LimitAt(info.figure, judge, 9), Figured()) == BudgetVerdict::kUnknown);
      CHECK_FALSE(ProbabilityOf(LimitAt(info.figure, judge, 9), part).has_value());
    }
  }
}

TEST_CASE("the interval holds 80 of 100, and a looser limit is never less likely to hold") {
  for (const FigureInfo& info : AllFigures()) {
    INFO(info.name);
    const auto at = [&](double factor) { return *ProbabilityOf(LimitAt(info.figure, Judge::kPoint, factor), kTwo); };
    CHECK(at(0.5) == Approx(0.1));
    CHECK(at(1) == Approx(0.5));
    CHECK(at(2) == Approx(0.9));
    double last = 0;
    for (double factor = 0.01; factor < 100; factor *= 1.5) {
      CHECK(at(factor) >= last);
      last = at(factor);
    }
    CHECK_FALSE(ProbabilityOf(LimitAt(info.figure, Judge::kPoint, 2), {2.0, 2.0, 2.0, false, ""}).has_value());
  }
}

TEST_CASE("a line that no change mends says that changes were tried") {
  LimitLine line;
  line.verdict = BudgetVerdict::kOver;
  CHECK(HelpTexts(line).empty());
  line.was_tried = true;
  CHECK(HelpTexts(line) == std::vector<std::string>{"no change that was tried brings it nearer to the limit"});
  line.mend = Mend{.change = "int8 instead of fp16", .value = 1e-3, .mends = true};
  REQUIRE(HelpTexts(line).size() == 1);
  CHECK(absl::StartsWith(HelpTexts(line)[0], "would mend it: int8 instead of fp16"));
}

}  // namespace
}  // namespace hwest
