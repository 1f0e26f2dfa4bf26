// The line of the source program that a node comes from.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace hwest {

// One line of a Python stack trace, "FILE:LINE in FUNCTION: CODE": the innermost frame that is not PyTorch's own, else
// the innermost one. "" when the text holds no frame. At most some hundred bytes, whatever the trace holds.
std::string SourceLineOf(absl::string_view stack_trace);

}  // namespace hwest
