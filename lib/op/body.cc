#include "op/body.h"

#include <algorithm>

namespace hwest {

NodeId FirstOwned(const Graph& graph, NodeId owner) {
  NodeId first = owner;
  for (const Attribute& attribute : graph.attributes(owner)) {
    for (const GraphId body : attribute.graphs) {
      if (graph.body(body).nodes.empty()) continue;
      first = std::min(first, FirstOwned(graph, graph.body(body).nodes.front()));
    }
  }
  return first;
}

GraphId FindBody(const OpView& op, absl::string_view name) {
  const Attribute* attribute = op.graph().FindAttribute(op.node(), name);
  if (attribute == nullptr || attribute->graphs.size() != 1) return GraphId();
  return attribute->graphs[0];
}

std::optional<BodyPorts> PortsOf(const Graph& graph, NodeId owner) {
  if (!graph.domain(owner).empty()) return std::nullopt;
  const absl::string_view op = graph.op(owner);
  const int inputs = static_cast<int>(graph.inputs(owner).size());
  if (op == "If" || op == "SequenceMap") return BodyPorts{};
  if (op == "Loop") return BodyPorts{.counters = 2, .output_shift = -1, .carried = std::max(0, inputs - 2)};
  if (op != "Scan") return std::nullopt;
  const Attribute* scans = graph.FindAttribute(owner, "num_scan_inputs");
  const int shift = graph.node(owner).opset > 0 && graph.node(owner).opset < 9 ? 1 : 0;
  const int64_t scanned = scans == nullptr ? 0 : std::clamp<int64_t>(scans->i, 0, inputs);
  return BodyPorts{.input_shift = shift, .carried = std::max(0, inputs - shift - static_cast<int>(scanned))};
}

void SetTrips(InferContext& ctx, GraphId body, Dim trips) { ctx.facts().trips[body] = trips; }

Dim TripsOf(InferContext& ctx, GraphId body) {
  const auto trips = ctx.facts().trips.find(body);
  return trips == ctx.facts().trips.end() ? Dim::Unknown() : trips->second;
}

}  // namespace hwest
