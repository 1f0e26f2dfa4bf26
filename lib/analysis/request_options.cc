#include "analysis/request_options.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "analysis/request_table.h"
#include "analysis/request_text.h"
#include "analysis/resize.h"
#include "analysis/value_text.h"
#include "base/status_macros.h"
#include "hwest/generation.h"
#include "hwest/host.h"

namespace hwest {
namespace {

absl::StatusOr<Target> ModuleOf(const RequestDraft& draft) {
  if (draft.loaded != nullptr) return *draft.loaded;
  if (draft.target.empty()) return BadValue("--host", draft.host, "name the module with --target", {"--target"});
  return LoadTarget(draft.target);
}

}  // namespace

absl::Span<const RequestOption> AllRequestOptions() { return kRequestOptions; }

const RequestOption& RequestOptionNamed(absl::string_view name) {
  return *std::find_if(AllRequestOptions().begin(), AllRequestOptions().end(),
                       [&](const RequestOption& option) { return name == option.name; });
}

absl::Status Give(const RequestOption& option, absl::string_view text, RequestDraft* draft, absl::string_view source) {
  const std::string name = option.flag != nullptr ? option.flag : absl::StrCat("options.", option.name);
  const std::string file = source.empty() ? absl::StrReplaceAll(option.name, {{"_", "-"}}) : std::string(source);
  const char* const choices = option.choices != nullptr ? option.choices : "";
  return option.set({.name = name, .text = std::string(text), .source = file, .choices = choices}, draft);
}

namespace {

// Binds the sizes of one step beside `context` tokens in the cache.
absl::Status BindContext(const Graph& graph, int64_t context, AnalysisRequest* request) {
  const std::shared_ptr<const Graph> borrowed(std::shared_ptr<const Graph>(), &graph);
  HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(borrowed, *request));
  *request = StepOf(cache, *request, cache.fixed_step, context);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<AnalysisRequest> RequestFor(const RequestDraft& draft, const Graph& graph) {
  AnalysisRequest request = draft;
  if (draft.measured_profile != nullptr && draft.loaded == nullptr && draft.target.empty()) {
    return MakeError(Code::kUsage, "--measured-profile is laid beside a plan", "name a target with --target",
                     {"--measured-profile", "--target"});
  }
  for (const std::string& value : draft.values) HWEST_RETURN_IF_ERROR(AddValue(graph, value, &request.bind));
  if (draft.sequence.has_value()) HWEST_RETURN_IF_ERROR(BindSequenceLength(graph, *draft.sequence, &request.bind));
  if (draft.image_size.has_value()) HWEST_RETURN_IF_ERROR(BindImageSize(graph, *draft.image_size, &request.bind));
  if (draft.context.has_value()) HWEST_RETURN_IF_ERROR(BindContext(graph, *draft.context, &request));
  if (draft.host.empty()) return request;
  HWEST_ASSIGN_OR_RETURN(const Target lender, LoadTarget(draft.host));
  HWEST_ASSIGN_OR_RETURN(const Target module, ModuleOf(draft));
  HWEST_ASSIGN_OR_RETURN(Target changed, UseHost(module, lender));
  request.loaded = std::make_shared<const Target>(std::move(changed));
  return request;
}

}  // namespace hwest
