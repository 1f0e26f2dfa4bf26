#include "fuse/qdq.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "op/known.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {
namespace {

class QdqAbsorber {
 public:
  QdqAbsorber(const GuardContext& context, IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of)
      : context_(context), groups_(*groups), group_of_(*group_of), traits_(TraitsOfNodes(context.graph)) {}

  void Run() {
    const size_t count = context_.graph.nodes().size();
    for (size_t i = 0; i < count; ++i) {
      if (IsAlone(NodeId(i), trait::kQuantizes)) AbsorbQuantize(NodeId(i));
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsAlone(NodeId(i), trait::kDequantizes)) AbsorbDequantize(NodeId(i));
    }
    for (size_t i = 0; i < count; ++i) {
      if (IsAlone(NodeId(i), trait::kQuantizes)) AbsorbBehindViews(NodeId(i));
    }
  }

 private:
  bool IsAlone(NodeId node, Traits trait) const {
    return (traits_[node] & trait) != 0 && group_of_[node].valid() && groups_[group_of_[node]].nodes.size() == 1;
  }

  bool IsQdq(NodeId node) const { return (traits_[node] & (trait::kQuantizes | trait::kDequantizes)) != 0; }

  // A kernel that has an integer form: neither control flow nor an unknown operator.
  bool Takes(GroupId group, GraphId body) const {
    if (!group.valid()) return false;
    const NodeId root = groups_[group].root;
    const NodeClass node_class = context_.classes[root];
    return (node_class == NodeClass::kCompute || node_class == NodeClass::kLayout) &&
           context_.graph.node(root).graph == body;
  }

  // True when `value` is read by `node` and nothing else.
  bool IsOnlyUse(ValueId value, NodeId node) const {
    if (context_.graph.value(value).is_output) return false;
    for (const Use& use : context_.graph.uses(value)) {
      if (use.node != node && IsReadAtRun(context_.graph, context_.classes, use)) return false;
    }
    return true;
  }

  ValueId FirstInput(NodeId node) const {
    const auto inputs = context_.graph.inputs(node);
    return inputs.empty() ? ValueId() : inputs[0];
  }

  void Move(NodeId node, GroupId to) {
    groups_[group_of_[node]].nodes.clear();
    groups_[to].nodes.push_back(node);
    group_of_[node] = to;
  }

  // Appends the node to the group that ends in its input. Returns false when no group does.
  bool AppendToProducer(NodeId node) {
    const ValueId input = FirstInput(node);
    const NodeId producer = input.valid() ? context_.graph.value(input).producer : NodeId();
    if (!producer.valid() || !IsOnlyUse(input, node)) return false;
    const GroupId group = group_of_[producer];
    if (!Takes(group, context_.graph.node(node).graph) || groups_[group].root != producer) return false;
    Move(node, group);
    groups_[group].root = node;
    return true;
  }

  void AbsorbQuantize(NodeId node) {
    const ValueId input = FirstInput(node);
    const NodeId producer = input.valid() ? context_.graph.value(input).producer : NodeId();
    if (producer.valid() && !IsQdq(producer)) AppendToProducer(node);
  }

  void AbsorbDequantize(NodeId node) {
    const ValueId value = context_.graph.outputs(node)[0];
    GroupId reader;
    bool is_single = !context_.graph.value(value).is_output;
    for (const Use& use : context_.graph.uses(value)) {
      if (!IsReadAtRun(context_.graph, context_.classes, use)) continue;
      const GroupId group = group_of_[use.node];
      if (!group.valid() || (reader.valid() && reader != group)) is_single = false;
      reader = group;
    }
    if (is_single && Takes(reader, context_.graph.node(node).graph)) {
      Move(node, reader);
    } else {
      AppendToProducer(node);
    }
  }

  // Integers that are dequantised, shown as another shape and quantised as they were are views of themselves: they join
  // the kernel that made them.
  void AbsorbBehindViews(NodeId node) {
    std::vector<NodeId> views;
    ValueId value = FirstInput(node);
    NodeId reader = node;
    while (value.valid() && IsOnlyUse(value, reader)) {
      reader = context_.graph.value(value).producer;
      if (!reader.valid() || context_.graph.node(reader).graph != context_.graph.node(node).graph) return;
      if ((traits_[reader] & trait::kDequantizes) != 0) break;
      if (context_.classes[reader] != NodeClass::kView) return;
      views.push_back(reader);
      value = FirstInput(reader);
    }
    const bool is_found = value.valid() && reader.valid() && (traits_[reader] & trait::kDequantizes) != 0;
    if (!is_found || !UndoesQuantize(context_, reader, node)) return;
    const GroupId group = group_of_[reader];
    if (!group.valid() || groups_[group].root != reader || groups_[group].nodes.size() < 2) return;
    if (absl::c_any_of(views, [&](NodeId view) { return group_of_[view].valid(); })) return;
    // They stay views of no kernel, and what they show does not leave the group.
    for (const NodeId view : views) group_of_[view] = group;
    Move(node, group);
    groups_[group].root = node;
  }

  const GuardContext& context_;
  IdMap<GroupId, Group>& groups_;
  IdMap<NodeId, GroupId>& group_of_;
  IdMap<NodeId, Traits> traits_;
};

}  // namespace

bool UndoesQuantize(const GuardContext& context, NodeId dequantize, NodeId quantize) {
  const Graph& graph = context.graph;
  const auto one = graph.inputs(dequantize), two = graph.inputs(quantize);
  if (one.empty() || two.empty() || graph.outputs(quantize).empty()) return false;
  const auto elem = [&](ValueId value) { return context.facts.values[value].type.elem; };
  if (elem(one[0]) != elem(graph.outputs(quantize)[0]) || elem(one[0]) == ElemType::kUndefined) return false;
  constexpr size_t kScale = 1, kZero = 2;
  if (one.size() <= kScale || !one[kScale].valid()) return false;
  const Type& scale = context.facts.values[one[kScale]].type;  // of one number: a view moves the axes of others
  if (!scale.is_tensor() || !scale.shape.constant() ||
      !absl::c_all_of(scale.shape.dims(), [](Dim dim) { return dim.value() == 1; })) {
    return false;
  }
  for (const size_t i : {kScale, kZero}) {
    const ValueId a = i < one.size() ? one[i] : ValueId(), b = i < two.size() ? two[i] : ValueId();
    if (a == b) continue;
    if (!a.valid() || !b.valid()) return false;
    const Known &x = context.facts.values[a].known, &y = context.facts.values[b].known;
    if (x == nullptr || y == nullptr || x->size() != 1) return false;
    const auto numbers = ConstantNumbers(*x), others = ConstantNumbers(*y);
    if (!numbers.has_value() || numbers != others) return false;
  }
  return true;
}

void AbsorbQdq(const GuardContext& context, IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of) {
  QdqAbsorber(context, groups, group_of).Run();
}

}  // namespace hwest
