// What operators that own bodies share: finding them, joining what their runs give, and state handed from run to run.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "op/rule.h"

namespace hwest {

// FirstOwned is the first node of the bodies of `owner`; `owner` when they have none. What it owns are the ids from there
// up to its own.
NodeId FirstOwned(const Graph& graph, NodeId owner);
// The body in attribute `name`; none when there is not exactly one.
GraphId FindBody(const OpView& op, absl::string_view name);

// Where the values of a body come from and go to, by position; -1 = nowhere.
struct BodyPorts {
  int counters = 0;     // leading body inputs that count runs
  int input_shift = 0;  // body input j reads input j + input_shift of the owner
  int output_shift = 0;  // body output j is output j + output_shift of the owner
  int carried = 0;      // body inputs behind the counters that get a body output from the second run on
};
// None for operators whose bodies are not followed.
std::optional<BodyPorts> PortsOf(const Graph& graph, NodeId owner);

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
// ContainerOf is the type of a sequence or optional that holds values of type `element`, and of nothing is known else.
Type ContainerOf(ValueKind kind, const Type& element);
// JoinElement widens what the container says of its elements so that it holds for `element` too. Sizes that differ are
// unknown: there is more than one.
void JoinElement(Type& container, const Type& element);

// Counter is the number of the run that is looked at: a symbol from 0 to trips - 1, or the constant 0.
struct Counter {
  Dim iter;
  Dim trips;
};

// `state` at another number of the run.
State AtRun(DimPool& dims, const State& state, Dim iter, Dim run);

// One value handed from run to run: what the first run gets, the body's input, the body's output.
struct Carried {
  State initial;
  ValueId in;
  ValueId out;
};

// StartCarried sets the body's inputs for the first look.
void StartCarried(InferContext& ctx, const std::vector<Carried>& values, Effort effort);
// AdvanceCarried compares what the body gives with what it was given. Sizes and numbers that change get a guess that is
// linear in the number of the run, and what no guess proves is left open. Returns false when everything holds in every
// run.
bool AdvanceCarried(InferContext& ctx, const std::vector<Carried>& values, Dim iter, int round, Effort effort);
// The value after all runs. Requires that AdvanceCarried returned false.
State FinalOf(InferContext& ctx, const Carried& value, const Counter& counter);

// What a value of the body is in every run alike: sizes that change from run to run are unknown.
Type InEveryRun(InferContext& ctx, const Type& type, Dim iter);

// True when the state depends on sizes that the bodies make anew in every run.
bool IsMadeInRun(InferContext& ctx, const State& state);

// SetTrips states how often the body runs each time its node does.
void SetTrips(InferContext& ctx, GraphId body, Dim trips);
Dim TripsOf(InferContext& ctx, GraphId body);  // unknown when not set

}  // namespace hwest
