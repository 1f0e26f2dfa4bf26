#include "analysis/model_cache.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hwest {
namespace {

constexpr size_t kMaxParts = 16;

// Contents of inputs are compared by nobody: requests that hand some over are not kept.
bool HasContents(const BindRequest& bind) { return !bind.values.empty() || !bind.sequences.empty(); }

bool SameBind(const BindRequest& a, const BindRequest& b) {
  return !HasContents(a) && !HasContents(b) && a.dims == b.dims && a.shapes == b.shapes && a.batch == b.batch &&
         a.resized == b.resized && a.expect == b.expect;
}

bool SamePins(const std::vector<Pin>& a, const std::vector<Pin>& b) {
  const auto same = [](const Pin& x, const Pin& y) { return x.what == y.what && x.unit == y.unit; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// Everything that a plan depends on but the inputs and the pins. An option more makes this stop compiling.
auto PlainOptions(const AnalysisRequest& request) {
  const auto& [bind, flops_as, op_rules, target, mode, precision, precision_of, fusions, fusion_rules, rewrite_rules,
               toolchains, loaded, objective, only, deny, assume, pin, max_segments, power_cap_w, overlap,
               host_competes, placement, finds_best, sparsity, measured_profile, watch] = request;
  return std::tie(flops_as, op_rules, target, mode, precision, precision_of, fusions, fusion_rules, rewrite_rules,
                  toolchains, loaded, objective, only, max_segments, power_cap_w, overlap, host_competes, placement,
                  finds_best, sparsity);
}

bool SameRequest(const AnalysisRequest& a, const AnalysisRequest& b) {
  return PlainOptions(a) == PlainOptions(b) && SameBind(a.bind, b.bind) && SamePins(a.deny, b.deny) &&
         SamePins(a.assume, b.assume) && SamePins(a.pin, b.pin);
}

void CopyTables(const Workspace& from, Workspace* to) {
  const Analysis& a = from.analysis;
  Analysis& b = to->analysis;
  b.facts = a.facts;
  b.classes = a.classes;
  b.work = a.work;
  b.reading = a.reading;
  b.traffic = a.traffic;
  b.counts = a.counts;
  b.modules = a.modules;
  b.params = a.params;
  b.totals = a.totals;
  b.flops_as = a.flops_as;
  b.batch = a.batch;
  b.diagnostics = a.diagnostics;
  to->bound = from.bound;
  to->rules = from.rules;
  to->runs = from.runs;
  to->index = from.index;
}

}  // namespace

bool SameForModel(const ModelKey& key, const AnalysisRequest& request) {
  return key.has_target == HasTarget(request) && SameBind(key.bind, request.bind) && key.op_rules == request.op_rules &&
         key.flops_as == request.flops_as;
}

void TakeTables(std::shared_ptr<const ModelTables> tables, Workspace* workspace) {
  CopyTables(tables->workspace, workspace);
  workspace->analysis.dims = std::make_unique<DimPool>(tables->workspace.analysis.dims.get());
  workspace->tables = tables.get();
  workspace->analysis.shared = std::move(tables);
}

std::shared_ptr<const ModelTables> ModelCache::Find(const AnalysisRequest& request) const {
  return tables_.Find([&](const ModelKey& key) { return SameForModel(key, request); });
}

void ModelCache::Keep(Workspace* workspace) {
  const AnalysisRequest& request = workspace->analysis.request;
  if (HasContents(request.bind) || workspace->analysis.graph->nodes().size() > kMaxNodesKept) return;
  auto tables = std::make_shared<ModelTables>();
  CopyTables(*workspace, &tables->workspace);
  tables->workspace.analysis.graph = workspace->analysis.graph;
  tables->workspace.analysis.dims = std::move(workspace->analysis.dims);
  workspace->analysis.dims = std::make_unique<DimPool>(tables->workspace.analysis.dims.get());
  workspace->analysis.shared = tables;
  workspace->tables = tables.get();
  tables_.Keep({HasTarget(request), request.bind, request.op_rules, request.flops_as}, std::move(tables), 1);
}

std::shared_ptr<const PlannedPart> ModelCache::FindPart(const AnalysisRequest& request) const {
  return parts_.Find([&](const AnalysisRequest& known) { return SameRequest(known, request); });
}

void ModelCache::KeepPart(AnalysisRequest request, std::shared_ptr<const PlannedPart> part) {
  if (HasContents(request.bind)) return;
  request.watch = nullptr;
  const size_t groups = part->plan.groups.size();
  parts_.Keep(std::move(request), std::move(part), groups + kMaxRowsKept / kMaxParts);
}

}  // namespace hwest
