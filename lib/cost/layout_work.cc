#include "cost/layout_work.h"

#include <algorithm>
#include <numeric>
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
constexpr absl::string_view kImagePositions = "image_positions";
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
  if (HasTrait(model, node, trait::kCopiesRuns) || TakesRuns(model, node)) return true;
  if (group.pattern == kShuffle) {
    const NodeId before = ProducerBefore(model, group);
    return before.valid() && HasTrait(model, before, trait::kJoins);
  }
  return group.pattern == kImagePositions;
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

// Of a transpose that divides positions into heads, [.., positions, heads, channels] to [.., heads, positions,
// channels]; else 0.
int64_t SplitPositions(const ModelView& model, const Group& group, NodeId node) {
  const Attribute* perm = model.graph.FindAttribute(node, "perm");
  if (perm == nullptr || perm->ints.size() < 3 || group.nodes.size() != 1) return 0;
  std::vector<int64_t> swapped(perm->ints.size());
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[swapped.size() - 3], swapped[swapped.size() - 2]);
  if (!absl::c_equal(perm->ints, swapped)) return 0;
  const ValueId data = DataOf(model, node);
  const int64_t positions = Extent(model, data, 2);
  return positions > Extent(model, data, 1) ? positions : 0;
}

// Axes that stay together count as one, so that a row is as long however they are split.
MovedRows RowsOf(const ModelView& model, const Group& group, NodeId node, int64_t elements) {
  const ValueId from = DataOf(model, node), to = model.graph.outputs(node)[0];
  const int kept = KeptAxes(model, group, node);
  MovedRows rows{.elements = elements, .is_kept = kept > 0, .positions = SplitPositions(model, group, node)};
  for (int axis = 0; axis < std::max(1, kept); ++axis) {
    rows.from = CheckedMul(rows.from, Extent(model, from, axis)).value_or(rows.from);
    rows.to = CheckedMul(rows.to, Extent(model, to, axis)).value_or(rows.to);
  }
  return rows;
}

}  // namespace

void CountMoves(const ModelView& model, const Group& group, NodeId node, GroupWork& work) {
  if (IsPassedOn(group, node)) return;
  int64_t elements = 0;
  for (const ValueId output : model.graph.outputs(node)) {
    if (output.valid() && model.facts.IsNeeded(output)) elements += ElementsOf(model, output).value_or(0);
  }
  work.moved_elements += elements;
  if (RunsAsCopy(model, group, node)) {
    work.copied_elements += elements;
    return;
  }
  work.moved_rows.push_back(RowsOf(model, group, node, elements));
}

}  // namespace hwest
