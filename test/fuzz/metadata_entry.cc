#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "ir/scopes.h"

namespace hwest::test {

void RunMetadata(absl::string_view bytes) {
  const std::vector<std::string> lines = absl::StrSplit(bytes, '\n');
  const auto line = [&lines](size_t i) { return i < lines.size() ? lines[i] : std::string(); };
  StringTable strings;
  RawMetadata metadata;
  metadata.namespace_text = strings.Intern(line(0));
  metadata.class_hierarchy = strings.Intern(line(1));
  metadata.name_scopes = strings.Intern(line(2));
  metadata.plain_scopes = lines.size() % 2 == 0;

  ScopeTree tree(strings);
  const std::vector<ScopeLevel> levels = LevelsOfMetadata(metadata, strings);
  if (!levels.empty()) Require(tree.Add(levels).valid(), "levels make a scope");
  for (size_t i = 3; i < lines.size(); ++i) {
    Require(tree.AddNodeName(lines[i]).valid() == !LevelsOfName(lines[i]).empty(), "a name with a slash has a scope");
  }
  tree.AddCall(ScopeId(), line(3), line(4));
  for (const Scope& scope : tree.Take()) {
    Require(!scope.parent.valid() || strings[scope.path].size() > 0, "only the root has no path");
  }
}

}  // namespace hwest::test
