// Reports: what an analysis, a target or an error looks like in text, JSON, CSV, Markdown and as a picture.
//
//   ReportOptions options{.format = Format::kJson, .model_path = "model.onnx"};
//   HWEST_RETURN_IF_ERROR(WriteReport(analysis, ReportKind::kAnalysis, options, sink));
//
// The bytes depend on the arguments alone: no dates, addresses, hash order or locale. Graphs are laid out under one
// process-wide lock, because Graphviz keeps process-wide state. It and librsvg, which makes PNG and PDF, are loaded when a
// picture first needs them (kOutputUnwritable where they are not installed); DOT, and charts in SVG, need neither.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fit/calibrate.h"
#include "fit/summary.h"
#include "hwest/analysis.h"
#include "hwest/generation.h"
#include "hwest/rewrite.h"
#include "hwest/study.h"
#include "hwest/workload.h"

namespace hwest {

enum class Format : uint8_t {
  kText, kJson, kCsv, kMarkdown, kDot, kSvg, kPng, kPdf, kPerfetto, kNetron, kModelExplorer, kSpeedscope, kHtml, kJsonl,
  kJunit, kSarif, kCodeQuality, kOpenMetrics, kBenchmark, kBencher, kOnnxText
};
enum class Level : uint8_t { kNode, kGroup, kSegment, kModule, kUnit };
enum class Color : bool { kNo, kYes };
enum class Stats : bool { kBesideRows, kAlone };
enum class Glyphs : bool { kUnicode, kAscii };  // what bars and ellipses are drawn with; names stay as the file has them
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
  kWorkload
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
enum class Chart : uint8_t { kTimeline, kMemory, kRoofline, kModules, kBounds };

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
  std::vector<std::string> units;     // "none" = no unit runs it
  std::vector<std::string> bounds;
  std::string module;                 // the path of one, which holds the modules below it
  std::string grep;                   // in the names of the node, its values, its module, its operator or its source line
  std::vector<std::string> columns;   // keys of the table, in the order of text, CSV and Markdown; empty = the usual ones

  bool operator==(const GraphSelection&) const = default;
};

struct ReportOptions {
  Format format = Format::kText;
  std::optional<Level> level;  // none = group with a target, node without
  std::optional<int64_t> top;  // rows of a table, the most expensive ones; 0 = all; none = 10 in text, all elsewhere
  Color color = Color::kNo;
  size_t width = 0;  // columns of the terminal that text is for; 0 = a file or pipe: no name is cut
  Glyphs glyphs = Glyphs::kUnicode;
  std::string model_path;  // as the user wrote it
  std::vector<Diagnostic>* notes =
      nullptr;       // takes what the report itself has to say, e.g. that a picture was collapsed
  Stats stats = Stats::kBesideRows;  // of `support`; JSON always holds the rows too
  std::string node;  // what `explain` is about: see NodesNamed
  GraphSelection graph;  // of `graph`
  PictureOptions picture;  // of dot, svg, png and pdf
  const std::vector<WhatIfRow>* what_if = nullptr;  // of an analysis; null = not asked
  const Rewritten* rewritten = nullptr;             // of an analysis: what rewriting brings; null = not asked
  std::string rewrite_command;                      // that writes it, but for its output; "" = none does
  const std::vector<GenerationRow>* generation = nullptr;  // of an analysis, by context; null = not asked
  const std::vector<MoveRow>* moves = nullptr;      // of what `explain` is about; null = not asked
};

// WriteReport writes one document about an analysis: kAnalysis, kShapes, kSupport, kExplain or kGraph.
// Errors: kUsage when the format cannot show the kind, a node, operator, unit, module or column is unknown, or a table
// needs a target; those of `sink`.
absl::Status WriteReport(const Analysis& analysis, ReportKind kind, const ReportOptions& options, Sink sink);

// What `explain` is about: a node by its name, the name of one of its outputs or #id, or gN for the nodes of group N, the
// root first. Errors: kUsage with the nearest names.
absl::StatusOr<std::vector<NodeId>> NodesNamed(const Analysis& analysis, absl::string_view text);

// Documents about targets, tables of this program, and errors. Formats: text, json, csv, markdown.
absl::Status WriteTargets(absl::Span<const TargetSummary> targets, const ReportOptions& options, Sink sink);
absl::Status WriteTarget(const Target& target, const ReportOptions& options, Sink sink);
absl::Status WriteLint(absl::Span<const LintReport> reports, const ReportOptions& options, Sink sink);

// A table about the program itself: `describe ops|targets|formats|codes|patterns`, `fusions`.
struct Listing {
  struct Column {
    std::string name;
    bool is_list = false;  // otherwise one text, none = unknown
  };
  using Row = std::vector<std::vector<std::string>>;  // a list of texts per column

  std::string key;  // JSON member, e.g. "ops"
  std::vector<Column> columns;
  std::vector<Row> rows;
};
absl::Status WriteListing(ReportKind kind, const Listing& listing, const ReportOptions& options, Sink sink);
// A validation as it was asked for.
struct ValidationRequest {
  std::string measurements;  // paths as the user wrote them
  std::string models;
  std::string leave_out;     // "none", ...
  std::string target;        // empty = by the rows' devices
};
// Formats: text, markdown, json, csv (the points), svg (predicted against measured). options.top is the number of points
// furthest off that are listed: ten in text and none in markdown when not given; csv then holds only these.
absl::Status WriteValidation(const Validation& validation, const ValidationRequest& request,
                             const ReportOptions& options, Sink sink);
// A calibration as it was asked for.
struct CalibrationRequest {
  std::string target;  // or family
  std::string measurements;  // paths as the user wrote them
  std::string models;
  std::string output;
};
// Formats: text, markdown, json, csv (the fitted figures).
absl::Status WriteCalibration(const Calibration& calibration, const CalibrationRequest& request,
                              const ReportOptions& options, Sink sink);
// A model that was rewritten, and where it went.
struct RewriteReport {
  std::string output;  // path as the user wrote it
  RewriteTotals totals;
};
// Formats: text, json, csv and markdown (the rules).
absl::Status WriteRewriteReport(const Rewritten& rewritten, const RewriteReport& report, const ReportOptions& options,
                                Sink sink);
// What becomes of a workload. Formats: text, markdown, json, csv (the tasks), html, svg and perfetto (the timeline of the
// first hyperperiod).
absl::Status WriteWorkload(const WorkloadReport& report, const ReportOptions& options, Sink sink);
// The JSON document of an error: kind "error" with its diagnostic.
absl::Status WriteError(const Diagnostic& error, const ReportOptions& options, Sink sink);

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
  bool of_plan;  // shows an analysis with a target alone
  absl::string_view of_verb;  // the one verb that writes it; empty = several do
};
absl::Span<const FormatInfo> AllFormats();
const FormatInfo& InfoOf(Format format);
const FormatInfo* FindFormat(absl::string_view name);    // null when there is none
const FormatInfo* FormatOfPath(absl::string_view path);  // by its longest extension, null when there is none

// WriteFile replaces `path` with what `write` puts into its sink, all of it or nothing: the bytes go to a file beside
// it that is renamed at the end. Errors: kOutputUnwritable; those of `write`.
absl::Status WriteFile(const std::string& path, absl::FunctionRef<absl::Status(Sink)> write);

}  // namespace hwest
