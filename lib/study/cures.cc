// Tries each change that may end a refusal, and keeps for every refusal the shortest of those that help most nodes.
#include "study/cures.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/load.h"
#include "analysis/rerun.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "op/rule.h"
#include "partition/support.h"
#include "rewrite/find.h"
#include "rewrite/rules.h"
#include "rewrite/search.h"
#include "rewrite/user_rules.h"
#include "study/what_if.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kMostCutOff = 0.01;  // share of the MACs in what a cut leaves to the host
constexpr size_t kMostCutValues = 16;
constexpr int kOldestOpsetTried = 11;

bool IsAccelerator(const Unit& unit) { return !IsCpu(unit) && unit.placeable; }

bool IsRefused(const Analysis& analysis, UnitId unit, NodeId node) {
  return IsKernel(analysis.classes[node]) && analysis.support[unit][node].verdict == Verdict::kNo;
}

// A node in a changed model is the one that makes the same value.
absl::string_view NameOf(const Graph& graph, NodeId node) {
  for (const ValueId output : graph.outputs(node)) {
    if (output.valid()) return graph.name(output);
  }
  return "";
}

// What a unit refuses in one model.
struct Refused {
  int64_t nodes = 0;
  absl::flat_hash_set<absl::string_view> names;  // of the graph
};

Refused RefusedBy(const Analysis& analysis, UnitId unit) {
  Refused refused;
  for (uint32_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    if (!IsRefused(analysis, unit, NodeId(n))) continue;
    ++refused.nodes;
    refused.names.insert(NameOf(*analysis.graph, NodeId(n)));
  }
  return refused;
}

// "qnn-2.51" and "qnn" are versions of one toolchain, "rknn-rk3566" is for another chip than "rknn".
absl::string_view StemOf(absl::string_view toolchain) {
  const size_t dash = toolchain.rfind('-');
  if (dash == absl::string_view::npos) return toolchain;
  const absl::string_view tail = toolchain.substr(dash + 1);
  const bool is_version = !tail.empty() && std::all_of(tail.begin(), tail.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '.';
  });
  return is_version ? toolchain.substr(0, dash) : toolchain;
}

// The nodes that need a value of one of `nodes`, these included; against the flow: that one of them needs a value of.
std::vector<bool> Reached(const Graph& graph, const std::vector<NodeId>& nodes, bool downstream) {
  std::vector<bool> reached(graph.nodes().size(), false);
  for (const NodeId node : nodes) reached[node.index()] = true;
  const auto spread = [&](NodeId node) {
    for (const ValueId input : graph.inputs(node)) {
      const NodeId producer = input.valid() ? graph.value(input).producer : NodeId();
      if (!producer.valid()) continue;
      if (downstream && reached[producer.index()]) reached[node.index()] = true;
      if (!downstream && reached[node.index()]) reached[producer.index()] = true;
    }
  };
  const auto size = static_cast<uint32_t>(reached.size());  // ids are a topological order
  for (uint32_t i = 0; i < size; ++i) spread(NodeId(downstream ? i : size - 1 - i));
  return reached;
}

// Of the MACs that are known; none when there are none.
std::optional<double> MacsShare(const Analysis& analysis, const std::vector<bool>& nodes) {
  int64_t all = 0, part = 0;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const int64_t macs = IsKernel(analysis.classes[NodeId(n)]) ? analysis.counts[NodeId(n)].macs.value_or(0) : 0;
    all += macs;
    part += nodes[n] ? macs : 0;
  }
  return all > 0 ? std::optional<double>(static_cast<double>(part) / static_cast<double>(all)) : std::nullopt;
}

// Values of the main graph that go from the nodes in `off` to others, or the other way.
std::vector<ValueId> CutValues(const Graph& graph, const std::vector<bool>& off, bool downstream) {
  std::vector<ValueId> values;
  for (uint32_t v = 0; v < graph.values().size(); ++v) {
    const Value& value = graph.value(ValueId(v));
    if (!value.producer.valid() || graph.IsConstant(ValueId(v)) || value.graph != GraphId(0u)) continue;
    if (off[value.producer.index()] == downstream) continue;
    const auto uses = graph.uses(ValueId(v));
    const bool crosses =
        std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return off[use.node.index()] == downstream; });
    if (crosses && !(downstream && value.is_output)) values.push_back(ValueId(v));
  }
  return values;
}

