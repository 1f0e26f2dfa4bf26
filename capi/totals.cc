// The totals of an analysis.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "report/view.h"
#include "rows.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(Grade::kMeasured) + 1 == HWEST_GRADE_MEASURED &&
              static_cast<int>(Grade::kDatasheet) + 1 == HWEST_GRADE_DATASHEET);

std::optional<double> TransferSeconds(const Analysis& analysis) {
  return analysis.plan.has_value() ? std::optional<double>(analysis.plan->transfer_s) : std::nullopt;
}

std::optional<double> GradeShare(const SummaryView& summary, double GradeShares::*share) {
  return summary.grades.has_value() ? std::optional<double>((*summary.grades).*share) : std::nullopt;
}

// "int8=0.85,fp16=0.15"
std::string SharesText(const std::vector<std::pair<std::string, double>>& shares) {
  return absl::StrJoin(shares, ",", [](std::string* out, const auto& share) {
    absl::StrAppend(out, share.first, "=", share.second);
  });
}

}  // namespace

void FillTotals(const Analysis& analysis, const View& view, Table<hwest_totals>* table) {
  const RequestView& request = view.request;
  const ModelFacts& model = view.model;
  const SummaryView& summary = view.summary;
  const CoverageView& coverage = view.coverage;
  Texts& texts = table->texts;
  table->rows.push_back({
      .struct_size = sizeof(hwest_totals),
      .grade = analysis.plan.has_value() ? static_cast<int32_t>(analysis.plan->grade) + 1 : HWEST_GRADE_UNKNOWN,
      .macs = texts.KeepCount(summary.macs),
      .int_macs = texts.KeepCount(summary.int_macs),
      .flops = texts.KeepCount(summary.flops),
      .params = model.params.params,
      .params_by_use = model.params.params_by_use,
      .buffers = model.params.buffers,
      .stored_bytes = model.params.stored_bytes,
      .deployed_bytes = OrUnknown(model.deployed_bytes),
      .moved_bytes = OrUnknown(summary.moved_bytes),
      .peak_memory_bytes = OrUnknown(summary.peak_memory_bytes),
      .batch = OrUnknown(request.batch),
      .nodes = coverage.nodes,
      .typed_nodes = coverage.typed,
      .counted_nodes = coverage.counted,
      .costed_nodes = OrUnknown(coverage.costed),
      .placed_nodes = OrUnknown(coverage.placed),
      .unknown_nodes = static_cast<int64_t>(coverage.unknown_nodes.size()),
      .intensity = OrUnknown(summary.intensity),
      .latency_s = OrUnknown(summary.latency_s),
      .latency_low_s = OrUnknown(summary.latency_low_s),
      .latency_high_s = OrUnknown(summary.latency_high_s),
      .interval_s = OrUnknown(summary.interval_s),
      .throughput_per_s = OrUnknown(summary.throughput_per_s),
      .energy_j = OrUnknown(summary.energy_j),
      .energy_low_j = OrUnknown(summary.energy_low_j),
      .energy_high_j = OrUnknown(summary.energy_high_j),
      .power_w = OrUnknown(summary.power_w),
      .gap = OrUnknown(summary.gap),
      .target = texts.KeepKnown(request.target),
      .mode = texts.KeepKnown(request.mode),
      .precision = texts.KeepKnown(request.precision),
      .causal_macs = texts.KeepCount(summary.causal_macs),
      .flops_as = texts.KeepCount(summary.flops_as.has_value() ? summary.flops_as->total : Count()),
      .macs_share = OrUnknown(coverage.macs_share),
      .time_share = OrUnknown(coverage.time_share),
      .transfer_s = OrUnknown(TransferSeconds(analysis)),
      .greedy_latency_s = OrUnknown(summary.greedy_latency_s),
      .overlap_latency_s = OrUnknown(summary.overlap_latency_s),
      .incomplete = texts.KeepNonEmpty(Incompleteness(view)),
      .measured_share = OrUnknown(GradeShare(summary, &GradeShares::measured)),
      .family_share = OrUnknown(GradeShare(summary, &GradeShares::family)),
      .datasheet_share = OrUnknown(GradeShare(summary, &GradeShares::datasheet)),
      .evidence_share = OrUnknown(summary.evidence_share),
      .size_low_s = OrUnknown(summary.size_range ? std::optional(summary.size_range->low_s) : std::nullopt),
      .size_high_s = OrUnknown(summary.size_range ? summary.size_range->high_s : std::nullopt),
      .tokens_per_s = OrUnknown(summary.tokens_per_s),
      .precisions = texts.KeepNonEmpty(SharesText(summary.precisions)),
      .host_competes = summary.host_competes ? static_cast<int32_t>(*summary.host_competes) : -1,
  });
}

}  // namespace hwest::capi
