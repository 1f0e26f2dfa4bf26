// The summary of an analysis: getters of the table `totals`, and their cells.
#include <algorithm>
#include <cmath>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "cost/cost.h"
#include "hwest/host.h"
#include "plan/memory_needs.h"
#include "plan/policy.h"
#include "report/getters.h"
#include "report/view_parts.h"

namespace hwest::getters {
namespace {

constexpr double kRounding = 1e-12;

bool IsPartial(const Analysis& analysis) { return analysis.coverage.costed < analysis.coverage.nodes; }

// Seconds in which a segment's unit draws its static power and none of its groups computes.
double WaitingSeconds(const Plan& plan, const Segment& segment) {
  if (segment.contexts == 0) return segment.transfer_s + segment.invoke_s;
  return std::max(0.0, segment.interval_s - GroupSeconds(plan, segment.groups));
}

double WaitingJoules(const Analysis& analysis) {
  const Plan& plan = *analysis.plan;
  double joules = 0;
  for (const Segment& segment : plan.segments) {
    joules += StaticWatts(*analysis.target, analysis.target->units[segment.unit]) * WaitingSeconds(plan, segment);
  }
  return joules * plan.kept_energy;
}

bool IsEnergyKnown(const Analysis& analysis) {
  return analysis.plan.has_value() && KnownEnergy(analysis.plan->energy_j, analysis.plan->latency_s).has_value();
}

bool UsesHost(const Analysis& analysis) {
  return absl::c_any_of(analysis.plan->segments,
                        [&](const Segment& segment) { return IsDiscreteHost(*analysis.target, segment.unit); });
}

bool AnyUncounted(const Analysis& analysis) {
  return analysis.plan.has_value() && analysis.coverage.counted < analysis.coverage.nodes;
}

bool AnyBytesUnknown(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return false;
  return analysis.coverage.typed < analysis.coverage.nodes ||
         absl::c_any_of(analysis.plan->groups, [](const PlannedGroup& group) { return !group.work.bytes_known; });
}

std::optional<bool> IsIncomplete(const Analysis& analysis) {
  return analysis.plan.has_value() ? std::optional<bool>(IsPartial(analysis)) : std::nullopt;
}

// A sum over the plan is a lower bound where some node has no time; unknown where none has.
std::optional<double> SumOfPlan(const Analysis& analysis, double Plan::* sum) {
  const bool is_unknown = !analysis.plan.has_value() || (IsPartial(analysis) && analysis.plan->latency_s == 0);
  return is_unknown ? std::nullopt : std::optional<double>(*analysis.plan.*sum);
}

// A figure that is no sum is unknown then.
std::optional<double> IfComplete(const Analysis& analysis, double Plan::* figure) {
  return IsPartial(analysis) ? std::nullopt : Of(analysis.plan, figure);
}

std::optional<double> IfEnergyKnown(const Analysis& analysis, std::optional<double> figure) {
  return IsEnergyKnown(analysis) ? figure : std::nullopt;
}

std::optional<int64_t> MovedBytesOf(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return std::nullopt;
  int64_t moved = 0;
  for (const PlannedGroup& group : analysis.plan->groups) moved += MovedBytes(analysis, group);
  return moved;
}

std::optional<double> IntensityOf(const Analysis& analysis) {
  if (AnyUncounted(analysis) || AnyBytesUnknown(analysis)) return std::nullopt;
  return RatioOfSum(CountOf(*analysis.dims, analysis.totals.flops), MovedBytesOf(analysis));
}

// Over the groups; unknown where one has no estimate.
std::optional<int64_t> SumOfGroups(const Analysis& analysis, int64_t Estimate::* figure) {
  if (!analysis.plan.has_value()) return std::nullopt;
  int64_t sum = 0;
  for (const PlannedGroup& group : analysis.plan->groups) {
    if (!group.estimate.has_value()) return std::nullopt;
    sum += *group.estimate.*figure;
  }
  return sum;
}

std::optional<double> DramIntensityOf(const Analysis& analysis) {
  if (AnyUncounted(analysis) || AnyBytesUnknown(analysis)) return std::nullopt;
  return RatioOfSum(CountOf(*analysis.dims, analysis.totals.flops), SumOfGroups(analysis, &Estimate::dram_bytes));
}

// A group's own share is of its unit alone: the mean over time, in which transfers and invokes have none.
std::optional<double> UtilisationOf(const Analysis& analysis) {
  if (!analysis.plan.has_value() || IsPartial(analysis)) return std::nullopt;
  double peak_s = 0;
  for (const PlannedGroup& group : analysis.plan->groups) {
    if (!group.estimate.has_value()) return std::nullopt;
    peak_s += group.estimate->utilisation * group.estimate->time_s;
  }
  return RatioOf(peak_s, analysis.plan->latency_s);
}

std::optional<bool> FitsOf(const Analysis& analysis) {
  return analysis.plan.has_value() ? FitsIn(analysis.memory_needs) : std::nullopt;
}

std::optional<double> ThroughputOf(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return std::nullopt;
  return RatioOf(static_cast<double>(analysis.batch), analysis.plan->interval_s);
}

std::optional<PlanEnergy> EnergyPartsOf(const Analysis& analysis) {
  if (!IsEnergyKnown(analysis)) return std::nullopt;
  const Plan& plan = *analysis.plan;
  PlanEnergy parts;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.estimate.has_value()) continue;
    const EnergyParts& own = group.estimate->energy;
    parts.compute_j += own.compute_j;
    parts.onchip_j += own.onchip_j;
    parts.dram_j += own.dram_j;
    parts.static_j += own.static_j;
  }
  const double waiting_j = WaitingJoules(analysis);
  double rest_j = plan.energy_j - parts.total();
  if (std::fabs(rest_j) < kRounding * plan.energy_j) rest_j = 0;
  parts.static_j = std::max(0.0, parts.static_j + std::min(waiting_j, rest_j));
  parts.moves_j = std::max(0.0, rest_j - waiting_j);
  if (parts.moves_j < kRounding * plan.energy_j) parts.moves_j = 0;
  return parts;
}

