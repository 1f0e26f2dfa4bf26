// Finds the trip count of a loop whose condition compares a counter with a limit.
#include <optional>

#include "op/control/loop.h"

namespace hwest {
namespace {

// Comparisons as "at least 0": of b - a, or of a - b where `swapped`, less 1 where equality does not count.
struct Comparison {
  absl::string_view op;
  bool swapped;
  bool strict;
};

constexpr Comparison kComparisons[] = {
    {"Less", false, true}, {"LessOrEqual", false, false}, {"Greater", true, true}, {"GreaterOrEqual", true, false}};

class Margin {
 public:
  explicit Margin(InferContext& ctx) : ctx_(ctx), graph_(ctx.graph()), dims_(ctx.dims()) {}

  // An expression that is 0 or more exactly when the condition is true; unknown when there is none.
  Dim Of(ValueId condition, bool negated = false, int depth = 0);

 private:
  static constexpr int kMaxDepth = 16;
  bool IsTrue(ValueId value) const {
    const Dim number = NumberOf(ctx_, value);
    return !number.is_unknown() && dims_.Equal(number, 0) == Tri::kFalse;
  }

  InferContext& ctx_;
  const Graph& graph_;
  DimPool& dims_;
};

Dim Margin::Of(ValueId condition, bool negated, int depth) {
  if (!condition.valid() || depth > kMaxDepth) return Dim::Unknown();
  const NodeId node = graph_.value(condition).producer;
  if (!node.valid() || !graph_.domain(node).empty()) return Dim::Unknown();
  const absl::string_view op = graph_.op(node);
  const auto inputs = graph_.inputs(node);
  if (inputs.empty() || !inputs[0].valid()) return Dim::Unknown();
  for (const absl::string_view same : {"Identity", "Cast", "Squeeze", "Unsqueeze", "Reshape"}) {
    if (op == same) return Of(inputs[0], negated, depth + 1);
  }
  if (op == "Not") return Of(inputs[0], !negated, depth + 1);
  if (inputs.size() < 2 || !inputs[1].valid()) return Dim::Unknown();
  if (op == "And" && !negated) {
    if (IsTrue(inputs[0])) return Of(inputs[1], negated, depth + 1);
    if (IsTrue(inputs[1])) return Of(inputs[0], negated, depth + 1);
  }
  for (const Comparison& row : kComparisons) {
    if (op != row.op) continue;
    const Dim a = NumberOf(ctx_, inputs[0]), b = NumberOf(ctx_, inputs[1]);
    const bool swapped = row.swapped != negated;  // not (a < b) is a >= b
    const bool strict = row.strict != negated;
    const Dim margin = swapped ? dims_.Sub(a, b) : dims_.Sub(b, a);
    return strict ? dims_.Sub(margin, 1) : margin;
  }
  return Dim::Unknown();
}

}  // namespace

// With a margin of p - q*i after run i the body runs again while i <= p/q.
std::optional<Dim> CountWhile(InferContext& ctx, ValueId condition, int initial, Dim iter) {
  DimPool& dims = ctx.dims();
  const SymbolId symbol = dims.AsSymbol(iter);
  const Dim margin = Margin(ctx).Of(condition);
  if (!symbol.valid() || margin.is_unknown()) return std::nullopt;
  const auto at = [&](Dim run) { return dims.Substitute(margin, {{symbol, run}}); };
  const Dim step = dims.Sub(margin, at(dims.Add(iter, 1)));
  if (!step.is_constant() || step.value() < 1) return std::nullopt;
  Type probe = Type::Tensor(ElemType::kInt64, Shape({at(0)}));
  if (InEveryRun(ctx, probe, iter).shape.dim(0).is_unknown()) return std::nullopt;
  const Dim runs = dims.Add(dims.FloorDiv(at(0), step), 2);
  const bool starts = !ctx.has_input(initial) || Margin(ctx).Of(ctx.input(initial)) == at(-1);
  if (starts && ctx.has_input(initial)) return dims.Max(runs, 0);
  const Dim first = ctx.has_input(initial) ? NumberOf(ctx, ctx.input(initial)) : Dim(1);
  if (first.is_unknown() || dims.Equal(first, 0) != Tri::kFalse) return std::nullopt;
  return dims.Max(runs, 1);
}

}  // namespace hwest
