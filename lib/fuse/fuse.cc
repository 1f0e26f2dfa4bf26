#include "fuse/fuse.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "fuse/chain.h"
#include "fuse/matcher.h"
#include "fuse/patterns.h"
#include "fuse/qdq.h"

namespace hwest {
namespace {

using RowsByOp = absl::flat_hash_map<std::pair<StrId, StrId>, std::vector<uint32_t>>;

struct Selection {
  std::vector<CompiledRow> rows;  // in table order
  RowsByOp by_root;
  const PatternRow* chain = nullptr;
  bool absorbs_qdq = false;
};

bool IsPicked(const PatternRow& row, absl::Span<const std::string> picks) {
  for (const absl::string_view need : absl::StrSplit(row.picks, ' ')) {
    if (std::find(picks.begin(), picks.end(), need) == picks.end()) return false;
  }
  return true;
}

absl::StatusOr<std::vector<std::string>> PicksOf(const Toolchain& toolchain) {
  std::vector<std::string> picks;
  for (const Pick& pick : toolchain.fuses) {
    if (!IsFusionName(pick.pattern)) {
      return MakeError(Code::kTargetInvalid,
                       absl::StrCat("toolchain ", toolchain.name, " picks the unknown fusion '", pick.pattern, "'"),
                       "see `onnx-hwest describe patterns`");
    }
    picks.push_back(pick.pattern);
  }
  return picks;
}

absl::StatusOr<Selection> Select(const Graph& graph, const Toolchain& toolchain) {
  Selection selection;
  HWEST_ASSIGN_OR_RETURN(const std::vector<std::string> picks, PicksOf(toolchain));
  selection.absorbs_qdq = toolchain.absorbs_qdq;
  for (const PatternRow& row : AllPatterns()) {
    if (!IsPicked(row, picks)) continue;
    if (row.kind == RowKind::kChain) selection.chain = &row;
    if (row.kind == RowKind::kQdq) selection.absorbs_qdq = true;
    if (row.kind != RowKind::kExpression || (!row.key.empty() && !graph.FindStr(row.key).valid())) continue;
    HWEST_ASSIGN_OR_RETURN(CompiledRow compiled, CompileRow(row, graph, picks));
    const uint32_t index = static_cast<uint32_t>(selection.rows.size());
    for (const OpKey& key : compiled.roots) {
      std::vector<uint32_t>& rows = selection.by_root[{key.domain, key.op}];
      if (rows.empty() || rows.back() != index) rows.push_back(index);
    }
    selection.rows.push_back(std::move(compiled));
  }
  return selection;
}

const std::vector<uint32_t>* RowsOf(const Graph& graph, const IdMap<NodeId, NodeClass>& classes,
                                    const Selection& selection, NodeId node) {
  if (classes[node] != NodeClass::kCompute) return nullptr;
  const auto it = selection.by_root.find({graph.node(node).domain, graph.node(node).op});
  return it == selection.by_root.end() ? nullptr : &it->second;
}

struct Candidate {
  uint32_t row = 0;
  Match match;

  // True when `other` is to be taken first: more compute nodes, then earlier row, then more nodes that fold into them,
  // then smaller root.
  bool operator<(const Candidate& other) const {
    if (match.weight != other.match.weight) return match.weight < other.match.weight;
    if (row != other.row) return row > other.row;
    if (match.nodes.size() != other.match.nodes.size()) return match.nodes.size() < other.match.nodes.size();
    return match.root > other.match.root;
  }
};

class Fuser {
 public:
  Fuser(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes, Selection selection)
      : context_{graph, facts, classes}, selection_(std::move(selection)),
        matcher_(context_, selection_.absorbs_qdq ? QdqMode::kAbsorbed : QdqMode::kKept),
        taken_(graph.nodes().size(), 0), group_of_(graph.nodes().size()) {}

  Overlay Run() {
    TakeMatches(FindAll());
    if (selection_.chain != nullptr) {
      for (Match& match : FindChains(context_, matcher_, taken_)) Take(selection_.chain->family, std::move(match));
    }
    TakeRest();
    if (selection_.absorbs_qdq) AbsorbQdq(context_, &groups_, &group_of_);
    return Finish();
  }

