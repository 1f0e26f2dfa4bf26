#include "llm/structure.h"

#include <algorithm>
#include <utility>

#include "base/checked_math.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/weights.h"

namespace hwest {
namespace {

constexpr size_t kMostSteps = 100'000;  // nodes that one walk looks at

class StructureFinder {
 public:
  explicit StructureFinder(const Analysis& analysis)
      : analysis_(analysis), graph_(*analysis.graph), weights_(*analysis.graph) {}

  DecoderStructure Run() {
    SelectNodes();
    FindProducts();
    FindStates();
    FindCores();
    FindLevels();
    FindHead();
    FindInside();
    FindTables();
    return std::move(found_);
  }

 private:
  // Where a walk went.
  struct Walk {
    std::vector<NodeId> nodes;  // no products
    std::vector<int> products;
    std::vector<ValueId> inputs;
    bool ends_outside = false;  // at an output of the graph
  };

  bool Runs(NodeId node) const { return runs_[node.index()]; }
  int ProductAt(NodeId node) const {
    const auto found = product_at_.find(node);
    return found == product_at_.end() ? -1 : found->second;
  }
  // Through outputs of a branch.
  ValueId Inner(ValueId value) const {
    for (auto found = inner_.find(value); found != inner_.end(); found = inner_.find(value)) value = found->second;
    return value;
  }
  const Type& TypeOf(ValueId value) const { return analysis_.facts.values[value].type; }
  bool IsFixed(ValueId value) const { return IsConstantValue(graph_, analysis_.classes, value); }
  std::optional<int64_t> At1(Dim dim) const { return SizeAtOne(analysis_, dim); }

  void SelectNodes();
  GraphId BranchOf(NodeId node) const;
  int64_t InputsRead(GraphId body) const;
  void FindProducts();
  std::optional<Product> ReadProduct(NodeId node) const;
  void AddExperts(NodeId node, Product* product) const;
  void FindStates();
  bool IsStateInput(ValueId input, std::vector<ValueId>* outputs) const;
  void FindCores();
  void FindLevels();
  void FindHead();
  void FindInside();
  void FindTables();
  void VisitUses(ValueId value, std::vector<NodeId>* open) const;
  Walk Forward(const std::vector<NodeId>& from) const;
  Walk Backward(const std::vector<NodeId>& from) const;
  bool ReachesOneCore(int product, int* core, std::vector<NodeId>* between) const;

  const Analysis& analysis_;
  const Graph& graph_;
  const Weights weights_;
  DecoderStructure found_;
  std::vector<bool> runs_;
  absl::flat_hash_map<NodeId, int> product_at_;
  absl::flat_hash_map<ValueId, ValueId> inner_;  // output of a control node: that of its branch
  absl::flat_hash_map<ValueId, ValueId> outer_;  // the other way
  std::vector<NodeId> seeds_;
  absl::flat_hash_set<NodeId> seed_set_;
};

int64_t StructureFinder::InputsRead(GraphId body) const {
  int64_t read = 0;
  for (const NodeId node : graph_.body(body).nodes) {
    for (const ValueId input : graph_.inputs(node)) {
      if (!input.valid()) continue;
      const Value& value = graph_.value(input);
      read += value.is_input && !value.is_initializer && value.graph == GraphId(0u);
    }
  }
  return read;
}

// Of several branches the one that reads more inputs of the model: the one with a cache.
GraphId StructureFinder::BranchOf(NodeId node) const {
  GraphId best;
  int64_t most = -1;
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      const int64_t read = InputsRead(body);
      if (read > most) best = body;
      most = std::max(most, read);
    }
  }
  return best;
}

