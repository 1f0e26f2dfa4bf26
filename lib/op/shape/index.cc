// Operators that select or replace elements by index.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/coordinates.h"
#include "op/count.h"
#include "op/known.h"
#include "op/pointwise/pointwise.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// Element `at` of a list of indices into an axis of `size`, negative ones from the end; -1 when unknown or outside.
int64_t IndexAt(const Known& indices, int64_t at, int64_t size) {
  if (indices == nullptr || at < 0 || at >= static_cast<int64_t>(indices->size())) return -1;
  const Scalar& scalar = (*indices)[static_cast<size_t>(at)];
  if (!scalar.is_int() || !scalar.dim().is_constant()) return -1;
  const int64_t index = scalar.dim().value();
  if (index < -size || index >= size) return -1;
  return index < 0 ? index + size : index;
}

int64_t Flat(absl::Span<const int64_t> at, const std::vector<int64_t>& strides) {
  int64_t index = 0;
  for (size_t i = 0; i < at.size() && i < strides.size(); ++i) index += at[i] * strides[i];
  return index;
}

// The axis attribute of a shape whose rank is known and not 0.
absl::StatusOr<int> AxisOf(const OpView& op, int rank) { return NormalizeAxis(op.attr("axis", int64_t{0}), rank); }

}  // namespace

// data[:axis] ++ indices ++ data[axis+1:]
absl::Status InferGather(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  const Shape& data = ctx.in(0).shape;
  const Shape& indices = ctx.in(1).shape;
  if (!data.ranked() || !indices.ranked()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const int axis, AxisOf(ctx, data.rank()));
  Shape out = Shape::Scalar();
  for (int i = 0; i < axis; ++i) out.push_back(data.dim(i));
  for (const Dim dim : indices.dims()) out.push_back(dim);
  for (int i = axis + 1; i < data.rank(); ++i) out.push_back(data.dim(i));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownGather(InferContext& ctx) {
  const Shape &data = ctx.in(0).shape, &indices = ctx.in(1).shape;
  if (ctx.known(0) == nullptr || ctx.known(1) == nullptr || !data.constant() || !indices.constant()) return;
  const auto axis = data.rank() > 0 ? AxisOf(ctx, data.rank()) : absl::StatusOr<int>(0);
  if (data.rank() == 0 || !axis.ok()) return;
  const std::vector<int64_t> strides = StridesOf(data), index_strides = StridesOf(indices);
  const size_t split = static_cast<size_t>(*axis), index_rank = index_strides.size();
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) -> int64_t {
    const int64_t which = Flat(at.subspan(split, index_rank), index_strides);
    const int64_t index = IndexAt(ctx.known(1), which, data.dim(*axis).value());
    if (index < 0) return -1;
    int64_t source = index * strides[split];
    for (size_t i = 0; i < split; ++i) source += at[i] * strides[i];
    for (size_t i = split + index_rank; i < at.size(); ++i) source += at[i] * strides[i - index_rank + 1];
    return source;
  });
}

absl::Status InferGatherElements(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1));
  const Shape& data = ctx.in(0).shape;
  const Shape& indices = ctx.in(1).shape;
  if (data.ranked()) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, data.rank(), data.rank()));
    HWEST_RETURN_IF_ERROR(AxisOf(ctx, data.rank()).status());
  }
  const bool rank_only = !indices.ranked() && data.ranked();
  ctx.set_out(0, ctx.in(0).elem, rank_only ? Shape::UnknownDims(data.rank()) : indices);
  return absl::OkStatus();
}

void KnownGatherElements(InferContext& ctx) {
  const Shape &data = ctx.in(0).shape, &indices = ctx.in(1).shape;
  if (ctx.known(0) == nullptr || ctx.known(1) == nullptr || !data.constant() || !indices.constant()) return;
  const auto axis = AxisOf(ctx, data.rank());
  if (!axis.ok()) return;
  const std::vector<int64_t> strides = StridesOf(data), index_strides = StridesOf(indices);
  const size_t k = static_cast<size_t>(*axis);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) -> int64_t {
    const int64_t index = IndexAt(ctx.known(1), Flat(at, index_strides), data.dim(*axis).value());
    return index < 0 ? -1 : Flat(at, strides) + (index - at[k]) * strides[k];
  });
}

