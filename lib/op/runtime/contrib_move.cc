// ONNX Runtime's operators that move, select or make elements, and its Fourier transforms.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// A unit axis at the place that input 1 holds.
absl::Status InferExpandDims(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  Shape shape;
  if (x.ranked()) {
    shape = Shape::UnknownDims(x.rank() + 1);
    const Dim named = KnownSize(ctx, 1);
    if (named.is_constant()) {
      HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(named.value(), x.rank() + 1));
      Shape::Dims dims(x.dims().begin(), x.dims().end());
      dims.insert(dims.begin() + axis, Dim(1));
      shape = Shape(std::move(dims));
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// weight [rows, width] looked up at indices of any shape.
absl::Status InferEmbedding(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  Shape shape = ctx.in(1).shape;
  if (shape.ranked()) shape.push_back(DimOr(ctx.in(0).shape, 1));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Slices of `size` elements every `step` along `dim`, which become a new last axis.
absl::Status InferUnfold(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_ASSIGN_OR_RETURN(const int64_t size, PositiveAttr(ctx, "size"));
  const int64_t step = ctx.attr("step", int64_t{1});
  if (step < 1) return absl::InvalidArgumentError(absl::StrCat("step is ", step, ", expected at least 1"));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("dim", int64_t{-1}), shape.rank()));
    const Dim room = ctx.dims().Sub(shape.dim(axis), size);
    if (ctx.dims().LessEqual(room, -1) == Tri::kTrue) {
      return absl::InvalidArgumentError(
          absl::StrCat("a slice of ", size, " does not fit into ", ctx.dims().ToString(shape.dim(axis))));
    }
    shape.set_dim(axis, ctx.dims().Add(ctx.dims().FloorDiv(room, step), 1));
    shape.push_back(size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Input [B, S, width] without its padding: [tokens, width], token_offset [B, S], cumulated lengths [B + 1], longest
// [1].
absl::Status InferRemovePadding(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  const Shape& x = ctx.in(0).shape;
  const Dim batch = DimOr(x, 0), length = DimOr(x, 1);
  const Dim tokens = ctx.FreshSize("tokens", 0, ctx.dims().Mul(batch, length));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{tokens, DimOr(x, 2)}));
  ctx.set_out(1, ElemType::kInt32, Shape(Shape::Dims{batch, length}));
  ctx.set_out(2, ElemType::kInt32, Shape(Shape::Dims{ctx.dims().Add(batch, 1)}));
  ctx.set_out(3, ElemType::kInt32, Shape(Shape::Dims{1}));
  return absl::OkStatus();
}

absl::Status InferRestorePadding(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 2, 2));
  const Shape& offsets = ctx.in(1).shape;
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{DimOr(offsets, 0), DimOr(offsets, 1), DimOr(ctx.in(0).shape, 1)}));
  return absl::OkStatus();
}

