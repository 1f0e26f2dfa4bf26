// Convolutions, pools and image operators of ONNX Runtime.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/conv_common.h"
#include "op/conv/nhwc_common.h"
#include "op/conv/pool_common.h"
#include "op/conv/window.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

bool IsChannelsLast(const OpView& op) { return op.attr("channels_last", int64_t{0}) != 0; }

constexpr ConvArgs kNhwcConv = {.order = ChannelOrder::kLast};

absl::Status InferNhwcConv(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, kNhwcConv));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Inputs X, W, B?, Z? (added before the activation).
absl::StatusOr<Work> WorkNhwcConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, kNhwcConv));
  const Dim elements = OutElements(op, 0);
  if (op.has_input(3)) AddOps(op.dims(), work, elements, {.add = 1}, op.in(0).elem);
  AddOps(op.dims(), work, elements, activation, op.in(0).elem);
  return work;
}

absl::Status InferNhwcMaxPool(InferContext& ctx) { return InferChannelsLast(ctx, StandardRule("MaxPool").infer); }
absl::StatusOr<Work> WorkNhwcMaxPool(const OpView& op) { return WorkChannelsLast(op, WorkMaxPool); }

// Inputs x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, B?.
ConvArgs QLinearArgs(const OpView& op) {
  return {.x = 0, .w = 3, .bias = 8, .order = IsChannelsLast(op) ? ChannelOrder::kLast : ChannelOrder::kFirst};
}

// Rescaling, rounding and moving an accumulator to the zero point.
constexpr PerElement kRequantise = {.add = 1, .mul = 1, .compare = 1};

ElemType ElemOfInput(const OpView& op, int i) { return op.has_input(i) ? op.in(i).elem : op.in(0).elem; }

absl::Status InferQLinearConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 8));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, QLinearArgs(ctx)));
  ctx.set_out(0, ctx.in(7).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQLinearConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, QLinearArgs(op)));
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

absl::Status InferQLinearConvTranspose(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 8));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvTransposeShape(ctx, QLinearArgs(ctx)));
  ctx.set_out(0, ctx.in(7).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQLinearConvTranspose(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvTransposeWork(op, QLinearArgs(op)));
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

// Inputs X, W, Pads?, B?.
constexpr ConvArgs kDynamicPads = {.bias = 3, .pads = 2};

absl::Status InferDynamicPads(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvTransposeShape(ctx, kDynamicPads));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkDynamicPads(const OpView& op) { return ConvTransposeWork(op, kDynamicPads); }

absl::Status InferPool(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, PoolShape(ctx));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Inputs X, x_scale, x_zero_point?, y_scale, y_zero_point?.
absl::Status InferQLinearPool(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(IsChannelsLast(ctx) ? InferChannelsLast(ctx, InferPool) : InferPool(ctx));
  Type type = ctx.out(0);
  type.elem = ElemOfInput(ctx, 4);
  ctx.set_out(0, std::move(type));
  return absl::OkStatus();
}

// One add a window element, and requantisation.
absl::StatusOr<Work> QLinearPoolWork(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(op, op.out(0).shape, Shape()));
  if (spatial < 1) return UnknownMacs();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(op, spatial, Shape()));
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), Taps(op.dims(), window)), {.add = 1});
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

absl::StatusOr<Work> WorkQLinearPool(const OpView& op) {
  return IsChannelsLast(op) ? WorkChannelsLast(op, QLinearPoolWork) : QLinearPoolWork(op);
}

// Inputs X [N, C, H, W], rois [n, 4], batch_indices [n], crop_size = {height, width}.
absl::Status InferCropAndResize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  HWEST_ASSIGN_OR_RETURN(const Dim rois, ctx.Unify(DimOr(ctx.in(1).shape, 0), DimOr(ctx.in(2).shape, 0)));
  HWEST_ASSIGN_OR_RETURN(const auto size, KnownSizes(ctx, 3));
  if (size.has_value() && size->size() != 2) {
    return absl::InvalidArgumentError(absl::StrCat("crop_size holds ", size->size(), " sizes, expected 2"));
  }
  const Dim height = size.has_value() ? (*size)[0] : Dim::Unknown(), width = size.has_value() ? (*size)[1] : Dim();
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{rois, DimOr(ctx.in(0).shape, 1), height, width}));
  return absl::OkStatus();
}

