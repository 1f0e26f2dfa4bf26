#include "sweep/points.h"

#include <string>
#include <vector>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "sweep/row.h"

namespace hwest {
namespace {

using Sizes = std::vector<int64_t>;

struct SizesCase {
  const char* text;
  Sizes sizes;  // empty = refused
};

TEST_CASE("lists and ranges of sizes") {
  const auto c = GENERATE(values<SizesCase>({
      {"1", {1}},
      {"1,4,8", {1, 4, 8}},
      {"128:2048:x2", {128, 256, 512, 1024, 2048}},
      {"100:350:x3", {100, 300}},
      {"64:256:+64", {64, 128, 192, 256}},
      {"5:5:+1", {5}},
      {"1,2:8:x2", {1, 2, 4, 8}},
      {"9223372036854775806:9223372036854775807:+5", {9223372036854775806}},
      {"", {}},
      {"1,", {}},
      {"-1", {}},
      {"8:1:x2", {}},
      {"1:8:x1", {}},
      {"0:8:x2", {}},
      {"1:8:+0", {}},
      {"1:8", {}},
      {"1:8:*2", {}},
      {"0:9999999:+1", {}},
  }));
  INFO(c.text);
  const auto sizes = ParseSizes("--batch", c.text);
  CHECK(sizes.ok() == !c.sizes.empty());
  if (sizes.ok()) CHECK(*sizes == c.sizes);
}

SweepAxes Axes() {
  SweepAxes axes;
  axes.models = {"a", "b"};
  axes.targets = {"jetson-orin", "x"};
  axes.modes = {"m", "n"};
  axes.batches = {1, 4};
  axes.dims = {{"s", {1, 2, 3}}, {"t", {5, 6}}};
  return axes;
}

TEST_CASE("points are numbered in the order of the lists") {
  const auto plan = SweepPlan::Make(Axes());
  REQUIRE(plan.ok());
  REQUIRE(plan->size() == 2 * 2 * 2 * 2 * 3 * 2);
  size_t index = 0;
  for (const size_t model : {0, 1}) {
    for (const char* target : {"jetson-agx-orin-64gb", "x"}) {
      for (const char* mode : {"m", "n"}) {
        for (const int64_t batch : {1, 4}) {
          for (const int64_t s : {1, 2, 3}) {
            for (const int64_t t : {5, 6}) {
              const SweepPoint point = plan->point(index++);
              CHECK(point.model == model);
              CHECK(point.target == target);
              CHECK(point.mode == mode);
              CHECK(point.precision == "auto");
              CHECK(point.batch == batch);
              CHECK(point.dims == Dims{{"s", s}, {"t", t}});
              CHECK_FALSE(point.size.has_value());
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a model has no points along what does not fit it") {
  SweepAxes axes = Axes();
  axes.sizes = {8, 16};
  auto plan = SweepPlan::Make(axes);
  REQUIRE(plan.ok());
  plan->LeaveOut({{{"dims", "s"}, {"image_size", ""}}, {{"dims", "t"}, {"dims", "s"}}});
  CHECK(plan->PointsOf(0) == std::pair<size_t, size_t>(0, 16));
  CHECK(plan->PointsOf(1) == std::pair<size_t, size_t>(16, 32));
  for (size_t i = 0; i < plan->size(); ++i) {
    const SweepPoint point = plan->point(i);
    CHECK(point.model == plan->ModelOf(i));
    CHECK(point.dims == (point.model == 0 ? Dims{{"t", i % 2 == 0 ? 5 : 6}} : Dims{}));
    CHECK(point.size == (point.model == 0 ? std::nullopt : std::optional<int64_t>(i % 2 == 0 ? 8 : 16)));
  }
}

TEST_CASE("shards are neighbours and together the whole") {
  const auto plan = SweepPlan::Make(Axes());
  for (const size_t count : {1, 2, 5, 7, 96, 200}) {
    size_t next = 0, most = 0, least = plan->size();
    for (size_t i = 1; i <= count; ++i) {
      const auto [first, last] = plan->RangeOf({i, count});
      CHECK(first == next);
      next = last;
      most = std::max(most, last - first);
      least = std::min(least, last - first);
    }
    CHECK(next == plan->size());
    CHECK(most - least <= 1);
  }
}

TEST_CASE("what names no point, or one twice, is refused") {
  struct Case {
    const char* what;
    void (*change)(SweepAxes*);
  };
  const auto c = GENERATE(values<Case>({
      {"no model", [](SweepAxes* axes) { axes->models.clear(); }},
      {"no target", [](SweepAxes* axes) { axes->targets.clear(); }},
      {"a model twice", [](SweepAxes* axes) { axes->models.push_back("a"); }},
      {"a target by two names", [](SweepAxes* axes) { axes->targets.push_back("jetson-agx-orin-64gb"); }},
      {"a dim twice", [](SweepAxes* axes) { axes->dims.push_back({"s", {9}}); }},
      {"a batch twice", [](SweepAxes* axes) { axes->batches.push_back(4); }},
      {"no precision", [](SweepAxes* axes) { axes->precisions = {"gpu=fp17"}; }},
      {"too many points",
       [](SweepAxes* axes) {
         for (int i = 0; i < 5; ++i)
           axes->dims.push_back({std::string(1, static_cast<char>('A' + i)), Sizes(100'000, 0)});
       }},
  }));
  INFO(c.what);
  SweepAxes axes = Axes();
  c.change(&axes);
  CHECK(DiagnosticOf(SweepPlan::Make(axes).status()).code == Code::kUsage);
}

TEST_CASE("the front of rows whose figures are all known") {
  ParetoFront front;
  const std::vector<ParetoFigures> rows = {
      {{1, 5, 5}}, {{2, 4, 5}}, {{2, 5, 5}}, {{1, 5, 5}}, {{0.5, 9, std::nullopt}}};
  for (const ParetoFigures& row : rows) front.Add("w", row);
  CHECK(front.IsOn("w", rows[0]) == true);
  CHECK(front.IsOn("w", rows[1]) == true);
  CHECK(front.IsOn("w", rows[2]) == false);
  CHECK(front.IsOn("w", rows[3]) == true);
  CHECK(front.IsOn("w", rows[4]) == std::nullopt);
  CHECK(front.IsFastest("w", rows[4]));
  CHECK_FALSE(front.IsFastest("w", rows[0]));
  CHECK(front.IsOn("other", rows[0]) == std::nullopt);
}

TEST_CASE("a figure that no row has is left out of the front") {
  ParetoFront front;
  const ParetoFigures fast = {1, std::nullopt, 9}, small = {2, std::nullopt, 8}, neither = {3, std::nullopt, 9};
  for (const ParetoFigures& row : {fast, small, neither}) front.Add("w", row);
  CHECK(front.IsOn("w", fast) == true);
  CHECK(front.IsOn("w", small) == true);
  CHECK(front.IsOn("w", neither) == false);
}

}  // namespace
}  // namespace hwest