namespace {

// How GatherND and ScatterND read their indices: `depth` leading axes of data behind the batch axes.
struct IndexedAxes {
  int batch = 0;
  int depth = 0;
};

// None while the last size of the indices is not known.
absl::StatusOr<std::optional<IndexedAxes>> ReadIndexedAxes(const OpView& op) {
  const Shape &data = op.in(0).shape, &indices = op.in(1).shape;
  const int64_t batch = op.op() == "GatherND" ? op.attr("batch_dims", int64_t{0}) : 0;
  if (!data.ranked() || !indices.ranked()) return std::nullopt;
  if (batch < 0 || batch >= std::min(data.rank(), indices.rank())) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects batch_dims below the ranks of its inputs, found ", batch));
  }
  const Dim depth = indices.dim(indices.rank() - 1);
  if (!depth.is_constant()) return std::nullopt;
  if (depth.value() < 0 || depth.value() > data.rank() - batch) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects indices of up to ", data.rank() - batch, " axes, found ", depth.value()));
  }
  return IndexedAxes{static_cast<int>(batch), static_cast<int>(depth.value())};
}

// Offset into data of the index tuple that starts at element `first`; -1 when any part is unknown or outside.
int64_t TupleOffset(const OpView& op, const IndexedAxes& axes, int64_t first, const std::vector<int64_t>& strides) {
  int64_t offset = 0;
  for (int i = 0; i < axes.depth; ++i) {
    const int64_t index = IndexAt(op.known(1), first + i, op.in(0).shape.dim(axes.batch + i).value());
    if (index < 0) return -1;
    offset += index * strides[static_cast<size_t>(axes.batch + i)];
  }
  return offset;
}

}  // namespace

// indices[:-1] ++ data[batch_dims + indices[-1]:]
absl::Status InferGatherND(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1));
  HWEST_ASSIGN_OR_RETURN(const auto axes, ReadIndexedAxes(ctx));
  if (!axes.has_value()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  const Shape &data = ctx.in(0).shape, &indices = ctx.in(1).shape;
  Shape out = Shape::Scalar();
  for (int i = 0; i + 1 < indices.rank(); ++i) out.push_back(indices.dim(i));
  for (int i = axes->batch + axes->depth; i < data.rank(); ++i) out.push_back(data.dim(i));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownGatherND(InferContext& ctx) {
  const Shape &data = ctx.in(0).shape, &indices = ctx.in(1).shape;
  if (ctx.known(0) == nullptr || ctx.known(1) == nullptr || !data.constant() || !indices.constant()) return;
  const auto axes = ReadIndexedAxes(ctx);
  if (!axes.ok() || !axes->has_value()) return;
  const std::vector<int64_t> strides = StridesOf(data), index_strides = StridesOf(indices);
  const size_t lead = index_strides.size() - 1, batch = static_cast<size_t>((*axes)->batch);
  const size_t tail = batch + static_cast<size_t>((*axes)->depth);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) -> int64_t {
    int64_t source = TupleOffset(ctx, **axes, Flat(at.subspan(0, lead), index_strides), strides);
    if (source < 0) return -1;
    source += Flat(at.subspan(0, batch), strides);
    for (size_t i = lead; i < at.size(); ++i) source += at[i] * strides[tail + i - lead];
    return source;
  });
}

absl::Status InferScatterElements(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  const Shape& data = ctx.in(0).shape;
  if (data.ranked()) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
    for (const int i : {1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, data.rank(), data.rank()));
    HWEST_RETURN_IF_ERROR(AxisOf(ctx, data.rank()).status());
  }
  return InferSameAsInput(ctx);
}

absl::Status InferScatterND(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1));
  HWEST_RETURN_IF_ERROR(ReadIndexedAxes(ctx).status());
  return InferSameAsInput(ctx);
}

