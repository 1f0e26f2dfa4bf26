#include "ir/scopes.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace hwest {
namespace {

// What torch writes for nodes that belong to no module, such as sizes of inputs.
constexpr absl::string_view kNoModule = "_empty_nn_module_stack_from_metadata_hook";

// Module trees are some levels deep. Beyond these caps the inner levels are left out: the paths of all levels together
// are quadratic in their number.
constexpr size_t kMaxLevels = 64;
constexpr size_t kMaxPath = 4096;

bool Push(std::string path, std::string class_name, std::vector<ScopeLevel>* levels) {
  if (levels->size() == kMaxLevels || path.size() > kMaxPath) return false;
  levels->push_back({std::move(path), std::move(class_name)});
  return true;
}

// "namespace" holds "name: class/name: class/.../fx_node: target"; names are full dotted paths.
std::vector<ScopeLevel> LevelsOfNamespace(absl::string_view text) {
  std::vector<ScopeLevel> levels;
  std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  if (parts.size() < 2) return levels;
  parts.pop_back();  // the operator call itself
  for (const absl::string_view part : parts) {
    const size_t colon = part.find(": ");
    if (colon == absl::string_view::npos) return {};
    if (!Push(std::string(part.substr(0, colon)), std::string(part.substr(colon + 2)), &levels)) break;
  }
  return levels;
}

std::string Joined(absl::string_view parent, absl::string_view child) {
  return parent.empty() ? std::string(child) : absl::StrCat(parent, ".", child);
}

}  // namespace

bool ParsePythonStringList(absl::string_view text, std::vector<std::string>& items) {
  items.clear();
  size_t at = 0;
  const auto skip_space = [&] {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n')) ++at;
  };
  skip_space();
  if (at >= text.size() || text[at] != '[') return false;
  ++at;
  for (;;) {
    skip_space();
    if (at < text.size() && text[at] == ']') return true;
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"')) return false;
    const char quote = text[at++];
    std::string item;
    while (at < text.size() && text[at] != quote) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      item.push_back(text[at++]);
    }
    if (at >= text.size()) return false;
    ++at;
    items.push_back(std::move(item));
    skip_space();
    if (at < text.size() && text[at] == ',') ++at;
  }
}

std::vector<ScopeLevel> LevelsOfMetadata(const RawMetadata& metadata, const StringTable& strings) {
  const auto text = [&](StrId id) { return id.valid() ? strings[id] : absl::string_view(); };
  if (absl::StartsWith(text(metadata.namespace_text), kNoModule)) return {};
  std::vector<std::string> names, classes;
  if (ParsePythonStringList(text(metadata.name_scopes), names) && !names.empty()) {
    ParsePythonStringList(text(metadata.class_hierarchy), classes);
    if (!metadata.plain_scopes) names.pop_back();  // the operator call itself
    std::vector<ScopeLevel> levels;
    std::string path;
    for (size_t i = 0; i < names.size(); ++i) {
      path = metadata.plain_scopes ? Joined(path, names[i]) : names[i];
      if (!Push(path, i < classes.size() ? classes[i] : std::string(), &levels)) break;
    }
    return levels;
  }
  return LevelsOfNamespace(text(metadata.namespace_text));
}

std::vector<ScopeLevel> LevelsOfName(absl::string_view node_name) {
  std::vector<ScopeLevel> levels;
  if (node_name.find('/') == absl::string_view::npos) return levels;
  levels.push_back({});
  std::string path;
  std::vector<absl::string_view> parts = absl::StrSplit(node_name, '/');
  parts.pop_back();
  for (const absl::string_view part : parts) {
    if (part.empty()) continue;
    path = path.empty() ? std::string(part) : absl::StrCat(path, "/", part);
    if (!Push(path, {}, &levels)) break;
  }
  return levels;
}

ScopeId ScopeTree::Intern(absl::string_view path, absl::string_view class_name, ScopeId parent) {
  const StrId key = strings_.Intern(path);
  const auto [entry, fresh] = by_path_.try_emplace(key, ScopeId());
  if (!fresh) {
    Scope& known = scopes_[entry->second];
    if (known.class_name.index() == 0) known.class_name = strings_.Intern(class_name);
    return entry->second;
  }
  if (parent.valid()) scopes_[parent].has_children = true;
  entry->second = scopes_.push_back({.path = key, .class_name = strings_.Intern(class_name), .parent = parent});
  return entry->second;
}

ScopeId ScopeTree::Add(const std::vector<ScopeLevel>& levels) {
  ScopeId scope = Intern("", levels[0].path.empty() ? absl::string_view(levels[0].class_name) : "", ScopeId());
  for (const ScopeLevel& level : levels) {
    if (!level.path.empty()) scope = Intern(level.path, level.class_name, scope);
  }
  return scope;
}

ScopeId ScopeTree::AddNodeName(absl::string_view node_name) {
  const size_t slash = node_name.rfind('/');
  if (slash == absl::string_view::npos) return ScopeId();
  const auto [entry, fresh] = by_prefix_.try_emplace(strings_.Intern(node_name.substr(0, slash)), ScopeId());
  if (fresh) entry->second = AddPath(node_name.substr(0, slash));
  return entry->second;
}

// Neighbours have most of their levels in common, so those of the last path are kept.
ScopeId ScopeTree::AddPath(absl::string_view slashed) {
  const ScopeId root = Intern("", "", ScopeId());
  size_t kept = 0;  // levels of path_ that are those of `slashed`
  bool differs = false;
  const auto begin_of = [&](size_t level) { return level == 0 ? 0 : levels_[level - 1].end + 1; };
  for (size_t begin = 0; begin <= slashed.size() && kept + 1 < kMaxLevels;) {
    const size_t end = std::min(slashed.find('/', begin), slashed.size());
    const absl::string_view part = slashed.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    if (!differs && kept < levels_.size() &&
        absl::string_view(path_).substr(begin_of(kept), levels_[kept].end - begin_of(kept)) == part) {
      ++kept;
      continue;
    }
    if (!differs) levels_.resize(kept);
    differs = true;
    path_.resize(kept == 0 ? 0 : levels_[kept - 1].end);
    if (path_.size() + part.size() + 1 > kMaxPath + (kept == 0 ? 1 : 0)) break;
    absl::StrAppend(&path_, kept == 0 ? "" : "/", part);
    levels_.push_back({path_.size(), Intern(path_, "", kept == 0 ? root : levels_[kept - 1].scope)});
    ++kept;
  }
  return kept == 0 ? root : levels_[kept - 1].scope;
}

ScopeId ScopeTree::AddCall(ScopeId parent, absl::string_view call_name, absl::string_view function_name) {
  if (!parent.valid()) parent = Intern("", "", ScopeId());
  return Intern(absl::StrCat(strings_[scopes_[parent].path].empty() ? "" : strings_[scopes_[parent].path],
                             strings_[scopes_[parent].path].empty() ? "" : "/", call_name),
                function_name, parent);
}

}  // namespace hwest
