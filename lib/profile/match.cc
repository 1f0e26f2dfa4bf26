#include "profile/match.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "op/rule.h"
#include "profile/kernel_names.h"

namespace hwest {
namespace {

NodeId MainNode(const Plan& plan, const CountsMap& counts, GroupId group) {
  const Group& of = plan.groups[group.index()].group;
  NodeId main = of.root.valid() ? of.root : of.nodes.back();
  int64_t most = 0;
  for (const NodeId node : of.nodes) {
    const int64_t macs = counts[node].macs.value_or(0);
    if (macs <= most) continue;
    most = macs;
    main = node;
  }
  return main;
}

// Groups that entries tie together: a forest of parents.
class Ties {
 public:
  explicit Ties(size_t groups) : parent_(groups) { std::iota(parent_.begin(), parent_.end(), uint32_t{0}); }
  uint32_t RootOf(GroupId group) {
    uint32_t at = group.index();
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  // The smaller one leads, so that sets come in the order of their first group.
  void Tie(GroupId a, GroupId b) {
    const auto [first, second] = std::minmax({RootOf(a), RootOf(b)});
    parent_[second] = first;
  }

 private:
  std::vector<uint32_t> parent_;
};

// What a range covers: the nodes between its ends that no other entry names.
std::vector<NodeId> NodesWithin(std::pair<NodeId, NodeId> range, const std::vector<bool>& is_named) {
  std::vector<NodeId> nodes;
  for (uint32_t n = range.first.index(); n <= range.second.index(); ++n) {
    if (!is_named[n]) nodes.push_back(NodeId(n));
  }
  return nodes;
}

std::vector<MeasuredEntry> EntriesOf(const Profile& profile, const Graph& graph) {
  const KernelNames names(graph);
  std::vector<bool> is_named(graph.nodes().size(), false);
  std::vector<MeasuredEntry> entries;
  for (const ProfileEntry& entry : profile.entries) {
    entries.push_back({.entry = entry, .nodes = names.NodesOf(entry.name)});
    for (const NodeId node : entries.back().nodes) is_named[node.index()] = true;
  }
  for (MeasuredEntry& entry : entries) {
    const auto range = entry.nodes.empty() ? names.RangeOf(entry.entry.name) : std::nullopt;
    if (range.has_value()) entry.nodes = NodesWithin(*range, is_named);
  }
  return entries;
}

// In a quantised model the result of a kernel is made by the QuantizeLinear that it takes in: a kernel that quantises
// nothing else is named by it.
bool NamesResult(const MeasuredEntry& entry, const Graph& graph, const Plan& plan, GroupId group) {
  if (entry.entry.op.empty() || absl::StrContains(absl::AsciiStrToLower(entry.entry.op), "quantize")) return false;
  return std::any_of(entry.nodes.begin(), entry.nodes.end(), [&](NodeId node) {
    return plan.group_of[node] == group && HasTrait(graph, node, trait::kQuantizes);
  });
}

// Groups with an entry that is about their main node, or their result.
std::vector<bool> AreMeasured(const std::vector<MeasuredEntry>& entries, const Graph& graph, const Plan& plan,
                              const CountsMap& counts) {
  std::vector<bool> measured(plan.groups.size(), false);
  for (const MeasuredEntry& entry : entries) {
    for (const GroupId group : entry.groups) {
      const NodeId main = MainNode(plan, counts, group);
      const bool names_it = std::binary_search(entry.nodes.begin(), entry.nodes.end(), main);
      // Fused and blocked kernels keep the operator's name: FusedConv.
      const bool runs_it = !entry.entry.op.empty() && absl::StrContains(entry.entry.op, graph.op(main));
      if (names_it || runs_it || NamesResult(entry, graph, plan, group)) measured[group.index()] = true;
    }
  }
  return measured;
}

void AddGroup(GroupId group, const Plan& plan, MeasuredSet* set) {
  const std::optional<Estimate>& estimate = plan.groups[group.index()].estimate;
  const bool is_known = estimate.has_value() && (set->groups.empty() || set->predicted_s.has_value());
  set->predicted_s = is_known ? std::optional(set->predicted_s.value_or(0) + estimate->time_s) : std::nullopt;
  set->groups.push_back(group);
}

// Sets of groups, each of which is measured, with the index of the set in set_of.
void FillSets(const std::vector<bool>& measured, const Plan& plan, Ties* ties, MeasuredTimes* times) {
  std::vector<bool> is_whole(plan.groups.size(), true);
  for (uint32_t g = 0; g < measured.size(); ++g) {
    if (!measured[g]) is_whole[ties->RootOf(GroupId(g))] = false;
  }
  times->set_of.resize(plan.groups.size());
  std::map<uint32_t, uint32_t> set_by_root;
  for (uint32_t g = 0; g < measured.size(); ++g) {
    const uint32_t root = ties->RootOf(GroupId(g));
    if (!is_whole[root]) continue;
    const auto [at, is_new] = set_by_root.try_emplace(root, times->sets.size());
    if (is_new) times->sets.emplace_back();
    times->set_of[GroupId(g)] = at->second;
    AddGroup(GroupId(g), plan, &times->sets[at->second]);
  }
}

// The names of the few that took longest, and how many more there are.
std::string LongestUnmatched(const MeasuredTimes& times) {
  constexpr size_t kNamed = 3;
  std::vector<const MeasuredEntry*> rows;
  for (const MeasuredEntry& entry : times.entries) {
    const bool is_unmatched = entry.match == MeasuredMatch::kUnknown || entry.match == MeasuredMatch::kPart;
    if (is_unmatched) rows.push_back(&entry);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MeasuredEntry* a, const MeasuredEntry* b) { return a->entry.time_s > b->entry.time_s; });
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kNamed, rows.size()); ++i) {
    names.push_back(absl::StrCat("'", rows[i]->entry.name, "' (", FormatSeconds(rows[i]->entry.time_s), ")"));
  }
  const std::string more = rows.size() > kNamed ? absl::StrCat(" and ", rows.size() - kNamed, " more") : "";
  return absl::StrCat(absl::StrJoin(names, ", "), more);
}

}  // namespace

