// Sequences: made, read, changed, joined and taken apart.
#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/control/state.h"
#include "op/families.h"
#include "op/known.h"

namespace hwest {
namespace {

absl::Status RequireSequence(const OpView& op, int i) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, i + 1));
  const ValueKind kind = op.in(i).kind;
  if (kind == ValueKind::kSequence || kind == ValueKind::kUnknown) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(op.op(), " expects a sequence as input ", i, ", found a ", ValueKindName(kind)));
}

absl::Status RequireTensor(const OpView& op, int i) { return RequireRank(op, i, 0); }

Dim NumberOf(const OpView& op, int i) {
  const auto numbers = op.known_dims(i);
  return numbers.has_value() && numbers->size() == 1 ? numbers->front() : Dim::Unknown();
}

Element ElementOf(const OpView& op, int i) { return {op.in(i), op.known(i)}; }

Elements Share(std::vector<Element> elements) {
  return std::make_shared<const std::vector<Element>>(std::move(elements));
}

// What holds for all of them.
Type SequenceOf(const std::vector<Element>& elements) {
  Type type = elements.empty() ? ContainerOf(ValueKind::kSequence, Type())
                               : ContainerOf(ValueKind::kSequence, elements.front().type);
  for (const Element& element : elements) JoinElement(type, element.type);
  type.length = static_cast<int64_t>(elements.size());
  return type;
}

void SetSequence(InferContext& ctx, std::vector<Element> elements, ElemType elem = ElemType::kUndefined) {
  Type type = SequenceOf(elements);
  if (type.elem == ElemType::kUndefined) type.elem = elem;
  ctx.set_out(0, std::move(type));
  ctx.set_elements(0, Share(std::move(elements)));
}

absl::Status InferSequenceConstruct(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, std::max(1, ctx.num_inputs())));
  std::vector<Element> elements;
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    HWEST_RETURN_IF_ERROR(RequireTensor(ctx, i));
    elements.push_back(ElementOf(ctx, i));
  }
  SetSequence(ctx, std::move(elements));
  return absl::OkStatus();
}

absl::Status InferSequenceEmpty(InferContext& ctx) {
  const auto elem = static_cast<ElemType>(ctx.attr("dtype", static_cast<int64_t>(ElemType::kFloat)));
  SetSequence(ctx, {}, elem);
  return absl::OkStatus();
}

// Index of a position that may count from the end; none when it, or the length, is open.
absl::StatusOr<std::optional<size_t>> IndexOf(const OpView& op, Dim position, int64_t length, int64_t last) {
  if (!position.is_constant()) return std::nullopt;
  const int64_t index = position.value() < 0 ? position.value() + length : position.value();
  if (index < 0 || index > last) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), ": position ", position.value(), " is outside a sequence of ", length));
  }
  return static_cast<size_t>(index);
}

absl::Status InferSequenceAt(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireSequence(ctx, 0));
  const Type& sequence = ctx.in(0);
  if (sequence.kind == ValueKind::kUnknown) return absl::OkStatus();
  if (sequence.length.is_constant()) {
    const int64_t length = sequence.length.value();
    HWEST_ASSIGN_OR_RETURN(const auto index, IndexOf(ctx, NumberOf(ctx, 1), length, length - 1));
    const Elements elements = ctx.elements(0);
    if (index.has_value() && elements != nullptr && *index < elements->size()) {
      ctx.set_out(0, (*elements)[*index].type);
      ctx.set_known(0, (*elements)[*index].known);
      return absl::OkStatus();
    }
  }
  ctx.set_out(0, ElementType(sequence));
  return absl::OkStatus();
}

absl::Status InferSequenceInsert(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireSequence(ctx, 0));
  HWEST_RETURN_IF_ERROR(RequireTensor(ctx, 1));
  const Type& before = ctx.in(0);
  const Elements elements = StateOf(ctx, ctx.input(0)).elements;
  const Element added = ElementOf(ctx, 1);
  if (elements != nullptr && before.length.is_constant()) {
    const int64_t length = before.length.value();
    const Dim position = ctx.has_input(2) ? NumberOf(ctx, 2) : before.length;
    HWEST_ASSIGN_OR_RETURN(const auto index, IndexOf(ctx, position, length, length));
    if (index.has_value()) {
      std::vector<Element> all = *elements;
      all.insert(all.begin() + static_cast<ptrdiff_t>(*index), added);
      SetSequence(ctx, std::move(all), before.elem);
      return absl::OkStatus();
    }
  }
  Type type = before.kind == ValueKind::kUnknown || before.length.IsConstant(0)
                  ? ContainerOf(ValueKind::kSequence, added.type)
                  : before;
  JoinElement(type, added.type);
  if (before.kind == ValueKind::kUnknown) type.shape = Shape();
  if (type.elem == ElemType::kUndefined) type.elem = before.elem;
  type.length = ctx.dims().Add(before.length, 1);
  ctx.set_out(0, std::move(type));
  return absl::OkStatus();
}

