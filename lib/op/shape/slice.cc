// Slice and Pad: ranges of an axis with clamping, and their inverse.
#include <algorithm>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/coordinates.h"
#include "op/count.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/run_time.h"
#include "op/scalar_math.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// Positions from here on mean "to the end" (or, negative, "to the start") whatever the size of the axis.
constexpr int64_t kFar = std::numeric_limits<int32_t>::max();

bool IsFarEnd(Dim dim) { return dim.is_constant() && dim.value() >= kFar; }
bool IsFarStart(Dim dim) { return dim.is_constant() && dim.value() <= -kFar; }

// What one axis of a Slice takes.
struct AxisSlice {
  int axis = 0;
  Dim start, end, step;
};

// Position `at` counted from the start, negative ones from the end, clamped to [low, high]; unknown when the sign of
// `at` is open.
Dim Clamp(DimPool& dims, Dim at, Dim size, Dim low, Dim high) {
  if (at.is_unknown() || size.is_unknown()) return Dim::Unknown();
  if (IsFarEnd(at)) return high;
  if (IsFarStart(at)) return low;
  if (IsNonNegative(dims, at)) return dims.Min(at, high);
  if (dims.LessEqual(at, -1) == Tri::kTrue) return dims.Max(dims.Add(size, at), low);
  return Dim::Unknown();
}

struct Range {
  Dim first;  // position of the first element taken
  Dim count;
};

// Elements from `start` to the end, written without a case distinction wherever the sign of `start` is known.
Dim CountToEnd(DimPool& dims, Dim start, Dim size) {
  const bool from_end = start.is_constant() && start.value() < 0 && !IsFarStart(start);
  if (from_end) return dims.Min(size, dims.Neg(start));
  if (IsNonNegative(dims, start)) return dims.Max(dims.Sub(size, start), 0);
  return dims.Sub(size, Clamp(dims, start, size, 0, size));
}

Range RangeForward(DimPool& dims, const AxisSlice& slice, Dim size) {
  const Dim start = Clamp(dims, slice.start, size, 0, size);
  if (IsFarEnd(slice.end)) return {start, dims.CeilDiv(CountToEnd(dims, slice.start, size), slice.step)};
  const Dim end = Clamp(dims, slice.end, size, 0, size);
  return {start, dims.Max(dims.CeilDiv(dims.Sub(end, start), slice.step), 0)};
}

Range RangeBackward(DimPool& dims, const AxisSlice& slice, Dim size) {
  const Dim last = dims.Sub(size, 1);
  const Dim start = Clamp(dims, slice.start, size, -1, last);
  const Dim end = Clamp(dims, slice.end, size, -1, last);
  return {start, dims.Max(dims.CeilDiv(dims.Sub(start, end), dims.Neg(slice.step)), 0)};
}

Range RangeOf(DimPool& dims, const AxisSlice& slice, Dim size) {
  if (!slice.step.is_constant()) return {};
  const bool whole = slice.start.IsConstant(0) && IsFarEnd(slice.end) && slice.step.IsConstant(1);
  if (whole) return {0, size};
  if (slice.start.is_unknown() || slice.end.is_unknown() || size.is_unknown()) return {};
  return slice.step.value() > 0 ? RangeForward(dims, slice, size) : RangeBackward(dims, slice, size);
}

Dim DimAt(const std::vector<Scalar>& values, size_t i, Dim fallback) {
  if (i >= values.size()) return fallback;
  return values[i].is_int() ? values[i].dim() : Dim::Unknown();
}

