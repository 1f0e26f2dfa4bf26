// In-process comparison on one file: our load + analyse against libonnx's parse + shape inference.
//
//   library_bench MODEL RUNS       medians of RUNS alternating runs and their ratio: in one process, which reuses the
//                                  memory of earlier runs, and each in a process of its own
//   library_bench MODEL metadata   bytes of the file that are not skipped payload
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <vector>

#include "hwest/analysis.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"

namespace {

// Processor time: both sides have one thread, and what else the machine does disturbs it least.
double SecondsOf(void (*work)(const char*), const char* path) {
  const std::clock_t start = std::clock();
  work(path);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The same in a separate process, as in a program that opens one model.
double SecondsInChild(void (*work)(const char*), const char* path) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child < 0) std::exit(1);
  if (child == 0) {
    const double seconds = SecondsOf(work, path);
    _exit(write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
  }
  close(ends[1]);
  double seconds = 0;
  const bool is_read = read(ends[0], &seconds, sizeof seconds) == sizeof seconds;
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0 || !is_read) std::exit(1);
  return seconds;
}

void RunOurs(const char* path) {
  const auto graph = hwest::LoadModel(path);
  if (!graph.ok()) std::exit(1);
  hwest::AnalysisRequest request;
  request.target = "jetson-orin";
  if (!hwest::Analyze(*graph, request).ok()) std::exit(1);
}

void RunLibonnx(const char* path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  if (!model.ParseFromIstream(&file)) std::exit(1);
  onnx::shape_inference::InferShapes(model);
}

double Median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

void Compare(const char* where, double (*measure)(void (*)(const char*), const char*), const char* path, int runs) {
  std::vector<double> ours, theirs;
  for (int i = 0; i <= runs; ++i) {
    const double mine = measure(RunOurs, path);
    const double libonnx = measure(RunLibonnx, path);
    if (i == 0) continue;  // warms the file cache
    ours.push_back(mine);
    theirs.push_back(libonnx);
  }
  std::printf("%s: ours %.2f ms, libonnx parse + infer %.1f ms, ratio %.0f\n", where, Median(ours) * 1e3,
              Median(theirs) * 1e3, Median(theirs) / Median(ours));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: library_bench MODEL RUNS|metadata\n");
    return 2;
  }
  if (std::strcmp(argv[2], "metadata") == 0) {
    const auto graph = hwest::LoadModel(argv[1]);
    if (!graph.ok()) return 1;
    std::printf("%lld\n", static_cast<long long>((*graph)->info().metadata_bytes));
    return 0;
  }
  // Children first: they inherit this process's memory.
  Compare("a process each", SecondsInChild, argv[1], std::atoi(argv[2]));
  Compare("one process", SecondsOf, argv[1], std::atoi(argv[2]));
  return 0;
}
