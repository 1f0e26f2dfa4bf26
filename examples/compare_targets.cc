// A model on several targets, as a table for a review, and its report on the first of them, in the C++ API.
//
//     compare_targets MODEL TARGET...  > review.md
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hwest/analysis.h"
#include "hwest/report.h"
#include "hwest/sweep.h"

namespace {

absl::Status Print(absl::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  return absl::OkStatus();
}

absl::Status WriteTable(const std::string& model, const std::vector<std::string>& targets) {
  hwest::app::SweepRequest request;
  request.axes.models = {model};
  request.axes.targets = targets;
  request.threads = 2;
  absl::StatusOr<hwest::app::SweepResult> sweep = hwest::app::Sweep(std::move(request));
  if (!sweep.ok()) return sweep.status();
  return hwest::app::WriteSweep(*sweep, {.format = hwest::Format::kMarkdown}, Print);
}

absl::Status WriteDetails(const std::string& model, const std::string& target) {
  absl::StatusOr<std::shared_ptr<const hwest::Graph>> graph = hwest::LoadModel(model);
  if (!graph.ok()) return graph.status();
  hwest::AnalysisRequest request;
  request.target = target;
  absl::StatusOr<hwest::Analysis> analysis = hwest::Analyze(*graph, request);
  if (!analysis.ok()) return analysis.status();
  hwest::AnalyzeResult result;
  result.analysis = std::make_shared<const hwest::Analysis>(*std::move(analysis));
  absl::StatusOr<std::vector<hwest::WhatIfRow>> changes = hwest::WhatIf(*graph, *result.analysis, model, nullptr);
  if (!changes.ok()) return changes.status();
  result.what_if = *std::move(changes);
  const hwest::ReportOptions options{.format = hwest::Format::kMarkdown, .top = 5, .model_path = model};
  return hwest::WriteReport(result, hwest::ReportKind::kAnalysis, options, Print);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: compare_targets MODEL TARGET...\n");
    return 2;
  }
  absl::Status status = WriteTable(argv[1], {argv + 2, argv + argc});
  if (status.ok()) status = WriteDetails(argv[1], argv[2]);
  if (status.ok()) return 0;
  std::fprintf(stderr, "compare_targets: %s\n", std::string(status.message()).c_str());
  return 1;
}
