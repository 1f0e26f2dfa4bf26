// Einsum: sums of products written as one label an axis.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"

namespace hwest {
namespace {

// The labels of one operand or of the result. An ellipsis stands before the label at index `ellipsis`.
struct Term {
  std::string labels;
  std::optional<size_t> ellipsis;
};

struct Equation {
  std::vector<Term> operands;
  Term result;
};

absl::StatusOr<Term> ParseTerm(absl::string_view text) {
  Term term;
  while (!text.empty()) {
    if (absl::ConsumePrefix(&text, "...")) {
      if (term.ellipsis.has_value()) return absl::InvalidArgumentError("Einsum: two ellipses in one term");
      term.ellipsis = term.labels.size();
      continue;
    }
    const char label = text.front();
    text.remove_prefix(1);
    if (absl::ascii_isspace(static_cast<unsigned char>(label))) continue;
    if (!absl::ascii_isalpha(static_cast<unsigned char>(label))) {
      return absl::InvalidArgumentError("Einsum: an equation holds letters, commas, \"...\" and one \"->\"");
    }
    term.labels.push_back(label);
  }
  return term;
}

// Without "->": the ellipsis, then every label that occurs once, in order.
Term ImplicitResult(const std::vector<Term>& operands) {
  std::string all;
  Term result;
  for (const Term& operand : operands) {
    all += operand.labels;
    if (operand.ellipsis.has_value()) result.ellipsis = 0;
  }
  std::sort(all.begin(), all.end());
  for (const char label : all) {
    if (std::count(all.begin(), all.end(), label) == 1) result.labels.push_back(label);
  }
  return result;
}

absl::Status CheckResult(const Equation& equation) {
  const std::string& labels = equation.result.labels;
  for (const char label : labels) {
    const bool known = std::any_of(equation.operands.begin(), equation.operands.end(), [label](const Term& operand) {
      return operand.labels.find(label) != std::string::npos;
    });
    if (known && std::count(labels.begin(), labels.end(), label) == 1) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("Einsum: label ", std::string(1, label), " of the result is in no operand, or twice"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Equation> ParseEquation(absl::string_view text) {
  constexpr size_t kMaxLength = 4096;
  if (text.size() > kMaxLength) return absl::InvalidArgumentError("Einsum: an equation of more than 4096 characters");
  const std::vector<absl::string_view> sides = absl::StrSplit(text, "->");
  if (sides.size() > 2) return absl::InvalidArgumentError("Einsum: more than one \"->\"");
  Equation equation;
  for (const absl::string_view part : absl::StrSplit(sides[0], ',')) {
    HWEST_ASSIGN_OR_RETURN(Term term, ParseTerm(part));
    equation.operands.push_back(std::move(term));
  }
  if (sides.size() == 1) {
    equation.result = ImplicitResult(equation.operands);
    return equation;
  }
  HWEST_ASSIGN_OR_RETURN(equation.result, ParseTerm(sides[1]));
  HWEST_RETURN_IF_ERROR(CheckResult(equation));
  return equation;
}

// The equation, checked against the number and the ranks of the inputs.
absl::StatusOr<Equation> ReadEquation(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Equation equation, ParseEquation(op.attr("equation", "")));
  if (static_cast<int>(equation.operands.size()) != op.num_inputs()) {
    return absl::InvalidArgumentError(absl::StrCat("Einsum: an equation of ", equation.operands.size(),
                                                   " operands has ", op.num_inputs(), " inputs"));
  }
  HWEST_RETURN_IF_ERROR(RequireInputs(op, op.num_inputs()));
  for (int i = 0; i < op.num_inputs(); ++i) {
    const Term& term = equation.operands[static_cast<size_t>(i)];
    const int labels = static_cast<int>(term.labels.size());
    HWEST_RETURN_IF_ERROR(RequireRank(op, i, labels, term.ellipsis.has_value() ? kAnyRank : labels));
  }
  return equation;
}

// Extents of all labels, and of the axes under the ellipses, aligned at their ends.
struct Extents {
  std::vector<Dim> of_label = std::vector<Dim>(256, Dim(1));
  Shape ellipsis = Shape::Scalar();  // unranked when an operand with an ellipsis is
};

// Sizes of one label broadcast: equal, or 1. `join` makes one size of two.
template <class JoinFn>
absl::StatusOr<Extents> ReadExtents(const OpView& op, const Equation& equation, JoinFn join) {
  Extents extents;
  for (int i = 0; i < op.num_inputs(); ++i) {
    const Term& term = equation.operands[static_cast<size_t>(i)];
    const Shape& shape = op.in(i).shape;
    const int labels = static_cast<int>(term.labels.size());
    const int covered = shape.ranked() ? shape.rank() - labels : 0;
    const int split = static_cast<int>(term.ellipsis.value_or(term.labels.size()));
    for (int k = 0; k < labels; ++k) {
      Dim& extent = extents.of_label[static_cast<unsigned char>(term.labels[static_cast<size_t>(k)])];
      const Dim size = DimOr(shape, k < split ? k : k + covered);
      HWEST_ASSIGN_OR_RETURN(const Shape joined, join(Shape({extent}), Shape({size})));
      extent = joined.dim(0);
    }
    if (!term.ellipsis.has_value()) continue;
    Shape under;
    if (shape.ranked()) {
      const auto dims = shape.dims().subspan(static_cast<size_t>(split), static_cast<size_t>(covered));
      under = Shape(Shape::Dims(dims.begin(), dims.end()));
    }
    HWEST_ASSIGN_OR_RETURN(extents.ellipsis, join(extents.ellipsis, under));
  }
  return extents;
}

absl::Status InferEinsum(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Equation equation, ReadEquation(ctx));
  const auto join = [&ctx](const Shape& a, const Shape& b) { return ctx.Broadcast(a, b); };
  HWEST_ASSIGN_OR_RETURN(const Extents extents, ReadExtents(ctx, equation, join));
  const Term& result = equation.result;
  Shape shape = Shape::Scalar();
  for (size_t k = 0; k <= result.labels.size(); ++k) {
    if (result.ellipsis == k) {
      if (!extents.ellipsis.ranked()) {
        shape = Shape();
        break;
      }
      for (const Dim dim : extents.ellipsis.dims()) shape.push_back(dim);
    }
    if (k < result.labels.size()) shape.push_back(extents.of_label[static_cast<unsigned char>(result.labels[k])]);
  }
  ctx.set_out(0, FirstElem(ctx, 0, ctx.num_inputs()), std::move(shape));
  return absl::OkStatus();
}

// As InferContext::Broadcast, of shapes that went together before.
absl::StatusOr<Shape> JoinChecked(DimPool& dims, const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked()) return Shape();
  Shape longer = a.rank() < b.rank() ? b : a;
  const Shape& shorter = a.rank() < b.rank() ? a : b;
  for (int axis = 0; axis < shorter.rank(); ++axis) {
    const int at = axis + longer.rank() - shorter.rank();
    const Dim x = longer.dim(at), y = shorter.dim(axis);
    const Dim better = x.is_constant() && x.value() != 1 ? x : y.is_constant() && y.value() != 1 ? y : Dim();
    longer.set_dim(at, x.is_unknown() || y.is_unknown() ? better : dims.Broadcast(x, y));
  }
  return longer;
}

bool Holds(const Term& term, char label) { return term.labels.find(label) != std::string::npos; }

// Labels of a product of two: in both and in the result = batch, in one and in the result = its side, else summed.
Contraction PairContraction(const OpView& op, const Equation& equation, const Extents& extents) {
  Contraction c{.kind = ContractionKind::kActivation, .batch = 1, .m = 1, .n = 1, .k = 1, .kernel_elements = 1};
  if (op.is_constant(0) || op.is_constant(1)) c.kind = ContractionKind::kMatMul;
  const Term &a = equation.operands[0], &b = equation.operands[1];
  for (size_t label = 0; label < extents.of_label.size(); ++label) {
    const char name = static_cast<char>(label);
    const bool left = Holds(a, name), right = Holds(b, name);
    if (!left && !right) continue;
    const bool kept = Holds(equation.result, name);
    Dim& side = !kept ? c.k : left && right ? c.batch : left ? c.m : c.n;
    side = op.dims().Mul(side, extents.of_label[label]);
  }
  Dim& under = equation.result.ellipsis.has_value() ? c.batch : c.k;
  under = op.dims().Mul(under, extents.ellipsis.Elements(op.dims()));
  return c;
}

// One multiply-accumulate a point of the space of all labels, one more product a point for every operand past two. A
// single operand is summed when a label is left out, else only moved.
absl::StatusOr<Work> WorkEinsum(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Equation equation, ReadEquation(op));
  DimPool& dims = op.dims();
  const auto join = [&dims](const Shape& a, const Shape& b) { return JoinChecked(dims, a, b); };
  HWEST_ASSIGN_OR_RETURN(const Extents extents, ReadExtents(op, equation, join));
  Dim points = extents.ellipsis.Elements(dims);
  for (const Dim extent : extents.of_label) points = dims.Mul(points, extent);
  Work work;
  if (op.num_inputs() == 1) {
    const Term& x = equation.operands[0];
    const bool sums = std::any_of(x.labels.begin(), x.labels.end(),
                                  [&equation](char label) { return !Holds(equation.result, label); });
    AddOps(dims, work, points, {.add = sums ? 1 : 0}, op.in(0).elem);
    return work;
  }
  const bool pair = op.num_inputs() == 2;
  Contraction contraction{.kind = ContractionKind::kActivation,
                          .batch = OutElements(op, 0),
                          .m = 1,
                          .n = 1,
                          .k = dims.ExactDiv(points, OutElements(op, 0)),
                          .kernel_elements = 1};
  if (pair) contraction = PairContraction(op, equation, extents);
  AddContraction(dims, work, std::move(contraction), points,
                 IsIntegerProduct(op, 0, 1) ? Operands::kInteger : Operands::kFloat);
  AddOps(dims, work, points, {.mul = op.num_inputs() - 2}, op.in(0).elem);
  return work;
}

constexpr OpRule kEinsumRules[] = {
    {.op = "Einsum", .versions = "12", .infer = InferEinsum, .work = WorkEinsum, .parameters = kAllInputs},
};

}  // namespace

absl::Span<const OpRule> EinsumRules() { return kEinsumRules; }

}  // namespace hwest
