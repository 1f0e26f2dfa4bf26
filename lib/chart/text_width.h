// Text widths by the metrics of DejaVu Sans, the first font that pictures ask for.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"

namespace hwest {

enum class Anchor : uint8_t { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 11;  // of the letters, in points
  Anchor anchor = Anchor::kStart;
  bool is_bold = false;
  double room = std::numeric_limits<double>::infinity();  // a text that is wider loses its middle
};

// Points that a text takes. Characters that the font lacks count as square.
double TextWidth(absl::string_view text, const TextStyle& style);

// Replaces the middle of a text wider than its room by an ellipsis: names differ at both ends.
std::string FitText(absl::string_view text, const TextStyle& style);

}  // namespace hwest