void StructureFinder::SelectNodes() {
  runs_.assign(graph_.nodes().size(), false);
  std::vector<GraphId> open = {GraphId(0u)};
  for (size_t b = 0; b < open.size(); ++b) {
    for (const NodeId node : graph_.body(open[b]).nodes) {
      if (IsFolded(analysis_.classes[node])) continue;
      if (HasTrait(graph_, node, trait::kBranches)) {
        const GraphId branch = BranchOf(node);
        if (!branch.valid()) continue;
        open.push_back(branch);
        const std::vector<ValueId>& inside = graph_.body(branch).outputs;
        const auto outputs = graph_.outputs(node);
        for (size_t i = 0; i < std::min(inside.size(), outputs.size()); ++i) {
          if (!outputs[i].valid() || !inside[i].valid()) continue;
          inner_[outputs[i]] = inside[i];
          outer_[inside[i]] = outputs[i];
        }
        continue;
      }
      runs_[node.index()] = true;
      found_.nodes.push_back(node);
    }
  }
  std::sort(found_.nodes.begin(), found_.nodes.end());
}

// Rank and experts of a table of matrices, of which a token reads some.
void StructureFinder::AddExperts(NodeId node, Product* product) const {
  const std::optional<Work>& work = analysis_.work[node];
  const OpRule* rule = RuleOf(graph_, node);
  const auto inputs = graph_.inputs(node);
  for (size_t i = 0; i < inputs.size() && i < work->reads.size(); ++i) {
    if (!work->reads[i].has_value() || !inputs[i].valid() || !IsFixed(inputs[i])) continue;
    if (rule != nullptr && Covers(rule->scales, i)) continue;
    const Shape& shape = TypeOf(inputs[i]).shape;
    if (!shape.ranked() || shape.rank() != 3 || !shape.dim(0).is_constant()) continue;
    product->experts = shape.dim(0).value();
  }
}

std::optional<Product> StructureFinder::ReadProduct(NodeId node) const {
  const std::optional<Work>& work = analysis_.work[node];
  if (!work.has_value()) return std::nullopt;
  const auto inputs = graph_.inputs(node);
  Product product{.node = node};
  bool has_matrix = false;
  for (const ValueId input : inputs) {
    if (!input.valid()) continue;
    if (!IsFixed(input)) {
      if (!product.input.valid()) product.input = Inner(input);
      continue;
    }
    const Shape& shape = TypeOf(input).shape;
    has_matrix |= shape.ranked() && shape.rank() >= 1 && TypeOf(input).is_tensor();
  }
  if (!has_matrix || !product.input.valid()) return std::nullopt;
  AddExperts(node, &product);
  int64_t largest = 0;
  for (const Contraction& c : work->contractions) {
    if (c.kind != ContractionKind::kMatMul && c.kind != ContractionKind::kConv) continue;
    const auto n = At1(c.n), k = At1(c.k), m = At1(c.m), batch = At1(c.batch);
    if (!n || !k || !m || !batch || *n < 1 || *k < 2) continue;
    const std::optional<int64_t> elements = CheckedMul(*n, *k), rows = CheckedMul(*m, *batch);
    if (!elements || !rows) continue;
    product.used = SaturatingAdd(product.used, *elements);
    if (product.k > 0 && *n == product.k) product.width = *k;
    if (*elements < largest) continue;
    largest = *elements;
    product.n = *n;
    product.k = *k;
    product.rows = *rows;
  }
  if (product.used == 0) return std::nullopt;
  product.stored = product.used;
  if (product.experts > 0) product.stored = CheckedMul(product.used, product.experts).value_or(INT64_MAX);
  return product;
}

void StructureFinder::FindProducts() {
  absl::flat_hash_map<int64_t, int64_t> weight_of_rows;
  for (const NodeId node : found_.nodes) {
    if (const auto product = ReadProduct(node)) {
      product_at_[node] = static_cast<int>(found_.products.size());
      found_.products.push_back(*product);
      if (product->experts == 0) {
        int64_t& weight = weight_of_rows[product->rows];
        weight = SaturatingAdd(weight, 1);
      }
    }
  }
  int64_t most = 0;
  for (const auto& [rows, weight] : weight_of_rows) {
    if (weight < most || (weight == most && rows > found_.tokens)) continue;
    most = weight;
    found_.tokens = rows;
  }
  found_.tokens = std::max<int64_t>(found_.tokens, 1);
  for (Product& product : found_.products) {
    if (product.experts == 0) continue;
    product.active = std::max<int64_t>(1, product.rows / found_.tokens);
    product.used = CheckedMul(product.used, product.active).value_or(INT64_MAX);
  }
}

