// What a language model costs at each context length.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "app/generate.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status CheckContexts(const std::vector<int64_t>& contexts) {
  if (contexts.empty()) return BadOption("count", 0, "name one length or more");
  for (const int64_t context : contexts) {
    if (context >= 1 && context <= kMostContext) continue;
    return BadOption("contexts", context, absl::StrCat("use 1 to ", kMostContext, " tokens"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GenerationRow>> Run(const ModelState& model, const hwest_options& options,
                                               const std::vector<int64_t>& contexts) {
  if (absl::Status status = CheckContexts(contexts); !status.ok()) return status;
  if (options.context != 0) return BadOption("options.context", options.context, "leave it out: `contexts` says it");
  const absl::StatusOr<AnalysisRequest> request = RequestOf(options, *model.graph);
  if (!request.ok()) return request.status();
  if (request->target.empty() && request->loaded == nullptr) {
    return MakeError(Code::kUsage, "generation needs a target", "name one in hwest_options");
  }
  absl::StatusOr<app::GenerateResult> result = app::Generate(
      model.graph, *request, contexts, WatchOf(options.progress, options.progress_payload, options.cancel));
  if (!result.ok()) return result.status();
  return std::move(result->rows);
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_generation_create(const hwest_model* model, const hwest_options* options, const int64_t* contexts,
                                     uint64_t count, hwest_generation** generation) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (contexts == nullptr) return NullArgument("contexts");
    if (generation == nullptr) return NullArgument("generation");
    const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    auto rows = hwest::capi::Run(*model->state, *ours, {contexts, contexts + count});
    if (!rows.ok()) return rows.status();
    *generation = new hwest_generation{*std::move(rows)};
    return absl::OkStatus();
  });
}

void hwest_generation_free(hwest_generation* generation) { delete generation; }