absl::Status InferSequenceErase(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireSequence(ctx, 0));
  Type type = ctx.in(0);
  if (type.kind == ValueKind::kUnknown) return absl::OkStatus();
  const Elements elements = ctx.elements(0);
  if (type.length.is_constant()) {
    const int64_t length = type.length.value();
    const Dim position = ctx.has_input(1) ? NumberOf(ctx, 1) : Dim(-1);
    HWEST_ASSIGN_OR_RETURN(const auto index, IndexOf(ctx, position, length, length - 1));
    if (index.has_value() && elements != nullptr && *index < elements->size()) {
      std::vector<Element> rest = *elements;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(*index));
      SetSequence(ctx, std::move(rest), type.elem);
      return absl::OkStatus();
    }
  }
  type.length = ctx.dims().Sub(type.length, 1);
  ctx.set_out(0, std::move(type));
  return absl::OkStatus();
}

absl::Status InferSequenceLength(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireSequence(ctx, 0));
  ctx.set_out(0, ElemType::kInt64, Shape::Scalar());
  return absl::OkStatus();
}

void KnownSequenceLength(InferContext& ctx) {
  if (!ctx.in(0).length.is_unknown()) ctx.set_known(0, {Scalar::Int(ctx.in(0).length)});
}

// The shape of all elements stacked or joined, from that of each.
absl::StatusOr<Shape> JoinedShape(const OpView& op, const Shape& each, Dim length) {
  if (!each.ranked()) return Shape();
  const bool stacks = op.attr("new_axis", int64_t{0}) != 0;
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(op.attr("axis", int64_t{0}), each.rank() + (stacks ? 1 : 0)));
  Shape::Dims dims(each.dims().begin(), each.dims().end());
  if (stacks) {
    dims.insert(dims.begin() + axis, length);
  } else {
    dims[static_cast<size_t>(axis)] = op.dims().Mul(dims[static_cast<size_t>(axis)], length);
  }
  return Shape(std::move(dims));
}

absl::Status InferConcatFromSequence(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireSequence(ctx, 0));
  const Type& sequence = ctx.in(0);
  if (!ctx.has_attr("axis")) return absl::InvalidArgumentError("ConcatFromSequence expects an axis");
  HWEST_ASSIGN_OR_RETURN(Shape joined, JoinedShape(ctx, sequence.shape, sequence.length));
  const Elements elements = ctx.elements(0);
  const bool stacks = ctx.attr("new_axis", int64_t{0}) != 0;
  if (joined.ranked() && elements != nullptr && !elements->empty() && !stacks) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{0}), joined.rank()));
    Dim sum = 0;
    for (const Element& element : *elements) {
      sum = ctx.dims().Add(sum, element.type.shape.ranked() ? element.type.shape.dim(axis) : Dim::Unknown());
    }
    joined.set_dim(axis, sum);
  }
  ctx.set_out(0, sequence.elem, std::move(joined));
  return absl::OkStatus();
}

void KnownConcatFromSequence(InferContext& ctx) {
  const Elements elements = ctx.elements(0);
  const Shape& out = ctx.out(0).shape;
  if (elements == nullptr || !SmallDims(out).has_value()) return;
  const auto axis = NormalizeAxis(ctx.attr("axis", int64_t{0}), out.rank());
  int64_t outer = 1;
  for (int k = 0; axis.ok() && k < *axis; ++k) outer *= out.dim(k).value();
  if (!axis.ok() || outer == 0) return;
  std::vector<Scalar> all;
  for (int64_t row = 0; row < outer; ++row) {
    for (const Element& element : *elements) {
      if (element.known == nullptr) return;
      const int64_t count = static_cast<int64_t>(element.known->size()) / outer;
      all.insert(all.end(), element.known->begin() + row * count, element.known->begin() + (row + 1) * count);
    }
  }
  ctx.set_known(0, std::move(all));
}

// Sizes of the parts along the axis.
struct Parts {
  Dim count;
  std::optional<std::vector<Dim>> sizes;  // one by one, when there are few enough
  Dim each;                               // of all alike
};

Parts EqualParts(DimPool& dims, Dim total, Dim size) {
  Parts parts;
  if (size.is_unknown() || total.is_unknown()) {
    parts.each = size;
    return parts;
  }
  parts.count = dims.CeilDiv(total, size);
  const Dim even = dims.ExactDiv(total, size);
  if (dims.Mul(even, size) == total) parts.each = size;
  if (!parts.count.is_constant() || parts.count.value() > static_cast<int64_t>(kMaxFollowedElements)) return parts;
  std::vector<Dim> sizes(static_cast<size_t>(std::max<int64_t>(0, parts.count.value())), size);
  if (!sizes.empty()) sizes.back() = dims.Sub(total, dims.Mul(size, parts.count.value() - 1));
  parts.sizes = std::move(sizes);
  return parts;
}

