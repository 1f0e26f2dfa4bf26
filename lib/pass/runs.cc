#include "pass/runs.h"

#include <limits>
#include <vector>

#include "op/rule.h"
#include "pass/work.h"

namespace hwest {
namespace {

class RunCounter {
 public:
  RunCounter(const Graph& graph, const Facts& facts, const WorkMap& work, DimPool& dims)
      : graph_(graph), facts_(facts), work_(work), dims_(dims), runs_(graph.bodies().size(), Dim(1)) {}

  IdMap<GraphId, Dim> Run() {
    if (graph_.bodies().size() > 1) SumFlops();
    // Parents come before their bodies, so one ascending sweep settles nested control flow.
    for (size_t g = 1; g < graph_.bodies().size(); ++g) {
      const GraphId body(g);
      runs_[body] = dims_.Mul(runs_[graph_.body(body).parent], TripsOf(body));
    }
    return std::move(runs_);
  }

 private:
  void SumFlops();
  Dim TripsOf(GraphId body);
  GraphId CostliestBranch(NodeId owner);
  bool IsCostlier(Dim flops, Dim than);

  const Graph& graph_;
  const Facts& facts_;
  const WorkMap& work_;
  DimPool& dims_;
  IdMap<GraphId, Dim> runs_;
  IdMap<GraphId, Dim> flops_;  // of one run, nested bodies included, all branches counted; what is unknown adds nothing
};

void RunCounter::SumFlops() {
  flops_ = IdMap<GraphId, Dim>(graph_.bodies().size(), Dim(0));
  const auto add = [&](Dim& sum, Dim part) {
    if (!part.is_unknown()) sum = dims_.Add(sum, part);
  };
  for (size_t g = graph_.bodies().size(); g-- > 1;) {
    const Body& body = graph_.body(GraphId(g));
    for (const NodeId node : body.nodes) {
      if (work_[node].has_value()) add(flops_[GraphId(g)], FlopsOf(*work_[node], dims_));
    }
    const auto trips = facts_.trips.find(GraphId(g));
    const Dim times = trips == facts_.trips.end() ? Dim(1) : trips->second;
    add(flops_[body.parent], OverRuns(flops_[GraphId(g)], times, dims_));
  }
}

bool RunCounter::IsCostlier(Dim flops, Dim than) {
  if (dims_.LessEqual(flops, than) == Tri::kTrue) return false;
  if (dims_.LessEqual(than, flops) == Tri::kTrue) return true;
  return Evaluate(flops, dims_).value_or(0) > Evaluate(than, dims_).value_or(0);
}

GraphId RunCounter::CostliestBranch(NodeId owner) {
  GraphId costliest;
  for (const Attribute& attribute : graph_.attributes(owner)) {
    for (const GraphId branch : attribute.graphs) {
      if (!costliest.valid() || IsCostlier(flops_[branch], flops_[costliest])) costliest = branch;
    }
  }
  return costliest;
}

Dim RunCounter::TripsOf(GraphId body) {
  const auto trips = facts_.trips.find(body);
  if (trips != facts_.trips.end()) return trips->second;
  const NodeId owner = graph_.body(body).owner;
  if (!HasTrait(graph_, owner, trait::kBranches)) return 1;
  return CostliestBranch(owner) == body ? 1 : 0;
}

}  // namespace

IdMap<GraphId, Dim> CountRuns(const Graph& graph, const Facts& facts, const WorkMap& work, DimPool& dims) {
  return RunCounter(graph, facts, work, dims).Run();
}

Dim OverRuns(Dim once, Dim runs, DimPool& dims) {
  if (runs.IsConstant(0) || runs.IsConstant(1)) return runs.value() == 0 ? runs : once;
  if (!once.is_symbolic()) return dims.Mul(once, runs);
  Binding mean;
  for (const SymbolId id : dims.SymbolsOf(once)) {
    const Symbol& symbol = dims.symbol(id);
    if (symbol.counts_runs && !symbol.typical.is_unknown()) mean[id] = symbol.typical;
  }
  return dims.Mul(mean.empty() ? once : dims.Substitute(once, mean), runs);
}

IdMap<GraphId, int64_t> EvaluateRuns(const IdMap<GraphId, Dim>& runs, DimPool& dims) {
  IdMap<GraphId, int64_t> numbers(runs.size(), std::numeric_limits<int64_t>::max());
  for (size_t g = 0; g < runs.size(); ++g) {
    if (const auto number = Evaluate(runs[GraphId(g)], dims)) numbers[GraphId(g)] = *number;
  }
  return numbers;
}

}  // namespace hwest
