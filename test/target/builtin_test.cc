// The targets and toolchains that ship with the library.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/target.h"
#include "support/catch.h"
#include "support/source_dir.h"
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

TEST_CASE("names and aliases of built-in targets are unique, names sorted") {
  std::set<std::string> seen;
  std::string last;
  for (const TargetSummary& row : ListTargets()) {
    CHECK(last < row.name);
    last = row.name;
    CHECK(seen.insert(row.name).second);
    for (const std::string& alias : row.aliases) CHECK(seen.insert(alias).second);
  }
  CHECK(seen.count("jetson-orin") == 1);
}

TEST_CASE("bases are built in and end at a root") {
  for (const TargetSummary& row : ListTargets()) {
    std::set<std::string> seen = {row.name};
    std::string base = row.base;
    while (!base.empty()) {
      INFO(row.name << " over " << base);
      REQUIRE(seen.insert(base).second);
      const auto target = LoadTarget(base);
      REQUIRE(target.ok());
      CHECK(target->name == base);
      base = target->base;
    }
    CHECK(seen.size() <= 8);
  }
}

TEST_CASE("derived and estimated figures say why") {
  for (const TargetSummary& row : ListTargets()) {
    for (const TargetFact& fact : FactsOf(*LoadTarget(row.name))) {
      INFO(row.name << " " << fact.path);
      CHECK((fact.trust != Trust::kEstimated || !fact.note.empty()));
      CHECK((fact.trust != Trust::kDerived || !fact.note.empty()));
      CHECK((!fact.source.empty() || (fact.fit.has_value() && !fact.fit->data.empty())));
    }
  }
}

TEST_CASE("an estimate says between what it may lie") {
  for (const TargetSummary& row : ListTargets()) {
    for (const TargetFact& fact : FactsOf(*LoadTarget(row.name))) {
      if (fact.trust != Trust::kEstimated) continue;
      INFO(row.name << " " << fact.path);
      REQUIRE((fact.min.has_value() && fact.max.has_value()));
      CHECK(*fact.min < *fact.max);
      CHECK(*fact.min <= fact.stated.value_or(fact.value));
      CHECK(fact.stated.value_or(fact.value) <= *fact.max);
    }
  }
}

TEST_CASE("less than 35 % of the figures that estimates read are estimates themselves") {
  size_t facts = 0, estimated = 0;
  for (const TargetSummary& row : ListTargets()) {
    facts += row.facts;
    estimated += row.estimated;
  }
  INFO(estimated << " of " << facts);
  CHECK(100 * estimated < 35 * facts);
}

