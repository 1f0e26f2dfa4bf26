#include "base/portable_math.h"

#include <cmath>
#include <limits>

namespace hwest::portable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnough = 0x1p-100;  // a term of a series that adds no digit

// The sum of two doubles of which the second is at most half a last digit of the first. Arithmetic on it goes back to
// T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18 (1971).
struct Wide {
  double high = 0, low = 0;
  double rounded() const { return high + low; }
};

constexpr Wide kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Wide kLn10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Wide kSqrtPi = {0x1.c5bf891b4ef6bp+0, -0x1.618f13eb7ca89p-54};

// Exact.
Wide Sum(double a, double b) {
  const double high = a + b, of_b = high - a;
  return {high, (a - (high - of_b)) + (b - of_b)};
}

// Half of the digits of `a`.
double Front(double a) {
  const double scaled = 134217729 * a;  // 2^27 + 1
  return scaled - (scaled - a);
}

// Exact unless it overflows or underflows.
Wide Product(double a, double b) {
  const double high = a * b;
  const double a_front = Front(a), a_back = a - a_front, b_front = Front(b), b_back = b - b_front;
  return {high, ((a_front * b_front - high) + a_front * b_back + a_back * b_front) + a_back * b_back};
}

Wide operator-(Wide a) { return {-a.high, -a.low}; }

Wide operator+(Wide a, Wide b) {
  const Wide high = Sum(a.high, b.high), low = Sum(a.low, b.low);
  const Wide part = Sum(high.high, high.low + low.high);
  return Sum(part.high, part.low + low.low);
}

Wide operator*(Wide a, Wide b) {
  const Wide product = Product(a.high, b.high);
  return Sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Wide operator/(Wide a, Wide b) {
  const double first = a.high / b.high;
  const Wide rest = a + -(b * Wide{first});
  const double second = rest.high / b.high;
  const Wide last = rest + -(b * Wide{second});
  return Sum(first, second) + Wide{last.high / b.high};
}

// log((1 + z) / (1 - z)) = 2 (z + z^3 / 3 + z^5 / 5 + ...), |z| < 0.18.
Wide LogOfRatio(Wide z) {
  const Wide square = z * z;
  Wide power = z, sum = z;
  for (double n = 3; std::fabs(power.high) > kEnough * std::fabs(z.high); n += 2) {
    power = power * square;
    sum = sum + power / Wide{n};
  }
  return sum + sum;
}

// Of a positive finite number.
Wide WideLog(double x) {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);
  if (fraction < 0.7071) {
    fraction *= 2;
    --exponent;
  }
  return Wide{static_cast<double>(exponent)} * kLn2 + LogOfRatio(Wide{fraction - 1} / Sum(fraction, 1));
}

// x + x^2 / 2 + x^3 / 6 + ..., |x| < 0.4.
Wide SmallExpm1(Wide x) {
  Wide term = x, sum = x;
  for (double n = 2; std::fabs(term.high) > kEnough * std::fabs(x.high); ++n) {
    term = term * x / Wide{n};
    sum = sum + term;
  }
  return sum;
}

struct Scaled {
  Wide fraction;
  int exponent = 0;
};

// |x| < 1000.
Scaled WideExp(Wide x) {
  const double twos = std::nearbyint(x.high / kLn2.high);
  return {Wide{1} + SmallExpm1(x + -(Wide{twos} * kLn2)), static_cast<int>(twos)};
}

double RoundedExp(Wide x) {
  if (x.high > 720) return kInfinity;
  if (x.high < -760) return 0;
  const Scaled result = WideExp(x);
  return std::ldexp(result.fraction.rounded(), result.exponent);
}

// What Log() and its kin say of arguments that have no finite logarithm, and of NaN.
double LogOfOther(double x) { return x == 0 ? -kInfinity : x > 0 ? x : kNan; }

bool HasLog(double x) { return x > 0 && std::isfinite(x); }

bool IsWhole(double y) { return std::floor(y) == y; }

// A series of positive terms: 2 / sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...).
Wide SmallErf(double x) {
  const Wide square = Product(x, x);
  Wide term = {x}, sum = {x};
  for (double n = 3; std::fabs(term.high) > kEnough * std::fabs(sum.high); n += 2) {
    term = term * square * Wide{2} / Wide{n};
    sum = sum + term;
  }
  const Scaled factor = WideExp(-square);
  const Wide scaled = {std::ldexp(factor.fraction.high, factor.exponent),
                       std::ldexp(factor.fraction.low, factor.exponent)};
  return Wide{2} / kSqrtPi * scaled * sum;
}

// exp(-x^2) / sqrt(pi) / (x + 1/2 / (x + 2/2 / (x + 3/2 / (x + ...)))), x >= 4.
double LargeErfc(double x) {
  Wide fraction = {x};
  for (double n = 60; n > 0; --n) fraction = Wide{x} + Wide{n / 2} / fraction;
  const Scaled factor = WideExp(-Product(x, x));
  return std::ldexp((factor.fraction / (kSqrtPi * fraction)).rounded(), factor.exponent);
}

}  // namespace

double Exp(double x) { return std::isnan(x) ? x : RoundedExp({x}); }

double Expm1(double x) {
  if (std::isnan(x) || std::fabs(x) < 0x1p-54) return x;
  if (x < -50) return -1;
  if (std::fabs(x) < 0.3) return SmallExpm1({x}).rounded();
  if (x > 50) return Exp(x);
  const Scaled power = WideExp({x});
  const Wide whole = {std::ldexp(power.fraction.high, power.exponent), std::ldexp(power.fraction.low, power.exponent)};
  return (whole + Wide{-1}).rounded();
}

double Log(double x) { return HasLog(x) ? WideLog(x).rounded() : LogOfOther(x); }

double Log1p(double x) {
  if (std::fabs(x) < 0x1p-54) return x;
  if (std::fabs(x) < 0.3) return LogOfRatio(Wide{x} / Sum(2, x)).rounded();
  if (!HasLog(1 + x)) return LogOfOther(1 + x);
  const Wide whole = Sum(1, x);
  return (WideLog(whole.high) + Wide{whole.low / whole.high}).rounded();
}

double Log2(double x) { return HasLog(x) ? (WideLog(x) / kLn2).rounded() : LogOfOther(x); }

double Log10(double x) { return HasLog(x) ? (WideLog(x) / kLn10).rounded() : LogOfOther(x); }

double Pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  const double size = std::fabs(x);
  double power = 0;
  if (std::isinf(y)) {
    power = size == 1 ? 1 : (size > 1) == (y > 0) ? kInfinity : 0;
  } else if (size == 0 || std::isinf(size)) {
    power = (size == 0) == (y > 0) ? 0 : kInfinity;
  } else if (x < 0 && !IsWhole(y)) {
    return kNan;
  } else {
    const Wide log = WideLog(size);
    const double about = log.high * y;
    power = RoundedExp(std::fabs(about) > 800 ? Wide{about} : log * Wide{y});
  }
  const bool is_odd = std::isfinite(y) && IsWhole(y) && std::fmod(y, 2) != 0;
  return std::signbit(x) && is_odd ? -power : power;
}

double Erfc(double x) {
  if (std::isnan(x)) return x;
  if (x > 28) return 0;
  if (x < -6) return 2;
  if (x >= 4) return LargeErfc(x);
  if (std::fabs(x) < 0x1p-54) return 1;
  return (Wide{1} + -SmallErf(x)).rounded();
}

}  // namespace hwest::portable
