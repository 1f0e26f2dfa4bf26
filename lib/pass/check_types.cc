#include "pass/check_types.h"

#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "op/schemas.h"

namespace hwest {
namespace {

Diagnostic Refused(std::string message, std::string node, std::string value) {
  return {.code = Code::kInferFailed,
          .message = std::move(message),
          .remedy = "runtimes refuse such a file: export it again, or put a Cast where the types differ",
          .node = std::move(node),
          .value = std::move(value)};
}

// Rows of the operators of one graph, each looked up once.
class Rows {
 public:
  explicit Rows(const Graph& graph) : graph_(graph) {}

  const TypeRow* Of(NodeId id) {
    const Node& node = graph_.node(id);
    const auto [entry, fresh] = rows_.try_emplace(std::make_tuple(node.domain, node.op, node.opset), nullptr);
    if (fresh) entry->second = TypeRowAt(graph_.domain(id), graph_.op(id), node.opset);
    return entry->second;
  }

 private:
  const Graph& graph_;
  absl::flat_hash_map<std::tuple<StrId, StrId, int>, const TypeRow*> rows_;
};

}  // namespace

void CheckTypes(const Graph& graph, const Facts& facts, DimPool& dims, std::vector<Diagnostic>& diagnostics) {
  Rows rows(graph);
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const TypeRow* row = rows.Of(node);
    if (row == nullptr || row->is_gone()) continue;
    const std::vector<std::string> faults = TypeFaults(OpView(graph, node, facts, dims), *row);
    if (faults.empty()) continue;
    diagnostics.push_back(
        Refused(absl::StrCat(graph.op(node), ": ", absl::StrJoin(faults, "; ")), graph.Label(node), ""));
  }
  for (size_t v = 0; v < graph.values().size(); ++v) {
    const ValueId value(v);
    const Type* declared = graph.declared(value);
    const Type& type = facts.values[value].type;
    if (declared == nullptr || !declared->is_tensor() || !type.is_tensor() || declared->elem == type.elem) continue;
    if (declared->elem == ElemType::kUndefined || type.elem == ElemType::kUndefined) continue;
    const NodeId producer = graph.value(value).producer;
    diagnostics.push_back(Refused(absl::StrCat("the file declares '", std::string(graph.name(value)), "' as ",
                                               ElemTypeName(declared->elem), ", it is ", ElemTypeName(type.elem)),
                                  producer.valid() ? graph.Label(producer) : "", std::string(graph.name(value))));
  }
}

}  // namespace hwest
