// Measures the time of an analysis of a loaded model, and how many points of a sweep a core does in a second.
//
//   analysis_bench MODEL.. [--target T] [--dim NAME=N].. [--runs N]
//                                  processor time of N analyses of each model, of the graph alone and with an Analyzer
//   analysis_bench --sweep MODEL [--threads N]       every built-in target x batches 1, 2 and 4: points per second
//   analysis_bench --count N MODEL [--target T] [--dim NAME=N].. [--kept]
//                                  N analyses and nothing else, for a profiler to count; --kept: of one Analyzer
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hwest/analysis.h"
#include "hwest/target.h"

namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::shared_ptr<const hwest::Graph> Load(const std::string& path) {
  auto graph = hwest::LoadModel(path);
  if (graph.ok()) return *std::move(graph);
  std::fprintf(stderr, "analysis_bench: %s: %s\n", path.c_str(), std::string(graph.status().message()).c_str());
  std::exit(1);
}

// With `analyzer`, if it is not null, else from the graph alone.
bool Run(const std::shared_ptr<const hwest::Graph>& graph, const hwest::Analyzer* analyzer,
         const hwest::AnalysisRequest& request) {
  const auto analysis = analyzer != nullptr ? analyzer->Analyze(request) : hwest::Analyze(graph, request);
  if (!analysis.ok()) {
    std::fprintf(stderr, "%s: %s\n", request.target.c_str(), std::string(analysis.status().message()).c_str());
  }
  return analysis.ok();
}

// Of one analysis, in milliseconds; empty when it fails. What else the machine does disturbs processor time least.
std::vector<double> Times(const std::shared_ptr<const hwest::Graph>& graph, const hwest::Analyzer* analyzer,
                          const hwest::AnalysisRequest& request, int runs) {
  std::vector<double> times;
  for (int i = 0; i <= runs; ++i) {
    const std::clock_t start = std::clock();
    if (!Run(graph, analyzer, request)) return {};
    const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (i > 0) times.push_back(ms);  // the first one fills what a process and an Analyzer keep
  }
  std::sort(times.begin(), times.end());
  return times;
}

void TimeEach(const std::vector<std::string>& models, const hwest::AnalysisRequest& request, int runs) {
  for (const std::string& path : models) {
    const auto graph = Load(path);
    const hwest::Analyzer analyzer(graph);
    const std::vector<double> fresh = Times(graph, nullptr, request, runs);
    const std::vector<double> kept = Times(graph, &analyzer, request, runs);
    if (fresh.empty() || kept.empty()) continue;
    std::printf("%-40s fresh %7.3f ms (best %.3f), with an Analyzer %7.3f ms (best %.3f)\n",
                path.substr(path.rfind('/') + 1).c_str(), fresh[fresh.size() / 2], fresh.front(), kept[kept.size() / 2],
                kept.front());
  }
}

void Sweep(const std::string& path, int num_threads) {
  const auto graph = Load(path);
  const hwest::Analyzer analyzer(graph);
  std::vector<hwest::AnalysisRequest> points;
  for (const hwest::TargetSummary& target : hwest::ListTargets()) {
    for (const int64_t batch : {1, 2, 4}) {
      points.emplace_back().target = target.name;
      points.back().bind.batch = batch;
    }
  }
  for (int round = 0; round < 3; ++round) {
    std::atomic<size_t> next = 0, done = 0;
    const auto work = [&] {
      for (size_t i = next++; i < points.size(); i = next++) {
        done += Run(graph, &analyzer, points[i]);
      }
    };
    const auto start = Clock::now();
    std::vector<std::thread> threads;
    for (int i = 1; i < num_threads; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    const double seconds = SecondsSince(start);
    std::printf("round %d: %zu of %zu points, %d threads, %.3f s, %.0f points/s\n", round, done.load(), points.size(),
                num_threads, seconds, static_cast<double>(points.size()) / seconds);
  }
}

// NAME=N of the command line.
std::pair<std::string, int64_t> DimOf(const std::string& text) {
  const size_t equals = text.find('=');
  return {text.substr(0, equals), equals == std::string::npos ? 0 : std::atoll(text.c_str() + equals + 1)};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> models;
  hwest::AnalysisRequest request;
  request.target = "jetson-orin";
  int runs = 21, threads = 1, count = 0;
  bool sweep = false, kept = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--target")
      request.target = next();
    else if (word == "--runs")
      runs = std::max(1, std::atoi(next().c_str()));
    else if (word == "--threads")
      threads = std::max(1, std::atoi(next().c_str()));
    else if (word == "--count")
      count = std::atoi(next().c_str());
    else if (word == "--dim")
      request.bind.dims.push_back(DimOf(next()));
    else if (word == "--kept")
      kept = true;
    else if (word == "--sweep")
      sweep = true;
    else
      models.push_back(word);
  }
  if (models.empty()) {
    std::fprintf(stderr,
                 "usage: analysis_bench MODEL.. [--target T] [--dim NAME=N].. [--runs N] | "
                 "--sweep MODEL [--threads N] | --count N MODEL\n");
    return 2;
  }
  if (count > 0) {
    const auto graph = Load(models[0]);
    const auto analyzer = kept ? std::make_unique<hwest::Analyzer>(graph) : nullptr;
    for (int i = 0; i < count; ++i) {
      if (!Run(graph, analyzer.get(), request)) return 1;
    }
    return 0;
  }
  if (sweep)
    Sweep(models[0], threads);
  else
    TimeEach(models, request, runs);
  return 0;
}