std::optional<double> PowerOf(const Analysis& analysis) {
  if (!IsEnergyKnown(analysis) || IsPartial(analysis)) return std::nullopt;
  return RatioOf(analysis.plan->energy_j, analysis.plan->interval_s);
}

std::optional<std::string> PowerOfPlan(const Analysis& analysis) {
  return IsEnergyKnown(analysis) ? PowerOfText(*analysis.target, UsesHost(analysis)) : std::nullopt;
}

std::optional<std::string> PlacementOf(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return std::nullopt;
  return IsPlacedByCost(analysis.request) ? "best" : "toolchain";
}

// The toolchain that divides the model; null = none does.
const Toolchain* CompilerOf(const Analysis& analysis) {
  if (!analysis.plan.has_value() || !analysis.plan->compiled_for.valid()) return nullptr;
  return ToolchainOf(*analysis.target, analysis.target->units[analysis.plan->compiled_for]);
}

std::optional<std::string> PlacedAsOf(const Analysis& analysis) {
  const Toolchain* const compiler = CompilerOf(analysis);
  if (compiler == nullptr) return std::nullopt;
  return absl::StrCat(compiler->own_name, " (", compiler->version, ")");
}

std::optional<double> BestGainOf(const Analysis& analysis) {
  if (!analysis.plan.has_value() || !analysis.plan->best_latency_s.has_value()) return std::nullopt;
  return 1 - *analysis.plan->best_latency_s / analysis.plan->latency_s;
}

std::optional<std::string> BestMeansOf(const Analysis& analysis) {
  const Toolchain* const compiler = CompilerOf(analysis);
  if (compiler == nullptr || !analysis.plan->best_latency_s.has_value()) return std::nullopt;
  return NonEmpty(compiler->partition->means);
}

}  // namespace

Cell NullWithoutMembers(Cell object) {
  const auto is_null = [](const Cell::Member& member) { return member.second.is_null(); };
  return absl::c_all_of(*object.object(), is_null) ? Cell() : object;
}

Cell SharesCell(const NamedShares& shares) {
  Cell object = Cell::OfObject();
  for (const auto& [name, share] : shares) object.Set(name, share);
  return object;
}

Cell UnseenCell(const std::vector<UnseenWork>& unseen) {
  Cell list = Cell::OfList();
  for (const UnseenWork& row : unseen) list.push_back(Cell{{"what", row.what}, {"share", row.share}});
  return list;
}

}  // namespace hwest::getters

namespace hwest {

using namespace getters;

#include "report/summary_view.inc"

}  // namespace hwest