// The axes a Slice names; none when they are not known.
absl::StatusOr<std::optional<std::vector<AxisSlice>>> ReadSlices(const OpView& op, int rank) {
  const Operand starts = ReadOperand(op, 1, "starts"), ends = ReadOperand(op, 2, "ends");
  const Operand axes = ReadOperand(op, 3, "axes"), steps = ReadOperand(op, 4, "steps");
  if (!starts.length.has_value() || !ends.length.has_value()) return std::nullopt;
  const auto numbers = axes.Constants();
  const int64_t count = *starts.length;
  if (axes.present && !numbers.has_value()) return std::nullopt;
  const bool agree =
      *ends.length == count && axes.length.value_or(count) == count && steps.length.value_or(count) == count;
  if (!agree || count > rank) {
    return absl::InvalidArgumentError(absl::StrCat("Slice expects as many starts as ends, axes and steps, at most ",
                                                   rank, ", found ", count, " starts and ", *ends.length, " ends"));
  }
  std::vector<AxisSlice> slices;
  const std::vector<Scalar> first = starts.Padded(), last = ends.Padded();
  const std::vector<Scalar> step = steps.length.has_value() ? steps.Padded() : std::vector<Scalar>();
  for (size_t i = 0; i < first.size(); ++i) {
    const int64_t named = numbers.has_value() ? (*numbers)[i] : static_cast<int64_t>(i);
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(named, rank));
    const Dim stride = DimAt(step, i, steps.present ? Dim::Unknown() : Dim(1));
    if (stride.IsConstant(0)) return absl::InvalidArgumentError("Slice expects steps other than 0");
    Dim end = DimAt(last, i, Dim());
    // Exporters write the number of all elements for "to the end".
    if (end.is_symbolic() && end == op.in(0).shape.Elements(op.dims())) end = kFar;
    slices.push_back({axis, DimAt(first, i, Dim()), end, stride});
  }
  return slices;
}

// Elements of [0, n) and of [n, size) are together those of the axis, wherever n is; n is only known at run time.
Dim RestOf(InferContext& ctx, RunTimeNames::Cut cut) {
  const auto& lengths = ctx.facts().run_time->lengths;
  const auto [start, end, size] = cut;
  if (!start.IsConstant(0) && !IsFarEnd(end)) return Dim::Unknown();
  const auto rest =
      lengths.find(start.IsConstant(0) ? RunTimeNames::Cut(end, kFar, size) : RunTimeNames::Cut(0, start, size));
  return rest == lengths.end() ? Dim::Unknown() : ctx.dims().Sub(size, rest->second);
}

// A length that only run time knows: at most `most`, and the same for equal ranges of step 1.
Dim FreshLength(InferContext& ctx, const AxisSlice& slice, Dim size, Dim exact, Dim most) {
  if (size.is_unknown() || StatesSize(ctx, 0, slice.axis)) return Dim::Unknown();
  const bool to_end = ctx.dims().LessEqual(size, slice.end) == Tri::kTrue;
  const RunTimeNames::Cut cut(slice.start, to_end ? Dim(kFar) : slice.end, size);
  const bool shared = slice.step.IsConstant(1) && !slice.start.is_unknown() && !slice.end.is_unknown();
  auto& lengths = ctx.facts().run_time->lengths;
  if (shared) {
    if (const auto found = lengths.find(cut); found != lengths.end()) return found->second;
    if (const Dim rest = RestOf(ctx, cut); !rest.is_unknown()) return rest;
  }
  const Bounds bounds = ctx.dims().BoundsOf(exact);
  if (bounds.max.has_value()) most = ctx.dims().Min(most, *bounds.max);
  const int64_t least = std::max<int64_t>(bounds.min.value_or(0), 0);
  const Dim length = most.IsConstant(least) ? most : ctx.FreshSize("slice", least, most);
  absl::erase_if(lengths, [&](const auto& entry) { return entry.second == length; });  // of an earlier look at the node
  if (shared) lengths.emplace(cut, length);
  return length;
}

