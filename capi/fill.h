// Converts what a table's getter returns into a member of a C struct: one function for each column type.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "handles.h"
#include "hwest.h"
#include "numbers.h"
#include "report/getters.h"
#include "table.h"
#include "words.h"

namespace hwest::capi {

using namespace getters;

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
int64_t Number(T number) {
  return static_cast<int64_t>(number);
}
template <class T>
int64_t Number(const std::optional<T>& number) {
  return number.has_value() ? static_cast<int64_t>(*number) : -1;
}

inline double Figure(const std::optional<double>& figure) { return OrUnknown(figure); }

template <class Id>
int64_t IdNumber(Id id) {
  return id.valid() ? static_cast<int64_t>(id.index()) : -1;
}

// Ids lie in memory as the C ABI returns them.
template <class Ids>
const uint32_t* IdsOf(const Ids& ids) {
  static_assert(sizeof(ids[0]) == sizeof(uint32_t));
  return reinterpret_cast<const uint32_t*>(ids.data());
}

inline int32_t Truth(bool is_true) { return is_true ? 1 : 0; }
inline int32_t Truth(const std::optional<bool>& is_true) { return is_true.has_value() ? Truth(*is_true) : -1; }

// The message with options spelled for the calling language.
inline std::string Worded(const std::string& text, const std::vector<NamedOption>& options) {
  return Worded(absl::string_view(text), options);
}
inline std::optional<std::string> Worded(const std::optional<std::string>& text,
                                         const std::vector<NamedOption>& options) {
  return text.has_value() ? std::optional<std::string>(Worded(*text, options)) : std::nullopt;
}

inline int64_t RankOf(const ShapeText& shape) { return shape.has_value() ? static_cast<int64_t>(shape->size()) : -1; }

}  // namespace hwest::capi
