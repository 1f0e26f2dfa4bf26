// UserRules: rules of rewriting as a user writes them in a file. A rule is a line with its name, a pattern in the
// language of fuse/pattern.h, an arrow and a replacement in that of rewrite/replacement.h; it goes on while a
// parenthesis is open or the line ends with ->, ; or a comma. Statements follow, indented, one a line:
//
//   # HardSwish by its parts
//   swish_parts = HardSwish(x) -> Mul(x, HardSigmoid(x; alpha=0.16666667, beta=0.5))
//     when floats                        checks of rewrite/figures.h, all of which have to hold
//     exactness rounding                 exact, rounding (the default) or approximate
//     words HardSwish becomes a product  what becomes what
//     because ONNX states it so          why it computes the same
//     sample HardSwish(x)                what `rules test` tries it on; default made from the pattern
//     of x float[1,8,4,4]                types of values there; a constant is `const float[8]`
//   @name = TEXT                         a fragment for the patterns below
//
// Rules of the file stand in front of those of the table and are tried in their order.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rewrite/make.h"
#include "rewrite/rules.h"

namespace hwest {

// The type of a value in the small model that a rule is tried on.
struct SampleType {
  std::string name;
  ElemType elem = ElemType::kFloat;
  std::vector<int64_t> dims;
  bool is_constant = false;
};

struct UserRule {
  RewriteRule rule;  // points into `texts`, `pattern` and `parsed`
  Pattern pattern;
  ParsedRule parsed;
  size_t line = 0;     // 1-based, of its name
  std::string sample;  // a replacement; "" = made from the pattern
  std::vector<SampleType> types;
};

// Rows point into it, hence no copies.
struct UserRules {
  UserRules() = default;
  UserRules(const UserRules&) = delete;
  UserRules& operator=(const UserRules&) = delete;

  // Parse reads the text of a file that messages call `name`; empty text gives no rules. Errors: kUsage with
  // "NAME:LINE:COLUMN: what is wrong", and what to write instead: operators, names, figures and checks that do not
  // exist, and a rule that stands behind another one of the same pattern, which it never gets past.
  static absl::StatusOr<std::shared_ptr<const UserRules>> Parse(absl::string_view text, absl::string_view name);

  std::deque<UserRule> rules;  // in the order of the file
  std::vector<Fragment> vocabulary;
  std::deque<std::string> texts;
};

// RulesInForce lists the rules of a request: those of its text, then those of the table.
struct RulesInForce {
  std::shared_ptr<const UserRules> own;  // null = none
  std::vector<const RewriteRule*> all;

  // Errors: as UserRules::Parse.
  static absl::StatusOr<RulesInForce> Of(absl::string_view text);
  const RewriteRule* Find(absl::string_view name) const;  // null when there is none
};

// What figures and checks take in files of users, as people read it: "(value, number, ...)".
std::string OperandsText(absl::string_view takes);

}  // namespace hwest
