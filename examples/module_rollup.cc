// Time of a model by the modules of its PyTorch source, in the C++ API. What fuses across modules counts for the module
// of its last node: a Conv that runs inside conv_act takes its time under the activation.
//
//     module_rollup MODEL TARGET
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "hwest/analysis.h"

namespace {

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "module_rollup: %s\n", std::string(status.message()).c_str());
  return 1;
}

// Modules one level below the root; their rows include everything inside them.
bool IsTopLevel(const hwest::Graph& graph, const hwest::ModuleRow& row) {
  const hwest::ScopeId parent = graph.scope(row.scope).parent;
  return parent.valid() && !graph.scope(parent).parent.valid();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: module_rollup MODEL TARGET\n");
    return 2;
  }
  absl::StatusOr<std::shared_ptr<const hwest::Graph>> graph = hwest::LoadModel(argv[1]);
  if (!graph.ok()) return Fail(graph.status());
  hwest::AnalysisRequest request;
  request.target = argv[2];
  const absl::StatusOr<hwest::Analysis> analysis = hwest::Analyze(*std::move(graph), request);
  if (!analysis.ok()) return Fail(analysis.status());

  std::printf("%-24s %8s %12s %10s\n", "module", "nodes", "MACs", "time us");
  for (const hwest::ModuleRow& row : analysis->modules) {
    if (!IsTopLevel(*analysis->graph, row)) continue;
    std::printf("%-24s %8lld %12s", row.path.c_str(), static_cast<long long>(row.nodes),
                analysis->dims->ToString(row.macs).c_str());
    if (row.time_s.has_value())
      std::printf(" %10.2f\n", *row.time_s * 1e6);
    else
      std::printf(" %10s\n", "unknown");
  }
  return 0;
}
