// Tries each change that may help, and sets of them.
#include "study/what_if.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "analysis/request_options.h"
#include "analysis/rerun.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/precision.h"
#include "hwest/facts.h"
#include "hwest/rewrite.h"
#include "op/rule.h"
#include "pass/batch.h"
#include "rewrite/search.h"
#include "rewrite/write.h"
#include "study/activations.h"
#include "study/candidates.h"
#include "study/edited_model.h"
#include "study/quantize_plan.h"
#include "study/recipes.h"
#include "study/width.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostOperators = 8;
constexpr size_t kMostCuts = 4;
constexpr size_t kMostOpsets = 3;
constexpr size_t kMostLayers = 8;  // that are tried in another format
constexpr size_t kMostWidths = 6;  // layers whose width is
constexpr size_t kMostLayersNamed = 3;
constexpr absl::string_view kLayerFormats[] = {"fp32", "bf16", "fp16", "w8a16", "int8"};
constexpr int64_t kBatchFactors[] = {2, 4, 8};
constexpr size_t kMostReadAgain = 64 << 20;  // bytes of a rewritten file, without weights beside it
constexpr double kAsPromised = 1e-9;

// What running at a precision asks of a model whose file is of floating point.
AccuracyRisk RiskOf(absl::string_view precision) {
  if (precision == "w4a8" || precision == "fp4") return AccuracyRisk::kTraining;
  for (const absl::string_view whole : {"fp64", "fp32"}) {
    if (precision == whole) return AccuracyRisk::kNone;
  }
  for (const absl::string_view half : {"tf32", "fp16", "bf16"}) {
    if (precision == half) return AccuracyRisk::kRounding;
  }
  return AccuracyRisk::kCalibration;
}

// The most that work of a plan asks.
AccuracyRisk RiskOf(const Analysis& analysis) {
  AccuracyRisk risk = AccuracyRisk::kNone;
  for (const auto& [name, share] : analysis.plan->precision_shares) {
    if (share > 0) risk = std::max(risk, RiskOf(name));
  }
  return risk;
}

AccuracyRisk RiskOf(Exactness exactness) {
  return exactness == Exactness::kExact ? AccuracyRisk::kNone : AccuracyRisk::kRounding;
}

// The request with flags of the program in place of its own.
absl::StatusOr<AnalysisRequest> With(const AnalysisRequest& request, const std::vector<std::string>& flags) {
  RequestDraft draft;
  static_cast<AnalysisRequest&>(draft) = request;
  for (size_t i = 0; i + 1 < flags.size(); i += 2) {
    for (const RequestOption& option : AllRequestOptions()) {
      if (option.flag == nullptr || option.flag != flags[i]) continue;
      HWEST_RETURN_IF_ERROR(Give(option, flags[i + 1], &draft));
    }
  }
  return static_cast<AnalysisRequest>(draft);
}

struct Interval {
  double low_s = 0, s = 0, high_s = 0;
};
Interval LatencyOf(const hwest::Plan& plan) { return {plan.latency_low_s, plan.latency_s, plan.latency_high_s}; }

class Study {
 public:
  Study(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
        const StudyProgress& progress, const std::function<bool()>& stop, Rerun rerun)
      : graph_(graph),
        base_(base),
        source_(source),
        progress_(progress),
        stop_(stop),
        request_(RequestUntil(base, stop)),
        rerun_(std::move(rerun)),
        risk_(RiskOf(base)),
        refusals_(RefusalsOf(base)) {}

  absl::StatusOr<Changes> Run() {
    TryModes();
    TryPrecisions();
    TrySparsity();
    TryToolchains();
    TryPlacements();
    TryRewrites();
    TryOpsets();
    TryCuts();
    TryRecipes();
    TryLayers();
    TryBatches();
    TryActivations();
    TryWidths();
    TrySupport();
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
    NoteSlowerIntegers();
    std::stable_sort(changes_.rows.begin(), changes_.rows.end(), [](const WhatIfRow& a, const WhatIfRow& b) {
      return a.scope != b.scope ? a.scope < b.scope : a.saving_s > b.saving_s;
    });
    return std::move(changes_);
  }

 private:
  void TryModes();
  void TryPrecisions();
  void TrySparsity();
  void TryToolchains();
  void TryPlacements();
  void TryRewrites();
  void TryOpsets();
  void TryCuts();
  void TryCut(const ModelCut& cut);
  void TryRecipes();
  void TryRecipe(AccuracyRisk most);
  void TryBatches();
  void TryActivations();
  bool AddByRules(WhatIfRow row, const std::vector<std::string>& rules, const Analysis& changed);
  void TryWidths();
  void TryLayers();
  void TryLayersAt(const std::string& format, const std::vector<NodeId>& layers);
  void TrySupport();
  void TryAssumed(std::string change, const std::vector<Pin>& assume);
  // Tries the flags of the row as a setting of one kind, which recipes may use.
  void Set(const std::string& of, WhatIfRow row);
  void Plan(WhatIfRow row, const AnalysisRequest& request);
  void Analyse(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request);
  // The first of equal changes stands.
  void Add(WhatIfRow row, const Analysis& changed, const std::optional<Interval>& beside = std::nullopt);
  void AddWritten(WhatIfRow row, const Analysis& changed, const EditedModel& model);
  void NoteSlowerIntegers();
  absl::StatusOr<Rewritten> Rewrite(const AnalysisRequest& request, const RewriteOptions& options,
                                    const VariantSeen& seen);
  std::optional<bool> KeepsPromise(const Analysis& changed, const EditedModel& model) const;
  double SavingOf(const Analysis& changed) const;
  bool Stands(double saving_s) const { return saving_s > 0 && saving_s >= kLeastSaving * base_.plan->latency_s; }
  bool IsStopped() const { return stop_ != nullptr && stop_(); }
  bool Begin(const std::string& what) const;  // false when the study is to stop
  std::vector<std::pair<std::string, UnitId>> Fallbacks() const;

