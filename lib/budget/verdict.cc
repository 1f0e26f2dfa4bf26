#include "budget/verdict.h"

#include <cmath>
#include <iterator>

#include "base/enumerators.h"
#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr double kDeviationsTo90 = 1.2815515655446004;  // of a normal distribution, from its median

bool Breaks(const BudgetLimit& limit, double figure) {
  return InfoOf(limit.figure).at_least ? figure < limit.bound : figure > limit.bound;
}

// The worse end of the interval for this limit.
double WorseEnd(const BudgetLimit& limit, const Figured& known) {
  return (InfoOf(limit.figure).at_least ? known.low : known.high).value_or(*known.value);
}

double BetterEnd(const BudgetLimit& limit, const Figured& known) {
  return (InfoOf(limit.figure).at_least ? known.high : known.low).value_or(*known.value);
}

// The figure that exceeds the limit only if the limit is broken.
double JudgedEnd(const BudgetLimit& limit, const Figured& known) {
  switch (limit.judge) {
    case Judge::kPoint: return *known.value;
    case Judge::kUpper: return WorseEnd(limit, known);
    case Judge::kInterval: return BetterEnd(limit, known);
  }
  return *known.value;
}

}  // namespace

absl::string_view BudgetVerdictName(BudgetVerdict verdict) {
  constexpr absl::string_view kNames[] = {"ok", "undecided", "unknown", "over"};
  static_assert(std::size(kNames) == kNumEnumerators<BudgetVerdict>);
  return kNames[static_cast<size_t>(verdict)];
}

BudgetVerdict VerdictOf(const BudgetLimit& limit, const Figured& known) {
  if (!known.value.has_value()) return BudgetVerdict::kUnknown;
  if (Breaks(limit, JudgedEnd(limit, known))) return BudgetVerdict::kOver;
  if (known.is_part) return BudgetVerdict::kUnknown;
  const bool is_undecided = limit.judge == Judge::kInterval && Breaks(limit, WorseEnd(limit, known));
  return is_undecided ? BudgetVerdict::kUndecided : BudgetVerdict::kOk;
}

std::optional<double> MarginOf(const BudgetLimit& limit, const Figured& known) {
  if (!known.value.has_value()) return std::nullopt;
  const double judged = limit.judge == Judge::kUpper ? WorseEnd(limit, known) : *known.value;
  return InfoOf(limit.figure).at_least ? judged - limit.bound : limit.bound - judged;
}

std::optional<double> ProbabilityOf(const BudgetLimit& limit, const Figured& known) {
  const bool has_interval =
      known.value.has_value() && known.low.has_value() && known.high.has_value() && !known.is_part;
  if (!has_interval || *known.low <= 0 || *known.low == *known.high) return std::nullopt;
  const bool is_above = limit.bound > *known.value;
  const double to_end = std::abs(portable::Log((is_above ? *known.high : *known.low) / *known.value));
  const double to_limit = limit.bound == *known.value ? 0 : portable::Log(limit.bound / *known.value) / to_end;
  const double below = 0.5 * portable::Erfc(-to_limit * kDeviationsTo90 / std::sqrt(2.0));
  return InfoOf(limit.figure).at_least ? 1 - below : below;
}

double JudgedAt(const BudgetLimit& limit, const Figured& known, double point) {
  if (limit.judge == Judge::kPoint || !known.value.has_value() || *known.value <= 0) return point;
  return point * WorseEnd(limit, known) / *known.value;
}

}  // namespace hwest
