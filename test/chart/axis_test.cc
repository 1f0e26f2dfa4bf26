// Axes: round ticks, and where values lie between them.
#include "chart/axis.h"

#include "base/text.h"
#include "support/catch.h"

namespace hwest {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("ticks are round numbers up to the end") {
  CHECK(Axis::Linear(1, {}, 10).ticks().size() == 11);
  CHECK(Axis::Linear(12.9e-3, {}, 10).ticks().back() == Approx(12e-3));
  CHECK(Axis::Linear(6.1e6, {}, 6).ticks().size() == 4);  // by two millions
  CHECK(Axis::Linear(0, {}, 10).ticks().empty());
}

TEST_CASE("values lie between the ends of the stretch, also of one that grows upwards") {
  const Axis time = Axis::Linear(2, {100, 300}, 10);
  CHECK(time.At(0) == 100);
  CHECK(time.At(1) == 200);
  CHECK(Axis::Linear(0, {100, 300}, 10).At(0) == 100);
  const Axis rate = Axis::Log(1, 100, {480, 0});
  CHECK(rate.At(1) == 480);
  CHECK(rate.At(10) == Approx(240));
  CHECK(rate.At(0) == 480);  // what has no logarithm is at the end
  const Axis steps = Axis::Steps(4, {0, 100});
  CHECK(steps.At(0) == Approx(12.5));
  CHECK(steps.At(3) == Approx(87.5));
}

TEST_CASE("a logarithmic axis goes from a round number to one") {
  struct Case {
    double least, most, low, high;
    size_t ticks;
  };
  const auto c = GENERATE(values<Case>({{3, 4, 2, 5, 2},            // 2, 5
                                        {1, 1, 1, 2, 2},            // 1, 2
                                        {0.6, 700, 0.5, 1000, 5},   // 0.5, 1, 10, 100, 1000
                                        {30, 700, 20, 1000, 6}}));  // 20, 50, 100, 200, 500, 1000
  INFO(c.least << " to " << c.most);
  const Axis axis = Axis::Log(c.least, c.most, {0, 1});
  CHECK(axis.low() == Approx(c.low));
  CHECK(axis.high() == Approx(c.high));
  CHECK(axis.ticks().size() == c.ticks);
}

TEST_CASE("values that lie far apart have a logarithmic axis") {
  CHECK(Axis::Of({1, 49}, {}).is_log() == false);
  CHECK(Axis::Of({1, 51}, {}).is_log());
  CHECK_FALSE(Axis::Of({}, {}).is_log());
  CHECK_FALSE(Axis::Of({0, 0}, {}).is_log());
}

TEST_CASE("ticks of one axis share a unit, those of decades have their own") {
  CHECK(TickTexts(Axis::Linear(1.2e-3, {}, 3), FormatSeconds) == Texts{"0", "0.5 ms", "1 ms"});
  CHECK(TickTexts(Axis::Linear(5e6, {}, 3), FormatBytes) == Texts{"0", "2 MB", "4 MB"});
  CHECK(TickTexts(Axis::Log(1e-6, 1e-2, {}), FormatSeconds) == Texts{"1 us", "10 us", "100 us", "1 ms", "10 ms"});
  const std::vector<int> batches = {1, 16};
  CHECK(TickTexts(Axis::Steps(2, {}), [&](double i) { return std::to_string(batches[static_cast<size_t>(i)]); }) ==
        Texts{"1", "16"});
  CHECK(ShortFigure("2.500 ms") == "2.5 ms");
  CHECK(ShortFigure("unknown") == "unknown");
}

}  // namespace
}  // namespace hwest
