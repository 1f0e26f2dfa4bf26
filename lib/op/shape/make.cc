// Operators that make tensors: Constant, ConstantOfShape, Range, EyeLike.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/run_time.h"
#include "op/scalar_math.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// The tensor of attribute `name`, null when absent.
const hwest::Constant* TensorAttr(const OpView& op, absl::string_view name) {
  const Attribute* attribute = op.graph().FindAttribute(op.node(), name);
  if (attribute == nullptr || attribute->tensors.size() != 1 || !attribute->tensors[0].valid()) return nullptr;
  return &op.graph().constant(attribute->tensors[0]);
}

// The tensor that a Constant holds, whichever attribute it was written in; null for the plain number attributes.
const hwest::Constant* ConstantTensor(const OpView& op) {
  const ValueId out = op.has_output(0) ? op.output(0) : ValueId();
  if (out.valid() && op.graph().value(out).constant.valid()) {
    return &op.graph().constant(op.graph().value(out).constant);
  }
  const hwest::Constant* tensor = TensorAttr(op, "value");
  return tensor != nullptr ? tensor : TensorAttr(op, "sparse_value");
}

absl::StatusOr<Shape> ShapeOfConstant(const hwest::Constant& constant) {
  Shape shape = Shape::Scalar();
  for (const int64_t dim : constant.dims) {
    if (dim < 0) return absl::InvalidArgumentError(absl::StrCat("a tensor has a size of ", dim));
    shape.push_back(dim);
  }
  return shape;
}

// Constant's plain number attributes.
struct NumberAttr {
  absl::string_view name;
  AttrKind kind;
  ElemType elem;
};

constexpr NumberAttr kNumberAttrs[] = {
    {"value_int", AttrKind::kInt, ElemType::kInt64},        {"value_ints", AttrKind::kInts, ElemType::kInt64},
    {"value_float", AttrKind::kFloat, ElemType::kFloat},    {"value_floats", AttrKind::kFloats, ElemType::kFloat},
    {"value_string", AttrKind::kString, ElemType::kString}, {"value_strings", AttrKind::kStrings, ElemType::kString},
};

std::pair<const Attribute*, ElemType> FindNumberAttr(const OpView& op) {
  for (const NumberAttr& row : kNumberAttrs) {
    const Attribute* attribute = op.graph().FindAttribute(op.node(), row.name);
    if (attribute != nullptr && attribute->kind == row.kind) return {attribute, row.elem};
  }
  return {nullptr, ElemType::kUndefined};
}

Shape ShapeOfNumbers(const Attribute& attribute) {
  switch (attribute.kind) {
    case AttrKind::kInts: return Shape({static_cast<int64_t>(attribute.ints.size())});
    case AttrKind::kFloats: return Shape({static_cast<int64_t>(attribute.floats.size())});
    case AttrKind::kStrings: return Shape({static_cast<int64_t>(attribute.strings.size())});
    default: return Shape::Scalar();
  }
}

}  // namespace

absl::Status InferConstant(InferContext& ctx) {
  if (const hwest::Constant* tensor = ConstantTensor(ctx); tensor != nullptr) {
    HWEST_ASSIGN_OR_RETURN(Shape shape, ShapeOfConstant(*tensor));
    ctx.set_out(0, tensor->elem, std::move(shape));
    return absl::OkStatus();
  }
  const auto [attribute, elem] = FindNumberAttr(ctx);
  if (attribute == nullptr) return absl::InvalidArgumentError("Constant expects a value attribute, found none");
  ctx.set_out(0, elem, ShapeOfNumbers(*attribute));
  return absl::OkStatus();
}

void KnownConstant(InferContext& ctx) {
  if (const hwest::Constant* tensor = ConstantTensor(ctx); tensor != nullptr) {
    ctx.set_known(0, DecodeConstant(*tensor));
    return;
  }
  const auto [attribute, elem] = FindNumberAttr(ctx);
  if (attribute == nullptr || elem == ElemType::kString) return;
  std::vector<Scalar> values;
  if (attribute->kind == AttrKind::kInt) values.push_back(Scalar::Int(attribute->i));
  if (attribute->kind == AttrKind::kFloat) values.push_back(FromDouble(attribute->f));
  for (const int64_t value : attribute->ints) values.push_back(Scalar::Int(value));
  for (const float value : attribute->floats) values.push_back(FromDouble(value));
  ctx.set_known(0, std::move(values));
}

