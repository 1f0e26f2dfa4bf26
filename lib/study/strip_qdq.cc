#include "study/strip_qdq.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "base/status_macros.h"
#include "import/import.h"

namespace hwest {
namespace {

class Stripper {
 public:
  explicit Stripper(RawModel& model) : model_(model), nodes_(model.graph.nodes) {
    for (size_t n = 0; n < nodes_.size(); ++n) {
      for (const StrId output : nodes_[n].outputs) makers_[output] = n;
    }
    for (const Constant& constant : model.graph.initializers) constants_[constant.name] = &constant;
    for (const RawValueInfo& output : model.graph.outputs) outputs_.insert(output.name);
  }

  void Run() {
    std::vector<Constant> made;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      const bool has_operands = !nodes_[n].inputs.empty() && !nodes_[n].outputs.empty();
      if (has_operands && IsOp(nodes_[n], "DequantizeLinear")) Take(n, &made);
    }
    Rewire(model_.graph);
    for (Constant& constant : made) model_.graph.initializers.push_back(std::move(constant));
    Sweep();
  }

 private:
  bool IsOp(const RawNode& node, absl::string_view op) const { return model_.strings[node.op] == op; }

  void Take(size_t n, std::vector<Constant>* made) {
    RawNode& node = nodes_[n];
    const StrId read = node.inputs[0], result = node.outputs[0];
    const auto constant = constants_.find(read);
    if (constant != constants_.end()) {
      Constant floating{.name = result, .elem = ElemType::kFloat, .dims = constant->second->dims};
      floating.storage = Storage::kMissing;
      made->push_back(std::move(floating));
      gone_.insert(n);
      return;
    }
    const auto maker = makers_.find(read);
    if (maker == makers_.end() || !IsOp(nodes_[maker->second], "QuantizeLinear")) return;
    const RawNode& quantize = nodes_[maker->second];
    if (quantize.inputs.empty()) return;
    if (outputs_.contains(result)) {  // an output of the model keeps its name
      node.op = model_.strings.Intern("Identity");
      node.domain = model_.strings.Intern("");
      node.attributes.clear();
      node.inputs = {quantize.inputs[0]};
      return;
    }
    instead_[result] = quantize.inputs[0];
    gone_.insert(n);
  }

  StrId Resolved(StrId name) const {
    for (auto now = instead_.find(name); now != instead_.end(); now = instead_.find(name)) name = now->second;
    return name;
  }

  void Rewire(RawGraph& graph) {
    for (RawNode& node : graph.nodes) {
      for (StrId& input : node.inputs) input = Resolved(input);
      for (RawAttribute& attribute : node.attributes) {
        for (RawGraph& body : attribute.graphs) Rewire(body);
      }
    }
    for (RawValueInfo& output : graph.outputs) output.name = Resolved(output.name);
  }

  void CountReads(const RawGraph& graph, absl::flat_hash_set<StrId>* read) const {
    for (const RawNode& node : graph.nodes) {
      for (const StrId input : node.inputs) read->insert(input);
      for (const RawAttribute& attribute : node.attributes) {
        for (const RawGraph& body : attribute.graphs) CountReads(body, read);
      }
    }
    for (const RawValueInfo& output : graph.outputs) read->insert(output.name);
  }

  // QuantizeLinear that nobody reads any more go, too.
  void Sweep() {
    std::vector<RawNode> kept;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      if (!gone_.contains(n)) kept.push_back(std::move(nodes_[n]));
    }
    nodes_ = std::move(kept);
    absl::flat_hash_set<StrId> read;
    CountReads(model_.graph, &read);
    std::erase_if(nodes_, [&](const RawNode& node) {
      return IsOp(node, "QuantizeLinear") && !node.outputs.empty() && !read.contains(node.outputs[0]);
    });
  }

  RawModel& model_;
  std::vector<RawNode>& nodes_;
  absl::flat_hash_map<StrId, size_t> makers_;
  absl::flat_hash_map<StrId, const Constant*> constants_;
  absl::flat_hash_map<StrId, StrId> instead_;
  absl::flat_hash_set<StrId> outputs_;
  absl::flat_hash_set<size_t> gone_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> LoadWithoutQdq(const ModelSource& source) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelFile(source.path, source.limits.read));
  Stripper(raw).Run();
  return BuildModel(std::move(raw), source.limits);
}

}  // namespace hwest
