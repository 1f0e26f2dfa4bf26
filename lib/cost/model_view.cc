#include "cost/model_view.h"

#include "base/checked_math.h"
#include "hwest/target.h"
#include "op/rule.h"
#include "pass/caches.h"
#include "pass/classify.h"
#include "pass/work.h"

namespace hwest {
namespace {

bool IsShapeOperand(const Graph& graph, NodeId node, size_t index) {
  const OpRule* rule = RuleOf(graph, node);
  return rule != nullptr && Covers(rule->shape_inputs, index);
}

// The value whose bytes `value` shares by a view; none when no view made it.
ValueId ViewedBy(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value) {
  const NodeId producer = graph.value(value).producer;
  if (!producer.valid() || classes[producer] != NodeClass::kView) return ValueId();
  const absl::Span<const ValueId> inputs = graph.inputs(producer);
  return inputs.empty() ? ValueId() : inputs[0];
}

}  // namespace

IdMap<ValueId, ValueId> FindRoots(const Graph& graph, const IdMap<NodeId, NodeClass>& classes) {
  IdMap<ValueId, ValueId> roots;
  roots.reserve(graph.values().size());
  for (uint32_t v = 0; v < graph.values().size(); ++v) roots.push_back(ValueId(v));
  // Producers have smaller ids than their users.
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    for (const ValueId output : graph.outputs(NodeId(n))) {
      if (!output.valid()) continue;
      const ValueId source = ViewedBy(graph, classes, output);
      if (source.valid()) roots[output] = roots[source];
    }
  }
  return roots;
}

IdMap<ValueId, uint8_t> MarkCaches(const Graph& graph, const Facts& facts, const IdMap<ValueId, ValueId>& roots) {
  IdMap<ValueId, uint8_t> marks(graph.values().size(), 0);
  for (const Cache& cache : FindCaches(graph, facts)) {
    marks[cache.input] = 1;
    marks[roots[cache.output]] = 1;
  }
  return marks;
}

ValueId RootOf(const ModelView& model, ValueId value) {
  if (model.roots != nullptr) return (*model.roots)[value];
  for (ValueId source = value; source.valid(); source = ViewedBy(model.graph, model.classes, value)) value = source;
  return value;
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

namespace {

// How many times wider the packed weights of a weight-only product become where the unit multiplies 8-bit integers. Wider
// units unpack them on the way.
int WideningOf(const ModelView& model, ValueId value, Precision precision) {
  if (precision.act != Num::kInt8 || precision.weight != Num::kInt8 || !IsConstant(model, value)) return 1;
  for (const Use& use : model.graph.uses(value)) {
    const OpRule* rule = RuleOf(model.graph, use.node);
    const PackedInputs* packed = rule == nullptr ? nullptr : PackedAt(*rule, use.input);
    if (packed == nullptr || !packed->widens) continue;
    const int64_t bits = PackedBits(model.graph, use.node, *packed);
    return bits == 2 || bits == 4 ? static_cast<int>(8 / bits) : 1;
  }
  return 1;
}

}  // namespace

std::optional<int64_t> ElementsOf(const ModelView& model, ValueId value) {
  return Evaluate(ElementsOf(model.facts, value, model.dims), model.dims);
}

bool IsDequantized(const ModelView& model, ValueId value) {
  const NodeId producer = model.graph.value(RootOf(model, value)).producer;
  return producer.valid() && HasTrait(model.graph, producer, trait::kDequantizes) && !model.graph.inputs(producer).empty() &&
         model.graph.inputs(producer)[0].valid();
}

int DeployedBits(const ModelView& model, ValueId value, Precision precision) {
  const ElemType elem = model.facts.values[value].type.elem;
  if (!IsFloat(elem)) return ElemBits(elem) * WideningOf(model, value, precision);
  if (IsConstant(model, value)) return NumBits(precision.weight);
  if (model.caches != nullptr && (*model.caches)[RootOf(model, value)] != 0) return ElemBits(elem);
  if (precision.floating == Num::kUnset) return NumBits(precision.act);
  if (!IsDequantized(model, value)) return NumBits(precision.floating);
  const NodeId dequantize = model.graph.value(RootOf(model, value)).producer;
  return ElemBits(model.facts.values[model.graph.inputs(dequantize)[0]].type.elem);
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
