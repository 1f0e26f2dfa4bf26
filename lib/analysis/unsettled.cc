#include "analysis/unsettled.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "op/body.h"
#include "op/rule.h"
#include "pass/needed.h"

namespace hwest {
namespace {

constexpr int64_t kMostElements = 16;  // of an input that is written out on a command line
constexpr size_t kMostLookedAt = 4096;
constexpr int kMostHops = 8;

// What an operand decides, in the order of how much hangs on it.
enum class Decides : uint8_t { kBranch, kTrips, kMode, kSize };

struct Unsettled {
  Decides decides = Decides::kSize;
  NodeId first;
  int64_t nodes = 0;
};
using InputSet = std::set<ValueId>;

bool IsDecidedBeforeRun(const Analysis& analysis, Dim size) {
  return IsSizeKnown(Type::Tensor(ElemType::kInt64, Shape({size})), *analysis.dims);
}

class UnsettledFinder {
 public:
  explicit UnsettledFinder(const Analysis& analysis) : a_(analysis), graph_(*analysis.graph) {}

  std::map<InputSet, Unsettled> Run() {
    for (size_t n = 0; n < graph_.nodes().size(); ++n) {
      if (a_.classes[NodeId(n)] != NodeClass::kDead) Visit(NodeId(n));
    }
    return std::move(found_);
  }

 private:
  void Visit(NodeId node);
  void Add(NodeId node, Decides decides, const std::vector<ValueId>& operands);
  bool AreTripsKnown(NodeId node) const;
  bool IsSizeOpen(NodeId node) const;
  bool IsKnown(ValueId value) const;
  bool IsSmallInput(ValueId value) const;
  // Adds the inputs that the contents of `value` come from; false when they come from anything else, too.
  bool Trace(ValueId value, absl::flat_hash_set<ValueId>* seen, InputSet* inputs) const;

  const Analysis& a_;
  const Graph& graph_;
  std::map<InputSet, Unsettled> found_;
};

bool UnsettledFinder::IsKnown(ValueId value) const {
  const Known& known = a_.facts.values[value].known;
  if (graph_.IsConstant(value)) return true;
  if (known == nullptr) return false;
  return std::all_of(known->begin(), known->end(), [&](const Scalar& scalar) {
    return scalar.is_float() || (scalar.is_int() && IsDecidedBeforeRun(a_, scalar.dim()));
  });
}

bool UnsettledFinder::IsSmallInput(ValueId value) const {
  const Type& type = a_.facts.values[value].type;
  const bool is_whole = IsInteger(type.elem) || type.elem == ElemType::kBool;
  if (!type.is_tensor() || !type.shape.constant() || !is_whole) return false;
  int64_t elements = 1;
  for (const Dim dim : type.shape.dims()) {
    elements *= std::min(dim.value(), kMostElements + 1);
    if (elements < 1 || elements > kMostElements) return false;
  }
  return true;
}

bool UnsettledFinder::Trace(ValueId value, absl::flat_hash_set<ValueId>* seen, InputSet* inputs) const {
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const ValueId at = open.back();
    open.pop_back();
    if (!seen->insert(at).second || IsKnown(at)) continue;
    const NodeId producer = graph_.value(at).producer;
    if (!producer.valid()) {
      if (graph_.value(at).graph != GraphId(0u) || !IsSmallInput(at)) return false;
      inputs->insert(at);
      continue;
    }
    if (HasTrait(graph_, producer, trait::kReadsShape | trait::kRandom)) return false;
    if (PortsOf(graph_, producer).has_value()) return false;
    if (seen->size() > kMostLookedAt || graph_.inputs(producer).empty()) return false;
    for (const ValueId input : graph_.inputs(producer)) {
      if (input.valid()) open.push_back(input);
    }
  }
  return true;
}

bool UnsettledFinder::AreTripsKnown(NodeId node) const {
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      const auto trips = a_.facts.trips.find(body);
      if (trips == a_.facts.trips.end()) return false;
      if (!IsDecidedBeforeRun(a_, trips->second)) return false;
    }
  }
  return true;
}

bool UnsettledFinder::IsSizeOpen(NodeId node) const {
  const auto outputs = graph_.outputs(node);
  return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
    return output.valid() && a_.facts.IsNeeded(output) && !IsSizeKnown(a_.facts.values[output].type, *a_.dims);
  });
}

void UnsettledFinder::Add(NodeId node, Decides decides, const std::vector<ValueId>& operands) {
  InputSet inputs;
  absl::flat_hash_set<ValueId> seen;
  for (const ValueId operand : operands) {
    if (!Trace(operand, &seen, &inputs)) return;
  }
  if (inputs.empty()) return;
  Unsettled& row = found_[inputs];
  if (row.nodes++ > 0 && decides >= row.decides) return;
  row.decides = decides;
  row.first = node;
}

