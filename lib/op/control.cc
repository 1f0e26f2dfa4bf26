// Control flow: what an If gives, from its branches.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/known.h"

namespace hwest {
namespace {

const Body* BranchOf(const OpView& op, absl::string_view name) {
  const Attribute* attribute = op.graph().FindAttribute(op.node(), name);
  if (attribute == nullptr || attribute->graphs.size() != 1 || !attribute->graphs[0].valid()) return nullptr;
  return &op.graph().body(attribute->graphs[0]);
}

struct Branches {
  const Body* then_branch = nullptr;
  const Body* else_branch = nullptr;
};

absl::StatusOr<Branches> ReadBranches(const OpView& op) {
  const Branches branches = {BranchOf(op, "then_branch"), BranchOf(op, "else_branch")};
  if (branches.then_branch == nullptr || branches.else_branch == nullptr) {
    return absl::InvalidArgumentError("If expects a then_branch and an else_branch");
  }
  const size_t wanted = static_cast<size_t>(op.num_outputs());
  for (const Body* body : {branches.then_branch, branches.else_branch}) {
    if (body->outputs.size() >= wanted) continue;
    return absl::InvalidArgumentError(absl::StrCat("If expects branches with ", wanted, " outputs, found ",
                                                   body->outputs.size()));
  }
  return branches;
}

// True or false when the condition is known.
std::optional<bool> ConditionOf(const OpView& op) {
  const Known& known = op.known(0);
  if (known == nullptr || known->size() != 1) return std::nullopt;
  return Truth(op.dims(), (*known)[0]);
}

// A size that the branches disagree on: somewhere between the two, decided at run time.
Dim JoinDims(InferContext& ctx, Dim a, Dim b) {
  if (a == b || a.is_unknown() || b.is_unknown()) return a.is_unknown() ? a : b;
  const Dim low = ctx.dims().Min(a, b);
  return ctx.FreshSize("branch", ctx.dims().BoundsOf(low).min.value_or(0), ctx.dims().Max(a, b));
}

// What holds for both: equal ranks keep the dims that agree, different ranks leave the rank open.
Shape JoinShapes(InferContext& ctx, const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked() || a.rank() != b.rank()) return Shape();
  Shape joined = a;
  for (int axis = 0; axis < a.rank(); ++axis) joined.set_dim(axis, JoinDims(ctx, a.dim(axis), b.dim(axis)));
  return joined;
}

absl::StatusOr<Type> JoinTypes(InferContext& ctx, const Type& a, const Type& b) {
  if (a.kind == ValueKind::kUnknown || b.kind == ValueKind::kUnknown) return Type();
  if (a.kind != b.kind) {
    return absl::InvalidArgumentError(absl::StrCat("If expects branches of one kind, found ", ValueKindName(a.kind),
                                                   " and ", ValueKindName(b.kind)));
  }
  if (a.elem != b.elem && a.elem != ElemType::kUndefined && b.elem != ElemType::kUndefined) {
    return absl::InvalidArgumentError(absl::StrCat("If expects branches of one element type, found ",
                                                   ElemTypeName(a.elem), " and ", ElemTypeName(b.elem)));
  }
  Type joined = a;
  joined.shape = JoinShapes(ctx, a.shape, b.shape);
  if (a.elem == ElemType::kUndefined) joined.elem = b.elem;
  if (a.length != b.length) joined.length = Dim::Unknown();
  return joined;
}

// Elements both branches agree on.
void JoinKnown(InferContext& ctx, int i, const Known& a, const Known& b) {
  if (a == nullptr || b == nullptr || a->size() != b->size()) return;
  std::vector<Scalar> joined = *a;
  for (size_t k = 0; k < joined.size(); ++k) {
    if (!(joined[k] == (*b)[k])) joined[k] = Scalar();
  }
  ctx.set_known(i, std::move(joined));
}

absl::Status InferIf(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_ASSIGN_OR_RETURN(const Branches branches, ReadBranches(ctx));
  const auto condition = ConditionOf(ctx);
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const Type& then_type = ctx.fact(branches.then_branch->outputs[static_cast<size_t>(i)]).type;
    const Type& else_type = ctx.fact(branches.else_branch->outputs[static_cast<size_t>(i)]).type;
    if (condition.has_value()) {
      ctx.set_out(i, *condition ? then_type : else_type);
      continue;
    }
    HWEST_ASSIGN_OR_RETURN(Type joined, JoinTypes(ctx, then_type, else_type));
    ctx.set_out(i, std::move(joined));
  }
  return absl::OkStatus();
}

void KnownIf(InferContext& ctx) {
  const auto branches = ReadBranches(ctx);
  if (!branches.ok()) return;
  const auto condition = ConditionOf(ctx);
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const Known& then_known = ctx.fact(branches->then_branch->outputs[static_cast<size_t>(i)]).known;
    const Known& else_known = ctx.fact(branches->else_branch->outputs[static_cast<size_t>(i)]).known;
    if (condition.has_value()) {
      ctx.set_known(i, *condition ? then_known : else_known);
    } else {
      JoinKnown(ctx, i, then_known, else_known);
    }
  }
}

constexpr OpRule kRules[] = {
    {"", "If", "1 11 13 16 19 21 23 24 25", InferIf, KnownIf, nullptr, OpClass::kControl},
};

}  // namespace

absl::Span<const OpRule> ControlRules() { return kRules; }

}  // namespace hwest
