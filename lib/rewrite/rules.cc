#include "rewrite/rules.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "fuse/patterns.h"
#include "rewrite/apply.h"
#include "rewrite/figures.h"
#include "rewrite/opset_forms.h"
#include "rewrite/site.h"

namespace hwest {
namespace {

constexpr Fragment kOwnVocabulary[] = {
    // Normalisation over the last axes of n, with the number that keeps the root from zero.
    {"ln_sum", "Add(@variance, eps[const, scalar])"},
    {"ln", "(Div(d:Sub(n:_, @mean), Sqrt(@ln_sum)) | Mul(d:Sub(n:_, @mean), @rsqrt(@ln_sum)))"},
    {"ln_scale", "f:Mul(@rsqrt(Add(@spread, eps[const, scalar])), s[const])"},
    {"ln_scaled",
     "(Add(Mul(@ln, s[const]), b[const]) | Add(Mul(d:Sub(n:_, @mean), Mul(@rsqrt(@ln_sum), s[const])), b[const])"
     " | Add(Mul(n:_, @ln_scale), (Sub(b[const], Mul(@mean, f)) | Add(Mul(Neg(@mean), f), b[const]))))"},
    {"rms_sum_ln", "Add(mu:ReduceMean[trailing](@squared(n)), eps[const, scalar])"},
    {"rms_ln", "(Div(n:_, Sqrt(@rms_sum_ln)) | Mul(n:_, @rsqrt(@rms_sum_ln)))"},
    {"rms_scaled_ln", "(Mul(@rms_ln, s[const]) | Mul(n:_, Mul(@rsqrt(@rms_sum_ln), s[const])))"},
    // An image, each channel of which a factor and a summand change, in either order.
    {"image_norm_both", "far:(Add|Sub|Mul|Div)(near:(Add|Sub|Mul|Div)(x, c[const]), d[const])"},
    {"image_norm_one", "near:(Add|Sub|Mul|Div)(x, c[const])"},
    {"image_norm", "(@image_norm_both | @image_norm_one)"},
    // Scores that constants alone scale and shift.
    {"scaled_scores", "((Mul|Div)(q:_, f[const]) | q:_)"},
    {"plain_scores", "((Add|Sub)(@scaled_scores, m[const]) | @scaled_scores)"},
    {"attention_scores", "s:(Mul|Div)?((MatMul(q, Transpose[last_two](k)) | MatMul(q, t)), f[const, scalar])"},
    // Normalisation over axes that the checks of a rule look at.
    {"core_variance", "Add(ReduceMean((Pow((d | Sub(n, mu)), 2) | Mul(e:(d | Sub(n, mu)), e))), eps[const, scalar])"},
    {"core_norm",
     "(Div(d:Sub(n:%, mu:ReduceMean(n)), Sqrt(@core_variance)) | Mul(d:Sub(n:%, mu:ReduceMean(n)), "
     "@rsqrt(@core_variance)))"},
    {"attention_core", "Softmax[last_axis](Add?(@attention_scores, m))"},
};

constexpr MovedOperand kMovedOperands[] = {
    {"ReduceMean", "axes", 18, 1}, {"ReduceMax", "axes", 18, 1}, {"ReduceMin", "axes", 18, 1},
    {"ReduceProd", "axes", 18, 1}, {"ReduceL2", "axes", 18, 1},  {"ReduceSumSquare", "axes", 18, 1},
    {"ReduceSum", "axes", 13, 1},  {"Squeeze", "axes", 13, 1},   {"Unsqueeze", "axes", 13, 1},
    {"Slice", "starts", 10, 1},    {"Slice", "ends", 10, 2},     {"Slice", "axes", 10, 3},
    {"Slice", "steps", 10, 4},     {"Split", "split", 13, 1},    {"Clip", "min", 11, 1},
    {"Clip", "max", 11, 2},        {"Pad", "pads", 11, 1},
};

// clang-format off
constexpr RewriteRule kWholeRules[] = {
    {.name = "constants_folded", .key = "", .match = "", .holds = "", .make = "", .whole = FoldConstants,
     .exactness = Exactness::kRounding, .use = RuleUse::kCanonical,
     .words = "what depends on constants and known sizes alone becomes a constant",
     .reason = "computed once instead of in every run"},
    {.name = "dead_removed", .key = "", .match = "", .holds = "", .make = "", .whole = RemoveDead,
     .use = RuleUse::kCanonical, .words = "nodes that no output needs are left out",
     .reason = "nobody reads what they compute"},
};
// clang-format on

}  // namespace

std::string ListText(const std::vector<int64_t>& ints) { return absl::StrCat("[", absl::StrJoin(ints, ", "), "]"); }

std::string IntsText(const std::vector<int64_t>& ints) {
  return absl::StrCat("$ints(", absl::StrJoin(ints, ", "), ")");
}

std::string ReshapeText(absl::string_view value, const std::vector<int64_t>& sizes) {
  return absl::StrCat("Reshape(", value, ", ", IntsText(sizes), ")");
}

namespace {

// The figure of a constant under `sizes`; "" where it cannot be computed.
std::string FigureText(const Site& site, absl::string_view figure, absl::string_view name,
                       const std::vector<int64_t>& sizes) {
  std::vector<std::string> args = {std::string(name)};
  for (const int64_t size : sizes) args.push_back(absl::StrCat(size));
  if (!site.has_model() || !FindFigure(figure)->compute(site, args).has_value()) return "";
  return absl::StrCat("$", figure, "(", absl::StrJoin(args, ", "), ")");
}

}  // namespace

std::string ConstantText(const Site& site, absl::string_view name, const std::vector<int64_t>& sizes) {
  if (site.SizesOf(site.ValueOf(name)) == sizes) return std::string(name);
  const std::string figure = FigureText(site, "constant_as", name, sizes);
  return figure.empty() ? ReshapeText(name, sizes) : figure;
}

std::string TurnedText(const Site& site, absl::string_view name, const std::vector<int64_t>& sizes) {
  const std::string figure = FigureText(site, "turned", name, sizes);
  if (!figure.empty()) return figure;
  std::vector<int64_t> perm(static_cast<size_t>(std::max(0, site.RankOf(site.ValueOf(name)))));
  std::iota(perm.begin(), perm.end(), 0);
  if (perm.size() < 2) return "_";
  std::swap(perm[0], perm[1]);
  const std::string turned = absl::StrCat("Transpose(", name, "; perm=", ListText(perm), ")");
  return perm.size() == sizes.size() ? turned : ReshapeText(turned, sizes);
}

absl::Span<const RewriteRule> WholeRewrites() { return kWholeRules; }

absl::Span<const MovedOperand> MovedOperands() { return kMovedOperands; }

absl::Span<const RewriteRule* const> AllRewriteRules() {
  static const auto* const rules = [] {
    auto* all = new std::vector<const RewriteRule*>();
    for (const auto& family :
         {WholeRewrites(), LayoutRewrites(), ActivationRewrites(), NormRewrites(), AttentionRewrites(),
          LinearRewrites(), ArithmeticRewrites(), QuantRewrites(), BlockRewrites(), WindowRewrites(), MatrixRewrites(),
          ResizeRewrites(), SliceRewrites(), IntegerRewrites()}) {
      for (const RewriteRule& rule : family) all->push_back(&rule);
    }
    return all;
  }();
  return *rules;
}

bool HasOperator(const Site& site, absl::string_view op) { return VersionIn(op, site.opset()) != 0; }

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
  if (rule.pattern != nullptr) return *rule.pattern;
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