  const std::shared_ptr<const Graph>& graph_;
  const Analysis& base_;
  const CureSource& source_;
  const StudyProgress& progress_;
  const std::function<bool()>& stop_;
  const AnalysisRequest request_;  // of `base_`, that `stop_` ends
  Rerun rerun_;
  const AccuracyRisk risk_;  // of `base_`
  const std::vector<RefusalRow> refusals_;
  Changes changes_;
  std::vector<RecipePart> settings_;
  std::vector<WhatIfRow> setting_rows_;                        // as they were tried, by setting
  std::map<std::vector<size_t>, std::optional<double>> sets_;  // latencies of settings together
  bool has_rewrite_ = false;                                   // one stands
};

int64_t NumUnknown(const hwest::Plan& plan) {
  return std::count_if(plan.groups.begin(), plan.groups.end(),
                       [](const PlannedGroup& group) { return !group.estimate.has_value(); });
}

double ShareOf(const Analysis& base, const Analysis& changed) {
  return static_cast<double>(base.batch) / static_cast<double>(std::max<int64_t>(1, changed.batch));
}

double Study::SavingOf(const Analysis& changed) const {
  return base_.plan->latency_s - changed.plan->latency_s * ShareOf(base_, changed);
}

void Study::Add(WhatIfRow row, const Analysis& changed, const std::optional<Interval>& beside) {
  const hwest::Plan& plan = *changed.plan;
  // A plan that leaves more of the model without a time is no gain.
  if (NumUnknown(plan) > NumUnknown(*base_.plan)) return;
  row.batch = changed.batch;
  row.latency_s = plan.latency_s;
  row.interval_s = plan.interval_s;
  if (plan.energy_j > 0 || plan.latency_s <= 0) row.energy_j = plan.energy_j;
  row.peak_memory_bytes = plan.peak_memory_bytes;
  row.segments = static_cast<int64_t>(plan.segments.size());
  if (beside.has_value()) row.beside_s = beside->s;
  const double share = ShareOf(base_, changed);
  const Interval before = LatencyOf(*base_.plan), after = LatencyOf(plan), rest = beside.value_or(Interval());
  row.saving_s = before.s - (after.s + rest.s) * share;
  const double at_low_s = before.low_s - (after.low_s + rest.low_s) * share;
  const double at_high_s = before.high_s - (after.high_s + rest.high_s) * share;
  row.saving_low_s = std::min({row.saving_s, at_low_s, at_high_s});
  row.saving_high_s = std::max({row.saving_s, at_low_s, at_high_s});
  if (row.kind == WhatIfKind::kBatch) {
    const double per_input_s = plan.latency_s / static_cast<double>(std::max<int64_t>(1, changed.batch));
    absl::StrAppend(&row.change, ": ", FormatSeconds(per_input_s), " per input, ", FormatSeconds(plan.latency_s),
                    " per batch");
  }
  const auto is_same = [&](const WhatIfRow& other) {
    const bool is_kind =
        other.kind == row.kind || (other.kind == WhatIfKind::kRewrite && row.kind == WhatIfKind::kOpset);
    return is_kind && other.scope == row.scope && other.risk <= row.risk &&
           std::abs(other.latency_s - row.latency_s) <= kAsPromised * row.latency_s && other.energy_j == row.energy_j;
  };
  if (std::any_of(changes_.rows.begin(), changes_.rows.end(), is_same)) return;
  changes_.rows.push_back(std::move(row));
}

bool Study::Begin(const std::string& what) const {
  if (IsStopped()) return false;
  if (progress_ != nullptr) progress_(absl::StrCat("what if: ", what));
  return !IsStopped();
}

void Study::Plan(WhatIfRow row, const AnalysisRequest& request) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<const Analysis*> changed = rerun_.Plan(request);
  if (changed.ok()) Add(std::move(row), **changed);
}

void Study::Set(const std::string& of, WhatIfRow row) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<AnalysisRequest> request = With(request_, row.flags);
  if (!request.ok()) return;
  const absl::StatusOr<const Analysis*> changed = rerun_.Plan(*request);
  if (!changed.ok() || NumUnknown(*(*changed)->plan) > NumUnknown(*base_.plan)) return;
  const AccuracyRisk risk = RiskOf(**changed);
  if (risk > risk_) row.risk = risk;
  if (row.kind == WhatIfKind::kPrecision) {
    row.work = risk <= AccuracyRisk::kRounding      ? "build it so"
               : risk == AccuracyRisk::kCalibration ? "calibrate with samples of the inputs"
                                                    : "train the weights for it";
  }
  if (row.scope == ChangeScope::kSame) {
    settings_.push_back({of, row.risk, (*changed)->plan->latency_s});
    setting_rows_.push_back(row);
  }
  Add(std::move(row), **changed);
}

// The work follows the batch. Of a file that takes it by constant indices a larger one says nothing about more images.
bool FollowsBatch(const Analysis& base, const Analysis& changed) {
  const double growth = static_cast<double>(changed.batch) / static_cast<double>(base.batch);
  return GrowsWithBatch(base.totals.macs, changed.totals.macs, growth);
}

