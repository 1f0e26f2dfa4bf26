// Files compiled into the library: the built-in targets and toolchains, as text, parsed only when asked for.
#pragma once

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

struct EmbeddedFile {
  absl::string_view name;  // file name without extension
  absl::string_view text;
};

// Sorted by name.
absl::Span<const EmbeddedFile> EmbeddedTargets();
absl::Span<const EmbeddedFile> EmbeddedToolchains();

// FindEmbedded returns the text of `name`, or a null view.
absl::string_view FindEmbedded(absl::Span<const EmbeddedFile> files, absl::string_view name);

}  // namespace hwest
