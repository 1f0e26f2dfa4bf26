// Convolutions: Conv, ConvTranspose, ConvInteger, com.microsoft.FusedConv.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/conv_common.h"
#include "op/conv/window.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

int ChannelAxis(ChannelOrder order, int rank) { return order == ChannelOrder::kLast ? rank - 1 : 1; }
int FirstSpatialAxis(ChannelOrder order) { return order == ChannelOrder::kLast ? 1 : 2; }

absl::StatusOr<int64_t> ReadGroup(const OpView& op) {
  const int64_t group = op.attr("group", int64_t{1});
  if (group < 1) return absl::InvalidArgumentError(absl::StrCat("group is ", group, ", expected at least 1"));
  return group;
}

absl::Status CheckOperands(const OpView& op, int x, int w) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, x + 1));
  HWEST_RETURN_IF_ERROR(RequireInputs(op, w > x ? w + 1 : x + 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, x, 3));
  const Shape& data = op.in(x).shape;
  return data.ranked() ? RequireRank(op, w, data.rank(), data.rank()) : RequireRank(op, w, 3);
}

// Multiply-accumulates of `positions` window positions with filters of `taps` elements.
struct ConvCounts {
  Dim batch, positions, in_channels_per_group, out_channels, taps;
  int64_t group = 1;
};

void AddConv(const OpView& op, const ConvCounts& c, ContractionKind kind, Operands operands, Work& work) {
  DimPool& dims = op.dims();
  const Dim k = dims.Mul(c.in_channels_per_group, c.taps);
  const Dim macs = dims.Product({c.batch, c.positions, c.out_channels, k});
  if (kind == ContractionKind::kConv && c.group > 1 && c.in_channels_per_group.IsConstant(1)) {
    kind = ContractionKind::kDepthwise;
  }
  Contraction contraction{.kind = kind,
                          .batch = dims.Mul(c.batch, c.group),
                          .m = c.positions,
                          .n = dims.ExactDiv(c.out_channels, c.group),
                          .k = k,
                          .kernel_elements = c.taps};
  AddContraction(dims, work, std::move(contraction), macs, operands);
}

Dim SpatialElements(DimPool& dims, const Shape& shape, ChannelOrder order) {
  if (!shape.ranked() || shape.rank() < 3) return Dim::Unknown();
  return dims.Product(
      shape.dims().subspan(static_cast<size_t>(FirstSpatialAxis(order)), static_cast<size_t>(shape.rank() - 2)));
}

Operands OperandsOf(const OpView& op, int a, int b) {
  return IsIntegerProduct(op, a, b) ? Operands::kInteger : Operands::kFloat;
}

absl::Status InferConv(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, {}));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkConv(const OpView& op) { return ConvWork(op, {}); }

// Inputs: x, w, x_zero_point?, w_zero_point?; the result is int32.
absl::Status InferConvInteger(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, {.bias = -1}));
  ctx.set_out(0, ElemType::kInt32, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkConvInteger(const OpView& op) { return ConvWork(op, {.bias = -1}); }

// Inputs: X, W, B?, Z? (added before the activation).
absl::StatusOr<Work> WorkFusedConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, {}));
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  const Dim elements = OutElements(op, 0);
  if (op.has_input(3)) AddOps(op.dims(), work, elements, {.add = 1}, op.in(0).elem);
  AddOps(op.dims(), work, elements, activation, op.in(0).elem);
  return work;
}

absl::StatusOr<std::vector<int64_t>> OutputPadding(const OpView& op, int spatial) {
  const absl::Span<const int64_t> given = op.ints("output_padding");
  if (given.empty()) return std::vector<int64_t>(static_cast<size_t>(spatial), 0);
  if (static_cast<int>(given.size()) != spatial) {
    return absl::InvalidArgumentError(
        absl::StrCat("output_padding has ", given.size(), " entries, expected ", spatial));
  }
  for (const int64_t value : given) {
    if (value < 0 || value > INT32_MAX) {
      return absl::InvalidArgumentError(absl::StrCat("output_padding holds ", value));
    }
  }
  return std::vector<int64_t>(given.begin(), given.end());
}

