// Element types by name.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "hwest/type.h"

namespace hwest {

// The type that ElemTypeName calls `name` ("int64", "float16", ...); none when there is no such type.
std::optional<ElemType> FindElemType(absl::string_view name);

// The type in the words of --precision ("fp64", "bf16", "int8"), for values of `bits` each; ElemTypeName where it has
// none.
std::string NumericName(ElemType type, int bits);

}  // namespace hwest
