// Which rows of the pattern table one toolchain applies to one graph.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "fuse/fuse.h"
#include "fuse/matcher.h"

namespace hwest {

struct Selection {
  std::vector<CompiledRow> rows;  // the caller's, then the table's, each in its order
  absl::flat_hash_map<std::pair<StrId, StrId>, std::vector<uint32_t>> by_root;
  const PatternRow* chain = nullptr;
  // Concatenations in place, and the limits of each pick it takes; null and empty when there are none.
  struct InPlace {
    const PatternRow* row = nullptr;
    std::vector<const std::vector<Limit>*> limits;
  };
  InPlace in_place, nested;
  const PatternRow* horizontal = nullptr;  // null = groups beside each other stay apart
  bool absorbs_qdq = false;
  const PatternRow* qdq = nullptr;  // the row for that; null = the table has none

  // Rows that can end in `node`; null when there are none.
  const std::vector<uint32_t>* RowsOf(const GuardContext& context, NodeId node) const;
};

// Select compiles what the toolchain picks and what the caller's rules give it. Errors: kTargetInvalid when a pick does
// not exist.
absl::StatusOr<Selection> Select(const Graph& graph, const FuseOptions& options);

// Whether the toolchain has every pick of `row`.
bool HasPicks(const PatternRow& row, const Toolchain& toolchain);
// The picks of the toolchain that `row` does not find there, in its order.
std::vector<std::string> MissingPicks(const PatternRow& row, const Toolchain& toolchain);

}  // namespace hwest
