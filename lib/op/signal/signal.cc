// Signal processing: window functions, mel weights and Fourier transforms.
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// Transforms longer than this do not fit a tensor; their work is not counted.
constexpr int64_t kMaxTransform = int64_t{1} << 40;

// The one element of input `i`; unknown when absent or not known. Errors: another rank than a scalar's, a value below
// `min`.
absl::StatusOr<Dim> ReadSize(const OpView& op, int i, int64_t min) {
  HWEST_RETURN_IF_ERROR(RequireRank(op, i, 0, 1));
  const std::optional<std::vector<Dim>> contents = op.known_dims(i);
  if (!contents.has_value()) return Dim::Unknown();
  if (contents->size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects one number as input ", i, ", found ", contents->size()));
  }
  const Dim size = contents->front();
  if (size.is_constant() && size.value() < min) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects at least ", min, " as input ", i, ", found ", size.value()));
  }
  return size;
}

ElemType OutputDatatype(const OpView& op) {
  return static_cast<ElemType>(op.attr("output_datatype", static_cast<int64_t>(ElemType::kFloat)));
}

absl::Status InferWindow(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_ASSIGN_OR_RETURN(const Dim size, ReadSize(ctx, 0, 0));
  ctx.set_out(0, OutputDatatype(ctx), Shape({size}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkWindow(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1, .mul = 1, .transcendental = 1});
  return work;
}

// Bins of a transform of a real signal that are not the conjugate of another one.
Dim OneSided(DimPool& dims, Dim length) { return dims.Add(dims.FloorDiv(length, 2), 1); }

// num_mel_bins, dft_length, sample_rate, lower and upper edge -> [dft_length / 2 + 1, num_mel_bins].
absl::Status InferMelWeights(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 5));
  HWEST_ASSIGN_OR_RETURN(const Dim bands, ReadSize(ctx, 0, 0));
  HWEST_ASSIGN_OR_RETURN(const Dim length, ReadSize(ctx, 1, 0));
  ctx.set_out(0, OutputDatatype(ctx), Shape({OneSided(ctx.dims(), length), bands}));
  return absl::OkStatus();
}

// Two slopes, each a difference and a quotient.
absl::StatusOr<Work> WorkMelWeights(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 2, .mul = 2});
  return work;
}

// Adds `count` transforms of `length` points: 5 n log2(n) operations each, three fifths of them additions. Unknown for
// a length that is no constant.
void AddTransforms(DimPool& dims, Work& work, Dim count, Dim length) {
  Dim butterflies;
  if (length.is_constant() && length.value() >= 0 && length.value() <= kMaxTransform) {
    const double n = static_cast<double>(length.value());
    butterflies = n < 2 ? 0 : static_cast<int64_t>(std::llround(n * portable::Log2(n)));
  }
  AddOps(dims, work, dims.Mul(count, butterflies), {.add = 3, .mul = 2});
}

// The axis of a DFT: an attribute until version 19, an input since, unknown when its value is. The last axis holds real
// and imaginary parts.
absl::StatusOr<std::optional<int>> TransformAxis(const OpView& op, int rank) {
  int64_t axis = op.opset() < 20 ? op.attr("axis", int64_t{1}) : -2;
  if (op.opset() >= 20 && op.has_input(2)) {
    HWEST_RETURN_IF_ERROR(RequireRank(op, 2, 0, 1));
    const std::optional<std::vector<int64_t>> value = op.known_ints(2);
    if (!value.has_value() || value->size() != 1) return std::optional<int>();
    axis = value->front();
  }
  HWEST_ASSIGN_OR_RETURN(const int normal, NormalizeAxis(axis, rank));
  if (normal == rank - 1) {
    return absl::InvalidArgumentError(absl::StrCat(op.op(), " cannot transform the axis of real and imaginary parts"));
  }
  return std::optional<int>(normal);
}

enum class Transform { kFull, kRealToComplex, kComplexToReal };

Transform TransformOf(const OpView& op) {
  if (op.attr("onesided", int64_t{0}) == 0) return Transform::kFull;
  return op.attr("inverse", int64_t{0}) == 0 ? Transform::kRealToComplex : Transform::kComplexToReal;
}

// Points of the transform along an axis of `size`: dft_length when given, else all; 2 * (size - 1) when that axis holds
// half of a symmetric spectrum.
absl::StatusOr<Dim> TransformLength(const OpView& op, Dim size) {
  if (op.has_input(1)) return ReadSize(op, 1, 1);
  if (TransformOf(op) != Transform::kComplexToReal) return size;
  if (size.IsConstant(0)) return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects at least one bin"));
  return op.dims().Mul(op.dims().Sub(size, 1), 2);
}

