// A user's own target file: what is accepted, what is rejected, and how the error reads.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hwest/diagnostic.h"
#include "hwest/target.h"
#include "support/catch.h"

namespace hwest {
namespace {

const char kToy[] = R"(name: "toy"
sources { key: "ds" title: "Toy data sheet" date: "2026" }
memory { name: "sram" scratchpad: true capacity_bytes { value: 1e6 source: "ds" trust: PUBLISHED } }
memory { name: "dram" bytes_per_s { value: 1e10 source: "ds" trust: PUBLISHED } }
unit {
  name: "npu" kind: SYSTOLIC precision: INT8 toolchain: "qnn" memory: "sram" memory: "dram"
  clock_hz { value: 1e9 source: "ds" trust: PUBLISHED }
  rate { work: CONTRACTION act: INT8 per_cycle { value: 1024 source: "ds" trust: PUBLISHED } }
  param { name: "overlap" min: 0 max: 1 fact { value: 0.5 source: "ds" trust: ESTIMATED } }
}
mode { name: "fast" is_default: true source: "ds" }
mode { name: "slow" source: "ds" set { of: "npu" clock_hz { value: 5e8 source: "ds" trust: PUBLISHED } } }
)";

std::string Edited(absl::string_view from, absl::string_view to) {
  const std::string text = absl::StrReplaceAll(kToy, {{from, to}});
  REQUIRE(text != kToy);
  return text;
}

TEST_CASE("a small file is enough") {
  const auto target = ParseTarget(kToy, "toy.textproto");
  REQUIRE(target.ok());
  CHECK(target->origin == "toy.textproto");
  REQUIRE(target->default_mode.has_value());
  CHECK(target->modes[*target->default_mode].name == "fast");
  CHECK(*UnitOf(*ApplyMode(*target, "slow"), "npu")->clock_hz.value() == 5e8);
  CHECK_FALSE(UnitOf(*target, "npu")->launch_s.known());
  CHECK(FactsOf(*target).size() == 6);
  CHECK(SummaryOf(*target).estimated == 1);
}

TEST_CASE("what makes a file invalid") {
  struct Case {
    const char* from;
    const char* to;
    const char* path;
    int line;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"1e10 source: \"ds\" trust: PUBLISHED", "1e10 source: \"ds\" trust: ESTIMATED min: 2e10 max: 3e10",
       "memory/dram/bytes_per_s", 4, "is outside [2e+10, 3e+10]"},
      {"1e10 source: \"ds\" trust: PUBLISHED", "1e10 source: \"ds\" trust: ESTIMATED min: 1e9",
       "memory/dram/bytes_per_s", 4, "has half a range"},
      {"value: 1024 source: \"ds\"", "value: 1024", "unit/npu/rate/contraction/int8/per_cycle", 8, "has no source"},
      {"value: 1024 source: \"ds\"", "value: 1024 source: \"x\"", "unit/npu/rate/contraction/int8/per_cycle", 8,
       "source 'x' is not in `sources`"},
      {"1e10 source: \"ds\" trust: PUBLISHED", "1e10 source: \"ds\"", "memory/dram/bytes_per_s", 4, "has no trust"},
      {"value: 1e9", "value: 1e12", "unit/npu/clock_hz", 7, "1e+12 is out of range"},
      {"value: 0.5", "value: 1.5", "unit/npu/param/overlap", 9, "1.5 is outside [0, 1]"},
      {"param {", "evidence { precision: \"int9\" count: 1 families: 1 data: \"d\" } param {", "unit/npu/evidence/int9",
       9, "names no precision"},
      {"param {", "evidence { precision: \"int8\" count: 1 families: 1 } param {", "unit/npu/evidence/int8", 9,
       "lacks data, count or families"},
      {"param {", "evidence { precision: \"int8\" count: 1 families: 1 data: \"d\" classes: \"conv.m conv\" } param {",
       "unit/npu/evidence/int8", 9, "class 'conv' has no size or share"},
      {"param {", "evidence { precision: \"int8\" count: 1 families: 1 data: \"d\" classes: \"conv.m=2\" } param {",
       "unit/npu/evidence/int8", 9, "class 'conv.m=2' has no size or share"},
      {"memory: \"sram\"", "memory: \"rom\"", "unit/npu", 5, "names memory 'rom', which is not in this file"},
      {"toolchain: \"qnn\"", "toolchain: \"qnm\"", "unit/npu", 5, "unknown toolchain 'qnm'"},
      {"set { of: \"npu\"", "set { of: \"gpu\"", "mode/slow/set/gpu", 12,
       "names unit or memory 'gpu', which is not in this file"},
      {"is_default: true ", "", "mode", 0, "0 modes are the default"},
      {"name: \"slow\"", "name: \"slow\" is_default: true", "mode", 0, "2 modes are the default"},
      {"name: \"slow\"", "name: \"fast\"", "mode/fast", 12, "stands twice"},
      {"precision: INT8", "precision: FP16", "unit/npu", 5, "precision FP16 has no CONTRACTION rate"},
      {"mode { name: \"fast\"", "decoder { codec: \"h266\" } mode { name: \"fast\"", "decoder/h266", 11,
       "is of no known codec"},
      {"kind: SYSTOLIC ", "", "unit/npu", 5, "has no kind"},
      {"date: \"2026\"", "", "sources/ds", 2, "has neither url nor date"},
      {"title: \"Toy data sheet\"", "", "sources/ds", 2, "lacks key or title"},
      {"kind: SYSTOLIC", "kind: SISTOLIC", "", 6, "SISTOLIC"},
      {"name: \"toy\"", "name: \"toy\" base: \"jetson-orim\"", "base", 0, "unknown target 'jetson-orim'"},
  }));
  const std::string text = Edited(c.from, c.to);
  INFO(c.path << " " << c.message);
  const LintReport report = LintTarget(text, "toy.textproto");
  REQUIRE_FALSE(report.problems.empty());
  const LintProblem& first = report.problems.front();
  CHECK(first.path == c.path);
  CHECK(first.line == c.line);
  CHECK(absl::StrContains(first.message, c.message));
  CHECK_FALSE(first.remedy.empty());
  const absl::Status status = ParseTarget(text, "toy.textproto").status();
  CHECK(DiagnosticOf(status).code == Code::kTargetInvalid);
  CHECK(absl::StrContains(DiagnosticOf(status).message, "toy.textproto"));
}

