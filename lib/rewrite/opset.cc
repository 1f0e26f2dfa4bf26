#include "rewrite/opset.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "ir/opsets.h"
#include "rewrite/opset_forms.h"

namespace hwest {
namespace {

constexpr int kMostRounds = 4;  // what one rule writes, another may have to write out

int DefaultOpset(const EditedModel& model, absl::Span<const OpsetImport> opsets) {
  int64_t version = 0;
  for (const OpsetImport& import : opsets) {
    if (CanonicalDomain(model.text(import.domain)).empty()) version = std::max(version, import.version);
  }
  return static_cast<int>(version);
}

// Where a node stands in the file: in its main graph, or in a body of a node there.
struct FilePlace {
  size_t node = 0;
  BodyPath path;  // empty = the node itself
};
using BodyPlaces = absl::flat_hash_map<NodeId, FilePlace>;

std::optional<FilePlace> PlaceOf(const Analysis& analysis, const EditedModel& model, const BodyPlaces& bodies,
                                 NodeId node) {
  const int64_t at = FileNodeOf(analysis, model, node);
  if (at >= 0) return FilePlace{static_cast<size_t>(at), {}};
  const auto found = bodies.find(node);
  return found == bodies.end() ? std::nullopt : std::optional<FilePlace>(found->second);
}

// The nodes of one body by the names of what they make.
void AddBody(const Graph& graph, const Body& body, const EditedModel& model, const FilePlace& owner,
             BodyPlaces* places) {
  absl::flat_hash_map<absl::string_view, NodeId> makers;
  for (const NodeId node : body.nodes) {
    for (const ValueId output : graph.outputs(node)) {
      if (output.valid() && !graph.name(output).empty()) makers[graph.name(output)] = node;
    }
  }
  const RawNode& raw = model.NodeOfBody(owner.node, owner.path);
  for (size_t attribute = 0; attribute < raw.attributes.size(); ++attribute) {
    const RawAttribute& held = raw.attributes[attribute];
    if (held.kind != AttrKind::kGraph || held.graphs.size() != 1 || model.text(held.name) != graph.str(body.attribute))
      continue;
    for (size_t n = 0; n < held.graphs[0].nodes.size(); ++n) {
      const RawNode& inner = held.graphs[0].nodes[n];
      const auto maker = inner.outputs.empty() ? makers.end() : makers.find(model.text(inner.outputs[0]));
      if (maker == makers.end() || graph.op(maker->second) != model.text(inner.op)) continue;
      FilePlace place = owner;
      place.path.push_back({attribute, n});
      places->emplace(maker->second, std::move(place));
    }
    return;  // a second attribute of that name is not read
  }
}

// A body comes after the one that holds it.
BodyPlaces BodyPlacesOf(const Analysis& analysis, const EditedModel& model) {
  const Graph& graph = *analysis.graph;
  BodyPlaces places;
  for (size_t id = 1; id < graph.bodies().size(); ++id) {
    const Body& body = graph.body(GraphId(id));
    const auto owner = body.owner.valid() ? PlaceOf(analysis, model, places, body.owner) : std::nullopt;
    if (owner.has_value() && model.node_origins()[owner->node].file >= 0) AddBody(graph, body, model, *owner, &places);
  }
  return places;
}

class Lowering {
 public:
  Lowering(const Analysis& analysis, int from, int to, EditedModel* model)
      : analysis_(analysis),
        graph_(*analysis.graph),
        from_(from),
        to_(to),
        model_(*model),
        bodies_(BodyPlacesOf(analysis, *model)) {}

  // Why the node has no form in the older set; "" = it has one. Then, with `write`, it gets it.
  std::string Lower(NodeId node, bool write);
  int64_t reformed() const { return reformed_; }
  std::vector<StrId> doubtful() && { return std::move(doubtful_); }

 private:
  void Replace(const FilePlace& at, const Form& form);