TEST_CASE("versions of a toolchain state what differs") {
  struct Case {
    const char* toolchain;
    const char* domain;
    const char* op;
    bool supported;
  };
  const auto c = GENERATE(values<Case>({
      {"tensorrt-8.4", "", "GridSample", false},
      {"tensorrt", "", "GridSample", true},
      {"tensorrt", "", "Attention", false},
      {"tensorrt-10.15", "", "Attention", true},
      {"tensorrt-10.15", "", "Swish", false},
      {"tensorrt-11", "", "Swish", true},
      {"tensorrt-11", "", "Attention", true},
      {"tensorrt-dla-8.5", "", "Sin", false},
      {"tensorrt-dla", "", "Sin", true},
      {"tensorrt-dla-8.5", "", "Softmax", false},
      {"tensorrt-dla", "", "Softmax", true},
      {"tensorrt-dla-8.5", "", "Sigmoid", true},
      {"tensorrt-dla", "", "QuantizeLinear", false},
      {"tensorrt-dla-11", "", "QuantizeLinear", true},
      {"qnn-2.42", "", "GRU", false},
      {"qnn", "", "GRU", true},
      {"qnn", "com.microsoft", "DequantizeLinear", true},
      {"qnn-2.42", "", "QLinearConv", false},
      {"qnn", "", "QLinearConv", true},
      {"qnn", "", "Swish", false},
      {"qnn-2.51", "", "Swish", true},
      {"hobot-bernoulli2", "", "Sqrt", false},
      {"rknn", "", "Softmax", true},
      {"rknn-rk3566", "", "Softmax", false},
      {"rknn-2.5", "", "Softmax", true},
      {"qnn", "", "LSTM", true},
      {"qnn-qcs6490", "", "LSTM", false},
      {"hobot-bayes-e", "", "Sqrt", true},
      {"vela", "", "Div", false},
      {"vela-u85", "", "Div", true},
  }));
  INFO(c.toolchain << " " << c.op);
  const Toolchain toolchain = *LoadToolchain(c.toolchain);
  const SupportRow* row = SupportOf(toolchain, c.domain, c.op);
  CHECK((row != nullptr && row->supported) == c.supported);
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
      CHECK(SharedMemoryOf(target, unit)->bytes_per_s.known());
      if (SharedMemoryOf(target, unit)->name != "dram") {  // a module with a memory or a bus of its own
        const Link* to_host = LinkOf(target, unit.name, "cpu");
        REQUIRE(to_host != nullptr);
        CHECK(to_host->copies);
      }
      CHECK(unit.launch_s.known());
      CHECK(unit.invoke_s.known());
      for (const char* name :
           {"dram_efficiency", "compute_efficiency", "depthwise_efficiency", "pointwise_efficiency", "overlap"}) {
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
      {"x86-avx512", "cpu", Num::kFp32, 0.1792e12},
      {"jetson-agx-orin-32gb", "gpu", Num::kInt8, 26.7e12},
      {"jetson-agx-orin-32gb", "dla1", Num::kInt8, 11.5e12},
      {"jetson-orin-nx-16gb", "gpu", Num::kInt8, 15.05e12},
      {"jetson-orin-nx-16gb", "dla0", Num::kInt8, 5.03e12},
      {"jetson-orin-nx-8gb", "gpu", Num::kFp16, 6.27e12},
      {"jetson-orin-nano-4gb", "gpu", Num::kFp16, 2.51e12},
      {"jetson-agx-xavier", "gpu", Num::kFp16, 5.65e12},
      {"jetson-agx-xavier", "dla0", Num::kInt8, 2.85e12},
      {"jetson-xavier-nx", "gpu", Num::kInt8, 6.8e12},
      {"jetson-agx-thor", "gpu", Num::kFp8, 258.5e12},
      {"am62a", "c7x-mma", Num::kInt8, 1.024e12},
      {"am69a", "c7x-mma", Num::kInt16, 1.024e12},
      {"qcs6490", "htp", Num::kInt8, 6.0e12},
      {"qcs8550", "htp", Num::kInt8, 24.0e12},
      {"snapdragon-x-elite", "htp", Num::kInt8, 22.5e12},
      {"rk3588", "npu", Num::kInt8, 1.024e12},
      {"t4", "gpu", Num::kFp16, 32.5e12},
      {"a100", "gpu", Num::kInt8, 312e12},
      {"h100", "gpu", Num::kFp16, 494.7e12},
      {"h200", "gpu", Num::kTf32, 247.4e12},
      {"l4", "gpu", Num::kFp8, 121e12},
      {"raspberry-pi-5", "cpu", Num::kInt8, 0.307e12},
      {"coral-usb", "edgetpu", Num::kInt8, 1.024e12},
      {"a2", "gpu", Num::kInt8, 18e12},
      {"a10", "gpu", Num::kFp16, 62.5e12},
      {"a30", "gpu", Num::kFp16, 82.5e12},
      {"l40s", "gpu", Num::kFp8, 366e12},
      {"rtx-3090", "gpu", Num::kFp32, 17.8e12},
      {"rtx-4090", "gpu", Num::kInt8, 330e12},
      {"rtx-5090", "gpu", Num::kFp4, 838e12},
      {"h100-pcie", "gpu", Num::kFp16, 378e12},
      {"b200", "gpu", Num::kFp4, 4500e12},
      {"jetson-agx-thor", "gpu", Num::kFp4, 516e12},
      {"jetson-t4000", "gpu", Num::kFp4, 300e12},
      {"dgx-spark", "gpu", Num::kFp4, 248e12},
      {"jetson-tx2", "gpu", Num::kFp16, 0.666e12},
      {"jetson-nano", "gpu", Num::kFp16, 0.236e12},
      {"rk3566", "npu", Num::kInt8, 0.4e12},
      {"rk3568", "npu", Num::kInt8, 0.5e12},
      {"rzv2h", "drp-ai", Num::kInt8, 4e12},
      {"rdk-x5", "bpu", Num::kInt8, 5e12},
      {"bm1684x", "tpu", Num::kInt8, 16.4e12},
      {"metis", "core3", Num::kInt8, 26.2e12},
      {"core-ultra-7-258v", "npu", Num::kInt8, 23.5e12},
      {"stm32n6", "npu", Num::kInt8, 0.3e12},
      {"ethos-u55-256", "npu", Num::kInt8, 0.128e12},
      {"coral-pcie", "edgetpu", Num::kInt8, 2.048e12},
      {"coral-usb", "cpu", Num::kInt8, 0.0576e12},
      {"snapdragon-x2-elite", "htp", Num::kInt8, 40e12},
      {"imx93", "npu", Num::kInt8, 0.256e12},
      {"imx8m-plus", "npu", Num::kInt8, 1.15e12},
      {"stm32mp25", "npu", Num::kInt8, 0.6e12},
      {"v100-sxm2-16gb", "gpu", Num::kFp16, 62.5e12},
      {"rtx-2080-ti", "gpu", Num::kFp16, 53.8e12},
      {"a40", "gpu", Num::kFp16, 74.8e12},
      {"l40", "gpu", Num::kFp8, 181e12},
      {"rtx-4000-ada", "gpu", Num::kFp32, 13.4e12},
      {"rtx-pro-6000-blackwell-max-q", "gpu", Num::kFp4, 878e12},
      {"h100-nvl", "gpu", Num::kFp16, 417.5e12},
      {"mi300x", "gpu", Num::kFp16, 653.5e12},
      {"ryzen-ai-max-395", "gpu", Num::kFp16, 29.7e12},
      {"ryzen-ai-max-395", "npu", Num::kInt8, 25e12},
      {"core-ultra-x7-358h", "npu", Num::kInt8, 25e12},
      {"flex-170", "gpu", Num::kInt8, 128e12},
      {"rv1126b", "npu", Num::kInt8, 1.5e12},
      {"rv1126", "npu", Num::kInt8, 1e12},
      {"rk1808", "npu", Num::kInt8, 1.5e12},
      {"rzv2n", "drp-ai", Num::kInt8, 2e12},
      {"cv186x", "tpu", Num::kInt8, 3.6e12},
      {"bm1684", "tpu", Num::kInt8, 8.8e12},
      {"ax650n", "npu", Num::kInt8, 9e12},
      {"ax630c", "npu", Num::kInt8, 1.6e12},
      {"dx-m1", "npu", Num::kInt8, 12.5e12},
      {"genio-700", "apu", Num::kInt8, 2e12},
      {"apple-m1", "ane", Num::kFp16, 5.5e12},
      {"apple-m4", "ane", Num::kInt8, 19e12},
  }));
  INFO(c.target << " " << c.unit);
  const Target target = *ApplyMode(*LoadTarget(c.target), "");
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

