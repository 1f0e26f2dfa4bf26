#include "pass/limit_read.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "op/batch_axis.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/limit_pads.h"
#include "pass/work.h"

namespace hwest {
namespace {

LimitReading Number(double value) { return {value, ""}; }
LimitReading Truth(bool value) { return Number(value ? 1 : 0); }
LimitReading Unknown() { return {std::nullopt, "unknown"}; }
LimitReading Unread() { return {std::nullopt, "contents not known", true}; }

std::optional<int64_t> SizeOf(const LimitContext& context, Dim dim) {
  if (context.dims != nullptr) return Evaluate(dim, *context.dims);
  return dim.is_constant() ? std::optional<int64_t>(dim.value()) : std::nullopt;
}

LimitReading Size(const LimitContext& context, Dim dim) {
  const std::optional<int64_t> size = SizeOf(context, dim);
  return size.has_value() ? Number(static_cast<double>(*size)) : Unknown();
}

// Input `index`, or output -1 - index; none when absent or, for an output, needed by nobody.
ValueId Operand(const LimitContext& context, NodeId node, int32_t index) {
  const absl::Span<const ValueId> values = index >= 0 ? context.graph.inputs(node) : context.graph.outputs(node);
  const size_t at = static_cast<size_t>(index >= 0 ? index : -1 - index);
  if (at >= values.size() || !values[at].valid()) return ValueId();
  // Whatever is known of the first output describes the node, read or not.
  return index >= -1 || context.facts.IsNeeded(values[at]) ? values[at] : ValueId();
}

const Shape* ShapeOf(const LimitContext& context, NodeId node, int32_t index) {
  const ValueId value = Operand(context, node, index);
  return value.valid() ? &context.facts.values[value].type.shape : nullptr;
}

bool AllStatic(const LimitContext& context, absl::Span<const ValueId> values) {
  for (const ValueId value : values) {
    if (!value.valid() || !context.facts.IsNeeded(value)) continue;
    if (!context.facts.values[value].type.shape.constant()) return false;
  }
  return true;
}

// Made by shape arithmetic, directly or seen through views.
bool IsShapeArithmetic(const LimitContext& context, ValueId value) {
  while (value.valid()) {
    const NodeId producer = context.graph.value(value).producer;
    if (!producer.valid()) return false;
    if (context.classes[producer] == NodeClass::kShape) return true;
    if (context.classes[producer] != NodeClass::kView) return false;
    value = Operand(context, producer, 0);
  }
  return false;
}

bool KnownBeforeRun(const LimitContext& context, ValueId value) {
  return IsConstantValue(context.graph, context.classes, value) || context.facts.values[value].known != nullptr ||
         IsShapeArithmetic(context, value);
}

double CountPresent(const LimitContext& context, absl::Span<const ValueId> values) {
  double count = 0;
  for (const ValueId value : values) count += value.valid() && context.facts.IsNeeded(value) ? 1 : 0;
  return count;
}

double CountConstants(const LimitContext& context, absl::Span<const ValueId> values) {
  double count = 0;
  for (const ValueId value : values) count += value.valid() && KnownBeforeRun(context, value) ? 1 : 0;
  return count;
}

bool IsAtEdge(const Graph& graph, NodeId node) {
  for (const ValueId value : graph.inputs(node)) {
    if (value.valid() && graph.value(value).is_input && !graph.value(value).is_initializer) return true;
  }
  for (const ValueId value : graph.outputs(node)) {
    if (value.valid() && graph.value(value).is_output) return true;
  }
  return false;
}

LimitReadings AttributeElements(const Graph& graph, const Attribute& attribute) {
  LimitReadings readings;
  switch (attribute.kind) {
    case AttrKind::kInt: return {Number(static_cast<double>(attribute.i))};
    case AttrKind::kFloat: return {Number(static_cast<double>(attribute.f))};
    case AttrKind::kString: return {{std::nullopt, std::string(graph.str(attribute.s))}};
    case AttrKind::kInts:
      for (const int64_t value : attribute.ints) readings.push_back(Number(static_cast<double>(value)));
      return readings;
    case AttrKind::kFloats:
      for (const float value : attribute.floats) readings.push_back(Number(static_cast<double>(value)));
      return readings;
    case AttrKind::kStrings:
      for (const StrId value : attribute.strings) readings.push_back({std::nullopt, std::string(graph.str(value))});
      return readings;
    default: return {};
  }
}

// A convolution may leave its kernel to the shape of the weights.
LimitReadings WeightWindow(const LimitContext& context, NodeId node) {
  if (!HasTrait(context.graph, node, trait::kWindowOfWeights)) return {};
  const Shape* shape = ShapeOf(context, node, 1);
  LimitReadings readings;
  for (int axis = 2; shape != nullptr && shape->ranked() && axis < shape->rank(); ++axis) {
    readings.push_back(Size(context, shape->dim(axis)));
  }
  return readings;
}

LimitReadings ReadAttribute(const LimitContext& context, NodeId node, const Limit& limit) {
  const Attribute* attribute = context.graph.FindAttribute(node, limit.attr);
  LimitReadings readings;
  if (limit.attr == "pads" && HasImpliedPads(context.graph, node)) {
    readings = ReadImpliedPads(context, node);
  } else if (attribute != nullptr) {
    readings = AttributeElements(context.graph, *attribute);
  }
  if (attribute == nullptr && limit.attr == "kernel_shape") readings = WeightWindow(context, node);
  if (attribute == nullptr && readings.empty() && limit.absent.has_value())
    return {Number(static_cast<double>(*limit.absent))};
  if (!limit.index.has_value()) return readings;
  const auto index = static_cast<size_t>(*limit.index);
  return index < readings.size() ? LimitReadings{readings[index]} : LimitReadings{};
}

// The contents of an operand; equal neighbours once.
LimitReadings ReadContents(const LimitContext& context, ValueId value, std::optional<int32_t> index) {
  const Known& known = context.facts.values[value].known;
  if (known == nullptr) return {Unread()};
  const auto size = static_cast<int64_t>(known->size());
  int64_t first = 0, last = size;
  if (index.has_value()) {
    first = *index < 0 ? *index + size : *index;
    if (first < 0 || first >= size) return {};
    last = first + 1;
  }
  LimitReadings readings;
  for (int64_t i = first; i < last; ++i) {
    const Scalar& scalar = (*known)[static_cast<size_t>(i)];
    if (i > first && scalar == (*known)[static_cast<size_t>(i - 1)]) continue;
    if (scalar.is_float()) {
      readings.push_back(Number(scalar.number()));
    } else {
      const auto number = scalar.is_int() ? SizeOf(context, scalar.dim()) : std::nullopt;
      readings.push_back(number.has_value() ? Number(static_cast<double>(*number)) : Unread());
    }
  }
  return readings;
}

LimitReadings ReadAxes(const LimitContext& context, NodeId node, const Limit& limit) {
  LimitReadings axes;
  if (!limit.attr.empty()) {
    axes = ReadAttribute(context, node, limit);
  } else if (const ValueId value = Operand(context, node, limit.input); value.valid()) {
    axes = ReadContents(context, value, std::nullopt);
  }
  const Shape* shape = ShapeOf(context, node, 0);
  for (LimitReading& axis : axes) {
    if (!axis.number.has_value() || *axis.number < 0) continue;
    axis = shape != nullptr && shape->ranked() ? Number(*axis.number - shape->rank()) : Unknown();
  }
  return axes;
}

// The axis that the attribute `limit` names gives; none when it is absent or out of range.
std::optional<int> AxisOf(const LimitContext& context, NodeId node, const Limit& limit, const Shape& shape) {
  std::optional<int64_t> axis = limit.absent;
  if (const Attribute* attribute = context.graph.FindAttribute(node, limit.attr)) axis = attribute->i;
  if (!axis.has_value()) return std::nullopt;
  const int64_t at = *axis < 0 ? *axis + shape.rank() : *axis;
  return at >= 0 && at < shape.rank() ? std::optional<int>(static_cast<int>(at)) : std::nullopt;
}

LimitReadings ReadDims(const LimitContext& context, NodeId node, const Limit& limit, const Shape& shape) {
  if (!shape.ranked()) return {Unknown()};
  std::optional<int> axis;
  if (!limit.attr.empty()) {
    axis = AxisOf(context, node, limit, shape);
    return axis.has_value() ? LimitReadings{Size(context, shape.dim(*axis))} : LimitReadings{};
  }
  if (limit.index.has_value()) {
    axis = *limit.index < 0 ? *limit.index + shape.rank() : *limit.index;
    return *axis >= 0 && *axis < shape.rank() ? LimitReadings{Size(context, shape.dim(*axis))} : LimitReadings{};
  }
  LimitReadings readings;
  for (int i = 1; i < shape.rank(); ++i) readings.push_back(Size(context, shape.dim(i)));
  return readings;
}

// Product of the dims [first, last).
LimitReading Product(const LimitContext& context, const Shape& shape, int first, int last) {
  double product = 1;
  for (int axis = first; axis < last; ++axis) {
    const std::optional<int64_t> size = SizeOf(context, shape.dim(axis));
    if (!size.has_value()) return Unknown();
    product *= static_cast<double>(*size);
  }
  return Number(product);
}

LimitReadings ReadElements(const LimitContext& context, NodeId node, const Limit& limit, const Shape& shape) {
  if (!shape.ranked()) return {Unknown()};
  if (!limit.attr.empty()) {
    const std::optional<int> axis = AxisOf(context, node, limit, shape);
    return axis.has_value() ? LimitReadings{Product(context, shape, 0, *axis)} : LimitReadings{};
  }
  int first = limit.index.value_or(0);
  if (first < 0) first += shape.rank();
  if (first < 0 || first > shape.rank()) return {};
  return {Product(context, shape, first, shape.rank())};
}

LimitReading ReadNonSingleton(const LimitContext& context, const Shape& shape) {
  if (!shape.ranked()) return Unknown();
  double count = 0;
  for (const Dim dim : shape.dims()) {
    const std::optional<int64_t> size = SizeOf(context, dim);
    if (!size.has_value()) return Unknown();
    count += *size != 1 ? 1 : 0;
  }
  return Number(count);
}

LimitReading Ratio(const LimitContext& context, Dim in, Dim out) {
  if (in == out && !in.is_unknown()) return Number(1);
  const std::optional<int64_t> from = SizeOf(context, in), to = SizeOf(context, out);
  if (!from.has_value() || !to.has_value() || *from == 0) return Unknown();
  return Number(static_cast<double>(*to) / static_cast<double>(*from));
}

// Between ranks, how many of an axis from the front are one of the other: the larger over the smaller.
LimitReadings ReadRegrouping(const LimitContext& context, const Limit& limit, const Shape& in, const Shape& out) {
  if (!limit.index.has_value() || *limit.index < 0 || *limit.index >= std::min(in.rank(), out.rank())) {
    return {Unknown()};
  }
  const LimitReading ratio = Ratio(context, in.dim(*limit.index), out.dim(*limit.index));
  const bool is_split = ratio.number.has_value() && *ratio.number < 1;
  return {is_split ? Ratio(context, out.dim(*limit.index), in.dim(*limit.index)) : ratio};
}

LimitReadings ReadScale(const LimitContext& context, NodeId node, const Limit& limit) {
  const Shape* in = ShapeOf(context, node, 0);
  const Shape* out = ShapeOf(context, node, -1);
  if (in == nullptr || out == nullptr) return {};
  if (!in->ranked() || !out->ranked()) return {Unknown()};
  if (in->rank() != out->rank()) return ReadRegrouping(context, limit, *in, *out);
  LimitReadings readings;
  for (int axis = 0; axis < in->rank(); ++axis) {
    const bool asked = !limit.index.has_value() || *limit.index == axis || *limit.index == axis - in->rank();
    if (asked) readings.push_back(Ratio(context, in->dim(axis), out->dim(axis)));
  }
  return readings;
}

LimitReadings ReadBroadcast(const LimitContext& context, NodeId node, const Limit& limit) {
  const Shape* in = ShapeOf(context, node, limit.input);
  const Shape* out = ShapeOf(context, node, -1);
  if (in == nullptr || out == nullptr) return {};
  if (!in->ranked() || !out->ranked() || in->rank() > out->rank()) return {Unknown()};
  std::string form;
  for (int axis = 0; axis < out->rank(); ++axis) {
    const int at = axis - (out->rank() - in->rank());
    const LimitReading ratio = Ratio(context, at < 0 ? Dim(1) : in->dim(at), out->dim(axis));
    if (!ratio.number.has_value()) return {Unknown()};
    form += *ratio.number == 1 ? 'x' : '1';
  }
  if (!limit.index.has_value()) return {{std::nullopt, form}};
  const int axis = *limit.index < 0 ? *limit.index + out->rank() : *limit.index;
  if (axis < 0 || axis >= out->rank()) return {};
  return {Truth(form[static_cast<size_t>(axis)] == '1')};
}

// Whether the node hands on what it reads, as it is.
bool HandsOn(const LimitContext& context, NodeId node) {
  return context.classes[node] == NodeClass::kView && HasTrait(context.graph, node, trait::kPassesThrough);
}

using IsPassed = bool (*)(const LimitContext& context, NodeId node);

bool IsView(const LimitContext& context, NodeId node) { return context.classes[node] == NodeClass::kView; }

// Those that read the value, or what was handed on of it by nodes that `passes` holds for.
std::vector<Use> ReadersOf(const LimitContext& context, ValueId value, IsPassed passes = HandsOn) {
  std::vector<Use> readers;
  std::vector<ValueId> values = {value};
  for (size_t i = 0; i < values.size(); ++i) {
    for (const Use& use : context.graph.uses(values[i])) {
      if (context.classes[use.node] == NodeClass::kDead) continue;
      if (passes(context, use.node)) {
        values.push_back(context.graph.outputs(use.node)[0]);
      } else {
        readers.push_back(use);
      }
    }
  }
  return readers;
}

LimitReadings ReadNeighbours(const LimitContext& context, NodeId node, const Limit& limit) {
  const Graph& graph = context.graph;
  const IsPassed passes = limit.kind == LimitKind::kOrigin ? IsView : HandsOn;
  const ValueId value = Operand(context, node, limit.input);
  if (!value.valid()) return {};
  if (limit.input >= 0) {
    NodeId producer = graph.value(value).producer;
    for (ValueId source = value; producer.valid() && passes(context, producer);) {
      source = ViewedBy(graph, context.classes, source);
      if (!source.valid()) break;
      producer = graph.value(source).producer;
    }
    return {{std::nullopt, producer.valid() ? std::string(graph.op(producer)) : "none"}};
  }
  LimitReadings readings;
  for (const Use& use : ReadersOf(context, value, passes))
    readings.push_back({std::nullopt, std::string(graph.op(use.node))});
  if (graph.value(value).is_output) readings.push_back({std::nullopt, "none"});
  return readings;
}

// Whether channels of images are put side by side that fill no lanes of 8, so that those behind them begin within one.
bool JoinsRagged(const LimitContext& context, NodeId join) {
  constexpr int64_t kLane = 8;
  const auto parts = context.graph.inputs(join);
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const Shape* part = ShapeOf(context, join, static_cast<int>(i));
    if (part == nullptr || !part->ranked() || part->rank() != 4 || !part->dim(1).is_constant()) return false;
    if (part->dim(1).value() % kLane != 0) return true;
  }
  return false;
}

// What a concatenation joins for this node alone is as well read part by part.
LimitReadings ReadJoined(const LimitContext& context, NodeId node, const Limit& limit) {
  const Graph& graph = context.graph;
  const ValueId value = Operand(context, node, limit.input);
  const NodeId maker = value.valid() ? graph.value(value).producer : NodeId();
  if (!maker.valid() || !HasTrait(graph, maker, trait::kJoins)) return {Number(0)};
  if (graph.uses(value).size() != 1 || graph.value(value).is_output) return {Number(0)};
  if (JoinsRagged(context, maker)) return {Number(std::numeric_limits<double>::infinity())};
  const Shape *in = ShapeOf(context, node, limit.input), *out = ShapeOf(context, node, -1);
  if (!in->ranked() || out == nullptr || !out->ranked()) return {Unknown()};
  const LimitReading whole = Product(context, *in, 0, in->rank()), made = Product(context, *out, 0, out->rank());
  if (!whole.number.has_value() || !made.number.has_value() || *made.number == 0) return {Unknown()};
  return {Number(*whole.number / CountPresent(context, graph.inputs(maker)) / *made.number)};
}

LimitReadings ReadSlots(const LimitContext& context, NodeId node, const Limit& limit) {
  LimitReadings readings;
  const ValueId value = Operand(context, node, limit.input);
  if (!value.valid()) return readings;
  for (const Use& use : ReadersOf(context, value)) {
    const bool is_any = HasTrait(context.graph, use.node, trait::kCommutes);
    readings.push_back(Number(is_any ? 0 : static_cast<double>(use.input)));
  }
  return readings;
}

LimitReadings ReadPresence(const LimitContext& context, NodeId node, const Limit& limit) {
  if (limit.attr.empty()) return {Truth(Operand(context, node, limit.input).valid())};
  return {Truth(context.graph.FindAttribute(node, limit.attr) != nullptr)};
}

LimitReadings ReadPrecision(const LimitContext& context, NodeId node) {
  const Num own = context.precisions != nullptr ? (*context.precisions)[node] : Num::kUnset;
  const Num precision = own != Num::kUnset ? own : context.precision;
  if (precision == Num::kUnset) return {};
  return {{std::nullopt, std::string(NumName(precision))}};
}

LimitReadings ReadBatch(const LimitContext& context, NodeId node) {
  const Shape* shape = ShapeOf(context, node, 0);
  if (shape == nullptr) return {};
  if (!shape->ranked()) return {Unknown()};
  const int axis = BatchAxisOf(context.graph, node);
  return shape->rank() > axis ? LimitReadings{Size(context, shape->dim(axis))} : LimitReadings{};
}

LimitReadings ReadOperand(const LimitContext& context, NodeId node, const Limit& limit) {
  const ValueId value = Operand(context, node, limit.input);
  if (!value.valid()) return {};
  const Type& type = context.facts.values[value].type;
  switch (limit.kind) {
    case LimitKind::kConst: return {Truth(KnownBeforeRun(context, value))};
    case LimitKind::kRank: return {type.shape.ranked() ? Number(type.shape.rank()) : Unknown()};
    case LimitKind::kNumel: return ReadElements(context, node, limit, type.shape);
    case LimitKind::kDim: return ReadDims(context, node, limit, type.shape);
    case LimitKind::kNonSingleton: return {ReadNonSingleton(context, type.shape)};
    case LimitKind::kDtype:
      if (type.elem == ElemType::kUndefined) return {{std::nullopt, "not known", true}};
      return {{std::nullopt, std::string(ElemTypeName(type.elem))}};
    case LimitKind::kValue: return ReadContents(context, value, limit.index);
    default: return {};
  }
}

}  // namespace

