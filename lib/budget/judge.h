// Checks a model against its budget.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/load.h"
#include "analysis/request_options.h"
#include "budget/budget.h"
#include "budget/verdict.h"
#include "hwest/analysis.h"
#include "hwest/study.h"

namespace hwest {

struct CostlyGroup {
  GroupId id;
  std::string label;  // of its root node
  std::string pattern;
  double amount = 0;        // see GroupAmountKind
  double share = 0;         // of the model's total
  std::string source_line;  // of the first node that has one; "" = the file does not say
};

// A change that would mend a broken limit, or the nearest to it.
struct Mend {
  std::string change;
  std::vector<std::string> flags;  // to try it; may be empty
  std::string command;             // that makes it; "" = none does
  double value = 0;                // of the figure after the change
  bool mends = false;
};

struct LimitLine {
  BudgetLimit limit;
  std::optional<double> value, low, high;  // low = high = value for counts
  std::optional<double> margin;            // room that is left, in the figure's own unit; below 0 = over
  std::optional<double> probability;       // of the limit holding; none = the figure has no interval
  BudgetVerdict verdict = BudgetVerdict::kOk;
  std::string why;                  // for kUnknown: the reason, and nodes without a time by name
  std::vector<CostlyGroup> groups;  // the three that add most to a broken line's figure
  std::optional<Mend> mend;
  bool was_tried = false;  // changes were; without `mend` none of them brings the figure nearer to the limit
};

// What orders groups under a limit: energy, MACs or bytes if the limit is about these, else time.
AmountKind GroupAmountKind(BudgetFigure figure);

struct CheckResult {
  BudgetCheck check;
  std::string target, mode, precision;  // in force
  int64_t batch = 1;
  std::optional<bool> fits;                    // the memories of the target hold the model; none = not known
  std::string misfit;                          // what they lack, and what would help; empty when they are not known to
  BudgetVerdict verdict = BudgetVerdict::kOk;  // the worst of the lines: over, unknown, undecided, ok
  std::vector<LimitLine> lines;
};

// Either may be null.
struct CheckWatch {
  StudyProgress progress;
  std::function<bool()> stop;  // asked before each analysis
  LoadOptions limits;          // of the first reading; the model is read again
};

// RunBudget analyses every check in order; `base` is what they all share. Errors: those of loading and analysing, with
// the line of the check; kUsage for a saved report that cannot be compared with; kInterrupted when stopped.
absl::StatusOr<std::vector<CheckResult>> RunBudget(const Budget& budget, const RequestDraft& base,
                                                   const CheckWatch& watch);

// JudgeCheck checks one analysis against the limits of a check; given `graph`, it tries changes that would mend it.
absl::StatusOr<CheckResult> JudgeCheck(const BudgetCheck& check, const Analysis& analysis,
                                       const std::shared_ptr<const Graph>& graph, const CheckWatch& watch);

BudgetVerdict WorstOf(const std::vector<CheckResult>& results);

// Whether a line with that verdict makes `check` fail, in exit codes and in every format.
bool Refuses(const Budget& budget, BudgetVerdict verdict);

}  // namespace hwest
