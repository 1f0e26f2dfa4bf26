#include "workload/quantity.h"

#include <cmath>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"

namespace hwest {
namespace {

constexpr int kMostDecimals = 9;

struct Parts {
  Fraction number;
  absl::string_view unit;
};

std::optional<Fraction> Reduced(int64_t num, int64_t den) {
  if (den <= 0 || num < 0) return std::nullopt;
  const int64_t common = std::gcd(num, den);
  return Fraction{num / common, den / common};
}

std::optional<Fraction> Product(Fraction a, Fraction b) {
  // Across first, so that the product of reduced fractions stays as small as it can.
  const int64_t x = std::max<int64_t>(1, std::gcd(a.num, b.den)), y = std::max<int64_t>(1, std::gcd(b.num, a.den));
  int64_t num, den;
  if (__builtin_mul_overflow(a.num / x, b.num / y, &num) || __builtin_mul_overflow(a.den / y, b.den / x, &den)) {
    return std::nullopt;
  }
  return Reduced(num, den);
}

// Digits with at most nine decimals, as they are written: "29.97" is 2997/100.
std::optional<Fraction> ReadDecimal(absl::string_view text) {
  const size_t dot = text.find('.');
  const absl::string_view whole = text.substr(0, dot);
  const absl::string_view decimals = dot == absl::string_view::npos ? "" : text.substr(dot + 1);
  const std::string digits = absl::StrCat(whole, decimals);
  int64_t number = 0, den = 1;
  if (digits.empty() || decimals.size() > kMostDecimals || (dot != absl::string_view::npos && decimals.empty()))
    return std::nullopt;
  for (const char c : digits) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return std::nullopt;
  }
  if (!absl::SimpleAtoi(digits, &number)) return std::nullopt;
  for (size_t i = 0; i < decimals.size(); ++i) den *= 10;
  return Reduced(number, den);
}

std::optional<Parts> Split(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  size_t end = 0;
  while (end < text.size() && (absl::ascii_isdigit(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
  const std::optional<Fraction> number = ReadDecimal(text.substr(0, end));
  if (!number.has_value()) return std::nullopt;
  return Parts{*number, absl::StripAsciiWhitespace(text.substr(end))};
}

struct Scale {
  absl::string_view unit;
  Fraction factor;
};

std::optional<Fraction> Scaled(absl::string_view text, std::initializer_list<Scale> scales) {
  const std::optional<Parts> parts = Split(text);
  if (!parts.has_value()) return std::nullopt;
  for (const Scale& scale : scales) {
    if (absl::EqualsIgnoreCase(parts->unit, scale.unit)) return Product(parts->number, scale.factor);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fraction> ReadPeriod(absl::string_view rate) {
  const std::optional<Fraction> per_s = Scaled(rate, {{"FPS", {1, 1}},
                                                      {"Hz", {1, 1}},
                                                      {"/s", {1, 1}},
                                                      {"per s", {1, 1}},
                                                      {"kHz", {1000, 1}},
                                                      {"/min", {1, 60}},
                                                      {"tokens/s", {1, 1}}});
  if (!per_s.has_value() || per_s->num == 0) return std::nullopt;
  return Fraction{per_s->den, per_s->num};
}

std::optional<Fraction> ReadTime(absl::string_view text) {
  return Scaled(text, {{"s", {1, 1}},
                       {"ms", {1, 1000}},
                       {"us", {1, 1000000}},
                       {"\xc2\xb5s", {1, 1000000}},
                       {"ns", {1, 1000000000}},
                       {"min", {60, 1}}});
}

std::optional<double> ReadBandwidth(absl::string_view text) {
  const std::optional<Fraction> rate = Scaled(text, {{"B/s", {1, 1}},
                                                     {"kB/s", {1000, 1}},
                                                     {"MB/s", {1000000, 1}},
                                                     {"GB/s", {1000000000, 1}},
                                                     {"TB/s", {1000000000000, 1}},
                                                     {"MiB/s", {int64_t{1} << 20, 1}},
                                                     {"GiB/s", {int64_t{1} << 30, 1}}});
  return rate.has_value() ? std::optional<double>(rate->value()) : std::nullopt;
}

std::optional<double> ReadShare(absl::string_view text) {
  const std::optional<Fraction> share = Scaled(text, {{"%", {1, 100}}});
  if (!share.has_value() || share->num > share->den) return std::nullopt;
  return share->value();
}

std::optional<Fraction> Times(Fraction a, int64_t factor) { return Product(a, {factor, 1}); }

std::optional<Fraction> LeastCommonMultiple(Fraction a, Fraction b) {
  if (a.num == 0 || b.num == 0) return std::nullopt;
  int64_t num;
  if (__builtin_mul_overflow(a.num / std::gcd(a.num, b.num), b.num, &num)) return std::nullopt;
  return Reduced(num, std::gcd(a.den, b.den));
}

}  // namespace hwest
