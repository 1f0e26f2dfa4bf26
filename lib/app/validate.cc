#include "fit/validate.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "app/measured.h"
#include "app/watching.h"
#include "base/status_macros.h"
#include "fit/fold_fitter.h"
#include "fit/language_rows.h"
#include "hwest/diagnostic.h"
#include "hwest/validation.h"
#include "report/report.h"

namespace hwest::app {
namespace {

absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const ValidateRequest& request) {
  if (request.loaded != nullptr || request.target.empty()) return request.loaded;
  HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(request.target));
  return std::make_shared<const Target>(std::move(target));
}

absl::Status AddFitter(const std::vector<Measurement>& rows, const ValidateRequest& request, ValidateOptions* study) {
  if (study->leave_out == LeaveOut::kNone) return absl::OkStatus();
  const FitStudyOptions fit{.rows = {.predict = study->predict, .target = study->target},
                            .fit = {},
                            .priors = PriorFrom::kStated,
                            .data = request.measurements,
                            .progress = CountOf(request.watch, "fits")};
  HWEST_ASSIGN_OR_RETURN(study->fitter, MakeFitter(rows, fit));
  return StoppedBy(request.watch);
}

absl::StatusOr<Validation> Run(const std::vector<Measurement>& rows, const ValidateRequest& request,
                               const std::shared_ptr<const Target>& target) {
  ValidateOptions study{.predict = PredictOptionsOf(request.models, request.threads, request.watch),
                        .target = target,
                        .targets = {},
                        .leave_out = request.leave_out};
  HWEST_RETURN_IF_ERROR(AddFitter(rows, request, &study));
  absl::StatusOr<Validation> validation = hwest::Validate(rows, study);
  HWEST_RETURN_IF_ERROR(StoppedBy(request.watch));
  return validation;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

absl::StatusOr<ValidateResult> ValidateLanguage(const ValidateRequest& request) {
  if (request.leave_out != LeaveOut::kNone) {
    return MakeError(Code::kUsage, "constants of language-model runtimes are not fitted by `validate`",
                     "leave --leave-out away; test/bench/llm_fits.py prints errors of models and devices left out",
                     {"--leave-out"});
  }
  HWEST_RETURN_IF_ERROR(CheckModels({.models = request.models}));
  HWEST_ASSIGN_OR_RETURN(
      Validation validation,
      ValidateLanguageRows(TextOf(request.measurements), request.measurements,
                           {.models = request.models, .configs = request.configs, .target = request.target}));
  return ValidateResult{.validation = std::make_shared<const Validation>(std::move(validation)),
                        .measurements = request.measurements,
                        .models = request.models,
                        .leave_out = std::string(LeaveOutName(request.leave_out)),
                        .target = request.target};
}

}  // namespace

bool HoldsLanguageRows(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string header;
  return std::getline(file, header) && hwest::HasLanguageRows(header);
}

const std::vector<ValidationRow>& ValidateResult::rows() const { return validation->rows; }
const std::vector<Pool>& ValidateResult::pools() const { return validation->pools; }
const std::vector<SkippedRows>& ValidateResult::skipped() const { return validation->skipped; }

absl::StatusOr<ValidateResult> Validate(const ValidateRequest& request) {
  if (request.rows == nullptr && HoldsLanguageRows(request.measurements)) return ValidateLanguage(request);
  HWEST_ASSIGN_OR_RETURN(const auto rows, RowsOf(request.rows, request.measurements, request.target));
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, TargetOf(request));
  HWEST_ASSIGN_OR_RETURN(Validation validation, Run(*rows, request, target));
  return ValidateResult{.validation = std::make_shared<const Validation>(std::move(validation)),
                        .measurements = request.measurements,
                        .models = request.models,
                        .leave_out = std::string(LeaveOutName(request.leave_out)),
                        .target = target == nullptr ? "" : target->name};
}

absl::Status WriteValidation(const ValidateResult& result, const ReportOptions& options, Sink sink) {
  const ValidationRequest asked{.measurements = result.measurements,
                                .models = result.models,
                                .leave_out = result.leave_out,
                                .target = result.target};
  return hwest::WriteValidation(*result.validation, asked, options, sink);
}

}  // namespace hwest::app
