#include "partition/atoms.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "partition/order.h"
#include "partition/width_first.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// DisjointSets joins ids; the representative of a set is its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  uint32_t Find(uint32_t id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }
  void Join(uint32_t a, uint32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<uint32_t> parent_;
};

bool IsAcyclic(const std::vector<uint32_t>& component) {
  return component.empty() || *std::max_element(component.begin(), component.end()) + 1 == component.size();
}

class AtomsBuilder {
 public:
  AtomsBuilder(const ModelView& model, const Target& target, const Usable& usable)
      : model_(model), target_(target), usable_(usable), block_of_(model.graph.nodes().size(), 0) {}

  Atoms Run() {
    JoinGroups();
    JoinCycles();
    SplitRefused();
    while (BreakCyclesOnce()) {
    }
    SplitUnplaceable();
    return Order();
  }

 private:
  bool IsKernelNode(NodeId node) const { return IsKernel(model_.classes[node]); }
  bool IsAccelerator(size_t unit) const { return !IsCpu(target_.units[usable_.units[unit].unit]); }
  void Number(DisjointSets& sets);
  void JoinGroups();
  void JoinCycles();
  void SplitRefused();
  bool BreakCyclesOnce();
  void SplitUnplaceable();
  void SplitIntoNodes(const std::vector<bool>& split);
  const BlockGraph& Blocks();
  bool Feasible(size_t unit, absl::Span<const NodeId> nodes) const;
  bool IsWhole(const Group& group) const;
  size_t BestAccelerator(absl::Span<const NodeId> nodes) const;
  BlockMembers Members() const;
  Atoms Order();

  const ModelView& model_;
  const Target& target_;
  const Usable& usable_;
  IdMap<NodeId, uint32_t> block_of_;  // every node, kernel or not
  uint32_t num_blocks_ = 0;
  std::optional<BlockGraph> graph_;  // of the blocks as they are numbered
  bool is_acyclic_ = false;          // the blocks that JoinCycles saw
};

const BlockGraph& AtomsBuilder::Blocks() {
  if (!graph_.has_value()) graph_ = MakeBlockGraph(model_.graph, block_of_, num_blocks_);
  return *graph_;
}

// Dense block numbers in order of the smallest node.
void AtomsBuilder::Number(DisjointSets& sets) {
  std::vector<uint32_t> number(block_of_.size(), Atoms::kNone);
  graph_.reset();
  num_blocks_ = 0;
  for (uint32_t n = 0; n < block_of_.size(); ++n) {
    uint32_t& block = number[sets.Find(n)];
    if (block == Atoms::kNone) block = num_blocks_++;
    block_of_[NodeId(n)] = block;
  }
}

void AtomsBuilder::JoinGroups() {
  DisjointSets sets(block_of_.size());
  for (size_t unit = 0; unit < usable_.units.size(); ++unit) {
    for (const Group& group : usable_.overlays[unit]->groups) {
      if (group.nodes.size() < 2 || !usable_.Runs(unit, group, model_.classes)) continue;
      // Views and folded nodes inside a match are left out: they run nowhere and may be shared.
      NodeId first;
      for (const NodeId node : group.nodes) {
        if (!IsKernelNode(node)) continue;
        if (first.valid()) sets.Join(first.index(), node.index());
        if (!first.valid()) first = node;
      }
    }
  }
  Number(sets);
}

BlockMembers AtomsBuilder::Members() const {
  return BlockMembers(block_of_, num_blocks_, [this](NodeId node) { return IsKernelNode(node); });
}

void AtomsBuilder::JoinCycles() {
  const std::vector<uint32_t> component = Components(Blocks());
  is_acyclic_ = IsAcyclic(component);
  if (is_acyclic_) return;
  DisjointSets sets(block_of_.size());
  std::vector<uint32_t> first(num_blocks_, Atoms::kNone);
  for (uint32_t n = 0; n < block_of_.size(); ++n) {
    uint32_t& head = first[component[block_of_[NodeId(n)]]];
    if (head == Atoms::kNone) head = n;
    sets.Join(head, n);
  }
  Number(sets);
}