absl::string_view TextIn(const RawModel& raw, StrId id) { return id.valid() ? raw.strings[id] : absl::string_view(); }

class Cures {
 public:
  Cures(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
        const StudyProgress& progress, const std::function<bool()>& stop, std::vector<RefusalRow>* rows)
      : graph_(graph), base_(base), source_(source), progress_(progress), stop_(stop), rows_(*rows) {
    request_ = RequestUntil(base, stop);
    for (const RefusalRow& row : rows_) before_.try_emplace(row.unit.index(), RefusedBy(base, row.unit).nodes);
  }

  absl::Status Run() {
    TryRules(/*approximate=*/false);
    TryRewrite({.kind = CureKind::kFold, .change = "compute constants before compiling", .flags = {"--fold"}},
               {.scope = RewriteScope::kFold});
    TryOpsets();
    TryToolchains();
    TryPrecisions();
    TryRules(/*approximate=*/true);
    TryCuts();
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
    return absl::OkStatus();
  }

 private:
  void TryRules(bool approximate);
  void TryOpsets();
  void TryToolchains();
  void TryPrecisions();
  void TryCuts();
  bool IsTaken(const RefusalRow& row) const;
  void TryCut(const std::vector<NodeId>& nodes, bool downstream);
  void Cut(const std::vector<bool>& off, const std::vector<ValueId>& values, bool downstream, RawModel* raw) const;
  bool IsOnlyRead(const std::vector<bool>& off, const RawValueInfo& input, const RawModel& raw) const;
  RawType TypeOf(ValueId value) const;
  void TryRewrite(const Cure& cure, const RewriteOptions& options);
  void TryRequest(const Cure& cure, const AnalysisRequest& request);
  void Take(const Cure& cure, const Analysis& after);
  static void TakeFor(RefusalRow* row, const Cure& cure, const Graph& before, const Refused& after,
                      int64_t before_nodes);
  bool IsStopped() const { return stop_ != nullptr && stop_(); }
  bool Begin(const Cure& cure) const;
  static bool IsOpen(const RefusalRow& row) {
    return row.evidence != EvidenceKind::kRequest &&
           (!row.cure.has_value() || row.cure->nodes.size() < row.nodes.size());
  }
  bool AnyOpen() const { return std::any_of(rows_.begin(), rows_.end(), IsOpen); }

  const std::shared_ptr<const Graph>& graph_;
  const Analysis& base_;
  const CureSource& source_;
  const StudyProgress& progress_;
  const std::function<bool()>& stop_;
  std::vector<RefusalRow>& rows_;
  AnalysisRequest request_;
  std::map<uint32_t, int64_t> before_;  // nodes that are refused, by unit
  std::optional<Rerun> rerun_;
};

bool Cures::Begin(const Cure& cure) const {
  if (IsStopped() || !AnyOpen()) return false;
  if (progress_ != nullptr) progress_(absl::StrCat("cure: ", cure.change));
  return !IsStopped();
}

// A change that puts other refused nodes in the place of those that it cures is none.
void Cures::TakeFor(RefusalRow* row, const Cure& cure, const Graph& before, const Refused& after,
                    int64_t before_nodes) {
  std::vector<NodeId> cured;
  for (const NodeId node : row->nodes) {
    if (!after.names.contains(NameOf(before, node))) cured.push_back(node);
  }
  if (cured.empty() || after.nodes > before_nodes - static_cast<int64_t>(cured.size())) return;
  if (row->cure.has_value() && row->cure->nodes.size() >= cured.size()) return;
  row->cure = cure;
  row->cure->nodes = std::move(cured);
}

void Cures::Take(const Cure& cure, const Analysis& after) {
  std::map<uint32_t, Refused> refused;
  for (RefusalRow& row : rows_) {
    if (!IsOpen(row)) continue;
    const auto [at, is_new] = refused.try_emplace(row.unit.index());
    if (is_new) at->second = RefusedBy(after, row.unit);
    TakeFor(&row, cure, *graph_, at->second, before_.at(row.unit.index()));
  }
}

