#include "pass/follower.h"

namespace hwest {

std::optional<std::vector<int64_t>> ConstantSizes(const Type& type) {
  if (!type.is_tensor() || !type.shape.constant()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Dim dim : type.shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

std::optional<std::vector<int64_t>> ConstantIntegers(const Known& known) {
  if (known == nullptr) return std::nullopt;
  std::vector<int64_t> values;
  for (const Scalar& scalar : *known) {
    if (!scalar.is_int() || !scalar.is_constant()) return std::nullopt;
    values.push_back(scalar.dim().value());
  }
  return values;
}

}  // namespace hwest
