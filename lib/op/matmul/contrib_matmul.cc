// Matrix products of ONNX Runtime: fused scales, transpositions and activations, and a few dense solvers.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/matmul/matmul_common.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

bool IsSet(const OpView& op, absl::string_view name) { return op.attr(name, int64_t{0}) != 0; }

// An operand as the product sees it: transBatch moves axis 0 behind the batch axes, trans swaps the last two. Vectors
// stay as they are.
Shape Operand(const OpView& op, int i, absl::string_view trans, absl::string_view trans_batch) {
  const Shape& shape = op.in(i).shape;
  if (!shape.ranked() || shape.rank() < 2) return shape;
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  if (IsSet(op, trans_batch)) std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
  if (IsSet(op, trans)) std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  return Shape(std::move(dims));
}

Shape LeftOf(const OpView& op) { return Operand(op, 0, "transA", "transBatchA"); }
Shape RightOf(const OpView& op) { return Operand(op, 1, "transB", "transBatchB"); }

absl::Status CheckOperands(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 1));
  return RequireRank(op, 1, 1);
}

absl::Status InferFusedMatMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckOperands(ctx));
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, LeftOf(ctx), RightOf(ctx)));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// One product an output element for an alpha other than 1, then the activation.
absl::StatusOr<Work> WorkFusedMatMul(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckOperands(op));
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 1, LeftOf(op), RightOf(op)));
  if (op.attr("alpha", 1.0f) != 1.0f) AddOps(op.dims(), work, OutElements(op, 0), {.mul = 1});
  AddOps(op.dims(), work, OutElements(op, 0), activation);
  return work;
}

absl::Status InferFusedGemm(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, GemmShape(ctx, 0, 1, 2));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Inputs A, B, C?, scaleA?, scaleB?, scaleY?; the result has type `dtype`.
absl::Status InferGemmFloat8(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, GemmShape(ctx, 0, 1, 2));
  ctx.set_out(0, static_cast<ElemType>(ctx.attr("dtype", int64_t{1})), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkFusedGemm(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  HWEST_ASSIGN_OR_RETURN(Work work, GemmWork(op, 0, 1, 2));
  AddOps(op.dims(), work, OutElements(op, 0), activation, op.in(0).elem);
  return work;
}

absl::Status InferMatMul(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkGemmFastGelu(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 1));
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 2, .mul = 6, .transcendental = 1});
  if (op.has_input(2)) AddOps(op.dims(), work, OutElements(op, 0), {.add = 1});
  return work;
}

// uint32 when both operands are unsigned, else int32.
absl::Status InferMatMulInteger16(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  const bool both_unsigned = ctx.in(0).elem == ElemType::kUint16 && ctx.in(1).elem == ElemType::kUint16;
  ctx.set_out(0, both_unsigned ? ElemType::kUint32 : ElemType::kInt32, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkMatMul(const OpView& op) { return MatMulWork(op, 0, 1); }

// A is a sparse matrix, B a dense one.
absl::Status InferSparseMatMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1));
  const Shape left = LeftOf(ctx);
  if (left.ranked() && left.rank() != 2) {
    return absl::InvalidArgumentError(absl::StrCat("SparseToDenseMatMul expects a matrix, found rank ", left.rank()));
  }
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, left, RightOf(ctx)));
  ctx.set_out(0, ctx.in(1).elem, std::move(shape));
  return absl::OkStatus();
}

// Upper bound: how many elements of A are set is data.
absl::StatusOr<Work> WorkSparseMatMul(const OpView& op) { return MatMulWork(op, 0, 1, LeftOf(op), RightOf(op)); }

// A [M, K] and B [N, K] to distances [M, N].
absl::Status InferCDist(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 2, 2));
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(0).shape, 1), DimOr(ctx.in(1).shape, 1)).status());
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{DimOr(ctx.in(0).shape, 0), DimOr(ctx.in(1).shape, 0)}));
  return absl::OkStatus();
}

// A difference, its square and their sum for each of the K coordinates.
absl::StatusOr<Work> WorkCDist(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), DimOr(op.in(0).shape, 1)), {.add = 2, .mul = 1});
  return work;
}

absl::Status InferInverse(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Shape& x = ctx.in(0).shape;
  if (x.ranked()) HWEST_RETURN_IF_ERROR(ctx.Unify(x.dim(x.rank() - 1), x.dim(x.rank() - 2)).status());
  return InferSameAsInput(ctx);
}

// Elimination: n^3 products and sums a matrix.
absl::StatusOr<Work> WorkInverse(const OpView& op) {
  const Shape& x = op.in(0).shape;
  Work work;
  const Dim n = x.ranked() && x.rank() >= 2 ? x.dim(x.rank() - 1) : Dim::Unknown();
  AddOps(op.dims(), work, op.dims().Mul(InElements(op, 0), n), {.add = 1, .mul = 1});
  return work;
}

// clang-format off
constexpr OpRule kContribMatMulRules[] = {
    {.domain = kMicrosoft, .op = "CDist", .versions = "1", .infer = InferCDist, .work = WorkCDist},
    {.domain = kMicrosoft, .op = "FusedGemm", .versions = "1", .infer = InferFusedGemm, .work = WorkFusedGemm,
     .parameters = Inputs({0, 1, 2})},
    {.domain = kMicrosoft, .op = "FusedMatMul", .versions = "1", .infer = InferFusedMatMul, .work = WorkFusedMatMul,
     .parameters = Inputs({0, 1})},
    {.domain = kMicrosoft, .op = "FusedMatMulActivation", .versions = "1", .infer = InferFusedMatMul,
     .work = WorkFusedMatMul, .parameters = Inputs({0, 1})},
    {.domain = kMicrosoft, .op = "GemmFastGelu", .versions = "1", .infer = InferMatMul, .work = WorkGemmFastGelu,
     .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "GemmFloat8", .versions = "1", .infer = InferGemmFloat8, .work = WorkFusedGemm,
     .scales = Inputs({3, 4, 5}), .parameters = Inputs({0, 1, 2})},
    {.domain = kMicrosoft, .op = "Inverse", .versions = "1", .infer = InferInverse, .work = WorkInverse},
    {.domain = kMicrosoft, .op = "MatMulInteger16", .versions = "1", .infer = InferMatMulInteger16, .work = WorkMatMul,
     .weights = Inputs({1})},
    {.domain = kMicrosoft, .op = "SparseToDenseMatMul", .versions = "1", .infer = InferSparseMatMul,
     .work = WorkSparseMatMul, .parameters = Inputs({0, 1})},
    {.domain = kMicrosoft, .op = "TransposeMatMul", .versions = "1", .infer = InferFusedMatMul,
     .work = WorkFusedMatMul, .parameters = Inputs({0, 1})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribMatMulRules() { return kContribMatMulRules; }

}  // namespace hwest
