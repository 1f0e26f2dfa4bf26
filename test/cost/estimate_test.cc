// Estimates with numbers computed by hand, and the laws every kind of machine keeps.
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "cost/cost.h"
#include "cost/tiny_target.h"
#include "support/catch.h"
#include "target/names.h"

namespace hwest {
namespace {

using test::Figure;
using test::TinyTarget;

constexpr UnitId kNpu(0u);
constexpr UnitId kCpu(1u);

GroupWork Product(int64_t m, int64_t n, int64_t k, Num num) {
  GroupWork work{.macs = m * n * k, .flops = 2 * m * n * k, .num_nodes = 1, .precision = {num, num}};
  work.contractions = {{.kind = ContractionKind::kMatMul, .m = m, .n = n, .k = k}};
  return work;
}

Estimate EstimateOn(const Target& target, UnitId unit, const GroupWork& work, const Residency& residency = {}) {
  const absl::StatusOr<Estimate> estimate = EstimateGroup(target, target.units[unit], work, residency);
  INFO(estimate.status());
  REQUIRE(estimate.ok());
  return *estimate;
}

TEST_CASE("a systolic array rounds both sides of the weights up") {
  struct Row {
    int64_t m, n, k;
    double want_s;
  };
  const Row rows[] = {
      {.m = 100, .n = 64, .k = 64, .want_s = 400e-9},  // 2 x 2 blocks, 100 rows each
      {.m = 100, .n = 33, .k = 64, .want_s = 400e-9},  // half of the second column of blocks is padding
      {.m = 100, .n = 32, .k = 33, .want_s = 200e-9},
      {.m = 1, .n = 1000, .k = 512, .want_s = 512e-9},  // 32 x 16 blocks
  };
  const Target target = TinyTarget();
  for (const Row& row : rows) {
    INFO(row.m << " x " << row.n << " x " << row.k);
    const Estimate estimate = EstimateOn(target, kNpu, Product(row.m, row.n, row.k, Num::kInt8));
    CHECK(estimate.compute_s == Approx(row.want_s));
    CHECK(estimate.time_s == Approx(row.want_s + 1e-6));
  }
}

TEST_CASE("contractions with sparse weights run at the sparse rate, the others at the dense one") {
  Target target = TinyTarget();
  GroupWork work = Product(100, 64, 64, Num::kInt8);
  work.contractions.push_back(work.contractions[0]);
  work.macs *= 2;
  const Estimate dense = EstimateOn(target, kNpu, work);
  work.contractions[0].sparse = true;
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(dense.compute_s));  // no rate is stated
  target.units[kNpu].rates[0].sparse_per_cycle = Figure(2048);
  const Estimate half = EstimateOn(target, kNpu, work);
  CHECK(dense.compute_s == Approx(800e-9));
  CHECK(half.compute_s == Approx(400e-9 + 200e-9));
  CHECK(half.utilisation == Approx(600e-9 / half.time_s));
  CHECK(half.energy.compute_j == Approx(dense.energy.compute_j));
}

TEST_CASE("taps of few channels share a step of an array unless its unit states that they do not") {
  Target target = TinyTarget();
  GroupWork stem = Product(100, 32, 3 * 9, Num::kInt8);
  stem.contractions[0].kind = ContractionKind::kConv;
  stem.contractions[0].kernel_elements = 9;
  const double packed_s = EstimateOn(target, kNpu, stem).compute_s;
  test::SetParam(target.units[kNpu], "window_packing", 0);
  CHECK(EstimateOn(target, kNpu, stem).compute_s == Approx(9 * packed_s));
  test::SetParam(target.units[kNpu], "window_packing", 0.5);
  for (const auto& [stride, steps] : {std::pair(1, 1), std::pair(2, 9), std::pair(4, 1)}) {
    stem.contractions[0].stride = stride;
    CHECK(EstimateOn(target, kNpu, stem).compute_s == Approx(steps * packed_s));
  }
}

TEST_CASE("a block of results takes the least steps of its array, and further ones for look-ups on the way out") {
  Target target = TinyTarget();
  target.units[kNpu].rates.push_back(test::MakeRate(WorkKind::kTranscendental, Num::kInt8, 1, 1e-12));
  const auto seconds = [&](int64_t blocks, int64_t adds, int64_t look_ups) {
    GroupWork work = Product(100, 32, 32 * blocks, Num::kInt8);  // 100 ns for each block of inputs
    work.ops[static_cast<size_t>(OpKind::kAdd)] = adds;
    work.ops[static_cast<size_t>(OpKind::kTranscendental)] = look_ups;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  test::SetParam(target.units[kNpu], "least_steps", 3.5);
  CHECK(seconds(1, 0, 0) == Approx(350e-9));
  CHECK(seconds(1, 64'000, 0) == Approx(350e-9));
  CHECK(seconds(4, 0, 0) == Approx(400e-9));
  CHECK(seconds(4, 0, 3200) == Approx(400e-9));
  test::SetParam(target.units[kNpu], "activation_steps", 6);
  CHECK(seconds(4, 0, 3200) == Approx(400e-9 + 600e-9));
}

TEST_CASE("past one block of input channels each tap of a convolution takes whole blocks") {
  const Target target = TinyTarget();
  const auto seconds = [&](int64_t channels, int64_t taps) {
    GroupWork work = Product(100, 32, channels * taps, Num::kInt8);
    work.contractions[0].kind = ContractionKind::kConv;
    work.contractions[0].kernel_elements = taps;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  CHECK(seconds(48, 9) == Approx(9 * 2 * 100e-9));  // two blocks of 32 channels a tap
  CHECK(seconds(64, 9) == Approx(9 * 2 * 100e-9));
  CHECK(seconds(3, 9) == Approx(100e-9));  // 27 sums fit one block
  CHECK(seconds(48, 1) == Approx(2 * 100e-9));
}

TEST_CASE("element-wise work behind an array passes its output stage, look-ups as fast as the rest") {
  Target target = TinyTarget();
  target.units[kNpu].rates.push_back(test::MakeRate(WorkKind::kTranscendental, Num::kInt8, 1, 1e-12));
  GroupWork work = Product(100, 32, 32, Num::kInt8);  // 100 ns
  const auto with = [&](int64_t adds, int64_t look_ups) {
    work.ops[static_cast<size_t>(OpKind::kAdd)] = adds;
    work.ops[static_cast<size_t>(OpKind::kTranscendental)] = look_ups;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  CHECK(with(1600, 1600) == Approx(100e-9));  // 32 a cycle
  CHECK(with(3200, 3200) == Approx(200e-9));
  work.contractions.clear();
  CHECK(with(3200, 3200) == Approx(3300e-9));
}

TEST_CASE("a simd cpu rounds output channels to vectors and pays for short sums") {
  const Target target = TinyTarget();
  // 8 columns of a 16-byte vector pair; depth 16 runs at half rate, a plain product at 85 % of it.
  CHECK(EstimateOn(target, kCpu, Product(6, 8, 16, Num::kFp32)).compute_s ==
        Approx(6 * 8 * 16 * 2 / (8.0 * 0.85) * 1e-9));
  CHECK(EstimateOn(target, kCpu, Product(6, 1, 16, Num::kFp32)).compute_s ==
        Approx(6 * 1 * 16 / 2.0 * 1e-9));  // one column runs on plain lanes instead: 2 MACs per cycle
}

// One product of 4096 on each side, at one byte an element, with all of its traffic.
GroupWork LargeProduct(ContractionKind kind) {
  GroupWork work = Product(4096, 4096, 4096, Num::kInt8);
  work.contractions[0].kind = kind;
  work.in_bytes = work.weight_bytes = work.out_bytes = int64_t{1} << 24;
  if (kind == ContractionKind::kActivation) work.in_bytes += std::exchange(work.weight_bytes, 0);
  return work;
}

TEST_CASE("a product moves the same bytes in the same time whatever operator spells it") {
  const Target target = TinyTarget();  // 64 KiB
  const Estimate product = EstimateOn(target, kNpu, LargeProduct(ContractionKind::kMatMul));
  for (const ContractionKind kind : {ContractionKind::kConv, ContractionKind::kActivation}) {
    const Estimate other = EstimateOn(target, kNpu, LargeProduct(kind));
    CHECK(other.dram_bytes == product.dram_bytes);
    CHECK(other.time_s == Approx(product.time_s));
  }
  // Sums wait in tiles of 83 x 82 bytes or so, four each, twice.
  CHECK(product.tiling->order == LoopOrder::kOutputStationary);
  CHECK(product.dram_bytes > 4096.0 * 4096 * 2 * 4096 / 92);
  CHECK(product.dram_bytes < 4096.0 * 4096 * 2 * 4096 / 80);
}

TEST_CASE("time, energy and bytes are those of one traffic") {
  const Target target = TinyTarget();
  const Estimate estimate = EstimateOn(target, kNpu, LargeProduct(ContractionKind::kMatMul));
  REQUIRE(estimate.traffic.size() == 2);
  const MemoryTraffic &sram = estimate.traffic[0], &dram = estimate.traffic[1];
  const auto bytes = static_cast<double>(estimate.dram_bytes);
  CHECK(dram.total() == estimate.dram_bytes);
  CHECK(estimate.dram_bytes == (3 << 24) + estimate.reload_bytes);
  CHECK(estimate.memory_s == Approx(bytes / 1e9));
  CHECK(estimate.energy.dram_j == Approx(bytes * 40e-12));
  // Each byte goes through the scratchpad: in and out.
  CHECK(sram.total() == 2 * dram.total());
  CHECK(estimate.energy.onchip_j == Approx(static_cast<double>(sram.total()) * 1e-12));
}

TEST_CASE("operands that stay on the chip are not read again") {
  const Target target = TinyTarget();
  GroupWork work = Product(1024, 1024, 1024, Num::kInt8);
  work.in_bytes = work.weight_bytes = work.out_bytes = 1 << 20;
  work.contractions[0].operands = {.left = 1 << 20, .right = 1 << 20};
  CHECK(EstimateOn(target, kNpu, work).reload_bytes > 0);
  const Estimate rows = EstimateOn(target, kNpu, work, {.in_bytes = 1 << 20});
  CHECK(rows.reload_bytes == 0);
  CHECK(rows.dram_bytes == 2 << 20);
  const Estimate weights = EstimateOn(target, kNpu, work, {.weight_bytes = 1 << 20});
  CHECK(weights.dram_bytes == 2 << 20);
  // A second input of the same size that stays does not stand for the first.
  work.in_bytes += 1 << 20;
  CHECK(EstimateOn(target, kNpu, work, {.in_bytes = 1 << 20}).reload_bytes > 0);
  // Scores between two products of one kernel are no traffic.
  work.contractions[0].operands = {.left = 0, .right = 0, .result_is_inner = true};
  CHECK(EstimateOn(target, kNpu, work).reload_bytes == 0);
}

TEST_CASE("each memory of a unit has the traffic of the room in front of it") {
  Target target = TinyTarget();
  Memory registers{.name = "registers", .scratchpad = true};
  registers.capacity_bytes = Figure(4096);
  registers.energy_j_per_byte = Figure(1e-13);
  target.memories.push_back(registers);
  target.units[kNpu].memories = {2, 0, 1};
  const GroupWork work = LargeProduct(ContractionKind::kMatMul);
  const Estimate estimate = EstimateOn(target, kNpu, work);
  REQUIRE(estimate.traffic.size() == 3);
  const Estimate two = EstimateOn(TinyTarget(), kNpu, work);
  CHECK(estimate.dram_bytes == two.dram_bytes);
  const MemoryTraffic &inner = estimate.traffic[0], &sram = estimate.traffic[1], &dram = estimate.traffic[2];
  CHECK(inner.memory == 2);
  const int64_t asked = sram.total() - dram.total();  // by what is nearer
  CHECK(asked > 3 * dram.total());                    // a sixteenth of the room
  CHECK(inner.total() == 2 * asked);
  // Values that stay in the scratchpad still go from there to the registers.
  GroupWork small = Product(64, 64, 64, Num::kInt8);
  small.in_bytes = small.weight_bytes = small.out_bytes = 4096;
  const Estimate stays = EstimateOn(target, kNpu, small, {.in_bytes = 4096, .out_bytes = 4096, .weight_bytes = 4096});
  CHECK(stays.dram_bytes == 0);
  CHECK(stays.traffic[1].total() >= 3 * 4096);
}

TEST_CASE("single buffers leave room for larger tiles") {
  Target target = TinyTarget();
  const GroupWork work = LargeProduct(ContractionKind::kMatMul);
  const int64_t twice = EstimateOn(target, kNpu, work).dram_bytes;
  test::SetParam(target.units[kNpu], "tile_buffers", 1);
  CHECK(EstimateOn(target, kNpu, work).dram_bytes < twice * 0.75);
}

GroupWork Convolution(const ContractionSize& size, Num num) {
  GroupWork work{.macs = size.macs(), .flops = 2 * size.macs(), .num_nodes = 1, .precision = {num, num}};
  work.contractions = {size};
  return work;
}

TEST_CASE("a simd cpu builds columns where it has no direct convolution") {
  Target target = TinyTarget();
  target.memories[1].bytes_per_s = Figure(1e15);
  Unit& cpu = target.units[kCpu];
  cpu.vector_bytes = Figure(16);
  const auto seconds = [&](ContractionKind kind, int64_t groups, int64_t n) {
    const ContractionSize size{.kind = kind, .batch = groups, .m = 60, .n = n, .k = 18, .kernel_elements = 9};
    return EstimateOn(target, kCpu, Convolution(size, Num::kFp32)).compute_s;
  };
  struct Row {
    ContractionKind kind;
    int64_t groups, n;
    double columns;  // elements
  };
  const Row rows[] = {
      {.kind = ContractionKind::kConv, .groups = 1, .n = 3, .columns = 0},
      {.kind = ContractionKind::kConv, .groups = 4, .n = 8, .columns = 0},  // whole vectors of channels
      {.kind = ContractionKind::kConv, .groups = 4, .n = 6, .columns = 4 * 60 * 18},
      {.kind = ContractionKind::kConvTranspose, .groups = 1, .n = 8, .columns = 2 * 60 * 8 * 9},
  };
  for (const Row& row : rows) {
    INFO(row.groups << " groups of " << row.n);
    test::SetParam(cpu, "move_efficiency", 0);
    const double without = seconds(row.kind, row.groups, row.n);
    test::SetParam(cpu, "move_efficiency", 0.5);
    CHECK(seconds(row.kind, row.groups, row.n) - without == Approx(row.columns * 4 / 8.0 * 1e-9));
  }
}

TEST_CASE("half precision takes 3x3 windows with fewer products on a simd cpu") {
  Target target = TinyTarget();
  target.units[kCpu].rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp16, 8, 1e-11));
  target.units[kCpu].rates.push_back(test::MakeRate(WorkKind::kPointwise, Num::kFp16, 4, 1e-11));
  const auto seconds = [&](Num num, int64_t taps) {
    const ContractionSize size{.kind = ContractionKind::kConv, .m = 60, .n = 64, .k = 144, .kernel_elements = taps};
    return EstimateOn(target, kCpu, Convolution(size, num)).compute_s;
  };
  CHECK(seconds(Num::kFp16, 9) == Approx(seconds(Num::kFp32, 9) / 2));
  CHECK(seconds(Num::kFp16, 1) == Approx(seconds(Num::kFp32, 1)));
  // The peak is that of the products that are left, so nothing runs above it.
  const ContractionSize window{.kind = ContractionKind::kConv, .m = 960, .n = 64, .k = 2304, .kernel_elements = 9};
  test::SetParam(target.units[kCpu], "compute_efficiency", 0.95);
  for (const Num num : {Num::kFp16, Num::kFp32}) {
    const double share = EstimateOn(target, kCpu, Convolution(window, num)).utilisation;
    CHECK(share > 0.5);
    CHECK(share <= 1);
  }
}

TEST_CASE("8 bits take 3x3 windows with fewer products where a simd cpu has no dot products") {
  const auto seconds = [](double int8_per_cycle, int64_t taps) {
    Target target = TinyTarget();
    target.units[kCpu].rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kInt8, int8_per_cycle, 1e-11));
    const ContractionSize size{.kind = ContractionKind::kConv, .m = 60, .n = 64, .k = 144, .kernel_elements = taps};
    return EstimateOn(target, kCpu, Convolution(size, Num::kInt8)).compute_s;
  };
  CHECK(seconds(16, 9) == Approx(seconds(16, 1) / 2));  // twice the rate of fp32: products widen
  CHECK(seconds(32, 9) == Approx(seconds(32, 1)));
}

TEST_CASE("single precision takes 3x3 windows at stride 1 with fewer products where a toolchain says so") {
  Target target = TinyTarget();
  const auto seconds = [&](int64_t stride, int64_t taps = 9, int64_t channels = 16) {
    const ContractionSize size{.kind = ContractionKind::kConv,
                               .m = 60,
                               .n = 64,
                               .k = channels * taps,
                               .kernel_elements = taps,
                               .stride = stride};
    return EstimateOn(target, kCpu, Convolution(size, Num::kFp32)).compute_s;
  };
  const double plain = seconds(1);
  CHECK(seconds(2) == Approx(plain));  // products of the same size
  target.toolchains[1].winograd = {Num::kFp16};
  CHECK(seconds(1) == Approx(plain));
  target.toolchains[1].winograd = {Num::kFp32};
  CHECK(seconds(1) == Approx(plain / 2));
  CHECK(seconds(2) == Approx(plain));
  CHECK(seconds(1, 25) == Approx(plain * (25 * 16 + 16) / (9 * 16 + 16)));  // windows of 5 x 5
  target.toolchains[0].winograd = {Num::kFp32};
  target.toolchains[1].winograd.clear();  // another unit's
  CHECK(seconds(1) == Approx(plain));
}

TEST_CASE("weights of transformed windows take as many bytes as their tiles have numbers") {
  Target target = TinyTarget();
  target.units[kCpu].rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kInt8, 16, 1e-11));
  const auto read = [&](Num num, int64_t stride) {
    const ContractionSize size{
        .kind = ContractionKind::kConv, .m = 60, .n = 64, .k = 144, .kernel_elements = 9, .stride = stride};
    GroupWork work = Convolution(size, num);
    work.weight_bytes = 1000;
    return EstimateOn(target, kCpu, work).dram_bytes;
  };
  target.toolchains[1].winograd = {Num::kFp32};
  CHECK(read(Num::kFp32, 1) - read(Num::kFp32, 2) == 3 * 1000);  // 6 x 6 for 3 x 3
  CHECK(read(Num::kInt8, 1) - read(Num::kInt8, 2) == 7 * 1000);  // and of 16 bits
  target.toolchains[1].winograd.clear();
  CHECK(read(Num::kFp32, 1) == read(Num::kFp32, 2));
}

