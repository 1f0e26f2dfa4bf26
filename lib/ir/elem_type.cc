#include "ir/elem_type.h"

#include "absl/strings/str_cat.h"

namespace hwest {

std::optional<ElemType> FindElemType(absl::string_view name) {
  for (int32_t number = 1; number <= static_cast<int32_t>(ElemType::kInt2); ++number) {
    if (name == ElemTypeName(static_cast<ElemType>(number))) return static_cast<ElemType>(number);
  }
  return std::nullopt;
}

std::string NumericName(ElemType type, int bits) {
  if (type == ElemType::kBfloat16) return "bf16";
  if (IsFloat(type)) return absl::StrCat("fp", bits);
  return IsInteger(type) ? absl::StrCat("int", bits) : ElemTypeName(type);
}

}  // namespace hwest
