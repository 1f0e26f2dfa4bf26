// Reductions along axes, arg-reductions, running sums and TopK.
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/known.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// Version from which `axes` is an input: 13 for ReduceSum, 18 for the others.
bool AxesAreInput(const OpView& op) { return !OlderThan(op, op.op() == "ReduceSum" ? 13 : 18); }

// The axes as listed, empty = none listed; nullopt when they are an input whose contents are unknown.
std::optional<std::vector<int64_t>> ListedAxes(const OpView& op) {
  if (!AxesAreInput(op)) {
    const absl::Span<const int64_t> axes = op.ints("axes");
    return std::vector<int64_t>(axes.begin(), axes.end());
  }
  if (!op.has_input(1)) return std::vector<int64_t>();
  return op.known_ints(1);
}

bool IsNoop(const OpView& op) { return AxesAreInput(op) && op.attr("noop_with_empty_axes", int64_t{0}) != 0; }

// One flag an axis of the ranked input: is it reduced? nullopt when the axes are unknown.
absl::StatusOr<std::optional<std::vector<bool>>> ReducedAxes(const OpView& op) {
  const int rank = op.in(0).shape.rank();
  const std::optional<std::vector<int64_t>> axes = ListedAxes(op);
  if (!axes.has_value()) return std::optional<std::vector<bool>>();
  const bool all = axes->empty() && !IsNoop(op);
  std::vector<bool> reduced(static_cast<size_t>(rank), all);
  for (const int64_t axis : *axes) {
    // Exporters write axis 0 or -1 for scalars.
    if (rank == 0 && (axis == 0 || axis == -1)) continue;
    HWEST_ASSIGN_OR_RETURN(const int at, NormalizeAxis(axis, rank));
    reduced[static_cast<size_t>(at)] = true;
  }
  return std::optional(std::move(reduced));
}

bool KeepsDims(const OpView& op) { return op.attr("keepdims", int64_t{1}) != 0; }

Shape ReducedShape(const Shape& x, const std::vector<bool>& reduced, bool keep) {
  Shape::Dims dims;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)]) {
      dims.push_back(x.dim(axis));
    } else if (keep) {
      dims.push_back(1);
    }
  }
  return Shape(std::move(dims));
}

absl::Status InferReduce(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Type& x = ctx.in(0);
  Shape shape;
  if (x.shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const std::optional<std::vector<bool>> reduced, ReducedAxes(ctx));
    if (reduced.has_value()) {
      shape = ReducedShape(x.shape, *reduced, KeepsDims(ctx));
    } else if (KeepsDims(ctx)) {
      shape = Shape::UnknownDims(x.shape.rank());
    }
  }
  ctx.set_out(0, x.elem, std::move(shape));
  return absl::OkStatus();
}

// Joins two elements; unknown when the result is not exact.
using JoinFn = Scalar (*)(DimPool&, const Scalar&, const Scalar&);

Scalar JoinSum(DimPool& dims, const Scalar& a, const Scalar& b) {
  return a.is_int() && b.is_int() ? Scalar::Int(dims.Add(a.dim(), b.dim())) : Scalar();
}

Scalar JoinProduct(DimPool& dims, const Scalar& a, const Scalar& b) {
  return a.is_int() && b.is_int() ? Scalar::Int(dims.Mul(a.dim(), b.dim())) : Scalar();
}

Scalar JoinMin(DimPool& dims, const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return Scalar::Int(dims.Min(a.dim(), b.dim()));
  return a.is_constant() && b.is_constant() ? (b.number() < a.number() ? b : a) : Scalar();
}

Scalar JoinMax(DimPool& dims, const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return Scalar::Int(dims.Max(a.dim(), b.dim()));
  return a.is_constant() && b.is_constant() ? (b.number() > a.number() ? b : a) : Scalar();
}

// Stride of every axis of `x` in the output; reduced axes do not move. Requires a constant shape without zeros.
std::vector<int64_t> OutputStrides(const Shape& x, const std::vector<bool>& reduced) {
  std::vector<int64_t> strides(static_cast<size_t>(x.rank()), 0);
  int64_t stride = 1;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    if (reduced[static_cast<size_t>(axis)]) continue;
    strides[static_cast<size_t>(axis)] = stride;
    stride *= x.dim(axis).value();
  }
  return strides;
}

// Index of the output element that input element `flat` goes into.
size_t OutputIndex(const Shape& x, const std::vector<int64_t>& strides, size_t flat) {
  int64_t rest = static_cast<int64_t>(flat);
  int64_t at = 0;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    at += rest % x.dim(axis).value() * strides[static_cast<size_t>(axis)];
    rest /= x.dim(axis).value();
  }
  return static_cast<size_t>(at);
}

