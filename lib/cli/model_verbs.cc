// analyze, shapes, support and explain: load a model, analyse it, report.
#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "hwest/generation.h"
#include "hwest/study.h"

namespace hwest {
namespace {

ReportKind KindOf(Verb verb) {
  switch (verb) {
    case Verb::kShapes:
      return ReportKind::kShapes;
    case Verb::kSupport:
      return ReportKind::kSupport;
    case Verb::kExplain:
      return ReportKind::kExplain;
    default:
      return ReportKind::kAnalysis;
  }
}

absl::Status CheckRequest(const Options& options) {
  if (options.verb == Verb::kShapes || !options.request.target.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, "no target was named",
                   "add --target NAME (`onnx-hwest targets` lists them), or use `onnx-hwest shapes MODEL`");
}

absl::Status StrictStatus(const Options& options, const Analysis& analysis) {
  if (options.strict == Strict::kNo) return absl::OkStatus();
  const std::string incomplete = IncompletenessOf(analysis);
  if (incomplete.empty()) return absl::OkStatus();
  return MakeError(Code::kIncomplete, absl::StrCat("the analysis is incomplete, ", incomplete),
                   "leave --strict out to accept that");
}

struct Studies {
  std::optional<std::vector<WhatIfRow>> what_if;
  std::optional<std::vector<MoveRow>> moves;
  std::optional<std::vector<GenerationRow>> generation;
};

// Times the contexts that were asked for, and makes `request` that of a token at the longest of them.
absl::Status RunContexts(const std::shared_ptr<const Graph>& graph, const Options& options, const Streams& streams,
                         AnalysisRequest* request, Studies* studies) {
  if (options.contexts.empty()) return absl::OkStatus();
  const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
  HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(graph, *request));
  HWEST_ASSIGN_OR_RETURN(studies->generation, ByContext(graph, *request, cache, options.contexts, progress));
  const int64_t longest = *std::max_element(options.contexts.begin(), options.contexts.end());
  *request = StepOf(cache, *request, cache.fixed_step, longest);
  return absl::OkStatus();
}

absl::Status RunStudies(const std::shared_ptr<const Graph>& graph, const Analysis& analysis, const Options& options,
                        const Streams& streams, Studies* studies) {
  if (options.study == Study::kWhatIf) {
    const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
    HWEST_ASSIGN_OR_RETURN(studies->what_if, WhatIf(graph, analysis, options.words[0], progress));
  }
  if (options.verb == Verb::kExplain) {
    HWEST_ASSIGN_OR_RETURN(const NodeId node, NodeNamed(analysis, options.words[1]));
    HWEST_ASSIGN_OR_RETURN(studies->moves, MovesOf(graph, analysis, node));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunModelVerb(const Options& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckRequest(options));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[0]));
  HWEST_ASSIGN_OR_RETURN(AnalysisRequest request, RequestFor(options.request, *graph));
  std::vector<Diagnostic> checked;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(options.words[0], &checked));
  Studies studies;
  HWEST_RETURN_IF_ERROR(RunContexts(graph, options, streams, &request, &studies));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, Analyze(graph, request));
  analysis.diagnostics.insert(analysis.diagnostics.end(), checked.begin(), checked.end());
  std::vector<Diagnostic> notes;
  if (options.report.format != Format::kText) notes = analysis.diagnostics;
  ReportOptions report = options.report;
  report.model_path = options.words[0];
  report.notes = &notes;
  if (options.verb == Verb::kExplain) report.node = options.words[1];
  HWEST_RETURN_IF_ERROR(RunStudies(graph, analysis, options, streams, &studies));
  report.what_if = studies.what_if.has_value() ? &*studies.what_if : nullptr;
  report.generation = studies.generation.has_value() ? &*studies.generation : nullptr;
  report.moves = studies.moves.has_value() ? &*studies.moves : nullptr;
  if (InfoOf(report.format).is_picture) PrintProgress("drawing the graph", options, streams);
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteReport(analysis, KindOf(options.verb), report, sink); }));
  PrintNotes(notes, options, streams);
  return StrictStatus(options, analysis);
}

}  // namespace hwest
