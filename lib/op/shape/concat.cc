// Concat and Split: tensors joined and taken apart along one axis.
#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/coordinates.h"
#include "op/count.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/run_time.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

constexpr int64_t kConcatAxisDefault = 1;  // of operator set 1 to 3

// The highest rank of any input; none when no input is ranked.
std::optional<int> RankOfInputs(const OpView& op) {
  for (int i = 0; i < op.num_inputs(); ++i) {
    if (op.in(i).shape.ranked()) return op.in(i).shape.rank();
  }
  return std::nullopt;
}

// Adds input `i` to the joined shape: sizes add up on `axis` and agree elsewhere.
absl::Status JoinConcatInput(InferContext& ctx, int i, int axis, Shape& out) {
  const Shape& in = ctx.in(i).shape;
  if (!in.ranked()) {
    out.set_dim(axis, Dim::Unknown());
    return absl::OkStatus();
  }
  if (in.rank() != out.rank()) {
    return absl::InvalidArgumentError(absl::StrCat("Concat expects inputs of one rank, found ",
                                                   ToString(in, ctx.dims()), " as input ", i, " beside rank ",
                                                   out.rank()));
  }
  for (int k = 0; k < out.rank(); ++k) {
    if (k == axis) {
      out.set_dim(k, ctx.dims().Add(out.dim(k), in.dim(k)));
      continue;
    }
    HWEST_ASSIGN_OR_RETURN(const Dim dim, ctx.Unify(out.dim(k), in.dim(k)));
    out.set_dim(k, dim);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InferConcat(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, std::max(1, ctx.num_inputs())));
  for (int i = 0; i < ctx.num_inputs(); ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1));
  const ElemType elem = FirstElem(ctx, 0, ctx.num_inputs());
  const auto rank = RankOfInputs(ctx);
  if (!rank.has_value()) {
    ctx.set_out(0, elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", kConcatAxisDefault), *rank));
  Shape out = Shape::UnknownDims(*rank);
  out.set_dim(axis, 0);
  for (int i = 0; i < ctx.num_inputs(); ++i) HWEST_RETURN_IF_ERROR(JoinConcatInput(ctx, i, axis, out));
  ctx.set_out(0, elem, std::move(out));
  return absl::OkStatus();
}

void KnownConcat(InferContext& ctx) {
  const Shape& out = ctx.out(0).shape;
  const auto dims = SmallDims(out);
  if (!dims.has_value() || out.rank() == 0) return;
  const auto axis = NormalizeAxis(ctx.attr("axis", kConcatAxisDefault), out.rank());
  if (!axis.ok()) return;
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < *axis; ++i) outer *= (*dims)[static_cast<size_t>(i)];
  for (int i = *axis + 1; i < out.rank(); ++i) inner *= (*dims)[static_cast<size_t>(i)];
  std::vector<Scalar> values;
  for (int64_t row = 0; row < outer; ++row) {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (!ctx.in(i).shape.constant() || ctx.in(i).shape.rank() != out.rank()) return;
      const int64_t count = ctx.in(i).shape.dim(*axis).value() * inner;
      for (int64_t k = 0; k < count; ++k) {
        const Known& known = ctx.known(i);
        const size_t index = static_cast<size_t>(row * count + k);
        values.push_back(known != nullptr && index < known->size() ? (*known)[index] : Scalar());
      }
    }
  }
  ctx.set_known(0, std::move(values));
}

