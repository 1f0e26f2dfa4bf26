// Published figures of models that run side by side. One choice per source stands for what is unknown about its models;
// the rows marked so fix it, and the others are predicted. The test "published" alone prints the table.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "hwest/target.h"
#include "support/catch.h"
#include "workload/simulate.h"

namespace hwest {
namespace {

constexpr double kBandwidth = 187e9;  // any: shares of it are what counts

struct Row {
  std::string source;
  std::string what;
  bool is_choice = false;
  double measured = 0;  // slowdown
  double predicted = 0;
};

// A chip of a GPU, two DLAs and a CPU with cores to spare, as their toolchains share them.
Stack Jetson() {
  Stack stack;
  stack.pools = {{.bytes_per_s = kBandwidth}};
  for (const auto& [name, toolchain] :
       {std::pair("gpu", "tensorrt"), {"dla0", "tensorrt-dla"}, {"dla1", "tensorrt-dla"}}) {
    const Sharing usual = *LoadToolchain(toolchain)->sharing;
    stack.resources.push_back(
        {.name = name, .policy = usual.policy, .preemption = usual.preemption, .slice_s = usual.slice_s});
  }
  stack.resources.push_back({.name = "cpu", .servers = 8});
  return stack;
}

// A part of a model that asks for a share of the memory, and waits for it as large a share of its time.
Piece Asking(double seconds, double share) {
  return {.compute_s = seconds * (1 - share),
          .memory_s = seconds * share,
          .dram_s = seconds * share,
          .serial = 1,
          .bytes = seconds * share * kBandwidth};
}

// Mean response of each task while all run back to back, over its time alone.
std::vector<double> Slowdowns(const std::vector<std::vector<Stage>>& tasks, Stack stack = Jetson()) {
  for (const std::vector<Stage>& stages : tasks) {
    StackTask task;
    task.load.stages = stages;
    task.load.kept_bytes.assign(stack.resources.size(), 0);
    stack.tasks.push_back(std::move(task));
  }
  const Simulation run = Simulate(stack, {});
  std::vector<double> factors;
  for (size_t t = 0; t < tasks.size(); ++t) {
    factors.push_back(run.tasks[t].sum_s / static_cast<double>(run.tasks[t].jobs) / stack.tasks[t].load.alone_s());
  }
  return factors;
}

// Where `f`, which grows with x in [0, 1], reaches `want`.
double SolveFor(double want, const std::function<double(double)>& f) {
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < want ? low : high) = middle;
  }
  return (low + high) / 2;
}

// NVIDIA/TensorRT issue 2745, AGX Orin, int8: 45 ms on the GPU, 17 ms on each DLA. Choice: what the DLA and the GPU ask
// of the memory, from the pairs.
void AddTensorRt2745(std::vector<Row>* rows) {
  constexpr double kGpu_s = 45e-3, kDla_s = 17e-3;
  const std::string source = "TensorRT#2745";
  const auto dla = [&](uint32_t unit, double share) { return std::vector<Stage>{{unit, {Asking(kDla_s, share)}}}; };
  const auto gpu = [&](double share) { return std::vector<Stage>{{0, {Asking(kGpu_s, share)}}}; };
  const double dla_share =
      SolveFor((17.68 + 18.14) / 2 / 17, [&](double x) { return Slowdowns({dla(1, x), dla(2, x)})[0]; });
  const double gpu_share = SolveFor((51.05 / 45 + 20.78 / 17) / 2, [&](double x) {
    const std::vector<double> both = Slowdowns({gpu(x), dla(1, dla_share)});
    return (both[0] + both[1]) / 2;
  });
  const std::vector<double> two = Slowdowns({dla(1, dla_share), dla(2, dla_share)});
  const std::vector<double> pair = Slowdowns({gpu(gpu_share), dla(1, dla_share)});
  const std::vector<double> three = Slowdowns({gpu(gpu_share), dla(1, dla_share), dla(2, dla_share)});
  const std::vector<double> shared = Slowdowns({dla(1, dla_share), dla(1, dla_share)});
  rows->push_back({source, "two DLAs: DLA0", true, 17.68 / 17, two[0]});
  rows->push_back({source, "two DLAs: DLA1", true, 18.14 / 17, two[1]});
  rows->push_back({source, "GPU and DLA: GPU", true, 51.05 / 45, pair[0]});
  rows->push_back({source, "GPU and DLA: DLA", true, 20.78 / 17, pair[1]});
  rows->push_back({source, "GPU and two DLAs: GPU", false, 59.0 / 45, three[0]});
  rows->push_back({source, "GPU and two DLAs: DLA0", false, 21.8 / 17, three[1]});
  rows->push_back({source, "GPU and two DLAs: DLA1", false, 21.8 / 17, three[2]});
  rows->push_back({source, "two models on one DLA", false, 33.0 / 17, shared[0]});
}