absl::Status CheckPads(const std::vector<int64_t>& pads, size_t count) {
  if (pads.size() != count) {
    return absl::InvalidArgumentError(absl::StrCat("pads has ", pads.size(), " entries, expected ", count));
  }
  for (const int64_t pad : pads) {
    if (pad < -INT32_MAX || pad > INT32_MAX) return absl::InvalidArgumentError(absl::StrCat("pads holds ", pad));
  }
  return absl::OkStatus();
}

// The output_shape attribute lists the spatial sizes; old files list batch and channels before them.
absl::StatusOr<std::vector<Dim>> TransposedSizes(const OpView& op, const ConvArgs& args, int spatial) {
  const Shape& x = op.in(args.x).shape;
  const absl::Span<const int64_t> fixed = op.ints("output_shape");
  const size_t count = static_cast<size_t>(spatial);
  if (fixed.size() == count || fixed.size() == count + 2) {
    std::vector<Dim> sizes(fixed.end() - static_cast<ptrdiff_t>(count), fixed.end());
    for (const Dim size : sizes) HWEST_RETURN_IF_ERROR(RequireSize(op, size));
    return sizes;
  }
  if (!fixed.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("output_shape has ", fixed.size(), " entries, expected ", spatial));
  }
  HWEST_ASSIGN_OR_RETURN(SlidingWindow window, ReadWindow(op, spatial, op.in(args.w).shape));
  if (args.pads >= 0 && op.has_input(args.pads)) {
    const std::optional<std::vector<int64_t>> pads = op.known_ints(args.pads);
    if (!pads.has_value()) return std::vector<Dim>(count);
    HWEST_RETURN_IF_ERROR(CheckPads(*pads, 2 * count));
    window.pads = *pads;
  }
  HWEST_ASSIGN_OR_RETURN(const std::vector<int64_t> padding, OutputPadding(op, spatial));
  std::vector<Dim> sizes;
  for (int axis = 0; axis < spatial; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, TransposedSize(op.dims(), window, axis, DimOr(x, axis + 2),
                                                          padding[static_cast<size_t>(axis)]));
    sizes.push_back(size);
  }
  return sizes;
}

// X [N, C, spatial...], W [C, M/group, kernel...], B? [M].
absl::Status InferConvTranspose(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvTransposeShape(ctx, {}));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkConvTranspose(const OpView& op) { return ConvTransposeWork(op, {}); }

// clang-format off
constexpr OpRule kConvRules[] = {
    {.op = "Conv", .versions = "1 11 22", .infer = InferConv, .work = WorkConv, .traits = trait::kWindowOfWeights,
     .parameters = Inputs({1, 2})},
    {.op = "ConvInteger", .versions = "10", .infer = InferConvInteger, .work = WorkConvInteger,
     .scales = Inputs({2, 3}), .weights = Inputs({1})},
    {.op = "ConvTranspose", .versions = "1 11 22", .infer = InferConvTranspose, .work = WorkConvTranspose,
     .traits = trait::kWindowOfWeights, .parameters = Inputs({1, 2})},
    {.domain = "com.microsoft", .op = "FusedConv", .versions = "1", .infer = InferConv, .work = WorkFusedConv,
     .parameters = Inputs({1, 2})},
};
// clang-format on

}  // namespace

absl::StatusOr<Shape> ConvShape(InferContext& ctx, const ConvArgs& args) {
  HWEST_RETURN_IF_ERROR(CheckOperands(ctx, args.x, args.w));
  HWEST_ASSIGN_OR_RETURN(const int64_t group, ReadGroup(ctx));
  const Shape& x = ctx.in(args.x).shape;
  const Shape& w = ctx.in(args.w).shape;
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(ctx, x, w));
  if (spatial < 1) return Shape();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(ctx, spatial, w));

  const int channel_axis = ChannelAxis(args.order, spatial + 2);
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(x, channel_axis), ctx.dims().Mul(DimOr(w, 1), group)).status());
  Shape shape = Shape::UnknownDims(spatial + 2);
  shape.set_dim(0, DimOr(x, 0));
  shape.set_dim(channel_axis, DimOr(w, 0));
  for (int axis = 0; axis < spatial; ++axis) {
    const int at = FirstSpatialAxis(args.order) + axis;
    HWEST_ASSIGN_OR_RETURN(const Dim size, WindowedSize(ctx.dims(), window, axis, DimOr(x, at)));
    shape.set_dim(at, size);
  }
  return shape;
}

