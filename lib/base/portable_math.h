// Exponentials and logarithms that give the same bits on every processor: a C library picks one of several versions of
// its own by what the processor can do, and reports print all digits. Figures use these; std::sqrt, std::fmod,
// std::ldexp and what rounds to whole numbers are exact everywhere. `layers` holds that no file of lib or capi calls
// the others.
//
// Each computes with twice the digits of a double and rounds once: the nearest double, but for about one argument in a
// billion, where it is the second nearest. Special values are those of <cmath>. About 0.5 us each.
#pragma once

namespace hwest::portable {

double Exp(double x);
double Expm1(double x);  // exp(x) - 1, also where x is small
double Log(double x);
double Log1p(double x);  // log(1 + x), also where x is small
double Log2(double x);
double Log10(double x);
double Pow(double x, double y);
double Erfc(double x);  // 2 / sqrt(pi) * the integral of exp(-t * t) from x on

}  // namespace hwest::portable
