#include "base/checked_math.h"

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("checked arithmetic is exact or none") {
  CHECK(CheckedAdd(2, 3) == 5);
  CHECK(CheckedAdd(INT64_MAX, 1) == std::nullopt);
  CHECK(CheckedSub(2, 3) == -1);
  CHECK(CheckedSub(INT64_MIN, 1) == std::nullopt);
  CHECK(CheckedMul(-4, 5) == -20);
  CHECK(CheckedMul(int64_t{1} << 32, int64_t{1} << 31) == std::nullopt);
}

TEST_CASE("division and remainder follow Python") {
  struct Case {
    int64_t a, b, quotient, remainder;
  };
  for (const Case& c : {Case{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {6, -3, -2, 0}}) {
    INFO(c.a << " by " << c.b);
    CHECK(CheckedFloorDiv(c.a, c.b) == c.quotient);
    CHECK(CheckedMod(c.a, c.b) == c.remainder);
  }
  CHECK(CheckedFloorDiv(1, 0) == std::nullopt);
  CHECK(CheckedFloorDiv(INT64_MIN, -1) == std::nullopt);
  CHECK(CheckedMod(1, 0) == std::nullopt);
  CHECK(CheckedMod(INT64_MIN, -1) == 0);
}

}  // namespace
}  // namespace hwest
