// Equivalent models that run better.
#include "app/rewrite.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "report/report.h"
#include "request.h"

namespace hwest::capi {
namespace {

std::vector<std::string> NamesOf(const char* const* names, uint64_t count) {
  std::vector<std::string> list;
  for (uint64_t i = 0; names != nullptr && i < count; ++i) {
    if (names[i] != nullptr) list.emplace_back(names[i]);
  }
  return list;
}

absl::StatusOr<RewriteOptions> OptionsOf(const hwest_rewrite_options& theirs) {
  if (theirs.fold != 0 && theirs.annotate != 0) return BadOption("annotate", theirs.annotate, "leave out `fold` or it");
  RewriteOptions options;
  options.rules = NamesOf(theirs.rules, theirs.rule_count);
  options.no_rules = NamesOf(theirs.no_rules, theirs.no_rule_count);
  options.allow_approximate = theirs.allow_approximate != 0;
  if (theirs.opset < 0) return BadOption("opset", theirs.opset, "give 0 or the number of an operator set");
  options.opset = theirs.opset;
  if (theirs.fold != 0) options.scope = RewriteScope::kFold;
  if (theirs.annotate != 0) options.scope = RewriteScope::kAnnotate;
  return options;
}

absl::StatusOr<Rewritten> Rewrite(const ModelState& model, const hwest_options& asked,
                                  const hwest_rewrite_options& how) {
  const absl::StatusOr<AnalysisRequest> request = RequestOf(asked, *model.graph);
  if (!request.ok()) return request.status();
  const absl::StatusOr<RewriteOptions> options = OptionsOf(how);
  if (!options.ok()) return options.status();
  const auto make = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(*request); };
  app::LoadedModel from = ModelOf(model);
  if (how.data != nullptr) from.bytes = {how.data, how.size};
  return app::Rewrite(from, make, *options, WatchOf(asked.progress, asked.progress_payload, asked.cancel));
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_rewrite(const hwest_model* model, const hwest_options* options, const hwest_rewrite_options* rewrite,
                           hwest_sink sink, void* payload, hwest_buffer** report) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    const absl::StatusOr<hwest_rewrite_options> how = CopyIn("rewrite", rewrite);
    if (!how.ok()) return how.status();
    const absl::StatusOr<hwest::Rewritten> rewritten = hwest::capi::Rewrite(*model->state, *ours, *how);
    if (!rewritten.ok()) return rewritten.status();
    const auto write = [&](absl::string_view bytes) -> absl::Status {
      if (sink == nullptr || sink(payload, bytes.data(), bytes.size()) == 0) return absl::OkStatus();
      return hwest::MakeError(hwest::Code::kInterrupted, "the sink ended the file", "");
    };
    absl::StatusOr<hwest::RewriteTotals> totals = hwest::WriteRewritten(*rewritten, write);
    if (!totals.ok()) return totals.status();
    if (report == nullptr) return absl::OkStatus();
    auto buffer = std::make_unique<hwest_buffer>();
    hwest::ReportOptions document;
    document.format = hwest::Format::kJson;
    document.model_path = model->state->name;
    const absl::Status status = hwest::WriteRewriteReport(*rewritten, {.output = "", .totals = *totals}, document,
                                                          [&](absl::string_view bytes) {
                                                            buffer->bytes.append(bytes.data(), bytes.size());
                                                            return absl::OkStatus();
                                                          });
    if (status.ok()) *report = buffer.release();
    return status;
  });
}
