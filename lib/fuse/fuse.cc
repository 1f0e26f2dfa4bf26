#include "fuse/fuse.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/status_macros.h"
#include "fuse/chain.h"
#include "fuse/horizontal.h"
#include "fuse/in_place.h"
#include "fuse/matcher.h"
#include "fuse/patterns.h"
#include "fuse/qdq.h"
#include "fuse/select.h"
#include "pass/classify.h"
#include "pass/limit.h"

namespace hwest {
// Of one graph, as often as it is asked.
class Fuser {
 public:
  Fuser(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes, const FuseOptions& options,
        Selection selection)
      : context_{graph, facts, classes, NumberMatch::kUsual, options.asked},
        limits_{graph, facts, classes, options.dims, options.precision, options.precisions, options.asked},
        rules_(options.rules),
        selection_(std::move(selection)),
        matcher_(context_, selection_.absorbs_qdq ? QdqMode::kAbsorbed : QdqMode::kKept) {
    if (options.toolchain != nullptr) toolchain_ = options.toolchain->name;
  }

  Overlay Run() {
    found_.clear();
    taken_.assign(context_.graph.nodes().size(), 0);
    groups_ = {};
    group_of_ = IdMap<NodeId, GroupId>(context_.graph.nodes().size());
    FindAll();
    TakeMatches();
    if (selection_.chain != nullptr) {
      for (const Match& match : FindChains(context_, matcher_, taken_)) Take(selection_.chain, match);
    }
    TakeRest();
    if (selection_.absorbs_qdq) AbsorbQdq(context_, &groups_, &group_of_);
    if (selection_.absorbs_qdq) NameAbsorbers();
    // Siblings may be slices of one product.
    if (selection_.horizontal != nullptr && limits_.asked != nullptr && groups_.size() > 1) limits_.asked->GiveUp();
    if (selection_.horizontal != nullptr) MergeSiblings(context_, Shared(selection_.horizontal), &groups_, &group_of_);
    return Finish();
  }

 private:
  struct Candidate {
    uint32_t row = 0;
    Match match;

    // True when `other` is to be taken first: more compute nodes, then earlier row, then more nodes that fold into
    // them, then smaller root.
    bool operator<(const Candidate& other) const {
      if (match.weight != other.match.weight) return match.weight < other.match.weight;
      if (row != other.row) return row > other.row;
      if (match.nodes.size() != other.match.nodes.size()) return match.nodes.size() < other.match.nodes.size();
      return match.root > other.match.root;
    }
  };

  void FindAll() {
    Match match;
    for (size_t i = 0; i < context_.graph.nodes().size(); ++i) {
      const auto* rows = selection_.RowsOf(context_, NodeId(i));
      if (rows == nullptr) continue;
      for (const uint32_t row : *rows) {
        if (Find(row, NodeId(i), &match)) found_.push_back({row, match});
      }
    }
  }

  bool Find(uint32_t row, NodeId root, Match* match) {
    return matcher_.Find(selection_.rows[row], root, taken_, match) &&
           AllLimitsHold(selection_.rows[row].limits, match->root, match->core);
  }

  bool AllLimitsHold(const std::vector<const std::vector<Limit>*>& limits, NodeId node, NodeId core) const {
    LimitContext context = limits_;
    context.core = core;
    return std::all_of(limits.begin(), limits.end(), [&](const auto* each) { return AllHold(context, node, *each); });
  }

