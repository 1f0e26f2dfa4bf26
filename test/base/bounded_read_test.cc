#include "base/bounded_read.h"

#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("a stream is read whole up to a number of bytes, and not beyond") {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{9}, size_t{10}}) {
    std::istringstream file(std::string(size, 'a'));
    CHECK(ReadAtMost(file, 10) == std::string(size, 'a'));
  }
  std::istringstream more(std::string(11, 'a'));
  CHECK_FALSE(ReadAtMost(more, 10).has_value());
}

TEST_CASE("a file without end is not read to it") {
  std::ifstream zeros("/dev/zero", std::ios::binary);
  REQUIRE(zeros.is_open());
  CHECK_FALSE(ReadAtMost(zeros, size_t{8} << 20).has_value());
}

}  // namespace
}  // namespace hwest
