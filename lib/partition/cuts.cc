#include "partition/cuts.h"

#include "pass/classify.h"

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
        is_cut_(atoms.atoms.size(), false) {}

  // Atoms at which another segment begins.
  std::vector<bool> Run() {
    for (uint32_t atom = 0; atom < is_cut_.size(); ++atom) {
      for (const NodeId node : atoms_.atoms[atom].nodes) {
        for (const ValueId input : DataInputs(node)) AddReader(atom, node, input);
      }
    }
    for (uint32_t v = 0; v < graph_.values().size(); ++v) {
      if (graph_.value(ValueId(v)).is_output) AddGiven(ValueId(v));
    }
    return std::move(is_cut_);
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

  // What makes `value`, or what it is a view of, and whether the host copies it on its way.
  struct Source {
    NodeId producer;  // of a kernel; none for inputs
    bool is_copied = false;
  };
  Source SourceOf(ValueId value) const {
    Source source{.producer = graph_.value(value).producer};
    while (source.producer.valid() && atoms_.atom_of[source.producer] == Atoms::kNone) {
      source.is_copied |= copies_[source.producer].before || copies_[source.producer].after;
      value = ViewedBy(graph_, model_.classes, value);
      if (!value.valid()) return {};
      source.producer = graph_.value(value).producer;
    }
    if (source.producer.valid()) source.is_copied |= copies_[source.producer].after;
    return source;
  }

  bool IsOnUnit(NodeId producer) const {
    return producer.valid() && atoms_.atoms[atoms_.atom_of[producer]].feasible[unit_] != 0;
  }

  void AddReader(uint32_t atom, NodeId reader, ValueId value) {
    const Source source = SourceOf(value);
    if (!IsOnUnit(source.producer) || atoms_.atom_of[source.producer] == atom) return;
    if (copies_[reader].before) is_cut_[atom] = true;
    if (source.is_copied && atoms_.atoms[atom].feasible[unit_] != 0) CutBehind(source.producer);
  }

  void AddGiven(ValueId value) {
    const Source source = SourceOf(value);
    if (!IsOnUnit(source.producer)) return;
    if (source.is_copied || copies_[graph_.value(value).producer].given) CutBehind(source.producer);
  }

  void CutBehind(NodeId producer) {
    const uint32_t next = atoms_.atom_of[producer] + 1;
    if (next < is_cut_.size()) is_cut_[next] = true;
  }

  const ModelView& model_;
  const Graph& graph_;  // as written: what counts as its input here may be copied there
  const Atoms& atoms_;
  const size_t unit_;
  const IdMap<NodeId, Copies>& copies_;
  std::vector<bool> is_cut_;
};

}  // namespace

std::vector<uint64_t> CutsOf(const ModelView& model, const Usable& usable, const Atoms& atoms) {
  std::vector<uint64_t> cuts;
  for (size_t unit = 0; unit < usable.units.size(); ++unit) {
    if (usable.copies[unit].empty()) continue;
    cuts.resize(atoms.atoms.size(), 0);
    const std::vector<bool> is_cut = Cutter(model, usable, atoms, unit).Run();
    for (uint32_t atom = 0; atom < atoms.atoms.size(); ++atom) {
      if (is_cut[atom]) cuts[atom] |= uint64_t{1} << unit;
    }
  }
  return cuts;
}

}  // namespace hwest
