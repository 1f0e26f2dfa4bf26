// The table of formats, and the entry points that choose from it.
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "report/report.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {

// The writers, each in the file of its format; nothing but the table below calls them.
absl::Status WriteText(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteJson(const Document& document, const ReportOptions& options, Sink sink);
// One table, the one that options.level names or the document's main one. RFC 4180, LF line ends; text that a
// spreadsheet would take for a formula is preceded by an apostrophe.
absl::Status WriteCsv(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteMarkdown(const Document& document, const ReportOptions& options, Sink sink);
// dot, svg, png and pdf, by options.format. Errors: kOutputUnwritable where Graphviz, which renders all but dot, is not
// installed; kInternal when it cannot render the format.
absl::Status WritePicture(const Document& document, const ReportOptions& options, Sink sink);
// Of an analysis with a target, as trace events in JSON for Perfetto and chrome://tracing: a thread per unit, arrows
// where values cross units, and the bytes of live activations as a counter. Times in microseconds to the nanosecond.
absl::Status WritePerfetto(const Document& document, const ReportOptions& options, Sink sink);
// Of an analysis with a target, as an attachment for Netron, opened after the model: figures of every node, by its
// name. Nodes whose name is missing or not theirs alone cannot be addressed.
absl::Status WriteNetron(const Document& document, const ReportOptions& options, Sink sink);
// Of an analysis with a target, as node data for Model Explorer: what options.picture.color_by names of every node, the
// time when it names nothing. Where names cannot tell nodes apart, a graph of its own with the figures as attributes.
absl::Status WriteModelExplorer(const Document& document, const ReportOptions& options, Sink sink);
// One file that a browser opens, with all it needs. Errors: kOutputUnwritable where the build had no Node.js to make
// the page with.
absl::Status WriteHtml(const Document& document, const ReportOptions& options, Sink sink);
absl::Status WriteOnnxText(const Document& document, const ReportOptions& options, Sink sink);

namespace {

using Writer = absl::Status (*)(const Document&, const ReportOptions&, Sink);

struct Row {
  FormatInfo info;
  Writer write;  // of any document; null = the only verb with the format writes it itself
};

// clang-format off
constexpr Row kFormats[] = {
    {{.format = Format::kText, .name = "text", .extensions = ".txt", .summary = "for reading; the default"}, WriteText},
    {{.format = Format::kJson, .name = "json", .extensions = ".json", .summary = "every table, complete"}, WriteJson},
    {{.format = Format::kCsv, .name = "csv", .extensions = ".csv", .summary = "one table, chosen by --level"},
     WriteCsv},
    {{.format = Format::kMarkdown, .name = "markdown", .extensions = ".md .markdown", .summary = "tables for reviews"},
     WriteMarkdown},
    {{.format = Format::kDot,
      .name = "dot",
      .extensions = ".dot .gv",
      .summary = "the graph for Graphviz",
      .is_picture = true},
     WritePicture},
    {{.format = Format::kSvg, .name = "svg", .extensions = ".svg", .summary = "picture, scalable", .is_picture = true},
     WritePicture},
    {{.format = Format::kPng,
      .name = "png",
      .extensions = ".png",
      .summary = "picture, pixels",
      .is_picture = true,
      .is_binary = true},
     WritePicture},
    {{.format = Format::kPdf,
      .name = "pdf",
      .extensions = ".pdf",
      .summary = "picture, for print",
      .is_picture = true,
      .is_binary = true},
     WritePicture},
    {{.format = Format::kPerfetto,
      .name = "perfetto",
      .extensions = ".perfetto-trace.json .perfetto.json",
      .summary = "the timeline as trace events, for ui.perfetto.dev",
      .of_plan = true},
     WritePerfetto},
    {{.format = Format::kNetron,
      .name = "netron",
      .extensions = ".netron.json",
      .summary = "figures of every node, opened in Netron after the model",
      .of_plan = true},
     WriteNetron},
    {{.format = Format::kModelExplorer,
      .name = "model-explorer",
      .extensions = ".model-explorer.json",
      .summary = "node data for Model Explorer: what --color-by names, else time",
      .of_plan = true},
     WriteModelExplorer},
    {{.format = Format::kC,
      .name = "c",
      .extensions = ".c .h",
      .summary = "an array of offsets, of `memory`",
      .of_verb = "memory"},
     nullptr},
    {{.format = Format::kHtml,
      .name = "html",
      .extensions = ".html .htm",
      .summary = "a page to explore: modules, graph, timeline, memory, roofline, tables"},
     WriteHtml},
    {{.format = Format::kJsonl,
      .name = "jsonl",
      .extensions = ".jsonl",
      .summary = "a row a line, of `sweep`",
      .of_verb = "sweep"},
     nullptr},
    {{.format = Format::kJunit, .name = "junit", .extensions = ".xml", .summary = "tests, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kSarif,
      .name = "sarif",
      .extensions = ".sarif",
      .summary = "annotations, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kCodeQuality,
      .name = "codequality",
      .extensions = "",
      .summary = "GitLab's findings, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kOpenMetrics,
      .name = "openmetrics",
      .extensions = ".prom",
      .summary = "figures, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kBenchmark,
      .name = "benchmark",
      .extensions = "",
      .summary = "for github-action-benchmark, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kBencher,
      .name = "bencher",
      .extensions = "",
      .summary = "Bencher Metric Format, of `check`",
      .of_verb = "check"},
     nullptr},
    {{.format = Format::kOnnxText,
      .name = "onnxtext",
      .extensions = ".onnxtxt .onnxtext",
      .summary = "nodes in the text form of ONNX, of `graph`",
      .of_verb = "graph"},
     WriteOnnxText},
};
// clang-format on
static_assert(std::size(kFormats) == kNumEnumerators<Format>);

constexpr Format kTables[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown};
constexpr Format kOfAnalysis[] = {Format::kDot,      Format::kSvg,    Format::kPng,           Format::kPdf,
                                  Format::kPerfetto, Format::kNetron, Format::kModelExplorer, Format::kHtml};
constexpr Format kOfShapes[] = {Format::kDot, Format::kSvg, Format::kPng, Format::kPdf, Format::kHtml};
constexpr Format kOfGraph[] = {Format::kDot, Format::kSvg, Format::kPng, Format::kPdf, Format::kOnnxText};
constexpr Format kOfFit[] = {Format::kText, Format::kMarkdown, Format::kJson, Format::kCsv};
constexpr Format kOfValidation[] = {Format::kText, Format::kMarkdown, Format::kJson, Format::kCsv, Format::kSvg};
constexpr Format kOfSweep[] = {Format::kText, Format::kMarkdown, Format::kJson, Format::kJsonl, Format::kCsv,
                               Format::kHtml, Format::kSvg,      Format::kPng,  Format::kPdf};
constexpr Format kOfCheck[] = {Format::kText,      Format::kJson,    Format::kCsv,         Format::kMarkdown,
                               Format::kJunit,     Format::kSarif,   Format::kCodeQuality, Format::kOpenMetrics,
                               Format::kBenchmark, Format::kBencher, Format::kHtml};
constexpr Format kOfDiff[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown, Format::kHtml};
constexpr Format kOfWorkload[] = {Format::kText, Format::kMarkdown, Format::kJson,    Format::kCsv,
                                  Format::kSvg,  Format::kHtml,     Format::kPerfetto};
constexpr Format kOfExplore[] = {Format::kText, Format::kMarkdown, Format::kJson,
                                 Format::kCsv,  Format::kSvg,      Format::kHtml};
constexpr Format kOfMemory[] = {Format::kText, Format::kJson, Format::kCsv,  Format::kMarkdown, Format::kSvg,
                                Format::kPng,  Format::kPdf,  Format::kHtml, Format::kC};
constexpr Format kOfLlm[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown,
                             Format::kSvg,  Format::kPng,  Format::kPdf, Format::kHtml};

// What a kind of document can be written as.
struct KindRow {
  ReportKind kind;
  absl::string_view name;
  absl::string_view called;            // in messages; empty = its name, and they say what writes the format
  absl::Span<const Format> formats;    // in the order in which messages name them
  absl::Span<const Format> more = {};  // which messages do not name
};

constexpr KindRow kKinds[] = {
    {ReportKind::kAnalysis, "analysis", "", kTables, kOfAnalysis},
    {ReportKind::kShapes, "shapes", "", kTables, kOfShapes},
    {ReportKind::kSupport, "support", "", kTables},
    {ReportKind::kExplain, "explain", "", kTables},
    {ReportKind::kGraph, "graph", "", kTables, kOfGraph},
    {ReportKind::kTargets, "targets", "", kTables},
    {ReportKind::kTarget, "target", "", kTables},
    {ReportKind::kFusions, "fusions", "", kTables},
    {ReportKind::kLint, "lint", "", kTables},
    {ReportKind::kDescribe, "describe", "", kTables},
    {ReportKind::kError, "error", "", kTables},
    {ReportKind::kValidation, "validation", "a validation", kOfValidation},
    {ReportKind::kCalibration, "calibration", "a calibration", kOfFit},
    {ReportKind::kRewrite, "rewrite", "a rewrite", kOfFit},
    {ReportKind::kSweep, "sweep", "a sweep", kOfSweep},
    {ReportKind::kCheck, "check", "a check", kOfCheck},
    {ReportKind::kDiff, "diff", "a difference", kOfDiff},
    {ReportKind::kEvidence, "evidence", "", kTables},
    {ReportKind::kVerify, "verify", "", kTables},
    {ReportKind::kWorkload, "workload", "a workload", kOfWorkload},
    {ReportKind::kExplore, "explore", "an exploration", kOfExplore},
    {ReportKind::kMemory, "memory", "a memory plan", kOfMemory},
    {ReportKind::kImportLog, "import_log", "", kTables},
    {ReportKind::kOperators, "operators", "a validation by operator", kOfFit},
    {ReportKind::kLlm, "llm", "a language model", kOfLlm},
    {ReportKind::kQuantizePlan, "quantize_plan", "a plan of formats", kOfLlm},
    {ReportKind::kRules, "rules", "", kTables},
    {ReportKind::kCures, "cures", "", kTables},
    {ReportKind::kWidth, "width", "widths", kOfLlm},
    {ReportKind::kFit, "fit", "", kTables},
};
static_assert(std::size(kKinds) == kNumEnumerators<ReportKind>);

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    if (static_cast<size_t>(kFormats[i].info.format) != i) return false;
  }
  for (size_t i = 0; i < std::size(kKinds); ++i) {
    if (static_cast<size_t>(kKinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(InEnumOrder(), "rows in enum order");

bool Has(absl::Span<const Format> formats, Format format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

// "text, json or csv"
std::string NamesOf(absl::Span<const Format> formats) {
  std::string names;
  for (size_t i = 0; i < formats.size(); ++i) {
    absl::StrAppend(&names, i == 0 ? "" : i + 1 < formats.size() ? ", " : " or ", InfoOf(formats[i]).name);
  }
  return names;
}

template <class T>
const T* PointerTo(const std::optional<T>& value) {
  return value.has_value() ? &*value : nullptr;
}

// Says what writes a format that the kind does not have.
std::string HomeOf(const FormatInfo& format) {
  if (format.of_plan) return "it is for `analyze` with --target; ";
  return format.of_verb.empty() ? "" : absl::StrCat("`onnx-hwest ", format.of_verb, "` writes it; ");
}

}  // namespace

absl::string_view ReportKindName(ReportKind kind) { return kKinds[static_cast<size_t>(kind)].name; }

absl::Status CheckFormat(ReportKind kind, Format format) {
  const KindRow& row = kKinds[static_cast<size_t>(kind)];
  if (Has(row.formats, format) || Has(row.more, format)) return absl::OkStatus();
  const FormatInfo& info = InfoOf(format);
  return MakeError(Code::kUsage,
                   absl::StrCat("format ", info.name, " cannot show ", row.called.empty() ? row.name : row.called),
                   absl::StrCat(row.called.empty() ? HomeOf(info) : "", "use ", NamesOf(row.formats)), {"--target"});
}

std::vector<Format> FormatsOf(ReportKind kind) {
  const KindRow& row = kKinds[static_cast<size_t>(kind)];
  std::vector<Format> formats;
  for (const Row& format : kFormats) {
    if (Has(row.formats, format.info.format) || Has(row.more, format.info.format))
      formats.push_back(format.info.format);
  }
  return formats;
}

absl::Span<const FormatInfo> AllFormats() {
  static constexpr auto kInfos = [] {
    std::array<FormatInfo, std::size(kFormats)> infos{};
    for (size_t i = 0; i < std::size(kFormats); ++i) infos[i] = kFormats[i].info;
    return infos;
  }();
  return kInfos;
}

const FormatInfo& InfoOf(Format format) { return kFormats[static_cast<size_t>(format)].info; }

const FormatInfo* FindFormat(absl::string_view name) {
  for (const FormatInfo& info : AllFormats()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

const FormatInfo* FormatOfPath(absl::string_view path) {
  const FormatInfo* found = nullptr;
  size_t longest = 0;
  for (const FormatInfo& info : AllFormats()) {
    for (const absl::string_view extension : absl::StrSplit(info.extensions, ' ', absl::SkipEmpty())) {
      if (extension.size() <= longest || !absl::EndsWithIgnoreCase(path, extension)) continue;
      longest = extension.size();
      found = &info;
    }
  }
  return found;
}

absl::Status WriteDocument(const Document& document, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(document.kind, options.format));
  const Row& row = kFormats[static_cast<size_t>(options.format)];
  if (row.info.of_plan && TableOf(document, "groups")->size == 0) {
    return MakeError(Code::kUsage, absl::StrCat("format ", row.info.name, " shows what only a target decides"),
                     "add --target NAME", {{"--target", {"NAME"}}});
  }
  if (row.write == nullptr) return absl::InternalError("this document is not written by its own writer");
  return row.write(document, options, sink);
}

absl::Status WriteReport(const AnalyzeResult& result, ReportKind kind, const ReportOptions& options, Sink sink,
                         std::vector<Diagnostic>* notes) {
  View view = MakeView(*result.analysis, {.model_path = options.model_path});
  view.diagnostics.insert(view.diagnostics.end(), result.notes.begin(), result.notes.end());
  view.diagnostics.insert(view.diagnostics.end(), result.what_if_notes.begin(), result.what_if_notes.end());
  if (!result.flags.empty()) view.request.flags = result.flags;
  view.what_if = PointerTo(result.what_if);
  view.refusals = PointerTo(result.refusals);
  view.rewritten = PointerTo(result.rewritten);
  view.rewrite_command = result.rewrite_command;
  view.generation = PointerTo(result.generation);
  view.moves = PointerTo(result.moves);
  view.notes = notes;
  switch (kind) {
    case ReportKind::kAnalysis: return WriteDocument(AnalysisDocument(view), options, sink);
    case ReportKind::kShapes: return WriteDocument(ShapesDocument(view), options, sink);
    case ReportKind::kSupport:
      if (options.stats == Stats::kAlone && options.format != Format::kJson) {
        return WriteDocument(SupportStatsDocument(view), options, sink);
      }
      return WriteDocument(SupportDocument(view), options, sink);
    case ReportKind::kCures: return WriteDocument(CuresDocument(view), options, sink);
    case ReportKind::kExplain: {
      HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, FindNodes(view, result.node));
      FillMisses(*result.analysis, nodes[0], &view);
      return WriteDocument(ExplainDocument(view, nodes), options, sink);
    }
    case ReportKind::kGraph: {
      HWEST_ASSIGN_OR_RETURN(const Document document, GraphDocument(options, &view));
      return WriteDocument(document, options, sink);
    }
    default: break;
  }
  return MakeError(Code::kUsage, absl::StrCat("no document of kind ", ReportKindName(kind), " about a model"),
                   "ask for analysis, shapes, support, explain or graph");
}

absl::Status WriteReport(const Analysis& analysis, ReportKind kind, const ReportOptions& options, Sink sink) {
  AnalyzeResult result;
  result.analysis = std::shared_ptr<const Analysis>(std::shared_ptr<const Analysis>(), &analysis);
  return WriteReport(result, kind, options, sink);
}

absl::StatusOr<std::vector<NodeId>> NodesNamed(const Analysis& analysis, absl::string_view text) {
  return FindNodes(MakeView(analysis, {}), text);
}

std::string IncompletenessOf(const Analysis& analysis) { return Incompleteness(MakeView(analysis, {})); }

}  // namespace hwest
