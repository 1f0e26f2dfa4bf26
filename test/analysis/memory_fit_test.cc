// Whether the memories of a target hold a model: what lies where, and what is said when they do not.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/host.h"
#include "plan/memory_needs.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

// x times a weight of `rows` x `columns`, in a file of its own.
std::string ProductOf(int64_t rows, int64_t columns, const std::string& weight = "float") {
  return absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[b, ", rows, "] x) => (float[b, ",
                      columns, "] y) <", weight, "[", rows, ", ", columns, "] w> { y = MatMul(x, w) }");
}

// Two values of `bytes` at 32 bits are alive together.
std::string Copied(int64_t bytes) {
  return absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[b, ", bytes / 4, "] x) => (float[b, ",
                      bytes / 4, "] y) { y = Relu(x) }");
}

// Keys of 32 heads of 128 behind one token.
constexpr char kGrowingCache[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float16[b, 32, 1, 128] q, float16[b, 32, past, 128] old)"
    " => (k, y) { k = Concat<axis = 2>(old, q)  t = Transpose<perm = [0, 1, 3, 2]>(k)  y = MatMul(q, t) }";

AnalysisRequest AskFor(const std::string& target, std::vector<std::pair<std::string, int64_t>> dims = {{"b", 1}}) {
  AnalysisRequest request;
  request.target = target;
  request.bind.dims = std::move(dims);
  return request;
}

