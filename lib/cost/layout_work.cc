#include "cost/layout_work.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "base/checked_math.h"
#include "op/rule.h"

namespace hwest {
namespace {

// Families of target/patterns_layout.cc.
constexpr absl::string_view kShuffle = "channel_shuffle";
constexpr absl::string_view kImagePositions = "image_positions", kImageRegion = "image_region";
constexpr absl::string_view kTransposeChain = "transpose_chain";

ValueId DataOf(const ModelView& model, NodeId node) {
  const absl::Span<const ValueId> inputs = model.graph.inputs(node);
  return inputs.empty() ? ValueId() : inputs[0];
}

// The node that writes what `group` reads first, looked at through views; invalid = an input.
NodeId ProducerBefore(const ModelView& model, const Group& group) {
  const ValueId data = DataOf(model, group.nodes.front());
  return data.valid() ? model.graph.value(RootOf(model, data)).producer : NodeId();
}

// Slices at places that are known, unless they are single elements of rows.
bool TakesRuns(const ModelView& model, NodeId node) {
  if (!HasTrait(model, node, trait::kTakesSlices) || model.graph.inputs(node).size() < 2) return false;
  const ValueId data = DataOf(model, node), places = model.graph.inputs(node)[1];
  if (!data.valid() || !places.valid() || !IsConstant(model, places)) return false;
  const Shape& shape = model.facts.values[data].type.shape;
  const Attribute* axis = model.graph.FindAttribute(node, "axis");
  const int64_t along = axis != nullptr ? axis->i : 0;
  return shape.ranked() && (along < 0 ? along + shape.rank() : along) < shape.rank() - 1;
}

// Whole positions one after the other. A shuffle right behind a concatenation puts the parts together lane by lane as
// they are copied; other shuffles are transposes of the innermost axis on the chip. Images and rows of positions lie on
// the chip alike.
bool RunsAsCopy(const ModelView& model, const Group& group, NodeId node) {
  if (HasTrait(model, node, trait::kCopiesRuns | trait::kRepeats) || TakesRuns(model, node)) return true;
  if (group.pattern == kShuffle) {
    const NodeId before = ProducerBefore(model, group);
    return before.valid() && HasTrait(model, before, trait::kJoins);
  }
  return group.pattern == kImagePositions || group.pattern == kImageRegion;
}

// How many axes, from the innermost on, a permutation leaves where they are.
int KeptAxes(const ModelView& model, NodeId node) {
  const Attribute* perm = model.graph.FindAttribute(node, "perm");
  const auto rank = perm != nullptr ? static_cast<int>(perm->ints.size()) : 0;
  int kept = 0;
  while (kept < rank && perm->ints[rank - 1 - kept] == rank - 1 - kept) ++kept;
  return kept;
}

// Transposes one after the other run as one.
bool IsPassedOn(const Group& group, NodeId node) { return group.pattern == kTransposeChain && node != group.root; }

// Of a chain, those that all of its transposes keep.
int KeptAxes(const ModelView& model, const Group& group, NodeId node) {
  int kept = KeptAxes(model, node);
  if (group.pattern != kTransposeChain) return kept;
  for (const NodeId member : group.nodes) {
    if (model.classes[member] == NodeClass::kLayout) kept = std::min(kept, KeptAxes(model, member));
  }
  return kept;
}

// Elements along an axis counted from the innermost; 1 where that is unknown.
int64_t Extent(const ModelView& model, ValueId value, int from_last) {
  if (!value.valid()) return 1;
  const Shape& shape = model.facts.values[value].type.shape;
  if (!shape.ranked() || from_last >= shape.rank()) return 1;
  return std::max<int64_t>(1, Evaluate(shape.dim(shape.rank() - 1 - from_last), model.dims).value_or(1));
}

// A transpose that puts parts of channels (heads; queries, keys and values) in front of the positions that have them:
// [.., positions, parts, channels] to [.., parts, positions, channels].
struct Division {
  int64_t positions = 0;  // 0 = another transpose
  size_t num_axes = 0;    // of parts of more than one element
};

Division DivisionBy(const ModelView& model, const Group& group, NodeId node) {
  const Attribute* perm = model.graph.FindAttribute(node, "perm");
  if (perm == nullptr || group.nodes.size() != 1) return {};
  const ValueId data = DataOf(model, node);
  std::vector<int64_t> order(perm->ints.begin(), perm->ints.end());
  const auto rank = static_cast<int>(order.size());
  const auto extent = [&](int64_t axis) { return Extent(model, data, rank - 1 - static_cast<int>(axis)); };
  std::erase_if(order, [&](int64_t axis) { return extent(axis) <= 1; });
  std::vector<int64_t> before = order;
  absl::c_sort(before);
  const size_t moved = absl::c_mismatch(order, before).first - order.begin();
  if (moved + 2 >= order.size()) return {};
  // One axis goes behind those of the parts, which keep their order, and the channels stay last.
  const int64_t positions = before[moved];
  before.erase(before.begin() + static_cast<ptrdiff_t>(moved));
  before.insert(before.end() - 1, positions);
  if (order != before) return {};
  int64_t parts = 1;
  for (size_t at = moved; at + 2 < order.size(); ++at) parts = CheckedMul(parts, extent(order[at])).value_or(parts);
  if (extent(positions) <= parts) return {};
  return {.positions = extent(positions), .num_axes = order.size() - 2 - moved};
}

// Each reader, behind views, takes a part.
bool IsTakenInParts(const ModelView& model, ValueId value) {
  return !model.graph.uses(value).empty() && absl::c_all_of(model.graph.uses(value), [&](const Use& use) {
    const ValueId made = model.graph.outputs(use.node)[0];
    const bool passes_on = model.classes[use.node] == NodeClass::kView ||
                           HasTrait(model, use.node, trait::kQuantizes | trait::kDequantizes);
    if (passes_on) return IsTakenInParts(model, made);
    return HasTrait(model, use.node, trait::kTakesSlices | trait::kCopiesRuns) &&
           ElementsOf(model, made).value_or(0) < ElementsOf(model, value).value_or(0);
  });
}

// Whether all that reads `value`, behind views, transposes it.
bool IsTransposed(const ModelView& model, ValueId value) {
  return !model.graph.uses(value).empty() && absl::c_all_of(model.graph.uses(value), [&](const Use& use) {
    if (model.classes[use.node] == NodeClass::kView) return IsTransposed(model, model.graph.outputs(use.node)[0]);
    return model.graph.FindAttribute(use.node, "perm") != nullptr;
  });
}

// Of those parts of `value` that are transposed again, as keys are: both run as one.
int64_t ElementsTransposedAgain(const ModelView& model, ValueId value) {
  int64_t elements = 0;
  for (const Use& use : model.graph.uses(value)) {
    for (const ValueId made : model.graph.outputs(use.node)) {
      if (!made.valid()) continue;
      if (model.classes[use.node] == NodeClass::kView) {
        elements += ElementsTransposedAgain(model, made);
      } else if (IsTransposed(model, made)) {
        elements += ElementsOf(model, made).value_or(0);
      }
    }
  }
  return elements;
}

// Axes that stay together count as one, so that a row is as long however they are split.
MovedRows RowsOf(const ModelView& model, const Group& group, NodeId node, int64_t elements) {
  const ValueId from = DataOf(model, node), to = model.graph.outputs(node)[0];
  const int kept = KeptAxes(model, group, node);
  const Division division = DivisionBy(model, group, node);
  MovedRows rows{.elements = elements, .is_kept = kept > 0, .positions = division.positions};
  const bool is_in_parts = division.positions > 0 && IsTakenInParts(model, to);
  rows.is_in_parts = is_in_parts && division.num_axes == 1;
  if (is_in_parts) rows.elements -= std::min(rows.elements, ElementsTransposedAgain(model, to));
  for (int axis = 0; axis < std::max(1, kept); ++axis) {
    rows.from = CheckedMul(rows.from, Extent(model, from, axis)).value_or(rows.from);
    rows.to = CheckedMul(rows.to, Extent(model, to, axis)).value_or(rows.to);
  }
  return rows;
}

// Of a Slice or a Split of channels, which come second in an image and last in a table: what all places where it cuts
// are multiples of; else 0.
int64_t CutOf(const ModelView& model, NodeId node) {
  const ValueId data = DataOf(model, node);
  if (!data.valid() || !model.facts.values[data].type.shape.ranked()) return 0;
  const Shape& from = model.facts.values[data].type.shape;
  int64_t cut = 0;
  int num_axes = 0;
  for (int axis = 0; axis < from.rank(); ++axis) {
    const int64_t whole = Extent(model, data, from.rank() - 1 - axis);
    const Shape& part = model.facts.values[model.graph.outputs(node)[0]].type.shape;
    if (!part.ranked() || part.rank() != from.rank() || part.dim(axis) == from.dim(axis)) continue;
    ++num_axes;
    if (axis != 1 && axis != from.rank() - 1) return 0;
    cut = whole;
    for (const ValueId output : model.graph.outputs(node)) {
      if (output.valid()) cut = std::gcd(cut, Extent(model, output, from.rank() - 1 - axis));
    }
  }
  return num_axes == 1 ? cut : 0;
}

// Of channels that become pixels, two in each direction: how many are left; else 0.
int64_t BlocksOf(const ModelView& model, NodeId node) {
  const Attribute* size = model.graph.FindAttribute(node, "blocksize");
  const ValueId from = DataOf(model, node), to = model.graph.outputs(node)[0];
  const bool is_by_two = size != nullptr && size->i == 2 && Extent(model, to, 0) > Extent(model, from, 0);
  return is_by_two ? Extent(model, to, 2) : 0;
}

}  // namespace

void CountMoves(const ModelView& model, const Group& group, NodeId node, GroupWork& work) {
  if (IsPassedOn(group, node)) return;
  int64_t elements = 0;
  for (const ValueId output : model.graph.outputs(node)) {
    if (output.valid() && model.facts.IsNeeded(output)) elements += ElementsOf(model, output).value_or(0);
  }
  if (RunsAsCopy(model, group, node)) {
    work.moved_elements += elements;
    work.copied_elements += elements;
    const int64_t cut = HasTrait(model, node, trait::kJoins) ? 0 : CutOf(model, node);
    if (cut > 1) work.moved_rows.push_back({.elements = elements, .cut = cut, .is_copied = true});
    return;
  }
  MovedRows rows = RowsOf(model, group, node, elements);
  rows.cut = BlocksOf(model, node);
  work.moved_elements += rows.elements;
  work.moved_rows.push_back(rows);
}

}  // namespace hwest
