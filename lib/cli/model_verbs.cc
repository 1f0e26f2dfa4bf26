// analyze, shapes, support and explain: load a model, analyse it, report.
#include "absl/strings/str_cat.h"
#include "analysis/value_text.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/verbs.h"

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

}  // namespace

absl::Status RunModelVerb(const Options& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckRequest(options));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[0]));
  AnalysisRequest request = options.request;
  for (const std::string& value : options.values) HWEST_RETURN_IF_ERROR(AddValue(*graph, value, &request.bind));
  std::vector<Diagnostic> checked;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(options.words[0], &checked));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, Analyze(std::move(graph), request));
  analysis.diagnostics.insert(analysis.diagnostics.end(), checked.begin(), checked.end());
  std::vector<Diagnostic> notes;
  if (options.report.format != Format::kText) notes = analysis.diagnostics;
  ReportOptions report = options.report;
  report.model_path = options.words[0];
  report.notes = &notes;
  if (options.verb == Verb::kExplain) report.node = options.words[1];
  if (InfoOf(report.format).is_picture) PrintProgress("drawing the graph", options, streams);
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteReport(analysis, KindOf(options.verb), report, sink); }));
  PrintNotes(notes, options, streams);
  return StrictStatus(options, analysis);
}

}  // namespace hwest
