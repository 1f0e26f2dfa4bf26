// Experimental operators that ONNX dropped at version 10 and ONNX Runtime kept in the default domain.
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 40;

// `border` = {left, top, right, bottom} is cut off; with `scale` = {height, width} that much is left instead.
absl::Status InferCrop(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  const absl::Span<const int64_t> border = ctx.ints("border"), scale = ctx.ints("scale");
  if (border.size() != 4 || (!scale.empty() && scale.size() != 2)) {
    return absl::InvalidArgumentError("Crop expects four borders, and a scale of two sizes or none");
  }
  for (const int64_t size : border) {
    if (size < 0 || size > kMaxExtent) return absl::InvalidArgumentError(absl::StrCat("border holds ", size));
  }
  Shape shape = ctx.in(0).shape.ranked() ? ctx.in(0).shape : Shape::UnknownDims(4);
  const int64_t cut[] = {border[1] + border[3], border[0] + border[2]};
  for (int i = 0; i < 2; ++i) {
    const size_t at = static_cast<size_t>(i);
    const Dim size = scale.empty() ? ctx.dims().Sub(shape.dim(2 + i), cut[at]) : Dim(scale[at]);
    if (ctx.dims().LessEqual(size, -1) == Tri::kTrue) {
      return absl::InvalidArgumentError(absl::StrCat("Crop leaves ", ctx.dims().ToString(size), " of axis ", 2 + i));
    }
    shape.set_dim(2 + i, size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// The shape is attribute `shape`, or the shape or (input_as_shape) the contents of the input, with extra_shape behind.
Shape BaseShape(const OpView& op) {
  if (op.has_input(0) && op.attr("input_as_shape", int64_t{0}) == 0) return op.in(0).shape;
  Shape shape = Shape::Scalar();
  if (!op.has_input(0)) {
    for (const int64_t size : op.ints("shape")) shape.push_back(size);
    return shape;
  }
  const std::optional<std::vector<Dim>> sizes = op.known_dims(0);
  if (!sizes.has_value()) return Shape();
  for (const Dim size : *sizes) shape.push_back(size);
  return shape;
}

absl::StatusOr<Shape> FillShape(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 0));
  Shape shape = BaseShape(op);
  if (!shape.ranked()) return shape;
  for (const int64_t size : op.ints("extra_shape")) shape.push_back(size);
  for (const Dim size : shape.dims()) {
    if (size.is_constant() && size.value() < 0) {
      return absl::InvalidArgumentError(absl::StrCat(op.op(), " makes an axis of ", size.value()));
    }
  }
  return shape;
}

absl::Status InferConstantFill(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, FillShape(ctx));
  ctx.set_out(0, static_cast<ElemType>(ctx.attr("dtype", int64_t{1})), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferGivenTensorFill(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, FillShape(ctx));
  ctx.set_out(0, ElemType::kFloat, std::move(shape));
  return absl::OkStatus();
}

// Inputs hidden_prev [.., N, D], gates [.., N, 3 * D] before their activation, seq_lengths, t.
absl::Status InferGruUnit(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  return InferSameAsInput(ctx);
}

constexpr WorkFn kAffine = WorkPerOutput<PerElement{.add = 1, .mul = 1}>;
constexpr WorkFn kParametricSoftplus = WorkPerOutput<PerElement{.add = 1, .mul = 2, .transcendental = 1}>;
constexpr WorkFn kScaledTanh = WorkPerOutput<PerElement{.mul = 2, .transcendental = 1}>;
constexpr WorkFn kScale = WorkPerOutput<PerElement{.mul = 1}>;
// The logistic function of the update gate, tanh of the output gate, and h * u + (1 - u) * o.
constexpr WorkFn kGruUnit = WorkPerOutput<PerElement{.add = 3, .mul = 3, .transcendental = 2}>;

// clang-format off
constexpr OpRule kOrtLegacyRules[] = {
    {.op = "Affine", .versions = "1", .infer = InferSameAsInput, .work = kAffine},
    {.op = "ConstantFill", .versions = "1", .infer = InferConstantFill, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({0})},
    {.op = "Crop", .versions = "1", .infer = InferCrop, .work = WorkOfTaken, .op_class = OpClass::kLayout},
    {.op = "DynamicSlice", .versions = "1", .infer = InferSlice, .known = KnownSlice, .work = WorkOfTaken,
     .op_class = OpClass::kLayout, .shape_inputs = Inputs({1, 2, 3})},
    {.op = "GRUUnit", .versions = "1", .infer = InferGruUnit, .work = kGruUnit},
    {.op = "GivenTensorFill", .versions = "1", .infer = InferGivenTensorFill, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({0})},
    {.op = "ImageScaler", .versions = "1", .infer = InferSameAsInput, .work = kAffine},
    {.op = "ParametricSoftplus", .versions = "1", .infer = InferSameAsInput, .work = kParametricSoftplus},
    {.op = "Scale", .versions = "1", .infer = InferSameAsInput, .work = kScale},
    {.op = "ScaledTanh", .versions = "1", .infer = InferSameAsInput, .work = kScaledTanh},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> OrtLegacyRules() { return kOrtLegacyRules; }

}  // namespace hwest