// SMs and clocks as NVIDIA's guide lists them; below 120 W the clock rises, as four of ten TPCs are off.
TEST_CASE("the modes of Jetson Thor power what their table says") {
  struct Case {
    const char* target;
    const char* mode;
    uint32_t sms;
    double gpu_hz;
    uint32_t cores;
    double cpu_hz;
    double cap_w;
  };
  const auto c = GENERATE(values<Case>({
      {"jetson-agx-thor", "MAXN", 20, 1575e6, 14, 2601e6, 130},
      {"jetson-agx-thor", "120W", 20, 1386e6, 14, 2601e6, 120},
      {"jetson-agx-thor", "90W", 12, 1530e6, 14, 2601e6, 90},
      {"jetson-agx-thor", "70W", 12, 1530e6, 12, 1998e6, 70},
      {"jetson-t4000", "MAXN", 12, 1530e6, 12, 2601e6, 90},
      {"jetson-t4000", "", 12, 1530e6, 12, 1998e6, 70},
  }));
  INFO(c.target << " " << c.mode);
  const auto target = ApplyMode(*LoadTarget(c.target), c.mode);
  REQUIRE(target.ok());
  const Unit* gpu = UnitOf(*target, "gpu");
  const Unit* cpu = UnitOf(*target, "cpu");
  CHECK(gpu->cores == c.sms);
  CHECK(*gpu->clock_hz.value() == c.gpu_hz);
  CHECK(cpu->cores == c.cores);
  CHECK(*cpu->clock_hz.value() == c.cpu_hz);
  CHECK(*ModeOf(*target, target->mode)->cap_w.value() == c.cap_w);
  CHECK((c.cpu_hz > 2e9) == (*gpu->launch_s.value() < 5e-6));  // a slower CPU hands out kernels later
}

