// Opset: converts a model to an older operator set.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "rewrite/apply.h"
#include "rewrite/edited_model.h"

namespace hwest {

// LowerOpset makes the default domain's operator set of `model`, which `analysis` is of, `opset`: operators that it
// lacks are written out where a rule does that, and nodes whose operator changed its form get the older one, names
// kept. Returns the places by rule, and adds the nodes of another form to `reformed`. Errors: kUsage, naming the first
// node that has no older form; nothing is written then.
absl::StatusOr<PlaceCounts> LowerOpset(std::shared_ptr<const Analysis> analysis, const AnalysisRequest& request,
                                       int opset, EditedModel* model, int64_t* reformed);

}  // namespace hwest
