#include "fit/fold_fitter.h"

#include "base/status_macros.h"
#include "fit/validate.h"

namespace hwest {

absl::StatusOr<Fitter> MakeFitter(const std::vector<Measurement>& rows, const FitStudyOptions& options) {
  HWEST_RETURN_IF_ERROR(CheckModels(options.rows.predict));
  Targets targets = {options.rows.target};
  if (options.rows.target == nullptr) {
    HWEST_ASSIGN_OR_RETURN(targets, LoadBuiltInTargets());
  }
  HWEST_ASSIGN_OR_RETURN(const auto study, FitStudy::Make(rows, targets, options));
  return [study](const Targets& start, absl::Span<const Measurement> some) { return study->Refit(start, some); };
}

}  // namespace hwest
