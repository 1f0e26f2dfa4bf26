// Typed limits of op support, read from their text form.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// ReadLimit parses row.of() ("dim:0:-1", "attr:strides", ...). Returns what is wrong, or "".
std::string ReadLimit(const proto::Limit& row, Limit* out);

// The forms of row.of() as written, with what each measures.
struct LimitText {
  absl::string_view text;
  absl::string_view meaning;
};
absl::Span<const LimitText> LimitTexts();

}  // namespace hwest