TEST_CASE("a runtime with a thread on each core waits for the slowest, and what is not shared for the core left over") {
  Target target = TinyTarget();
  Unit& cpu = target.units[kCpu];
  cpu.cores = 4;
  test::SetParam(cpu, "parallel_efficiency", 1);
  test::SetParam(cpu, "pool_share", 0.5);
  test::SetParam(cpu, "calling_core", 0.25);
  GroupWork work = Product(60000, 64, 64, Num::kFp32);
  work.num_kernels = 1;
  const auto estimate = [&](bool is_per_core) {
    target.toolchains[1].thread_per_core = is_per_core;
    return EstimateOn(target, kCpu, work);
  };
  constexpr double kJoin_s = 5 * 2e-6;
  const double large_s = estimate(false).compute_s - kJoin_s;
  CHECK(estimate(true).compute_s == Approx(2 * large_s + 4 * kJoin_s));
  CHECK(estimate(true).overhead_s == Approx(4 * estimate(false).overhead_s));
  work.on_one_core = true;
  CHECK(estimate(true).compute_s == Approx(4 * estimate(false).compute_s));
  // A small kernel is better off on one core, which is no large one.
  work = Product(1, 8, 8, Num::kFp32);
  CHECK(estimate(true).compute_s == Approx(4 * estimate(false).compute_s));
  // Eight alike where the unit states four.
  test::SetParam(cpu, "pool_share", 2);
  test::SetParam(cpu, "calling_core", 1);
  work = Product(60000, 64, 64, Num::kFp32);
  CHECK(estimate(true).compute_s == Approx(large_s / 2 + kJoin_s));
}

