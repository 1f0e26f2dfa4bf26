#include "app/analyze.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "analysis/unsettled.h"
#include "app/generate.h"
#include "app/rewrite.h"
#include "app/watching.h"
#include "base/status_macros.h"
#include "study/cures.h"
#include "study/what_if.h"

namespace hwest::app {
namespace {

constexpr size_t kMostRulesNamed = 4;
constexpr int64_t kMostNodesTried = 10000;  // beyond it trying changes takes longer than all else

// An HTML page opens with what would help.
bool TriesChanges(const AnalyzeRequest& request, const Analysis& analysis) {
  if (request.what_if || request.kind == ReportKind::kCures) return true;
  return request.kind == ReportKind::kAnalysis && request.format == Format::kHtml && analysis.plan.has_value() &&
         analysis.coverage.nodes <= kMostNodesTried;
}

// The file of a model, for changes to try; nothing reads standard input twice.
CureSource SourceOf(const LoadedModel& model) {
  if (model.bytes.data() == nullptr) return hwest::SourceOf(model.source);
  return SourceOfBytes(model.bytes, model.name, model.source.limits);
}

absl::StatusOr<std::vector<RefusalRow>> Refusals(const LoadedModel& model, const Analysis& analysis,
                                                 const Watch& watch) {
  std::vector<RefusalRow> rows = RefusalsOf(analysis);
  if (rows.empty() || analysis.coverage.nodes > kMostNodesTried) return rows;
  HWEST_RETURN_IF_ERROR(FindCures(model.graph, analysis, SourceOf(model), StepsOf(watch), watch.stop, &rows));
  return rows;
}

absl::StatusOr<Rewritten> RewrittenOf(const LoadedModel& model, const Analysis& analysis, const Watch& watch) {
  const auto request = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(analysis.request); };
  return Rewrite(model, request, {}, watch);
}

}  // namespace

absl::StatusOr<AnalyzeResult> Analyze(const LoadedModel& model, AnalyzeRequest request) {
  AnalyzeResult result;
  if (!request.contexts.empty()) {
    HWEST_ASSIGN_OR_RETURN(GenerateResult generated,
                           Generate(model.graph, request.analysis, request.contexts, request.watch));
    result.generation = std::move(generated.rows);
    request.analysis = std::move(generated.longest);
  }
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, hwest::Analyze(model.graph, request.analysis));
  result.analysis = std::make_shared<const Analysis>(std::move(analysis));
  HWEST_RETURN_IF_ERROR(AddStudies(model, request, &result));
  return result;
}

absl::Status AddStudies(const LoadedModel& model, const AnalyzeRequest& request, AnalyzeResult* result) {
  const Analysis& analysis = *result->analysis;
  const bool is_analysis = request.kind == ReportKind::kAnalysis;
  result->flags = request.flags;
  if (is_analysis && !request.rewrite) result->notes = NotesOnRewrites(analysis);
  result->notes.insert(result->notes.end(), request.notes.begin(), request.notes.end());
  if (!result->what_if.has_value() && TriesChanges(request, analysis)) {
    HWEST_ASSIGN_OR_RETURN(Changes changes, WhatIfUntil(model.graph, analysis, SourceOf(model), StepsOf(request.watch),
                                                        request.watch.stop));
    result->what_if = std::move(changes.rows);
    result->what_if_notes = std::move(changes.notes);
  }
  if (request.kind == ReportKind::kSupport && request.cures) {
    HWEST_ASSIGN_OR_RETURN(result->refusals, Refusals(model, analysis, request.watch));
  }
  if (request.rewrite) {
    HWEST_ASSIGN_OR_RETURN(result->rewritten, RewrittenOf(model, analysis, request.watch));
    // `rewrite` has no --context: its command could not repeat the step that was timed.
    if (request.contexts.empty()) result->rewrite_command = request.rewrite_command;
  }
  if (request.kind != ReportKind::kExplain || result->moves.has_value()) return absl::OkStatus();
  result->node = request.node;
  HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, NodesNamed(analysis, request.node));
  HWEST_ASSIGN_OR_RETURN(result->moves,
                         MovesUntil(model.graph, analysis, nodes, StepsOf(request.watch), request.watch.stop));
  return absl::OkStatus();
}

std::vector<Diagnostic> NotesOnRewrites(const Analysis& analysis) {
  std::vector<std::string> rules = ApplicableRules(analysis);
  if (rules.empty()) return {};
  const size_t more = rules.size() - std::min(rules.size(), kMostRulesNamed);
  rules.resize(rules.size() - more);
  return {{.code = Code::kAssumed,
           .message = absl::StrCat("the figures are those of the file as it is; nodes that fall back have equivalent ",
                                   "forms: ", absl::StrJoin(rules, ", "),
                                   more > 0 ? absl::StrCat(" and ", more, " more") : ""),
           .remedy = "add --rewrite to see what they bring",
           .options = {"--rewrite"}}};
}

absl::Status CheckComplete(const Analysis& analysis) {
  for (const Diagnostic& found : analysis.diagnostics) {
    if (found.code == Code::kDoesNotFit) return MakeError(found.code, found.message, found.remedy, found.options);
  }
  const std::string incomplete = IncompletenessOf(analysis);
  if (incomplete.empty()) return absl::OkStatus();
  const std::string settles = SettlingFlags(analysis);
  return MakeError(Code::kIncomplete, absl::StrCat("the analysis is incomplete, ", incomplete),
                   settles.empty() ? "leave --strict out to accept that"
                                   : absl::StrCat("state what it hangs on: ", settles, ", or leave --strict out"));
}

}  // namespace hwest::app
