// Make: carries out the replacement of one match in an edited model.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rewrite/edited_model.h"
#include "rewrite/replacement.h"
#include "rewrite/site.h"

namespace hwest {

// Whether every check of the rule holds at the place, and the nodes of the match stand in the main graph of the file.
// Without a model, the latter is taken to hold.
bool Applies(const Analysis& analysis, const EditedModel* model, const Place& place);

// MakePlace replaces the match, until EditedModel::Settle(); false, and nothing is changed, when a figure cannot be
// computed or the operator set lacks an operator. Names of values that may be unused then are added to `doubtful`.
// `settled` maps values that an earlier match of the same pass gave another name.
using Renames = absl::flat_hash_map<StrId, StrId>;
bool MakePlace(const Analysis& analysis, const Place& place, EditedModel* model, Renames* renames,
               std::vector<StrId>* doubtful);

// The text of a rule as it was read.
struct ParsedRule {
  Replacement replacement;
  std::optional<Replacement> otherwise;
  std::vector<Call> checks;
};
// What replacements of the table write, parsed once in a process.
const ParsedRule& ParsedOf(const RewriteRule& rule);
// InvalidArgument when the text is no replacement.
absl::StatusOr<ParsedRule> ParseRule(const RewriteRule& rule);
// InvalidArgument when the text of a rule is no replacement, or names a value, figure, check or rule that does not
// exist.
absl::Status CheckRule(const RewriteRule& rule);

}  // namespace hwest
