// Search: finds the rules that make a model best on a target.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/rewrite.h"
#include "rewrite/edited_model.h"
#include "rewrite/find.h"

namespace hwest {

// A model with the rules that led to it.
struct Variant {
  std::shared_ptr<const EditedModel> model;
  std::shared_ptr<const Analysis> analysis;
  std::vector<AppliedRule> rules;
};

// Is shown every variant that a search makes; may be null.
using VariantSeen = std::function<void(const Variant& variant)>;

// What reports say of a rule; without what it saves.
AppliedRule RowOf(const RewriteRule& rule, int64_t places);

// ApplyAll applies the rules one after the other, each where it still can, and tells what each saves.
// Errors: those of analysing the model in between.
absl::StatusOr<Variant> ApplyAll(const RuleSet& rules, const Variant& from, const AnalysisRequest& request);

// FindBest takes, among `rules`, those that make the model better by the request's objective: first the best alone,
// then whichever helps most beside it, and so on; then rules that help only together, where what they replace falls
// back now. The result is never worse than `from` nor than one rule alone; a plan without operators that compilers
// refuse as a file holds them is better than any with some.
absl::StatusOr<Variant> FindBest(const RuleSet& rules, const Variant& from, const AnalysisRequest& request,
                                 const RewriteProgress& progress, const VariantSeen& seen = nullptr);

// Nodes that every accelerator which could run something refuses, by node.
std::vector<bool> FallbacksOf(const Analysis& analysis);

// RewriteModel (hwest/rewrite.h) of a model that is open.
absl::StatusOr<Rewritten> RewriteOpened(EditedModel opened, const RequestMaker& request_of,
                                        const RewriteOptions& options, const RewriteProgress& progress,
                                        const VariantSeen& seen = nullptr);

}  // namespace hwest
