// Reports: what an analysis, a target or an error looks like in text, JSON, CSV, Markdown and as a picture.
//
//   ReportOptions options{.format = Format::kJson, .model_path = "model.onnx"};
//   HWEST_RETURN_IF_ERROR(WriteReport(analysis, ReportKind::kAnalysis, options, sink));
//
// The bytes depend on the arguments alone: no dates, addresses, hash order or locale. Pictures are laid out under one
// process-wide lock, because Graphviz keeps process-wide state; it is loaded when the first one is drawn (kOutputUnwritable
// where it is not installed), and DOT is written without it.
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
#include "hwest/study.h"

namespace hwest {

enum class Format : uint8_t { kText, kJson, kCsv, kMarkdown, kDot, kSvg, kPng, kPdf };
enum class Level : uint8_t { kNode, kGroup, kSegment, kModule, kUnit };
enum class Color : bool { kNo, kYes };
enum class Stats : bool { kBesideRows, kAlone };
enum class Glyphs : bool { kUnicode, kAscii };  // what bars and ellipses are drawn with; names stay as the file has them
enum class ReportKind : uint8_t {
  kAnalysis,
  kShapes,
  kSupport,
  kExplain,
  kTargets,
  kTarget,
  kFusions,
  kLint,
  kDescribe,
  kError,
  kValidation,
  kCalibration
};
absl::string_view ReportKindName(ReportKind kind);  // "analysis", ...

// Takes the next bytes of the report. An error ends the report and is returned to the caller.
using Sink = absl::FunctionRef<absl::Status(absl::string_view)>;

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
  std::string node;  // what `explain` is about: see NodeNamed
  const std::vector<WhatIfRow>* what_if = nullptr;  // of an analysis; null = not asked
  const std::vector<GenerationRow>* generation = nullptr;  // of an analysis, by context; null = not asked
  const std::vector<MoveRow>* moves = nullptr;      // of the node that `explain` is about; null = not asked
};

// WriteReport writes one document about an analysis: kAnalysis, kShapes, kSupport or kExplain.
// Errors: kUsage when the format cannot show the kind, the node is unknown, or a table needs a target; those of `sink`.
absl::Status WriteReport(const Analysis& analysis, ReportKind kind, const ReportOptions& options, Sink sink);

// The node of `explain`: its name, the name of one of its outputs, #id, or gN for the root of group N. Errors: kUsage
// with the nearest names.
absl::StatusOr<NodeId> NodeNamed(const Analysis& analysis, absl::string_view text);

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
};
absl::Span<const FormatInfo> AllFormats();
const FormatInfo& InfoOf(Format format);
const FormatInfo* FindFormat(absl::string_view name);    // null when there is none
const FormatInfo* FormatOfPath(absl::string_view path);  // by extension, null when there is none

// WriteFile replaces `path` with what `write` puts into its sink, all of it or nothing: the bytes go to a file beside
// it that is renamed at the end. Errors: kOutputUnwritable; those of `write`.
absl::Status WriteFile(const std::string& path, absl::FunctionRef<absl::Status(Sink)> write);

}  // namespace hwest