bool AtomsBuilder::IsWhole(const Group& group) const {
  uint32_t block = Atoms::kNone;
  for (const NodeId node : group.nodes) {
    if (!IsKernelNode(node)) continue;
    if (block != Atoms::kNone && block != block_of_[node]) return false;
    block = block_of_[node];
  }
  return true;
}

bool AtomsBuilder::Feasible(size_t unit, absl::Span<const NodeId> nodes) const {
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    const Ability use = usable_.use[unit][node];
    if (use != Ability::kOnlyInGroup) return use == Ability::kYes;
    const GroupId id = usable_.overlays[unit]->group_of[node];
    if (!id.valid()) return false;
    const Group& group = usable_.overlays[unit]->groups[id];
    return usable_.Runs(unit, group, model_.classes) && IsWhole(group);
  });
}

// The accelerator that can run the most nodes; units.size() when none runs any.
size_t AtomsBuilder::BestAccelerator(absl::Span<const NodeId> nodes) const {
  size_t best = usable_.units.size();
  int64_t most = 0;
  for (size_t unit = 0; unit < usable_.units.size(); ++unit) {
    if (!IsAccelerator(unit)) continue;
    const int64_t count =
        std::count_if(nodes.begin(), nodes.end(), [&](NodeId node) { return usable_.use[unit][node] != Ability::kNo; });
    if (count <= most) continue;
    most = count;
    best = unit;
  }
  return best;
}

void AtomsBuilder::SplitRefused() {
  const BlockMembers members = Members();
  DisjointSets sets(block_of_.size());
  bool any = false;
  for (uint32_t block = 0; block < num_blocks_; ++block) {
    const absl::Span<const NodeId> nodes = members[block];
    if (nodes.size() < 2) continue;
    bool whole = false;
    for (size_t unit = 0; unit < usable_.units.size(); ++unit) {
      whole = whole || (IsAccelerator(unit) && Feasible(unit, nodes));
    }
    const size_t best = whole ? usable_.units.size() : BestAccelerator(nodes);
    if (best == usable_.units.size()) {
      for (const NodeId node : nodes) sets.Join(nodes[0].index(), node.index());
      continue;
    }
    any = true;
    const Overlay& overlay = *usable_.overlays[best];
    absl::flat_hash_map<GroupId, uint32_t> head;
    for (const NodeId node : nodes) {
      const GroupId id = overlay.group_of[node];
      if (!id.valid() || !usable_.Runs(best, overlay.groups[id], model_.classes)) continue;
      sets.Join(head.try_emplace(id, node.index()).first->second, node.index());
    }
  }
  // Without a cycle only kernels are joined, so the sets are the same blocks as before.
  if (any || !is_acyclic_) Number(sets);
}

void AtomsBuilder::SplitIntoNodes(const std::vector<bool>& split) {
  DisjointSets sets(block_of_.size());
  std::vector<uint32_t> first(num_blocks_, Atoms::kNone);
  for (uint32_t n = 0; n < block_of_.size(); ++n) {
    const uint32_t block = block_of_[NodeId(n)];
    if (split[block]) continue;
    if (first[block] == Atoms::kNone) first[block] = n;
    sets.Join(first[block], n);
  }
  Number(sets);
}

// Splits blocks on a cycle into nodes; a cycle through only views and folded nodes is one block and these.
bool AtomsBuilder::BreakCyclesOnce() {
  if (is_acyclic_ && graph_.has_value()) return false;  // the blocks are those that JoinCycles saw
  const std::vector<uint32_t> component = Components(Blocks());
  if (IsAcyclic(component)) return false;
  std::vector<uint32_t> blocks(component.size(), 0), kernel_blocks(component.size(), 0);
  const BlockMembers members = Members();
  for (uint32_t block = 0; block < num_blocks_; ++block) {
    ++blocks[component[block]];
    kernel_blocks[component[block]] += !members[block].empty();
  }
  DisjointSets sets(block_of_.size());
  std::vector<uint32_t> head(component.size(), Atoms::kNone);
  bool any = false;
  for (uint32_t n = 0; n < block_of_.size(); ++n) {
    const uint32_t c = component[block_of_[NodeId(n)]];
    any = any || blocks[c] > 1;
    if (kernel_blocks[c] > 1) continue;
    if (head[c] == Atoms::kNone) head[c] = n;
    sets.Join(head[c], n);
  }
  if (any) Number(sets);
  return any;
}

