// The module tree: which module of the source program each node belongs to.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "base/interner.h"
#include "hwest/graph.h"
#include "ir/raw.h"

namespace hwest {

// One level of a module path: its full path and its class ("" when unknown).
struct ScopeLevel {
  std::string path;
  std::string class_name;
};

// Levels of a node, root first, from the exporter's metadata; empty when there is none or it cannot be read.
std::vector<ScopeLevel> LevelsOfMetadata(const RawMetadata& metadata, const StringTable& strings);

// Levels of a slash-separated node name, e.g. "/layer1/layer1.0/conv1/Conv" -> "", "layer1", "layer1/layer1.0", ...
// Empty when the name has no slash.
std::vector<ScopeLevel> LevelsOfName(absl::string_view node_name);

// Items of a Python repr of a list of strings, e.g. "['', 'model', \"it's\"]"; false when malformed.
bool ParsePythonStringList(absl::string_view text, std::vector<std::string>& items);

// ScopeTree interns paths as scopes and links parents.
class ScopeTree {
 public:
  explicit ScopeTree(StringTable& strings) : strings_(strings) {}

  // The scope of the last level, made with all its ancestors when new. Levels must not be empty.
  ScopeId Add(const std::vector<ScopeLevel>& levels);
  // The scope that a slash-separated node name lies in, none when it has no slash.
  ScopeId AddNodeName(absl::string_view node_name);
  // A child of `parent` (none = root) for a call of a local function.
  ScopeId AddCall(ScopeId parent, absl::string_view call_name, absl::string_view function_name);
  IdMap<ScopeId, Scope> Take() { return std::move(scopes_); }

 private:
  struct Level {
    size_t end = 0;  // of its path in path_
    ScopeId scope;
  };

  ScopeId Intern(absl::string_view path, absl::string_view class_name, ScopeId parent);
  ScopeId AddPath(absl::string_view slashed);

  StringTable& strings_;
  IdMap<ScopeId, Scope> scopes_;
  absl::flat_hash_map<StrId, ScopeId> by_path_;
  absl::flat_hash_map<StrId, ScopeId> by_prefix_;  // of node names, up to the last slash
  std::string path_;                               // the last one that was added by name, without empty parts
  std::vector<Level> levels_;                      // of path_
};

}  // namespace hwest
