// Quantities of a workload file: texts with a unit.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"
#include "hwest/workload.h"

namespace hwest {

// Each returns none for a text of another form, and for what is not finite or below zero.
std::optional<Fraction> ReadPeriod(
    absl::string_view rate);  // of "30 FPS", "29.97 Hz", "10 /s", "8 tokens/s": the time between two, above 0
std::optional<Fraction> ReadTime(absl::string_view text);     // "33 ms", "1.5 s", "200 us"
std::optional<double> ReadBandwidth(absl::string_view text);  // "6 GB/s": bytes per second
std::optional<double> ReadShare(absl::string_view text);      // "40 %": 0.4; at most 100 %

std::optional<Fraction> Times(Fraction a, int64_t factor);
std::optional<Fraction> LeastCommonMultiple(Fraction a, Fraction b);  // none where it leaves the range

}  // namespace hwest
