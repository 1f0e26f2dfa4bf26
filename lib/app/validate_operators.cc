#include "app/validate_operators.h"

#include <memory>
#include <utility>

#include "absl/strings/str_join.h"
#include "app/watching.h"
#include "base/status_macros.h"
#include "report/report.h"

namespace hwest::app {

absl::StatusOr<OperatorValidation> ValidateOperators(const ValidateOperatorsRequest& request) {
  std::vector<MeasuredOperator> rows;
  for (const std::string& path : request.measurements) {
    HWEST_ASSIGN_OR_RETURN(std::vector<MeasuredOperator> some, ReadOperators(path));
    for (MeasuredOperator& row : some) {
      rows.push_back(std::move(row));
      rows.back().row = rows.size();
    }
  }
  OperatorOptions options{.models = request.models, .progress = CountOf(request.watch, "operators")};
  options.stop = [&request] { return !StoppedBy(request.watch).ok(); };
  if (!request.target.empty()) {
    HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(request.target));
    options.target = std::make_shared<const Target>(std::move(target));
  }
  absl::StatusOr<OperatorValidation> result = hwest::ValidateOperators(rows, options);
  HWEST_RETURN_IF_ERROR(StoppedBy(request.watch));
  return result;
}

absl::Status WriteOperators(const OperatorValidation& result, const ValidateOperatorsRequest& request,
                            const ReportOptions& options, Sink sink) {
  const ValidationRequest asked{.measurements = absl::StrJoin(request.measurements, ", "),
                                .models = request.models,
                                .leave_out = "",
                                .target = request.target};
  return WriteOperatorValidation(result, asked, options, sink);
}

}  // namespace hwest::app