  // Takes matches in order of preference; one that lost a node to an earlier one is looked for again without it.
  void TakeMatches() {
    const auto before = [this](uint32_t a, uint32_t b) { return found_[a] < found_[b]; };
    std::vector<uint32_t> heap(found_.size());
    std::iota(heap.begin(), heap.end(), 0u);
    std::make_heap(heap.begin(), heap.end(), before);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), before);
      Candidate& candidate = found_[heap.back()];
      const auto is_taken = [this](NodeId node) { return taken_[node.index()] != 0; };
      if (std::none_of(candidate.match.nodes.begin(), candidate.match.nodes.end(), is_taken)) {
        Take(selection_.rows[candidate.row].row, candidate.match);
      } else if (!is_taken(candidate.match.root) && Find(candidate.row, candidate.match.root, &candidate.match)) {
        std::push_heap(heap.begin(), heap.end(), before);
        continue;
      }
      heap.pop_back();
    }
  }

  // `core`: see Match.
  absl::string_view NameOf(const PatternRow* row, NodeId core) const {
    return row != nullptr && !row->family.empty() ? row->family : context_.graph.op(core);
  }

  // Rows of the caller live as long as their file; those of the table always.
  std::shared_ptr<const PatternRow> Shared(const PatternRow* row) const { return {rules_, row}; }

  void Take(const PatternRow* row, const Match& match) {
    Take(row, match.root, match.core.valid() ? match.core : match.root, match.nodes);
  }

  // `row` is what made the match; null = nothing fused.
  void Take(const PatternRow* row, NodeId root, NodeId core, absl::Span<const NodeId> nodes) {
    const GroupId id(groups_.size());
    for (const NodeId node : nodes) {
      taken_[node.index()] = 1;
      group_of_[node] = id;
    }
    groups_.push_back({.pattern = NameOf(row, core),
                       .fusion = row != nullptr ? Shared(row) : nullptr,
                       .nodes = Group::Nodes(nodes.begin(), nodes.end()),
                       .root = root});
  }

  // Groups that are several nodes for what they absorbed only.
  void NameAbsorbers() {
    for (Group& group : groups_) {
      if (group.nodes.size() > 1 && group.fusion == nullptr) group.fusion = Shared(selection_.qdq);
    }
  }

  void TakeRest() {
    for (size_t i = 0; i < context_.graph.nodes().size(); ++i) {
      const NodeClass node_class = context_.classes[NodeId(i)];
      if (node_class == NodeClass::kView || IsFolded(node_class) || taken_[i] != 0) continue;
      const NodeId node(i);
      Take(RowInPlace(node), node, node, {node});
    }
  }

  const PatternRow* RowInPlace(NodeId node) const {
    const auto holds = [&](const Selection::InPlace& rule, Places places) {
      return rule.row != nullptr && IsInPlace(context_, node, places) && AllLimitsHold(rule.limits, node, NodeId());
    };
    if (holds(selection_.in_place, Places::kOne)) return selection_.in_place.row;
    return holds(selection_.nested, Places::kNested) ? selection_.nested.row : nullptr;
  }

  // Finds what enters and leaves each group and puts them in an order in which producers come first.
  Overlay Finish() {
    std::vector<std::pair<NodeId, GroupId>> order;  // by first exit, which differs from group to group
    order.reserve(groups_.size());
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group& group = groups_[GroupId(i)];
      if (group.nodes.empty()) continue;
      std::sort(group.nodes.begin(), group.nodes.end());
      FindEdges(GroupId(i), &group);
      order.emplace_back(FirstExit(group), GroupId(i));
    }
    std::sort(order.begin(), order.end());
    Overlay overlay;
    overlay.toolchain = toolchain_;
    overlay.group_of = IdMap<NodeId, GroupId>(context_.graph.nodes().size());
    overlay.groups.reserve(order.size());
    for (const auto& [exit, from] : order) {
      Group& group = groups_[from];
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
        if (!output.valid() || !context_.facts.IsNeeded(output)) continue;
        if (IsUsedOutside(id, output)) group->outputs.push_back(output);
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
      if (group_of_[use.node] != id && IsReadAtRun(context_.graph, context_.classes, use)) return true;
    }
    return false;
  }

  GuardContext context_;
  LimitContext limits_;
  std::shared_ptr<const FusionRules> rules_;
  std::string toolchain_;
  Selection selection_;
  Matcher matcher_;
  std::vector<Candidate> found_;
  std::vector<uint8_t> taken_;
  IdMap<GroupId, Group> groups_;
  IdMap<NodeId, GroupId> group_of_;
};

absl::StatusOr<Overlay> Fuse(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                             const FuseOptions& options) {
  HWEST_ASSIGN_OR_RETURN(Selection selection, Select(graph, options));
  return Fuser(graph, facts, classes, options, std::move(selection)).Run();
}

absl::StatusOr<Fusion> Fusion::Make(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                                    const FuseOptions& options) {
  HWEST_ASSIGN_OR_RETURN(Selection selection, Select(graph, options));
  return Fusion(std::make_unique<Fuser>(graph, facts, classes, options, std::move(selection)));
}

Fusion::Fusion(std::unique_ptr<Fuser> fuser) : fuser_(std::move(fuser)) {}
Fusion::Fusion(Fusion&&) noexcept = default;
Fusion& Fusion::operator=(Fusion&&) noexcept = default;
Fusion::~Fusion() = default;

Overlay Fusion::Run() { return fuser_->Run(); }

}  // namespace hwest
