// Checks one figure against one limit.
#pragma once

#include <optional>
#include <string>

#include "budget/budget.h"

namespace hwest {

// The verdict on a limit. kUndecided: judged by both ends of the interval, it lies between them. kUnknown: the figure
// is unknown, and its known part is within the limit.
enum class BudgetVerdict : uint8_t { kOk, kUndecided, kUnknown, kOver };
absl::string_view BudgetVerdictName(BudgetVerdict verdict);  // "ok", "over", "undecided", "unknown"

// A figure with its interval. With `is_part`, it is the known part of a figure that can only be worse.
struct Figured {
  std::optional<double> value, low, high;
  bool is_part = false;
  std::string why;  // it is unknown, or only a part
};

BudgetVerdict VerdictOf(const BudgetLimit& limit, const Figured& known);

// Remaining room in the figure's own unit; below 0 = over. Uses the point where both ends are judged.
std::optional<double> MarginOf(const BudgetLimit& limit, const Figured& known);

// The probability that the limit holds, taking the 80 % interval as the 10th to 90th percentile of a log-normal
// distribution around the value. None without an interval.
std::optional<double> ProbabilityOf(const BudgetLimit& limit, const Figured& known);

// The figure to compare with the limit when the point becomes `point`; intervals keep their relative width. A limit on
// both ends surely holds if the worse end is within it.
double JudgedAt(const BudgetLimit& limit, const Figured& known, double point);

}  // namespace hwest
