// How many enumerators an enum has, so that a table with a row for each can say that it has all of them:
//
//   constexpr absl::string_view kNames[] = {"ok", "over"};
//   static_assert(std::size(kNames) == kNumEnumerators<Verdict>);
//
// Enumerators are those counted from 0 without a gap.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace hwest {

// Compilers print the value of an enum by its name where it has one, else as a cast: "value = (hwest::Verdict)7".
template <class Enum, Enum value>
constexpr bool IsEnumerator() {
  constexpr std::string_view kText = __PRETTY_FUNCTION__;
  constexpr std::string_view kBefore = "value = ";
  return kText[kText.rfind(kBefore) + kBefore.size()] != '(';
}

template <class Enum, size_t from = 0>
constexpr size_t CountEnumerators() {
  if constexpr (std::is_same_v<std::underlying_type_t<Enum>, bool> && from == 2) {
    return from;
  } else if constexpr (IsEnumerator<Enum, static_cast<Enum>(from)>()) {
    return CountEnumerators<Enum, from + 1>();
  } else {
    return from;
  }
}

template <class Enum>
inline constexpr size_t kNumEnumerators = CountEnumerators<Enum>();

// Words that one space each separates.
constexpr size_t NumWords(std::string_view words) {
  size_t count = words.empty() ? 0 : 1;
  for (const char c : words) count += c == ' ';
  return count;
}

}  // namespace hwest
