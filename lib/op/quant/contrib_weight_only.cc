// Products with weights stored in few bits and dequantised before they are multiplied, and mixtures of experts. Nothing
// here is an integer product.
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/matmul/matmul_common.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// A [..., k] times a weight that makes [..., n].
struct Linear {
  Dim k, n;
};

absl::Status SetProduct(InferContext& ctx, int output, const Linear& linear) {
  const Shape& a = ctx.in(0).shape;
  if (a.ranked()) HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, a, a.rank() - 1, linear.k));
  ctx.set_out(output, ctx.in(0).elem, WithLastDim(a, linear.n));
  return absl::OkStatus();
}

void AddLinear(const OpView& op, const Linear& linear, int bias, Work& work) {
  const Dim rows = RowsOf(op.dims(), op.in(0).shape);
  AddProduct(op.dims(), work, rows, linear.n, linear.k);
  if (op.has_input(bias)) AddOps(op.dims(), work, op.dims().Mul(rows, linear.n), {.add = 1});
}

absl::Status CheckData(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  return RequireRank(op, 0, 1);
}

// The weight is [N, K]; multiplied as it is (transB 0), A has N columns.
absl::StatusOr<Linear> ReadBnb4(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckData(op));
  HWEST_ASSIGN_OR_RETURN(const int64_t k, PositiveAttr(op, "K"));
  HWEST_ASSIGN_OR_RETURN(const int64_t n, PositiveAttr(op, "N"));
  return op.attr("transB", int64_t{1}) != 0 ? Linear{k, n} : Linear{n, k};
}

// B is [N, K] in float8 or [N, K / 2] bytes with two float4 values each.
absl::StatusOr<Linear> ReadBlockQuantized(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckData(op));
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 1, 2, 2));
  const int64_t packed = op.op() == "MatMulBlockQuantizedFp4Weight" ? 2 : 1;
  return Linear{op.dims().Mul(DimOr(op.in(1).shape, 1), packed), DimOr(op.in(1).shape, 0)};
}

int BiasOf(const OpView& op) {
  if (op.op() == "MatMulBnb4") return -1;
  return op.op() == "MatMulBlockQuantizedFp4Weight" ? 5 : 4;
}

template <absl::StatusOr<Linear> (*kRead)(const OpView&)>
absl::Status InferLinear(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Linear linear, kRead(ctx));
  return SetProduct(ctx, 0, linear);
}

template <absl::StatusOr<Linear> (*kRead)(const OpView&)>
absl::StatusOr<Work> WorkLinear(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Linear linear, kRead(op));
  Work work;
  AddLinear(op, linear, BiasOf(op), work);
  return work;
}

// Inputs A, B (a blob), B_shape = [K, N].
absl::StatusOr<Shape> ShapeOfBlob(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckData(op));
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  HWEST_ASSIGN_OR_RETURN(const auto sizes, KnownSizes(op, 2));
  if (!sizes.has_value()) return Shape::UnknownDims(2);
  if (sizes->empty()) return absl::InvalidArgumentError("B_shape is empty");
  return Shape(Shape::Dims(sizes->begin(), sizes->end()));
}

absl::Status InferFpQ4(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Shape blob, ShapeOfBlob(ctx));
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, ctx.in(0).shape, blob));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkFpQ4(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Shape blob, ShapeOfBlob(op));
  return MatMulWork(op, 0, 1, op.in(0).shape, blob);
}

// RMS normalisation in front: 4 operations an element, 5 with a skip connection.
void AddNorm(const OpView& op, Work& work) {
  if (op.has_input(2)) AddOps(op.dims(), work, InElements(op, 0), {.add = op.has_input(1) ? 2 : 1, .mul = 3});
}

// Inputs A, skip?, norm_scale?, gate_B, gate_scales, gate_bias?, up_B, up_scales, up_bias?; outputs Y, A + skip.
absl::StatusOr<Linear> ReadMlp(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckData(op));
  HWEST_ASSIGN_OR_RETURN(const int64_t k, PositiveAttr(op, "K"));
  HWEST_ASSIGN_OR_RETURN(const int64_t n, PositiveAttr(op, "N"));
  return Linear{k, n};
}

