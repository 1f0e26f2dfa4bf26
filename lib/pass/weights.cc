#include "pass/weights.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/checked_math.h"
#include "hwest/type.h"
#include "op/known.h"
#include "op/rule.h"
#include "op/tables.h"
#include "pass/needed.h"

namespace hwest {
namespace {

int64_t IntAttribute(const Graph& graph, NodeId node, absl::string_view name, int64_t fallback) {
  const Attribute* found = graph.FindAttribute(node, name);
  return found != nullptr && found->kind == AttrKind::kInt ? found->i : fallback;
}

// The product of the sizes in constant input `input`; none when it is no constant.
std::optional<int64_t> ProductOfContents(const Graph& graph, NodeId node, uint32_t input) {
  const auto inputs = graph.inputs(node);
  if (input >= inputs.size() || !inputs[input].valid() || !graph.value(inputs[input]).constant.valid()) return {};
  const Known sizes = DecodeConstant(graph.constant(graph.value(inputs[input]).constant));
  if (sizes == nullptr) return {};
  std::optional<int64_t> product = 1;
  for (const Scalar& size : *sizes) {
    if (!product.has_value() || !size.is_int() || !size.is_constant()) return {};
    product = CheckedMul(*product, size.dim().value());
  }
  return product;
}

// Elements as the operator sees them: blocks of packed low-bit weights are N*K elements in fewer bytes.
int64_t LogicalElements(const Graph& graph, const OpRule* rule, const Use& use, const Constant& constant) {
  const int64_t stored = constant.Elements();
  const PackedInputs* packed = rule == nullptr ? nullptr : PackedAt(*rule, use.input);
  if (packed == nullptr) return stored;
  if (packed->sizes_input >= 0) {
    return ProductOfContents(graph, use.node, static_cast<uint32_t>(packed->sizes_input)).value_or(stored);
  }
  if (!packed->rows.empty()) {
    const int64_t rows = IntAttribute(graph, use.node, packed->rows, 0);
    return CheckedMul(rows, IntAttribute(graph, use.node, packed->columns, 0)).value_or(stored);
  }
  const int64_t bits = PackedBits(graph, use.node, *packed);
  const bool holds_several = IsInteger(constant.elem) && ElemBits(constant.elem) == 8 && bits >= 1 && bits <= 8;
  return holds_several ? CheckedMul(stored, 8 / bits).value_or(stored) : stored;
}

// Calls visit(use) for every use of the value, those behind Identity included.
template <class Visit>
void ForEachUse(const Graph& graph, ValueId value, Visit visit) {
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const ValueId at = open.back();
    open.pop_back();
    for (const Use& use : graph.uses(at)) {
      if (HasTrait(graph, use.node, trait::kIdentity)) {
        for (const ValueId output : graph.outputs(use.node)) {
          if (output.valid()) open.push_back(output);
        }
      } else {
        visit(use);
      }
    }
  }
}

// The constant behind Identity nodes, none when the value is computed.
ValueId RootOf(const Graph& graph, ValueId value) {
  while (graph.value(value).producer.valid()) {
    const NodeId producer = graph.value(value).producer;
    const auto inputs = graph.inputs(producer);
    if (!HasTrait(graph, producer, trait::kIdentity) || inputs.size() != 1 || !inputs[0].valid()) break;
    value = inputs[0];
  }
  return value;
}

// Initialisers, and what the call of a local function handed in as a tensor: weights unless their operand says
// otherwise.
bool IsStored(const Value& value) { return value.is_initializer || value.is_argument; }

// One axis alone has more than one element.
bool IsVector(const Constant& tensor) {
  const auto extends = [](int64_t dim) { return dim > 1; };
  return tensor.Elements() > 1 && std::count_if(tensor.dims.begin(), tensor.dims.end(), extends) == 1;
}

// What depends on constants alone.
bool IsFolded(const Graph& graph, NodeId node) {
  const auto outputs = graph.outputs(node);
  return std::all_of(outputs.begin(), outputs.end(), [&](ValueId v) { return !v.valid() || graph.IsConstant(v); });
}

bool ReadsWeights(const Graph& graph, const OpRule& rule, NodeId node) {
  const auto inputs = graph.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (Covers(rule.parameters | rule.weights, i) && inputs[i].valid() && graph.IsConstant(inputs[i])) return true;
  }
  return false;
}

}  // namespace

