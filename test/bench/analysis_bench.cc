// How long an analysis of a loaded model takes, and how many points of a sweep a core does in a second.
//
//   analysis_bench MODEL.. [--target T] [--runs N]   median and best of N analyses of each model
//   analysis_bench --sweep MODEL [--threads N]       every built-in target x batches 1, 2 and 4: points per second
//   analysis_bench --count N MODEL [--target T] [--kept]
//                                  N analyses and nothing else, for a profiler to count; --kept: of one Analyzer
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
bool Run(const std::shared_ptr<const hwest::Graph>& graph, const hwest::Analyzer* analyzer, const std::string& target,
         int64_t batch) {
  hwest::AnalysisRequest request;
  request.target = target;
  if (batch > 0) request.bind.batch = batch;
  const auto analysis = analyzer != nullptr ? analyzer->Analyze(request) : hwest::Analyze(graph, request);
  if (!analysis.ok()) std::fprintf(stderr, "%s: %s\n", target.c_str(), std::string(analysis.status().message()).c_str());
  return analysis.ok();
}

void TimeEach(const std::vector<std::string>& models, const std::string& target, int runs) {
  for (const std::string& path : models) {
    const auto graph = Load(path);
    std::vector<double> seconds;
    for (int i = 0; i <= runs; ++i) {
      const auto start = Clock::now();
      if (!Run(graph, nullptr, target, 0)) break;
      if (i > 0) seconds.push_back(SecondsSince(start));  // the first one fills what a process keeps
    }
    if (seconds.empty()) continue;
    std::sort(seconds.begin(), seconds.end());
    std::printf("%-60s %8.3f ms median %8.3f ms best\n", path.substr(path.rfind('/') + 1).c_str(),
                seconds[seconds.size() / 2] * 1e3, seconds.front() * 1e3);
  }
}

void Sweep(const std::string& path, int num_threads) {
  struct Point {
    std::string target;
    int64_t batch;
  };
  const auto graph = Load(path);
  const hwest::Analyzer analyzer(graph);
  std::vector<Point> points;
  for (const hwest::TargetSummary& target : hwest::ListTargets()) {
    for (const int64_t batch : {1, 2, 4}) points.push_back({target.name, batch});
  }
  for (int round = 0; round < 3; ++round) {
    std::atomic<size_t> next = 0, done = 0;
    const auto work = [&] {
      for (size_t i = next++; i < points.size(); i = next++) {
        done += Run(graph, &analyzer, points[i].target, points[i].batch);
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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> models;
  std::string target = "jetson-orin";
  int runs = 21, threads = 1, count = 0;
  bool sweep = false, kept = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "--target") target = next();
    else if (word == "--runs") runs = std::max(1, std::atoi(next()));
    else if (word == "--threads") threads = std::max(1, std::atoi(next()));
    else if (word == "--count") count = std::atoi(next());
    else if (word == "--kept") kept = true;
    else if (word == "--sweep") sweep = true;
    else models.push_back(word);
  }
  if (models.empty()) {
    std::fprintf(stderr, "usage: analysis_bench MODEL.. [--target T] [--runs N] | --sweep MODEL [--threads N] | "
                         "--count N MODEL\n");
    return 2;
  }
  if (count > 0) {
    const auto graph = Load(models[0]);
    const auto analyzer = kept ? std::make_unique<hwest::Analyzer>(graph) : nullptr;
    for (int i = 0; i < count; ++i) {
      if (!Run(graph, analyzer.get(), target, 0)) return 1;
    }
    return 0;
  }
  if (sweep) Sweep(models[0], threads);
  else TimeEach(models, target, runs);
  return 0;
}