void Study::Analyse(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<Analysis> changed = Analyze(graph, request);
  if (!changed.ok() || (row.kind == WhatIfKind::kBatch && !FollowsBatch(base_, *changed))) return;
  // On a chip that streams, results of a larger batch come no faster.
  const double interval_s = changed->plan->interval_s * ShareOf(base_, *changed);
  if (row.kind == WhatIfKind::kBatch && interval_s > (1 - kLeastSaving) * base_.plan->interval_s) return;
  Add(std::move(row), *changed);
}

std::string OperatorName(const Graph& graph, NodeId node) {
  const absl::string_view domain = graph.domain(node);
  return domain.empty() || domain == "ai.onnx" ? std::string(graph.op(node))
                                               : absl::StrCat(domain, "::", graph.op(node));
}

// Operators that a CPU runs because an accelerator refuses them, with that accelerator, the most expensive first.
std::vector<std::pair<std::string, UnitId>> Study::Fallbacks() const {
  std::map<std::pair<std::string, uint32_t>, double> seconds;
  for (const PlannedGroup& group : base_.plan->groups) {
    if (group.unit.valid() && !IsCpu(base_.target->units[group.unit])) continue;
    for (const NodeId node : group.group.nodes) {
      if (!IsKernel(base_.classes[node])) continue;
      for (uint32_t u = 0; u < base_.target->units.size(); ++u) {
        const Unit& unit = base_.target->units[UnitId(u)];
        const auto& only = base_.request.only;
        const bool is_left_out = !only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end();
        if (IsCpu(unit) || !unit.placeable || is_left_out) continue;
        if (base_.support[UnitId(u)][node].verdict != Verdict::kNo) continue;
        seconds[{OperatorName(*graph_, node), u}] += group.estimate.has_value() ? group.estimate->time_s : 0;
      }
    }
  }
  std::vector<std::pair<double, std::pair<std::string, UnitId>>> rows;
  for (const auto& [key, time_s] : seconds) rows.push_back({time_s, {key.first, UnitId(key.second)}});
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<std::string, UnitId>> costliest;
  for (const auto& row : rows) costliest.push_back(row.second);
  return costliest;
}

void Study::TryAssumed(std::string change, const std::vector<Pin>& assume) {
  WhatIfRow row{.kind = WhatIfKind::kSupport,
                .scope = ChangeScope::kBoard,
                .change = std::move(change),
                .work = "a compiler that takes them"};
  AnalysisRequest request = request_;
  for (const Pin& pin : assume) {
    row.flags.insert(row.flags.end(), {"--assume", absl::StrCat(pin.what, "@", pin.unit)});
    request.assume.push_back(pin);
  }
  Plan(std::move(row), request);
}

void Study::TrySupport() {
  const std::vector<std::pair<std::string, UnitId>> fallbacks = Fallbacks();
  std::map<uint32_t, std::vector<Pin>> by_unit;
  for (size_t i = 0; i < fallbacks.size(); ++i) {
    const auto& [op, unit] = fallbacks[i];
    const std::string& name = base_.target->units[unit].name;
    by_unit[unit.index()].push_back({op, name});
    if (i < kMostOperators) TryAssumed(absl::StrCat(op, " on ", name), {{op, name}});
  }
  for (const auto& [unit, pins] : by_unit) {
    if (pins.size() < 2) continue;
    TryAssumed(absl::StrCat("all ", pins.size(), " operators that fall back, on ", pins[0].unit), pins);
  }
}

void Study::TryActivations() {
  if (source_.read == nullptr) return;
  for (const ActivationFamily& family : FindActivations(base_)) {
    if (IsStopped()) return;
    const absl::StatusOr<std::shared_ptr<const Graph>> edited = LoadEdited(source_, family.edits);
    if (!edited.ok()) continue;
    WhatIfRow row{.kind = WhatIfKind::kActivation,
                  .scope = ChangeScope::kNetwork,
                  .risk = AccuracyRisk::kTraining,
                  .change = absl::StrCat("Relu instead of ", family.name, " in ", family.places,
                                         family.places == 1 ? " place" : " places", " (another network)"),
                  .work = "train it again",
                  .edits = family.edits};
    if (!Begin(row.change)) return;
    const absl::StatusOr<Analysis> changed = hwest::Analyze(*edited, request_);
    if (changed.ok() && !AddByRules(row, family.rules, *changed)) Add(std::move(row), *changed);
  }
}

// The change of nodes as rules that `rewrite` applies, where these lead to the same; false = they do not.
bool Study::AddByRules(WhatIfRow row, const std::vector<std::string>& rules, const Analysis& changed) {
  if (source_.model == nullptr || !request_.rewrite_rules.empty() || !Stands(SavingOf(changed))) return false;
  std::vector<std::string> names;
  for (const std::string& rule : rules) {
    names.push_back(absl::StrCat("relu_in_place_", names.size() + 1));
    absl::StrAppend(&row.rules_text, names.back(), " = ", rule, "\n  exactness approximate\n");
  }
  AnalysisRequest request = request_;
  request.rewrite_rules = row.rules_text;
  const absl::StatusOr<Rewritten> made = Rewrite(request, {.rules = names, .allow_approximate = true}, nullptr);
  if (!made.ok() || !made->after->plan.has_value()) return false;
  const double latency_s = changed.plan->latency_s;
  if (std::abs(made->after->plan->latency_s - latency_s) > kAsPromised * latency_s) return false;
  // Sizes that the request binds are written into the file, and then no flag of the command binds them.
  row.as_promised = KeepsPromise(*made->after, *made->model);
  if (row.as_promised == false) return false;
  row.edits.clear();
  row.writes = true;
  row.rewrite = {"--rule", absl::StrJoin(names, ","), "--allow-approximate"};
  Add(std::move(row), *made->after);
  return true;
}