 private:
  std::priority_queue<Candidate> FindAll() {
    std::vector<Candidate> found;
    Match match;
    for (size_t i = 0; i < context_.graph.nodes().size(); ++i) {
      const auto* rows = RowsOf(context_.graph, context_.classes, selection_, NodeId(i));
      if (rows == nullptr) continue;
      for (const uint32_t row : *rows) {
        if (matcher_.Find(selection_.rows[row], NodeId(i), taken_, &match)) found.push_back({row, match});
      }
    }
    return std::priority_queue<Candidate>(std::less<Candidate>(), std::move(found));
  }

  // Takes matches in order of preference; one that lost a node to an earlier one is looked for again without it.
  void TakeMatches(std::priority_queue<Candidate> queue) {
    while (!queue.empty()) {
      Candidate candidate = queue.top();
      queue.pop();
      const auto is_taken = [this](NodeId node) { return taken_[node.index()] != 0; };
      if (std::none_of(candidate.match.nodes.begin(), candidate.match.nodes.end(), is_taken)) {
        Take(NameOf(selection_.rows[candidate.row], candidate.match), std::move(candidate.match));
      } else if (!is_taken(candidate.match.root) && matcher_.Find(selection_.rows[candidate.row], candidate.match.root,
                                                                  taken_, &candidate.match)) {
        queue.push(std::move(candidate));
      }
    }
  }

  absl::string_view NameOf(const CompiledRow& row, const Match& match) const {
    if (!row.row->family.empty()) return row.row->family;
    return context_.graph.op(match.core.valid() ? match.core : match.root);
  }

  void Take(absl::string_view name, Match match) {
    const GroupId id(groups_.size());
    for (const NodeId node : match.nodes) {
      taken_[node.index()] = 1;
      group_of_[node] = id;
    }
    groups_.push_back({.pattern = name, .nodes = Group::Nodes(match.nodes.begin(), match.nodes.end()), .root = match.root});
  }

  void TakeRest() {
    for (size_t i = 0; i < context_.graph.nodes().size(); ++i) {
      const NodeClass node_class = context_.classes[NodeId(i)];
      const bool is_free = node_class == NodeClass::kView || node_class == NodeClass::kShape ||
                           node_class == NodeClass::kConstant;
      if (is_free || taken_[i] != 0) continue;
      Match match;
      match.root = NodeId(i);
      match.nodes = {NodeId(i)};
      Take(context_.graph.op(NodeId(i)), std::move(match));
    }
  }

  // Finds what enters and leaves each group and puts them in an order in which producers come first.
  Overlay Finish() {
    std::vector<Group> groups;
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[GroupId(i)];
      if (group.nodes.empty()) continue;
      std::sort(group.nodes.begin(), group.nodes.end());
      FindEdges(GroupId(i), &group);
      groups.push_back(std::move(group));
    }
    std::sort(groups.begin(), groups.end(),
              [this](const Group& a, const Group& b) { return FirstExit(a) < FirstExit(b); });
    Overlay overlay;
    overlay.group_of = IdMap<NodeId, GroupId>(context_.graph.nodes().size());
    for (Group& group : groups) {
      const GroupId id(overlay.groups.size());
      for (const NodeId node : group.nodes) overlay.group_of[node] = id;
      overlay.groups.push_back(std::move(group));
    }
    return overlay;
  }

  // All that enters a group leads to each of its outputs (see Matcher), so whatever it waits for exits earlier.
  NodeId FirstExit(const Group& group) const {
    NodeId first = group.root;
    for (const ValueId output : group.outputs) first = std::min(first, context_.graph.value(output).producer);
    return first;
  }

