// Element types by name.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"
#include "hwest/type.h"

namespace hwest {

// The type that ElemTypeName calls `name` ("int64", "float16", ...); none when there is no such type.
std::optional<ElemType> FindElemType(absl::string_view name);

}  // namespace hwest
