// The table of formats, and the entry points that choose from it.
#include <array>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

using Writer = absl::Status (*)(const Document&, const ReportOptions&, Sink);

struct Row {
  FormatInfo info;
  Writer write;
};

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
};

constexpr absl::string_view kKindNames[] = {"analysis", "shapes",  "support", "explain",  "targets",
                                            "target",   "fusions", "lint",    "describe", "error",
                                            "validation", "calibration"};

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    if (static_cast<size_t>(kFormats[i].info.format) != i) return false;
  }
  return true;
}
static_assert(InEnumOrder(), "rows in enum order");

}  // namespace

absl::string_view ReportKindName(ReportKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

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
  for (const FormatInfo& info : AllFormats()) {
    for (const absl::string_view extension : absl::StrSplit(info.extensions, ' ')) {
      if (absl::EndsWithIgnoreCase(path, extension)) return &info;
    }
  }
  return nullptr;
}

absl::Status WriteDocument(const Document& document, const ReportOptions& options, Sink sink) {
  const Row& row = kFormats[static_cast<size_t>(options.format)];
  const bool drawable = document.kind == ReportKind::kAnalysis || document.kind == ReportKind::kShapes;
  if (row.info.is_picture && !drawable) {
    return MakeError(Code::kUsage,
                     absl::StrCat("format ", row.info.name, " cannot show ", ReportKindName(document.kind)),
                     "use text, json, csv or markdown");
  }
  return row.write(document, options, sink);
}

absl::Status WriteReport(const Analysis& analysis, ReportKind kind, const ReportOptions& options, Sink sink) {
  View view = MakeView(analysis, {.model_path = options.model_path});
  view.what_if = options.what_if;
  view.generation = options.generation;
  view.moves = options.moves;
  switch (kind) {
    case ReportKind::kAnalysis:
      return WriteDocument(AnalysisDocument(view), options, sink);
    case ReportKind::kShapes:
      return WriteDocument(ShapesDocument(view), options, sink);
    case ReportKind::kSupport:
      if (options.stats == Stats::kAlone && options.format != Format::kJson) {
        return WriteDocument(SupportStatsDocument(view), options, sink);
      }
      return WriteDocument(SupportDocument(view), options, sink);
    case ReportKind::kExplain: {
      HWEST_ASSIGN_OR_RETURN(const NodeId node, FindNode(view, options.node));
      FillMisses(analysis, node, &view);
      return WriteDocument(ExplainDocument(view, node), options, sink);
    }
    default:
      break;
  }
  return MakeError(Code::kUsage, absl::StrCat("no document of kind ", ReportKindName(kind), " about a model"),
                   "ask for analysis, shapes, support or explain");
}

absl::StatusOr<NodeId> NodeNamed(const Analysis& analysis, absl::string_view text) {
  return FindNode(MakeView(analysis, {}), text);
}

std::string IncompletenessOf(const Analysis& analysis) { return Incompleteness(MakeView(analysis, {})); }

}  // namespace hwest
