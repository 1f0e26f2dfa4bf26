// Which format pays for which layer.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "app/quantize_plan.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "hwest/rewrite.h"
#include "request.h"

namespace hwest::capi {
namespace {

constexpr absl::string_view kModelItself = "onnx";

absl::StatusOr<std::optional<QuantizeExport>> ExportOf(const char* name) {
  if (name == nullptr || name == kModelItself) return std::optional<QuantizeExport>();
  std::string known;
  for (size_t i = 0; i < kNumEnumerators<QuantizeExport>; ++i) {
    const auto form = static_cast<QuantizeExport>(i);
    if (QuantizeExportName(form) == name) return std::optional<QuantizeExport>(form);
    absl::StrAppend(&known, i > 0 ? ", " : "", QuantizeExportName(form));
  }
  return MakeError(Code::kUsage, absl::StrCat("quantize.export_as is \"", name, "\""),
                   absl::StrCat("write one of ", known, ", ", kModelItself), {"quantize.export_as"});
}

absl::StatusOr<std::string> ModelWith(const QuantizePlan& plan, const app::LoadedModel& model, const char* ranges) {
  if (ranges == nullptr) {
    return MakeError(Code::kUsage, "the model is written by what the values of its tensors lie between",
                     "give the text of ONNX Runtime's calibration.json as quantize.ranges", {"quantize.ranges"});
  }
  HWEST_ASSIGN_OR_RETURN(const Rewritten applied, app::ApplyFormats(model, plan, ranges, "quantize.ranges"));
  std::string bytes;
  const auto keep = [&](absl::string_view part) {
    bytes.append(part.data(), part.size());
    return absl::OkStatus();
  };
  HWEST_RETURN_IF_ERROR(WriteRewritten(applied, keep).status());
  return bytes;
}

absl::StatusOr<app::QuantizePlanRequest> QuantizeRequestOf(const hwest_options& asked,
                                                           const hwest_quantize_options& how) {
  app::QuantizePlanRequest request;
  HWEST_ASSIGN_OR_RETURN(request.draft, DraftOf(asked));
  request.formats = TextsOf(how.formats);
  if (how.sensitivity != nullptr) {
    request.sensitivity = how.sensitivity;
    request.sensitivity_source = "quantize.sensitivity";
  }
  if (how.budget == nullptr) return request;
  double budget;
  if (!absl::SimpleAtod(how.budget, &budget) || !(budget >= 0)) {
    return MakeError(Code::kUsage, absl::StrCat("quantize.budget is \"", how.budget, "\""), "give a loss from 0 on",
                     {"quantize.budget"});
  }
  request.budget = budget;
  return request;
}

absl::Status QuantizeInto(const ModelState& model, const hwest_options* options, const hwest_quantize_options* quantize,
                          const hwest_report_options* form, hwest_buffer** report) {
  HWEST_ASSIGN_OR_RETURN(const hwest_options asked, CopyIn("options", options));
  HWEST_ASSIGN_OR_RETURN(const hwest_quantize_options how, CopyIn("quantize", quantize));
  HWEST_ASSIGN_OR_RETURN(const hwest_report_options written, CopyIn("form", form));
  HWEST_ASSIGN_OR_RETURN(const std::optional<QuantizeExport> export_as, ExportOf(how.export_as));
  HWEST_ASSIGN_OR_RETURN(const app::QuantizePlanRequest request, QuantizeRequestOf(asked, how));
  HWEST_ASSIGN_OR_RETURN(const QuantizePlan plan, app::PlanFormats(ModelOf(model), request));
  auto buffer = std::make_unique<hwest_buffer>();
  if (how.export_as != nullptr && how.export_as == kModelItself) {
    HWEST_ASSIGN_OR_RETURN(buffer->bytes, ModelWith(plan, ModelOf(model), how.ranges));
  } else if (export_as.has_value()) {
    HWEST_ASSIGN_OR_RETURN(buffer->bytes, ExportQuantizePlan(plan, *export_as));
  } else {
    HWEST_ASSIGN_OR_RETURN(ReportRequest as, ReportRequestOf(written));
    as.options.model_path = model.name;
    HWEST_RETURN_IF_ERROR(WriteQuantizePlan(plan, as.options, [&](absl::string_view part) {
      buffer->bytes.append(part.data(), part.size());
      return absl::OkStatus();
    }));
  }
  *report = buffer.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

hwest_status hwest_quantize_plan(const hwest_model* model, const hwest_options* options,
                                 const hwest_quantize_options* quantize, const hwest_report_options* form,
                                 hwest_buffer** report) {
  return hwest::capi::Guard([&]() -> absl::Status {
    if (model == nullptr) return hwest::capi::NullArgument("model");
    if (report == nullptr) return hwest::capi::NullArgument("report");
    return hwest::capi::QuantizeInto(*model->state, options, quantize, form, report);
  });
}
