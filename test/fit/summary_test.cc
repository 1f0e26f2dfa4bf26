#include "fit/summary.h"

#include "absl/strings/str_cat.h"
#include "fit/study_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

Query OnNpu(const std::shared_ptr<const Target>& target) {
  return {.target = target, .mode = "", .precision = "int8", .engines = {{"npu0"}}};
}

// `predicted` with an interval of a factor of two either way.
Point PointAt(double measured, double predicted, const std::string& model = "net") {
  Point point{.measured = ToyRow(), .query = OnNpu(Shared(ToyTarget("toy"))), .prediction = {}, .fold = ""};
  point.measured.value = measured;
  point.measured.model = model;
  point.prediction = {.value = predicted,
                      .low = predicted / 2,
                      .high = predicted * 2,
                      .roofline = predicted / 4,
                      .flops = std::nullopt};
  return point;
}

TEST_CASE("rows sum up the exact matches of one way of measuring") {
  std::vector<Point> points = {PointAt(1, 1, "a"), PointAt(1, 2, "b"), PointAt(1, 4, "c"), PointAt(1, 1, "d")};
  points[1].measured.family = "others";
  points[3].measured.closeness = Closeness::kNear;
  const std::vector<ValidationRow> rows = RowsOf(points);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].target == "toy");
  CHECK(rows[0].device == "board");
  CHECK(rows[0].runtime == "RT 1.2");
  const Summary& summary = rows[0].summary;
  CHECK(summary.n == 3);
  CHECK(summary.families == 2);
  CHECK(summary.median.value() == Approx(1));
  CHECK(summary.p90.value() == Approx(2.6));
  CHECK(summary.bias.value() == Approx(1));
  CHECK(summary.coverage80.value() == Approx(2.0 / 3));
  CHECK(summary.roofline_median.value() == Approx(1));  // a quarter of 1, 2 and 4: errors 3, 1 and 0
  CHECK_FALSE(summary.flops_median.has_value());
  CHECK_FALSE(summary.noise.has_value());
  CHECK_FALSE(rows[0].spearman.has_value());
}

TEST_CASE("what ran and is said not to fit is counted") {
  std::vector<Point> points = {PointAt(1, 1, "a"), PointAt(1, 2, "b"), PointAt(1, 4, "c")};
  points[0].prediction.fits = true;
  points[1].prediction.fits = false;
  const std::vector<Pool> pools = PoolsOf(points);
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].does_not_fit == 1);
}

TEST_CASE("other texts are other rows, sorted") {
  std::vector<Point> points = {PointAt(1, 1), PointAt(1, 1), PointAt(1, 1)};
  points[0].measured.runtime = "RT 9";
  points[2].measured.mode = "30W";
  const std::vector<ValidationRow> rows = RowsOf(points);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].mode.empty());
  CHECK(rows[1].mode == "30W");
  CHECK(rows[2].runtime == "RT 9");
}

TEST_CASE("repeated points count once in the rank correlation") {
  // By pairs: (1, 1) and (4, 4) of one model are (2, 2), between the others.
  const std::vector<Point> points = {PointAt(1, 9, "a"), PointAt(4, 0.5, "a"), PointAt(1.5, 1, "b"),
                                     PointAt(3, 3, "c")};
  const std::vector<ValidationRow> rows = RowsOf(points);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].spearman.value() == Approx(1));
}

TEST_CASE("noise compares versions of one source, not models or repetitions") {
  std::vector<Point> points = {PointAt(1, 1), PointAt(4, 1), PointAt(3, 1), PointAt(7, 1, "other")};
  points[0].measured.source_version = points[1].measured.source_version = "v1";
  points[2].measured.source_version = points[3].measured.source_version = "v2";
  CHECK(RowsOf(points)[0].summary.noise.value() == Approx(0.5));
  points[2].measured.source_version = "v1";
  CHECK_FALSE(RowsOf(points)[0].summary.noise.has_value());
}

