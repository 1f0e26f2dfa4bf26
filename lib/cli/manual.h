// The program's manual page and shell completions, from the tables of verbs and flags that parsing reads.
#pragma once

#include <string>

#include "cli/options.h"

namespace hwest {

// For man(1), in the man macros of roff.
std::string ManualPage();

// A file that teaches `shell` the verbs, the flags each takes, and their values.
std::string Completions(Shell shell);

}  // namespace hwest