// input [..., 1 or 2] -> [..., 2], or [..., 1] from half a spectrum to a real signal.
absl::Status InferDft(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  const Type& x = ctx.in(0);
  if (!x.shape.ranked()) {
    ctx.set_out(0, x.elem, Shape());
    return absl::OkStatus();
  }
  const Transform transform = TransformOf(ctx);
  HWEST_ASSIGN_OR_RETURN(const std::optional<int> axis, TransformAxis(ctx, x.shape.rank()));
  Shape y = axis.has_value() ? x.shape : Shape::UnknownDims(x.shape.rank());
  y.set_dim(x.shape.rank() - 1, transform == Transform::kComplexToReal ? 1 : 2);
  if (axis.has_value()) {
    HWEST_ASSIGN_OR_RETURN(const Dim length, TransformLength(ctx, x.shape.dim(*axis)));
    y.set_dim(*axis, transform == Transform::kRealToComplex ? OneSided(ctx.dims(), length) : length);
  }
  ctx.set_out(0, x.elem, std::move(y));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkDft(const OpView& op) {
  const Shape& x = op.in(0).shape;
  Dim count, length;
  if (x.ranked() && x.rank() >= 2) {
    HWEST_ASSIGN_OR_RETURN(const std::optional<int> axis, TransformAxis(op, x.rank()));
    if (axis.has_value()) {
      HWEST_ASSIGN_OR_RETURN(length, TransformLength(op, x.dim(*axis)));
      count = 1;
      for (int i = 0; i < x.rank() - 1; ++i) count = i == *axis ? count : op.dims().Mul(count, x.dim(i));
    }
  }
  Work work;
  AddTransforms(op.dims(), work, count, length);
  return work;
}

struct FrameSizes {
  Dim batch, frames, length;
};

// signal [B, L] or [B, L, 1 or 2], frame_step, window [n]?, frame_length?: frames of n points, frame_step apart, that
// lie wholly in the signal. Errors: a frame longer than the signal, a window of another length than the frame.
absl::StatusOr<FrameSizes> ReadFrames(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 2, 1, 1));
  DimPool& dims = op.dims();
  const Shape& signal = op.in(0).shape;
  HWEST_ASSIGN_OR_RETURN(const Dim step, ReadSize(op, 1, 1));
  FrameSizes sizes{.batch = DimOr(signal, 0), .length = DimOr(signal, 1)};
  if (op.has_input(3)) {
    HWEST_ASSIGN_OR_RETURN(sizes.length, ReadSize(op, 3, 1));
    if (sizes.length.is_unknown() && op.has_input(2)) sizes.length = DimOr(op.in(2).shape, 0);
  } else if (op.has_input(2)) {
    sizes.length = DimOr(op.in(2).shape, 0);
  }
  const Dim rest = dims.Sub(DimOr(signal, 1), sizes.length);
  if (rest.is_constant() && rest.value() < 0) {
    return absl::InvalidArgumentError(absl::StrCat(op.op(), " has frames of ", dims.ToString(sizes.length),
                                                   " points and a signal of ", dims.ToString(signal.dim(1))));
  }
  sizes.frames = dims.Add(dims.FloorDiv(rest, step), 1);
  return sizes;
}

// -> [B, frames, bins, 2].
absl::Status InferStft(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const FrameSizes sizes, ReadFrames(ctx));
  if (ctx.has_input(2)) HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(2).shape, 0), sizes.length).status());
  const Dim bins = ctx.attr("onesided", int64_t{1}) != 0 ? OneSided(ctx.dims(), sizes.length) : sizes.length;
  ctx.set_out(0, ctx.in(0).elem, Shape({sizes.batch, sizes.frames, bins, 2}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkStft(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const FrameSizes sizes, ReadFrames(op));
  const Dim frames = op.dims().Mul(sizes.batch, sizes.frames);
  Work work;
  AddTransforms(op.dims(), work, frames, sizes.length);
  AddOps(op.dims(), work, op.dims().Mul(frames, sizes.length), {.mul = 1});
  return work;
}

constexpr OpRule Window(absl::string_view op) {
  // clang-format off
  return {.domain = "", .op = op, .versions = "17", .infer = InferWindow, .known = nullptr, .work = WorkWindow,
          .op_class = OpClass::kCompute, .shape_inputs = Inputs({0})};
  // clang-format on
}

// clang-format off
constexpr OpRule kSignalRules[] = {
    Window("BlackmanWindow"),
    {.op = "DFT", .versions = "17 20", .infer = InferDft, .work = WorkDft, .shape_inputs = Inputs({1, 2})},
    Window("HammingWindow"),
    Window("HannWindow"),
    {.op = "MelWeightMatrix", .versions = "17", .infer = InferMelWeights, .work = WorkMelWeights,
     .shape_inputs = Inputs({0, 1})},
    {.op = "STFT", .versions = "17", .infer = InferStft, .work = WorkStft, .shape_inputs = Inputs({1, 3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> SignalRules() { return kSignalRules; }

}  // namespace hwest