void Study::TryPrecisions() {
  const auto set = [&](const std::string& value, const std::string& change) {
    Set("precision", {.kind = WhatIfKind::kPrecision, .change = change, .flags = {"--precision", value}});
  };
  for (const std::string& precision : RequestPrecisions()) {
    if (base_.precision != precision) set(precision, absl::StrCat(precision, " instead of ", base_.precision));
  }
  std::vector<UnitId> busy;
  for (uint32_t u = 0; u < base_.plan->units.size(); ++u) {
    // A CPU computes in what the file hands it.
    const bool is_used = base_.plan->units[UnitId(u)].busy_s > 0 && IsAccelerator(base_.target->units[UnitId(u)]);
    if (is_used) busy.emplace_back(u);
  }
  if (busy.size() < 2 || base_.request.precision != "auto") return;
  for (const UnitId unit : busy) {
    const std::string& name = base_.target->units[unit].name;
    for (const std::string& precision : PrecisionsOf(base_.target->units[unit])) {
      set(absl::StrCat(name, "=", precision), absl::StrCat(precision, " on ", name, " alone"));
    }
  }
}

void Study::TrySparsity() {
  if (base_.request.sparsity != Sparsity::kNone) return;
  Set("sparsity", {.kind = WhatIfKind::kSparsity,
                   .scope = ChangeScope::kNetwork,
                   .risk = AccuracyRisk::kTraining,
                   .change = "2:4 sparse weights (another network)",
                   .work = "prune the weights and train them again",
                   .flags = {"--sparsity", "2:4"}});
}

void Study::TryToolchains() {
  for (uint32_t u = 0; u < base_.target->units.size(); ++u) {
    const Unit& unit = base_.target->units[UnitId(u)];
    const bool is_used = base_.plan->units[UnitId(u)].busy_s > 0;
    if (!is_used || !base_.request.toolchains.empty()) continue;
    for (const std::string& name : OtherVersionsOf(unit)) {
      Set(absl::StrCat("toolchain ", unit.name),
          {.kind = WhatIfKind::kToolchain,
           .change = absl::StrCat(name, " instead of ", unit.toolchain, ", where the device has it"),
           .work = "compile with it",
           .flags = {"--toolchain", absl::StrCat(unit.name, "=", name)}});
    }
  }
}

// Which units may work, and who divides the model between them.
void Study::TryPlacements() {
  std::vector<std::string> all;
  for (const Unit& unit : base_.target->units) {
    if (IsAccelerator(unit)) all.push_back(unit.name);
  }
  const auto unit_of = [&](const std::string& name) {
    uint32_t u = 0;
    while (base_.target->units[UnitId(u)].name != name) ++u;
    return UnitId(u);
  };
  const auto is_used = [&](const std::string& name) { return base_.plan->units[unit_of(name)].busy_s > 0; };
  // Two DLAs take what one takes.
  const auto is_like_earlier = [&](const std::string& name) {
    const Unit& unit = base_.target->units[unit_of(name)];
    return std::any_of(all.begin(), std::find(all.begin(), all.end(), name), [&](const std::string& other) {
      const Unit& earlier = base_.target->units[unit_of(other)];
      return earlier.kind == unit.kind && earlier.toolchain == unit.toolchain &&
             earlier.clock_hz.value() == unit.clock_hz.value();
    });
  };
  const auto try_only = [&](const std::vector<std::string>& only, const std::string& change) {
    Set("units", {.kind = WhatIfKind::kPlacement,
                  .change = change,
                  .work = "allow the compiler no others",
                  .flags = {"--only", absl::StrJoin(only, ",")}});
  };
  if (all.size() > 1 && base_.request.only.empty()) {
    for (const std::string& name : all) {
      if (!is_like_earlier(name)) try_only({name}, absl::StrCat(name, " alone, beside the CPU"));
      std::vector<std::string> others = all;
      others.erase(std::find(others.begin(), others.end(), name));
      if (others.size() > 1 && is_used(name)) try_only(others, absl::StrCat("without ", name));
    }
  }
  if (base_.plan->compiled_for.valid() && base_.request.placement == PlacementBy::kToolchain) {
    Set("placement", {.kind = WhatIfKind::kPlacement,
                      .change = "each layer on the unit where the whole takes least",
                      .work = "deny the compiler layers by name",
                      .flags = {"--placement", "best"}});
  }
}

absl::StatusOr<Rewritten> Study::Rewrite(const AnalysisRequest& request, const RewriteOptions& options,
                                         const VariantSeen& seen) {
  const auto made = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); };
  const RewriteProgress progress = [&](const std::string& what) { Begin(what); };
  return RewriteOpened(source_.model->Clone(), made, options, progress, seen);
}