// An input of fixed size that an output of the same size continues.
bool StructureFinder::IsStateInput(ValueId input, std::vector<ValueId>* outputs) const {
  const Type& type = TypeOf(input);
  if (!type.is_tensor() || !IsFloat(type.elem) || !type.shape.ranked() || type.shape.rank() < 3) return false;
  for (int axis = 1; axis < type.shape.rank(); ++axis) {
    if (!type.shape.dim(axis).is_constant()) return false;
  }
  for (ValueId& output : *outputs) {
    if (!output.valid()) continue;
    const Type* declared = graph_.declared(output);
    const bool is_same = TypeOf(output).shape == type.shape || (declared != nullptr && declared->shape == type.shape);
    if (TypeOf(output).elem != type.elem || !is_same) continue;
    output = ValueId();
    return true;
  }
  return false;
}

void StructureFinder::FindStates() {
  for (const NodeId node : found_.nodes) {
    const std::optional<Work>& work = analysis_.work[node];
    if (!work.has_value()) continue;
    const auto is_core = [](const Contraction& c) { return c.kind == ContractionKind::kActivation; };
    if (std::any_of(work->contractions.begin(), work->contractions.end(), is_core)) seed_set_.insert(node);
  }
  std::vector<ValueId> outputs = graph_.main().outputs;
  for (const ValueId input : graph_.main().inputs) {
    if (graph_.value(input).is_initializer || !IsStateInput(input, &outputs)) continue;
    for (const Use& use : graph_.uses(input)) {
      if (Runs(use.node) && ProductAt(use.node) < 0) seed_set_.insert(use.node);
    }
  }
  seeds_.assign(seed_set_.begin(), seed_set_.end());
  std::sort(seeds_.begin(), seeds_.end());
}

void StructureFinder::VisitUses(ValueId value, std::vector<NodeId>* open) const {
  for (bool more = true; more;) {
    for (const Use& use : graph_.uses(value)) {
      if (Runs(use.node)) open->push_back(use.node);
    }
    const auto outer = outer_.find(value);
    more = outer != outer_.end();
    if (more) value = outer->second;
  }
}

// From the nodes on, up to products.
StructureFinder::Walk StructureFinder::Forward(const std::vector<NodeId>& from) const {
  Walk walk;
  absl::flat_hash_set<NodeId> seen(from.begin(), from.end());
  walk.nodes = from;
  for (size_t i = 0; i < walk.nodes.size() && i < kMostSteps; ++i) {
    std::vector<NodeId> next;
    for (const ValueId output : graph_.outputs(walk.nodes[i])) {
      if (!output.valid()) continue;
      walk.ends_outside |= graph_.value(output).is_output;
      VisitUses(output, &next);
    }
    for (const NodeId node : next) {
      if (!seen.insert(node).second) continue;
      const int product = ProductAt(node);
      if (product >= 0) {
        walk.products.push_back(product);
      } else {
        walk.nodes.push_back(node);
      }
    }
  }
  return walk;
}