void Cures::TryRewrite(const Cure& cure, const RewriteOptions& options) {
  if (source_.model == nullptr || !Begin(cure)) return;
  const auto request = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request_); };
  const absl::StatusOr<Rewritten> rewritten = RewriteOpened(source_.model->Clone(), request, options, nullptr);
  if (rewritten.ok()) Take(cure, *rewritten->after);  // a rule that the file does not allow is no cure
}

void Cures::TryRequest(const Cure& cure, const AnalysisRequest& request) {
  if (!Begin(cure)) return;
  if (!rerun_.has_value()) {
    absl::StatusOr<Rerun> started = Rerun::Start(graph_, request_);
    if (!started.ok()) return;
    rerun_ = *std::move(started);
  }
  const absl::StatusOr<const Analysis*> after = rerun_->Plan(request);
  if (after.ok()) Take(cure, **after);
}

void Cures::TryRules(bool approximate) {
  std::vector<bool> refused(graph_->nodes().size(), false);
  for (const RefusalRow& row : rows_) {
    for (const NodeId node : row.nodes) refused[node.index()] = refused[node.index()] || IsOpen(row);
  }
  const absl::StatusOr<RulesInForce> in_force = RulesInForce::Of(base_.request.rewrite_rules);
  if (!in_force.ok()) return;  // whoever took the text has refused it
  RuleSet rules;
  for (const RewriteRule* rule : in_force->all) {
    const bool is_wanted = (rule->exactness == Exactness::kApproximate) == approximate;
    if (is_wanted && (rule->whole == nullptr || !rule->key.empty())) rules.push_back(rule);
  }
  for (const RewriteRule* rule : RulesThatApply(base_, rules, refused)) {
    const std::string name(rule->name);
    Cure cure{.kind = CureKind::kRewrite, .change = absl::StrCat(name, ": ", rule->words), .flags = {"--rule", name}};
    if (approximate) cure.flags.emplace_back("--allow-approximate");
    if (approximate) absl::StrAppend(&cure.change, ", an approximation");
    TryRewrite(cure, {.rules = {name}, .allow_approximate = approximate});
  }
}

// Operator sets that lack a refused operator, and those that a limit asks for.
void Cures::TryOpsets() {
  int now = 0;
  std::set<int, std::greater<>> older;
  for (const RefusalRow& row : rows_) {
    if (!IsOpen(row)) continue;
    const Node& node = graph_->node(row.nodes.front());
    const OpRule* rule = RuleOf(*graph_, row.nodes.front());
    if (rule == nullptr || !rule->domain.empty()) continue;
    now = std::max(now, node.opset);
    int first;
    const std::vector<absl::string_view> versions = absl::StrSplit(rule->versions, ' ', absl::SkipEmpty());
    for (const absl::string_view version : versions) {
      if (absl::SimpleAtoi(version, &first) && first <= node.opset) older.insert(first - 1);
    }
    if (row.support.limit == "opset") {
      for (int opset = node.opset - 1; opset >= kOldestOpsetTried; --opset) older.insert(opset);
    }
  }
  for (const int opset : older) {
    if (opset < kOldestOpsetTried || opset >= now) continue;
    TryRewrite({.kind = CureKind::kOpset,
                .change = absl::StrCat("operator set ", opset, " in place of ", now),
                .flags = {"--opset", absl::StrCat(opset), "--fold"}},
               {.scope = RewriteScope::kFold, .opset = opset});
  }
}

void Cures::TryToolchains() {
  std::set<uint32_t> units;
  for (const RefusalRow& row : rows_) units.insert(row.unit.index());
  for (const uint32_t u : units) {
    const Unit& unit = base_.target->units[UnitId(u)];
    for (const std::string& name : ListToolchains()) {
      if (name == unit.toolchain || StemOf(name) != StemOf(unit.toolchain)) continue;
      AnalysisRequest request = request_;
      request.toolchains.emplace_back(unit.name, name);
      TryRequest({.kind = CureKind::kToolchain,
                  .change = absl::StrCat(name, " in place of ", unit.toolchain, ", where the device has it"),
                  .flags = {"--toolchain", absl::StrCat(unit.name, "=", name)}},
                 request);
    }
  }
}