// Writes the file as `rewrite` does, and reads it again.
std::optional<bool> Study::KeepsPromise(const Analysis& changed, const EditedModel& model) const {
  std::string bytes;
  const auto keep = [&](absl::string_view part) {
    if (bytes.size() + part.size() > kMostReadAgain) return absl::ResourceExhaustedError("too large to read again");
    bytes.append(part.data(), part.size());
    return absl::OkStatus();
  };
  const absl::StatusOr<WriteTotals> written = WriteModel(model, keep);
  if (!written.ok()) return std::nullopt;
  const auto graph = LoadModelFromMemoryWith(bytes, model.file().path(), source_.limits);
  if (!graph.ok()) return false;
  const absl::StatusOr<Analysis> again = Analyze(*graph, changed.request);
  if (!again.ok() || !again->plan.has_value()) return false;
  return std::abs(again->plan->latency_s - changed.plan->latency_s) <= kAsPromised * changed.plan->latency_s;
}

void Study::AddWritten(WhatIfRow row, const Analysis& changed, const EditedModel& model) {
  row.writes = true;
  if (Stands(SavingOf(changed)) && !IsStopped()) row.as_promised = KeepsPromise(changed, model);
  Add(std::move(row), changed);
}

void Study::TryRewrites() {
  if (source_.model == nullptr || !Begin("rewriting")) return;
  std::map<std::string, Variant> alone;  // rules that stand by themselves
  const auto see = [&](const Variant& variant) {
    if (variant.rules.size() != 1 || !variant.analysis->plan.has_value()) return;
    if (Stands(SavingOf(*variant.analysis))) alone.try_emplace(variant.rules[0].name, variant);
  };
  const absl::StatusOr<Rewritten> best = Rewrite(request_, {}, see);
  for (const auto& [name, variant] : alone) {
    const AppliedRule& rule = variant.rules[0];
    has_rewrite_ = true;
    AddWritten({.kind = WhatIfKind::kRewrite,
                .risk = RiskOf(rule.exactness),
                .change = absl::StrCat(name, ": ", rule.words),
                .work = "write the file again",
                .rewrite = {"--rule", name}},
               *variant.analysis, *variant.model);
  }
  if (!best.ok() || best->rules.size() < 2 || !best->after->plan.has_value()) return;
  WhatIfRow row{.kind = WhatIfKind::kRewrite, .work = "write the file again"};
  for (const AppliedRule& rule : best->rules) {
    row.risk = std::max(row.risk, RiskOf(rule.exactness));
    absl::StrAppend(&row.change, row.change.empty() ? "" : ", ", rule.name);
  }
  row.change = absl::StrCat(best->rules.size(), " rewrites: ", row.change);
  has_rewrite_ = has_rewrite_ || Stands(SavingOf(*best->after));
  AddWritten(std::move(row), *best->after, *best->model);
}

void Study::TryOpsets() {
  if (source_.model == nullptr) return;
  std::vector<const RefusalRow*> rows;
  for (const RefusalRow& row : refusals_) rows.push_back(&row);
  int now = 0;
  size_t tried = 0;
  for (const int opset : OlderOpsets(*graph_, rows, &now)) {
    if (++tried > kMostOpsets || !Begin(absl::StrCat("operator set ", opset))) return;
    const absl::StatusOr<Rewritten> lowered =
        Rewrite(request_, {.scope = RewriteScope::kFold, .opset = opset}, nullptr);
    if (!lowered.ok() || !lowered->after->plan.has_value()) continue;
    AddWritten({.kind = WhatIfKind::kOpset,
                .change = absl::StrCat("operator set ", opset, " instead of ", now),
                .work = "write the file again, or export it so",
                .rewrite = {"--opset", absl::StrCat(opset), "--fold"}},
               *lowered->after, *lowered->model);
  }
}

// Cuts off what stands behind the network, or before it, and what no accelerator takes.
void Study::TryCuts() {
  if (source_.read == nullptr) return;
  const auto is_taken = [&](const RefusalRow& row) {
    for (uint32_t u = 0; u < base_.support.size(); ++u) {
      const bool takes = base_.support[UnitId(u)][row.nodes.front()].verdict != Verdict::kNo;
      if (takes && IsAccelerator(base_.target->units[UnitId(u)])) return true;
    }
    return false;
  };
  std::set<std::pair<bool, std::vector<bool>>> seen;
  const auto try_at = [&](const std::vector<NodeId>& nodes, bool downstream) {
    const std::optional<ModelCut> cut = CutAt(base_, nodes, downstream);
    if (cut.has_value() && seen.size() < kMostCuts && seen.emplace(downstream, cut->off).second) TryCut(*cut);
  };
  std::map<uint32_t, std::vector<NodeId>> all;
  for (const RefusalRow& row : refusals_) {
    if (is_taken(row)) continue;
    std::vector<NodeId>& nodes = all[row.unit.index()];
    nodes.insert(nodes.end(), row.nodes.begin(), row.nodes.end());
  }
  for (const auto& [unit, nodes] : all) try_at(nodes, /*downstream=*/true);
  for (const RefusalRow& row : refusals_) {
    for (const bool downstream : {true, false}) {
      if (!is_taken(row)) try_at(row.nodes, downstream);
    }
  }
}

