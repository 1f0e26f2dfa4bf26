#include "ir/order.h"

#include <functional>
#include <queue>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

using NameSet = absl::flat_hash_set<StrId>;

void CollectBodyReads(const RawGraph& graph, std::vector<StrId>& reads);

// Every name the node reads from its own list's scope: inputs and captures of its bodies.
void CollectReads(const RawNode& node, std::vector<StrId>& reads) {
  for (const StrId input : node.inputs) {
    if (!Absent(input)) reads.push_back(input);
  }
  for (const RawAttribute& attribute : node.attributes) {
    for (const RawGraph& body : attribute.graphs) CollectBodyReads(body, reads);
  }
}

void CollectBodyReads(const RawGraph& graph, std::vector<StrId>& reads) {
  NameSet local;
  for (const RawValueInfo& input : graph.inputs) local.insert(input.name);
  for (const Constant& constant : graph.initializers) local.insert(constant.name);
  for (const RawNode& node : graph.nodes) local.insert(node.outputs.begin(), node.outputs.end());
  std::vector<StrId> inner;
  for (const RawNode& node : graph.nodes) CollectReads(node, inner);
  for (const RawValueInfo& output : graph.outputs) inner.push_back(output.name);
  for (const StrId name : inner) {
    if (!local.contains(name)) reads.push_back(name);
  }
}

std::string NodeLabel(const RawNode& node, const StringTable& strings) {
  if (!Absent(node.name)) return std::string(strings[node.name]);
  const std::string op = Absent(node.op) ? "node" : std::string(strings[node.op]);
  return node.outputs.empty() || Absent(node.outputs[0]) ? op
                                                         : absl::StrCat(op, " of '", strings[node.outputs[0]], "'");
}

using Producers = absl::flat_hash_map<StrId, uint32_t>;

absl::StatusOr<Producers> MapProducers(const std::vector<RawNode>& nodes, const StringTable& strings) {
  Producers producers;
  producers.reserve(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (const StrId output : nodes[i].outputs) {
      if (Absent(output)) continue;
      if (!producers.try_emplace(output, i).second) {
        return MakeError(Code::kModelRefused,
                         absl::StrCat("value '", strings[output], "' is produced twice, the second time by ",
                                      NodeLabel(nodes[i], strings)),
                         "export the model again; every value needs one producer");
      }
    }
  }
  return producers;
}

absl::Status CycleError(const std::vector<RawNode>& nodes, const std::vector<std::vector<uint32_t>>& needs,
                        const std::vector<uint32_t>& open, const StringTable& strings) {
  // Follow unfinished predecessors from any unfinished node until one repeats.
  std::vector<int32_t> position(nodes.size(), -1);
  std::vector<uint32_t> path;
  uint32_t at = 0;
  while (open[at] == 0) ++at;
  while (position[at] < 0) {
    position[at] = static_cast<int32_t>(path.size());
    path.push_back(at);
    for (const uint32_t before : needs[at]) {
      if (open[before] != 0) {
        at = before;
        break;
      }
    }
  }
  std::string cycle = NodeLabel(nodes[at], strings);
  constexpr size_t kShown = 8;
  const size_t length = path.size() - static_cast<size_t>(position[at]);
  for (size_t i = 1; i < length && i < kShown; ++i) {
    absl::StrAppend(&cycle, " <- ", NodeLabel(nodes[path[static_cast<size_t>(position[at]) + i]], strings));
  }
  return MakeError(Code::kModelRefused, absl::StrCat("the graph has a cycle of ", length, " nodes: ", cycle),
                   "export the model again; a node must not depend on its own output");
}

}  // namespace

absl::StatusOr<std::vector<uint32_t>> TopologicalOrder(const std::vector<RawNode>& nodes, const StringTable& strings) {
  HWEST_ASSIGN_OR_RETURN(const Producers producers, MapProducers(nodes, strings));
  std::vector<uint32_t> order(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) order[i] = i;

  std::vector<StrId> reads;
  const auto visit_needs = [&](uint32_t i, auto visit) {
    reads.clear();
    CollectReads(nodes[i], reads);
    for (const StrId name : reads) {
      const auto producer = producers.find(name);
      if (producer != producers.end()) visit(producer->second);
    }
  };
  bool sorted = true;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    visit_needs(i, [&](uint32_t before) { sorted = sorted && before < i; });
  }
  if (sorted) return order;

  std::vector<std::vector<uint32_t>> needs(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    visit_needs(i, [&](uint32_t before) { needs[i].push_back(before); });
  }

  std::vector<uint32_t> open(nodes.size(), 0);
  std::vector<std::vector<uint32_t>> feeds(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    open[i] = static_cast<uint32_t>(needs[i].size());
    for (const uint32_t before : needs[i]) feeds[before].push_back(i);
  }
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (open[i] == 0) ready.push(i);
  }
  order.clear();
  while (!ready.empty()) {
    const uint32_t at = ready.top();
    ready.pop();
    order.push_back(at);
    for (const uint32_t after : feeds[at]) {
      if (--open[after] == 0) ready.push(after);
    }
  }
  if (order.size() != nodes.size()) return CycleError(nodes, needs, open, strings);
  return order;
}

}  // namespace hwest
