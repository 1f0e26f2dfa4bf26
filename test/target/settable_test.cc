// Figures that studies set, and parameters in effect.
#include "target/settable.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "support/catch.h"
#include "target/kinds.h"
#include "target/params.h"
#include "target/schema.h"

namespace hwest {
namespace {

Target Example() {
  auto target = ParseTarget(ExampleTarget(), "example.textproto");
  REQUIRE(target.ok());
  return *std::move(target);
}

Settable Found(const Target& target, const char* path) {
  auto figure = FindSettable(target, path);
  INFO(path);
  REQUIRE(figure.ok());
  return *std::move(figure);
}

struct ValuesCase {
  const char* path;
  const char* text;
  std::vector<double> values;  // empty = refused
};

TEST_CASE("values of figures, with units and as ranges") {
  const Target target = Example();
  const auto c = GENERATE(values<ValuesCase>({
      {"sram.size", "0.5MB,1MB", {5e5, 1e6}},
      {"sram.size", "1MiB:4MiB:x2", {1048576, 2097152, 4194304}},
      {"sram.size", "1000", {1000}},
      {"dram.bandwidth", "8.5 GB/s", {8.5e9}},
      {"npu.clock", "0.5GHz:1GHz:+250MHz", {5e8, 7.5e8, 1e9}},
      {"npu.launch", "5us", {5e-6}},
      {"npu.rows", "8:64:x2", {8, 16, 32, 64}},
      {"npu.overlap", "0.5:0.9:+0.2", {0.5, 0.7, 0.9}},
      {"npu.overlap", "0", {0}},
      {"sram.size", "1MB/s", {}},
      {"sram.size", "", {}},
      {"sram.size", "-1", {}},
      {"sram.size", "1MB,1000kB", {}},
      {"npu.rows", "0", {}},
      {"npu.rows", "8:64", {}},
      {"npu.rows", "8:64:x1", {}},
      {"npu.clock", "nan", {}},
      {"npu.overlap", "1.1", {}},
  }));
  INFO(c.path << "=" << c.text);
  const Settable figure = Found(target, c.path);
  const auto values = ParseValues("--set", c.text, figure);
  REQUIRE(values.ok() == !c.values.empty());
  const size_t count = values.ok() ? values->size() : 0;
  REQUIRE(count == c.values.size());
  for (size_t i = 0; i < count; ++i) {
    CHECK((*values)[i] == Approx(c.values[i]));
    const auto back = ParseValues("--set", ValueText(figure, (*values)[i]), figure);
    REQUIRE(back.ok());
    CHECK(back->front() == (*values)[i]);
  }
}

TEST_CASE("every figure that can be set reads back, in every mode") {
  const Target target = Example();
  for (const Settable& figure : SettablesOf(target)) {
    INFO(figure.path);
    const double value = std::max(figure.min, std::min(figure.max, figure.is_whole ? 48 : 0.5));
    Target changed = target;
    SetFigure(figure, value, &changed);
    const Settable after = Found(changed, figure.path.c_str());
    REQUIRE(after.value.has_value());
    CHECK(*after.value == Approx(value));
    const auto slow = ApplyMode(changed, "half");
    REQUIRE(slow.ok());
    // A slower clock draws less whatever is stated.
    if (figure.path != "npu.static") CHECK(*Found(*slow, figure.path.c_str()).value == Approx(value));
    if (!figure.fact.empty()) {
      const std::string field = figure.fact.substr(figure.fact.rfind('/') + 1);
      if (field != "per_cycle") {
        CHECK(FindSettable(target, absl::StrCat(figure.path.substr(0, figure.path.find('.')), ".", field)).ok());
      }
    }
  }
}

TEST_CASE("what is bound to a figure goes with it") {
  Target target = Example();
  target.memories[0].usable_bytes.stated = 1048576;
  target.memories[0].energy_j_per_byte.stated = 2e-12;
  SetFigure(Found(target, "sram.size"), 4 * 2097152.0, &target);
  CHECK(*target.memories[0].usable_bytes.value() == 4 * 1048576.0);
  CHECK(*target.memories[0].energy_j_per_byte.value() == Approx(4e-12));
  const double dram_j = *target.memories[1].energy_j_per_byte.value();
  SetFigure(Found(target, "dram.size"), 8e9, &target);
  CHECK(*target.memories[1].energy_j_per_byte.value() == dram_j);

  Unit& npu = target.units[UnitIdOf(target, "npu")];
  SetFigure(Found(target, "npu.rows"), 128, &target);  // from 64
  CHECK(npu.tiles[0].k == 128);
  CHECK(npu.tiles[0].n == 32);
  CHECK(*npu.rates[0].per_cycle.value() == 4096);
  SetFigure(Found(target, "npu.macs"), 1024, &target);
  CHECK(*npu.rates[0].per_cycle.value() == 1024);
  CHECK(npu.tiles[0].k == 128);

  npu.params.push_back({.name = "compute_efficiency.int8", .fact = {.stated = 0.9}, .min = 0.1, .max = 1});
  SetFigure(Found(target, "npu.compute_efficiency"), 0.5, &target);
  CHECK(ParamOf(npu, "compute_efficiency") == 0.5);
  CHECK(!ParamOf(npu, "compute_efficiency.int8").has_value());
}

TEST_CASE("a path that does not exist names the nearest") {
  const Target target = Example();
  for (const auto& [wrong, right] : {std::pair("npu.clok", "npu.clock"), std::pair("sram.sise", "sram.size"),
                                     std::pair("npu.compute_eficiency", "npu.compute_efficiency")}) {
    const auto found = FindSettable(target, wrong);
    REQUIRE(!found.ok());
    CHECK(absl::StrContains(std::string(found.status().message()), right));
  }
  CHECK(!FindSettable(target, "cpu.rows").ok());  // no array of multipliers
}

TEST_CASE("words of defaults say what the cost models compute with") {
  CHECK(FindParamRow("onchip_share")->absent_means ==
        absl::StrCat(kScratchpadShare, " of a scratchpad, ", kCacheShare, " of a cache"));
  for (const ParamRow& row : AllParams()) {
    INFO(row.name);
    CHECK(!row.meaning.empty());
    CHECK(row.min < row.max);
    if (!row.absent_as.empty()) CHECK(FindParamRow(row.absent_as) != nullptr);
    for (int k = 1; k <= 5; ++k) {
      const auto kind = static_cast<UnitKind>(k);
      if (!IsFor(row, kind)) continue;
      CHECK(!DefaultText(row, kind).empty());
      if (row.decides) CHECK(DefaultOf(row, kind) > 0);
    }
  }
  for (int k = 1; k <= 5; ++k) {
    for (const ParamDefault& own : KindTraitsOf(static_cast<UnitKind>(k)).defaults) {
      INFO(own.param);
      const ParamRow* row = FindParamRow(own.param);
      REQUIRE(row != nullptr);
      CHECK(IsFor(*row, static_cast<UnitKind>(k)));
      CHECK(own.value >= row->min);
      CHECK(own.value <= row->max);
    }
  }
}

TEST_CASE("parameters in effect: stated ones and defaults") {
  Target target = Example();
  const auto row_of = [&](const char* set) {
    for (const ParamInEffect& row : ParamsOf(target)) {
      if (row.set == set) return row;
    }
    FAIL("no row " << set);
    return ParamInEffect();
  };
  CHECK(!row_of("npu.compute_efficiency").is_default);
  CHECK(row_of("npu.compute_efficiency").value == 0.6);
  CHECK(row_of("npu.dram_efficiency").is_default);
  CHECK(row_of("npu.dram_efficiency").value == 0.7);
  CHECK(row_of("npu.transcendental_efficiency").value == 0.5);
  CHECK(row_of("npu.transcendental_efficiency").words == "pointwise_efficiency");
  CHECK(row_of("cpu.parallel_efficiency").value == 0.95);
  CHECK(LeavesToDefaults(target.units[UnitIdOf(target, "npu")]));
  SetFigure(Found(target, "npu.dram_efficiency"), 0.8, &target);
  CHECK(!LeavesToDefaults(target.units[UnitIdOf(target, "npu")]));
}

}  // namespace
}  // namespace hwest
