#include "rewrite/find.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_split.h"
#include "fuse/matcher.h"
#include "fuse/patterns.h"
#include "rewrite/make.h"

namespace hwest {
namespace {

// A key may name an operator of another domain: "com.microsoft::Gelu".
absl::string_view OperatorOf(absl::string_view key) {
  const size_t colons = key.rfind(':');
  return colons == absl::string_view::npos ? key : key.substr(colons + 1);
}

bool HasKey(const absl::flat_hash_set<absl::string_view>& operators, const RewriteRule& rule) {
  for (const absl::string_view key : absl::StrSplit(rule.key, ' ')) {
    if (operators.contains(OperatorOf(key))) return true;
  }
  return rule.key.empty();
}

PatternRow RowOf(const RewriteRule& rule) {
  PatternRow row{.name = rule.name,
                 .family = rule.name,
                 .picks = "",
                 .key = "",
                 .expression = rule.match,
                 .words = rule.words,
                 .source = rule.reason};
  row.alone = true;
  return row;
}

// Finds the places of one rule after the other; no node is in two.
class Finder {
 public:
  Finder(const Analysis& analysis, const EditedModel* model)
      : analysis_(analysis),
        graph_(*analysis.graph),
        model_(model),
        matcher_({graph_, analysis.facts, analysis.classes, NumberMatch::kOfType}, QdqMode::kKept),
        names_(graph_),
        taken_(graph_.nodes().size(), 0) {}

  // Calls `take` with each place that has a node of `only`, all when it is empty, until it returns false.
  void Find(const RewriteRule& rule, const std::vector<bool>& only, absl::FunctionRef<bool(Place)> take) {
    const std::optional<int64_t> of_model = rule.of_model == nullptr ? 0 : rule.of_model(analysis_, model_);
    if (!of_model.has_value()) return;
    const PatternRow row = RowOf(rule);
    const CompiledRow compiled = CompileRow(row, PatternOf(rule), graph_, names_, {});
    Matcher& matcher = rule.of_constants ? ConstantMatcher() : matcher_;
    Match match;
    for (size_t n = 0; n < graph_.nodes().size(); ++n) {
      const NodeId node(n);
      const Node& entry = graph_.node(node);
      const auto is_root = [&](const OpKey& key) { return key.op == entry.op && key.domain == entry.domain; };
      if (std::none_of(compiled.roots.begin(), compiled.roots.end(), is_root)) continue;
      if (entry.graph != GraphId(0u) || taken_[n] != 0 || !matcher.Find(compiled, node, taken_, &match)) continue;
      const auto is_wanted = [&](NodeId each) { return only[each.index()]; };
      if (!only.empty() && std::none_of(match.nodes.begin(), match.nodes.end(), is_wanted)) continue;
      const auto bindings = matcher.bindings();
      Place place{&rule, match, {bindings.begin(), bindings.end()}, *of_model};
      if (!Applies(analysis_, model_, place)) continue;
      for (const NodeId each : match.nodes) taken_[each.index()] = 1;
      if (!take(std::move(place))) return;
    }
  }

 private:
  Matcher& ConstantMatcher() {
    if (!constant_matcher_.has_value()) {
      constant_matcher_.emplace(GuardContext{graph_, analysis_.facts, analysis_.classes, NumberMatch::kOfType},
                                QdqMode::kKept, OfConstants::kYes);
    }
    return *constant_matcher_;
  }

  const Analysis& analysis_;
  const Graph& graph_;
  const EditedModel* model_;
  Matcher matcher_;
  std::optional<Matcher> constant_matcher_;  // made for the first rule of constants
  const OpNames names_;
  std::vector<uint8_t> taken_;
};

RuleSet RulesOf(const absl::flat_hash_set<absl::string_view>& operators, const RuleSet& rules) {
  RuleSet found;
  for (const RewriteRule* rule : rules) {
    const bool is_searched = rule->whole == nullptr || !rule->key.empty();
    if (is_searched && HasKey(operators, *rule)) found.push_back(rule);
  }
  return found;
}

}  // namespace

RuleSet RulesFor(const Graph& graph, const RuleSet& rules) {
  absl::flat_hash_set<absl::string_view> operators;
  for (const Node& node : graph.nodes()) operators.insert(graph.str(node.op));
  return RulesOf(operators, rules);
}

RuleSet RulesThatApply(const Analysis& analysis, const RuleSet& rules, const std::vector<bool>& of) {
  absl::flat_hash_set<absl::string_view> operators;
  StrId last;
  for (size_t n = 0; n < of.size(); ++n) {
    const StrId op = analysis.graph->node(NodeId(n)).op;
    if (!of[n] || op == last) continue;
    operators.insert(analysis.graph->str(op));
    last = op;
  }
  const RuleSet present = RulesOf(operators, rules);
  RuleSet found;
  if (present.empty()) return found;
  Finder finder(analysis, nullptr);
  for (const RewriteRule* rule : present) {
    if (rule->whole != nullptr) continue;
    finder.Find(*rule, of, [&](Place) {
      found.push_back(rule);
      return false;
    });
  }
  return found;
}

std::vector<Place> FindMatches(const Analysis& analysis, const RuleSet& rules, const EditedModel* model,
                               const std::vector<bool>& only) {
  const RuleSet present = RulesFor(*analysis.graph, rules);
  std::vector<Place> places;
  if (present.empty()) return places;
  Finder finder(analysis, model);
  for (const RewriteRule* rule : present) {
    if (rule->whole != nullptr) continue;
    finder.Find(*rule, only, [&](Place place) {
      places.push_back(std::move(place));
      return true;
    });
  }
  return places;
}

}  // namespace hwest
