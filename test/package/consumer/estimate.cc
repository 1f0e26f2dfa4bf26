// estimate MODEL TARGET: the latency of a model on a target.
#include <cstdio>
#include <string>

#include "hwest/analysis.h"

absl::Status Estimate(const std::string& model, const std::string& target) {
  absl::StatusOr<std::shared_ptr<const hwest::Graph>> graph = hwest::LoadModel(model);
  if (!graph.ok()) return graph.status();
  hwest::AnalysisRequest request;
  request.target = target;
  const absl::StatusOr<hwest::Analysis> analysis = hwest::Analyze(*std::move(graph), request);
  if (!analysis.ok()) return analysis.status();
  std::printf("%.3f ms on %s\n", analysis->plan->latency_s * 1e3, analysis->target->name.c_str());
  return absl::OkStatus();
}

int main(int argc, char** argv) {
  const absl::Status status = Estimate(argc > 1 ? argv[1] : "-", argc > 2 ? argv[2] : "jetson-orin");
  if (!status.ok()) std::fprintf(stderr, "estimate: %s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
