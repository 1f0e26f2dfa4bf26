// Sampling grids and images: AffineGrid, GridSample, ImageDecoder.
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// theta [N, 2, 3] or [N, 3, 4], size = (N, C, [D,] H, W): the number of spatial axes, none when nothing tells.
absl::StatusOr<std::optional<int>> GridAxes(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 1, 1, 1));
  Dim axes = DimOr(op.in(0).shape, 1);
  if (!axes.is_constant()) axes = op.dims().Sub(DimOr(op.in(1).shape, 0), 2);
  if (!axes.is_constant()) return std::optional<int>();
  if (axes.value() != 2 && axes.value() != 3) {
    return absl::InvalidArgumentError(absl::StrCat("AffineGrid expects 2 or 3 axes, found ", axes.value()));
  }
  return std::optional<int>(static_cast<int>(axes.value()));
}

// -> [N, H, W, 2] or [N, D, H, W, 3].
absl::Status InferAffineGrid(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const std::optional<int> axes, GridAxes(ctx));
  const Type& theta = ctx.in(0);
  if (!axes.has_value()) {
    ctx.set_out(0, theta.elem, Shape());
    return absl::OkStatus();
  }
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(theta.shape, 1), *axes).status());
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(theta.shape, 2), *axes + 1).status());
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(1).shape, 0), *axes + 2).status());
  const Known& size = ctx.known(1);
  const bool known = size != nullptr && static_cast<int>(size->size()) == *axes + 2;
  const auto sized = [&](int i) {
    const Scalar scalar = known ? (*size)[static_cast<size_t>(i)] : Scalar();
    return scalar.is_int() ? scalar.dim() : Dim::Unknown();
  };
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(theta.shape, 0), sized(0)));
  Shape grid({batch});
  for (int axis = 0; axis < *axes; ++axis) grid.push_back(sized(axis + 2));
  grid.push_back(*axes);
  ctx.set_out(0, theta.elem, std::move(grid));
  return absl::OkStatus();
}

// A product of every position in homogeneous coordinates with the matrix of its image.
absl::StatusOr<Work> WorkAffineGrid(const OpView& op) {
  DimPool& dims = op.dims();
  const Shape& grid = op.out(0).shape;
  Contraction c{.kind = ContractionKind::kActivation};
  Dim macs;
  if (grid.ranked() && grid.rank() >= 2) {
    c.batch = grid.dim(0);
    c.m = dims.Product(grid.dims().subspan(1, static_cast<size_t>(grid.rank()) - 2));
    c.n = grid.dim(grid.rank() - 1);
    c.k = dims.Add(c.n, 1);
    macs = dims.Mul(OutElements(op, 0), c.k);
  }
  Work work;
  AddContraction(dims, work, std::move(c), macs, Operands::kFloat);
  return work;
}

// X [N, C, d1 ... dr], grid [N, e1 ... er, r] -> [N, C, e1 ... er]; r = 2 before version 20.
absl::Status InferGridSample(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  const bool images_only = ctx.opset() < 20;
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, images_only ? 4 : 3, images_only ? 4 : kAnyRank));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, images_only ? 4 : 3, images_only ? 4 : kAnyRank));
  const Shape& x = ctx.in(0).shape;
  const Shape& grid = ctx.in(1).shape;
  if (!x.ranked() && !grid.ranked()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  if (x.ranked() && grid.ranked() && x.rank() != grid.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("GridSample expects equal ranks, found ", x.rank(), " and ", grid.rank()));
  }
  const int rank = x.ranked() ? x.rank() : grid.rank();
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(x, 0), DimOr(grid, 0)));
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(grid, rank - 1), rank - 2).status());
  Shape y({batch, DimOr(x, 1)});
  for (int axis = 1; axis < rank - 1; ++axis) y.push_back(DimOr(grid, axis));
  ctx.set_out(0, ctx.in(0).elem, std::move(y));
  return absl::OkStatus();
}

struct SampleMode {
  absl::string_view name;
  int64_t taps_per_axis;
};

// Version 20 renamed the modes of version 16.
constexpr SampleMode kSampleModes[] = {
    {"linear", 2}, {"bilinear", 2}, {"nearest", 0}, {"cubic", 4}, {"bicubic", 4},
};

// A product and a sum for each tap, and two of each to place every coordinate of the grid.
absl::StatusOr<Work> WorkGridSample(const OpView& op) {
  DimPool& dims = op.dims();
  const absl::string_view mode = op.attr("mode", absl::string_view("linear"));
  const Shape& y = op.out(0).shape;
  Dim taps;
  for (const SampleMode& row : kSampleModes) {
    if (row.name != mode || !y.ranked()) continue;
    taps = row.taps_per_axis == 0 ? 0 : 1;
    for (int axis = 2; axis < y.rank(); ++axis) taps = dims.Mul(taps, row.taps_per_axis);
  }
  Work work;
  AddOps(dims, work, dims.Mul(OutElements(op, 0), taps), {.add = 1, .mul = 1});
  AddOps(dims, work, InElements(op, 1), {.add = 2, .mul = 2});
  return work;
}

struct PixelFormat {
  absl::string_view name;
  int64_t channels;
};

constexpr PixelFormat kPixelFormats[] = {{"RGB", 3}, {"BGR", 3}, {"Grayscale", 1}};

// encoded_stream [n] -> [H, W, C]; the stream decides H and W.
absl::Status InferImageDecoder(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 1));
  const absl::string_view format = ctx.attr("pixel_format", absl::string_view("RGB"));
  for (const PixelFormat& row : kPixelFormats) {
    if (row.name != format) continue;
    const Dim height = ctx.FreshSize("height", 0, Dim::Unknown());
    const Dim width = ctx.FreshSize("width", 0, Dim::Unknown());
    ctx.set_out(0, ElemType::kUint8, Shape({height, width, row.channels}));
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("ImageDecoder knows no pixel_format \"", format, "\""));
}

// Decoding depends on the format of the stream.
absl::StatusOr<Work> WorkImageDecoder(const OpView&) {
  Work work;
  work.ops.fill(Dim::Unknown());
  return work;
}

// clang-format off
constexpr OpRule kImageRules[] = {
    {.op = "AffineGrid", .versions = "20", .infer = InferAffineGrid, .work = WorkAffineGrid,
     .shape_inputs = Inputs({1})},
    {.op = "GridSample", .versions = "16 20 22", .infer = InferGridSample, .work = WorkGridSample,
     .traits = trait::kSamples},
    {.op = "ImageDecoder", .versions = "20", .infer = InferImageDecoder, .work = WorkImageDecoder},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ImageRules() { return kImageRules; }

}  // namespace hwest
