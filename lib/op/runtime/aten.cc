// PyTorch operators kept as they were at export: org.pytorch.aten::ATen and older forms of the same node. Attribute
// `operator` names the function, inputs are its arguments in order (an absent one is None).
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

absl::string_view NameOf(const OpView& op) {
  absl::string_view name = op.attr("operator", op.attr("name", absl::string_view()));
  for (const absl::string_view prefix : {"aten::"}) {
    if (name.substr(0, prefix.size()) == prefix) name.remove_prefix(prefix.size());
  }
  return name;
}

// Argument `i` as an integer; the fallback when it is absent, none when it is not known.
std::optional<int64_t> IntArgument(const OpView& op, int i, int64_t fallback) {
  if (!op.has_input(i)) return fallback;
  const Dim value = KnownSize(op, i);
  return value.is_constant() ? std::optional(value.value()) : std::nullopt;
}

// Argument `i` as `count` integers; a single one stands for all of them.
std::optional<std::vector<int64_t>> ListArgument(const OpView& op, int i, size_t count, int64_t fallback) {
  std::optional<std::vector<int64_t>> list = op.has_input(i) ? op.known_ints(i) : std::vector<int64_t>(count, fallback);
  if (!list.has_value()) return std::nullopt;
  if (list->empty()) return std::vector<int64_t>(count, fallback);
  if (list->size() == 1) list->assign(count, list->front());
  return list->size() == count ? list : std::nullopt;
}

absl::Status InferAtenEmbedding(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  Shape shape = ctx.in(1).shape;
  if (shape.ranked()) shape.push_back(DimOr(ctx.in(0).shape, 1));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferBinary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(ctx.in(0).shape, ctx.in(1).shape));
  ctx.set_out(0, FirstElem(ctx, 0, 2), std::move(shape));
  return absl::OkStatus();
}

// Input 0 without axis `dim`, or with it at size 1.
absl::StatusOr<Shape> Reduced(const OpView& op, int dim_argument, int keep_argument) {
  const Shape& x = op.in(0).shape;
  const std::optional<int64_t> dim = IntArgument(op, dim_argument, 0), keep = IntArgument(op, keep_argument, 0);
  if (!x.ranked() || !keep.has_value()) return Shape();
  const int rank = std::max(x.rank() - (*keep != 0 ? 0 : 1), 0);
  if (!dim.has_value()) return Shape::UnknownDims(rank);
  if (x.rank() == 0) return Shape::Scalar();
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(*dim, x.rank()));
  Shape::Dims dims(x.dims().begin(), x.dims().end());
  dims[static_cast<size_t>(axis)] = 1;
  if (*keep == 0) dims.erase(dims.begin() + axis);
  return Shape(std::move(dims));
}

// max(x), max(x, other), or max(x, dim, keepdim), which has values and indices.
absl::Status InferExtreme(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  if (ctx.num_inputs() == 1) {
    ctx.set_out(0, ctx.in(0).elem, Shape::Scalar());
  } else if (ctx.num_inputs() == 2 && ctx.num_outputs() == 1) {
    return InferBinary(ctx);
  } else {
    HWEST_ASSIGN_OR_RETURN(const Shape shape, Reduced(ctx, 1, 2));
    ctx.set_out(0, ctx.in(0).elem, shape);
    ctx.set_out(1, ElemType::kInt64, shape);
  }
  return absl::OkStatus();
}

// argmax(x, dim, keepdim); without dim over all elements.
absl::Status InferArgMax(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  Shape shape = Shape::Scalar();
  if (ctx.has_input(1)) {
    HWEST_ASSIGN_OR_RETURN(shape, Reduced(ctx, 1, 2));
  }
  ctx.set_out(0, ElemType::kInt64, std::move(shape));
  return absl::OkStatus();
}