Analysis Analysed(const std::string& text, const AnalysisRequest& request) {
  auto analysis = Analyze(std::make_shared<const Graph>(test::GraphFromText(text)), request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

std::optional<Diagnostic> MisfitOf(const Analysis& analysis) {
  const bool is_first = !analysis.diagnostics.empty() && analysis.diagnostics[0].code == Code::kDoesNotFit;
  return is_first ? std::optional<Diagnostic>(analysis.diagnostics[0]) : std::nullopt;
}

struct FitCase {
  const char* name;
  std::string text;
  AnalysisRequest request;
  std::optional<bool> fits;
  const char* says;  // in the diagnostic, or in why it is unknown
};

AnalysisRequest InPrecision(AnalysisRequest request, const std::string& precision) {
  request.precision = precision;
  return request;
}

TEST_CASE("weights, activations and caches against the size of each memory") {
  constexpr int64_t k1M = 1 << 20;
  const auto c = GENERATE_REF(values<FitCase>({
      {"a small model", ProductOf(1000, 1000), AskFor("jetson-agx-orin-64gb"), true, ""},
      {"105 GB on 64 GiB", ProductOf(262144, 200000), AskFor("jetson-agx-orin-64gb"), false,
       "dram has to hold 104.9 GB (weights 104.9 GB, activations 924.3 kB), 36.14 GB more than its 68.72 GB"},
      {"the same at eight bits", ProductOf(262144, 200000), InPrecision(AskFor("jetson-agx-orin-64gb"), "int8"), true,
       ""},
      {"on a card, its own memory counts", ProductOf(100000, 100000), AskFor("t4"), false, "vram has to hold"},
      {"behind a window lies the host's memory", ProductOf(1000, 1000), AskFor("hailo-8"), true, ""},
      {"the size of an estimate is a range", ProductOf(50000, 120000), InPrecision(AskFor("x86-avx2"), "fp32"),
       std::nullopt, "the size of dram is an estimate, from 17.20 GB to 68.70 GB"},
      {"beyond that range", ProductOf(262144, 200000), InPrecision(AskFor("x86-avx2"), "fp32"), false,
       "dram has to hold"},
      {"weights in flash, beside activations in RAM", ProductOf(8192, 8192), AskFor("stm32n6"), true, ""},
      {"too many weights for the flash", ProductOf(16384, 16384), AskFor("stm32n6"), false,
       "flash has to hold 268.4 MB (weights 268.4 MB), 134.2 MB more than its 134.2 MB"},
      {"too large activations for the RAM", Copied(100 * k1M), AskFor("stm32n6"), false,
       "dram has to hold 52.43 MB (activations 52.43 MB)"},
      {"only SRAM can be written", Copied(6 * k1M), AskFor("ethos-u55-256"), false,
       "sram has to hold 3.146 MB (activations 3.146 MB)"},
      {"where DRAM can be written, too", Copied(6 * k1M), AskFor("ethos-u65-512"), true, ""},
      {"a cache that fits", kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", 1}, {"past", 1000}}), true, ""},
      {"a longer one", kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", 1}, {"past", 400000}}), false, "cache 3."},
      {"a batch of them", kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", 400}, {"past", 1000}}), false,
       "cache 3."},
  }));
  INFO(c.name);
  const Analysis analysis = Analysed(c.text, c.request);
  const std::string missing = MissingMemoryText(analysis.memory_needs), unknown = UnknownFitText(analysis.memory_needs);
  INFO(missing << unknown);
  CHECK(FitsIn(analysis.memory_needs) == c.fits);
  CHECK(MisfitOf(analysis).has_value() == (c.fits == false));
  CHECK_THAT(missing + unknown, Contains(c.says));
}

TEST_CASE("a memory without a size is never said to do") {
  Target target = *LoadTarget("jetson-agx-orin-64gb");
  for (Memory& memory : target.memories) memory.capacity_bytes = {};
  AnalysisRequest request = AskFor("");
  request.loaded = std::make_shared<const Target>(std::move(target));
  const Analysis analysis = Analysed(ProductOf(10, 10), request);
  CHECK(FitsIn(analysis.memory_needs) == std::nullopt);
  CHECK(UnknownFitText(analysis.memory_needs) == "the target does not state the size of dram");
}

TEST_CASE("what a target leaves for tensors is all there is") {
  Target target = *LoadTarget("jetson-orin-nano-4gb");
  Memory& dram = target.memories[0];
  REQUIRE(dram.name == "dram");
  dram.usable_bytes = dram.capacity_bytes;
  dram.usable_bytes.stated = 2e9;
  AnalysisRequest request = AskFor("");
  request.loaded = std::make_shared<const Target>(std::move(target));
  CHECK(FitsIn(Analysed(ProductOf(30000, 40000), AskFor("jetson-orin-nano-4gb")).memory_needs) == true);
  const Analysis analysis = Analysed(ProductOf(30000, 40000), request);
  CHECK(FitsIn(analysis.memory_needs) == false);
  CHECK_THAT(MissingMemoryText(analysis.memory_needs), Contains("system 2.295 GB"));
}

struct AdviceCase {
  const char* name;
  std::string text;
  AnalysisRequest request;
  const char* helps;
};

TEST_CASE("what would make it fit does") {
  const auto c = GENERATE_REF(values<AdviceCase>({
      {"a narrower precision", ProductOf(262144, 200000), AskFor("jetson-agx-orin-64gb"), "--precision int8"},
      {"a target of the same line", ProductOf(262144, 200000), AskFor("jetson-agx-orin-64gb"),
       "--target jetson-agx-thor"},
      {"a smaller batch", kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", 400}, {"past", 1000}}), "--batch 2"},
      {"a shorter cache", kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", 1}, {"past", 400000}}),
       "tokens in the cache"},
      {"none", ProductOf(1000000, 1000000), AskFor("jetson-agx-orin-64gb"), "a smaller model"},
  }));
  INFO(c.name);
  const std::optional<Diagnostic> misfit = MisfitOf(Analysed(c.text, c.request));
  REQUIRE(misfit.has_value());
  CHECK_THAT(misfit->remedy, Contains(c.helps));
}

TEST_CASE("the context and the batch that are named fit, and a tenth more of the batch does not") {
  const auto run = [](int64_t batch, int64_t past) {
    return Analysed(kGrowingCache, AskFor("jetson-orin-nano-4gb", {{"b", batch}, {"past", past}}));
  };
  const auto number_after = [](const Analysis& analysis, const std::string& words) {
    const std::string remedy = MisfitOf(analysis)->remedy;
    return std::stoll(remedy.substr(remedy.find(words) + words.size()));
  };
  const int64_t context = number_after(run(1, 400000), "fit with ");
  CHECK(context > 1000);
  CHECK(FitsIn(run(1, context).memory_needs) == true);
  const int64_t batch = number_after(run(400, 1000), "--batch ");
  CHECK(FitsIn(run(batch, 1000).memory_needs) == true);
  CHECK(FitsIn(run(batch * 11 / 10, 1000).memory_needs) == false);
}

TEST_CASE("on one memory the parts are the peak") {
  const std::pair<std::string, std::vector<std::pair<std::string, int64_t>>> cases[] = {
      {ProductOf(300, 500), {{"b", 2}}}, {Copied(4096), {{"b", 2}}}, {kGrowingCache, {{"b", 2}, {"past", 70}}}};
  for (const auto& [text, dims] : cases) {
    for (const TargetSummary& row : ListTargets()) {
      INFO(row.name);
      const Analysis analysis = Analysed(text, AskFor(row.name, dims));
      int64_t needed = 0;
      for (const MemoryNeed& need : analysis.memory_needs) needed += need.needed_bytes() - need.system_bytes;
      CHECK(needed >= analysis.plan->peak_memory_bytes);
      if (analysis.memory_needs.size() == 1) CHECK(needed == analysis.plan->peak_memory_bytes);
    }
  }
}

// Two products whose result between them is read once, far smaller than the scratchpads of NPUs.
constexpr char kTwoProducts[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[64, 128] x) => (float[64, 128] y)"
    " <float[128, 256] v, float[256, 128] w> { h = MatMul(x, v)  y = MatMul(h, w) }";

TEST_CASE("what the plan keeps on the chip is counted there alone") {
  const Analysis analysis = Analysed(kTwoProducts, AskFor("tda4vm", {}));
  const Plan& plan = *analysis.plan;
  int64_t kept = 0;
  for (const Lifetime& life : plan.lifetimes) {
    if (analysis.target->memories[life.memory].scratchpad) kept += life.bytes.value_or(0);
  }
  REQUIRE(kept == 64 * 256);
  int64_t on_chip = 0, outside = 0;
  for (const MemoryNeed& need : analysis.memory_needs) {
    (MemoryOf(*analysis.target, need.memory)->scratchpad ? on_chip : outside) += need.activation_bytes;
  }
  CHECK(on_chip == kept);
  CHECK(outside == 64 * 128);  // x, and later y
}

}  // namespace
}  // namespace hwest
