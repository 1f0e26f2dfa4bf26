#include "explore/evaluate.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "explore/silicon.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

double GeometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += portable::Log(value);
  return portable::Exp(sum / static_cast<double>(values.size()));
}

// Toolchains, the bulk of a target, are the same on every point.
void CopyFigures(const Target& from, Target* to) {
  to->memories = from.memories;
  to->units = from.units;
  to->links = from.links;
  to->modes = from.modes;
}

size_t NumUnknown(const Plan& plan) {
  return static_cast<size_t>(std::count_if(plan.groups.begin(), plan.groups.end(),
                                           [](const PlannedGroup& group) { return !group.estimate.has_value(); }));
}

void AddPlan(const Plan& plan, const std::string& model, ExplorePoint* point) {
  const size_t unknown = NumUnknown(plan);
  if (unknown > 0 || !(plan.latency_s > 0)) {
    point->message = absl::StrCat(model, ": ", unknown, " of ", plan.groups.size(), " kernels have no time");
    return;
  }
  point->latency_s.push_back(plan.latency_s);
  if (plan.energy_j > 0) point->energy_j.push_back(plan.energy_j);
}

void SetTotals(ExplorePoint* point) {
  point->geomean_latency_s = GeometricMean(point->latency_s);
  point->worst_latency_s = *std::max_element(point->latency_s.begin(), point->latency_s.end());
  if (point->energy_j.size() < point->latency_s.size()) point->energy_j.clear();
  if (point->energy_j.empty()) return;
  point->geomean_energy_j = GeometricMean(point->energy_j);
  point->worst_energy_j = *std::max_element(point->energy_j.begin(), point->energy_j.end());
  double power_w = 0;
  for (size_t m = 0; m < point->energy_j.size(); ++m) {
    power_w = std::max(power_w, point->energy_j[m] / point->latency_s[m]);
  }
  point->power_w = power_w;
}

}  // namespace

Evaluator::Evaluator(const Target& base, const Space& space, std::vector<ExploreModel> models,
                     std::optional<double> process_nm)
    : base_(base), space_(space), models_(std::move(models)), process_nm_(process_nm), scratch_(base) {}

std::shared_ptr<const Target> Evaluator::TargetAt(const std::vector<double>& values) const {
  auto target = std::make_shared<Target>(base_);
  space_.Apply(values, target.get());
  return target;
}

// Analyses inside of one with a batch keep its target, so that each has its own.
std::shared_ptr<const Target> Evaluator::VariantFor(const ExploreModel& model, const std::vector<double>& values) {
  if (model.variants->batch() > 1) return TargetAt(values);
  CopyFigures(base_, &scratch_);
  space_.Apply(values, &scratch_);
  return std::shared_ptr<const Target>(std::shared_ptr<const Target>(), &scratch_);
}

absl::StatusOr<const Plan*> Evaluator::PlanAt(size_t model, const std::vector<double>& values) {
  return models_[model].variants->PlanOn(VariantFor(models_[model], values));
}

ExplorePoint Evaluator::At(const std::vector<double>& values) {
  ExplorePoint point;
  point.values = values;
  for (size_t m = 0; m < models_.size() && point.ok(); ++m) {
    const absl::StatusOr<const Plan*> plan = PlanAt(m, values);
    if (plan.ok())
      AddPlan(**plan, models_[m].name, &point);
    else
      point.message = absl::StrCat(models_[m].name, ": ", DiagnosticOf(plan.status()).message);
  }
  if (process_nm_.has_value()) {
    CopyFigures(base_, &scratch_);
    space_.Apply(values, &scratch_);
    point.area_mm2 = AreaOf(scratch_, *process_nm_);
  }
  if (point.ok())
    SetTotals(&point);
  else
    point.latency_s.clear();
  return point;
}

}  // namespace hwest