// True where the other operand of a commuting operator is what an operator made of weights, or that with other
// constants added and multiplied.
bool Weights::FollowsWeights(const Graph& graph, NodeId node, uint32_t input) {
  constexpr int kMostHops = 8;
  for (int hop = 0; hop < kMostHops; ++hop) {
    const auto inputs = graph.inputs(node);
    if (inputs.size() != 2 || input > 1 || !inputs[1 - input].valid()) return false;
    const NodeId before = graph.value(RootOf(graph, inputs[1 - input])).producer;
    const OpRule* rule = before.valid() ? hwest::RuleOf(graph, before) : nullptr;
    if (rule == nullptr || !ReadsWeights(graph, *rule, before)) return false;
    if ((rule->traits & trait::kCommutes) == 0) return !Covers(rule->moved, 0);
    node = before;
    input = graph.IsConstant(graph.inputs(node)[0]) ? 0 : 1;
  }
  return false;
}

// `tensor` = null where other nodes have made something of it.
Weights::Ends Weights::EndsAt(const Graph& graph, const Use& use, const Constant* tensor) {
  const OpRule* rule = hwest::RuleOf(graph, use.node);
  if (rule == nullptr || Covers(rule->scales, use.input)) return 0;
  if (Covers(rule->buffers, use.input)) return kStatistics;
  if (Covers(rule->weights, use.input)) return kFloats | kIntegers;
  if (!Covers(rule->parameters, use.input) || (tensor != nullptr && tensor->Elements() <= 1)) return 0;
  if ((rule->traits & trait::kCommutes) != 0) {
    return (tensor == nullptr || IsVector(*tensor)) && FollowsWeights(graph, use.node, use.input) ? kFloats : 0;
  }
  // Of two constants the right one is the weight.
  const auto inputs = graph.inputs(use.node);
  const bool is_left = use.input == 0 && inputs.size() > 1 && inputs[1].valid() && Covers(rule->parameters, 1);
  return is_left && graph.IsConstant(inputs[1]) ? 0 : kFloats;
}

Weights::Ends Weights::EndsOf(const Use& use, const Constant* tensor) const {
  Ends ends = EndsAt(graph_, use, tensor);
  const OpRule* rule = hwest::RuleOf(graph_, use.node);
  const bool is_number = tensor != nullptr && tensor->Elements() <= 1;
  if (rule == nullptr || is_number || !Covers(rule->moved, use.input) || !IsFolded(graph_, use.node)) return ends;
  for (const ValueId output : graph_.outputs(use.node)) {
    if (output.valid()) ends |= ends_[output.index()];
  }
  return ends;
}

Weights::Role Weights::RoleAt(const Ends& ends, ElemType elem) {
  if ((ends & (IsFloat(elem) ? kFloats : kIntegers)) != 0) return Role::kWeight;
  return (ends & kStatistics) != 0 ? Role::kBuffer : Role::kNone;
}

Weights::Role Weights::RoleOf(const Use& use, ValueId origin) const {
  const Value& value = graph_.value(origin);
  if (!value.constant.valid()) return Role::kNone;
  const Constant& tensor = graph_.constant(value.constant);
  if (!IsStored(value)) return RoleAt(EndsOf(use, &tensor), tensor.elem);
  const OpRule* rule = hwest::RuleOf(graph_, use.node);
  if (rule != nullptr && Covers(rule->buffers, use.input)) return Role::kBuffer;
  if (rule != nullptr && Covers(rule->scales, use.input)) return Role::kNone;
  if (rule != nullptr && Covers(rule->weights, use.input)) return Role::kWeight;
  return IsFloat(tensor.elem) ? Role::kWeight : Role::kNone;
}

Weights::Weights(const Graph& graph)
    : graph_(graph), ends_(graph.values().size(), 0), is_weight_(graph.values().size(), false) {
  FindEnds();
  FindWeights();
}

// Users have larger ids than producers.
void Weights::FindEnds() {
  for (size_t n = graph_.nodes().size(); n-- > 0;) {
    for (const ValueId output : graph_.outputs(NodeId(n))) {
      if (!output.valid() || !graph_.IsConstant(output)) continue;
      for (const Use& use : graph_.uses(output)) ends_[output.index()] |= EndsOf(use, nullptr);
    }
  }
}

