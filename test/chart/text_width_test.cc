// Widths of texts, and texts that are cut to a width.
#include "chart/text_width.h"

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("widths are those of the font") {
  CHECK(TextWidth("", {.size = 10}) == 0);
  CHECK(TextWidth("i", {.size = 10}) == Approx(2.78));  // 569 of 2048 units
  CHECK(TextWidth("W", {.size = 10}) == Approx(9.89));  // 2025
  CHECK(TextWidth("W", {.size = 10, .is_bold = true}) == Approx(11.03));
  CHECK(TextWidth("iiii", {.size = 20}) == Approx(4 * TextWidth("i", {.size = 20})));
  CHECK(TextWidth("\u00fc", {.size = 10}) == TextWidth("u", {.size = 10}));
  CHECK(TextWidth("\u0301", {.size = 10}) == 0);   // an accent on the letter before
  CHECK(TextWidth("\u5c64", {.size = 10}) == 10);  // none of the font: square
  CHECK(TextWidth("\U0001f600", {.size = 10}) == 10);
}

TEST_CASE("a text keeps both ends and fits") {
  const std::string name = "/layer4/layer4.0/conv2/Conv";
  CHECK(FitText(name, {.size = 9, .room = 1000}) == name);
  CHECK(FitText(name, {.size = 9, .room = TextWidth(name, {.size = 9})}) == name);
  for (const double width : {20.0, 37.5, 60.0, 100.0}) {
    const std::string shown = FitText(name, {.size = 9, .room = width});
    INFO(shown);
    CHECK(TextWidth(shown, {.size = 9}) <= width);
    CHECK(TextWidth(shown, {.size = 9}) > width - 10);  // about a letter
    CHECK(shown.front() == '/');
    CHECK(shown.back() == 'v');
  }
  CHECK(FitText(name, {.size = 9, .room = 5}).empty());
  CHECK(FitText("\u5c64\u5c64\u5c64\u5c64", {.size = 10, .room = 32}) == "\u5c64\u2026\u5c64");
}

}  // namespace
}  // namespace hwest
