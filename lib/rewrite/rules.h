// The table of rewrite rules: which nodes may be replaced by which others that compute the same.
//
// `match` is an expression of the fusion patterns (fuse/pattern.h); its names are those that `make` and `holds` use.
// `make` is the replacement (rewrite/replacement.h). A rule that leaves another function than it found is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/pattern.h"
#include "hwest/id.h"
#include "hwest/rewrite.h"

namespace hwest {

class EditedModel;
class Site;
struct Analysis;
struct ParsedRule;  // rewrite/make.h

// When a rule applies without being asked for by name.
enum class RuleUse : uint8_t {
  kCanonical,  // also without a target: what is left is shorter and says the same
  kForTarget,  // where it makes the model better on the target
  kByName,     // never: no device takes what it writes and refuses what it finds, or only ONNX Runtime takes it
};

struct RewriteRule {
  absl::string_view name;
  absl::string_view key;  // operators, one of which every match has, space separated; graphs without them skip the row
  absl::string_view match;
  absl::string_view holds;  // checks of rewrite/figures.h, space separated
  absl::string_view make;
  absl::string_view otherwise = "";  // in place of `make` where that needs weights that are not there
  std::string (*compose)(const Site&) =
      nullptr;                     // of replacements as long as the match: writes `make`; "" = does not apply
  absl::string_view figures = "";  // that the text of `compose` may ask for, space separated
  // Of rules without a pattern: changes the model and returns the places; names of values that may be unused then are
  // added to `doubtful`. With a key it is one that a search tries, too.
  int64_t (*whole)(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful) = nullptr;
  // What has to hold for the model as a whole, asked once; a number that the places of the rule share, none = no place.
  std::optional<int64_t> (*of_model)(const Analysis& analysis, const EditedModel* model) = nullptr;
  bool of_constants = false;  // matches nodes of constants alone, which no other rule does
  Exactness exactness = Exactness::kExact;
  RuleUse use = RuleUse::kForTarget;
  absl::string_view undoes;  // the rule that leads back; both never serve one search
  absl::string_view words;   // what becomes what, for people
  absl::string_view reason;  // why it is the same function, or where that is said
  // Of a user's rule, see rewrite/user_rules.h, which owns them; null = those of the text above.
  const Pattern* pattern = nullptr;
  const ParsedRule* parsed = nullptr;
};

// Reasons that several rows share.
inline constexpr absl::string_view kOnnxSpecification = "ONNX operator specification";
inline constexpr absl::string_view kOnnxFunction = "ONNX operator specification, the operator as a function";
inline constexpr absl::string_view kContribOperators = "ONNX Runtime contrib operators";

absl::Span<const RewriteRule* const> AllRewriteRules();      // in the order in which they are tried
const RewriteRule* FindRewriteRule(absl::string_view name);  // null when there is none
const Pattern& PatternOf(const RewriteRule& rule);           // parsed once in a process
absl::Span<const Fragment> RewriteVocabulary();              // beside that of the fusion patterns

// The table by family, in its order.
absl::Span<const RewriteRule> WholeRewrites();
absl::Span<const RewriteRule> LayoutRewrites();
absl::Span<const RewriteRule> ActivationRewrites();
absl::Span<const RewriteRule> NormRewrites();
absl::Span<const RewriteRule> AttentionRewrites();
absl::Span<const RewriteRule> LinearRewrites();
absl::Span<const RewriteRule> ArithmeticRewrites();
absl::Span<const RewriteRule> QuantRewrites();
absl::Span<const RewriteRule> BlockRewrites();
absl::Span<const RewriteRule> WindowRewrites();
absl::Span<const RewriteRule> MatrixRewrites();
absl::Span<const RewriteRule> ResizeRewrites();
absl::Span<const RewriteRule> SliceRewrites();
absl::Span<const RewriteRule> IntegerRewrites();

// Whether channels are in blocks whose width the file does not tell, so that no rule can read the weights.
bool HasOpenBlocks(const Analysis& analysis, const EditedModel& model);

// Text of replacements that several rules write: the value `input` through the activation that a fused operator of ONNX
// Runtime names, with its numbers, "" = another one; the attributes of a fused convolution that a plain one has, too.
std::string Activated(absl::string_view activation, const std::vector<float>& numbers, absl::string_view input);
std::string ConvAttributes(const Site& site, NodeId node);
// Whole numbers as an attribute, and as an operand; `value` under those sizes.
std::string ListText(const std::vector<int64_t>& ints);
std::string IntsText(const std::vector<int64_t>& ints);
std::string ReshapeText(absl::string_view value, const std::vector<int64_t>& sizes);
// The constant that the match calls `name` under those sizes, and with its first two axes swapped: a new constant, or
// nodes that make it where it has to stay as it is.
std::string ConstantText(const Site& site, absl::string_view name, const std::vector<int64_t>& sizes);
std::string TurnedText(const Site& site, absl::string_view name, const std::vector<int64_t>& sizes);
// What no axis of a real model exceeds, so that sums and differences of sizes stay far within 64 bits.
inline constexpr int64_t kMostElementsOfAxis = int64_t{1} << 40;
// Whether the default domain has the operator in the version that replacements are written in.
bool HasOperator(const Site& site, absl::string_view op);

// Operands that operators took as attributes once: replacements write them as attributes, and they become constants
// from that version on.
struct MovedOperand {
  absl::string_view op;
  absl::string_view attribute;
  int since = 0;
  size_t input = 0;
};
absl::Span<const MovedOperand> MovedOperands();

// Operators that the editor itself writes.
inline constexpr absl::string_view kConstantOperator = "Constant";
inline constexpr absl::string_view kIdentityOperator = "Identity";
inline constexpr absl::string_view kExpandOperator = "Expand";

}  // namespace hwest
