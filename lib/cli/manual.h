// The program's manual page, from the declarations of verbs and flags.
#pragma once

#include <string>

namespace hwest {

// For man(1), in the man macros of roff.
std::string ManualPage();

}  // namespace hwest