TEST_CASE("fitted numbers are those that a time on the unit rests on") {
  Target target = ToyTarget("toy");
  const auto fit = [](Fact* fact) { fact->fit = Fit{.value = 1}; };
  target.memories.push_back({.name = "dram", .bytes_per_s = Stated(1e9), .energy_j_per_byte = Stated(1)});
  fit(&target.memories[0].bytes_per_s);
  fit(&target.memories[0].energy_j_per_byte);
  fit(&target.units[UnitIdOf(target, "npu0")].clock_hz);
  fit(&target.units[UnitIdOf(target, "npu0")].rates[0].per_cycle);  // fp16
  fit(&target.units[UnitIdOf(target, "npu0")].rates[1].per_cycle);  // int8
  fit(&target.units[UnitIdOf(target, "gpu")].clock_hz);
  Point point = PointAt(1, 1);
  point.query = OnNpu(Shared(std::move(target)));
  CHECK(RowsOf({point})[0].fitted == 3);
  point.query.precision = "w4a16";
  CHECK(RowsOf({point})[0].fitted == 3);
  point.query.precision = "fp32";
  CHECK(RowsOf({point})[0].fitted == 2);
  point.query.precision = "auto";
  CHECK(RowsOf({point})[0].fitted == 4);
}

TEST_CASE("pools take the runtime with most points of a family, and all CPUs") {
  std::vector<Point> points = {PointAt(1, 1), PointAt(1, 1), PointAt(1, 1),
                               PointAt(1, 2), PointAt(1, 4), PointAt(1, 1)};
  points[1].measured.device = "other board";
  points[1].measured.runtime = "RT 2.0";  // versions of a runtime are one
  points[5].query.shares_fits = false;    // with the unit's own toolchain
  points[2].measured.runtime = "another RT";
  points[3].measured.unit = points[4].measured.unit = "CPU";
  points[4].measured.runtime = "another RT";
  const std::vector<Pool> pools = PoolsOf(points);
  REQUIRE(pools.size() == 2);
  CHECK(pools[0].family.empty());
  CHECK(pools[0].unit == "CPU");
  CHECK(pools[0].summary.n == 2);
  CHECK(pools[1].family == "toys");
  CHECK(pools[1].runtime == "RT");
  CHECK(pools[1].precision == "int8");
  CHECK(pools[1].devices == 2);
  CHECK(pools[1].summary.n == 2);
  CHECK_FALSE(pools[1].least_spearman.has_value());
}

TEST_CASE("rows for checking decide on no runtime against as many to fit to, and are summed up apart") {
  std::vector<Point> points = {PointAt(1, 1), PointAt(1, 2), PointAt(1, 4), PointAt(1, 1)};
  points[1].measured.trust = points[2].measured.trust = points[3].measured.trust = "B";
  points[2].measured.runtime = points[3].measured.runtime = "another RT";
  const std::vector<Pool> pools = PoolsOf(points);
  REQUIRE(pools.size() == 1);
  CHECK(pools[0].runtime == "RT");
  const std::vector<TrustRow> rows = TrustRowsOf(points);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].trust.empty());
  CHECK(rows[0].summary.n == 1);
  CHECK(rows[1].trust == "B");
  CHECK(rows[1].summary.n == 3);
}

TEST_CASE("a pool looks at the worst device of ten models") {
  std::vector<Point> points;
  for (int i = 1; i <= 10; ++i) {
    points.push_back(PointAt(i, i, absl::StrCat("m", i)));
    points.push_back(PointAt(i, 11 - i, absl::StrCat("m", i)));
    points.back().measured.device = "reversed";
  }
  REQUIRE(PoolsOf(points).size() == 1);
  CHECK(PoolsOf(points)[0].least_spearman.value() == Approx(-1));
}

TEST_CASE("no points, no figures") {
  CHECK(RowsOf({}).empty());
  CHECK(PoolsOf({}).empty());
  CHECK(Summarize({}).n == 0);
  CHECK_FALSE(Summarize({}).median.has_value());
}

}  // namespace
}  // namespace hwest::test
