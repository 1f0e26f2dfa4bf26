// diff: two models, or one model against itself on another target, mode or precision.
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "diff/diff.h"

namespace hwest {
namespace {

bool HasAgainst(const DiffOptions& diff) { return !diff.target.empty() || !diff.mode.empty() || !diff.precision.empty(); }

absl::Status CheckWords(const Options& options) {
  const size_t words = options.words.size();
  const bool against = HasAgainst(options.diff);
  if (words == 2u && options.words[0] == "-" && options.words[1] == "-") {
    return MakeError(Code::kUsage, "standard input was named twice, and can be read once", "save one of the two as a file");
  }
  if (words == (against ? 1u : 2u)) return absl::OkStatus();
  return MakeError(Code::kUsage,
                   against ? "--against, --against-mode and --against-precision compare one model with itself"
                           : "a difference is between two models",
                   "write onnx-hwest diff A B --target T, or diff A --target T --against TARGET");
}

// What a model needs that the other side may say: the target of a saved report.
absl::StatusOr<RequestDraft> DraftFor(const Options& options, const std::optional<DiffSide>& other) {
  RequestDraft draft = options.request;
  if (draft.target.empty() && draft.loaded == nullptr && other.has_value() && other->target.has_value()) {
    draft.target = *other->target;
    if (draft.mode.empty()) draft.mode = other->mode.value_or("");
  }
  if (!draft.target.empty()) return draft;
  return MakeError(Code::kUsage, "no target was named", "add --target NAME (`onnx-hwest targets` lists them)");
}

absl::StatusOr<DiffSide> Analysed(const Analyzer& analyzer, const RequestDraft& draft, const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, analyzer.Analyze(request));
  return SideOf(analysis, path);
}

struct Sides {
  DiffSide a, b;
};

absl::StatusOr<Sides> TwoFiles(const Options& options) {
  std::optional<DiffSide> saved[2];
  for (size_t i = 0; i < 2; ++i) {
    if (!IsSavedReport(options.words[i])) continue;
    HWEST_ASSIGN_OR_RETURN(saved[i], ReadSide(options.words[i]));
  }
  DiffSide sides[2];
  for (size_t i = 0; i < 2; ++i) {
    if (saved[i].has_value()) {
      sides[i] = *std::move(saved[i]);
      continue;
    }
    const DiffSide* other = i == 1 && !saved[1].has_value() && IsSavedReport(options.words[0]) ? &sides[0] : nullptr;
    const std::optional<DiffSide> stated = other != nullptr ? std::optional<DiffSide>(*other) : saved[1 - i];
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[i]));
    HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftFor(options, stated));
    HWEST_ASSIGN_OR_RETURN(sides[i], Analysed(Analyzer(std::move(graph)), draft, options.words[i]));
  }
  return Sides{std::move(sides[0]), std::move(sides[1])};
}

absl::StatusOr<Sides> OneModelTwice(const Options& options) {
  HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftFor(options, std::nullopt));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[0]));
  const Analyzer analyzer(std::move(graph));
  RequestDraft against = draft;
  if (!options.diff.target.empty()) {
    against.target = options.diff.target;
    against.mode.clear();  // modes are each target's own
  }
  if (!options.diff.mode.empty()) against.mode = options.diff.mode;
  if (!options.diff.precision.empty()) against.precision = options.diff.precision;
  HWEST_ASSIGN_OR_RETURN(DiffSide a, Analysed(analyzer, draft, options.words[0]));
  HWEST_ASSIGN_OR_RETURN(DiffSide b, Analysed(analyzer, against, options.words[0]));
  return Sides{std::move(a), std::move(b)};
}

}  // namespace

absl::Status RunDiffVerb(const Options& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckWords(options));
  const auto nowhere = [](absl::string_view) { return absl::OkStatus(); };
  HWEST_RETURN_IF_ERROR(WriteDiff({}, {}, {}, options.report, nowhere));
  HWEST_ASSIGN_OR_RETURN(const Sides sides, HasAgainst(options.diff) ? OneModelTwice(options) : TwoFiles(options));
  const DiffResult diff = CompareSides(sides.a, sides.b);
  const absl::Status limits = CheckFailOn(diff, options.diff.fail_on);
  if (!limits.ok() && DiagnosticOf(limits).code == Code::kUsage) return limits;
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) {
    return WriteDiff(sides.a, sides.b, diff, options.report, sink);
  }));
  if (!limits.ok()) return AfterReport(limits);
  if (!options.diff.exit_code || diff.same) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed, "the two differ", "leave --exit-code out to accept that"));
}

}  // namespace hwest
