// Operators that select by content: Compress, Unique.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/coordinates.h"
#include "op/count.h"
#include "op/known.h"
#include "op/shape/rules.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// The axis attribute; none when absent, which stands for the flattened input. Requires a ranked input.
absl::StatusOr<std::optional<int>> SelectedAxis(const OpView& op) {
  if (!op.has_attr("axis")) return std::optional<int>();
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(op.attr("axis", int64_t{0}), op.in(0).shape.rank()));
  return std::optional(axis);
}

// Slices to select from: sizes of `axis`, or all elements.
Dim SliceCount(const OpView& op, std::optional<int> axis) {
  return axis.has_value() ? op.in(0).shape.dim(*axis) : InElements(op, 0);
}

// The input with `count` slices along `axis`, or `count` elements.
Shape SelectedShape(const OpView& op, std::optional<int> axis, Dim count) {
  if (!axis.has_value()) return Shape(Shape::Dims{count});
  Shape shape = op.in(0).shape;
  shape.set_dim(*axis, count);
  return shape;
}

// Indices at which the condition holds; none while any element is open.
std::optional<std::vector<int64_t>> SelectedIndices(const OpView& op) {
  const Known& condition = op.known(1);
  if (condition == nullptr) return std::nullopt;
  std::vector<int64_t> indices;
  for (size_t i = 0; i < condition->size(); ++i) {
    const std::optional<bool> truth = Truth(op.dims(), (*condition)[i]);
    if (!truth.has_value()) return std::nullopt;
    if (*truth) indices.push_back(static_cast<int64_t>(i));
  }
  return indices;
}

// A size between `min` and `max`, decided by the contents.
Dim CountUpTo(InferContext& ctx, absl::string_view prefix, int64_t min, Dim max, Dim typical) {
  return max.IsConstant(0) || max.IsConstant(min) ? max : ctx.FreshSize(prefix, min, max, typical);
}

}  // namespace

// Slices whose condition holds; the condition may be shorter than the axis.
absl::Status InferCompress(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  const Shape& x = ctx.in(0).shape;
  std::optional<int> axis;
  if (x.ranked()) {
    HWEST_ASSIGN_OR_RETURN(axis, SelectedAxis(ctx));
  } else if (ctx.has_attr("axis")) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  const Dim slices = SliceCount(ctx, axis), tests = DimOr(ctx.in(1).shape, 0);
  Dim count;
  if (const auto indices = SelectedIndices(ctx); indices.has_value()) {
    count = static_cast<int64_t>(indices->size());
    if (!indices->empty() && ctx.dims().LessEqual(slices, indices->back()) == Tri::kTrue) {
      return absl::InvalidArgumentError(
          absl::StrCat("Compress selects index ", indices->back(), " of ", ctx.dims().ToString(slices)));
    }
  } else {
    const Dim most = slices.is_unknown() ? tests : tests.is_unknown() ? slices : ctx.dims().Min(slices, tests);
    count = CountUpTo(ctx, "compress", 0, most, TypicalSelected(ctx, 1, most));
  }
  ctx.set_out(0, ctx.in(0).elem, SelectedShape(ctx, axis, count));
  return absl::OkStatus();
}

void KnownCompress(InferContext& ctx) {
  const Shape& x = ctx.in(0).shape;
  const auto indices = SelectedIndices(ctx);
  if (!x.constant() || !indices.has_value()) return;
  const auto axis = SelectedAxis(ctx);
  if (!axis.ok()) return;
  const std::vector<int64_t> strides = StridesOf(x);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) {
    if (!axis->has_value()) return (*indices)[static_cast<size_t>(at[0])];
    int64_t source = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      const bool selected = static_cast<int>(i) == **axis;
      source += (selected ? (*indices)[static_cast<size_t>(at[i])] : at[i]) * strides[i];
    }
    return source;
  });
}

namespace {

using Slice = std::vector<Scalar>;

bool NumberLess(const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return a.dim().value() < b.dim().value();
  return a.number() < b.number();
}

struct SliceLess {
  bool operator()(const Slice& a, const Slice& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), NumberLess);
  }
};

// All slices of input 0 along `axis` in order, each row-major; none unless every element is a known number.
std::optional<std::vector<Slice>> KnownSlices(const OpView& op, std::optional<int> axis) {
  const Known& contents = op.known(0);
  const auto dims = SmallDims(op.in(0).shape);
  if (contents == nullptr || !dims.has_value()) return std::nullopt;
  const Dim count = SliceCount(op, axis);
  if (!count.is_constant()) return std::nullopt;
  std::vector<Slice> slices(static_cast<size_t>(count.value()));
  size_t flat = 0;
  bool numbers = true;
  ForEachCoordinate(*dims, [&](absl::Span<const int64_t> at) {
    const Scalar& scalar = (*contents)[flat];
    numbers = numbers && scalar.is_constant() && !std::isnan(scalar.number());
    const size_t slice = axis.has_value() ? static_cast<size_t>(at[static_cast<size_t>(*axis)]) : flat;
    slices[slice].push_back(scalar);
    ++flat;
  });
  return numbers ? std::optional(std::move(slices)) : std::nullopt;
}

