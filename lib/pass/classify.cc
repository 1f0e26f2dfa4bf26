#include "pass/classify.h"

#include <vector>

#include "op/rule.h"

namespace hwest {
namespace {

bool IsShapeReader(absl::string_view op) { return op == "Shape" || op == "Size"; }

class Classifier {
 public:
  Classifier(const Graph& graph, const Facts& facts) : graph_(graph), facts_(facts), classes_(graph.nodes().size()) {}

  IdMap<NodeId, NodeClass> Run() {
    rules_.reserve(graph_.nodes().size());
    for (size_t n = 0; n < graph_.nodes().size(); ++n) {
      rules_.push_back(FindRule(graph_.domain(NodeId(n)), graph_.op(NodeId(n))));
    }
    free_of_data_.assign(graph_.nodes().size(), false);
    for (size_t n = 0; n < graph_.nodes().size(); ++n) Forward(NodeId(n));
    for (size_t n = graph_.nodes().size(); n-- > 0;) Backward(NodeId(n));
    return std::move(classes_);
  }

 private:
  void Forward(NodeId node);
  void Backward(NodeId node);
  NodeClass OwnClass(NodeId node) const;
  bool AllOutputsConstant(NodeId node) const;
  bool FreeOfData(NodeId node) const;
  bool IsShapeUse(const Use& use) const;
  bool IsSmall(ValueId value) const;
  bool ChangesNothing(NodeId node) const;

  const Graph& graph_;
  const Facts& facts_;
  IdMap<NodeId, NodeClass> classes_;
  std::vector<const OpRule*> rules_;
  std::vector<bool> free_of_data_;  // by node: computed from shapes and constants alone
};

bool Classifier::AllOutputsConstant(NodeId node) const {
  for (const ValueId output : graph_.outputs(node)) {
    if (output.valid() && !graph_.IsConstant(output)) return false;
  }
  return true;
}

bool Classifier::FreeOfData(NodeId node) const {
  if (IsShapeReader(graph_.op(node)) && graph_.domain(node).empty()) return true;
  for (const ValueId input : graph_.data_inputs(node)) {
    if (!input.valid() || IsConstantValue(graph_, classes_, input)) continue;
    const NodeId producer = graph_.value(input).producer;
    if (!producer.valid() || !free_of_data_[producer.index()]) return false;
  }
  return true;
}

// A Cast to the type its input has, or an Expand to the shape its input has.
bool Classifier::ChangesNothing(NodeId node) const {
  const absl::string_view op = graph_.op(node);
  const bool cast = op == "Cast" || op == "CastLike";
  if ((!cast && op != "Expand") || !graph_.domain(node).empty()) return false;
  const auto inputs = graph_.inputs(node);
  const auto outputs = graph_.outputs(node);
  if (inputs.empty() || outputs.empty() || !inputs[0].valid() || !outputs[0].valid()) return false;
  const Type& from = facts_.values[inputs[0]].type;
  const Type& to = facts_.values[outputs[0]].type;
  return cast ? from.elem != ElemType::kUndefined && from.elem == to.elem : from.shape.known() && from.shape == to.shape;
}

NodeClass Classifier::OwnClass(NodeId node) const {
  const OpRule* rule = rules_[node.index()];
  if (rule == nullptr) return NodeClass::kOpaque;
  if (ChangesNothing(node)) return NodeClass::kView;
  switch (rule->op_class) {
    case OpClass::kCompute: return NodeClass::kCompute;
    case OpClass::kLayout: return NodeClass::kLayout;
    case OpClass::kView: return NodeClass::kView;
    case OpClass::kConstant: return NodeClass::kConstant;
    case OpClass::kControl: return NodeClass::kControl;
  }
  return NodeClass::kOpaque;
}

void Classifier::Forward(NodeId node) {
  classes_[node] = OwnClass(node);
  const NodeClass own = classes_[node];
  if (own == NodeClass::kOpaque || own == NodeClass::kControl || graph_.inputs(node).empty()) return;
  if (AllOutputsConstant(node)) classes_[node] = NodeClass::kConstant;
  free_of_data_[node.index()] = FreeOfData(node);
}

bool Classifier::IsShapeUse(const Use& use) const {
  if (classes_[use.node] == NodeClass::kShape) return true;
  const OpRule* rule = rules_[use.node.index()];
  return rule != nullptr && use.input < 32 && ((rule->shape_inputs >> use.input) & 1u) != 0;
}

bool Classifier::IsSmall(ValueId value) const {
  const Type& type = facts_.values[value].type;
  return type.is_tensor() && type.shape.ranked() && type.shape.rank() <= 1;
}

void Classifier::Backward(NodeId node) {
  const NodeClass own = classes_[node];
  if (own == NodeClass::kConstant || own == NodeClass::kOpaque || own == NodeClass::kControl) return;
  bool used = false, shape_only = true, small = true;
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid()) continue;
    shape_only = shape_only && !graph_.value(output).is_output;
    small = small && IsSmall(output);
    for (const Use& use : graph_.uses(output)) {
      used = true;
      shape_only = shape_only && IsShapeUse(use);
    }
  }
  if ((used && shape_only) || (free_of_data_[node.index()] && small)) classes_[node] = NodeClass::kShape;
}

}  // namespace

absl::string_view NodeClassName(NodeClass node_class) {
  switch (node_class) {
    case NodeClass::kCompute: return "compute";
    case NodeClass::kLayout: return "layout";
    case NodeClass::kView: return "view";
    case NodeClass::kShape: return "shape";
    case NodeClass::kConstant: return "constant";
    case NodeClass::kControl: return "control";
    case NodeClass::kOpaque: return "opaque";
  }
  return "opaque";
}

bool IsConstantValue(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value) {
  const Value& row = graph.value(value);
  if (row.constant.valid()) return true;
  return row.producer.valid() && classes[row.producer] == NodeClass::kConstant;
}

IdMap<NodeId, NodeClass> Classify(const Graph& graph, const Facts& facts) { return Classifier(graph, facts).Run(); }

}  // namespace hwest
