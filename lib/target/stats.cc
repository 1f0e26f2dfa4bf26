// Counts how many of a toolchain's limits are typed.
#include "absl/strings/str_split.h"
#include "hwest/target.h"

namespace hwest {
namespace {

int64_t CountTexts(const std::string& note) {
  int64_t count = 0;
  for (const absl::string_view text : absl::StrSplit(note, ';', absl::SkipWhitespace())) count += !text.empty();
  return count;
}

}  // namespace

SupportStats StatsOf(const Toolchain& toolchain) {
  SupportStats stats;
  for (const Toolchain::OpIndex& row : toolchain.by_op) {
    if (row.domain.empty() && row.op != "*") stats.ops.push_back(row.op);
  }
  for (const SupportRow& row : toolchain.support) {
    if (!row.supported) continue;
    const auto ops = static_cast<int64_t>(row.ops.size());
    stats.typed += ops * (static_cast<int64_t>(row.limits.size()) + (row.only_in.empty() ? 0 : 1));
    stats.noted += ops * CountTexts(row.note);
  }
  stats.typed += toolchain.static_only ? 1 : 0;
  return stats;
}

}  // namespace hwest