absl::StatusOr<Parts> PartsOf(InferContext& ctx, Dim total) {
  if (!ctx.has_input(1)) return EqualParts(ctx.dims(), total, 1);
  const Type& split = ctx.in(1);
  const auto sizes = ctx.known_dims(1);
  if (split.shape.ranked() && split.shape.rank() == 0) {
    const Dim size = sizes.has_value() ? sizes->front() : Dim::Unknown();
    if (size.is_constant() && size.value() < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("SplitToSequence expects parts of 1 or more, found ", size.value()));
    }
    return EqualParts(ctx.dims(), total, size);
  }
  Parts parts;
  if (split.shape.ranked()) parts.count = split.shape.dim(0);
  if (!sizes.has_value()) return parts;
  for (const Dim size : *sizes) {
    if (!size.is_constant() || size.value() >= 0) continue;
    return absl::InvalidArgumentError(absl::StrCat("SplitToSequence expects sizes of 0 or more, found ", size.value()));
  }
  if (!sizes->empty()) {
    HWEST_RETURN_IF_ERROR(ctx.Unify(ctx.dims().Sum(*sizes), total).status());
    if (std::count(sizes->begin(), sizes->end(), sizes->front()) == static_cast<ptrdiff_t>(sizes->size())) {
      parts.each = sizes->front();
    }
  }
  if (sizes->size() <= kMaxFollowedElements) parts.sizes = *sizes;
  return parts;
}

absl::Status InferSplitToSequence(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Type& in = ctx.in(0);
  if (!in.shape.ranked()) {
    ctx.set_out(0, ContainerOf(ValueKind::kSequence, Type::Tensor(in.elem, Shape())));
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{0}), in.shape.rank()));
  HWEST_ASSIGN_OR_RETURN(const Parts parts, PartsOf(ctx, in.shape.dim(axis)));
  const bool drops_axis = !ctx.has_input(1) && ctx.attr("keepdims", int64_t{1}) == 0;
  const auto part = [&](Dim size) {
    Shape::Dims dims(in.shape.dims().begin(), in.shape.dims().end());
    dims[static_cast<size_t>(axis)] = size;
    if (drops_axis) dims.erase(dims.begin() + axis);
    return Type::Tensor(in.elem, Shape(std::move(dims)));
  };
  if (parts.sizes.has_value()) {
    std::vector<Element> elements;
    for (const Dim size : *parts.sizes) elements.push_back({part(size), nullptr});
    SetSequence(ctx, std::move(elements), in.elem);
    return absl::OkStatus();
  }
  Type type = ContainerOf(ValueKind::kSequence, part(parts.each));
  type.length = parts.count;
  ctx.set_out(0, std::move(type));
  return absl::OkStatus();
}

// Contents of the parts of a list of numbers.
void KnownSplitToSequence(InferContext& ctx) {
  const Known& known = ctx.known(0);
  const Elements parts = ctx.has_output(0) ? ctx.elements_of(ctx.output(0)) : nullptr;
  if (known == nullptr || parts == nullptr || ctx.in(0).shape.rank() != 1) return;
  std::vector<Element> filled = *parts;
  size_t at = 0;
  for (Element& element : filled) {
    const Dim count = element.type.shape.Elements(ctx.dims());
    if (!count.is_constant() || count.value() < 0) return;
    const size_t end = at + static_cast<size_t>(count.value());
    if (end > known->size()) return;
    element.known = std::make_shared<const std::vector<Scalar>>(known->begin() + static_cast<ptrdiff_t>(at),
                                                                known->begin() + static_cast<ptrdiff_t>(end));
    at = end;
  }
  ctx.set_elements(0, Share(std::move(filled)));
}

// clang-format off
constexpr OpRule kSequenceRules[] = {
    {.op = "ConcatFromSequence", .versions = "11", .infer = InferConcatFromSequence, .known = KnownConcatFromSequence,
     .op_class = OpClass::kLayout},
    {.op = "SequenceAt", .versions = "11", .infer = InferSequenceAt, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({1})},
    {.op = "SequenceConstruct", .versions = "11", .infer = InferSequenceConstruct, .op_class = OpClass::kLayout},
    {.op = "SequenceEmpty", .versions = "11", .infer = InferSequenceEmpty, .op_class = OpClass::kLayout},
    {.op = "SequenceErase", .versions = "11", .infer = InferSequenceErase, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({1})},
    {.op = "SequenceInsert", .versions = "11", .infer = InferSequenceInsert, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({2})},
    {.op = "SequenceLength", .versions = "11", .infer = InferSequenceLength, .known = KnownSequenceLength,
     .op_class = OpClass::kLayout, .shape_inputs = Inputs({0})},
    {.op = "SplitToSequence", .versions = "11 24", .infer = InferSplitToSequence, .known = KnownSplitToSequence,
     .op_class = OpClass::kLayout, .shape_inputs = Inputs({1})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> SequenceRules() { return kSequenceRules; }

}  // namespace hwest
