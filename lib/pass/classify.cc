#include "pass/classify.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "op/body.h"
#include "op/op_rules.h"
#include "op/rule.h"

namespace hwest {
namespace {

NodeClass ClassOf(OpClass op_class) {
  switch (op_class) {
    case OpClass::kCompute: return NodeClass::kCompute;
    case OpClass::kLayout: return NodeClass::kLayout;
    case OpClass::kView: return NodeClass::kView;
    case OpClass::kConstant: return NodeClass::kConstant;
    case OpClass::kControl: return NodeClass::kControl;
  }
  return NodeClass::kOpaque;
}

class Classifier {
 public:
  Classifier(const Graph& graph, const Facts& facts, const OpRules* customs)
      : graph_(graph), facts_(facts), customs_(customs), classes_(graph.nodes().size()) {}

  IdMap<NodeId, NodeClass> Run() {
    rules_.reserve(graph_.nodes().size());
    for (size_t n = 0; n < graph_.nodes().size(); ++n) {
      rules_.push_back(RuleOf(graph_, NodeId(n)));
    }
    free_of_data_.assign(graph_.nodes().size(), false);
    IndexBodyInputs();
    for (int sweep = 0;; ++sweep) {
      for (size_t n = 0; n < graph_.nodes().size(); ++n) Forward(NodeId(n));
      if (carried_.empty() || !FindFedInputs(sweep >= kMaxSweeps)) break;
    }
    for (size_t n = graph_.nodes().size(); n-- > 0;) Backward(NodeId(n));
    return std::move(classes_);
  }

 private:
  static constexpr int kMaxSweeps = 4;

  // An input of a body that an input of the owner feeds, and from the second run on an output of the body.
  struct BodyInput {
    NodeId owner;
    int source = -1;  // input of the owner; -1 = counts runs
    ValueId in;
    ValueId out;      // none = fed from outside only
    bool has_data = false;
  };
  void IndexBodyInputs();
  bool FindFedInputs(bool all);
  bool Has(NodeId node, Traits traits) const {
    const OpRule* rule = rules_[node.index()];
    return rule != nullptr && (rule->traits & traits) != 0;
  }
  bool IsFree(ValueId value) const;
  bool IsFreeBodyInput(const BodyInput& input) const;
  bool LeavesAsShape(ValueId value) const;
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
  const OpRules* customs_;
  IdMap<NodeId, NodeClass> classes_;
  std::vector<const OpRule*> rules_;
  std::vector<bool> free_of_data_;  // by node: computed from shapes and constants alone
  std::vector<BodyInput> body_inputs_;
  std::vector<size_t> carried_;                         // of them, those with an `out`
  absl::flat_hash_map<ValueId, size_t> body_input_of_;  // index into body_inputs_
};

void Classifier::IndexBodyInputs() {
  for (size_t g = 1; g < graph_.bodies().size(); ++g) {
    const Body& body = graph_.body(GraphId(g));
    const auto ports = PortsOf(graph_, body.owner);
    if (!ports.has_value()) continue;
    for (size_t j = 0; j < body.inputs.size(); ++j) {
      const int port = static_cast<int>(j);
      BodyInput input{.owner = body.owner, .in = body.inputs[j]};
      if (port >= ports->counters) input.source = port + ports->input_shift;
      if (port >= ports->counters && port < ports->counters + ports->carried) {
        const size_t back = static_cast<size_t>(port + ports->output_shift);
        if (back < body.outputs.size()) input.out = body.outputs[back];
        carried_.push_back(body_inputs_.size());
      }
      body_input_of_[input.in] = body_inputs_.size();
      body_inputs_.push_back(input);
    }
  }
}

// Carried values start out free of data and stay so while the body makes them from such. True when some did not.
bool Classifier::FindFedInputs(bool all) {
  bool found = false;
  for (const size_t index : carried_) {
    BodyInput& input = body_inputs_[index];
    if (input.has_data || (!all && (!input.out.valid() || IsFree(input.out)))) continue;
    input.has_data = true;
    found = true;
  }
  return found;
}

bool Classifier::IsFree(ValueId value) const {
  if (IsConstantValue(graph_, classes_, value)) return true;
  const NodeId producer = graph_.value(value).producer;
  if (producer.valid()) return free_of_data_[producer.index()];
  const auto found = body_input_of_.find(value);
  return found != body_input_of_.end() && IsFreeBodyInput(body_inputs_[found->second]);
}

bool Classifier::IsFreeBodyInput(const BodyInput& input) const {
  if (input.source < 0) return true;
  const auto inputs = graph_.inputs(input.owner);
  const size_t source = static_cast<size_t>(input.source);
  return !input.has_data && source < inputs.size() && inputs[source].valid() && IsFree(inputs[source]);
}

// True when a value that an If returns is a shape operand only where the If's output is used.
bool Classifier::LeavesAsShape(ValueId value) const {
  const Value& row = graph_.value(value);
  if (!row.is_output) return true;
  const Body& body = graph_.body(row.graph);
  if (!body.owner.valid() || !Has(body.owner, trait::kBranches)) return false;
  bool found = false;
  const auto outputs = graph_.outputs(body.owner);
  for (size_t j = 0; j < body.outputs.size() && j < outputs.size(); ++j) {
    if (!(body.outputs[j] == value) || !outputs[j].valid()) continue;
    found = !graph_.uses(outputs[j]).empty();
    for (const Use& use : graph_.uses(outputs[j])) {
      if (!IsShapeUse(use)) return false;
    }
    if (!LeavesAsShape(outputs[j])) return false;
  }
  return found;
}

bool Classifier::AllOutputsConstant(NodeId node) const {
  for (const ValueId output : graph_.outputs(node)) {
    if (output.valid() && !graph_.IsConstant(output)) return false;
  }
  return true;
}

bool Classifier::FreeOfData(NodeId node) const {
  if (Has(node, trait::kReadsShape)) return true;
  const OpRule* rule = rules_[node.index()];
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool lends_type = rule != nullptr && Covers(rule->type_inputs, i);
    if (inputs[i].valid() && !lends_type && !IsFree(inputs[i])) return false;
  }
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      for (const ValueId output : graph_.body(body).outputs) {
        if (!IsFree(output)) return false;
      }
    }
  }
  return true;
}

