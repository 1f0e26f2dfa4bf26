// The table of what can be limited.
#include <iterator>

#include "base/enumerators.h"
#include "budget/budget.h"

namespace hwest {
namespace {

constexpr FigureInfo kFigures[] = {
    {BudgetFigure::kLatency, "latency", AmountKind::kSeconds, false, "hwest_latency_seconds", "seconds", "ms", 1e-3},
    {BudgetFigure::kRate, "rate", AmountKind::kPerSecond, true, "hwest_rate_per_second", "per_second", "1/s", 1},
    {BudgetFigure::kEnergy, "energy", AmountKind::kJoules, false, "hwest_energy_joules", "joules", "mJ", 1e-3},
    {BudgetFigure::kPower, "power", AmountKind::kWatts, false, "hwest_power_watts", "watts", "W", 1},
    {BudgetFigure::kPeakMemory, "peak_memory", AmountKind::kBytes, false, "hwest_peak_memory_bytes", "bytes", "MB",
     1e6},
    {BudgetFigure::kMacs, "macs", AmountKind::kCount, false, "hwest_macs", "", "GMACs", 1e9},
    {BudgetFigure::kParams, "params", AmountKind::kCount, false, "hwest_params", "", "M", 1e6},
    {BudgetFigure::kFallback, "fallback", AmountKind::kShare, false, "hwest_fallback_ratio", "ratio", "%", 1e-2},
    {BudgetFigure::kSegments, "segments", AmountKind::kCount, false, "hwest_segments", "", "segments", 1},
    {BudgetFigure::kUnknown, "unknown", AmountKind::kCount, false, "hwest_unknown_nodes", "", "nodes", 1},
    {BudgetFigure::kLatencyGrowth, "growth.latency", AmountKind::kShare, false, "hwest_latency_growth_ratio", "ratio",
     "%", 1e-2},
    {BudgetFigure::kPeakMemoryGrowth, "growth.peak_memory", AmountKind::kShare, false, "hwest_peak_memory_growth_ratio",
     "ratio", "%", 1e-2},
    {BudgetFigure::kMissingMemory, "missing_memory", AmountKind::kBytes, false, "hwest_missing_memory_bytes", "bytes",
     "MB", 1e6},
    {BudgetFigure::kTtft, "ttft", AmountKind::kSeconds, false, "hwest_ttft_seconds", "seconds", "ms", 1e-3},
    {BudgetFigure::kTokensPerS, "tokens_per_s", AmountKind::kPerSecond, true, "hwest_tokens_per_second", "per_second",
     "1/s", 1},
};
static_assert(std::size(kFigures) == kNumEnumerators<BudgetFigure>);

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < std::size(kFigures); ++i) {
    if (static_cast<size_t>(kFigures[i].figure) != i) return false;
  }
  return true;
}
static_assert(InEnumOrder(), "rows in enum order");

}  // namespace

absl::string_view JudgeName(Judge judge) {
  constexpr absl::string_view kNames[] = {"point", "upper", "interval"};
  static_assert(std::size(kNames) == kNumEnumerators<Judge>);
  return kNames[static_cast<size_t>(judge)];
}
const FigureInfo& InfoOf(BudgetFigure figure) { return kFigures[static_cast<size_t>(figure)]; }
absl::Span<const FigureInfo> AllFigures() { return kFigures; }

}  // namespace hwest
