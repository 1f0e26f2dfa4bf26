#include "cost/model_view.h"

#include "base/checked_math.h"
#include "hwest/reading.h"
#include "hwest/target.h"
#include "op/rule.h"
#include "pass/alike.h"
#include "pass/caches.h"
#include "pass/classify.h"
#include "pass/work.h"

namespace hwest {

const OpRule* RuleOf(const ModelView& model, NodeId node) {
  return model.index != nullptr ? model.index->rules[node] : RuleOf(model.graph, node);
}

bool HasTrait(const ModelView& model, NodeId node, Traits traits) {
  const OpRule* rule = RuleOf(model, node);
  return rule != nullptr && (rule->traits & traits) != 0;
}

ValueId RootOf(const ModelView& model, ValueId value) {
  if (model.index != nullptr) return model.index->roots[value];
  for (ValueId source = value; source.valid(); source = ViewedBy(model.graph, model.classes, value)) value = source;
  return value;
}

bool IsConstant(const ModelView& model, ValueId value) {
  if (model.index != nullptr) return (model.index->flags[value] & ModelIndex::kConstant) != 0;
  return IsConstantValue(model.graph, model.classes, value);
}

bool IsShapeValue(const ModelView& model, ValueId value) {
  if (model.index != nullptr) return (model.index->flags[value] & ModelIndex::kShape) != 0;
  const NodeId producer = model.graph.value(RootOf(model, value)).producer;
  return producer.valid() && model.classes[producer] == NodeClass::kShape;
}

bool ReadsData(const ModelView& model, NodeId node, size_t index) {
  const ValueId value = model.graph.inputs(node)[index];
  if (!value.valid() || IsShapeValue(model, value)) return false;
  const OpRule* rule = RuleOf(model, node);
  return rule == nullptr || !Covers(rule->shape_inputs | rule->type_inputs, index);
}

bool IsKernel(NodeClass node_class) {
  switch (node_class) {
    case NodeClass::kCompute:
    case NodeClass::kLayout:
    case NodeClass::kControl:
    case NodeClass::kOpaque: return true;
    case NodeClass::kView:
    case NodeClass::kShape:
    case NodeClass::kConstant:
    case NodeClass::kDead: return false;
  }
  return false;
}

namespace {

// How many times wider the packed weights of a weight-only product become where the unit multiplies 8-bit integers.
// Wider units unpack them on the way.
int WideningOf(const ModelView& model, ValueId value, Precision precision) {
  if (precision.act != Num::kInt8 || precision.weight != Num::kInt8 || !IsConstant(model, value)) return 1;
  for (const Use& use : model.graph.uses(value)) {
    const OpRule* rule = RuleOf(model, use.node);
    const PackedInputs* packed = rule == nullptr ? nullptr : PackedAt(*rule, use.input);
    if (packed == nullptr || !packed->widens) continue;
    const int64_t bits = PackedBits(model.graph, use.node, *packed);
    return bits == 2 || bits == 4 ? static_cast<int>(8 / bits) : 1;
  }
  return 1;
}

}  // namespace

std::optional<int64_t> ElementsOf(const ModelView& model, ValueId value) {
  if (model.index != nullptr && model.has_elements) {
    const int64_t elements = model.index->elements[value];
    return elements == ModelIndex::kNotKnown ? std::nullopt : std::optional<int64_t>(elements);
  }
  return Evaluate(ElementsOf(model.facts, value, model.dims), model.dims);
}

bool IsDequantized(const ModelView& model, ValueId value) {
  if (model.index != nullptr) return (model.index->flags[value] & ModelIndex::kDequantized) != 0;
  const NodeId producer = model.graph.value(RootOf(model, value)).producer;
  return producer.valid() && HasTrait(model, producer, trait::kDequantizes) && !model.graph.inputs(producer).empty() &&
         model.graph.inputs(producer)[0].valid();
}

int DeployedBits(const ModelView& model, ValueId value, Precision precision) {
  const Type& type = model.facts.values[value].type;
  const ElemType elem = type.elem;
  if (HeldBits(type) != ElemBits(elem)) return HeldBits(type);
  if (!IsFloat(elem)) return ElemBits(elem) * WideningOf(model, value, precision);
  if (IsConstant(model, value)) return NumBits(precision.weight);
  if (model.index != nullptr && (model.index->flags[RootOf(model, value)] & ModelIndex::kCache) != 0) {
    return ElemBits(elem);
  }
  const Num stored = precision.stored == Num::kUnset ? precision.act : precision.stored;
  if (precision.floating == Num::kUnset) return NumBits(stored);
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

namespace {

IdMap<ValueId, ValueId> RootsOf(const Graph& graph, const IdMap<NodeId, NodeClass>& classes) {
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

// Requires the rules and roots.
uint8_t FlagsOf(const ModelView& model, const ModelIndex& index, ValueId value) {
  uint8_t flags = IsConstantValue(model.graph, model.classes, value) ? ModelIndex::kConstant : 0;
  const NodeId producer = model.graph.value(index.roots[value]).producer;
  if (!producer.valid()) return flags;
  if (model.classes[producer] == NodeClass::kShape) flags |= ModelIndex::kShape;
  const OpRule* rule = index.rules[producer];
  const absl::Span<const ValueId> inputs = model.graph.inputs(producer);
  const bool dequantizes = rule != nullptr && (rule->traits & trait::kDequantizes) != 0;
  if (dequantizes && !inputs.empty() && inputs[0].valid()) flags |= ModelIndex::kDequantized;
  return flags;
}

}  // namespace

namespace {

// A limit may count for a node as it is written, where it is read as something else; no other node is like it then.
void KeepReadApart(const Reading& reading, IdMap<NodeId, NodeId>* alike) {
  for (uint32_t n = 0; n < alike->size(); ++n) {
    NodeId& first = (*alike)[NodeId(n)];
    if (first != NodeId(n) && (reading.nodes.contains(NodeId(n)) || reading.nodes.contains(first))) first = NodeId(n);
  }
}

}  // namespace

ModelIndex MakeIndex(const ModelView& model) {
  ModelIndex index;
  const auto num_nodes = static_cast<uint32_t>(model.graph.nodes().size());
  const auto num_values = static_cast<uint32_t>(model.graph.values().size());
  index.rules.reserve(num_nodes);
  for (uint32_t n = 0; n < num_nodes; ++n) index.rules.push_back(RuleOf(model.graph, NodeId(n)));
  index.roots = RootsOf(model.graph, model.classes);
  index.alike = FindAlike(model.graph, model.facts, model.classes, index.roots);
  if (model.reading != nullptr) KeepReadApart(*model.reading, &index.alike);
  index.flags.reserve(num_values);
  for (uint32_t v = 0; v < num_values; ++v) index.flags.push_back(FlagsOf(model, index, ValueId(v)));
  CountElements(model, &index);
  for (const Cache& cache : FindCaches(model.graph, model.facts)) {
    index.flags[cache.input] |= ModelIndex::kCache;
    index.flags[index.roots[cache.output]] |= ModelIndex::kCache;
  }
  return index;
}

void CountElements(const ModelView& model, ModelIndex* index) {
  index->elements.resize(model.graph.values().size());
  for (uint32_t v = 0; v < index->elements.size(); ++v) {
    const Dim elements = ElementsOf(model.facts, ValueId(v), model.dims);
    index->elements[ValueId(v)] = Evaluate(elements, model.dims).value_or(ModelIndex::kNotKnown);
  }
}

}  // namespace hwest
