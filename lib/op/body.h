// The bodies of an operator: where they are, how their values meet those of the owner, how often they run.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "op/rule.h"

namespace hwest {

// FirstOwned is the first node of the bodies of `owner`; `owner` when they have none. What it owns are the ids from
// there up to its own.
NodeId FirstOwned(const Graph& graph, NodeId owner);
// The body in attribute `name`; none when there is not exactly one.
GraphId FindBody(const OpView& op, absl::string_view name);

// Where the values of a body come from and go to, by position; -1 = nowhere.
struct BodyPorts {
  int counters = 0;      // leading body inputs that count runs
  int input_shift = 0;   // body input j reads input j + input_shift of the owner
  int output_shift = 0;  // body output j is output j + output_shift of the owner
  int carried = 0;       // body inputs behind the counters that get a body output from the second run on
};
// None for operators whose bodies are not followed.
std::optional<BodyPorts> PortsOf(const Graph& graph, NodeId owner);

// SetTrips states how often the body runs each time its node does.
void SetTrips(InferContext& ctx, GraphId body, Dim trips);
Dim TripsOf(InferContext& ctx, GraphId body);  // unknown when not set

}  // namespace hwest
