#include "partition/flow.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"

namespace hwest {
namespace {

bool Contains(absl::Span<const ValueId> values, ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

constexpr size_t kMostSearched = 64;  // inputs of a node among which repeated ones are found one by one

struct Edge {
  uint32_t atom;
  ValueId value;
};

class FlowBuilder {
 public:
  FlowBuilder(const ModelView& model, const Atoms& atoms)
      : model_(model),
        atoms_(atoms),
        crosses_(model.graph.values().size(), 0),
        is_output_(model.graph.values().size(), 0) {}

  Flow Run() {
    for (const ValueId output : model_.graph.main().outputs) MarkOutput(output);
    for (uint32_t a = 0; a < atoms_.atoms.size(); ++a) {
      for (const NodeId node : atoms_.atoms[a].nodes) CollectReads(a, node);
    }
    NumberValues();
    flow_.reads.resize(atoms_.atoms.size());
    flow_.writes.resize(atoms_.atoms.size());
    std::vector<uint32_t> reader(flow_.values.size(), Atoms::kNone);  // the last one; reads are in order of atoms
    for (const Edge& read : reads_) {
      const uint32_t value = index_[read.value];
      if (reader[value] == read.atom) continue;
      reader[value] = read.atom;
      flow_.reads[read.atom].push_back(value);
    }
    for (uint32_t v = 0; v < flow_.values.size(); ++v) {
      if (flow_.values[v].producer != Atoms::kNone) flow_.writes[flow_.values[v].producer].push_back(v);
    }
    return std::move(flow_);
  }

 private:
  uint32_t ProducerAtom(ValueId root) const {
    const NodeId producer = model_.graph.value(root).producer;
    return producer.valid() ? atoms_.atom_of[producer] : Atoms::kNone;
  }
  bool IsModelInput(ValueId root) const {
    const Value& value = model_.graph.value(root);
    return !value.producer.valid() && value.graph == GraphId(0u) && value.is_input;
  }

  void MarkOutput(ValueId output) {
    if (!output.valid()) return;
    const ValueId root = RootOf(model_, output);
    if (ProducerAtom(root) == Atoms::kNone) return;
    is_output_[root] = 1;
    crosses_[root] = 1;
  }

  void CollectReads(uint32_t atom, NodeId node) {
    for (const ValueId root : DataReads(model_, node)) {
      const uint32_t producer = ProducerAtom(root);
      if (producer == atom || (producer == Atoms::kNone && !IsModelInput(root))) continue;
      crosses_[root] = 1;
      reads_.push_back({atom, root});
    }
  }

  void NumberValues() {
    index_ = IdMap<ValueId, uint32_t>(model_.graph.values().size(), Atoms::kNone);
    for (uint32_t v = 0; v < crosses_.size(); ++v) {
      const ValueId value(v);
      if (!crosses_[value]) continue;
      index_[value] = static_cast<uint32_t>(flow_.values.size());
      flow_.values.push_back({value, ProducerAtom(value), is_output_[value] != 0});
    }
  }

  const ModelView& model_;
  const Atoms& atoms_;
  IdMap<ValueId, uint8_t> crosses_, is_output_;
  IdMap<ValueId, uint32_t> index_;
  std::vector<Edge> reads_;
  Flow flow_;
};

}  // namespace

absl::InlinedVector<ValueId, 4> DataReads(const ModelView& model, NodeId node) {
  absl::InlinedVector<ValueId, 4> roots;
  absl::flat_hash_set<ValueId> seen;
  const absl::Span<const ValueId> inputs = model.graph.inputs(node);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!ReadsData(model, node, i) || IsConstant(model, inputs[i])) continue;
    const ValueId root = RootOf(model, inputs[i]);
    const bool is_new = inputs.size() > kMostSearched ? seen.insert(root).second : !Contains(roots, root);
    if (is_new) roots.push_back(root);
  }
  return roots;
}

Flow MakeFlow(const ModelView& model, const Atoms& atoms) { return FlowBuilder(model, atoms).Run(); }

}  // namespace hwest
