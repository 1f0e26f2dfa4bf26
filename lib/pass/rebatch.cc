#include "pass/rebatch.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "op/rule.h"
#include "pass/infer.h"

namespace hwest {
namespace {

std::optional<std::vector<int64_t>> Sizes(const Type& type) {
  if (!type.is_tensor() || !type.shape.constant()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Dim dim : type.shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

// Product of sizes[first..]; none past int64.
std::optional<int64_t> ProductFrom(const std::vector<int64_t>& sizes, size_t first) {
  std::optional<int64_t> product = 1;
  for (size_t i = first; i < sizes.size() && product.has_value(); ++i) product = CheckedMul(*product, sizes[i]);
  return product;
}

// Integers of a shape operand; none unless all are known.
std::optional<std::vector<int64_t>> Integers(const Known& known) {
  if (known == nullptr) return std::nullopt;
  std::vector<int64_t> values;
  for (const Scalar& scalar : *known) {
    if (!scalar.is_int() || !scalar.is_constant()) return std::nullopt;
    values.push_back(scalar.dim().value());
  }
  return values;
}

Known Replaced(const Known& known, size_t index, int64_t value) {
  std::vector<Scalar> values = *known;
  values[index] = Scalar::Int(value);
  return std::make_shared<const std::vector<Scalar>>(std::move(values));
}

}  // namespace

std::optional<int64_t> Rebatch::Scaled(int64_t size) const {
  if (from_ == 0 || size % from_ != 0) return std::nullopt;
  return CheckedMul(size / from_, to_);
}

std::optional<std::vector<int64_t>> Rebatch::OldShape(ValueId value) const {
  return Sizes(before_.values[value].type);
}

bool Rebatch::Carries(ValueId value, int axis, const Facts& now) const {
  const auto before = Sizes(before_.values[value].type);
  const auto after = Sizes(now.values[value].type);
  if (!before.has_value() || !after.has_value() || before->size() != after->size()) return false;
  if (axis < 0 || axis >= static_cast<int>(before->size())) return false;
  const int64_t old_size = (*before)[static_cast<size_t>(axis)];
  const int64_t new_size = (*after)[static_cast<size_t>(axis)];
  return old_size != new_size && Scaled(old_size) == new_size;
}

// The only axis of `value` that carries the batch; none when there are none or several.
std::optional<size_t> Rebatch::OnlyBatchedAxis(ValueId value, const Facts& now) const {
  std::optional<size_t> only;
  for (int axis = 0; axis < before_.values[value].type.shape.rank(); ++axis) {
    if (!Carries(value, axis, now)) continue;
    if (only.has_value()) return std::nullopt;
    only = static_cast<size_t>(axis);
  }
  return only;
}

// Where a Reshape puts the batch. The data's axis that carries it spans from `all` elements down to `step`, so it goes
// to an axis of the target that begins, ends or passes there. Where several do, in this order: an axis that is the
// batch alone, one whose outer factor it is (batch * heads), one whose inner factor it is (positions * batch); the last
// axis, the features, comes last.
std::optional<size_t> Rebatch::BatchedAxis(ValueId data, const Facts& now, const std::vector<int64_t>& target) const {
  const auto before = OldShape(data);
  if (!before.has_value()) return std::nullopt;
  const auto axis = OnlyBatchedAxis(data, now);
  const auto all = axis.has_value() ? ProductFrom(*before, *axis) : std::nullopt;
  if (!all.has_value() || *all == 0 || !ProductFrom(target, 0).has_value()) return std::nullopt;
  const int64_t step = *ProductFrom(*before, *axis + 1);
  std::optional<size_t> alone, outer, inner, inside;
  for (size_t j = target.size(); j-- > 0;) {
    const int64_t from_here = *ProductFrom(target, j), after = *ProductFrom(target, j + 1);
    const bool last = j + 1 == target.size();
    if (from_here <= *all && after >= step && target[j] == from_) alone = j;
    if (from_here == *all && (!last || target.size() == 1)) outer = j;
    if (after == *all && !inner.has_value()) inner = j;
    if (after < *all && *all <= from_here) inside = j;
  }
  for (const auto& choice : {alone, outer, inner, inside}) {
    if (choice.has_value()) return choice;
  }
  return std::nullopt;
}

std::optional<Rebatch::Followed> Rebatch::FollowReshape(NodeId node, const Facts& now) const {
  const ValueId operand = graph_.inputs(node)[1];
  const auto written = Integers(now.values[operand].known);
  const auto target = OldShape(graph_.outputs(node)[0]);
  if (!written.has_value() || !target.has_value() || written->size() != target->size()) return std::nullopt;
  // Computed from the shape of something that carries the batch: followed already.
  if (written != Integers(before_.values[operand].known)) return std::nullopt;
  const auto axis = BatchedAxis(graph_.inputs(node)[0], now, *target);
  if (!axis.has_value() || (*written)[*axis] <= 0) return std::nullopt;
  const auto size = Scaled((*target)[*axis]);
  if (!size.has_value()) return std::nullopt;
  return Followed{1, Replaced(now.values[operand].known, *axis, *size)};
}

// Operands with one size per axis of the result, aligned at the last one.
std::optional<Rebatch::Followed> Rebatch::FollowSizes(NodeId node, size_t input, const Facts& now) const {
  const ValueId data = graph_.inputs(node)[0];
  const ValueId operand = graph_.inputs(node)[input];
  const auto written = Integers(now.values[operand].known);
  const auto before = OldShape(data);
  if (!written.has_value() || !before.has_value() || before->size() > written->size()) return std::nullopt;
  const size_t offset = written->size() - before->size();
  for (size_t axis = 0; axis < before->size(); ++axis) {
    if (!Carries(data, static_cast<int>(axis), now) || (*written)[offset + axis] != (*before)[axis]) continue;
    const auto size = Scaled((*before)[axis]);
    if (size.has_value()) return Followed{input, Replaced(now.values[operand].known, offset + axis, *size)};
  }
  return std::nullopt;
}

// A slice that ended at the end of an axis that carries the batch still does.
std::optional<Rebatch::Followed> Rebatch::FollowSlice(NodeId node, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const auto before = OldShape(inputs[0]);
  const auto ends = Integers(now.values[inputs[2]].known);
  if (!before.has_value() || !ends.has_value()) return std::nullopt;
  std::vector<int64_t> axes(ends->size());
  std::iota(axes.begin(), axes.end(), 0);
  if (inputs.size() > 3 && inputs[3].valid()) {
    const auto given = Integers(now.values[inputs[3]].known);
    if (!given.has_value() || given->size() != ends->size()) return std::nullopt;
    axes = *given;
  }
  const auto rank = static_cast<int64_t>(before->size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank || !Carries(inputs[0], static_cast<int>(axis), now)) continue;
    const int64_t size = (*before)[static_cast<size_t>(axis)];
    const auto scaled = Scaled(size);
    if ((*ends)[i] == size && scaled.has_value()) return Followed{2, Replaced(now.values[inputs[2]].known, i, *scaled)};
  }
  return std::nullopt;
}

std::optional<Rebatch::Followed> Rebatch::Follow(NodeId node, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const absl::Span<const ValueId> outputs = graph_.outputs(node);
  const absl::string_view op = graph_.op(node);
  if (!graph_.domain(node).empty() || outputs.empty() || !outputs[0].valid()) return std::nullopt;
  const auto has = [&](size_t i) { return i < inputs.size() && inputs[i].valid(); };
  if (!has(0)) return std::nullopt;
  if (op == "Reshape" && has(1)) return FollowReshape(node, now);
  if (op == "Expand" && has(1)) return FollowSizes(node, 1, now);
  if (op == "Resize" && has(3)) return FollowSizes(node, 3, now);
  if (op == "Slice" && has(2)) return FollowSlice(node, now);
  return std::nullopt;
}

// Another operand was as large and carries the batch there.
bool Rebatch::HasBatchedPeer(NodeId node, ValueId value, int axis_from_end, const Facts& now) const {
  const std::vector<int64_t> sizes = *OldShape(value);
  const int64_t size = sizes[sizes.size() - static_cast<size_t>(axis_from_end)];
  for (const ValueId other : graph_.inputs(node)) {
    if (!other.valid() || other == value) continue;
    const auto before = OldShape(other);
    const int aligned = before.has_value() ? static_cast<int>(before->size()) - axis_from_end : -1;
    if (aligned < 0 || (*before)[static_cast<size_t>(aligned)] != size) continue;
    if (Carries(other, aligned, now)) return true;
  }
  return false;
}

// The contents repeat along the axis as copies for a batch do. What a node computes is taken to; an initialiser whose
// contents are not known is not.
bool Rebatch::RepeatsAlong(ValueId value, size_t axis) const {
  const std::vector<int64_t> sizes = *OldShape(value);
  if (sizes[axis] == 1) return true;
  const Known& known = before_.values[value].known;
  if (known == nullptr) return graph_.value(value).producer.valid();
  const auto step = static_cast<size_t>(ProductFrom(sizes, axis + 1).value_or(0));
  const auto block = step * static_cast<size_t>(sizes[axis]);
  for (size_t i = 0; i < known->size(); ++i) {
    if (i % block >= step && !((*known)[i] == (*known)[i - step])) return false;
  }
  return true;
}

bool Rebatch::Widen(NodeId node, Facts* now) const {
  bool widened = false;
  for (const ValueId value : graph_.inputs(node)) {
    if (!value.valid()) continue;
    ValueFact& fact = now->values[value];
    const auto sizes = Sizes(fact.type);
    if (!sizes.has_value() || sizes->size() < 2 || sizes != OldShape(value)) continue;
    for (size_t axis = 0; axis < sizes->size(); ++axis) {
      const auto scaled = Scaled((*sizes)[axis]);
      if (!scaled.has_value() || !HasBatchedPeer(node, value, static_cast<int>(sizes->size() - axis), *now)) continue;
      if (!RepeatsAlong(value, axis)) continue;
      fact.type.shape.set_dim(static_cast<int>(axis), *scaled);
      fact.known = nullptr;
      widened = true;
      break;
    }
  }
  return widened;
}

namespace {

// Nothing contradicts, yet a result is not larger: constant indices took the exported batch out of the data.
void ReportLostBatch(const Graph& graph, const Facts& before, const Facts& now, std::pair<int64_t, int64_t> batch,
                     std::vector<Diagnostic>& diagnostics) {
  for (const ValueId output : graph.main().outputs) {
    const auto sizes = Sizes(now.values[output].type);
    if (!sizes.has_value() || sizes->empty() || sizes != Sizes(before.values[output].type)) continue;
    diagnostics.push_back({.code = Code::kAssumed,
                           .message = absl::StrCat("output '", graph.name(output), "' is as large at batch ",
                                                   batch.second, " as at ", batch.first,
                                                   ": some node takes the exported batch by constant indices"),
                           .remedy = "export the model with a dynamic batch",
                           .value = std::string(graph.name(output))});
  }
}

// The first node that refuses its operands now and did not before.
absl::Status CheckContradiction(const std::vector<Diagnostic>& before, absl::Span<const Diagnostic> now,
                                std::pair<int64_t, int64_t> batch) {
  absl::flat_hash_set<std::string> failed;
  for (const Diagnostic& row : before) {
    if (row.code == Code::kInferFailed) failed.insert(row.node);
  }
  for (const Diagnostic& row : now) {
    if (row.code != Code::kInferFailed || failed.contains(row.node)) continue;
    return MakeError(Code::kBindConflict,
                     absl::StrCat("node '", row.node, "' cannot work at batch ", batch.second, ": ", row.message),
                     absl::StrCat("the file is made for batch ", batch.first,
                                  "; export it with a dynamic batch, or leave out --batch"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Facts> InferBound(const Graph& graph, const BindRequest& request, const BoundInputs& bound,
                                 DimPool& dims, std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  if (!bound.rebatch.has_value()) return Infer(graph, bound, dims, diagnostics, {.rules = rules});
  BindRequest as_exported = request;
  as_exported.batch.reset();
  DimPool old_dims(&graph.dims());
  std::vector<Diagnostic> old_diagnostics, found;
  HWEST_ASSIGN_OR_RETURN(const BoundInputs old_bound, Bind(graph, as_exported, old_dims));
  const Facts before = Infer(graph, old_bound, old_dims, old_diagnostics, {.rules = rules});
  const Rebatch rebatch(graph, before, bound.rebatch->first, bound.rebatch->second);
  Facts facts = Infer(graph, bound, dims, found, {.rebatch = &rebatch, .rules = rules});
  HWEST_RETURN_IF_ERROR(CheckContradiction(old_diagnostics, found, *bound.rebatch));
  ReportLostBatch(graph, before, facts, *bound.rebatch, found);
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  return facts;
}

}  // namespace hwest