// Distinct slices in the order of the result, with where each occurs first and how often, and which one every slice is.
struct Distinct {
  std::vector<int64_t> first, count, which;
};

Distinct FindDistinct(const std::vector<Slice>& slices, bool sorted) {
  std::map<Slice, int64_t, SliceLess> found;  // to the index of the first occurrence
  for (size_t i = 0; i < slices.size(); ++i) found.emplace(slices[i], static_cast<int64_t>(i));
  Distinct distinct;
  for (const auto& [slice, first] : found) distinct.first.push_back(first);
  if (!sorted) std::sort(distinct.first.begin(), distinct.first.end());
  std::map<int64_t, int64_t> place;  // of a first occurrence in the result
  for (const int64_t first : distinct.first) place.emplace(first, static_cast<int64_t>(place.size()));
  distinct.count.assign(distinct.first.size(), 0);
  for (const Slice& slice : slices) {
    distinct.which.push_back(place.at(found.at(slice)));
    ++distinct.count[static_cast<size_t>(distinct.which.back())];
  }
  return distinct;
}

std::optional<Distinct> KnownDistinct(const OpView& op, std::optional<int> axis) {
  const auto slices = KnownSlices(op, axis);
  if (!slices.has_value()) return std::nullopt;
  return FindDistinct(*slices, op.attr("sorted", int64_t{1}) != 0);
}

}  // namespace

// Outputs Y, and lists: where each occurs first, which of Y each slice of X is, how often each occurs.
absl::Status InferUnique(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  std::optional<int> axis;
  const bool lost = !x.ranked() && ctx.has_attr("axis");
  if (x.ranked()) {
    HWEST_ASSIGN_OR_RETURN(axis, SelectedAxis(ctx));
  }
  const Dim slices = lost ? Dim() : SliceCount(ctx, axis);
  Dim count;
  if (const auto distinct = x.ranked() ? KnownDistinct(ctx, axis) : std::nullopt; distinct.has_value()) {
    count = static_cast<int64_t>(distinct->first.size());
  } else {
    const bool some = ctx.dims().LessEqual(1, slices) == Tri::kTrue;
    count = CountUpTo(ctx, "unique", some ? 1 : 0, slices, slices);
  }
  ctx.set_out(0, ctx.in(0).elem, lost ? Shape() : SelectedShape(ctx, axis, count));
  ctx.set_out(1, ElemType::kInt64, Shape(Shape::Dims{count}));
  ctx.set_out(2, ElemType::kInt64, Shape(Shape::Dims{slices}));
  ctx.set_out(3, ElemType::kInt64, Shape(Shape::Dims{count}));
  return absl::OkStatus();
}

void KnownUnique(InferContext& ctx) {
  const Shape x = ctx.in(0).shape;
  if (!x.constant()) return;
  const auto axis = SelectedAxis(ctx);
  const auto distinct = axis.ok() ? KnownDistinct(ctx, *axis) : std::nullopt;
  if (!distinct.has_value()) return;
  const std::vector<int64_t> strides = StridesOf(x);
  TakeByCoordinates(ctx, 0, 0, [&](absl::Span<const int64_t> at) {
    if (!axis->has_value()) return distinct->first[static_cast<size_t>(at[0])];
    int64_t source = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      const bool selected = static_cast<int>(i) == **axis;
      source += (selected ? distinct->first[static_cast<size_t>(at[i])] : at[i]) * strides[i];
    }
    return source;
  });
  const std::vector<int64_t>* const lists[] = {&distinct->first, &distinct->which, &distinct->count};
  for (int i = 0; i < 3; ++i) {
    std::vector<Scalar> values;
    for (const int64_t value : *lists[i]) values.push_back(Scalar::Int(value));
    ctx.set_known(i + 1, std::move(values));
  }
}

// A sort of all elements: Ei * ceil(log2(Ei)) compares.
absl::StatusOr<Work> WorkUnique(const OpView& op) {
  const Dim elements = InElements(op, 0);
  Work work{.full_width = true};
  AddOps(op.dims(), work, op.dims().Mul(elements, CeilLog2(op.dims(), elements)), {.compare = 1}, op.in(0).elem);
  return work;
}

}  // namespace hwest