TEST_CASE("a simd cpu without integer kernels of 16 bits converts what a group reads and writes") {
  Target target = TinyTarget();
  Unit& cpu = target.units[kCpu];
  Rate rate = test::MakeRate(WorkKind::kContraction, Num::kInt16, 8, 1e-11);
  rate.weight = Num::kInt8;
  cpu.rates.push_back(rate);
  GroupWork work = Product(6, 8, 16, Num::kInt16);
  work.precision.weight = Num::kInt8;
  work.num_kernels = 1;
  work.in_bytes = 2 * 96;
  work.out_bytes = 2 * 48;
  work.weight_bytes = 128;
  const double without = EstimateOn(target, kCpu, work).compute_s;
  test::SetParam(cpu, "convert_efficiency", 0.5);
  CHECK(EstimateOn(target, kCpu, work).compute_s - without == Approx((96 + 48 + 128) / (4 * 0.5) * 1e-9));
  work.precision = {Num::kFp32, Num::kFp32};
  const double single = EstimateOn(target, kCpu, work).compute_s;
  test::SetParam(cpu, "convert_efficiency", 0.1);
  CHECK(EstimateOn(target, kCpu, work).compute_s == Approx(single));
}

TEST_CASE("more cores of a cpu shorten a kernel, never lengthen it") {
  Target target = TinyTarget();
  Unit& cpu = target.units[kCpu];
  test::SetParam(cpu, "parallel_efficiency", 0.9);
  for (const int64_t rows : {int64_t{6}, int64_t{600}, int64_t{60000}}) {
    double before = 1;
    for (const uint32_t cores : {1u, 2u, 4u, 8u, 64u}) {
      cpu.cores = cores;
      const double seconds = EstimateOn(target, kCpu, Product(rows, 64, 64, Num::kFp32)).compute_s;
      INFO(rows << " rows on " << cores);
      CHECK(seconds <= before);
      before = seconds;
    }
  }
  // 1 / (0.1 + 0.9 / 2) cores of two, and five launches of 2 us until they have met.
  cpu.cores = 1;
  const double alone = EstimateOn(target, kCpu, Product(60000, 64, 64, Num::kFp32)).compute_s;
  cpu.cores = 2;
  CHECK(EstimateOn(target, kCpu, Product(60000, 64, 64, Num::kFp32)).compute_s == Approx(alone * 0.55 + 10e-6));
  // One of them three times as fast: it takes the tenth that is not shared, and three quarters of the rest.
  test::SetParam(cpu, "fastest_core", 3);
  CHECK(EstimateOn(target, kCpu, Product(60000, 64, 64, Num::kFp32)).compute_s ==
        Approx(alone * (0.1 / 3 + 0.9 / 4) + 10e-6));
}

TEST_CASE("waves of tiles fill a gpu") {
  Target target = TinyTarget();
  Unit& gpu = target.units[kNpu];
  gpu.kind = UnitKind::kSimtGpu;
  gpu.cores = 4;
  gpu.tiles = {Tile{.m = 16, .n = 16, .k = 32, .num = Num::kInt8}};
  test::SetParam(gpu, "waves_half", 0.5);
  target.memories[0].bytes_per_s = Figure(1e15);
  // 4 x 2 tiles of 16 x 16 x 32 MACs take 8 cycles each; 8 tiles on 4 cores are 2 waves and half a one to fill.
  CHECK(EstimateOn(target, kNpu, Product(64, 32, 32, Num::kInt8)).compute_s == Approx(2.5 * 8e-9));
  CHECK(EstimateOn(target, kNpu, Product(65, 32, 32, Num::kInt8)).compute_s == Approx(3.5 * 8e-9));
}

// A GPU of four cores of 1024 MACs a cycle each at 1 GHz, with tiles of 16 x 16 x 32 alone and no limit of memory.
Target TinyGpu() {
  Target target = TinyTarget();
  Unit& gpu = target.units[kNpu];
  gpu.kind = UnitKind::kSimtGpu;
  gpu.cores = 4;
  gpu.tiles = {Tile{.m = 16, .n = 16, .k = 32, .num = Num::kInt8}};
  test::SetParam(gpu, "waves_half", 0);
  target.memories[0].bytes_per_s = Figure(1e15);
  return target;
}

