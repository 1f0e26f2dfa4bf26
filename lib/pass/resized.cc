#include "pass/resized.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/rule.h"
#include "pass/infer.h"

namespace hwest {
namespace {

using Ints = std::vector<int64_t>;

constexpr size_t kMostNamed = 3;

Known AsKnown(const Ints& values) {
  std::vector<Scalar> scalars;
  for (const int64_t value : values) scalars.push_back(Scalar::Int(value));
  return std::make_shared<const std::vector<Scalar>>(std::move(scalars));
}

// size * to / from, where that is whole.
std::optional<int64_t> Scaled(int64_t size, int64_t from, int64_t to) {
  const auto product = CheckedMul(size, to);
  if (!product.has_value() || from <= 0 || *product % from != 0) return std::nullopt;
  return *product / from;
}

std::optional<int64_t> Product(absl::Span<const int64_t> sizes) {
  std::optional<int64_t> product = 1;
  for (const int64_t size : sizes) {
    if (product.has_value()) product = CheckedMul(*product, size);
  }
  return product;
}

}  // namespace

std::optional<Resized::Change> Resized::ChangeOf(ValueId value, const Facts& now) const {
  const auto before = ConstantSizes(before_.values[value].type), after = ConstantSizes(now.values[value].type);
  if (!before.has_value() || !after.has_value() || before->size() != after->size() || before == after) {
    return std::nullopt;
  }
  return Change{*before, *after};
}

// Gives `target`, whose product was `before`, sizes whose product is `now`: an axis as long as an exported size takes
// that asked for; else neighbours that each scale with one, as rows and columns of an image do; else the first axis
// that can take all of it.
bool Resized::Split(int64_t before, int64_t now, absl::Span<int64_t> target) const {
  if (before == now) return true;
  for (const auto& [from, to] : sizes_) {
    for (int64_t& size : target) {
      if (size != from || Scaled(size, before, now) != to) continue;
      size = to;
      return true;
    }
  }
  for (const auto& [from, to] : sizes_) {
    Ints scaled(target.begin(), target.end());
    bool is_whole = true;
    for (int64_t& size : scaled) {
      const auto next = size == 1 ? std::optional<int64_t>(1) : Scaled(size, from, to);
      is_whole = is_whole && next.has_value();
      size = next.value_or(size);
    }
    if (!is_whole || Product(scaled) != now) continue;
    std::copy(scaled.begin(), scaled.end(), target.begin());
    return true;
  }
  for (int64_t& size : target) {
    const auto scaled = Scaled(size, before, now);
    if (size == 1 || !scaled.has_value()) continue;
    size = *scaled;
    return true;
  }
  return false;
}

// The target of a Reshape: axes of data and target in the shortest runs of as many elements each.
std::optional<Ints> Resized::Regrouped(const Change& data, Ints target) const {
  size_t i = 0, j = 0;
  while (i < data.before.size() && j < target.size()) {
    const size_t from = i, first = j;
    std::optional<int64_t> before = data.before[i++], there = target[j++];
    while (before.has_value() && there.has_value() && *before != *there) {
      if (*before < *there ? i == data.before.size() : j == target.size()) return std::nullopt;
      if (*before < *there)
        before = CheckedMul(*before, data.before[i++]);
      else
        there = CheckedMul(*there, target[j++]);
    }
    if (!before.has_value() || !there.has_value()) return std::nullopt;
    const auto now = Product(absl::MakeSpan(data.now).subspan(from, i - from));
    const auto there_now = absl::MakeSpan(target).subspan(first, j - first);
    if (!now.has_value() || !Split(*before, *now, there_now)) return std::nullopt;
  }
  return target;
}

namespace {

// Operands with one size an axis, aligned with the data at the last one.
bool ScaleSizes(const Ints& before, const Ints& now, Ints* written) {
  if (before.size() > written->size()) return false;
  const size_t offset = written->size() - before.size();
  bool changed = false;
  for (size_t axis = 0; axis < before.size(); ++axis) {
    if (before[axis] == now[axis]) continue;
    const auto scaled = Scaled((*written)[offset + axis], before[axis], now[axis]);
    if (!scaled.has_value()) return false;
    (*written)[offset + axis] = *scaled;
    changed = true;
  }
  return changed;
}

// A slice that ended at the end of an axis still does.
bool MoveEnds(const Ints& before, const Ints& now, const Ints& axes, Ints* ends) {
  const auto rank = static_cast<int64_t>(before.size());
  bool changed = false;
  for (size_t i = 0; i < std::min(axes.size(), ends->size()); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) return false;
    const auto at = static_cast<size_t>(axis);
    if (before[at] == now[at] || (*ends)[i] != before[at]) continue;
    (*ends)[i] = now[at];
    changed = true;
  }
  return changed;
}

}  // namespace

