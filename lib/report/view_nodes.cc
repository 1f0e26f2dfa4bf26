// Rows of the model: nodes, values, symbols, model totals.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "cost/model_view.h"
#include "hwest/reading.h"
#include "ir/elem_type.h"
#include "op/rule.h"
#include "partition/support.h"
#include "pass/weights.h"
#include "report/view_parts.h"

namespace hwest {
namespace {

Count Either(const std::optional<int64_t>& number, const DimPool& pool, std::optional<Dim> formula) {
  if (number.has_value()) return *number;
  if (formula.has_value() && formula->is_symbolic()) return pool.ToString(*formula);
  return std::monostate();
}

Dim FlopsOf(const Work& work, DimPool* pool) {
  Dim flops = pool->Mul(work.macs, 2);
  for (const OpKind kind : {OpKind::kAdd, OpKind::kMul, OpKind::kCompare, OpKind::kTranscendental}) {
    flops = pool->Add(flops, work.op(kind));
  }
  return flops;
}

// Counts of a node: numbers where every dim is known, formulas where the sizes are symbolic.
void FillCounts(const Analysis& analysis, NodeId id, DimPool* pool, NodeRow* row) {
  const NodeCounts& counts = analysis.counts[id];
  std::optional<Dim> macs, int_macs, flops, causal_macs;
  if (const std::optional<Work>& work = analysis.work[id]; work.has_value()) {
    macs = work->macs;
    int_macs = work->int_macs;
    causal_macs = work->causal_macs;
    if (!counts.flops.has_value()) flops = FlopsOf(*work, pool);
  }
  std::optional<Dim> in_bytes, weight_bytes, out_bytes;
  if (const std::optional<Traffic>& traffic = analysis.traffic[id]; traffic.has_value()) {
    in_bytes = traffic->in_bytes;
    weight_bytes = traffic->weight_bytes;
    out_bytes = traffic->out_bytes;
  }
  row->macs = Either(counts.macs, *pool, macs);
  row->int_macs = Either(counts.int_macs, *pool, int_macs);
  row->causal_macs = Either(counts.causal_macs, *pool, causal_macs);
  row->flops = Either(counts.flops, *pool, flops);
  row->params = Either(counts.params, *pool, std::nullopt);
  row->in_bytes = Either(counts.in_bytes, *pool, in_bytes);
  row->weight_bytes = Either(counts.weight_bytes, *pool, weight_bytes);
  row->out_bytes = Either(counts.out_bytes, *pool, out_bytes);
}

NodeRow NodeRowOf(const Analysis& analysis, NodeId id) {
  const Graph& graph = *analysis.graph;
  const Node& node = graph.node(id);
  NodeRow row;
  row.id = id;
  row.name = std::string(graph.name(id));
  row.label = graph.Label(id);
  row.domain = DomainText(graph.domain(id));
  row.op = std::string(graph.op(id));
  if (const OpRule* rule = FindRule(graph.domain(id), graph.op(id)); rule != nullptr && node.opset > 0) {
    row.since = SinceVersion(*rule, node.opset);
  }
  row.node_class = analysis.classes[id];
  row.origin = graph.OriginOf(id);
  if (node.scope.valid()) row.module = std::string(graph.str(graph.scope(node.scope).path));
  row.graph = node.graph.index();
  for (const ValueId input : graph.inputs(id)) row.inputs.emplace_back(input.valid() ? graph.name(input) : "");
  for (const ValueId output : graph.outputs(id)) {
    row.outputs.emplace_back(output.valid() ? graph.name(output) : "");
    if (output.valid() && !row.first_output.valid()) row.first_output = output;
  }
  if (analysis.plan.has_value()) row.group = analysis.plan->group_of[id];
  if (!row.group.valid()) return row;
  const PlannedGroup& planned = analysis.plan->groups[row.group.index()];
  row.unit = planned.unit;
  row.measured_s = MeasuredOf(analysis, row.group).time_s;
  if (row.measured_s.has_value() && id != RootOf(planned)) row.measured_s = 0;
  return row;
}

PortRow PortOf(const Analysis& analysis, ValueId id) {
  const Type& type = analysis.facts.values[id].type;
  return PortRow{std::string(analysis.graph->name(id)), DtypeOf(type), ShapeTextOf(*analysis.dims, type.shape)};
}

// Bits of an element as the constant's first reader sees it; packed weights have fewer than their storage type.
int BitsOf(const Graph& graph, ValueId value, ElemType elem) {
  for (const Use& use : graph.uses(value)) {
    if (const std::optional<int> bits = WeightBits(graph, use)) return *bits;
  }
  return ElemBits(elem);
}

// Wide integers are indices and biases.
bool IsWeightType(ElemType elem, int bits) {
  const bool is_complex = elem == ElemType::kComplex64 || elem == ElemType::kComplex128;
  return bits > 0 && (IsFloat(elem) || is_complex || (IsInteger(elem) && bits <= 16));
}

// The numeric type that most weight elements of the file have, in the words of --precision; "int4 weights" where the
// activations are floating point all the same.
std::string FilePrecisionText(const Analysis& analysis) {
  const Graph& graph = *analysis.graph;
  std::map<std::string, double> elements;  // claimed sizes can add up past 64 bits
  for (uint32_t v = 0; v < graph.values().size(); ++v) {
    const Value& value = graph.value(ValueId(v));
    if (!value.constant.valid()) continue;
    const Constant& constant = graph.constant(value.constant);
    const int bits = BitsOf(graph, ValueId(v), constant.elem);
    if (!IsWeightType(constant.elem, bits)) continue;
    const auto claimed = static_cast<double>(std::max<int64_t>(constant.Elements(), 0));
    elements[NumericName(constant.elem, bits)] += claimed * ElemBits(constant.elem) / bits;
  }
  const auto most = std::max_element(elements.begin(), elements.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == elements.end() || most->second == 0) return "";
  const bool is_integer = most->first.rfind("int", 0) == 0;
  return is_integer && analysis.totals.int_macs.IsConstant(0) ? absl::StrCat(most->first, " weights") : most->first;
}

KnownElement ElementOf(const Scalar& scalar, const DimPool& pool) {
  if (scalar.is_float()) return scalar.number();
  if (!scalar.is_int()) return std::monostate();
  if (scalar.dim().is_constant()) return scalar.dim().value();
  return pool.ToString(scalar.dim());
}

// The symbols of expressions and their bounds, visiting each expression once. If that takes too long, as in a chain of
// sums that each name all earlier ones, it returns every symbol.
struct SymbolCollector {
  static constexpr size_t kMostSymbols = 4'000'000, kMostExpressions = 20'000;