// The toy with `count` NPUs, the last `idle` of which take no work.
std::string WithUnits(int count, int idle) {
  std::string text = kToy;
  for (int i = 1; i < count; ++i) {
    absl::StrAppend(&text, "unit { name: \"npu", i, "\" like: \"npu\"", i >= count - idle ? " placeable: false" : "",
                    " }\n");
  }
  return text;
}

TEST_CASE("a target has at most 40 units that take work") {
  CHECK(ParseTarget(WithUnits(40, 0), "toy.textproto").ok());
  CHECK(ParseTarget(WithUnits(70, 30), "toy.textproto").ok());
  for (const int count : {41, 65}) {
    const Diagnostic error = DiagnosticOf(ParseTarget(WithUnits(count, 0), "toy.textproto").status());
    CHECK(error.code == Code::kTargetInvalid);
    CHECK(error.message == absl::StrCat("toy.textproto: unit has ", count, " that take work, at most 40 can"));
    CHECK(LintTarget(WithUnits(count, 0), "toy.textproto").problems.size() == 1);
  }
}

TEST_CASE("lint reports every problem and the shares of trust") {
  const std::string text = Edited("source: \"ds\" trust: PUBLISHED", "");
  const LintReport bad = LintTarget(text, "toy.textproto");
  CHECK(bad.problems.size() == 10);
  const LintReport good = LintTarget(kToy, "toy.textproto");
  CHECK(good.problems.empty());
  CHECK(good.facts == 6);
  REQUIRE(good.trust.size() == 2);
  CHECK(good.trust[0].trust == Trust::kPublished);
  CHECK(good.trust[0].count == 5);
  CHECK(good.trust[1].share == Approx(1.0 / 6));
}

