#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace hwest::test {

// How many of `all` random cases a test runs: HWEST_EFFORT percent of them, without it all. Emulated tests run fewer
// (hwest_fewer_cases() in cmake/hwest_emulated.cmake); HWEST_EFFORT=1000 runs ten times as many.
inline uint64_t Cases(uint64_t all) {
  const char* percent = std::getenv("HWEST_EFFORT");
  if (percent == nullptr) return all;
  return std::max<uint64_t>(1, all * std::strtoull(percent, nullptr, 10) / 100);
}

}  // namespace hwest::test
