// The parsed expressions of the tables, and look-ups by node.
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "absl/strings/strip.h"
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

// Keys of operators of another domain name it: "domain::Op".
bool IsOf(absl::string_view key, absl::string_view domain, absl::string_view op) {
  if (domain.empty()) return key == op;
  return absl::ConsumePrefix(&key, domain) && absl::ConsumePrefix(&key, "::") && key == op;
}

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
  const absl::string_view domain = context.graph.domain(node), op = context.graph.op(node);
  for (const ReadingRow& row : TakenReadings()) {
    if (!IsOf(row.match.key, domain, op)) continue;
    const Pattern& pattern = PatternOf(row);
    const auto& guards = pattern.exprs[pattern.root].guards;
    if (std::all_of(guards.begin(), guards.end(), [&](const Guard* guard) { return guard->node(context, node); })) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace hwest
