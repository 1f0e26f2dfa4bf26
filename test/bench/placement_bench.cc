// Measures placement alone: runs an analysis stage by stage and times the stage that places and plans.
//
//   placement_bench TARGET RUNS MODEL [DIM=N | IxJxK ...]
//
// Prints one line: atoms, states, live, exact (1/0), gap, and the least of RUNS processor times of the stage in
// milliseconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "analysis/request_text.h"
#include "analysis/stages.h"

namespace {

// Processor milliseconds of the stage "plan"; below zero when the analysis failed.
double Run(const std::shared_ptr<const hwest::Graph>& graph, const hwest::AnalysisRequest& request, hwest::Plan* plan) {
  hwest::Workspace workspace;
  workspace.analysis.dims = std::make_unique<hwest::DimPool>(&graph->dims());
  workspace.analysis.graph = graph;
  workspace.analysis.request = request;
  double ms = -1;
  for (const hwest::AnalysisStage& stage : hwest::Stages()) {
    const std::clock_t start = std::clock();
    const absl::Status status = stage.run(workspace);
    if (!status.ok()) {
      std::fprintf(stderr, "%s: %s\n", std::string(stage.name).c_str(), std::string(status.message()).c_str());
      return -1;
    }
    if (stage.name == "plan") ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  *plan = *std::move(workspace.analysis.plan);
  return ms;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: placement_bench TARGET RUNS MODEL [DIM=N | IxJxK ...]\n");
    return 2;
  }
  const auto graph = hwest::LoadModel(argv[3]);
  if (!graph.ok()) return 1;
  hwest::AnalysisRequest request;
  request.target = argv[1];
  for (int i = 4; i < argc; ++i) {
    if (auto size = hwest::ParseSize(argv[i]); size.has_value()) {
      request.bind.dims.push_back(*size);
    } else if (auto shape = hwest::ParseShape(argv[i]); shape.has_value()) {
      request.bind.shapes.push_back(*shape);
    }
  }
  hwest::Plan plan;
  double best_ms = -1;
  for (int run = 0; run < std::max(1, std::atoi(argv[2])); ++run) {
    const double ms = Run(*graph, request, &plan);
    if (ms < 0) return 1;
    best_ms = best_ms < 0 ? ms : std::min(best_ms, ms);
  }
  std::printf("%zu %zu %zu %d %.6g %.3f\n", plan.search.atoms, plan.search.states, plan.search.live,
              plan.search.exact ? 1 : 0, plan.gap, best_ms);
  return 0;
}
