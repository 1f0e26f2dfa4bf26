// analyze, shapes, support, explain and graph: load a model, analyse it, report.
#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "analysis/unsettled.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/verbs.h"
#include "hwest/generation.h"
#include "hwest/rewrite.h"
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
    case Verb::kGraph:
      return ReportKind::kGraph;
    default:
      return ReportKind::kAnalysis;
  }
}

absl::Status CheckRequest(const AnalyzeOptions& options) {
  const bool needs_target = options.verb != Verb::kShapes && options.verb != Verb::kGraph;
  if (!needs_target || !options.request.target.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, "no target was named",
                   "add --target NAME (`onnx-hwest targets` lists them), or use `onnx-hwest shapes MODEL`");
}

absl::Status StrictStatus(const AnalyzeOptions& options, const Analysis& analysis) {
  if (options.strict == Strict::kNo) return absl::OkStatus();
  const std::string incomplete = IncompletenessOf(analysis);
  if (incomplete.empty()) return absl::OkStatus();
  const std::string settles = SettlingFlags(analysis);
  return MakeError(Code::kIncomplete, absl::StrCat("the analysis is incomplete, ", incomplete),
                   settles.empty() ? "leave --strict out to accept that"
                                   : absl::StrCat("state what it hangs on: ", settles, ", or leave --strict out"));
}

struct Studies {
  std::optional<std::vector<WhatIfRow>> what_if;
  std::optional<std::vector<MoveRow>> moves;
  std::optional<std::vector<GenerationRow>> generation;
  std::optional<Rewritten> rewritten;
};

constexpr size_t kMostRulesNamed = 4;

// Rules that could help nodes which the accelerators refuse now.
void NoteRewrites(const AnalyzeOptions& options, Analysis* analysis) {
  if (options.verb != Verb::kAnalyze || options.with_rewrites) return;
  std::vector<std::string> rules = ApplicableRules(*analysis);
  if (rules.empty()) return;
  const size_t more = rules.size() - std::min(rules.size(), kMostRulesNamed);
  rules.resize(rules.size() - more);
  analysis->diagnostics.push_back(
      {.code = Code::kAssumed,
       .message = absl::StrCat("the figures are those of the file as it is; nodes that fall back have equivalent forms: ",
                               absl::StrJoin(rules, ", "),
                               more > 0 ? absl::StrCat(" and ", more, " more") : ""),
       .remedy = "add --rewrite to see what they bring"});
}

// Times the contexts that were asked for, and makes `request` that of a token at the longest of them.
absl::Status RunContexts(const std::shared_ptr<const Graph>& graph, const AnalyzeOptions& options,
                         const Streams& streams, AnalysisRequest* request, Studies* studies) {
  if (options.contexts.empty()) return absl::OkStatus();
  const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
  HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(graph, *request));
  HWEST_ASSIGN_OR_RETURN(studies->generation, ByContext(graph, *request, cache, options.contexts, progress));
  const int64_t longest = *std::max_element(options.contexts.begin(), options.contexts.end());
  *request = StepOf(cache, *request, cache.fixed_step, longest);
  return absl::OkStatus();
}

constexpr int64_t kMostNodesTried = 10000;  // past them a page waits longer for the changes than for all else

// A page opens with what would help.
bool TriesChanges(const AnalyzeOptions& options, const Analysis& analysis) {
  if (options.study == Study::kWhatIf) return true;
  return options.verb == Verb::kAnalyze && options.report.format == Format::kHtml && analysis.plan.has_value() &&
         analysis.coverage.nodes <= kMostNodesTried;
}

absl::Status RunStudies(const std::shared_ptr<const Graph>& graph, const Analysis& analysis,
                        const AnalyzeOptions& options, const Streams& streams, Studies* studies) {
  if (TriesChanges(options, analysis)) {
    const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
    HWEST_ASSIGN_OR_RETURN(studies->what_if, WhatIf(graph, analysis, options.words[0], progress));
  }
  if (options.with_rewrites) {
    const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
    const auto request_of = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(analysis.request); };
    HWEST_ASSIGN_OR_RETURN(studies->rewritten, RewriteModel(options.words[0], request_of, {}, progress));
  }
  if (options.verb == Verb::kExplain) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, NodesNamed(analysis, options.words[1]));
    HWEST_ASSIGN_OR_RETURN(studies->moves, MovesOf(graph, analysis, nodes));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunModelVerb(const AnalyzeOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckRequest(options));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[0]));
  HWEST_ASSIGN_OR_RETURN(AnalysisRequest request, RequestFor(options.request, *graph));
  std::vector<Diagnostic> checked;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(options.words[0], &checked));
  Studies studies;
  HWEST_RETURN_IF_ERROR(RunContexts(graph, options, streams, &request, &studies));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, Analyze(graph, request));
  NoteRewrites(options, &analysis);
  analysis.diagnostics.insert(analysis.diagnostics.end(), checked.begin(), checked.end());
  std::vector<Diagnostic> notes;
  if (options.report.format != Format::kText) notes = analysis.diagnostics;
  ReportOptions report = options.report;
  report.model_path = options.words[0];
  report.notes = &notes;
  if (options.verb == Verb::kExplain) report.node = options.words[1];
  HWEST_RETURN_IF_ERROR(RunStudies(graph, analysis, options, streams, &studies));
  report.what_if = studies.what_if.has_value() ? &*studies.what_if : nullptr;
  report.rewritten = studies.rewritten.has_value() ? &*studies.rewritten : nullptr;
  // `rewrite` knows no context: what was timed then is a step that it cannot ask for.
  if (options.contexts.empty()) report.rewrite_command = CommandOf(Verb::kRewrite, options);
  report.generation = studies.generation.has_value() ? &*studies.generation : nullptr;
  report.moves = studies.moves.has_value() ? &*studies.moves : nullptr;
  if (InfoOf(report.format).is_picture) PrintProgress("drawing the graph", options, streams);
  const auto write = [&](Sink sink) { return WriteReport(analysis, KindOf(options.verb), report, sink); };
  const bool is_paged = options.verb == Verb::kGraph;
  HWEST_RETURN_IF_ERROR(is_paged ? DeliverPaged(options, streams, write) : Deliver(options, streams, write));
  PrintNotes(notes, options, streams);
  return StrictStatus(options, analysis);
}

}  // namespace hwest