  const DimPool& pool;
  std::set<SymbolId> symbols;
  absl::flat_hash_set<Dim> seen;
  size_t looked_at = 0;

  void Add(Dim dim) {
    if (!dim.is_symbolic() || GivesUp() || !seen.insert(dim).second) return;
    const std::vector<SymbolId> found = pool.SymbolsOf(dim);
    looked_at += found.size();
    for (const SymbolId id : found) {
      if (symbols.insert(id).second) Add(pool.symbol(id).max_expr);
    }
  }

  bool GivesUp() const { return looked_at > kMostSymbols || seen.size() > kMostExpressions; }

  std::set<SymbolId> Take() {
    for (size_t i = 0; GivesUp() && i < pool.num_symbols(); ++i) symbols.insert(SymbolId(i));
    return std::move(symbols);
  }
};

// Every symbol a printed expression may name.
std::set<SymbolId> UsedSymbols(const Analysis& analysis) {
  const DimPool& pool = *analysis.dims;
  SymbolCollector used{.pool = pool};
  if (pool.num_symbols() == 0) return {};
  for (const ValueFact& fact : analysis.facts.values) {
    if (fact.type.shape.ranked()) {
      for (const Dim dim : fact.type.shape.dims()) used.Add(dim);
    }
    if (fact.known == nullptr) continue;
    for (const Scalar& scalar : *fact.known) {
      if (scalar.is_int()) used.Add(scalar.dim());
    }
  }
  for (const std::optional<Work>& work : analysis.work.distinct()) {
    if (!work.has_value()) continue;
    used.Add(work->macs);
    used.Add(work->causal_macs);
    for (const Dim ops : work->ops) used.Add(ops);
  }
  for (const SymbolId id : analysis.coverage.data_dependent) used.symbols.insert(id);
  return used.Take();
}

// The operand of `node`, or the result of one of its bodies, that makes its outputs unknown; none when the cause is the
// node itself.
ValueId BlockedOperand(const Analysis& analysis, NodeId node, NodeId root) {
  const Graph& graph = *analysis.graph;
  const auto first = [&](absl::Span<const ValueId> values) {
    for (const ValueId value : values) {
      if (value.valid() && analysis.facts.values[value].blocked_by == root) return value;
    }
    return ValueId();
  };
  if (node == root) return ValueId();
  ValueId operand = first(graph.inputs(node));
  for (const Attribute& attribute : graph.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      if (!operand.valid()) operand = first(graph.body(body).outputs);
    }
  }
  return operand;
}

// Why a value is unknown: the producers of the unknown values it depends on, back to the one that blocks them all.
std::vector<std::string> CausesOf(const Analysis& analysis, ValueId value) {
  constexpr size_t kNearest = 15;
  const Graph& graph = *analysis.graph;
  const NodeId root = analysis.facts.values[value].blocked_by;
  std::vector<std::string> causes;
  if (!root.valid()) return causes;
  // Producers have smaller ids than their users, so the walk ends.
  for (NodeId node = graph.value(value).producer; node.valid() && causes.size() < kNearest;) {
    const ValueId input = BlockedOperand(analysis, node, root);
    node = input.valid() ? graph.value(input).producer : NodeId();
    if (!node.valid() || node == root) break;
    causes.push_back(graph.Label(node));
  }
  causes.push_back(graph.Label(root));
  return causes;
}

ValueRow ValueRowOf(const Analysis& analysis, ValueId id) {
  const Graph& graph = *analysis.graph;
  const Value& value = graph.value(id);
  const ValueFact& fact = analysis.facts.values[id];
  ValueRow row;
  row.id = id;
  row.name = std::string(graph.name(id));
  row.kind = fact.type.kind;
  row.dtype = DtypeOf(fact.type);
  row.shape = ShapeTextOf(*analysis.dims, fact.type.shape);
  if (fact.known != nullptr) {
    row.value.emplace();
    for (const Scalar& scalar : *fact.known) row.value->push_back(ElementOf(scalar, *analysis.dims));
  }
  if (value.producer.valid()) row.producer = graph.Label(value.producer);
  SetPlace(value, &row);
  row.blocked_by = CausesOf(analysis, id);
  row.blocked_by_id = fact.blocked_by;
  return row;
}

}  // namespace

