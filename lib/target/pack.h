// Targets and toolchains as bytes, in which the built-in ones are part of the library: reading them parses no text,
// merges no bases and looks nothing up.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// Of the toolchains of a target only their names, in their order.
std::string Pack(const Target& target);
std::string Pack(const Toolchain& toolchain);
std::string Pack(const TargetSummary& summary);

// Unpack reads what Pack() of the same build wrote. False when the bytes are something else.
bool Unpack(absl::string_view bytes, Target* target);
bool Unpack(absl::string_view bytes, Toolchain* toolchain);
bool Unpack(absl::string_view bytes, TargetSummary* summary);

}  // namespace hwest
