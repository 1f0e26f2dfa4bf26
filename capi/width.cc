// Which other widths pay off.
#include "app/width.h"

#include <memory>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::StatusOr<WidthOptions> WidthOptionsOf(const hwest_width_options& theirs) {
  WidthOptions options;
  for (uint64_t i = 0; theirs.layers != nullptr && i < theirs.layer_count; ++i) {
    if (theirs.layers[i] != nullptr) options.layers.emplace_back(theirs.layers[i]);
  }
  if (theirs.at < 0) return BadOption("width.at", theirs.at, "give 0 or a number of channels");
  if (theirs.at > 0) options.width = theirs.at;
  return options;
}

absl::Status WidthInto(const ModelState& model, const hwest_options* options, const hwest_width_options* width,
                       const hwest_report_options* form, hwest_buffer** report) {
  HWEST_ASSIGN_OR_RETURN(const hwest_options asked, CopyIn("options", options));
  HWEST_ASSIGN_OR_RETURN(const hwest_width_options how, CopyIn("width", width));
  HWEST_ASSIGN_OR_RETURN(const hwest_report_options written, CopyIn("form", form));
  HWEST_ASSIGN_OR_RETURN(RequestDraft draft, DraftOf(asked));
  HWEST_ASSIGN_OR_RETURN(const WidthOptions what, WidthOptionsOf(how));
  HWEST_ASSIGN_OR_RETURN(ReportRequest request, ReportRequestOf(written));
  app::LoadedModel from = ModelOf(model);
  if (how.data != nullptr) from.bytes = {how.data, how.size};
  HWEST_ASSIGN_OR_RETURN(const app::WidthResult result,
                         app::Width(from, draft, what, WatchOf(asked.progress, asked.progress_payload, asked.cancel)));
  request.options.model_path = model.name;
  auto buffer = std::make_unique<hwest_buffer>();
  HWEST_RETURN_IF_ERROR(app::WriteWidth(result, request.options, [&](absl::string_view part) {
    buffer->bytes.append(part.data(), part.size());
    return absl::OkStatus();
  }));
  *report = buffer.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

hwest_status hwest_width(const hwest_model* model, const hwest_options* options, const hwest_width_options* width,
                         const hwest_report_options* form, hwest_buffer** report) {
  return hwest::capi::Guard([&]() -> absl::Status {
    if (model == nullptr) return hwest::capi::NullArgument("model");
    if (report == nullptr) return hwest::capi::NullArgument("report");
    return hwest::capi::WidthInto(*model->state, options, width, form, report);
  });
}