void UnsettledFinder::Visit(NodeId node) {
  const OpRule* rule = RuleOf(graph_, node);
  if (rule == nullptr) return;
  const auto inputs = graph_.inputs(node);
  const std::optional<BodyPorts> ports = PortsOf(graph_, node);
  std::vector<ValueId> operands;
  if (ports.has_value()) {
    if (AreTripsKnown(node)) return;
    const bool branches = (rule->traits & trait::kBranches) != 0;
    const size_t deciding = branches ? 1 : static_cast<size_t>(ports->counters);
    for (size_t i = 0; i < std::min(deciding, inputs.size()); ++i) {
      if (inputs[i].valid()) operands.push_back(inputs[i]);
    }
    return Add(node, branches ? Decides::kBranch : Decides::kTrips, operands);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].valid() && Covers(rule->shape_inputs, i) && !IsKnown(inputs[i])) operands.push_back(inputs[i]);
  }
  if (operands.empty()) return;
  if (IsSizeOpen(node)) return Add(node, Decides::kSize, operands);
  if (rule->computes != nullptr && rule->computes(graph_, node, a_.facts)) Add(node, Decides::kMode, operands);
}

// The number that the model compares the input with, looked at through what has no other operand.
std::optional<int64_t> ComparedWith(const Analysis& a, ValueId value, int hop = 0) {
  const Graph& graph = *a.graph;
  for (const Use& use : graph.uses(value)) {
    const auto inputs = graph.inputs(use.node), outputs = graph.outputs(use.node);
    if (outputs.empty() || !outputs[0].valid()) continue;
    const bool is_predicate = a.facts.values[outputs[0]].type.elem == ElemType::kBool;
    for (size_t i = 0; is_predicate && inputs.size() == 2 && i < 2; ++i) {
      const Known& known = inputs[i].valid() ? a.facts.values[inputs[i]].known : nullptr;
      const bool is_number = i != use.input && known != nullptr && known->size() == 1 && (*known)[0].is_int();
      if (is_number && (*known)[0].is_constant()) return (*known)[0].dim().value();
    }
    const bool alone = std::all_of(inputs.begin(), inputs.end(), [&](ValueId input) {
      return !input.valid() || input == value || graph.IsConstant(input);
    });
    const auto found = alone && hop < kMostHops ? ComparedWith(a, outputs[0], hop + 1) : std::nullopt;
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

// `number` as a literal of the shape's dims from `axis` on.
std::string Literal(const Shape& shape, int axis, const std::string& number) {
  if (axis == shape.rank()) return number;
  const std::vector<std::string> parts(static_cast<size_t>(shape.dim(axis).value()), Literal(shape, axis + 1, number));
  return absl::StrCat("[", absl::StrJoin(parts, ","), "]");
}

// "INPUT=LITERAL"
std::string ValueOf(const Analysis& a, ValueId input) {
  const Type& type = a.facts.values[input].type;
  const int64_t number = ComparedWith(a, input).value_or(1);
  const std::string text = type.elem != ElemType::kBool ? absl::StrCat(number) : number != 0 ? "true" : "false";
  return absl::StrCat(a.graph->name(input), "=", Literal(type.shape, 0, text));
}

NamedOption ValuesOf(const Analysis& a, const InputSet& inputs) {
  NamedOption values("--value");
  for (const ValueId input : inputs) values.values.push_back(ValueOf(a, input));
  return values;
}

absl::string_view InWords(Decides decides) {
  switch (decides) {
    case Decides::kBranch: return "which branch runs, the more expensive one is assumed,";
    case Decides::kTrips: return "how often a body runs";
    case Decides::kMode: return "whether it computes, which is assumed,";
    case Decides::kSize: return "a size";
  }
  return "";
}

}  // namespace

void NoteUnsettled(Analysis* analysis) {
  for (const auto& [inputs, row] : UnsettledFinder(*analysis).Run()) {
    const NamedOption values = ValuesOf(*analysis, inputs);
    const std::string names = absl::StrJoin(inputs, ", ", [&](std::string* out, ValueId input) {
      absl::StrAppend(out, "'", analysis->graph->name(input), "'");
    });
    const std::string others = row.nodes > 1 ? absl::StrCat(", as in ", row.nodes - 1, " more nodes") : "";
    analysis->diagnostics.push_back({.code = Code::kAssumed,
                                     .message = absl::StrCat(InWords(row.decides), " hangs on the contents of input ",
                                                             names, others, "; ", values.text(), " settles it"),
                                     .remedy = values.text(),
                                     .node = analysis->graph->Label(row.first),
                                     .options = {values}});
  }
}

std::string SettlingFlags(const Analysis& analysis) {
  InputSet all;
  for (const auto& [inputs, row] : UnsettledFinder(analysis).Run()) all.insert(inputs.begin(), inputs.end());
  return all.empty() ? "" : ValuesOf(analysis, all).text();
}

}  // namespace hwest