namespace {

// Equal parts by number of outputs; from opset 18 the last one may be smaller.
absl::StatusOr<std::vector<Dim>> EqualParts(const OpView& op, Dim total) {
  DimPool& dims = op.dims();
  const int64_t count = op.attr("num_outputs", static_cast<int64_t>(op.num_outputs()));
  if (count < 1 || count < op.num_outputs()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Split expects parts for ", op.num_outputs(), " outputs, found ", count));
  }
  const int64_t listed = op.num_outputs();
  const bool uneven = op.has_attr("num_outputs");
  if (total.is_constant() && !uneven && total.value() % count != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Split expects a size that ", count, " divides, found ", total.value()));
  }
  const Dim exact = dims.ExactDiv(total, count);
  const bool divides = !uneven || dims.Mul(exact, count) == total;
  const Dim part = divides ? exact : dims.CeilDiv(total, count);
  std::vector<Dim> parts(static_cast<size_t>(listed), part);
  if (!divides && listed == count) parts.back() = dims.Sub(total, dims.Mul(part, count - 1));
  return parts;
}

// PyTorch cuts rows into parts of one size with a smaller last one; its exporter writes that size for the last one,
// too. A runtime may refuse the sum, so it stays a constraint. False when `parts` are no such list.
bool ShortenLastPart(InferContext& ctx, Dim total, std::vector<Dim>& parts) {
  const Dim part = parts.empty() ? Dim() : parts.front();
  const bool same = std::all_of(parts.begin(), parts.end(), [&](Dim other) { return other == part; });
  if (!same || !part.is_constant() || !total.is_constant()) return false;
  const Dim rest = ctx.dims().Sub(total, ctx.dims().Mul(part, static_cast<int64_t>(parts.size()) - 1));
  if (!rest.is_constant() || rest.value() <= 0 || rest.value() >= part.value()) return false;
  ctx.facts().constraints.push_back({ctx.dims().Sum(parts), total, ctx.node()});
  parts.back() = rest;
  return true;
}

// Names the sizes that only run time knows; the last of them is what the others leave.
void NameParts(InferContext& ctx, int axis, Dim total, std::vector<Dim>& parts) {
  DimPool& dims = ctx.dims();
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (StatesSize(ctx, i, axis)) return;
  }
  size_t open = static_cast<size_t>(absl::c_count(parts, Dim::Unknown()));
  Dim rest = total;
  for (const Dim part : parts) {
    if (!part.is_unknown()) rest = dims.Sub(rest, part);
  }
  if (rest.is_unknown() || dims.LessEqual(0, rest) != Tri::kTrue) return;
  for (Dim& part : parts) {
    if (!part.is_unknown()) continue;
    part = open == 1 ? rest : ctx.FreshSize("split", 0, rest, dims.FloorDiv(rest, static_cast<int64_t>(open)));
    rest = dims.Sub(rest, part);
    --open;
  }
}

absl::StatusOr<std::vector<Dim>> SplitParts(InferContext& ctx, int axis, Dim total) {
  const Operand split = ReadOperand(ctx, 1, "split");
  if (!split.present || (split.length == 0 && !ctx.has_input(1))) return EqualParts(ctx, total);
  if (ctx.has_attr("num_outputs")) {
    return absl::InvalidArgumentError("Split expects either sizes or num_outputs, found both");
  }
  std::vector<Dim> parts(static_cast<size_t>(ctx.num_outputs()));
  if (!split.length.has_value()) return parts;
  if (*split.length != ctx.num_outputs()) {
    return absl::InvalidArgumentError(absl::StrCat("Split expects one size per output, found ", *split.length,
                                                   " sizes for ", ctx.num_outputs(), " outputs"));
  }
  const std::vector<Scalar> values = split.Padded();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (values[i].is_int()) parts[i] = values[i].dim();
    if (parts[i].is_constant() && parts[i].value() < 0) {
      return absl::InvalidArgumentError(absl::StrCat("Split expects sizes of 0 or more, found ", parts[i].value()));
    }
  }
  NameParts(ctx, axis, total, parts);
  if (ShortenLastPart(ctx, total, parts)) return parts;
  HWEST_RETURN_IF_ERROR(ctx.Unify(ctx.dims().Sum(parts), total).status());
  return parts;
}

}  // namespace

absl::Status InferSplit(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) {
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_out(i, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{0}), in.rank()));
  HWEST_ASSIGN_OR_RETURN(const std::vector<Dim> parts, SplitParts(ctx, axis, in.dim(axis)));
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    Shape out = in;
    out.set_dim(axis, parts[static_cast<size_t>(i)]);
    ctx.set_out(i, ctx.in(0).elem, std::move(out));
  }
  return absl::OkStatus();
}

void KnownSplit(InferContext& ctx) {
  const Shape in = ctx.in(0).shape;
  if (ctx.known(0) == nullptr || !in.constant()) return;
  const auto axis = NormalizeAxis(ctx.attr("axis", int64_t{0}), in.rank());
  if (!axis.ok()) return;
  const std::vector<int64_t> strides = StridesOf(in);
  int64_t offset = 0;
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (!ctx.has_output(i) || !ctx.out(i).shape.constant()) return;
    TakeByCoordinates(ctx, 0, i, [&](absl::Span<const int64_t> at) {
      int64_t index = offset * strides[static_cast<size_t>(*axis)];
      for (size_t k = 0; k < at.size(); ++k) index += at[k] * strides[k];
      return index;
    });
    offset += ctx.out(i).shape.dim(*axis).value();
  }
}

// Reads what it writes: parts without a consumer are not even outputs.
absl::StatusOr<Work> WorkSplit(const OpView& op) {
  Work work;
  Dim read = 0;
  for (int i = 0; i < op.num_outputs(); ++i) {
    if (op.has_output(i)) read = op.dims().Add(read, OutElements(op, i));
  }
  SetRead(work, 0, read);
  return work;
}

}  // namespace hwest