// Folds a known tensor along the reduced axes. `identity` is the result over no elements.
void FollowReduce(InferContext& ctx, JoinFn join, const Scalar& identity) {
  const Known& contents = ctx.known(0);
  const Shape& x = ctx.in(0).shape;
  if (contents == nullptr || !x.constant() || !ctx.out(0).shape.constant()) return;
  const auto reduced = ReducedAxes(ctx);
  const Dim size = ctx.out(0).shape.Elements(ctx.dims());
  if (!reduced.ok() || !reduced->has_value() || !size.is_constant() || size.value() > kMaxKnownElements) return;

  std::vector<std::optional<Scalar>> folded(static_cast<size_t>(size.value()));
  const std::vector<int64_t> strides = contents->empty() ? std::vector<int64_t>() : OutputStrides(x, **reduced);
  for (size_t flat = 0; flat < contents->size(); ++flat) {
    std::optional<Scalar>& sum = folded[OutputIndex(x, strides, flat)];
    sum = sum.has_value() ? join(ctx.dims(), *sum, (*contents)[flat]) : (*contents)[flat];
  }
  std::vector<Scalar> values;
  values.reserve(folded.size());
  for (const std::optional<Scalar>& sum : folded) values.push_back(FitTo(ctx.in(0).elem, sum.value_or(identity)));
  ctx.set_known(0, std::move(values));
}

void KnownReduceSum(InferContext& ctx) { FollowReduce(ctx, JoinSum, Scalar::Int(0)); }
void KnownReduceProd(InferContext& ctx) { FollowReduce(ctx, JoinProduct, Scalar::Int(1)); }
void KnownReduceMin(InferContext& ctx) { FollowReduce(ctx, JoinMin, Scalar()); }
void KnownReduceMax(InferContext& ctx) { FollowReduce(ctx, JoinMax, Scalar()); }

// `per_input` operations an input element and `per_result` a result; none when no axis is reduced on request.
Work ReduceWork(const OpView& op, const PerElement& per_input, const PerElement& per_result = {}) {
  const std::optional<std::vector<int64_t>> axes = ListedAxes(op);
  if (IsNoop(op) && axes.has_value() && axes->empty()) return Work();
  Work work = InputElementWork(op, per_input);
  AddOps(op.dims(), work, OutElements(op, 0), per_result, op.in(0).elem);
  return work;
}

absl::StatusOr<Work> WorkReduceSum(const OpView& op) { return ReduceWork(op, {.add = 1}); }
absl::StatusOr<Work> WorkReduceProd(const OpView& op) { return ReduceWork(op, {.mul = 1}); }
absl::StatusOr<Work> WorkReduceExtreme(const OpView& op) { return ReduceWork(op, {.compare = 1}); }
absl::StatusOr<Work> WorkReduceMean(const OpView& op) { return ReduceWork(op, {.add = 1}, {.mul = 1}); }
absl::StatusOr<Work> WorkReduceL1(const OpView& op) { return ReduceWork(op, {.add = 2}); }
absl::StatusOr<Work> WorkReduceL2(const OpView& op) {
  return ReduceWork(op, {.add = 1, .mul = 1}, {.transcendental = 1});
}
absl::StatusOr<Work> WorkReduceLogSum(const OpView& op) { return ReduceWork(op, {.add = 1}, {.transcendental = 1}); }
// Difference to the maximum, exponential, sum; the logarithm.
absl::StatusOr<Work> WorkReduceLogSumExp(const OpView& op) {
  return ReduceWork(op, {.add = 2, .transcendental = 1}, {.transcendental = 1});
}
absl::StatusOr<Work> WorkReduceSumSquare(const OpView& op) { return ReduceWork(op, {.add = 1, .mul = 1}); }

absl::StatusOr<Work> WorkArg(const OpView& op) { return InputElementWork(op, {.compare = 1}); }
absl::StatusOr<Work> WorkCumSum(const OpView& op) { return InputElementWork(op, {.add = 1}); }
absl::StatusOr<Work> WorkCumProd(const OpView& op) { return InputElementWork(op, {.mul = 1}); }

absl::Status InferArg(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  const Shape& x = ctx.in(0).shape;
  Shape shape;
  if (x.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{0}), x.rank()));
    std::vector<bool> reduced(static_cast<size_t>(x.rank()), false);
    reduced[static_cast<size_t>(axis)] = true;
    shape = ReducedShape(x, reduced, KeepsDims(ctx));
  }
  ctx.set_out(0, ElemType::kInt64, std::move(shape));
  return absl::OkStatus();
}