  void FindEdges(GroupId id, Group* group) const {
    for (const NodeId node : group->nodes) {
      for (const ValueId input : context_.graph.inputs(node)) {
        if (!input.valid()) continue;
        const NodeId producer = context_.graph.value(input).producer;
        if (!producer.valid() || group_of_[producer] != id) group->inputs.push_back(input);
      }
      for (const ValueId output : context_.graph.outputs(node)) {
        if (output.valid() && IsUsedOutside(id, output)) group->outputs.push_back(output);
      }
    }
    for (Group::Values* values : {&group->inputs, &group->outputs}) {
      std::sort(values->begin(), values->end());
      values->erase(std::unique(values->begin(), values->end()), values->end());
    }
  }

  bool IsUsedOutside(GroupId id, ValueId value) const {
    if (context_.graph.value(value).is_output) return true;
    for (const Use& use : context_.graph.uses(value)) {
      const NodeClass node_class = context_.classes[use.node];
      if (node_class == NodeClass::kShape || node_class == NodeClass::kConstant) continue;
      if (group_of_[use.node] != id) return true;
    }
    return false;
  }

  GuardContext context_;
  Selection selection_;
  Matcher matcher_;
  std::vector<uint8_t> taken_;
  IdMap<GroupId, Group> groups_;
  IdMap<NodeId, GroupId> group_of_;
};

// Nodes at which a pattern with `node` inside can end: those that few steps lead to.
std::vector<NodeId> RootsAround(const Graph& graph, NodeId node) {
  constexpr size_t kMaxRoots = 64;
  std::vector<NodeId> roots = {node};
  for (size_t i = 0; i < roots.size() && roots.size() < kMaxRoots; ++i) {
    for (const ValueId value : graph.outputs(roots[i])) {
      if (!value.valid()) continue;
      for (const Use& use : graph.uses(value)) {
        if (roots.size() < kMaxRoots && std::find(roots.begin(), roots.end(), use.node) == roots.end()) {
          roots.push_back(use.node);
        }
      }
    }
  }
  return roots;
}

}  // namespace

absl::StatusOr<Overlay> Fuse(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                             const FuseOptions& options) {
  Selection selection;
  if (options.toolchain != nullptr) {
    HWEST_ASSIGN_OR_RETURN(selection, Select(graph, *options.toolchain));
  }
  Overlay overlay = Fuser(graph, facts, classes, std::move(selection)).Run();
  if (options.toolchain != nullptr) overlay.toolchain = options.toolchain->name;
  return overlay;
}

absl::StatusOr<std::vector<Miss>> ExplainMisses(const Graph& graph, const Facts& facts,
                                                const IdMap<NodeId, NodeClass>& classes, const FuseOptions& options,
                                                NodeId node) {
  std::vector<Miss> misses;
  if (options.toolchain == nullptr) return misses;
  HWEST_ASSIGN_OR_RETURN(const Selection selection, Select(graph, *options.toolchain));
  const GuardContext context{graph, facts, classes};
  Matcher matcher(context, selection.absorbs_qdq ? QdqMode::kAbsorbed : QdqMode::kKept);
  const std::vector<uint8_t> taken(graph.nodes().size(), 0);
  const std::vector<NodeId> roots = RootsAround(graph, node);
  for (const CompiledRow& row : selection.rows) {
    Obstacle deepest;
    bool matched = false;
    for (const NodeId root : roots) {
      const auto* rows = RowsOf(graph, classes, selection, root);
      const uint32_t index = static_cast<uint32_t>(&row - selection.rows.data());
      if (rows == nullptr || std::find(rows->begin(), rows->end(), index) == rows->end()) continue;
      Obstacle obstacle;
      Match match;
      if (matcher.Find(row, root, taken, &match, &obstacle)) {
        matched |= std::find(match.nodes.begin(), match.nodes.end(), node) != match.nodes.end();
        continue;
      }
      const bool touches = std::find(obstacle.nodes.begin(), obstacle.nodes.end(), node) != obstacle.nodes.end() ||
                           obstacle.node == node;
      if (touches && obstacle.nodes.size() > deepest.nodes.size()) deepest = std::move(obstacle);
    }
    if (matched || deepest.nodes.empty()) continue;
    misses.push_back({std::string(row.row->name), deepest.node, deepest.guard, deepest.found, deepest.needed,
                      deepest.edit});
  }
  return misses;
}

}  // namespace hwest
