#include "pass/classify.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "op/body.h"
#include "op/op_rules.h"
#include "op/rule.h"
#include "pass/needed.h"

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

// What a value does not depend on, a bit each.
using Freedom = uint8_t;
constexpr Freedom kOfData = 1;  // the contents of the model's inputs
constexpr Freedom kOfRun = 2;   // nor on a size that is decided at run time: known to the compiler
constexpr Freedom kOfBoth = kOfData | kOfRun;

// The loops by whose counters or carried values a value differs from run to run: bit d is the loop around a body of
// depth d.
using Loops = uint64_t;
constexpr int kMaxDepth = 63;

class Classifier {
 public:
  Classifier(const Graph& graph, const Facts& facts, const DimPool& dims, const OpRules* customs)
      : graph_(graph), facts_(facts), dims_(dims), customs_(customs), classes_(graph.nodes().size()) {}

  IdMap<NodeId, NodeClass> Run() {
    rules_.reserve(graph_.nodes().size());
    for (size_t n = 0; n < graph_.nodes().size(); ++n) {
      rules_.push_back(RuleOf(graph_, NodeId(n)));
    }
    free_.assign(graph_.nodes().size(), 0);
    IndexBodyInputs();
    for (int sweep = 0;; ++sweep) {
      for (size_t n = 0; n < graph_.nodes().size(); ++n) Forward(NodeId(n));
      if (carried_.empty() || !FindFedInputs(sweep >= kMaxSweeps)) break;
    }
    FindFolded();
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
    ValueId out;  // none = fed from outside only
    Freedom lost = 0;
  };
  void IndexBodyInputs();
  bool FindFedInputs(bool all);
  void FindFolded();
  bool Has(NodeId node, Traits traits) const {
    const OpRule* rule = rules_[node.index()];
    return rule != nullptr && (rule->traits & traits) != 0;
  }
  Freedom FreedomOf(ValueId value) const;
  Freedom FreedomOfInput(const BodyInput& input) const;
  Freedom FreedomOf(NodeId node) const;
  Freedom FreedomOfBodies(NodeId owner) const;
  Loops LoopsOf(ValueId value) const;
  Loops LoopsOf(NodeId node) const;
  bool IsFoldedOwner(GraphId body) const;
  bool LeavesAsShape(ValueId value) const;
  void Forward(NodeId node);
  void Backward(NodeId node);
  NodeClass OwnClass(NodeId node) const;
  bool AllOutputsConstant(NodeId node) const;
  bool IsShapeUse(const Use& use) const;
  bool IsSmall(ValueId value) const;
  bool ChangesNothing(NodeId node) const;

  const Graph& graph_;
  const Facts& facts_;
  const DimPool& dims_;
  const OpRules* customs_;
  IdMap<NodeId, NodeClass> classes_;
  std::vector<const OpRule*> rules_;
  std::vector<Freedom> free_;  // by node
  std::vector<bool> folded_;   // by node: gone before run time; empty = none is
  std::vector<Loops> loops_;   // by node; empty = the model has no bodies
  std::vector<int> depth_;     // by graph; 0 = main
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

// Carried values start out free and stay so while the body makes them from such. True when some did not.
bool Classifier::FindFedInputs(bool all) {
  bool found = false;
  for (const size_t index : carried_) {
    BodyInput& input = body_inputs_[index];
    const Freedom fed = all || !input.out.valid() ? Freedom{0} : FreedomOf(input.out);
    const Freedom lost = static_cast<Freedom>(kOfBoth & ~fed);
    if ((lost & ~input.lost) == 0) continue;
    input.lost |= lost;
    found = true;
  }
  return found;
}

Freedom Classifier::FreedomOf(ValueId value) const {
  if (IsConstantValue(graph_, classes_, value)) return kOfBoth;
  const NodeId producer = graph_.value(value).producer;
  if (producer.valid()) return free_[producer.index()];
  const auto found = body_input_of_.find(value);
  return found == body_input_of_.end() ? Freedom{0} : FreedomOfInput(body_inputs_[found->second]);
}

Freedom Classifier::FreedomOfInput(const BodyInput& input) const {
  if (input.source < 0) return kOfBoth;
  const auto inputs = graph_.inputs(input.owner);
  const size_t source = static_cast<size_t>(input.source);
  if (source >= inputs.size() || !inputs[source].valid()) return 0;
  return static_cast<Freedom>(FreedomOf(inputs[source]) & ~input.lost);
}

Freedom Classifier::FreedomOfBodies(NodeId owner) const {
  Freedom freedom = kOfBoth;
  for (const Attribute& attribute : graph_.attributes(owner)) {
    for (const GraphId body : attribute.graphs) {
      const auto trips = facts_.trips.find(body);
      if (trips != facts_.trips.end() && trips->second.IsConstant(0)) continue;
      for (const ValueId output : graph_.body(body).outputs) {
        if (facts_.IsNeeded(output)) freedom &= FreedomOf(output);
      }
    }
  }
  return freedom;
}

Freedom Classifier::FreedomOf(NodeId node) const {
  if (Has(node, trait::kRandom)) return 0;
  const OpRule* rule = rules_[node.index()];
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  // What comes from nowhere may be a state that the operator keeps.
  if (inputs.empty() && (rule == nullptr || rule->op_class == OpClass::kCompute)) return 0;
  const bool reads_shape = Has(node, trait::kReadsShape);
  Freedom freedom = kOfBoth;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || (rule != nullptr && Covers(rule->type_inputs, i))) continue;
    Freedom of_input = FreedomOf(inputs[i]);
    if (reads_shape) of_input |= IsSizeKnown(facts_.values[inputs[i]].type, dims_) ? kOfBoth : kOfData;
    freedom &= of_input;
  }
  return freedom & FreedomOfBodies(node);
}

