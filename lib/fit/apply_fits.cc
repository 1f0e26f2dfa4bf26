#include "fit/apply_fits.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

// Interval widths have no prior: the fitted value is taken as it is.
FreeFact IntervalFact(const FittedInterval& interval, absl::string_view name, double width) {
  return {.family = interval.family,
          .kind = interval.kind,
          .name = absl::StrCat(name, ".", interval.precision),
          .precision = interval.precision,
          .prior = width,
          .min = name == kUnseenIntervalParam ? 0 : 0.001,
          .max = kWidestInterval};
}

void Apply(const FreeFact& free, const Fit& fit, Target* target) {
  for (Unit& unit : target->units) {
    Fact* fact = FactOf(free, *target, &unit);
    if (fact != nullptr) fact->fit = fit;
  }
}

void ApplyEvidence(const FittedEvidence& row, Target* target) {
  for (Unit& unit : target->units) {
    if (unit.kind != row.kind) continue;
    const auto at = std::find_if(unit.evidence.begin(), unit.evidence.end(),
                                 [&](const Evidence& old) { return old.precision == row.evidence.precision; });
    if (at != unit.evidence.end())
      *at = row.evidence;
    else
      unit.evidence.push_back(row.evidence);
  }
}

}  // namespace

void StripFits(const std::string& family, const std::vector<UnitKind>& kinds, Target* target) {
  if (target->family != family) return;
  for (Unit& unit : target->units) {
    if (std::find(kinds.begin(), kinds.end(), unit.kind) == kinds.end()) continue;
    unit.clock_hz.fit.reset();
    unit.invoke_s.fit.reset();
    unit.launch_s.fit.reset();
    unit.evidence.clear();
    for (Param& param : unit.params) param.fact.fit.reset();
    unit.params.erase(
        std::remove_if(unit.params.begin(), unit.params.end(), [](const Param& param) { return !param.fact.known(); }),
        unit.params.end());
  }
}

std::vector<std::pair<FreeFact, Fit>> FitsOf(const FamilyFit& fit) {
  std::vector<std::pair<FreeFact, Fit>> fits;
  for (const FittedFact& fact : fit.facts) {
    const std::string shared_by = fact.free.target.empty() ? fit.shared_by : "";
    fits.push_back({fact.free, {fact.value, fact.spread, fact.count, fit.data, shared_by}});
  }
  for (const FittedInterval& interval : fit.intervals) {
    for (const auto& [name, width] :
         {std::pair(kIntervalParam, interval.measured), std::pair(kOthersIntervalParam, interval.others),
          std::pair(kUnseenIntervalParam, interval.unseen)}) {
      fits.push_back({IntervalFact(interval, name, width), {width, 0, interval.count, fit.data, fit.shared_by}});
    }
  }
  return fits;
}

void ApplyFits(const FamilyFit& fit, Target* target) {
  if (target->family != fit.family) return;
  for (const auto& [free, value] : FitsOf(fit)) Apply(free, value, target);
  for (const FittedEvidence& row : fit.evidence) ApplyEvidence(row, target);
}

std::string UnitNameOf(UnitKind kind, const Target& target) {
  for (const Unit& unit : target.units) {
    if (unit.kind == kind && unit.placeable) return unit.name;
  }
  return "";
}

std::string PathOf(const FreeFact& free, const Target& target) {
  const std::string unit_name = free.unit.empty() ? UnitNameOf(free.kind, target) : free.unit;
  return absl::StrCat("unit/", unit_name, IsParam(free) ? "/param/" : "/", free.name);
}

}  // namespace hwest
