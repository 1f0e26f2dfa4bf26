#include "op/control/state.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

bool SameKnown(const Known& a, const Known& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || *a == *b;
}

Shape EitherShape(InferContext& ctx, const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked() || a.rank() != b.rank()) return Shape();
  Shape joined = a;
  for (int axis = 0; axis < a.rank(); ++axis) joined.set_dim(axis, EitherSize(ctx, "branch", a.dim(axis), b.dim(axis)));
  return joined;
}

absl::StatusOr<Type> EitherType(InferContext& ctx, const Type& a, const Type& b) {
  if (a.kind == ValueKind::kUnknown || b.kind == ValueKind::kUnknown) return Type();
  if (a.kind != b.kind) {
    return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " expects values of one kind, found ",
                                                   ValueKindName(a.kind), " and ", ValueKindName(b.kind)));
  }
  if (a.elem != b.elem && a.elem != ElemType::kUndefined && b.elem != ElemType::kUndefined) {
    return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " expects values of one element type, found ",
                                                   ElemTypeName(a.elem), " and ", ElemTypeName(b.elem)));
  }
  Type joined = IsEmptyContainer(a) ? b : a;
  if (!IsEmptyContainer(a) && !IsEmptyContainer(b)) joined.shape = EitherShape(ctx, a.shape, b.shape);
  if (joined.elem == ElemType::kUndefined) joined.elem = IsEmptyContainer(a) ? a.elem : b.elem;
  joined.length = EitherSize(ctx, "branch", a.length, b.length);
  joined.presence = a.presence == b.presence ? a.presence : Presence::kUnknown;
  return joined;
}

Known EitherKnown(const Known& a, const Known& b) {
  if (a == b || a == nullptr || b == nullptr || a->size() != b->size()) return a == b ? a : nullptr;
  std::vector<Scalar> joined = *a;
  for (size_t k = 0; k < joined.size(); ++k) {
    if (!(joined[k] == (*b)[k])) joined[k] = Scalar();
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(joined));
}

Shape Substituted(DimPool& dims, const Shape& shape, const Binding& binding) {
  Shape result = shape;
  if (!shape.ranked()) return result;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    result.set_dim(axis, dims.Substitute(shape.dim(axis), binding));
  }
  return result;
}

Type Substituted(DimPool& dims, const Type& type, const Binding& binding) {
  Type result = type;
  result.shape = Substituted(dims, type.shape, binding);
  result.length = dims.Substitute(type.length, binding);
  return result;
}

Known Substituted(DimPool& dims, const Known& known, const Binding& binding) {
  if (known == nullptr) return nullptr;
  std::vector<Scalar> result = *known;
  for (Scalar& scalar : result) {
    if (scalar.is_int()) scalar = Scalar::Int(dims.Substitute(scalar.dim(), binding));
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(result));
}

}  // namespace

Dim EitherSize(InferContext& ctx, absl::string_view prefix, Dim a, Dim b) {
  if (a == b || a.is_unknown() || b.is_unknown()) return a.is_unknown() ? a : b;
  const Dim low = ctx.dims().Min(a, b);
  return ctx.FreshSize(prefix, ctx.dims().BoundsOf(low).min.value_or(0), ctx.dims().Max(a, b));
}

bool IsEmptyContainer(const Type& type) {
  if (type.kind == ValueKind::kSequence) return type.length.IsConstant(0);
  return type.kind == ValueKind::kOptional && type.presence == Presence::kAbsent;
}

bool SameElements(const Elements& a, const Elements& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->size() != b->size()) return false;
  return std::equal(a->begin(), a->end(), b->begin(),
                    [](const Element& x, const Element& y) { return x.type == y.type && SameKnown(x.known, y.known); });
}

bool SameState(const State& a, const State& b) {
  return a.type == b.type && SameKnown(a.known, b.known) && SameElements(a.elements, b.elements);
}

State StateOf(const OpView& op, ValueId value) {
  if (!value.valid()) return State();
  State state{op.fact(value).type, op.fact(value).known, op.elements_of(value)};
  // The elements of an empty sequence are known whoever made it.
  const bool empty = state.type.kind == ValueKind::kSequence && state.type.length.IsConstant(0);
  if (empty && state.elements == nullptr) state.elements = std::make_shared<const std::vector<Element>>();
  return state;
}

void SetState(InferContext& ctx, ValueId value, const State& state) {
  ValueFact& fact = ctx.facts().values[value];
  fact.type = state.type;
  fact.known = state.known;
  if (state.elements == nullptr) {
    ctx.facts().elements.erase(value);
  } else {
    ctx.facts().elements[value] = state.elements;
  }
}

void SetOutput(InferContext& ctx, int i, const State& state) {
  ctx.set_out(i, state.type);
  ctx.set_known(i, state.known);
  ctx.set_elements(i, state.elements);
}

absl::StatusOr<State> JoinStates(InferContext& ctx, const State& a, const State& b) {
  absl::StatusOr<Type> type = EitherType(ctx, a.type, b.type);
  if (!type.ok()) return type.status();
  return State{*std::move(type), EitherKnown(a.known, b.known),
               SameElements(a.elements, b.elements) ? a.elements : nullptr};
}

Type ElementType(const Type& container) {
  Type element;
  element.kind = container.inner;
  element.elem = container.elem;
  element.shape = container.shape;
  if (element.kind == ValueKind::kSequence) element.length = container.length;
  return element;
}

Type ContainerOf(ValueKind kind, const Type& element) {
  Type type;
  type.kind = kind;
  type.inner = element.kind == ValueKind::kUnknown ? ValueKind::kTensor : element.kind;
  type.elem = element.elem;
  type.shape = element.shape;
  type.length = element.length;
  return type;
}

void JoinElement(Type& container, const Type& element) {
  if (container.elem == ElemType::kUndefined) container.elem = element.elem;
  Shape& joined = container.shape;
  const Shape& shape = element.shape;
  if (!joined.ranked() || !shape.ranked() || joined.rank() != shape.rank()) {
    joined = Shape();
    return;
  }
  for (int axis = 0; axis < joined.rank(); ++axis) {
    if (!(joined.dim(axis) == shape.dim(axis))) joined.set_dim(axis, Dim::Unknown());
  }
}

State AtRun(DimPool& dims, const State& state, Dim iter, Dim run) {
  const SymbolId symbol = dims.AsSymbol(iter);
  if (!symbol.valid()) return state;
  const Binding binding = {{symbol, run}};
  State result{Substituted(dims, state.type, binding), Substituted(dims, state.known, binding), nullptr};
  if (state.elements == nullptr) return result;
  std::vector<Element> elements;
  for (const Element& element : *state.elements) {
    elements.push_back({Substituted(dims, element.type, binding), Substituted(dims, element.known, binding)});
  }
  result.elements = std::make_shared<const std::vector<Element>>(std::move(elements));
  return result;
}

}  // namespace hwest
