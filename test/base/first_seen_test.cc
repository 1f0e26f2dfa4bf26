#include "base/first_seen.h"

#include <utility>

#include "hwest/id.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("ids keep the position of their first appearance, few or many") {
  for (const uint32_t count : {1u, 15u, 16u, 17u, 18u, 100u}) {
    FirstSeen<ValueId> seen;
    for (uint32_t i = 0; i < count; ++i) {
      CHECK_FALSE(seen.Contains(ValueId(7 * i)));
      CHECK(seen.Insert(ValueId(7 * i)) == std::pair(size_t{i}, true));
    }
    for (uint32_t i = 0; i < count; ++i) CHECK(seen.Insert(ValueId(7 * i)) == std::pair(size_t{i}, false));
    REQUIRE(seen.ids().size() == count);
    CHECK(seen.ids()[count - 1] == ValueId(7 * (count - 1)));
    CHECK_FALSE(seen.Contains(ValueId(1u)));
  }
}

}  // namespace
}  // namespace hwest