std::string DomainText(absl::string_view domain) { return domain.empty() ? "ai.onnx" : std::string(domain); }

std::optional<std::string> DtypeOf(const Type& type) {
  if (type.elem == ElemType::kUndefined) return std::nullopt;
  return ElemTypeName(type.elem);
}

void SetPlace(const Value& value, ValueRow* row) {
  row->producer_id = value.producer;
  row->constant = value.constant.valid();
  row->is_input = value.is_input;
  row->is_output = value.is_output;
  row->graph = value.graph.valid() ? value.graph.index() : 0;
}

NodeDims DimsOf(const Analysis& analysis, NodeId node, DimPool* pool) {
  const NodeCounts& counts = analysis.counts[node];
  const auto either = [](const std::optional<int64_t>& number, const Dim& formula) {
    return number.has_value() ? Dim(*number) : formula;
  };
  NodeDims dims;
  const std::optional<Work>& work = analysis.work[node];
  dims.macs = either(counts.macs, work.has_value() ? work->macs : Dim());
  dims.flops = either(counts.flops, work.has_value() ? FlopsOf(*work, pool) : Dim());
  const std::optional<Traffic>& traffic = analysis.traffic[node];
  const Dim in_bytes = either(counts.in_bytes, traffic.has_value() ? traffic->in_bytes : Dim());
  const Dim weight_bytes = either(counts.weight_bytes, traffic.has_value() ? traffic->weight_bytes : Dim());
  const Dim out_bytes = either(counts.out_bytes, traffic.has_value() ? traffic->out_bytes : Dim());
  dims.bytes = pool->Add(pool->Add(in_bytes, weight_bytes), out_bytes);
  return dims;
}

