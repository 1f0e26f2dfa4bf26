// The expressions of the table of readings, and what nodes are read as.
#pragma once

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "fuse/guards.h"
#include "fuse/pattern.h"
#include "target/readings.h"

namespace hwest {

// The parsed expression of a row of AllReadings(). Parsed once in a process.
const Pattern& PatternOf(const ReadingRow& row);
// The row of kind kTaken that holds for the node, null when there is none. Its expression is the node's operator with
// guards of nodes.
const ReadingRow* FindTaken(const GuardContext& context, NodeId node);

// Attributes of the operator that the node is read as; `attribute`, of a row, is the one that nodes before it change.
// nullopt = it cannot be read so.
std::optional<std::vector<Attribute>> AttributesAsRead(const GuardContext& context, NodeId node,
                                                       absl::string_view attribute);

}  // namespace hwest
