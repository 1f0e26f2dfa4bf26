// Leaving out: which rows are predicted together, by targets that were fitted without them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fit/match.h"
#include "hwest/validation.h"
#include "measured/measurements.h"

namespace hwest {

absl::string_view LeaveOutName(LeaveOut leave_out);  // "none", ...
std::optional<LeaveOut> FindLeaveOut(absl::string_view name);

// Fitter returns `targets` with their fitted values found anew from `rows` alone, in the same order.
using Fitter = std::function<absl::StatusOr<Targets>(const Targets& targets, absl::Span<const Measurement> rows)>;

struct Fold {
  std::string name;                      // of what is left out; empty for kNone
  std::vector<const Measurement*> rows;  // to predict
};

// One fold per family, device, source or pair of family and device, by name; a single one for kNone. Every row is in
// exactly one. The folds borrow from `rows`.
std::vector<Fold> FoldsOf(const std::vector<Measurement>& rows, LeaveOut leave_out);
// The rows that agree with those of the fold in nothing that is left out.
std::vector<Measurement> RowsWithout(const std::vector<Measurement>& rows, LeaveOut leave_out, const Fold& fold);

}  // namespace hwest