// What is cut off is not gone: it runs on the CPU of the target, and its time there counts.
void Study::TryCut(const ModelCut& cut) {
  WhatIfRow row{.kind = WhatIfKind::kCut, .change = CutText(*graph_, cut), .work = "write that part for the host"};
  std::vector<std::string> cpus;
  for (const Unit& unit : base_.target->units) {
    if (IsCpu(unit) && unit.placeable) cpus.push_back(unit.name);
  }
  if (cpus.empty() || !Begin(row.change)) return;
  const auto analysed = [&](const ModelCut& part, bool is_rest, WhatIfRow* named) -> absl::StatusOr<Analysis> {
    HWEST_ASSIGN_OR_RETURN(RawModel raw, source_.read());
    CutOff(base_, part, &raw);
    if (named != nullptr) {
      named->inputs = InputNames(raw);
      named->outputs = OutputNames(raw);
    }
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, BuildModel(std::move(raw), source_.limits));
    AnalysisRequest request = request_;
    if (is_rest || !cut.downstream) request.bind = {};  // the values that the part begins with have their sizes
    if (is_rest) request.only = cpus;
    if (is_rest) request.pin.clear();
    return Analyze(std::move(graph), request);
  };
  const absl::StatusOr<Analysis> rest = analysed(OtherSideOf(*graph_, cut), /*is_rest=*/true, nullptr);
  if (!rest.ok() || !rest->plan.has_value() || NumUnknown(*rest->plan) > 0) return;
  const absl::StatusOr<Analysis> changed = analysed(cut, /*is_rest=*/false, &row);
  if (!changed.ok() || !changed->plan.has_value()) return;
  absl::StrAppend(&row.change, ", there ", FormatSeconds(rest->plan->latency_s));
  Add(std::move(row), *changed, LatencyOf(*rest->plan));
}

void Study::TryRecipes() {
  for (const AccuracyRisk most : {AccuracyRisk::kRounding, AccuracyRisk::kTraining}) TryRecipe(most);
}

void Study::TryRecipe(AccuracyRisk most) {
  const auto request_of = [&](const std::vector<size_t>& set) {
    std::vector<std::string> flags;
    for (const size_t i : set) {
      flags.insert(flags.end(), setting_rows_[i].flags.begin(), setting_rows_[i].flags.end());
    }
    return With(request_, flags);
  };
  const auto planned = [&](const std::vector<size_t>& set) -> std::optional<double> {
    if (IsStopped()) return std::nullopt;
    const absl::StatusOr<AnalysisRequest> request = request_of(set);
    if (!request.ok()) return std::nullopt;
    const absl::StatusOr<const Analysis*> changed = rerun_.Plan(*request);
    if (!changed.ok() || NumUnknown(*(*changed)->plan) > NumUnknown(*base_.plan)) return std::nullopt;
    return (*changed)->plan->latency_s;
  };
  const auto latency_of = [&](const std::vector<size_t>& set) -> std::optional<double> {
    if (set.empty()) return base_.plan->latency_s;
    if (set.size() == 1) return settings_[set[0]].latency_s;
    const auto known = sets_.find(set);
    return known != sets_.end() ? known->second : sets_.emplace(set, planned(set)).first->second;
  };
  if (!Begin("several of these together")) return;
  const std::vector<size_t> set = BestSet(settings_, base_.plan->latency_s, most, latency_of);
  const absl::StatusOr<AnalysisRequest> request = request_of(set);
  if (set.empty() || !request.ok()) return;
  double best_single_s = 0;
  for (const WhatIfRow& row : changes_.rows) {
    if (row.scope == ChangeScope::kSame && row.risk <= most) best_single_s = std::max(best_single_s, row.saving_s);
  }
  const auto is_better = [&](double saving_s, double than_s) {
    return saving_s - than_s >= kLeastSaving * base_.plan->latency_s;
  };
  WhatIfRow row{.kind = WhatIfKind::kRecipe};
  std::vector<std::string> works;
  for (const size_t i : set) {
    const WhatIfRow& part = setting_rows_[i];
    row.flags.insert(row.flags.end(), part.flags.begin(), part.flags.end());
    row.parts.push_back(part.change);
    row.risk = std::max(row.risk, part.risk);
    if (std::find(works.begin(), works.end(), part.work) == works.end()) works.push_back(part.work);
  }
  const std::optional<double> latency_s = latency_of(set);
  if (!latency_s.has_value()) return;
  const double set_saving_s = base_.plan->latency_s - *latency_s;
  if (has_rewrite_) {
    const absl::StatusOr<Rewritten> rewritten = Rewrite(*request, {}, nullptr);
    if (rewritten.ok() && rewritten->after->plan.has_value() && !rewritten->rules.empty() &&
        is_better(SavingOf(*rewritten->after), std::max(set_saving_s, best_single_s))) {
      std::vector<std::string> names;
      for (const AppliedRule& rule : rewritten->rules) {
        row.risk = std::max(row.risk, RiskOf(rule.exactness));
        names.push_back(rule.name);
      }
      row.parts.push_back(absl::StrCat("rewriting by ", absl::StrJoin(names, ", ")));
      works.emplace_back("write the file again");
      row.change = absl::StrJoin(row.parts, " + ");
      row.work = absl::StrJoin(works, ", ");
      return AddWritten(std::move(row), *rewritten->after, *rewritten->model);
    }
  }
  if (set.size() < 2 || !is_better(set_saving_s, best_single_s)) return;
  row.change = absl::StrJoin(row.parts, " + ");
  row.work = absl::StrJoin(works, ", ");
  const absl::StatusOr<const Analysis*> changed = rerun_.Plan(*request);
  if (changed.ok()) Add(std::move(row), **changed);
}

void Study::TryBatches() {
  for (const int64_t factor : kBatchFactors) {
    if (base_.batch > INT32_MAX) return;
    AnalysisRequest request = request_;
    request.bind.batch = base_.batch * factor;
    Analyse({.kind = WhatIfKind::kBatch,
             .scope = ChangeScope::kBatch,
             .change = absl::StrCat("batch ", *request.bind.batch, " instead of ", base_.batch),
             .work = "collect that many inputs",
             .flags = {"--batch", absl::StrCat(*request.bind.batch)}},
            graph_, request);
  }
}

