#include "pass/weights.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/checked_math.h"
#include "hwest/type.h"
#include "op/known.h"
#include "op/rule.h"
#include "pass/needed.h"

namespace hwest {
namespace {

enum class Role : uint8_t { kNone, kWeight, kBuffer };

Role RoleOf(const OpRule* rule, uint32_t input, ElemType elem) {
  if (rule != nullptr) {
    if (Covers(rule->buffers, input)) return Role::kBuffer;
    if (Covers(rule->scales, input)) return Role::kNone;
    if (Covers(rule->weights, input)) return Role::kWeight;
  }
  return IsFloat(elem) ? Role::kWeight : Role::kNone;
}

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

bool IsCandidate(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  return value.constant.valid() && (value.is_initializer || value.is_argument);
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

}  // namespace

ParamTotals CountParams(const Graph& graph, const Facts& facts) {
  ParamTotals totals;
  std::vector<uint8_t> seen(graph.constants().size(), 0);
  for (size_t v = 0; v < graph.values().size(); ++v) {
    const ValueId value(v);
    if (!IsCandidate(graph, value)) continue;
    const ConstantId id = graph.value(value).constant;
    const Constant& constant = graph.constant(id);
    Role role = Role::kNone;
    int64_t elements = constant.Elements();
    ForEachUse(graph, value, [&](const Use& use) {
      if (IsDead(graph, facts, use.node)) return;
      const OpRule* rule = RuleOf(graph, use.node);
      const Role use_role = RoleOf(rule, use.input, constant.elem);
      if (use_role == Role::kNone) return;
      const int64_t logical = LogicalElements(graph, rule, use, constant);
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
  return totals;
}

std::optional<int> WeightBits(const Graph& graph, const Use& use) {
  const ValueId read = graph.inputs(use.node)[use.input];
  const ValueId origin = read.valid() ? RootOf(graph, read) : ValueId();
  if (!origin.valid() || !IsCandidate(graph, origin)) return std::nullopt;
  const Constant& constant = graph.constant(graph.value(origin).constant);
  const OpRule* rule = RuleOf(graph, use.node);
  if (RoleOf(rule, use.input, constant.elem) != Role::kWeight) return std::nullopt;
  const int64_t stored = constant.Elements(), logical = LogicalElements(graph, rule, use, constant);
  const int bits = ElemBits(constant.elem);
  if (stored <= 0 || logical <= stored) return bits;
  return static_cast<int>(std::max<int64_t>(1, bits * stored / logical));
}

void ForEachWeight(const Graph& graph, NodeId node, absl::FunctionRef<void(ConstantId, int64_t)> visit) {
  const OpRule* rule = RuleOf(graph, node);
  if (rule != nullptr && (rule->traits & trait::kIdentity) != 0) return;
  const auto inputs = graph.inputs(node);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) continue;
    const ValueId origin = RootOf(graph, inputs[i]);
    if (!IsCandidate(graph, origin)) continue;
    const ConstantId id = graph.value(origin).constant;
    const Constant& constant = graph.constant(id);
    if (RoleOf(rule, i, constant.elem) != Role::kWeight) continue;
    visit(id, std::max<int64_t>(LogicalElements(graph, rule, {node, i}, constant), 0));
  }
}

int64_t WeightElements(const Graph& graph, NodeId node) {
  int64_t elements = 0;
  ForEachWeight(graph, node, [&](ConstantId, int64_t weight) { elements = SaturatingAdd(elements, weight); });
  return elements;
}

}  // namespace hwest