TEST_CASE("a block of a gpu takes cycles of its own and its operands through the port of its core") {
  struct Row {
    const char* param;
    double value;
    int64_t m;
    double want_cycles;
  };
  // 2 columns of tiles of 8 cycles each; a tile reads (16 + 16) x 32 bytes.
  const Row rows[] = {
      {"block_cycles", 0, 32, 8},
      {"block_cycles", 20, 32, 28},
      {"block_cycles", 20, 64, 28 + 8},  // the second of two waves starts behind the first
      {"block_cycles", 20, 65, 28 + 2 * 8},
      {"block_cycles", 120, 64, 128 + 16},  // but eight at once at most
      {"core_bytes", 0, 32, 8},
      {"core_bytes", 256, 32, 8},  // the products take longer
      {"core_bytes", 64, 32, 16},
      {"core_bytes", 64, 64, 2 * 16},
  };
  for (const Row& row : rows) {
    INFO(row.param << " " << row.value << " " << row.m);
    Target target = TinyGpu();
    test::SetParam(target.units[kNpu], row.param, row.value);
    const Estimate estimate = EstimateOn(target, kNpu, Product(row.m, 32, 32, Num::kInt8));
    CHECK(estimate.compute_s == Approx(row.want_cycles * 1e-9));
  }
}

TEST_CASE("a block of a gpu waits for the operands of each step, and others multiply meanwhile") {
  Target target = TinyGpu();
  Unit& gpu = target.units[kNpu];
  test::SetParam(gpu, "step_cycles", 50);
  test::SetParam(gpu, "most_slices", 1);
  test::SetParam(gpu, "window_slices", 1);
  const auto cycles = [&](int64_t m, int64_t k, ContractionKind kind) {
    GroupWork work = Product(m, 32, k, Num::kInt8);
    work.contractions[0].kind = kind;
    work.contractions[0].kernel_elements = kind == ContractionKind::kConv ? 4 : 1;
    return EstimateOn(target, kNpu, work).compute_s * 1e9;
  };
  for (const ContractionKind kind : {ContractionKind::kMatMul, ContractionKind::kConv}) {
    CHECK(cycles(32, 640, kind) == Approx(10 * 50));        // ten steps, 160 cycles of products
    CHECK(cycles(33, 640, kind) == Approx(10 * 50 + 160));  // the second of two waves only multiplies
  }
  test::SetParam(gpu, "step_cycles", 5);
  CHECK(cycles(32, 640, ContractionKind::kMatMul) == Approx(160));
  // Where blocks of their own take parts of k, each has fewer steps.
  test::SetParam(gpu, "step_cycles", 50);
  test::SetParam(gpu, "most_slices", 2);
  CHECK(cycles(16, 640, ContractionKind::kMatMul) == Approx(5 * 50));
  CHECK(cycles(16, 640, ContractionKind::kConv) == Approx(10 * 50));
  test::SetParam(gpu, "window_slices", 2);
  CHECK(cycles(16, 640, ContractionKind::kConv) == Approx(5 * 50));
}

TEST_CASE("power holds a clock that falls with the cube root of the multipliers in use") {
  Target target = TinyGpu();
  Unit& gpu = target.units[kNpu];
  const auto slower = [&](int64_t k) {
    const GroupWork work = Product(64, 32, k, Num::kInt8);
    test::SetParam(gpu, "full_clock", 1);
    const double free_s = EstimateOn(target, kNpu, work).compute_s;
    test::SetParam(gpu, "full_clock", 0.5);
    return EstimateOn(target, kNpu, work).compute_s / free_s;
  };
  CHECK(slower(32) == Approx(2));  // every cycle of every core
  test::SetParam(gpu, "block_cycles", 48);
  CHECK(slower(32) == Approx(std::pow(16.0 / 64, 1 / 3.0) / 0.5));  // 16 cycles of products out of 64
  test::SetParam(gpu, "block_cycles", 2000);
  CHECK(slower(32) == 1);
}

TEST_CASE("launches hide behind the kernels that run, but for the gap between two") {
  struct Row {
    double gap;
    double share;  // of a CUDA graph
    double launch_s;
    double want_s;  // beside 1 us of products
  };
  const Row rows[] = {
      {1, 1, 4e-6, 4e-6},       {0.25, 1, 4e-6, 3e-6},    {0.25, 1, 1.5e-6, 0.5e-6},
      {0.25, 1, 1e-6, 0.25e-6}, {0.25, 0.25, 4e-6, 1e-6}, {1, 0.25, 4e-6, 1e-6},
  };
  for (const Row& row : rows) {
    INFO(row.gap << " " << row.share << " " << row.launch_s);
    Target target = TinyGpu();
    target.units[kNpu].launch_s = Figure(row.launch_s);
    test::SetParam(target.units[kNpu], "launch_gap", row.gap);
    GroupWork work = Product(32, 32, 32 * 125, Num::kInt8);
    work.num_kernels = 1;
    work.launch_share = row.share;
    test::SetParam(target.units[kNpu], "most_slices", 1);
    const Estimate estimate = EstimateOn(target, kNpu, work);
    CHECK(estimate.overhead_s == Approx(row.want_s));
    CHECK(estimate.time_s == Approx(1e-6 + row.want_s));
  }
}

TEST_CASE("matrix units of a gpu take whole vectors of the channels of a window") {
  struct Row {
    int64_t channels, taps;
    Num num;
    double want_depth;
  };
  const Row rows[] = {
      {.channels = 3, .taps = 64, .num = Num::kInt8, .want_depth = 64 * 16},
      {.channels = 16, .taps = 64, .num = Num::kInt8, .want_depth = 64 * 16},
      {.channels = 17, .taps = 64, .num = Num::kInt8, .want_depth = 64 * 32},
      {.channels = 3, .taps = 64, .num = Num::kFp16, .want_depth = 64 * 8},
      {.channels = 8, .taps = 64, .num = Num::kFp16, .want_depth = 64 * 8},
  };
  Target target = TinyGpu();
  Unit& gpu = target.units[kNpu];
  gpu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp16, 1024, 1e-12));
  gpu.tiles.push_back(Tile{.m = 16, .n = 16, .k = 32, .num = Num::kFp16});
  const auto cycles = [&](const Row& row, ContractionKind kind) {
    GroupWork work = Product(64, 16, row.channels * row.taps, row.num);  // one wave of four tiles
    work.contractions[0].kind = kind;
    work.contractions[0].kernel_elements = row.taps;
    return EstimateOn(target, kNpu, work).compute_s * 1e9;
  };
  const auto ceil32 = [](int64_t k) { return static_cast<double>((k + 31) / 32 * 32); };
  for (const Row& row : rows) {
    INFO(row.channels << " channels of " << NumName(row.num));
    test::SetParam(gpu, "channel_bytes", 0);
    CHECK(cycles(row, ContractionKind::kConv) == Approx(ceil32(row.channels * row.taps) * 0.25));
    test::SetParam(gpu, "channel_bytes", 16);
    CHECK(cycles(row, ContractionKind::kConv) == Approx(row.want_depth * 0.25));
    CHECK(cycles(row, ContractionKind::kMatMul) == Approx(ceil32(row.channels * row.taps) * 0.25));
  }
}

TEST_CASE("windows over too few channels stay on the lanes of FP32 where matrix units would take TF32") {
  Target target = TinyGpu();
  Unit& gpu = target.units[kNpu];
  gpu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kTf32, 1024, 1e-12));
  gpu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp32, 256, 1e-12));
  gpu.tiles = {Tile{.m = 16, .n = 16, .k = 32}};
  test::SetParam(gpu, "channel_bytes", 16);
  const auto seconds = [&](int64_t channels, Num num) {
    GroupWork work = Product(64, 16, channels * 32, num);
    work.contractions[0].kind = ContractionKind::kConv;
    work.contractions[0].kernel_elements = 32;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  CHECK(seconds(3, Num::kTf32) == Approx(seconds(3, Num::kFp32)));
  CHECK(seconds(4, Num::kTf32) == Approx(seconds(4, Num::kFp32) / 4));
}

TEST_CASE("attention is one kernel on a gpu: its scores leave no block, and the softmax hides behind the products") {
  constexpr int64_t kHeads = 4, kQueries = 128, kKeys = 512, kHead = 32;
  GroupWork work{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  const auto product = [&](int64_t n, int64_t k) {
    work.contractions.push_back({.kind = ContractionKind::kActivation, .batch = kHeads, .m = kQueries, .n = n, .k = k});
    work.macs += work.contractions.back().macs();
  };
  product(kKeys, kHead);
  product(kHead, kKeys);
  Target target = TinyGpu();
  Unit& gpu = target.units[kNpu];
  test::SetParam(gpu, "block_cycles", 100);
  // A head on each core: 128 queries times 512 keys times 2 x 32 elements, one block.
  const double products_s = (128.0 * 512 * 64 / 1024 + 100) * 1e-9;
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(products_s));
  // Other sizes are two products, of whose blocks each takes cycles of its own.
  GroupWork apart = work;
  apart.contractions[1].k = kKeys / 2;
  CHECK(EstimateOn(target, kNpu, apart).compute_s > 1.1 * products_s);

  work.ops[static_cast<size_t>(OpKind::kAdd)] = 32 * 4 * 1000;  // 1000 cycles of 32 lanes on four cores
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(products_s + 1e-6));
  for (const double overlap : {0.0, 0.4, 1.0}) {
    test::SetParam(gpu, "softmax_overlap", overlap);
    CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(products_s + (1 - overlap) * 1e-6));
  }
}

