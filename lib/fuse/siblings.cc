#include "fuse/siblings.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "fuse/guard_helpers.h"
#include "fuse/readings.h"
#include "op/rule.h"
#include "pass/alike.h"

namespace hwest {
namespace {

constexpr size_t kMostSiblings = 64;  // of a value, looked at
constexpr size_t kMostContents = 16;  // of constants, compared

bool Runs(const GuardContext& context, NodeId node) {
  return context.classes[node] == NodeClass::kCompute || context.classes[node] == NodeClass::kLayout;
}

// The value that `value` is another name of.
ValueId SourceOf(const GuardContext& context, ValueId value) {
  for (size_t hop = 0; hop < kMostSiblings; ++hop) {
    const NodeId node = context.graph.value(value).producer;
    const bool is_name = node.valid() && context.classes[node] == NodeClass::kView &&
                         HasTrait(context.graph, node, trait::kIdentity) && InputAt(context, node, 0).valid();
    if (!is_name) break;
    value = context.graph.inputs(node)[0];
  }
  return value;
}

bool SameOperand(const GuardContext& context, ValueId a, ValueId b) {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  if (a == b || SourceOf(context, a) == SourceOf(context, b)) return true;
  const ValueFact &one = context.facts.values[a], &other = context.facts.values[b];
  return IsConst(context, a) && IsConst(context, b) && one.type == other.type && one.known != nullptr &&
         other.known != nullptr && one.known->size() <= kMostContents && *one.known == *other.known;
}

bool ComputesSame(const GuardContext& context, NodeId a, NodeId b) {
  const Graph& graph = context.graph;
  const Node &one = graph.node(a), &other = graph.node(b);
  if (one.op != other.op || one.domain != other.domain || one.opset != other.opset || one.graph != other.graph) {
    return false;
  }
  const auto inputs = graph.inputs(a), others = graph.inputs(b);
  const auto attributes = graph.attributes(a), its = graph.attributes(b);
  return std::equal(inputs.begin(), inputs.end(), others.begin(), others.end(),
                    [&](ValueId x, ValueId y) { return SameOperand(context, x, y); }) &&
         std::equal(attributes.begin(), attributes.end(), its.begin(), its.end(), SameAttribute);
}

// The operand that most tells nodes apart.
ValueId LeadOf(const GuardContext& context, NodeId node) {
  for (const ValueId input : context.graph.inputs(node)) {
    if (input.valid() && !IsConst(context, input)) return input;
  }
  return ValueId();
}

// A DequantizeLinear belongs to what reads it, which takes it in: no kernel is saved by sharing one.
bool MayBeCopy(const GuardContext& context, const WorkMap& work, NodeId node) {
  if (!Runs(context, node) || context.graph.outputs(node).size() != 1) return false;
  const OpRule* rule = RuleOf(context.graph, node);
  if (rule == nullptr || (rule->traits & (trait::kRandom | trait::kDequantizes)) != 0) return false;
  return work[node].has_value() && work[node]->macs.IsConstant(0);
}

// What a slice takes along the one axis that it cuts.
struct Range {
  NodeId node;
  int64_t axis = 0;
  int64_t begin = 0, end = 0;
};

std::optional<Range> RangeOf(const GuardContext& context, NodeId node) {
  const auto starts = Ints(context, node, "starts", 1), ends = Ints(context, node, "ends", 2);
  const Shape& shape = ShapeOf(context, InputAt(context, node, 0));
  if (!starts.has_value() || !ends.has_value() || !shape.ranked()) return {};
  if (starts->size() != 1 || ends->size() != 1) return {};
  Range range{.node = node};
  const bool has_axes = context.graph.FindAttribute(node, "axes") != nullptr || InputAt(context, node, 3).valid();
  if (has_axes) {
    const auto axes = Ints(context, node, "axes", 3);
    if (!axes.has_value() || axes->size() != 1) return {};
    range.axis = (*axes)[0] < 0 ? (*axes)[0] + shape.rank() : (*axes)[0];
  }
  if (InputAt(context, node, 4).valid() && Ints(context, node, "steps", 4) != std::vector<int64_t>{1}) return {};
  if (range.axis < 0 || range.axis >= shape.rank() || !shape.dim(static_cast<int>(range.axis)).is_constant()) return {};
  const int64_t size = shape.dim(static_cast<int>(range.axis)).value();
  const auto at = [size](int64_t index) { return std::clamp(index < 0 ? index + size : index, int64_t{0}, size); };
  range.begin = at((*starts)[0]);
  range.end = at((*ends)[0]);
  return range;
}

bool IsSlice(const GuardContext& context, NodeId node) {
  static const absl::string_view op = FindReading("slices")->match.key;
  return context.classes[node] == NodeClass::kLayout && context.graph.op(node) == op &&
         context.graph.domain(node).empty();
}

}  // namespace

NodeId FindCopy(const GuardContext& context, const WorkMap& work, NodeId node) {
  if (!Runs(context, node)) return NodeId();
  const ValueId lead = LeadOf(context, node);
  if (!lead.valid()) return NodeId();
  const ValueId source = SourceOf(context, lead);
  const auto uses = context.graph.uses(source);
  if ((source == lead && uses.size() < 2) || uses.size() > kMostSiblings || !MayBeCopy(context, work, node)) {
    return NodeId();
  }
  for (const Use& use : uses) {
    if (use.node >= node || !MayBeCopy(context, work, use.node)) continue;
    if (ComputesSame(context, use.node, node)) return use.node;
  }
  return NodeId();
}

Slices FindSlices(const GuardContext& context, NodeId node) {
  if (!IsSlice(context, node)) return {};
  const ValueId value = context.graph.inputs(node)[0];
  const auto uses = context.graph.uses(value);
  if (uses.size() < 2 || uses.size() > kMostSiblings) return {};
  const std::optional<Range> first = RangeOf(context, node);
  if (!first.has_value()) return {};
  std::vector<Range> parts;
  for (const Use& use : uses) {
    if (use.input != 0 || !IsSlice(context, use.node) || context.graph.inputs(use.node)[0] != value) continue;
    if (context.graph.node(use.node).graph != context.graph.node(node).graph) continue;
    const std::optional<Range> part = RangeOf(context, use.node);
    if (!part.has_value() || part->axis != first->axis) continue;
    if (use.node < node) return {};
    parts.push_back(*part);
  }
  std::sort(parts.begin(), parts.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  const Shape& shape = ShapeOf(context, value);
  int64_t end = 0;
  Slices slices{.nodes = {}, .axis = first->axis};
  for (const Range& part : parts) {
    if (part.begin != end || part.end <= part.begin) return {};
    end = part.end;
    slices.nodes.push_back(part.node);
  }
  const bool takes_all = shape.dim(static_cast<int>(first->axis)).IsConstant(end);
  return takes_all && slices.nodes.size() > 1 ? slices : Slices();
}

}  // namespace hwest
