// RewriteModel and WriteRewritten: from a file to its rewritten form.
#include "hwest/rewrite.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "import/external_data.h"
#include "rewrite/apply.h"
#include "rewrite/opset.h"
#include "rewrite/search.h"
#include "rewrite/user_rules.h"
#include "rewrite/write.h"

namespace hwest {
namespace {

bool HasTargetOf(const AnalysisRequest& request) { return request.loaded != nullptr || !request.target.empty(); }

absl::StatusOr<RuleSet> RulesNamed(const RulesInForce& in_force, const std::vector<std::string>& names) {
  RuleSet rules;
  for (const std::string& name : names) {
    const RewriteRule* rule = in_force.Find(name);
    if (rule != nullptr) {
      rules.push_back(rule);
      continue;
    }
    std::vector<std::string> known;
    for (const RewriteRule* each : in_force.all) known.emplace_back(each->name);
    const std::vector<std::string> nearest = NearestNames(name, known, 2);
    return MakeError(Code::kUsage, absl::StrCat("there is no rule '", EscapeControl(name), "'"),
                     nearest.empty() ? "`onnx-hwest describe rewrites` lists the rules"
                                     : absl::StrCat("did you mean ", absl::StrJoin(nearest, " or "), "?"));
  }
  return rules;
}

bool IsUsed(const RewriteRule& rule, bool has_target) {
  return rule.use == RuleUse::kCanonical || (has_target && rule.use == RuleUse::kForTarget);
}

// Rules in force: named ones, else all that the options and the use allow.
absl::StatusOr<RuleSet> ChooseRules(const RulesInForce& in_force, const RewriteOptions& options, bool has_target) {
  HWEST_ASSIGN_OR_RETURN(const RuleSet named, RulesNamed(in_force, options.rules));
  HWEST_ASSIGN_OR_RETURN(const RuleSet refused, RulesNamed(in_force, options.no_rules));
  RuleSet rules;
  for (const RewriteRule* rule : in_force.all) {
    if (!options.rules.empty() && std::find(named.begin(), named.end(), rule) == named.end()) continue;
    if (std::find(refused.begin(), refused.end(), rule) != refused.end()) continue;
    if (options.scope == RewriteScope::kFold && (rule->whole == nullptr || !rule->key.empty())) continue;
    if (rule->exactness == Exactness::kApproximate && !options.allow_approximate) {
      if (options.rules.empty()) continue;
      return MakeError(Code::kUsage, absl::StrCat("the rule ", rule->name, " is an approximation"),
                       "add --allow-approximate", {"--allow-approximate"});
    }
    if (options.rules.empty() && !IsUsed(*rule, has_target)) continue;
    rules.push_back(rule);
  }
  return rules;
}

// Adds the figures of the plan to the nodes that do the work.
int64_t Annotate(const Analysis& analysis, EditedModel* model) {
  const Graph& graph = *analysis.graph;
  int64_t annotated = 0;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (graph.node(node).graph != GraphId(0u) || graph.outputs(node).empty() || !graph.outputs(node)[0].valid())
      continue;
    const StrId name = model->raw().strings.Find(graph.name(graph.outputs(node)[0]));
    const int64_t at = name.valid() ? model->MakerOf(name) : -1;
    if (at < 0) continue;
    const auto file_node = static_cast<size_t>(at);
    const auto note = [&](absl::string_view key, std::string value) {
      model->AddNote(file_node, absl::StrCat("hwest.", key), std::move(value));
    };
    note("class", std::string(NodeClassName(analysis.classes[node])));
    const NodeCounts& counts = analysis.counts[node];
    if (counts.macs.has_value()) note("macs", absl::StrCat(*counts.macs));
    if (counts.flops.has_value()) note("flops", absl::StrCat(*counts.flops));
    ++annotated;
    if (!analysis.plan.has_value() || !analysis.plan->group_of[node].valid()) continue;
    const GroupId id = analysis.plan->group_of[node];
    const PlannedGroup& group = analysis.plan->groups[id.index()];
    note("group", absl::StrCat("g", id.index()));
    note("pattern", std::string(group.group.pattern));
    if (group.unit.valid()) note("unit", analysis.target->units[group.unit].name);
    if (group.segment.valid()) note("segment", absl::StrCat(group.segment.index()));
    if (group.estimate.has_value() && group.group.root == node) {
      note("time_s", absl::StrCat(group.estimate->time_s));
    }
  }
  return annotated;
}

std::vector<AppliedRule> RowsOf(const PlaceCounts& places, absl::Span<const RewriteRule* const> rules) {
  std::vector<AppliedRule> rows;
  for (const RewriteRule* rule : rules) {
    const auto found = places.find(rule);
    if (found != places.end()) rows.push_back(RowOf(*rule, found->second));
  }
  return rows;
}

// The model in the older operator set that is asked for, before any other rule looks at it.
absl::Status Lower(int opset, const AnalysisRequest& request, EditedModel* opened, Variant* from,
                   std::vector<Diagnostic>* notes) {
  int64_t reformed = 0;
  HWEST_ASSIGN_OR_RETURN(const PlaceCounts places, LowerOpset(from->analysis, request, opset, opened, &reformed));
  from->rules = RowsOf(places, AllRewriteRules());
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, opened->GraphOf());
  HWEST_ASSIGN_OR_RETURN(Analysis lowered, Analyze(std::move(graph), request));
  from->analysis = std::make_shared<const Analysis>(std::move(lowered));
  notes->push_back({.code = Code::kAssumed,
                    .message = absl::StrCat("the model is of operator set ", opset, " now: ", reformed,
                                            reformed == 1 ? " node has" : " nodes have", " the form of it"),
                    .remedy = ""});
  return absl::OkStatus();
}