void Cures::TryPrecisions() {
  for (const std::string& precision : RequestPrecisions()) {
    if (base_.precision == precision) continue;
    AnalysisRequest request = request_;
    request.precision = precision;
    TryRequest({.kind = CureKind::kPrecision,
                .change = absl::StrCat(precision, " in place of ", base_.precision),
                .flags = {"--precision", precision}},
               request);
  }
}

// Whether another accelerator runs the nodes, as a GPU beside a DLA.
bool Cures::IsTaken(const RefusalRow& row) const {
  for (uint32_t u = 0; u < base_.support.size(); ++u) {
    const bool takes = base_.support[UnitId(u)][row.nodes.front()].verdict != Verdict::kNo;
    if (IsAccelerator(base_.target->units[UnitId(u)]) && takes) return true;
  }
  return false;
}

// Cuts off what stands behind or before the network, if hardly any work is there: all that a unit refuses, else what it
// refuses for one reason.
void Cures::TryCuts() {
  if (source_.read == nullptr) return;
  std::map<uint32_t, std::vector<NodeId>> all;
  for (const RefusalRow& row : rows_) {
    std::vector<NodeId>& nodes = all[row.unit.index()];
    if (IsOpen(row) && !IsTaken(row)) nodes.insert(nodes.end(), row.nodes.begin(), row.nodes.end());
  }
  for (const auto& [unit, nodes] : all) {
    if (!nodes.empty()) TryCut(nodes, /*downstream=*/true);
  }
  for (const RefusalRow& row : rows_) {
    for (const bool downstream : {true, false}) {
      if (IsOpen(row) && !IsTaken(row)) TryCut(row.nodes, downstream);
    }
  }
}

void Cures::TryCut(const std::vector<NodeId>& nodes, bool downstream) {
  const std::vector<bool> off = Reached(*graph_, nodes, downstream);
  const std::optional<double> share = MacsShare(base_, off);
  const std::vector<ValueId> values = CutValues(*graph_, off, downstream);
  if (!share.has_value() || *share > kMostCutOff || values.empty() || values.size() > kMostCutValues) return;
  std::vector<std::string> names;
  for (const ValueId value : values) names.emplace_back(graph_->name(value));
  Cure cure{.kind = CureKind::kCut};
  cure.change = absl::StrCat(downstream ? "end the model at " : "begin the model at ", absl::StrJoin(names, ", "),
                             " and run what is ", downstream ? "behind" : "before", " it on the host");
  if (!Begin(cure)) return;
  absl::StatusOr<RawModel> raw = source_.read();
  if (!raw.ok()) return;
  Cut(off, values, downstream, &*raw);
  for (const RawValueInfo& info : raw->graph.inputs) cure.inputs.emplace_back(TextIn(*raw, info.name));
  for (const RawValueInfo& info : raw->graph.outputs) cure.outputs.emplace_back(TextIn(*raw, info.name));
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = BuildModel(*std::move(raw), {});
  if (!graph.ok()) return;
  AnalysisRequest request = request_;
  if (!downstream) request.bind = {};  // the values that the model begins with have their sizes
  const absl::StatusOr<Analysis> after = Analyze(*graph, request);
  if (after.ok()) Take(cure, *after);
}

// Leaves the nodes out that `off` names, with the values in their place as inputs or outputs.
void Cures::Cut(const std::vector<bool>& off, const std::vector<ValueId>& values, bool downstream,
                RawModel* raw) const {
  absl::flat_hash_set<absl::string_view> made_off;
  for (uint32_t n = 0; n < off.size(); ++n) {
    for (const ValueId output : graph_->outputs(NodeId(n))) {
      if (off[n] && output.valid()) made_off.insert(graph_->name(output));
    }
  }
  const auto is_off = [&](StrId name) { return made_off.contains(TextIn(*raw, name)); };
  std::vector<RawNode> kept;
  for (RawNode& node : raw->graph.nodes) {
    if (!std::any_of(node.outputs.begin(), node.outputs.end(), is_off)) kept.push_back(std::move(node));
  }
  raw->graph.nodes = std::move(kept);
  std::vector<RawValueInfo>& ends = downstream ? raw->graph.outputs : raw->graph.inputs;
  const auto is_gone = [&](const RawValueInfo& info) {
    return downstream ? is_off(info.name) : IsOnlyRead(off, info, *raw);
  };
  ends.erase(std::remove_if(ends.begin(), ends.end(), is_gone), ends.end());
  for (const ValueId value : values) ends.push_back({raw->strings.Intern(graph_->name(value)), TypeOf(value)});
}

