// Nodes that stand for something compiled elsewhere: engine blobs, and TensorRT plug-ins in the default domain.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// A blob says nothing but what the file declares.
absl::Status InferBlob(InferContext& ctx) {
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (!ctx.has_output(i)) continue;
    if (const Type* declared = ctx.graph().declared(ctx.output(i))) ctx.set_out(i, *declared);
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkBlob(const OpView&) {
  Work work = UnknownMacs();
  for (Dim& ops : work.ops) ops = Dim::Unknown();
  return work;
}

// No products of matrices, but a number of operations that depends on the data.
absl::StatusOr<Work> WorkOfData(const OpView&) {
  Work work;
  for (const OpKind kind : {OpKind::kAdd, OpKind::kMul, OpKind::kCompare}) work.op(kind) = Dim::Unknown();
  return work;
}

// boxes [B, N, 4] or [B, N, C, 4], scores [B, N, C], anchors?; outputs of a fixed size, their valid part counted first.
absl::Status InferEfficientNms(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 3, 3));
  HWEST_ASSIGN_OR_RETURN(const int64_t boxes, PositiveAttr(ctx, "max_output_boxes"));
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(ctx.in(0).shape, 0), DimOr(ctx.in(1).shape, 0)));
  const ElemType elem = ctx.in(0).elem;
  ctx.set_out(0, ElemType::kInt32, Shape(Shape::Dims{batch, 1}));
  ctx.set_out(1, elem, Shape(Shape::Dims{batch, boxes, 4}));
  ctx.set_out(2, elem, Shape(Shape::Dims{batch, boxes}));
  ctx.set_out(3, ElemType::kInt32, Shape(Shape::Dims{batch, boxes}));
  return absl::OkStatus();
}

// boxes [B, N, 4 or more] and feature maps [B, C, H, W] of several levels to [B, N, C, size, size].
absl::Status InferRoiPlugin(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 4, 4));
  const int64_t size = ctx.attr("pooled_size", int64_t{7});
  if (size < 1) return absl::InvalidArgumentError(absl::StrCat("pooled_size is ", size, ", expected at least 1"));
  const Shape& boxes = ctx.in(0).shape;
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(boxes, 0), DimOr(ctx.in(1).shape, 0)));
  ctx.set_out(0, ctx.in(1).elem, Shape(Shape::Dims{batch, DimOr(boxes, 1), DimOr(ctx.in(1).shape, 1), size, size}));
  return absl::OkStatus();
}

// One sample an output element: 4 products and 4 sums.
constexpr WorkFn kBilinear = WorkPerOutput<PerElement{.add = 4, .mul = 4}>;
// (content + gathered key position + gathered query position) * factor
constexpr WorkFn kDisentangled = WorkPerOutput<PerElement{.add = 2, .mul = 1}>;

constexpr OpRule kOrtPluginRules[] = {
    {.op = "DisentangledAttention_TRT", .versions = "1", .infer = InferSameAsInput, .work = kDisentangled},
    {.op = "EfficientNMS_TRT", .versions = "1", .infer = InferEfficientNms, .work = WorkOfData},
    {.op = "MultilevelCropAndResize_TRT", .versions = "1", .infer = InferRoiPlugin, .work = kBilinear},
    {.op = "PyramidROIAlign_TRT", .versions = "1", .infer = InferRoiPlugin, .work = WorkOfData},
    {.domain = kMicrosoft, .op = "EPContext", .versions = "1", .infer = InferBlob, .work = WorkBlob},
    {.domain = kMicrosoft, .op = "Snpe", .versions = "1", .infer = InferBlob, .work = WorkBlob},
};

}  // namespace

absl::Span<const OpRule> OrtPluginRules() { return kOrtPluginRules; }

}  // namespace hwest