// Elements between positions that only run time knows. Where they are a known distance apart, exporters mean the range
// to lie within the axis, as clamps before it often ensure: x[s:s + 4] has 4 elements.
Dim LengthAtRunTime(InferContext& ctx, NamedContents& named, const AxisSlice& slice, Dim size) {
  DimPool& dims = ctx.dims();
  if (!slice.step.is_constant()) return FreshLength(ctx, slice, size, Dim(), size);
  const Dim exact = RangeOf(dims, slice, size).count;
  if (!exact.is_unknown() && !named.IsDecidedAtRunTime(exact)) return exact;
  const bool forward = slice.step.value() > 0;
  const Dim step = forward ? slice.step : dims.Neg(slice.step), most = dims.CeilDiv(size, step);
  const Dim span = forward ? dims.Sub(slice.end, slice.start) : dims.Sub(slice.start, slice.end);
  if (!span.is_unknown() && !named.IsDecidedAtRunTime(span) && !IsFarEnd(span)) {
    named.TakeWithin();
    const Dim length = dims.CeilDiv(dims.Max(span, 0), step);
    return most.is_unknown() ? length : dims.Min(length, most);
  }
  return exact.is_unknown() || named.IsIn(exact) ? FreshLength(ctx, slice, size, exact, most) : exact;
}

// Sets the sizes of `out` along the axes that are cut where only run time knows.
void CutAtRunTime(InferContext& ctx, Shape& out) {
  NamedContents named(ctx, Inputs({1, 2, 4}));
  const auto slices = ReadSlices(ctx, out.rank());
  if (!slices.ok() || !slices->has_value()) return;
  for (const AxisSlice& slice : **slices) {
    if (out.dim(slice.axis).is_constant()) continue;
    if (!named.IsDecidedAtRunTime(slice.start) && !named.IsDecidedAtRunTime(slice.end)) continue;
    out.set_dim(slice.axis, LengthAtRunTime(ctx, named, slice, ctx.in(0).shape.dim(slice.axis)));
  }
}

}  // namespace

// Per axis: positions start, start + step, ... before end; clamped to the axis. ONNX specification, Slice.
absl::Status InferSlice(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  for (int i = 1; i < 5; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0, 1));
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const auto slices, ReadSlices(ctx, in.rank()));
  Shape out = slices.has_value() ? in : Shape::UnknownDims(in.rank());
  bool is_open = false;
  for (const AxisSlice& slice : slices.value_or(std::vector<AxisSlice>())) {
    const Dim count = RangeOf(ctx.dims(), slice, out.dim(slice.axis)).count;
    out.set_dim(slice.axis, count);
    is_open |= !count.is_constant();
  }
  if (is_open) CutAtRunTime(ctx, out);
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownSlice(InferContext& ctx) {
  const Shape& in = ctx.in(0).shape;
  if (ctx.known(0) == nullptr || !in.constant()) return;
  const auto slices = ReadSlices(ctx, in.rank());
  if (!slices.ok() || !slices->has_value()) return;
  std::vector<int64_t> first(static_cast<size_t>(in.rank()), 0), step(first.size(), 1);
  for (const AxisSlice& slice : **slices) {
    const Range range = RangeOf(ctx.dims(), slice, in.dim(slice.axis));
    if (!range.first.is_constant() || !slice.step.is_constant()) return;
    first[static_cast<size_t>(slice.axis)] = range.first.value();
    step[static_cast<size_t>(slice.axis)] = slice.step.value();
  }
  const std::vector<int64_t> strides = StridesOf(in);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) {
    int64_t source = 0;
    for (size_t i = 0; i < at.size(); ++i) source += (first[i] + at[i] * step[i]) * strides[i];
    return source;
  });
}

namespace {

// Elements added in front of and behind every axis; unknown where not known.
struct Padding {
  std::vector<Dim> begin;
  std::vector<Dim> end;
};

absl::string_view PadsName(const OpView& op) { return OlderThan(op, 2) ? "paddings" : "pads"; }

// The listed axes; none when they are not known.
absl::StatusOr<std::optional<std::vector<int>>> PaddedAxes(const OpView& op, int rank) {
  std::vector<int> axes;
  const Operand listed = ReadOperand(op, 3, "");
  if (!listed.present) {
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
    return axes;
  }
  const auto numbers = listed.Constants();
  if (!numbers.has_value()) return std::nullopt;
  for (const int64_t number : *numbers) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(number, rank));
    axes.push_back(axis);
  }
  return axes;
}

