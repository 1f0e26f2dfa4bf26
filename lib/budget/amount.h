// Amounts with units, as people write them in a budget: "12 ms", "30 FPS", "64 MB".
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace hwest {

enum class AmountKind : uint8_t { kSeconds, kPerSecond, kJoules, kWatts, kBytes, kCount, kShare };

// The amount in the unit without a prefix; none when the text is no amount of this kind: not a number, negative, or
// without its unit. Rates, counts and shares need no unit.
std::optional<double> ParseAmount(absl::string_view text, AmountKind kind);

// "12.00 ms", "30.0 /s", "5.0 %"
std::string AmountText(double amount, AmountKind kind);

// An example of an amount of the kind, for messages: "such as 12 ms".
absl::string_view AmountForm(AmountKind kind);

}  // namespace hwest