  const Analysis& analysis_;
  const Graph& graph_;
  const int from_, to_;
  EditedModel& model_;
  const BodyPlaces bodies_;
  std::vector<StrId> doubtful_;
  int64_t reformed_ = 0;
};

std::string Lowering::Lower(NodeId node, bool write) {
  const absl::string_view op = graph_.op(node);
  const int now = LastVersion(op, from_), then = VersionIn(op, to_);
  if (!graph_.domain(node).empty() || now == 0 || now == LastVersion(op, to_)) return "";
  if (then == 0) return absl::StrCat("operator set ", to_, " has no ", op);
  const std::vector<int> steps = StepsBetween(op, then, now);
  const std::optional<FilePlace> at = PlaceOf(analysis_, model_, bodies_, node);
  const bool has_form = std::any_of(steps.begin(), steps.end(), [&](int since) { return HasForm(op, since); });
  if (!at.has_value() && has_form) return "nodes of functions are not written anew";
  if (!TakesTypes(analysis_, node, then)) return absl::StrCat(op, " does not take its types there");
  if (!has_form) return "";
  Form form(analysis_, node, model_.NodeOfBody(at->node, at->path), &model_);
  for (const int since : steps) {
    std::string refusal = StepDown(since, &form);
    if (!refusal.empty()) return refusal;
  }
  if (write && form.changed()) Replace(*at, form);
  return "";
}

void Lowering::Replace(const FilePlace& at, const Form& form) {
  const size_t index = at.node;
  const NodeOrigin& origin = model_.node_origins()[index];
  for (const StrId input : model_.NodeOfBody(index, at.path).inputs) doubtful_.push_back(input);
  for (const Constant& constant : form.constants()) {
    doubtful_.push_back(constant.name);  // a later step may have made it an attribute
    model_.AddInitializer(constant);
  }
  ++reformed_;
  if (!at.path.empty()) return model_.ReplaceInBody(index, at.path, form.raw());
  const int32_t like = origin.file >= 0 ? origin.file : origin.like;
  model_.Remove(index);
  model_.InsertBefore(index, form.raw(), like);
}

// Rules that write an operator of these out, or compute what is known.
RuleSet RulesAgainst(const absl::flat_hash_set<std::string>& operators, bool folds) {
  RuleSet rules;
  for (const RewriteRule* rule : AllRewriteRules()) {
    if (folds && rule->whole == FoldConstants) rules.push_back(rule);
    const bool is_wanted = operators.contains(std::string(rule->key)) && rule->use == RuleUse::kForTarget &&
                           rule->exactness != Exactness::kApproximate;
    if (is_wanted) rules.push_back(rule);
  }
  return rules;
}

absl::Status CheckVersion(const EditedModel& model, int from, int to) {
  const NamedOption asked("--opset", {absl::StrCat(to)});
  if (to < kOldestOpset) {
    return MakeError(Code::kUsage, absl::StrCat(asked.text(), " is too old"),
                     absl::StrCat("the oldest is ", kOldestOpset), {asked});
  }
  if (to > from) {
    return MakeError(Code::kUsage,
                     absl::StrCat(asked.text(), " is newer than the model, which is of operator set ", from),
                     "it makes models older only", {asked});
  }
  for (const RawFunction& function : model.raw().functions) {
    const int version = DefaultOpset(model, function.opsets);
    if (version <= to) continue;
    return MakeError(Code::kUsage,
                     absl::StrCat("the local function ", EscapeControl(model.text(function.name)),
                                  " is of operator set ", version, ", and --opset does not write functions anew"),
                     "inline the functions first", {"--opset"});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PlaceCounts> LowerOpset(std::shared_ptr<const Analysis> analysis, const AnalysisRequest& request,
                                       int opset, EditedModel* model, int64_t* reformed) {
  const int from = DefaultOpset(*model, model->raw().opsets);
  HWEST_RETURN_IF_ERROR(CheckVersion(*model, from, opset));
  PlaceCounts places;
  for (int round = 0; round < kMostRounds; ++round) {
    Lowering lowering(*analysis, from, opset, model);
    absl::flat_hash_set<std::string> refused;
    bool folds = false;  // what is known need not be computed
    for (size_t n = 0; n < analysis->graph->nodes().size(); ++n) {
      const NodeId node(n);
      if (lowering.Lower(node, /*write=*/false).empty()) continue;
      refused.emplace(analysis->graph->op(node));
      folds |= IsFolded(analysis->classes[node]);
    }
    const RuleSet rules = RulesAgainst(refused, folds);
    if (rules.empty()) break;
    HWEST_ASSIGN_OR_RETURN(const PlaceCounts made, ApplyRules(rules, analysis, request, model));
    if (made.empty()) break;
    for (const auto& [rule, count] : made) places[rule] += count;
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, model->GraphOf());
    HWEST_ASSIGN_OR_RETURN(Analysis next, Analyze(std::move(graph), ModelPartOf(request)));
    analysis = std::make_shared<const Analysis>(std::move(next));
  }
  Lowering lowering(*analysis, from, opset, model);
  for (size_t n = 0; n < analysis->graph->nodes().size(); ++n) {
    const std::string refusal = lowering.Lower(NodeId(n), /*write=*/true);
    if (refusal.empty()) continue;
    const NamedOption asked("--opset", {absl::StrCat(opset)});
    return MakeError(Code::kUsage,
                     absl::StrCat(asked.text(), ": ", analysis->graph->Label(NodeId(n)), " (",
                                  analysis->graph->op(NodeId(n)), ") has no form there: ", refusal),
                     "ask for a newer operator set", {asked});
  }
  *reformed += lowering.reformed();
  model->SetDefaultOpset(opset);
  model->Settle(std::move(lowering).doubtful());
  return places;
}

}  // namespace hwest
