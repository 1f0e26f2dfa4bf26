// Operators that move or repeat elements: Transpose, Tile, Expand, DepthToSpace, SpaceToDepth, Trilu.
#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/coordinates.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// The permutation of a Transpose of this rank; the reverse when the attribute is absent.
absl::StatusOr<std::vector<int>> Permutation(const OpView& op, int rank) {
  std::vector<int> perm(static_cast<size_t>(rank));
  std::iota(perm.rbegin(), perm.rend(), 0);
  if (!op.has_attr("perm")) return perm;
  const auto given = op.ints("perm");
  std::vector<bool> seen(perm.size(), false);
  bool valid = given.size() == perm.size();
  for (size_t i = 0; valid && i < given.size(); ++i) {
    valid = given[i] >= 0 && given[i] < rank && !seen[static_cast<size_t>(given[i])];
    if (!valid) break;
    seen[static_cast<size_t>(given[i])] = true;
    perm[i] = static_cast<int>(given[i]);
  }
  if (valid) return perm;
  return absl::InvalidArgumentError(absl::StrCat("Transpose expects a permutation of ", rank, " axes, found ",
                                                 given.size(), " entries that are none"));
}

}  // namespace

absl::Status InferTranspose(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) {
    const size_t rank = ctx.ints("perm").size();
    ctx.set_out(0, ctx.in(0).elem, rank > 0 ? Shape::UnknownDims(static_cast<int>(rank)) : Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const std::vector<int> perm, Permutation(ctx, in.rank()));
  Shape out = Shape::Scalar();
  for (const int axis : perm) out.push_back(in.dim(axis));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownTranspose(InferContext& ctx) {
  const Shape& in = ctx.in(0).shape;
  if (ctx.known(0) == nullptr || !in.constant()) return;
  const auto perm = Permutation(ctx, in.rank());
  if (!perm.ok()) return;
  const std::vector<int64_t> strides = StridesOf(in);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) {
    int64_t index = 0;
    for (size_t i = 0; i < at.size(); ++i) index += at[i] * strides[static_cast<size_t>((*perm)[i])];
    return index;
  });
}

namespace {

// Operator set 1: `tiles` copies along one `axis`, both as inputs.
absl::StatusOr<Shape> TileOneAxis(const OpView& op) {
  Shape out = op.in(0).shape;
  const auto tiles = op.known_dims(1);
  const auto axis = op.known_ints(2);
  if (!axis.has_value() || axis->empty()) return Shape::UnknownDims(out.rank());
  HWEST_ASSIGN_OR_RETURN(const int index, NormalizeAxis((*axis)[0], out.rank()));
  const Dim count = tiles.has_value() && !tiles->empty() ? (*tiles)[0] : Dim();
  HWEST_RETURN_IF_ERROR(RequireSize(op, count));
  out.set_dim(index, op.dims().Mul(out.dim(index), count));
  return out;
}

absl::StatusOr<Shape> TileAxes(const OpView& op) {
  Shape out = op.in(0).shape;
  const Operand repeats = ReadOperand(op, 1, "");
  if (!repeats.length.has_value()) return Shape::UnknownDims(out.rank());
  if (*repeats.length != out.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Tile expects one repeat per axis, found ", *repeats.length, " for ", ToString(out, op.dims())));
  }
  const std::vector<Scalar> values = repeats.Padded();
  for (int axis = 0; axis < out.rank(); ++axis) {
    const Scalar& count = values[static_cast<size_t>(axis)];
    if (count.is_int() && op.dims().LessEqual(count.dim(), -1) == Tri::kTrue) {
      return absl::InvalidArgumentError(absl::StrCat("Tile expects repeats of 0 or more on axis ", axis));
    }
    out.set_dim(axis, op.dims().Mul(out.dim(axis), count.is_int() ? count.dim() : Dim()));
  }
  return out;
}

}  // namespace

absl::Status InferTile(InferContext& ctx) {
  const bool one_axis = OlderThan(ctx, 6);
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, one_axis ? 3 : 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  Shape out;
  if (ctx.in(0).shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(out, one_axis ? TileOneAxis(ctx) : TileAxes(ctx));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownTile(InferContext& ctx) {
  const Shape in = ctx.in(0).shape;
  if (ctx.known(0) == nullptr || !in.constant() || ctx.known(0)->empty()) return;
  const std::vector<int64_t> strides = StridesOf(in);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) {
    int64_t index = 0;
    for (size_t k = 0; k < at.size(); ++k) index += at[k] % in.dim(static_cast<int>(k)).value() * strides[k];
    return index;
  });
}

