// Products and sums of sizes that a file states: they saturate, so that no claim of a file overflows.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/checked_math.h"

namespace hwest {

inline int64_t Times(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) product = CheckedMul(product, factor).value_or(INT64_MAX);
  return product;
}

inline int64_t Plus(std::initializer_list<int64_t> terms) {
  int64_t sum = 0;
  for (const int64_t term : terms) sum = CheckedAdd(sum, term).value_or(INT64_MAX);
  return sum;
}

}  // namespace hwest
