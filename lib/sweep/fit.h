// Which flags of a sweep name something that a model has. With several models they apply where they fit.
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

// The graph of a model that is loaded already; null = it is to be read from its path.
using LoadedGraph = std::function<std::shared_ptr<const Graph>(size_t model)>;

// FitModels reads the models where there are several, and something names a part of them; one that cannot be read says
// so in its rows. Errors: kBindConflict when a name fits none of them.
absl::StatusOr<SweepFit> FitModels(const SweepAxes& axes, const RequestDraft& base, const LoadedGraph& loaded);

// Takes out of a draft what does not fit its model.
void LeaveOutOf(const LeftOut& left_out, RequestDraft* draft);

}  // namespace hwest