// From the nodes back, up to products.
StructureFinder::Walk StructureFinder::Backward(const std::vector<NodeId>& from) const {
  Walk walk;
  absl::flat_hash_set<NodeId> seen(from.begin(), from.end());
  absl::flat_hash_set<ValueId> inputs;
  walk.nodes = from;
  for (size_t i = 0; i < walk.nodes.size() && i < kMostSteps; ++i) {
    const bool is_own = ProductAt(walk.nodes[i]) >= 0;
    for (const ValueId outer : graph_.inputs(walk.nodes[i])) {
      if (!outer.valid()) continue;
      const ValueId input = Inner(outer);
      const Value& value = graph_.value(input);
      if (value.is_input && !value.is_initializer && value.graph == GraphId(0u) && inputs.insert(input).second) {
        walk.inputs.push_back(input);
      }
      const NodeId producer = value.producer;
      if (is_own || !producer.valid() || !Runs(producer) || !seen.insert(producer).second) continue;
      const int product = ProductAt(producer);
      if (product >= 0) {
        walk.products.push_back(product);
      } else {
        walk.nodes.push_back(producer);
      }
    }
  }
  return walk;
}

// Seeds that one walk reaches are of one core.
void StructureFinder::FindCores() {
  absl::flat_hash_map<NodeId, size_t> group_of;  // of every node that a walk reached
  size_t groups = 0;
  for (const NodeId seed : seeds_) {
    const Walk walk = Forward({seed});
    const size_t group = groups++;
    absl::flat_hash_set<size_t> merged;
    for (const NodeId node : walk.nodes) {
      const auto [known, is_new] = group_of.try_emplace(node, group);
      if (!is_new) merged.insert(known->second);
    }
    if (merged.empty()) continue;
    for (auto& [node, of] : group_of) {
      if (merged.contains(of)) of = group;
    }
  }
  std::vector<std::vector<NodeId>> seeds(groups);
  for (const NodeId seed : seeds_) seeds[group_of[seed]].push_back(seed);
  for (std::vector<NodeId>& of_core : seeds) {
    if (of_core.empty()) continue;
    Core core{.seeds = std::move(of_core)};
    found_.cores.push_back(std::move(core));
  }
  std::sort(found_.cores.begin(), found_.cores.end(),
            [](const Core& a, const Core& b) { return a.seeds.back() < b.seeds.back(); });
  for (size_t c = 0; c < found_.cores.size(); ++c) {
    Core& core = found_.cores[c];
    Walk back = Backward(core.seeds), on = Forward(core.seeds);
    core.before = std::move(back.products);
    core.after = std::move(on.products);
    for (const NodeId seed : core.seeds) {
      if (ProductAt(seed) >= 0) core.before.push_back(ProductAt(seed));
    }
    core.inputs = std::move(back.inputs);
    for (const Walk* walk : {&back, &on}) {
      for (const NodeId node : walk->nodes) found_.core_of.try_emplace(node, static_cast<int>(c));
    }
    for (const NodeId seed : core.seeds) found_.core_of[seed] = static_cast<int>(c);
    for (const std::vector<int>* of : {&core.before, &core.after}) {
      for (const int product : *of) found_.products[static_cast<size_t>(product)].core = static_cast<int>(c);
    }
  }
}

void StructureFinder::FindLevels() {
  for (const NodeId node : found_.nodes) {
    int level = 0;
    for (const ValueId outer : graph_.inputs(node)) {
      if (!outer.valid()) continue;
      const auto before = found_.level.find(graph_.value(Inner(outer)).producer);
      if (before != found_.level.end()) level = std::max(level, before->second);
    }
    if (seed_set_.contains(node)) level = std::max(level, found_.core_of[node] + 1);
    found_.level[node] = level;
  }
}

// Logits: what widens the last hidden state and leaves the graph.
void StructureFinder::FindHead() {
  for (Product& product : found_.products) {
    if (product.core >= 0 || product.experts > 0 || product.n <= product.k) continue;
    const Walk walk = Forward({product.node});
    if (!walk.ends_outside || !walk.products.empty()) continue;
    product.is_head = true;
    found_.of_head.insert(walk.nodes.begin(), walk.nodes.end());
  }
}

