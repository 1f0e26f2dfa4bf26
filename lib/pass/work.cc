#include "pass/work.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/op_rules.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/runs.h"
#include "pass/weights.h"

namespace hwest {
namespace {

class Counter {
 public:
  Counter(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes, DimPool& dims,
          const OpRules* customs)
      : graph_(graph), facts_(facts), classes_(classes), dims_(dims), customs_(customs) {}

  WorkTables Run() {
    tables_.work = WorkMap(graph_.nodes().size());
    tables_.traffic = TrafficMap(graph_.nodes().size());
    for (size_t n = 0; n < graph_.nodes().size(); ++n) Visit(NodeId(n));
    return std::move(tables_);
  }

 private:
  void Visit(NodeId node);
  Traffic TrafficOf(NodeId node, InputMask shape_inputs, const Work& work);
  Dim ReadElements(NodeId node, size_t input, const Work& work);
  Dim VisitsOf(NodeId node, const Work& work);

  const Graph& graph_;
  const Facts& facts_;
  const IdMap<NodeId, NodeClass>& classes_;
  DimPool& dims_;
  const OpRules* customs_;
  WorkTables tables_;
};

void Counter::Visit(NodeId node) {
  const OpRule* rule = FindRule(graph_.domain(node), graph_.op(node));
  const CustomRule* custom = rule == nullptr ? FindCustomRule(customs_, graph_, node) : nullptr;
  if ((rule == nullptr && custom == nullptr) || facts_.refused.contains(node)) return;
  Work work;
  if (custom != nullptr) {
    work = CustomWork(*custom, OpView(graph_, node, facts_, dims_));
  } else if (rule->work != nullptr) {
    absl::StatusOr<Work> counted = rule->work(OpView(graph_, node, facts_, dims_));
    if (!counted.ok()) return;
    work = *std::move(counted);
  }
  work.visits = dims_.Add(work.visits, VisitsOf(node, work));
  const Traffic traffic = TrafficOf(node, rule == nullptr ? 0 : rule->shape_inputs | rule->type_inputs, work);
  if (!traffic.in_bytes.is_unknown() && !traffic.weight_bytes.is_unknown() && !traffic.out_bytes.is_unknown()) {
    tables_.traffic.Set(node, traffic);
  }
  tables_.work.Set(node, std::move(work));
}

Dim Counter::ReadElements(NodeId node, size_t input, const Work& work) {
  const bool overridden = input < work.reads.size() && work.reads[input].has_value();
  return overridden ? *work.reads[input] : ElementsOf(facts_, graph_.inputs(node)[input], dims_);
}

// Strings and maps are objects of their own: each that is read or made is handled by itself.
Dim Counter::VisitsOf(NodeId node, const Work& work) {
  const NodeClass node_class = classes_[node];
  Dim visits = 0;
  if (node_class == NodeClass::kView || node_class == NodeClass::kControl || IsFolded(node_class)) return visits;
  const auto is_object = [this](ValueId value) {
    const Type& type = facts_.values[value].type;
    return HeldBits(type) != ElemBits(type.elem);
  };
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].valid() && is_object(inputs[i])) visits = dims_.Add(visits, ReadElements(node, i, work));
  }
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid() || !facts_.IsNeeded(output) || !is_object(output)) continue;
    visits = dims_.Add(visits, ElementsOf(facts_, output, dims_));
  }
  return visits;
}

Traffic Counter::TrafficOf(NodeId node, InputMask shape_inputs, const Work& work) {
  Traffic traffic;
  const NodeClass node_class = classes_[node];
  // What a body reads and writes is counted there.
  if (node_class == NodeClass::kView || node_class == NodeClass::kControl || IsFolded(node_class)) return traffic;
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || Covers(shape_inputs, i)) continue;
    Dim& sum = IsConstantValue(graph_, classes_, inputs[i]) ? traffic.weight_bytes : traffic.in_bytes;
    sum = dims_.Add(sum, HeldBytes(dims_, facts_.values[inputs[i]].type, ReadElements(node, i, work)));
  }
  traffic.weight_bytes = dims_.Add(traffic.weight_bytes, work.table_bytes);
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid() || !facts_.IsNeeded(output)) continue;
    const Dim elements = ElementsOf(facts_, output, dims_);
    traffic.out_bytes = dims_.Add(traffic.out_bytes, HeldBytes(dims_, facts_.values[output].type, elements));
  }
  return traffic;
}

}  // namespace

