#include "pass/weights.h"

#include <vector>

#include "base/checked_math.h"
#include "hwest/type.h"

namespace hwest {
namespace {

enum class Role : uint8_t { kNone, kWeight, kBuffer };

// Which inputs of an operator on quantised data hold scales and zero points, one bit each.
struct QuantInputs {
  absl::string_view op;
  uint32_t scales;
  uint32_t weights;  // inputs whose integer contents are weights
};
constexpr QuantInputs kQuantInputs[] = {
    {"QuantizeLinear", 0b110, 0b001},       {"DequantizeLinear", 0b110, 0b001},
    {"QLinearConv", 0b11110110, 0b1000001000}, {"QLinearMatMul", 0b11110110, 0b00001000},
    {"QGemm", 0b110110110, 0b001001000},    {"MatMulInteger", 0b1100, 0b0010},
    {"ConvInteger", 0b1100, 0b0010},        {"QLinearAdd", 0b11110110, 0b00001000},
    {"MatMulNBits", 0b11100, 0b00010},      {"GatherBlockQuantized", 0b1100, 0b0001},
    {"QLinearGlobalAveragePool", 0b11110, 0},
};

const QuantInputs* FindQuant(absl::string_view op) {
  for (const QuantInputs& row : kQuantInputs) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

bool Bit(uint32_t mask, uint32_t input) { return input < 32 && ((mask >> input) & 1u) != 0; }

Role RoleOf(const Graph& graph, const Use& use, ElemType elem) {
  const absl::string_view op = graph.op(use.node);
  if (op == "BatchNormalization" && use.input >= 3) return Role::kBuffer;
  if (const QuantInputs* quant = FindQuant(op)) {
    if (Bit(quant->scales, use.input)) return Role::kNone;
    if (Bit(quant->weights, use.input)) return Role::kWeight;
  }
  return IsFloat(elem) ? Role::kWeight : Role::kNone;
}

// Elements as the operator sees them: blocks of packed low-bit weights are N*K elements in fewer bytes.
int64_t LogicalElements(const Graph& graph, const Use& use, const Constant& constant) {
  const absl::string_view op = graph.op(use.node);
  const auto attribute = [&](absl::string_view name, int64_t fallback) {
    const Attribute* found = graph.FindAttribute(use.node, name);
    return found != nullptr && found->kind == AttrKind::kInt ? found->i : fallback;
  };
  if (op == "MatMulNBits" && use.input == 1) {
    return CheckedMul(attribute("N", 0), attribute("K", 0)).value_or(constant.Elements());
  }
  if (op == "GatherBlockQuantized" && use.input == 0 && ElemBits(constant.elem) == 8) {
    const int64_t bits = attribute("bits", 4);
    return bits > 0 ? constant.Elements() * (8 / bits) : constant.Elements();
  }
  return constant.Elements();
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
      if (graph.op(use.node) == "Identity" && graph.domain(use.node).empty()) {
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
    if (graph.op(producer) != "Identity" || inputs.size() != 1 || !inputs[0].valid()) break;
    value = inputs[0];
  }
  return value;
}

}  // namespace

ParamTotals CountParams(const Graph& graph) {
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
      const Role use_role = RoleOf(graph, use, constant.elem);
      if (use_role == Role::kNone) return;
      const int64_t logical = LogicalElements(graph, use, constant);
      if (use_role == Role::kWeight) {
        role = Role::kWeight;
        elements = logical;
        totals.params_by_use += logical > 0 ? logical : 0;
      } else if (role == Role::kNone) {
        role = Role::kBuffer;
      }
    });
    if (role == Role::kNone || elements < 0 || seen[id.index()] != 0) continue;
    seen[id.index()] = 1;
    (role == Role::kWeight ? totals.params : totals.buffers) += elements;
    totals.stored_bytes += constant.length;
  }
  return totals;
}

int64_t WeightElements(const Graph& graph, NodeId node) {
  int64_t elements = 0;
  const auto inputs = graph.inputs(node);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) continue;
    const ValueId origin = RootOf(graph, inputs[i]);
    if (!IsCandidate(graph, origin) || graph.op(node) == "Identity") continue;
    const Constant& constant = graph.constant(graph.value(origin).constant);
    const Use use{node, i};
    if (RoleOf(graph, use, constant.elem) != Role::kWeight) continue;
    const int64_t logical = LogicalElements(graph, use, constant);
    elements += logical > 0 ? logical : 0;
  }
  return elements;
}

}  // namespace hwest
