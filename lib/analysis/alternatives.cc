#include "analysis/alternatives.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/model_cache.h"
#include "base/status_macros.h"
#include "partition/host.h"
#include "partition/support.h"
#include "pass/runs.h"
#include "plan/engines.h"
#include "plan/plan.h"
#include "plan/policy.h"
#include "plan/repeat.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// Differences within rounding error do not count.
constexpr double kRounding = 1e-12;
// Two sums over all nodes, in another order each, may differ by this.
constexpr double kAddedUp = 1e-9;
// A second plan beside the first would take more memory than graphs above this leave.
constexpr size_t kMaxNodesUnfused = 100'000;

size_t NumUnplaced(const Plan& plan) {
  return static_cast<size_t>(std::count_if(plan.groups.begin(), plan.groups.end(),
                                           [](const PlannedGroup& group) { return !group.unit.valid(); }));
}

// Kernel nodes that a discrete host runs though it is held back: a plan is no better for leaving more to it.
int64_t NumHeldBack(const Analysis& a, const Plan& plan) {
  int64_t nodes = 0;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.unit.valid() || !IsHeldBack(*a.target, a.request, group.unit)) continue;
    nodes += std::count_if(group.group.nodes.begin(), group.group.nodes.end(),
                           [&](NodeId node) { return IsKernel(a.classes[node]); });
  }
  return nodes;
}

bool CostsLess(const Analysis& a, const Plan& plan, const Plan& than) {
  const bool by_time = a.request.objective == Objective::kLatency;
  return (by_time ? plan.latency_s : plan.energy_j) < (by_time ? than.latency_s : than.energy_j) * (1 - kRounding);
}

bool IsBetter(const Analysis& a, const Plan& plan, const Plan& than) {
  const size_t unplaced = NumUnplaced(plan), unplaced_then = NumUnplaced(than);
  if (unplaced != unplaced_then) return unplaced < unplaced_then;
  const int64_t held = NumHeldBack(a, plan), held_then = NumHeldBack(a, than);
  if (held != held_then) return held < held_then;
  return CostsLess(a, plan, than);
}

// As above, of a batch in parts: what one image alone leaves to a host that is held back, it may in a batch.
bool IsBetterInParts(const Analysis& a, const Plan& plan, const Plan& than) {
  const size_t unplaced = NumUnplaced(plan), unplaced_then = NumUnplaced(than);
  return unplaced != unplaced_then ? unplaced < unplaced_then : CostsLess(a, plan, than);
}

// What other groups take at best may be little less than these.
void DropBestIfClose(Plan& plan) {
  if (plan.best_latency_s >= plan.latency_s * (1 - kWorthwhileGain)) plan.best_latency_s.reset();
}

struct Unfused {
  Overlays overlays;
  SupportTable support;
  Plan plan;
};

// Whether no plan with these overlays can be better than the one at hand.
bool IsHopeless(const Workspace& w, const Overlays& unfused, GroupCache* groups) {
  const Analysis& a = w.analysis;
  if (a.request.objective != Objective::kLatency || NumUnplaced(*a.plan) > 0 || NumHeldBack(a, *a.plan) > 0)
    return false;
  const double enough = a.plan->latency_s * (1 + kAddedUp);
  return LeastSecondsOf(w, unfused, a.support, enough, groups) > enough;
}

// None where it is no better for certain.
absl::StatusOr<std::optional<Unfused>> PlanUnfused(const Workspace& w) {
  Unfused parts;
  HWEST_ASSIGN_OR_RETURN(parts.overlays, MakeOverlays(w, Fusing::kNo));
  GroupCache groups{std::numeric_limits<size_t>::max()};  // the bound and the plan ask for the same ones
  if (IsHopeless(w, parts.overlays, &groups)) return std::nullopt;
  HWEST_ASSIGN_OR_RETURN(parts.support, CheckSupportOf(w, parts.overlays));
  HWEST_ASSIGN_OR_RETURN(parts.plan, PlanOf(w, parts.overlays, parts.support, &groups));
  return std::optional<Unfused>(std::move(parts));
}

bool MayLose(const Plan& plan, const Target& target) {
  return std::any_of(plan.groups.begin(), plan.groups.end(), [&](const PlannedGroup& group) {
    return !group.unit.valid() || KindTraitsOf(target.units[group.unit]).fusing_may_lose;
  });
}

bool HasGroups(const Overlays& overlays) {
  return std::any_of(overlays.begin(), overlays.end(), [](const auto& overlay) { return overlay->groups.size() > 0; });
}

