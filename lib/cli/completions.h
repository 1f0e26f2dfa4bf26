// Completion in shells. What they load is a few lines that ask this program what may stand at the place of a word.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "cli/options.h"

namespace hwest {

// The first argument of the command by which a shell asks; its words follow, the last one being that which is
// completed.
inline constexpr absl::string_view kCompletionFlag = "--complete";

// What may stand in place of the last word: a line each, and what it is behind a tab; then ":files", ":folders" or
// ":nothing" for the paths that may stand there, too.
std::string OffersText(const std::vector<std::string>& words);

// The file that `shell` loads.
std::string Completions(Shell shell);

}  // namespace hwest
