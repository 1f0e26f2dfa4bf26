// Strings: matching, joining, cleaning, splitting and counting of n-grams.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

absl::Status InferRegexFullMatch(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ElemType::kBool, ctx.in(0).shape);
  return absl::OkStatus();
}

absl::Status InferStringConcat(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(ctx.in(0).shape, ctx.in(1).shape));
  ctx.set_out(0, ElemType::kString, std::move(shape));
  return absl::OkStatus();
}

// [C] or [1, C] keeps at least one element and loses none without stop words.
absl::Status InferStringNormalizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  Shape y = ctx.in(0).shape;
  if (y.ranked() && y.rank() == 2) HWEST_RETURN_IF_ERROR(ctx.Unify(y.dim(0), 1).status());
  if (y.ranked() && !ctx.strings("stopwords").empty()) {
    const Dim most = ctx.dims().Max(y.dim(y.rank() - 1), 1);
    y.set_dim(y.rank() - 1, most.IsConstant(1) ? most : ctx.FreshSize("words", 1, most));
  }
  ctx.set_out(0, ElemType::kString, std::move(y));
  return absl::OkStatus();
}

// Y adds an axis for the longest list of substrings, at most maxsplit + 1 of them; Z counts them.
absl::Status InferStringSplit(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  const int64_t splits = ctx.attr("maxsplit", int64_t{-1});
  Shape y = x;
  if (y.ranked()) {
    const Dim most = InElements(ctx, 0).IsConstant(0) ? Dim(0)
                     : splits < 0                     ? Dim::Unknown()
                                                      : ctx.dims().Add(splits, 1);
    y.push_back(most.IsConstant(0) ? most : ctx.FreshSize("substrings", 0, most));
  }
  ctx.set_out(0, ElemType::kString, std::move(y));
  ctx.set_out(1, ElemType::kInt64, x);
  return absl::OkStatus();
}

// [C] or [N, C] of numbers or strings -> one weight for each index that ngram_indexes names.
absl::Status InferTfIdfVectorizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  const absl::Span<const int64_t> indexes = ctx.ints("ngram_indexes");
  if (indexes.empty() || *std::min_element(indexes.begin(), indexes.end()) < 0) {
    return absl::InvalidArgumentError("TfIdfVectorizer expects ngram_indexes, none below 0");
  }
  Shape y = ctx.in(0).shape;
  const Dim width = ctx.dims().Add(*std::max_element(indexes.begin(), indexes.end()), 1);
  if (y.ranked()) y.set_dim(y.rank() - 1, width);
  ctx.set_out(0, ElemType::kFloat, std::move(y));
  return absl::OkStatus();
}

// Every element starts an n-gram of each length and skip.
absl::StatusOr<Work> WorkTfIdfVectorizer(const OpView& op) {
  DimPool& dims = op.dims();
  const Dim length = std::max<int64_t>(op.attr("max_gram_length", int64_t{1}), 0);
  const Dim skips = dims.Add(std::max<int64_t>(op.attr("max_skip_count", int64_t{0}), 0), 1);
  Work work;
  AddOps(dims, work, dims.Product({InElements(op, 0), length, skips}), {.integer = 1});
  return work;
}

constexpr OpRule kRules[] = {
    {.domain = "", .op = "RegexFullMatch", .versions = "20", .infer = InferRegexFullMatch, .known = nullptr,
     .work = nullptr, .op_class = OpClass::kCompute},
    {.domain = "", .op = "StringConcat", .versions = "20", .infer = InferStringConcat, .known = nullptr,
     .work = nullptr, .op_class = OpClass::kCompute},
    {.domain = "", .op = "StringNormalizer", .versions = "10", .infer = InferStringNormalizer, .known = nullptr,
     .work = nullptr, .op_class = OpClass::kCompute},
    {.domain = "", .op = "StringSplit", .versions = "20", .infer = InferStringSplit, .known = nullptr,
     .work = nullptr, .op_class = OpClass::kCompute},
    {.domain = "", .op = "TfIdfVectorizer", .versions = "9", .infer = InferTfIdfVectorizer, .known = nullptr,
     .work = WorkTfIdfVectorizer, .op_class = OpClass::kCompute},
};

}  // namespace

absl::Span<const OpRule> TextRules() { return kRules; }

}  // namespace hwest
