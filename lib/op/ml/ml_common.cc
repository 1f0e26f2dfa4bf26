#include "op/ml/ml_common.h"

#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"

namespace hwest {

absl::StatusOr<Samples> ReadSamples(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 1, 2));
  const Shape& x = op.in(0).shape;
  if (!x.ranked()) return Samples{};
  return Samples{.rows = x.rank() == 1 ? Dim(1) : x.dim(0), .features = x.dim(x.rank() - 1)};
}

Labels ReadLabels(const OpView& op, absl::string_view ints, absl::string_view strings) {
  const int64_t num_strings = static_cast<int64_t>(op.strings(strings).size());
  if (num_strings > 0) return {.count = num_strings, .elem = ElemType::kString};
  return {.count = static_cast<int64_t>(op.ints(ints).size())};
}

void SetClasses(InferContext& ctx, Dim rows, ElemType label, Dim scores) {
  ctx.set_out(0, label, Shape({rows}));
  ctx.set_out(1, ElemType::kFloat, Shape({rows, scores}));
}

namespace {

struct PostTransform {
  absl::string_view name;
  PerElement per;
};

constexpr PostTransform kPostTransforms[] = {
    {"SOFTMAX", {.add = 2, .mul = 1, .compare = 1, .transcendental = 1}},
    {"SOFTMAX_ZERO", {.add = 2, .mul = 1, .compare = 2, .transcendental = 1}},
    {"LOGISTIC", {.add = 1, .mul = 1, .transcendental = 1}},
    {"PROBIT", {.mul = 1, .transcendental = 1}},
};

}  // namespace

void AddPostTransform(const OpView& op, Work& work, Dim scores) {
  const absl::string_view name = op.attr("post_transform", absl::string_view("NONE"));
  for (const PostTransform& row : kPostTransforms) {
    if (row.name == name) AddOps(op.dims(), work, scores, row.per);
  }
}

}  // namespace hwest
