// Matrix products and determinants.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/matmul/matmul_common.h"

namespace hwest {
namespace {

// Rows, columns and leading axes of a MatMul operand after a rank-1 operand got its unit axis.
struct Matrix {
  Dim rows, cols;
  Shape lead;
};

enum class Side { kLeft, kRight };

Matrix AsMatrix(const Shape& shape, Side side) {
  const int rank = shape.rank();
  if (rank == 1) {
    const Dim size = shape.dim(0);
    return side == Side::kLeft ? Matrix{1, size, Shape::Scalar()} : Matrix{size, 1, Shape::Scalar()};
  }
  Shape lead = Shape::Scalar();
  for (int axis = 0; axis < rank - 2; ++axis) lead.push_back(shape.dim(axis));
  return Matrix{shape.dim(rank - 2), shape.dim(rank - 1), std::move(lead)};
}

absl::Status CheckMatrices(const OpView& op, int a, int b, int min_rank, int max_rank) {
  for (const int i : {a, b}) {
    if (!op.has_input(i)) return absl::InvalidArgumentError(absl::StrCat(op.op(), ": input ", i, " is absent"));
    HWEST_RETURN_IF_ERROR(RequireRank(op, i, min_rank, max_rank));
  }
  return absl::OkStatus();
}

Work UnknownProduct() {
  Work work;
  work.macs = Dim::Unknown();
  return work;
}

ContractionKind KindOf(const OpView& op, int a, int b) {
  return op.is_constant(a) || op.is_constant(b) ? ContractionKind::kMatMul : ContractionKind::kActivation;
}

Operands OperandsOf(const OpView& op, int a, int b) {
  return IsIntegerProduct(op, a, b) ? Operands::kInteger : Operands::kFloat;
}

absl::Status InferMatMul(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkMatMul(const OpView& op) { return MatMulWork(op, 0, 1); }

absl::Status InferMatMulInteger(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  ctx.set_out(0, ElemType::kInt32, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferGemm(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, GemmShape(ctx, 0, 1, 2));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkGemm(const OpView& op) { return GemmWork(op, 0, 1, 2); }

struct QuantisedWeight {
  int64_t k = 0, n = 0;
};

absl::StatusOr<QuantisedWeight> ReadQuantisedWeight(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 1));
  const QuantisedWeight weight{.k = op.attr("K", int64_t{0}), .n = op.attr("N", int64_t{0})};
  if (weight.k >= 1 && weight.n >= 1) return weight;
  return absl::InvalidArgumentError(
      absl::StrCat("MatMulNBits expects positive K and N, found ", weight.k, " and ", weight.n));
}

// A [..., K] times a packed [N, K]; the physical shape of B says nothing about sizes, the attributes do.
absl::Status InferMatMulNBits(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const QuantisedWeight weight, ReadQuantisedWeight(ctx));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    HWEST_RETURN_IF_ERROR(ctx.Unify(shape.dim(shape.rank() - 1), weight.k).status());
    shape.set_dim(shape.rank() - 1, weight.n);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Weights become floating point numbers before they are multiplied, so nothing counts as an integer product.
absl::StatusOr<Work> WorkMatMulNBits(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const QuantisedWeight weight, ReadQuantisedWeight(op));
  DimPool& dims = op.dims();
  const Shape& a = op.in(0).shape;
  if (!a.ranked()) return UnknownProduct();
  const Dim rows = dims.Product(a.dims().first(static_cast<size_t>(a.rank() - 1)));
  Work work;
  Contraction contraction{
      .kind = ContractionKind::kMatMul, .batch = 1, .m = rows, .n = weight.n, .k = weight.k, .kernel_elements = 1};
  AddContraction(dims, work, std::move(contraction), dims.Product({rows, weight.n, weight.k}), Operands::kFloat);
  if (op.has_input(5)) AddOps(dims, work, dims.Mul(rows, weight.n), {.add = 1});
  return work;
}

// X [..., n, n] to [...].
absl::Status InferDet(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Shape& x = ctx.in(0).shape;
  Shape shape;
  if (x.ranked()) {
    const Matrix matrix = AsMatrix(x, Side::kLeft);
    HWEST_RETURN_IF_ERROR(ctx.Unify(matrix.rows, matrix.cols).status());
    shape = matrix.lead;
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Elimination: n^3 / 3 products and differences a matrix.
absl::StatusOr<Work> WorkDet(const OpView& op) {
  const Shape& x = op.in(0).shape;
  DimPool& dims = op.dims();
  Dim steps = Dim::Unknown();
  if (x.ranked() && x.rank() >= 2) {
    const Matrix matrix = AsMatrix(x, Side::kLeft);
    const Dim n = matrix.rows.is_unknown() ? matrix.cols : matrix.rows;
    steps = dims.Mul(matrix.lead.Elements(dims), dims.FloorDiv(dims.Product({n, n, n}), 3));
  }
  Work work;
  AddOps(dims, work, steps, {.add = 1, .mul = 1}, op.in(0).elem);
  return work;
}

constexpr PackedInputs kPackedWeight[] = {
    {.inputs = Inputs({1}), .rows = "N", .columns = "K", .bits = "bits", .widens = true}};

// clang-format off
constexpr OpRule kMatMulRules[] = {
    {.op = "Det", .versions = "11 22", .infer = InferDet, .work = WorkDet},
    {.op = "Gemm", .versions = "1 6 7 9 11 13", .infer = InferGemm, .work = WorkGemm, .parameters = Inputs({0, 1, 2})},
    {.op = "MatMul", .versions = "1 9 13", .infer = InferMatMul, .work = WorkMatMul, .parameters = Inputs({0, 1})},
    {.op = "MatMulInteger", .versions = "10", .infer = InferMatMulInteger, .work = WorkMatMul, .scales = Inputs({2, 3}),
     .weights = Inputs({1})},
    {.domain = "com.microsoft", .op = "MatMulNBits", .versions = "1", .infer = InferMatMulNBits,
     .work = WorkMatMulNBits, .scales = Inputs({2, 3, 4}), .weights = Inputs({1}), .parameters = Inputs({5}),
     .packed = kPackedWeight},
};
// clang-format on

}  // namespace

absl::StatusOr<Shape> MatMulShape(InferContext& ctx, int a, int b) {
  HWEST_RETURN_IF_ERROR(CheckMatrices(ctx, a, b, 1, kAnyRank));
  return MatMulShape(ctx, ctx.in(a).shape, ctx.in(b).shape);
}

absl::StatusOr<Shape> MatMulShape(InferContext& ctx, const Shape& left, const Shape& right) {
  if (!left.ranked() || !right.ranked()) return Shape();
  const Matrix x = AsMatrix(left, Side::kLeft);
  const Matrix y = AsMatrix(right, Side::kRight);
  HWEST_RETURN_IF_ERROR(ctx.Unify(x.cols, y.rows).status());
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(x.lead, y.lead));
  if (left.rank() > 1) shape.push_back(x.rows);
  if (right.rank() > 1) shape.push_back(y.cols);
  return shape;
}

absl::StatusOr<Work> MatMulWork(const OpView& op, int a, int b) {
  HWEST_RETURN_IF_ERROR(CheckMatrices(op, a, b, 1, kAnyRank));
  return MatMulWork(op, a, b, op.in(a).shape, op.in(b).shape);
}

absl::StatusOr<Work> MatMulWork(const OpView& op, int a, int b, const Shape& left, const Shape& right) {
  const Shape& out = op.out(0).shape;
  if (!left.ranked() || !right.ranked() || !out.ranked()) return UnknownProduct();
  DimPool& dims = op.dims();
  const Matrix x = AsMatrix(left, Side::kLeft);
  const Matrix y = AsMatrix(right, Side::kRight);
  const int lead_rank = std::max(x.lead.rank(), y.lead.rank());
  if (out.rank() < lead_rank) return UnknownProduct();
  const Dim k = x.cols.is_constant() ? x.cols : y.rows.is_constant() ? y.rows : x.cols.is_unknown() ? y.rows : x.cols;

  // One right matrix for all left ones is a single tall product.
  const Dim lead = dims.Product(out.dims().first(static_cast<size_t>(lead_rank)));
  const bool shared = y.lead.rank() == 0;
  Contraction contraction{.kind = KindOf(op, a, b),
                          .batch = shared ? Dim(1) : lead,
                          .m = shared ? dims.Mul(lead, x.rows) : x.rows,
                          .n = y.cols,
                          .k = k,
                          .kernel_elements = 1};
  Work work;
  AddContraction(dims, work, std::move(contraction), dims.Product({lead, x.rows, y.cols, k}), OperandsOf(op, a, b));
  return work;
}

namespace {

struct GemmSizes {
  Dim m, n, k_left, k_right;
};

GemmSizes SizesOf(const OpView& op, int a, int b) {
  const bool trans_a = op.attr("transA", int64_t{0}) != 0;
  const bool trans_b = op.attr("transB", int64_t{0}) != 0;
  const Shape& left = op.in(a).shape;
  const Shape& right = op.in(b).shape;
  return GemmSizes{.m = DimOr(left, trans_a ? 1 : 0),
                   .n = DimOr(right, trans_b ? 0 : 1),
                   .k_left = DimOr(left, trans_a ? 0 : 1),
                   .k_right = DimOr(right, trans_b ? 1 : 0)};
}

}  // namespace

absl::StatusOr<Shape> GemmShape(InferContext& ctx, int a, int b, int c) {
  HWEST_RETURN_IF_ERROR(CheckMatrices(ctx, a, b, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, c, 0, 2));
  const GemmSizes sizes = SizesOf(ctx, a, b);
  HWEST_RETURN_IF_ERROR(ctx.Unify(sizes.k_left, sizes.k_right).status());
  Shape shape(Shape::Dims{sizes.m, sizes.n});
  if (ctx.in(c).shape.ranked()) HWEST_RETURN_IF_ERROR(ctx.Broadcast(shape, ctx.in(c).shape).status());
  return shape;
}

absl::StatusOr<Work> GemmWork(const OpView& op, int a, int b, int c) {
  HWEST_RETURN_IF_ERROR(CheckMatrices(op, a, b, 2, 2));
  DimPool& dims = op.dims();
  const GemmSizes sizes = SizesOf(op, a, b);
  const Dim k = sizes.k_left.is_constant() || sizes.k_right.is_unknown() ? sizes.k_left : sizes.k_right;
  Contraction contraction{
      .kind = KindOf(op, a, b), .batch = 1, .m = sizes.m, .n = sizes.n, .k = k, .kernel_elements = 1};
  Work work;
  AddContraction(dims, work, std::move(contraction), dims.Product({sizes.m, sizes.n, k}), OperandsOf(op, a, b));
  const bool has_c = op.has_input(c);
  const int64_t scaled = (op.attr("alpha", 1.0f) != 1.0f) + (has_c && op.attr("beta", 1.0f) != 1.0f);
  AddOps(dims, work, dims.Mul(sizes.m, sizes.n), {.add = has_c, .mul = scaled}, op.in(a).elem);
  return work;
}

absl::Span<const OpRule> MatMulRules() { return kMatMulRules; }

}  // namespace hwest