// Whether an input of the model is for nodes that are cut off alone.
bool Cures::IsOnlyRead(const std::vector<bool>& off, const RawValueInfo& input, const RawModel& raw) const {
  for (const ValueId value : graph_->main().inputs) {
    if (graph_->name(value) != TextIn(raw, input.name)) continue;
    const auto uses = graph_->uses(value);
    return std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return off[use.node.index()]; });
  }
  return false;
}

RawType Cures::TypeOf(ValueId value) const {
  const Type& type = base_.facts.values[value].type;
  RawType raw{.kind = ValueKind::kTensor, .elem = static_cast<int32_t>(type.elem), .has_shape = type.shape.ranked()};
  for (const Dim dim : type.shape.ranked() ? type.shape.dims() : absl::Span<const Dim>()) {
    raw.dims.push_back({.has_value = dim.is_constant(), .value = dim.is_constant() ? dim.value() : 0});
  }
  return raw;
}

// Of rows of one unit those of most nodes first, then in the order of the model.
bool ComesBefore(const RefusalRow& a, const RefusalRow& b) {
  if (a.unit != b.unit) return a.unit < b.unit;
  if (a.nodes.size() != b.nodes.size()) return a.nodes.size() > b.nodes.size();
  return a.nodes.front() < b.nodes.front();
}

void AddRows(const Analysis& analysis, UnitId unit, std::vector<RefusalRow>* rows) {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, RefusalRow> by_reason;
  int64_t kernels = 0;
  for (uint32_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    const NodeId node(n);
    kernels += IsKernel(analysis.classes[node]) ? 1 : 0;
    if (!IsRefused(analysis, unit, node)) continue;
    const Support& support = analysis.support[unit][node];
    const std::string op(analysis.graph->op(node));
    RefusalRow& row = by_reason[{op, support.limit, support.what, support.allowed}];
    if (row.nodes.empty()) {
      const Toolchain* toolchain = ToolchainOf(*analysis.target, analysis.target->units[unit]);
      row = {.unit = unit, .op = op, .support = support};
      row.evidence = EvidenceOf(*analysis.graph, node, toolchain, support);
    }
    row.nodes.push_back(node);
    row.macs += analysis.counts[node].macs.value_or(0);
  }
  for (auto& [key, row] : by_reason) {
    std::vector<bool> in_row(analysis.graph->nodes().size(), false);
    for (const NodeId node : row.nodes) in_row[node.index()] = true;
    row.nodes_share = static_cast<double>(row.nodes.size()) / static_cast<double>(kernels);
    row.macs_share = MacsShare(analysis, in_row);
    rows->push_back(std::move(row));
  }
}

}  // namespace

std::vector<RefusalRow> RefusalsOf(const Analysis& analysis) {
  std::vector<RefusalRow> rows;
  const std::vector<std::string>& only = analysis.request.only;
  for (uint32_t u = 0; u < analysis.support.size(); ++u) {
    const Unit& unit = analysis.target->units[UnitId(u)];
    const bool is_left_out = !only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end();
    if (IsAccelerator(unit) && !is_left_out) AddRows(analysis, UnitId(u), &rows);
  }
  std::sort(rows.begin(), rows.end(), ComesBefore);
  return rows;
}

absl::Status FindCures(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
                       const StudyProgress& progress, const std::function<bool()>& stop,
                       std::vector<RefusalRow>* rows) {
  if (rows->empty()) return absl::OkStatus();
  return Cures(graph, base, source, progress, stop, rows).Run();
}

absl::string_view CureKindName(CureKind kind) {
  constexpr absl::string_view kNames[] = {"rewrite", "fold", "opset", "toolchain", "precision", "cut"};
  static_assert(std::size(kNames) == kNumEnumerators<CureKind>);
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace hwest
