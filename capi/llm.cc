// Language models on runtimes of targets.
#include "app/llm.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

std::string TextOr(const char* text) { return text != nullptr ? text : ""; }

// A list in place of the default one; none leaves it.
absl::Status SetCounts(const char* name, const int64_t* values, uint64_t count, std::vector<int64_t>* to) {
  if (values == nullptr || count == 0) return absl::OkStatus();
  to->assign(values, values + count);
  for (const int64_t value : *to) {
    if (value < 1) return BadOption(name, value, "give 1 or more");
  }
  return absl::OkStatus();
}

absl::Status SetCount(const char* name, int64_t value, int64_t* to) {
  if (value < 0) return BadOption(name, value, "give 0 or more");
  if (value > 0) *to = value;
  return absl::OkStatus();
}

absl::StatusOr<app::LlmFiles> LlmFilesOf(const hwest_llm_options& llm) {
  app::LlmFiles files;
  files.models = TextsOf(llm.models);
  files.targets = TextsOf(llm.targets);
  files.mode = TextOr(llm.mode);
  files.draft = TextOr(llm.draft);
  files.request.runtime = TextOr(llm.runtime);
  files.request.weights = TextOr(llm.weights);
  files.request.cache = TextOr(llm.kv);
  HWEST_RETURN_IF_ERROR(SetCounts("llm.prompts", llm.prompts, llm.prompt_count, &files.request.prompts));
  HWEST_RETURN_IF_ERROR(SetCounts("llm.contexts", llm.contexts, llm.context_count, &files.request.contexts));
  HWEST_RETURN_IF_ERROR(SetCounts("llm.batches", llm.batches, llm.batch_count, &files.request.batches));
  HWEST_RETURN_IF_ERROR(SetCount("llm.new_tokens", llm.new_tokens, &files.request.new_tokens));
  HWEST_RETURN_IF_ERROR(SetCount("llm.image_tokens", llm.image_tokens, &files.request.image_tokens));
  HWEST_RETURN_IF_ERROR(SetCount("llm.draft_tokens", llm.draft_tokens, &files.draft_tokens));
  if (!(llm.acceptance >= 0 && llm.acceptance <= 1)) {
    return MakeError(Code::kUsage, absl::StrCat("llm.acceptance is ", llm.acceptance), "give a share from 0 to 1",
                     {"llm.acceptance"});
  }
  if (llm.acceptance > 0) files.acceptance = llm.acceptance;
  return files;
}

absl::Status LlmInto(const hwest_llm_options* llm, const hwest_report_options* form, hwest_buffer** report) {
  HWEST_ASSIGN_OR_RETURN(const hwest_llm_options asked, CopyIn("llm", llm));
  HWEST_ASSIGN_OR_RETURN(const hwest_report_options written, CopyIn("form", form));
  HWEST_ASSIGN_OR_RETURN(const ReportRequest request, ReportRequestOf(written));
  HWEST_ASSIGN_OR_RETURN(const app::LlmFiles files, LlmFilesOf(asked));
  HWEST_ASSIGN_OR_RETURN(const LlmReport found, app::Llm(files));
  auto buffer = std::make_unique<hwest_buffer>();
  const FormatRows rows = asked.what_if != 0 ? FormatRows::kYes : FormatRows::kNo;
  HWEST_RETURN_IF_ERROR(WriteLlm(found, rows, request.options, [&](absl::string_view part) {
    buffer->bytes.append(part.data(), part.size());
    return absl::OkStatus();
  }));
  *report = buffer.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_llm(const hwest_llm_options* llm, const hwest_report_options* form, hwest_buffer** report) {
  return Guard([&]() -> absl::Status {
    if (llm == nullptr) return NullArgument("llm");
    if (report == nullptr) return NullArgument("report");
    return hwest::capi::LlmInto(llm, form, report);
  });
}
