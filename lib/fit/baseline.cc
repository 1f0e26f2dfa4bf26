#include "fit/baseline.h"

#include <algorithm>

#include "cost/precision.h"

namespace hwest {
namespace {

std::optional<double> PeakOf(const Analysis& analysis, const PlannedGroup& group) {
  if (!group.unit.valid()) return std::nullopt;
  const Unit& unit = analysis.target->units[group.unit];
  const Rate* rate = RateFor(unit, WorkKind::kContraction, group.work.precision);
  return rate == nullptr ? std::nullopt : PeakPerS(unit, *rate);
}

// The group whose unit and precision do more MACs than any other pair; null when nothing is multiplied.
const PlannedGroup* MainGroup(const Plan& plan) {
  struct Share {
    const PlannedGroup* first;
    int64_t macs;
  };
  std::vector<Share> shares;
  for (const PlannedGroup& group : plan.groups) {
    const auto same = std::find_if(shares.begin(), shares.end(), [&](const Share& share) {
      return share.first->unit == group.unit && share.first->work.precision == group.work.precision;
    });
    if (same != shares.end()) {
      same->macs += group.work.macs;
    } else {
      shares.push_back({&group, group.work.macs});
    }
  }
  const auto most =
      std::max_element(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.macs < b.macs; });
  return most == shares.end() || most->macs == 0 ? nullptr : most->first;
}

std::optional<double> FlopsSeconds(const Analysis& analysis) {
  const PlannedGroup* main = MainGroup(*analysis.plan);
  const std::optional<double> peak = main == nullptr ? std::nullopt : PeakOf(analysis, *main);
  if (!peak.has_value()) return std::nullopt;
  double macs = 0;
  for (const PlannedGroup& group : analysis.plan->groups) macs += static_cast<double>(group.work.macs);
  return macs / *peak;
}

std::optional<double> RooflineSeconds(const Analysis& analysis, const PlannedGroup& group) {
  const std::optional<double> peak = PeakOf(analysis, group);
  const Memory* memory =
      group.unit.valid() ? SharedMemoryOf(*analysis.target, analysis.target->units[group.unit]) : nullptr;
  if (memory == nullptr || !memory->bytes_per_s.known() || (group.work.macs > 0 && !peak.has_value())) {
    return std::nullopt;
  }
  const double bytes = static_cast<double>(group.work.in_bytes) + static_cast<double>(group.work.weight_bytes) +
                       static_cast<double>(group.work.out_bytes);
  const double compute_s = group.work.macs > 0 ? static_cast<double>(group.work.macs) / *peak : 0;
  return std::max(compute_s, bytes / *memory->bytes_per_s.value());
}

}  // namespace

Baselines BaselinesOf(const Analysis& analysis) {
  Baselines baselines{.flops_s = FlopsSeconds(analysis), .roofline_s = 0};
  for (const PlannedGroup& group : analysis.plan->groups) {
    const std::optional<double> seconds = RooflineSeconds(analysis, group);
    if (!seconds.has_value()) return {.flops_s = baselines.flops_s, .roofline_s = std::nullopt};
    *baselines.roofline_s += *seconds;
  }
  return baselines;
}

}  // namespace hwest
