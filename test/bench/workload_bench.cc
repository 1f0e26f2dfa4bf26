// Measures the simulation alone: the least of RUNS processor times on slow stacks, in milliseconds.
//
//   workload_bench RUNS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "workload/simulate.h"
#include "workload/stacks.h"

namespace {

using hwest::Fraction;
using hwest::Piece;
using hwest::Stack;

// Six models of a hundred kernels each, whose releases jitter.
Stack SixModels() {
  Stack stack = hwest::test::TwoUnits();
  for (uint32_t i = 0; i < 6; ++i) {
    std::vector<Piece> pieces(100, {.compute_s = 2e-5, .memory_s = 1e-5, .dram_s = 1e-5, .bytes = 1e5});
    stack.tasks.push_back(hwest::test::MakeTask({{i % 2, std::move(pieces)}}, {1, 30}));
    stack.tasks.back().release.jitter_s = 1e-3;
  }
  return stack;
}

// Jobs of 0.1 ms that are released every `period`, beside others of 29.97 Hz.
Stack Beside30(Fraction period) {
  Stack stack = hwest::test::TwoUnits();
  for (const Fraction each : {period, Fraction{100, 2997}}) {
    stack.tasks.push_back(hwest::test::MakeTask({{0, {hwest::test::Compute(1e-4)}}}, each));
  }
  return stack;
}

void Print(const char* name, const Stack& stack, int runs) {
  double best_s = 1e9;
  int64_t jobs = 0;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    jobs = hwest::Simulate(stack, {}).jobs;
    best_s = std::min(best_s, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%-24s %9lld jobs %9.2f ms\n", name, static_cast<long long>(jobs), 1e3 * best_s);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: workload_bench RUNS\n");
    return 2;
  }
  const int runs = std::max(1, std::atoi(argv[1]));
  Print("six models", SixModels(), runs);
  Print("a release a nanosecond", Beside30({1, 1'000'000'000}), runs);
  Print("a common period of days", Beside30({999983, 1000003}), runs);
}
