// State: what is known of one value of a graph with bodies, and joining what several runs or branches know.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "op/rule.h"

namespace hwest {

// What is known of a value: its fact and, of a sequence, its elements.
struct State {
  Type type;
  Known known;
  Elements elements;
};
State StateOf(const OpView& op, ValueId value);  // nothing for an absent value
void SetState(InferContext& ctx, ValueId value, const State& state);
// Sets output `i` of the node.
void SetOutput(InferContext& ctx, int i, const State& state);

// JoinStates is what holds whichever of the two a value is. Sizes that differ are one fresh size between them, other
// ranks leave the rank open. Errors: different kinds or element types.
absl::StatusOr<State> JoinStates(InferContext& ctx, const State& a, const State& b);

// ElementType is the type of any element of a sequence, or of what an optional holds.
Type ElementType(const Type& container);
// ContainerOf is the type of a sequence or optional that holds values of type `element`, of which nothing else is
// known.
Type ContainerOf(ValueKind kind, const Type& element);
// JoinElement widens what the container says of its elements so that it holds for `element` too. Sizes that differ are
// unknown: there is more than one.
void JoinElement(Type& container, const Type& element);
bool SameElements(const Elements& a, const Elements& b);
bool SameState(const State& a, const State& b);

// A size that is one of two: a fresh one between them, unless they agree. `prefix` names it.
Dim EitherSize(InferContext& ctx, absl::string_view prefix, Dim a, Dim b);
// Nothing that could have a shape is in a value of this type.
bool IsEmptyContainer(const Type& type);

// `state` at another number of the run.
State AtRun(DimPool& dims, const State& state, Dim iter, Dim run);

}  // namespace hwest