TEST_CASE("every mode applies and leaves something to run on") {
  for (const TargetSummary& row : ListTargets()) {
    const Target target = *LoadTarget(row.name);
    for (const Mode& mode : target.modes) {
      INFO(row.name << " " << mode.name);
      const auto applied = ApplyMode(target, mode.name);
      REQUIRE(applied.ok());
      size_t placeable = 0;
      for (const Unit& unit : applied->units) {
        if (!unit.placeable) continue;
        ++placeable;
        CHECK(*unit.clock_hz.value() > 0);
        CHECK(*SharedMemoryOf(*applied, unit)->bytes_per_s.value() > 0);
      }
      CHECK(placeable > 0);
    }
  }
}

double PeakIn(absl::string_view name, absl::string_view mode, absl::string_view unit_name, Num num) {
  const Target target = *ApplyMode(*LoadTarget(name), mode);
  const Unit* unit = UnitOf(target, unit_name);
  REQUIRE(unit != nullptr);
  const Rate* rate = RateOf(*unit, WorkKind::kContraction, num, num);
  REQUIRE(rate != nullptr);
  return *PeakPerS(*unit, *rate);
}

double DramIn(absl::string_view name, absl::string_view mode) {
  const Target target = *ApplyMode(*LoadTarget(name), mode);
  return *MemoryOf(target, "dram")->bytes_per_s.value();
}

