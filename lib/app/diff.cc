#include "app/diff.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"

namespace hwest::app {
namespace {

// The draft with the target of a saved report on the other side, if the model has none.
absl::StatusOr<RequestDraft> DraftFor(RequestDraft draft, const DiffSide* other) {
  if (draft.target.empty() && draft.loaded == nullptr && other != nullptr && other->target.has_value()) {
    draft.target = *other->target;
    if (draft.mode.empty()) draft.mode = other->mode.value_or("");
  }
  if (!draft.target.empty()) return draft;
  return MakeError(Code::kUsage, "no target was named", "add --target NAME (`onnx-hwest targets` lists them)",
                   {{"--target", {"NAME"}}, "`onnx-hwest targets`"});
}

absl::StatusOr<Side> Analysed(const Analyzer& analyzer, const RequestDraft& draft, const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, analyzer.Analyze(request));
  analysis.request.watch = nullptr;  // its callback may die after this call
  DiffSide side = SideOf(analysis, path);
  return Side{std::move(side), std::make_shared<const Analysis>(std::move(analysis))};
}

absl::StatusOr<DiffReport> TwoFiles(const DiffRequest& request) {
  Side sides[2];
  bool is_saved[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    is_saved[i] = IsSavedReport(request.paths[i]);
    if (!is_saved[i]) continue;
    HWEST_ASSIGN_OR_RETURN(sides[i].side, ReadSide(request.paths[i]));
  }
  for (size_t i = 0; i < 2; ++i) {
    if (is_saved[i]) continue;
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(request.paths[i]));
    HWEST_ASSIGN_OR_RETURN(const RequestDraft draft,
                           DraftFor(request.draft, is_saved[1 - i] ? &sides[1 - i].side : nullptr));
    HWEST_ASSIGN_OR_RETURN(sides[i], Analysed(Analyzer(std::move(graph)), draft, request.paths[i]));
  }
  if (sides[0].side.is_llm != sides[1].side.is_llm) {
    const size_t other = sides[0].side.is_llm ? 1 : 0;
    return MakeError(Code::kUsage,
                     absl::StrCat(EscapeControl(request.paths[1 - other]), " is of a language model on a runtime, and ",
                                  EscapeControl(request.paths[other]), " is not"),
                     "save both with `onnx-hwest llm` and --json --output FILE");
  }
  return Compared(std::move(sides[0]), std::move(sides[1]));
}

absl::StatusOr<DiffReport> OneModelTwice(const DiffRequest& request) {
  HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftFor(request.draft, nullptr));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(request.paths[0]));
  return DiffAgainst(Analyzer(std::move(graph)), request.paths[0], draft, request.against);
}

RequestDraft DraftAgainst(const RequestDraft& draft, const Against& against) {
  RequestDraft other = draft;
  if (!against.target.empty() || against.loaded != nullptr) {
    other.target = against.target;
    other.loaded = against.loaded;
    other.mode.clear();  // modes are each target's own
  }
  if (!against.mode.empty()) other.mode = against.mode;
  if (!against.precision.empty()) other.precision = against.precision;
  return other;
}

}  // namespace

DiffReport Compared(Side a, Side b) {
  DiffResult diff = CompareSides(a.side, b.side);
  return {std::move(a.side), std::move(b.side), std::move(diff), std::move(a.analysis), std::move(b.analysis)};
}

absl::StatusOr<DiffReport> DiffAgainst(const Analyzer& analyzer, const std::string& name, const RequestDraft& draft,
                                       const Against& against) {
  HWEST_ASSIGN_OR_RETURN(Side a, Analysed(analyzer, draft, name));
  HWEST_ASSIGN_OR_RETURN(Side b, Analysed(analyzer, DraftAgainst(draft, against), name));
  return Compared(std::move(a), std::move(b));
}

absl::StatusOr<DiffReport> Diff(const DiffRequest& request) {
  return request.against.is_asked() ? OneModelTwice(request) : TwoFiles(request);
}

absl::Status CheckDiffFormat(const std::vector<std::string>& paths, Format format) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kDiff, format));
  if (format != Format::kHtml) return absl::OkStatus();
  for (const std::string& path : paths) {
    if (!IsSavedReport(path)) continue;
    return MakeError(Code::kUsage,
                     absl::StrCat("format html shows two models, and ", EscapeControl(path), " is a saved report"),
                     "name its model, or use text, json, csv or markdown");
  }
  return absl::OkStatus();
}

absl::Status WriteDiff(const DiffReport& report, const ReportOptions& options, Sink sink) {
  const auto& [a, b, diff, of_a, of_b] = report;
  if (options.format != Format::kHtml) return hwest::WriteDiff(a, b, diff, options, sink);
  return WriteDiffPage(a, b, diff, of_a.get(), of_b.get(), options, sink);
}

}  // namespace hwest::app