// diagonal(x, offset, dim1, dim2): the two axes go, the diagonal comes last.
absl::Status InferDiagonal(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Shape& x = ctx.in(0).shape;
  const auto offset = IntArgument(ctx, 1, 0), first = IntArgument(ctx, 2, 0), second = IntArgument(ctx, 3, 1);
  Shape shape;
  if (x.ranked()) {
    shape = Shape::UnknownDims(x.rank() - 1);
    if (offset.has_value() && first.has_value() && second.has_value()) {
      HWEST_ASSIGN_OR_RETURN(const int row, NormalizeAxis(*first, x.rank()));
      HWEST_ASSIGN_OR_RETURN(const int column, NormalizeAxis(*second, x.rank()));
      if (row == column) return absl::InvalidArgumentError("diagonal expects two axes");
      DimPool& dims = ctx.dims();
      const Dim rows = *offset < 0 ? dims.Add(x.dim(row), *offset) : x.dim(row);
      const Dim columns = *offset > 0 ? dims.Sub(x.dim(column), *offset) : x.dim(column);
      shape = Shape::Scalar();
      for (int axis = 0; axis < x.rank(); ++axis) {
        if (axis != row && axis != column) shape.push_back(x.dim(axis));
      }
      shape.push_back(dims.Max(dims.Min(rows, columns), 0));
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferMultinomial(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1, 2));
  ctx.set_out(0, ElemType::kInt64, WithLastDim(ctx.in(0).shape, KnownSize(ctx, 1)));
  return absl::OkStatus();
}

// unfold(x, dim, size, step)
absl::Status InferAtenUnfold(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  Shape shape = ctx.in(0).shape;
  const auto dim = IntArgument(ctx, 1, 0), size = IntArgument(ctx, 2, 1), step = IntArgument(ctx, 3, 1);
  if (shape.ranked() && !(dim.has_value() && size.has_value() && step.has_value())) {
    shape = Shape::UnknownDims(shape.rank() + 1);
  } else if (shape.ranked()) {
    if (*size < 0 || *step < 1) return absl::InvalidArgumentError("unfold expects a size and a positive step");
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(*dim, shape.rank()));
    const Dim room = ctx.dims().Sub(shape.dim(axis), *size);
    shape.set_dim(axis, ctx.dims().Max(ctx.dims().Add(ctx.dims().FloorDiv(room, *step), 1), 0));
    shape.push_back(*size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Arguments of a two-dimensional pool from `i` on: kernel, stride (kernel), padding (0), dilation (1).
struct PoolArguments {
  std::vector<int64_t> kernel, stride, padding, dilation;
  bool ceil = false;
};

std::optional<PoolArguments> ReadPool(const OpView& op) {
  const bool max = NameOf(op) == "max_pool2d_with_indices";
  const auto kernel = ListArgument(op, 1, 2, 1), padding = ListArgument(op, 3, 2, 0);
  auto stride = ListArgument(op, 2, 2, 0);
  const auto dilation = max ? ListArgument(op, 4, 2, 1) : std::vector<int64_t>{1, 1};
  const auto ceil = IntArgument(op, max ? 5 : 4, 0);
  if (!kernel || !padding || !stride || !dilation || !ceil) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    if ((*stride)[i] == 0) (*stride)[i] = (*kernel)[i];
    for (const int64_t value : {(*kernel)[i], (*stride)[i], (*dilation)[i], (*padding)[i] + 1}) {
      if (value < 1 || value > INT32_MAX) return std::nullopt;
    }
  }
  return PoolArguments{*kernel, *stride, *padding, *dilation, *ceil != 0};
}

Dim PooledSize(DimPool& dims, const PoolArguments& pool, size_t axis, Dim size) {
  const int64_t padding = pool.padding[axis];
  const Dim extent = (pool.kernel[axis] - 1) * pool.dilation[axis] + 1;
  const Dim room = dims.Sub(dims.Add(size, 2 * padding), extent);
  if (!pool.ceil) return dims.Add(dims.FloorDiv(room, pool.stride[axis]), 1);
  // A window that would start in the padding at the end is dropped.
  const Dim starts = dims.CeilDiv(dims.Add(size, padding), pool.stride[axis]);
  return dims.Min(dims.Add(dims.CeilDiv(room, pool.stride[axis]), 1), starts);
}

absl::Status InferPool2d(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 4));
  Shape shape = ctx.in(0).shape;
  const std::optional<PoolArguments> pool = ReadPool(ctx);
  for (int i = 0; shape.ranked() && i < 2; ++i) {
    const int axis = shape.rank() - 2 + i;
    shape.set_dim(axis, pool ? PooledSize(ctx.dims(), *pool, static_cast<size_t>(i), shape.dim(axis)) : Dim());
  }
  ctx.set_out(0, ctx.in(0).elem, shape);
  ctx.set_out(1, ElemType::kInt64, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkPool2d(const OpView& op) {
  const std::optional<PoolArguments> pool = ReadPool(op);
  const Dim taps = pool ? Dim(pool->kernel[0] * pool->kernel[1]) : Dim::Unknown();
  const bool max = NameOf(op) == "max_pool2d_with_indices";
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), taps),
         max ? PerElement{.compare = 1} : PerElement{.add = 1});
  if (!max) AddOps(op.dims(), work, OutElements(op, 0), {.mul = 1});
  return work;
}