namespace {

bool Accumulates(const OpView& op) { return op.attr("reduction", "none") != "none"; }

// Contents may only be followed when every place written is known.
bool CanFollowScatter(const OpView& op) {
  return op.known(0) != nullptr && op.known_ints(1).has_value() && !Accumulates(op) && op.in(0).shape.constant() &&
         op.in(1).shape.constant() && op.in(2).shape.constant();
}

Scalar UpdateAt(const OpView& op, int64_t i) {
  const Known& updates = op.known(2);
  const bool inside = updates != nullptr && i >= 0 && i < static_cast<int64_t>(updates->size());
  return inside ? (*updates)[static_cast<size_t>(i)] : Scalar();
}

}  // namespace

void KnownScatterElements(InferContext& ctx) {
  if (!CanFollowScatter(ctx) || ctx.in(1).shape != ctx.in(2).shape) return;
  const Shape& data = ctx.in(0).shape;
  const auto axis = AxisOf(ctx, data.rank());
  const auto dims = SmallDims(ctx.in(1).shape);
  if (!axis.ok() || !dims.has_value()) return;
  const std::vector<int64_t> strides = StridesOf(data);
  std::vector<Scalar> values = *ctx.known(0);
  int64_t i = 0;
  bool inside = true;
  ForEachCoordinate(*dims, [&](absl::Span<const int64_t> at) {
    const int64_t index = IndexAt(ctx.known(1), i, data.dim(*axis).value());
    const size_t k = static_cast<size_t>(*axis);
    const int64_t target = Flat(at, strides) + (index - at[k]) * strides[k];
    inside = inside && index >= 0 && target >= 0 && target < static_cast<int64_t>(values.size());
    if (inside) values[static_cast<size_t>(target)] = UpdateAt(ctx, i);
    ++i;
  });
  if (inside) ctx.set_known(0, std::move(values));
}

void KnownScatterND(InferContext& ctx) {
  if (!CanFollowScatter(ctx)) return;
  const auto axes = ReadIndexedAxes(ctx);
  if (!axes.ok() || !axes->has_value() || (*axes)->depth == 0) return;
  const std::vector<int64_t> strides = StridesOf(ctx.in(0).shape);
  const int64_t run = strides[static_cast<size_t>((*axes)->depth - 1)];
  const int64_t tuples = static_cast<int64_t>(ctx.known(1)->size()) / (*axes)->depth;
  std::vector<Scalar> values = *ctx.known(0);
  for (int64_t tuple = 0; tuple < tuples; ++tuple) {
    const int64_t offset = TupleOffset(ctx, **axes, tuple * (*axes)->depth, strides);
    if (offset < 0 || offset + run > static_cast<int64_t>(values.size())) return;
    for (int64_t i = 0; i < run; ++i) values[static_cast<size_t>(offset + i)] = UpdateAt(ctx, tuple * run + i);
  }
  ctx.set_known(0, std::move(values));
}

// One operation per update when it is combined with what is there.
absl::StatusOr<Work> WorkScatter(const OpView& op) {
  Work work;
  if (!Accumulates(op)) return work;
  const absl::string_view reduction = op.attr("reduction", "none");
  const PerElement per = {
      .add = reduction == "add", .mul = reduction == "mul", .compare = reduction == "max" || reduction == "min"};
  AddOps(op.dims(), work, InElements(op, 2), per, op.in(0).elem);
  return work;
}

// `depth` is inserted at `axis` of the output.
absl::Status InferOneHot(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  const Shape& indices = ctx.in(0).shape;
  Shape out;
  if (indices.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{-1}), indices.rank() + 1));
    const auto depth = ctx.known_dims(1);
    out = Shape::Scalar();
    for (int i = 0; i < indices.rank(); ++i) {
      if (i == axis) out.push_back(Dim());
      out.push_back(indices.dim(i));
    }
    if (axis == indices.rank()) out.push_back(Dim());
    if (depth.has_value() && depth->size() == 1) out.set_dim(axis, (*depth)[0]);
    HWEST_RETURN_IF_ERROR(RequireSize(ctx, out.dim(axis)));
  }
  ctx.set_out(0, ctx.in(2).elem, std::move(out));
  return absl::OkStatus();
}

}  // namespace hwest
