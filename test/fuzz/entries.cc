#include "fuzz/entries.h"

#include <algorithm>
#include <iterator>

namespace hwest::test {
namespace {

constexpr Entry kEntries[] = {
    {"dims", "lines of dim expressions and range constraints", RunDims},
    {"metadata", "lines of node metadata and of a node name", RunMetadata},
    {"external", "the location of external data, a NUL byte, then its range", RunExternal},
    {"reader", "a model file, read and built", RunReader},
    {"ops", "choices that make a model of a few nodes, inferred unbound and bound", RunOps},
    {"target", "a target file, its modes applied", RunTarget},
    {"model", "a model file, through every stage and format", RunModel},
};

}  // namespace

absl::Span<const Entry> Entries() { return kEntries; }

const Entry* FindEntry(absl::string_view name) {
  const auto found =
      std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.name == name; });
  return found == std::end(kEntries) ? nullptr : found;
}

}  // namespace hwest::test
