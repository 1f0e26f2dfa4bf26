// The second half of the matcher: decides whether a complete assignment is a group, and says why not.
#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "fuse/matcher.h"
#include "pass/classify.h"

namespace hwest {

bool Matcher::Accept() {
  CollectNodes();
  if (read_ != nullptr) {
    match_->root = root_;
    match_->nodes = nodes_;
    *read_ = bindings_;
    return true;
  }
  uint32_t weight = 0;
  size_t kernels = 0;
  for (const NodeId node : nodes_) {
    if (!IsKernel(node) || IsPassed(node)) continue;
    ++kernels;
    if (context_.classes[node] == NodeClass::kCompute) ++weight;
  }
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto same = [&](const Member& member) { return member.node == members_[i].node; };
    if (members_[i].folded &&
        std::find_if(members_.begin(), members_.end(), same) - members_.begin() == static_cast<std::ptrdiff_t>(i)) {
      --weight;
    }
  }
  if (!IsFusion(kernels)) return false;
  if (!excuse_.guard.empty()) {
    Report(excuse_);
    return false;
  }
  if (!ClosesOverInner() || !FeedsExtraOutputs()) return false;
  match_->root = root_;
  match_->core = NodeId();
  if (row_->core_slot >= 0) {
    const ValueId core = bindings_[static_cast<size_t>(row_->core_slot)];
    if (core.valid()) match_->core = context_.graph.value(core).producer;
  }
  match_->weight = weight;
  match_->nodes = nodes_;
  return true;
}

// Two kernels became one, or one with the views that the expression names beside it.
bool Matcher::IsFusion(size_t kernels) const {
  if (row_->row->alone) return true;
  if (kernels != 1) return kernels > 1;
  return std::any_of(members_.begin(), members_.end(), [this](const Member& member) {
    return member.is_written && context_.classes[member.node] == NodeClass::kView && !IsPassed(member.node);
  });
}

// Fills nodes_ with the members and with the passed nodes that lead from an inner value to a leaf.
void Matcher::CollectNodes() {
  ++stamp_;
  nodes_.clear();
  const auto add = [this](NodeId node) {
    if (stamp_of_[node.index()] == stamp_) return;
    stamp_of_[node.index()] = stamp_;
    nodes_.push_back(node);
  };
  for (const Member& member : members_) add(member.node);
  for (ValueId value : leaves_) {
    const NodeId source = context_.graph.value(Resolve(value)).producer;
    if (!source.valid() || stamp_of_[source.index()] != stamp_) continue;
    for (NodeId node = context_.graph.value(value).producer; node != source;) {
      if (CanJoin(node)) add(node);
      node = context_.graph.value(context_.graph.inputs(node)[0]).producer;
    }
  }
  std::sort(nodes_.begin(), nodes_.end());
}

// No value but the root's is used outside.
bool Matcher::ClosesOverInner() {
  for (const NodeId node : nodes_) {
    if (node == root_) continue;
    for (const ValueId value : context_.graph.outputs(node)) {
      if (!value.valid() || IsAllowedOutput(value)) continue;
      if (context_.graph.value(value).is_output) {
        // clang-format off
        Report({node, "single use", absl::StrCat("graph output ", context_.graph.name(value)),
                "no use outside the group", "do not return it", {}});
        // clang-format on
        return false;
      }
      for (const Use& use : context_.graph.uses(value)) {
        if (stamp_of_[use.node.index()] == stamp_ || !IsReadAtRun(context_.graph, context_.classes, use)) continue;
        // clang-format off
        Report({node, "single use", absl::StrCat("second use at ", context_.graph.Label(use.node)),
                "no use outside the group", "compute it once per use", {}});
        // clang-format on
        return false;
      }
    }
  }
  return true;
}

// With further outputs, everything that enters the group has to lead into each of them: then nothing outside can stand
// between two members, nor two groups wait for each other.
bool Matcher::FeedsExtraOutputs() {
  for (const ValueId output : outputs_) {
    std::vector<NodeId> reached = {context_.graph.value(output).producer};
    if (!reached[0].valid() || stamp_of_[reached[0].index()] != stamp_) continue;
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const ValueId input : context_.graph.inputs(reached[i])) {
        const NodeId source = input.valid() ? context_.graph.value(input).producer : NodeId();
        const bool inside = source.valid() && stamp_of_[source.index()] == stamp_;
        if (inside && std::find(reached.begin(), reached.end(), source) == reached.end()) reached.push_back(source);
      }
    }
    for (const NodeId node : nodes_) {
      if (std::find(reached.begin(), reached.end(), node) != reached.end()) continue;
      for (const ValueId input : context_.graph.inputs(node)) {
        if (!input.valid() || IsConst(context_, input)) continue;
        const NodeId source = context_.graph.value(input).producer;
        if (source.valid() && stamp_of_[source.index()] == stamp_) continue;
        // clang-format off
        Report({node, "convex", absl::StrCat("input ", context_.graph.name(input), " enters after an output"),
                "a convex group", "move that input before the shared value", {}});
        // clang-format on
        return false;
      }
    }
  }
  return true;
}

bool Matcher::IsAllowedOutput(ValueId value) const {
  const NodeId maker = context_.graph.value(value).producer;
  return absl::c_any_of(outputs_, [&](ValueId output) { return context_.graph.value(output).producer == maker; });
}

// When obstacles are asked for, one failed guard is overlooked until all else has matched.
bool Matcher::Excuse(NodeId node, absl::string_view guard, absl::string_view needed, absl::string_view edit,
                     ValueId value) {
  if (obstacle_ == nullptr || !excuse_.guard.empty()) return false;
  const bool is_node = node.valid() && FindGuard(guard) != nullptr && FindGuard(guard)->node != nullptr;
  excuse_ = {.node = node.valid() ? node : root_,
             .guard = std::string(guard),
             .found = is_node ? Describe(context_, node) : Describe(context_, value),
             .needed = std::string(needed),
             .edit = std::string(edit),
             .nodes = {}};
  return true;
}

void Matcher::Report(Obstacle obstacle) {
  if (obstacle_ == nullptr || nodes_.size() <= obstacle_->nodes.size()) return;
  *obstacle_ = std::move(obstacle);
  obstacle_->nodes = nodes_;
}

}  // namespace hwest
