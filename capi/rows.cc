#include "rows.h"

#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(Grade::kMeasured) + 1 == HWEST_GRADE_MEASURED &&
              static_cast<int>(Grade::kDatasheet) + 1 == HWEST_GRADE_DATASHEET);
static_assert(static_cast<int>(Bound::kCompute) + 1 == HWEST_BOUND_COMPUTE &&
              static_cast<int>(Bound::kBalanced) + 1 == HWEST_BOUND_BALANCED);

int64_t OrUnknown(const std::optional<int64_t>& count) { return count.value_or(-1); }
double OrUnknown(const std::optional<double>& figure) {
  return figure.value_or(std::numeric_limits<double>::quiet_NaN());
}
const char* OrUnknown(const std::optional<std::string>& text) { return text.has_value() ? text->c_str() : nullptr; }

std::optional<double> Of(const std::optional<Estimate>& estimate, double Estimate::*figure) {
  return estimate.has_value() ? std::optional<double>(*estimate.*figure) : std::nullopt;
}

}  // namespace

Rows::Rows(const Analysis& analysis) {
  View view = MakeView(analysis, {});
  request_ = std::move(view.request);
  model_ = std::move(view.model);
  summary_ = std::move(view.summary);
  coverage_ = std::move(view.coverage);
  if (analysis.plan.has_value()) grade_ = static_cast<int32_t>(analysis.plan->grade) + 1;
  macs_ = TextOf(summary_.macs);
  int_macs_ = TextOf(summary_.int_macs);
  flops_ = TextOf(summary_.flops);
  for (UnitRow& unit : view.units) units_.push_back(std::move(unit.name));
  for (const GroupRow& group : view.groups) groups_.push_back(group);
  for (const GroupRow& group : groups_) {
    std::vector<uint32_t>& nodes = nodes_.emplace_back();
    for (const NodeId node : group.nodes) nodes.push_back(node.index());
  }
}

Rows::CountText Rows::TextOf(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return {*number, absl::StrCat(*number)};
  if (const auto* text = std::get_if<std::string>(&count)) return {-1, *text};
  return {};
}

hwest_count Rows::CountOf(const CountText& count) {
  return {.value = count.value, .text = count.text.empty() ? nullptr : count.text.c_str()};
}

hwest_totals Rows::Totals() const {
  return {
      .struct_size = sizeof(hwest_totals),
      .grade = grade_,
      .macs = CountOf(macs_),
      .int_macs = CountOf(int_macs_),
      .flops = CountOf(flops_),
      .params = model_.params.params,
      .params_by_use = model_.params.params_by_use,
      .buffers = model_.params.buffers,
      .stored_bytes = model_.params.stored_bytes,
      .deployed_bytes = OrUnknown(model_.deployed_bytes),
      .moved_bytes = OrUnknown(summary_.moved_bytes),
      .peak_memory_bytes = OrUnknown(summary_.peak_memory_bytes),
      .batch = OrUnknown(request_.batch),
      .nodes = coverage_.nodes,
      .typed_nodes = coverage_.typed,
      .counted_nodes = coverage_.counted,
      .costed_nodes = OrUnknown(coverage_.costed),
      .placed_nodes = OrUnknown(coverage_.placed),
      .unknown_nodes = static_cast<int64_t>(coverage_.unknown_nodes.size()),
      .intensity = OrUnknown(summary_.intensity),
      .latency_s = OrUnknown(summary_.latency_s),
      .latency_low_s = OrUnknown(summary_.latency_low_s),
      .latency_high_s = OrUnknown(summary_.latency_high_s),
      .interval_s = OrUnknown(summary_.interval_s),
      .throughput_per_s = OrUnknown(summary_.throughput_per_s),
      .energy_j = OrUnknown(summary_.energy_j),
      .energy_low_j = OrUnknown(summary_.energy_low_j),
      .energy_high_j = OrUnknown(summary_.energy_high_j),
      .power_w = OrUnknown(summary_.power_w),
      .gap = OrUnknown(summary_.gap),
      .target = OrUnknown(request_.target),
      .mode = OrUnknown(request_.mode),
      .precision = OrUnknown(request_.precision),
  };
}

hwest_group Rows::Group(size_t index) const {
  const GroupRow& row = groups_[index];
  const std::optional<double> energy_j =
      row.energy.has_value() ? std::optional<double>(row.energy->total()) : std::nullopt;
  return {
      .struct_size = sizeof(hwest_group),
      .bound = row.estimate.has_value() ? static_cast<int32_t>(row.estimate->bound) + 1 : HWEST_BOUND_UNKNOWN,
      .id = static_cast<int64_t>(index),
      .pattern = row.pattern.c_str(),
      .name = row.label.c_str(),
      .unit = row.unit.valid() ? units_[row.unit.index()].c_str() : nullptr,
      .precision = OrUnknown(row.precision),
      .nodes = nodes_[index].data(),
      .node_count = nodes_[index].size(),
      .segment = row.segment.valid() ? static_cast<int64_t>(row.segment.index()) : -1,
      .macs = OrUnknown(row.macs),
      .int_macs = OrUnknown(row.int_macs),
      .flops = OrUnknown(row.flops),
      .in_bytes = OrUnknown(row.in_bytes),
      .weight_bytes = OrUnknown(row.weight_bytes),
      .out_bytes = OrUnknown(row.out_bytes),
      .saved_bytes = row.saved_bytes,
      .saved_launches = row.saved_launches,
      .start_s = OrUnknown(row.start_s),
      .compute_s = OrUnknown(Of(row.estimate, &Estimate::compute_s)),
      .memory_s = OrUnknown(Of(row.estimate, &Estimate::memory_s)),
      .overhead_s = OrUnknown(Of(row.estimate, &Estimate::overhead_s)),
      .time_s = OrUnknown(Of(row.estimate, &Estimate::time_s)),
      .low_s = OrUnknown(Of(row.estimate, &Estimate::low_s)),
      .high_s = OrUnknown(Of(row.estimate, &Estimate::high_s)),
      .energy_j = OrUnknown(energy_j),
      .utilisation = OrUnknown(Of(row.estimate, &Estimate::utilisation)),
  };
}

}  // namespace hwest::capi
