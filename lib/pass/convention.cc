#include "pass/convention.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "pass/classify.h"
#include "pass/convention_rules.h"
#include "pass/runs.h"

namespace hwest {
namespace {

constexpr ConventionInfo kConventions[] = {
    {Convention::kNative, "native", "onnx-hwest", "2 for each multiply-accumulate, 1 for each other float operation"},
    {Convention::kFvcore, "fvcore", "fvcore 0.1.5.post20221221, FlopCountAnalysis",
     "1 for each multiply-accumulate, its own weights for normalisation and resampling"},
    {Convention::kTorch, "torch", "PyTorch 2.15.0, torch.utils.flop_counter.FlopCounterMode",
     "2 for each multiply-accumulate of products, convolutions and attention, nothing else"},
    {Convention::kThop, "thop", "THOP 0.1.1.post2209072238, profile",
     "1 for each multiply-accumulate of known modules; functional calls are not seen"},
    {Convention::kOnnxTool, "onnx-tool", "onnx-tool 1.0.1, MACs of profile",
     "1 for each multiply-accumulate, its own weights for every other operation"},
};
static_assert(std::size(kConventions) == kNumEnumerators<Convention>);

Dim Elements(const OpView& op, int input) { return op.in(input).shape.Elements(op.dims()); }
Dim Results(const OpView& op) { return op.out(0).shape.Elements(op.dims()); }

Dim AxisSize(const Shape& shape, int64_t axis) {
  if (!shape.ranked() || axis < -shape.rank() || axis >= shape.rank()) return Dim::Unknown();
  return shape.dim(static_cast<int>(axis < 0 ? axis + shape.rank() : axis));
}

// Product of the axes of the weight from `first` on.
Dim WeightAxes(const OpView& op, int first) {
  const Shape& w = op.in(1).shape;
  if (!w.ranked() || w.rank() < first) return Dim::Unknown();
  return op.dims().Product(w.dims().subspan(static_cast<size_t>(first)));
}

// Steps times samples of a recurrent layer.
Dim StepSamples(const OpView& op) {
  const Shape& x = op.in(0).shape;
  return x.ranked() && x.rank() == 3 ? op.dims().Mul(x.dim(0), x.dim(1)) : Dim::Unknown();
}

Dim HiddenSize(const OpView& op) { return AxisSize(op.in(2).shape, -1); }

struct Cell {
  absl::string_view op;
  int64_t gates;
  int64_t blending;  // operations of a hidden element past its gates
};

constexpr Cell kCells[] = {{"LSTM", 4, 4}, {"GRU", 3, 4}, {"RNN", 1, 0}};

// One step of one direction: per gate (I + H) * H products, H activations and 2 * H of bias, then the blending.
Dim Gates(const OpView& op) {
  DimPool& dims = op.dims();
  const Dim input = AxisSize(op.in(1).shape, -1), hidden = HiddenSize(op), directions = AxisSize(op.in(1).shape, 0);
  for (const Cell& cell : kCells) {
    if (cell.op != op.op()) continue;
    const Dim gate = dims.Add(dims.Mul(dims.Add(input, hidden), hidden), dims.Mul(hidden, op.has_input(3) ? 3 : 1));
    const Dim step = dims.Add(dims.Mul(gate, cell.gates), dims.Mul(hidden, cell.blending));
    return dims.Product({step, StepSamples(op), directions});
  }
  return Dim::Unknown();
}

// Default axis of the operators that have one here: Softmax is over the last axis since version 13.
int64_t AxisOf(const OpView& op) {
  return op.attr("axis", op.op() == "Softmax" && op.opset() < 13 ? int64_t{1} : int64_t{-1});
}

Dim KernelTaps(const OpView& op) {
  Dim taps = 1;
  const auto kernel = op.ints("kernel_shape");
  for (size_t axis = 0; axis < std::min<size_t>(kernel.size(), 2); ++axis) taps = op.dims().Mul(taps, kernel[axis]);
  return taps;
}

Dim Measure(Basis basis, const OpView& op, const Work& work) {
  DimPool& dims = op.dims();
  switch (basis) {
    case Basis::kNone: return 0;
    case Basis::kMacs: return work.macs;
    case Basis::kInput: return Elements(op, 0);
    case Basis::kOutput: return Results(op);
    case Basis::kOutputs1: return dims.Mul(Results(op), std::max(1, op.num_inputs() - 1));
    case Basis::kBias: return op.has_input(2) ? Results(op) : Dim(0);
    case Basis::kRows: return dims.ExactDiv(Elements(op, 0), AxisSize(op.in(0).shape, AxisOf(op)));
    case Basis::kTaps: return dims.Mul(Results(op), KernelTaps(op));
    case Basis::kWindow: return dims.Mul(Results(op), op.attr("size", int64_t{1}));
    case Basis::kOutputsByWeight:
      return dims.Product(
          {Results(op), WeightAxes(op, 2), dims.ExactDiv(AxisSize(op.in(1).shape, 0), op.attr("group", int64_t{1}))});
    case Basis::kOutputsByFilter: return dims.Mul(Results(op), WeightAxes(op, 1));
    case Basis::kGates: return Gates(op);
    case Basis::kRecurrentWeights: {
      const Dim bias = op.has_input(3) ? Elements(op, 3) : Dim(0);
      return dims.Mul(StepSamples(op), dims.Sum({Elements(op, 1), Elements(op, 2), bias}));
    }
    case Basis::kHidden: return dims.Mul(StepSamples(op), HiddenSize(op));
  }
  return Dim::Unknown();
}

bool Applies(When when, const OpView& op) {
  const bool module = op.graph().OriginOf(op.node()) != Origin::kFunction;
  const absl::string_view mode = op.attr("mode", absl::string_view("nearest"));
  const bool linear = mode == "linear" || mode == "bilinear";
  const Shape& x = op.in(0).shape;
  switch (when) {
    case When::kAlways: return true;
    case When::kModule: return module;
    case When::kWeights: return module && op.is_constant(1);
    case When::kNearest: return mode == "nearest";
    case When::kLinear: return linear;
    case When::kCubic: return mode == "cubic";
    case When::kModuleNearest: return module && mode == "nearest";
    case When::kModuleLinear3: return module && linear && x.ranked() && x.rank() == 3;
    case When::kModuleLinear4: return module && linear && x.ranked() && x.rank() == 4;
    case When::kModuleCubic: return module && mode == "cubic";
  }
  return false;
}

bool Names(absl::string_view ops, absl::string_view op) {
  if (ops.empty()) return true;
  for (const absl::string_view name : absl::StrSplit(ops, ' ')) {
    if (name == op) return true;
  }
  return false;
}

// The rule of a node; null in the native convention.
const ConventionRule* RuleFor(Convention convention, const OpView& op) {
  for (const ConventionRule& rule : ConventionRules()) {
    if (rule.convention != convention) continue;
    if (rule.ops.empty() || (op.domain().empty() && Names(rule.ops, op.op()) && Applies(rule.when, op))) return &rule;
  }
  return nullptr;
}

struct Judgement {
  Dim count;
  absl::string_view reason;
};

Judgement Judge(Convention convention, const OpView& op, const std::optional<Work>& work) {
  if (!work.has_value()) return {Dim::Unknown(), "its work is not known"};
  if (convention == Convention::kNative) return {FlopsOf(*work, op.dims()), InfoOf(Convention::kNative).counts};
  const ConventionRule* rule = RuleFor(convention, op);
  if (rule == nullptr) return {Dim::Unknown(), "no rule"};
  DimPool& dims = op.dims();
  const auto part = [&](const OpsOfBasis& factor) {
    return factor.times == 0 ? Dim(0) : dims.Mul(Measure(factor.basis, op, *work), factor.times);
  };
  return {dims.Add(part(rule->a), part(rule->b)), rule->reason};
}

}  // namespace

absl::Span<const ConventionInfo> AllConventions() { return kConventions; }
const ConventionInfo& InfoOf(Convention convention) { return kConventions[static_cast<size_t>(convention)]; }

const ConventionInfo* FindConvention(absl::string_view name) {
  for (const ConventionInfo& info : kConventions) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

ConventionTable CountAs(Convention convention, const Graph& graph, const Facts& facts,
                        const IdMap<NodeId, NodeClass>& classes, const WorkMap& work, const IdMap<GraphId, Dim>& runs,
                        DimPool& dims) {
  ConventionTable table{.convention = convention};
  std::map<std::pair<std::string, absl::string_view>, size_t> index;  // operator and reason
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const NodeClass own = classes[node];
    if (own == NodeClass::kConstant || own == NodeClass::kControl || own == NodeClass::kDead) continue;
    const OpView op(graph, node, facts, dims);
    const Judgement judgement = Judge(convention, op, work[node]);
    const std::string name = op.domain().empty() ? std::string(op.op()) : absl::StrCat(op.domain(), ".", op.op());
    const auto [at, is_new] = index.try_emplace({name, judgement.reason}, table.rows.size());
    if (is_new) table.rows.push_back({.op = name, .reason = std::string(judgement.reason)});
    ConventionRow& row = table.rows[at->second];
    const Dim times = runs[graph.node(node).graph];
    const auto add = [&](Dim& sum, Dim part) { sum = dims.Add(sum, OverRuns(part, times, dims)); };
    ++row.nodes;
    add(row.native_macs, work[node].has_value() ? work[node]->macs : Dim::Unknown());
    add(row.native_flops, work[node].has_value() ? FlopsOf(*work[node], dims) : Dim::Unknown());
    add(row.theirs, judgement.count);
    add(table.total, judgement.count);
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const ConventionRow& a, const ConventionRow& b) { return a.op < b.op; });
  return table;
}

}  // namespace hwest