// None where the part has no plan of its own, which a diagnostic of the batch says.
absl::StatusOr<std::shared_ptr<const PlannedPart>> PlanPart(Workspace& workspace, int64_t images,
                                                            std::vector<std::string> only) {
  Analysis& batch = workspace.analysis;
  // A model may be for more images than asked: its part would be the same again, and have a part.
  if (images >= *batch.request.bind.batch) return nullptr;
  AnalysisRequest request = batch.request;
  request.bind.batch = images;
  request.only = std::move(only);
  request.watch = nullptr;
  if (workspace.go_on != nullptr) {
    request.watch = [&workspace](absl::string_view, size_t, size_t) { return workspace.go_on(); };
  }
  if (workspace.cache != nullptr) {
    if (auto known = workspace.cache->FindPart(request)) return known->batch == images ? known : nullptr;
  }
  absl::StatusOr<Analysis> part = AnalyzeWith(batch.graph, request, workspace.cache);
  if (absl::IsCancelled(part.status())) return part.status();
  if (!part.ok()) {
    batch.diagnostics.push_back(
        {.code = Code::kAssumed,
         .message = absl::StrCat("a plan image by image was not compared: ", DiagnosticOf(part.status()).message),
         .remedy = ""});
  }
  if (!part.ok()) return nullptr;
  auto planned = std::make_shared<const PlannedPart>(
      PlannedPart{*std::move(part->plan), std::move(part->overlays), std::move(part->support), part->batch});
  if (workspace.cache != nullptr) workspace.cache->KeepPart(request, planned);
  return planned->batch == images ? planned : nullptr;
}

void Take(Plan plan, const PlannedPart& part, Workspace& workspace) {
  workspace.analysis.plan = std::move(plan);
  workspace.analysis.overlays = part.overlays;
  workspace.analysis.support = part.support;
}

}  // namespace

void TakeUnfused(Workspace& workspace) {
  Analysis& fused = workspace.analysis;
  if (fused.request.fusions == "none" || !HasGroups(fused.overlays)) return;
  // A toolchain makes its fusions whatever they cost.
  if (!IsPlacedByCost(fused.request) && NumUnplaced(*fused.plan) == 0) return;
  if (fused.graph->nodes().size() > kMaxNodesUnfused || !MayLose(*fused.plan, *fused.target)) return;
  absl::StatusOr<std::optional<Unfused>> parts = PlanUnfused(workspace);
  if (!parts.ok() || !parts->has_value() || !IsBetter(fused, (*parts)->plan, *fused.plan)) return;
  (*parts)->plan.best_latency_s = fused.plan->best_latency_s;
  fused.plan = std::move((*parts)->plan);
  DropBestIfClose(*fused.plan);
  fused.support = std::move((*parts)->support);
  fused.diagnostics.push_back({.code = Code::kAssumed,
                               .message =
                                   "the operators run unfused, which is better here than with the fusions of the "
                                   "toolchain",
                               .remedy = "--fusions FILE adds others",
                               .options = {{"--fusions", {"FILE"}}}});
}

absl::Status TakeImages(Workspace& workspace) {
  Analysis& batch = workspace.analysis;
  if (!batch.request.bind.batch.has_value() || batch.batch <= 1) return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const PlannedPart> one, PlanPart(workspace, 1, batch.request.only));
  if (one == nullptr) return absl::OkStatus();
  Plan plan = Repeat(one->plan, batch.batch);
  HoldBatch(*batch.graph, *batch.target, batch.batch, &plan);
  if (!IsBetterInParts(batch, plan, *batch.plan)) return absl::OkStatus();
  Take(std::move(plan), *one, workspace);
  batch.diagnostics.push_back({.code = Code::kAssumed,
                               .message = absl::StrCat("the ", batch.batch, " images run one after the other, which is",
                                                       " better here than all at once"),
                               .remedy = "leave the batch out to see one image"});
  return absl::OkStatus();
}

absl::Status TakeEngines(Workspace& workspace) {
  Analysis& batch = workspace.analysis;
  const bool is_asked = batch.request.bind.batch.has_value() && batch.batch > 1;
  if (!is_asked || batch.request.power_cap_w.has_value()) return absl::OkStatus();
  const std::vector<UnitId> engines = EqualEngines(*batch.target, batch.request, workspace.precisions);
  if (engines.empty()) return absl::OkStatus();
  const auto name_of = [&](UnitId unit) { return batch.target->units[unit].name; };
  const auto count = static_cast<int64_t>(engines.size());
  const int64_t images = batch.batch % count == 0 ? batch.batch / count : 1;
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const PlannedPart> one,
                         PlanPart(workspace, images, {name_of(engines[0])}));
  if (one == nullptr) return absl::OkStatus();
  const int64_t runs = batch.batch / images;
  Plan plan = SideBySide(one->plan, runs, engines, *batch.target);
  const int64_t at_once = std::min(runs, count);
  HoldBatch(*batch.graph, *batch.target, (runs + at_once - 1) / at_once, &plan);
  if (!IsBetterInParts(batch, plan, *batch.plan)) return absl::OkStatus();
  Take(std::move(plan), *one, workspace);
  const auto add_name = [&](std::string* out, UnitId unit) { out->append(name_of(unit)); };
  batch.diagnostics.push_back(
      {.code = Code::kAssumed,
       .message =
           absl::StrCat("the ", batch.batch, " images run side by side on ", absl::StrJoin(engines, " and ", add_name),
                        ", each as if the memory were its own; rows have the work of all and the time of one unit"),
       .remedy = "name one unit with --only to see it alone",
       .options = {"--only"}});
  return absl::OkStatus();
}

}  // namespace hwest