// Bodies are looked at more than once; the last look stands.
void Resized::Prepare(NodeId node, Facts*) const { changes_->operands.erase(node); }

std::optional<Follower::Followed> Resized::Follow(NodeId node, const Facts& now) const {
  std::optional<Followed> found = Find(node, now);
  if (found.has_value()) changes_->operands[node] = *found;
  return found;
}

std::optional<Follower::Followed> Resized::Find(NodeId node, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const OpRule* rule = RuleOf(graph_, node);
  if (rule == nullptr || rule->sizes.form == SizeForm::kNone || graph_.outputs(node).empty()) return std::nullopt;
  const size_t operand = rule->sizes.input;
  if (operand >= inputs.size() || !inputs[0].valid() || !inputs[operand].valid()) return std::nullopt;
  const auto data = ChangeOf(inputs[0], now);
  auto written = ConstantIntegers(now.values[inputs[operand]].known);
  // What was computed from a shape has followed already.
  if (!data.has_value() || !written.has_value() || written != ConstantIntegers(before_.values[inputs[operand]].known)) {
    return std::nullopt;
  }
  bool changed = false;
  if (rule->sizes.form == SizeForm::kTarget) {
    const ValueId output = graph_.outputs(node)[0];
    const auto target = output.valid() ? ConstantSizes(before_.values[output].type) : std::nullopt;
    if (!target.has_value() || target->size() != written->size()) return std::nullopt;
    const auto wanted = Regrouped(*data, *target);
    if (!wanted.has_value()) return std::nullopt;
    for (size_t axis = 0; axis < wanted->size(); ++axis) {
      if ((*written)[axis] <= 0 || (*written)[axis] == (*wanted)[axis]) continue;
      (*written)[axis] = (*wanted)[axis];
      changed = true;
    }
  } else if (rule->sizes.form == SizeForm::kAligned) {
    changed = ScaleSizes(data->before, data->now, &*written);
  } else {
    std::optional<Ints> axes(std::in_place, written->size());
    std::iota(axes->begin(), axes->end(), 0);
    if (operand + 1 < inputs.size() && inputs[operand + 1].valid()) {
      axes = ConstantIntegers(now.values[inputs[operand + 1]].known);
    }
    changed = axes.has_value() && MoveEnds(data->before, data->now, *axes, &*written);
  }
  if (!changed) return std::nullopt;
  return Followed{operand, AsKnown(*written)};
}

bool Resized::Widen(NodeId node, Facts* now) const {
  const OpRule* rule = RuleOf(graph_, node);
  if (rule == nullptr || (rule->traits & trait::kElementwise) == 0) return false;
  bool widened = false;
  for (const ValueId value : graph_.inputs(node)) {
    const auto before = value.valid() ? ConstantSizes(before_.values[value].type) : std::nullopt;
    if (!before.has_value()) continue;
    Type& type = now->values[value].type;
    const auto as_is = ConstantSizes(type);
    if (!as_is.has_value() || as_is->size() != before->size()) continue;
    for (const ValueId other : graph_.inputs(node)) {
      const auto change = other.valid() && other != value ? ChangeOf(other, *now) : std::nullopt;
      for (size_t end = 1; change.has_value() && end <= std::min(before->size(), change->before.size()); ++end) {
        const size_t axis = before->size() - end, there = change->before.size() - end;
        const int64_t was = change->before[there], is = change->now[there];
        if (was == is || was == 1 || (*before)[axis] != was || (*as_is)[axis] != was) continue;
        type.shape.set_dim(static_cast<int>(axis), is);
        now->values[value].known = nullptr;
        widened = true;
        changes_->widened[node].push_back({value, static_cast<int>(axis), was, is});
      }
    }
  }
  return widened;
}