TEST_CASE("a larger module, a newer generation and a higher mode are no slower") {
  struct Part {
    const char* target;
    const char* mode;
  };
  struct Case {
    const char* unit;
    Num num;
    std::vector<Part> parts;  // slowest first
  };
  // clang-format off
  const std::vector<Case> cases = {
      {"gpu", Num::kInt8,
       {{"jetson-orin-nano-4gb", "10W"}, {"jetson-orin-nano-8gb", "15W"}, {"jetson-orin-nx-8gb", "MAXN"},
        {"jetson-orin-nx-16gb", "MAXN"}, {"jetson-agx-orin-32gb", "MAXN"}, {"jetson-agx-orin-64gb", "MAXN"},
        {"jetson-agx-thor", "MAXN"}}},
      {"gpu", Num::kFp16,
       {{"jetson-agx-orin-64gb", "15W"}, {"jetson-agx-orin-64gb", "30W"}, {"jetson-agx-orin-64gb", "50W"},
        {"jetson-agx-orin-64gb", "MAXN"}}},
      {"gpu", Num::kFp16,
       {{"jetson-t4000", "70W"}, {"jetson-agx-thor", "90W"}, {"jetson-agx-thor", "120W"}, {"jetson-agx-thor", "MAXN"}}},
      {"gpu", Num::kFp16,
       {{"jetson-orin-nano-8gb", "7W"}, {"jetson-orin-nano-8gb", "15W"}, {"jetson-orin-nano-8gb", "25W"},
        {"jetson-orin-nano-8gb", "MAXN_SUPER"}, {"jetson-orin-nx-16gb", "MAXN_SUPER"}}},
      {"dla0", Num::kInt8,
       {{"jetson-orin-nx-16gb", "10W"}, {"jetson-orin-nx-16gb", "MAXN"}, {"jetson-orin-nx-16gb", "40W"},
        {"jetson-orin-nx-16gb", "MAXN_SUPER"}, {"jetson-agx-orin-32gb", "MAXN"}}},
      {"gpu", Num::kInt8,
       {{"jetson-xavier-nx", "10W"}, {"jetson-xavier-nx", "15W"}, {"jetson-xavier-nx", "20W"},
        {"jetson-agx-xavier", "MAXN"}}},
      {"gpu", Num::kFp16, {{"t4", ""}, {"a100", ""}, {"h100", ""}, {"h200", ""}}},
      {"gpu", Num::kInt8, {{"a2", ""}, {"t4", ""}, {"l4", ""}, {"a10", ""}, {"rtx-3090", ""}, {"rtx-4090", ""},
                           {"l40s", ""},
       {"rtx-5090", ""}}},
      {"gpu", Num::kFp16, {{"jetson-nano", ""}, {"jetson-tx2", "MaxQ"}, {"jetson-tx2", ""}, {"jetson-agx-xavier", ""}}},
      {"npu", Num::kInt8, {{"ethos-u55-256", ""}, {"stm32n6", ""}, {"ethos-u65-512", ""}, {"ethos-u85-1024", ""}}},
      {"htp", Num::kInt8,
       {{"qcs6490", ""}, {"sa7255p", ""}, {"snapdragon-7-gen-4", ""}, {"qcs8450", ""}, {"snapdragon-x-elite", ""},
        {"qcs8550", ""}, {"snapdragon-8-gen-3", ""}, {"snapdragon-8-elite", ""},
        {"snapdragon-8-elite-for-galaxy", ""}, {"snapdragon-8-elite-gen-5", ""}}},
      {"c7x-mma", Num::kInt8,
       {{"am62a", ""}, {"am67a", ""}, {"am67a", "2-core"}, {"tda4vm", ""}, {"am68a", ""}, {"am69a", ""},
        {"am69a", "4-core"}}},
      {"npu", Num::kInt8,
       {{"rk3566", ""}, {"rk3568", ""}, {"rk3562", ""}, {"rk3588", "1-core"}, {"rk3576", "1-core"},
        {"rk3588", "2-core"},
        {"rk3576", "2-core"}, {"rk3588", "3-core"}}},
      {"npu", Num::kInt8,
       {{"imx93", ""}, {"rv1106", ""}, {"stm32mp25", ""}, {"rv1109", ""}, {"rv1126", ""}, {"imx8m-plus", ""},
        {"rk1808", ""}, {"ax630c", ""}, {"ax650n", ""}, {"dx-m1", ""}}},
      {"gpu", Num::kFp16,
       {{"rtx-2000e-ada", ""}, {"rtx-4000-ada", ""}, {"v100-sxm2-16gb", ""}, {"a40", ""}, {"l40", ""},
        {"rtx-pro-6000-blackwell-max-q", ""}, {"h100-nvl", ""}, {"gh200", ""}}},
      {"npu", Num::kInt8,
       {{"core-ultra-7-165h", ""}, {"core-ultra-7-258v", ""}, {"core-ultra-7-268v", ""}, {"core-ultra-x7-358h", ""}}},
      {"npu", Num::kInt8, {{"hailo-15l", ""}, {"hailo-8l", ""}, {"hailo-10h", ""}, {"hailo-15h", ""}, {"hailo-8", ""}}},
      {"cpu", Num::kFp32,
       {{"raspberry-pi-4", "1 thread"}, {"cortex-a55", "2 threads"}, {"raspberry-pi-4", "4 threads"},
        {"cortex-a55", ""}, {"raspberry-pi-5", ""}, {"cortex-a78", ""}, {"x86-avx2", ""}}},
  };
  // clang-format on
  for (const Case& c : cases) {
    for (size_t i = 1; i < c.parts.size(); ++i) {
      const Part slow = c.parts[i - 1];
      const Part fast = c.parts[i];
      INFO(slow.target << " " << slow.mode << " before " << fast.target << " " << fast.mode);
      CHECK(PeakIn(slow.target, slow.mode, c.unit, c.num) <= PeakIn(fast.target, fast.mode, c.unit, c.num));
    }
  }
  CHECK(DramIn("jetson-orin-nano-8gb", "15W") < DramIn("jetson-orin-nano-8gb", "25W"));
  CHECK(DramIn("jetson-agx-xavier", "10W") < DramIn("jetson-agx-xavier", "MAXN"));
}

TEST_CASE("a row of measurements belongs to one target") {
  struct Owner {
    std::string target;
    MeasuredAs row;
  };
  std::vector<Owner> owners;
  for (const TargetSummary& row : ListTargets()) {
    const Target target = *LoadTarget(row.name);
    for (const MeasuredAs& measured : target.measured_as) owners.push_back({row.name, measured});
  }
  const auto either_empty = [](const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; };
  const auto prefix = [](const std::string& a, const std::string& b) {
    return a.compare(0, b.size(), b) == 0 || b.compare(0, a.size(), a) == 0;
  };
  for (size_t i = 0; i < owners.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const MeasuredAs& a = owners[i].row;
      const MeasuredAs& b = owners[j].row;
      if (a.device != b.device || a.mode != b.mode || !either_empty(a.unit, b.unit)) continue;
      INFO(owners[i].target << " and " << owners[j].target << ": " << a.device << " " << a.runtime);
      // In one target the row with the longer runtime is the one that counts.
      CHECK_FALSE((owners[i].target == owners[j].target ? a.runtime == b.runtime : prefix(a.runtime, b.runtime)));
    }
  }
  CHECK(owners.size() > 100);
}

