// The targets and toolchains that ship with the library.
#include <set>
#include <string>

#include "hwest/target.h"
#include "support/catch.h"
#include "target/embedded.h"

namespace hwest {
namespace {

std::string Describe(const LintReport& report) {
  std::string text;
  for (const LintProblem& problem : report.problems) {
    text += report.origin + ":" + std::to_string(problem.line) + ": " + problem.path + " " + problem.message + "\n";
  }
  return text;
}

TEST_CASE("every built-in file is clean and named after its file") {
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    INFO(file.name);
    CHECK(Describe(LintTarget(file.text, "built-in")) == "");
    const auto target = LoadTarget(file.name);
    REQUIRE(target.ok());
    CHECK(target->name == file.name);
    for (const std::string& alias : target->aliases) CHECK(LoadTarget(alias)->name == target->name);
  }
  for (const EmbeddedFile& file : EmbeddedToolchains()) {
    INFO(file.name);
    CHECK(Describe(LintTarget(file.text, "built-in")) == "");
    const auto toolchain = LoadToolchain(file.name);
    REQUIRE(toolchain.ok());
    CHECK(toolchain->name == file.name);
  }
}

TEST_CASE("names and aliases of built-in targets are unique") {
  std::set<std::string> seen;
  for (const TargetSummary& row : ListTargets()) {
    CHECK(seen.insert(row.name).second);
    for (const std::string& alias : row.aliases) CHECK(seen.insert(alias).second);
  }
  CHECK(seen.count("jetson-orin") == 1);
}

TEST_CASE("derived and estimated figures say why") {
  for (const TargetSummary& row : ListTargets()) {
    for (const TargetFact& fact : FactsOf(*LoadTarget(row.name))) {
      INFO(row.name << " " << fact.path);
      CHECK((fact.trust != Trust::kEstimated || !fact.note.empty()));
      CHECK((fact.trust != Trust::kDerived || !fact.note.empty()));
      CHECK_FALSE(fact.source.empty());
    }
  }
}

TEST_CASE("every placeable unit can be costed") {
  for (const TargetSummary& row : ListTargets()) {
    const Target target = *LoadTarget(row.name);
    for (const Unit& unit : target.units) {
      if (!unit.placeable) continue;
      INFO(row.name << " " << unit.name);
      const Rate* rate = RateOf(unit, WorkKind::kContraction, unit.precision, unit.precision);
      REQUIRE(rate != nullptr);
      CHECK(PeakPerS(unit, *rate).has_value());
      CHECK(rate->energy_j.known());
      for (const WorkKind work : {WorkKind::kDepthwise, WorkKind::kPointwise, WorkKind::kTranscendental}) {
        CHECK(RateOf(unit, work, unit.precision, unit.precision) != nullptr);
      }
      REQUIRE(SharedMemoryOf(target, unit) != nullptr);
      CHECK(SharedMemoryOf(target, unit)->name == "dram");
      CHECK(unit.launch_s.known());
      CHECK(unit.invoke_s.known());
      for (const char* name : {"dram_efficiency", "compute_efficiency", "depthwise_efficiency",
                               "pointwise_efficiency", "overlap"}) {
        CHECK(ParamOf(unit, name).has_value());
      }
      CHECK(ToolchainOf(target, unit) != nullptr);
    }
  }
}

TEST_CASE("every pair of placeable units has a link") {
  for (const TargetSummary& row : ListTargets()) {
    const Target target = *LoadTarget(row.name);
    for (const Unit& a : target.units) {
      for (const Unit& b : target.units) {
        if (!a.placeable || !b.placeable || a.name == b.name) continue;
        INFO(row.name << " " << a.name << " " << b.name);
        CHECK(LinkOf(target, a.name, b.name) != nullptr);
      }
    }
  }
}

TEST_CASE("published peaks are reproduced") {
  struct Case {
    const char* target;
    const char* unit;
    Num num;
    double macs_per_s;
  };
  const auto c = GENERATE(values<Case>({
      {"jetson-orin", "gpu", Num::kInt8, 42.6e12},
      {"jetson-orin", "gpu", Num::kFp16, 21.3e12},
      {"jetson-orin", "gpu", Num::kFp32, 2.66e12},
      {"jetson-orin", "dla0", Num::kInt8, 13.1e12},
      {"jetson-orin", "dla1", Num::kInt8, 13.1e12},
      {"tda4vm", "c7x-mma", Num::kInt8, 4.096e12},
      {"x86-avx2", "cpu", Num::kFp32, 0.6016e12},
  }));
  INFO(c.target << " " << c.unit);
  const Target target = *LoadTarget(c.target);
  const Unit* unit = UnitOf(target, c.unit);
  REQUIRE(unit != nullptr);
  const Rate* rate = RateOf(*unit, WorkKind::kContraction, c.num, c.num);
  REQUIRE(rate != nullptr);
  CHECK(*PeakPerS(*unit, *rate) == Approx(c.macs_per_s).epsilon(0.01));
}

TEST_CASE("a mode puts its clocks, cores and bandwidth in place") {
  const Target target = *LoadTarget("jetson-orin");
  CHECK(ApplyMode(target, "")->mode == "MAXN");
  CHECK(UnitOf(*ApplyMode(target, ""), "gpu")->cores == 16);
  const auto low = ApplyMode(target, "15W");
  REQUIRE(low.ok());
  CHECK(low->mode == "15W");
  CHECK(UnitOf(*low, "gpu")->cores == 6);
  CHECK(*UnitOf(*low, "gpu")->clock_hz.value() == 408e6);
  CHECK(*UnitOf(*low, "gpu")->launch_s.value() == 10e-6);
  CHECK(*UnitOf(*low, "dla1")->clock_hz.value() == 614.4e6);
  CHECK(*MemoryOf(*low, "dram")->bytes_per_s.value() == 136.5e9);
  CHECK(ApplyMode(*LoadTarget("tda4vm"), "")->mode.empty());
}

TEST_CASE("support rows answer for an op of a toolchain") {
  const Toolchain dla = *LoadToolchain("tensorrt-dla");
  REQUIRE(SupportOf(dla, "", "Conv") != nullptr);
  CHECK(SupportOf(dla, "ai.onnx", "Conv") == SupportOf(dla, "", "Conv"));
  CHECK(SupportOf(dla, "", "Conv")->limits.size() == 8);
  CHECK_FALSE(SupportOf(dla, "", "GlobalAveragePool")->supported);
  CHECK(SupportOf(dla, "", "GlobalAveragePool")->fallback == UnitKind::kSimtGpu);
  CHECK(SupportOf(dla, "com.microsoft", "Conv") == nullptr);
  CHECK(SupportOf(dla, "", "NoSuchOp") == nullptr);
  CHECK(SupportOfAll(dla) != nullptr);
  CHECK(PickOf(dla, "conv_silu") == nullptr);
  CHECK(PickOf(*LoadToolchain("tensorrt"), "conv_silu") != nullptr);
  CHECK(SupportOf(*LoadToolchain("tidl"), "", "Erf")->only_in == std::vector<std::string>{"gelu_erf"});
  CHECK(LoadToolchain("onnxruntime-cpu")->runs_everything);
}

TEST_CASE("another toolchain can be put on a unit") {
  const auto target = UseToolchain(*LoadTarget("jetson-orin"), "cpu", "tidl");
  REQUIRE(target.ok());
  CHECK(ToolchainOf(*target, *UnitOf(*target, "cpu"))->name == "tidl");
  CHECK_FALSE(UseToolchain(*target, "npu", "tidl").ok());
  CHECK_FALSE(UseToolchain(*target, "cpu", "no-such").ok());
}

}  // namespace
}  // namespace hwest
