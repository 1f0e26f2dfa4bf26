// Finds which flags of a sweep fit which model. With several models, flags apply only where they fit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "hwest/diagnostic.h"
#include "sweep/points.h"

namespace hwest {

struct SweepFit {
  std::vector<LeftOut> of_model;   // in the order of the models; empty = everything fits
  std::optional<Diagnostic> note;  // what was left out, and where
};

// The graph of a loaded model; null = read it from its path.
using LoadedGraph = std::function<std::shared_ptr<const Graph>(size_t model)>;

// FitModels reads the models if there are several and a flag names a part of one; the rows of an unreadable model say
// so. Errors: kBindConflict when a name fits none of them.
absl::StatusOr<SweepFit> FitModels(const SweepAxes& axes, const RequestDraft& base, const LoadedGraph& loaded);

// Removes from a draft what does not fit its model.
void LeaveOutOf(const LeftOut& left_out, RequestDraft* draft);

}  // namespace hwest