TEST_CASE("parameters that name a precision hold there alone") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp16, 1024, 1e-12));
  test::SetParam(npu, "compute_efficiency.fp16", 0.5);
  test::SetParam(npu, "launch_scale.int8", 3);
  const double int8_s = EstimateOn(target, kNpu, Product(64, 32, 32, Num::kInt8)).compute_s;
  const Estimate half = EstimateOn(target, kNpu, Product(64, 32, 32, Num::kFp16));
  CHECK(half.compute_s == Approx(2 * int8_s));
  CHECK(half.overhead_s == Approx(1e-6));
  CHECK(EstimateOn(target, kNpu, Product(64, 32, 32, Num::kInt8)).overhead_s == Approx(3e-6));
}

TEST_CASE("arrays take images in blocks where a tile has a height") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  GroupWork image = Product(17 * 33, 32, 32, Num::kInt8);
  image.contractions[0].kind = ContractionKind::kConv;
  image.contractions[0].height = 17;
  npu.tiles = {Tile{.m = 64, .n = 32, .k = 32}};
  const double set_s = EstimateOn(target, kNpu, image).compute_s / 9;
  npu.tiles[0].m_height = 8;
  CHECK(EstimateOn(target, kNpu, image).compute_s == Approx(3 * 5 * set_s));
  for (const int64_t height : {0, 1, 17 * 33}) {  // no image, or a signal in one
    image.contractions[0].height = height;
    CHECK(EstimateOn(target, kNpu, image).compute_s == Approx(9 * set_s));
  }
}

TEST_CASE("vectors take the empty rows of blocks of an image, too") {
  struct Row {
    int64_t height;
    double factor;
  };
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  GroupWork image = Product(24 * 30, 1, 9, Num::kInt8);
  image.contractions[0].kind = ContractionKind::kDepthwise;
  image.contractions[0].batch = 16;
  image.macs *= 16;
  npu.tiles = {Tile{.m = 64, .n = 1024, .k = 1024}};  // no array is as fast
  const double plain_s = EstimateOn(target, kNpu, image).compute_s;
  npu.tiles[0].m_height = 8;
  for (const Row& row : {Row{0, 1}, Row{24, 1}, Row{1, 8}, Row{20, 1.2}}) {
    image.contractions[0].height = row.height;
    CAPTURE(row.height);
    CHECK(EstimateOn(target, kNpu, image).compute_s == Approx(row.factor * plain_s));
  }
}

TEST_CASE("what matrix units do not multiply in TF32 stays in FP32") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kTf32, 1024, 1e-12));
  npu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp32, 1024, 1e-12));
  npu.rates.push_back(test::MakeRate(WorkKind::kDepthwise, Num::kFp32, 64, 1e-12));
  npu.tiles = {Tile{.m = 1 << 20, .n = 32, .k = 32}};  // too long for anything but the vector lanes
  const double fp32_s = EstimateOn(target, kNpu, Product(64, 32, 32, Num::kFp32)).compute_s;
  CHECK(fp32_s == Approx(1024e-9));
  CHECK(EstimateOn(target, kNpu, Product(64, 32, 32, Num::kTf32)).compute_s == Approx(fp32_s));
}

TEST_CASE("a precision without figures runs with those fitted to the nearest one") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  for (const Num num : {Num::kFp32, Num::kTf32, Num::kFp16, Num::kFp8}) {
    npu.rates.push_back(test::MakeRate(WorkKind::kContraction, num, 1024, 1e-12));
  }
  const auto fit = [&npu](const std::string& name, double value) {
    npu.params.push_back({.name = name, .fact = {.fit = Fit{.value = value, .count = 9}}});
  };
  const auto launches = [&](Num act, Num weight) {
    GroupWork work = Product(64, 32, 32, act);
    work.precision.weight = weight;
    return EstimateOn(target, kNpu, work).overhead_s / 1e-6;
  };
  fit("interval_ln.fp8", 0.3);                         // says how far figures are to be trusted, which is none of them
  test::SetParam(npu, "weight_input_block.fp32", 16);  // nor is how weights lie in memory
  CHECK(launches(Num::kFp32, Num::kFp32) == Approx(1));
  fit("launch_scale.fp16", 3);
  fit("launch_scale.int8", 2);
  CHECK(launches(Num::kFp16, Num::kFp16) == Approx(3));
  CHECK(launches(Num::kInt8, Num::kInt8) == Approx(2));
  CHECK(launches(Num::kFp32, Num::kFp32) == Approx(3));
  CHECK(launches(Num::kTf32, Num::kTf32) == Approx(3));
  CHECK(launches(Num::kFp8, Num::kFp8) == Approx(3));
  CHECK(launches(Num::kFp16, Num::kInt8) == Approx(3));  // unpacks its weights into half precision
  npu.params.back().fact.fit->count = 0;                 // what a fit tries while it runs
  npu.params[npu.params.size() - 2].fact.fit->count = 0;
  CHECK(launches(Num::kFp32, Num::kFp32) == Approx(1));
  npu.params[npu.params.size() - 2].fact.fit->count = 9;
  fit("compute_efficiency.fp32", 0.5);
  CHECK(launches(Num::kFp32, Num::kFp32) == Approx(1));  // has some of its own
  test::SetParam(npu, "overlap.fp8", 0.5);
  CHECK(launches(Num::kFp8, Num::kFp8) == Approx(1));
}

TEST_CASE("products of activations, slow functions and layout changes have shares of their own") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.rates.push_back(test::MakeRate(WorkKind::kTranscendental, Num::kInt8, 8, 1e-12));
  GroupWork product = Product(64, 32, 32, Num::kInt8);
  product.contractions[0].kind = ContractionKind::kActivation;
  const double product_s = EstimateOn(target, kNpu, product).compute_s;
  GroupWork slow{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  slow.ops[static_cast<size_t>(OpKind::kTranscendental)] = 800;
  CHECK(EstimateOn(target, kNpu, slow).compute_s == Approx(100e-9));
  GroupWork moved{.moved_elements = 6400, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  CHECK(EstimateOn(target, kNpu, moved).compute_s == 0);

  test::SetParam(npu, "activation_efficiency", 0.25);
  test::SetParam(npu, "transcendental_efficiency", 0.5);
  test::SetParam(npu, "move_efficiency", 0.5);
  npu.vector_bytes = Figure(128);
  CHECK(EstimateOn(target, kNpu, product).compute_s == Approx(4 * product_s));
  CHECK(EstimateOn(target, kNpu, slow).compute_s == Approx(200e-9));
  CHECK(EstimateOn(target, kNpu, moved).compute_s == Approx(100e-9));
  npu.rates.push_back(test::MakeRate(WorkKind::kMove, Num::kInt8, 32, 1e-12));
  CHECK(EstimateOn(target, kNpu, moved).compute_s == Approx(400e-9));
}

TEST_CASE("runs that keep their order have a share of their own, or that of other layout changes") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.vector_bytes = Figure(128);
  const GroupWork copied{
      .moved_elements = 6400, .copied_elements = 6400, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  GroupWork half = copied;
  half.copied_elements = 3200;
  test::SetParam(npu, "move_efficiency", 0.1);
  CHECK(EstimateOn(target, kNpu, copied).compute_s == Approx(500e-9));
  test::SetParam(npu, "copy_efficiency", 0.5);
  CHECK(EstimateOn(target, kNpu, copied).compute_s == Approx(100e-9));
  CHECK(EstimateOn(target, kNpu, half).compute_s == Approx(300e-9));
}

TEST_CASE("rows of a transpose fill vectors anew where the unit says of how many bytes") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.vector_bytes = Figure(128);
  test::SetParam(npu, "move_efficiency", 0.1);
  struct Row {
    MovedRows rows;
    double factor;
  };
  const Row kRows[] = {{{.elements = 6400, .from = 128, .to = 128, .is_kept = true}, 1},
                       {{.elements = 6400, .from = 32, .to = 32, .is_kept = true}, 4},
                       {{.elements = 6400, .from = 160, .to = 160, .is_kept = true}, 1.6},
                       {{.elements = 6400, .from = 128, .to = 100}, 1.28},
                       {{.elements = 6400, .from = 4, .to = 128}, 2}};
  GroupWork moved{.moved_elements = 6400, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  const double gapless_s = EstimateOn(target, kNpu, moved).compute_s;
  for (const Row& row : kRows) {
    moved.moved_rows = {row.rows};
    CHECK(EstimateOn(target, kNpu, moved).compute_s == Approx(gapless_s));
  }
  test::SetParam(npu, "row_bytes", 128);
  for (const Row& row : kRows) {
    moved.moved_rows = {row.rows};
    CAPTURE(row.rows.from, row.rows.to);
    CHECK(EstimateOn(target, kNpu, moved).compute_s == Approx(row.factor * gapless_s));
  }
}

TEST_CASE("heads of whole blocks of channels are read in place where the unit says of how many positions") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.vector_bytes = Figure(128);
  test::SetParam(npu, "move_efficiency", 0.1);
  const auto seconds = [&](const MovedRows& rows) {
    return EstimateOn(
               target, kNpu,
               {.moved_elements = 6400, .moved_rows = {rows}, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}})
        .compute_s;
  };
  const MovedRows heads{.elements = 6400, .from = 64, .to = 64, .is_kept = true, .positions = 400};
  MovedRows narrow = heads, ragged = heads, other = heads;
  narrow.from = narrow.to = 48;
  ragged.positions = 197;
  other.positions = 0;
  const double moved_s = seconds(other);
  CHECK(seconds(heads) == Approx(moved_s));
  test::SetParam(npu, "split_positions", 8);
  test::SetParam(npu, "channel_block", 32);
  CHECK(seconds(heads) == 0);
  for (const MovedRows& rows : {narrow, ragged, other}) CHECK(seconds(rows) == Approx(moved_s));
  ragged.is_in_parts = true;
  CHECK(seconds(ragged) == 0);  // found by its address, not multiplied as it lies
}