// Integers are meant to be faster; where they are not, that is news.
void Study::NoteSlowerIntegers() {
  const auto latency_at = [&](absl::string_view precision) -> std::optional<double> {
    if (base_.precision == precision) return base_.plan->latency_s;
    for (size_t i = 0; i < settings_.size(); ++i) {
      if (settings_[i].of == "precision" && setting_rows_[i].flags[1] == precision) return settings_[i].latency_s;
    }
    return std::nullopt;
  };
  const std::optional<double> integer_s = latency_at("int8");
  absl::string_view fastest;
  std::optional<double> floating_s;
  for (const absl::string_view precision : {"fp16", "bf16", "fp32"}) {
    const std::optional<double> at_s = latency_at(precision);
    if (!at_s.has_value() || (floating_s.has_value() && *at_s >= *floating_s)) continue;
    floating_s = at_s;
    fastest = precision;
  }
  if (!integer_s.has_value() || !floating_s.has_value()) return;
  if (*integer_s - *floating_s < kLeastSaving * base_.plan->latency_s) return;
  changes_.notes.push_back({.code = Code::kAssumed,
                            .message = absl::StrCat("int8 takes ", FormatSeconds(*integer_s), " here, longer than the ",
                                                    FormatSeconds(*floating_s), " of ", fastest),
                            .remedy = absl::StrCat("stay at ", fastest, ", or quantise only layers that gain")});
}

// Fewer channels in one of the layers that take longest.
void Study::TryWidths() {
  if (source_.read == nullptr || !Begin("fewer channels")) return;
  const absl::StatusOr<WidthReport> report =
      WidthsOf(base_, source_.read, source_.limits, {.most = kMostWidths}, progress_, stop_);
  if (!report.ok()) return;
  const std::vector<WidthGain> gains = BestWidths(*report);
  const auto best = std::find_if(gains.begin(), gains.end(), [](const WidthGain& gain) { return !gain.is_free; });
  if (best == gains.end()) return;
  const auto changed = [&]() -> absl::StatusOr<std::shared_ptr<const Graph>> {
    HWEST_ASSIGN_OR_RETURN(RawModel raw, source_.read());
    HWEST_ASSIGN_OR_RETURN(raw, WidthModel(std::move(raw), best->edits));
    return BuildModel(std::move(raw), source_.limits);
  };
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = changed();
  if (!graph.ok()) return;
  const size_t others = best->layers.size() - 1;
  const std::string with =
      others == 0 ? "" : absl::StrCat(" and ", others, others == 1 ? " layer" : " layers", " beside it");
  Analyse({.kind = WhatIfKind::kWidth,
           .scope = ChangeScope::kNetwork,
           .risk = AccuracyRisk::kTraining,
           .change = absl::StrCat(best->to, " instead of ", best->from, " channels in ", best->layers[0], with,
                                  " (another network)"),
           .work = "prune the channels and train it again",
           .width = {"--layer", best->layers[0], "--at", absl::StrCat(best->to)}},
          *graph, request_);
}

