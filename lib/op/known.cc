#include "op/known.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "base/checked_math.h"

namespace hwest {
namespace {

constexpr double kMaxExactInteger = 9007199254740992.0;  // 2^53: every integer up to here is a double

struct IntegerRange {
  ElemType elem;
  int64_t min;
  int64_t max;
};

constexpr IntegerRange kIntegerRanges[] = {
    {ElemType::kInt2, -2, 1},
    {ElemType::kUint2, 0, 3},
    {ElemType::kInt4, -8, 7},
    {ElemType::kUint4, 0, 15},
    {ElemType::kInt8, INT8_MIN, INT8_MAX},
    {ElemType::kUint8, 0, UINT8_MAX},
    {ElemType::kInt16, INT16_MIN, INT16_MAX},
    {ElemType::kUint16, 0, UINT16_MAX},
    {ElemType::kInt32, INT32_MIN, INT32_MAX},
    {ElemType::kUint32, 0, UINT32_MAX},
    {ElemType::kUint64, 0, INT64_MAX},
};

// Rounds to `digits` significant bits, ties to even, with the exponent range of the format.
double RoundTo(double value, int digits, int min_exponent, double max_finite) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent - digits, min_exponent - digits + 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::abs(rounded) > max_finite ? std::copysign(std::numeric_limits<double>::infinity(), rounded) : rounded;
}

Scalar FitFloat(ElemType elem, double value) {
  switch (elem) {
    case ElemType::kDouble: return FromDouble(value);
    case ElemType::kFloat: return FromDouble(static_cast<float>(value));
    case ElemType::kFloat16: return FromDouble(RoundTo(value, 11, -14, 65504.0));
    case ElemType::kBfloat16: return FromDouble(RoundTo(value, 8, -126, std::numeric_limits<float>::max()));
    default: return Scalar();
  }
}

// Steps of `from`'s row-major index per axis of the result, 0 where it is repeated; none when it does not broadcast.
std::optional<std::vector<int64_t>> BroadcastSteps(const Shape& from, const std::vector<int64_t>& to) {
  const size_t offset = to.size() - static_cast<size_t>(from.rank());
  if (static_cast<size_t>(from.rank()) > to.size()) return std::nullopt;
  const std::vector<int64_t> strides = StridesOf(from);
  std::vector<int64_t> steps(to.size(), 0);
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    const int64_t size = from.dim(static_cast<int>(axis)).value();
    if (size == 1) continue;
    if (size != to[offset + axis]) return std::nullopt;
    steps[offset + axis] = strides[axis];
  }
  return steps;
}