void AtomsBuilder::SplitUnplaceable() {
  const BlockMembers members = Members();
  std::vector<bool> split(num_blocks_, false);
  bool any = false;
  for (uint32_t block = 0; block < num_blocks_; ++block) {
    if (members[block].size() < 2) continue;
    bool feasible = false;
    for (size_t unit = 0; unit < usable_.units.size(); ++unit) feasible = feasible || Feasible(unit, members[block]);
    split[block] = !feasible;
    any = any || !feasible;
  }
  if (any) SplitIntoNodes(split);
}

Atoms AtomsBuilder::Order() {
  const BlockMembers members = Members();
  std::vector<bool> on_host(num_blocks_, false);
  std::vector<Atom> atoms(num_blocks_);
  for (uint32_t block = 0; block < num_blocks_; ++block) {
    if (members[block].empty()) continue;
    atoms[block].nodes.assign(members[block].begin(), members[block].end());
    on_host[block] = true;
    for (size_t unit = 0; unit < usable_.units.size(); ++unit) {
      atoms[block].feasible.push_back(Feasible(unit, members[block]));
      if (atoms[block].feasible.back() && IsAccelerator(unit)) on_host[block] = false;
    }
  }
  Atoms result;
  result.atom_of = IdMap<NodeId, uint32_t>(block_of_.size(), Atoms::kNone);
  const bool in_width =
      usable_.width_first.has_value() && std::find(on_host.begin(), on_host.end(), true) != on_host.end();
  const std::vector<uint32_t> order =
      in_width ? WidthFirst(Blocks(), TurnsOf(model_, Blocks(), block_of_, on_host, *usable_.width_first))
               : DepthFirst(Blocks());
  for (const uint32_t block : order) {
    if (members[block].empty()) continue;
    Atom& atom = atoms[block];
    for (const NodeId node : atom.nodes) result.atom_of[node] = static_cast<uint32_t>(result.atoms.size());
    result.atoms.push_back(std::move(atom));
  }
  return result;
}

}  // namespace

Atoms BuildAtoms(const ModelView& model, const Target& target, const Usable& usable) {
  return AtomsBuilder(model, target, usable).Run();
}

namespace {

// The last kernel node of an overlay group that runs whole in `atom`; none when it does not.
NodeId LastOfWhole(const ModelView& model, const Usable& usable, const Atoms& atoms, uint32_t atom, size_t unit,
                   const Group& group) {
  if (!usable.Runs(unit, group, model.classes)) return NodeId();
  NodeId last;
  for (const NodeId member : group.nodes) {
    if (!IsKernel(model.classes[member])) continue;
    if (atoms.atom_of[member] != atom) return NodeId();
    last = last.valid() ? std::max(last, member) : member;
  }
  return last;
}

}  // namespace

void AddGroupsOn(const ModelView& model, const Usable& usable, const Atoms& atoms, uint32_t atom, size_t unit,
                 std::vector<GroupRef>* refs) {
  const Overlay& overlay = *usable.overlays[unit];
  absl::flat_hash_map<GroupId, NodeId> last_of;  // looked at once per group, however many members it has
  GroupId current;                               // most atoms are of one group
  NodeId last_of_current;
  // A group takes the place of its last node.
  for (const NodeId node : atoms.atoms[atom].nodes) {
    const GroupId id = overlay.group_of[node];
    if (id.valid() && id != current) {
      if (current.valid()) last_of.emplace(current, last_of_current);
      const auto known = last_of.find(id);
      current = id;
      last_of_current =
          known != last_of.end() ? known->second : LastOfWhole(model, usable, atoms, atom, unit, overlay.groups[id]);
    }
    const NodeId last = id.valid() ? last_of_current : NodeId();
    if (!last.valid()) {
      refs->push_back({GroupId(), node});
    } else if (last == node) {
      refs->push_back({id, NodeId()});
    }
  }
}

}  // namespace hwest
