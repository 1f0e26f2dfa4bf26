// Text and token operators of ONNX Runtime.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// [C] or [N, C] strings to [..., tokens]; how many tokens there are at most is in the text.
absl::Status InferTokenizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) shape.push_back(ctx.FreshSize("tokens", 0, Dim::Unknown(), kTypicalParts));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Inputs input_ids [B, S], scores [B, vocabulary].
absl::Status InferRepeatBlock(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 2, 2));
  ctx.set_out(0, ctx.in(1).elem, ctx.in(1).shape);
  return absl::OkStatus();
}

// Text is looked at character by character.
absl::StatusOr<Work> WorkTokenizer(const OpView& op) {
  Work work;
  work.visits = op.dims().Mul(InElements(op, 0), kTypicalCharacters);
  return work;
}

struct HashSizes {
  int64_t order;  // longest n-gram
  Dim width;      // hashes a token
};

absl::StatusOr<HashSizes> ReadHashSizes(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_ASSIGN_OR_RETURN(const int64_t order, PositiveAttr(op, "max_ngram_size"));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "n_head_per_ngram"));
  if (order < 2) return absl::InvalidArgumentError("max_ngram_size is 1, expected at least 2");
  return HashSizes{order, op.dims().Mul(order - 1, heads)};
}

// input_ids [B, S] to [B, S, hashes]; present_ids [B, order - 1].
absl::Status InferHashMapping(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const HashSizes sizes, ReadHashSizes(ctx));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  const Shape& ids = ctx.in(0).shape;
  const ElemType elem = ctx.in(0).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{DimOr(ids, 0), DimOr(ids, 1), sizes.width}));
  ctx.set_out(1, elem, Shape(Shape::Dims{DimOr(ids, 0), sizes.order - 1}));
  return absl::OkStatus();
}

// input_ids [T] to [T, hashes]; present_ids and present_segment_ids [B, order - 1], B from the cumulated lengths.
absl::Status InferVarlenHashMapping(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const HashSizes sizes, ReadHashSizes(ctx));
  for (const int i : {0, 3}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
  const Dim batch = ctx.dims().Sub(DimOr(ctx.in(3).shape, 0), 1);
  const ElemType elem = ctx.in(0).elem;
  const Shape present(Shape::Dims{batch, sizes.order - 1});
  ctx.set_out(0, elem, Shape(Shape::Dims{DimOr(ctx.in(0).shape, 0), sizes.width}));
  ctx.set_out(1, elem, present);
  ctx.set_out(2, ElemType::kInt32, present);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkHashMapping(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const HashSizes sizes, ReadHashSizes(op));
  return ElementWork(op, {.integer = sizes.order});
}

// Outputs: current tokens with predicted ones behind them, and where their last n-gram stands in the source.
absl::Status InferBifurcation(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  for (const int i : {0, 1, 3}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
  const Dim current = DimOr(ctx.in(1).shape, 0);
  const Dim predicted = ctx.has_input(3) ? DimOr(ctx.in(3).shape, 0) : Dim(0);
  const Dim most = ctx.dims().Add(current, predicted);
  ctx.set_out(0, ctx.in(1).elem, Shape(Shape::Dims{ctx.has_input(3) ? ctx.FreshSize("tokens", 0, most) : current}));
  ctx.set_out(1, ctx.in(2).elem, Shape::Scalar());
  return absl::OkStatus();
}

// Costs [M, N] or [1, M, N] to a path [2, x] with max(M, N) <= x < M + N.
absl::Status InferTimeWarping(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 3));
  const Shape& x = ctx.in(0).shape;
  DimPool& dims = ctx.dims();
  Dim length;
  if (x.ranked()) {
    const Dim rows = x.dim(x.rank() - 2), columns = x.dim(x.rank() - 1);
    const Dim least = dims.Max(rows, columns);
    length = ctx.FreshSize("path", least.is_constant() ? least.value() : 0, dims.Sub(dims.Add(rows, columns), 1));
  }
  ctx.set_out(0, ElemType::kInt32, Shape(Shape::Dims{2, length}));
  return absl::OkStatus();
}

constexpr WorkFn kScanTokens = WorkPerInput<PerElement{.integer = 1}>;
// The cheapest of three ways to every cell, and its sum.
constexpr WorkFn kTimeWarping = WorkPerInput<PerElement{.add = 1, .compare = 2}>;

// clang-format off
constexpr OpRule kContribTextRules[] = {
    {.domain = kMicrosoft, .op = "BifurcationDetector", .versions = "1", .infer = InferBifurcation,
     .work = kScanTokens},
    {.domain = kMicrosoft, .op = "DynamicTimeWarping", .versions = "1", .infer = InferTimeWarping,
     .work = kTimeWarping},
    {.domain = kMicrosoft, .op = "NGramHashMapping", .versions = "1", .infer = InferHashMapping,
     .work = WorkHashMapping},
    {.domain = kMicrosoft, .op = "NGramRepeatBlock", .versions = "1", .infer = InferRepeatBlock, .work = kScanTokens},
    {.domain = kMicrosoft, .op = "Tokenizer", .versions = "1", .infer = InferTokenizer, .work = WorkTokenizer,
     .traits = trait::kHoldsTables},
    {.domain = kMicrosoft, .op = "VarlenNGramHashMapping", .versions = "1", .infer = InferVarlenHashMapping,
     .work = WorkHashMapping},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribTextRules() { return kContribTextRules; }

}  // namespace hwest