// Whether all that follows from `product` goes into one core.
bool StructureFinder::ReachesOneCore(int product, int* core, std::vector<NodeId>* between) const {
  std::vector<NodeId> open = {found_.products[static_cast<size_t>(product)].node};
  absl::flat_hash_set<NodeId> seen(open.begin(), open.end());
  *core = -1;
  size_t steps = 0;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (++steps > kMostSteps) return false;
    const int at = ProductAt(node);
    if (at >= 0 && found_.products[static_cast<size_t>(at)].is_head) return false;
    between->push_back(node);
    std::vector<NodeId> next;
    for (const ValueId output : graph_.outputs(node)) {
      if (output.valid()) VisitUses(output, &next);
    }
    for (const NodeId after : next) {
      const auto of = seed_set_.contains(after) ? found_.core_of.find(after) : found_.core_of.end();
      if (of != found_.core_of.end()) {
        if (*core >= 0 && *core != of->second) return false;
        *core = of->second;
      } else if (seen.insert(after).second) {
        open.push_back(after);
      }
    }
  }
  return *core >= 0;
}

void StructureFinder::FindInside() {
  for (size_t p = 0; p < found_.products.size(); ++p) {
    Product& product = found_.products[p];
    if (product.core >= 0 || product.is_head) continue;
    int core = -1;
    std::vector<NodeId> between;
    if (!ReachesOneCore(static_cast<int>(p), &core, &between)) continue;
    product.core = core;
    found_.cores[static_cast<size_t>(core)].inside.push_back(static_cast<int>(p));
    for (const NodeId node : between) found_.core_of.try_emplace(node, core);
  }
}

void StructureFinder::FindTables() {
  for (const NodeId node : found_.nodes) {
    const std::optional<Work>& work = analysis_.work[node];
    if (!work.has_value() || ProductAt(node) >= 0 || seed_set_.contains(node)) continue;
    const auto inputs = graph_.inputs(node), outputs = graph_.outputs(node);
    const OpRule* rule = RuleOf(graph_, node);
    if (outputs.empty() || !outputs[0].valid() || rule == nullptr) continue;
    const Type& picked = TypeOf(outputs[0]);
    if (!picked.is_tensor() || !picked.shape.ranked() || picked.shape.rank() < 2 || !IsFloat(picked.elem)) continue;
    for (size_t i = 0; i < inputs.size() && i < work->reads.size(); ++i) {
      if (!work->reads[i].has_value() || !inputs[i].valid() || !IsFixed(inputs[i]) || Covers(rule->scales, i)) continue;
      const Shape& shape = TypeOf(inputs[i]).shape;
      const auto width = At1(picked.shape.dim(picked.shape.rank() - 1));
      if (!shape.ranked() || shape.rank() != 2 || !shape.dim(0).is_constant() || !width) continue;
      found_.tables.push_back({node, inputs[i], shape.dim(0).value(), *width});
    }
  }
}

}  // namespace

DecoderStructure FindStructure(const Analysis& analysis) { return StructureFinder(analysis).Run(); }

std::optional<int64_t> SizeAtOne(const Analysis& analysis, Dim dim) {
  if (dim.is_constant()) return dim.value();
  if (dim.is_unknown()) return std::nullopt;
  DimPool dims(analysis.dims.get());
  Binding ones;
  for (const SymbolId symbol : dims.SymbolsOf(dim)) ones[symbol] = 1;
  const Dim at = dims.Substitute(dim, ones);
  return at.is_constant() ? std::optional<int64_t>(at.value()) : std::nullopt;
}

ConstantId StoredConstant(const Graph& graph, ValueId value) {
  constexpr int kMostHops = 16;
  for (int hop = 0; hop < kMostHops; ++hop) {
    if (graph.value(value).constant.valid()) return graph.value(value).constant;
    const NodeId producer = graph.value(value).producer;
    if (!producer.valid() || !graph.IsConstant(value)) return ConstantId();
    const auto inputs = graph.inputs(producer);
    if (inputs.empty() || !inputs[0].valid()) return ConstantId();
    value = inputs[0];
  }
  return ConstantId();
}

}  // namespace hwest
