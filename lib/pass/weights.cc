#include "pass/weights.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "base/checked_math.h"
#include "hwest/type.h"
#include "op/known.h"

namespace hwest {
namespace {

enum class Role : uint8_t { kNone, kWeight, kBuffer };

constexpr uint32_t Inputs(std::initializer_list<uint32_t> inputs) {
  uint32_t mask = 0;
  for (const uint32_t input : inputs) mask |= 1u << input;
  return mask;
}

// Inputs first, first + 3, first + 6, ... of a list of (tensor, scale, zero point).
constexpr uint32_t EveryThird(uint32_t first) {
  uint32_t mask = 0;
  for (uint32_t input = first; input < 32; input += 3) mask |= 1u << input;
  return mask;
}

// Which inputs of an operator on quantised data hold scales and zero points, one bit each.
struct QuantInputs {
  absl::string_view op;
  uint32_t scales;
  uint32_t weights;  // inputs whose integer contents are weights
};
constexpr QuantInputs kQuantInputs[] = {
    {"ConvInteger", Inputs({2, 3}), Inputs({1})},
    {"DequantizeLinear", Inputs({1, 2}), Inputs({0})},
    {"DequantizeWithOrder", Inputs({1}), Inputs({0})},
    {"DynamicQuantizeLSTM", Inputs({8, 9, 10, 11}), Inputs({1, 2})},
    {"DynamicQuantizeMatMul", Inputs({2, 3}), Inputs({1})},
    {"GatherBlockQuantized", Inputs({2, 3}), Inputs({0})},
    {"GemmFloat8", Inputs({3, 4, 5}), 0},
    {"GroupQueryAttention", Inputs({12, 13}), 0},
    {"MatMulBlockQuantizedFp4Weight", Inputs({2, 3, 4}), Inputs({1})},
    {"MatMulBlockQuantizedFp8Weight", Inputs({2, 3}), Inputs({1})},
    {"MatMulBnb4", Inputs({2}), Inputs({1})},
    {"MatMulFpQ4", Inputs({2}), Inputs({1})},
    {"MatMulInteger", Inputs({2, 3}), Inputs({1})},
    {"MatMulInteger16", 0, Inputs({1})},
    {"MatMulIntegerToFloat", Inputs({2, 3, 4, 5}), Inputs({1})},
    {"MatMulNBits", Inputs({2, 3, 4}), Inputs({1})},
    {"MatMulNBitsMlp", Inputs({4, 7}), Inputs({3, 6})},
    {"MatMulNBitsQkv", Inputs({4, 7, 10}), Inputs({3, 6, 9})},
    {"PagedAttention", Inputs({14, 15}), 0},
    {"QAttention", Inputs({3, 4, 6, 7}), Inputs({1})},
    {"QEmbedLayerNormalization", Inputs({8, 9, 10, 11, 12, 13, 14, 15, 16, 17}), Inputs({2, 3, 4, 5, 6})},
    {"QGemm", Inputs({1, 2, 4, 5, 7, 8}), Inputs({3, 6})},
    {"QLinearAdd", Inputs({1, 2, 4, 5, 6, 7}), Inputs({3})},
    {"QLinearAveragePool", Inputs({1, 2, 3, 4}), 0},
    {"QLinearConcat", Inputs({0, 1}) | EveryThird(3) | EveryThird(4), EveryThird(2)},
    {"QLinearConv", Inputs({1, 2, 4, 5, 6, 7}), Inputs({3, 8})},
    {"QLinearConvTranspose", Inputs({1, 2, 4, 5, 6, 7}), Inputs({3, 8})},
    {"QLinearGlobalAveragePool", Inputs({1, 2, 3, 4}), 0},
    {"QLinearLeakyRelu", Inputs({1, 2, 3, 4}), 0},
    {"QLinearMatMul", Inputs({1, 2, 4, 5, 6, 7}), Inputs({3})},
    {"QLinearMul", Inputs({1, 2, 4, 5, 6, 7}), Inputs({3})},
    {"QLinearReduceMean", Inputs({1, 2, 3, 4}), 0},
    {"QLinearSigmoid", Inputs({1, 2, 3, 4}), 0},
    {"QLinearSoftmax", Inputs({1, 2, 3, 4}), 0},
    {"QLinearWhere", Inputs({2, 3, 5, 6, 7, 8}), Inputs({1, 4})},
    {"QMoE", Inputs({3, 6, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20}), Inputs({2, 5, 8})},
    {"QOrderedAttention", Inputs({1, 2, 3, 4, 8, 9, 10, 14, 15, 16}), Inputs({5, 6, 7})},
    {"QOrderedGelu", Inputs({1, 2}), 0},
    {"QOrderedLayerNormalization", Inputs({1, 4}), 0},
    {"QOrderedLongformerAttention", Inputs({1, 3, 5, 6, 9, 11, 13}), Inputs({2, 8})},
    {"QOrderedMatMul", Inputs({1, 3, 4, 7}), Inputs({2})},
    {"QuantizeLinear", Inputs({1, 2}), Inputs({0})},
    {"QuantizeWithOrder", Inputs({1}), Inputs({0})},
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

// Blobs whose size two attributes tell, e.g. N rows of K.
struct PackedMatrix {
  absl::string_view op;
  uint32_t input;
  absl::string_view rows, columns;
};
constexpr PackedMatrix kPackedMatrices[] = {
    {"MatMulBnb4", 1, "N", "K"},      {"MatMulNBits", 1, "N", "K"},     {"MatMulNBitsMlp", 3, "N", "K"},
    {"MatMulNBitsMlp", 6, "N", "K"},  {"MatMulNBitsQkv", 3, "Nq", "K"}, {"MatMulNBitsQkv", 6, "Nkv", "K"},
    {"MatMulNBitsQkv", 9, "Nkv", "K"},
};

// Tensors of bytes that hold several values of `bits` (by default 4) each.
struct PackedBytes {
  absl::string_view op;
  uint32_t inputs;
  absl::string_view bits;
};
constexpr PackedBytes kPackedBytes[] = {
    {"GatherBlockQuantized", Inputs({0}), "bits"},
    {"MatMulBlockQuantizedFp4Weight", Inputs({1}), ""},
    {"QMoE", Inputs({2, 5, 8}), "expert_weight_bits"},
};

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
int64_t LogicalElements(const Graph& graph, const Use& use, const Constant& constant) {
  const absl::string_view op = graph.op(use.node);
  const int64_t stored = constant.Elements();
  for (const PackedMatrix& row : kPackedMatrices) {
    if (row.op != op || row.input != use.input) continue;
    const int64_t rows = IntAttribute(graph, use.node, row.rows, 0);
    return CheckedMul(rows, IntAttribute(graph, use.node, row.columns, 0)).value_or(stored);
  }
  for (const PackedBytes& row : kPackedBytes) {
    if (row.op != op || !Bit(row.inputs, use.input)) continue;
    const int64_t bits = row.bits.empty() ? 4 : IntAttribute(graph, use.node, row.bits, 4);
    const bool packed = IsInteger(constant.elem) && ElemBits(constant.elem) == 8 && bits >= 1 && bits <= 8;
    return packed ? CheckedMul(stored, 8 / bits).value_or(stored) : stored;
  }
  if (op == "MatMulFpQ4" && use.input == 1) return ProductOfContents(graph, use.node, 2).value_or(stored);
  return stored;
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
  if (RoleOf(graph, use, constant.elem) != Role::kWeight) return std::nullopt;
  const int64_t stored = constant.Elements(), logical = LogicalElements(graph, use, constant);
  const int bits = ElemBits(constant.elem);
  if (stored <= 0 || logical <= stored) return bits;
  return static_cast<int>(std::max<int64_t>(1, bits * stored / logical));
}

void ForEachWeight(const Graph& graph, NodeId node, absl::FunctionRef<void(ConstantId, int64_t)> visit) {
  const auto inputs = graph.inputs(node);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) continue;
    const ValueId origin = RootOf(graph, inputs[i]);
    if (!IsCandidate(graph, origin) || graph.op(node) == "Identity") continue;
    const ConstantId id = graph.value(origin).constant;
    const Constant& constant = graph.constant(id);
    const Use use{node, i};
    if (RoleOf(graph, use, constant.elem) != Role::kWeight) continue;
    visit(id, std::max<int64_t>(LogicalElements(graph, use, constant), 0));
  }
}

int64_t WeightElements(const Graph& graph, NodeId node) {
  int64_t elements = 0;
  ForEachWeight(graph, node, [&](ConstantId, int64_t weight) { elements = SaturatingAdd(elements, weight); });
  return elements;
}

}  // namespace hwest
