#include "cost/model_view.h"

#include "base/checked_math.h"
#include "hwest/target.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/work.h"

namespace hwest {
namespace {

constexpr size_t kMaskedInputs = 32;  // width of OpRule::shape_inputs

bool IsShapeOperand(const Graph& graph, NodeId node, size_t index) {
  if (index >= kMaskedInputs) return false;
  const OpRule* rule = FindRule(graph.domain(node), graph.op(node));
  return rule != nullptr && ((rule->shape_inputs >> index) & 1u) != 0;
}

}  // namespace

ValueId RootOf(const ModelView& model, ValueId value) {
  // Producers have smaller ids than their users, so the walk ends.
  while (true) {
    const NodeId producer = model.graph.value(value).producer;
    if (!producer.valid() || model.classes[producer] != NodeClass::kView) return value;
    const absl::Span<const ValueId> inputs = model.graph.inputs(producer);
    if (inputs.empty() || !inputs[0].valid()) return value;
    value = inputs[0];
  }
}

bool IsConstant(const ModelView& model, ValueId value) { return IsConstantValue(model.graph, model.classes, value); }

bool IsShapeValue(const ModelView& model, ValueId value) {
  const NodeId producer = model.graph.value(RootOf(model, value)).producer;
  return producer.valid() && model.classes[producer] == NodeClass::kShape;
}

bool ReadsData(const ModelView& model, NodeId node, size_t index) {
  const ValueId value = model.graph.inputs(node)[index];
  return value.valid() && !IsShapeOperand(model.graph, node, index) && !IsShapeValue(model, value);
}

bool IsKernel(NodeClass node_class) {
  switch (node_class) {
    case NodeClass::kCompute:
    case NodeClass::kLayout:
    case NodeClass::kControl:
    case NodeClass::kOpaque:
      return true;
    case NodeClass::kView:
    case NodeClass::kShape:
    case NodeClass::kConstant:
      return false;
  }
  return false;
}

std::optional<int64_t> ElementsOf(const ModelView& model, ValueId value) {
  return Evaluate(ElementsOf(model.facts, value, model.dims), model.dims);
}

int DeployedBits(const ModelView& model, ValueId value, Precision precision) {
  const ElemType elem = model.facts.values[value].type.elem;
  if (!IsFloat(elem)) return ElemBits(elem);
  return NumBits(IsConstant(model, value) ? precision.weight : precision.act);
}

std::optional<int64_t> PackedBytes(int64_t elements, int bits) {
  const std::optional<int64_t> total = bits > 0 ? CheckedMul(elements, bits) : std::nullopt;
  const std::optional<int64_t> rounded = total.has_value() ? CheckedAdd(*total, 7) : std::nullopt;
  return rounded.has_value() ? std::optional<int64_t>(*rounded / 8) : std::nullopt;
}

std::optional<int64_t> DeployedBytes(const ModelView& model, ValueId value, Precision precision) {
  const std::optional<int64_t> elements = ElementsOf(model, value);
  return elements.has_value() ? PackedBytes(*elements, DeployedBits(model, value, precision)) : std::nullopt;
}

}  // namespace hwest