void FillNodes(const Analysis& analysis, View* view) {
  const auto pool = std::make_shared<DimPool>(analysis.dims.get());
  view->nodes = {analysis.graph->nodes().size(), [&analysis, pool](size_t i) {
                   NodeRow row = NodeRowOf(analysis, NodeId(i));
                   FillCounts(analysis, NodeId(i), pool.get(), &row);
                   return row;
                 }};
}

void FillModel(const Analysis& analysis, View* view) {
  const Graph& graph = *analysis.graph;
  const ModelInfo& info = graph.info();
  ModelFacts& model = view->model;
  model.name = info.name;
  model.ir_version = info.ir_version;
  for (const OpsetImport& opset : info.opsets) {
    model.opsets.emplace_back(DomainText(graph.str(opset.domain)), opset.version);
  }
  std::sort(model.opsets.begin(), model.opsets.end());
  model.producer = info.producer;
  for (const ValueId id : graph.main().inputs) model.inputs.push_back(PortOf(analysis, id));
  for (const ValueId id : graph.main().outputs) model.outputs.push_back(PortOf(analysis, id));
  model.nodes = static_cast<int64_t>(graph.nodes().size());
  model.params = analysis.params;
  if (analysis.plan.has_value()) {
    const OtherConstants& others = analysis.plan->other_constants;
    model.deployed_bytes = analysis.plan->deployed_bytes;
    model.constant_bytes = others.bytes;
    if (others.largest.valid()) model.largest_constant = std::string(GraphAsRead(analysis).name(others.largest));
  }
  model.file_precision = FilePrecisionText(analysis);
}

void FillValues(const Analysis& analysis, View* view) {
  view->values = {analysis.graph->values().size(), [&analysis](size_t i) { return ValueRowOf(analysis, ValueId(i)); }};
}

void FillSymbols(const Analysis& analysis, View* view) {
  const DimPool& pool = *analysis.dims;
  for (const SymbolId id : UsedSymbols(analysis)) {
    const Symbol& symbol = pool.symbol(id);
    SymbolRow row;
    row.name = symbol.name;
    row.text = symbol.text.empty() ? symbol.name : symbol.text;
    row.min = symbol.min;
    row.max = symbol.max.has_value() ? Count(*symbol.max) : CountOf(pool, symbol.max_expr);
    row.assumed = pool.Assumed(id);
    row.cause = NonEmpty(symbol.cause);
    row.data_dependent = symbol.data_dependent;
    row.is_stated = symbol.data_dependent && !symbol.counts_runs && !pool.IsDerived(id);
    view->symbols.push_back(std::move(row));
  }
}

namespace {

std::optional<EvidenceKind> EvidenceOfNode(const Analysis& analysis, NodeId node, UnitId unit) {
  const Toolchain* toolchain = ToolchainOf(*analysis.target, analysis.target->units[unit]);
  return EvidenceOf(*analysis.graph, node, toolchain, analysis.support[unit][node]);
}

}  // namespace

void FillSupport(const Analysis& analysis, View* view) {
  std::vector<NodeId> kernels;
  for (size_t n = 0; n < analysis.classes.size() && !analysis.support.empty(); ++n) {
    if (IsKernel(analysis.classes[NodeId(n)])) kernels.push_back(NodeId(n));
  }
  const size_t units = analysis.support.size();
  const size_t rows = kernels.size() * units;
  view->support = {rows, [&analysis, units, kernels = std::move(kernels)](size_t i) {
                     const NodeId node = kernels[i / units];
                     const UnitId unit(i % units);
                     return SupportRowView{node, analysis.graph->Label(node),  std::string(analysis.graph->op(node)),
                                           unit, analysis.support[unit][node], EvidenceOfNode(analysis, node, unit)};
                   }};
  view->evidence_of = [&analysis](NodeId node, UnitId unit) { return EvidenceOfNode(analysis, node, unit); };
  view->support_of = [&analysis](NodeId node, UnitId unit) {
    const bool is_stated = unit.index() < analysis.support.size() && IsKernel(analysis.classes[node]);
    return is_stated ? &analysis.support[unit][node] : nullptr;
  };
}

}  // namespace hwest
