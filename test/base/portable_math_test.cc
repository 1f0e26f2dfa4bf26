#include "base/portable_math.h"

#include <cmath>
#include <limits>
#include <random>

#include "support/catch.h"

namespace hwest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Function = double (*)(double);

bool IsSame(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

// Doubles that lie between the two.
double Distance(double a, double b) {
  return a == b ? 0 : std::fabs(a - b) / (std::nextafter(std::fabs(b), kInfinity) - std::fabs(b));
}

TEST_CASE("exponentials and logarithms are the nearest double") {
  struct Case {
    const char* name;
    Function function;
    double x, want;  // computed with 1,400 bits
  };
  // clang-format off
  static const Case kCases[] = {
      {"Exp", portable::Exp, 1e-20, 0x1.0000000000000p+0},
      {"Exp", portable::Exp, -0.3, 0x1.7b4c869c37c05p-1},
      {"Exp", portable::Exp, 0.5, 0x1.a61298e1e069cp+0},
      {"Exp", portable::Exp, 1, 0x1.5bf0a8b145769p+1},
      {"Exp", portable::Exp, 10.7, 0x1.5a87b5d3a36e1p+15},
      {"Exp", portable::Exp, -20.25, 0x1.b93de1e27ca3bp-30},
      {"Exp", portable::Exp, 700, 0x1.d945df4f8ec8ep+1009},
      {"Exp", portable::Exp, 709.7, 0x1.d75ae7a50ee14p+1023},
      {"Exp", portable::Exp, -708.5, 0x0.e6cf6d08897acp-1022},
      {"Exp", portable::Exp, -740, 0x0.0000000000055p-1022},
      {"Expm1", portable::Expm1, 1e-300, 0x1.56e1fc2f8f359p-997},
      {"Expm1", portable::Expm1, -1e-17, -0x1.70ef54646d497p-57},
      {"Expm1", portable::Expm1, 1e-9, 0x1.12e0be84bbb51p-30},
      {"Expm1", portable::Expm1, -0.29, -0x1.01c73201d8dbfp-2},
      {"Expm1", portable::Expm1, 0.31, 0x1.7425b68ef8990p-2},
      {"Expm1", portable::Expm1, 1, 0x1.b7e151628aed3p+0},
      {"Expm1", portable::Expm1, -3.5, -0x1.f089f7f38d805p-1},
      {"Expm1", portable::Expm1, 49, 0x1.9d97010884251p+70},
      {"Expm1", portable::Expm1, 60, 0x1.79dbc9dc53c66p+86},
      {"Log", portable::Log, 5e-324, -0x1.74385446d71c3p+9},
      {"Log", portable::Log, 1e-300, -0x1.5963447f87fb5p+9},
      {"Log", portable::Log, 0.1, -0x1.26bb1bbb55515p+1},
      {"Log", portable::Log, 0.5, -0x1.62e42fefa39efp-1},
      {"Log", portable::Log, 0.70711, -0x1.62e2fe73833b5p-2},
      {"Log", portable::Log, 0.9999999, -0x1.ad7f2b1049b9fp-24},
      {"Log", portable::Log, 1.0000001, 0x1.ad7f2847b6492p-24},
      {"Log", portable::Log, 1.5, 0x1.9f323ecbf984cp-2},
      {"Log", portable::Log, 3, 0x1.193ea7aad030bp+0},
      {"Log", portable::Log, 1e10, 0x1.7069e2aa2aa5bp+4},
      {"Log", portable::Log, 1.7e308, 0x1.62dd08fdc6f88p+9},
      {"Log1p", portable::Log1p, 1e-300, 0x1.56e1fc2f8f359p-997},
      {"Log1p", portable::Log1p, 1e-17, 0x1.70ef54646d497p-57},
      {"Log1p", portable::Log1p, -1e-9, -0x1.12e0be84bbb51p-30},
      {"Log1p", portable::Log1p, -0.29, -0x1.5eb5c7907e4c8p-2},
      {"Log1p", portable::Log1p, 0.31, 0x1.1481fe6d734cep-2},
      {"Log1p", portable::Log1p, -0.5, -0x1.62e42fefa39efp-1},
      {"Log1p", portable::Log1p, -0.999, -0x1.ba18a998fff9fp+2},
      {"Log1p", portable::Log1p, 7, 0x1.0a2b23f3bab73p+1},
      {"Log1p", portable::Log1p, 1e17, 0x1.3926cd770aa67p+5},
      {"Log2", portable::Log2, 1e-300, -0x1.f24a09f1a8b89p+9},
      {"Log2", portable::Log2, 0.1, -0x1.a934f0979a371p+1},
      {"Log2", portable::Log2, 0.99, -0x1.db1f34d2c386dp-7},
      {"Log2", portable::Log2, 3, 0x1.95c01a39fbd68p+0},
      {"Log2", portable::Log2, 1e10, 0x1.09c1165ec0627p+5},
      {"Log10", portable::Log10, 1e-300, -0x1.2c00000000000p+8},
      {"Log10", portable::Log10, 0.1, -0x1.0000000000000p+0},
      {"Log10", portable::Log10, 0.99, -0x1.1e0d4874f92f2p-8},
      {"Log10", portable::Log10, 3, 0x1.e8927964fd5fdp-2},
      {"Log10", portable::Log10, 12345.678, 0x1.05db618083a9ep+2},
      {"Erfc", portable::Erfc, -5.5, 0x1.fffffffffffdfp+0},
      {"Erfc", portable::Erfc, -1, 0x1.d7bb3d3a08445p+0},
      {"Erfc", portable::Erfc, 1e-9, 0x1.fffffff64eab0p-1},
      {"Erfc", portable::Erfc, 0.3, 0x1.57be3bbf10af8p-1},
      {"Erfc", portable::Erfc, 0.9, 0x1.9fee964dd7469p-3},
      {"Erfc", portable::Erfc, 2.5, 0x1.aab859b20ac9ep-12},
      {"Erfc", portable::Erfc, 3.999, 0x1.0b0e8800f93eep-26},
      {"Erfc", portable::Erfc, 4, 0x1.08ddd13bd35e7p-26},
      {"Erfc", portable::Erfc, 6, 0x1.8cf81557d20b6p-56},
      {"Erfc", portable::Erfc, 20, 0x1.b54f244df93dfp-583},
      {"Erfc", portable::Erfc, 26.5, 0x1.3df6725a60cf5p-1019},
  };
  // clang-format on
  for (const Case& c : kCases) {
    INFO(c.name << "(" << c.x << ")");
    CHECK(c.function(c.x) == c.want);
  }
}

TEST_CASE("powers are the nearest double") {
  struct Case {
    double x, y, want;  // computed with 1,400 bits
  };
  // clang-format off
  static const Case kCases[] = {
      {2, 0.5, 0x1.6a09e667f3bcdp+0},
      {10, -3, 0x1.0624dd2f1a9fcp-10},
      {1.1, 300, 0x1.30a90161ee3b5p+41},
      {0.003, -7.7, 0x1.723e25e4fc34bp+64},
      {1e-300, 1.02, 0x1.6789e3750f743p-1017},
      {1e300, 1.02, 0x1.6c8e5ca239078p+1016},
      {0.999999, 123456, 0x1.c4895c3aa0f81p-1},
      {7.5, 1e-9, 0x1.00000008a768dp+0},
      {-2.5, 3, -0x1.f400000000000p+3},
  };
  // clang-format on
  for (const Case& c : kCases) {
    INFO(c.x << " to the " << c.y);
    CHECK(portable::Pow(c.x, c.y) == c.want);
  }
}

TEST_CASE("what has an exact answer gets it") {
  for (int n = -1000; n <= 1000; ++n) {
    INFO(n);
    CHECK(portable::Log2(std::ldexp(1.0, n)) == n);
    CHECK(portable::Pow(2, n) == std::ldexp(1.0, n));
  }
  double power = 1;
  for (int n = 0; n <= 22; ++n, power *= 10) {
    INFO(n);
    CHECK(portable::Log10(power) == n);
    CHECK(portable::Pow(10, n) == power);
    CHECK(portable::Pow(power, 0.5) == std::sqrt(power));
  }
}

TEST_CASE("no more than a digit from the C library's") {
  std::mt19937_64 random(1);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = between(-700, 700), small = between(-0.9, 2), near = between(0.5, 2), y = between(-5, 5);
    const double wide = std::ldexp(near, static_cast<int>(between(-1000, 1000)));
    for (const auto& [mine, other] : {std::pair(portable::Exp(x), std::exp(x)),
                                      {portable::Expm1(small), std::expm1(small)},
                                      {portable::Log(wide), std::log(wide)},
                                      {portable::Log(near), std::log(near)},
                                      {portable::Log1p(small), std::log1p(small)},
                                      {portable::Log2(wide), std::log2(wide)},
                                      {portable::Pow(near, y), std::pow(near, y)}}) {
      worst = std::max(worst, Distance(mine, other));
    }
    CHECK(Distance(portable::Log10(wide), std::log10(wide)) <= 2);
    CHECK(Distance(portable::Erfc(y), std::erfc(y)) <= 5);  // as far as glibc's may be off
  }
  CHECK(worst <= 1);
}

TEST_CASE("special values are those of the C library") {
  struct Row {
    const char* name;
    Function mine, other;
  };
  static const Row kRows[] = {{"exp", portable::Exp, std::exp},    {"expm1", portable::Expm1, std::expm1},
                              {"log", portable::Log, std::log},    {"log1p", portable::Log1p, std::log1p},
                              {"log2", portable::Log2, std::log2}, {"log10", portable::Log10, std::log10},
                              {"erfc", portable::Erfc, std::erfc}};
  constexpr double kValues[] = {0.0, -0.0, 1,     -1,     2,      -2,        0.5,        -0.5,
                                3,   -3,   1e300, -1e300, 5e-324, kInfinity, -kInfinity, kNan};
  for (const double x : kValues) {
    for (const Row& row : kRows) {
      INFO(row.name << "(" << x << ")");
      const double mine = row.mine(x), other = row.other(x);
      CHECK((IsSame(mine, other) || Distance(mine, other) <= 2));
    }
    for (const double y : kValues) {
      INFO(x << " to the " << y);
      CHECK(IsSame(portable::Pow(x, y), std::pow(x, y)));
    }
  }
}

}  // namespace
}  // namespace hwest