// All begins, then all ends, of the listed axes.
absl::StatusOr<Padding> ReadPadding(const OpView& op, int rank) {
  const size_t count = static_cast<size_t>(rank);
  const Padding unknown = {std::vector<Dim>(count), std::vector<Dim>(count)};
  const Operand pads = ReadOperand(op, 1, PadsName(op));
  if (!pads.present) return absl::InvalidArgumentError("Pad expects pads, found none");
  HWEST_ASSIGN_OR_RETURN(const auto axes, PaddedAxes(op, rank));
  if (!pads.length.has_value() || !axes.has_value()) return unknown;
  if (*pads.length != 2 * static_cast<int64_t>(axes->size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("Pad expects two pads for each of ", axes->size(), " axes, found ", *pads.length));
  }
  Padding padding = {std::vector<Dim>(count, 0), std::vector<Dim>(count, 0)};
  const std::vector<Scalar> values = pads.Padded();
  for (size_t i = 0; i < axes->size(); ++i) {
    const size_t axis = static_cast<size_t>((*axes)[i]);
    padding.begin[axis] = DimAt(values, i, Dim());
    padding.end[axis] = DimAt(values, i + axes->size(), Dim());
  }
  return padding;
}

// What each axis grows by. Both ends together may be known where neither is: what is left of 32 behind a crop of 8.
absl::StatusOr<std::vector<Dim>> AddedByPad(InferContext& ctx, int rank) {
  const NamedContents named(ctx, Inputs({1}));
  HWEST_ASSIGN_OR_RETURN(const Padding padding, ReadPadding(ctx, rank));
  std::vector<Dim> added;
  for (size_t i = 0; i < padding.begin.size(); ++i) {
    const Dim both = ctx.dims().Add(padding.begin[i], padding.end[i]);
    added.push_back(named.IsIn(both) ? Dim::Unknown() : both);
  }
  return added;
}

}  // namespace

// Negative pads crop.
absl::Status InferPad(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 2));  // some old files hold [1, 2*rank]
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const std::vector<Dim> added, AddedByPad(ctx, in.rank()));
  Shape out = in;
  for (int axis = 0; axis < in.rank(); ++axis) {
    const Dim size = ctx.dims().Add(in.dim(axis), added[static_cast<size_t>(axis)]);
    if (size.is_constant() && size.value() < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("Pad crops axis ", axis, " of ", ToString(in, ctx.dims()), " to ", size.value()));
    }
    out.set_dim(axis, size);
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

void KnownPad(InferContext& ctx) {
  const Shape in = ctx.in(0).shape;
  const auto dims = SmallDims(ctx.out(0).shape);
  const Known known = ctx.known(0);
  if (known == nullptr || !in.constant() || !dims.has_value() || ctx.attr("mode", "constant") != "constant") return;
  const auto padding = ReadPadding(ctx, in.rank());
  if (!padding.ok()) return;
  for (const Dim begin : padding->begin) {
    if (!begin.is_constant() || begin.value() < -kMaxKnownElements || begin.value() > kMaxKnownElements) return;
  }
  Scalar fill = Scalar::Int(0);
  if (ctx.has_input(2)) fill = ctx.known(2) != nullptr && ctx.known(2)->size() == 1 ? (*ctx.known(2))[0] : Scalar();
  if (!ctx.has_input(2) && ctx.has_attr("value")) fill = FromDouble(ctx.attr("value", 0.0f));
  const std::vector<int64_t> strides = StridesOf(in);
  std::vector<Scalar> values;
  ForEachCoordinate(*dims, [&](absl::Span<const int64_t> at) {
    int64_t source = 0;
    bool inside = true;
    for (size_t i = 0; i < at.size(); ++i) {
      const int64_t position = at[i] - padding->begin[i].value();
      inside = inside && position >= 0 && position < in.dim(static_cast<int>(i)).value();
      source += position * strides[i];
    }
    values.push_back(inside ? (*known)[static_cast<size_t>(source)] : fill);
  });
  ctx.set_known(0, std::move(values));
}

}  // namespace hwest
