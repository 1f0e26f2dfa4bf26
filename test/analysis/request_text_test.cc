#include "analysis/request_text.h"

#include <string>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("sizes, shapes and pins as text") {
  CHECK(ParseSize("batch=4")->first == "batch");
  CHECK(ParseSize("a=b=0")->first == "a=b");
  for (const char* bad : {"", "batch", "=4", "batch=", "batch=-1", "batch=x", "batch=99999999999999999999"}) {
    INFO(bad);
    CHECK_FALSE(ParseSize(bad).has_value());
  }
  CHECK(ParseShape("1x3x224x224")->first.empty());
  CHECK(ParseShape("ids=1x128")->second == std::vector<int64_t>{1, 128});
  CHECK(ParseShape("x=7")->second == std::vector<int64_t>{7});
  for (const char* bad : {"", "1x", "x", "ids=", "1x-2", "1,2"}) {
    INFO(bad);
    CHECK_FALSE(ParseShape(bad).has_value());
  }
  CHECK(ParsePin("Conv@dla0")->unit == "dla0");
  CHECK(ParsePin("a@b@cpu")->what == "a@b");
  for (const char* bad : {"", "Conv", "@cpu", "Conv@"}) {
    INFO(bad);
    CHECK_FALSE(ParsePin(bad).has_value());
  }
}

}  // namespace
}  // namespace hwest
