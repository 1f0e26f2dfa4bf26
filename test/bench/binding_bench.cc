// Measures the cost of a binding: a row of groups and load + analyse, through C++ and through the C ABI.
// binding_bench.py adds ctypes and prints the ratios.
//
//   binding_bench MODEL TARGET RUNS    one line each: NAME VALUE, nanoseconds per row or seconds per run
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "hwest.h"
#include "hwest/analysis.h"

namespace {

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The least of `runs`: what the work takes when nothing else does.
double BestOf(int runs, const std::function<void()>& work) {
  double best = SecondsOf(work);
  for (int i = 1; i < runs; ++i) best = std::min(best, SecondsOf(work));
  return best;
}

void Expect(bool ok) {
  if (ok) return;
  std::fprintf(stderr, "binding_bench: %s\n", hwest_last_error_message());
  std::exit(1);
}

hwest::Analysis AnalyzeInCpp(const char* model, const char* target) {
  const auto graph = hwest::LoadModel(model);
  Expect(graph.ok());
  hwest::AnalysisRequest request;
  request.target = target;
  auto analysis = hwest::Analyze(*graph, request);
  Expect(analysis.ok());
  return *std::move(analysis);
}

hwest_analysis* AnalyzeInC(const char* path, const char* target) {
  hwest_model* model = nullptr;
  hwest_analysis* analysis = nullptr;
  hwest_options options = {};
  options.struct_size = sizeof options;
  options.target = target;
  Expect(hwest_model_load(path, &model) == HWEST_OK);
  Expect(hwest_analyze(model, &options, &analysis) == HWEST_OK);
  hwest_model_free(model);
  return analysis;
}

double sum = 0;  // keeps the reads

void ReadInCpp(const hwest::Analysis& analysis, int times) {
  for (int t = 0; t < times; ++t) {
    for (const hwest::PlannedGroup& group : analysis.plan->groups) sum += group.estimate ? group.estimate->time_s : 0;
  }
}

void ReadInC(const hwest_analysis* analysis, uint64_t count, int times) {
  hwest_group group = {};
  for (int t = 0; t < times; ++t) {
    for (uint64_t i = 0; i < count; ++i) {
      group.struct_size = sizeof group;
      Expect(hwest_analysis_group_get(analysis, i, &group) == HWEST_OK);
      sum += group.time_s;
    }
  }
}

void ReadAllInC(const hwest_analysis* analysis, std::vector<hwest_group>& rows, int times) {
  for (int t = 0; t < times; ++t) {
    Expect(hwest_analysis_group_read(analysis, 0, rows.size(), rows.data(), sizeof rows[0]) == HWEST_OK);
    for (const hwest_group& group : rows) sum += group.time_s;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: binding_bench MODEL TARGET RUNS\n");
    return 2;
  }
  const char* model = argv[1];
  const char* target = argv[2];
  const int runs = std::atoi(argv[3]);
  constexpr int kTimes = 1000;
  const hwest::Analysis analysis = AnalyzeInCpp(model, target);
  hwest_analysis* in_c = AnalyzeInC(model, target);
  std::vector<hwest_group> rows(hwest_analysis_group_count(in_c));
  const double reads = static_cast<double>(rows.size()) * kTimes;
  const auto per_row = [&](const std::function<void()>& work) { return 1e9 * BestOf(runs, work) / reads; };
  std::printf("rows %zu\n", rows.size());
  std::printf("cpp_row_ns %.3f\n", per_row([&] { ReadInCpp(analysis, kTimes); }));
  std::printf("c_get_row_ns %.3f\n", per_row([&] { ReadInC(in_c, rows.size(), kTimes); }));
  std::printf("c_read_row_ns %.3f\n", per_row([&] { ReadAllInC(in_c, rows, kTimes); }));
  double cpp_s = 1e9, c_s = 1e9;
  for (int i = 0; i < runs; ++i) {  // in turn, so that both have the same neighbours
    cpp_s = std::min(cpp_s, SecondsOf([&] { AnalyzeInCpp(model, target); }));
    c_s = std::min(c_s, SecondsOf([&] { hwest_analysis_free(AnalyzeInC(model, target)); }));
  }
  std::printf("cpp_analyze_s %.6f\nc_analyze_s %.6f\n", cpp_s, c_s);
  hwest_analysis_free(in_c);
  return sum > 0 ? 0 : 1;
}
