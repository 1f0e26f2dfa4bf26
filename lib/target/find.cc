// Finds the text of a target or toolchain: in the library itself or in a file.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "target/embedded.h"
#include "target/read.h"

namespace hwest {
namespace {

constexpr size_t kMaxFileBytes = size_t{16} << 20;

absl::StatusOr<FileText> ReadFile(absl::string_view path, absl::string_view relative_to) {
  const std::filesystem::path full = ResolvedPath(path, relative_to);
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(full, error);
  const auto bytes = regular ? std::filesystem::file_size(full, error) : 0;
  std::ifstream stream(full, std::ios::binary);
  if (!regular || error || !stream) {
    return MakeError(Code::kTargetUnknown, absl::StrCat("target file '", full.string(), "' cannot be read"),
                     "give the path of a .textproto file, or a name of `onnx-hwest targets`", {"`onnx-hwest targets`"});
  }
  if (bytes > kMaxFileBytes) {
    return MakeError(Code::kTargetInvalid, absl::StrCat("target file '", full.string(), "' is above 16 MiB"),
                     "give a .textproto file");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return FileText{full.string(), text.str(), {}};
}

std::vector<absl::string_view> AliasesOf(const EmbeddedFile& file) {
  return absl::StrSplit(file.aliases, '\n', absl::SkipEmpty());
}

FileText BuiltIn(const EmbeddedFile& file) { return {"built-in", "", file.text}; }

absl::Status Unknown(absl::string_view what, absl::string_view name, const std::vector<std::string>& known,
                     absl::string_view remedy) {
  const std::vector<std::string> nearest = NearestNames(name, known, 3);
  const std::string hint = nearest.empty() ? "" : absl::StrCat("did you mean ", absl::StrJoin(nearest, ", "), "? ");
  return MakeError(Code::kTargetUnknown, absl::StrCat("unknown ", what, " '", EscapeControl(name), "'"),
                   absl::StrCat(hint, remedy), {"`onnx-hwest targets`"});
}

}  // namespace

bool IsPath(absl::string_view name) { return absl::StrContains(name, '/') || absl::EndsWith(name, ".textproto"); }

std::filesystem::path ResolvedPath(absl::string_view path, absl::string_view relative_to) {
  const std::filesystem::path full{std::string(path)};
  if (full.is_absolute() || relative_to.empty()) return full;
  return std::filesystem::path(std::string(relative_to)).parent_path() / full;
}

const EmbeddedFile* FindEmbedded(absl::Span<const EmbeddedFile> files, absl::string_view name) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

const EmbeddedFile* FindBuiltIn(absl::string_view name) {
  const auto is_called = [&](absl::string_view known) { return absl::EqualsIgnoreCase(known, name); };
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    if (is_called(file.name)) return &file;
  }
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    if (absl::c_any_of(AliasesOf(file), is_called)) return &file;
  }
  return nullptr;
}

absl::StatusOr<FileText> FindTarget(absl::string_view name, absl::string_view relative_to) {
  if (IsPath(name)) return ReadFile(name, relative_to);
  if (const EmbeddedFile* file = FindBuiltIn(name)) return BuiltIn(*file);
  std::vector<std::string> known;
  for (const EmbeddedFile& file : EmbeddedTargets()) {
    known.emplace_back(file.name);
    for (const absl::string_view alias : AliasesOf(file)) known.emplace_back(alias);
  }
  return Unknown("target", name, known, "`onnx-hwest targets` lists them; a path ends in .textproto or has a '/'");
}

absl::StatusOr<FileText> FindToolchain(absl::string_view name, absl::string_view relative_to) {
  if (IsPath(name)) return ReadFile(name, relative_to);
  if (const EmbeddedFile* file = FindEmbedded(EmbeddedToolchains(), name)) return BuiltIn(*file);
  const std::vector<std::string> known = ListToolchains();
  return Unknown("toolchain", name, known, absl::StrCat("built in are ", absl::StrJoin(known, ", ")));
}

std::vector<std::string> ListToolchains() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : EmbeddedToolchains()) names.emplace_back(file.name);
  return names;
}

}  // namespace hwest
