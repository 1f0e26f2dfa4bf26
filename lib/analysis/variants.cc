#include "analysis/variants.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "target/names.h"
#include "target/params.h"
#include "target/settable.h"

namespace hwest {
namespace {

constexpr double kBump = 1.1;
// Defaults that move less of the latency decide nothing.
constexpr double kLeastShare = 0.01;

// A parameter that a unit leaves to the default, and the share of the latency that follows it.
struct Decisive {
  ParamInEffect param;
  double share = 0;
};

// Runs of groups on such units; empty = every unit at work states what decides its times.
std::vector<std::string> AssumedUnits(const Analysis& a) {
  std::vector<std::string> names;
  for (const Segment& segment : a.plan->segments) {
    const Unit& unit = a.target->units[segment.unit];
    const bool is_new = std::find(names.begin(), names.end(), unit.name) == names.end();
    if (is_new && GradeOf(unit) == Grade::kAssumed) names.push_back(unit.name);
  }
  return names;
}

// The target with the parameter a tenth larger, or smaller where there is no larger one.
std::shared_ptr<const Target> Bumped(const Target& target, const ParamInEffect& param, double* factor) {
  *factor = param.value * kBump <= param.max ? kBump : 1 / kBump;
  const absl::StatusOr<Settable> figure = FindSettable(target, param.set);
  if (!figure.ok()) return nullptr;
  auto bumped = std::make_shared<Target>(target);
  SetFigure(*figure, param.value * *factor, bumped.get());
  return bumped;
}

// Of a scale, and of what is all there by default, 1 assumes nothing.
std::vector<ParamInEffect> DefaultsOf(const Target& target, const std::vector<std::string>& units) {
  std::vector<ParamInEffect> rows;
  for (ParamInEffect& row : ParamsOf(target)) {
    const std::string unit = row.set.substr(0, row.set.find('.'));
    const bool is_asked = std::find(units.begin(), units.end(), unit) != units.end();
    const bool is_number = row.words.empty() && row.value > 0 && row.value != 1;
    if (is_asked && row.is_default && is_number) rows.push_back(std::move(row));
  }
  return rows;
}

void AddNotes(std::vector<Decisive> decisive, Analysis* a) {
  std::stable_sort(decisive.begin(), decisive.end(),
                   [](const Decisive& x, const Decisive& y) { return x.share > y.share; });
  for (const Decisive& row : decisive) {
    if (row.share < kLeastShare) continue;
    a->diagnostics.push_back(
        {.code = Code::kAssumed,
         .message = absl::StrFormat("%s %g by default: %.0f %% of the latency", row.param.set, row.param.value,
                                    100 * row.share),
         .remedy = "state it in the target's file, or fit it to measurements with `onnx-hwest calibrate`"});
  }
}

}  // namespace

absl::Status PlanOnVariant(std::shared_ptr<const Target> target, const Overlays& overlays, const SupportTable& support,
                           Workspace& workspace) {
  Analysis& a = workspace.analysis;
  const size_t notes = a.diagnostics.size();
  a.overlays = overlays;
  a.support = support;
  a.request.loaded = target;
  a.target = std::move(target);
  const absl::Status made = MakePlan(workspace);
  a.diagnostics.resize(notes);
  return made;
}

absl::Status NoteDefaults(Workspace& w, const Overlays& overlays, const SupportTable& support) {
  Analysis& a = w.analysis;
  if (!a.request.finds_best || !(a.plan->latency_s > 0)) return absl::OkStatus();
  const std::vector<std::string> units = AssumedUnits(a);
  if (units.empty()) return absl::OkStatus();
  const Overlays found_overlays = a.overlays;
  const SupportTable found_support = a.support;
  const auto request = a.request;
  const auto target = a.target;
  Plan plan = *std::move(a.plan);
  a.request.finds_best = false;
  std::vector<Decisive> decisive;
  absl::Status status;
  for (ParamInEffect& param : DefaultsOf(*target, units)) {
    double factor = 1;
    auto bumped = Bumped(*target, param, &factor);
    if (bumped == nullptr) continue;
    status = PlanOnVariant(std::move(bumped), overlays, support, w);
    if (!status.ok()) break;
    decisive.push_back(
        {std::move(param), std::abs(portable::Log(a.plan->latency_s / plan.latency_s) / portable::Log(factor))});
  }
  a.request = request;
  a.target = target;
  a.overlays = found_overlays;
  a.support = found_support;
  a.plan = std::move(plan);
  AddNotes(std::move(decisive), &a);
  return status;
}

absl::StatusOr<std::unique_ptr<Variants>> Variants::Make(std::shared_ptr<const Graph> graph,
                                                         const AnalysisRequest& request) {
  std::unique_ptr<Variants> made(new Variants());
  HWEST_ASSIGN_OR_RETURN(made->workspace_, RunStages(std::move(graph), request, &made->cache_, RunUntil::kPlan));
  made->workspace_.analysis.request.finds_best = false;
  made->workspace_.of_variants = &made->tables_;
  made->base_ = made->workspace_.analysis.target;
  made->overlays_ = made->workspace_.analysis.overlays;
  made->support_ = made->workspace_.analysis.support;
  return made;
}

absl::StatusOr<const Plan*> Variants::PlanOn(std::shared_ptr<const Target> target) {
  HWEST_RETURN_IF_ERROR(PlanOnVariant(std::move(target), overlays_, support_, workspace_));
  return &*workspace_.analysis.plan;
}

}  // namespace hwest
