// Parsed expressions as bytes, in which those of the tables are part of the library: reading them parses no text.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/pattern.h"

namespace hwest {

std::string Pack(const Pattern& pattern);
// Of what Pack() of the same build wrote; the pattern points into `bytes`.
Pattern Unpack(absl::string_view bytes);

// By row of AllPatterns() and of AllReadings(), "" for one without an expression; empty in a library that was built for
// another machine.
absl::Span<const absl::string_view> PackedPatterns();
absl::Span<const absl::string_view> PackedReadings();

}  // namespace hwest