TEST_CASE("a fit replaces the stated value") {
  const std::string text =
      Edited("trust: ESTIMATED }", "trust: ESTIMATED fit { value: 0.7 spread: 0.1 count: 9 data: \"m\" } }");
  const auto target = ParseTarget(text, "toy.textproto");
  REQUIRE(target.ok());
  CHECK(*ParamOf(*UnitOf(*target, "npu"), "overlap") == 0.7);
  CHECK(*UnitOf(*target, "npu")->params[0].fact.stated == 0.5);
  CHECK(SummaryOf(*target).fitted == 1);
  CHECK_FALSE(ParseTarget(Edited("trust: ESTIMATED }", "trust: ESTIMATED fit { value: 0.7 } }"), "toy.textproto").ok());
}

TEST_CASE("a file lays itself over its base") {
  const auto target = ParseTarget(R"(
name: "small-orin" base: "jetson-orin" remove: "unit/dla1" remove: "mode/15W"
sources { key: "me" title: "measured by me" date: "2026" }
unit { name: "gpu" cores: 8 clock_hz { value: 9e8 source: "me" trust: MEASURED } }
unit { name: "npu2" like: "dla0" param { name: "overlap" fact { value: 0.9 source: "me" trust: MEASURED } } }
mode { name: "30W" is_default: true set { of: "cpu" cores: 6 } }
measured_as { device: "mine" unit: "GPU" on_unit: "gpu" }
measured_as { device: "mine" unit: "CPU" on_unit: "cpu" })",
                                  "small.textproto");
  REQUIRE(target.ok());
  const Target orin = *LoadTarget("jetson-orin");
  CHECK(target->aliases.empty());
  REQUIRE(target->measured_as.size() == 2);
  CHECK(target->measured_as[0].unit == "GPU");
  CHECK(target->measured_as[1].unit == "CPU");
  CHECK(UnitOf(*target, "dla1") == nullptr);
  CHECK(LinkOf(*target, "gpu", "dla1") == nullptr);
  CHECK(LinkOf(*target, "gpu", "dla0") != nullptr);
  CHECK(target->modes.size() == orin.modes.size() - 1);
  CHECK(target->modes[*target->default_mode].name == "30W");
  const Unit* gpu = UnitOf(*target, "gpu");
  CHECK(gpu->cores == 8);
  CHECK(*gpu->clock_hz.value() == 9e8);
  CHECK(gpu->clock_hz.source == "me");
  CHECK(gpu->rates.size() == UnitOf(orin, "gpu")->rates.size());
  const Unit* copy = UnitOf(*target, "npu2");
  REQUIRE(copy != nullptr);
  CHECK(*ParamOf(*copy, "overlap") == 0.9);
  CHECK(*ParamOf(*UnitOf(*target, "dla0"), "overlap") != 0.9);
  CHECK(*UnitOf(*ApplyMode(*target, ""), "cpu")->clock_hz.value() == 1728e6);
  CHECK(UnitOf(*ApplyMode(*target, ""), "cpu")->cores == 6);
}

