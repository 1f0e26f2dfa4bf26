// Text helpers shared by reports and error messages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

// Four significant digits and an SI prefix: 0.001234 -> "1.234 ms", 0 -> "0 s". NaN and infinities give "unknown".
std::string FormatSeconds(double seconds);
std::string FormatJoules(double joules);
// Decimal units: 1500000 -> "1.500 MB"; below 1000 the exact number: "999 B".
std::string FormatBytes(double bytes);
// 1814073344 -> "1.814 G"; below 1000 the exact number: "999".
std::string FormatCount(double count);

// EditDistance is the number of one-character insertions, deletions, replacements and swaps of neighbours.
size_t EditDistance(absl::string_view a, absl::string_view b);

// NearestNames returns up to `count` candidates that look like a misspelt `query`, nearest first, ties in given order.
// Case is ignored; candidates too far off to be meant are left out.
std::vector<std::string> NearestNames(absl::string_view query, absl::Span<const std::string> candidates, size_t count);

// EscapeControl makes text from a file safe for a terminal: control bytes and bytes that are not valid UTF-8 become
// \xNN, everything else stays.
std::string EscapeControl(absl::string_view text);

// EscapeControlAsJson does the same to JSON text, whose strings stay what they are: what a terminal would obey becomes
// \uNNNN. Requires valid UTF-8 with the controls below U+0020 escaped already.
std::string EscapeControlAsJson(std::string json);

}  // namespace hwest
