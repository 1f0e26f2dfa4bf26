// Files compiled into the library: the built-in targets and toolchains, read only on demand.
#pragma once

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

struct EmbeddedFile {
  absl::string_view name;  // file name without extension
  absl::string_view text;
  absl::string_view aliases;  // each ends in a newline; in the text each has its own line
};

// Sorted by name.
absl::Span<const EmbeddedFile> EmbeddedTargets();
absl::Span<const EmbeddedFile> EmbeddedToolchains();

// Such a file already parsed, packed by the build; see pack.h.
struct PackedFile {
  absl::string_view name;
  absl::string_view bytes;
};

// Each in the order of its files; empty in a cross-compiled library.
absl::Span<const PackedFile> PackedTargets();
absl::Span<const PackedFile> PackedToolchains();
absl::Span<const PackedFile> PackedSummaries();  // of the targets

// The built-in target with that name or alias, ignoring case; null when there is none.
const EmbeddedFile* FindBuiltIn(absl::string_view name);

// Whether the name of a target or toolchain is a path.
bool IsPath(absl::string_view name);

// FindEmbedded returns the file called `name`, null when there is none.
const EmbeddedFile* FindEmbedded(absl::Span<const EmbeddedFile> files, absl::string_view name);

}  // namespace hwest
