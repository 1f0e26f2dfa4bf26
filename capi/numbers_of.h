// Converts C++ enums to the numbers of C and back.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/enumerators.h"
#include "guard.h"

namespace hwest::capi {

// An enum's range of numbers in C: its first enumerator's and its last one's. Only C has numbers below the first.
template <class Word>
struct Numbers {
  static constexpr int32_t kFirst = 0, kLast = kNumEnumerators<Word> - 1;
};

template <class Word>
constexpr int32_t NumberOf(Word word) {
  return static_cast<int32_t>(word) + Numbers<Word>::kFirst;
}
template <class Word>
constexpr int32_t NumberOf(const std::optional<Word>& word) {
  return word.has_value() ? NumberOf(*word) : 0;
}

// Sets `chosen` to the enumerator of `number`; a number that only C has is none. Errors: kUsage, naming the option.
template <class Word>
absl::Status Choose(absl::string_view option, int32_t number, std::optional<Word>* chosen) {
  if (number < 0 || number > Numbers<Word>::kLast) return BadOption(option, number, "use a constant of hwest.h");
  if (number >= Numbers<Word>::kFirst) *chosen = static_cast<Word>(number - Numbers<Word>::kFirst);
  return absl::OkStatus();
}
template <class Word>
absl::Status Choose(absl::string_view option, int32_t number, Word* chosen) {
  std::optional<Word> found = *chosen;
  const absl::Status status = Choose(option, number, &found);
  *chosen = *found;
  return status;
}

}  // namespace hwest::capi