Dim ElementsOf(const Facts& facts, ValueId value, DimPool& dims) {
  const Type& type = facts.values[value].type;
  const bool is_sequence = type.kind == ValueKind::kSequence || type.inner == ValueKind::kSequence;
  if (type.kind == ValueKind::kUnknown || type.kind == ValueKind::kSparse) return Dim();
  if (type.presence == Presence::kAbsent) return 0;
  if (!is_sequence) return type.shape.Elements(dims);
  if (type.length.IsConstant(0)) return 0;
  const auto elements = facts.elements.find(value);
  if (elements == facts.elements.end()) return dims.Mul(type.shape.Elements(dims), type.length);
  Dim sum = 0;
  for (const Element& element : *elements->second) sum = dims.Add(sum, element.type.shape.Elements(dims));
  return sum;
}

Dim FlopsOf(const Work& work, DimPool& dims) {
  Dim flops = dims.Mul(work.macs, 2);
  for (const OpKind kind : {OpKind::kAdd, OpKind::kMul, OpKind::kCompare, OpKind::kTranscendental}) {
    flops = dims.Add(flops, work.op(kind));
  }
  return flops;
}

WorkTables CountWork(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes, DimPool& dims,
                     const OpRules* rules) {
  return Counter(graph, facts, classes, dims, rules).Run();
}

std::optional<int64_t> EvaluateSymbolic(Dim dim, DimPool& dims) {
  if (dim.is_unknown()) return std::nullopt;
  // Symbols that stand for a long expression have no value of their own; Substitute looks behind them.
  Binding assumed;
  for (const SymbolId symbol : dims.SymbolsOf(dim)) {
    if (const auto value = dims.Assumed(symbol)) assumed[symbol] = Dim(*value);
  }
  const Dim number = dims.Substitute(dim, assumed);
  return number.is_constant() ? std::optional<int64_t>(number.value()) : std::nullopt;
}

Totals SumTotals(const Graph& graph, const WorkTables& tables, const IdMap<NodeId, NodeClass>& classes,
                 const IdMap<GraphId, Dim>& runs, DimPool& dims) {
  Totals totals;
  // A count that is unknown is left out here and shows in the coverage.
  const auto add = [&](Dim& total, Dim once, Dim times) {
    const Dim part = OverRuns(once, times, dims);
    if (!part.is_unknown()) total = dims.Add(total, part);
  };
  Dim causal_macs = 0;
  bool has_causal = false;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const auto& work = tables.work[node];
    if (classes[node] == NodeClass::kConstant || classes[node] == NodeClass::kDead || !work.has_value()) continue;
    const Dim times = runs[graph.node(node).graph];
    add(totals.macs, work->macs, times);
    add(causal_macs, work->causal_macs.is_unknown() ? work->macs : work->causal_macs, times);
    has_causal = has_causal || !work->causal_macs.is_unknown();
    add(totals.int_macs, work->int_macs, times);
    add(totals.flops, FlopsOf(*work, dims), times);
  }
  if (has_causal) totals.causal_macs = causal_macs;
  return totals;
}

namespace {

// Evaluate for the counts of all nodes, which are often the same sizes. Beyond a number of symbols looked at, sizes of
// symbols are unknown: a chain of sums names all those before it.
class Evaluator {
 public:
  explicit Evaluator(DimPool& dims) : dims_(dims) {}

  std::optional<int64_t> Of(Dim dim) {
    if (!dim.is_symbolic()) return Evaluate(dim, dims_);
    if (looked_at_ > kMostLookedAt) return std::nullopt;
    const auto [found, is_new] = known_.try_emplace(dim, std::nullopt);
    if (is_new) {
      found->second = Evaluate(dim, dims_);
      looked_at_ += static_cast<int64_t>(dims_.SymbolsOf(dim).size());
    }
    return found->second;
  }

 private:
  static constexpr int64_t kMostLookedAt = 4'000'000;

  DimPool& dims_;
  absl::flat_hash_map<Dim, std::optional<int64_t>> known_;
  int64_t looked_at_ = 0;
};

}  // namespace

CountsMap CountNodes(const Graph& graph, const WorkTables& tables, const IdMap<GraphId, Dim>& runs, DimPool& dims) {
  CountsMap counts(graph.nodes().size());
  Evaluator evaluator(dims);
  const Weights weights(graph);
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const Dim times = runs[graph.node(node).graph];
    const auto evaluate = [&](Dim once) { return evaluator.Of(OverRuns(once, times, dims)); };
    NodeCounts row;
    if (const auto& work = tables.work[node]) {
      row.macs = evaluate(work->macs);
      row.int_macs = evaluate(work->int_macs);
      row.causal_macs = evaluate(work->causal_macs);
      row.flops = evaluate(FlopsOf(*work, dims));
    }
    if (const auto& traffic = tables.traffic[node]) {
      row.in_bytes = evaluate(traffic->in_bytes);
      row.weight_bytes = evaluate(traffic->weight_bytes);
      row.out_bytes = evaluate(traffic->out_bytes);
    }
    row.params = weights.Elements(node);
    counts.Set(node, row);
  }
  return counts;
}

}  // namespace hwest
