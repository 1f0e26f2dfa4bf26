// Selection with data-dependent sizes, and regions of interest: NonMaxSuppression, NonZero, RoiAlign.
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/detection/box_selection.h"
#include "op/families.h"
#include "op/known.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// Limits from here on are an exporter's way to say "no limit".
constexpr int64_t kNoBoxLimit = INT32_MAX;

// Boxes that one class of one image can keep: min(max_output_boxes_per_class, boxes); 0 when the input is absent.
Dim BoxesPerClass(const OpView& op, Dim boxes) {
  if (!op.has_input(2)) return 0;
  const std::optional<std::vector<Dim>> limit = op.known_dims(2);
  if (!limit.has_value() || limit->size() != 1) return boxes;
  const Dim value = limit->front();
  if (value.is_constant() && value.value() >= kNoBoxLimit) return boxes;
  return op.dims().Min(op.dims().Max(value, 0), boxes);
}

struct BoxSizes {
  Dim batch, classes, boxes;
};

// Whether boxes of a low score are left out first.
bool HasScoreThreshold(const OpView& op) {
  if (!op.has_input(4)) return false;
  const std::optional<std::vector<double>> threshold = op.known_floats(4);
  return !threshold.has_value() || threshold->size() != 1 || threshold->front() > 0;
}

// Boxes of one class that are compared with each other.
Dim Candidates(const OpView& op, Dim boxes) {
  const Dim candidates = op.fresh_size("candidates");
  return candidates.is_unknown() ? boxes : candidates;
}

// The number of boxes kept, decided by the contents.
Dim FreshSelected(InferContext& ctx, const BoxSizes& sizes) {
  DimPool& dims = ctx.dims();
  Dim candidates = sizes.boxes;
  const Dim most = dims.Product({sizes.batch, sizes.classes, BoxesPerClass(ctx, sizes.boxes)});
  if (most.IsConstant(0)) return most;
  const bool is_filtered = HasScoreThreshold(ctx) && !candidates.is_unknown();
  if (is_filtered) candidates = ctx.FreshSize("candidates", 0, candidates, TypicalCandidates(dims, candidates));
  const Dim limit = BoxesPerClass(ctx, candidates);
  Dim typical = dims.Product({sizes.batch, sizes.classes, TypicalKept(dims, candidates, limit)});
  if (is_filtered) typical = dims.Min(typical, dims.Mul(sizes.batch, kTypicalDetections));
  return ctx.FreshSize("nms", 0, dims.Product({sizes.batch, sizes.classes, limit}), typical);
}

// boxes [B, N, 4], scores [B, C, N].
absl::StatusOr<BoxSizes> ReadBoxes(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 1, 3, 3));
  const Shape& boxes = op.in(0).shape;
  const Shape& scores = op.in(1).shape;
  return BoxSizes{.batch = DimOr(boxes, 0).is_unknown() ? DimOr(scores, 0) : DimOr(boxes, 0),
                  .classes = DimOr(scores, 1),
                  .boxes = DimOr(boxes, 1).is_unknown() ? DimOr(scores, 2) : DimOr(boxes, 1)};
}

// selected_indices [n, 3] with n <= B * C * min(max_output_boxes_per_class, N); exact when the contents are known.
absl::Status InferNonMaxSuppression(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const BoxSizes sizes, ReadBoxes(ctx));
  const Shape& boxes = ctx.in(0).shape;
  const Shape& scores = ctx.in(1).shape;
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(boxes, 0), DimOr(scores, 0)).status());
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(boxes, 1), DimOr(scores, 2)).status());
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(boxes, 2), 4).status());
  const auto known = SelectBoxes(ctx);
  const Dim selected = known.has_value() ? Dim(static_cast<int64_t>(known->size())) : FreshSelected(ctx, sizes);
  ctx.set_out(0, ElemType::kInt64, Shape(Shape::Dims{selected, 3}));
  return absl::OkStatus();
}

void KnownNonMaxSuppression(InferContext& ctx) {
  const auto selected = SelectBoxes(ctx);
  if (!selected.has_value()) return;
  std::vector<Scalar> contents;
  for (const SelectedBox& box : *selected) {
    for (const int64_t index : box) contents.push_back(Scalar::Int(index));
  }
  ctx.set_known(0, std::move(contents));
}

// One look at every score where there is a threshold, a sort of the candidates of each class, and every candidate
// against the boxes kept of its class: 12 operations an intersection over union.
absl::StatusOr<Work> WorkNonMaxSuppression(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const BoxSizes sizes, ReadBoxes(op));
  DimPool& dims = op.dims();
  const Dim candidates = Candidates(op, sizes.boxes);
  const Dim lists = dims.Mul(sizes.batch, sizes.classes);
  Work work{.full_width = true};
  if (BoxesPerClass(op, sizes.boxes).IsConstant(0)) return work;
  if (HasScoreThreshold(op)) AddOps(dims, work, dims.Mul(lists, sizes.boxes), {.compare = 1});
  AddOps(dims, work, dims.Product({lists, candidates, CeilLog2(dims, candidates)}), {.compare = 1});
  AddOps(dims, work, dims.Mul(candidates, DimOr(op.out(0).shape, 0)), {.add = 5, .mul = 2, .compare = 5});
  return work;
}

