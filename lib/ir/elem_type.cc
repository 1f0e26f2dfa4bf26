#include "ir/elem_type.h"

namespace hwest {

std::optional<ElemType> FindElemType(absl::string_view name) {
  for (int32_t number = 1; number <= static_cast<int32_t>(ElemType::kInt2); ++number) {
    if (name == ElemTypeName(static_cast<ElemType>(number))) return static_cast<ElemType>(number);
  }
  return std::nullopt;
}

}  // namespace hwest