Loops Classifier::LoopsOf(ValueId value) const {
  const NodeId producer = graph_.value(value).producer;
  if (producer.valid()) return loops_[producer.index()];
  if (!body_input_of_.contains(value)) return 0;
  return Loops{1} << depth_[graph_.value(value).graph.index()];
}

Loops Classifier::LoopsOf(NodeId node) const {
  Loops loops = 0;
  for (const ValueId input : graph_.inputs(node)) {
    if (input.valid()) loops |= LoopsOf(input);
  }
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      for (const ValueId output : graph_.body(body).outputs) {
        if (output.valid()) loops |= LoopsOf(output);
      }
    }
  }
  // What differs between the runs of its own bodies is the same for each of its own runs.
  return loops & ((Loops{2} << depth_[graph_.node(node).graph.index()]) - 1);
}

bool Classifier::IsFoldedOwner(GraphId body) const {
  const NodeId owner = graph_.body(body).owner;
  return owner.valid() && folded_[owner.index()];
}

// A value that every run of a loop makes anew is known before run time only together with the loop.
void Classifier::FindFolded() {
  const size_t count = graph_.nodes().size();
  folded_.assign(count, false);
  if (graph_.bodies().size() > 1) {
    depth_.assign(graph_.bodies().size(), 0);
    for (size_t g = 1; g < depth_.size(); ++g) {
      depth_[g] = std::min(depth_[graph_.body(GraphId(g)).parent.index()] + 1, kMaxDepth);
    }
    loops_.assign(count, 0);
    for (size_t n = 0; n < count; ++n) loops_[n] = LoopsOf(NodeId(n));
  }
  for (size_t n = count; n-- > 0;) {
    const bool once = loops_.empty() || loops_[n] == 0 || IsFoldedOwner(graph_.node(NodeId(n)).graph);
    folded_[n] = once && (free_[n] & kOfRun) != 0;
  }
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
      if (classes_[use.node] != NodeClass::kDead && !IsShapeUse(use)) return false;
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
  if (rule->computes != nullptr && rule->computes(graph_, node, facts_)) return NodeClass::kCompute;
  return ChangesNothing(node) ? NodeClass::kView : ClassOf(rule->op_class);
}

void Classifier::Forward(NodeId node) {
  classes_[node] = OwnClass(node);
  const NodeClass own = classes_[node];
  if (own == NodeClass::kControl && PortsOf(graph_, node).has_value()) free_[node.index()] = FreedomOf(node);
  if (own == NodeClass::kOpaque || own == NodeClass::kControl) return;
  if (!graph_.inputs(node).empty() && AllOutputsConstant(node)) classes_[node] = NodeClass::kConstant;
  free_[node.index()] = FreedomOf(node);
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
  if (IsDead(graph_, facts_, node)) {
    classes_[node] = NodeClass::kDead;
    return;
  }
  const NodeClass own = classes_[node];
  if (own == NodeClass::kControl && folded_[node.index()]) classes_[node] = NodeClass::kConstant;
  if (own == NodeClass::kConstant || own == NodeClass::kOpaque || own == NodeClass::kControl) return;
  bool used = false, shape_only = true, small = true;
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid() || !facts_.IsNeeded(output)) continue;
    used = used || graph_.value(output).is_output;
    shape_only = shape_only && LeavesAsShape(output);
    small = small && IsSmall(output);
    for (const Use& use : graph_.uses(output)) {
      if (classes_[use.node] == NodeClass::kDead) continue;
      used = true;
      shape_only = shape_only && IsShapeUse(use);
    }
  }
  const bool of_data = (free_[node.index()] & kOfData) == 0;
  if ((used && shape_only) || (!of_data && small)) {
    classes_[node] = NodeClass::kShape;
  } else if (folded_[node.index()]) {
    classes_[node] = NodeClass::kConstant;
  }
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
    case NodeClass::kDead: return "dead";
  }
  return "opaque";
}

bool IsReadAtRun(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, const Use& use) {
  if (IsFolded(classes[use.node])) return false;
  if (use.input == 0) return true;
  const OpRule* rule = RuleOf(graph, use.node);
  return rule == nullptr || !Covers(rule->type_inputs, use.input);
}

bool IsConstantValue(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value) {
  const Value& row = graph.value(value);
  if (row.constant.valid()) return true;
  return row.producer.valid() && classes[row.producer] == NodeClass::kConstant;
}

ValueId ViewedBy(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value) {
  const NodeId producer = graph.value(value).producer;
  if (!producer.valid() || classes[producer] != NodeClass::kView) return ValueId();
  const absl::Span<const ValueId> inputs = graph.inputs(producer);
  for (const ValueId input : inputs) {
    if (input.valid() && !IsConstantValue(graph, classes, input)) return input;
  }
  return inputs.empty() ? ValueId() : inputs[0];
}

IdMap<NodeId, NodeClass> Classify(const Graph& graph, const Facts& facts, const DimPool& dims, const OpRules* rules) {
  return Classifier(graph, facts, dims, rules).Run();
}

}  // namespace hwest