// X [N, C, H, W] sampled at Grid [N, height, width, 2].
absl::Status InferContribGridSample(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 4, 4));
  const Shape& x = ctx.in(0).shape;
  const Shape& grid = ctx.in(1).shape;
  HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, grid, 3, 2));
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(x, 0), DimOr(grid, 0)));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{batch, DimOr(x, 1), DimOr(grid, 1), DimOr(grid, 2)}));
  return absl::OkStatus();
}

// Four neighbours are weighted and summed.
constexpr WorkFn kBilinear = WorkPerOutput<PerElement{.add = 4, .mul = 4}>;

// Inputs Sequence [..., characters] (int32), W [M, 1, window, width], B [M], C [vocabulary, width]: every word becomes
// the largest response of each of M filters that slide along its characters.
absl::Status InferWordConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 4, 4));
  ctx.set_out(0, ctx.in(1).elem, WithLastDim(ctx.in(0).shape, DimOr(ctx.in(1).shape, 0)));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkWordConv(const OpView& op) {
  const Shape& words = op.in(0).shape;
  const Shape& w = op.in(1).shape;
  if (!words.ranked() || words.rank() == 0 || !w.ranked() || w.rank() != 4) return UnknownMacs();
  DimPool& dims = op.dims();
  const Dim positions = dims.Max(dims.Add(dims.Sub(words.dim(words.rank() - 1), w.dim(2)), 1), 0);
  const Dim taps = dims.Mul(w.dim(2), w.dim(3));
  const Dim responses = dims.Product({RowsOf(dims, words), positions, w.dim(0)});
  Work work;
  // clang-format off
  Contraction contraction{.kind = ContractionKind::kConv, .batch = RowsOf(dims, words), .m = positions, .n = w.dim(0),
                          .k = taps, .kernel_elements = taps};
  // clang-format on
  AddContraction(dims, work, std::move(contraction), dims.Mul(responses, taps), Operands::kFloat);
  AddOps(dims, work, responses, {.add = 1, .compare = 1, .transcendental = 1});
  return work;
}

// clang-format off
constexpr OpRule kContribConvRules[] = {
    {.domain = kMicrosoft, .op = "ConvTransposeWithDynamicPads", .versions = "1", .infer = InferDynamicPads,
     .work = WorkDynamicPads, .shape_inputs = Inputs({2}), .parameters = Inputs({1, 3})},
    {.domain = kMicrosoft, .op = "CropAndResize", .versions = "1", .infer = InferCropAndResize, .work = kBilinear,
     .traits = trait::kSamples, .shape_inputs = Inputs({3})},
    {.domain = kMicrosoft, .op = "GridSample", .versions = "1", .infer = InferContribGridSample, .work = kBilinear,
     .traits = trait::kSamples},
    {.domain = kMicrosoft, .op = "MaxpoolWithMask", .versions = "1", .infer = InferPool, .work = WorkMaxPool},
    {.domain = kMicrosoft, .op = "NhwcConv", .versions = "1", .infer = InferNhwcConv, .work = WorkNhwcConv,
     .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "NhwcFusedConv", .versions = "1", .infer = InferNhwcConv, .work = WorkNhwcConv,
     .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "NhwcMaxPool", .versions = "1", .infer = InferNhwcMaxPool, .work = WorkNhwcMaxPool},
    {.domain = kMicrosoft, .op = "QLinearAveragePool", .versions = "1", .infer = InferQLinearPool,
     .work = WorkQLinearPool, .scales = Inputs({1, 2, 3, 4})},
    {.domain = kMicrosoft, .op = "QLinearConv", .versions = "1", .infer = InferQLinearConv, .work = WorkQLinearConv,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3, 8})},
    {.domain = kMicrosoft, .op = "QLinearConvTranspose", .versions = "1", .infer = InferQLinearConvTranspose,
     .work = WorkQLinearConvTranspose, .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3, 8})},
    {.domain = kMicrosoft, .op = "WordConvEmbedding", .versions = "1", .infer = InferWordConv, .work = WorkWordConv,
     .parameters = Inputs({1, 2, 3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribConvRules() { return kContribConvRules; }

}  // namespace hwest
