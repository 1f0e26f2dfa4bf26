#include "rewrite/apply.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "rewrite/make.h"

namespace hwest {
namespace {

constexpr int kMostPasses = 16;
// How large a user's rule may make a model.
constexpr size_t kMostGrowth = 8, kMostNewNodes = 1000;

RuleSet Patterned(const RuleSet& rules) {
  RuleSet found;
  for (const RewriteRule* rule : rules) {
    if (rule->whole == nullptr) found.push_back(rule);
  }
  return found;
}

// What a user's rule promised of a value that it replaced: its type as it was.
struct Promise {
  const RewriteRule* rule = nullptr;
  std::string node;  // for people: the node at the place
  StrId value;       // its name in the model now
  Type type;
};

void AddPromises(const Analysis& analysis, const Place& place, const Renames& renames, EditedModel* model,
                 std::vector<Promise>* promises) {
  const Graph& graph = *analysis.graph;
  for (const ValueId output : graph.outputs(place.match.root)) {
    if (!output.valid() || graph.name(output).empty()) continue;
    const StrId was = model->Intern(graph.name(output));
    const auto renamed = renames.find(was);
    promises->push_back({.rule = place.rule,
                         .node = std::string(graph.name(output)),
                         .value = renamed == renames.end() ? was : renamed->second,
                         .type = analysis.facts.values[output].type});
  }
}

std::string TypeText(const Type& type) {
  if (!type.is_tensor()) return "a value of unknown type";
  if (!type.shape.ranked()) return absl::StrCat(ElemTypeName(type.elem), " of unknown rank");
  std::string text = absl::StrCat(ElemTypeName(type.elem), "[");
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim dim = type.shape.dim(axis);
    absl::StrAppend(&text, axis == 0 ? "" : ",", dim.is_constant() ? absl::StrCat(dim.value()) : "?");
  }
  return absl::StrCat(text, "]");
}

// Whether the second type may be the first: sizes that are not numbers are not compared, as other analyses name them.
bool MayBeSame(const Type& was, const Type& now) {
  if (!was.is_tensor()) return true;
  if (!now.is_tensor() || was.elem != now.elem) return false;
  if (!was.shape.ranked()) return true;
  if (!now.shape.ranked() || now.shape.rank() != was.shape.rank()) return false;
  for (int axis = 0; axis < was.shape.rank(); ++axis) {
    const Dim before = was.shape.dim(axis), after = now.shape.dim(axis);
    if (before.is_constant() && (!after.is_constant() || after.value() != before.value())) return false;
  }
  return true;
}

// Users' rules are held to their word once what they wrote is inferred.
absl::Status CheckPromises(const std::vector<Promise>& promises, const Analysis& now, const EditedModel& model) {
  if (promises.empty()) return absl::OkStatus();
  absl::flat_hash_map<absl::string_view, ValueId> values;
  for (size_t v = 0; v < now.graph->values().size(); ++v) {
    const ValueId value(v);
    if (now.graph->value(value).graph == GraphId(0u)) values.emplace(now.graph->name(value), value);
  }
  for (const Promise& promise : promises) {
    const auto found = values.find(model.text(promise.value));
    if (found == values.end()) continue;  // a later place took it
    const Type& type = now.facts.values[found->second].type;
    if (MayBeSame(promise.type, type)) continue;
    return MakeError(Code::kUsage,
                     absl::StrCat("the rule ", promise.rule->name, " makes ", TypeText(type), " of '",
                                  EscapeControl(promise.node), "', which is ", TypeText(promise.type)),
                     "a replacement has the type and shape of what it replaces; `when` leaves out other places");
  }
  return absl::OkStatus();
}

// One sweep; the number of places.
int64_t Sweep(const RuleSet& rules, const RuleSet& patterned, const Analysis& analysis, EditedModel* model,
              PlaceCounts* places, std::vector<Promise>* promises) {
  int64_t made = 0;
  std::vector<StrId> doubtful;
  Renames renames;
  for (const Place& place : FindMatches(analysis, patterned, model)) {
    if (!MakePlace(analysis, place, model, &renames, &doubtful)) continue;
    ++(*places)[place.rule];
    ++made;
    if (place.rule->parsed != nullptr) AddPromises(analysis, place, renames, model, promises);
  }
  if (made == 0) {
    for (const RewriteRule* rule : rules) {
      if (rule->whole == nullptr) continue;
      const int64_t done = rule->whole(analysis, model, &doubtful);
      if (done == 0) continue;
      (*places)[rule] += done;
      made += done;
      break;  // the next one sees the model as this one left it
    }
  }
  if (made > 0) model->Settle(std::move(doubtful));
  return made;
}

}  // namespace

AnalysisRequest ModelPartOf(const AnalysisRequest& request) {
  AnalysisRequest part;
  part.bind = request.bind;
  part.op_rules = request.op_rules;
  part.watch = request.watch;
  return part;
}

absl::StatusOr<PlaceCounts> ApplyRules(const RuleSet& rules, std::shared_ptr<const Analysis> analysis,
                                       const AnalysisRequest& request, EditedModel* model) {
  PlaceCounts places;
  const RuleSet patterned = Patterned(rules);
  const AnalysisRequest part = ModelPartOf(request);
  const size_t most_nodes = kMostGrowth * model->raw().graph.nodes.size() + kMostNewNodes;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    std::vector<Promise> promises;
    if (Sweep(rules, patterned, *analysis, model, &places, &promises) == 0) break;
    if (!promises.empty() && (pass + 1 == kMostPasses || model->raw().graph.nodes.size() > most_nodes)) {
      return MakeError(Code::kUsage,
                       absl::StrCat("the rule ", promises[0].rule->name,
                                    " goes on for ever: it matches what it or "
                                    "another rule wrote"),
                       "write what the pattern does not match, or leave the other rule out");
    }
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, model->GraphOf());
    HWEST_ASSIGN_OR_RETURN(Analysis next, Analyze(std::move(graph), part));
    analysis = std::make_shared<const Analysis>(std::move(next));
    HWEST_RETURN_IF_ERROR(CheckPromises(promises, *analysis, *model));
  }
  return places;
}

}  // namespace hwest