TEST_CASE("decoders are those of the base unless the file says another figure, or that they are not there") {
  const auto target = ParseTarget(R"(
name: "camera" base: "rk3588" remove: "decoder/av1"
sources { key: "me" title: "measured by me" date: "2026" }
decoder { codec: "h264" pixels_per_s { value: 0 source: "me" trust: MEASURED } })",
                                  "camera.textproto");
  REQUIRE(target.ok());
  const Target base = *LoadTarget("rk3588");
  CHECK(VideoDecoderOf(*target, "av1") == nullptr);
  CHECK(*VideoDecoderOf(*target, "h264")->pixels_per_s.value() == 0);
  CHECK(*VideoDecoderOf(*target, "h265")->pixels_per_s.value() == *VideoDecoderOf(base, "h265")->pixels_per_s.value());
  const std::vector<TargetFact> facts = FactsOf(*target);
  const auto fact = std::find_if(facts.begin(), facts.end(),
                                 [](const TargetFact& row) { return row.path == "decoder/h264/pixels_per_s"; });
  REQUIRE(fact != facts.end());
  CHECK(fact->unit == "pixel/s");
  CHECK(!fact->is_read);  // by `fit` alone
}

TEST_CASE("removing what the base has not, and circles of bases, are errors") {
  const std::string missing = "name: \"x\" base: \"jetson-orin\" remove: \"unit/dla7\"";
  CHECK(absl::StrContains(ParseTarget(missing, "x.textproto").status().message(), "unit/dla7"));
  const auto path = std::filesystem::temp_directory_path() / "hwest_circle.textproto";
  std::ofstream(path) << "name: \"circle\" base: \"./hwest_circle.textproto\"";
  const auto circle = LoadTarget(path.string());
  std::filesystem::remove(path);
  CHECK(absl::StrContains(circle.status().message(), "chain of bases is too long"));
}

TEST_CASE("what was fitted on the base's unit can be left behind") {
  const Target orin = *LoadTarget("jetson-orin");
  const auto is_fitted = [](const Unit& unit) {
    return std::any_of(unit.params.begin(), unit.params.end(),
                       [](const Param& param) { return param.fact.fit.has_value(); });
  };
  REQUIRE(is_fitted(*UnitOf(orin, "cpu")));
  const auto target = ParseTarget("name: \"x\" base: \"jetson-orin\" remove: \"fit/cpu\"", "x.textproto");
  REQUIRE(target.ok());
  CHECK_FALSE(is_fitted(*UnitOf(*target, "cpu")));
  CHECK(ParamOf(*UnitOf(*target, "cpu"), "compute_efficiency").has_value());
  CHECK_FALSE(ParseTarget("name: \"x\" base: \"jetson-orin\" remove: \"fit/tpu\"", "x.textproto").ok());
}

TEST_CASE("nothing of a unit stays fitted where its fits are left behind, whatever figure it is") {
  const std::string text = R"(base: "jetson-orin" name: "fitted"
      unit { name: "cpu" launch_s { fit { value: 1e-6 count: 9 data: "m.csv" } }
                           static_w { fit { value: 1 count: 9 data: "m.csv" } }
                           evidence { precision: "bf16" count: 9 families: 2 data: "m.csv" classes: "conv.m" } })";
  const std::string base = (std::filesystem::temp_directory_path() / "hwest_fitted.textproto").string();
  std::ofstream(base) << text;
  const auto fits_of_cpu = [](const Target& target) {
    const std::vector<TargetFact> facts = FactsOf(target);
    return std::count_if(facts.begin(), facts.end(),
                         [](const TargetFact& fact) { return fact.place.name == "cpu" && fact.fit.has_value(); });
  };
  const auto fitted = LoadTarget(base);
  REQUIRE(fitted.ok());
  REQUIRE(fits_of_cpu(*fitted) > 2);
  REQUIRE_FALSE(UnitOf(*fitted, "cpu")->evidence.empty());
  const auto without = ParseTarget(absl::StrCat("name: \"x\" base: \"", base, "\" remove: \"fit/cpu\""), "x.textproto");
  REQUIRE(without.ok());
  CHECK(fits_of_cpu(*without) == 0);
  CHECK(UnitOf(*without, "cpu")->evidence.empty());
}

