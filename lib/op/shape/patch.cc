// Operators that place a part of a tensor: CenterCropPad, Col2Im, ReverseSequence, TensorScatter.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/shape/rules.h"

namespace hwest {
// The listed axes get the sizes that input 1 holds, the others stay.
absl::Status InferCenterCropPad(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  Shape out = ctx.in(0).shape;
  if (out.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<int> axes, ListedAxes(ctx, out.rank()));
    const Operand sizes = ReadOperand(ctx, 1, "");
    if (sizes.length.has_value() && *sizes.length != static_cast<int64_t>(axes.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("CenterCropPad expects one size for each of ", axes.size(), " axes, found ", *sizes.length));
    }
    const std::vector<Scalar> values = sizes.length.has_value() ? sizes.Padded() : std::vector<Scalar>(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      const Dim size = values[i].is_int() ? values[i].dim() : Dim();
      HWEST_RETURN_IF_ERROR(RequireSize(ctx, size));
      out.set_dim(axes[i], size);
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// Reads what both the input and the result hold.
absl::StatusOr<Work> WorkCenterCropPad(const OpView& op) {
  const Shape &in = op.in(0).shape, &out = op.out(0).shape;
  Work work;
  if (!in.ranked() || !out.ranked() || in.rank() != out.rank()) return work;
  Dim read = 1;
  for (int axis = 0; axis < in.rank(); ++axis) {
    read = op.dims().Mul(read, op.dims().Min(in.dim(axis), out.dim(axis)));
  }
  SetRead(work, 0, read);
  return work;
}

// [N, C * elements of a block, blocks] to [N, C, image...]; image and block sizes are the contents of inputs 1 and 2.
absl::Status InferCol2Im(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  for (const int i : {1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
  const Operand image = ReadOperand(ctx, 1, ""), block = ReadOperand(ctx, 2, "");
  if (image.length.has_value() && block.length.has_value() && *image.length != *block.length) {
    return absl::InvalidArgumentError(absl::StrCat("Col2Im expects image and block of one rank, found ", *image.length,
                                                   " and ", *block.length, " sizes"));
  }
  const Dim columns = DimOr(ctx.in(0).shape, 1);
  Dim taps;
  if (const auto sizes = ctx.known_dims(2); sizes.has_value()) taps = ctx.dims().Product(*sizes);
  const bool divides =
      !columns.is_constant() || !taps.is_constant() || (taps.value() > 0 && columns.value() % taps.value() == 0);
  if (!divides) {
    return absl::InvalidArgumentError(
        absl::StrCat("Col2Im expects columns of whole blocks of ", taps.value(), ", found ", columns.value()));
  }
  Shape out;
  if (const auto length = image.length.has_value() ? image.length : block.length; length.has_value()) {
    out = Shape(Shape::Dims{DimOr(ctx.in(0).shape, 0), ctx.dims().ExactDiv(columns, taps)});
    const std::vector<Scalar> sizes =
        image.length.has_value() ? image.Padded() : std::vector<Scalar>(static_cast<size_t>(*length));
    for (const Scalar& size : sizes) {
      HWEST_RETURN_IF_ERROR(RequireSize(ctx, size.is_int() ? size.dim() : Dim()));
      out.push_back(size.is_int() ? size.dim() : Dim());
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// Every element of a block is added to its place.
absl::StatusOr<Work> WorkCol2Im(const OpView& op) { return InputElementWork(op, {.add = 1}); }

// Input as it is; sequence_lens has one length for each of the batch.
absl::Status InferReverseSequence(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  const int64_t batch = ctx.attr("batch_axis", int64_t{1}), time = ctx.attr("time_axis", int64_t{0});
  if (batch < 0 || batch > 1 || time < 0 || time > 1 || batch == time) {
    return absl::InvalidArgumentError(absl::StrCat(
        "ReverseSequence expects 0 and 1 as batch_axis and time_axis, in any order, found ", batch, " and ", time));
  }
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(0).shape, static_cast<int>(batch)), DimOr(ctx.in(1).shape, 0)).status());
  return InferSameAsInput(ctx);
}

// Inputs past_cache, update, write_indices [batch]?; the cache keeps its size, the update differs along `axis` only.
absl::Status InferTensorScatter(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  Shape cache = ctx.in(0).shape;
  const Shape& update = ctx.in(1).shape;
  if (cache.ranked()) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, cache.rank(), cache.rank()));
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{-2}), cache.rank()));
    if (axis == 0) return absl::InvalidArgumentError("TensorScatter expects another axis than the batch");
    for (int i = 0; update.ranked() && i < cache.rank(); ++i) {
      if (i == axis) continue;
      HWEST_ASSIGN_OR_RETURN(const Dim size, ctx.Unify(cache.dim(i), update.dim(i)));
      cache.set_dim(i, size);
    }
    HWEST_RETURN_IF_ERROR(ctx.Unify(cache.dim(0), DimOr(ctx.in(2).shape, 0)).status());
  }
  ctx.set_out(0, FirstElem(ctx, 0, 2), std::move(cache));
  return absl::OkStatus();
}

}  // namespace hwest
