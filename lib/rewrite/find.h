// Find: where in a model rules apply.
#pragma once

#include <vector>

#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "rewrite/edited_model.h"
#include "rewrite/site.h"

namespace hwest {

using RuleSet = std::vector<const RewriteRule*>;

// FindMatches lists the places where `rules` apply, earlier rules first; no node is in two. Without a model, what only
// its file can tell is taken to hold. `only` may be empty; else places have a node whose entry there is true, by node.
std::vector<Place> FindMatches(const Analysis& analysis, const RuleSet& rules, const EditedModel* model,
                               const std::vector<bool>& only = {});

// Rules whose operators the graph has.
RuleSet RulesFor(const Graph& graph, const RuleSet& rules);

// Of the rules for operators of the nodes in `of`, by node, those that apply to one of these nodes. A quick look: what
// only the file can tell is taken to hold.
RuleSet RulesThatApply(const Analysis& analysis, const RuleSet& rules, const std::vector<bool>& of);

}  // namespace hwest
