// ONNX Runtime's LSTM variants: quantised weights, and an attention wrapper around the cell.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

constexpr PerElement kPerUnit = {.add = 9, .mul = 3, .transcendental = 5};

struct LstmSizes {
  Dim steps, batch, inputs, hidden;
  int64_t directions = 1;

  Dim Cells(DimPool& dims) const { return dims.Product({steps, directions, batch}); }
};

// X [S, B, I]; W and R [D, 4 * H, I] and [D, 4 * H, H], or transposed [D, I, 4 * H] and [D, H, 4 * H].
absl::StatusOr<LstmSizes> ReadLstm(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {0, 1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  const bool transposed = op.op() == "DynamicQuantizeLSTM";
  const Shape& x = op.in(0).shape;
  LstmSizes sizes{.steps = DimOr(x, 0),
                  .batch = DimOr(x, 1),
                  .inputs = DimOr(op.in(1).shape, transposed ? 1 : 2),
                  .hidden = DimOr(op.in(2).shape, transposed ? 1 : 2),
                  .directions = op.attr("direction", "forward") == "bidirectional" ? 2 : 1};
  if (sizes.inputs.is_unknown()) sizes.inputs = DimOr(x, 2);
  const int64_t declared = op.attr("hidden_size", int64_t{0});
  if (declared > 0 && !sizes.hidden.is_constant()) sizes.hidden = declared;
  if (declared > 0 && sizes.hidden.value() != declared) {
    return absl::InvalidArgumentError(absl::StrCat("hidden_size is ", declared, ", R has ", sizes.hidden.value()));
  }
  return sizes;
}

// Outputs Y [S, D, B, H], Y_h and Y_c [D, B, H].
absl::Status InferLstm(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const LstmSizes s, ReadLstm(ctx));
  for (const int i : {1, 2}) HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(i).shape, 0, s.directions));
  const ElemType elem = ctx.in(0).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{s.steps, s.directions, s.batch, s.hidden}));
  for (const int i : {1, 2}) ctx.set_out(i, elem, Shape(Shape::Dims{s.directions, s.batch, s.hidden}));
  return absl::OkStatus();
}

// A product [B, k] x [k, n] in every step of every direction.
void AddSteps(DimPool& dims, Work& work, const LstmSizes& s, Dim n, Dim k, Operands operands) {
  const Dim serial = dims.Mul(s.steps, s.directions);
  Contraction step{
      .kind = ContractionKind::kRecurrent, .batch = serial, .m = s.batch, .n = n, .k = k, .kernel_elements = 1};
  AddContraction(dims, work, std::move(step), dims.Product({serial, s.batch, n, k}), operands);
}

void AddCells(DimPool& dims, Work& work, const LstmSizes& s, Operands operands) {
  AddSteps(dims, work, s, dims.Mul(s.hidden, 4), dims.Add(s.inputs, s.hidden), operands);
  AddOps(dims, work, dims.Mul(s.Cells(dims), s.hidden), kPerUnit);
}

// Activations are quantised on the fly, so the products are those of integers.
absl::StatusOr<Work> WorkQuantizedLstm(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const LstmSizes s, ReadLstm(op));
  Work work;
  AddCells(op.dims(), work, s, Operands::kInteger);
  return work;
}

enum AttnInput { kQueryWeight = 8, kMemoryWeight, kAttentionVector, kMemory, kMemoryLengths, kAttentionLayer };

// The cell, and per step: the query projected to A units, a score tanh(key + query) . v for each of the memory's M
// positions, their softmax and weighted sum of depth E, and the attention layer. The keys are projected once.
absl::StatusOr<Work> WorkAttnLstm(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const LstmSizes s, ReadLstm(op));
  for (const int i : {kQueryWeight, kMemoryWeight, kMemory, kAttentionLayer}) {
    HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  }
  DimPool& dims = op.dims();
  Work work;
  AddCells(dims, work, s, Operands::kFloat);
  if (!op.has_input(kMemory)) return work;
  const Dim positions = DimOr(op.in(kMemory).shape, 1), depth = DimOr(op.in(kMemory).shape, 2);
  const Dim units = DimOr(op.in(kMemoryWeight).shape, 2);
  AddProduct(dims, work, dims.Product({s.directions, s.batch, positions}), units, depth);
  AddSteps(dims, work, s, units, s.hidden, Operands::kFloat);
  AddSteps(dims, work, s, positions, units, Operands::kFloat);
  AddSteps(dims, work, s, depth, positions, Operands::kFloat);
  const Dim scores = dims.Mul(s.Cells(dims), positions);
  AddOps(dims, work, dims.Mul(scores, units), {.add = 1, .transcendental = 1});
  AddOps(dims, work, scores, {.add = 2, .mul = 1, .compare = 1, .transcendental = 1});
  if (op.has_input(kAttentionLayer)) {
    const Shape& layer = op.in(kAttentionLayer).shape;
    AddSteps(dims, work, s, DimOr(layer, 2), DimOr(layer, 1), Operands::kFloat);
  }
  return work;
}

// clang-format off
constexpr OpRule kContribLstmRules[] = {
    {.domain = kMicrosoft, .op = "AttnLSTM", .versions = "1", .infer = InferLstm, .work = WorkAttnLstm,
     .parameters = Inputs({1, 2, 3, 7, 8, 9, 10, 13})},
    {.domain = kMicrosoft, .op = "DynamicQuantizeLSTM", .versions = "1", .infer = InferLstm, .work = WorkQuantizedLstm,
     .scales = Inputs({8, 9, 10, 11}), .weights = Inputs({1, 2}), .parameters = Inputs({3, 7})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribLstmRules() { return kContribLstmRules; }

}  // namespace hwest
