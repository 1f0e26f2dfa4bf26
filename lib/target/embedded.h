// Files compiled into the library: the built-in targets and toolchains, read only when asked for.
#pragma once

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

struct EmbeddedFile {
  absl::string_view name;  // file name without extension
  absl::string_view text;
  absl::string_view aliases;  // each followed by a newline; they stand on lines of their own in the text
};

// Sorted by name.
absl::Span<const EmbeddedFile> EmbeddedTargets();
absl::Span<const EmbeddedFile> EmbeddedToolchains();

// What is read of such a file, made when the library was built; see pack.h.
struct PackedFile {
  absl::string_view name;
  absl::string_view bytes;
};

// Each in the order of its files; empty in a library that was built for another machine.
absl::Span<const PackedFile> PackedTargets();
absl::Span<const PackedFile> PackedToolchains();
absl::Span<const PackedFile> PackedSummaries();  // of the targets

// The built-in target of that name or alias, in any case; null when there is none.
const EmbeddedFile* FindBuiltIn(absl::string_view name);

// Whether the name of a target or toolchain is the path of a file.
bool IsPath(absl::string_view name);

// FindEmbedded returns the file called `name`, null when there is none.
const EmbeddedFile* FindEmbedded(absl::Span<const EmbeddedFile> files, absl::string_view name);

}  // namespace hwest
