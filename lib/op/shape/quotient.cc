// Rounded quotients: float arithmetic between sizes that ends in an integer again.
#include <cmath>
#include <memory>
#include <utility>

#include "op/scalar_math.h"

namespace hwest {
namespace {

constexpr int kMaxDepth = 6;                // operators followed back from the rounding
constexpr int64_t kMaxDenominator = 65536;  // of a float constant read as a fraction: a power of two

// Elements as numerator / denominator, both of the same shape.
struct Ratio {
  Known num;
  Known den;
};

// A float that is a short binary fraction, e.g. 0.375 = 3/8.
std::optional<std::pair<int64_t, int64_t>> AsFraction(double value) {
  for (int64_t den = 1; den <= kMaxDenominator; den *= 2) {
    const Scalar num = FromDouble(value * static_cast<double>(den));
    if (num.is_int()) return std::pair(num.dim().value(), den);
  }
  return std::nullopt;
}

Ratio RatioOfKnown(const Known& known) {
  std::vector<Scalar> num, den;
  for (const Scalar& scalar : *known) {
    const auto fraction = scalar.is_float() ? AsFraction(scalar.number()) : std::nullopt;
    num.push_back(fraction.has_value() ? Scalar::Int(fraction->first) : scalar.is_int() ? scalar : Scalar());
    den.push_back(Scalar::Int(fraction.has_value() ? fraction->second : 1));
  }
  return {std::make_shared<const std::vector<Scalar>>(std::move(num)),
          std::make_shared<const std::vector<Scalar>>(std::move(den))};
}

std::optional<Ratio> RatioOf(const OpView& op, int i, int depth);

std::optional<Ratio> BroadcastRatio(const OpView& op, int i, int depth) {
  auto ratio = RatioOf(op, i, depth);
  if (!ratio.has_value()) return std::nullopt;
  const Known num = BroadcastKnown(ratio->num, op.in(i).shape, op.out(0).shape);
  const Known den = BroadcastKnown(ratio->den, op.in(i).shape, op.out(0).shape);
  if (num == nullptr || den == nullptr) return std::nullopt;
  return Ratio{num, den};
}

Dim DimAt(const Known& known, size_t i) { return (*known)[i].is_int() ? (*known)[i].dim() : Dim::Unknown(); }

// Element-wise a * b, or a / b as a times the reciprocal of b.
std::optional<Ratio> ProductOf(const OpView& op, int depth) {
  const auto a = BroadcastRatio(op, 0, depth);
  auto b = BroadcastRatio(op, 1, depth);
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  if (op.op() == "Div") std::swap(b->num, b->den);
  std::vector<Scalar> num, den;
  for (size_t i = 0; i < a->num->size(); ++i) {
    num.push_back(Scalar::Int(op.dims().Mul(DimAt(a->num, i), DimAt(b->num, i))));
    den.push_back(Scalar::Int(op.dims().Mul(DimAt(a->den, i), DimAt(b->den, i))));
  }
  return Ratio{std::make_shared<const std::vector<Scalar>>(std::move(num)),
               std::make_shared<const std::vector<Scalar>>(std::move(den))};
}

bool FullyKnown(const Known& known) {
  if (known == nullptr) return false;
  for (const Scalar& scalar : *known) {
    if (scalar.is_unknown()) return false;
  }
  return true;
}

std::optional<Ratio> RatioOf(const OpView& op, int i, int depth) {
  if (FullyKnown(op.known(i))) return RatioOfKnown(op.known(i));
  const auto producer = op.producer(i);
  if (!producer.has_value() || depth >= kMaxDepth || !producer->domain().empty() || producer->opset() < 7) {
    return std::nullopt;
  }
  if (!IsFloat(producer->out(0).elem)) return std::nullopt;
  const absl::string_view name = producer->op();
  if (name == "Identity" || name == "Cast") return RatioOf(*producer, 0, depth + 1);
  if (name == "Div" || name == "Mul") return ProductOf(*producer, depth + 1);
  return std::nullopt;
}

Dim Round(DimPool& dims, Rounding rounding, Dim num, Dim den) {
  if (num.is_unknown() || den.is_unknown() || !IsPositive(dims, den)) return Dim::Unknown();
  switch (rounding) {
    case Rounding::kFloor: return dims.FloorDiv(num, den);
    case Rounding::kCeil: return dims.CeilDiv(num, den);
    case Rounding::kTowardZero: return TruncDiv(dims, num, den);
  }
  return Dim::Unknown();
}

}  // namespace

void KnownRoundedQuotient(InferContext& ctx, Rounding rounding) {
  if (FullyKnown(ctx.out_known(0)) || !SmallDims(ctx.in(0).shape).has_value() || !IsFloat(ctx.in(0).elem)) return;
  const auto ratio = RatioOf(ctx, 0, 0);
  if (!ratio.has_value()) return;
  const Known done = ctx.out_known(0);
  std::vector<Scalar> values;
  values.reserve(ratio->num->size());
  for (size_t i = 0; i < ratio->num->size(); ++i) {
    const bool known = done != nullptr && i < done->size() && !(*done)[i].is_unknown();
    const Dim rounded = known ? Dim() : Round(ctx.dims(), rounding, DimAt(ratio->num, i), DimAt(ratio->den, i));
    values.push_back(known ? (*done)[i] : FitTo(ctx.out(0).elem, Scalar::Int(rounded)));
  }
  ctx.set_known(0, std::move(values));
}

}  // namespace hwest
