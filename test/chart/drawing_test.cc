// How shapes are written as SVG.
#include "chart/drawing.h"

#include "support/catch.h"

namespace hwest {
namespace {

size_t CountOf(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_CASE("each shape is an element with its tooltip") {
  Drawing drawing(200, "Title", {"below"});
  drawing.Box(1, 2, 3, 4, "#cfe8fc", "#1f6fb2", "a box");
  drawing.Dot(5, 6, 7, "", kInk, "a dot");
  drawing.Line(1, 2, 3, 4, kGrid, {.width = 1.5, .is_dashed = true});
  const std::string svg = drawing.Svg();
  CHECK_THAT(svg, Catch::Contains("<title>Title</title>") && Catch::Contains(">below</text>"));
  CHECK_THAT(svg, Catch::Contains(
                      "<rect x=\"1.00\" y=\"2.00\" width=\"3.00\" height=\"4.00\" fill=\"#cfe8fc\" stroke=\"#1f6fb2\">"
                      "<title>a box</title></rect>"));
  CHECK_THAT(svg,
             Catch::Contains(
                 "r=\"3.50\" fill=\"none\" stroke=\"#222222\" fill-opacity=\"0.7\"><title>a dot</title></circle>"));
  CHECK_THAT(svg, Catch::Contains("stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>"));
  CHECK_THAT(svg, Catch::Contains("\n<style>@media (prefers-color-scheme:dark)") && Catch::EndsWith("</svg>\n"));
}

TEST_CASE("texts are data") {
  Drawing drawing(200, "<script>\x1b", {});
  drawing.Text(0, 0, "a & \"b\" \xEF\xBF\xBE");
  CHECK_THAT(drawing.Svg(),
             Catch::Contains(">&lt;script&gt;\\x1b</text>") && Catch::Contains(">a &amp; &quot;b&quot; \\uFFFE<"));
}

TEST_CASE("texts keep to their room and to the page, wherever they begin") {
  Drawing drawing(200, std::string(100, 'W'), {std::string(100, 'w')});
  for (const Anchor anchor : {Anchor::kStart, Anchor::kMiddle, Anchor::kEnd})
    drawing.Text(100, 90, std::string(100, 'm'), {.anchor = anchor});
  drawing.Text(0, 0, std::string(100, 'i'), {.room = 30});
  const std::string svg = drawing.Svg();
  CHECK(CountOf(svg, "\u2026") == 6);
  CHECK(CountOf(svg, ">iii\u2026iii<") == 1);
}

TEST_CASE("a label is whole, cut or left out") {
  Drawing drawing(200, "", {});
  const std::string name = "encoder.layer.11";
  for (const double width : {100.0, 60.0, 20.0}) drawing.Label(0, 0, width, name);
  drawing.Label(0, 0, 24, "mlp");
  const std::string svg = drawing.Svg();
  CHECK(CountOf(svg, ">encoder.layer.11<") == 1);
  CHECK(CountOf(svg, "\u2026") == 1);
  CHECK(CountOf(svg, ">mlp<") == 1);
}

TEST_CASE("a legend stands in as many columns as there is room for") {
  const std::vector<LegendEntry> entries(5, LegendEntry{"a name of some length", TintAt(0)});
  const auto height_of = [&](double right) {
    Drawing drawing(1000, "", {});
    const double y = drawing.y;
    drawing.Legend(entries, 0, right);
    return drawing.y - y;
  };
  CHECK(height_of(1000) == 17);
  CHECK(height_of(500) == 2 * 17);  // three and two
  CHECK(height_of(50) == 5 * 17);   // cut, not left out
}

}  // namespace
}  // namespace hwest
