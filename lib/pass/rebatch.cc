#include "pass/rebatch.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/checked_math.h"
#include "op/rule.h"

namespace hwest {
namespace {

// Product of sizes[first..]; none past int64.
std::optional<int64_t> ProductFrom(const std::vector<int64_t>& sizes, size_t first) {
  std::optional<int64_t> product = 1;
  for (size_t i = first; i < sizes.size() && product.has_value(); ++i) product = CheckedMul(*product, sizes[i]);
  return product;
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
  return ConstantSizes(before_.values[value].type);
}

bool Rebatch::Carries(ValueId value, int axis, const Facts& now) const {
  const auto before = ConstantSizes(before_.values[value].type);
  const auto after = ConstantSizes(now.values[value].type);
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

void Rebatch::Prepare(NodeId node, Facts* now) const {
  const auto changed = sizes_.widened.find(node);
  if (changed == sizes_.widened.end()) return;
  for (const SizeChanges::Axis& change : changed->second) {
    ValueFact& fact = now->values[change.value];
    const auto sizes = ConstantSizes(fact.type);
    const auto axis = static_cast<size_t>(change.axis);
    if (!sizes.has_value() || axis >= sizes->size() || (*sizes)[axis] != change.before) continue;
    fact.type.shape.set_dim(change.axis, change.now);
    fact.known = nullptr;
  }
}

// What the file has in the operand, at the sizes asked for beside the batch; entries computed from the batch are as
// they were computed.
Known Rebatch::Written(NodeId node, size_t input, const Facts& now) const {
  const ValueId operand = graph_.inputs(node)[input];
  const Known& computed = now.values[operand].known;
  const auto changed = sizes_.operands.find(node);
  if (changed == sizes_.operands.end() || changed->second.input != input || computed == nullptr) return computed;
  const Known &before = before_.values[operand].known, &resized = changed->second.contents;
  if (before == nullptr || before->size() != computed->size() || resized->size() != computed->size()) return computed;
  std::vector<Scalar> values = *computed;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == (*before)[i]) values[i] = (*resized)[i];
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(values));
}

// Whether data that are as they were at the exported batch have as many elements as the target asks for. A table that
// all images share is often laid out by the sizes of what they have, the batch among them.
bool Rebatch::Holds(ValueId data, const Known& target, const Facts& now) const {
  const auto before = OldShape(data);
  const auto asked = ConstantIntegers(target);
  if (!before.has_value() || before != ConstantSizes(now.values[data].type) || !asked.has_value()) return true;
  const bool all_said = std::all_of(asked->begin(), asked->end(), [](int64_t size) { return size > 0; });
  return !all_said || ProductFrom(*asked, 0) == ProductFrom(*before, 0);
}

Known Rebatch::FollowTarget(NodeId node, const Known& operand, const Facts& now) const {
  const auto written = ConstantIntegers(operand);
  const auto target = OldShape(graph_.outputs(node)[0]);
  if (!written.has_value() || !target.has_value() || written->size() != target->size()) return nullptr;
  const auto axis = BatchedAxis(graph_.inputs(node)[0], now, *target);
  if (!axis.has_value() || (*written)[*axis] <= 0) return nullptr;
  const auto size = Scaled((*target)[*axis]);
  return size.has_value() ? Replaced(operand, *axis, *size) : nullptr;
}

// Operands with one size per axis of the result, aligned at the last one.
Known Rebatch::FollowSizes(NodeId node, const Known& operand, const Facts& now) const {
  const ValueId data = graph_.inputs(node)[0];
  const auto written = ConstantIntegers(operand);
  const auto before = OldShape(data);
  if (!written.has_value() || !before.has_value() || before->size() > written->size()) return nullptr;
  const size_t offset = written->size() - before->size();
  for (size_t axis = 0; axis < before->size(); ++axis) {
    if (!Carries(data, static_cast<int>(axis), now) || (*written)[offset + axis] != (*before)[axis]) continue;
    const auto size = Scaled((*before)[axis]);
    if (size.has_value()) return Replaced(operand, offset + axis, *size);
  }
  return nullptr;
}

// A slice that ended at the end of an axis that carries the batch still does.
Known Rebatch::FollowEnds(NodeId node, size_t input, const Known& operand, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const auto before = OldShape(inputs[0]);
  const auto ends = ConstantIntegers(operand);
  if (!before.has_value() || !ends.has_value()) return nullptr;
  std::vector<int64_t> axes(ends->size());
  std::iota(axes.begin(), axes.end(), 0);
  if (inputs.size() > input + 1 && inputs[input + 1].valid()) {
    const auto given = ConstantIntegers(now.values[inputs[input + 1]].known);
    if (!given.has_value() || given->size() != ends->size()) return nullptr;
    axes = *given;
  }
  const auto rank = static_cast<int64_t>(before->size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank || !Carries(inputs[0], static_cast<int>(axis), now)) continue;
    const int64_t size = (*before)[static_cast<size_t>(axis)];
    const auto scaled = Scaled(size);
    if ((*ends)[i] == size && scaled.has_value()) return Replaced(operand, i, *scaled);
  }
  return nullptr;
}

std::optional<Follower::Followed> Rebatch::Follow(NodeId node, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const absl::Span<const ValueId> outputs = graph_.outputs(node);
  const OpRule* rule = RuleOf(graph_, node);
  if (rule == nullptr || outputs.empty() || !outputs[0].valid()) return std::nullopt;
  const size_t input = rule->sizes.input;
  if (inputs.empty() || !inputs[0].valid() || input >= inputs.size() || !inputs[input].valid()) return std::nullopt;
  const Known& computed = now.values[inputs[input]].known;
  const Known written = Written(node, input, now);
  // Computed from the shape of something that carries the batch: followed already.
  const bool has_followed = ConstantIntegers(computed) != ConstantIntegers(before_.values[inputs[input]].known);
  Known followed;
  switch (rule->sizes.form) {
    case SizeForm::kNone: return std::nullopt;
    case SizeForm::kTarget:
      followed = !has_followed                     ? FollowTarget(node, written, now)
                 : Holds(inputs[0], computed, now) ? nullptr
                                                   : before_.values[inputs[input]].known;
      break;
    case SizeForm::kAligned: followed = FollowSizes(node, written, now); break;
    case SizeForm::kEnds: followed = FollowEnds(node, input, written, now); break;
  }
  if (followed == nullptr && written != computed) followed = written;
  if (followed == nullptr) return std::nullopt;
  return Followed{input, std::move(followed)};
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

// The contents repeat along the axis as copies for a batch do; those of one image are its only copy. What a node
// computes is taken to repeat; an initialiser whose contents are not known is not.
bool Rebatch::RepeatsAlong(ValueId value, size_t axis) const {
  const std::vector<int64_t> sizes = *OldShape(value);
  if (sizes[axis] == 1 || from_ == 1) return true;
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
    const auto sizes = ConstantSizes(fact.type);
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

}  // namespace hwest
