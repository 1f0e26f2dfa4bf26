// Operators whose output is the same bytes under another shape, and those that read a shape.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/known.h"
#include "op/operands.h"
#include "op/pointwise/pointwise.h"
#include "op/shape/rules.h"

namespace hwest {
namespace {

// How one dim of a Reshape's target comes about.
enum class TargetKind { kGiven, kCopied, kInferred, kUnknown };

struct TargetDim {
  TargetKind kind = TargetKind::kUnknown;
  Dim dim;
};

absl::StatusOr<TargetDim> ReadTargetDim(const OpView& op, const Scalar& scalar, int axis) {
  if (!scalar.is_int()) return TargetDim{};
  const Dim dim = scalar.dim();
  const bool copies_zero = op.attr("allowzero", int64_t{0}) == 0;
  if (dim.IsConstant(-1)) return TargetDim{TargetKind::kInferred, Dim()};
  if (op.dims().LessEqual(dim, -1) == Tri::kTrue) {
    return absl::InvalidArgumentError(
        absl::StrCat("Reshape expects sizes of -1 or more, found ", op.dims().ToString(dim), " for axis ", axis));
  }
  if (!dim.IsConstant(0) || !copies_zero) return TargetDim{TargetKind::kGiven, dim};
  const Shape& in = op.in(0).shape;
  if (!in.ranked()) return TargetDim{TargetKind::kCopied, Dim()};
  if (axis < in.rank()) return TargetDim{TargetKind::kCopied, in.dim(axis)};
  return absl::InvalidArgumentError(
      absl::StrCat("Reshape copies axis ", axis, " of an input of shape ", ToString(in, op.dims())));
}

absl::StatusOr<std::vector<TargetDim>> ReadTarget(const OpView& op, const std::vector<Scalar>& target) {
  std::vector<TargetDim> dims;
  int inferred = 0;
  for (size_t i = 0; i < target.size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(const TargetDim dim, ReadTargetDim(op, target[i], static_cast<int>(i)));
    if (dim.kind == TargetKind::kInferred) ++inferred;
    dims.push_back(dim);
  }
  if (inferred > 1) {
    return absl::InvalidArgumentError(absl::StrCat("Reshape expects at most one -1, found ", inferred));
  }
  return dims;
}

// Removes from both lists what they have in common, so that equal symbols cancel even though they may be zero.
void CancelCommon(std::vector<Dim>& a, std::vector<Dim>& b) {
  for (size_t i = 0; i < a.size();) {
    const bool open = a[i].is_unknown() || a[i].IsConstant(0);
    const auto match = open ? b.end() : std::find(b.begin(), b.end(), a[i]);
    if (match == b.end()) {
      ++i;
      continue;
    }
    b.erase(match);
    a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

absl::StatusOr<Dim> DivideElements(const OpView& op, const std::vector<Dim>& in, const std::vector<Dim>& others) {
  DimPool& dims = op.dims();
  const Dim total = dims.Product(in), known = dims.Product(others);
  if (total.is_unknown() || known.is_unknown() || known.IsConstant(0)) return Dim::Unknown();
  if (total.is_constant() && known.is_constant() && total.value() % known.value() != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Reshape of ", ToString(op.in(0).shape, dims), " cannot divide its elements by ", known.value()));
  }
  return dims.ExactDiv(total, known);
}

// The one dim that is not given: elements of the input over the product of all others.
absl::StatusOr<Dim> InferredDim(const OpView& op, const std::vector<TargetDim>& target, size_t skip) {
  const Shape& in = op.in(0).shape;
  if (!in.ranked()) return Dim::Unknown();
  std::vector<Dim> total, others;
  for (int axis = 0; axis < in.rank(); ++axis) {
    const size_t i = static_cast<size_t>(axis);
    if (i >= target.size() || target[i].kind != TargetKind::kCopied) total.push_back(in.dim(axis));
  }
  for (size_t i = 0; i < target.size(); ++i) {
    if (i != skip && target[i].kind != TargetKind::kCopied) others.push_back(target[i].dim);
  }
  CancelCommon(total, others);
  return DivideElements(op, total, others);
}

// Index of the only dim that is inferred or unknown; none when there are several or none.
std::optional<size_t> OpenDim(const std::vector<TargetDim>& target) {
  std::optional<size_t> open;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i].kind == TargetKind::kGiven || target[i].kind == TargetKind::kCopied) continue;
    if (open.has_value()) return std::nullopt;
    open = i;
  }
  return open;
}

// Unknown sizes of the input that the target states, and the other way round, agree in their product.
absl::Status CheckElements(InferContext& ctx, const Shape& out) {
  const Dim in_elements = ctx.in(0).shape.Elements(ctx.dims()), out_elements = out.Elements(ctx.dims());
  if (in_elements.is_unknown() || out_elements.is_unknown()) return absl::OkStatus();
  if (ctx.dims().Equal(in_elements, out_elements) == Tri::kFalse) {
    return absl::InvalidArgumentError(absl::StrCat("Reshape of ", ToString(ctx.in(0).shape, ctx.dims()), " to ",
                                                   ToString(out, ctx.dims()), " changes the number of elements"));
  }
  return ctx.Unify(in_elements, out_elements).status();
}

}  // namespace

