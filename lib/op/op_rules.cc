// Applies a user's rule to a node: its shapes and its work.
#include "op/op_rules.h"

#include "absl/strings/str_cat.h"
#include "base/text.h"

namespace hwest {
namespace {

class Evaluator {
 public:
  Evaluator(const CustomRule& rule, const OpView& op) : rule_(rule), op_(op) {}

  // Unknown when something it needs is.
  Dim Run(int root) const;

 private:
  const Type& TypeOf(int operand) const { return operand >= 0 ? op_.in(operand) : op_.out(~operand); }
  Dim Axis(const RuleTerm& term) const;
  Dim Contents(const RuleTerm& term) const;
  Dim AttributeOf(const RuleTerm& term) const;

  const CustomRule& rule_;
  const OpView& op_;
};

Dim Evaluator::Axis(const RuleTerm& term) const {
  const Shape& shape = TypeOf(term.operand).shape;
  if (!shape.ranked()) return Dim::Unknown();
  const int64_t axis = term.number < 0 ? term.number + shape.rank() : term.number;
  return axis >= 0 && axis < shape.rank() ? shape.dim(static_cast<int>(axis)) : Dim::Unknown();
}

Dim Evaluator::Contents(const RuleTerm& term) const {
  const Known& known = term.operand >= 0 ? op_.known(term.operand) : op_.out_known(~term.operand);
  if (known == nullptr || static_cast<size_t>(term.number) >= known->size()) return Dim::Unknown();
  const Scalar& scalar = (*known)[static_cast<size_t>(term.number)];
  return scalar.is_int() ? scalar.dim() : Dim::Unknown();
}

Dim Evaluator::AttributeOf(const RuleTerm& term) const {
  const Attribute* attribute = op_.graph().FindAttribute(op_.node(), term.attribute);
  if (attribute == nullptr) return term.fallback.has_value() ? Dim(*term.fallback) : Dim::Unknown();
  if (attribute->kind == AttrKind::kInt && term.number < 0) return attribute->i;
  const bool in_list = attribute->kind == AttrKind::kInts && term.number >= 0 &&
                       static_cast<size_t>(term.number) < attribute->ints.size();
  return in_list ? Dim(attribute->ints[static_cast<size_t>(term.number)]) : Dim::Unknown();
}

Dim Evaluator::Run(int root) const {
  const RuleTerm& term = rule_.terms[static_cast<size_t>(root)];
  DimPool& dims = op_.dims();
  switch (term.kind) {
    case RuleTerm::Kind::kNumber: return term.number;
    case RuleTerm::Kind::kAxis: return Axis(term);
    case RuleTerm::Kind::kContents: return Contents(term);
    case RuleTerm::Kind::kAttribute: return AttributeOf(term);
    case RuleTerm::Kind::kElements: return TypeOf(term.operand).shape.Elements(dims);
    case RuleTerm::Kind::kRank: {
      const Shape& shape = TypeOf(term.operand).shape;
      return shape.ranked() ? Dim(shape.rank()) : Dim::Unknown();
    }
    default: break;
  }
  const Dim a = Run(term.a), b = Run(term.b);
  switch (term.kind) {
    case RuleTerm::Kind::kAdd: return dims.Add(a, b);
    case RuleTerm::Kind::kSub: return dims.Sub(a, b);
    case RuleTerm::Kind::kMul: return dims.Mul(a, b);
    case RuleTerm::Kind::kFloorDiv: return dims.FloorDiv(a, b);
    case RuleTerm::Kind::kMod: return dims.Mod(a, b);
    case RuleTerm::Kind::kMin: return dims.Min(a, b);
    case RuleTerm::Kind::kMax: return dims.Max(a, b);
    case RuleTerm::Kind::kCeilDiv: return dims.CeilDiv(a, b);
    default: return dims.Broadcast(a, b);
  }
}

absl::Status CheckRanks(const CustomRule& rule, const OpView& op) {
  for (const auto& [input, rank] : rule.ranks) {
    const Shape& shape = op.in(input).shape;
    if (!shape.ranked() || shape.rank() == rank) continue;
    return absl::InvalidArgumentError(absl::StrCat("'", rule.inputs[static_cast<size_t>(input)], "' has rank ",
                                                   shape.rank(), ", its rule says ", rank));
  }
  return absl::OkStatus();
}

// Attributes without a fallback have to be there.
absl::Status CheckAttributes(const CustomRule& rule, const OpView& op) {
  for (const RuleTerm& term : rule.terms) {
    const bool needed = term.kind == RuleTerm::Kind::kAttribute && !term.fallback.has_value();
    if (!needed || op.has_attr(term.attribute)) continue;
    std::vector<std::string> known;
    for (const Attribute& attribute : op.graph().attributes(op.node())) {
      known.emplace_back(op.graph().str(attribute.name));
    }
    const std::vector<std::string> nearest = NearestNames(term.attribute, known, 1);
    return absl::InvalidArgumentError(
        absl::StrCat("its rule reads attribute '", term.attribute, "', which the node does not have",
                     nearest.empty() ? "" : absl::StrCat("; did you mean '", EscapeControl(nearest[0]), "'?")));
  }
  return absl::OkStatus();
}

// A size that comes out below zero is none.
absl::StatusOr<Shape> ShapeFrom(const CustomRule& rule, const OutputRule& result, const OpView& op) {
  if (result.like.has_value()) return op.in(*result.like).shape;
  if (!result.shape.has_value()) return Shape();
  Shape::Dims sizes;
  for (const int root : *result.shape) {
    const Dim size = Evaluator(rule, op).Run(root);
    if (size.is_constant() && size.value() < 0) {
      return absl::InvalidArgumentError(absl::StrCat("its rule gives a size of ", size.value()));
    }
    sizes.push_back(size);
  }
  return Shape(std::move(sizes));
}

// A count that comes out below zero is none.
Dim CountFrom(const Evaluator& evaluator, int root) {
  const Dim count = evaluator.Run(root);
  return count.is_constant() && count.value() < 0 ? Dim::Unknown() : count;
}

}  // namespace

const CustomRule* FindCustomRule(const OpRules* rules, const Graph& graph, NodeId node) {
  return rules == nullptr || rules->empty() ? nullptr : rules->Find(graph.domain(node), graph.op(node));
}

absl::Status InferCustom(const CustomRule& rule, InferContext& ctx) {
  if (absl::Status status = CheckRanks(rule, ctx); !status.ok()) return status;
  if (absl::Status status = CheckAttributes(rule, ctx); !status.ok()) return status;
  for (size_t i = 0; i < rule.results.size(); ++i) {
    const OutputRule& result = rule.results[i];
    absl::StatusOr<Shape> shape = ShapeFrom(rule, result, ctx);
    if (!shape.ok()) return shape.status();
    ctx.set_out(static_cast<int>(i), result.elem.value_or(ctx.in(result.elem_of.value_or(0)).elem), *std::move(shape));
  }
  return absl::OkStatus();
}

Work CustomWork(const CustomRule& rule, const OpView& op) {
  Work work;
  const Evaluator evaluator(rule, op);
  if (rule.matmul.has_value()) {
    std::array<Dim, 4> sizes;
    for (size_t i = 0; i < sizes.size(); ++i) sizes[i] = CountFrom(evaluator, (*rule.matmul)[i]);
    work.macs = op.dims().Product(sizes);
    work.contractions.push_back({.kind = ContractionKind::kActivation,
                                 .batch = sizes[0],
                                 .m = sizes[1],
                                 .n = sizes[2],
                                 .k = sizes[3],
                                 .kernel_elements = 1});
  } else if (rule.macs.has_value()) {
    work.macs = CountFrom(evaluator, *rule.macs);
    work.contractions.push_back(
        {.kind = ContractionKind::kActivation, .batch = 1, .m = work.macs, .n = 1, .k = 1, .kernel_elements = 1});
  }
  for (size_t kind = 0; kind < rule.ops.size(); ++kind) {
    if (rule.ops[kind].has_value()) work.ops[kind] = CountFrom(evaluator, *rule.ops[kind]);
  }
  return work;
}

}  // namespace hwest
