#include "plan/weight_copies.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "cost/group_work.h"
#include "op/rule.h"
#include "op/tables.h"
#include "pass/weights.h"
#include "pass/work.h"

namespace hwest {
namespace {

bool KeepsElements(const ModelView& model, NodeId node) {
  if (!HasTrait(model, node, trait::kConverts)) return HasTrait(model, node, trait::kKeepsElements);
  const auto is_float = [&](ValueId value) { return IsFloat(model.facts.values[value].type.elem); };
  return is_float(model.graph.inputs(node)[0]) && is_float(model.graph.outputs(node)[0]);
}

bool Picks(const ModelView& model, NodeId node, size_t input) {
  const std::optional<Work>& work = model.work[node];
  return work.has_value() && work->contractions.empty() && input < work->reads.size() && work->reads[input].has_value();
}

// The largest constant that a contraction reads.
std::optional<size_t> WeightOf(const ModelView& model, NodeId node) {
  const std::optional<Work>& work = model.work[node];
  if (!work.has_value() || work->contractions.empty()) return std::nullopt;
  std::optional<size_t> largest;
  int64_t most = 0;
  for (size_t i = 0; i < model.graph.inputs(node).size(); ++i) {
    const ValueId value = model.graph.inputs(node)[i];
    if (!ReadsData(model, node, i) || !IsConstant(model, value)) continue;
    const int64_t elements = ElementsOf(model, value).value_or(0);
    if (elements > most) std::tie(largest, most) = std::make_tuple(i, elements);
  }
  return largest;
}

// Of the first contraction of `node`; 0 where not known.
ContractionSize SizeOf(const ModelView& model, NodeId node) {
  const Contraction& contraction = model.work[node]->contractions[0];
  const auto count = [&](Dim dim) { return Evaluate(dim, model.dims).value_or(0); };
  return {.kind = contraction.kind,
          .batch = count(contraction.batch),
          .n = count(contraction.n),
          .k = count(contraction.k),
          .kernel_elements = count(contraction.kernel_elements)};
}

}  // namespace

ValueId StoredTensor(const ModelView& model, ValueId value) {
  for (NodeId node = model.graph.value(value).producer; node.valid(); node = model.graph.value(value).producer) {
    const absl::Span<const ValueId> inputs = model.graph.inputs(node);
    if (!KeepsElements(model, node) || inputs.empty() || !inputs[0].valid() || !IsConstant(model, inputs[0])) break;
    value = inputs[0];
  }
  return value;
}

void WeightCopies::AddRead(ValueId value, bool picks, int bits, double padded, UnitId unit, const Memory* memory) {
  const std::optional<int64_t> elements = ElementsOf(model_, value);
  if (picks) bits = std::min(bits, ElemBits(model_.facts.values[value].type.elem));
  std::optional<int64_t> bytes = elements.has_value() ? PackedBytes(*elements, bits) : std::nullopt;
  if (!bytes.has_value()) return;
  if (padded > 1) bytes = static_cast<int64_t>(static_cast<double>(*bytes) * padded);
  Copies& copies = tensors_[StoredTensor(model_, value)];
  const auto same = std::find_if(copies.begin(), copies.end(), [&](const Copy& copy) {
    return copy.memory == memory && (picks || copy.is_picked || copy.bits == bits);
  });
  const bool is_new = same == copies.end();
  if (is_new) {
    copies.push_back({memory, bits, *bytes, unit, picks});
  } else if (picks ? same->is_picked && bits > same->bits : same->is_picked) {
    *same = {memory, bits, *bytes, unit, picks};
  } else {
    return;
  }
  if (!picks) least_bytes_ += *bytes;
}

void WeightCopies::Add(const Group& group, Precision precision, UnitId unit, const Memory* memory,
                       const WeightBlocks& layout) {
  for (const NodeId node : group.nodes) {
    if (HasTrait(model_, node, trait::kHoldsTables)) {
      const int64_t bytes = TableBytes(model_.graph, node);
      table_bytes_.emplace_back(unit, bytes);
      least_bytes_ += bytes;
    }
    const absl::Span<const ValueId> inputs = model_.graph.inputs(node);
    const std::optional<size_t> sparse = SparseWeightOf(model_, node, precision);
    const std::optional<size_t> weight = WeightOf(model_, node);
    const double padded = weight.has_value() ? PaddedShare(layout, SizeOf(model_, node)) : 1;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].valid() || !IsConstant(model_, inputs[i]) || !ReadsData(model_, node, i)) continue;
      const int bits = DeployedBits(model_, inputs[i], precision);
      AddRead(inputs[i], Picks(model_, node, i), sparse == i ? SparseBits(bits) : bits, weight == i ? padded : 1, unit,
              memory);
    }
  }
}