absl::Status InferMlp(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Linear linear, ReadMlp(ctx));
  HWEST_RETURN_IF_ERROR(SetProduct(ctx, 0, linear));
  ctx.set_out(1, ctx.in(0));
  return absl::OkStatus();
}

// Y = activation(A gate) * (A up)
absl::StatusOr<Work> WorkMlp(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Linear linear, ReadMlp(op));
  HWEST_ASSIGN_OR_RETURN(PerElement activation, ActivationOps(op.attr("activation", "")));
  Work work;
  AddNorm(op, work);
  AddLinear(op, linear, 5, work);
  AddLinear(op, linear, 8, work);
  ++activation.mul;
  AddOps(op.dims(), work, OutElements(op, 0), activation);
  return work;
}

// Inputs A, skip?, norm_scale, q_B, q_scales, q_bias?, k_B, k_scales, k_bias?, v_B, v_scales, v_bias?.
absl::StatusOr<std::array<Linear, 3>> ReadQkv(const OpView& op) {
  HWEST_RETURN_IF_ERROR(CheckData(op));
  HWEST_ASSIGN_OR_RETURN(const int64_t k, PositiveAttr(op, "K"));
  HWEST_ASSIGN_OR_RETURN(const int64_t nq, PositiveAttr(op, "Nq"));
  HWEST_ASSIGN_OR_RETURN(const int64_t nkv, PositiveAttr(op, "Nkv"));
  return std::array<Linear, 3>{Linear{k, nq}, Linear{k, nkv}, Linear{k, nkv}};
}

absl::Status InferQkv(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const auto projections, ReadQkv(ctx));
  for (int i = 0; i < 3; ++i) HWEST_RETURN_IF_ERROR(SetProduct(ctx, i, projections[static_cast<size_t>(i)]));
  ctx.set_out(3, ctx.in(0));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQkv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const auto projections, ReadQkv(op));
  Work work;
  AddNorm(op, work);
  for (int i = 0; i < 3; ++i) AddLinear(op, projections[static_cast<size_t>(i)], 5 + 3 * i, work);
  return work;
}

// Where a mixture of experts keeps the weights and biases of its three layers.
struct ExpertArgs {
  std::array<int, 3> weights, biases;
};
constexpr ExpertArgs kMoE = {{2, 4, 6}, {3, 5, 7}};
constexpr ExpertArgs kQMoE = {{2, 5, 8}, {4, 7, 10}};

ExpertArgs ArgsOf(const OpView& op) { return op.op() == "QMoE" ? kQMoE : kMoE; }

// Values in one element of the stored weights.
int64_t ValuesPerElement(const OpView& op, int weight) {
  if (op.op() != "QMoE" || op.in(weight).elem != ElemType::kUint8) return 1;
  if (op.attr("quant_type", "int") != "int") return 2;
  const int64_t bits = op.attr("expert_weight_bits", int64_t{4});
  return bits == 2 || bits == 4 ? 8 / bits : 1;
}

absl::Status InferMoE(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 3));
  for (const int i : ArgsOf(ctx).weights) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 3, 3));
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// Every token runs k experts. A layer of an expert multiplies with each of its weights once, whatever their layout; of
// the stored experts at most one for each token and choice is read.
absl::StatusOr<Work> WorkMoE(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2, 3));
  const ExpertArgs args = ArgsOf(op);
  DimPool& dims = op.dims();
  const int64_t k = op.attr("k", int64_t{1});
  if (k < 1 || k > INT32_MAX) return absl::InvalidArgumentError(absl::StrCat("k is ", k, ", expected at least 1"));
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation_type", "relu")));
  const Shape& x = op.in(0).shape;
  const Dim hidden = x.ranked() ? x.dim(x.rank() - 1) : Dim::Unknown();
  const Dim runs = dims.Mul(RowsOf(dims, x), k);
  Work work;
  for (size_t layer = 0; layer < 3; ++layer) {
    const int input = args.weights[layer];
    if (!op.has_input(input)) continue;
    const Shape& w = op.in(input).shape;
    const Dim experts = DimOr(w, 0);
    const Dim expert = w.ranked() ? dims.Product(w.dims().subspan(1)) : Dim::Unknown();
    const Dim inner = dims.ExactDiv(dims.Mul(expert, ValuesPerElement(op, input)), hidden);
    const bool back = layer == 1;
    AddProduct(dims, work, runs, back ? hidden : inner, back ? inner : hidden);
    SetRead(work, input, dims.Mul(dims.Min(experts, runs), expert));
    if (op.has_input(args.biases[layer])) AddOps(dims, work, dims.Mul(runs, back ? hidden : inner), {.add = 1});
    if (back) AddOps(dims, work, dims.Mul(runs, inner), activation);
  }
  return work;
}

