// One contraction costs the same however a model spells it, and its bytes are those of its time.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// The example with an accelerator that runs every operator.
Target NpuWith(double sram_bytes) {
  absl::StatusOr<Target> target = LoadTarget(std::string(HWEST_SOURCE_DIR) + "/lib/target/example.textproto");
  INFO(target.status());
  REQUIRE(target.ok());
  target->toolchains = {Toolchain{.name = "all", .runs_everything = true}};
  target->units[UnitId(0u)].toolchain = "all";
  target->units[UnitId(1u)].placeable = false;
  for (Memory& memory : target->memories) {
    if (memory.name == "sram") memory.capacity_bytes.stated = sram_bytes;
  }
  return *target;
}

Analysis AnalysisOf(const std::string& text, const Target& target) {
  const std::string whole = absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> spelled ", text);
  const auto graph = LoadModelFromMemory(test::ModelFromText(whole), "spelled.onnx");
  INFO(text << ": " << graph.status());
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.loaded = std::make_shared<const Target>(target);
  absl::StatusOr<Analysis> analysis = Analyze(*graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

const Estimate& OnlyEstimate(const Analysis& analysis) {
  REQUIRE(analysis.plan->groups.size() == 1);
  REQUIRE(analysis.plan->groups[0].estimate.has_value());
  return *analysis.plan->groups[0].estimate;
}

TEST_CASE("a contraction costs the same however it is spelled") {
  const std::vector<std::vector<std::string>> blocks = {
      {
          "(float[4096,4096] x) => (float[4096,4096] y) <float[4096,4096] w> { y = MatMul(x, w) }",
          "(float[4096,4096] x) => (float[4096,4096] y) <float[4096,4096] w> { y = Gemm(x, w) }",
          "(float[4096,4096] x) => (float[4096,4096] y) <float[4096,4096] w> { y = Gemm<transB = 1>(x, w) }",
          "(float[1,4096,64,64] x) => (float[1,4096,64,64] y) <float[4096,4096,1,1] w> { y = Conv(x, w) }",
          "(float[4096,4096] x) => (float[4096,4096] y) <float[4096,4096] w>"
          " { y = Einsum<equation = \"mk,kn->mn\">(x, w) }",
          "(float[4096,4096] x, float[4096,4096] w) => (float[4096,4096] y) { y = MatMul(x, w) }",
      },
      {
          "(float[196,768] x) => (float[196,3072] y) <float[768,3072] w> { y = MatMul(x, w) }",
          "(float[1,196,768] x) => (float[1,196,3072] y) <float[768,3072] w> { y = MatMul(x, w) }",
          "(float[4,49,768] x) => (float[4,49,3072] y) <float[768,3072] w> { y = MatMul(x, w) }",
          "(float[1,768,14,14] x) => (float[1,3072,14,14] y) <float[3072,768,1,1] w> { y = Conv(x, w) }",
          "(float[4,768,7,7] x) => (float[4,3072,7,7] y) <float[3072,768,1,1] w> { y = Conv(x, w) }",
          "(float[4,49,768] x) => (float[4,49,3072] y) <float[768,3072] w>"
          " { y = Einsum<equation = \"bmk,kn->bmn\">(x, w) }",
      },
      {
          "(float[12,197,64] x, float[12,64,197] w) => (float[12,197,197] y) { y = MatMul(x, w) }",
          "(float[12,197,64] x, float[12,197,64] w) => (float[12,197,197] y)"
          " { y = Einsum<equation = \"bik,bjk->bij\">(x, w) }",
      },
  };
  for (const double sram : {65536.0, 524288.0, 8388608.0}) {
    const Target target = NpuWith(sram);
    for (const std::vector<std::string>& spellings : blocks) {
      const Analysis first = AnalysisOf(spellings[0], target);
      const Estimate& want = OnlyEstimate(first);
      for (const std::string& spelling : spellings) {
        INFO(spelling << " in " << sram);
        const Analysis analysis = AnalysisOf(spelling, target);
        const Estimate& found = OnlyEstimate(analysis);
        CHECK(static_cast<double>(found.dram_bytes) == Approx(static_cast<double>(want.dram_bytes)).epsilon(0.01));
        CHECK(found.time_s == Approx(want.time_s).epsilon(0.01));
        CHECK(found.energy.total() == Approx(want.energy.total()).epsilon(0.01));
      }
    }
  }
}

TEST_CASE("the bytes of a product are those of its time") {
  const Target target = NpuWith(65536);
  const Analysis analysis =
      AnalysisOf("(float[4096,4096] x) => (float[4096,4096] y) <float[4096,4096] w> { y = MatMul(x, w) }", target);
  const Estimate& estimate = OnlyEstimate(analysis);
  const double bytes_per_s = 8.5e9 * 0.7;  // efficiency of the kind
  CHECK(estimate.memory_s == Approx(static_cast<double>(estimate.dram_bytes) / bytes_per_s));
  CHECK(estimate.reload_bytes > 16 * (3 << 24));
  CHECK(estimate.energy.dram_j == Approx(static_cast<double>(estimate.dram_bytes) * 4e-11));
}

TEST_CASE("a window smaller than its stride moves the rows that it reads") {
  const Target target = NpuWith(8 << 20);
  const auto bytes = [&](const std::string& text) {
    int64_t sum = 0;
    const Analysis analysis = AnalysisOf(text, target);
    for (const PlannedGroup& group : analysis.plan->groups) sum += group.estimate->dram_bytes;
    return sum;
  };
  // Image, weights and result in int8; every other row of the image.
  CHECK(bytes("(float[1,64,56,56] x) => (float[1,32,28,28] y) <float[32,64,1,1] w>"
              " { y = Conv<strides = [2,2]>(x, w) }") == 64 * 28 * 56 + 32 * 64 + 32 * 28 * 28);
  CHECK(bytes("(float[1,64,56,56] x) => (float[1,32,28,28] y) <float[32,64,2,2] w>"
              " { y = Conv<strides = [2,2]>(x, w) }") == 64 * 56 * 56 + 4 * 32 * 64 + 32 * 28 * 28);
  // What stays on the chip is no more than what is read of it: y reads b from outside and half of a from the chip.
  const std::string shortcut =
      "(float[1,64,56,56] x, float[1,32,28,28] b) => (float[1,32,28,28] y) <float[64,64,1,1] v, float[32,64,1,1] w> {"
      " a = Conv(x, v) c = Conv<strides = [2,2]>(a, w) y = Add(c, b) }";
  CHECK(bytes(shortcut) == 2 * 64 * 56 * 56 - 64 * 56 * 56 + 64 * 64 + 32 * 64 + 2 * 32 * 28 * 28);
}

// The exception that docs/tiling.md has the measurements of: products beside convolutions on CPUs.
constexpr double kLeastOfProduct = 0.84;

bool IsDirectOnCpu(const Unit& unit, const std::string& text) {
  return IsCpu(unit) && text.find("Conv(") != std::string::npos;
}

TEST_CASE("a contraction costs the same however it is spelled on every unit of every target") {
  const std::vector<std::vector<std::string>> blocks = {
      {
          "(float[196,768] x) => (float[196,3072] y) <float[768,3072] w> { y = MatMul(x, w) }",
          "(float[196,768] x) => (float[196,3072] y) <float[768,3072] w> { y = Gemm(x, w) }",
          "(float[1,768,14,14] x) => (float[1,3072,14,14] y) <float[3072,768,1,1] w> { y = Conv(x, w) }",
          "(float[196,768] x) => (float[196,3072] y) <float[768,3072] w>"
          " { y = Einsum<equation = \"mk,kn->mn\">(x, w) }",
      },
      {
          "(float[3136,64] x) => (float[3136,256] y) <float[64,256] w> { y = MatMul(x, w) }",
          "(float[3136,64] x) => (float[3136,256] y) <float[64,256] w> { y = Gemm(x, w) }",
          "(float[1,64,56,56] x) => (float[1,256,56,56] y) <float[256,64,1,1] w> { y = Conv(x, w) }",
          "(float[3136,64] x) => (float[3136,256] y) <float[64,256] w>"
          " { y = Einsum<equation = \"mk,kn->mn\">(x, w) }",
      },
      {
          "(float[49,2048] x) => (float[49,512] y) <float[2048,512] w> { y = MatMul(x, w) }",
          "(float[49,2048] x) => (float[49,512] y) <float[2048,512] w> { y = Gemm<transB = 0>(x, w) }",
          "(float[1,2048,7,7] x) => (float[1,512,7,7] y) <float[512,2048,1,1] w> { y = Conv(x, w) }",
          "(float[49,2048] x) => (float[49,512] y) <float[2048,512] w> { y = Einsum<equation = \"mk,kn->mn\">(x, w) }",
      },
  };
  std::vector<std::vector<std::shared_ptr<const Graph>>> graphs;
  for (const std::vector<std::string>& block : blocks) {
    graphs.emplace_back();
    for (const std::string& text : block) {
      const std::string whole = absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> spelled ", text);
      graphs.back().push_back(*LoadModelFromMemory(test::ModelFromText(whole), "spelled.onnx"));
    }
  }
  size_t compared = 0;
  for (const TargetSummary& summary : ListTargets()) {
    Target target = *LoadTarget(summary.name);
    target.toolchains = {Toolchain{.name = "all", .runs_everything = true}};
    for (Unit& unit : target.units) unit.toolchain = "all";
    const auto loaded = std::make_shared<const Target>(target);
    for (const Unit& unit : target.units) {
      if (!unit.placeable) continue;
      AnalysisRequest request;
      request.loaded = loaded;
      request.only = {unit.name};
      for (size_t b = 0; b < blocks.size(); ++b) {
        std::optional<Estimate> want;
        for (size_t s = 0; s < blocks[b].size(); ++s) {
          INFO(blocks[b][s] << " on " << unit.name << " of " << summary.name);
          const absl::StatusOr<Analysis> analysis = Analyze(graphs[b][s], request);
          INFO(analysis.status());
          REQUIRE(analysis.ok());
          REQUIRE(analysis->plan->groups.size() == 1);
          const std::optional<Estimate>& found = analysis->plan->groups[0].estimate;
          if (s == 0) want = found;
          REQUIRE(found.has_value() == want.has_value());
          if (!found.has_value()) continue;
          ++compared;
          CHECK(static_cast<double>(found->dram_bytes) == Approx(static_cast<double>(want->dram_bytes)).epsilon(0.01));
          if (IsDirectOnCpu(unit, blocks[b][s])) {
            CHECK(found->time_s <= want->time_s);
            CHECK(found->time_s >= kLeastOfProduct * want->time_s);
            continue;
          }
          CHECK(found->time_s == Approx(want->time_s).epsilon(0.01));
          CHECK(found->energy.total() == Approx(want->energy.total()).epsilon(0.01));
        }
      }
    }
  }
  CHECK(compared > 12 * 146);
}

// A network whose values are of many sizes and lives: an encoder, a decoder, skips between them.
constexpr char kHourglass[] =
    "(float[1,32,128,128] x) => (float[1,32,128,128] y)"
    " <float[32,32,3,3] w0, float[64,32,3,3] w1, float[128,64,3,3] w2, float[256,128,3,3] w3, float[128,256,1,1] w4,"
    " float[64,128,1,1] w5, float[32,64,1,1] w6, float[4] up = {1, 1, 2, 2}> {"
    " a = Conv<pads = [1,1,1,1]>(x, w0) b = Conv<pads = [1,1,1,1], strides = [2,2]>(a, w1)"
    " c = Conv<pads = [1,1,1,1], strides = [2,2]>(b, w2) d = Conv<pads = [1,1,1,1], strides = [2,2]>(c, w3)"
    " e = Conv(d, w4) f = Resize(e, , up) g = Add(f, c) h = Conv(g, w5) i = Resize(h, , up) j = Add(i, b)"
    " k = Conv(j, w6) l = Resize(k, , up) m = Add(l, a) y = Relu(m) }";

TEST_CASE("more memory on the chip makes no network slower and moves no more") {
  const std::string networks[] = {
      kHourglass,
      "(float[1,512,256] x) => (float[1,512,256] y) <float[256,1024] u, float[1024,256] d, float[256,256] q> {"
      " a = MatMul(x, q) t = Transpose<perm = [0,2,1]>(x) s = MatMul(a, t) z = Softmax<axis = -1>(s)"
      " o = MatMul(z, x) p = Add(o, x) m = MatMul(p, u) r = Relu(m) n = MatMul(r, d) y = Add(n, p) }",
  };
  for (const std::string& network : networks) {
    double latency_s = 1e9, energy_j = 1e9;
    int64_t bytes = INT64_MAX;
    for (double sram = 16384; sram < 64 << 20; sram *= 1.041) {
      INFO(network << " in " << sram);
      const Analysis analysis = AnalysisOf(network, NpuWith(sram));
      int64_t moved = 0;
      for (const PlannedGroup& group : analysis.plan->groups) moved += group.estimate->dram_bytes;
      CHECK(moved <= bytes);
      CHECK(analysis.plan->latency_s <= latency_s * (1 + 1e-12));
      CHECK(analysis.plan->energy_j <= energy_j * (1 + 1e-12));
      bytes = moved;
      latency_s = analysis.plan->latency_s;
      energy_j = analysis.plan->energy_j;
    }
  }
}

}  // namespace
}  // namespace hwest
