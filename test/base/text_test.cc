#include "base/text.h"

#include <limits>
#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("quantities have four significant digits") {
  CHECK(FormatSeconds(0.001234) == "1.234 ms");
  CHECK(FormatSeconds(0.0123456) == "12.35 ms");
  CHECK(FormatSeconds(1.5e-6) == "1.500 us");
  CHECK(FormatSeconds(123.456) == "123.5 s");
  CHECK(FormatSeconds(299.9) == "299.9 s");
  CHECK(FormatSeconds(1867) == "31.1 min");
  CHECK(FormatSeconds(7199) == "120 min");
  CHECK(FormatSeconds(-90000) == "-25 h");
  CHECK(FormatSeconds(0.00099999) == "1.000 ms");
  CHECK(FormatSeconds(-0.002) == "-2.000 ms");
  CHECK(FormatSeconds(0) == "0 s");
  CHECK(FormatSeconds(std::numeric_limits<double>::quiet_NaN()) == "unknown");
  CHECK(FormatJoules(0.25) == "250.0 mJ");
  CHECK(FormatBytes(999) == "999 B");
  CHECK(FormatBytes(1500000) == "1.500 MB");
  CHECK(FormatBytes(46.8e9) == "46.80 GB");
  CHECK(FormatCount(0) == "0");
  CHECK(FormatCount(999) == "999");
  CHECK(FormatCount(1814073344) == "1.814 G");
  CHECK(FormatCount(11689512) == "11.69 M");
  CHECK(FormatCount(999999) == "1.000 M");
}

TEST_CASE("edit distance counts swaps once") {
  CHECK(EditDistance("", "") == 0);
  CHECK(EditDistance("", "abc") == 3);
  CHECK(EditDistance("kitten", "sitting") == 3);
  CHECK(EditDistance("orin", "roin") == 1);
}

TEST_CASE("nearest names are what was meant, nearest first") {
  const std::vector<std::string> names = {"jetson-orin", "jetson-orin-nano", "tda4vm", "x86-avx2"};
  CHECK(NearestNames("jetson-orni", names, 3) == std::vector<std::string>{"jetson-orin"});
  CHECK(NearestNames("orin", names, 3) == std::vector<std::string>{"jetson-orin", "jetson-orin-nano"});
  CHECK(NearestNames("TDA4", names, 3) == std::vector<std::string>{"tda4vm"});
  CHECK(NearestNames("orin", names, 1).size() == 1);
  CHECK(NearestNames("coral", names, 3).empty());
}

TEST_CASE("file text is safe for a terminal") {
  CHECK(EscapeControl("conv_1/weight") == "conv_1/weight");
  CHECK(EscapeControl("a\x1b[31m\n") == "a\\x1b[31m\\x0a");
  CHECK(EscapeControl("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(EscapeControl("\xc2\x9b") == "\\xc2\\x9b");  // C1 control sequence introducer
  CHECK(EscapeControl("\xe2\x80\xae\xe2\x81\xa9\xe2\x80\xa6") == "\\xe2\\x80\\xae\\xe2\\x81\\xa9\xe2\x80\xa6");
  CHECK(EscapeControl("\xff\xc3") == "\\xff\\xc3");           // no UTF-8, truncated
  CHECK(EscapeControl("\xc0\xaf") == "\\xc0\\xaf");           // overlong
  CHECK(EscapeControl("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // surrogate
}

}  // namespace
}  // namespace hwest
