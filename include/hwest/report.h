// Reports: what an analysis looks like in text, JSON, CSV, Markdown, as a page and as a picture.
//
//   AnalyzeResult result{.analysis = std::make_shared<const Analysis>(*std::move(analysis))};
//   const ReportOptions options{.format = Format::kJson, .model_path = "model.onnx"};
//   HWEST_RETURN_IF_ERROR(WriteReport(result, ReportKind::kAnalysis, options, sink));
//
// The bytes depend on the arguments alone: no dates, addresses, hash order or locale. Graphs are laid out under one
// process-wide lock, because Graphviz keeps process-wide state. It and librsvg, which makes PNG and PDF, are loaded
// when a picture first needs them (kOutputUnwritable where they are absent); DOT, and charts in SVG, need neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "hwest/generation.h"
#include "hwest/rewrite.h"
#include "hwest/study.h"

namespace hwest {

enum class Format : uint8_t {
  kText,
  kJson,
  kCsv,
  kMarkdown,
  kDot,
  kSvg,
  kPng,
  kPdf,
  kPerfetto,
  kNetron,
  kModelExplorer,
  kC,
  kHtml,
  kJsonl,
  kJunit,
  kSarif,
  kCodeQuality,
  kOpenMetrics,
  kBenchmark,
  kBencher,
  kOnnxText
};
enum class Level : uint8_t { kNode, kGroup, kSegment, kModule, kUnit };
enum class Color : bool { kNo, kYes };
enum class Stats : bool { kBesideRows, kAlone };
enum class Glyphs : bool { kUnicode, kAscii };  // of bars and ellipses; names stay as the file has them
enum class ReportKind : uint8_t {
  kAnalysis,
  kShapes,
  kSupport,
  kExplain,
  kGraph,
  kTargets,
  kTarget,
  kFusions,
  kLint,
  kDescribe,
  kError,
  kValidation,
  kCalibration,
  kRewrite,
  kSweep,
  kCheck,
  kDiff,
  kEvidence,
  kVerify,
  kWorkload,
  kExplore,
  kMemory,
  kImportLog,
  kOperators,
  kLlm,
  kQuantizePlan,
  kRules,
  kCures,
  kWidth,
  kFit
};
absl::string_view ReportKindName(ReportKind kind);  // "analysis", ...

// Takes the next bytes of the report. An error ends the report and is returned to the caller.
using Sink = absl::FunctionRef<absl::Status(absl::string_view)>;

// What the colours of a picture tell.
enum class ColorBy : uint8_t { kUnit, kBound, kTime, kEnergy, kIntensity, kPrecision, kMeasured };
// What a box of a picture stands for: what fits, a module, a segment, or what the level says however many there are.
enum class Collapse : uint8_t { kAuto, kModule, kSegment, kNone };
enum class Repeats : bool { kFold, kUnfold };  // equal blocks in a row: drawn once with their number, or each
// A drawing of an analysis that is no graph.
enum class Chart : uint8_t { kTimeline, kMemory, kRoofline, kModules };

struct PictureOptions {
  std::optional<ColorBy> color_by;  // none = by unit
  Collapse collapse = Collapse::kAuto;
  Repeats repeats = Repeats::kFold;
  std::optional<Chart> chart;  // in place of the graph
};

// Which nodes `graph` shows: those that fit every condition, in the order of their ids.
struct GraphSelection {
  std::optional<int64_t> start, end;  // ids, both included
  std::string around;                 // a node, see NodesNamed, or a bare id unless a node is called so; empty = none
  std::optional<int64_t> context;     // ids before and after `around`; none = 5
  std::optional<int64_t> max_nodes;   // the first ones of those that fit
  std::vector<std::string> ops;
  std::vector<std::string> units;  // "none" = no unit runs it
  std::vector<std::string> bounds;
  std::string module;                // the path of one, which holds the modules below it
  std::string grep;                  // in the names of the node, its values, its module, its operator or source line
  std::vector<std::string> columns;  // keys of the table, in the order of text, CSV and Markdown; empty = usual ones

