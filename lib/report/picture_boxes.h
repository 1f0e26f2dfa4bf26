// What the boxes of a picture stand for: nodes, groups, or what holds several of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

// Item is what is drawn when everything fits: a group, or a node.
struct Item {
  std::vector<NodeId> nodes;
  NodeId root;
  GroupId group;
  UnitId unit;
  SegmentId segment;
  std::optional<double> time_s;
  std::optional<int64_t> macs;
};

// Boxes of a picture: for each item the box that it is in.
struct Grouping {
  enum class Of : uint8_t { kItems, kSegments, kModules, kUnits, kRuns };

  Of of = Of::kItems;
  std::vector<uint32_t> box_of;
  std::vector<std::string> names;  // by box; empty when each item is a box
  size_t boxes = 0;
  std::string caption;  // what a box stands for; empty = one item
  bool folded = false;  // to fit, not because the caller asked for it
};

// Whether items are nodes: without a plan, or with Level::kNode.
bool DrawsNodes(const View& view, const ReportOptions& options);

std::vector<Item> ItemsOf(const View& view, const ReportOptions& options);

// GroupingOf follows options.level; without one, each item has a box up to kMaxBoxes, and beyond that boxes are modules,
// or runs of equal length where the file names none. Errors: kUsage for Level::kModule of such a file.
absl::StatusOr<Grouping> GroupingOf(const View& view, const std::vector<Item>& items, const ReportOptions& options);

}  // namespace hwest
