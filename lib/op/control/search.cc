// Generation loops of ONNX Runtime: beam search, greedy search and sampling over decoder bodies.
#include <utility>

#include "base/status_macros.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/rules.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

struct SearchRow {
  absl::string_view op;
  bool has_beams;
};

constexpr SearchRow kSearches[] = {
    {"BeamSearch", true}, {"GreedySearch", false}, {"Sampling", false}, {"WhisperBeamSearch", true}};

bool HasBeams(const OpView& op) {
  for (const SearchRow& row : kSearches) {
    if (row.op == op.op()) return row.has_beams;
  }
  return false;
}

Dim NumberOf(const OpView& op, int i) {
  const auto numbers = op.known_dims(i);
  const bool is_count =
      numbers.has_value() && numbers->size() == 1 && op.dims().LessEqual(0, numbers->front()) != Tri::kFalse;
  return is_count ? numbers->front() : Dim::Unknown();
}

struct SearchSizes {
  Dim batch, prompt, max_length, beams, returned;
};

SearchSizes SizesOf(const OpView& op) {
  SearchSizes sizes{.batch = Dim(), .prompt = Dim(), .max_length = NumberOf(op, 1), .beams = 1, .returned = 1};
  const Shape& ids = op.in(0).shape;
  if (ids.ranked() && ids.rank() >= 1) sizes.batch = ids.dim(0);
  if (ids.ranked() && ids.rank() == 2) sizes.prompt = ids.dim(1);
  if (HasBeams(op)) {
    sizes.beams = NumberOf(op, 3);
    sizes.returned = NumberOf(op, 4);
  }
  return sizes;
}

}  // namespace

bool FollowSearch(InferContext& ctx, int round, Effort) {
  const GraphId decoder = FindBody(ctx, "decoder");
  if (round > 0 || !decoder.valid()) return round == 0;
  const SearchSizes sizes = SizesOf(ctx);
  Symbol steps;
  steps.max_expr = sizes.max_length;
  steps.typical = TypicalTrips(ctx.dims(), 0, sizes.max_length);
  SetTrips(ctx, decoder, ctx.FreshSize("trips", std::move(steps)));
  return true;
}

// Sequences, their scores, and the scores of every token.
absl::Status InferSearch(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 3));
  const SearchSizes sizes = SizesOf(ctx);
  const int64_t vocabulary = ctx.attr("vocab_size", int64_t{-1});
  const Dim tokens = vocabulary > 0 ? Dim(vocabulary) : Dim::Unknown();
  if (!HasBeams(ctx)) {
    ctx.set_out(0, ElemType::kInt32, Shape({sizes.batch, sizes.max_length}));
    ctx.set_out(1, ElemType::kFloat, Shape({sizes.batch, tokens}));
    return absl::OkStatus();
  }
  ctx.set_out(0, ElemType::kInt32, Shape({sizes.batch, sizes.returned, sizes.max_length}));
  ctx.set_out(1, ElemType::kFloat, Shape({sizes.batch, sizes.returned}));
  const Dim steps =
      sizes.prompt.is_unknown() ? Dim::Unknown() : ctx.dims().Max(ctx.dims().Sub(sizes.max_length, sizes.prompt), 0);
  ctx.set_out(2, ElemType::kFloat, Shape({steps, sizes.batch, sizes.beams, tokens}));
  return absl::OkStatus();
}

}  // namespace hwest
