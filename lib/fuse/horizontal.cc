#include "fuse/horizontal.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_split.h"
#include "fuse/guard_helpers.h"
#include "pass/alike.h"

namespace hwest {
namespace {

constexpr size_t kMostSiblings = 64;  // of a value, looked at
constexpr size_t kWeights = 1;        // the operand of a product that is constant
constexpr int kFirstWindowAxis = 2;   // of the weights of a convolution

class Merger {
 public:
  Merger(const GuardContext& context, std::shared_ptr<const PatternRow> row, IdMap<GroupId, Group>* groups,
         IdMap<NodeId, GroupId>* group_of)
      : context_(context),
        row_(std::move(row)),
        groups_(*groups),
        group_of_(*group_of),
        ops_(absl::StrSplit(row_->key, ' ')) {}

  void Run() {
    std::map<ValueId, std::vector<GroupId>> readers;
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      const ValueId value = OnlyOperandOf(GroupId(g));
      if (value.valid() && context_.graph.uses(value).size() > 1) readers[value].push_back(GroupId(g));
    }
    for (auto& [value, siblings] : readers) {
      if (siblings.size() > 1 && siblings.size() <= kMostSiblings) Merge(siblings);
    }
  }

 private:
  bool Multiplies(NodeId node) const {
    return context_.graph.domain(node).empty() &&
           std::find(ops_.begin(), ops_.end(), context_.graph.op(node)) != ops_.end();
  }

  // The one value that the group computes from, read by its one product; none when there is another one.
  ValueId OnlyOperandOf(GroupId id) const {
    ValueId operand;
    size_t products = 0;
    for (const NodeId node : groups_[id].nodes) {
      if (Multiplies(node)) {
        if (++products > 1 || !TakesMore(node)) return ValueId();
        operand = context_.graph.inputs(node)[0];
      }
    }
    if (products == 0 || IsInner(id, operand)) return ValueId();
    for (const NodeId node : groups_[id].nodes) {
      for (const ValueId input : context_.graph.inputs(node)) {
        if (input.valid() && input != operand && !IsInner(id, input) && !IsConst(context_, input)) return ValueId();
      }
    }
    return IsConst(context_, operand) ? ValueId() : operand;
  }

  bool IsInner(GroupId id, ValueId value) const {
    const NodeId producer = context_.graph.value(value).producer;
    return producer.valid() && group_of_[producer] == id;
  }

  // Whether its weights are a constant that others can lie beside.
  bool TakesMore(NodeId node) const {
    const ValueId weights = InputAt(context_, node, kWeights);
    return weights.valid() && IsConst(context_, weights) && ShapeOf(context_, weights).ranked() &&
           ShapeOf(context_, weights).rank() >= 2 && IntAttribute(context_, node, "group", 1) == 1;
  }

  void Merge(const std::vector<GroupId>& siblings) {
    for (auto first = siblings.begin(); first != siblings.end(); ++first) {
      const Group::Nodes nodes = SortedNodes(*first);
      if (nodes.empty()) continue;
      for (auto other = first + 1; other != siblings.end(); ++other) {
        const Group::Nodes others = SortedNodes(*other);
        const bool is_like = std::equal(nodes.begin(), nodes.end(), others.begin(), others.end(),
                                        [this](NodeId a, NodeId b) { return IsLike(a, b); });
        if (is_like) Join(*other, *first);
      }
    }
  }

  Group::Nodes SortedNodes(GroupId id) const {
    Group::Nodes nodes = groups_[id].nodes;
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  void Join(GroupId from, GroupId to) {
    Group& group = groups_[to];
    for (const NodeId node : groups_[from].nodes) {
      group.nodes.push_back(node);
      group_of_[node] = to;
    }
    groups_[from].nodes.clear();
    group.pattern = row_->family;
    group.fusion = row_;
  }

  bool IsLike(NodeId a, NodeId b) const {
    const Graph& graph = context_.graph;
    const Node &one = graph.node(a), &other = graph.node(b);
    if (one.op != other.op || one.domain != other.domain || one.graph != other.graph) return false;
    const auto attributes = graph.attributes(a), its = graph.attributes(b);
    return std::equal(attributes.begin(), attributes.end(), its.begin(), its.end(), SameAttribute) &&
           (!Multiplies(a) || HaveOneWindow(a, b));
  }

  bool HaveOneWindow(NodeId a, NodeId b) const {
    const Shape& one = ShapeOf(context_, InputAt(context_, a, kWeights));
    const Shape& other = ShapeOf(context_, InputAt(context_, b, kWeights));
    if (one.rank() != other.rank()) return false;
    for (int axis = kFirstWindowAxis; axis < one.rank(); ++axis) {
      if (one.dim(axis) != other.dim(axis)) return false;
    }
    return true;
  }

  const GuardContext& context_;
  const std::shared_ptr<const PatternRow> row_;
  IdMap<GroupId, Group>& groups_;
  IdMap<NodeId, GroupId>& group_of_;
  const std::vector<absl::string_view> ops_;
};

}  // namespace

void MergeSiblings(const GuardContext& context, const std::shared_ptr<const PatternRow>& row,
                   IdMap<GroupId, Group>* groups, IdMap<NodeId, GroupId>* group_of) {
  Merger(context, row, groups, group_of).Run();
}

}  // namespace hwest