// The last axes take the sizes of argument 1; unknown when it is None and scales decide.
absl::Status InferSpatialSizes(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 5));
  const absl::string_view name = NameOf(ctx);
  Shape shape = ctx.in(0).shape;
  const int first = name == "_adaptive_avg_pool2d" && shape.ranked() ? shape.rank() - 2 : 2;
  HWEST_ASSIGN_OR_RETURN(const auto sizes, KnownSizes(ctx, 1));
  for (int axis = first; shape.ranked() && axis < shape.rank(); ++axis) {
    const size_t i = static_cast<size_t>(axis - first);
    const bool all = sizes.has_value() && sizes->size() == static_cast<size_t>(shape.rank() - first);
    shape.set_dim(axis, all ? (*sizes)[i] : Dim::Unknown());
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferReversed(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  Shape shape = ctx.in(0).shape;
  if (shape.ranked()) {
    Shape::Dims dims(shape.dims().begin(), shape.dims().end());
    std::reverse(dims.begin(), dims.end());
    shape = Shape(std::move(dims));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// native_group_norm(x, weight, bias, N, C, HxW, groups, eps): y, mean and reciprocal deviation [N, groups].
absl::Status InferAtenGroupNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(InferSameAsInput(ctx));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Shape statistics(Shape::Dims{DimOr(ctx.in(0).shape, 0), KnownSize(ctx, 6)});
  for (const int i : {1, 2}) ctx.set_out(i, ctx.in(0).elem, statistics);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkNothing(const OpView&) { return Work(); }
constexpr WorkFn kOneCompare = WorkPerInput<PerElement{.compare = 1}>;

struct AtenFunction {
  absl::string_view name;
  InferFn infer;
  WorkFn work;
};

constexpr AtenFunction kFunctions[] = {
    {"_adaptive_avg_pool2d", InferSpatialSizes, WorkPerInput<PerElement{.add = 1}>},
    {"argmax", InferArgMax, kOneCompare},
    {"avg_pool2d", InferPool2d, WorkPool2d},
    {"bitwise_or", InferBinary, WorkPerOutput<PerElement{.integer = 1}>},
    {"diagonal", InferDiagonal, WorkNothing},
    {"embedding", InferAtenEmbedding, WorkOfTaken},
    {"max", InferExtreme, kOneCompare},
    {"max_pool2d_with_indices", InferPool2d, WorkPool2d},
    {"min", InferExtreme, kOneCompare},
    {"multinomial", InferMultinomial, WorkPerInput<PerElement{.add = 1}>},
    {"native_group_norm", InferAtenGroupNorm, WorkPerInput<PerElement{.add = 4, .mul = 4}>},
    {"numpy_T", InferReversed, WorkNothing},
    {"unfold", InferAtenUnfold, WorkNothing},
    {"upsample_bicubic2d", InferSpatialSizes, WorkPerOutput<PerElement{.add = 16, .mul = 16}>},
    {"upsample_nearest1d", InferSpatialSizes, WorkNothing},
    {"upsample_nearest2d", InferSpatialSizes, WorkNothing},
    {"upsample_nearest3d", InferSpatialSizes, WorkNothing},
};

const AtenFunction* FindFunction(const OpView& op) {
  for (const AtenFunction& function : kFunctions) {
    if (function.name == NameOf(op)) return &function;
  }
  return nullptr;
}

// Of a function that is not in the table only the declared types are known.
absl::Status InferAten(InferContext& ctx) {
  if (const AtenFunction* function = FindFunction(ctx)) return function->infer(ctx);
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (!ctx.has_output(i)) continue;
    if (const Type* declared = ctx.graph().declared(ctx.output(i))) ctx.set_out(i, *declared);
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkAten(const OpView& op) {
  if (const AtenFunction* function = FindFunction(op)) return function->work(op);
  Work work = UnknownMacs();
  for (Dim& ops : work.ops) ops = Dim::Unknown();
  return work;
}

constexpr OpRule kAtenRules[] = {
    {.op = "ATen", .versions = "1", .infer = InferAten, .work = WorkAten},
    {.domain = kMicrosoft, .op = "ATenOp", .versions = "1", .infer = InferAten, .work = WorkAten},
    {.domain = "org.pytorch.aten", .op = "ATen", .versions = "1", .infer = InferAten, .work = WorkAten},
};

}  // namespace

absl::Span<const OpRule> AtenRules() { return kAtenRules; }

}  // namespace hwest
