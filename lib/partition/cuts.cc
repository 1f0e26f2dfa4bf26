#include "partition/cuts.h"

#include <algorithm>

namespace hwest {
namespace {

class Cutter {
 public:
  Cutter(const ModelView& model, const Usable& usable, const Atoms& atoms, size_t unit)
      : model_(model),
        graph_(model.written != nullptr ? *model.written : model.graph),
        atoms_(atoms),
        unit_(unit),
        copies_(usable.copies[unit]),
        is_copied_(copies_.size(), false) {}

  bool IsCut(uint32_t atom) {
    bool is_cut = false;
    for (const NodeId node : atoms_.atoms[atom].nodes) {
      for (const ValueId root : DataInputs(node)) is_cut |= IsCut(atom, node, root);
    }
    return is_cut;
  }

 private:
  absl::InlinedVector<ValueId, 4> DataInputs(NodeId node) const {
    absl::InlinedVector<ValueId, 4> values;
    const absl::Span<const ValueId> inputs = graph_.inputs(node);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].valid() && !IsShapeValue(model_, inputs[i]) && !IsConstant(model_, inputs[i]))
        values.push_back(inputs[i]);
    }
    return values;
  }

  // Whether the host copies `value`, or what it is a view of, for the first time, for `reader` of `atom`.
  bool IsCut(uint32_t atom, NodeId reader, ValueId value) {
    NodeId copied = copies_[reader].before ? reader : NodeId();
    NodeId producer = graph_.value(value).producer;
    while (producer.valid() && atoms_.atom_of[producer] == Atoms::kNone) {
      if (copies_[producer].before || copies_[producer].after) copied = producer;
      const absl::Span<const ValueId> inputs = graph_.inputs(producer);
      if (inputs.empty() || !inputs[0].valid()) return false;
      producer = graph_.value(inputs[0]).producer;
    }
    if (!producer.valid() || atoms_.atom_of[producer] == atom) return false;
    if (copies_[producer].after) copied = producer;
    if (!copied.valid() || atoms_.atoms[atoms_.atom_of[producer]].feasible[unit_] == 0) return false;
    if (copied == reader) return true;
    const bool is_first = !is_copied_[copied];
    is_copied_[copied] = true;
    return is_first;
  }

  const ModelView& model_;
  const Graph& graph_;  // as written: what counts as its input here may be copied there
  const Atoms& atoms_;
  const size_t unit_;
  const IdMap<NodeId, Copies>& copies_;
  IdMap<NodeId, uint8_t> is_copied_;
};

}  // namespace

std::vector<uint64_t> CutsOf(const ModelView& model, const Usable& usable, const Atoms& atoms) {
  std::vector<uint64_t> cuts;
  for (size_t unit = 0; unit < usable.units.size(); ++unit) {
    if (usable.copies[unit].empty()) continue;
    cuts.resize(atoms.atoms.size(), 0);
    Cutter cutter(model, usable, atoms, unit);
    for (uint32_t atom = 0; atom < atoms.atoms.size(); ++atom) {
      if (cutter.IsCut(atom)) cuts[atom] |= uint64_t{1} << unit;
    }
  }
  return cuts;
}

}  // namespace hwest
