#include "request.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/request_text.h"
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

constexpr LeaveOut kLeaveOuts[] = {LeaveOut::kNone, LeaveOut::kFamily, LeaveOut::kDevice, LeaveOut::kSource};
constexpr Color kColors[] = {Color::kNo, Color::kYes};
constexpr ReportKind kKinds[] = {ReportKind::kAnalysis, ReportKind::kShapes, ReportKind::kSupport,
                                 ReportKind::kExplain};
constexpr Format kFormats[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown,
                               Format::kDot,  Format::kSvg,  Format::kPng, Format::kPdf};
constexpr std::optional<Level> kLevels[] = {std::nullopt, Level::kNode, Level::kGroup, Level::kSegment, Level::kModule,
                                              Level::kUnit};
static_assert(kLeaveOuts[HWEST_LEAVE_OUT_SOURCE] == LeaveOut::kSource);
static_assert(kKinds[HWEST_REPORT_EXPLAIN] == ReportKind::kExplain);
static_assert(kFormats[HWEST_FORMAT_PDF] == Format::kPdf);
static_assert(kLevels[HWEST_LEVEL_UNIT] == Level::kUnit);

}  // namespace

absl::StatusOr<AnalysisRequest> RequestOf(const hwest_options& options, const Graph& graph) {
  RequestDraft draft;
  HWEST_RETURN_IF_ERROR(GiveOptions(options, &draft));
  if (options.loaded != nullptr) draft.loaded = options.loaded->state->target;
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
  });
  if (!status.ok()) return status;
  if (options.top < HWEST_TOP_ALL) return Bad("top", options.top, "use HWEST_TOP_ALL, 0 or more");
  if (options.top != 0) request.options.top = options.top == HWEST_TOP_ALL ? 0 : options.top;
  request.options.node = TextOr(options.node, "");
  return request;
}

}  // namespace hwest::capi
