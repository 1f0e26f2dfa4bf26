#include "report/picture_boxes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "report/picture.h"

namespace hwest {
namespace {

constexpr size_t kMaxDepth = 64;
// What a reader takes in on one page; a file with more top-level modules than this has a box for each.
constexpr size_t kReadableModules = 48;

// The order of first use gives box numbers.
class Boxes {
 public:
  explicit Boxes(Grouping* grouping) : grouping_(grouping) {}
  // Whether `key` is new; its box is then to be named.
  bool Put(uint32_t key) {
    const auto [at, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(numbers_.size()));
    grouping_->box_of.push_back(at->second);
    grouping_->boxes = numbers_.size();
    return is_new;
  }

 private:
  Grouping* grouping_;
  std::map<uint32_t, uint32_t> numbers_;
};

Item ItemOf(const GroupRow& group) {
  Item item{.nodes = {group.nodes.begin(), group.nodes.end()},
            .root = group.root,
            .group = group.id,
            .unit = group.unit,
            .segment = group.segment};
  if (group.estimate) item.time_s = group.estimate->time_s;
  item.macs = group.macs;
  return item;
}

Item ItemOf(const View& view, const NodeRow& node) {
  Item item{.nodes = {node.id}, .root = node.id, .group = node.group};
  if (const auto* macs = std::get_if<int64_t>(&node.macs)) item.macs = *macs;
  if (node.group.valid()) item.unit = view.groups[node.group.index()].unit;
  return item;
}

bool IsDrawn(NodeClass c) { return !IsFolded(c); }

std::string Plural(size_t count, absl::string_view what) { return absl::StrCat(count, " ", what, count == 1 ? "" : "s"); }

Grouping OneEach(const std::vector<Item>& items) {
  Grouping each;
  each.boxes = items.size();
  for (size_t i = 0; i < items.size(); ++i) each.box_of.push_back(static_cast<uint32_t>(i));
  return each;
}

Grouping BySegment(const View& view, const std::vector<Item>& items) {
  Grouping grouping{.of = Grouping::Of::kSegments};
  Boxes boxes(&grouping);
  for (const Item& item : items) {
    const bool placed = item.segment.valid();
    if (!boxes.Put(placed ? static_cast<uint32_t>(item.segment.index()) : UINT32_MAX)) continue;
    grouping.names.push_back(!placed ? "not placed"
                                     : absl::StrCat("segment ", item.segment.index(), " on ",
                                                    view.units[item.unit.index()].name));
  }
  grouping.caption = absl::StrCat("one box per segment: ", Plural(items.size(), "group"), " in ",
                                  Plural(view.segments.size(), "segment"));
  return grouping;
}

Grouping ByUnit(const View& view, const std::vector<Item>& items) {
  Grouping grouping{.of = Grouping::Of::kUnits};
  Boxes boxes(&grouping);
  for (const Item& item : items) {
    if (!boxes.Put(item.unit.valid() ? static_cast<uint32_t>(item.unit.index()) : UINT32_MAX)) continue;
    grouping.names.push_back(item.unit.valid() ? view.units[item.unit.index()].name : "no unit");
  }
  grouping.caption = absl::StrCat("one box per unit that runs something: ", Plural(items.size(), "group"), " on ",
                                  Plural(grouping.boxes, "unit"));
  return grouping;
}

Grouping ByRun(const std::vector<Item>& items) {
  Grouping grouping{.of = Grouping::Of::kRuns, .folded = true};
  const size_t length = (items.size() + kMaxBoxes - 1) / kMaxBoxes;
  for (size_t i = 0; i < items.size(); ++i) {
    grouping.box_of.push_back(static_cast<uint32_t>(i / length));
    if (i % length == 0) grouping.names.push_back(absl::StrCat(i, " to ", std::min(i + length, items.size()) - 1));
  }
  grouping.boxes = grouping.names.size();
  grouping.caption =
      absl::StrCat(items.size(), " boxes were drawn as ", grouping.boxes, " runs; the file names no modules");
  return grouping;
}

// The module table counts a group where the node of most MACs is; the picture does the same.
NodeId DearestNode(const View& view, const Item& item) {
  const auto macs_of = [&](NodeId node) {
    const Count macs = view.nodes[node.index()].macs;
    const auto* number = std::get_if<int64_t>(&macs);
    return number == nullptr ? 0 : *number;
  };
  NodeId costliest = item.root;
  for (const NodeId node : item.nodes) {
    if (macs_of(node) > macs_of(costliest)) costliest = node;
  }
  return costliest;
}

// Modules from the top level down to the item's own; the root, which holds all, is left out.
std::vector<ScopeId> ModulesOf(const Graph& graph, NodeId node) {
  std::vector<ScopeId> chain;
  for (ScopeId scope = graph.node(node).scope; scope.valid() && chain.size() < kMaxDepth;
       scope = graph.scope(scope).parent) {
    if (!graph.str(graph.scope(scope).path).empty()) chain.push_back(scope);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// Cuts each chain where its modules hold one item alone: what is left below the top level holds several.
void DropSingles(std::vector<std::vector<ScopeId>>* chains) {
  std::map<ScopeId, size_t> held;
  for (const std::vector<ScopeId>& chain : *chains) {
    for (const ScopeId scope : chain) ++held[scope];
  }
  for (std::vector<ScopeId>& chain : *chains) {
    while (chain.size() > 1 && held[chain.back()] == 1) chain.pop_back();
  }
}

Grouping ByModule(const Graph& graph, const std::vector<std::vector<ScopeId>>& chains, size_t depth) {
  std::set<ScopeId> parted;  // modules of which other boxes show parts
  for (const std::vector<ScopeId>& chain : chains) {
    if (!chain.empty()) parted.insert(chain.begin(), chain.begin() + static_cast<ptrdiff_t>(std::min(depth, chain.size()) - 1));
  }
  Grouping grouping{.of = Grouping::Of::kModules};
  Boxes boxes(&grouping);
  for (const std::vector<ScopeId>& chain : chains) {
    const ScopeId scope = chain.empty() ? ScopeId() : chain[std::min(depth, chain.size()) - 1];
    if (!boxes.Put(scope.valid() ? static_cast<uint32_t>(scope.index()) : UINT32_MAX)) continue;
    std::string name = scope.valid() ? std::string(graph.str(graph.scope(scope).path)) : "(in no module)";
    if (parted.count(scope) > 0) name += ", outside its modules";
    grouping.names.push_back(std::move(name));
  }
  return grouping;
}

// The deepest modules of which at most `most` are drawn, else those of the top level; none = the file names no modules.
std::optional<Grouping> ByModule(const View& view, const std::vector<Item>& items, size_t most) {
  std::vector<std::vector<ScopeId>> chains;
  for (const Item& item : items) chains.push_back(ModulesOf(*view.graph, DearestNode(view, item)));
  DropSingles(&chains);
  size_t deepest = 0;
  for (const std::vector<ScopeId>& chain : chains) deepest = std::max(deepest, chain.size());
  if (deepest == 0) return std::nullopt;
  size_t depth = deepest;
  Grouping grouping = ByModule(*view.graph, chains, depth);
  while (depth > 1 && grouping.boxes > most) grouping = ByModule(*view.graph, chains, --depth);
  const absl::string_view what = items.front().nodes.size() == 1 && view.groups.empty() ? "node" : "group";
  grouping.caption =
      absl::StrCat("one box per module: ", Plural(items.size(), what), " in ", Plural(grouping.boxes, "module"),
                   depth < deepest ? absl::StrCat(", nested modules drawn down to level ", depth, " of ", deepest) : "");
  return grouping;
}

absl::StatusOr<Grouping> AskedModules(const View& view, const std::vector<Item>& items) {
  if (items.empty()) return OneEach(items);
  std::optional<Grouping> grouping = ByModule(view, items, kReadableModules);
  if (grouping.has_value()) return *std::move(grouping);
  return MakeError(Code::kUsage, "the file names no modules to draw", "use --level group, segment or unit");
}

// What fits without being asked for.
Grouping Fitting(const View& view, const std::vector<Item>& items) {
  if (items.size() <= kMaxBoxes) return OneEach(items);
  std::optional<Grouping> grouping = ByModule(view, items, kMaxBoxes);
  if (!grouping.has_value() || grouping->boxes > kMaxBoxes || grouping->boxes == 1) return ByRun(items);
  grouping->folded = true;
  return *std::move(grouping);
}

}  // namespace

bool DrawsNodes(const View& view, const ReportOptions& options) {
  return view.groups.empty() || options.level == Level::kNode;
}

std::vector<Item> ItemsOf(const View& view, const ReportOptions& options) {
  std::vector<Item> items;
  if (DrawsNodes(view, options)) {
    for (const NodeRow& node : view.nodes) {
      if (IsDrawn(node.node_class)) items.push_back(ItemOf(view, node));
    }
  } else {
    for (const GroupRow& group : view.groups) items.push_back(ItemOf(group));
  }
  return items;
}

absl::StatusOr<Grouping> GroupingOf(const View& view, const std::vector<Item>& items, const ReportOptions& options) {
  if (options.level == Level::kSegment) return BySegment(view, items);
  if (options.level == Level::kUnit) return ByUnit(view, items);
  if (options.level == Level::kModule) return AskedModules(view, items);
  return Fitting(view, items);
}

}  // namespace hwest