TEST_CASE("parts of whole blocks of channels take no copy, and pixels of such blocks no more than one") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.vector_bytes = Figure(128);
  test::SetParam(npu, "move_efficiency", 0.01);
  test::SetParam(npu, "copy_efficiency", 0.1);
  const auto seconds = [&](const MovedRows& rows) {
    GroupWork work{.moved_elements = 6400, .moved_rows = {rows}, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
    work.copied_elements = rows.is_copied ? 6400 : 0;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  const MovedRows whole{.elements = 6400, .cut = 64, .is_copied = true};
  MovedRows ragged = whole, pixels = whole, few = whole;
  ragged.cut = 48;
  pixels.is_copied = few.is_copied = false;
  few.cut = 3;
  const double copied_s = seconds(whole), moved_s = seconds(pixels);
  CHECK(moved_s == Approx(10 * copied_s));
  test::SetParam(npu, "split_positions", 8);
  test::SetParam(npu, "channel_block", 32);
  CHECK(seconds(whole) == 0);
  CHECK(seconds(ragged) == Approx(copied_s));
  CHECK(seconds(pixels) == Approx(copied_s));
  CHECK(seconds(few) == Approx(moved_s));
}

TEST_CASE("windows that go on by two read a copy where the unit makes one") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.vector_bytes = Figure(128);
  test::SetParam(npu, "copy_efficiency", 0.1);
  test::SetParam(npu, "channel_block", 32);
  GroupWork work = Product(100, 32, 40 * 9, Num::kInt8);
  ContractionSize& window = work.contractions[0];
  window.kind = ContractionKind::kConv;
  window.kernel_elements = 9;
  window.stride = 2;
  const auto seconds = [&] { return EstimateOn(target, kNpu, work).compute_s; };
  const double without_s = seconds();
  test::SetParam(npu, "halving_copies", 1);
  const double copy_s = 4 * 100 * 64 / (12.8 * 1e9);  // four positions of two blocks of channels for each result
  CHECK(seconds() == Approx(without_s + copy_s));
  window.stride = 1;
  CHECK(seconds() == Approx(without_s));
  window.stride = 2;
  window.kernel_elements = 1;
  CHECK(seconds() <= without_s);  // every other position alone
}

TEST_CASE("averages under wide windows run at a share of their own where the unit states one") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  GroupWork narrow{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  narrow.ops[static_cast<size_t>(OpKind::kAdd)] = 6400;
  GroupWork wide = narrow;
  wide.wide_window_ops = 6400;
  const double vector_s = EstimateOn(target, kNpu, narrow).compute_s;
  CHECK(EstimateOn(target, kNpu, wide).compute_s == Approx(vector_s));
  const double efficiency = *ParamOf(npu, "pointwise_efficiency");
  test::SetParam(npu, "window_efficiency", efficiency / 100);
  CHECK(EstimateOn(target, kNpu, narrow).compute_s == Approx(vector_s));
  CHECK(EstimateOn(target, kNpu, wide).compute_s == Approx(100 * vector_s));
}

TEST_CASE("a core moves no more bytes a cycle than its port, several cores more, up to what the memory gives") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  const GroupWork moves{.in_bytes = 1 << 20, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  const double whole_s = EstimateOn(target, kNpu, moves).memory_s;
  test::SetParam(npu, "port_bytes", 0.25);  // of 1 byte a cycle that the memory gives
  CHECK(EstimateOn(target, kNpu, moves).memory_s == Approx(4 * whole_s));
  npu.cores = 2;
  CHECK(EstimateOn(target, kNpu, moves).memory_s == Approx(2 * whole_s));
  npu.cores = 8;
  CHECK(EstimateOn(target, kNpu, moves).memory_s == Approx(whole_s));
}

TEST_CASE("pooling takes its time by the elements that it reads where the unit states a rate for them") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  GroupWork pool{.pooled_elements = 640, .pooled_ops = 6400, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  pool.ops[static_cast<size_t>(OpKind::kCompare)] = 6400;
  const double by_ops_s = EstimateOn(target, kNpu, pool).compute_s;
  test::SetParam(npu, "pool_efficiency", *ParamOf(npu, "pointwise_efficiency"));
  CHECK(EstimateOn(target, kNpu, pool).compute_s == Approx(by_ops_s / 10));
  pool.pooled_ops = pool.ops[static_cast<size_t>(OpKind::kCompare)] = 64000;  // a wider window
  CHECK(EstimateOn(target, kNpu, pool).compute_s == Approx(by_ops_s / 10));
  pool.wide_window_ops = 64000;
  CHECK(EstimateOn(target, kNpu, pool).compute_s == Approx(by_ops_s / 10));
  test::SetParam(npu, "window_efficiency", *ParamOf(npu, "pointwise_efficiency"));
  CHECK(EstimateOn(target, kNpu, pool).compute_s == Approx(10 * by_ops_s));
}

TEST_CASE("look-ups behind an array take whole columns of it where the unit states a rate for them") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  const auto seconds = [&](int64_t columns) {
    GroupWork work = Product(64, columns, 32, Num::kInt8);
    work.ops[static_cast<size_t>(OpKind::kTranscendental)] = 64 * columns;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  const double wide_s = seconds(32);
  test::SetParam(npu, "lookup_efficiency", 1e-3);
  CHECK(seconds(32) > wide_s);
  CHECK(seconds(8) == Approx(seconds(32)));
  CHECK(seconds(64) == Approx(2 * seconds(32)));
}