// NVIDIA forum 219770, AGX Orin MAXN, one convolution, int8: 405.3 per s on the GPU, 132.7 on a DLA, whose reformats
// run on the GPU. Choice: how long these take, half before and half after the DLA, from what the GPU loses.
void AddForum219770(std::vector<Row>* rows) {
  constexpr double kGpu_s = 1 / 405.3, kDla_s = 1 / 132.7;
  const auto compute = [](double seconds) { return std::vector<Piece>{{.compute_s = seconds}}; };
  const auto all = [&](double share) {
    const auto dla = [&](uint32_t unit) {
      return std::vector<Stage>{
          {0, compute(kDla_s * share / 2)}, {unit, compute(kDla_s * (1 - share))}, {0, compute(kDla_s * share / 2)}};
    };
    return Slowdowns({{{0, compute(kGpu_s)}}, dla(1), dla(2)});
  };
  const double share = SolveFor(405.3 / 229.2, [&](double x) { return all(x)[0]; });
  const std::vector<double> found = all(share);
  rows->push_back({"forum 219770", "GPU and two DLAs: GPU", true, 405.3 / 229.2, found[0]});
  rows->push_back({"forum 219770", "GPU and two DLAs: DLA0", false, 132.7 / 113.1, found[1]});
  rows->push_back({"forum 219770", "GPU and two DLAs: DLA1", false, 132.7 / 113.1, found[2]});
}

// Models of one process: each in a stream of its own, whose kernels alternate on the GPU.
Stack JetsonOfOneProcess() {
  Stack stack = Jetson();
  stack.resources[0].preemption = Preemption::kBetweenPieces;
  return stack;
}

// As many kernels in each model, since nothing else is known of them.
std::vector<Piece> Kernels(double seconds) {
  constexpr size_t kKernels = 100;
  return std::vector<Piece>(kKernels, {.compute_s = seconds / kKernels});
}

// jetson-inference issue 962, Xavier: 20 ms and 30 ms on the GPU of one process, the rest of the frame on the CPU.
// Choice: the share of the GPU in both, from the first model.
void AddJetsonInference962(std::vector<Row>* rows) {
  const auto both = [](double share) {
    const auto model = [&](double seconds) {
      return std::vector<Stage>{{3, {{.compute_s = seconds * (1 - share)}}}, {0, Kernels(seconds * share)}};
    };
    return Slowdowns({model(20e-3), model(30e-3)}, JetsonOfOneProcess());
  };
  const double share = SolveFor(35.0 / 20, [&](double x) { return both(x)[0]; });
  const std::vector<double> found = both(share);
  rows->push_back({"jetson-inference#962", "two models on the GPU: first", true, 35.0 / 20, found[0]});
  rows->push_back({"jetson-inference#962", "two models on the GPU: second", false, 43.0 / 30, found[1]});
}

// NVIDIA/TensorRT issue 4105: models of 10.1 and 34.7 ms, in the median, then in two threads of one process, where in
// six of the first eight rounds both end after 43 to 51 ms, in the median after 47.2. No choice.
void AddTensorRt4105(std::vector<Row>* rows) {
  constexpr double kFast_s = 10.1e-3, kSlow_s = 34.7e-3, kBoth_s = 47.2e-3;
  const std::vector<double> found = Slowdowns({{{0, Kernels(kFast_s)}}, {{0, Kernels(kSlow_s)}}}, JetsonOfOneProcess());
  rows->push_back({"TensorRT#4105", "two models in one process: fast", false, kBoth_s / kFast_s, found[0]});
  rows->push_back({"TensorRT#4105", "two models in one process: slow", false, kBoth_s / kSlow_s, found[1]});
}

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  AddTensorRt2745(&rows);
  AddForum219770(&rows);
  AddJetsonInference962(&rows);
  AddTensorRt4105(&rows);
  return rows;
}

TEST_CASE("published slowdowns are predicted within 15 % in the median", "[published]") {
  std::vector<double> errors;
  for (const Row& row : AllRows()) {
    const double error = std::exp(std::fabs(std::log(row.predicted / row.measured))) - 1;
    std::printf("%-22s %-32s measured %.3f  predicted %.3f  error %4.1f %%%s\n", row.source.c_str(), row.what.c_str(),
                row.measured, row.predicted, 100 * error, row.is_choice ? "  (fixes the choice)" : "");
    if (!row.is_choice) errors.push_back(error);
  }
  std::sort(errors.begin(), errors.end());
  std::printf("median of %zu predicted rows: %.1f %%, largest %.1f %%\n", errors.size(),
              100 * errors[errors.size() / 2], 100 * errors.back());
  CHECK(errors.size() == 9);
  CHECK(errors[errors.size() / 2] <= 0.15);
}

}  // namespace
}  // namespace hwest