bool Binds(const BindRequest& bind) {
  return !bind.dims.empty() || !bind.shapes.empty() || bind.batch.has_value() || !bind.resized.empty() ||
         !bind.values.empty();
}

}  // namespace

absl::StatusOr<Rewritten> RewriteOpened(EditedModel opened, const RequestMaker& request_of,
                                        const RewriteOptions& options, const RewriteProgress& progress,
                                        const VariantSeen& seen) {
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, opened.GraphOf());
  HWEST_ASSIGN_OR_RETURN(AnalysisRequest request, request_of(*graph));
  const bool has_target = HasTargetOf(request);
  HWEST_ASSIGN_OR_RETURN(const RulesInForce in_force, RulesInForce::Of(request.rewrite_rules));
  HWEST_ASSIGN_OR_RETURN(const RuleSet rules, ChooseRules(in_force, options, has_target));
  Variant from;
  HWEST_ASSIGN_OR_RETURN(Analysis before, Analyze(std::move(graph), request));
  from.analysis = std::make_shared<const Analysis>(std::move(before));
  Rewritten rewritten{.model = nullptr, .rules = {}, .before = from.analysis, .after = from.analysis, .notes = {}};
  if (options.scope == RewriteScope::kAnnotate) {
    if (options.opset != 0)
      return MakeError(Code::kUsage, "--annotate contradicts --opset", "give one of them", {"--annotate", "--opset"});
    Annotate(*from.analysis, &opened);
    rewritten.model = std::make_shared<const EditedModel>(std::move(opened));
    return rewritten;
  }
  if (HasOpenBlocks(*from.analysis, opened)) {
    rewritten.notes.push_back({.code = Code::kAssumed,
                               .message =
                                   "ONNX Runtime saved this model in blocks of channels, and each number of channels "
                                   "is a multiple of 16: the file does not tell whether the blocks hold 8 or 16, so "
                                   "the order of the weights is open and the blocks stay",
                               .remedy = "save the model with ORT_ENABLE_EXTENDED, which makes no blocks"});
  }
  const bool binds = Binds(request.bind), has_sizes = request.bind.batch.has_value() || !request.bind.resized.empty();
  if (has_sizes) {
    HWEST_RETURN_IF_ERROR(WriteSizes(*from.analysis, &opened));
    request.bind = WithoutSizes(request.bind);
  }
  if (options.opset != 0) {
    HWEST_RETURN_IF_ERROR(Lower(options.opset, request, &opened, &from, &rewritten.notes));
  }
  from.model = std::make_shared<const EditedModel>(std::move(opened));
  Variant best = from;
  if (!options.rules.empty() || options.scope == RewriteScope::kFold) {
    HWEST_ASSIGN_OR_RETURN(best, ApplyAll(rules, from, request));
  } else if (has_target) {
    HWEST_ASSIGN_OR_RETURN(best, FindBest(rules, from, request, progress, seen));
  } else {
    auto model = std::make_shared<EditedModel>(from.model->Clone());
    HWEST_ASSIGN_OR_RETURN(const PlaceCounts places, ApplyRules(rules, from.analysis, request, model.get()));
    for (AppliedRule& row : RowsOf(places, in_force.all)) best.rules.push_back(std::move(row));
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> changed, model->GraphOf());
    HWEST_ASSIGN_OR_RETURN(Analysis after, Analyze(std::move(changed), request));
    best.model = std::move(model);
    best.analysis = std::make_shared<const Analysis>(std::move(after));
  }
  if (binds) {
    auto model = std::make_shared<EditedModel>(best.model->Clone());
    if (WriteBoundTypes(*best.analysis, model.get()) || has_sizes) {
      rewritten.notes.push_back({.code = Code::kAssumed,
                                 .message = "the sizes bound on the command line are written into the types of inputs "
                                            "and outputs: the file takes no others",
                                 .remedy = ""});
    }
    best.model = std::move(model);
  }
  rewritten.model = best.model;
  rewritten.rules = best.rules;
  rewritten.after = best.analysis;
  return rewritten;
}