namespace {

// The first node that refuses its operands now and did not before.
absl::Status CheckResized(const std::vector<Diagnostic>& before, absl::Span<const Diagnostic> now,
                          absl::string_view sizes) {
  absl::flat_hash_set<std::string> failed;
  for (const Diagnostic& row : before) {
    if (row.code == Code::kInferFailed) failed.insert(row.node);
  }
  for (const Diagnostic& row : now) {
    if (row.code != Code::kInferFailed || failed.contains(row.node)) continue;
    return MakeError(Code::kBindConflict,
                     absl::StrCat("node '", row.node, "' cannot work at ", sizes, ": ", row.message),
                     "export the model with these sizes dynamic, or at those wanted");
  }
  return absl::OkStatus();
}

// Exported and wanted sizes of the axes that differ.
std::vector<Resized::Sizes> ChangedSizes(const BoundInputs& exported, const BoundInputs& bound) {
  std::vector<Resized::Sizes> sizes;
  for (size_t i = 0; i < bound.inputs.size(); ++i) {
    const Shape &from = exported.inputs[i].shape, &to = bound.inputs[i].shape;
    if (!from.ranked() || !to.ranked() || from.rank() != to.rank()) continue;
    for (int axis = 0; axis < from.rank(); ++axis) {
      if (!from.dim(axis).is_constant() || !to.dim(axis).is_constant() || from.dim(axis) == to.dim(axis)) continue;
      const Resized::Sizes pair(from.dim(axis).value(), to.dim(axis).value());
      if (std::find(sizes.begin(), sizes.end(), pair) == sizes.end()) sizes.push_back(pair);
    }
  }
  return sizes;
}

// Each once, in the order of the nodes that need it.
std::vector<ValueId> WidenedValues(const Graph& graph, const SizeChanges& changes) {
  std::vector<ValueId> values;
  for (size_t n = 0; n < graph.nodes().size() && !changes.widened.empty(); ++n) {
    const auto found = changes.widened.find(NodeId(n));
    if (found == changes.widened.end()) continue;
    for (const SizeChanges::Axis& change : found->second) {
      if (std::find(values.begin(), values.end(), change.value) == values.end()) values.push_back(change.value);
    }
  }
  return values;
}

void NoteWidened(const Graph& graph, const SizeChanges& changes, absl::string_view sizes,
                 std::vector<Diagnostic>& diagnostics) {
  const std::vector<ValueId> widened = WidenedValues(graph, changes);
  if (widened.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(widened.size(), kMostNamed); ++i) {
    absl::StrAppend(&names, i == 0 ? "'" : ", '", EscapeControl(graph.name(widened[i])), "'");
  }
  if (widened.size() > kMostNamed) absl::StrAppend(&names, " and ", widened.size() - kMostNamed, " more");
  diagnostics.push_back({.code = Code::kAssumed,
                         .message = absl::StrCat("the file has one entry for each position of its own size in ", names,
                                                 "; they are taken as an export at ", sizes, " would have them"),
                         .remedy = "",
                         .value = std::string(graph.name(widened[0]))});
}

}  // namespace

absl::StatusOr<Facts> InferResized(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims,
                                   std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  BindRequest as_exported = request;
  as_exported.resized.clear();
  DimPool own(&graph.dims());
  HWEST_ASSIGN_OR_RETURN(const BoundInputs exported, Bind(graph, as_exported, own));
  const std::vector<Resized::Sizes> sizes = ChangedSizes(exported, bound);
  if (sizes.empty()) return Infer(graph, bound, dims, diagnostics, {.rules = rules});
  std::vector<Diagnostic> found, now;
  const Facts before = Infer(graph, exported, own, found, {.rules = rules});
  bound.changes = {};
  const Resized resized(graph, before, sizes, &bound.changes);
  Facts facts = Infer(graph, bound, dims, now, {.follower = &resized, .rules = rules});
  HWEST_RETURN_IF_ERROR(CheckResized(found, now, request.resized_as));
  NoteWidened(graph, bound.changes, request.resized_as, now);
  diagnostics.insert(diagnostics.end(), now.begin(), now.end());
  return facts;
}

}  // namespace hwest
