// Tries each change that may help, alone.
#include "study/what_if.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "analysis/rerun.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/precision.h"
#include "hwest/facts.h"
#include "pass/batch.h"
#include "study/activations.h"
#include "study/edited_model.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostOperators = 8;
constexpr double kMoreBandwidth = 1.25;
constexpr double kLeastSaving = 1e-3;  // of the latency; less is no reason to change anything
constexpr int64_t kBatchFactors[] = {2, 4, 8};

class Study {
 public:
  Study(const std::shared_ptr<const Graph>& graph, const Analysis& base, const ModelSource& source,
        const StudyProgress& progress, const std::function<bool()>& stop, Rerun rerun)
      : graph_(graph),
        base_(base),
        source_(source),
        progress_(progress),
        stop_(stop),
        request_(RequestUntil(base, stop)),
        rerun_(std::move(rerun)) {}

  absl::StatusOr<std::vector<WhatIfRow>> Run() {
    TrySupport();
    TryActivations();
    TryPrecisions();
    TryBatches();
    TryBandwidth();
    TryModes();
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const WhatIfRow& a, const WhatIfRow& b) { return a.saving_s > b.saving_s; });
    return std::move(rows_);
  }

 private:
  void TrySupport();
  void TryActivations();
  void TryPrecisions();
  void TryBatches();
  void TryBandwidth();
  void TryModes();
  void TryAssumed(std::string change, const std::vector<Pin>& assume);
  void Plan(WhatIfRow row, const AnalysisRequest& request);
  void Analyse(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request);
  void Add(WhatIfRow row, const Analysis& changed);
  bool IsStopped() const { return stop_ != nullptr && stop_(); }
  bool Begin(const WhatIfRow& row) const;  // false when the study is to stop
  std::vector<std::pair<std::string, UnitId>> Fallbacks() const;

  const std::shared_ptr<const Graph>& graph_;
  const Analysis& base_;
  const ModelSource& source_;
  const StudyProgress& progress_;
  const std::function<bool()>& stop_;
  const AnalysisRequest request_;  // of `base_`, that `stop_` ends
  Rerun rerun_;
  std::vector<WhatIfRow> rows_;
};

int64_t NumUnknown(const hwest::Plan& plan) {
  return std::count_if(plan.groups.begin(), plan.groups.end(),
                       [](const PlannedGroup& group) { return !group.estimate.has_value(); });
}

void Study::Add(WhatIfRow row, const Analysis& changed) {
  const hwest::Plan& plan = *changed.plan;
  // A plan that leaves more of the model without a time is no gain.
  if (NumUnknown(plan) > NumUnknown(*base_.plan)) return;
  row.batch = changed.batch;
  row.latency_s = plan.latency_s;
  row.interval_s = plan.interval_s;
  if (plan.energy_j > 0 || plan.latency_s <= 0) row.energy_j = plan.energy_j;
  row.peak_memory_bytes = plan.peak_memory_bytes;
  row.segments = static_cast<int64_t>(plan.segments.size());
  const double share = static_cast<double>(base_.batch) / static_cast<double>(std::max<int64_t>(1, changed.batch));
  row.saving_s = base_.plan->latency_s - plan.latency_s * share;
  if (row.kind == WhatIfKind::kBatch) {
    const double per_input_s = plan.latency_s / static_cast<double>(std::max<int64_t>(1, changed.batch));
    absl::StrAppend(&row.change, ": ", FormatSeconds(per_input_s), " per input, ", FormatSeconds(plan.latency_s),
                    " per batch");
  }
  rows_.push_back(std::move(row));
}

// The work follows the batch. Of a file that takes it by constant indices a larger one says nothing about more images.
bool FollowsBatch(const Analysis& base, const Analysis& changed) {
  const double growth = static_cast<double>(changed.batch) / static_cast<double>(base.batch);
  return GrowsWithBatch(base.totals.macs, changed.totals.macs, growth);
}

bool Study::Begin(const WhatIfRow& row) const {
  if (IsStopped()) return false;
  if (progress_ != nullptr) progress_(absl::StrCat("what if: ", row.change));
  return !IsStopped();
}

void Study::Plan(WhatIfRow row, const AnalysisRequest& request) {
  if (!Begin(row)) return;
  const absl::StatusOr<const Analysis*> changed = rerun_.Plan(request);
  if (changed.ok()) Add(std::move(row), **changed);
}

void Study::Analyse(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  if (!Begin(row)) return;
  const absl::StatusOr<Analysis> changed = Analyze(graph, request);
  if (!changed.ok() || (row.kind == WhatIfKind::kBatch && !FollowsBatch(base_, *changed))) return;
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
  WhatIfRow row{.kind = WhatIfKind::kSupport, .change = std::move(change)};
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
  if (source_.path.empty() || source_.path == "-") return;
  for (const ActivationFamily& family : FindActivations(base_)) {
    if (IsStopped()) return;
    const absl::StatusOr<std::shared_ptr<const Graph>> edited = LoadEdited(source_, family.edits);
    if (!edited.ok()) continue;
    WhatIfRow row{.kind = WhatIfKind::kActivation,
                  .change = absl::StrCat("Relu instead of ", family.name, " in ", family.places,
                                         family.places == 1 ? " place" : " places", " (another network)"),
                  .edits = family.edits};
    Analyse(std::move(row), *edited, request_);
  }
}

