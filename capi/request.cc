#include "request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "give.h"
#include "guard.h"
#include "handles.h"
#include "rewrite/user_rules.h"

namespace hwest::capi {
namespace {

absl::Status Bad(absl::string_view option, int64_t number, absl::string_view remedy) {
  return BadOption(absl::StrCat("options.", option), number, remedy);
}

std::string TextOr(const char* text, const char* fallback) { return text == nullptr ? fallback : text; }

// The first error, if any.
absl::Status First(std::initializer_list<absl::Status> statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// `least` is the lowest valid number; 0 means not given.
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

}  // namespace

std::vector<std::string> TextsOf(const char* const* list) {
  std::vector<std::string> texts;
  for (; list != nullptr && *list != nullptr; ++list) texts.emplace_back(*list);
  return texts;
}

absl::StatusOr<RequestDraft> DraftOf(const hwest_options& options) {
  RequestDraft draft;
  HWEST_RETURN_IF_ERROR(GiveOptions(options, &draft));
  if (options.loaded != nullptr) draft.loaded = options.loaded->target;
  return draft;
}

absl::StatusOr<AnalysisRequest> RequestOf(const hwest_options& options, const Graph& graph) {
  HWEST_ASSIGN_OR_RETURN(const RequestDraft draft, DraftOf(options));
  HWEST_RETURN_IF_ERROR(UserRules::Parse(draft.rewrite_rules, "rewrite-rules").status());
  return RequestFor(draft, graph);
}

absl::StatusOr<ReportRequest> ReportRequestOf(const hwest_report_options& options) {
  ReportRequest request;
  HWEST_RETURN_IF_ERROR(First({
      Choose("options.kind", options.kind, &request.kind),
      Choose("options.format", options.format, &request.options.format),
      Choose("options.level", options.level, &request.options.level),
      Choose("options.color", options.color, &request.options.color),
      Choose("options.color_by", options.color_by, &request.options.picture.color_by),
      Choose("options.collapse", options.collapse, &request.options.picture.collapse),
      Choose("options.unfold", options.unfold, &request.options.picture.repeats),
      Choose("options.chart", options.chart, &request.options.picture.chart),
  }));
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
