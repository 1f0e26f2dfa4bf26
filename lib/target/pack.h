// Targets and toolchains as bytes, the form of the built-in ones in the library: reading them parses no text, merges no
// bases and looks nothing up.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// Packs only the names of a target's toolchains, in order.
std::string Pack(const Target& target);
std::string Pack(const Toolchain& toolchain);
std::string Pack(const TargetSummary& summary);

// Unpack reads what Pack() of the same build wrote. False for any other bytes.
bool Unpack(absl::string_view bytes, Target* target);
bool Unpack(absl::string_view bytes, Toolchain* toolchain);
bool Unpack(absl::string_view bytes, TargetSummary* summary);

}  // namespace hwest