int64_t Product(const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

// Walks a row-major index space and keeps, for each source, the index of the element that belongs to the position.
class Odometer {
 public:
  // `steps`: what a source moves per axis; empty = it stays at its first element.
  Odometer(std::vector<int64_t> dims, absl::Span<const std::vector<int64_t>> steps)
      : dims_(std::move(dims)),
        position_(dims_.size(), 0),
        moves_(dims_.size() * steps.size(), 0),
        index_(steps.size(), 0) {
    for (size_t source = 0; source < steps.size(); ++source) {
      if (!steps[source].empty()) SetMoves(source, steps[source]);
    }
  }

  int64_t index(size_t source) const { return index_[source]; }

  void Next() {
    for (size_t axis = dims_.size(); axis-- > 0;) {
      if (++position_[axis] < dims_[axis]) return Move(axis);
      position_[axis] = 0;
    }
  }

 private:
  void Move(size_t axis) {
    const size_t first = axis * index_.size();
    for (size_t source = 0; source < index_.size(); ++source) index_[source] += moves_[first + source];
  }
  // One step along an axis takes the axes inside of it back to their beginning.
  void SetMoves(size_t source, const std::vector<int64_t>& steps) {
    int64_t back = 0;
    for (size_t axis = dims_.size(); axis-- > 0;) {
      moves_[axis * index_.size() + source] = steps[axis] - back;
      back += (dims_[axis] - 1) * steps[axis];
    }
  }

  std::vector<int64_t> dims_;
  std::vector<int64_t> position_;
  std::vector<int64_t> moves_;  // by axis and source
  std::vector<int64_t> index_;
};

// The innermost axis of a row-major index space, and the axes around it.
struct Rows {
  explicit Rows(const std::vector<int64_t>& dims)
      : outer(dims.begin(), dims.empty() ? dims.end() : dims.end() - 1),
        count(static_cast<size_t>(Product(outer))),
        length(dims.empty() ? 1 : dims.back()) {}

  std::vector<int64_t> outer;
  size_t count;
  int64_t length;
};

// What a source with these steps moves along a row.
int64_t StepInRow(const std::vector<int64_t>& steps) { return steps.empty() ? 0 : steps.back(); }

// Repeats values to all of `to`; `steps` as BroadcastSteps gives them.
std::vector<Scalar> Spread(absl::Span<const Scalar> values, const std::vector<int64_t>& steps,
                           const std::vector<int64_t>& to) {
  const Rows rows(to);
  const int64_t step = StepInRow(steps);
  Odometer odometer(rows.outer, {steps});
  std::vector<Scalar> result;
  result.reserve(static_cast<size_t>(Product(to)));
  for (size_t row = 0; row < rows.count; ++row, odometer.Next()) {
    const Scalar* const first = values.data() + odometer.index(0);
    if (step == 1) {
      result.insert(result.end(), first, first + rows.length);
    } else {
      for (int64_t i = 0; i < rows.length; ++i) result.push_back(first[i * step]);
    }
  }
  return result;
}

// What of the index space `from`, whose axes are those of a larger one or 1, an element of the larger one moves.
std::vector<int64_t> StepsWithin(const std::vector<int64_t>& from) {
  std::vector<int64_t> steps(from.size(), 0);
  int64_t stride = 1;
  for (size_t axis = from.size(); axis-- > 0;) {
    if (from[axis] != 1) steps[axis] = stride;
    stride *= from[axis];
  }
  return steps;
}

// The operands whose elements are known.
struct KnownOperands {
  absl::InlinedVector<size_t, 3> inputs;
  absl::InlinedVector<const Scalar*, 3> elements;
  std::vector<std::vector<int64_t>> steps;  // by axis of the result
};

// Whether no function tells them apart: 0 and -0 are equal, but 1 / 0 and 1 / -0 are not.
bool Alike(const Scalar& a, const Scalar& b) {
  return a == b && (!a.is_float() || std::signbit(a.number()) == std::signbit(b.number()));
}

// How many of the next `limit` elements are like the first.
int64_t RunLength(const Scalar* first, int64_t step, int64_t limit) {
  if (step == 0) return limit;
  int64_t length = 1;
  while (length < limit && Alike(first[length * step], *first)) ++length;
  return length;
}

// fn of the operands' elements all over `dims`; `args` has a place for every input. Masks and indices repeat
// themselves, so fn is called once for each run of equal operands.
std::vector<Scalar> MapElements(const KnownOperands& operands, const std::vector<int64_t>& dims,
                                absl::Span<Scalar> args, absl::FunctionRef<Scalar(absl::Span<const Scalar>)> fn) {
  const Rows rows(dims);
  Odometer odometer(rows.outer, operands.steps);
  std::vector<Scalar> result;
  result.reserve(rows.count * static_cast<size_t>(rows.length));
  for (size_t row = 0; row < rows.count; ++row, odometer.Next()) {
    for (int64_t i = 0; i < rows.length;) {
      int64_t run = rows.length - i;
      bool is_new = result.empty();
      for (size_t k = 0; k < operands.inputs.size(); ++k) {
        const int64_t step = StepInRow(operands.steps[k]);
        const Scalar* const next = operands.elements[k] + odometer.index(k) + i * step;
        run = RunLength(next, step, run);
        Scalar& arg = args[operands.inputs[k]];
        is_new |= !Alike(arg, *next);
        arg = *next;
      }
      const Scalar value = is_new ? fn(args) : result.back();
      result.insert(result.end(), static_cast<size_t>(run), value);
      i += run;
    }
  }
  return result;
}

}  // namespace

Scalar FromDouble(double value) {
  const bool integral = std::isfinite(value) && std::abs(value) <= kMaxExactInteger && value == std::trunc(value);
  if (!integral || (value == 0 && std::signbit(value))) return Scalar::Float(value);
  return Scalar::Int(static_cast<int64_t>(value));
}

Scalar FromTri(Tri value) { return value == Tri::kUndecided ? Scalar() : FromBool(value == Tri::kTrue); }

std::optional<bool> Truth(const DimPool& pool, const Scalar& scalar) {
  if (scalar.is_unknown()) return std::nullopt;
  if (scalar.is_float()) return scalar.number() != 0;
  const Tri zero = pool.Equal(scalar.dim(), 0);
  if (zero == Tri::kUndecided) return std::nullopt;
  return zero == Tri::kFalse;
}