TEST_CASE("targets and modes are found in any case, and no two differ by that alone") {
  std::map<std::string, std::string> called;
  for (const TargetSummary& row : ListTargets()) {
    std::vector<std::string> names = row.aliases;
    names.push_back(row.name);
    for (const std::string& name : names) {
      INFO(name);
      CHECK(called.emplace(absl::AsciiStrToLower(name), row.name).second);
      CHECK(LoadTarget(absl::AsciiStrToUpper(name))->name == row.name);
      CHECK((*SharedTarget(absl::AsciiStrToUpper(name), ""))->name == row.name);
    }
    const Target target = *LoadTarget(row.name);
    std::set<std::string> modes;
    for (const Mode& mode : target.modes) {
      CHECK(modes.insert(absl::AsciiStrToLower(mode.name)).second);
      CHECK(ApplyMode(target, absl::AsciiStrToLower(mode.name))->mode == mode.name);
    }
  }
}

TEST_CASE("toolchains state what else binds a plan") {
  const Toolchain tpu = *LoadToolchain("edgetpu-compiler");
  CHECK(tpu.prefix_only);
  CHECK(tpu.max_segments == 1);
  CHECK(tpu.precisions == std::vector<Num>{Num::kInt8});
  CHECK(LoadToolchain("pytorch-eager")->fuses.empty());
  CHECK(LoadToolchain("pytorch-eager")->runs_everything);
  CHECK(LoadToolchain("openvino")->runs_everything);
  CHECK(PickOf(*LoadToolchain("rknn"), "wide_conv_add") != nullptr);
  // Fused attention came with TensorRT 8.6: the row of the version before takes it out of what its base makes.
  CHECK(PickOf(*LoadToolchain("tensorrt"), "attention") != nullptr);
  CHECK(PickOf(*LoadToolchain("tensorrt-8.4"), "attention") == nullptr);
  CHECK(PickOf(*LoadToolchain("tensorrt-8.4"), "conv_act") != nullptr);
  CHECK(LoadToolchain("tensorrt-cuda-graph")->launch_share.value() == 0.4);
  CHECK_FALSE(LoadToolchain("tensorrt")->launch_share.known());
  CHECK(PickOf(tpu, "conv_add") == nullptr);
  const Toolchain rknn = *LoadToolchain("rknn");
  REQUIRE(PickOf(rknn, "add_act") != nullptr);
  REQUIRE(PickOf(rknn, "add_act")->limits.size() == 1);
  CHECK(PickOf(rknn, "add_act")->limits[0].any == std::vector<std::string>{"Relu"});
}

TEST_CASE("a fusion that a version of a toolchain states replaces that of its base") {
  const Toolchain base = *LoadToolchain("rknn"), version = *LoadToolchain("rknn-rk3576");
  for (const auto& [pattern, fewer] : {std::pair{"conv_act", 3}, {"gemm_act", 2}}) {
    REQUIRE(PickOf(version, pattern) != nullptr);
    REQUIRE(!PickOf(version, pattern)->limits.empty());
    CHECK(PickOf(version, pattern)->limits.size() < PickOf(base, pattern)->limits.size());
    CHECK(PickOf(version, pattern)->limits[0].any.size() + fewer == PickOf(base, pattern)->limits[0].any.size());
  }
  CHECK(version.fuses.size() == base.fuses.size() + 1);
}

TEST_CASE("every fusion of a toolchain says how it is known, and what was seen in a compiler, in which version") {
  for (const std::string& name : ListToolchains()) {
    const Toolchain toolchain = *LoadToolchain(name);
    for (const Pick& pick : toolchain.fuses) {
      INFO(name << " " << pick.pattern);
      CHECK(pick.trust != Trust::kUnset);
      const auto source = std::find_if(toolchain.sources.begin(), toolchain.sources.end(),
                                       [&](const FactSource& row) { return row.key == pick.source; });
      REQUIRE(source != toolchain.sources.end());
      CHECK((pick.trust != Trust::kMeasured || !source->date.empty()));
    }
  }
}

