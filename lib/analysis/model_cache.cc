#include "analysis/model_cache.h"

#include <utility>

namespace hwest {
namespace {

constexpr size_t kMaxKept = 8;

// Contents of inputs are compared by nobody: requests that hand some over are not kept.
bool HasContents(const BindRequest& bind) { return !bind.values.empty() || !bind.sequences.empty(); }

void CopyTables(const Workspace& from, Workspace* to) {
  const Analysis& a = from.analysis;
  Analysis& b = to->analysis;
  b.facts = a.facts;
  b.classes = a.classes;
  b.work = a.work;
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
}

}  // namespace

bool SameForModel(const AnalysisRequest& a, const AnalysisRequest& b) {
  return HasTarget(a) == HasTarget(b) && !HasContents(a.bind) && !HasContents(b.bind) && a.bind.dims == b.bind.dims &&
         a.bind.shapes == b.bind.shapes && a.bind.batch == b.bind.batch && a.bind.expect == b.bind.expect &&
         a.op_rules == b.op_rules && a.flops_as == b.flops_as;
}

void TakeTables(std::shared_ptr<const ModelTables> tables, Workspace* workspace) {
  CopyTables(tables->workspace, workspace);
  workspace->analysis.dims = std::make_unique<DimPool>(tables->workspace.analysis.dims.get());
  workspace->analysis.shared = std::move(tables);
}

std::shared_ptr<const ModelTables> ModelCache::Find(const AnalysisRequest& request) const {
  const std::lock_guard lock(mutex_);
  for (const auto& tables : kept_) {
    if (SameForModel(tables->request, request)) return tables;
  }
  return nullptr;
}

void ModelCache::Keep(Workspace* workspace) {
  if (HasContents(workspace->analysis.request.bind)) return;
  auto tables = std::make_shared<ModelTables>();
  tables->request = workspace->analysis.request;
  tables->request.watch = nullptr;
  CopyTables(*workspace, &tables->workspace);
  tables->workspace.analysis.graph = workspace->analysis.graph;
  tables->workspace.analysis.dims = std::move(workspace->analysis.dims);
  workspace->analysis.dims = std::make_unique<DimPool>(tables->workspace.analysis.dims.get());
  workspace->analysis.shared = tables;
  const std::lock_guard lock(mutex_);
  if (kept_.size() == kMaxKept) kept_.erase(kept_.begin());
  kept_.push_back(std::move(tables));
}

}  // namespace hwest