TEST_CASE("searches and constants of channels take time of their own where the unit states a rate for them") {
  struct Row {
    absl::string_view param;
    int64_t GroupWork::* count;
    bool is_counted;  // among the operations that it replaces
  };
  const Row rows[] = {{"search_efficiency", &GroupWork::search_ops, true},
                      {"statistic_efficiency", &GroupWork::scaled_elements, false},
                      {"image_efficiency", &GroupWork::image_elements, false},
                      {"channel_efficiency", &GroupWork::channel_elements, false}};
  for (const Row& row : rows) {
    Target target = TinyTarget();
    Unit& npu = target.units[kNpu];
    GroupWork plain{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
    plain.ops[static_cast<size_t>(OpKind::kCompare)] = 6400;
    GroupWork own = plain;
    own.*row.count = 6400;
    INFO(row.param);
    const double plain_s = EstimateOn(target, kNpu, plain).compute_s;
    CHECK(EstimateOn(target, kNpu, own).compute_s == Approx(plain_s));
    test::SetParam(npu, std::string(row.param), *ParamOf(npu, "pointwise_efficiency") / 100);
    CHECK(EstimateOn(target, kNpu, plain).compute_s == Approx(plain_s));
    CHECK(EstimateOn(target, kNpu, own).compute_s == Approx((row.is_counted ? 100 : 101) * plain_s));
  }
}

TEST_CASE("on CPUs one core takes the steps of a recurrent layer, bound by its weights for few rows") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.kind = UnitKind::kSimdCpu;
  npu.params.clear();
  const auto seconds = [&](int64_t rows) {
    GroupWork work = Product(rows, 64, 32, Num::kInt8);
    work.contractions[0].kind = ContractionKind::kRecurrent;
    work.contractions[0].batch = 50;
    work.macs = work.contractions[0].macs();
    return EstimateOn(target, kNpu, work).compute_s;
  };
  const double one_s = seconds(1);
  CHECK(seconds(2) < 2 * one_s);
  CHECK(seconds(2) > one_s);
  npu.cores = 8;
  CHECK(seconds(1) == Approx(one_s));
  test::SetParam(npu, "fastest_core", 2);
  CHECK(seconds(1) == Approx(one_s / 2));
  test::SetParam(npu, "fastest_core", 1);
  // Gates are computed in floating point, whatever the rest of the network is.
  npu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp32, 256, 1e-12));
  CHECK(seconds(1) == Approx(4 * one_s));
}

TEST_CASE("a kernel that its runtime keeps on one core gains nothing from others, and waits for none") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.kind = UnitKind::kSimdCpu;
  npu.params.clear();
  npu.launch_s = Figure(1e-6);
  GroupWork work{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  work.ops[static_cast<size_t>(OpKind::kAdd)] = 10'000'000;
  const double one_s = EstimateOn(target, kNpu, work).compute_s;
  npu.cores = 8;
  CHECK(EstimateOn(target, kNpu, work).compute_s < one_s / 4);
  work.on_one_core = true;
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(one_s));
  test::SetParam(npu, "fastest_core", 2);
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(one_s / 2));
}

TEST_CASE("what a widened kernel reads is converted on one core where its runtime does so") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.kind = UnitKind::kSimdCpu;
  npu.params.clear();
  npu.rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp32, 256, 1e-12));
  GroupWork work{.in_bytes = 40'000'000, .out_bytes = 0, .num_nodes = 1, .precision = {Num::kFp32, Num::kFp32}};
  work.precision.stored = Num::kInt8;
  const auto seconds = [&](uint32_t cores, bool is_alone) {
    npu.cores = cores;
    work.reads_on_one_core = is_alone;
    return EstimateOn(target, kNpu, work).compute_s;
  };
  const double one_s = seconds(1, false);
  CHECK(seconds(8, false) < one_s / 4);
  CHECK(seconds(8, true) == Approx(one_s));
  work.out_bytes = 40'000'000;  // written by all
  CHECK(seconds(8, true) < 1.25 * one_s);
  CHECK(seconds(8, true) > one_s);
}

TEST_CASE("a recurrent layer that is unrolled launches its kernels at every step") {
  Target target = TinyTarget();
  Unit& npu = target.units[kNpu];
  npu.launch_s = Figure(2e-6);
  GroupWork work = Product(1, 64, 32, Num::kInt8);
  work.contractions[0].kind = ContractionKind::kRecurrent;
  work.contractions[0].batch = 50;
  const double once_s = EstimateOn(target, kNpu, work).overhead_s;
  test::SetParam(npu, "step_kernels", 8);
  CHECK(EstimateOn(target, kNpu, work).overhead_s == Approx(once_s + 50 * 8 * 2e-6));
  work.contractions[0].kind = ContractionKind::kMatMul;
  CHECK(EstimateOn(target, kNpu, work).overhead_s == Approx(once_s));
}

TEST_CASE("kernels that one call launches together take a share of a launch each") {
  const Target target = TinyTarget();
  GroupWork work = Product(64, 32, 32, Num::kInt8);
  const double alone_s = EstimateOn(target, kNpu, work).overhead_s;
  CHECK(alone_s > 0);
  work.launch_share = 0.4;
  CHECK(EstimateOn(target, kNpu, work).overhead_s == Approx(0.4 * alone_s));
}

TEST_CASE("clock and bandwidth that a device holds are factors on what its sheet states") {
  GroupWork work = Product(64, 32, 32, Num::kInt8);
  work.in_bytes = 10000;
  work.moved_elements = 6400;
  work.ops[static_cast<size_t>(OpKind::kAdd)] = 3200;
  for (const UnitKind kind : {UnitKind::kSimtGpu, UnitKind::kSystolic, UnitKind::kVectorDsp, UnitKind::kSimdCpu}) {
    Target target = TinyTarget();
    Unit& npu = target.units[kNpu];
    npu.kind = kind;
    test::SetParam(npu, "move_efficiency", 0.5);
    npu.vector_bytes = Figure(128);
    Target scaled = target;
    test::SetParam(scaled.units[kNpu], "clock_scale", 0.8);
    test::SetParam(scaled.units[kNpu], "dram_scale", 0.5);
    npu.clock_hz = Figure(0.8e9);
    target.memories[1].bytes_per_s = Figure(0.5e9);
    const Estimate stated = EstimateOn(target, kNpu, work);
    const Estimate held = EstimateOn(scaled, kNpu, work);
    INFO(UnitKindName(kind));
    CHECK(held.compute_s == Approx(stated.compute_s));
    CHECK(held.memory_s == Approx(stated.memory_s));
    CHECK(held.utilisation == Approx(stated.utilisation));
  }
}

TEST_CASE("memory time is the slowest level") {
  const Target target = TinyTarget();
  GroupWork work = Product(1, 32, 32, Num::kInt8);
  work.in_bytes = 10000;
  work.weight_bytes = 5000;
  work.out_bytes = 5000;
  const Estimate all = EstimateOn(target, kNpu, work);
  CHECK(all.memory_s == Approx(20e-6));
  CHECK(all.dram_bytes == 20000);
  CHECK(all.bound == Bound::kMemory);
  CHECK(all.time_s == Approx(21e-6));
  const Estimate some = EstimateOn(target, kNpu, work, {.in_bytes = 10000, .out_bytes = 5000});
  CHECK(some.memory_s == Approx(5e-6));
  const Estimate none = EstimateOn(target, kNpu, work, {.in_bytes = 10000, .out_bytes = 5000, .weight_bytes = 5000});
  CHECK(none.memory_s == Approx(20000 / 100e9));
  CHECK(none.dram_bytes == 0);
}

TEST_CASE("element-wise work runs at the vector rate, transcendental at a quarter of it") {
  const Target target = TinyTarget();
  GroupWork work{.num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  work.ops[static_cast<size_t>(OpKind::kAdd)] = 3200;
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(100e-9));
  work.ops[static_cast<size_t>(OpKind::kTranscendental)] = 3200;
  CHECK(EstimateOn(target, kNpu, work).compute_s == Approx(500e-9));
}

TEST_CASE("energy by part") {
  const Target target = TinyTarget();
  GroupWork work = Product(100, 64, 64, Num::kInt8);
  work.in_bytes = 1000;
  const Estimate estimate = EstimateOn(target, kNpu, work);
  CHECK(estimate.energy.compute_j == Approx(100 * 64 * 64 * 1e-12));
  CHECK(estimate.energy.onchip_j == Approx(2 * 1000 * 1e-12));  // filled and read
  CHECK(estimate.energy.dram_j == Approx(1000 * 40e-12));
  CHECK(estimate.energy.static_j == Approx(0.5 * estimate.time_s));
  Target covered = target;
  covered.units[kNpu].rates[0].energy_covers = {"sram"};
  CHECK(EstimateOn(covered, kNpu, work).energy.onchip_j == 0);
}

