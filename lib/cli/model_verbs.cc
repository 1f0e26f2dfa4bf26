// analyze, shapes, support, explain, graph and cures: load a model, analyse it, write a report.
#include <memory>
#include <utility>

#include "app/analyze.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

absl::Status CheckRequest(const AnalyzeOptions& options) {
  const bool needs_target = options.verb != Verb::kShapes && options.verb != Verb::kGraph;
  if (!needs_target || !options.request.target.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, "no target was named",
                   "add --target NAME (`onnx-hwest targets` lists them), or use `onnx-hwest shapes MODEL`");
}

app::AnalyzeRequest RequestOf(const AnalyzeOptions& options, AnalysisRequest analysis, std::vector<Diagnostic> checked,
                              const Streams& streams) {
  app::AnalyzeRequest request{.kind = InfoOf(options.verb).report, .format = options.report.format};
  request.analysis = std::move(analysis);
  request.contexts = options.contexts;
  request.what_if = options.study == Study::kWhatIf;
  request.rewrite = options.with_rewrites;
  request.cures = options.report.stats == Stats::kBesideRows;
  for (const GivenFlag& given : options.request_flags) {
    if (FindFlag(given.flag->name, Verb::kRewrite) != given.flag) continue;
    request.flags.emplace_back(given.flag->name);
    if (!given.value.empty()) request.flags.push_back(given.value);
  }
  if (request.rewrite) request.rewrite_command = CommandOf(Verb::kRewrite, options);
  if (options.verb == Verb::kExplain)
    request.node = options.words[1];
  else
    request.watch = WatchOf(options, streams);  // trying a node is fast
  request.notes = std::move(checked);
  return request;
}

}  // namespace

absl::Status RunModelVerb(const AnalyzeOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckRequest(options));
  const std::string& path = options.words[0];
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(path));
  HWEST_ASSIGN_OR_RETURN(AnalysisRequest asked, RequestFor(options.request, *graph));
  std::vector<Diagnostic> checked;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(path, &checked));
  const app::LoadedModel model{.graph = std::move(graph), .name = path, .source = {.path = path, .limits = {}}};
  app::AnalyzeRequest request = RequestOf(options, std::move(asked), std::move(checked), streams);
  HWEST_ASSIGN_OR_RETURN(const AnalyzeResult result, app::Analyze(model, std::move(request)));
  std::vector<Diagnostic> notes;  // that the report itself does not show
  if (options.report.format != Format::kText) {
    notes = result.analysis->diagnostics;
    notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  }
  ReportOptions report = options.report;
  report.model_path = path;
  if (InfoOf(report.format).is_picture) PrintProgress("drawing the graph", options, streams);
  const auto write = [&](Sink sink) { return WriteReport(result, InfoOf(options.verb).report, report, sink, &notes); };
  const bool is_paged = options.verb == Verb::kGraph;
  HWEST_RETURN_IF_ERROR(is_paged ? DeliverPaged(options, streams, write) : Deliver(options, streams, write));
  PrintNotes(notes, options, streams);
  return options.strict == Strict::kYes ? app::CheckComplete(*result.analysis) : absl::OkStatus();
}

}  // namespace hwest