// A tensor of the shape that input 0 holds, filled with the one element of `value` (float 0 when absent).
absl::Status InferConstantOfShape(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0, 1));
  const hwest::Constant* value = TensorAttr(ctx, "value");
  const Operand sizes = ReadOperand(ctx, 0, "");
  Shape out;
  if (sizes.length.has_value()) {
    out = Shape::Scalar();
    for (const Scalar& size : sizes.Padded()) {
      if (size.is_int() && ctx.dims().LessEqual(size.dim(), -1) == Tri::kTrue) {
        return absl::InvalidArgumentError(
            absl::StrCat("ConstantOfShape expects sizes of 0 or more, found ", ctx.dims().ToString(size.dim())));
      }
      out.push_back(size.is_int() ? size.dim() : Dim());
    }
  }
  ctx.set_out(0, value == nullptr ? ElemType::kFloat : value->elem, std::move(out));
  return absl::OkStatus();
}

void KnownConstantOfShape(InferContext& ctx) {
  const hwest::Constant* value = TensorAttr(ctx, "value");
  const Known element = value == nullptr ? nullptr : DecodeConstant(*value);
  if (value != nullptr && (element == nullptr || element->size() != 1)) return;
  const auto dims = SmallDims(ctx.out(0).shape);
  const Dim count = ctx.out(0).shape.Elements(ctx.dims());
  if (!dims.has_value() || !count.is_constant()) return;
  const Scalar fill = element == nullptr ? Scalar::Int(0) : (*element)[0];
  ctx.set_known(0, std::vector<Scalar>(static_cast<size_t>(count.value()), fill));
}

namespace {

// start, limit and delta of a Range; unknown where not known. Wild models write them as tensors of one element.
struct RangeArgs {
  Scalar start, limit, delta;
};

Scalar OnlyElement(const OpView& op, int i) {
  const Known& known = op.known(i);
  return known != nullptr && known->size() == 1 ? (*known)[0] : Scalar();
}

// The delta of com.microsoft's operator is optional.
RangeArgs ReadRange(const OpView& op) {
  return {OnlyElement(op, 0), OnlyElement(op, 1), op.has_input(2) ? OnlyElement(op, 2) : Scalar::Int(1)};
}

// max(ceil((limit - start) / delta), 0)
Dim RangeLength(DimPool& dims, const RangeArgs& args) {
  if (args.start.is_int() && args.limit.is_int() && args.delta.is_int()) {
    const Dim span = dims.Sub(args.limit.dim(), args.start.dim()), delta = args.delta.dim();
    if (IsPositive(dims, delta)) return dims.Max(dims.CeilDiv(span, delta), 0);
    if (dims.LessEqual(delta, -1) == Tri::kTrue) return dims.Max(dims.CeilDiv(dims.Neg(span), dims.Neg(delta)), 0);
    return Dim::Unknown();
  }
  if (!args.start.is_constant() || !args.limit.is_constant() || !args.delta.is_constant()) return Dim::Unknown();
  const double length = std::ceil((args.limit.number() - args.start.number()) / args.delta.number());
  const Scalar count = FromDouble(std::max(length, 0.0));
  return count.is_int() ? count.dim() : Dim::Unknown();
}

}  // namespace

absl::Status InferRange(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, ctx.domain().empty() ? 3 : 2));
  for (int i = 0; i < 3; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0, 1));
  const NamedContents named(ctx, Inputs({0, 1, 2}));  // s to s + 4 is as long as 0 to 4
  const RangeArgs args = ReadRange(ctx);
  if (args.delta.is_constant() && args.delta.number() == 0) {
    return absl::InvalidArgumentError("Range expects a delta other than 0");
  }
  const Dim length = RangeLength(ctx.dims(), args);
  ctx.set_out(0, FirstElem(ctx, 0, 3), Shape({named.IsIn(length) ? Dim::Unknown() : length}));
  return absl::OkStatus();
}

void KnownRange(InferContext& ctx) {
  const RangeArgs args = ReadRange(ctx);
  const auto dims = SmallDims(ctx.out(0).shape);
  if (!dims.has_value() || dims->size() != 1) return;
  const bool whole = args.start.is_int() && args.delta.is_int();
  if (!whole && !(args.start.is_constant() && args.delta.is_constant())) return;
  std::vector<Scalar> values;
  for (int64_t i = 0; i < (*dims)[0]; ++i) {
    const Scalar value = whole ? Scalar::Int(ctx.dims().Add(args.start.dim(), ctx.dims().Mul(args.delta.dim(), i)))
                               : FromDouble(args.start.number() + static_cast<double>(i) * args.delta.number());
    values.push_back(FitTo(ctx.out(0).elem, value));
  }
  ctx.set_known(0, std::move(values));
}

// start + i * delta
absl::StatusOr<Work> WorkRange(const OpView& op) { return ElementWork(op, {.add = 1, .mul = 1}); }

absl::Status InferEyeLike(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  const Shape& in = ctx.in(0).shape;
  ctx.set_out(0, ctx.has_attr("dtype") ? ElemAttr(ctx, "dtype") : ctx.in(0).elem,
              in.ranked() ? in : Shape::UnknownDims(2));
  return absl::OkStatus();
}

}  // namespace hwest
