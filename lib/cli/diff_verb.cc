// diff: two models, or one model against itself on another target, mode or precision.
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "diff/diff.h"

namespace hwest {
namespace {

bool HasAgainst(const DiffOptions& options) {
  return !options.against_target.empty() || !options.against_mode.empty() || !options.against_precision.empty();
}

absl::Status CheckWords(const DiffOptions& options) {
  const size_t words = options.words.size();
  const bool against = HasAgainst(options);
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
absl::StatusOr<RequestDraft> DraftFor(const DiffOptions& options, const std::optional<DiffSide>& other) {
  RequestDraft draft = options.request;
  if (draft.target.empty() && draft.loaded == nullptr && other.has_value() && other->target.has_value()) {
    draft.target = *other->target;
    if (draft.mode.empty()) draft.mode = other->mode.value_or("");
  }
  if (!draft.target.empty()) return draft;
  return MakeError(Code::kUsage, "no target was named", "add --target NAME (`onnx-hwest targets` lists them)");
}

struct Side {
  DiffSide side;
  std::optional<Analysis> analysis;  // none = a saved report
};

absl::StatusOr<Side> Analysed(const Analyzer& analyzer, const RequestDraft& draft, const std::string& path) {
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, analyzer.Analyze(request));
  DiffSide side = SideOf(analysis, path);
  return Side{std::move(side), std::move(analysis)};
}

struct Sides {
  Side a, b;
};

absl::StatusOr<Sides> TwoFiles(const DiffOptions& options) {
  std::optional<DiffSide> saved[2];
  for (size_t i = 0; i < 2; ++i) {
    if (!IsSavedReport(options.words[i])) continue;
    HWEST_ASSIGN_OR_RETURN(saved[i], ReadSide(options.words[i]));
  }
  Side sides[2];
  for (size_t i = 0; i < 2; ++i) {
    if (saved[i].has_value()) {
      sides[i].side = *saved[i];
      continue;
    }
    const std::optional<DiffSide>& stated = saved[1 - i];
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[i]));
    HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftFor(options, stated));
    HWEST_ASSIGN_OR_RETURN(sides[i], Analysed(Analyzer(std::move(graph)), draft, options.words[i]));
  }
  return Sides{std::move(sides[0]), std::move(sides[1])};
}

absl::StatusOr<Sides> OneModelTwice(const DiffOptions& options) {
  HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftFor(options, std::nullopt));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(options.words[0]));
  const Analyzer analyzer(std::move(graph));
  RequestDraft against = draft;
  if (!options.against_target.empty()) {
    against.target = options.against_target;
    against.mode.clear();  // modes are each target's own
  }
  if (!options.against_mode.empty()) against.mode = options.against_mode;
  if (!options.against_precision.empty()) against.precision = options.against_precision;
  HWEST_ASSIGN_OR_RETURN(Side a, Analysed(analyzer, draft, options.words[0]));
  HWEST_ASSIGN_OR_RETURN(Side b, Analysed(analyzer, against, options.words[0]));
  return Sides{std::move(a), std::move(b)};
}

absl::Status CheckDiffFormat(const DiffOptions& options) {
  if (options.report.format != Format::kHtml) {
    return WriteDiff({}, {}, {}, options.report, [](absl::string_view) { return absl::OkStatus(); });
  }
  for (const std::string& word : options.words) {
    if (!IsSavedReport(word)) continue;
    return MakeError(Code::kUsage, absl::StrCat("format html shows two models, and ", EscapeControl(word), " is a saved report"),
                     "name its model, or use text, json, csv or markdown");
  }
  return absl::OkStatus();
}

absl::Status WriteSides(const Sides& sides, const DiffResult& diff, const ReportOptions& options, Sink sink) {
  const auto& [a, b] = sides;
  if (options.format != Format::kHtml) return WriteDiff(a.side, b.side, diff, options, sink);
  return WriteDiffPage(a.side, b.side, diff, a.analysis.has_value() ? &*a.analysis : nullptr,
                       b.analysis.has_value() ? &*b.analysis : nullptr, options, sink);
}

}  // namespace

absl::Status RunDiffVerb(const DiffOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckWords(options));
  HWEST_RETURN_IF_ERROR(CheckDiffFormat(options));
  HWEST_ASSIGN_OR_RETURN(const Sides sides, HasAgainst(options) ? OneModelTwice(options) : TwoFiles(options));
  const DiffResult diff = CompareSides(sides.a.side, sides.b.side);
  const absl::Status limits = CheckFailOn(diff, options.fail_on);
  if (!limits.ok() && DiagnosticOf(limits).code == Code::kUsage) return limits;
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return WriteSides(sides, diff, options.report, sink); }));
  if (!limits.ok()) return AfterReport(limits);
  if (!options.exit_code || diff.same) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed, "the two differ", "leave --exit-code out to accept that"));
}

namespace {

absl::Status SetAgainstPrecision(const Flag&, const std::string& value, Options* options) {
  RequestDraft checked;
  HWEST_RETURN_IF_ERROR(Give(RequestOptionNamed("precision"), value, &checked));
  dynamic_cast<DiffOptions&>(*options).against_precision = checked.precision;
  return absl::OkStatus();
}

absl::Status AddFailOn(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<FailOn> limits, ParseFailOn(flag.name, value));
  std::vector<FailOn>& all = dynamic_cast<DiffOptions&>(*options).fail_on;
  all.insert(all.end(), limits.begin(), limits.end());
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kDiffFlags[] = {
    {.name = "--against", .value = "TARGET", .help = "compare the model with itself on that target", .group = "Compare",
     .set = SetText<&DiffOptions::against_target>, .example = "tda4vm", .path = PathIn::kTarget},
    {.name = "--against-mode", .value = "MODE", .help = "in that power mode", .group = "Compare",
     .set = SetText<&DiffOptions::against_mode>, .example = "15W"},
    {.name = "--against-precision", .value = "P", .help = "at that precision", .group = "Compare",
     .set = SetAgainstPrecision, .example = "int8"},
    {.name = "--exit-code", .help = "exit with 8 when anything differs", .group = "Compare",
     .set = Switch<true, &DiffOptions::exit_code>},
    {.name = "--fail-on", .value = "KEY:+P%,..",
     .help = "exit with 8 when latency, rate, energy, power, memory, macs or a number of the summary changes by more",
     .group = "Compare", .set = AddFailOn, .example = "latency:+5%,rate:-5%", .repeats = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> DiffFlags() { return kDiffFlags; }

}  // namespace hwest
