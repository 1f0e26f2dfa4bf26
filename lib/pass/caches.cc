#include "pass/caches.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "op/rule.h"

namespace hwest {
namespace {

constexpr size_t kMaxSteps = 64;  // values looked at behind one output

class CacheFinder {
 public:
  CacheFinder(const Graph& graph, const Facts& facts) : graph_(graph), facts_(facts) {}

  std::vector<Cache> Run() {
    for (const ValueId output : graph_.main().outputs) {
      const ValueId input = output.valid() ? ContinuedBy(output) : ValueId();
      if (input.valid() && taken_.insert(input).second) caches_.push_back({input, output});
    }
    std::sort(caches_.begin(), caches_.end(), [](const Cache& a, const Cache& b) { return a.input < b.input; });
    return std::move(caches_);
  }

 private:
  bool IsInput(ValueId value) const {
    const Value& row = graph_.value(value);
    return row.is_input && !row.is_initializer && !row.producer.valid() && row.graph == GraphId(0u);
  }
  bool Continues(ValueId input, ValueId output) const;
  ValueId ContinuedBy(ValueId output) const;
  void AddSources(ValueId value, std::vector<ValueId>* open) const;

  const Graph& graph_;
  const Facts& facts_;
  absl::flat_hash_set<ValueId> taken_;
  std::vector<Cache> caches_;
};

bool CacheFinder::Continues(ValueId input, ValueId output) const {
  if (!IsInput(input) || taken_.contains(input)) return false;
  const Type& before = facts_.values[input].type;
  const Type& after = facts_.values[output].type;
  if (!before.is_tensor() || !after.is_tensor() || before.elem != after.elem || !IsFloat(before.elem)) return false;
  if (!before.shape.ranked() || !after.shape.ranked() || before.shape.rank() != after.shape.rank()) return false;
  int different = 0;
  for (int axis = 0; axis < before.shape.rank(); ++axis) different += before.shape.dim(axis) != after.shape.dim(axis);
  return before.shape.rank() >= 2 && different <= 1;
}

// What the elements of `value` come from, one operator back.
void CacheFinder::AddSources(ValueId value, std::vector<ValueId>* open) const {
  const NodeId producer = graph_.value(value).producer;
  if (!producer.valid()) return;
  const absl::Span<const ValueId> inputs = graph_.inputs(producer);
  const absl::Span<const ValueId> outputs = graph_.outputs(producer);
  const OpRule* rule = RuleOf(graph_, producer);
  const InputMask moved = rule == nullptr ? 0 : rule->moved;
  const bool is_side = !outputs.empty() && outputs[0] != value;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid()) continue;
    if (Covers(moved, i) || (moved == 0 && is_side && IsInput(inputs[i]))) open->push_back(inputs[i]);
  }
}

ValueId CacheFinder::ContinuedBy(ValueId output) const {
  std::vector<ValueId> open = {output};
  for (size_t i = 0; i < open.size() && i < kMaxSteps; ++i) {
    if (open[i] != output && Continues(open[i], output)) return open[i];
    AddSources(open[i], &open);
  }
  return ValueId();
}

}  // namespace

std::vector<Cache> FindCaches(const Graph& graph, const Facts& facts) { return CacheFinder(graph, facts).Run(); }

}  // namespace hwest
