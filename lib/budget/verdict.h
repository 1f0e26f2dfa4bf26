// Holding one figure against one limit.
#pragma once

#include <optional>
#include <string>

#include "budget/budget.h"

namespace hwest {

// What a limit comes to. kUndecided: of a limit judged by both ends of the interval, one that lies between them.
// kUnknown: the figure is not known, and what is known of it is within the limit.
enum class BudgetVerdict : uint8_t { kOk, kUndecided, kUnknown, kOver };
absl::string_view BudgetVerdictName(BudgetVerdict verdict);  // "ok", "over", "undecided", "unknown"

// A figure with its interval. Where `is_part`, it is what is known of one that can only be worse.
struct Figured {
  std::optional<double> value, low, high;
  bool is_part = false;
  std::string why;  // when it is not known, or not whole
};

BudgetVerdict VerdictOf(const BudgetLimit& limit, const Figured& known);

// Room that is left, in the figure's own unit; below 0 = over. By the point where both ends are judged.
std::optional<double> MarginOf(const BudgetLimit& limit, const Figured& known);

// How likely the limit holds, if the 80 % interval is the 10th to 90th percentile of a log-normal distribution around
// the value. None for what has no interval.
std::optional<double> ProbabilityOf(const BudgetLimit& limit, const Figured& known);

// The figure that the limit is held against, when the point becomes `point`: intervals keep their relative width. A
// limit on both ends holds for sure where the worse one is within it.
double JudgedAt(const BudgetLimit& limit, const Figured& known, double point);

}  // namespace hwest