// Numpy broadcast of the input with the shape that input 1 holds.
absl::Status InferExpand(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Operand target = ReadOperand(ctx, 1, "");
  if (!target.length.has_value()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  Shape to = Shape::Scalar();
  for (const Scalar& size : target.Padded()) {
    if (size.is_int() && ctx.dims().LessEqual(size.dim(), -1) == Tri::kTrue) {
      return absl::InvalidArgumentError(
          absl::StrCat("Expand expects sizes of 0 or more, found ", ctx.dims().ToString(size.dim())));
    }
    to.push_back(size.is_int() ? size.dim() : Dim());
  }
  HWEST_ASSIGN_OR_RETURN(Shape out, ctx.Broadcast(ctx.in(0).shape, to));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownExpand(InferContext& ctx) {
  ctx.set_known(0, BroadcastKnown(ctx.known(0), ctx.in(0).shape, ctx.out(0).shape));
}

namespace {

absl::StatusOr<int64_t> BlockSize(const OpView& op) {
  constexpr int64_t kMaxBlock = 1 << 20;
  const int64_t block = op.attr("blocksize", int64_t{0});
  if (block >= 1 && block <= kMaxBlock) return block;
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects a blocksize of 1 or more, found ", block));
}

absl::StatusOr<Dim> DivideBlock(const OpView& op, Dim size, int64_t block) {
  if (size.is_constant() && size.value() % block != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects a size that ", block, " divides, found ", size.value()));
  }
  return op.dims().ExactDiv(size, block);
}

}  // namespace

// [N, C, H, W] to [N, C/b^2, H*b, W*b]
absl::Status InferDepthToSpace(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  HWEST_ASSIGN_OR_RETURN(const int64_t block, BlockSize(ctx));
  Shape out = ctx.in(0).shape.ranked() ? ctx.in(0).shape : Shape::UnknownDims(4);
  HWEST_ASSIGN_OR_RETURN(const Dim channels, DivideBlock(ctx, out.dim(1), block * block));
  out.set_dim(1, channels);
  for (const int axis : {2, 3}) out.set_dim(axis, ctx.dims().Mul(out.dim(axis), block));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// [N, C, H, W] to [N, C*b^2, H/b, W/b]
absl::Status InferSpaceToDepth(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  HWEST_ASSIGN_OR_RETURN(const int64_t block, BlockSize(ctx));
  Shape out = ctx.in(0).shape.ranked() ? ctx.in(0).shape : Shape::UnknownDims(4);
  out.set_dim(1, ctx.dims().Mul(out.dim(1), block * block));
  for (const int axis : {2, 3}) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, DivideBlock(ctx, out.dim(axis), block));
    out.set_dim(axis, size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

absl::Status InferTrilu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  return InferSameAsInput(ctx);
}

// Keeps column >= row + k (upper) or column <= row + k, the rest is 0.
void KnownTrilu(InferContext& ctx) {
  int64_t k = 0;
  if (ctx.has_input(1)) {
    const auto given = ctx.known_ints(1);
    if (!given.has_value() || given->size() != 1) return;
    k = std::clamp<int64_t>((*given)[0], -kMaxKnownElements, kMaxKnownElements);
  }
  const auto dims = SmallDims(ctx.in(0).shape);
  if (ctx.known(0) == nullptr || !dims.has_value() || dims->size() < 2) return;
  const int64_t rows = (*dims)[dims->size() - 2], columns = dims->back();
  const bool upper = ctx.attr("upper", int64_t{1}) != 0;
  std::vector<Scalar> values = *ctx.known(0);
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t column = static_cast<int64_t>(i) % columns, row = static_cast<int64_t>(i) / columns % rows;
    const bool kept = upper ? column >= row + k : column <= row + k;
    if (!kept) values[i] = Scalar::Int(0);
  }
  ctx.set_known(0, std::move(values));
}

}  // namespace hwest
