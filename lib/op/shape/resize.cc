// Resize and its predecessor Upsample.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/scalar_math.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// Where this operator and version keep roi, scales and sizes; -1 = nowhere.
struct ResizeInputs {
  int roi = -1;
  int scales = 1;
  int sizes = -1;
};

ResizeInputs InputsOf(const OpView& op) {
  if (op.op() == "Upsample" || OlderThan(op, 11)) return {};
  return {.roi = 1, .scales = 2, .sizes = 3};
}

// Absent inputs are written as "" or, in older files, as empty tensors.
bool IsGiven(const OpView& op, int i) {
  if (i < 0 || !op.has_input(i)) return false;
  const Shape& shape = op.in(i).shape;
  return !(shape.ranked() && shape.rank() == 1 && shape.dim(0).IsConstant(0));
}

// Runtimes take one of the two. What may be empty once its size is known passes.
absl::Status RequireScalesOrSizes(const OpView& op, const ResizeInputs& inputs) {
  if (inputs.sizes < 0) return absl::OkStatus();
  const bool by_scales = IsGiven(op, inputs.scales), by_sizes = IsGiven(op, inputs.sizes);
  if (!by_scales && !by_sizes) return absl::InvalidArgumentError("Resize expects scales or sizes, found neither");
  const auto is_sure = [&](int i) { return op.in(i).shape.constant(); };
  if (!by_scales || !by_sizes || !is_sure(inputs.scales) || !is_sure(inputs.sizes)) return absl::OkStatus();
  return absl::InvalidArgumentError("Resize expects either scales or sizes, found both");
}

std::vector<Scalar> FloatAttr(const OpView& op, absl::string_view name) {
  std::vector<Scalar> values;
  for (const float value : op.floats(name)) values.push_back(FromDouble(value));
  return values;
}

// Scales of the resized axes as far as they are known; none when not even their number is.
std::optional<std::vector<Scalar>> ReadScales(const OpView& op, int input) {
  if (input >= 0 && op.has_input(input)) {
    const Operand scales = ReadOperand(op, input, "");
    return scales.length.has_value() ? std::optional(scales.Padded()) : std::nullopt;
  }
  if (op.has_attr("scales")) return FloatAttr(op, "scales");
  if (!op.has_attr("height_scale") && !op.has_attr("width_scale")) return std::nullopt;
  return std::vector<Scalar>{Scalar::Int(1), Scalar::Int(1), FromDouble(op.attr("height_scale", 1.0f)),
                             FromDouble(op.attr("width_scale", 1.0f))};
}

absl::Status RequireCount(const OpView& op, absl::string_view what, size_t found, size_t wanted) {
  if (found == wanted) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects ", wanted, " ", what, ", found ", found));
}

// floor(size * scale), the product rounded to float32 as runtimes do it.
Dim ScaledSize(DimPool& dims, Dim size, const Scalar& scale) {
  constexpr double kFractionLimit = 65536;  // scales that are short binary fractions stay exact on symbolic sizes
  if (size.is_unknown() || scale.is_unknown()) return Dim::Unknown();
  if (scale.is_int()) return dims.Mul(size, scale.dim());
  if (size.is_constant()) {
    const float product = static_cast<float>(size.value()) * static_cast<float>(scale.number());
    const Scalar whole = FromDouble(std::floor(product));
    return whole.is_int() ? whole.dim() : Dim::Unknown();
  }
  const Scalar numerator = FromDouble(scale.number() * kFractionLimit);
  if (!numerator.is_int()) return Dim::Unknown();
  const int64_t num = numerator.dim().value(), den = static_cast<int64_t>(kFractionLimit);
  const int64_t common = std::gcd(num, den);
  return dims.FloorDiv(dims.Mul(size, num / common), den / common);
}

