// Setters of flags, one for each kind of value. Template arguments are the path to the member that is set: SetNumber<0,
// &Options::report, &ReportOptions::top> sets options.report.top.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "cli/flag.h"
#include "cli/options.h"

namespace hwest {

template <class Own, class T>
Own OwnerOf(T Own::* member);

template <auto first, auto... rest, class Object>
auto& MemberOf(Object& object) {
  using Own = decltype(OwnerOf(first));
  if constexpr (std::is_same_v<Object, Options> && !std::is_same_v<Own, Options>) {
    return MemberOf<first, rest...>(dynamic_cast<Own&>(object));  // of the verb that takes the flag
  } else if constexpr (sizeof...(rest) == 0) {
    return object.*first;
  } else {
    return MemberOf<rest...>(object.*first);
  }
}

template <class T>
struct ValueTypeOf {
  using type = T;
};
template <class T>
struct ValueTypeOf<std::optional<T>> {
  using type = T;
};

// The error for an invalid value, with a valid one. kUsage.
absl::Status RefuseValue(const Flag& flag, const std::string& value);
// Appends the names of a list. Errors: kUsage for empty names.
absl::Status AppendNames(const Flag& flag, const std::string& value, std::vector<std::string>* names);
// The index of the value among the choices of the flag.
absl::StatusOr<size_t> ChoiceOf(const Flag& flag, const std::string& value);

template <auto... member>
absl::Status SetText(const Flag& flag, const std::string& value, Options* options) {
  if (value.empty()) return RefuseValue(flag, value);
  MemberOf<member...>(*options) = value;
  return absl::OkStatus();
}

template <auto... member>
absl::Status AddNames(const Flag& flag, const std::string& value, Options* options) {
  return AppendNames(flag, value, &MemberOf<member...>(*options));
}

template <int64_t least, auto... member>
absl::Status SetNumber(const Flag& flag, const std::string& value, Options* options) {
  auto& to = MemberOf<member...>(*options);
  HWEST_ASSIGN_OR_RETURN(const int64_t number, ParseNumber(flag.name, value, least));
  to = static_cast<typename ValueTypeOf<std::remove_reference_t<decltype(to)>>::type>(number);
  return absl::OkStatus();
}

// Sets an enumerator by the place of its word among the choices.
template <auto... member>
absl::Status SetChoice(const Flag& flag, const std::string& value, Options* options) {
  auto& to = MemberOf<member...>(*options);
  HWEST_ASSIGN_OR_RETURN(const size_t index, ChoiceOf(flag, value));
  to = static_cast<typename ValueTypeOf<std::remove_reference_t<decltype(to)>>::type>(index);
  return absl::OkStatus();
}

// For a flag without a value.
template <auto to, auto... member>
absl::Status Switch(const Flag&, const std::string&, Options* options) {
  MemberOf<member...>(*options) = to;
  return absl::OkStatus();
}

// The names of an enum, space separated.
template <auto name_of, class Enum, size_t count>
std::string NamesOf() {
  std::string names;
  for (size_t i = 0; i < count; ++i) absl::StrAppend(&names, i > 0 ? " " : "", name_of(static_cast<Enum>(i)));
  return names;
}

}  // namespace hwest
