// Discrete modules, and the CPUs that feed them.
#include "hwest/host.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest {
namespace {

using Catch::Contains;

TEST_CASE("modules behind PCIe or USB are discrete, and name the CPU they stand beside") {
  std::vector<std::string> discrete;
  for (const TargetSummary& summary : ListTargets()) {
    const auto target = LoadTarget(summary.name);
    REQUIRE(target.ok());
    CHECK(IsDiscrete(*target) == !target->host.empty());
    if (IsDiscrete(*target)) discrete.push_back(absl::StrCat(target->name, " ", target->host));
  }
  // clang-format off
  CHECK(discrete == std::vector<std::string>{"a10 x86-avx512", "a100 x86-avx512", "a100-pcie-40gb x86-avx512",
                                             "a100-pcie-80gb x86-avx512", "a100-sxm-40gb x86-avx512",
                                             "a16 x86-avx512", "a2 x86-avx512", "a30 x86-avx512", "a40 x86-avx512",
                                             "arc-a770m x86-avx2", "b200 x86-avx512", "coral-pcie raspberry-pi-4",
                                             "coral-usb raspberry-pi-4", "dx-m1 x86-avx2", "flex-170 x86-avx2",
                                             "gh200 x86-avx512", "h100 x86-avx512", "h100-nvl x86-avx512",
                                             "h100-pcie x86-avx512", "h200 x86-avx512", "h200-nvl x86-avx512",
                                             "hailo-10h x86-avx2", "hailo-8 x86-avx2", "hailo-8l x86-avx2",
                                             "l4 x86-avx512", "l40 x86-avx512", "l40s x86-avx512", "metis x86-avx2",
                                             "mi300x x86-avx512", "rtx-2000e-ada x86-avx512",
                                             "rtx-2080-ti x86-avx512", "rtx-3090 x86-avx512",
                                             "rtx-4000-ada x86-avx512", "rtx-4090 x86-avx512", "rtx-5090 x86-avx512",
                                             "rtx-6000-ada x86-avx512", "rtx-pro-6000-blackwell-max-q x86-avx512",
                                             "t4 x86-avx512", "v100-sxm2-16gb x86-avx512",
                                             "v100-sxm2-32gb x86-avx512", "v100s-pcie-32gb x86-avx512"});
  // clang-format on
}

TEST_CASE("another host lends its CPU and memory under the old name, in its default mode") {
  const Target module = *LoadTarget("hailo-8");
  const Target host = *ApplyMode(*LoadTarget("raspberry-pi-5"), "");
  const auto changed = UseHost(module, *LoadTarget("raspberry-pi-5"));
  REQUIRE(changed.ok());
  CHECK(changed->host == "raspberry-pi-5");
  CHECK(changed->name == "hailo-8");
  const Unit& cpu = *UnitOf(*changed, "cpu");
  const Unit& lent = *UnitOf(host, "cpu");
  CHECK(cpu.clock_hz.value() == lent.clock_hz.value());
  CHECK(cpu.cores == lent.cores);
  CHECK(SharedMemoryOf(*changed, cpu)->bytes_per_s.value() == SharedMemoryOf(host, lent)->bytes_per_s.value());
  CHECK(MemoryOf(*changed, "l3") == nullptr);  // of the x86 CPU alone
  const Unit& npu = *UnitOf(*changed, "npu");
  CHECK(SharedMemoryOf(*changed, npu)->name == "pcie");
  CHECK(ToolchainOf(*changed, cpu) != nullptr);
  CHECK(changed->idle_w.value() == module.idle_w.value());
  CHECK(ApplyMode(*changed, "PCIe x1").ok());
  for (const TargetFact& fact : FactsOf(*changed)) CHECK_FALSE(fact.source.empty());
}

TEST_CASE("a module gets no more than the slot of its host, and of its modes that of such a slot") {
  const Target host = *LoadTarget("raspberry-pi-5");
  const double lane = *host.slot_bytes_per_s.value();
  CHECK(lane < 1e9);  // of one lane
  for (const char* name : {"hailo-8", "hailo-8l", "hailo-10h", "metis", "a2"}) {
    INFO(name);
    const Target module = *LoadTarget(name), changed = *UseHost(module, host);
    for (const Link& link : changed.links) {
      if (link.to == "cpu") CHECK(*link.bytes_per_s.value() < lane);
    }
    for (const Memory& memory : module.memories) {  // the module's own are as wide as before
      if (!memory.capacity_bytes.known() || MemoryOf(changed, memory.name) == nullptr) continue;
      if (memory.name == "dram" || memory.name == "l3") continue;
      CHECK(MemoryOf(changed, memory.name)->bytes_per_s.value() == memory.bytes_per_s.value());
    }
  }
  const Target hailo = *ApplyMode(*UseHost(*LoadTarget("hailo-8l"), host), "");
  CHECK(hailo.mode == "PCIe x1");
  CHECK(*MemoryOf(hailo, "pcie")->bytes_per_s.value() == lane);
  const Target wide = *ApplyMode(*UseHost(*LoadTarget("hailo-8l"), host), "PCIe x4");
  CHECK(*MemoryOf(wide, "pcie")->bytes_per_s.value() == lane);
  const Target desktop = *UseHost(*LoadTarget("hailo-8l"), *LoadTarget("x86-avx512"));  // states no slot
  CHECK(*LinkOf(desktop, "npu", "cpu")->bytes_per_s.value() ==
        *LinkOf(*LoadTarget("hailo-8l"), "npu", "cpu")->bytes_per_s.value());
}

TEST_CASE("every built-in target says what its power is of") {
  for (const TargetSummary& summary : ListTargets()) {
    const Target target = *LoadTarget(summary.name);
    INFO(summary.name);
    CHECK(PowerOfText(target, false).has_value() == target.idle_w.known());
  }
  CHECK(PowerOfText(*LoadTarget("jetson-orin"), false) == "the module");
  CHECK(PowerOfText(*LoadTarget("rk3588"), false) == "the board");
  CHECK(PowerOfText(*LoadTarget("l4"), false) == "the card without its host");
  CHECK(PowerOfText(*LoadTarget("l4"), true) == "the card and, while it computes, its host");
}

TEST_CASE("a host keeps the precision that the module leaves to it, where it has it") {
  const Target coral = *LoadTarget("coral-usb");
  CHECK(UnitOf(*UseHost(coral, *LoadTarget("x86-avx2")), "cpu")->precision == Num::kInt8);
  CHECK(UnitOf(*UseHost(*LoadTarget("t4"), *LoadTarget("jetson-orin")), "cpu")->precision == Num::kFp32);
}

TEST_CASE("memories of host and module that are called alike stay apart") {
  const auto module = ParseTarget(
      "name: \"card\" base: \"hailo-8\" remove: \"memory/pcie\"\n"
      "sources { key: \"me\" title: \"mine\" date: \"2026\" }\n"
      "memory { name: \"cpu_cache\" bytes_per_s { value: 5e8 source: \"me\" trust: ESTIMATED } }\n"
      "unit { name: \"npu\" memory: \"chip_sram\" memory: \"cpu_cache\" }\n"
      "mode { name: \"PCIe x1\" }\n",
      "card.textproto");
  REQUIRE(module.ok());
  const Target changed = *UseHost(*module, *LoadTarget("raspberry-pi-5"));
  CHECK(*SharedMemoryOf(changed, *UnitOf(changed, "npu"))->bytes_per_s.value() == 5e8);
  const Unit& cpu = *UnitOf(changed, "cpu");
  CHECK(changed.memories[cpu.memories[0]].name == "host_cpu_cache");
  for (const Rate& rate : cpu.rates) {
    for (const std::string& covered : rate.energy_covers) CHECK(covered != "cpu_cache");
  }
}

TEST_CASE("a file may name the host itself") {
  const auto target = ParseTarget("name: \"kit\" base: \"hailo-8l\" host: \"rk3588\"", "kit.textproto");
  REQUIRE(target.ok());
  CHECK(target->host == "rk3588");
  CHECK(UnitOf(*target, "cpu")->clock_hz.value() == UnitOf(*LoadTarget("rk3588"), "cpu")->clock_hz.value());
  const auto wrong = ParseTarget("name: \"kit\" base: \"hailo-8l\" host: \"rk3587\"", "kit.textproto");
  CHECK_THAT(DiagnosticOf(wrong.status()).message, Contains("unknown target 'rk3587'"));
  CHECK_FALSE(LintTarget("name: \"kit\" base: \"hailo-8l\" host: \"rk3587\"", "kit.textproto").problems.empty());
}

TEST_CASE("what has no host to choose, and what is none") {
  struct Case {
    const char* module;
    const char* host;
    Code code;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"jetson-orin", "x86-avx2", Code::kUsage, "it is a SoC, its CPU is part of it"},
      {"hailo-15h", "x86-avx2", Code::kUsage, "it is a SoC, its CPU is part of it"},
      {"x86-avx2", "raspberry-pi-5", Code::kUsage, "it is a CPU itself"},
  }));
  const absl::Status status = UseHost(*LoadTarget(c.module), *LoadTarget(c.host)).status();
  CHECK(DiagnosticOf(status).code == c.code);
  CHECK_THAT(DiagnosticOf(status).message, Contains(c.message));
  CHECK_FALSE(DiagnosticOf(status).remedy.empty());
}

TEST_CASE("a target without a CPU cannot be a host") {
  Target npu_only = *LoadTarget("rk3588");
  for (Unit& unit : npu_only.units) unit.kind = UnitKind::kSystolic;
  const absl::Status status = UseHost(*LoadTarget("hailo-8"), npu_only).status();
  CHECK(DiagnosticOf(status).code == Code::kTargetInvalid);
  CHECK_THAT(DiagnosticOf(status).message, Contains("rk3588 cannot be a host: it has no CPU unit"));
}

}  // namespace
}  // namespace hwest