std::vector<std::vector<int64_t>> IndicesOfNonZero(const std::vector<Scalar>& values, const Shape& x) {
  std::vector<std::vector<int64_t>> found;
  for (size_t flat = 0; flat < values.size(); ++flat) {
    if (values[flat].number() == 0) continue;
    std::vector<int64_t> at(static_cast<size_t>(x.rank()));
    int64_t rest = static_cast<int64_t>(flat);
    for (int axis = x.rank() - 1; axis >= 0; --axis) {
      at[static_cast<size_t>(axis)] = rest % x.dim(axis).value();
      rest /= x.dim(axis).value();
    }
    found.push_back(std::move(at));
  }
  return found;
}

// The contents of input 0 when every element is a constant.
const std::vector<Scalar>* ConstantContents(const OpView& op) {
  const Known& contents = op.known(0);
  if (contents == nullptr || !op.in(0).shape.constant()) return nullptr;
  for (const Scalar& scalar : *contents) {
    if (!scalar.is_constant()) return nullptr;
  }
  return contents.get();
}

// [rank, n] with n at most the number of elements; exact when the contents are known.
absl::Status InferNonZero(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  Dim count;
  if (const std::vector<Scalar>* values = ConstantContents(ctx)) {
    count = static_cast<int64_t>(IndicesOfNonZero(*values, x).size());
  } else {
    const Dim elements = InElements(ctx, 0);
    count =
        elements.IsConstant(0) ? elements : ctx.FreshSize("nonzero", 0, elements, TypicalSelected(ctx, 0, elements));
  }
  ctx.set_out(0, ElemType::kInt64, Shape(Shape::Dims{x.ranked() ? Dim(x.rank()) : Dim::Unknown(), count}));
  return absl::OkStatus();
}

void KnownNonZero(InferContext& ctx) {
  const std::vector<Scalar>* values = ConstantContents(ctx);
  if (values == nullptr) return;
  const std::vector<std::vector<int64_t>> found = IndicesOfNonZero(*values, ctx.in(0).shape);
  std::vector<Scalar> contents;
  contents.reserve(found.size() * static_cast<size_t>(ctx.in(0).shape.rank()));
  for (int axis = 0; axis < ctx.in(0).shape.rank(); ++axis) {
    for (const std::vector<int64_t>& at : found) contents.push_back(Scalar::Int(at[static_cast<size_t>(axis)]));
  }
  ctx.set_known(0, std::move(contents));
}

// A look at every element, and the coordinates of those found.
absl::StatusOr<Work> WorkNonZero(const OpView& op) {
  Work work{.full_width = true};
  AddOps(op.dims(), work, InElements(op, 0), {.compare = 1}, op.in(0).elem);
  AddOps(op.dims(), work, OutElements(op, 0), {.integer = 1});
  return work;
}

// X [N, C, H, W], rois [n, 4], batch_indices [n] -> [n, C, output_height, output_width].
absl::Status InferRoiAlign(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  const int64_t height = ctx.attr("output_height", int64_t{1});
  const int64_t width = ctx.attr("output_width", int64_t{1});
  if (height < 1 || width < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("RoiAlign expects a positive output size, found ", height, "x", width));
  }
  HWEST_ASSIGN_OR_RETURN(const Dim rois, ctx.Unify(DimOr(ctx.in(1).shape, 0), DimOr(ctx.in(2).shape, 0)));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{rois, DimOr(ctx.in(0).shape, 1), height, width}));
  return absl::OkStatus();
}

// Samples of one output element: sampling_ratio squared. A ratio of 0 adapts to each region, at most to the whole map.
Dim SamplesPerElement(const OpView& op) {
  const int64_t ratio = op.attr("sampling_ratio", int64_t{0});
  DimPool& dims = op.dims();
  if (ratio > 0) return dims.Mul(ratio, ratio);
  const Shape& x = op.in(0).shape;
  const Shape& y = op.out(0).shape;
  if (!x.ranked() || x.rank() != 4 || !y.ranked() || y.rank() != 4) return Dim::Unknown();
  return dims.Mul(dims.CeilDiv(x.dim(2), y.dim(2)), dims.CeilDiv(x.dim(3), y.dim(3)));
}

// Bilinear interpolation: 4 products and 4 sums a sample.
absl::StatusOr<Work> WorkRoiAlign(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), SamplesPerElement(op)), {.add = 4, .mul = 4});
  return work;
}

// clang-format off
constexpr OpRule kDetectionRules[] = {
    {.op = "NonMaxSuppression", .versions = "10 11", .infer = InferNonMaxSuppression, .known = KnownNonMaxSuppression,
     .work = WorkNonMaxSuppression, .shape_inputs = Inputs({2, 3, 4})},
    {.op = "NonZero", .versions = "9 13", .infer = InferNonZero, .known = KnownNonZero, .work = WorkNonZero},
    {.op = "RoiAlign", .versions = "10 16 22", .infer = InferRoiAlign, .work = WorkRoiAlign,
     .traits = trait::kSamples},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> DetectionRules() { return kDetectionRules; }

}  // namespace hwest
