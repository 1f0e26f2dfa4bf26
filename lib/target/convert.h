// Converts the messages of a file to the plain rows that other folders use.
#pragma once

#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// Both require a message that the checks of target/check.h accept. Does not fill in a target's toolchains.
Target ConvertTarget(const proto::Target& from);
Toolchain ConvertToolchain(const proto::Toolchain& from);

}  // namespace hwest
