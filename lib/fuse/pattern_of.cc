// The parsed expressions of the tables, and what asks for one by node.
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "fuse/pack_pattern.h"
#include "fuse/patterns.h"
#include "fuse/readings.h"

namespace hwest {
namespace {

// Patterns by row, each made when it is first asked for.
class Table {
 public:
  Table(size_t size, absl::Span<const absl::string_view> packed) : rows_(size), packed_(packed) {}

  const Pattern& At(size_t row, absl::string_view expression) {
    Lazy& lazy = rows_[row];
    std::call_once(lazy.once, [&] {
      lazy.pattern = packed_.empty() ? ParsePattern(expression, PatternVocabulary()).value() : Unpack(packed_[row]);
    });
    return lazy.pattern;
  }

 private:
  struct Lazy {
    std::once_flag once;
    Pattern pattern;
  };
  std::vector<Lazy> rows_;
  const absl::Span<const absl::string_view> packed_;
};

}  // namespace

const Pattern& PatternOf(const PatternRow& row) {
  static Table& table = *new Table(AllPatterns().size(), PackedPatterns());
  return table.At(static_cast<size_t>(&row - AllPatterns().data()), row.expression);
}

const Pattern& PatternOf(const ReadingRow& row) {
  static Table& table = *new Table(AllReadings().size(), PackedReadings());
  return table.At(static_cast<size_t>(&row - AllReadings().data()), row.match.expression);
}

const ReadingRow* FindTaken(const GuardContext& context, NodeId node) {
  if (!context.graph.domain(node).empty()) return nullptr;
  for (const ReadingRow& row : AllReadings()) {
    if (row.kind != ReadingKind::kTaken || row.match.key != context.graph.op(node)) continue;
    const Pattern& pattern = PatternOf(row);
    const auto& guards = pattern.exprs[pattern.root].guards;
    if (std::all_of(guards.begin(), guards.end(), [&](const Guard* guard) { return guard->node(context, node); })) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace hwest