std::vector<std::pair<UnitId, int64_t>> WeightCopies::BytesByUnit() const {
  std::vector<std::pair<UnitId, int64_t>> sums;
  const auto add = [&](UnitId unit, int64_t bytes) {
    const auto same = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == unit; });
    (same != sums.end() ? *same : sums.emplace_back(unit, 0)).second += bytes;
  };
  for (const auto& [unit, bytes] : table_bytes_) add(unit, bytes);
  for (const Copies& copies : tensors_) {
    for (const Copy& copy : copies) add(copy.unit, copy.bytes);
  }
  return sums;
}

int64_t WeightCopies::Bytes() const {
  int64_t total = 0;
  for (const auto& [unit, bytes] : BytesByUnit()) total += bytes;
  return total;
}

OtherConstants WeightCopies::Others() const {
  const Weights weights(model_.graph);
  OtherConstants others;
  for (uint32_t v = 0; v < tensors_.size(); ++v) {
    if (tensors_[ValueId(v)].empty() || weights.IsWeight(ValueId(v))) continue;
    int64_t bytes = 0;
    for (const Copy& copy : tensors_[ValueId(v)]) bytes += copy.bytes;
    others.bytes += bytes;
    if (bytes > others.largest_bytes) others = {others.bytes, ValueId(v), bytes};
  }
  return others;
}

std::optional<std::string> WeightCopies::Repeated(const Target& target) const {
  int64_t more = 0, most = 0;
  size_t tensors = 0;
  ValueId example;
  for (uint32_t v = 0; v < tensors_.size(); ++v) {
    const Copies& copies = tensors_[ValueId(v)];
    if (copies.size() < 2) continue;
    ++tensors;
    int64_t sum = 0, widest = 0;
    for (const Copy& copy : copies) {
      sum += copy.bytes;
      widest = std::max(widest, copy.bytes);
    }
    more += sum - widest;
    if (sum <= most) continue;
    most = sum;
    example = ValueId(v);
  }
  if (tensors == 0) return std::nullopt;
  std::vector<std::string> parts;
  for (const Copy& copy : tensors_[example]) {
    parts.push_back(absl::StrCat(FormatBytes(static_cast<double>(copy.bytes)), " for ",
                                 copy.unit.valid() ? target.units[copy.unit].name : "no unit", " in ", copy.bits,
                                 " bits"));
  }
  return absl::StrCat(tensors, tensors == 1 ? " weight tensor is" : " weight tensors are", " deployed more than once, ",
                      FormatBytes(static_cast<double>(more)),
                      " in all: units that share it read another width or another memory, as ",
                      model_.graph.name(example), ": ", absl::StrJoin(parts, ", "));
}

WeightCopies WeightCopiesOf(const ModelView& model, const Target& target, const Plan& plan) {
  WeightCopies copies(model);
  for (const PlannedGroup& row : plan.groups) {
    const Memory* memory = row.unit.valid() ? SharedMemoryOf(target, target.units[row.unit]) : nullptr;
    const WeightBlocks layout =
        row.unit.valid() ? WeightBlocksOf(target.units[row.unit], row.work.precision) : WeightBlocks();
    copies.Add(row.group, row.work.precision, row.unit, memory, layout);
  }
  return copies;
}

}  // namespace hwest
