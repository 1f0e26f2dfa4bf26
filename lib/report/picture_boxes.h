// What the boxes of a picture stand for: nodes, groups, or sets of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

// Item is the smallest thing drawn: a group, or a node.
struct Item {
  std::vector<NodeId> nodes;
  NodeId root;
  GroupId group;
  UnitId unit;
  SegmentId segment;
  std::optional<double> time_s, energy_j;
  std::optional<double> measured_ratio;  // of its group
  bool is_free = false;  // takes no time itself: its group's time stands at another node, or it is a view
  std::optional<int64_t> macs, flops, bytes;
  std::optional<Bound> bound;
  std::string precision;

  // In no group because it needs no kernel: a view, or a node that compilers read as its input.
  bool needs_no_kernel() const { return is_free && !group.valid(); }
};

// Equal blocks in a row; only the first is drawn.
struct Repeat {
  size_t first = 0;   // item
  size_t length = 0;  // items of a block
  size_t times = 0;   // blocks
};

// The boxes of a picture: for each item, its box.
struct Grouping {
  enum class Of : uint8_t { kItems, kSegments, kModules, kUnits, kRuns };

  Of of = Of::kItems;
  std::vector<uint32_t> box_of;
  std::vector<std::string> names;  // by box; empty when each item is a box
  size_t boxes = 0;
  std::string caption;  // what a box stands for; empty = one item
  bool folded = false;  // to fit, not because the caller asked for it
  std::vector<Repeat> repeats;
};

// Whether items are nodes: without a plan, or with Level::kNode.
bool DrawsNodes(const View& view, const ReportOptions& options);

// All items, or unless `nodes` is null only these nodes or the groups that contain one.
std::vector<Item> ItemsOf(const View& view, const ReportOptions& options, const std::vector<NodeId>* nodes);

// The items that each item reads from, ascending, looking through views.
std::vector<std::vector<uint32_t>> SourcesOf(const View& view, const std::vector<Item>& items);

// The modules of a node from the top level down to its own, without the root.
std::vector<ScopeId> ModulesOf(const Graph& graph, NodeId node);

// Blocks of at least two items, or runs of one, that repeat with the same operators, shapes, units and wiring: those
// that save most boxes, ascending, without overlap.
std::vector<Repeat> FindRepeats(const View& view, const std::vector<Item>& items);
std::string NameOf(const View& view, const std::vector<Item>& items, const Repeat& repeat);

// GroupingOf follows options.level and options.picture. Without either, each item gets a box, and equal blocks in a row
// share one set of boxes; past kMaxBoxes, boxes are modules, or runs of equal length where the file names none. Errors:
// kUsage for modules of such a file, and for more than kMostBoxes boxes.
absl::StatusOr<Grouping> GroupingOf(const View& view, const std::vector<Item>& items, const ReportOptions& options);

}  // namespace hwest
