#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace hwest {
namespace {

struct Prefix {
  double factor;
  const char* text;
};

constexpr Prefix kPrefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                                {1, ""},     {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};

// The decimals that show four significant digits of a value in [1, 1000).
int Decimals(double scaled) { return scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : 1; }

// "1.234 ms": the largest prefix whose scaled and rounded value is at least 1, no smaller than `smallest`.
std::string FormatScaled(double value, absl::string_view unit, double smallest) {
  const double size = std::fabs(value);
  const Prefix* chosen = nullptr;
  for (const Prefix& prefix : kPrefixes) {
    if (prefix.factor < smallest) break;
    chosen = &prefix;
    if (size >= prefix.factor * 0.99995) break;
  }
  const double scaled = value / chosen->factor;
  return absl::StrCat(absl::StrFormat("%.*f", Decimals(std::fabs(scaled)), scaled), " ", chosen->text, unit);
}

std::string FormatContinuous(double value, absl::string_view unit) {
  if (!std::isfinite(value)) return "unknown";
  if (value == 0) return absl::StrCat("0 ", unit);
  return FormatScaled(value, unit, 1e-12);
}

std::string FormatWhole(double value, absl::string_view unit) {
  if (!std::isfinite(value)) return "unknown";
  if (std::fabs(value) < 999.5) return absl::StrCat(absl::StrFormat("%.0f", value), unit.empty() ? "" : " ", unit);
  return FormatScaled(value, unit, 1e3);
}

// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none (RFC 3629: shortest form, no
// surrogates, up to U+10FFFF).
size_t Utf8Length(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  const size_t length = lead < 0x80                    ? 1
                        : lead >= 0xC2 && lead <= 0xDF ? 2
                        : (lead & 0xF0) == 0xE0        ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

// C0 controls, DEL, the C1 controls U+0080..U+009F, which terminals obey too, and U+202A..U+202E and U+2066..U+2069,
// which turn the direction of what follows.
bool IsControl(absl::string_view sequence) {
  const auto lead = static_cast<uint8_t>(sequence[0]);
  if (sequence.size() == 1) return lead < 0x20 || lead == 0x7F;
  if (sequence >= "\xe2\x80\xaa" && sequence <= "\xe2\x80\xae") return true;
  if (sequence >= "\xe2\x81\xa6" && sequence <= "\xe2\x81\xa9") return true;
  return sequence.size() == 2 && lead == 0xC2 && static_cast<uint8_t>(sequence[1]) < 0xA0;
}

// The edit distance; where it is above `limit`, any number above it. Rows only grow, so that two above the limit
// decide.
size_t DistanceUpTo(absl::string_view a, absl::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  size_t least_of_last = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t least = row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit && least_of_last > limit) return limit + 1;
    least_of_last = least;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string FormatSeconds(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (!std::isfinite(seconds) || std::fabs(seconds) < 5 * kMinute) return FormatContinuous(seconds, "s");
  const bool is_long = std::fabs(seconds) >= 2 * kHour;
  const double shown = seconds / (is_long ? kHour : kMinute);
  return absl::StrCat(std::fabs(shown) < 99.95 ? absl::StrFormat("%.3g", shown) : absl::StrFormat("%.0f", shown),
                      is_long ? " h" : " min");
}
std::string FormatJoules(double joules) { return FormatContinuous(joules, "J"); }
std::string FormatBytes(double bytes) { return FormatWhole(bytes, "B"); }
std::string FormatCount(double count) { return FormatWhole(count, ""); }

size_t EditDistance(absl::string_view a, absl::string_view b) { return DistanceUpTo(a, b, a.size() + b.size()); }

std::vector<std::string> NearestNames(absl::string_view query, absl::Span<const std::string> candidates, size_t count) {
  const std::string wanted = absl::AsciiStrToLower(query.substr(0, 256));
  const size_t limit = 1 + wanted.size() / 3;
  std::vector<std::pair<size_t, size_t>> ranked;  // (distance, index)
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string name = absl::AsciiStrToLower(candidates[i].substr(0, 256));
    size_t distance = DistanceUpTo(wanted, name, limit);
    // A part of the name ("orin" for "jetson-orin") is nearer than any misspelling.
    if (wanted.size() >= 3 && name.find(wanted) != std::string::npos) distance = std::min<size_t>(distance, 1);
    if (distance <= limit) ranked.emplace_back(distance, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto& [distance, index] : ranked) {
    if (names.size() == count) break;
    names.push_back(candidates[index]);
  }
  return names;
}

std::string EscapeControl(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const absl::string_view sequence = text.substr(0, std::max<size_t>(length, 1));
    if (length != 0 && !IsControl(sequence)) {
      absl::StrAppend(&out, sequence);
    } else {
      for (const char c : sequence) absl::StrAppend(&out, "\\x", absl::Hex(static_cast<uint8_t>(c), absl::kZeroPad2));
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::string EscapeControlAsJson(std::string json) {
  // First bytes of what is left to escape: DEL, the C1 controls, the marks of direction.
  if (json.find_first_of("\x7f\xc2\xe2") == json.npos) return json;
  std::string out;
  out.reserve(json.size());
  for (absl::string_view text = json; !text.empty();) {
    const absl::string_view sequence = text.substr(0, std::max<size_t>(Utf8Length(text), 1));
    if (sequence[0] == '\x7f') {
      absl::StrAppend(&out, "\\u007f");
    } else if (sequence.size() > 1 && IsControl(sequence)) {
      const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(sequence[i]) & 0x3F); };
      const uint32_t rune = sequence.size() == 2 ? 0x80 + byte(1) : 0x2000 + byte(1) * 64 + byte(2);
      absl::StrAppend(&out, "\\u", absl::Hex(rune, absl::kZeroPad4));
    } else {
      absl::StrAppend(&out, sequence);
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace hwest