// One -1 is the rest, 0 copies the input's size unless allowzero. ONNX specification, Reshape.
absl::Status InferReshape(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Operand target = ReadOperand(ctx, 1, "shape");
  if (!target.length.has_value()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(std::vector<TargetDim> dims, ReadTarget(ctx, target.Padded()));
  if (const auto open = OpenDim(dims); open.has_value()) {
    HWEST_ASSIGN_OR_RETURN(dims[*open].dim, InferredDim(ctx, dims, *open));
  }
  Shape out = Shape::Scalar();
  for (const TargetDim& dim : dims) out.push_back(dim.dim);
  HWEST_RETURN_IF_ERROR(CheckElements(ctx, out));
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// [prod(d[:axis]), prod(d[axis:])]
absl::Status InferFlatten(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) {
    ctx.set_out(0, ctx.in(0).elem, Shape::UnknownDims(2));
    return absl::OkStatus();
  }
  int64_t axis = ctx.attr("axis", int64_t{1});
  if (axis < 0) axis += in.rank();
  if (axis < 0 || axis > in.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Flatten expects an axis within rank ", in.rank(), ", found ", ctx.attr("axis", int64_t{1})));
  }
  const size_t split = static_cast<size_t>(axis);
  const Dim rows = ctx.dims().Product(in.dims().subspan(0, split));
  const Dim columns = ctx.dims().Product(in.dims().subspan(split));
  ctx.set_out(0, ctx.in(0).elem, Shape({rows, columns}));
  return absl::OkStatus();
}

namespace {

// Without axes every size of 1 goes; while a size may be 1 the rank is open.
Shape SqueezeOnes(const OpView& op) {
  Shape out = Shape::Scalar();
  for (const Dim dim : op.in(0).shape.dims()) {
    const Tri one = op.dims().Equal(dim, 1);
    if (dim.is_unknown() || one == Tri::kUndecided) return Shape();
    if (one == Tri::kFalse) out.push_back(dim);
  }
  return out;
}

absl::StatusOr<Shape> SqueezeAxes(const OpView& op, const std::vector<int64_t>& axes) {
  const Shape& in = op.in(0).shape;
  std::vector<bool> drop(static_cast<size_t>(in.rank()), false);
  for (const int64_t axis : axes) {
    HWEST_ASSIGN_OR_RETURN(const int index, NormalizeAxis(axis, in.rank()));
    if (!in.dim(index).is_unknown() && op.dims().Equal(in.dim(index), 1) == Tri::kFalse) {
      return absl::InvalidArgumentError(
          absl::StrCat("Squeeze expects size 1 on axis ", axis, " of ", ToString(in, op.dims())));
    }
    drop[static_cast<size_t>(index)] = true;
  }
  Shape out = Shape::Scalar();
  for (int axis = 0; axis < in.rank(); ++axis) {
    if (!drop[static_cast<size_t>(axis)]) out.push_back(in.dim(axis));
  }
  return out;
}

}  // namespace

absl::Status InferSqueeze(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Shape& in = ctx.in(0).shape;
  const Operand axes = ReadOperand(ctx, 1, "axes");
  Shape out;
  if (!in.ranked()) {
    out = Shape();
  } else if (!axes.present || axes.length == 0) {
    out = SqueezeOnes(ctx);
  } else if (const auto values = axes.Constants(); values.has_value()) {
    HWEST_ASSIGN_OR_RETURN(out, SqueezeAxes(ctx, *values));
  } else if (axes.length.has_value() && *axes.length <= in.rank()) {
    out = Shape::UnknownDims(in.rank() - static_cast<int>(*axes.length));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// Inserts sizes of 1; negative axes count from the end of the output.
absl::Status InferUnsqueeze(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  const Shape& in = ctx.in(0).shape;
  const Operand axes = ReadOperand(ctx, 1, "axes");
  if (!axes.present) return absl::InvalidArgumentError("Unsqueeze expects axes, found none");
  if (!in.ranked() || !axes.length.has_value()) {
    ctx.set_out(0, ctx.in(0).elem, Shape());
    return absl::OkStatus();
  }
  const int rank = in.rank() + static_cast<int>(*axes.length);
  Shape out = Shape::UnknownDims(rank);
  if (const auto values = axes.Constants(); values.has_value()) {
    std::vector<bool> inserted(static_cast<size_t>(rank), false);
    for (const int64_t axis : *values) {
      HWEST_ASSIGN_OR_RETURN(const int index, NormalizeAxis(axis, rank));
      if (inserted[static_cast<size_t>(index)]) {
        return absl::InvalidArgumentError(absl::StrCat("Unsqueeze expects distinct axes, found ", axis, " twice"));
      }
      inserted[static_cast<size_t>(index)] = true;
    }
    int source = 0;
    for (int axis = 0; axis < rank; ++axis) {
      out.set_dim(axis, inserted[static_cast<size_t>(axis)] ? Dim(1) : in.dim(source++));
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(out));
  return absl::OkStatus();
}

// The whole type goes through, sequences and optionals included.
absl::Status InferIdentity(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  ctx.set_out(0, ctx.in(0));
  return absl::OkStatus();
}

absl::Status InferDropout(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(InferSameAsInput(ctx));
  const ElemType mask = OlderThan(ctx, 10) ? ctx.in(0).elem : ElemType::kBool;
  ctx.set_out(1, mask, ctx.in(0).shape);
  return absl::OkStatus();
}

// A flag of the run since version 12, before 7 of the file; between them operators were for inference alone. A run that
// is not known to be one of inference drops elements.
bool DropsElements(const Graph& graph, NodeId node, const Facts& facts) {
  const int opset = graph.node(node).opset;
  if (opset > 0 && opset < 7) {
    const Attribute* is_test = graph.FindAttribute(node, "is_test");
    return is_test == nullptr || is_test->i == 0;
  }
  const auto inputs = graph.inputs(node);
  if (inputs.size() < 3 || !inputs[2].valid()) return false;
  const Known& training = facts.values[inputs[2]].known;
  return training == nullptr || training->size() != 1 || !(*training)[0].is_constant() || (*training)[0].number() != 0;
}

void KnownDropout(InferContext& ctx) {
  if (!DropsElements(ctx.graph(), ctx.node(), ctx.facts())) PassKnown(ctx, 0, 0);
}

// Nothing at inference time; when training a comparison and a scaling per element.
absl::StatusOr<Work> WorkDropout(const OpView& op) {
  return op.computes() ? ElementWork(op, {.mul = 1, .compare = 1}) : Work();
}

namespace {

// The part of the shape that Shape-15 asks for: axes [first, last).
struct AxisRange {
  int first = 0;
  int last = 0;
};

AxisRange ShapeRange(const OpView& op, int rank) {
  const auto clamp = [rank](int64_t axis) {
    return static_cast<int>(std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank));
  };
  const int first = clamp(op.attr("start", int64_t{0}));
  return {first, std::max(first, clamp(op.attr("end", static_cast<int64_t>(rank))))};
}

}  // namespace

absl::Status InferShape(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  Dim length;
  if (ctx.in(0).shape.ranked()) {
    const AxisRange range = ShapeRange(ctx, ctx.in(0).shape.rank());
    length = range.last - range.first;
  }
  ctx.set_out(0, ElemType::kInt64, Shape({length}));
  return absl::OkStatus();
}

void KnownShape(InferContext& ctx) {
  const Shape& in = ctx.in(0).shape;
  if (!in.ranked()) return;
  const AxisRange range = ShapeRange(ctx, in.rank());
  std::vector<Scalar> values;
  for (int axis = range.first; axis < range.last; ++axis) values.push_back(Scalar::Int(in.dim(axis)));
  ctx.set_known(0, std::move(values));
}

absl::Status InferSize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ElemType::kInt64, Shape::Scalar());
  return absl::OkStatus();
}

void KnownSize(InferContext& ctx) { ctx.set_known(0, std::vector<Scalar>{Scalar::Int(InElements(ctx, 0))}); }

void KnownSameElements(InferContext& ctx) { PassKnown(ctx, 0, 0); }

}  // namespace hwest