// With tf_crop_and_resize only the part between the two corners in `roi` is resized.
Scalar CroppedScale(const OpView& op, const ResizeInputs& inputs, size_t axis, size_t count, const Scalar& scale) {
  if (op.attr("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize") return scale;
  const auto roi = inputs.roi >= 0 ? op.known_floats(inputs.roi) : std::nullopt;
  if (!roi.has_value() || roi->size() != 2 * count || !scale.is_constant()) return Scalar();
  return FromDouble(((*roi)[count + axis] - (*roi)[axis]) * scale.number());
}

absl::StatusOr<Shape> ResizeByScales(const OpView& op, const ResizeInputs& inputs, const std::vector<int>& axes) {
  const Shape& in = op.in(0).shape;
  const auto scales = ReadScales(op, inputs.scales);
  if (!scales.has_value()) return Shape::UnknownDims(in.rank());
  HWEST_RETURN_IF_ERROR(RequireCount(op, "scales", scales->size(), axes.size()));
  Shape out = in;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Scalar& scale = (*scales)[i];
    if (scale.is_constant() && !(scale.number() >= 0)) {
      return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects positive scales, found ", scale.number()));
    }
    const Scalar cropped = CroppedScale(op, inputs, i, axes.size(), scale);
    out.set_dim(axes[i], ScaledSize(op.dims(), in.dim(axes[i]), cropped));
  }
  return out;
}

// keep_aspect_ratio_policy: one scale for all axes, the smallest or largest that the sizes ask for.
absl::StatusOr<Shape> ResizeKeepingRatio(const OpView& op, const std::vector<int>& axes,
                                         const std::vector<Scalar>& sizes, absl::string_view policy) {
  const Shape& in = op.in(0).shape;
  Shape out = in;
  std::optional<float> scale;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dim from = in.dim(axes[i]);
    if (!sizes[i].is_constant() || !from.is_constant() || from.value() == 0) {
      for (const int axis : axes) out.set_dim(axis, Dim::Unknown());
      return out;
    }
    const float ratio = static_cast<float>(sizes[i].number()) / static_cast<float>(from.value());
    scale = !scale.has_value() ? ratio : policy == "not_larger" ? std::min(*scale, ratio) : std::max(*scale, ratio);
  }
  for (const int axis : axes) {
    const Scalar size = FromDouble(std::round(*scale * static_cast<float>(in.dim(axis).value())));
    out.set_dim(axis, size.is_int() ? size.dim() : Dim());
  }
  return out;
}

absl::StatusOr<Shape> ResizeToSizes(const OpView& op, int input, const std::vector<int>& axes) {
  const Operand sizes = ReadOperand(op, input, "");
  if (!sizes.length.has_value()) return Shape::UnknownDims(op.in(0).shape.rank());
  HWEST_RETURN_IF_ERROR(RequireCount(op, "sizes", static_cast<size_t>(*sizes.length), axes.size()));
  const std::vector<Scalar> values = sizes.Padded();
  const absl::string_view policy = op.attr("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") return ResizeKeepingRatio(op, axes, values, policy);
  Shape out = op.in(0).shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dim size = values[i].is_int() ? values[i].dim() : Dim();
    if (size.is_constant() && size.value() < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Resize expects sizes of 0 or more, found ", size.value()));
    }
    out.set_dim(axes[i], size);
  }
  return out;
}

}  // namespace

absl::Status InferResize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  for (int i = 1; i < 4; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0, 1));
  const ResizeInputs inputs = InputsOf(ctx);
  HWEST_RETURN_IF_ERROR(RequireScalesOrSizes(ctx, inputs));
  Shape out;
  if (ctx.in(0).shape.ranked()) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<int> axes, ListedAxes(ctx, ctx.in(0).shape.rank()));
    const bool by_sizes = IsGiven(ctx, inputs.sizes);
    HWEST_ASSIGN_OR_RETURN(out, by_sizes ? ResizeToSizes(ctx, inputs.sizes, axes) : ResizeByScales(ctx, inputs, axes));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// d axes change: linear blends 2^d neighbours, cubic 4^d, nearest copies.
absl::StatusOr<Work> WorkResize(const OpView& op) {
  constexpr int kMaxAxes = 8;
  const Shape &in = op.in(0).shape, &out = op.out(0).shape;
  const absl::string_view mode = op.attr("mode", "nearest");
  if (mode == "nearest" || !in.ranked() || !out.ranked() || in.rank() != out.rank()) return Work();
  int resized = 0;
  for (int axis = 0; axis < in.rank(); ++axis) resized += in.dim(axis) != out.dim(axis) ? 1 : 0;
  if (resized > kMaxAxes) return absl::InvalidArgumentError(absl::StrCat("Resize of ", resized, " axes"));
  if (resized == 0) return Work();
  const int64_t neighbours = int64_t{1} << (mode == "cubic" ? 2 * resized : resized);
  return ElementWork(op, {.add = neighbours, .mul = neighbours});
}

}  // namespace hwest