namespace {

void AddExternal(const Constant& constant, const EditedModel& model, std::set<std::string>* files) {
  if (constant.storage == Storage::kExternal) files->emplace(model.text(constant.location));
}

void AddExternal(const RawGraph& graph, const EditedModel& model, std::set<std::string>* files);

void AddExternal(const RawNode& node, const EditedModel& model, std::set<std::string>* files) {
  for (const RawAttribute& attribute : node.attributes) {
    for (const Constant& constant : attribute.tensors) AddExternal(constant, model, files);
    for (const RawGraph& body : attribute.graphs) AddExternal(body, model, files);
  }
}

void AddExternal(const RawGraph& graph, const EditedModel& model, std::set<std::string>* files) {
  for (const Constant& constant : graph.initializers) AddExternal(constant, model, files);
  for (const RawNode& node : graph.nodes) AddExternal(node, model, files);
}

}  // namespace

absl::string_view ExactnessName(Exactness exactness) {
  constexpr absl::string_view kNames[] = {"exact", "rounding", "approximate"};
  static_assert(std::size(kNames) == kNumEnumerators<Exactness>);
  return kNames[static_cast<size_t>(exactness)];
}

absl::StatusOr<Rewritten> RewriteModel(const std::string& path, const RequestMaker& request,
                                       const RewriteOptions& options, const RewriteProgress& progress) {
  HWEST_ASSIGN_OR_RETURN(EditedModel model, EditedModel::Open(path));
  return RewriteOpened(std::move(model), request, options, progress);
}

absl::StatusOr<Rewritten> RewriteModelMemory(absl::string_view bytes, const std::string& name,
                                             const RequestMaker& request, const RewriteOptions& options,
                                             const RewriteProgress& progress) {
  HWEST_ASSIGN_OR_RETURN(EditedModel model, EditedModel::FromMemory(bytes, name));
  return RewriteOpened(std::move(model), request, options, progress);
}

absl::StatusOr<RewriteTotals> WriteRewritten(const Rewritten& rewritten,
                                             absl::FunctionRef<absl::Status(absl::string_view)> sink) {
  HWEST_ASSIGN_OR_RETURN(const WriteTotals totals, WriteModel(*rewritten.model, sink));
  return RewriteTotals{totals.bytes, totals.copied_bytes};
}

std::vector<std::string> ExternalFilesOf(const Rewritten& rewritten) {
  std::set<std::string> files;
  const EditedModel& model = *rewritten.model;
  AddExternal(model.raw().graph, model, &files);
  for (const RawFunction& function : model.raw().functions) {
    for (const RawNode& node : function.nodes) AddExternal(node, model, &files);
  }
  return {files.begin(), files.end()};
}

absl::StatusOr<std::optional<std::string>> ExternalPathOf(const Rewritten& rewritten, const std::string& file) {
  return ExternalPath(rewritten.model->file().path(), file);
}

std::string FolderOf(const Rewritten& rewritten) {
  const std::string& path = rewritten.model->file().path();
  return path.substr(0, path.rfind('/') + 1);
}

std::vector<RewriteRuleInfo> RewriteRuleInfos() {
  std::vector<RewriteRuleInfo> infos;
  for (const RewriteRule* rule : AllRewriteRules()) {
    infos.push_back({rule->name, rule->exactness, rule->use == RuleUse::kCanonical, rule->words, rule->reason});
  }
  return infos;
}

std::vector<std::string> ApplicableRules(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return {};
  const std::vector<bool> refused = FallbacksOf(analysis);
  if (std::none_of(refused.begin(), refused.end(), [](bool each) { return each; })) return {};
  RuleSet rules;
  for (const RewriteRule* rule : AllRewriteRules()) {
    if (rule->exactness != Exactness::kApproximate && IsUsed(*rule, true)) rules.push_back(rule);
  }
  std::set<std::string> names;
  for (const RewriteRule* rule : RulesThatApply(analysis, rules, refused)) names.emplace(rule->name);
  return {names.begin(), names.end()};
}

}  // namespace hwest
