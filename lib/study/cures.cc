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
#include "absl/strings/str_cat.h"
#include "analysis/load.h"
#include "analysis/rerun.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "import/import.h"
#include "partition/support.h"
#include "rewrite/find.h"
#include "rewrite/rules.h"
#include "rewrite/search.h"
#include "rewrite/user_rules.h"
#include "study/candidates.h"
#include "study/what_if.h"

namespace hwest {
namespace {

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
  std::vector<const RefusalRow*> open;
  for (const RefusalRow& row : rows_) {
    if (IsOpen(row)) open.push_back(&row);
  }
  int now = 0;
  for (const int opset : OlderOpsets(*graph_, open, &now)) {
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
    for (const std::string& name : OtherVersionsOf(unit)) {
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
  const std::optional<ModelCut> cut = CutAt(base_, nodes, downstream);
  if (!cut.has_value()) return;
  Cure cure{.kind = CureKind::kCut, .change = CutText(*graph_, *cut)};
  if (!Begin(cure)) return;
  absl::StatusOr<RawModel> raw = source_.read();
  if (!raw.ok()) return;
  CutOff(base_, *cut, &*raw);
  cure.inputs = InputNames(*raw);
  cure.outputs = OutputNames(*raw);
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = BuildModel(*std::move(raw), {});
  if (!graph.ok()) return;
  AnalysisRequest request = request_;
  if (!downstream) request.bind = {};  // the values that the model begins with have their sizes
  const absl::StatusOr<Analysis> after = Analyze(*graph, request);
  if (after.ok()) Take(cure, *after);
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

CureSource SourceOf(const ModelSource& source) {
  if (source.path.empty() || source.path == "-") return {};
  absl::StatusOr<EditedModel> opened = EditedModel::Open(source.path, source.limits);
  if (!opened.ok()) return {};
  return {.model = std::make_shared<const EditedModel>(*std::move(opened)),
          .read = [source] { return ReadModelFile(source.path, source.limits.read); },
          .limits = source.limits};
}

CureSource SourceOfBytes(absl::string_view bytes, const std::string& name, const LoadOptions& limits) {
  absl::StatusOr<EditedModel> opened = EditedModel::FromMemory(bytes, name, limits);
  if (!opened.ok()) return {};
  return {.model = std::make_shared<const EditedModel>(*std::move(opened)),
          .read = [=] { return ReadModelMemory(bytes, name, limits.read); },
          .limits = limits};
}

absl::string_view CureKindName(CureKind kind) {
  constexpr absl::string_view kNames[] = {"rewrite", "fold", "opset", "toolchain", "precision", "cut"};
  static_assert(std::size(kNames) == kNumEnumerators<CureKind>);
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace hwest
