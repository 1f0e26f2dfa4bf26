#include "pass/alike.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "op/rule.h"
#include "pass/classify.h"

namespace hwest {

bool SameAttribute(const Attribute& a, const Attribute& b) {
  return a.name == b.name && a.kind == b.kind && a.i == b.i && a.f == b.f && a.s == b.s && a.ints == b.ints &&
         a.floats == b.floats && a.strings == b.strings && a.tensors == b.tensors && a.graphs == b.graphs;
}

namespace {

constexpr size_t kMostCompared = 16;  // elements of contents; longer ones are alike when they are the same

size_t MixWord(size_t hash, size_t word) { return (hash ^ word) * 0x9E3779B97F4A7C15u + (hash >> 29); }

class AlikeFinder {
 public:
  AlikeFinder(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
              const IdMap<ValueId, ValueId>& roots)
      : graph_(graph), facts_(facts), classes_(classes), roots_(roots) {}

  IdMap<NodeId, NodeId> Run() {
    IdMap<NodeId, NodeId> alike;
    alike.reserve(graph_.nodes().size());
    for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
      const NodeId node(n);
      // Of nodes whose hashes meet and that differ, the later one has no match: an answer less is no wrong one.
      const NodeId first = first_.try_emplace(HashOf(node), node).first->second;
      alike.push_back(first == node || AreAlike(first, node) ? first : node);
    }
    return alike;
  }

 private:
  size_t HashOf(NodeId node) const;
  bool AreAlike(NodeId a, NodeId b) const;
  bool SameInput(ValueId a, ValueId b) const;
  bool SameOutput(ValueId a, ValueId b) const;
  bool SameReaders(ValueId a, ValueId b) const;
  bool SameFact(ValueId a, ValueId b) const;
  bool SameParts(ValueId a, ValueId b) const;

  StrId MakerOf(ValueId value) const {
    const NodeId producer = graph_.value(value).producer;
    return producer.valid() ? graph_.node(producer).op : StrId();
  }
  bool IsGiven(ValueId value) const { return graph_.value(value).is_input && !graph_.value(value).is_initializer; }
  // Made by shape arithmetic, directly or seen through views.
  bool IsOfShapes(ValueId value) const {
    const NodeId producer = graph_.value(roots_[value]).producer;
    return producer.valid() && classes_[producer] == NodeClass::kShape;
  }

  const Graph& graph_;
  const Facts& facts_;
  const IdMap<NodeId, NodeClass>& classes_;
  const IdMap<ValueId, ValueId>& roots_;
  absl::flat_hash_map<size_t, NodeId> first_;
};

size_t AlikeFinder::HashOf(NodeId node) const {
  const Node& row = graph_.node(node);
  size_t hash = MixWord(row.op.index(), row.num_inputs * 64 + row.num_outputs * 8 + row.num_attributes);
  for (const Attribute& attribute : graph_.attributes(node)) {
    hash = MixWord(hash, static_cast<size_t>(attribute.i) + attribute.name.index());
    for (const int64_t value : attribute.ints) hash = MixWord(hash, static_cast<size_t>(value));
  }
  for (const auto& values : {graph_.inputs(node), graph_.outputs(node)}) {
    for (const ValueId value : values) {
      if (!value.valid()) continue;
      const Shape& shape = facts_.values[value].type.shape;
      if (!shape.ranked()) continue;
      for (const Dim dim : shape.dims()) hash = MixWord(hash, absl::Hash<Dim>()(dim));
      hash = MixWord(hash, graph_.uses(value).size());
    }
  }
  return hash;
}

bool SameContents(const Known& a, const Known& b) {
  if (a == b) return true;
  return a != nullptr && b != nullptr && a->size() <= kMostCompared && *a == *b;
}

bool AlikeFinder::SameFact(ValueId a, ValueId b) const {
  const ValueFact &one = facts_.values[a], &other = facts_.values[b];
  return one.type == other.type && SameContents(one.known, other.known);
}

// As many parts, where a concatenation makes both, and read by as many.
bool AlikeFinder::SameParts(ValueId a, ValueId b) const {
  const NodeId maker = graph_.value(a).producer, other = graph_.value(b).producer;
  if (!maker.valid() || !other.valid() || !HasTrait(graph_, maker, trait::kJoins)) return true;
  return graph_.inputs(maker).size() == graph_.inputs(other).size() && graph_.uses(a).size() == graph_.uses(b).size() &&
         graph_.value(a).is_output == graph_.value(b).is_output;
}

bool AlikeFinder::SameInput(ValueId a, ValueId b) const {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  return SameFact(a, b) && MakerOf(a) == MakerOf(b) && MakerOf(roots_[a]) == MakerOf(roots_[b]) && SameParts(a, b) &&
         IsGiven(a) == IsGiven(b) && IsConstantValue(graph_, classes_, a) == IsConstantValue(graph_, classes_, b) &&
         IsOfShapes(a) == IsOfShapes(b);
}

bool AlikeFinder::SameOutput(ValueId a, ValueId b) const {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  return SameFact(a, b) && facts_.IsNeeded(a) == facts_.IsNeeded(b) && SameReaders(a, b);
}

// Of views, also those behind them.
bool AlikeFinder::SameReaders(ValueId a, ValueId b) const {
  const auto same_user = [this](const Use& x, const Use& y) {
    if (graph_.node(x.node).op != graph_.node(y.node).op) return false;
    if (x.input != y.input && !HasTrait(graph_, x.node, trait::kCommutes)) return false;
    const bool is_view = classes_[x.node] == NodeClass::kView;
    if (is_view != (classes_[y.node] == NodeClass::kView)) return false;
    return !is_view || SameReaders(graph_.outputs(x.node)[0], graph_.outputs(y.node)[0]);
  };
  const absl::Span<const Use> uses = graph_.uses(a), other = graph_.uses(b);
  return graph_.value(a).is_output == graph_.value(b).is_output &&
         std::equal(uses.begin(), uses.end(), other.begin(), other.end(), same_user);
}

bool AlikeFinder::AreAlike(NodeId a, NodeId b) const {
  const Node &row = graph_.node(a), &other = graph_.node(b);
  if (row.op != other.op || row.domain != other.domain || row.opset != other.opset || classes_[a] != classes_[b]) {
    return false;
  }
  const auto same = [](const auto& x, const auto& y, auto is_same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), is_same);
  };
  return same(graph_.attributes(a), graph_.attributes(b), SameAttribute) &&
         same(graph_.inputs(a), graph_.inputs(b), [this](ValueId x, ValueId y) { return SameInput(x, y); }) &&
         same(graph_.outputs(a), graph_.outputs(b), [this](ValueId x, ValueId y) { return SameOutput(x, y); });
}

}  // namespace

IdMap<NodeId, NodeId> FindAlike(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                                const IdMap<ValueId, ValueId>& roots) {
  return AlikeFinder(graph, facts, classes, roots).Run();
}

}  // namespace hwest
