// If: one of two branches.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/rules.h"
#include "op/control/state.h"
#include "op/known.h"

namespace hwest {
namespace {

struct Branches {
  GraphId then_branch;
  GraphId else_branch;
};

absl::StatusOr<Branches> ReadBranches(const OpView& op) {
  const Branches branches = {FindBody(op, "then_branch"), FindBody(op, "else_branch")};
  if (!branches.then_branch.valid() || !branches.else_branch.valid()) {
    return absl::InvalidArgumentError("If expects a then_branch and an else_branch");
  }
  const size_t wanted = static_cast<size_t>(op.num_outputs());
  for (const GraphId branch : {branches.then_branch, branches.else_branch}) {
    const size_t found = op.graph().body(branch).outputs.size();
    if (found >= wanted) continue;
    return absl::InvalidArgumentError(absl::StrCat("If expects branches with ", wanted, " outputs, found ", found));
  }
  return branches;
}

// True or false when the condition is known.
std::optional<bool> ConditionOf(const OpView& op) {
  const Known& known = op.known(0);
  if (known == nullptr || known->size() != 1) return std::nullopt;
  return Truth(op.dims(), (*known)[0]);
}

}  // namespace

bool FollowIf(InferContext& ctx, int round, Effort) {
  const auto branches = ReadBranches(ctx);
  if (round > 0 || !branches.ok()) return round == 0;
  const auto condition = ConditionOf(ctx);
  if (condition.has_value()) {
    SetTrips(ctx, branches->then_branch, *condition ? 1 : 0);
    SetTrips(ctx, branches->else_branch, *condition ? 0 : 1);
  } else {
    ctx.facts().trips.erase(branches->then_branch);
    ctx.facts().trips.erase(branches->else_branch);
  }
  return true;
}

absl::Status InferIf(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_ASSIGN_OR_RETURN(const Branches branches, ReadBranches(ctx));
  const auto condition = ConditionOf(ctx);
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const auto state = [&](GraphId branch) {
      return StateOf(ctx, ctx.graph().body(branch).outputs[static_cast<size_t>(i)]);
    };
    if (condition.has_value()) {
      SetOutput(ctx, i, state(*condition ? branches.then_branch : branches.else_branch));
      continue;
    }
    HWEST_ASSIGN_OR_RETURN(const State joined,
                           JoinStates(ctx, state(branches.then_branch), state(branches.else_branch)));
    SetOutput(ctx, i, joined);
  }
  return absl::OkStatus();
}

}  // namespace hwest
