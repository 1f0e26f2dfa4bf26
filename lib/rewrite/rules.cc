#include "rewrite/rules.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "fuse/patterns.h"
#include "rewrite/apply.h"

namespace hwest {
namespace {

constexpr Fragment kOwnVocabulary[] = {
    // Normalisation over the last axes of n, with the number that keeps the root from zero.
    {"ln_deviation", "Sqrt(Add(@variance, eps[const, scalar]))"},
    {"ln", "(Div(d:Sub(n:_, mu:ReduceMean[trailing](n)), @ln_deviation)"
           " | Mul(d:Sub(n:_, mu:ReduceMean[trailing](n)), (Reciprocal(@ln_deviation) | Div(1, @ln_deviation))))"},
    {"rms_mean", "mu:ReduceMean[trailing]((Pow(n, 2) | Mul(n, n)))"},
    {"rms_root", "Sqrt(Add(@rms_mean, eps[const, scalar]))"},
    // Scores that constants alone scale and shift.
    {"scaled_scores", "((Mul|Div)(q:_, f[const]) | q:_)"},
    {"plain_scores", "((Add|Sub)(@scaled_scores, m[const]) | @scaled_scores)"},
    {"attention_scores", "s:(Mul|Div)?((MatMul(q, Transpose[last_two](k)) | MatMul(q, t)), f[const, scalar])"},
    {"attention_core", "Softmax[last_axis](Add?(@attention_scores, m))"},
    {"rms_ln", "(Div(n:_, @rms_root) | Mul(n:_, (Reciprocal(@rms_root) | Div(1, @rms_root))))"},
};

constexpr MovedOperand kMovedOperands[] = {
    {"ReduceMean", "axes", 18, 1},   {"ReduceMax", "axes", 18, 1},       {"ReduceMin", "axes", 18, 1},
    {"ReduceProd", "axes", 18, 1},   {"ReduceL2", "axes", 18, 1},        {"ReduceSumSquare", "axes", 18, 1},
    {"ReduceSum", "axes", 13, 1},    {"Squeeze", "axes", 13, 1},         {"Unsqueeze", "axes", 13, 1},
    {"Slice", "starts", 10, 1},      {"Slice", "ends", 10, 2},           {"Slice", "axes", 10, 3},
    {"Slice", "steps", 10, 4},       {"Split", "split", 13, 1},          {"Clip", "min", 11, 1},
    {"Clip", "max", 11, 2},          {"Pad", "pads", 11, 1},
};

constexpr RewriteRule kWholeRules[] = {
    {.name = "constants_folded", .key = "", .match = "", .holds = "", .make = "", .whole = FoldConstants,
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .words = "what depends on constants and known sizes alone becomes a constant",
     .reason = "computed once instead of in every run"},
    {.name = "dead_removed", .key = "", .match = "", .holds = "", .make = "", .whole = RemoveDead,
     .use = RuleUse::kCanonical, .words = "nodes that no output needs are left out",
     .reason = "nobody reads what they compute"},
};

}  // namespace

absl::Span<const RewriteRule> WholeRewrites() { return kWholeRules; }

absl::Span<const MovedOperand> MovedOperands() { return kMovedOperands; }

absl::Span<const RewriteRule* const> AllRewriteRules() {
  static const auto* const rules = [] {
    auto* all = new std::vector<const RewriteRule*>();
    for (const auto& family : {WholeRewrites(), LayoutRewrites(), ActivationRewrites(), NormRewrites(),
                               AttentionRewrites(), LinearRewrites(), ArithmeticRewrites(), QuantRewrites()}) {
      for (const RewriteRule& rule : family) all->push_back(&rule);
    }
    return all;
  }();
  return *rules;
}

const RewriteRule* FindRewriteRule(absl::string_view name) {
  for (const RewriteRule* rule : AllRewriteRules()) {
    if (rule->name == name) return rule;
  }
  return nullptr;
}

absl::Span<const Fragment> RewriteVocabulary() {
  static const auto* const vocabulary = [] {
    const auto fusions = PatternVocabulary();
    auto* all = new std::vector<Fragment>(fusions.begin(), fusions.end());
    all->insert(all->end(), std::begin(kOwnVocabulary), std::end(kOwnVocabulary));
    return all;
  }();
  return *vocabulary;
}

const Pattern& PatternOf(const RewriteRule& rule) {
  static auto* const patterns = new std::map<const RewriteRule*, std::unique_ptr<const Pattern>>();
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<const Pattern>& pattern = (*patterns)[&rule];
  if (pattern == nullptr) {
    absl::StatusOr<Pattern> parsed = ParsePattern(rule.match, RewriteVocabulary());
    pattern = std::make_unique<const Pattern>(parsed.ok() ? *std::move(parsed) : Pattern());
  }
  return *pattern;
}

}  // namespace hwest