// Inputs x and axis; as x.
absl::Status InferCumulate(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));  // a scalar, in some files a list of one
  const auto axis = ctx.known_ints(1);
  if (axis.has_value() && axis->size() == 1 && ctx.in(0).shape.ranked()) {
    HWEST_RETURN_IF_ERROR(NormalizeAxis(axis->front(), ctx.in(0).shape.rank()).status());
  }
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// K of TopK: an attribute at version 1, a one-element input from 10 on.
Dim SelectedCount(const OpView& op) {
  if (OlderThan(op, 10)) return op.has_attr("k") ? Dim(op.attr("k", int64_t{0})) : Dim::Unknown();
  const std::optional<std::vector<Dim>> k = op.known_dims(1);
  return k.has_value() && k->size() == 1 ? k->front() : Dim::Unknown();
}

// Values and Indices: K elements along `axis`; a K that is not known is at most the axis.
absl::Status InferTopK(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, OlderThan(ctx, 10) ? 1 : 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{-1}), shape.rank()));
    Dim k = SelectedCount(ctx);
    const Dim size = shape.dim(axis);
    HWEST_RETURN_IF_ERROR(RequireSize(ctx, k));
    if (!k.is_unknown() && ctx.dims().LessEqual(k, size) == Tri::kFalse) {
      return absl::InvalidArgumentError(
          absl::StrCat("TopK takes ", ctx.dims().ToString(k), " of an axis of ", ctx.dims().ToString(size)));
    }
    if (k.is_unknown() && !size.is_unknown()) k = ctx.FreshSize("topk", 0, size, TypicalTop(ctx.dims(), size));
    shape.set_dim(axis, k);
  }
  ctx.set_out(0, ctx.in(0).elem, shape);
  ctx.set_out(1, ElemType::kInt64, std::move(shape));
  return absl::OkStatus();
}

// A heap of K elements over all inputs: Ei * ceil(log2(max(K, 2))) compares.
absl::StatusOr<Work> WorkTopK(const OpView& op) {
  Work work{.full_width = true};
  const Shape& y = op.out(0).shape;
  Dim compares = Dim::Unknown();
  if (y.ranked() && y.rank() > 0) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(op.attr("axis", int64_t{-1}), y.rank()));
    compares = op.dims().Mul(InElements(op, 0), CeilLog2(op.dims(), y.dim(axis)));
  }
  AddOps(op.dims(), work, compares, {.compare = 1}, op.in(0).elem);
  return work;
}

constexpr uint32_t kSecondInput = 1u << 1;

// clang-format off
constexpr OpRule kReduceRules[] = {
    {.op = "ArgMax", .versions = "1 11 12 13", .infer = InferArg, .work = WorkArg},
    {.op = "ArgMin", .versions = "1 11 12 13", .infer = InferArg, .work = WorkArg},
    {.op = "CumProd", .versions = "26", .infer = InferCumulate, .work = WorkCumProd},
    {.op = "CumSum", .versions = "11 14", .infer = InferCumulate, .work = WorkCumSum},
    {.op = "ReduceL1", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceL1,
     .shape_inputs = kSecondInput},
    {.op = "ReduceL2", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceL2,
     .shape_inputs = kSecondInput},
    {.op = "ReduceLogSum", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceLogSum,
     .shape_inputs = kSecondInput},
    {.op = "ReduceLogSumExp", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceLogSumExp,
     .shape_inputs = kSecondInput},
    {.op = "ReduceMax", .versions = "1 11 12 13 18 20", .infer = InferReduce, .known = KnownReduceMax,
     .work = WorkReduceExtreme, .shape_inputs = kSecondInput},
    {.op = "ReduceMean", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceMean,
     .shape_inputs = kSecondInput},
    {.op = "ReduceMin", .versions = "1 11 12 13 18 20", .infer = InferReduce, .known = KnownReduceMin,
     .work = WorkReduceExtreme, .shape_inputs = kSecondInput},
    {.op = "ReduceProd", .versions = "1 11 13 18", .infer = InferReduce, .known = KnownReduceProd,
     .work = WorkReduceProd, .shape_inputs = kSecondInput},
    {.op = "ReduceSum", .versions = "1 11 13", .infer = InferReduce, .known = KnownReduceSum, .work = WorkReduceSum,
     .shape_inputs = kSecondInput},
    {.op = "ReduceSumSquare", .versions = "1 11 13 18", .infer = InferReduce, .work = WorkReduceSumSquare,
     .shape_inputs = kSecondInput},
    {.op = "TopK", .versions = "1 10 11 24", .infer = InferTopK, .work = WorkTopK, .shape_inputs = kSecondInput},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ReduceRules() { return kReduceRules; }

}  // namespace hwest