TEST_CASE("what is not stated is an error, not zero") {
  struct Row {
    const char* what;
    void (*change)(Target&);
  };
  const Row rows[] = {
      {"clock", [](Target& t) { t.units[kNpu].clock_hz = {}; }},
      {"rate of the precision", [](Target& t) { t.units[kNpu].rates[0].act = Num::kFp16; }},
      {"bandwidth", [](Target& t) { t.memories[1].bytes_per_s = {}; }},
      {"model of the kind", [](Target& t) { t.units[kNpu].kind = UnitKind::kUnset; }},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Target target = TinyTarget();
    row.change(target);
    CHECK_FALSE(EstimateGroup(target, target.units[kNpu], Product(8, 8, 8, Num::kInt8), {}).ok());
  }
  const Target target = TinyTarget();
  GroupWork unknown = Product(8, 8, 8, Num::kInt8);
  unknown.has_opaque = true;
  CHECK_FALSE(EstimateGroup(target, target.units[kNpu], unknown, {}).ok());
}

GroupWork RandomWork(std::mt19937& random, Num num) {
  const auto draw = [&](int64_t limit) { return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  GroupWork work = Product(draw(5000), draw(700), draw(2000), num);
  ContractionSize& size = work.contractions[0];
  const ContractionKind kinds[] = {ContractionKind::kConv, ContractionKind::kDepthwise, ContractionKind::kMatMul,
                                   ContractionKind::kActivation, ContractionKind::kRecurrent};
  size.kind = kinds[random() % std::size(kinds)];
  size.batch = draw(40);
  size.kernel_elements = size.kind == ContractionKind::kConv ? 9 : 1;
  work.macs = size.macs();
  work.ops = {draw(100000), draw(100000), draw(1000), draw(10000), 0};
  work.in_bytes = draw(1000000);
  work.weight_bytes = draw(1000000);
  work.out_bytes = draw(1000000);
  return work;
}

TEST_CASE("a better machine is never slower, and an estimate is at least its bounds") {
  const UnitKind kinds[] = {UnitKind::kSimtGpu, UnitKind::kSystolic, UnitKind::kVectorDsp, UnitKind::kSimdCpu};
  std::mt19937 random(5);
  for (const UnitKind kind : kinds) {
    for (int round = 0; round < 200; ++round) {
      Target target = TinyTarget();
      Unit& unit = target.units[kNpu];
      unit.kind = kind;
      unit.params.clear();
      if (round % 2 == 0) unit.tiles.clear();
      unit.cores = 1 + random() % 16;
      const GroupWork work = RandomWork(random, Num::kInt8);
      const Estimate base = EstimateOn(target, kNpu, work);
      INFO(UnitKindName(kind) << " round " << round);
      CHECK(base.time_s >= std::max(base.compute_s, base.memory_s));
      CHECK(base.low_s <= base.time_s);
      CHECK(base.high_s >= base.time_s);
      CHECK(base.utilisation <= 1.0);
      Target faster = target;
      faster.units[kNpu].clock_hz = Figure(1.1e9);
      CHECK(EstimateOn(faster, kNpu, work).time_s <= base.time_s);
      Target wider = target;
      wider.memories[1].bytes_per_s = Figure(1.3e9);
      CHECK(EstimateOn(wider, kNpu, work).time_s <= base.time_s);
      CHECK(base.dram_bytes >= work.in_bytes + work.weight_bytes + work.out_bytes);
      for (double more = 1; more < 100; more *= 3) {
        Target roomier = target;
        roomier.memories[0].capacity_bytes = Figure(65536 * (1 + more / 10));
        const Estimate room = EstimateOn(roomier, kNpu, work);
        CHECK(room.dram_bytes <= base.dram_bytes);
        CHECK(room.time_s <= base.time_s);
      }
      Target larger = target;
      larger.units[kNpu].cores += 1 + random() % 5;
      CHECK(EstimateOn(larger, kNpu, work).time_s <= base.time_s * (1 + 1e-12));
    }
  }
}

TEST_CASE("on-chip bytes are those of the largest memory before the shared one") {
  Target target = TinyTarget();
  CHECK(OnChipBytes(target, target.units[kNpu]) == 65536);
  CHECK(OnChipBytes(target, target.units[kCpu]) == 0);
  target.units[kNpu].params.clear();
  CHECK(OnChipBytes(target, target.units[kNpu]) == 49152);
  target.memories[0].scratchpad = false;
  CHECK(OnChipBytes(target, target.units[kNpu]) == 32768);
}

TEST_CASE("a fit raises the grade and narrows no interval by itself") {
  Target target = TinyTarget();
  Unit& unit = target.units[kNpu];
  const Precision int8 = {Num::kInt8, Num::kInt8};
  CHECK(GradeOf(unit) == Grade::kDatasheet);
  const double by_sheet = IntervalFactor(unit, int8);
  unit.params[0].fact.fit = Fit{.value = 0.9, .shared_by = "others"};
  CHECK(GradeOf(unit) == Grade::kFamily);
  CHECK(IntervalFactor(unit, int8) == by_sheet);
  unit.clock_hz.fit = Fit{.value = 1e9};
  CHECK(GradeOf(unit) == Grade::kMeasured);
  CHECK(IntervalFactor(unit, int8) == by_sheet);
}

TEST_CASE("an interval that left-out measurements gave is taken as it is") {
  Target target = TinyTarget();
  Unit& unit = target.units[kNpu];
  const Precision int8 = {Num::kInt8, Num::kInt8};
  const double by_sheet = IntervalFactor(unit, int8);
  unit.params.push_back({.name = "interval_ln.int8", .fact = {.fit = Fit{.value = std::log(1.1), .shared_by = "f"}}});
  unit.params.push_back(
      {.name = "interval_ln_unmeasured.int8", .fact = {.fit = Fit{.value = std::log(1.7), .shared_by = "f"}}});
  CHECK(IntervalFactor(unit, int8) == Approx(1.7));
  unit.invoke_s.fit = Fit{.value = 1e-4};
  CHECK(IntervalFactor(unit, int8) == Approx(1.1));
  CHECK(IntervalFactor(unit, {Num::kFp16, Num::kFp16}) == by_sheet);
  CHECK(EnergyIntervalFactor(1.1) == by_sheet);  // no measurement says more of energy
  CHECK(EnergyIntervalFactor(3) == 3);
}

// Works that pass every path of the cost models: dense and depthwise, element-wise, moves.
std::vector<GroupWork> WorksAt(Num num) {
  std::vector<GroupWork> works = {Product(1000, 256, 256, num), Product(1, 4096, 4096, num), Product(196, 40, 72, num)};
  works.push_back(Product(3136, 1, 9, num));
  works.back().contractions[0] = {
      .kind = ContractionKind::kDepthwise, .batch = 64, .m = 3136, .n = 1, .k = 9, .kernel_elements = 9};
  GroupWork element{.num_nodes = 1, .precision = {num, num}};
  element.in_bytes = element.out_bytes = 2 << 20;
  element.ops = {1 << 20, 1 << 20, 1 << 20, 1 << 20, 0};
  works.push_back(element);
  GroupWork move{
      .in_bytes = 2 << 20, .out_bytes = 2 << 20, .moved_elements = 1 << 20, .num_nodes = 1, .precision = {num, num}};
  works.push_back(move);
  return works;
}

TEST_CASE("law: at equal peak rates bf16 takes no less time and energy than fp16, on every built-in target") {
  size_t compared = 0;
  for (const TargetSummary& row : ListTargets()) {
    const absl::StatusOr<Target> target = LoadTarget(row.name);
    REQUIRE(target.ok());
    for (const Unit& unit : target->units) {
      const Rate* bf16 = RateOf(unit, WorkKind::kContraction, Num::kBf16, Num::kBf16);
      const Rate* fp16 = RateOf(unit, WorkKind::kContraction, Num::kFp16, Num::kFp16);
      if (bf16 == nullptr || fp16 == nullptr || bf16->per_cycle.value_or(0) != fp16->per_cycle.value_or(0)) continue;
      INFO(row.name << ' ' << unit.name);
      const std::vector<GroupWork> as_bf16 = WorksAt(Num::kBf16), as_fp16 = WorksAt(Num::kFp16);
      for (size_t i = 0; i < as_bf16.size(); ++i) {
        INFO(i);
        const auto a = EstimateGroup(*target, unit, as_bf16[i], {}), b = EstimateGroup(*target, unit, as_fp16[i], {});
        REQUIRE((a.ok() && b.ok()));
        CHECK(a->time_s >= b->time_s * (1 - 1e-12));
        CHECK(a->energy.total() >= b->energy.total() * (1 - 1e-12));
        ++compared;
      }
    }
  }
  CHECK(compared >= 24);  // A100, H100, L4 and the Orin family at the least
}

}  // namespace
}  // namespace hwest
