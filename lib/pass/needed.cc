#include "pass/needed.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "op/body.h"
#include "op/rule.h"

namespace hwest {
namespace {

// NeedFinder walks from the outputs back to the inputs; each value and each node is met once.
class NeedFinder {
 public:
  NeedFinder(const Graph& graph, const Facts& facts, const DimPool& dims)
      : graph_(graph),
        facts_(facts),
        dims_(dims),
        unneeded_(graph.values().size(), true),
        met_(graph.nodes().size(), false) {}

  std::vector<bool> Run() {
    IndexBodies();
    for (const ValueId output : graph_.main().outputs) Need(output);
    if (open_.empty()) return {};
    while (!open_.empty()) {
      const ValueId value = open_.back();
      open_.pop_back();
      const NodeId producer = graph_.value(value).producer;
      if (producer.valid()) {
        MeetOutput(producer, value);
      } else if (const auto port = input_ports_.find(value); port != input_ports_.end()) {
        MeetBodyInput(port->second);
      }
    }
    return std::move(unneeded_);
  }

 private:
  struct InputPort {
    GraphId body;
    int index = 0;
  };

  void IndexBodies();
  void Need(ValueId value) {
    if (!value.valid() || !unneeded_[value.index()]) return;
    unneeded_[value.index()] = false;
    open_.push_back(value);
  }
  void NeedAt(absl::Span<const ValueId> values, int index) {
    if (index >= 0 && static_cast<size_t>(index) < values.size()) Need(values[static_cast<size_t>(index)]);
  }
  bool NeverRuns(GraphId body) const {
    const auto trips = facts_.trips.find(body);
    return trips != facts_.trips.end() && trips->second.IsConstant(0);
  }
  template <class Visit>
  void ForEachBody(NodeId owner, Visit visit) {
    for (const Attribute& attribute : graph_.attributes(owner)) {
      for (const GraphId body : attribute.graphs) {
        if (!NeverRuns(body)) visit(graph_.body(body));
      }
    }
  }
  void MeetOutput(NodeId node, ValueId output);
  void MeetNode(NodeId node);
  void MeetOwner(NodeId owner);
  void MeetOwnersOutput(NodeId owner, const BodyPorts& ports, int index);
  void MeetBodyInput(const InputPort& port);

  const Graph& graph_;
  const Facts& facts_;
  const DimPool& dims_;
  std::vector<bool> unneeded_;
  std::vector<bool> met_;
  std::vector<ValueId> open_;
  absl::flat_hash_map<ValueId, InputPort> input_ports_;
  absl::flat_hash_map<NodeId, std::optional<BodyPorts>> owners_;
};

bool IsCarried(const BodyPorts& ports, int input) {
  return input >= ports.counters && input < ports.counters + ports.carried;
}

void NeedFinder::IndexBodies() {
  for (size_t g = 1; g < graph_.bodies().size(); ++g) {
    const Body& body = graph_.body(GraphId(g));
    owners_.try_emplace(body.owner, PortsOf(graph_, body.owner));
    for (size_t i = 0; i < body.inputs.size(); ++i) {
      input_ports_[body.inputs[i]] = {GraphId(g), static_cast<int>(i)};
    }
  }
}

void NeedFinder::MeetOutput(NodeId node, ValueId output) {
  const auto owner = owners_.find(node);
  if (!met_[node.index()]) {
    met_[node.index()] = true;
    if (owner == owners_.end()) MeetNode(node);
    if (owner != owners_.end()) MeetOwner(node);
  }
  if (owner == owners_.end() || !owner->second.has_value()) return;
  const absl::Span<const ValueId> outputs = graph_.outputs(node);
  const auto at = std::find(outputs.begin(), outputs.end(), output);
  MeetOwnersOutput(node, *owner->second, static_cast<int>(at - outputs.begin()));
}

void NeedFinder::MeetNode(NodeId node) {
  const OpRule* rule = RuleOf(graph_, node);
  const bool reads_shape = rule != nullptr && (rule->traits & trait::kReadsShape) != 0;
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || (rule != nullptr && Covers(rule->type_inputs, i))) continue;
    if (!reads_shape || !IsSizeKnown(facts_.values[inputs[i]].type, dims_)) Need(inputs[i]);
  }
}

// What every run needs, whatever is read of its results.
void NeedFinder::MeetOwner(NodeId owner) {
  const std::optional<BodyPorts>& ports = owners_[owner];
  const absl::Span<const ValueId> inputs = graph_.inputs(owner);
  for (int i = 0; i < static_cast<int>(inputs.size()); ++i) {
    if (!ports.has_value() || !IsCarried(*ports, i - ports->input_shift)) NeedAt(inputs, i);
  }
  ForEachBody(owner, [&](const Body& body) {
    const int always = ports.has_value() ? -ports->output_shift : static_cast<int>(body.outputs.size());
    for (int i = 0; i < always; ++i) NeedAt(body.outputs, i);
  });
}

void NeedFinder::MeetOwnersOutput(NodeId owner, const BodyPorts& ports, int index) {
  const int in_body = index - ports.output_shift;
  ForEachBody(owner, [&](const Body& body) { NeedAt(body.outputs, in_body); });
  // It is what came in when no run changes it.
  const int carried = in_body - ports.output_shift;
  if (IsCarried(ports, carried)) NeedAt(graph_.inputs(owner), carried + ports.input_shift);
}

void NeedFinder::MeetBodyInput(const InputPort& port) {
  const Body& body = graph_.body(port.body);
  const std::optional<BodyPorts>& ports = owners_[body.owner];
  if (!ports.has_value() || !IsCarried(*ports, port.index)) return;
  NeedAt(graph_.inputs(body.owner), port.index + ports->input_shift);
  NeedAt(body.outputs, port.index + ports->output_shift);
}

}  // namespace

std::vector<bool> FindUnneeded(const Graph& graph, const Facts& facts, const DimPool& dims) {
  return NeedFinder(graph, facts, dims).Run();
}

bool IsSizeKnown(const Type& type, const DimPool& dims) {
  if (!type.is_tensor() || !type.shape.ranked()) return false;
  for (const Dim dim : type.shape.dims()) {
    if (dim.is_constant()) continue;
    if (dim.is_unknown()) return false;
    for (const SymbolId symbol : dims.SymbolsOf(dim)) {
      if (dims.symbol(symbol).data_dependent) return false;
    }
  }
  return true;
}

bool IsDead(const Graph& graph, const Facts& facts, NodeId node) {
  const absl::Span<const ValueId> outputs = graph.outputs(node);
  return std::none_of(outputs.begin(), outputs.end(),
                      [&](ValueId value) { return value.valid() && facts.IsNeeded(value); });
}

}  // namespace hwest
