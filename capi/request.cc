#include "request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/request_text.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "give.h"
#include "handles.h"

namespace hwest::capi {
namespace {

absl::Status Bad(absl::string_view option, int64_t number, absl::string_view remedy) {
  return BadValue(absl::StrCat("options.", option), absl::StrCat(number), remedy);
}

std::string TextOr(const char* text, const char* fallback) { return text == nullptr ? fallback : text; }

// Stores the row of `values` that `number` names.
template <class T, size_t N>
absl::Status Choose(absl::string_view option, int32_t number, const T (&values)[N], T* chosen) {
  if (number < 0 || static_cast<size_t>(number) >= N) {
    return Bad(option, number, "use a constant of hwest.h");
  }
  *chosen = values[number];
  return absl::OkStatus();
}

// The first error, if any.
absl::Status First(std::initializer_list<absl::Status> statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// `least` is the lowest number with a meaning; 0 is none given.
absl::Status CountOf(absl::string_view option, int64_t number, int64_t least, absl::string_view remedy,
                     std::optional<int64_t>* count) {
  if (number < least) return Bad(option, number, remedy);
  if (number != 0) *count = std::max<int64_t>(number, 0);
  return absl::OkStatus();
}

absl::StatusOr<GraphSelection> SelectionOf(const hwest_report_options& options) {
  GraphSelection selection;
  HWEST_RETURN_IF_ERROR(First({
      CountOf("start", options.start, 0, "use the id of a node", &selection.start),
      CountOf("end", options.end, HWEST_ZERO, "use the id of a node, HWEST_ZERO for node 0, or 0 for the last",
              &selection.end),
      CountOf("max_nodes", options.max_nodes, 0, "use 1 or more, or 0 for all", &selection.max_nodes),
      CountOf("context", options.context, HWEST_ZERO, "use 1 or more, HWEST_ZERO for none, or 0 for 5",
              &selection.context),
  }));
  selection.around = TextOr(options.around, "");
  selection.module = TextOr(options.module, "");
  selection.grep = TextOr(options.grep, "");
  selection.ops = TextsOf(options.ops);
  selection.units = TextsOf(options.units);
  selection.bounds = TextsOf(options.bounds);
  selection.columns = TextsOf(options.columns);
  return selection;
}

constexpr LeaveOut kLeaveOuts[] = {LeaveOut::kNone, LeaveOut::kFamily, LeaveOut::kDevice, LeaveOut::kSource,
                                   LeaveOut::kFamilyAndDevice};
constexpr Color kColors[] = {Color::kNo, Color::kYes};
constexpr ReportKind kKinds[] = {ReportKind::kAnalysis, ReportKind::kShapes, ReportKind::kSupport,
                                 ReportKind::kExplain, ReportKind::kGraph};
constexpr Format kFormats[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown,
                               Format::kDot,  Format::kSvg,  Format::kPng, Format::kPdf,
                               Format::kPerfetto, Format::kNetron, Format::kModelExplorer, Format::kSpeedscope,
                               Format::kHtml, Format::kJsonl, Format::kJunit, Format::kSarif, Format::kCodeQuality,
                               Format::kOpenMetrics, Format::kBenchmark, Format::kBencher, Format::kOnnxText};
constexpr std::optional<ColorBy> kColorBys[] = {std::nullopt,    ColorBy::kUnit,      ColorBy::kBound,    ColorBy::kTime,
                                                ColorBy::kEnergy, ColorBy::kIntensity, ColorBy::kPrecision,
                                                ColorBy::kMeasured};
constexpr Collapse kCollapses[] = {Collapse::kAuto, Collapse::kModule, Collapse::kSegment, Collapse::kNone};
constexpr Repeats kRepeats[] = {Repeats::kFold, Repeats::kUnfold};
constexpr std::optional<Chart> kCharts[] = {std::nullopt,     Chart::kTimeline, Chart::kMemory,
                                            Chart::kRoofline, Chart::kModules,  Chart::kBounds};
constexpr std::optional<Level> kLevels[] = {std::nullopt, Level::kNode, Level::kGroup, Level::kSegment, Level::kModule,
                                              Level::kUnit};
static_assert(kLeaveOuts[HWEST_LEAVE_OUT_FAMILY_DEVICE] == LeaveOut::kFamilyAndDevice);
static_assert(kKinds[HWEST_REPORT_GRAPH] == ReportKind::kGraph);
static_assert(kFormats[HWEST_FORMAT_ONNXTEXT] == Format::kOnnxText);
static_assert(kColorBys[HWEST_COLOR_BY_MEASURED] == ColorBy::kMeasured);
static_assert(kCollapses[HWEST_COLLAPSE_NONE] == Collapse::kNone);
static_assert(kCharts[HWEST_CHART_BOUNDS] == Chart::kBounds);
static_assert(kLevels[HWEST_LEVEL_UNIT] == Level::kUnit);
// All there are; the first of some is the default.
static_assert(std::size(kLeaveOuts) == kNumEnumerators<LeaveOut>);
static_assert(std::size(kFormats) == kNumEnumerators<Format>);
static_assert(std::size(kColorBys) == kNumEnumerators<ColorBy> + 1);
static_assert(std::size(kCollapses) == kNumEnumerators<Collapse>);
static_assert(std::size(kRepeats) == kNumEnumerators<Repeats>);
static_assert(std::size(kCharts) == kNumEnumerators<Chart> + 1);
static_assert(std::size(kLevels) == kNumEnumerators<Level> + 1);

}  // namespace

std::vector<std::string> TextsOf(const char* const* list) {
  std::vector<std::string> texts;
  for (; list != nullptr && *list != nullptr; ++list) texts.emplace_back(*list);
  return texts;
}

absl::StatusOr<RequestDraft> DraftOf(const hwest_options& options) {
  RequestDraft draft;
  HWEST_RETURN_IF_ERROR(GiveOptions(options, &draft));
  if (options.loaded != nullptr) draft.loaded = options.loaded->state->target;
  return draft;
}

absl::StatusOr<AnalysisRequest> RequestOf(const hwest_options& options, const Graph& graph) {
  HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftOf(options));
  return RequestFor(draft, graph);
}

absl::StatusOr<LeaveOut> LeaveOutOf(int32_t number) {
  LeaveOut leave_out = LeaveOut::kNone;
  const absl::Status status = Choose("leave_out", number, kLeaveOuts, &leave_out);
  if (!status.ok()) return status;
  return leave_out;
}

absl::StatusOr<ReportRequest> ReportRequestOf(const hwest_report_options& options) {
  ReportRequest request;
  const absl::Status status = First({
      Choose("kind", options.kind, kKinds, &request.kind),
      Choose("format", options.format, kFormats, &request.options.format),
      Choose("level", options.level, kLevels, &request.options.level),
      Choose("color", options.color, kColors, &request.options.color),
      Choose("color_by", options.color_by, kColorBys, &request.options.picture.color_by),
      Choose("collapse", options.collapse, kCollapses, &request.options.picture.collapse),
      Choose("unfold", options.unfold, kRepeats, &request.options.picture.repeats),
      Choose("chart", options.chart, kCharts, &request.options.picture.chart),
  });
  if (!status.ok()) return status;
  if (options.top < HWEST_TOP_ALL) return Bad("top", options.top, "use HWEST_TOP_ALL, 0 or more");
  if (options.top != 0) request.options.top = options.top == HWEST_TOP_ALL ? 0 : options.top;
  HWEST_ASSIGN_OR_RETURN(request.options.graph, SelectionOf(options));
  if (request.kind != ReportKind::kGraph && request.options.graph != GraphSelection{}) {
    return MakeError(Code::kUsage, "only a report of kind HWEST_REPORT_GRAPH takes a choice of nodes or columns",
                     "set options.kind to it, or leave the choice out");
  }
  return request;
}

}  // namespace hwest::capi