Scalar FitTo(ElemType elem, const Scalar& scalar) {
  if (!scalar.is_constant()) return scalar;
  if (IsFloat(elem)) return FitFloat(elem, scalar.number());
  if (!scalar.is_int()) return Scalar();
  for (const IntegerRange& range : kIntegerRanges) {
    if (range.elem != elem) continue;
    const int64_t value = scalar.dim().value();
    return value >= range.min && value <= range.max ? scalar : Scalar();
  }
  return scalar;
}

std::optional<std::vector<int64_t>> ConstantInts(absl::Span<const Scalar> contents) {
  std::vector<int64_t> ints;
  ints.reserve(contents.size());
  for (const Scalar& scalar : contents) {
    if (!scalar.is_int() || !scalar.is_constant()) return std::nullopt;
    ints.push_back(scalar.dim().value());
  }
  return ints;
}

std::optional<std::vector<double>> ConstantNumbers(absl::Span<const Scalar> contents) {
  std::vector<double> numbers;
  numbers.reserve(contents.size());
  for (const Scalar& scalar : contents) {
    if (!scalar.is_constant()) return std::nullopt;
    numbers.push_back(scalar.number());
  }
  return numbers;
}

std::vector<int64_t> StridesOf(const Shape& shape) {
  std::vector<int64_t> strides(static_cast<size_t>(shape.rank()), 1);
  for (int axis = shape.rank() - 2; axis >= 0; --axis) {
    const size_t i = static_cast<size_t>(axis);
    strides[i] = CheckedMul(strides[i + 1], shape.dim(axis + 1).value()).value_or(0);
  }
  return strides;
}

std::optional<std::vector<int64_t>> SmallDims(const Shape& shape) {
  if (!shape.constant()) return std::nullopt;
  std::vector<int64_t> dims;
  int64_t elements = 1;  // a size of 0 counts as 1: callers walk over the other axes
  for (const Dim dim : shape.dims()) {
    if (dim.value() < 0 || dim.value() > kMaxKnownElements / elements) return std::nullopt;
    elements *= std::max<int64_t>(dim.value(), 1);
    dims.push_back(dim.value());
  }
  return dims;
}

Known BroadcastKnown(const Known& values, const Shape& from, const Shape& to) {
  const auto dims = SmallDims(to);
  if (values == nullptr || !dims.has_value() || !SmallDims(from).has_value()) return nullptr;
  const auto steps = BroadcastSteps(from, *dims);
  if (!steps.has_value()) return nullptr;
  if (Product(*dims) == static_cast<int64_t>(values->size())) return values;
  return std::make_shared<const std::vector<Scalar>>(Spread(*values, *steps, *dims));
}

void ApplyElementwise(InferContext& ctx, absl::FunctionRef<Scalar(absl::Span<const Scalar>)> fn, int num_operands) {
  const auto dims = SmallDims(ctx.out(0).shape);
  if (!dims.has_value()) return;
  const size_t num_inputs = static_cast<size_t>(std::min(ctx.num_inputs(), num_operands));
  std::vector<int64_t> varied(dims->size(), 1);  // the part of the output that known operands tell apart
  KnownOperands operands;
  for (size_t i = 0; i < num_inputs; ++i) {
    const int input = static_cast<int>(i);
    if (ctx.known(input) == nullptr || !ctx.in(input).shape.constant()) continue;
    auto steps = BroadcastSteps(ctx.in(input).shape, *dims);
    if (!steps.has_value()) return;
    for (size_t axis = 0; axis < dims->size(); ++axis) {
      if ((*steps)[axis] != 0) varied[axis] = (*dims)[axis];
    }
    operands.inputs.push_back(i);
    operands.elements.push_back(ctx.known(input)->data());
    operands.steps.push_back(*std::move(steps));
  }
  if (operands.inputs.empty()) return;
  if (Product(*dims) == 0) return ctx.set_known(0, std::vector<Scalar>());
  absl::InlinedVector<Scalar, 4> args(num_inputs);
  std::vector<Scalar> result = MapElements(operands, varied, absl::MakeSpan(args), fn);
  if (absl::c_all_of(result, [](const Scalar& scalar) { return scalar.is_unknown(); })) return;
  ctx.set_known(0, varied == *dims ? std::move(result) : Spread(result, StepsWithin(varied), *dims));
}

void PassKnown(InferContext& ctx, int in, int out) { ctx.set_known(out, ctx.known(in)); }

}  // namespace hwest