TEST_CASE("toolchains say how a unit takes turns, with a source, and versions as their base") {
  for (const std::string& name : ListToolchains()) {
    INFO(name);
    const Toolchain toolchain = *LoadToolchain(name);
    if (!toolchain.sharing.has_value()) continue;
    CHECK((toolchain.sharing->slice_s > 0) == (toolchain.sharing->preemption == Preemption::kSlices));
    CHECK(toolchain.sharing->trust != Trust::kUnset);
    CHECK(std::any_of(toolchain.sources.begin(), toolchain.sources.end(),
                      [&](const FactSource& source) { return source.key == toolchain.sharing->source; }));
  }
  CHECK(LoadToolchain("tensorrt-8.4")->sharing->slice_s == 2e-3);
  CHECK(LoadToolchain("tidl-c7504")->sharing->policy == PolicyKind::kPriority);
  CHECK(LoadToolchain("tidl-c7504")->sharing->preemption == Preemption::kBetweenPieces);
  CHECK(LoadToolchain("openvino")->sharing->preemption == Preemption::kSlices);
  CHECK(LoadToolchain("openvino-npu")->sharing->slice_s == 0);  // none of its base
  CHECK_FALSE(LoadToolchain("vela")->sharing.has_value());
}

TEST_CASE("every toolchain of an accelerator says how it divides a model, with a source") {
  for (const TargetSummary& row : ListTargets()) {
    const Target target = *LoadTarget(row.name);
    for (const Unit& unit : target.units) {
      const Toolchain* toolchain = ToolchainOf(target, unit);
      if (!unit.placeable || unit.kind == UnitKind::kSimdCpu || toolchain == nullptr) continue;
      INFO(row.name << " " << unit.name << " " << toolchain->name);
      REQUIRE(toolchain->partition.has_value());
      CHECK(toolchain->partition->trust != Trust::kUnset);
      CHECK(std::any_of(toolchain->sources.begin(), toolchain->sources.end(),
                        [&](const FactSource& source) { return source.key == toolchain->partition->source; }));
    }
  }
  CHECK_FALSE(LoadToolchain("openvino")->partition->on_request);
  CHECK(LoadToolchain("openvino-npu")->partition->on_request);
  CHECK(LoadToolchain("openvino-npu")->partition->means.empty());  // none of its base
  CHECK(LoadToolchain("tensorrt-dla-11")->partition->on_request);  // that of its base
  CHECK(LoadToolchain("tidl-c7504")->partition->means == LoadToolchain("tidl")->partition->means);
  CHECK_FALSE(LoadToolchain("onnxruntime-cpu")->partition.has_value());
}

TEST_CASE("a wrong way to divide a model is refused") {
  struct Case {
    std::string partition;
    std::string says;
  };
  const auto c = GENERATE(values<Case>({
      {"source: \"s\" trust: RECALLED", "does not say what it takes"},
      {"takes: ALL_SUPPORTED source: \"s\"", "has no trust"},
      {"takes: ALL_SUPPORTED trust: RECALLED", "has no source"},
      {"takes: ALL_SUPPORTED source: \"t\" trust: RECALLED", "is not in `sources`"},
  }));
  INFO(c.partition);
  const std::string path = absl::StrCat("/tmp/hwest_partition_", getpid(), ".textproto");
  std::ofstream(path)
      << "name: \"x\" runs_everything: true sources { key: \"s\" title: \"t\" date: \"2024\" }\npartition { "
      << c.partition << " }";
  const absl::StatusOr<Toolchain> toolchain = LoadToolchain(path);
  CHECK_FALSE(toolchain.ok());
  CHECK(absl::StrContains(toolchain.status().message(), c.says));
  std::remove(path.c_str());
}

TEST_CASE("a wrong copy of the host is refused") {
  struct Case {
    std::string copy;
    std::string says;
  };
  const auto c = GENERATE(values<Case>({
      {"before: true source: \"s\" trust: RECALLED", "names no operator"},
      {"op: \"Reshape\" source: \"s\" trust: RECALLED", "does not say what is copied"},
      {"op: \"Reshape\" before: true source: \"s\"", "has no trust"},
      {"op: \"*\" given: true unless {} source: \"s\" trust: RECALLED", "exception of everything"},
      {"op: \"*\" given: true unless { limit { of: \"rang:0\" max: 1 } } source: \"s\" trust: RECALLED", "rang"},
      {"op: \"Reshape\" before: true trust: RECALLED", "has no source"},
      {"op: \"Reshap\" before: true source: \"s\" trust: RECALLED", "Reshap"},
      {"op: \"Reshape\" limit { of: \"rang:0\" max: 1 } before: true source: \"s\" trust: RECALLED", "rang"},
  }));
  INFO(c.copy);
  const std::string path = absl::StrCat("/tmp/hwest_copies_", getpid(), ".textproto");
  std::ofstream(path)
      << "name: \"x\" runs_everything: true sources { key: \"s\" title: \"t\" date: \"2024\" }\nhost_copies { "
      << c.copy << " }";
  const absl::StatusOr<Toolchain> toolchain = LoadToolchain(path);
  CHECK_FALSE(toolchain.ok());
  CHECK(absl::StrContains(toolchain.status().message(), c.says));
  std::remove(path.c_str());
}