// Single layers in another format than the rest, where that alone gains.
void Study::TryLayers() {
  const std::vector<std::string> known = RequestPrecisions();
  const bool is_of_one = std::find(known.begin(), known.end(), base_.precision) != known.end();
  const UnitId main = MainUnitOf(*base_.target);
  if (!is_of_one || !main.valid() || !base_.request.precision_of.empty()) return;
  for (uint32_t n = 0; n < graph_->nodes().size(); ++n) {
    const OpRule* rule = RuleOf(*graph_, NodeId(n));
    if (rule != nullptr && (rule->traits & trait::kDequantizes) != 0) return;  // the file says what is narrow
  }
  std::vector<std::pair<double, NodeId>> layers;
  for (const PlannedGroup& group : base_.plan->groups) {
    for (const NodeId node : group.group.nodes) {
      const bool contracts = base_.work[node].has_value() && !base_.work[node]->contractions.empty();
      if (contracts && group.estimate.has_value()) layers.emplace_back(group.estimate->time_s, node);
    }
  }
  std::stable_sort(layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (layers.size() > kMostLayers) layers.resize(kMostLayers);
  std::vector<NodeId> nodes;
  for (const auto& [time_s, node] : layers) nodes.push_back(node);
  const std::vector<std::string> runs = PrecisionsOf(base_.target->units[main]);
  for (const absl::string_view format : kLayerFormats) {
    const bool is_there = std::find(runs.begin(), runs.end(), format) != runs.end();
    if (is_there && format != base_.precision) TryLayersAt(std::string(format), nodes);
  }
}

// Those that gain alone, one after the other as long as the next one gains beside them.
void Study::TryLayersAt(const std::string& format, const std::vector<NodeId>& layers) {
  if (!Begin(absl::StrCat(format, " in single layers"))) return;
  const auto text_of = [&](const std::vector<NodeId>& nodes) {
    std::string text = "node,format\n";
    for (const std::string& name : UniqueNamesOf(*graph_, nodes)) absl::StrAppend(&text, name, ",", format, "\n");
    return text;
  };
  const auto planned = [&](const std::vector<NodeId>& nodes) -> const Analysis* {
    if (IsStopped()) return nullptr;
    AnalysisRequest request = request_;
    request.precision_of = text_of(nodes);
    const absl::StatusOr<const Analysis*> changed = rerun_.Plan(request);
    return changed.ok() ? *changed : nullptr;
  };
  std::vector<std::pair<double, NodeId>> gains;
  for (const NodeId node : layers) {
    const Analysis* alone = planned({node});
    if (alone != nullptr && SavingOf(*alone) > 0) gains.emplace_back(SavingOf(*alone), node);
  }
  std::stable_sort(gains.begin(), gains.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<NodeId> taken;
  double saved_s = 0;
  for (const auto& [gain_s, node] : gains) {
    std::vector<NodeId> more = taken;
    more.push_back(node);
    const Analysis* together = planned(more);
    if (together == nullptr || SavingOf(*together) <= saved_s) continue;
    saved_s = SavingOf(*together);
    taken = std::move(more);
  }
  const Analysis* best = taken.empty() || !Stands(saved_s) ? nullptr : planned(taken);
  if (best == nullptr) return;
  std::vector<std::string> names = UniqueNamesOf(*graph_, taken);
  const size_t more = names.size() - std::min(names.size(), kMostLayersNamed);
  names.resize(names.size() - more);
  const AccuracyRisk risk = RiskOf(*best);
  WhatIfRow row{.kind = WhatIfKind::kLayers,
                .change = absl::StrCat(format, " instead of ", base_.precision, " in ", absl::StrJoin(names, ", "),
                                       more > 0 ? absl::StrCat(" and ", more, " more") : "")};
  if (risk > risk_) row.risk = risk;
  row.work = row.risk == AccuracyRisk::kCalibration ? "calibrate these layers with samples of the inputs"
                                                    : "name these layers to the compiler";
  row.precision_of = text_of(taken);
  Add(std::move(row), *best);
}

void Study::TryModes() {
  for (const Mode& mode : base_.target->modes) {
    if (mode.name == base_.mode) continue;
    Set("mode", {.kind = WhatIfKind::kMode,
                 .change = absl::StrCat("mode ", mode.name, " instead of ", base_.mode),
                 .work = "set it",
                 .flags = {"--mode", mode.name}});
  }
}

// A larger batch has to save more than the next smaller one.
void LeaveOutIdleBatches(double least_s, std::vector<WhatIfRow>* rows) {
  double saved_s = 0;
  std::vector<const WhatIfRow*> batches;
  for (const WhatIfRow& row : *rows) {
    if (row.scope == ChangeScope::kBatch) batches.push_back(&row);
  }
  std::sort(batches.begin(), batches.end(), [](const WhatIfRow* a, const WhatIfRow* b) { return a->batch < b->batch; });
  std::set<int64_t> idle;
  for (const WhatIfRow* row : batches) {
    if (row->saving_s - saved_s < least_s) idle.insert(row->batch);
    saved_s = std::max(saved_s, row->saving_s);
  }
  rows->erase(std::remove_if(
                  rows->begin(), rows->end(),
                  [&](const WhatIfRow& row) { return row.scope == ChangeScope::kBatch && idle.contains(row.batch); }),
              rows->end());
}

}  // namespace

absl::string_view WhatIfKindName(WhatIfKind kind) {
  constexpr absl::string_view kNames[] = {"support", "activation", "precision", "batch",     "bandwidth",
                                          "mode",    "rewrite",    "opset",     "toolchain", "placement",
                                          "cut",     "sparsity",   "recipe",    "width",     "layers"};
  static_assert(std::size(kNames) == kNumEnumerators<WhatIfKind>);
  return kNames[static_cast<size_t>(kind)];
}

absl::string_view ChangeScopeName(ChangeScope scope) {
  constexpr absl::string_view kNames[] = {"same", "batch", "network", "board"};
  static_assert(std::size(kNames) == kNumEnumerators<ChangeScope>);
  return kNames[static_cast<size_t>(scope)];
}

absl::string_view AccuracyRiskName(AccuracyRisk risk) {
  constexpr absl::string_view kNames[] = {"none", "rounding", "calibration", "training"};
  static_assert(std::size(kNames) == kNumEnumerators<AccuracyRisk>);
  return kNames[static_cast<size_t>(risk)];
}

absl::StatusOr<std::vector<WhatIfRow>> WhatIf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                              const std::string& model_path, const StudyProgress& progress) {
  const CureSource source = SourceOf({.path = model_path, .limits = {}});
  HWEST_ASSIGN_OR_RETURN(Changes changes, WhatIfUntil(graph, base, source, progress, nullptr));
  return std::move(changes.rows);
}

absl::StatusOr<Changes> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                    const CureSource& source, const StudyProgress& progress,
                                    const std::function<bool()>& stop) {
  HWEST_ASSIGN_OR_RETURN(Changes changes, TryChanges(graph, base, source, progress, stop));
  const double least_s = base.plan.has_value() ? base.plan->latency_s * kLeastSaving : 0;
  const auto is_void = [&](const WhatIfRow& row) { return row.saving_s <= 0 || row.saving_s < least_s; };
  std::vector<WhatIfRow>& rows = changes.rows;
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_void), rows.end());
  LeaveOutIdleBatches(least_s, &rows);
  return changes;
}

absl::StatusOr<Changes> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                   const CureSource& source, const StudyProgress& progress,
                                   const std::function<bool()>& stop) {
  if (!base.plan.has_value()) return Changes();
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, RequestUntil(base, stop)));
  return Study(graph, base, source, progress, stop, std::move(rerun)).Run();
}

}  // namespace hwest