std::string LimitReading::text() const { return number.has_value() ? NumberText(*number) : word; }

std::string NumberText(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::trunc(number) == number && std::abs(number) < kExact) return absl::StrCat(static_cast<int64_t>(number));
  return absl::StrCat(number);
}

LimitReadings ReadLimited(const LimitContext& context, NodeId node, const Limit& limit) {
  if (limit.of_core && context.core.valid()) node = context.core;
  const absl::Span<const ValueId> inputs = context.graph.inputs(node);
  const absl::Span<const ValueId> outputs = context.graph.outputs(node);
  switch (limit.kind) {
    case LimitKind::kStatic: return {Truth(AllStatic(context, inputs) && AllStatic(context, outputs))};
    case LimitKind::kBatch: return ReadBatch(context, node);
    case LimitKind::kAttr: return ReadAttribute(context, node, limit);
    case LimitKind::kAxis: return ReadAxes(context, node, limit);
    case LimitKind::kInputs: return {Number(CountPresent(context, inputs))};
    case LimitKind::kOutputs: return {Number(CountPresent(context, outputs))};
    case LimitKind::kConsts: return {Number(CountConstants(context, inputs))};
    case LimitKind::kHas: return ReadPresence(context, node, limit);
    case LimitKind::kScale: return ReadScale(context, node, limit);
    case LimitKind::kBroadcast: return ReadBroadcast(context, node, limit);
    case LimitKind::kJoined: return ReadJoined(context, node, limit);
    case LimitKind::kSlot: return ReadSlots(context, node, limit);
    case LimitKind::kNeighbour:
    case LimitKind::kOrigin: return ReadNeighbours(context, node, limit);
    case LimitKind::kEdge: return {Truth(IsAtEdge(context.graph, node))};
    case LimitKind::kPrecision: return ReadPrecision(context, node);
    case LimitKind::kOpset: return {Number(context.graph.node(node).opset)};
    case LimitKind::kOp: return {{std::nullopt, std::string(context.graph.op(node))}};
    default: return ReadOperand(context, node, limit);
  }
}

}  // namespace hwest
