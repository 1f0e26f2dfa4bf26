#include "study/trials.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "analysis/request_options.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "pass/batch.h"
#include "rewrite/apply.h"
#include "rewrite/write.h"

namespace hwest {
namespace {

constexpr size_t kMostReadAgain = 64 << 20;  // bytes of a rewritten file, without weights beside it

double ShareOf(const Analysis& base, const Analysis& changed) {
  return static_cast<double>(base.batch) / static_cast<double>(std::max<int64_t>(1, changed.batch));
}

// The work follows the batch. Of a file that takes it by constant indices a larger one says nothing about more images.
bool FollowsBatch(const Analysis& base, const Analysis& changed) {
  const double growth = static_cast<double>(changed.batch) / static_cast<double>(base.batch);
  return GrowsWithBatch(base.totals.macs, changed.totals.macs, growth);
}

}  // namespace

LatencyInterval LatencyOf(const Plan& plan) { return {plan.latency_low_s, plan.latency_s, plan.latency_high_s}; }

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

AccuracyRisk RiskOf(const Analysis& analysis) {
  AccuracyRisk risk = AccuracyRisk::kNone;
  for (const auto& [name, share] : analysis.plan->precision_shares) {
    if (share > 0) risk = std::max(risk, RiskOf(name));
  }
  return risk;
}

bool HasFourBitWeights(const Analysis& analysis) {
  return absl::c_any_of(analysis.plan->precision_shares, [](const auto& share) {
    return share.second > 0 && (absl::StartsWith(share.first, "w4") || share.first == "fp4");
  });
}

AccuracyRisk RiskOf(Exactness exactness) {
  return exactness == Exactness::kExact ? AccuracyRisk::kNone : AccuracyRisk::kRounding;
}

int64_t NumUnknown(const Plan& plan) {
  return std::count_if(plan.groups.begin(), plan.groups.end(),
                       [](const PlannedGroup& group) { return !group.estimate.has_value(); });
}

Trials::Trials(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
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

bool Trials::Begin(const std::string& what) const {
  if (IsStopped()) return false;
  if (progress_ != nullptr) progress_(absl::StrCat("what if: ", what));
  return !IsStopped();
}

double Trials::SavingOf(const Analysis& changed) const {
  return plan().latency_s - changed.plan->latency_s * ShareOf(base_, changed);
}

void Trials::SetRisk(const Analysis& changed, WhatIfRow* row) const {
  const AccuracyRisk risk = RiskOf(changed);
  const bool narrows = HasFourBitWeights(changed) && !HasFourBitWeights(base_);
  if (risk > risk_ || narrows) row->risk = risk;
}

absl::StatusOr<AnalysisRequest> Trials::With(const std::vector<std::string>& flags) const {
  RequestDraft draft;
  static_cast<AnalysisRequest&>(draft) = request_;
  for (size_t i = 0; i + 1 < flags.size(); i += 2) {
    for (const RequestOption& option : AllRequestOptions()) {
      if (option.flag == nullptr || option.flag != flags[i]) continue;
      HWEST_RETURN_IF_ERROR(Give(option, flags[i + 1], &draft));
    }
  }
  return static_cast<AnalysisRequest>(draft);
}

absl::StatusOr<Rewritten> Trials::Rewrite(const AnalysisRequest& request, const RewriteOptions& options,
                                          const VariantSeen& seen) const {
  const auto made = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); };
  const RewriteProgress progress = [&](const std::string& what) { Begin(what); };
  return RewriteOpened(source_.model->Clone(), made, options, progress, seen);
}

std::optional<bool> Trials::KeepsPromise(const Analysis& changed, const EditedModel& model) const {
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
  AnalysisRequest request = changed.request;
  absl::StatusOr<Analysis> again = Analyze(*graph, request);
  if (!again.ok()) {  // the sizes may have been written into the file, which then takes no others
    request.bind = WithoutSizes(request.bind);
    again = Analyze(*graph, request);
  }
  if (!again.ok() || !again->plan.has_value()) return false;
  return std::abs(again->plan->latency_s - changed.plan->latency_s) <= kAsPromised * changed.plan->latency_s;
}

