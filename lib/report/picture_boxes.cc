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
// How many modules a reader can take in on one page; a file with more top-level modules gets a box for each.
constexpr size_t kReadableModules = 48;
constexpr size_t kReadableItems = 40;  // of an unfolded picture

// Numbers boxes in order of first use.
class Boxes {
 public:
  explicit Boxes(Grouping* grouping) : grouping_(grouping) {}
  // Whether `key` is new; if so, the caller names its box.
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
  if (group.estimate) {
    item.time_s = group.estimate->time_s;
    item.bound = group.estimate->bound;
  }
  if (group.energy) item.energy_j = group.energy->total();
  item.measured_ratio = group.measured_ratio;
  item.macs = group.macs;
  item.flops = group.flops;
  if (group.in_bytes && group.weight_bytes && group.out_bytes) {
    item.bytes = *group.in_bytes + *group.weight_bytes + *group.out_bytes;
  }
  item.precision = group.precision.value_or("");
  return item;
}

std::optional<int64_t> NumberOf(const Count& count) {
  const auto* number = std::get_if<int64_t>(&count);
  return number == nullptr ? std::nullopt : std::optional<int64_t>(*number);
}

Item ItemOf(const View& view, const NodeRow& node) {
  Item item{.nodes = {node.id}, .root = node.id, .group = node.group};
  item.macs = NumberOf(node.macs);
  item.flops = NumberOf(node.flops);
  const std::optional<int64_t> in = NumberOf(node.in_bytes), weight = NumberOf(node.weight_bytes),
                               out = NumberOf(node.out_bytes);
  if (in && weight && out) item.bytes = *in + *weight + *out;
  if (!node.group.valid()) {
    item.is_free = node.node_class == NodeClass::kView;
    return item;
  }
  // The group's time, bound and energy stand at the node it is for.
  const Item of = ItemOf(view.groups[node.group.index()]);
  item.unit = of.unit;
  item.bound = of.bound;
  item.precision = of.precision;
  item.is_free = of.root != node.id;
  if (!item.is_free) {
    item.time_s = of.time_s;
    item.energy_j = of.energy_j;
    item.measured_ratio = of.measured_ratio;
  }
  return item;
}

bool IsDrawn(NodeClass c) { return !IsFolded(c); }