  bool operator==(const GraphSelection&) const = default;
};

struct ReportOptions {
  Format format = Format::kText;
  std::optional<Level> level;  // none = group with a target, node without
  std::optional<int64_t> top;  // rows of a table, the most expensive ones; 0 = all; none = 10 in text, all elsewhere
  Color color = Color::kNo;
  size_t width = 0;  // columns of the terminal that text is for; 0 = a file or pipe: no name is cut
  Glyphs glyphs = Glyphs::kUnicode;
  std::string model_path;            // as the user wrote it
  Stats stats = Stats::kBesideRows;  // of `support`; JSON always holds the rows too
  GraphSelection graph;              // of `graph`
  PictureOptions picture;            // of dot, svg, png and pdf
};

// An analysis and what else was asked of the model. None = not asked.
struct AnalyzeResult {
  std::shared_ptr<const Analysis> analysis;
  std::vector<Diagnostic> notes;  // beside those of the analysis
  std::optional<std::vector<WhatIfRow>> what_if;
  std::vector<Diagnostic> what_if_notes;  // what trying them found beside these
  std::optional<std::vector<RefusalRow>> refusals;
  std::optional<std::vector<GenerationRow>> generation;  // by context; the analysis is then of a step at the longest
  std::optional<Rewritten> rewritten;
  std::string rewrite_command;                // that writes it, but for its output; "" = none does
  std::vector<std::string> flags;             // of the request, for commands in the report; empty = as far as known
  std::string node;                           // what `explain` is about: see NodesNamed
  std::optional<std::vector<MoveRow>> moves;  // of it
};

// WriteReport writes one document about an analysis: kAnalysis, kShapes, kSupport, kExplain, kGraph or kCures. `notes`
// takes what the report itself has to say, e.g. that a picture was collapsed; null = nobody listens.
// Errors: kUsage when the format cannot show the kind, a node, operator, unit, module or column is unknown, or a table
// needs a target; those of `sink`.
absl::Status WriteReport(const AnalyzeResult& result, ReportKind kind, const ReportOptions& options, Sink sink,
                         std::vector<Diagnostic>* notes = nullptr);
// The same of an analysis of which nothing else was asked.
absl::Status WriteReport(const Analysis& analysis, ReportKind kind, const ReportOptions& options, Sink sink);

// What `explain` is about: a node by its name, the name of one of its outputs or #id, or gN for the nodes of group N,
// the root first. Errors: kUsage with the nearest names.
absl::StatusOr<std::vector<NodeId>> NodesNamed(const Analysis& analysis, absl::string_view text);

// What `--strict` calls incomplete, in words; empty when nothing is.
std::string IncompletenessOf(const Analysis& analysis);

// One row of the table of formats.
struct FormatInfo {
  Format format;
  absl::string_view name;
  absl::string_view extensions;  // space separated, with dots
  absl::string_view summary;
  bool is_picture;
  bool is_binary;
  bool of_plan;               // shows an analysis with a target alone
  absl::string_view of_verb;  // the one verb that writes it; empty = several do
};
absl::Span<const FormatInfo> AllFormats();
const FormatInfo& InfoOf(Format format);
const FormatInfo* FindFormat(absl::string_view name);    // null when there is none
const FormatInfo* FormatOfPath(absl::string_view path);  // by its longest extension, null when there is none

// CheckFormat says whether documents of the kind can be written in the format; every writer asks it first.
// Errors: kUsage with the formats that can.
absl::Status CheckFormat(ReportKind kind, Format format);

// WriteFile replaces `path` with what `write` puts into its sink, all of it or nothing: the bytes go to a file beside
// it that is renamed at the end. Errors: kOutputUnwritable; those of `write`.
absl::Status WriteFile(const std::string& path, absl::FunctionRef<absl::Status(Sink)> write);

}  // namespace hwest