TEST_CASE("a list of targets grades the main unit") {
  const TargetSummary card = SummaryOf(*LoadTarget("metis"));
  CHECK(card.own_fits + card.shared_fits == 0);  // its host has fits
  CHECK(SummaryOf(*LoadTarget("qcs8550")).own_fits > 0);
  CHECK(SummaryOf(*LoadTarget("raspberry-pi-5")).own_fits > 0);
}

TEST_CASE("figures that no estimate reads are not counted") {
  const auto count = [](const std::string& text) { return SummaryOf(*ParseTarget(text, "toy.textproto")).facts; };
  const size_t all = count(kToy);
  CHECK(count(Edited("trust: PUBLISHED } }\nunit",
                     "trust: PUBLISHED } latency_s { value: 1e-7 source: \"ds\" "
                     "trust: PUBLISHED } }\nunit")) == all);
  // A value for each precision stands in front of the plain one.
  CHECK(
      count(Edited("param { name: \"overlap\"",
                   "param { name: \"overlap.int8\" min: 0 max: 1 fact { value: 0.7 source: \"ds\" trust: MEASURED } }\n"
                   "  param { name: \"overlap\"")) == all);
  CHECK(count(Edited("kind: SYSTOLIC", "kind: SYSTOLIC placeable: false")) < all);
  // The power of the idle target is that of its memories, too: one counts only where the other is not stated.
  const std::string memory =
      Edited("trust: PUBLISHED } }\nunit",
             "trust: PUBLISHED } static_w { value: 0.2 source: \"ds\" trust: PUBLISHED } }\nunit");
  CHECK(count(memory) == all + 1);
  CHECK(count(memory + "idle_w { value: 1 source: \"ds\" trust: PUBLISHED }\n") == all + 1);
}

TEST_CASE("the range of a parameter's figure is its own, else that of the parameter") {
  const auto range = [](absl::string_view fact) {
    const std::string text =
        absl::StrReplaceAll(kToy, {{"trust: ESTIMATED } }", absl::StrCat("trust: ESTIMATED ", fact, "} }")}});
    const absl::StatusOr<Target> target = ParseTarget(text, "toy.textproto");
    REQUIRE(target.ok());
    const Fact& overlap = target->units[UnitId(0u)].params[0].fact;
    return std::pair(overlap.min, overlap.max);
  };
  CHECK(range("") == std::pair(std::optional(0.0), std::optional(1.0)));
  CHECK(range("min: 0.4 max: 0.7 ") == std::pair(std::optional(0.4), std::optional(0.7)));
}

TEST_CASE("a path loads a file, and a missing one says so") {
  const auto path = std::filesystem::temp_directory_path() / "hwest_toy.textproto";
  std::ofstream(path) << kToy;
  const auto target = LoadTarget(path.string());
  std::filesystem::remove(path);
  REQUIRE(target.ok());
  CHECK(target->origin == path.string());
  CHECK(DiagnosticOf(LoadTarget(path.string()).status()).code == Code::kTargetUnknown);
}

TEST_CASE("an unknown name suggests the nearest") {
  struct Case {
    const char* name;
    const char* hint;
  };
  const auto c = GENERATE(values<Case>({{"jetson-orn", "jetson-orin"}, {"tda4wm", "tda4vm"}, {"sa8295", "sa8295p"}}));
  const Diagnostic diagnostic = DiagnosticOf(LoadTarget(c.name).status());
  CHECK(diagnostic.code == Code::kTargetUnknown);
  CHECK(absl::StrContains(diagnostic.remedy, c.hint));
  CHECK(absl::StrContains(diagnostic.remedy, "onnx-hwest targets"));
  const Diagnostic mode = DiagnosticOf(ApplyMode(*LoadTarget("jetson-orin"), "15V").status());
  CHECK(mode.code == Code::kTargetUnknown);
  CHECK(absl::StrContains(mode.remedy, "15W"));
}

}  // namespace
}  // namespace hwest
