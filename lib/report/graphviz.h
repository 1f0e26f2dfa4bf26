// Graphviz, which turns its language into pictures.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "report/report.h"

namespace hwest {

// Who decides where things are: the layered layout, or positions in the text.
enum class DotEngine : uint8_t { kLayered, kPlaced };

// Svg, png or pdf, under one lock for the process. Errors: kOutputUnwritable where Graphviz is not installed; kInternal.
absl::StatusOr<std::string> RenderDot(absl::string_view dot, DotEngine engine, Format format);

}  // namespace hwest
