// Apply: applies rules to an edited model until none matches any more.
#pragma once

#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "rewrite/edited_model.h"
#include "rewrite/find.h"

namespace hwest {

using PlaceCounts = absl::flat_hash_map<const RewriteRule*, int64_t>;

// ApplyRules changes `model`, which `analysis` is of, and returns the places by rule; empty = nothing applied.
// `request` says how inputs are bound. Errors: those of analysing the model in between.
absl::StatusOr<PlaceCounts> ApplyRules(const RuleSet& rules, std::shared_ptr<const Analysis> analysis,
                                       const AnalysisRequest& request, EditedModel* model);

// The request without its target: what inference and the classes of nodes depend on.
AnalysisRequest ModelPartOf(const AnalysisRequest& request);

// What is bound once the sizes are written into the types of inputs.
BindRequest WithoutSizes(BindRequest bind);

// Rules that look at the model as a whole.
int64_t FoldConstants(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful);
int64_t RemoveDead(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful);

// Writes the sizes that the inputs and outputs have in `analysis` into their types; whether any was open before.
bool WriteBoundTypes(const Analysis& analysis, EditedModel* model);
// The node of the file's main graph that is `node`; -1 when that is in a function or a body.
int64_t FileNodeOf(const Analysis& analysis, const EditedModel& model, NodeId node);
// Writes the batch and the other sizes of `analysis` wherever the file states its own: types of inputs and outputs,
// targets of Reshape and the like, ends of slices, constants expanded to one image. Errors: kBindConflict, naming the
// first node that would still work on other sizes, such as one in a body or a function.
absl::Status WriteSizes(const Analysis& analysis, EditedModel* model);

}  // namespace hwest
