// Shell completion. Shells load a few lines that ask this program what can complete a word.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "cli/options.h"

namespace hwest {

// The first argument when a shell asks; the words of its command line follow, the last one to be completed.
inline constexpr absl::string_view kCompletionFlag = "--complete";

// What can replace the last word: one candidate a line, a tab, its description; then ":files", ":folders" or ":nothing"
// for the paths that can complete it, too.
std::string OffersText(const std::vector<std::string>& words);

// The script that `shell` loads.
std::string Completions(Shell shell);

}  // namespace hwest
