// What would help, and why a node runs where it does.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "app/analyze.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "report/view_parts.h"

namespace hwest::capi {
namespace {

absl::StatusOr<AnalyzeResult> Studied(const std::shared_ptr<const AnalysisState>& state,
                                      const app::AnalyzeRequest& request) {
  AnalyzeResult result;
  result.analysis = std::shared_ptr<const Analysis>(state, &state->analysis);
  if (absl::Status status = app::AddStudies(ModelOf(*state->model), request, &result); !status.ok()) return status;
  return result;
}

absl::Status NeedsTarget(const hwest_analysis& analysis, absl::string_view what) {
  if (analysis.state->analysis.plan.has_value()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(what, " needs a target"), "name one in hwest_options");
}

}  // namespace
}  // namespace hwest::capi

hwest_explanation::hwest_explanation(hwest::NodeId explained, hwest::AnalyzeResult found,
                                     std::shared_ptr<const hwest::capi::AnalysisState> base)
    : node(explained),
      result(std::move(found)),
      of(std::move(base)),
      view([this](hwest::View* made) { hwest::FillMisses(of->analysis, node, made); }) {}

hwest::FusionRow hwest_explanation::fusion() const {
  hwest::FusionRow none;
  none.node = node;
  return view.get().fusion.value_or(none);
}

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_what_if_create(const hwest_analysis* analysis, hwest_progress progress, void* payload,
                                  hwest_what_if** what_if) {
  const hwest_watch watch = {sizeof watch, 0, progress, payload, nullptr};
  return hwest_what_if_create_with(analysis, &watch, what_if);
}

hwest_status hwest_what_if_create_with(const hwest_analysis* analysis, const hwest_watch* watch,
                                       hwest_what_if** what_if) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (what_if == nullptr) return NullArgument("what_if");
    if (absl::Status status = hwest::capi::NeedsTarget(*analysis, "what-if"); !status.ok()) return status;
    const absl::StatusOr<hwest_watch> ours = CopyIn("watch", watch);
    if (!ours.ok()) return ours.status();
    hwest::app::AnalyzeRequest request;
    request.what_if = true;
    request.watch = hwest::capi::WatchOf(*ours);
    absl::StatusOr<hwest::AnalyzeResult> result = hwest::capi::Studied(analysis->state, request);
    if (!result.ok()) return result.status();
    *what_if = new hwest_what_if{*std::move(result->what_if), std::move(result->what_if_notes), analysis->state};
    return absl::OkStatus();
  });
}

void hwest_what_if_free(hwest_what_if* what_if) { delete what_if; }

hwest_status hwest_refusals_create(const hwest_analysis* analysis, const hwest_watch* watch,
                                   hwest_refusals** refusals) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (refusals == nullptr) return NullArgument("refusals");
    if (absl::Status status = hwest::capi::NeedsTarget(*analysis, "support"); !status.ok()) return status;
    const absl::StatusOr<hwest_watch> ours = CopyIn("watch", watch);
    if (!ours.ok()) return ours.status();
    hwest::app::AnalyzeRequest request{.kind = hwest::ReportKind::kSupport};
    request.watch = hwest::capi::WatchOf(*ours);
    absl::StatusOr<hwest::AnalyzeResult> result = hwest::capi::Studied(analysis->state, request);
    if (!result.ok()) return result.status();
    *refusals = new hwest_refusals{*std::move(result->refusals), analysis->state};
    return absl::OkStatus();
  });
}

void hwest_refusals_free(hwest_refusals* refusals) { delete refusals; }

hwest_status hwest_explain(const hwest_analysis* analysis, const char* node, hwest_explanation** explanation) {
  return hwest_explain_with(analysis, node, nullptr, explanation);
}

hwest_status hwest_explain_with(const hwest_analysis* analysis, const char* node, const hwest_watch* watch,
                                hwest_explanation** explanation) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (node == nullptr) return NullArgument("node");
    if (explanation == nullptr) return NullArgument("explanation");
    if (absl::Status status = hwest::capi::NeedsTarget(*analysis, "explain"); !status.ok()) return status;
    const absl::StatusOr<hwest_watch> ours = CopyIn("watch", watch);
    if (!ours.ok()) return ours.status();
    hwest::app::AnalyzeRequest request{.kind = hwest::ReportKind::kExplain};
    request.node = node;
    request.watch = hwest::capi::WatchOf(*ours);
    absl::StatusOr<hwest::AnalyzeResult> result = hwest::capi::Studied(analysis->state, request);
    if (!result.ok()) return result.status();
    const absl::StatusOr<std::vector<hwest::NodeId>> nodes = hwest::NodesNamed(*result->analysis, node);
    if (!nodes.ok()) return nodes.status();
    *explanation = new hwest_explanation(nodes->front(), *std::move(result), analysis->state);
    return absl::OkStatus();
  });
}

void hwest_explanation_free(hwest_explanation* explanation) { delete explanation; }