void Trials::TrySetting(const std::string& of, WhatIfRow row) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<AnalysisRequest> request = With(row.flags);
  if (!request.ok()) return;
  const absl::StatusOr<const Analysis*> changed = Planned(*request);
  if (!changed.ok() || KnowsLess(**changed)) return;
  SetRisk(**changed, &row);
  if (row.kind == WhatIfKind::kPrecision) {
    const AccuracyRisk risk = RiskOf(**changed);
    row.work = risk <= AccuracyRisk::kRounding      ? "build it so"
               : risk == AccuracyRisk::kCalibration ? "calibrate with samples of the inputs"
                                                    : "train the weights for it";
  }
  if (row.scope == ChangeScope::kSame) settings_.push_back({{of, row.risk, (*changed)->plan->latency_s}, row});
  Add(std::move(row), **changed);
}

void Trials::TryRequest(WhatIfRow row, const AnalysisRequest& request) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<const Analysis*> changed = Planned(request);
  if (changed.ok()) Add(std::move(row), **changed);
}

void Trials::TryModel(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  if (!Begin(row.change)) return;
  const absl::StatusOr<Analysis> changed = Analyze(graph, request);
  if (!changed.ok() || (row.kind == WhatIfKind::kBatch && !FollowsBatch(base_, *changed))) return;
  // On a chip that streams, results of a larger batch come no faster.
  const double interval_s = changed->plan->interval_s * ShareOf(base_, *changed);
  if (row.kind == WhatIfKind::kBatch && interval_s > (1 - kLeastSaving) * plan().interval_s) return;
  Add(std::move(row), *changed);
}

void Trials::Add(WhatIfRow row, const Analysis& changed, const std::optional<LatencyInterval>& beside) {
  if (KnowsLess(changed)) return;
  const Plan& now = *changed.plan;
  row.batch = changed.batch;
  row.latency_s = now.latency_s;
  row.interval_s = now.interval_s;
  if (now.energy_j > 0 || now.latency_s <= 0) row.energy_j = now.energy_j;
  row.peak_memory_bytes = now.peak_memory_bytes;
  row.segments = static_cast<int64_t>(now.segments.size());
  if (beside.has_value()) row.beside_s = beside->s;
  const double share = ShareOf(base_, changed);
  const LatencyInterval before = LatencyOf(plan()), after = LatencyOf(now), rest = beside.value_or(LatencyInterval());
  row.saving_s = before.s - (after.s + rest.s) * share;
  const double at_low_s = before.low_s - (after.low_s + rest.low_s) * share;
  const double at_high_s = before.high_s - (after.high_s + rest.high_s) * share;
  row.saving_low_s = std::min({row.saving_s, at_low_s, at_high_s});
  row.saving_high_s = std::max({row.saving_s, at_low_s, at_high_s});
  if (row.kind == WhatIfKind::kBatch) {
    const double per_input_s = now.latency_s / static_cast<double>(std::max<int64_t>(1, changed.batch));
    absl::StrAppend(&row.change, ": ", FormatSeconds(per_input_s), " per input, ", FormatSeconds(now.latency_s),
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

void Trials::AddWritten(WhatIfRow row, const Analysis& changed, const EditedModel& model) {
  row.writes = true;
  if (Stands(SavingOf(changed)) && !IsStopped()) row.as_promised = KeepsPromise(changed, model);
  if (row.as_promised == false) return;
  Add(std::move(row), changed);
}

Changes Trials::Sorted() && {
  std::stable_sort(changes_.rows.begin(), changes_.rows.end(), [](const WhatIfRow& a, const WhatIfRow& b) {
    return a.scope != b.scope ? a.scope < b.scope : a.saving_s > b.saving_s;
  });
  return std::move(changes_);
}

}  // namespace hwest