void Study::TryPrecisions() {
  for (const std::string& precision : RequestPrecisions()) {
    if (base_.precision == precision) continue;
    AnalysisRequest request = request_;
    request.precision = precision;
    Plan({.kind = WhatIfKind::kPrecision,
          .change = absl::StrCat(precision, " instead of ", base_.precision),
          .flags = {"--precision", precision}},
         request);
  }
}

void Study::TryBatches() {
  for (const int64_t factor : kBatchFactors) {
    if (base_.batch > INT32_MAX) return;
    AnalysisRequest request = request_;
    request.bind.batch = base_.batch * factor;
    Analyse({.kind = WhatIfKind::kBatch,
             .change = absl::StrCat("batch ", *request.bind.batch, " instead of ", base_.batch),
             .flags = {"--batch", absl::StrCat(*request.bind.batch)}},
            graph_, request);
  }
}

// The unit that is busy longest; none when nothing runs.
UnitId BusiestUnit(const hwest::Plan& plan) {
  UnitId busiest;
  double most_s = 0;
  for (uint32_t u = 0; u < plan.units.size(); ++u) {
    if (plan.units[UnitId(u)].busy_s <= most_s) continue;
    busiest = UnitId(u);
    most_s = plan.units[UnitId(u)].busy_s;
  }
  return busiest;
}

// Names may hold anything.
std::string Quoted(absl::string_view text) { return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\""); }

std::string BandwidthText(const Analysis& base, const std::string& memory, double bytes_per_s) {
  // The mode in force may set it once more.
  const std::string figure =
      absl::StrFormat("bytes_per_s { value: %.17g source: \"what-if\" trust: ESTIMATED }", bytes_per_s);
  std::string text = absl::StrCat("name: \"what-if\"\nbase: ", Quoted(base.request.target), "\n",
                                  "sources { key: \"what-if\" title: \"a change of the target to see what it would "
                                  "bring\" date: \"when asked\" }\n",
                                  "memory { name: ", Quoted(memory), " ", figure, " }\n");
  const Mode* mode = ModeOf(*base.target, base.mode);
  if (mode == nullptr) return text;
  for (const Setting& setting : mode->settings) {
    if (setting.of != memory || !setting.bytes_per_s.known()) continue;
    absl::StrAppend(&text, "mode { name: ", Quoted(mode->name), " set { of: ", Quoted(memory), " ", figure, " } }\n");
  }
  return text;
}

void Study::TryBandwidth() {
  const UnitId unit = BusiestUnit(*base_.plan);
  if (!unit.valid() || base_.request.loaded != nullptr) return;
  const Memory* memory = SharedMemoryOf(*base_.target, base_.target->units[unit]);
  if (memory == nullptr || !memory->bytes_per_s.known()) return;
  const double bytes_per_s = *memory->bytes_per_s.value() * kMoreBandwidth;
  WhatIfRow row{.kind = WhatIfKind::kBandwidth,
                .change = absl::StrCat("25 % more bandwidth of ", memory->name, ", ", FormatBytes(bytes_per_s), "/s"),
                .target_text = BandwidthText(base_, memory->name, bytes_per_s)};
  const absl::StatusOr<Target> target = ParseTarget(row.target_text, "what-if.textproto");
  if (!target.ok()) return;
  AnalysisRequest request = request_;
  request.loaded = std::make_shared<const Target>(*target);
  Plan(std::move(row), request);
}

void Study::TryModes() {
  for (const Mode& mode : base_.target->modes) {
    if (mode.name == base_.mode) continue;
    AnalysisRequest request = request_;
    request.mode = mode.name;
    Plan({.kind = WhatIfKind::kMode,
          .change = absl::StrCat("mode ", mode.name, " instead of ", base_.mode),
          .flags = {"--mode", mode.name}},
         request);
  }
}

}  // namespace

absl::string_view WhatIfKindName(WhatIfKind kind) {
  constexpr absl::string_view kNames[] = {"support", "activation", "precision", "batch", "bandwidth", "mode"};
  static_assert(std::size(kNames) == kNumEnumerators<WhatIfKind>);
  return kNames[static_cast<size_t>(kind)];
}

absl::StatusOr<std::vector<WhatIfRow>> WhatIf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                              const std::string& model_path, const StudyProgress& progress) {
  return WhatIfUntil(graph, base, {.path = model_path, .limits = {}}, progress, nullptr);
}

absl::StatusOr<std::vector<WhatIfRow>> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                   const ModelSource& source, const StudyProgress& progress,
                                                   const std::function<bool()>& stop) {
  HWEST_ASSIGN_OR_RETURN(std::vector<WhatIfRow> rows, TryChanges(graph, base, source, progress, stop));
  const double least_s = base.plan.has_value() ? base.plan->latency_s * kLeastSaving : 0;
  const auto helps = [&](const WhatIfRow& row) { return row.saving_s > 0 && row.saving_s >= least_s; };
  rows.erase(std::find_if_not(rows.begin(), rows.end(), helps), rows.end());
  return rows;
}

absl::StatusOr<std::vector<WhatIfRow>> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                  const ModelSource& source, const StudyProgress& progress,
                                                  const std::function<bool()>& stop) {
  if (!base.plan.has_value()) return std::vector<WhatIfRow>();
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, RequestUntil(base, stop)));
  return Study(graph, base, source, progress, stop, std::move(rerun)).Run();
}

}  // namespace hwest