void Weights::FindWeights() {
  for (size_t v = 0; v < graph_.values().size(); ++v) {
    if (!graph_.value(ValueId(v)).constant.valid()) continue;
    ForEachUse(graph_, ValueId(v), [&](const Use& use) {
      if (RoleOf(use, ValueId(v)) != Role::kNone) is_weight_[v] = true;
    });
  }
  for (size_t n = 0; n < graph_.nodes().size(); ++n) {
    const auto inputs = graph_.inputs(NodeId(n));
    const auto is_weight = [this](ValueId input) { return input.valid() && is_weight_[input.index()]; };
    if (std::none_of(inputs.begin(), inputs.end(), is_weight)) continue;
    for (const ValueId output : graph_.outputs(NodeId(n))) {
      if (output.valid() && graph_.IsConstant(output)) is_weight_[output.index()] = true;
    }
  }
}

ParamTotals CountParams(const Graph& graph, const Facts& facts) {
  using Role = Weights::Role;
  const Weights weights(graph);
  ParamTotals totals;
  std::vector<uint8_t> seen(graph.constants().size(), 0);
  for (size_t v = 0; v < graph.values().size(); ++v) {
    const ValueId value(v);
    const ConstantId id = graph.value(value).constant;
    if (!id.valid()) continue;
    const Constant& constant = graph.constant(id);
    Role role = Role::kNone;
    int64_t elements = constant.Elements();
    ForEachUse(graph, value, [&](const Use& use) {
      if (IsDead(graph, facts, use.node)) return;
      const Role use_role = weights.RoleOf(use, value);
      if (use_role == Role::kNone) return;
      const int64_t logical = LogicalElements(graph, RuleOf(graph, use.node), use, constant);
      if (use_role == Role::kWeight) {
        role = Role::kWeight;
        elements = logical;
        totals.params_by_use = SaturatingAdd(totals.params_by_use, std::max<int64_t>(logical, 0));
      } else if (role == Role::kNone) {
        role = Role::kBuffer;
      }
    });
    if (role == Role::kNone || elements < 0 || seen[id.index()] != 0) continue;
    seen[id.index()] = 1;
    int64_t& total = role == Role::kWeight ? totals.params : totals.buffers;
    total = SaturatingAdd(total, elements);
    totals.stored_bytes = SaturatingAdd(totals.stored_bytes, constant.length);
  }
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    if (IsDead(graph, facts, NodeId(n))) continue;
    const int64_t learned = LearnedElements(graph, NodeId(n));
    totals.params = SaturatingAdd(totals.params, learned);
    totals.params_by_use = SaturatingAdd(totals.params_by_use, learned);
    totals.stored_bytes = SaturatingAdd(totals.stored_bytes, TableBytes(graph, NodeId(n)));
  }
  return totals;
}

std::optional<int> WeightBits(const Graph& graph, const Use& use) {
  const ValueId read = graph.inputs(use.node)[use.input];
  const ValueId origin = read.valid() ? RootOf(graph, read) : ValueId();
  if (!origin.valid() || !graph.value(origin).constant.valid()) return std::nullopt;
  const Constant& constant = graph.constant(graph.value(origin).constant);
  const OpRule* rule = RuleOf(graph, use.node);
  const bool is_weight = rule != nullptr && Covers(rule->weights, use.input);
  const bool is_float = IsFloat(constant.elem) && (rule == nullptr || !Covers(rule->scales | rule->buffers, use.input));
  if (!is_weight && !is_float) return std::nullopt;
  const int64_t stored = constant.Elements(), logical = LogicalElements(graph, rule, use, constant);
  const int bits = ElemBits(constant.elem);
  if (stored <= 0 || logical <= stored) return bits;
  return static_cast<int>(std::max<int64_t>(1, bits * stored / logical));
}

void Weights::ForEach(NodeId node, absl::FunctionRef<void(ConstantId, int64_t)> visit) const {
  const OpRule* rule = hwest::RuleOf(graph_, node);
  if (rule != nullptr && (rule->traits & trait::kIdentity) != 0) return;
  const auto inputs = graph_.inputs(node);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) continue;
    const ValueId origin = hwest::RootOf(graph_, inputs[i]);
    if (RoleOf({node, i}, origin) != Role::kWeight) continue;
    const ConstantId id = graph_.value(origin).constant;
    visit(id, std::max<int64_t>(LogicalElements(graph_, rule, {node, i}, graph_.constant(id)), 0));
  }
}

int64_t Weights::Elements(NodeId node) const {
  int64_t elements = LearnedElements(graph_, node);
  ForEach(node, [&](ConstantId, int64_t weight) { elements = SaturatingAdd(elements, weight); });
  return elements;
}

}  // namespace hwest
