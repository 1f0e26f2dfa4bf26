#include "fuse/qdq.h"

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

  const GuardContext& context_;
  IdMap<GroupId, Group>& groups_;
  IdMap<NodeId, GroupId>& group_of_;
  IdMap<NodeId, Traits> traits_;
};

}  // namespace

void AbsorbQdq(const GuardContext& context, IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of) {
  QdqAbsorber(context, groups, group_of).Run();
}

}  // namespace hwest
