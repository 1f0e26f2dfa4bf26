#include "op/runtime/contrib_common.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hwest {

const OpRule& StandardRule(absl::string_view op) { return *FindRule("", op); }

absl::StatusOr<int64_t> PositiveAttr(const OpView& op, absl::string_view name) {
  const int64_t value = op.attr(name, int64_t{0});
  if (value >= 1 && value <= INT32_MAX) return value;
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects a positive ", name, ", found ", value));
}

Dim KnownSize(const OpView& op, int i) {
  const std::optional<std::vector<Dim>> values = op.known_dims(i);
  return values.has_value() && values->size() == 1 ? values->front() : Dim::Unknown();
}

absl::StatusOr<std::optional<std::vector<Dim>>> KnownSizes(const OpView& op, int i) {
  std::optional<std::vector<Dim>> sizes = op.known_dims(i);
  if (!sizes.has_value()) return sizes;
  for (const Dim size : *sizes) {
    if (op.dims().LessEqual(size, -1) == Tri::kTrue) {
      return absl::InvalidArgumentError(
          absl::StrCat(op.op(), " expects sizes of 0 or more in input ", i, ", found ", op.dims().ToString(size)));
    }
  }
  return sizes;
}

Dim RowsOf(DimPool& dims, const Shape& shape) {
  if (!shape.ranked() || shape.rank() == 0) return Dim::Unknown();
  return dims.Product(shape.dims().first(static_cast<size_t>(shape.rank() - 1)));
}

Shape WithLastDim(Shape shape, Dim last) {
  if (shape.ranked() && shape.rank() > 0) shape.set_dim(shape.rank() - 1, last);
  return shape;
}

absl::Status UnifyAxis(InferContext& ctx, const Shape& shape, int axis, Dim dim) {
  if (!shape.ranked() || axis < 0 || axis >= shape.rank()) return absl::OkStatus();
  return ctx.Unify(shape.dim(axis), dim).status();
}

void AddProduct(DimPool& dims, Work& work, Dim rows, Dim n, Dim k, Operands operands) {
  Contraction product{.kind = ContractionKind::kMatMul, .batch = 1, .m = rows, .n = n, .k = k, .kernel_elements = 1};
  AddContraction(dims, work, std::move(product), dims.Product({rows, n, k}), operands);
}

Work UnknownMacs() {
  Work work;
  work.macs = Dim::Unknown();
  return work;
}

void AddRotation(DimPool& dims, Work& work, Dim elements) { AddOps(dims, work, elements, {.add = 1, .mul = 2}); }

}  // namespace hwest
