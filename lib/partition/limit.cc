#include "partition/limit.h"

#include "absl/strings/str_cat.h"
#include "pass/work.h"

namespace hwest {
namespace {

Reading Number(int64_t value) { return {static_cast<double>(value), absl::StrCat(value)}; }
Reading Unknown() { return {std::nullopt, "unknown"}; }

Reading Size(const ModelView& model, Dim dim) {
  const std::optional<int64_t> size = Evaluate(dim, model.dims);
  return size.has_value() ? Number(*size) : Unknown();
}

// Input `index`, or output -1 - index; none when absent.
ValueId Operand(const Graph& graph, NodeId node, int32_t index) {
  const absl::Span<const ValueId> values = index >= 0 ? graph.inputs(node) : graph.outputs(node);
  const size_t at = static_cast<size_t>(index >= 0 ? index : -1 - index);
  return at < values.size() ? values[at] : ValueId();
}

bool AllStatic(const ModelView& model, absl::Span<const ValueId> values) {
  for (const ValueId value : values) {
    if (value.valid() && !model.facts.values[value].type.shape.constant()) return false;
  }
  return true;
}

bool KnownBeforeRun(const ModelView& model, ValueId value) {
  return IsConstant(model, value) || IsShapeValue(model, value) || model.facts.values[value].known != nullptr;
}

std::vector<Reading> ReadDims(const ModelView& model, const Shape& shape, const Limit& limit) {
  if (!shape.ranked()) return {Unknown()};
  std::vector<Reading> readings;
  if (limit.index.has_value()) {
    const int axis = *limit.index < 0 ? *limit.index + shape.rank() : *limit.index;
    if (axis >= 0 && axis < shape.rank()) readings.push_back(Size(model, shape.dim(axis)));
    return readings;
  }
  for (int axis = 1; axis < shape.rank(); ++axis) readings.push_back(Size(model, shape.dim(axis)));
  return readings;
}

Reading ReadNonSingleton(const ModelView& model, const Shape& shape) {
  if (!shape.ranked()) return Unknown();
  int64_t count = 0;
  for (const Dim dim : shape.dims()) {
    const std::optional<int64_t> size = Evaluate(dim, model.dims);
    if (!size.has_value()) return Unknown();
    count += *size != 1;
  }
  return Number(count);
}

std::vector<Reading> ReadOperand(const ModelView& model, NodeId node, const Limit& limit) {
  const ValueId value = Operand(model.graph, node, limit.input);
  if (!value.valid()) return {};
  const Type& type = model.facts.values[value].type;
  switch (limit.kind) {
    case LimitKind::kConst:
      return {Number(KnownBeforeRun(model, value))};
    case LimitKind::kRank:
      return {type.shape.ranked() ? Number(type.shape.rank()) : Unknown()};
    case LimitKind::kNumel:
      return {Size(model, type.shape.Elements(model.dims))};
    case LimitKind::kDim:
      return ReadDims(model, type.shape, limit);
    case LimitKind::kNonSingleton:
      return {ReadNonSingleton(model, type.shape)};
    case LimitKind::kDtype:
      return {{std::nullopt, ElemTypeName(type.elem)}};
    default:
      return {};
  }
}

std::vector<Reading> AttributeElements(const Graph& graph, const Attribute& attribute) {
  std::vector<Reading> readings;
  switch (attribute.kind) {
    case AttrKind::kInt:
      return {Number(attribute.i)};
    case AttrKind::kFloat:
      return {{attribute.f, absl::StrCat(attribute.f)}};
    case AttrKind::kString:
      return {{std::nullopt, std::string(graph.str(attribute.s))}};
    case AttrKind::kInts:
      for (const int64_t value : attribute.ints) readings.push_back(Number(value));
      return readings;
    case AttrKind::kFloats:
      for (const float value : attribute.floats) readings.push_back({value, absl::StrCat(value)});
      return readings;
    case AttrKind::kStrings:
      for (const StrId value : attribute.strings) readings.push_back({std::nullopt, std::string(graph.str(value))});
      return readings;
    default:
      return {};
  }
}

std::vector<Reading> ReadAttribute(const ModelView& model, NodeId node, const Limit& limit) {
  const Attribute* attribute = model.graph.FindAttribute(node, limit.attr);
  if (attribute == nullptr) {
    return limit.absent.has_value() ? std::vector<Reading>{Number(*limit.absent)} : std::vector<Reading>{};
  }
  std::vector<Reading> readings = AttributeElements(model.graph, *attribute);
  if (!limit.index.has_value()) return readings;
  const auto index = static_cast<size_t>(*limit.index);
  return index < readings.size() ? std::vector<Reading>{readings[index]} : std::vector<Reading>{};
}

std::vector<Reading> ReadAxis(const ModelView& model, NodeId node, const Limit& limit) {
  const Attribute* attribute = model.graph.FindAttribute(node, limit.attr);
  if (attribute == nullptr && !limit.absent.has_value()) return {};
  int64_t axis = attribute != nullptr ? attribute->i : *limit.absent;
  if (axis < 0) return {Number(axis)};
  const ValueId value = Operand(model.graph, node, 0);
  if (!value.valid() || !model.facts.values[value].type.shape.ranked()) return {Unknown()};
  return {Number(axis - model.facts.values[value].type.shape.rank())};
}

int64_t CountPresent(absl::Span<const ValueId> values) {
  int64_t count = 0;
  for (const ValueId value : values) count += value.valid();
  return count;
}

std::vector<Reading> ReadBatch(const ModelView& model, NodeId node) {
  const ValueId value = Operand(model.graph, node, 0);
  if (!value.valid()) return {};
  const Shape& shape = model.facts.values[value].type.shape;
  if (!shape.ranked()) return {Unknown()};
  return shape.rank() > 0 ? std::vector<Reading>{Size(model, shape.dim(0))} : std::vector<Reading>{};
}

}  // namespace

std::vector<Reading> Read(const ModelView& model, NodeId node, const Limit& limit) {
  const absl::Span<const ValueId> inputs = model.graph.inputs(node);
  const absl::Span<const ValueId> outputs = model.graph.outputs(node);
  switch (limit.kind) {
    case LimitKind::kStatic:
      return {Number(AllStatic(model, inputs) && AllStatic(model, outputs))};
    case LimitKind::kBatch:
      return ReadBatch(model, node);
    case LimitKind::kAttr:
      return ReadAttribute(model, node, limit);
    case LimitKind::kAxis:
      return ReadAxis(model, node, limit);
    case LimitKind::kInputs:
      return {Number(CountPresent(inputs))};
    case LimitKind::kOutputs:
      return {Number(CountPresent(outputs))};
    default:
      return ReadOperand(model, node, limit);
  }
}

}  // namespace hwest