constexpr PackedInputs kPackedBnb4[] = {{.inputs = Inputs({1}), .rows = "N", .columns = "K"}};
constexpr PackedInputs kPackedBlob[] = {{.inputs = Inputs({1}), .sizes_input = 2}};
constexpr PackedInputs kPackedFp4[] = {{.inputs = Inputs({1})}};
constexpr PackedInputs kPackedExperts[] = {{.inputs = Inputs({2, 5, 8}), .bits = "expert_weight_bits"}};
constexpr PackedInputs kPackedMlp[] = {
    {.inputs = Inputs({3, 6}), .rows = "N", .columns = "K", .bits = "bits", .widens = true}};
constexpr PackedInputs kPackedQkv[] = {
    {.inputs = Inputs({3}), .rows = "Nq", .columns = "K", .bits = "bits", .widens = true},
    {.inputs = Inputs({6, 9}), .rows = "Nkv", .columns = "K", .bits = "bits", .widens = true}};

// clang-format off
constexpr OpRule kContribWeightOnlyRules[] = {
    {.domain = kMicrosoft, .op = "MatMulBlockQuantizedFp4Weight", .versions = "1",
     .infer = InferLinear<ReadBlockQuantized>, .work = WorkLinear<ReadBlockQuantized>, .scales = Inputs({2, 3, 4}),
     .weights = Inputs({1}), .packed = kPackedFp4},
    {.domain = kMicrosoft, .op = "MatMulBlockQuantizedFp8Weight", .versions = "1",
     .infer = InferLinear<ReadBlockQuantized>, .work = WorkLinear<ReadBlockQuantized>, .scales = Inputs({2, 3}),
     .weights = Inputs({1})},
    {.domain = kMicrosoft, .op = "MatMulBnb4", .versions = "1", .infer = InferLinear<ReadBnb4>,
     .work = WorkLinear<ReadBnb4>, .scales = Inputs({2}), .weights = Inputs({1}), .packed = kPackedBnb4},
    {.domain = kMicrosoft, .op = "MatMulFpQ4", .versions = "1", .infer = InferFpQ4, .work = WorkFpQ4,
     .shape_inputs = Inputs({2}), .scales = Inputs({2}), .weights = Inputs({1}), .packed = kPackedBlob},
    {.domain = kMicrosoft, .op = "MatMulNBitsMlp", .versions = "1", .infer = InferMlp, .work = WorkMlp,
     .scales = Inputs({4, 7}), .weights = Inputs({3, 6}), .parameters = Inputs({2, 5, 8}), .packed = kPackedMlp},
    {.domain = kMicrosoft, .op = "MatMulNBitsQkv", .versions = "1", .infer = InferQkv, .work = WorkQkv,
     .scales = Inputs({4, 7, 10}), .weights = Inputs({3, 6, 9}), .parameters = Inputs({2, 5, 8, 11}),
     .packed = kPackedQkv},
    {.domain = kMicrosoft, .op = "MoE", .versions = "1", .infer = InferMoE, .work = WorkMoE},
    {.domain = kMicrosoft, .op = "QMoE", .versions = "1", .infer = InferMoE, .work = WorkMoE,
     .scales = Inputs({3, 6, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20}), .weights = Inputs({2, 5, 8}),
     .packed = kPackedExperts},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribWeightOnlyRules() { return kContribWeightOnlyRules; }

}  // namespace hwest