MeasuredTimes MatchProfile(const Profile& profile, const Graph& graph, const Plan& plan, const CountsMap& counts) {
  MeasuredTimes times{.program = profile.program, .runs = profile.runs, .entries = EntriesOf(profile, graph)};
  Ties ties(plan.groups.size());
  for (MeasuredEntry& entry : times.entries) {
    for (const NodeId node : entry.nodes) {
      if (const GroupId group = plan.group_of[node]; group.valid()) entry.groups.push_back(group);
    }
    std::sort(entry.groups.begin(), entry.groups.end());
    entry.groups.erase(std::unique(entry.groups.begin(), entry.groups.end()), entry.groups.end());
    for (const GroupId group : entry.groups) ties.Tie(entry.groups.front(), group);
  }
  FillSets(AreMeasured(times.entries, graph, plan, counts), plan, &ties, &times);
  for (MeasuredEntry& entry : times.entries) {
    if (entry.nodes.empty()) continue;  // kUnknown
    entry.match = MeasuredMatch::kNoKernel;
    if (entry.groups.empty()) continue;
    const std::optional<uint32_t>& set = times.set_of[entry.groups.front()];
    entry.match = set.has_value() ? MeasuredMatch::kGroups : MeasuredMatch::kPart;
    if (set.has_value()) times.sets[*set].time_s += entry.entry.time_s;
  }
  return times;
}

MeasuredTotals TotalsOf(const MeasuredTimes& times) {
  MeasuredTotals totals;
  for (const MeasuredEntry& entry : times.entries) {
    const double time_s = entry.entry.time_s;
    totals.time_s += time_s;
    if (entry.match == MeasuredMatch::kGroups) {
      totals.matched_s += time_s;
    } else if (entry.match == MeasuredMatch::kNoKernel) {
      totals.no_kernel_s += time_s;
    } else {
      totals.unmatched_s += time_s;
      ++totals.unmatched;
    }
  }
  if (!times.sets.empty()) totals.predicted_s = 0;
  for (const MeasuredSet& set : times.sets) {
    totals.groups += static_cast<int64_t>(set.groups.size());
    const bool is_known = totals.predicted_s.has_value() && set.predicted_s.has_value();
    totals.predicted_s = is_known ? std::optional(*totals.predicted_s + *set.predicted_s) : std::nullopt;
  }
  return totals;
}

std::optional<Diagnostic> UnmatchedNote(const MeasuredTimes& times) {
  const MeasuredTotals totals = TotalsOf(times);
  const auto unmeasured = static_cast<int64_t>(times.set_of.size()) - totals.groups;
  std::vector<std::string> parts;
  if (totals.unmatched > 0) {
    parts.push_back(absl::StrCat(totals.unmatched, " of ", times.entries.size(), " entries of the profile, ",
                                 FormatSeconds(totals.unmatched_s), " of ", FormatSeconds(totals.time_s),
                                 ", are of no measured group: ", LongestUnmatched(times)));
  }
  if (unmeasured > 0) {
    parts.push_back(absl::StrCat(unmeasured, " of ", times.set_of.size(), " groups are not measured"));
  }
  if (parts.empty()) return std::nullopt;
  return Diagnostic{.code = Code::kUnusedRule,
                    .message = absl::StrJoin(parts, "; "),
                    .remedy = totals.groups > 0 ? "" : "give the profile of this model, with its names of nodes"};
}

}  // namespace hwest