TEST_CASE("a wrong way to take turns is refused") {
  struct Case {
    std::string sharing;
    std::string says;
  };
  const auto c = GENERATE(values<Case>({
      {"yield: AT_END source: \"s\" trust: RECALLED", "has no order"},
      {"order: FIFO source: \"s\" trust: RECALLED", "has no yield"},
      {"order: FIFO yield: AT_END source: \"s\"", "has no trust"},
      {"order: FIFO yield: AT_END trust: RECALLED", "has no source"},
      {"order: FIFO yield: AT_END source: \"t\" trust: RECALLED", "is not in `sources`"},
      {"order: FIFO yield: BY_SLICE source: \"s\" trust: RECALLED", "has a slice without"},
      {"order: FIFO yield: AT_END slice_s: 1 source: \"s\" trust: RECALLED", "has a slice without"},
      {"order: FIFO yield: BY_SLICE slice_s: 0 source: \"s\" trust: RECALLED", "out of range"},
  }));
  INFO(c.sharing);
  const std::string path = absl::StrCat("/tmp/hwest_sharing_", getpid(), ".textproto");
  std::ofstream(path)
      << "name: \"x\" runs_everything: true sources { key: \"s\" title: \"t\" date: \"2024\" }\nsharing { " << c.sharing
      << " }";
  const absl::StatusOr<Toolchain> toolchain = LoadToolchain(path);
  CHECK_FALSE(toolchain.ok());
  CHECK(absl::StrContains(toolchain.status().message(), c.says));
  std::remove(path.c_str());
}

TEST_CASE("what a toolchain demands is counted by operator") {
  Toolchain toolchain{.static_only = true};
  toolchain.support = {
      {.ops = {"*"}, .limits = {{.kind = LimitKind::kBatch}}},
      {.ops = {"Conv", "Add"}, .limits = {{.kind = LimitKind::kRank}}, .note = "one; two"},
      {.ops = {"Erf"}, .only_in = {"gelu_erf"}},
      {.ops = {"Loop"}, .supported = false, .note = "not listed"},
      {.ops = {"QGemm"}, .domain = "com.microsoft", .note = "slow"},
  };
  toolchain.by_op = {{"", "*", 0},   {"", "Add", 1},  {"", "Conv", 1},
                     {"", "Erf", 2}, {"", "Loop", 3}, {"com.microsoft", "QGemm", 4}};
  const SupportStats stats = StatsOf(toolchain);
  CHECK(stats.typed == 5);
  CHECK(stats.noted == 5);
  CHECK(stats.ops == std::vector<std::string>{"Add", "Conv", "Erf", "Loop"});
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

TEST_CASE("built-in targets are read once in a process") {
  const auto of = [](const char* name, const char* mode) { return SharedTarget(name, mode).value(); };
  CHECK(of("jetson-agx-orin-64gb", "30W") == of("jetson-agx-orin-64gb", "30W"));
  CHECK(of("jetson-orin", "30W") == of("jetson-agx-orin-64gb", "30W"));  // an alias
  CHECK(of("jetson-orin", "30W") != of("jetson-orin", "50W"));
  CHECK(of("jetson-orin", "30W")->mode == "30W");
  CHECK(of("jetson-orin", "")->mode == ApplyMode(*LoadTarget("jetson-orin"), "")->mode);
  CHECK(SharedTarget("jetson-orin", "31W").status() == ApplyMode(*LoadTarget("jetson-orin"), "31W").status());
  CHECK(SharedTarget("jetson-orion", "").status() == LoadTarget("jetson-orion").status());
}

TEST_CASE("a target file is read again each time") {
  const std::string path = std::string(HWEST_SOURCE_DIR) + "/lib/target/example.textproto";
  const auto one = SharedTarget(path, ""), two = SharedTarget(path, "");
  REQUIRE(one.ok());
  CHECK(*one != *two);
  CHECK((*one)->name == (*two)->name);
}

}  // namespace
}  // namespace hwest