std::string Plural(size_t count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

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
    grouping.names.push_back(
        !placed ? "not placed"
                : absl::StrCat("segment ", item.segment.index(), " on ", view.units[item.unit.index()].name));
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
NodeId CostliestNode(const View& view, const Item& item) {
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

// Cuts each chain at modules with a single item: every module left below the top level has several.
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
    if (!chain.empty())
      parted.insert(chain.begin(), chain.begin() + static_cast<ptrdiff_t>(std::min(depth, chain.size()) - 1));
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

// The deepest modules that draw at most `most` boxes, else the top level; none = the file names no modules.
std::optional<Grouping> ByModule(const View& view, const std::vector<Item>& items, size_t most) {
  std::vector<std::vector<ScopeId>> chains;
  for (const Item& item : items) chains.push_back(ModulesOf(*view.graph, CostliestNode(view, item)));
  DropSingles(&chains);
  size_t deepest = 0;
  for (const std::vector<ScopeId>& chain : chains) deepest = std::max(deepest, chain.size());
  if (deepest == 0) return std::nullopt;
  size_t depth = deepest;
  Grouping grouping = ByModule(*view.graph, chains, depth);
  while (depth > 1 && grouping.boxes > most) grouping = ByModule(*view.graph, chains, --depth);
  const absl::string_view what = items.front().nodes.size() == 1 && view.groups.empty() ? "node" : "group";
  grouping.caption = absl::StrCat(
      "one box per module: ", Plural(items.size(), what), " in ", Plural(grouping.boxes, "module"),
      depth < deepest ? absl::StrCat(", nested modules drawn down to level ", depth, " of ", deepest) : "");
  return grouping;
}

absl::StatusOr<Grouping> AskedModules(const View& view, const std::vector<Item>& items) {
  if (items.empty()) return OneEach(items);
  std::optional<Grouping> grouping = ByModule(view, items, kReadableModules);
  if (grouping.has_value()) return *std::move(grouping);
  return MakeError(Code::kUsage, "the file names no modules to draw",
                   "use --level group, segment or unit, or --collapse segment or none", {"--level", "--collapse"});
}

absl::StatusOr<Grouping> Unfolded(const std::vector<Item>& items) {
  if (items.size() <= kMostBoxes) return OneEach(items);
  return MakeError(Code::kUsage, absl::StrCat(items.size(), " boxes are more than can be laid out"),
                   absl::StrCat("draw up to ", kMostBoxes, ": a range of `graph`, or --collapse module or segment"),
                   {"--collapse"});
}

// One set of boxes for equal blocks in a row.
Grouping OncePerRepeat(const View& view, const std::vector<Item>& items) {
  Grouping grouping;
  grouping.repeats = FindRepeats(view, items);
  size_t left_out = 0;
  auto repeat = grouping.repeats.begin();
  for (size_t i = 0; i < items.size(); ++i) {
    if (repeat != grouping.repeats.end() && i == repeat->first + repeat->length * repeat->times) ++repeat;
    const bool is_copy = repeat != grouping.repeats.end() && i >= repeat->first + repeat->length;
    if (is_copy) {
      const size_t place = (i - repeat->first) % repeat->length;
      grouping.box_of.push_back(grouping.box_of[repeat->first + place]);
      ++left_out;
    } else {
      grouping.box_of.push_back(static_cast<uint32_t>(grouping.boxes++));
    }
  }
  if (left_out > 0) {
    grouping.caption = absl::StrCat(items.size(), " boxes drawn as ", grouping.boxes,
                                    ", equal blocks in a row once; --unfold draws each");
  }
  return grouping;
}

// The default: what fits.
Grouping Fitting(const View& view, const std::vector<Item>& items, const PictureOptions& options) {
  if (options.repeats == Repeats::kFold && items.size() > kReadableItems) {
    Grouping once = OncePerRepeat(view, items);
    if (once.boxes <= kMaxBoxes) return once;
  }
  if (items.size() <= kMaxBoxes) return OneEach(items);
  std::optional<Grouping> grouping = ByModule(view, items, kMaxBoxes);
  if (!grouping.has_value() || grouping->boxes > kMaxBoxes || grouping->boxes == 1) return ByRun(items);
  grouping->folded = true;
  return *std::move(grouping);
}

}  // namespace

std::vector<ScopeId> ModulesOf(const Graph& graph, NodeId node) {
  std::vector<ScopeId> chain;
  for (ScopeId scope = graph.node(node).scope; scope.valid() && chain.size() < kMaxDepth;
       scope = graph.scope(scope).parent) {
    if (!graph.str(graph.scope(scope).path).empty()) chain.push_back(scope);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

bool DrawsNodes(const View& view, const ReportOptions& options) {
  return view.groups.empty() || options.level == Level::kNode;
}

std::vector<Item> ItemsOf(const View& view, const ReportOptions& options, const std::vector<NodeId>* nodes) {
  std::vector<bool> shown(view.nodes.size(), nodes == nullptr);
  if (nodes != nullptr) {
    for (const NodeId node : *nodes) shown[node.index()] = true;
  }
  std::vector<Item> items;
  if (DrawsNodes(view, options)) {
    for (size_t n = 0; n < shown.size(); ++n) {
      if (!shown[n]) continue;
      const NodeRow node = view.nodes[n];
      if (IsDrawn(node.node_class)) items.push_back(ItemOf(view, node));
    }
    return items;
  }
  for (const GroupRow& group : view.groups) {
    const bool any = std::any_of(group.nodes.begin(), group.nodes.end(), [&](NodeId id) { return shown[id.index()]; });
    if (any) items.push_back(ItemOf(group));
  }
  return items;
}

absl::StatusOr<Grouping> GroupingOf(const View& view, const std::vector<Item>& items, const ReportOptions& options) {
  const Collapse collapse = options.picture.collapse;
  if (options.level == Level::kSegment || collapse == Collapse::kSegment) return BySegment(view, items);
  if (options.level == Level::kUnit) return ByUnit(view, items);
  if (options.level == Level::kModule || collapse == Collapse::kModule) return AskedModules(view, items);
  if (collapse == Collapse::kNone) return Unfolded(items);
  return Fitting(view, items, options.picture);
}

}  // namespace hwest