// Outputs: the values once each, the place of every element among them, and how often each occurs.
absl::Status InferUnique(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 1));
  const Dim size = DimOr(ctx.in(0).shape, 0);
  const Dim count = size.IsConstant(0) ? size : ctx.FreshSize("unique", 0, size);
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{count}));
  ctx.set_out(1, ElemType::kInt64, Shape(Shape::Dims{size}));
  ctx.set_out(2, ElemType::kInt64, Shape(Shape::Dims{count}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkUnique(const OpView& op) {
  Work work{.full_width = true};
  const Dim n = InElements(op, 0);
  AddOps(op.dims(), work, op.dims().Mul(n, CeilLog2(op.dims(), n)), {.compare = 1}, op.in(0).elem);
  return work;
}

absl::StatusOr<int> SignalAxes(const OpView& op, int available) {
  const int64_t count = op.attr("signal_ndim", int64_t{1});
  if (count >= 1 && count <= available) return static_cast<int>(count);
  return absl::InvalidArgumentError(absl::StrCat("signal_ndim is ", count, ", expected 1 to ", available));
}

// [..., n] to [..., n / 2 + 1, 2]
absl::Status InferRfft(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    HWEST_RETURN_IF_ERROR(SignalAxes(ctx, shape.rank()).status());
    const Dim n = shape.dim(shape.rank() - 1);
    shape.set_dim(shape.rank() - 1, ctx.dims().Add(ctx.dims().FloorDiv(n, 2), 1));
    shape.push_back(2);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// [..., m, 2] to [..., 2 * (m - 1)]
absl::Status InferIrfft(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Shape& x = ctx.in(0).shape;
  Shape shape;
  if (x.ranked()) {
    HWEST_RETURN_IF_ERROR(SignalAxes(ctx, x.rank() - 1).status());
    HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, x, x.rank() - 1, 2));
    Shape::Dims dims(x.dims().begin(), x.dims().end() - 1);
    if (dims.back().IsConstant(0)) return absl::InvalidArgumentError("expected at least one frequency, found none");
    dims.back() = ctx.dims().Mul(ctx.dims().Sub(dims.back(), 1), 2);
    shape = Shape(std::move(dims));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// A real signal of n points takes half of the n / 2 * log2(n) butterflies of a complex one, 4 products and 6 sums each;
// its inverse is counted as a complex one.
absl::StatusOr<Work> FourierWork(const OpView& op, const Shape& signal, int64_t products, int64_t sums) {
  Work work;
  Dim points = Dim::Unknown();
  if (signal.ranked() && signal.rank() >= 1) {
    HWEST_ASSIGN_OR_RETURN(const int axes, SignalAxes(op, signal.rank()));
    DimPool& dims = op.dims();
    const Dim n = dims.Product(signal.dims().last(static_cast<size_t>(axes)));
    points = dims.Mul(dims.FloorDiv(signal.Elements(dims), 2), CeilLog2(dims, n));
  }
  AddOps(op.dims(), work, points, {.add = sums, .mul = products});
  return work;
}

absl::StatusOr<Work> WorkRfft(const OpView& op) { return FourierWork(op, op.in(0).shape, 2, 3); }
absl::StatusOr<Work> WorkIrfft(const OpView& op) { return FourierWork(op, op.out(0).shape, 4, 6); }

constexpr OpClass kLayout = OpClass::kLayout;

// clang-format off
constexpr OpRule kContribMoveRules[] = {
    {.domain = kMicrosoft, .op = "ExpandDims", .versions = "1", .infer = InferExpandDims, .known = KnownSameElements,
     .op_class = OpClass::kView, .shape_inputs = Inputs({1})},
    {.domain = kMicrosoft, .op = "GatherND", .versions = "1", .infer = InferGatherND, .known = KnownGatherND,
     .work = WorkOfTaken, .op_class = kLayout},
    {.domain = kMicrosoft, .op = "Irfft", .versions = "1", .infer = InferIrfft, .work = WorkIrfft},
    {.domain = kMicrosoft, .op = "Pad", .versions = "1", .infer = InferPad, .known = KnownPad, .op_class = kLayout,
     .shape_inputs = Inputs({1}), .moved = Inputs({0})},
    {.domain = kMicrosoft, .op = "Range", .versions = "1", .infer = InferRange, .known = KnownRange, .work = WorkRange,
     .op_class = kLayout, .shape_inputs = Inputs({0, 1, 2})},
    {.domain = kMicrosoft, .op = "RemovePadding", .versions = "1", .infer = InferRemovePadding, .op_class = kLayout},
    {.domain = kMicrosoft, .op = "RestorePadding", .versions = "1", .infer = InferRestorePadding, .op_class = kLayout},
    {.domain = kMicrosoft, .op = "Rfft", .versions = "1", .infer = InferRfft, .work = WorkRfft},
    {.domain = kMicrosoft, .op = "TorchEmbedding", .versions = "1", .infer = InferEmbedding, .work = WorkOfTaken,
     .op_class = kLayout},
    {.domain = kMicrosoft, .op = "Trilu", .versions = "1", .infer = InferTrilu, .known = KnownTrilu,
     .op_class = kLayout, .shape_inputs = Inputs({1})},
    {.domain = kMicrosoft, .op = "UnfoldTensor", .versions = "1", .infer = InferUnfold, .op_class = kLayout},
    {.domain = kMicrosoft, .op = "Unique", .versions = "1", .infer = InferUnique, .work = WorkUnique},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribMoveRules() { return kContribMoveRules; }

}  // namespace hwest
