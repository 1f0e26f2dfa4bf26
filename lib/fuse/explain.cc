// Explains why patterns do not match at a node.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "fuse/fuse.h"
#include "fuse/in_place.h"
#include "fuse/patterns.h"
#include "fuse/select.h"
#include "op/rule.h"
#include "pass/limit.h"

namespace hwest {
namespace {

bool Contains(absl::Span<const NodeId> nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

bool IsSubset(absl::Span<const NodeId> part, absl::Span<const NodeId> whole) {
  return std::all_of(part.begin(), part.end(), [&](NodeId node) { return Contains(whole, node); });
}

// Nodes at which a pattern with `node` inside can end: those that few steps lead to.
std::vector<NodeId> RootsAround(const Graph& graph, NodeId node) {
  constexpr size_t kMaxRoots = 64;
  std::vector<NodeId> roots = {node};
  for (size_t i = 0; i < roots.size() && roots.size() < kMaxRoots; ++i) {
    for (const ValueId value : graph.outputs(roots[i])) {
      if (!value.valid()) continue;
      for (const Use& use : graph.uses(value)) {
        if (roots.size() < kMaxRoots && !Contains(roots, use.node)) roots.push_back(use.node);
      }
    }
  }
  return roots;
}

std::vector<std::string> ToolchainsThatDo(const PatternRow& row) {
  std::vector<std::string> names;
  for (const std::string& name : ListToolchains()) {
    const auto toolchain = LoadToolchain(name);
    if (toolchain.ok() && MissingPicks(row, *toolchain).empty()) names.push_back(name);
  }
  return names;
}

class Explainer {
 public:
  Explainer(const GuardContext& context, const FuseOptions& options, const Overlay& overlay, NodeId node)
      : context_(context),
        limits_{context.graph, context.facts, context.classes, options.dims, options.precision, options.precisions},
        options_(options),
        overlay_(overlay),
        node_(node),
        taken_(context.graph.nodes().size(), 0),
        roots_(RootsAround(context.graph, node)) {
    const GroupId group = overlay.group_of[node];
    if (group.valid()) group_ = overlay.groups[group].nodes;
  }

  absl::StatusOr<std::vector<Miss>> Run(const Selection& selection) {
    Matcher matcher(context_, selection.absorbs_qdq ? QdqMode::kAbsorbed : QdqMode::kKept);
    for (const CompiledRow& row : selection.rows) Try(row, matcher);
    AddConcat(selection);
    Sort();
    const size_t own = found_.size();
    HWEST_RETURN_IF_ERROR(TryOthers(matcher));
    std::stable_sort(found_.begin() + static_cast<std::ptrdiff_t>(own), found_.end(), IsLarger);
    std::vector<Miss> misses;
    for (Found& found : found_) misses.push_back(std::move(found.miss));
    return misses;
  }

 private:
  struct Found {
    Miss miss;
    size_t size = 0;  // nodes of the attempt
  };
  static bool IsLarger(const Found& a, const Found& b) { return a.size > b.size; }

  void Sort() { std::stable_sort(found_.begin(), found_.end(), IsLarger); }

  bool EndsIn(const CompiledRow& row, NodeId root) const {
    const Node& node = context_.graph.node(root);
    return std::any_of(row.roots.begin(), row.roots.end(),
                       [&](const OpKey& key) { return key.op == node.op && key.domain == node.domain; });
  }

  // Looks at every place the row can end; `misses` keeps one miss of a row, the one with the largest attempt.
  void Try(const CompiledRow& row, Matcher& matcher) {
    std::optional<Found> largest;
    for (const NodeId root : roots_) {
      if (!EndsIn(row, root)) continue;
      Obstacle obstacle;
      Match match;
      std::optional<Found> found;
      if (matcher.Find(row, root, taken_, &match, &obstacle)) {
        if (!Contains(match.nodes, node_)) continue;
        if (IsSubset(match.nodes, group_)) return;
        found = Matched(row, match);
      } else if (Contains(obstacle.nodes, node_) || obstacle.node == node_) {
        found = Found{
            {std::string(row.row->name), obstacle.node, obstacle.guard, obstacle.found, obstacle.needed, obstacle.edit},
            obstacle.nodes.size()};
      }
      if (found.has_value() && (!largest.has_value() || found->size > largest->size)) largest = std::move(found);
    }
    if (largest.has_value() && largest->size > 1) Add(*std::move(largest));
  }

  // Of several patterns that fail at one place for one reason, the largest is reported.
  void Add(Found found) {
    for (Found& other : found_) {
      if (other.miss.node != found.miss.node || other.miss.guard != found.miss.guard ||
          other.miss.found != found.miss.found) {
        continue;
      }
      if (found.size > other.size) other = std::move(found);
      return;
    }
    found_.push_back(std::move(found));
  }

  // A concatenation that the toolchain would do in place, but for one of its parts.
  void AddConcat(const Selection& selection) {
    const bool runs = context_.classes[node_] == NodeClass::kLayout && HasTrait(context_.graph, node_, trait::kJoins);
    const GroupId group = overlay_.group_of[node_];
    if (!runs || selection.in_place.row == nullptr || !group.valid()) return;
    if (overlay_.groups[group].pattern == selection.in_place.row->family) return;
    const std::string found = WhyNotInPlace(context_, node_, Places::kOne);
    if (found.empty()) return;
    Add({{std::string(selection.in_place.row->name), node_, "own parts", found,
          "parts that kernels make for this concatenation alone", "concatenate results of kernels, each in one place"},
         1});
  }

  // A row that matches here, but did not become the group.
  std::optional<Found> Matched(const CompiledRow& row, const Match& match) const {
    Miss miss{std::string(row.row->name), match.root, "", "", "", ""};
    LimitContext context = limits_;
    context.core = match.core;
    for (const auto* limits : row.limits) {
      for (const Limit& limit : *limits) {
        const LimitCheck check = CheckLimit(context, miss.node, limit);
        if (check.outcome == LimitOutcome::kHolds) continue;
        miss.guard = "limit";
        miss.found = absl::StrCat(LimitWords(limit), " ", check.found);
        miss.needed = check.allowed;
        miss.edit = limit.kind == LimitKind::kPrecision ? absl::StrCat("run in another precision: ", check.allowed)
                                                        : absl::StrCat("make ", LimitWords(limit), " ", check.allowed);
        return Found{std::move(miss), match.nodes.size()};
      }
    }
    for (const NodeId node : match.nodes) {
      const GroupId group = overlay_.group_of[node];
      if (!group.valid() || overlay_.groups[group].nodes.size() < 2) continue;
      miss.guard = "taken";
      miss.node = node;
      miss.found = absl::StrCat(context_.graph.Label(node), " is in a ", overlay_.groups[group].pattern);
      miss.needed = "nodes that no larger or earlier fusion takes";
      miss.edit = "none is needed: that fusion was preferred";
      return Found{std::move(miss), match.nodes.size()};
    }
    return std::nullopt;
  }

  // Patterns of the table that match, and that the toolchain does not do: the largest of each family.
  absl::Status TryOthers(Matcher& matcher) {
    std::vector<std::string> picks;
    for (const Pick& pick : options_.toolchain->fuses) picks.push_back(pick.pattern);
    const size_t own = found_.size();
    const OpNames names(context_.graph);
    for (const PatternRow& row : AllPatterns()) {
      const std::vector<std::string> missing = MissingPicks(row, *options_.toolchain);
      if (row.kind != RowKind::kExpression || missing.empty()) continue;
      std::vector<std::string> all = picks;
      all.insert(all.end(), missing.begin(), missing.end());
      const CompiledRow compiled = CompileRow(row, PatternOf(row), context_.graph, names, all);
      for (const NodeId root : roots_) {
        Match match;
        if (!EndsIn(compiled, root) || !matcher.Find(compiled, root, taken_, &match)) continue;
        if (Contains(match.nodes, node_) && !IsSubset(match.nodes, group_)) AddOther(row, missing, match, own);
      }
    }
    return absl::OkStatus();
  }

  void AddOther(const PatternRow& row, const std::vector<std::string>& missing, const Match& match, size_t own) {
    const std::string fusions = absl::StrJoin(missing, " and ");
    const std::vector<std::string> users = ToolchainsThatDo(row);
    Found found{
        {std::string(row.name), match.root, "toolchain",
         absl::StrCat(options_.toolchain->name, " does not do ", fusions), absl::StrCat("a toolchain with ", fusions),
         users.empty() ? absl::StrCat("write it into a --fusions file if your compiler does it")
                       : absl::StrCat("run it on ", absl::StrJoin(users, " or "))},
        match.nodes.size()};
    for (size_t i = own; i < found_.size(); ++i) {
      if (found_[i].miss.found != found.miss.found) continue;
      if (found.size > found_[i].size) found_[i] = std::move(found);
      return;
    }
    found_.push_back(std::move(found));
  }

  const GuardContext& context_;
  LimitContext limits_;
  const FuseOptions& options_;
  const Overlay& overlay_;
  NodeId node_;
  std::vector<uint8_t> taken_;
  std::vector<NodeId> roots_;
  absl::Span<const NodeId> group_;
  std::vector<Found> found_;
};

}  // namespace

absl::StatusOr<std::vector<Miss>> ExplainMisses(const Graph& graph, const Facts& facts,
                                                const IdMap<NodeId, NodeClass>& classes, const FuseOptions& options,
                                                const Overlay& overlay, NodeId node) {
  if (options.toolchain == nullptr) return std::vector<Miss>();
  HWEST_ASSIGN_OR_RETURN(const Selection selection, Select(graph, options));
  const GuardContext context{graph, facts, classes};
  return Explainer(context, options, overlay, node).Run(selection);
}

}  // namespace hwest