void AddBias(const OpView& op, const ConvArgs& args, Work& work) {
  if (args.bias < 0 || !op.has_input(args.bias)) return;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1}, op.in(args.x).elem);
}

absl::StatusOr<Work> ConvWork(const OpView& op, const ConvArgs& args) {
  HWEST_RETURN_IF_ERROR(CheckOperands(op, args.x, args.w));
  HWEST_ASSIGN_OR_RETURN(const int64_t group, ReadGroup(op));
  DimPool& dims = op.dims();
  const Shape& w = op.in(args.w).shape;
  const Shape& y = op.out(0).shape;
  Work work;
  if (!w.ranked()) {
    work.macs = Dim::Unknown();
    return work;
  }
  const ConvCounts counts{.batch = DimOr(y, 0),
                          .positions = SpatialElements(dims, y, args.order),
                          .in_channels_per_group = w.dim(1),
                          .out_channels = w.dim(0),
                          .taps = dims.Product(w.dims().subspan(2)),
                          .group = group};
  AddConv(op, counts, ContractionKind::kConv, OperandsOf(op, args.x, args.w), work);
  AddBias(op, args, work);
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(op, w.rank() - 2, w));
  const auto touched = TouchedElements(dims, window, op.in(args.x).shape, y, FirstSpatialAxis(args.order));
  if (touched.has_value()) SetRead(work, args.x, *touched);
  return work;
}

absl::StatusOr<Shape> ConvTransposeShape(InferContext& ctx, const ConvArgs& args) {
  HWEST_RETURN_IF_ERROR(CheckOperands(ctx, args.x, args.w));
  HWEST_ASSIGN_OR_RETURN(const int64_t group, ReadGroup(ctx));
  const Shape& x = ctx.in(args.x).shape;
  const Shape& w = ctx.in(args.w).shape;
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(ctx, x, w));
  if (spatial < 1) return Shape();
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(x, 1), DimOr(w, 0)).status());
  HWEST_ASSIGN_OR_RETURN(const std::vector<Dim> sizes, TransposedSizes(ctx, args, spatial));
  Shape shape(Shape::Dims{DimOr(x, 0), ctx.dims().Mul(DimOr(w, 1), group)});
  for (const Dim size : sizes) shape.push_back(size);
  return shape;
}

absl::StatusOr<Work> ConvTransposeWork(const OpView& op, const ConvArgs& args) {
  HWEST_RETURN_IF_ERROR(CheckOperands(op, args.x, args.w));
  HWEST_ASSIGN_OR_RETURN(const int64_t group, ReadGroup(op));
  DimPool& dims = op.dims();
  const Shape& x = op.in(args.x).shape;
  const Shape& w = op.in(args.w).shape;
  Work work;
  if (!x.ranked() || !w.ranked()) {
    work.macs = Dim::Unknown();
    return work;
  }
  const ConvCounts counts{.batch = x.dim(0),
                          .positions = SpatialElements(dims, x, ChannelOrder::kFirst),
                          .in_channels_per_group = dims.ExactDiv(w.dim(0), group),
                          .out_channels = dims.Mul(w.dim(1), group),
                          .taps = dims.Product(w.dims().subspan(2)),
                          .group = group};
  AddConv(op, counts, ContractionKind::kConvTranspose, OperandsOf(op, args.x, args.w), work);
  AddBias(op, args, work);
  return work;
}

absl::Span<const OpRule> ConvRules() { return kConvRules; }

}  // namespace hwest