// A conversion to the type its input has, or copies along axes that leave the shape its input has.
bool Classifier::ChangesNothing(NodeId node) const {
  const bool converts = Has(node, trait::kConverts);
  if (!converts && !Has(node, trait::kRepeats)) return false;
  const auto inputs = graph_.inputs(node);
  const auto outputs = graph_.outputs(node);
  if (inputs.empty() || outputs.empty() || !inputs[0].valid() || !outputs[0].valid()) return false;
  const Type& from = facts_.values[inputs[0]].type;
  const Type& to = facts_.values[outputs[0]].type;
  return converts ? from.elem != ElemType::kUndefined && from.elem == to.elem
                  : from.shape.known() && from.shape == to.shape;
}

NodeClass Classifier::OwnClass(NodeId node) const {
  const OpRule* rule = rules_[node.index()];
  if (rule == nullptr) {
    const CustomRule* custom = FindCustomRule(customs_, graph_, node);
    return custom == nullptr ? NodeClass::kOpaque : ClassOf(custom->op_class);
  }
  return ChangesNothing(node) ? NodeClass::kView : ClassOf(rule->op_class);
}

void Classifier::Forward(NodeId node) {
  classes_[node] = OwnClass(node);
  const NodeClass own = classes_[node];
  if (own == NodeClass::kControl) free_of_data_[node.index()] = PortsOf(graph_, node).has_value() && FreeOfData(node);
  if (own == NodeClass::kOpaque || own == NodeClass::kControl || graph_.inputs(node).empty()) return;
  if (AllOutputsConstant(node)) classes_[node] = NodeClass::kConstant;
  free_of_data_[node.index()] = FreeOfData(node);
}

bool Classifier::IsShapeUse(const Use& use) const {
  if (classes_[use.node] == NodeClass::kShape) return true;
  const OpRule* rule = rules_[use.node.index()];
  return rule != nullptr && Covers(rule->shape_inputs, use.input);
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
    used = used || graph_.value(output).is_output;
    shape_only = shape_only && LeavesAsShape(output);
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

IdMap<NodeId, NodeClass> Classify(const Graph& graph, const Facts& facts, const OpRules* rules) {
  return Classifier(graph, facts, rules).Run();
}

}  // namespace hwest
